package compare

import (
	"slices"
	"strings"
	"testing"

	"pgknee/analysis/bench"
)

var (
	fewN = []int{1, 4, 16, 64}
	few  = []float64{9000, 35000, 120000, 300000}
	less = []float64{6000, 24000, 81000, 205000}
)

// pairOf makes two series with repeats and lets the functions state what each was measured with.
func pairOf(a, b string, fa, fb func(*bench.Run)) []*bench.Curve {
	scaled := func(v []float64, f float64) []float64 {
		out := slices.Clone(v)
		for i := range out {
			out[i] *= f
		}
		return out
	}
	return []*bench.Curve{
		with(series(a, fewN, few, scaled(few, 1.01), scaled(few, .99)), fa),
		with(series(b, fewN, less, scaled(less, 1.01), scaled(less, .99)), fb),
	}
}

// TestComparable: what differs is either the thing compared, something beside it, or spoils the comparison.
func TestComparable(t *testing.T) {
	none := func(*bench.Run) {}
	mode := func(v string) func(*bench.Run) { return func(r *bench.Run) { r.QueryMode = v } }
	scaleOf := func(v int) func(*bench.Run) { return func(r *bench.Run) { r.Scale = &v } }
	lasting := func(v float64) func(*bench.Run) { return func(r *bench.Run) { r.DurationS = &v } }
	threaded := func(v int) func(*bench.Run) { return func(r *bench.Run) { r.Threads = &v } }
	version := func(v string) func(*bench.Run) { return func(r *bench.Run) { r.Version = v } }
	both := func(f ...func(*bench.Run)) func(*bench.Run) {
		return func(r *bench.Run) {
			for _, g := range f {
				g(r)
			}
		}
	}
	set := func(name, v string) func(*bench.Run) { return func(r *bench.Run) { r.Set(name, v) } }
	kindOf := func(v string) func(*bench.Run) { return func(r *bench.Run) { r.TPSKind = v } }
	scripted := func(v string) func(*bench.Run) { return func(r *bench.Run) { r.Script = v } }
	for _, c := range []struct {
		name        string
		a, b        string
		fa, fb      func(*bench.Run)
		spoilt      string // the condition that spoils; "" for comparable
		caveat      string // part of a caveat that must be there
		differences int
	}{
		{"labels that name other work", "big box RO", "big box RW", none, none, workload, "", 1},
		{"scripts of sysbench as labels", "oltp_point_select", "oltp_read_write", none, none, workload, "", 1},
		{"labels that name the same work", "v15, read-only", "v16, readonly", none, none, "", "", 0},
		{"nothing known", "x", "y", none, none, "", "Not stated for either side", 0},
		{"scale", "monday", "tuesday", scaleOf(100), scaleOf(8000), scale, "", 1},
		{"scale, though named after it", "s100", "s8000", scaleOf(100), scaleOf(8000), scale, "", 1},
		{"script", "reads", "writes", scripted("select-only"), scripted("tpcb-like"), script, "", 1},
		{"one script, two spellings", "v9.6", "v15", scripted("<builtin: select only>"), scripted("SELECT only"), "", "", 0},
		{"kind of TPS", "a", "b", kindOf(bench.ExcludingConnections), kindOf(bench.IncludingConnections), kind, "", 1},
		{"kind unknown on one side", "a", "b", kindOf(bench.ExcludingConnections), kindOf(bench.Reported), "", "", 0},
		{"reconnecting", "with -C", "without", kindOf(bench.IncludingReconnections), kindOf(bench.ExcludingConnections), kind, "", 2},
		{"the mode is what is tested", "simple", "prepared", mode("simple"), mode("prepared"), "", "", 1},
		{"the mode, and labels that say nothing", "before", "after", mode("simple"), mode("prepared"), "", "labels don't say", 1},
		{"the mode beside a version", "v15", "v16", both(mode("simple"), version("15.6")), both(mode("prepared"), version("16.2")), queryMode, "", 2},
		{"the mode beside a patch", "master", "patched", mode("simple"), mode("prepared"), queryMode, "", 1},
		{"threads", "v15", "v16", threaded(1), threaded(8), threads, "", 1},
		{"threads are what is tested", "j1", "j8", threaded(1), threaded(8), "", "", 1},
		{"threads, nearly the same", "v15", "v16", threaded(15), threaded(16), "", "", 0},
		{"half the duration", "v15", "v16", lasting(30), lasting(60), "", "duration differs", 1},
		{"a tenth of the duration", "v15", "v16", lasting(6), lasting(60), duration, "", 1},
		{"duration is what is tested", "6s", "60s", lasting(6), lasting(60), "", "", 1},
		{"versions", "v15", "v16", version("15.6"), version("16.2"), "", "", 1},
		{"a setting and a version", "v12", "v13 off", both(version("12.3"), set("track_planning", "on")), both(version("13.0"), set("track_planning", "off")), "", "Several things differ", 2},
	} {
		all := All(pairOf(c.a, c.b, c.fa, c.fb), 0)
		if len(all) != 1 {
			t.Errorf("%s: %d comparisons", c.name, len(all))
			continue
		}
		got := all[0]
		if (got.Verdict == notComparableVerdict) != (c.spoilt != "") || !strings.Contains(got.Why, c.spoilt) {
			t.Errorf("%s: %s: %s", c.name, got.Verdict, got.Why)
		}
		if c.spoilt != "" && (len(got.Points) > 0 || got.Noise != nil) {
			t.Errorf("%s: ratios in spite of what spoils them", c.name)
		}
		if len(got.Differs) != c.differences {
			t.Errorf("%s: differs in %v", c.name, got.Differs)
		}
		if !strings.Contains(strings.Join(got.Caveats, "\n"), c.caveat) {
			t.Errorf("%s: caveats %q", c.name, got.Caveats)
		}
	}
}

// TestOtherWorkApart: series of other work are compared among themselves, the one like the baseline being theirs.
func TestOtherWorkApart(t *testing.T) {
	work := func(v string) func(*bench.Run) { return func(r *bench.Run) { r.Script = v } }
	reads := pairOf("v15 reads", "v16 reads", work("select-only"), work("select-only"))
	writes := pairOf("v16 writes", "v15 writes", work("tpcb-like"), work("tpcb-like"))
	alone := with(series("v15 scans", fewN, few), work("scan.sql"))
	var got []string
	for _, c := range All(append(append(reads, writes...), alone), 0) {
		got = append(got, c.Baseline+" → "+c.Candidate+": "+c.Verdict)
	}
	want := []string{
		"v15 reads → v16 reads: regression", "v15 writes → v16 writes: improvement", "v15 reads → v15 scans: not-comparable",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// TestNoCommonCounts says so.
func TestNoCommonCounts(t *testing.T) {
	c := All([]*bench.Curve{series("a", []int{1, 2}, []float64{1, 2}), series("b", []int{3, 4}, []float64{1, 2})}, 0)[0]
	if c.Verdict != notComparableVerdict || !strings.Contains(c.Why, "no client count in common") {
		t.Error(c.Verdict, c.Why)
	}
}
