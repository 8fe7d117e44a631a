package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"pgknee/analysis/report"
)

// curves draws throughput over clients and, aligned below it, the ratio to the baseline.
func curves(p *plot, r *report.Report) bool {
	if len(p.compared(r)) == 0 {
		return tps(p, r)
	}
	p.say(r, "Throughput over clients, and relative to "+baseline(r), Headline(r), p.curvesNote(r, true))
	return drawTPS(p, r, 0.66, false) && drawRatio(p, r, 0.34)
}

// tps draws throughput over clients: every repeat, the fitted law with its band, the peak's bracket, the cores.
func tps(p *plot, r *report.Report) bool {
	p.say(r, "Throughput over clients", Headline(r), p.curvesNote(r, false))
	return drawTPS(p, r, 1, true)
}

// unit of the throughput of the report: what all series count, transactions per second where none says.
func unit(r *report.Report) string {
	var units []string
	for _, s := range r.Series {
		if u := cmp.Or(s.Unit, "TPS"); len(s.Points) > 0 && !slices.Contains(units, u) {
			units = append(units, u)
		}
	}
	switch len(units) {
	case 0:
		return "TPS"
	case 1:
		return units[0]
	}
	return "per second"
}

func drawTPS(p *plot, r *report.Report, share float64, labels bool) bool {
	counts := p.counts(r.Series)
	if len(counts) == 0 {
		return false
	}
	y, lo, hi := p.valueAxis("@kilo", p.extent(r))
	at := p.panel(panel{unit: p.yName(r), x: p.clientAxis(counts, labels), y: y, share: share, lo: lo, hi: hi})
	marked := false
	p.brackets(at, r, counts)
	for i, s := range r.Series {
		if p.hidden(s.Label) || len(s.Points) == 0 {
			continue
		}
		st, scale := p.style(s.Label), p.scale(s)
		line := charts.SingleSeries{
			Name: s.Label, Type: "line", ShowSymbol: opts.Bool(false), Color: st.color,
			LineStyle: &opts.LineStyle{Color: st.color, Width: 2},
		}
		extra := object{
			"lineStyle": object{"type": st.dash},
			"z":         3, "clip": true, "triggerLineEvent": true, "emphasis": object{"disabled": true},
		}
		var data [][2]float64
		if fit := drawn(s); fit != nil {
			var band [][3]float64
			for _, f := range fit.Curve {
				data = append(data, [2]float64{f.Clients, f.TPS * scale(f.Clients)})
				if f.Lo != nil && f.Hi != nil {
					band = append(band, [3]float64{f.Clients, *f.Lo * scale(f.Clients), *f.Hi * scale(f.Clients)})
				}
			}
			if len(band) > 1 {
				p.add(at, charts.SingleSeries{Name: s.Label, Type: "custom", Data: band[:1]}, object{
					"renderItem": "band", "itemPayload": object{"points": band}, "encode": object{"x": 0, "y": []int{1, 2}},
					"silent": true, "z": 1, "clip": true, "itemStyle": object{"color": st.color, "opacity": .14}, "tooltip": object{"show": false},
				})
			}
		} else {
			for _, pt := range s.Points {
				data = append(data, [2]float64{float64(pt.Clients), pt.TPS * scale(float64(pt.Clients))})
			}
		}
		line.Data = data
		if s.Cores > 0 && !marked && s.Cores >= counts[0] && s.Cores <= counts[len(counts)-1] {
			marked = true
			extra["markLine"] = object{
				"silent": true, "symbol": "none", "lineStyle": object{"color": p.theme.soft, "type": []int{1, 3}, "width": 1},
				"label": object{"formatter": fmt.Sprintf("%d CPUs", s.Cores), "color": p.theme.soft, "position": "start", "align": "left", "distance": []int{0, -19}, "padding": []int{1, 5}},
				"data":  []object{{"xAxis": s.Cores}},
			}
		}
		p.addNamed(at, line, data[len(data)-1][1], extra)
		p.addPoints(at, s, i, st, scale)
		p.addLeftOut(at, s, counts, scale)
	}
	return true
}

// bracketed tells whether the bracket of the series' peak is drawn.
func (p *plot) bracketed(r *report.Report, s report.Series) bool {
	return s.Peak != nil && len(s.Peak.BracketClients) == 2 && len(r.Series) <= 6 && !p.hidden(s.Label)
}

// brackets draws above the panel between which counts the true peak of each series lies: in rows, where they would lie on one another.
func (p *plot) brackets(at int, r *report.Report, counts []int) {
	var rows [][][2]int
	seen := map[[2]int]bool{}
	for _, s := range r.Series {
		if !p.bracketed(r, s) || seen[[2]int(s.Peak.BracketClients)] {
			continue
		}
		b := [2]int(s.Peak.BracketClients)
		seen[b] = true
		row := slices.IndexFunc(rows, func(taken [][2]int) bool {
			return !slices.ContainsFunc(taken, func(o [2]int) bool { return b[0] < o[1] && o[0] < b[1] })
		})
		if row < 0 {
			rows, row = append(rows, nil), len(rows)
		}
		rows[row] = append(rows[row], b)
		name := "peak"
		if !p.narrow {
			name = fmt.Sprintf("peak %d–%d", b[0], b[1])
			if b[1] == s.Peak.Clients { // nothing beyond was measured
				name = fmt.Sprintf("peak ≥ %d", b[0])
			}
		}
		p.add(at, charts.SingleSeries{Name: s.Label, Type: "custom", Data: []any{[]int{b[0], b[1], row}}}, object{
			"renderItem": "bracket", "itemPayload": object{"text": name, "row": row}, "encode": object{"x": []int{0, 1}, "y": []int{}},
			"silent": true, "z": 2, "clip": false, "itemStyle": object{"color": p.style(s.Label).color}, "tooltip": object{"show": false},
		})
	}
	p.panels[at].above = len(rows) * bracketRow
}

