package advise_test

import (
	"testing"

	"pgknee/analysis/advise"
	"pgknee/analysis/report"
	"pgknee/data"
)

func load(t testing.TB) []*advise.Rule {
	t.Helper()
	rules, err := advise.Load(data.Rules, "rules")
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// TestNearly holds what rules that nearly fired lack, in words.
func TestNearly(t *testing.T) {
	rules := load(t)
	for _, c := range []struct {
		rule   string
		change func(*fixture)
		want   string
	}{
		{"shared-buffers", func(f *fixture) { f.attribution, f.worse.locks = "uniform", "" }, "curves that show a lower plateau, or an earlier peak and a lower floor, or a change that no term of the model explains; a profile or wait events of the slower side with time under BufferAlloc, BufTableLookup or BufTableInsert or sessions that wait for IO:DataFileRead or LWLock:BufferMapping"},
		{"subtransactions", func(f *fixture) { f.worst, f.worse.script = .9, "" }, "curves that show less than 70 % of the throughput at the worst count; labels of the series that speak of it, a text that speaks of savepoints or a script that does it"},
		{"pgss-track-planning", func(f *fixture) { f.attribution, f.worse.settings = "contention", "" }, "curves that show an earlier peak and a lower floor; values of pg_stat_statements.track_planning that differ between the sides"},
	} {
		f := fires[c.rule]
		c.change(&f)
		r := f.report()
		advise.Advise(r, rules, nil)
		got := ""
		for _, n := range r.NearlyFired {
			if n.Rule == c.rule {
				got = n.Missing
			}
		}
		if got != c.want {
			t.Errorf("%s lacks %q, want %q", c.rule, got, c.want)
		}
	}
}

// TestMixedProfiles: shares of what functions call are never held against a profile that has only the shares of functions themselves.
func TestMixedProfiles(t *testing.T) {
	rules := load(t)
	graph := []report.Function{{Function: "pg_plan_queries", Self: new(.01), Total: .14}, {Function: "ExecScan", Self: new(.1), Total: .2}}
	flat := []report.Function{{Function: "pg_plan_queries", Self: new(.01), Total: .01, Unknown: "total"}, {Function: "ExecScan", Self: new(.1), Total: .1, Unknown: "total"}}
	for name, c := range map[string]struct {
		from, to []report.Function
		fires    bool
	}{
		"flat to graph":  {flat, graph, false},
		"graph to graph": {[]report.Function{{Function: "pg_plan_queries", Self: new(.01), Total: .01}}, graph, true},
	} {
		r := &report.Report{Profiles: []report.Profile{{Label: "a", Total: 1, Top: c.from}, {Label: "b", Total: 1, Top: c.to}}, ProfileComparisons: []report.ProfileComparison{{Baseline: "a", Candidate: "b"}}}
		advise.Advise(r, rules, nil)
		got := false
		for _, rec := range r.Recommendations {
			got = got || rec.Rule == "prepared-statements"
		}
		if got != c.fires {
			t.Errorf("%s: prepared-statements fires %v, want %v", name, got, c.fires)
		}
	}
}
