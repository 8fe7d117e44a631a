package document_test

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgknee/analysis/bench"
	"pgknee/analysis/format"
	"pgknee/analysis/format/all"
	"pgknee/analysis/format/formattest"
)

var update = flag.Bool("update", false, "write the goldens anew")

// document is the format as it is listed, with all blocks.
var document = all.Formats[slices.IndexFunc(all.Formats, func(f *format.Format) bool { return f.Name == "document" })]

func inputs() []string {
	names, _ := filepath.Glob("testdata/*.*")
	return slices.DeleteFunc(names, func(n string) bool { return strings.HasSuffix(n, ".golden") })
}

// TestGoldens reads each input of testdata and compares what was found with the golden beside it.
func TestGoldens(t *testing.T) {
	for _, name := range inputs() {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got := findings(formattest.Read(document, filepath.Base(name), format.Options{}, data))
		if *update {
			if err := os.WriteFile(name+".golden", []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if want, _ := os.ReadFile(name + ".golden"); got != string(want) {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got, want)
		}
	}
}

// TestProperties holds each input that is recognised to what every reader must keep.
func TestProperties(t *testing.T) {
	for _, name := range inputs() {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if document.Sniff("", data) != format.No {
			formattest.Check(t, document, filepath.Base(name), data)
		}
	}
}

// TestQuoting: however deep a text is quoted, and whatever ends its lines, it says the same.
func TestQuoting(t *testing.T) {
	for _, name := range inputs() {
		if strings.HasSuffix(name, ".eml") || strings.HasSuffix(name, ".html") {
			continue
		}
		data, _ := os.ReadFile(name)
		want := findings(formattest.Read(document, "x", format.Options{}, data))
		want = strings.ReplaceAll(want, ":1 ", ": ")
		for _, change := range []struct {
			name string
			do   func([]byte) []byte
		}{
			{"quoted once", func(b []byte) []byte { return prefixed(b, "> ") }},
			{"quoted twice", func(b []byte) []byte { return prefixed(b, "> > ") }},
			{"quoted thrice, tight", func(b []byte) []byte { return prefixed(b, ">>> ") }},
			{"CRLF", func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) }},
			{"pasted twice", func(b []byte) []byte { return append(append(bytes.Clone(b), "\n\n"...), b...) }},
		} {
			c := formattest.Read(document, "x", format.Options{}, change.do(data))
			if n := len(formattest.Read(document, "x", format.Options{}, data).Runs); len(c.Runs) != n {
				t.Errorf("%s %s: %d runs, want %d\n%s\nwant\n%s", name, change.name, len(c.Runs), n, findings(c), want)
			}
		}
	}
}

// TestCallGraph: a call graph says the same in a mail, quoted, fenced or indented, as in a file of its own: its bars are no quote marks.
func TestCallGraph(t *testing.T) {
	const graph = `# Samples: 1K of event 'cycles:P'
# Event count (approx.): 2000
#
# Overhead  Command   Shared Object      Symbol
# ........  ........  .................  ..........
#
    26.00%  postgres  postgres           [.] s_lock
            |
            ---s_lock
               |
               |--20.00%--pgss_store
               |          |
               |           --20.00%--pgss_planner
               |
                --6.00%--LWLockRelease
`
	want := map[string]float64{"s_lock": 520, "pgss_store": 400, "pgss_planner": 400, "LWLockRelease": 120}
	for name, text := range map[string]string{
		"plain": graph, "quoted": string(prefixed([]byte(graph), "> ")), "quoted twice": string(prefixed([]byte(graph), "> > ")),
		"fenced": "```\n" + graph + "```\n", "indented": string(prefixed([]byte(graph), "    ")),
	} {
		c := formattest.Read(document, "x", format.Options{}, []byte("Hi,\n\nthis is the profile of master:\n\n"+text+"\nAny ideas?\n"))
		if len(c.Profiles) != 1 || c.Profiles[0].Event != "cycles:P" {
			t.Errorf("%s: %d profiles", name, len(c.Profiles))
			continue
		}
		for _, f := range c.Profiles[0].KnownFunctions() {
			if math.Abs(f.Total-want[f.Name]) > 1e-9 {
				t.Errorf("%s: %s has %g, want %g", name, f.Name, f.Total, want[f.Name])
			}
		}
	}
}

