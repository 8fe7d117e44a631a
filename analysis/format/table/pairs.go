package table

import (
	"bytes"
	"slices"
	"strings"

	"pgknee/analysis/source"
)

// claimPairs finds lines that name each of their values: "c=8 tps=8810.2 lat=0.91ms", "clients: 8  tps: 8810.2". All lines have the
// same names.
func claimPairs(lines []source.Line) (*grid, int) {
	var g *grid
	n := 0
	for n < len(lines) {
		names, values := pairs(string(lines[n].Text))
		if len(names) < 2 || g != nil && !slices.EqualFunc(names, g.header.cells, func(a, b cell) bool { return a.text == b.text }) {
			break
		}
		if g == nil {
			g = &grid{sep: byUnit, width: len(names), header: &row{lines[0].No, string(lines[0].Text), names}}
			if !namedHeader(*g.header) {
				return nil, 0
			}
		}
		g.rows = append(g.rows, row{lines[n].No, string(lines[n].Text), values})
		n++
	}
	if n < 2 {
		return nil, 0
	}
	return g, n
}

// pairs cuts a line into names and values; nothing if anything else stands on it.
func pairs(text string) (names, values []cell) {
	if len(text) > 500 || strings.IndexByte(text, '=') < 0 && strings.IndexByte(text, ':') < 0 {
		return nil, nil
	}
	words := splitBlank(pairMarks.Replace(text), 1)
	for i := 0; i < len(words); i++ {
		w := words[i]
		mark := strings.IndexAny(w.text, "=:")
		if mark < 1 {
			return nil, nil
		}
		value := cell{w.text[mark+1:], w.at + mark + 1}
		if value.text == "" {
			if i++; i == len(words) {
				return nil, nil
			}
			value = words[i]
		}
		names, values = append(names, cell{w.text[:mark], w.at}), append(values, value)
	}
	return names, values
}

// pairMarks draws names and values together and sets pairs apart, without moving what follows.
var pairMarks = strings.NewReplacer(",", " ", ";", " ", " = ", "=  ", " : ", ":  ")

// claimLegend finds tables that number their columns and name the numbers above: "col-1 : name" lines, a blank line, the columns.
func claimLegend(lines []source.Line) (*grid, int) {
	legend := map[string]string{}
	n := 0
	for n < min(len(lines), probe) {
		name, value, ok := strings.Cut(string(lines[n].Text), " : ")
		name = strings.TrimSpace(name)
		if !ok || name == "" || strings.IndexByte(name, ' ') >= 0 || strings.TrimSpace(value) == "" {
			break
		}
		legend[name] = strings.TrimSpace(value)
		n++
	}
	if len(legend) == 0 {
		return nil, 0
	}
	for n < len(lines) && len(bytes.TrimSpace(lines[n].Text)) == 0 {
		n++
	}
	if n == len(lines) {
		return nil, 0
	}
	var g *grid
	for n < len(lines) {
		head := split(string(lines[n].Text), byTab)
		known := 0
		for _, c := range head {
			if legend[c.text] != "" {
				known++
			}
		}
		if known < 1 || known < len(head)-1 {
			break
		}
		if g == nil {
			g = &grid{sep: byTab, legend: legend, header: &row{lines[n].No, string(lines[n].Text), head}}
		}
		n++
		for n < len(lines) && bytes.IndexByte(lines[n].Text, '\t') >= 0 {
			text := string(lines[n].Text)
			g.rows = append(g.rows, row{lines[n].No, text, split(text, byTab)})
			n++
		}
		for n+1 < len(lines) && len(bytes.TrimSpace(lines[n].Text)) == 0 && bytes.IndexByte(lines[n+1].Text, '\t') >= 0 {
			n++
		}
	}
	if g == nil || len(g.rows) == 0 {
		return nil, 0
	}
	g.width = commonWidth(g.rows)
	if len(g.header.cells) < g.width {
		h := *g.header
		for len(h.cells) < g.width {
			h.cells = append(h.cells, cell{"", len(h.text) + 1})
		}
		g.header = &h
	}
	return g, n
}
