package chart

import (
	"testing"

	"pgknee/analysis/report"
)

// TestBaseline: pairs with baselines of their own are not all drawn as if held against the first.
func TestBaseline(t *testing.T) {
	pair := func(a, b string) report.Comparison {
		return report.Comparison{Baseline: a, Candidate: b, Points: []report.RatioPoint{{Clients: 1, Ratio: 1}}}
	}
	for want, list := range map[string][]report.Comparison{
		"a":                {pair("a", "b"), pair("a", "c"), {Baseline: "b", Candidate: "c"}},
		"its own baseline": {pair("a RO", "b RO"), pair("a RW", "b RW")},
	} {
		if got := baseline(&report.Report{Comparisons: list}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
