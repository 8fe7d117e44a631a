package chart

import (
	"math"
	"slices"

	"pgknee/analysis/report"
)

// counts are the client counts at which anything visible was measured, rising.
func (p *plot) counts(list []report.Series) []int {
	var out []int
	for _, s := range list {
		if p.hidden(s.Label) {
			continue
		}
		for _, pt := range s.Points {
			out = append(out, pt.Clients)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// clientAxis is the x axis over client counts: log2, labelled at measured counts only, as many as fit.
func (p *plot) clientAxis(counts []int, labels bool) object {
	lo, hi := float64(counts[0]), float64(counts[len(counts)-1])
	if lo == hi {
		lo, hi = lo/2, hi*2
	}
	axis := object{"type": "log", "logBase": 2, "min": lo, "max": hi}
	at := func(n int) float64 { return math.Log2(float64(n)/lo) / math.Log2(hi/lo) }
	if p.o.LinearX {
		axis = object{"type": "value", "min": 0, "max": hi}
		at = func(n int) float64 { return float64(n) / hi }
	}
	axis["axisTick"] = object{"customValues": counts, "lineStyle": object{"color": p.theme.line}}
	axis["axisLabel"] = object{"show": labels, "customValues": p.sparse(counts, at), "formatter": "@integer", "hideOverlap": true}
	if labels {
		merge(axis, object{"name": "clients", "nameLocation": "middle", "nameGap": 28})
	}
	return axis
}

// sparse keeps the counts whose labels do not run into one another: the two ends first, then powers of two, then the others.
func (p *plot) sparse(counts []int, at func(int) float64) []int {
	width := float64(p.o.Width - 242)
	if p.narrow {
		width = float64(p.o.Width - 68)
	}
	apart := func(a, b int) bool {
		digits := math.Log10(float64(a)) + math.Log10(float64(b)) + 2
		return math.Abs(at(a)-at(b))*width >= 4*digits+10
	}
	out := []int{counts[len(counts)-1]}
	take := func(n int) {
		if !slices.ContainsFunc(out, func(o int) bool { return !apart(o, n) }) {
			out = append(out, n)
		}
	}
	take(counts[0])
	for _, wanted := range []func(int) bool{func(n int) bool { return n&(n-1) == 0 }, func(int) bool { return true }} {
		for _, n := range counts {
			if wanted(n) {
				take(n)
			}
		}
	}
	slices.Sort(out)
	return out
}

// extent is the range of what is drawn above 0.
type extent struct{ least, most float64 }

func (e *extent) add(v float64) {
	if v > 0 && (e.least == 0 || v < e.least) {
		e.least = v
	}
	e.most = max(e.most, v)
}

// valueAxis is a y axis from 0 to a round number above all that is drawn, or logarithmic between two round numbers when that is asked for.
func (p *plot) valueAxis(formatter string, e extent) (axis object, lo, hi float64) {
	label := object{"formatter": formatter, "hideOverlap": true}
	if p.o.LogY {
		ticks := logTicks(e)
		label["customValues"] = ticks
		lo, hi = ticks[0], ticks[len(ticks)-1]
		return object{"type": "log", "min": lo, "max": hi, "axisTick": object{"customValues": ticks}, "axisLabel": label}, lo, hi
	}
	step := niceStep(max(e.most, 1e-9) / 6.5)
	hi = math.Ceil(e.most/step) * step
	return object{"type": "value", "min": 0, "max": hi, "interval": step, "axisLabel": label}, 0, hi
}

// logTicks are 1, 2 and 5 times the powers of ten around an extent; of a wide one the powers alone.
func logTicks(e extent) (ticks []float64) {
	if e.least == 0 {
		e = extent{1, 10}
	}
	steps := []float64{1, 2, 5}
	if e.most/e.least > 2000 {
		steps = steps[:1]
	}
	for power := math.Pow(10, math.Floor(math.Log10(e.least))); ; power *= 10 {
		for _, m := range steps {
			v := m * power
			if v <= e.least {
				ticks = nil
			}
			ticks = append(ticks, v)
			if v >= e.most && len(ticks) > 1 {
				return ticks
			}
		}
	}
}
