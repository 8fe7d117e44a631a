package chart

import (
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"pgknee/analysis/report"
)

// latency draws the latency each client saw over the client counts.
func latency(p *plot, r *report.Report) bool {
	p.say(r, "Mean latency over clients", p.latencyFinding(r), "")
	counts := p.counts(r.Series)
	if len(counts) == 0 {
		return false
	}
	var e extent
	for _, s := range r.Series {
		for _, pt := range s.Points {
			if pt.LatencyMs != nil && !p.hidden(s.Label) {
				e.add(*pt.LatencyMs)
			}
		}
	}
	y, lo, hi := p.valueAxis("@number", e)
	at, any := p.panel(panel{unit: "mean latency, ms", x: p.clientAxis(counts, true), y: y, share: 1, lo: lo, hi: hi}), false
	for _, s := range r.Series {
		var data [][2]float64
		for _, pt := range s.Points {
			if pt.LatencyMs != nil {
				data = append(data, [2]float64{float64(pt.Clients), *pt.LatencyMs})
			}
		}
		if p.hidden(s.Label) || len(data) == 0 {
			continue
		}
		any = true
		p.addLine(at, s.Label, data)
	}
	return any
}

// residuals draws what the best law leaves over, per client count.
func residuals(p *plot, r *report.Report) bool {
	p.say(r, "What the law that fits best leaves over", p.residualsFinding(r), "A good law leaves no pattern: points scatter about 0 without a trend.")
	counts := p.counts(r.Series)
	if len(counts) == 0 {
		return false
	}
	lo, hi := -1.0, 1.0
	for _, s := range r.Series {
		if !p.hidden(s.Label) && len(s.Models) > 0 {
			for _, x := range s.Models[0].Residuals {
				lo, hi = min(lo, percent(math.Exp(x.Log))), max(hi, percent(math.Exp(x.Log)))
			}
		}
	}
	step := niceStep((hi - lo) / 6)
	lo, hi = math.Floor(lo/step)*step, math.Ceil(hi/step)*step
	at, any := p.panel(panel{
		unit: "% of the fitted value", x: p.clientAxis(counts, true), share: 1, lo: lo, hi: hi,
		y: object{"type": "value", "min": lo, "max": hi, "interval": step, "axisLabel": object{"formatter": "@percent"}},
	}), false
	for _, s := range r.Series {
		if p.hidden(s.Label) || len(s.Models) == 0 || len(s.Models[0].Residuals) == 0 {
			continue
		}
		any = true
		var data [][2]float64
		for _, x := range s.Models[0].Residuals {
			data = append(data, [2]float64{float64(x.Clients), round(percent(math.Exp(x.Log)))})
		}
		p.addLine(at, s.Label, data)
	}
	return any
}

// addLine draws a measured line with symbols, named at its end.
func (p *plot) addLine(at int, label string, data [][2]float64) {
	st := p.style(label)
	p.addNamed(at, charts.SingleSeries{
		Name: label, Type: "line", Symbol: st.symbol, SymbolSize: 8, Color: st.color, Data: data,
		LineStyle: &opts.LineStyle{Color: st.color, Width: 1.8},
	}, data[len(data)-1][1], object{
		"lineStyle": object{"type": st.dash}, "itemStyle": object{"color": p.theme.paper, "borderColor": st.color, "borderWidth": 2},
	})
}

// telling picks the runs whose course is drawn: those asked for, else the run with the most clients of each series that has a course.
func telling(p *plot, r *report.Report, has func(report.Run) bool) []int {
	if len(p.o.Runs) > 0 {
		return slices.DeleteFunc(slices.Clone(p.o.Runs), func(i int) bool { return i < 0 || i >= len(r.Runs) || !has(r.Runs[i]) })
	}
	best := map[string]int{}
	var order []string
	for i, run := range r.Runs {
		if !has(run) || p.hidden(run.Series) {
			continue
		}
		j, seen := best[run.Series]
		if !seen {
			order = append(order, run.Series)
		}
		if !seen || run.Clients != nil && r.Runs[j].Clients != nil && *run.Clients > *r.Runs[j].Clients {
			best[run.Series] = i
		}
	}
	var out []int
	for _, label := range order {
		out = append(out, best[label])
	}
	return out
}

// progress draws throughput over the time of runs.
func progress(p *plot, r *report.Report) bool {
	runs := telling(p, r, func(run report.Run) bool { return run.Progress != nil && len(run.Progress.EndS) > 1 })
	if len(runs) == 0 {
		return false
	}
	p.say(r, "Throughput over the time of a run", p.progressFinding(r, runs), "")
	var e extent
	for _, i := range runs {
		for _, v := range r.Runs[i].Progress.TPS {
			e.add(v)
		}
	}
	y, lo, hi := p.valueAxis("@kilo", e)
	at := p.panel(panel{unit: unit(r), x: object{"type": "value", "min": 0, "name": "seconds", "nameLocation": "middle", "nameGap": 28, "axisLabel": object{"formatter": "@number"}}, y: y, share: 1, lo: lo, hi: hi})
	for _, i := range runs {
		run := r.Runs[i]
		var data [][2]float64
		for k, t := range run.Progress.EndS {
			data = append(data, [2]float64{t, run.Progress.TPS[k]})
		}
		st, name := p.style(run.Series), run.Series
		if run.Clients != nil {
			name = run.Series + ", " + clients(*run.Clients)
		}
		p.addNamed(at, charts.SingleSeries{
			Name: name, Type: "line", ShowSymbol: opts.Bool(false), Color: st.color, Data: data,
			LineStyle: &opts.LineStyle{Color: st.color, Width: 1.4},
		}, data[len(data)-1][1], object{"lineStyle": object{"type": st.dash}})
	}
	return true
}

// heatmap draws the latencies of one run over its time.
func heatmap(p *plot, r *report.Report) bool {
	runs := telling(p, r, func(run report.Run) bool {
		return run.Progress != nil && run.Progress.Heat != nil && len(run.Progress.EndS) > 1
	})
	if len(runs) == 0 {
		return false
	}
	course := r.Runs[runs[0]].Progress
	p.say(r, "Latency over the time of a run", heatFinding(course.Heat), "The stronger the colour, the more transactions.")
	at := p.panel(panel{
		unit: "latency, ms", share: 1,
		x: object{"type": "value", "min": 0, "max": course.EndS[len(course.EndS)-1], "name": "seconds", "nameLocation": "middle", "nameGap": 28, "axisLabel": object{"formatter": "@number"}},
		y: object{"type": "log", "logBase": 10, "axisLabel": object{"formatter": "@number"}},
	})
	most := 0.0
	var data [][5]float64 // from s, to s, from ms, to ms, count
	for t, counts := range course.Heat.Counts {
		from := 0.0
		if t > 0 {
			from = course.EndS[t-1]
		}
		for b, n := range counts {
			if n == 0 {
				continue
			}
			low := course.Heat.UpToMs[b] / 1.25
			if b > 0 {
				low = course.Heat.UpToMs[b-1]
			}
			data = append(data, [5]float64{from, course.EndS[t], low, course.Heat.UpToMs[b], float64(n)})
			most = max(most, float64(n))
		}
	}
	color := p.style(r.Runs[runs[0]].Series).color
	p.add(at, charts.SingleSeries{Name: r.Runs[runs[0]].Series, Type: "custom", Data: data},
		object{"renderItem": "heat", "itemPayload": object{"most": most}, "clip": true, "itemStyle": object{"color": color}, "encode": object{"x": []int{0, 1}, "y": []int{2, 3}}})
	return true
}
