package chart

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"pgknee/analysis/report"
)

// AllRanks is for how many series every percentile is drawn; of more series only the one that can be compared best.
const AllRanks = 2

// percentiles draws what share of the transactions was answered within what time, over the client counts. Tails are many times the median,
// so the axis is logarithmic.
func percentiles(p *plot, r *report.Report) bool {
	var shown []report.Series
	for _, s := range r.Series {
		if !p.hidden(s.Label) && len(Ranks(s)) > 0 {
			shown = append(shown, s)
		}
	}
	if len(shown) == 0 {
		return false
	}
	ranks := Ranks(shown...)
	if len(shown) > AllRanks {
		ranks = []string{Comparable(shown)}
	}
	type line struct {
		name, series string
		width        float32
		data         [][2]float64
	}
	var lines []line
	least, most := math.Inf(1), 0.0
	for _, s := range shown {
		for i, rank := range ranks {
			l := line{name: "p" + rank, series: s.Label, width: 1.3}
			switch {
			case len(ranks) == 1 && s.Label != "":
				l.name = s.Label
			case len(shown) > 1:
				l.name = s.Label + " p" + rank
			}
			if i == 0 {
				l.width = 2.2
			}
			for _, pt := range s.Points {
				if ms := pt.LatencyPercentilesMs[rank]; ms > 0 {
					l.data = append(l.data, [2]float64{float64(pt.Clients), ms})
					least, most = min(least, ms), max(most, ms)
				}
			}
			if len(l.data) > 0 {
				lines = append(lines, l)
			}
		}
	}
	if len(lines) == 0 {
		return false
	}
	p.say(r, "Latency percentiles over clients", percentileFinding(shown), "p99: 99 % of the transactions took at most so long.")
	unit := "latency, ms"
	if len(ranks) == 1 {
		unit = "p" + ranks[0] + " of the latency, ms"
	}
	y, lo, hi := p.decades(least, most)
	at := p.panel(panel{unit: unit, x: p.clientAxis(p.counts(shown), true), y: y, share: 1, lo: lo, hi: hi})
	for _, l := range lines {
		st := p.style(l.series)
		p.addNamed(at, charts.SingleSeries{
			Name: l.name, Type: "line", Symbol: st.symbol, SymbolSize: 7, Color: st.color, Data: l.data,
			LineStyle: &opts.LineStyle{Color: st.color, Width: l.width},
		}, math.Log10(l.data[len(l.data)-1][1]), object{
			"lineStyle": object{"type": st.dash}, "itemStyle": object{"color": p.theme.paper, "borderColor": st.color, "borderWidth": 1.6},
		})
	}
	return true
}

// percentileFinding says at the largest count how long nearly all transactions took.
func percentileFinding(shown []report.Series) string {
	if len(shown) > 4 {
		return ""
	}
	rank := Comparable(shown)
	var parts []string
	for _, s := range shown {
		for i := len(s.Points) - 1; i >= 0; i-- {
			pt := s.Points[i]
			if ms := pt.LatencyPercentilesMs[rank]; ms > 0 {
				part := figures(ms) + " ms at " + clients(pt.Clients)
				if s.Label != "" {
					part += " with " + s.Label
				}
				parts = append(parts, part)
				break
			}
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return rank + " % of the transactions take at most " + strings.Join(parts, ", ") + "."
}

// Ranks are the percentiles that series have at any count, rising: "50", "99.9".
func Ranks(list ...report.Series) []string {
	var out []string
	for _, s := range list {
		for _, pt := range s.Points {
			for rank := range pt.LatencyPercentilesMs {
				if !slices.Contains(out, rank) {
					out = append(out, rank)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Compare(rankOf(a), rankOf(b)) })
	return out
}

func rankOf(rank string) float64 {
	v, _ := strconv.ParseFloat(rank, 64) // readers give numbers only
	return v
}

// Comparable is the percentile that most of the series have, of several the one next to 99.
func Comparable(list []report.Series) string {
	having := map[string]int{}
	for _, s := range list {
		for _, rank := range Ranks(s) {
			having[rank]++
		}
	}
	return slices.MinFunc(Ranks(list...), func(a, b string) int {
		return cmp.Or(cmp.Compare(having[b], having[a]), cmp.Compare(math.Abs(rankOf(a)-99), math.Abs(rankOf(b)-99)))
	})
}

// decades is a logarithmic y axis from below least to above most, labelled at 1, 2 and 5 of each power of ten, or at powers alone where
// there are many. lo and hi are the logarithms of its ends.
func (p *plot) decades(least, most float64) (axis object, lo, hi float64) {
	var marks []float64
	steps := []float64{1, 2, 5}
	if most/least > 2000 {
		steps = steps[:1]
	}
	enough := func() bool { return len(marks) > 1 && marks[len(marks)-1] >= most }
	for e := math.Floor(math.Log10(least)); !enough(); e++ {
		for _, step := range steps {
			v := step * math.Pow(10, e)
			if v <= least {
				marks = marks[:0]
			}
			if !enough() {
				marks = append(marks, v)
			}
		}
	}
	axis = object{
		"type": "log", "logBase": 10, "min": marks[0], "max": marks[len(marks)-1],
		"axisTick": object{"customValues": marks}, "axisLabel": object{"formatter": "@number", "customValues": marks, "hideOverlap": true},
	}
	return axis, math.Log10(marks[0]), math.Log10(marks[len(marks)-1])
}
