package table

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gocarina/gocsv"

	"pgknee/analysis/format"
	"pgknee/analysis/format/formattest"
	"pgknee/analysis/source"
)

var update = flag.Bool("update", false, "write the goldens anew")

// TestGoldens reads each input of testdata and compares what was found with the golden beside it. The inputs are small tables of
// every shape; the goldens were read by a person.
func TestGoldens(t *testing.T) {
	names, _ := filepath.Glob("testdata/*.*")
	for _, name := range names {
		if strings.HasSuffix(name, ".golden") {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got := describeFindings(formattest.Read(Format, filepath.Base(name), format.Options{}, data))
		golden := name + ".golden"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, _ := os.ReadFile(golden)
		if got != string(want) {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got, want)
		}
	}
}

// TestProperties holds each input to what every reader must keep.
func TestProperties(t *testing.T) {
	names, _ := filepath.Glob("testdata/*.*")
	for _, name := range names {
		if strings.HasSuffix(name, ".golden") {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		formattest.Check(t, Format, filepath.Base(name), data)
	}
}

// describeFindings writes runs, problems and questions, a line each.
func describeFindings(c *format.Context) string {
	var b strings.Builder
	for _, r := range c.Runs {
		fmt.Fprintf(&b, "%d:%d %q", r.At.Line, r.At.Column, r.Label)
		if r.Clients != nil {
			fmt.Fprintf(&b, " clients=%d", *r.Clients)
		}
		if r.TPS != nil {
			fmt.Fprintf(&b, " tps=%v", *r.TPS)
		}
		if r.Unit != "" {
			fmt.Fprintf(&b, " unit=%s", r.Unit)
		}
		if r.TPSKind != "" && r.TPSKind != "reported" {
			fmt.Fprintf(&b, " kind=%s", r.TPSKind)
		}
		if r.LatencyMs != nil {
			fmt.Fprintf(&b, " latency=%v", *r.LatencyMs)
		}
		if r.LatencyStddevMs != nil {
			fmt.Fprintf(&b, " stddev=%v", *r.LatencyStddevMs)
		}
		var pcts []string
		for p, v := range r.LatencyPercentilesMs {
			pcts = append(pcts, fmt.Sprintf(" p%s=%v", p, v))
		}
		slices.Sort(pcts)
		b.WriteString(strings.Join(pcts, ""))
		if r.Scale != nil {
			fmt.Fprintf(&b, " scale=%d", *r.Scale)
		}
		if r.Threads != nil {
			fmt.Fprintf(&b, " threads=%d", *r.Threads)
		}
		if r.DurationS != nil {
			fmt.Fprintf(&b, " duration=%v", *r.DurationS)
		}
		if r.Transactions != nil {
			fmt.Fprintf(&b, " transactions=%d", *r.Transactions)
		}
		if r.Failed != nil {
			fmt.Fprintf(&b, " failed=%d", *r.Failed)
		}
		for _, s := range []string{r.Script, r.QueryMode} {
			if s != "" {
				fmt.Fprintf(&b, " %s", s)
			}
		}
		var attributes []string
		for k, v := range r.Attributes {
			attributes = append(attributes, fmt.Sprintf(" %s=%s", k, v))
		}
		slices.Sort(attributes)
		b.WriteString(strings.Join(attributes, ""))
		if len(r.Intervals) > 0 {
			fmt.Fprintf(&b, " intervals=%d", len(r.Intervals))
		}
		if len(r.Flags) > 0 {
			fmt.Fprintf(&b, " %v", r.Flags)
		}
		b.WriteByte('\n')
	}
	for _, p := range c.Problems {
		fmt.Fprintf(&b, "%s %d:%d %s\n", p.Severity, p.At.Line, p.At.Column, p.Message)
	}
	for _, q := range c.Questions {
		fmt.Fprintf(&b, "question %d %s: %v\n", q.Line, q.Message, q.Candidates)
	}
	return b.String()
}

// TestNumbers reads literals in the context of a column: what a comma or a point means is settled by the other cells.
func TestNumbers(t *testing.T) {
	const nothing = -1 // no number is read
	for _, c := range []struct {
		cell, column string // other cells of the column, separated by |
		want         float64
	}{
		{"534,661", "6,764|471,385", 534661},
		{"6,764", "64|128", 6764},
		{"1,204", "1,204,500", 1204},
		{"1,204", "12.5", 1204},
		{"1,204", "0,5", 1.204},
		{"1,204", "12,5", 1.204},
		{"1,204.5", "", 1204.5},
		{"1.204,5", "", 1204.5},
		{"1.204,5", "12,25", 1204.5},
		{"1.204", "12,25", 1204},
		{"1.204", "12.25", 1.204},
		{"1.204.500", "", 1204500},
		{"1.204", "1.204.500", 1204},
		{"41,7", "27,9|36,2", 41.7},
		{"0,830", "1,591", 0.83},
		{"1,591", "0,830", 1.591},
		{"1204,551", "", 1204.551},
		{"12,3456", "", 12.3456},
		{"12,34,567", "", 1234567},
		{"4 110", "14.1", 4110},
		{"1\u00a0204", "", 1204},
		{"1\u202f204,5", "", 1204.5},
		{"1\u2009204\u2009500", "", 1204500},
		{"1'204", "", 1204},
		{"1’204.5", "", 1204.5},
		{"1_204", "", 1204},
		{"====> 353,944", "534,661", 353944},
		{"==> 353944", "", 353944},
		{"-> 12.5", "", 12.5},
		{"**5,120**", "2,310", 5120},
		{"__5120__", "", 5120},
		{"`5120`", "", 5120},
		{"*5120*", "", 5120},
		{"<b>30,110</b>", "8,010.5", 30110},
		{"31,220&nbsp;", "8,230.75", 31220},
		{"~5000", "", 5000},
		{"≈ 5000", "", 5000},
		{"5000†", "", 5000},
		{"5000 [1]", "", 5000},
		{"12.5k", "", 12500},
		{"12.5 K", "", 12500},
		{"1.5M", "", 1.5e6},
		{"1,5M", "2,25M", 1.5e6},
		{"10 million", "", 1e7},
		{"1000 万", "", 1e7},
		{"1.2e+05", "", 1.2e5},
		{"1E3", "", 1000},
		{"8810 ± 55", "", 8810},
		{"8810 +/- 3%", "", 8810},
		{"7900 (+1.3%)", "", 7900},
		{"7900 (baseline)", "", 7900},
		{"1,204 tps", "8,810 tps", 1204},
		{"188,410 TPS", "", 188410},
		{"41215 / 20µs", "", 41215},
		{"126261 (420.86 per sec.)", "", 420.86},
		{".5", "", 0.5},
		{"007", "", 7},
		{"", "", nothing},
		{"-", "", nothing},
		{"–", "", nothing},
		{"n/a", "", nothing},
		{"N/A", "", nothing},
		{"nan", "", nothing},
		{"inf", "", nothing},
		{"?", "", nothing},
		{"3.10.101", "", nothing},
		{"12:30:01", "", nothing},
		{"2026-01-02", "", nothing},
		{"2,400-3,900", "", 2400},
		{"2400–3900", "", 2400},
		{"1.8 ms", "", nothing},
		{"FATAL: sorry, too many clients already", "", nothing},
		{"💥 `FATAL: 53 300`", "", nothing},
		{"pg1415", "", nothing},
		{"v13", "", nothing},
	} {
		var j judge
		for _, other := range append(strings.Split(c.column, "|"), c.cell) {
			if qs, _ := scan(clean(other), true); isNumeric(other) {
				for _, q := range qs {
					j.see(q.lit)
				}
			}
		}
		m, v := j.settle(0)
		if v == contradicts {
			t.Errorf("%q beside %q: contradicts", c.cell, c.column)
			continue
		}
		got := float64(nothing)
		if r := readRate(c.cell, m, true); r.why == "" && !r.absent {
			got = r.values[0]
		}
		if got != c.want {
			t.Errorf("%q beside %q: %v, want %v", c.cell, c.column, got, c.want)
		}
	}
}

// TestColumnsDisagree: two ways of writing numbers in one column are an error that names both, and nothing is read.
func TestColumnsDisagree(t *testing.T) {
	c := formattest.Read(Format, "x.tsv", format.Options{}, []byte("clients\ttps\n1\t1,204,500\n8\t8810,25\n64\t9,5\n"))
	if len(c.Runs) != 0 || len(c.Problems) == 0 || c.Problems[0].Severity != format.Error || !strings.Contains(c.Problems[0].Message, "1,204,500") || !strings.Contains(c.Problems[0].Message, "8810,25") {
		t.Errorf("runs %d, problems %v", len(c.Runs), c.Problems)
	}
}

// TestLatencySeries: columns of latencies are a series each where their headings name one, and one series with its statistics where not.
func TestLatencySeries(t *testing.T) {
	for text, want := range map[string]string{
		"clients,old latency (ms),new latency (ms)\n1,0.11,0.12\n8,0.13,0.14\n":                                               "old 0.11, new 0.12, old 0.13, new 0.14",
		"clients,latency_old,latency_new\n1,0.11,0.12\n8,0.13,0.14\n":                                                         "old 0.11, new 0.12, old 0.13, new 0.14",
		"# Average latency (ms)\n\n| clients | 12.3 | 13 |\n|---|---|---|\n| 1 | 0.11 | 0.12 |\n| 8 | 0.13 | 0.14 |\n":        "12.3 0.11, 13 0.12, 12.3 0.13, 13 0.14",
		"clients,avg latency,max latency,p95 latency,latency stddev\n1,0.11,0.31,0.2,0.05\n8,0.13,0.34,0.2,0.05\n":            " 0.11,  0.13",
		"clients,old avg latency,new avg latency,old max latency,new max latency\n1,0.11,0.12,0.2,0.3\n8,0.13,0.14,0.2,0.3\n": "old 0.11, new 0.12, old 0.13, new 0.14",
	} {
		var got []string
		for _, r := range formattest.Read(Format, "x", format.Options{}, []byte(text)).Runs {
			if r.LatencyMs == nil {
				t.Fatalf("%q: a run without a latency", text)
			}
			got = append(got, fmt.Sprintf("%s %g", r.Label, *r.LatencyMs))
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%q: %q, want %q", text, s, want)
		}
	}
}

// TestFractionsOfClients: half a client is none, whatever the table looks like, and that is said with its place.
func TestFractionsOfClients(t *testing.T) {
	for text, want := range map[string]string{
		"clients,tps\n1,100\n2.5,220\n4,350\n8,500\n":                                          "3:1",
		"series,clients,tps\na,1,100\na,2.5,220\na,4,380\n":                                    "3:3",
		"| clients | TPS |\n|---|---|\n| 1 | 100 |\n| 1.5 | 150 |\n| 4 | 300 |\n":              "4:3",
		"clients  1     2.5   4     8\nold      1000  1900  3000  3900\nnew      1  2  3  4\n": "1:16",
	} {
		c := formattest.Read(Format, "x", format.Options{}, []byte(text))
		if len(c.Problems) != 1 || !strings.Contains(c.Problems[0].Message, "is no number of clients") {
			t.Errorf("%q: %v", text, c.Problems)
			continue
		}
		if at := c.Problems[0].At; fmt.Sprintf("%d:%d", at.Line, at.Column) != want {
			t.Errorf("%q: at %d:%d, want %s", text, at.Line, at.Column, want)
		}
	}
}

// TestColumnsAnswer: the roles that a user gives go before every guess.
func TestColumnsAnswer(t *testing.T) {
	for _, c := range []struct{ columns, text, want string }{
		{"clients,tps,tps", "x,flush,noflush\n1,100.5,101.5\n2,200,201\n4,300,301\n", "flush 1 100.5; noflush 1 101.5; flush 2 200; noflush 2 201; flush 4 300; noflush 4 301"},
		{"-,clients,tps", "1,8,100\n2,8,110\n", " 8 100; 8 110"},
		{"series,run,clients,tps,latency us", "a 1 8 100 900\na 2 8 110 950\n", "a 8 100; a 8 110"},
		{"clients,tps decimal", "clients;tps\n1;1,204\n8;8,810\n", " 1 1.204;  8 8.81"},
		{"clients,tps thousands", "clients,tps\n1,3.412\n8,12.020\n", " 1 3412;  8 12020"},
		{"clients,tps thousands", "clients;tps\n1;1,204\n8;8,810\n", " 1 1204;  8 8810"},
	} {
		ctx := formattest.Read(Format, "x", format.Options{Columns: c.columns}, []byte(c.text))
		var got []string
		for _, r := range ctx.Runs {
			got = append(got, fmt.Sprintf("%s %d %v", r.Label, *r.Clients, *r.TPS))
		}
		if g := strings.Join(got, "; "); strings.ReplaceAll(g, " ", "") != strings.ReplaceAll(c.want, " ", "") {
			t.Errorf("%s: %q, want %q (%v)", c.columns, g, c.want, ctx.Problems)
		}
	}
	ctx := formattest.Read(Format, "x", format.Options{Columns: "clients,tps"}, []byte("a,b,c\n1,2,3\n2,3,4\n3,4,5\n"))
	if len(ctx.Problems) == 0 {
		t.Error("roles that do not fit the table: nothing said")
	}
}

// TestLongTable: a table longer than what is looked at first is read to its end, row by row, with the same result for every row.
func TestLongTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("build,clients,tps,latency_ms\n")
	const rows = 3 * bufferLines
	for i := range rows {
		fmt.Fprintf(&b, "v%d,%d,%d.25,%d.5\n", i%3, 1<<(i%9), 1000+i, i%50)
	}
	c := formattest.Read(Format, "long.csv", format.Options{}, []byte(b.String()))
	if len(c.Runs) != rows || len(c.Problems) > 0 {
		t.Fatalf("%d runs, problems %v", len(c.Runs), c.Problems)
	}
	for i, r := range c.Runs {
		if r.Label != fmt.Sprintf("v%d", i%3) || *r.Clients != 1<<(i%9) || *r.TPS != float64(1000+i)+0.25 || *r.LatencyMs != float64(i%50)+0.5 || r.At.Line != i+2 {
			t.Fatalf("row %d: %+v", i, r)
		}
	}
}

