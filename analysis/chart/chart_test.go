package chart_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"

	"pgknee/analysis/chart"
	"pgknee/analysis/report"
)

var update = flag.Bool("update", false, "write the goldens anew")

// planning is the report of the 2020 table of pg_stat_statements.track_planning, as far as charts need it.
func planning() *report.Report {
	n := []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 768, 1024, 1280, 1536, 1792, 2048}
	type column struct {
		label   string
		tps     []float64
		law     [5]float64 // gamma, alpha, delta, K, wake of plateau-USL
		bracket []int
	}
	columns := []column{
		{"v12.3", []float64{6764, 14978, 31641, 71989, 129056, 231910, 381778, 534661, 636794, 574447, 493912, 484993, 480571, 475030, 472145, 471385}, [5]float64{9523, .00975, .01005, 503, .445}, []int{128, 512}},
		{"v13Beta1", []float64{6734, 14961, 32012, 68848, 131157, 226718, 371782, 353944, 248825, 213033, 214801, 222492, 223296, 228137, 229027, 228665}, [5]float64{9142, .00749, .0328, 164, .376}, []int{32, 128}},
		{"v13Beta1 (track_planning=off)", []float64{6905, 15316, 36961, 69204, 132773, 253316, 385402, 539231, 643631, 555099, 502014, 490716, 483843, 477153, 474423, 470238}, [5]float64{10118, .01055, .01033, 480, .492}, []int{128, 512}},
	}
	yes := true
	r := &report.Report{
		Schema: report.Schema, Tool: "pgknee test",
		Summary:    &report.Summary{Headline: []report.Span{{Text: "v13Beta1", Series: "v13Beta1"}, {Text: " is slower than v12.3 from 128 clients on: −34 % at 128, −63 % at 512."}}},
		Files:      []report.File{{Name: "track-planning.csv", Runs: 48}},
		Conditions: []report.Condition{{Name: "script", Value: "select-only"}, {Name: "scale", Value: "100"}, {Name: "threads", Value: "16"}},
	}
	for _, c := range columns {
		s := report.Series{Label: c.label, Cores: 96, Explained: &yes}
		best := 0
		for i, x := range c.tps {
			latency := float64(n[i]) / x * 1000
			s.Points = append(s.Points, report.Point{
				Clients: n[i], TPS: x, N: 1, Samples: []float64{x}, LatencyMs: &latency,
				LatencyPercentilesMs: map[string]float64{"50": latency * .8, "95": latency * 2, "99.9": latency * 30},
			})
			if x > c.tps[best] {
				best = i
			}
		}
		s.Peak = &report.Peak{Clients: n[best], TPS: c.tps[best], BracketClients: c.bracket}
		m := report.Model{Name: "plateau-usl"}
		law := func(n float64) float64 {
			g, a, d, k, w := c.law[0], c.law[1], c.law[2], c.law[3], c.law[4]
			return g * n / (1 + a*(n-1) + d*(n-1)/(1+math.Pow(k/n, 3)) + w/n)
		}
		for x := 0.0; x <= 11; x += .2 {
			y := law(math.Exp2(x))
			lo, hi := y*.95, y*1.05
			m.Curve = append(m.Curve, report.FitPoint{Clients: math.Exp2(x), TPS: y, Lo: &lo, Hi: &hi})
		}
		for i, x := range c.tps {
			m.Residuals = append(m.Residuals, report.Residual{Clients: n[i], Log: math.Log(x / law(float64(n[i])))})
		}
		s.Models = []report.Model{m}
		r.Series = append(r.Series, s)
		if c.label != "v12.3" {
			cmp := report.Comparison{Baseline: "v12.3", Candidate: c.label, Band: &report.Band{Lo: .852, Hi: 1.173}}
			for i, x := range c.tps {
				ratio := x / columns[0].tps[i]
				cmp.Points = append(cmp.Points, report.RatioPoint{Clients: n[i], Ratio: ratio, Changed: ratio < .84})
			}
			if c.label == "v13Beta1" {
				cmp.Onset = &report.Onset{After: 64, At: 128}
			}
			r.Comparisons = append(r.Comparisons, cmp)
		}
	}
	return r
}

// TestOptions holds every view against its golden.
func TestOptions(t *testing.T) {
	for _, c := range []struct {
		name, view string
		o          chart.Options
	}{
		{"curves", "curves", chart.Options{Frame: true}},
		{"curves-dark-narrow", "curves", chart.Options{Theme: "dark", Width: 400, Height: 600}},
		{"tps-linear-hidden", "tps", chart.Options{LinearX: true, LogY: true, Hidden: []string{"v12.3"}, Normalise: "one"}},
		{"ratio", "ratio", chart.Options{Frame: true}},
		{"latency", "latency", chart.Options{}},
		{"percentiles", "percentiles", chart.Options{Hidden: []string{"v13Beta1 (track_planning=off)"}}},
		{"percentiles-many", "percentiles", chart.Options{}},
		{"residuals", "residuals", chart.Options{}},
	} {
		option, err := chart.Option(planning(), c.view, c.o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, option, "", " "); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("testdata", c.name+".json")
		if *update {
			if err := os.WriteFile(file, pretty.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		golden, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(golden, pretty.Bytes()) {
			t.Errorf("%s differs from %s; look at it and run with -update", c.name, file)
		}
	}
}

// TestTextStaysText makes sure that no label can name a function or become a formatter.
func TestTextStaysText(t *testing.T) {
	r := planning()
	const hostile = "@points<img src=x onerror=alert(1)>{a}"
	r.Series[1].Label, r.Comparisons[0].Candidate, r.Comparisons[0].Baseline = hostile, hostile, hostile
	for _, view := range []string{"curves", "latency", "percentiles", "residuals"} {
		option, err := chart.Option(r, view, chart.Options{Frame: true})
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(option, &v); err != nil {
			t.Fatal(err)
		}
		var walk func(any)
		walk = func(v any) {
			switch v := v.(type) {
			case map[string]any:
				for k, x := range v {
					if s, ok := x.(string); ok && k == "formatter" && bytes.Contains([]byte(s), []byte("img")) {
						t.Errorf("%s: the label of a series became a formatter: %q", view, s)
					}
					walk(x)
				}
			case []any:
				for _, x := range v {
					walk(x)
				}
			}
		}
		walk(v)
	}
}

// TestNothingToDraw makes sure that an empty report is an answer, not a crash.
func TestNothingToDraw(t *testing.T) {
	for _, view := range chart.Views() {
		if _, err := chart.Option(&report.Report{}, view, chart.Options{}); err == nil {
			t.Errorf("%s of nothing gives a chart", view)
		}
	}
}
