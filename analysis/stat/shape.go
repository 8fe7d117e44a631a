package stat

import (
	"math"
	"math/rand/v2"
)

// Shape is how a quantity d depends on x, of three ways: constant, step (one level up to a split, another after it), ramp (a
// level, a straight slope from T1 to T2, another level).
type Shape struct {
	Name      string  // constant | step | ramp
	Low, High float64 // levels before and after; equal for a constant
	Split     int     // index of the first value after the step; for a ramp of the first one after T1
	T1, T2    float64 // where the ramp begins and ends
	RSS       float64
	AICc      float64 // +Inf where there are too few values for it
}

// Names of shapes.
const (
	Constant = "constant"
	Step     = "step"
	Ramp     = "ramp"
)

// At is the shape's value at x, that of the value with index i.
func (s *Shape) At(x float64, i int) float64 {
	switch {
	case s.Name == Ramp:
		u := math.Min(1, math.Max(0, (x-s.T1)/(s.T2-s.T1)))
		return s.Low + u*(s.High-s.Low)
	case i >= s.Split:
		return s.High
	}
	return s.Low
}

// Shapes fits a constant, a step and a ramp to d over rising x by least squares and returns them in this order. A step has at least
// two values on each side. Steps and ramps that the values are too few for are left out.
func Shapes(x, d []float64) []Shape {
	n := len(d)
	m := Mean(d)
	c := Shape{Name: Constant, Low: m, High: m, Split: n}
	for _, v := range d {
		c.RSS += (v - m) * (v - m)
	}
	c.AICc = aicc(c.RSS, n, 2)
	all := []Shape{c}
	if n >= 4 {
		s := Shape{Name: Step, RSS: math.Inf(1)}
		for k := 2; k <= n-2; k++ {
			lo, hi := Mean(d[:k]), Mean(d[k:])
			rss := 0.0
			for i, v := range d {
				level := lo
				if i >= k {
					level = hi
				}
				rss += (v - level) * (v - level)
			}
			if rss < s.RSS {
				s.Low, s.High, s.Split, s.RSS = lo, hi, k, rss
			}
		}
		s.AICc = aicc(s.RSS, n, 4)
		all = append(all, s)
	}
	if n >= 6 {
		r := ramp(x, d)
		r.AICc = aicc(r.RSS, n, 5)
		all = append(all, r)
	}
	return all
}

// ramp searches the begin and end of the slope on the grid of eighths between neighbouring x; the levels follow by linear least squares.
func ramp(x, d []float64) Shape {
	var grid []float64
	for i := 0; i+1 < len(x); i++ {
		for k := range 8 {
			grid = append(grid, x[i]+(x[i+1]-x[i])*float64(k)/8)
		}
	}
	grid = append(grid, x[len(x)-1])
	// Long curves need no finer grid than some 120 places: the ends of a ramp are not known better than that.
	if every := 1 + len(grid)/120; every > 1 {
		kept := grid[:0]
		for i := 0; i < len(grid); i += every {
			kept = append(kept, grid[i])
		}
		grid = kept
	}
	best := Shape{Name: Ramp, RSS: math.Inf(1)}
	for i, t1 := range grid {
		for _, t2 := range grid[i+1:] {
			// d = c (1-u) + L u: the normal equations of two unknowns.
			var aa, ab, bb, ad, bd, dd float64
			for j, xj := range x {
				u := math.Min(1, math.Max(0, (xj-t1)/(t2-t1)))
				v := 1 - u
				aa += v * v
				ab += v * u
				bb += u * u
				ad += v * d[j]
				bd += u * d[j]
				dd += d[j] * d[j]
			}
			det := aa*bb - ab*ab
			if det < 1e-9 {
				continue
			}
			c, l := (ad*bb-bd*ab)/det, (bd*aa-ad*ab)/det
			rss := math.Max(0, dd-c*ad-l*bd)
			if rss < best.RSS {
				best.Low, best.High, best.T1, best.T2, best.RSS = c, l, t1, t2, rss
			}
		}
	}
	for best.Split = 0; best.Split < len(x) && x[best.Split] <= best.T1; best.Split++ {
	}
	return best
}

// aicc is the small-sample information criterion of least squares with q parameters, the variance counted; it is +Inf without enough values.
func aicc(rss float64, n, q int) float64 {
	if n <= q+1 {
		return math.Inf(1)
	}
	k, m := float64(q), float64(n)
	return m*Log(math.Max(rss, 1e-12)/m) + 2*k + 2*k*(k+1)/(m-k-1)
}

// StepP is the permutation probability that a step as clear as the best one of d appears by chance in values without order:
// (1 + number of permutations at least as clear) / (1 + permutations). It is the same for the same seed; NaN under four values.
func StepP(d []float64, permutations int, seed uint64) float64 {
	if len(d) < 4 {
		return math.NaN()
	}
	// RSS0/RSS1 rises with the sum of squares between the sides: that is enough to order the permutations.
	m := Mean(d)
	v := make([]float64, len(d))
	for i := range d {
		v[i] = d[i] - m
	}
	between := func() float64 {
		sum, best := v[0], 0.0
		for k := 2; k <= len(v)-2; k++ {
			sum += v[k-1]
			best = math.Max(best, sum*sum/float64(k*(len(v)-k)))
		}
		return best
	}
	seen := between() * (1 - 1e-12)
	random := rand.New(rand.NewPCG(seed, 0))
	count := 1
	for range permutations {
		random.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
		if between() >= seen {
			count++
		}
	}
	return float64(count) / float64(permutations+1)
}
