package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestWrapped takes lines out of what people's tools put around them, and leaves those alone that stand bare.
func TestWrapped(t *testing.T) {
	lines := []string{"sysbench 1.0.20 (using LuaJIT)", "", "Number of threads: 16", "[ 10s ] thds: 16 tps: 1234.50 qps: 24690.00", " jit | off ", "    transactions:  74070 (1234.50 per sec.)", "\ta\"b"}
	each := func(f func(i int, line string) string) string {
		var b strings.Builder
		for i, line := range lines {
			b.WriteString(f(i, line) + "\n")
		}
		return b.String()
	}
	before := func(format string) string {
		return each(func(i int, line string) string { return fmt.Sprintf(format, i, i*997) + line })
	}
	quoted := func(s string) string {
		b, _ := json.Marshal(s)
		return string(b)
	}
	whole := strings.Join(lines, "\n")
	list := each(func(i int, line string) string { return "    " + quoted(line) + "," })
	for name, text := range map[string]string{
		"ts":             before("Nov 30 18:01:%02d.%06d "),
		"syslog's day":   before("Nov  3 18:01:%02d.%06d "),
		"seconds":        before("17960654%02d.%06d "),
		"GitHub":         before("2026-11-30T18:01:%02d.%07dZ "),
		"a GitHub job":   before("bench\tRun it now\t2026-11-30T18:01:%02d.%07dZ "),
		"GitLab":         before("2026-11-30T18:01:%02d.%06dZ 01O "),
		"a journal":      before("2026-11-30T18:01:%02d.%06d+0100 db-1 run.sh[4711]: "),
		"compose":        before("bench-1  | 2026-11-30T18:01:%02d.%09dZ "),
		"a pod":          before("[pod/bench-x7/main] 2026-11-30T18:01:%02d.%09dZ "),
		"CRI":            before("2026-11-30T18:01:%02d.%09dZ stdout F "),
		"a logger":       before("18:01:%02d,%03d - MainThread - tests.bench - INFO - "),
		"a JSON logger":  each(func(_ int, line string) string { return `{"level":"info","msg":` + quoted(line) + `,"n":1}` }),
		"one prefix":     each(func(_ int, line string) string { return "bench-x7 main " + line }),
		"Docker's JSON":  each(func(_ int, line string) string { return `{"log":` + quoted(line+"\n") + `,"stream":"stdout"}` }),
		"a mail":         each(func(_ int, line string) string { return ">> " + line }),
		"a list":         "\"lines\": [\n" + list + "]\n",
		"a field":        `{"rc": 0, "stdout": ` + quoted(whole) + "}\n",
		"Ansible":        `{"stdout": ` + quoted(whole) + ", \"stdout_lines\": [\n" + list + "]}\n",
		"lost colours":   each(func(_ int, line string) string { return "[0;32m" + line + "[0m" }),
		"shown colours":  each(func(_ int, line string) string { return "^[[1m" + line + "^[[0m^[[K" }),
		"":               whole + "\n",
		"a table's time": "time,tps\n18:01:01,1\n18:01:02,2\n",
	} {
		t.Run(name, func(t *testing.T) {
			p := Wrapped([]byte(text))
			if name == "" || strings.HasPrefix(name, "a table") {
				if p != nil {
					t.Fatalf("taken for wrapped: %q", p.Peeled([]byte(text)))
				}
				return
			}
			if p == nil {
				t.Fatal("taken for bare")
			}
			if got := string(p.Peeled([]byte(text))); strings.TrimSpace(got) != strings.TrimSpace(whole) {
				t.Errorf("%s\nwant\n%s", got, whole)
			}
			raw := bytes.Split([]byte(text), []byte("\n"))
			p.Line = func(l Line, column int) {
				if column > len(raw[l.No-1]) {
					t.Errorf("line %d begins at %d of %d", l.No, column, len(raw[l.No-1]))
				}
			}
			for i, line := range raw {
				p.Take(Line{line, i + 1})
			}
		})
	}
}

func FuzzWrapped(f *testing.F) {
	f.Add([]byte("Nov 30 18:01:02 db pgbench[12]: tps = 1\n2026-11-30T18:01:02Z 01O a\nx | b\n\"a\\nb\\nc\\nd\"\n[0m"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if p := Wrapped(text); p != nil {
			if n := len(p.Peeled(text)); n > 4*len(text)+16 {
				t.Errorf("%d bytes of %d", n, len(text))
			}
		}
	})
}
