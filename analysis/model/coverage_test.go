package model

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgknee/analysis/stat"
)

// coverage is the number of simulated sweeps for TestCoverage: build.sh bench asks for 2,000.
var coverage = flag.Int("coverage", 0, "simulate so many sweeps per law, noise and repeats, and print how often the 95 % intervals hold the truth")

// counts at which the curves of simulated sweeps are measured: those of the reference mail, but for laws that are for less.
var sweepCounts = map[*Law][]float64{
	&Linear: {1, 2, 4, 8, 16, 32, 64},
	&Amdahl: {1, 2, 4, 8, 16, 32, 64, 128, 256},
	&USL:    {1, 2, 4, 8, 16, 32, 64, 96, 128, 192, 256},
}

// TestCoverage simulates sweeps and counts how often the intervals of the law that made them hold the truth. The intervals are
// conditional on the law, so the law is given. Without -coverage a few sweeps check that the machinery is sane.
//
// They must hold it in 93 to 97 %. A row in which a twentieth of the intervals of a parameter, a peak or a floor are open or end at a bound is a
// bound case, marked *: the law keeps its parameters inside their bounds, an interval that ends at one can't miss on that side, and a
// parameter at its bound leaves the others less room than χ² has. Such intervals hold the truth in 95 % or more, so there is no upper limit.
func TestCoverage(t *testing.T) {
	sweeps, full := *coverage, *coverage > 0
	if !full {
		sweeps = 60
		if testing.Short() {
			sweeps = 20
		}
	}
	if full {
		fmt.Printf("coverage of 95 %% intervals, %d sweeps each; aim 93 to 97 %%; in bound cases (*: a twentieth of one kind, (n %%), open or at a bound) 93 %% and more\n", sweeps)
	}
	for _, law := range Laws {
		if law.MechanismFree || !full && law.MaxClients > 0 && testing.Short() {
			continue
		}
		t.Run(law.Name, func(t *testing.T) {
			t.Parallel()
			table := ""
			for _, noise := range []float64{0.02, 0.05, 0.10} {
				for _, repeats := range []int{1, 3} {
					n := sweepCounts[law]
					if n == nil {
						n = seedN
					}
					tally := simulate(law, typical[law.Name], n, noise, repeats, sweeps, full)
					bound, mark := false, " "
					for _, c := range tally {
						bound = bound || 20*c.loose >= c.given && c.given > 0
					}
					if bound {
						mark = "*"
					}
					row := fmt.Sprintf("%-19s %3.0f %% noise, %d per count:%s", law.Name, 100*noise, repeats, mark)
					for _, what := range order(law) {
						c := tally[what]
						if c.given == 0 {
							continue
						}
						share, loose := float64(c.held)/float64(c.given), float64(c.loose)/float64(c.given)
						row += fmt.Sprintf("  %s %.1f", what, 100*share)
						if loose >= 0.005 {
							row += fmt.Sprintf(" (%.0f %%)", 100*loose)
						}
						// Three standard errors of the simulation around the aim. The places of a band hold or miss together.
						slack := 3 * math.Sqrt(0.05*0.95/float64(min(c.given, sweeps)))
						if share < 0.93-slack || full && !bound && share > 0.97+slack {
							t.Errorf("%s, noise %g, %d repeats: the interval of %s holds the truth in %.1f %%", law.Name, noise, repeats, what, 100*share)
						}
					}
					table += row + "\n"
				}
			}
			if full {
				fmt.Print(table)
			}
		})
	}
}

// order lists what has an interval.
func order(l *Law) (names []string) {
	for _, p := range l.Parameters {
		if p.Fixed == nil {
			names = append(names, p.Name)
		}
	}
	return append(names, "peak", "floor", "band")
}

// tally counts intervals: given, those that hold the truth, and those with an open end or one at a bound.
type tally struct{ given, held, loose int }

