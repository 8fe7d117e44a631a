package chart

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pgknee/analysis/report"
)

// frameText is what stands around an exported chart: the finding as title, the conditions below it, the source at the foot.
type frameText struct{ title, conditions, source string }

const (
	titleSize, conditionSize, sourceSize = 21, 13, 12
	frameLeft                            = 22
)

// frame takes title, conditions and source from the report.
func (p *plot) frame(r *report.Report, what string) {
	if !p.o.Frame {
		return
	}
	p.text.title = Headline(r)
	if p.text.title == "" {
		p.text.title = what
	}
	p.text.conditions = what
	if c := Conditions(r); c != "" {
		p.text.conditions += " · " + c
	}
	p.text.source = Source(r)
}

// Headline is the first sentence of the report as plain text; "" when it says nothing.
func Headline(r *report.Report) string {
	if r.Summary == nil {
		return ""
	}
	var b strings.Builder
	for _, s := range r.Summary.Headline {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Conditions is what all runs share, as a line.
func Conditions(r *report.Report) string {
	var parts []string
	for _, c := range r.Conditions {
		parts = append(parts, c.Name+" "+c.Value)
	}
	return strings.Join(parts, ", ")
}

// Source is the line that says what a chart was made from and by what.
func Source(r *report.Report) string {
	var names []string
	for _, f := range r.Files {
		if f.Runs+f.Profiles > 0 {
			names = append(names, f.Name[strings.LastIndexByte(f.Name, '/')+1:])
		}
	}
	if len(names) > 3 {
		names = append(names[:2], strconv.Itoa(len(names)-2)+" more files")
	}
	s := "Source: " + strings.Join(names, ", ")
	if r.Tool != "" {
		s += " · " + r.Tool
	}
	return s
}

func (f frameText) height(p *plot) (above, below int) {
	if f.title == "" {
		return 0, 0
	}
	title := wrap(f.title, p.o.Width-2*frameLeft, titleSize)
	conditions := wrap(f.conditions, p.o.Width-2*frameLeft, conditionSize)
	return 18 + len(title)*(titleSize+6) + len(conditions)*(conditionSize+5) + 8, sourceSize + 18
}

func (f frameText) draw(p *plot, m object, above int) {
	if f.title == "" {
		return
	}
	title := wrap(f.title, p.o.Width-2*frameLeft, titleSize)
	conditions := wrap(f.conditions, p.o.Width-2*frameLeft, conditionSize)
	m["title"] = object{
		"show": true, "left": frameLeft, "top": 16, "padding": 0, "itemGap": 8,
		"text": strings.Join(title, "\n"), "textStyle": object{"color": p.theme.ink, "fontSize": titleSize, "lineHeight": titleSize + 6, "fontWeight": 600},
		"subtext": strings.Join(conditions, "\n"), "subtextStyle": object{"color": p.theme.soft, "fontSize": conditionSize, "lineHeight": conditionSize + 5},
	}
	m["graphic"] = []object{{
		"type": "text", "left": frameLeft, "bottom": 10, "silent": true,
		"style": object{"text": wrap(f.source, p.o.Width-2*frameLeft, sourceSize)[0], "fill": p.theme.soft, "fontSize": sourceSize, "fontFamily": fontFamily},
	}}
}

// wrap breaks text into lines that fit a width in pixels; a glyph is taken as 0.53 of the font size wide, which is generous for Latin text.
func wrap(text string, width, size int) []string {
	most := max(int(float64(width)/(0.53*float64(size))), 8)
	lines, at := []string{""}, 0
	for _, word := range strings.Fields(text) {
		if n := len([]rune(lines[at])) + 1 + len([]rune(word)); lines[at] != "" && n > most {
			lines, at = append(lines, ""), at+1
		}
		if lines[at] != "" {
			lines[at] += " "
		}
		lines[at] += word
	}
	return lines
}

func px(n int) string { return strconv.Itoa(n) + "px" }

// Describe says in words what a chart of the report shows, for those who do not see it.
func Describe(r *report.Report, view string) string {
	parts := []string{Headline(r)}
	for _, s := range r.Series {
		if s.Peak != nil {
			parts = append(parts, fmt.Sprintf("%s: highest at %d clients with %.0f %s.", s.Label, s.Peak.Clients, s.Peak.TPS, unit(r)))
		}
	}
	parts = append(parts, "View: "+view+".", Conditions(r), Source(r))
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}
