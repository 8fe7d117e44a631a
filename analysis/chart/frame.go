package chart

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"pgknee/analysis/report"
)

const (
	titleSize, conditionSize, sourceSize = 21, 13, 12
	frameLeft                            = 22
)

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

// source is the line that says what a chart was made from and by what.
func source(r *report.Report) string {
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

// frame is what stands around an exported chart, in lines: the finding as title, the conditions below it, how to read it and the source at
// the foot.
type frame struct{ title, conditions, foot []string }

func (p *plot) frame(r *report.Report) (f frame, above, below int) {
	if !p.o.Frame {
		return f, 0, 0
	}
	width := p.o.Width - 2*frameLeft
	conditions := p.says.What
	if p.says.Title == p.says.What {
		conditions = ""
	}
	if conditions == "" {
		conditions = p.says.Conditions
	} else if p.says.Conditions != "" {
		conditions += " · " + p.says.Conditions
	}
	f.title, f.conditions = wrap(p.says.Title, width, titleSize), wrap(conditions, width, conditionSize)
	if p.says.Note != "" {
		f.foot = wrap(p.says.Note, width, sourceSize)
	}
	f.foot = append(f.foot, wrap(source(r), width, sourceSize)[0])
	return f, 18 + len(f.title)*(titleSize+6) + len(f.conditions)*(conditionSize+5) + 8, len(f.foot)*(sourceSize+5) + 16
}

func (f frame) draw(p *plot, m object) {
	if len(f.title) == 0 {
		return
	}
	m["title"] = object{
		"show": true, "left": frameLeft, "top": 16, "padding": 0, "itemGap": 8,
		"text": strings.Join(f.title, "\n"), "textStyle": object{"color": p.theme.ink, "fontSize": titleSize, "lineHeight": titleSize + 6, "fontWeight": 600},
		"subtext": strings.Join(f.conditions, "\n"), "subtextStyle": object{"color": p.theme.soft, "fontSize": conditionSize, "lineHeight": conditionSize + 5},
	}
	m["graphic"] = []object{{
		"type": "text", "left": frameLeft, "bottom": 12, "silent": true,
		"style": object{"text": strings.Join(f.foot, "\n"), "fill": p.theme.soft, "fontSize": sourceSize, "lineHeight": sourceSize + 5, "fontFamily": fontFamily},
	}}
}

// wrap breaks text into lines that fit a width in pixels, as few and as even as possible. A glyph is taken as 0.56 of the font size wide, which
// is generous for Latin text; large text is bold and wider.
func wrap(text string, width, size int) []string {
	glyph := .56
	if size == titleSize {
		glyph = .64
	}
	most := max(int(float64(width)/(glyph*float64(size))), 8)
	lines := Fold(text, most)
	for n := len(lines); most > 8; most-- {
		narrower := Fold(text, most-1)
		if len(narrower) > n {
			break
		}
		lines = narrower
	}
	return lines
}

// Fold breaks text into lines of at most so many characters, where words allow it.
func Fold(text string, most int) []string {
	lines, at := []string{""}, 0
	for _, word := range strings.Fields(text) {
		if n := utf8.RuneCountInString(lines[at]) + 1 + utf8.RuneCountInString(word); lines[at] != "" && n > most {
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
			parts = append(parts, fmt.Sprintf("%s: highest at %s with %.0f %s.", s.Label, clients(s.Peak.Clients), s.Peak.TPS, unit(r)))
		}
	}
	parts = append(parts, "View: "+view+".", Conditions(r), source(r))
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}
