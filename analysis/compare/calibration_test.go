package compare

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgknee/analysis/bench"
)

// calibrate is the number of simulated pairs per row; go test ./analysis/compare -run Calibration -calibrate 2000 -v prints the table.
var calibrate = flag.Int("calibrate", 0, "simulated pairs per row of the calibration table")

// simulated sweeps: the plateau USL as fitted to v12.3 of the reference mail.
var (
	simulatedN = []int{1, 2, 4, 8, 16, 32, 64, 96, 128, 192, 256, 384, 512}
	doublings  = []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512}
)

func truth(n float64) float64 {
	k := 503.0
	s := 1 / (1 + math.Exp(3*(math.Log(k)-math.Log(n))))
	return 9523 * n / (1 + .00975*(n-1) + .01005*(n-1)*s + .445/n)
}

// sweep simulates one series: every run has its own log-normal noise.
// A negative noise stands for one that is a third as large under 192 clients.
func sweep(random *rand.Rand, label string, counts []int, repeats int, noise float64, change func(n int) float64) *bench.Curve {
	var rows [][]float64
	for range repeats {
		var row []float64
		for _, n := range counts {
			sigma := math.Abs(noise)
			if noise < 0 && n < 192 {
				sigma /= 3
			}
			row = append(row, truth(float64(n))*change(n)*math.Exp(sigma*random.NormFloat64()))
		}
		rows = append(rows, row)
	}
	return series(label, counts, rows...)
}

// claims counts the verdicts of simulated pairs.
type claims struct {
	change, equal, bracket, flagged, total int
}

func simulate(seed uint64, pairs int, counts []int, repeats int, noise float64, change func(n int) float64, control bool) claims {
	random := rand.New(rand.NewPCG(seed, 1))
	same := func(int) float64 { return 1 }
	var c claims
	for range pairs {
		curves := []*bench.Curve{sweep(random, "a", counts, repeats, noise, same), sweep(random, "b", counts, repeats, noise, change)}
		if control {
			curves = append(curves, sweep(random, "c", counts, repeats, noise, same))
		}
		r := All(curves, 0)[0]
		c.total++
		switch r.Verdict {
		case regression, improvement, mixed:
			c.change++
		case noDifference:
			c.equal++
		}
		if r.Onset != nil && r.Onset.After == 32 && r.Onset.At == 64 {
			c.bracket++
		}
		for _, p := range r.Points {
			if p.Changed {
				c.flagged++
				break
			}
		}
	}
	return c
}

func (c claims) share(n int) float64 { return float64(n) / float64(c.total) }

// TestCalibration measures what the verdicts are worth, and holds them to what is promised: a change is claimed in at most 5 % of equal pairs,
// a loss of 10 % from 64 clients on with three repeats and 3 % noise is found in 90 % with the right bracket in 80 %, and a
// uniform loss of 8 % is called no difference in at most 5 %.
func TestCalibration(t *testing.T) {
	if *calibrate == 0 {
		t.Skip("a simulation of minutes: -calibrate 2000")
	}
	// Twice the standard error of a share of 5 % is allowed for chance.
	slack := 2 * math.Sqrt(0.05*0.95/float64(*calibrate))
	fmt.Printf("%-34s %6s %7s %6s %9s %9s %8s %8s\n", "truth", "counts", "repeats", "noise", "claimed", "equal", "bracket", "flagged")
	counts := simulatedN
	row := func(name string, repeats int, noise float64, change func(int) float64, control bool) claims {
		c := simulate(uint64(repeats*1000)+uint64(math.Abs(noise)*1000), *calibrate, counts, repeats, noise, change, control)
		fmt.Printf("%-34s %6d %7d %5.0f%% %8.1f%% %8.1f%% %7.1f%% %7.1f%%\n", name, len(counts), repeats, 100*math.Abs(noise),
			100*c.share(c.change), 100*c.share(c.equal), 100*c.share(c.bracket), 100*c.share(c.flagged))
		return c
	}
	same := func(int) float64 { return 1 }
	for _, repeats := range []int{1, 3} {
		for _, noise := range []float64{.02, .05, .10} {
			if c := row("equal", repeats, noise, same, false); c.share(c.change) > 0.05+slack {
				t.Errorf("a change is claimed in %.1f %% of equal pairs", 100*c.share(c.change))
			}
		}
	}
	for _, counts = range [][]int{simulatedN, doublings} {
		for _, repeats := range []int{1, 3} {
			for _, noise := range []float64{-.05, -.10} {
				if c := row("equal, noise at the top only", repeats, noise, same, false); c.share(c.change) > 0.05+slack {
					t.Errorf("a change is claimed in %.1f %% of equal pairs", 100*c.share(c.change))
				}
			}
		}
	}
	counts = simulatedN
	for _, noise := range []float64{.02, .05, .10} {
		if c := row("equal, with a control series", 1, noise, same, true); c.share(c.change) > 0.05+slack {
			t.Errorf("a change is claimed in %.1f %% of equal pairs", 100*c.share(c.change))
		}
	}
	from64 := func(n int) float64 {
		if n >= 64 {
			return 0.9
		}
		return 1
	}
	for _, repeats := range []int{1, 3, 5} {
		c := row("-10 % from 64 on", repeats, .03, from64, false)
		if repeats == 3 && (c.share(c.change) < 0.90 || c.share(c.bracket) < 0.80) {
			t.Errorf("found in %.1f %%, bracketed in %.1f %%", 100*c.share(c.change), 100*c.share(c.bracket))
		}
	}
	from128 := func(n int) float64 {
		if n >= 128 {
			return 0.8
		}
		return 1
	}
	counts = doublings
	if c := row("-20 % from 128 on", 1, .03, from128, false); c.share(c.change) < 0.90 {
		t.Errorf("found in %.1f %%", 100*c.share(c.change))
	}
	counts = simulatedN
	uniform := func(int) float64 { return 0.92 }
	for _, repeats := range []int{1, 3} {
		for _, noise := range []float64{.02, .05, .10} {
			if c := row("-8 % everywhere", repeats, noise, uniform, false); c.share(c.equal) > 0.05+slack {
				t.Errorf("a loss of 8 %% is called no difference in %.1f %%", 100*c.share(c.equal))
			}
		}
	}
}
