package compare

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgknee/analysis/bench"
)

// running makes a run whose intervals of a second have the throughputs that the function gives, with 3 % noise.
func running(n int, tps func(i int) float64) *bench.Run {
	random := rand.New(rand.NewPCG(7, 7))
	r := &bench.Run{}
	for i := range n {
		r.Intervals = append(r.Intervals, bench.Interval{EndS: float64(i + 1), TPS: tps(i) * math.Exp(.03*random.NormFloat64())})
	}
	return r
}

func TestCourse(t *testing.T) {
	for _, c := range []struct {
		name string
		run  *bench.Run
		flag string
		text string
	}{
		{"steady", running(60, func(int) float64 { return 5000 }), "", ""},
		{"too short to tell", running(6, func(i int) float64 { return 5000 / float64(1+i) }), "", ""},
		{"warm-up", running(60, func(i int) float64 { return 5000 * (1 - math.Exp(-float64(i+1)/4)) }), bench.FlagWarmingUp, "the first "},
		{"drift", running(60, func(i int) float64 { return 5000 - 20*float64(i) }), bench.FlagDrift, "−2"},
		{"stalls", running(60, func(i int) float64 {
			if i == 20 || i == 41 {
				return 100
			}
			return 5000
		}), bench.FlagStalls, "2 intervals of 60"},
		{"checkpoints", running(120, func(i int) float64 {
			if i%40 < 15 {
				return 2500
			}
			return 7000
		}), bench.FlagSawTooth, "every 40 s"},
		{"no transactions", running(60, func(int) float64 { return 0 }), "", ""},
	} {
		notes, flags := Course(c.run)
		if c.flag == "" && len(notes)+len(flags) > 0 || c.flag != "" && !slices.Equal(flags, []string{c.flag}) {
			t.Errorf("%s: %q %q", c.name, flags, notes)
		}
		if !strings.Contains(strings.Join(notes, "\n"), c.text) {
			t.Errorf("%s: %q", c.name, notes)
		}
	}
}

// TestCourseRarelySpeaksOfNoise: in runs that are only noisy nothing is found in 95 of 100.
func TestCourseRarelySpeaksOfNoise(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for _, noise := range []float64{.01, .05, .2} {
		found := 0
		for range 400 {
			r := &bench.Run{}
			for i := range 60 {
				r.Intervals = append(r.Intervals, bench.Interval{EndS: float64(5 * i), TPS: 5000 * math.Exp(noise*random.NormFloat64())})
			}
			if _, flags := Course(r); len(flags) > 0 {
				found++
			}
		}
		if found > 20 {
			t.Errorf("%.0f %% noise: something is found in %d of 400", 100*noise, found)
		}
	}
}

func TestLittlesLaw(t *testing.T) {
	run := func(clients int, tps, latency float64, more func(*bench.Run)) *bench.Run {
		r := &bench.Run{Clients: &clients, TPS: &tps, LatencyMs: &latency}
		if more != nil {
			more(r)
		}
		return r
	}
	counted := func(n int64, s float64) func(*bench.Run) {
		return func(r *bench.Run) { r.Transactions, r.DurationS, r.LatencyStddevMs = &n, &s, new(1.0) }
	}
	for _, c := range []struct {
		name string
		run  *bench.Run
		text string // "" for agreement
	}{
		{"agrees", run(8, 4000, 2, nil), ""},
		{"agrees to the digit printed", run(1, 13000, .1, func(r *bench.Run) { r.LatencyResolutionMs = .1 }), ""},
		{"derived", run(8, 4000, 2.5, func(r *bench.Run) { r.LatencyDerived = true }), ""},
		{"throttled", run(8, 1000, 2, func(r *bench.Run) { r.RateLimitTPS = new(1000.0) }), ""},
		{"the throughput is wrong", run(8, 8000, 2, counted(240000, 60)), "the throughput is the suspect number"},
		{"the latency is wrong", run(8, 4000, 4, counted(240000, 60)), "the latency (or the number of clients) is the suspect number"},
		{"pgbench is the limit", run(64, 4000, 2, counted(240000, 60)), "pgbench itself"},
		{"too much at work", run(8, 8000, 2, nil), "16 clients at work, not 8"},
		{"too little at work", run(64, 4000, 2, nil), "8 clients at work, not 64"},
	} {
		if got := littlesLaw(c.run); (got == "") != (c.text == "") || !strings.Contains(got, c.text) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
	derived := run(8, 4000, 2, counted(240000, 60))
	derived.LatencyStddevMs = nil
	if !LatencyDerived(derived) || LatencyDerived(run(8, 4000, 2, counted(240000, 60))) {
		t.Error("a latency without a deviation of its own that is clients × time / transactions is derived")
	}
}
