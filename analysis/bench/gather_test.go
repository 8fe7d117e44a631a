package bench

import (
	"testing"

	"pgknee/analysis/source"
)

// TestGatherByName puts logs of intervals, which count a little less than their runs and so can be of several, beside the output that has
// their name; where no name tells, they stay runs of their own.
func TestGatherByName(t *testing.T) {
	output := func(file string, transactions int64) *Run {
		r := &Run{At: source.Position{File: file}}
		set(&r.Transactions, transactions)
		set(&r.DurationS, 3.)
		set(&r.TPS, float64(transactions)/3)
		return r
	}
	log := func(prefix string, transactions int64) *Run {
		r := output(prefix+".4711", transactions)
		r.TPS, r.Log = nil, &Log{Run: prefix + ".4711", Files: 1, Aggregate: true, Interval: 1}
		return r
	}
	runs, parts := Gather([]*Run{log("d/c1", 4383), output("d/c1.out", 4662), log("d/c4", 3215), output("d/c4.out", 3386)})
	if len(runs) != 2 || len(parts) != 2 || *runs[0].Transactions != 4662 || *runs[1].Transactions != 3386 {
		t.Errorf("%d runs, %d parts", len(runs), len(parts))
	}
	runs, _ = Gather([]*Run{log("d/pgbench_log", 3215), output("d/c1.out", 4662), output("d/c4.out", 3386)})
	if len(runs) != 3 {
		t.Errorf("%d runs of a log that can be of two", len(runs))
	}
}
