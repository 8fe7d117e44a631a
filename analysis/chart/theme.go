package chart

import "pgknee/analysis/report"

// theme holds the colours of a chart; site/css/tokens.css has the same ones.
type theme struct {
	paper, ink, soft, line string
	series                 []string
}

// The series colours go back to Okabe and Ito's palette, darkened or lightened until each has a contrast of at least 4.5 against its paper.
var themes = map[string]theme{
	"light": {
		paper: "#ffffff", ink: "#1c1d21", soft: "#5f6068", line: "#e4e1da",
		series: []string{"#0067a5", "#b8450a", "#00785a", "#8a4f8f", "#7a6200", "#b0305c", "#35658f", "#5f6068"},
	},
	"dark": {
		paper: "#1a1d23", ink: "#e9e8e4", soft: "#a2a4ac", line: "#2c3038",
		series: []string{"#5db4f0", "#f08a4b", "#3fc79f", "#d59bd9", "#e0c14a", "#f58aa8", "#9cc4e8", "#a2a4ac"},
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
		st := style{t.series[i%len(t.series)], symbols[i%len(symbols)], dashes[i%len(dashes)]}
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