// bracketRow is the height of a row of brackets above a panel, in pixels; render.js draws them.
const bracketRow = 22

// extent is the range of the throughputs that are drawn.
func (p *plot) extent(r *report.Report) (e extent) {
	for _, s := range r.Series {
		if p.hidden(s.Label) || len(s.Points) == 0 {
			continue
		}
		scale := p.scale(s)
		for _, pt := range s.Points {
			for _, v := range append(slices.Clone(pt.Samples), pt.TPS) {
				e.add(v * scale(float64(pt.Clients)))
			}
		}
		if fit := drawn(s); fit != nil {
			for _, f := range fit.Curve {
				e.add(f.TPS * scale(f.Clients))
			}
		}
		for _, l := range s.LeftOut {
			if l.Clients != nil && l.TPS != nil {
				e.add(*l.TPS * scale(float64(*l.Clients)))
			}
		}
	}
	return e
}

// addPoints draws the median of each count, and every repeat when there are several.
func (p *plot) addPoints(at int, s report.Series, index int, st style, scale func(float64) float64) {
	var medians []object
	var repeats [][2]float64
	for j, pt := range s.Points {
		n := float64(pt.Clients)
		value := []any{n, pt.TPS * scale(n)}
		medians = append(medians, object{"value": value, "point": []int{index, j}})
		if pt.N > 1 {
			for _, x := range spread(pt.Samples) {
				repeats = append(repeats, [2]float64{n, x * scale(n)})
			}
		}
	}
	if len(repeats) > 0 {
		// One shape for all of them: thousands of symbols would take seconds.
		p.add(at, charts.SingleSeries{Name: s.Label, Type: "custom", Data: repeats[:1]}, object{
			"renderItem": "dots", "itemPayload": object{"points": repeats}, "encode": object{"x": 0, "y": 1},
			"silent": true, "z": 4, "clip": false, "itemStyle": object{"color": st.color, "opacity": .45}, "tooltip": object{"show": false},
		})
	}
	p.add(at, charts.SingleSeries{Name: s.Label, Type: "scatter", Symbol: st.symbol, SymbolSize: 9, Data: medians},
		object{"z": 5, "itemStyle": object{"color": p.theme.paper, "opacity": .92, "borderColor": st.color, "borderWidth": 2}, "cursor": "pointer"})
}

// mostDots is how many repeats of a point are drawn: twice as many have no room beside one another in any picture.
const mostDots = 1000

// spread is a point's repeats, or so many of them that lie as all do, where there are more than can be told apart: the lowest, the
// highest and those at even ranks between.
func spread(samples []float64) []float64 {
	if len(samples) <= mostDots {
		return samples
	}
	sorted := slices.Sorted(slices.Values(samples))
	out := make([]float64, mostDots)
	for i := range out {
		out[i] = sorted[i*(len(sorted)-1)/(mostDots-1)]
	}
	return out
}

// addLeftOut marks the runs that are no points of the curve, so that nothing is left out in silence.
func (p *plot) addLeftOut(at int, s report.Series, counts []int, scale func(float64) float64) {
	var data []object
	for _, l := range s.LeftOut {
		if l.Clients != nil && l.TPS != nil && *l.Clients >= counts[0] && *l.Clients <= counts[len(counts)-1] {
			n := float64(*l.Clients)
			data = append(data, object{"value": []any{n, *l.TPS * scale(n)}, "why": l.Why, "run": l.Run})
		}
	}
	if len(data) > 0 {
		p.add(at, charts.SingleSeries{Name: s.Label, Type: "scatter", Symbol: "path://M-1-1L1 1M-1 1L1-1", SymbolSize: 9, Data: data},
			object{"z": 4, "leftOut": true, "itemStyle": object{"color": "transparent", "borderColor": p.theme.soft, "borderWidth": 1.5}})
	}
}

// drawn is the model whose line stands for the series: the best one, when it explains the curve.
func drawn(s report.Series) *report.Model {
	if s.Explained != nil && !*s.Explained {
		return nil
	}
	for i := range s.Models {
		if len(s.Models[i].Curve) > 1 {
			return &s.Models[i]
		}
	}
	return nil
}

// scale gives the factor that normalises a throughput at a number of clients.
func (p *plot) scale(s report.Series) func(float64) float64 {
	switch p.o.Normalise {
	case "one":
		if first := s.Points[0]; first.Clients == 1 && first.TPS > 0 {
			return func(float64) float64 { return 1 / first.TPS }
		}
	case "clients":
		return func(n float64) float64 { return 1 / n }
	case "cores":
		if s.Cores > 0 {
			return func(float64) float64 { return 1 / float64(s.Cores) }
		}
	}
	return func(float64) float64 { return 1 }
}

func (p *plot) yName(r *report.Report) string {
	switch p.o.Normalise {
	case "one":
		return unit(r) + " relative to 1 client"
	case "clients":
		return unit(r) + " per client"
	case "cores":
		return unit(r) + " per core"
	}
	return unit(r)
}

// round keeps four significant digits: more than a chart can show.
func round(v float64) float64 {
	if v == 0 {
		return 0
	}
	scale := math.Pow(10, 3-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*scale) / scale
}