func prefixed(b []byte, p string) []byte {
	var out []byte
	for line := range bytes.Lines(b) {
		out = append(append(out, p...), line...)
	}
	return out
}

// TestCopiesAreTold: a table that is quoted again counts once, and it is said that there were copies.
func TestCopiesAreTold(t *testing.T) {
	text := "Hi,\n\nthis is what we measured:\n\nclients base cand\n1 1000 1010\n8 7000 7100\n\nOn Mon, a person wrote:\n> clients  base cand\n> 1  1000 1010\n> 8  7000 7100\n"
	c := formattest.Read(document, "x", format.Options{}, []byte(text))
	if len(c.Runs) != 4 || len(c.Problems) != 1 || c.Problems[0].At.Line != 10 {
		t.Errorf("%d runs, %v", len(c.Runs), c.Problems)
	}
}

// TestWrappedSentences: the end of a sentence that goes over two lines is no heading, and lists that the protocol keeps apart need none.
func TestWrappedSentences(t *testing.T) {
	text := "Hi,\n\n**Their numbers**\n\nI tried it with one thread and a script that does nothing on my\nown laptop:\n\nsh> pgbench -n -T 100 -M prepared -f one.sql\n\nwith: 0.026 ms\nwithout: 0.025 ms\n\nThe habit of preparing may hide a part of what this really costs,\nso:\n\nsh> pgbench -n -T 100 -f one.sql\n\nwith: 0.035 ms\nwithout: 0.032 ms\n"
	c := formattest.Read(document, "x", format.Options{}, []byte(text))
	var got []string
	for _, r := range c.Runs {
		got = append(got, r.Label+" "+r.QueryMode)
	}
	if want := "with prepared, without prepared, with simple, without simple"; strings.Join(got, ", ") != want {
		t.Errorf("%q, want %q", got, want)
	}
	text = "Hi,\n\nThe table that follows has what I measured on the big machine with\nthe patch:\n\nclients tps\n1 1000\n8 7000\n\nmaster:\n\nclients tps\n1 1000\n8 7100\n"
	c = formattest.Read(document, "x", format.Options{}, []byte(text))
	for _, r := range c.Runs {
		if r.Label == "the patch" {
			t.Errorf("the end of a sentence is a label")
		}
	}
}

// TestScriptOfLabels: the one script that a text names is not that of columns that say they only read.
func TestScriptOfLabels(t *testing.T) {
	c := formattest.Read(document, "x", format.Options{}, []byte("Hi,\n\npgbench -N -T 60 -s 10 -j 4 bench\n\nclients RO RW\n1 9000 1000\n8 70000 7000\n"))
	for _, r := range c.Runs {
		if want := map[string]string{"RO": "", "RW": "simple-update"}[r.Label]; r.Script != want {
			t.Errorf("%s has the script %q, want %q", r.Label, r.Script, want)
		}
	}
}

// TestProseIsNotRead: numbers in sentences, bullets, shell loops and patches are no results.
func TestProseIsNotRead(t *testing.T) {
	for _, text := range []string{
		"Throughput went from 1200 TPS to 1100 TPS at 64 clients.\n",
		"- for 16.3 I see 85.24% in ExecInterpExpr vs 11.64% in SeqNext\n- for 17 I see 82% in it\n",
		"for i in 1 2 4 8; do\n  pgbench -c $i -T 60 bench > $i.log\ndone\n",
		"pgbench -c 1 -j 1 bench > 1.log\npgbench -c 2 -j 2 bench > 2.log\npgbench -c 4 -j 4 bench > 4.log\n",
		"In 2020 we had 64 servers.\n1. 20 of 30\n2. 30 of 40\n3. 40 of 50\n",
		"The peak was 60 clients (1410.32 TPS).\nRead Write : 70K TPS (c=96)\nRead Only: 690K TPS (c=64)\n",
		"~45% performance drop at 128 connections\n",
		"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n+clients base cand\n+1 1000 1010\n+8 7000 7100\n+64 20000 26000\n",
	} {
		if c := formattest.Read(document, "x", format.Options{}, []byte("Hello,\n\n"+text+"\nRegards\n")); len(c.Runs) > 0 {
			t.Errorf("%q gives %s", text, findings(c))
		}
	}
}

