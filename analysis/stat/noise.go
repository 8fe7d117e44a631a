package stat

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// Seed starts every generator of random numbers, so that a report is the same each time; reports print it.
const Seed = 20200521

// Rand is the generator for one purpose; the purpose keeps the streams of two of them apart.
func Rand(purpose uint64) *rand.Rand { return rand.New(rand.NewPCG(Seed, purpose)) }

// FTail is the probability that F with d1, d2 degrees of freedom is larger than f > 0.
func FTail(f, d1, d2 float64) float64 { return mathext.RegIncBeta(d2/2, d1/2, d2/(d2+d1*f)) }

// Pooled is the standard deviation within groups, and its degrees of freedom; 0, 0 if no group has two values.
func Pooled(groups [][]float64) (sd float64, df int) {
	ss := 0.0
	for _, g := range groups {
		m := Mean(g)
		for _, v := range g {
			ss += (v - m) * (v - m)
		}
		df += max(len(g)-1, 0)
	}
	if df == 0 {
		return 0, 0
	}
	return math.Sqrt(ss / float64(df)), df
}

// MAD is the standard deviation as the median of absolute deviations gives it (times 1.4826); NaN for no values.
func MAD(values []float64) float64 {
	m := Median(values)
	dev := make([]float64, len(values))
	for i, v := range values {
		dev[i] = math.Abs(v - m)
	}
	return 1.4826 * Median(dev)
}

// Quantile of sorted values, linear between order statistics; NaN for none.
func Quantile(sorted []float64, p float64) float64 {
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	x := p * float64(n-1)
	i := min(max(int(x), 0), n-1)
	if i == n-1 {
		return sorted[i]
	}
	f := x - float64(i)
	return sorted[i]*(1-f) + sorted[i+1]*f
}

// TheilSen is the median of the slopes between all pairs of points with different x; NaN if there is no such pair.
func TheilSen(x, y []float64) float64 {
	var slopes []float64
	for i := range x {
		for j := range i {
			if x[i] != x[j] {
				slopes = append(slopes, (y[i]-y[j])/(x[i]-x[j]))
			}
		}
	}
	return Median(slopes)
}

// RunsTest tells how likely so few runs of equal signs, or fewer, are in the sequence if the signs are in random order. It is exact up to
// 60 values and by the normal approximation beyond; zeros are left out. 1 if all signs are equal or there are none: then the
// number of runs says nothing. (https://www.itl.nist.gov/div898/handbook/eda/section3/eda35d.htm)
func RunsTest(values []float64) (p float64, runs int) {
	var plus, minus int
	last := 0.0
	for _, v := range values {
		if v == 0 || math.IsNaN(v) {
			continue
		}
		if v > 0 {
			plus++
		} else {
			minus++
		}
		if v*last <= 0 {
			runs++
		}
		last = math.Copysign(1, v)
	}
	if plus == 0 || minus == 0 {
		return 1, runs
	}
	n1, n2 := float64(plus), float64(minus)
	n := n1 + n2
	if n > 60 {
		mean := 2*n1*n2/n + 1
		sd := math.Sqrt(2 * n1 * n2 * (2*n1*n2 - n) / (n * n * (n - 1)))
		return math.Erfc((mean-float64(runs)-0.5)/(sd*math.Sqrt2)) / 2, runs
	}
	total := choose(plus+minus, plus)
	for r := 2; r <= runs; r++ {
		k := r / 2
		if r%2 == 0 {
			p += 2 * choose(plus-1, k-1) * choose(minus-1, k-1) / total
		} else {
			p += (choose(plus-1, k)*choose(minus-1, k-1) + choose(plus-1, k-1)*choose(minus-1, k)) / total
		}
	}
	return math.Min(p, 1), runs
}

// choose is the binomial coefficient.
func choose(n, k int) float64 {
	if k < 0 || k > n {
		return 0
	}
	c := 1.0
	for i := range k {
		c = c * float64(n-i) / float64(i+1)
	}
	return math.Round(c)
}

// Interval is the central share of the values: 0.95 gives the 2.5 and 97.5 percentiles. The values are sorted in place.
func Interval(values []float64, share float64) (lo, hi float64) {
	slices.Sort(values)
	return Quantile(values, (1-share)/2), Quantile(values, (1+share)/2)
}
