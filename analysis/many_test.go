package analysis

import (
	"fmt"
	"slices"
	"strings"
	"testing"

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
