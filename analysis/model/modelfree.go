package model

import (
	"math"

	"pgknee/analysis/bench"
	"pgknee/analysis/report"
	"pgknee/analysis/stat"
)

// Where nothing is known of the noise of a point, two throughputs closer than this are taken for equal.
const assumedEqual = 0.02

// flat is the change of throughput per doubling of the clients, and the distance from the level, under which a tail is a floor.
const flat = 0.05

// Sampled is the peak as it was measured: the count with the largest median, and the sampled counts between which the true peak lies. The
// bracket goes from the count before the top to the count after it; where neighbours are within noise of the maximum they are of the top.
// Nil for a curve without points.
func Sampled(c *bench.Curve) *report.Peak {
	if len(c.Points) == 0 {
		return nil
	}
	values := make([]float64, len(c.Points))
	best := 0
	for i, p := range c.Points {
		values[i] = stat.Median(p.Samples)
		if values[i] > values[best] {
			best = i
		}
	}
	sd, df := NewData(c).Noise()
	equal := func(i int) bool {
		apart := assumedEqual
		if df > 0 {
			n, m := float64(len(c.Points[i].Samples)), float64(len(c.Points[best].Samples))
			apart = stat.StudentQuantile(0.05, float64(df)) * sd * math.Sqrt(1/n+1/m)
		}
		return stat.Log(values[best]/values[i]) < apart
	}
	lo, hi := best, best
	for lo > 0 && equal(lo-1) {
		lo--
	}
	for hi < len(values)-1 && equal(hi+1) {
		hi++
	}
	return &report.Peak{
		Clients: c.Points[best].Clients, TPS: values[best],
		BracketClients: []int{c.Points[max(lo-1, 0)].Clients, c.Points[min(hi+1, len(values)-1)].Clients},
	}
}

// Tail is the floor as it was measured: the median of the last points, at least three, that lie on one level past the peak and below it.
// Nil if the curve has no such tail: it still grows, still falls, or never fell.
func Tail(c *bench.Curve) *report.Floor {
	d := NewData(c)
	best := 0
	for i, v := range d.Mean {
		if v > d.Mean[best] {
			best = i
		}
	}
	tolerance := flat
	if sd, df := d.Noise(); df > 0 {
		tolerance = math.Max(tolerance, 2*sd)
	}
	for from := best + 1; from <= len(d.N)-3; from++ {
		level := stat.Median(d.Log[from:])
		slope := slopePerDoubling(d.N[from:], d.Log[from:])
		if math.Abs(slope) >= flat || math.Abs(d.Log[from]-level) > tolerance {
			continue
		}
		if d.Log[best]-level <= tolerance {
			return nil
		}
		return &report.Floor{TPS: stat.Exp(level), FromClients: int(d.N[from]), SlopePerDoubling: slope}
	}
	return nil
}

// slopePerDoubling is the Theil–Sen slope of ln X over log₂ N.
func slopePerDoubling(n, logX []float64) float64 {
	x := make([]float64, len(n))
	for i, v := range n {
		x[i] = stat.Log2(v)
	}
	return stat.TheilSen(x, logX)
}

// Spread is the interval of each point of a curve that its repeats give: the geometric mean times or over t standard errors, with the
// variance of the few runs of a point drawn towards that of all points; at least as wide as to hold the median. Zero where a point
// has one sample.
func Spread(c *bench.Curve) []Interval {
	const prior = 4 // runs that the pooled variance counts for at each point
	out := make([]Interval, len(c.Points))
	groups := make([][]float64, len(c.Points))
	for i, p := range c.Points {
		for _, v := range p.Samples {
			groups[i] = append(groups[i], stat.Log(v))
		}
	}
	sd, df := stat.Pooled(groups)
	for i, g := range groups {
		if len(g) < 2 {
			continue
		}
		variance := stat.Moderated(stat.Variance(g), float64(len(g)-1), sd*sd, prior)
		nu := math.Min(float64(len(g)-1+prior), float64(df))
		half := stat.StudentQuantile((1-Level)/2, nu) * math.Sqrt(variance/float64(len(g)))
		mean, median := stat.Mean(g), stat.Log(stat.Median(c.Points[i].Samples))
		out[i] = Interval{stat.Exp(math.Min(mean-half, median)), stat.Exp(math.Max(mean+half, median))}
	}
	return out
}
