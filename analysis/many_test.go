package analysis

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgknee/analysis/report"
)

// manySeries is a table of so many series with 6 counts each.
func manySeries(series int) string {
	var b strings.Builder
	b.WriteString("series,clients,tps\n")
	for i := range series {
		for k := range 6 {
			n := float64(int(1) << k)
			fmt.Fprintf(&b, "b%d,%d,%.1f\n", i*7919%10007, 1<<k, 1000*n/(1+.02*(n-1)+.0003*n*(n-1))*(1+.01*float64((i*7+k*3)%5)))
		}
	}
	return b.String()
}

func reportOn(table string) *report.Report {
	s := session()
	s.Formats = New(Options{}).Formats
	read(s, "many.csv", table, 1<<16)
	return s.Report()
}

// TestManySeries: up to 24 series are described and compared in full; beyond, the report says what was left out.
func TestManySeries(t *testing.T) {
	laws := func(s report.Series) (names []string, band bool) {
		for _, m := range s.Models {
			names = append(names, m.Name)
			band = band || len(m.Curve) > 0 && m.Curve[0].Lo != nil
		}
		slices.Sort(names)
		return names, band
	}
	for _, c := range []struct {
		series, comparisons int
		models, band        bool
		notes               []string
	}{
		{series: 24, comparisons: 23, models: true, band: true},
		{series: 25, comparisons: 24, models: true, notes: []string{"25 series: of the laws only "}},
		{series: 450, comparisons: 200, notes: []string{"450 series: no law", "only the 200 with the most points were compared with the baseline b0, the rest (249)", "the first 200 series without"}},
	} {
		r := reportOn(manySeries(c.series))
		if len(r.Series) != c.series || len(r.Comparisons) != c.comparisons {
			t.Fatalf("%d series, %d comparisons; want %d, %d", len(r.Series), len(r.Comparisons), c.series, c.comparisons)
		}
		for _, s := range r.Series {
			names, band := laws(s)
			if len(names) > 0 != c.models || band != c.band || s.Peak == nil {
				t.Fatalf("of %d series, %s: laws %v, band %v, peak %v", c.series, s.Label, names, band, s.Peak)
			}
		}
		if len(r.Notes) != len(c.notes) {
			t.Errorf("%d series: notes %q", c.series, r.Notes)
			continue
		}
		for i, want := range c.notes {
			if !strings.Contains(r.Notes[i], want) {
				t.Errorf("%d series: note %q lacks %q", c.series, r.Notes[i], want)
			}
		}
	}
}

// BenchmarkManySeries reports on 2,000 series of 6 counts, to stay under 5 s.
func BenchmarkManySeries(b *testing.B) {
	table := manySeries(2000)
	for b.Loop() {
		reportOn(table)
	}
}

// TestManyCounts: a curve of thousands of client counts is drawn whole; laws are fitted to some of its counts, and the report says so.
func TestManyCounts(t *testing.T) {
	var b strings.Builder
	b.WriteString("clients,tps\n")
	for n := 1; n <= 3000; n++ {
		fmt.Fprintf(&b, "%d,%.1f\n", n, 1000*float64(n)/(1+.02*float64(n-1)))
	}
	r := reportOn(b.String())
	if len(r.Series) != 1 || len(r.Series[0].Points) != 3000 || len(r.Series[0].Models) == 0 {
		t.Fatalf("%d series", len(r.Series))
	}
	if want := "laws were fitted to 400 of its 3000 client counts"; !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, want) }) {
		t.Errorf("notes %q, want %q among them", r.Notes, want)
	}
}

// BenchmarkEveryLineMayBegin shows that texts in which a table could begin at every line and never does are looked at once, not from
// every line to the end: it reports how much more a byte of 20,000 lines costs than one of 4,000, for the line where that is most. A look
// from every line to the end gives 5.
func BenchmarkEveryLineMayBegin(b *testing.B) {
	cost := func(line string, lines int) float64 {
		var text strings.Builder
		for i := range lines {
			fmt.Fprintf(&text, line, i)
		}
		begun := time.Now()
		reportOn(text.String())
		return float64(time.Since(begun)) / float64(text.Len())
	}
	worst := 0.0
	for b.Loop() {
		for _, line := range []string{
			"postgres %d [000] 100.0: 1 cycles:\n",
			"a=%d b=2 c=3 d=4 e=5\n",
			"n%d : value\n",
			"%d ms\n",
			"- name: x\n  v: %d\n",
		} {
			worst = max(worst, cost(line, 20_000)/max(cost(line, 4_000), cost(line, 4_000)))
		}
	}
	b.ReportMetric(worst, "times/byte")
}
