package chart

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"pgknee/analysis/report"
	"pgknee/analysis/sorting"
)

type object = map[string]any

// plot is a chart in the making: panels one below the other on the same x axis, and series in them.
type plot struct {
	o      Options
	theme  theme
	styles map[string]style
	narrow bool

	base   *charts.Line
	panels []panel
	series []object // what go-echarts does not know of the series at the same place
	ends   []end
	says   says
}

// panel is one coordinate system.
type panel struct {
	unit   string // above the y axis
	x, y   object // additions to the axes
	share  float64
	above  int     // pixels kept free above it
	lo, hi float64 // of the y axis, where it is known
}

// end is the name of a series at the end of its line.
type end struct {
	panel, series int
	x, value      float64
	lines, runes  int // of the longest line
}

func newPlot(r *report.Report, o Options) *plot {
	if o.Width == 0 {
		o.Width = 1200
	}
	if o.Height == 0 {
		o.Height = 675
	}
	t, ok := themes[o.Theme]
	if !ok {
		t = themes["light"]
	}
	p := &plot{o: o, theme: t, styles: styles(r, o, t), narrow: o.Width < 640, base: charts.NewLine()}
	p.base.XAxisList, p.base.YAxisList = nil, nil
	return p
}

func (p *plot) hidden(label string) bool { return slices.Contains(p.o.Hidden, label) }

// style of a series; a grey one for what is no series of the report.
func (p *plot) style(label string) style {
	if s, ok := p.styles[label]; ok {
		return s
	}
	return style{p.theme.soft, "circle", "solid"}
}

// panel adds a coordinate system that takes the given share of the height.
func (p *plot) panel(pn panel) int {
	p.panels = append(p.panels, pn)
	return len(p.panels) - 1
}

// add puts a series into a panel; extra holds what go-echarts has no field for.
func (p *plot) add(panel int, s charts.SingleSeries, extra object) {
	s.XAxisIndex, s.YAxisIndex = panel, panel
	s.Animation = opts.Bool(false)
	if s.Name == "" {
		s.Name = " " // ECharts makes up a name otherwise, with a byte in it that no SVG may hold
	}
	p.base.MultiSeries = append(p.base.MultiSeries, s)
	p.series = append(p.series, extra)
}

// addNamed puts a line into a panel and names it at its end, which is at the given value.
func (p *plot) addNamed(panel int, s charts.SingleSeries, value float64, extra object) {
	extra["endLabel"] = object{"show": !p.narrow, "formatter": "@series", "color": s.Color, "fontWeight": 600, "distance": 10, "lineHeight": endLineHeight}
	lines, runes := broken(s.Name)
	x := 0.0
	if data, ok := s.Data.([][2]float64); ok {
		x = data[len(data)-1][0]
	}
	p.ends = append(p.ends, end{panel, len(p.series), x, value, lines, runes})
	p.add(panel, s, extra)
}

// broken is how render.js breaks the name of a series: into how many lines, and how long the longest is.
func broken(name string) (lines, runes int) {
	all := []rune(name)
	if len(all) <= endLabelRunes {
		return 1, len(all)
	}
	for _, sep := range []string{" (", ", ", " "} {
		head := string(all[:min(len(all), endLabelRunes+len(sep))])
		if at := strings.LastIndex(head, sep); at > 0 {
			first := utf8.RuneCountInString(head[:at])
			return 2, min(max(first, len(all)-first-1), endLabelRunes)
		}
	}
	return 1, endLabelRunes
}

const (
	endLabelRunes = 22 // that render.js puts into one line
	endLineHeight = 15
	endGap        = 3
)

// spread moves the names at the ends of the lines of a panel apart, as little as it takes: those of lines that end at the same count.
func (p *plot) spread(panel int, height float64, r *report.Report) {
	if pn := p.panels[panel]; pn.hi <= pn.lo {
		return
	}
	at := map[float64][]end{}
	for _, e := range p.ends {
		if e.panel == panel {
			at[e.x] = append(at[e.x], e)
		}
	}
	for _, ends := range at {
		p.spreadAt(p.panels[panel], ends, height, r)
	}
}