func simulate(l *Law, p, n []float64, noise float64, repeats, sweeps int, band bool) map[string]*tally {
	out := map[string]*tally{}
	for _, what := range order(l) {
		out[what] = &tally{}
	}
	count := func(what string, in Interval, truth float64, loose bool) {
		c := out[what]
		c.given++
		if in.Lo <= truth && truth <= in.Hi {
			c.held++
		}
		if loose {
			c.loose++
		}
	}
	random := stat.Rand(uint64(repeats) + math.Float64bits(noise))
	exact := &Fit{Law: l, P: p, Data: fromPoints(n, n)}
	peak, peaks := exact.PeakClients()
	floor, floors := exact.FloorTPS()
	for range sweeps {
		f := l.Fit(simulated(random, l, p, n, noise, repeats), Options{})
		in := f.Intervals()
		f.Derived(&in)
		for i, q := range l.Parameters {
			if v := in.Parameters[i]; q.Fixed == nil {
				count(q.Name, v, p[i], v.Lo <= q.Lower || v.Hi >= q.Upper)
			}
		}
		if peaks && in.Peak.Lo > 0 {
			count("peak", in.Peak, peak, in.Peak.Lo <= n[0] || in.Peak.Hi >= reach*n[len(n)-1])
		}
		if floors && in.Floor.Lo > 0 {
			count("floor", in.Floor, floor, math.IsInf(in.Floor.Hi, 1))
		}
		if band {
			some := []float64{n[0], n[len(n)/2], n[len(n)-2]}
			for i, b := range f.Band(some) {
				count("band", b, l.Eval(some[i], p), false)
			}
		}
	}
	return out
}

// TestJointCoverage counts the same of the changes that joint fits give: of pairs that differ by what the joint fit lets move.
func TestJointCoverage(t *testing.T) {
	sweeps := max(*coverage, 20)
	law, base := &PlateauUSL, typical[PlateauUSL.Name]
	for _, shape := range law.Shapes() {
		moved := map[string]map[string]float64{"uniform": {"gamma": 0.92}, "contention": {"alpha": 1.5}, "collapse": {"delta": 2, "K": 0.6}}[shape.Name]
		if moved == nil {
			continue
		}
		other := slices.Clone(base)
		for name, ratio := range moved {
			other[law.index(name)] *= ratio
		}
		for _, noise := range []float64{0.02, 0.05} {
			for _, repeats := range []int{1, 3} {
				random := stat.Rand(uint64(repeats) + math.Float64bits(noise))
				held, given := map[string]int{}, map[string]int{}
				for range sweeps {
					data := []*Data{simulated(random, law, base, seedN, noise, repeats), simulated(random, law, other, seedN, noise, repeats)}
					for _, c := range law.joint(data, []int{0, 1}, shape, law.separate(data)).Changes() {
						given[c.Name]++
						if c.In.Lo <= moved[c.Name] && moved[c.Name] <= c.In.Hi {
							held[c.Name]++
						}
					}
				}
				for _, name := range shape.Own {
					share := float64(held[name]) / float64(given[name])
					if *coverage > 0 {
						fmt.Printf("%-10s %3.0f %% noise, %d per count:  change of %s %.1f, of %d\n", shape.Name, 100*noise, repeats, name, 100*share, given[name])
					}
					slack := 3 * math.Sqrt(0.05*0.95/float64(given[name]))
					if share < 0.93-slack || *coverage > 0 && share > 0.97+slack {
						t.Errorf("%s, noise %g, %d repeats: the interval of the change of %s holds the truth in %.1f %%", shape.Name, noise, repeats, name, 100*share)
					}
				}
			}
		}
	}
}

// simulated is a sweep of a law: every run has its own log-normal noise.
func simulated(random *rand.Rand, l *Law, p, n []float64, noise float64, repeats int) *Data {
	var at, tps []float64
	for _, v := range n {
		for range repeats {
			at, tps = append(at, v), append(tps, l.Eval(v, p)*math.Exp(noise*random.NormFloat64()))
		}
	}
	return fromPoints(at, tps)
}