// TestLongTableNames: a name that all rows share tells nothing apart and is left out of labels; one that changes after the first
// thousand rows is in the labels of all.
func TestLongTableNames(t *testing.T) {
	var b strings.Builder
	b.WriteString("target,mode,clients,tps\n")
	for i := range 4000 {
		fmt.Fprintf(&b, "t%d,ro,%d,%d\n", i/2000, 1<<(i%9), 1000+i)
	}
	c := formattest.Read(Format, "long.csv", format.Options{}, []byte(b.String()))
	if len(c.Runs) != 4000 || c.Runs[0].Label != "t0" || c.Runs[3999].Label != "t1" {
		t.Errorf("%d runs, %q to %q", len(c.Runs), c.Runs[0].Label, c.Runs[len(c.Runs)-1].Label)
	}
}

func FuzzTable(f *testing.F) {
	names, _ := filepath.Glob("testdata/*.*")
	for _, name := range names {
		if !strings.HasSuffix(name, ".golden") {
			data, _ := os.ReadFile(name)
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { formattest.Fuzz(t, Format, data) })
}

// csvBench is a table of runs as people have them in bulk.
func csvBench() []byte {
	var s strings.Builder
	s.WriteString("target,test_type,clients,tps,latency_avg_ms,latency_stddev_ms,run\n")
	for i := range 200_000 {
		fmt.Fprintf(&s, "build-%d,read-only,%d,%d.%06d,0.%03d,0.%03d,%d\n", i%4, 1<<(i%9), 1000+i, i, i%1000, i%999, i%5+1)
	}
	return []byte(s.String())
}

func BenchmarkCSV(b *testing.B) {
	data := csvBench()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		ctx := &format.Context{File: "bench.csv", Limits: source.Limits{}.Or()}
		r := Format.New(ctx)
		s := source.Splitter{Max: 1 << 20, Line: r.Line}
		for rest := data; len(rest) > 0; rest = rest[min(len(rest), 1<<20):] {
			s.Write(rest[:min(len(rest), 1<<20)])
		}
		s.Close()
		r.Close()
		if len(ctx.Runs) != 200_000 {
			b.Fatal(len(ctx.Runs))
		}
	}
}

// BenchmarkGocsv reads the same into structs with gocsv, to compare.
func BenchmarkGocsv(b *testing.B) {
	data := csvBench()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		var rows []struct {
			Target string  `csv:"target"`
			Type   string  `csv:"test_type"`
			N      int     `csv:"clients"`
			TPS    float64 `csv:"tps"`
			Avg    float64 `csv:"latency_avg_ms"`
			SD     float64 `csv:"latency_stddev_ms"`
			Run    int     `csv:"run"`
		}
		if err := gocsv.UnmarshalBytes(data, &rows); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEncodingCSV only takes the cells apart, to compare.
func BenchmarkEncodingCSV(b *testing.B) {
	data := csvBench()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := csv.NewReader(bytes.NewReader(data)).ReadAll(); err != nil {
			b.Fatal(err)
		}
	}
}
