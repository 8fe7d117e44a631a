package table

import (
	"strings"
	"testing"

	"pgknee/analysis/format"
	"pgknee/analysis/format/formattest"
)

const exported = exportHead + "latency_ms,flags,attributes,file,line,unit\n" +
	"\"a, \"\"b\"\"\n=c\",1,1000,reported,1.5,aborted short,\"os=Debian 12 \"\"max tries\"\"=10 note=\"\"a b=c\"\" shared_buffers=8GB\",x.txt,1,\n" +
	"'=d,8,7000,reported,,,,x.txt,2,nopm\n" +
	"e,many,6000,reported,NaN,,,x.txt,3,\n" +
	"f,8,7000\n"

// TestExport reads rows whose names have line breaks, commas and guards, and tells of cells and rows that an editor spoilt.
func TestExport(t *testing.T) {
	ctx := formattest.Read(Export, "x.csv", format.Options{}, []byte(exported))
	if len(ctx.Runs) != 3 {
		t.Fatal(len(ctx.Runs), ctx.Problems)
	}
	a, d, e := ctx.Runs[0], ctx.Runs[1], ctx.Runs[2]
	if a.Label != "a, \"b\"\n=c" || *a.TPS != 1000 || *a.LatencyMs != 1.5 || strings.Join(a.Flags, " ") != "aborted short" ||
		a.Attributes["os"] != "Debian 12" || a.Attributes["shared_buffers"] != "8GB" || a.Attributes["max tries"] != "10" || a.Attributes["note"] != "a b=c" || len(a.Attributes) != 4 || a.At.Line != 2 {
		t.Errorf("%+v", a)
	}
	if d.Label != "=d" || *d.Clients != 8 || d.Unit != "nopm" || d.At.Line != 4 {
		t.Errorf("%+v", d)
	}
	if e.Clients != nil || e.LatencyMs != nil || e.Usable() {
		t.Errorf("%+v", e)
	}
	var told []string
	for _, p := range ctx.Problems {
		told = append(told, p.Message)
	}
	if got := strings.Join(told, "; "); got != `"many" is no number for clients; "NaN" is no number for latency_ms; 3 cells under 10 headings: the row is skipped` {
		t.Error(got)
	}
}

func FuzzExport(f *testing.F) {
	f.Add([]byte(exported))
	f.Fuzz(func(t *testing.T, data []byte) { formattest.Fuzz(t, Export, data) })
}