// spreadAt moves names apart that stand at the same place. Where all would take more than the panel, those that would lie on another are left
// to the legend; the series of the headline come first.
func (p *plot) spreadAt(pn panel, ends []end, height float64, r *report.Report) {
	sorting.StableBy(ends, func(a, b end) int { return cmp.Compare(b.value, a.value) })
	// Names that touch become a block, which is centred on where its names want to be.
	type block struct {
		names           []end
		height, wantSum float64
	}
	on := func(v float64) float64 { return v }
	if p.o.LogY && pn.lo > 0 {
		on = math.Log
	}
	at := func(e end) float64 { return (on(pn.hi) - on(e.value)) / (on(pn.hi) - on(pn.lo)) * height }
	tall := func(e end) float64 { return float64(e.lines*endLineHeight + endGap) }
	all := 0.0
	for _, e := range ends {
		all += tall(e)
	}
	if all > height {
		told := func(e end) bool {
			return r.Summary != nil && slices.ContainsFunc(r.Summary.Headline, func(s report.Span) bool {
				return s.Series != "" && s.Series == p.base.MultiSeries[e.series].Name
			})
		}
		var fit []end
		for _, first := range []bool{true, false} {
			for _, e := range ends {
				if told(e) != first {
					continue
				}
				if slices.ContainsFunc(fit, func(f end) bool { return math.Abs(at(e)-at(f)) < (tall(e)+tall(f))/2 }) {
					p.series[e.series]["endLabel"].(object)["show"] = false
				} else {
					fit = append(fit, e)
				}
			}
		}
		ends = slices.DeleteFunc(ends, func(e end) bool { return p.series[e.series]["endLabel"].(object)["show"] == false })
	}
	top := func(b block) float64 {
		return max(min(b.wantSum/float64(len(b.names))-b.height/2, height+endGap-b.height), -endLineHeight)
	}
	var blocks []block
	for _, e := range ends {
		h := tall(e)
		b := block{[]end{e}, h, at(e)}
		for len(blocks) > 0 {
			last := blocks[len(blocks)-1]
			if top(last)+last.height <= top(b) {
				break
			}
			b = block{append(last.names, b.names...), last.height + b.height, last.wantSum + b.wantSum}
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	for _, b := range blocks {
		y := top(b)
		for _, e := range b.names {
			h := tall(e)
			if move := math.Round(y + h/2 - at(e)); move != 0 {
				p.series[e.series]["endLabel"].(object)["offset"] = []float64{0, move}
			}
			y += h
		}
	}
}

// Space around the panels, in pixels.
const (
	marginTop   = 34
	valueRoom   = 58 // for what is said at a value axis
	marginLow   = 46
	betweenRows = 44
)

// nameRoom is the width to the right of the panels: for the names at the ends of the lines, or half a label of the x axis.
func (p *plot) nameRoom() int {
	room := 48
	for _, e := range p.ends {
		room = max(room, 22+7*e.runes)
	}
	return room
}

// option puts the parts together.
func (p *plot) option(r *report.Report) object {
	frame, above, below := p.frame(r)
	edge, right := 0, p.nameRoom() // everything begins where the words around it do
	if p.o.Frame {
		edge = frameLeft
	}
	if p.narrow {
		right = 16
	}
	left := edge + valueRoom
	room := float64(p.o.Height-above-below-marginTop-marginLow) - betweenRows*float64(len(p.panels)-1)
	for _, pn := range p.panels {
		room -= float64(pn.above)
	}
	top := float64(above + marginTop)
	for i, pn := range p.panels {
		height := max(room*pn.share, 20)
		top += float64(pn.above)
		p.spread(i, height, r)
		p.base.GridList = append(p.base.GridList, opts.Grid{
			Left: px(left), Right: px(right), Top: px(int(top)), Height: px(int(height)),
		})
		top += height + betweenRows
		p.base.XAxisList = append(p.base.XAxisList, opts.XAxis{GridIndex: len(p.base.XAxisList)})
		p.base.YAxisList = append(p.base.YAxisList, opts.YAxis{GridIndex: len(p.base.YAxisList)})
	}
	p.base.SetGlobalOptions(
		charts.WithInitializationOpts(opts.Initialization{Theme: "none", BackgroundColor: p.theme.paper}),
		charts.WithAnimation(false),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(false)}),
		charts.WithTitleOpts(opts.Title{Show: opts.Bool(false)}),
		charts.WithTooltipOpts(opts.Tooltip{Show: opts.Bool(true), Trigger: "axis"}),
	)
	p.base.Validate()
	var m object
	bytes, err := json.Marshal(p.base.JSON())
	if err == nil {
		err = json.Unmarshal(bytes, &m)
	}
	if err != nil {
		panic(err) // maps of our own making always marshal
	}
	delete(m, "toolbox")
	m["color"] = p.theme.series
	m["textStyle"] = object{"fontFamily": fontFamily}
	m["axisPointer"] = object{"link": []object{{"xAxisIndex": "all"}}, "label": object{"show": false}, "lineStyle": object{"color": p.theme.soft, "type": []int{3, 3}}}
	tooltip := m["tooltip"].(object)
	tooltip["formatter"], tooltip["confine"] = "@points", true
	tooltip["backgroundColor"], tooltip["borderColor"], tooltip["textStyle"] = p.theme.paper, p.theme.line, object{"color": p.theme.ink, "fontSize": 13}
	soft := object{"color": p.theme.soft}
	for i, pn := range p.panels {
		grid := m["grid"].([]any)[i].(object)
		grid["outerBoundsMode"] = "none"
		nameGap := 14
		if utf8.RuneCountInString(pn.unit) > 8 { // would run into the brackets
			nameGap += pn.above
		}
		merge(m["xAxis"].([]any)[i].(object), object{
			"axisLine": object{"lineStyle": object{"color": p.theme.soft}, "onZero": false}, "splitLine": object{"show": false},
			"axisLabel": object{"color": p.theme.soft}, "nameTextStyle": soft,
		}, pn.x)
		merge(m["yAxis"].([]any)[i].(object), object{
			"axisLine": object{"show": false}, "axisTick": object{"show": false},
			"axisLabel": object{"show": true, "color": p.theme.soft, "margin": 12}, "splitLine": object{"lineStyle": object{"color": p.theme.line}},
			"name": pn.unit, "nameGap": nameGap, "nameTextStyle": object{"color": p.theme.soft, "align": "left", "padding": []int{0, 0, 0, -valueRoom}},
		}, pn.y)
	}
	list, _ := m["series"].([]any)
	for i, s := range list {
		merge(s.(object), p.series[i])
	}
	frame.draw(p, m)
	if !p.o.Frame {
		m["says"] = p.says // for the page, which says it around the chart
	}
	return m
}

const fontFamily = "ui-sans-serif, system-ui, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif" // no quotes: they would end the attribute in SVG

// merge lays objects over one another, level by level.
func merge(into object, from ...object) {
	for _, f := range from {
		for k, v := range f {
			a, ok1 := into[k].(object)
			b, ok2 := v.(object)
			if ok1 && ok2 {
				merge(a, b)
			} else {
				into[k] = v
			}
		}
	}
}
