package chart

import (
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"pgknee/analysis/report"
)

// compared are the visible comparisons that have points.
func (p *plot) compared(r *report.Report) (list []report.Comparison) {
	for _, c := range r.Comparisons {
		if !p.hidden(c.Candidate) && len(c.Points) > 0 {
			list = append(list, c)
		}
	}
	return list
}

// banded tells whether one of the visible comparisons says what noise alone would do.
func (p *plot) banded(r *report.Report) bool {
	return slices.ContainsFunc(p.compared(r), func(c report.Comparison) bool { return c.Band != nil })
}

// baseline names what the ratios are held against: a series, or that each has one of its own.
func baseline(r *report.Report) string {
	first := r.Comparisons[0].Baseline
	for _, c := range r.Comparisons {
		if c.Baseline != first && len(c.Points) > 0 {
			return "its own baseline"
		}
	}
	return first
}

// ratio draws every candidate relative to the baseline, with what noise alone would do.
func ratio(p *plot, r *report.Report) bool {
	if len(p.compared(r)) == 0 {
		return false
	}
	note := ""
	if p.banded(r) {
		note = bandNote
	}
	p.say(r, "Throughput relative to "+baseline(r), Headline(r), note)
	return drawRatio(p, r, 1)
}

func drawRatio(p *plot, r *report.Report, share float64) bool {
	counts := p.counts(r.Series)
	if len(counts) == 0 {
		return false
	}
	compared := p.compared(r)
	lo, hi := -10.0, 10.0
	for _, c := range compared {
		for _, pt := range c.Points {
			lo, hi = min(lo, percent(pt.Ratio)), max(hi, percent(pt.Ratio))
		}
	}
	// Intervals are seen as a whole, unless they would make the ratios small.
	least, most := lo-(hi-lo)/2, hi+(hi-lo)/2
	for _, c := range compared {
		for _, pt := range c.Points {
			if pt.Lo != nil && pt.Hi != nil {
				lo, hi = min(lo, max(percent(*pt.Lo), least)), max(hi, min(percent(*pt.Hi), most))
			}
		}
	}
	step := niceStep((hi - lo) / 4)
	lo, hi = max(math.Floor(lo/step)*step, -100), math.Ceil(hi/step)*step // nothing is slower than by all of it
	at := p.panel(panel{
		unit: "% against " + baseline(r), x: p.clientAxis(counts, true), share: share,
		y: object{"type": "value", "min": lo, "max": hi, "interval": step, "axisLabel": object{"formatter": "@percent"}},
	})
	banded := false
	for _, c := range compared {
		st := p.style(c.Candidate)
		var data []object
		var bars [][3]float64
		for _, pt := range c.Points {
			n := float64(pt.Clients)
			fill := p.theme.paper
			if pt.Changed {
				fill = st.color
			}
			data = append(data, object{"value": []any{n, round(percent(pt.Ratio))}, "itemStyle": object{"color": fill}, "changed": pt.Changed})
			if pt.Lo != nil && pt.Hi != nil {
				bars = append(bars, [3]float64{n, max(percent(*pt.Lo), lo), min(percent(*pt.Hi), hi)})
			}
		}
		extra := object{"z": 4, "lineStyle": object{"type": st.dash}, "itemStyle": object{"borderColor": st.color, "borderWidth": 1.6}}
		if c.Band != nil && !banded {
			banded = true
			extra["markArea"] = object{
				"silent": true, "itemStyle": object{"color": p.theme.soft, "opacity": .13},
				"data": [][]object{{{"yAxis": max(percent(c.Band.Lo), lo)}, {"yAxis": min(percent(c.Band.Hi), hi)}}},
			}
		}
		lines := []object{{"yAxis": 0, "lineStyle": object{"color": p.theme.soft, "type": "solid"}, "label": object{"show": false}}}
		if c.Onset != nil && c.Onset.After > 0 && c.Onset.At > 0 && len(r.Comparisons) <= 3 {
			lines = append(lines, object{
				"xAxis": math.Sqrt(float64(c.Onset.After) * float64(c.Onset.At)), "lineStyle": object{"color": st.color, "type": []int{2, 3}},
				"label": object{"formatter": "onset", "color": st.color, "position": "end", "distance": 3},
			})
		}
		extra["markLine"] = object{"silent": true, "symbol": "none", "lineStyle": object{"width": 1}, "data": lines}
		if len(bars) > 0 {
			p.add(at, charts.SingleSeries{Name: c.Candidate, Type: "custom", Data: bars},
				object{"renderItem": "errorBar", "encode": object{"x": 0, "y": []int{1, 2}}, "silent": true, "z": 3, "clip": false, "itemStyle": object{"color": st.color, "opacity": .55}, "tooltip": object{"show": false}})
		}
		p.add(at, charts.SingleSeries{
			Name: c.Candidate, Type: "line", Symbol: st.symbol, SymbolSize: 7, Color: st.color, Data: data,
			LineStyle: &opts.LineStyle{Color: st.color, Width: 1.6},
		}, extra)
	}
	return true
}

func percent(ratio float64) float64 { return 100 * (ratio - 1) }

// niceStep rounds a step of an axis up to 1, 2 or 5 times a power of ten.
func niceStep(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if v <= m*power {
			return m * power
		}
	}
	return 10 * power
}
