package chart

import "pgknee/analysis/report"

// theme holds the colours of a chart; site/css/tokens.css has the same ones.
type theme struct {
	paper, ink, soft, line string
	series                 []string
}

// The series colours keep the hues of Okabe and Ito's palette. As all are text too, each has a contrast of at least 4.5 against its paper; within
// that they differ in lightness as far as they can, which is what the colour-blind see. A test holds both.
var themes = map[string]theme{
	"light": {
		paper: "#ffffff", ink: "#1c1d21", soft: "#5f6068", line: "#e4e1da",
		series: []string{"#0062ad", "#c44a1c", "#044632", "#641a56", "#4d3f04", "#a9527a", "#06809f", "#5f5c57"},
	},
	"dark": {
		paper: "#1a1d23", ink: "#e9e8e4", soft: "#a2a4ac", line: "#2c3038",
		series: []string{"#4a9ffc", "#f98e4f", "#a2dbbc", "#b880ac", "#ece59a", "#fb5f7e", "#62d0e0", "#99a09a"},
	},
}

// Symbols and dashes tell series apart where colours cannot. All symbols are centred on their point: ECharts' arrow and pin are not.
var (
	symbols = []string{"circle", "rect", "triangle", "diamond", "roundRect", "path://M0 1L1-.8H-1Z", "path://M-.4-1H.4V-.4H1V.4H.4V1H-.4V.4H-1V-.4H-.4Z", "path://M0-1L.95-.31.59.81-.59.81-.95-.31Z"}
	dashes  = []any{"solid", "solid", []int{6, 4}, []int{2, 3}, []int{9, 3, 2, 3}, "solid", []int{6, 4}, []int{2, 3}}
)

// style is how one series looks in every chart.
type style struct {
	color, symbol string
	dash          any
}

// styles gives every series of the report its look, by its place, so that it is the same in all charts.
func styles(r *report.Report, o Options, t theme) map[string]style {
	out := map[string]style{}
	for i, s := range r.Series {
		round := i / len(t.series) // of the same colours: with other symbols and dashes
		st := style{t.series[i%len(t.series)], symbols[(i+3*round)%len(symbols)], dashes[(i+round)%len(dashes)]}
		if n := o.Places[s.Label]; n >= 1 && n <= len(t.series) {
			st.color = t.series[n-1]
		}
		if c, ok := o.Colors[s.Label]; ok {
			st.color = c
		}
		out[s.Label] = st
	}
	return out
}
