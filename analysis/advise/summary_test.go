package advise_test

import (
	"fmt"
	"strings"
	"testing"

	"pgknee/analysis/advise"
	"pgknee/analysis/report"
)

// sentences are the headline and the details of a summary, a line each.
func sentences(r *report.Report) string {
	advise.Summarize(r)
	var b strings.Builder
	for _, spans := range append([][]report.Span{r.Summary.Headline}, r.Summary.Details...) {
		for _, s := range spans {
			b.WriteString(s.Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestLatencies: runs that state latencies only are told as they are, with no law and no throughput made of them.
func TestLatencies(t *testing.T) {
	type list struct {
		series, mode string
		ms           []float64 // at 1, 2, 4, … clients
	}
	rising := []float64{.1, .11, .12, .15, .31, .8}
	for name, c := range map[string]struct {
		lists []list
		want  []string
		never []string
	}{
		"one series": {
			[]list{{"", "", rising}},
			[]string{"Latency rises from 0.1 ms at 1 client to 0.8 ms at 32; more than twice the first from 16 clients on.", "It more than doubles from 8 to 16 clients (0.15 ms → 0.31 ms), from 16 to 32 clients (0.31 ms → 0.8 ms).", "No throughput is stated"},
			[]string{"TPS", "without a throughput"},
		},
		"a hump":     {[]list{{"", "", []float64{1, 5, 1.2}}}, []string{"and is highest at 2: 5 ms; more than twice the first at 2 clients."}, nil},
		"falling":    {[]list{{"", "", []float64{5, 3, 2}}}, []string{"Latency falls from 5 ms at 1 client to 2 ms at 4."}, []string{"highest", "twice"}},
		"higher":     {[]list{{"a", "", rising}, {"b", "", []float64{.1, .11, .13, .19}}}, []string{"The latency of b is at most 27 % higher than that of a, at 8 clients.", "measured once"}, nil},
		"lower":      {[]list{{"a", "", []float64{1, 2.04}}, {"b", "", []float64{1, 1.02}}}, []string{"The latency of b is up to 50 % lower than that of a, at 2 clients."}, nil},
		"both":       {[]list{{"a", "", []float64{1, 2}}, {"b", "", []float64{12.5, 1}}}, []string{"The latency of b is at most 12.5 times as high as that of a, at 1 client, and up to 50 % lower, at 2 clients."}, nil},
		"one count":  {[]list{{"a", "", []float64{.10}}, {"b", "", []float64{.13}}}, []string{"The latency of b is 30 % higher than that of a at 1 client."}, []string{"at most", "rises"}},
		"rounding":   {[]list{{"a", "", []float64{.031, .035}}, {"b", "", []float64{.032, .035}}}, []string{"No difference in latency between a and b beyond rounding, at 1 to 2 clients."}, []string{"measured once"}},
		"not loaded": {[]list{{"top", "", []float64{1.4, 3}}, {"not loaded", "", []float64{1.4, 2}}}, []string{"The latency of top is at most 50 % higher than that of not loaded, at 2 clients."}, nil},
		"protocols":  {[]list{{"", "simple", []float64{1.2, 3}}, {"", "prepared", []float64{1.2, 2}}}, []string{"The latency of the prepared protocol is up to 33 % lower than that of the simple protocol, at 2 clients."}, nil},
		"ten": {
			[]list{{"a", "", []float64{1}}, {"b", "", []float64{2}}, {"c", "", []float64{3}}, {"d", "", []float64{4}}, {"e", "", []float64{1.5}}, {"f", "", []float64{1.5}}},
			[]string{"The latency of d is 300 % higher", "2 more depart less."},
			[]string{"of e is"},
		},
	} {
		r := &report.Report{}
		for _, l := range c.lists {
			for i, ms := range l.ms {
				r.Runs = append(r.Runs, report.Run{Series: l.series, QueryMode: l.mode, Clients: new(1 << i), LatencyMs: new(ms)})
			}
		}
		got := sentences(r)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", name, want, got)
			}
		}
		for _, never := range c.never {
			if strings.Contains(got, never) {
				t.Errorf("%s: %q in\n%s", name, never, got)
			}
		}
	}
}

// TestManyComparisons: of many comparisons the largest are named and the rest is counted.
func TestManyComparisons(t *testing.T) {
	r := &report.Report{}
	for i := range 30 {
		ratio, verdict := 1.0, "no-difference"
		if i >= 20 {
			ratio, verdict = 1-.02*float64(i), "regression"
		}
		r.Comparisons = append(r.Comparisons, report.Comparison{
			Baseline: "base", Candidate: fmt.Sprintf("s%d", i), Verdict: verdict, Why: fmt.Sprintf("s%d is what it is.", i),
			Points: []report.RatioPoint{{Clients: 8, Ratio: ratio, Changed: ratio < 1}}, Worst: &report.Worst{Clients: 8, Ratio: ratio},
		})
	}
	got := sentences(r)
	want := "s29 is slower than base at 8 clients: −58 % at 8.\ns28 is slower than base at 8 clients: −56 % at 8.\ns27 is slower than base at 8 clients: −54 % at 8.\n7 more are slower, 20 show no difference; see the comparisons.\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestManyCurves: of many curves that nothing compares three are told and the rest is counted.
func TestManyCurves(t *testing.T) {
	r := &report.Report{}
	for i := range 12 {
		last := 100.0
		if i%2 == 1 {
			last = 10
		}
		s := report.Series{Label: fmt.Sprintf("s%d", i), Unit: "qps", Points: []report.Point{{Clients: 1, TPS: 50}, {Clients: 8, TPS: last}}}
		s.Peak = &report.Peak{Clients: 8, TPS: last}
		if last < 50 {
			s.Peak = &report.Peak{Clients: 1, TPS: 50}
		}
		r.Series = append(r.Series, s)
	}
	got := sentences(r)
	want := "s0: throughput still rises at 8 clients, the largest count measured: 100 qps.\ns1: throughput is highest at 1 client (50 qps) and falls to 20 % of that at 8.\ns2: throughput still rises at 8 clients, the largest count measured: 100 qps.\n4 more still rise, 5 fall past their peaks; see the curves.\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestNamedFunction: what has no symbol is not what a profile is told by.
func TestNamedFunction(t *testing.T) {
	got := sentences(&report.Report{Profiles: []report.Profile{{Label: "p", Top: []report.Function{{Function: "[postgres]", Self: new(.3), Total: .3}, {Function: "hash_search", Self: new(.1), Total: .1}}}}})
	if want := "Of the functions with a name hash_search takes the largest share of the samples itself: 10 %.\n30 % of the samples are in [postgres], which has no symbols.\n"; got != want {
		t.Errorf("got %q, want %q first", got, want)
	}
}

// TestOneRun names the unit that the run states.
func TestOneRun(t *testing.T) {
	got := sentences(&report.Report{Runs: []report.Run{{Clients: new(8), TPS: new(3355.2), Unit: "NOPM/60"}}})
	if want := "One run: 3355 NOPM/60 at 8 clients.\n"; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q first", got, want)
	}
}

// TestElsewhere: what moved in other programs is told only where nothing moved in postgres, and as that.
func TestElsewhere(t *testing.T) {
	other := report.Change{Function: "compress", SelfFrom: .1, SelfTo: .3, Elsewhere: true}
	for want, changes := range map[string][]report.Change{
		"From a to b time moved: s_lock 1.0 % → 5.0 %, compress 10.0 % → 30.0 % of the samples.\n":                                                 {other, {Function: "s_lock", SelfFrom: .01, SelfTo: .05}},
		"From a to b no function of postgres moved beyond the noise of sampling; elsewhere time moved: compress 10.0 % → 30.0 % of the samples.\n": {other},
	} {
		r := &report.Report{Profiles: []report.Profile{{Label: "a"}, {Label: "b"}}, ProfileComparisons: []report.ProfileComparison{{Baseline: "a", Candidate: "b", Changes: changes}}}
		if got := sentences(r); !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %q first", got, want)
		}
	}
}