// TestConditions: what the text states of the runs, in the ways people write it.
func TestConditions(t *testing.T) {
	const table = "\nclients base cand\n1 1000 1010\n8 7000 7100\n64 20000 21000\n"
	for _, c := range []struct {
		text string
		has  string
	}{
		{"pgbench: scale - 100 / threads - 16", "scale=100 threads=16"},
		{"test-duration - 30s each", "duration=30"},
		{"scale factor 300, 120 s a run", "scale=300 duration=120"},
		{"scale 100, 120 s, 3 runs", "scale=100 duration=120"},
		{"median of 3 runs of 2 minutes", "duration=120"},
		{"scaling factor: 50", "scale=50"},
		{"- **Scale Factor**: 50 (~750MB data)", "scale=50"},
		{"we ran 30 minutes per step", "duration=1800"},
		{"all with the simple protocol", "mode=simple"},
		{"pgbench -M prepared -T 60 -s 10 -j 4 -S bench", "scale=10 threads=4 duration=60 script=select-only mode=prepared"},
		{"server - 96 vCPUs / 768GB", "cores=96"},
		{"client - 72 vCPUs / 144GB", ""},
		{"a server with 64 cores and a load generator with 32 cores", "cores=64"},
		{"on two smaller machines with 64 cores I see nothing", ""},
		{"a select-only test", "script=select-only"},
		{"scale 100 first, then scale 1000", ""},
		{"nothing of the kind", ""},
	} {
		ctx := formattest.Read(document, "x", format.Options{}, []byte("Hi,\n\n"+c.text+"\n"+table))
		if len(ctx.Runs) != 6 {
			t.Errorf("%q: %d runs", c.text, len(ctx.Runs))
			continue
		}
		if got := conditions(ctx.Runs[0]); got != c.has {
			t.Errorf("%q: %q, want %q", c.text, got, c.has)
		}
	}
}

func conditions(r *bench.Run) string {
	var out []string
	if r.Scale != nil {
		out = append(out, fmt.Sprintf("scale=%d", *r.Scale))
	}
	if r.Threads != nil {
		out = append(out, fmt.Sprintf("threads=%d", *r.Threads))
	}
	if r.DurationS != nil {
		out = append(out, fmt.Sprintf("duration=%v", *r.DurationS))
	}
	if r.Script != "" {
		out = append(out, "script="+r.Script)
	}
	if r.QueryMode != "" {
		out = append(out, "mode="+r.QueryMode)
	}
	if r.Cores != nil {
		out = append(out, fmt.Sprintf("cores=%d", *r.Cores))
	}
	return strings.Join(out, " ")
}

// findings writes runs, profiles and problems, a line each.
func findings(c *format.Context) string {
	var b strings.Builder
	for _, r := range c.Runs {
		fmt.Fprintf(&b, "%d:%d %q", r.At.Line, r.At.Column, r.Label)
		if r.Clients != nil {
			fmt.Fprintf(&b, " clients=%d", *r.Clients)
		}
		if r.TPS != nil {
			fmt.Fprintf(&b, " tps=%v", *r.TPS)
		}
		if r.LatencyMs != nil {
			fmt.Fprintf(&b, " latency=%v", *r.LatencyMs)
		}
		fmt.Fprintf(&b, " %s %v %v\n", conditions(r), r.Attributes, r.Flags)
	}
	for _, p := range c.Profiles {
		fmt.Fprintf(&b, "profile %q at %d, %d nodes\n", p.Label, p.At.Line, len(p.Parent))
	}
	for _, p := range c.Problems {
		fmt.Fprintf(&b, "%s %d:%d %s\n", p.Severity, p.At.Line, p.At.Column, p.Message)
	}
	return b.String()
}

func FuzzDocument(f *testing.F) {
	for _, name := range inputs() {
		data, _ := os.ReadFile(name)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { formattest.Fuzz(t, document, data) })
}
