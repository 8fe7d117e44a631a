package model

import (
	"math"

	"pgknee/analysis/stat"
)

// reach is how far beyond the largest sampled count a law may speak: nothing is claimed past it.
const reach = 2

// PeakClients is the number of clients with the largest throughput under the fit, between the smallest sampled count and twice the
// largest; ok is false where throughput does not turn in that range.
func (f *Fit) PeakClients() (n float64, ok bool) {
	lo, hi := f.Data.N[0], reach*f.Data.largest()
	if f.Law.Peak != nil {
		n, ok = f.Law.Peak(f.P)
		return n, ok && n > lo && n <= hi
	}
	// The highest of a row of counts, then golden section around it, on ln N.
	const places = 48
	step := stat.Log(hi/lo) / places
	best, top := 0, math.Inf(-1)
	for i := range places + 1 {
		if x := f.At(lo * stat.Exp(float64(i)*step)); x > top {
			best, top = i, x
		}
	}
	if best == 0 || best == places || !(f.At(hi) < top*(1-1e-6)) {
		return 0, false
	}
	a, b := stat.Log(lo)+float64(best-1)*step, stat.Log(lo)+float64(best+1)*step
	const ratio = 0.6180339887498949
	c, d := b-ratio*(b-a), a+ratio*(b-a)
	fc, fd := f.At(stat.Exp(c)), f.At(stat.Exp(d))
	for b-a > 1e-4 {
		if fc > fd {
			b, d, fd = d, c, fc
			c = b - ratio*(b-a)
			fc = f.At(stat.Exp(c))
		} else {
			a, c, fc = c, d, fd
			d = a + ratio*(b-a)
			fd = f.At(stat.Exp(d))
		}
	}
	// The parabola is exact where the top is round, and astray where lines meet.
	n = stat.Exp((a + b) / 2)
	if v := stat.Exp(vertex(f.Law, f.P, (a+b)/2, 0.01)); f.At(v) > f.At(n) {
		n = v
	}
	return n, true
}

// vertex is the top of the parabola through ln X at x−h, x, x+h, x = ln N; x itself where there is none nearby.
func vertex(l *Law, p []float64, x, h float64) float64 {
	a, b, c := stat.Log(l.Eval(stat.Exp(x-h), p)), stat.Log(l.Eval(stat.Exp(x), p)), stat.Log(l.Eval(stat.Exp(x+h), p))
	bend := a - 2*b + c
	if !(bend < 0) {
		return x
	}
	return x + math.Max(-3*h, math.Min(3*h, h*(a-c)/(2*bend)))
}

// nearPeak is ln of the peak near exp(x), as a smooth function of the parameters.
func nearPeak(l *Law, p []float64, x float64) float64 {
	if l.Peak != nil {
		n, ok := l.Peak(p)
		if !ok {
			return math.Inf(1)
		}
		return stat.Log(n)
	}
	for range 4 {
		x = vertex(l, p, x, 0.1)
	}
	for range 3 {
		x = vertex(l, p, x, 0.02)
	}
	return x
}

// FloorTPS is the level that throughput falls to past its peak under the fit; ok is false where the law has none, the fit no
// peak, or the fall is not half done at the largest sampled count, so that the level would be a guess.
func (f *Fit) FloorTPS() (tps float64, ok bool) {
	if f.Law.Saturation == nil || f.Law.Saturation(f.P) > f.Data.largest() {
		return 0, false
	}
	n, peaks := f.PeakClients()
	tps, ok = f.Law.Limit(f.P)
	return tps, ok && peaks && tps < f.At(n) && !math.IsInf(tps, 0)
}
