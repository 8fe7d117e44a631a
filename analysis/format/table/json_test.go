package table

import (
	"fmt"
	"strings"
	"testing"

	"pgknee/analysis/format"
	"pgknee/analysis/format/formattest"
)

// TestLongJSON reads more objects than are looked at before a table is read on: on a line each, on several, and in one array; and
// tells an object that is spoilt.
func TestLongJSON(t *testing.T) {
	const n = 2500
	lines, pretty, array := &strings.Builder{}, &strings.Builder{}, &strings.Builder{}
	array.WriteString("[\n")
	for i := range n {
		values := []any{i % 2, 1 << (i / 2 % 9), 1000 + i, i}
		fmt.Fprintf(lines, `{"build": "b%d", "clients": %d, "tps": %d.5, "run": %d}`+"\n", values...)
		object := fmt.Sprintf("{\n \"build\": \"b%d\",\n \"clients\": %d,\n \"tps\": %d.5,\n \"run\": %d\n}", values...)
		pretty.WriteString(object + "\n")
		array.WriteString(object)
		if i < n-1 {
			array.WriteString(",\n")
		}
	}
	array.WriteString("\n]\n")
	for name, text := range map[string]string{"lines": lines.String(), "pretty": pretty.String(), "array": array.String()} {
		ctx := formattest.Read(Format, "x.json", format.Options{}, []byte(text))
		if len(ctx.Runs) != n || len(ctx.Problems) > 0 || ctx.Skipped > 0 {
			t.Errorf("%s: %d runs, %d lines skipped, %v", name, len(ctx.Runs), ctx.Skipped, ctx.Problems)
			continue
		}
		if r := ctx.Runs[n-1]; *r.TPS != 1000.5+n-1 || r.Label != "b1" {
			t.Errorf("%s: %+v", name, r)
		}
	}
	ctx := formattest.Read(Format, "x.json", format.Options{}, []byte(lines.String()+"{\"build\": \"b1\", \"clients\"\n}\n"))
	if len(ctx.Runs) != n || len(ctx.Problems) != 1 || ctx.Problems[0].At.Line != n+1 || ctx.Skipped != 2 {
		t.Errorf("spoilt: %d runs, %v, %d", len(ctx.Runs), ctx.Problems, ctx.Skipped)
	}
}

// TestWide reads a table of 3,000 columns, or says how many it would read.
func TestWide(t *testing.T) {
	var rows [4][]string
	rows[0] = []string{"clients"}
	for i := 1; i < len(rows); i++ {
		rows[i] = []string{fmt.Sprint(i)}
	}
	for k := range 3000 {
		rows[0] = append(rows[0], fmt.Sprintf("build%d", k))
		for i := 1; i < len(rows); i++ {
			rows[i] = append(rows[i], fmt.Sprint(1000*i+k%100))
		}
	}
	join := func(before, between, after string) string {
		var b strings.Builder
		for _, r := range rows {
			b.WriteString(before + strings.Join(r, between) + after + "\n")
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"commas": join("", ",", ""), "tabs": join("", "\t", ""), "HTML": "<table>\n" + join("<tr><td>", "</td><td>", "</td></tr>") + "</table>\n",
	} {
		if ctx := formattest.Read(Format, "x", format.Options{}, []byte(text)); len(ctx.Runs) != 9000 || len(ctx.Problems) > 0 {
			t.Errorf("%s: %d runs, %v", name, len(ctx.Runs), ctx.Problems)
		}
	}
	text := []byte(join("", " ", ""))
	ctx := formattest.Read(Format, "x", format.Options{}, text)
	if len(ctx.Problems) != 1 || !strings.Contains(ctx.Problems[0].Message, "more than 60") || Format.Sniff("", text) == format.No {
		t.Errorf("blanks: %v", ctx.Problems)
	}
}
