package table

import (
	"bytes"
	"slices"
	"strings"

	"pgknee/analysis/source"
)

// frame tells whether a line is the upper edge of a framed table: +-----+-----+.
func frame(t []byte) bool {
	t = bytes.TrimSpace(t)
	return len(t) > 4 && (t[0] == '+' && t[1] == '-' && t[len(t)-1] == '+' || bytes.HasPrefix(t, []byte("┌"))) && isRule(string(t))
}

// claimPipe finds Markdown, psql and framed tables.
func claimPipe(lines []source.Line) (*grid, int) {
	if len(lines) > probe {
		if g, _ := claimPipe(lines[:probe]); g == nil {
			return nil, 0
		}
	}
	g := &grid{sep: byPipe}
	rules, n := 0, 0
	framed := frame(lines[0].Text)
	var all []row
	for n < len(lines) {
		text := string(lines[n].Text)
		if strings.HasPrefix(strings.TrimSpace(text), "||") { // the headings of a wiki
			if len(all) == 0 && g.header == nil {
				g.header = &row{lines[n].No, text, splitPipe(strings.ReplaceAll(text, "||", "|"))}
				n++
				continue
			}
			break
		}
		bar := strings.IndexByte(text, '|') >= 0 || strings.Contains(text, "│")
		switch {
		case isRule(text) && (bar || strings.IndexByte(text, '+') >= 0 || strings.ContainsAny(text, "┼├└┌╞") || len(all) == 1):
			rules++
			if g.header == nil && len(all) > 0 {
				all = headRow(all)
				g.header, all = &all[0], nil
			}
		case bar:
			all = append(all, row{lines[n].No, text, splitPipe(text)})
		default:
			next := n + 1
			goOn := next < len(lines) && len(all) > 0 && len(bytes.TrimSpace(lines[n].Text)) > 0 && bytes.IndexByte(lines[next].Text, '|') >= 0 && len(splitPipe(string(lines[next].Text))) == len(all[0].cells) && !isRule(string(lines[min(next+1, len(lines)-1)].Text))
			if !goOn {
				goto done
			}
			g.junk = append(g.junk, lines[n])
		}
		n++
	}
done:
	if g.header == nil && (len(all) < 2 || rules == 0 && !looksHeadless(all)) {
		return nil, 0
	}
	if rules == 0 && len(all) > 2 && sameWidth(all) && !numericRow(all[0]) {
		g.header, all = &all[0], all[1:]
	}
	if g.header == nil && len(all) == 0 || framed && rules < 2 {
		return nil, 0
	}
	if g.header != nil && len(all) > 0 && len(g.header.cells)+1 == len(all[0].cells) && barFirst(g.header.text) && !barFirst(all[0].text) {
		h := *g.header
		h.cells = slices.Insert(slices.Clone(h.cells), 0, cell{"", 1}) // the corner is empty: the bar is no frame
		g.header = &h
	}
	if g.header != nil && len(all) > 1 {
		if h := headBelow(*g.header, all[0]); h != nil {
			g.header, all = h, all[1:]
		}
	}
	if i := len(all) - 1; i > 0 && n == len(lines) && barFirst(all[i].text) && barLast(all[0].text) && !barLast(all[i].text) && len(all[i].cells) > 1 && len(all[i].cells) <= len(all[0].cells) {
		last := len(all[i].cells) - 1 // the text was cut off within its last cell
		g.torn = &row{all[i].line, all[i].text, all[i].cells[last:]}
		all[i].cells = all[i].cells[:last]
	}
	g.rows = all
	g.finish()
	return g, n
}

func barLast(text string) bool { return strings.HasSuffix(strings.TrimRight(text, " \t"), "|") }

func barFirst(text string) bool { return strings.HasPrefix(strings.TrimLeft(text, " \t"), "|") }

// headBelow joins a heading with the first row below its rule where that is one more line of it, as Markdown allows only one: names
// over groups of columns, what is measured in the row below.
func headBelow(head, r row) *row {
	if len(r.cells) != len(head.cells) || namedHeader(head) && !hasBlank(head) && r.cells[0].text != "" {
		return nil
	}
	rates := false
	for _, c := range r.cells {
		if isNumeric(c.text) {
			return nil
		}
		h := readHeading(c.text)
		rates = rates || h.role == throughput && h.label == ""
	}
	if r.cells[0].text == "" && slices.ContainsFunc(head.cells, func(c cell) bool { return readHeading(c.text).role == throughput }) {
		rates = true
	}
	if !rates {
		return nil
	}
	return &headRow([]row{head, r})[0]
}

func hasBlank(r row) bool {
	return slices.ContainsFunc(r.cells[1:], func(c cell) bool { return c.text == "" })
}

// headRow joins the lines of a heading that takes several of them.
func headRow(rows []row) []row {
	if len(rows) == 1 {
		return rows
	}
	out := rows[len(rows)-1]
	out.cells = append([]cell(nil), out.cells...)
	for i := len(rows) - 2; i >= 0; i-- {
		if len(rows[i].cells) < len(out.cells) && barsOver(rows[i].text, rows[len(rows)-1].text) {
			rows[i].cells = spanned(rows[i].text, out.cells)
		}
		if len(rows[i].cells) != len(out.cells) {
			continue
		}
		group := ""
		for k, c := range rows[i].cells {
			if c.text == "" && k > 1 && out.cells[k].text != "" {
				c.text = group // it spans this column too
			}
			group = c.text
			if c.text != out.cells[k].text { // else one cell that takes both rows
				out.cells[k].text = strings.TrimSpace(c.text + " " + out.cells[k].text)
			}
		}
	}
	return []row{out}
}

// mergedHead makes one heading of two rows: a group in the first spans columns of the second.
func mergedHead(rows []row) []row {
	if len(rows) < 3 || numericRow(rows[0]) || numericRow(rows[1]) || !numericRow(rows[2]) || len(rows[0].cells) != len(rows[1].cells) {
		return rows
	}
	spans, rates := false, false
	for k, c := range rows[0].cells {
		below := rows[1].cells[k].text
		spans = spans || k > 0 && below != "" && rows[0].cells[k-1].text != "" && (c.text == "" && k > 1 || c.text == rows[0].cells[k-1].text)
		rates = rates || readHeading(below).role == throughput || readHeading(c.text).role == throughput
	}
	if !spans || !rates {
		return rows
	}
	return append(headRow(rows[:2]), rows[2:]...)
}

// barsOver tells whether the bars of a line all stand over bars of the one below, which has more of them.
func barsOver(a, b string) bool {
	n := strings.Count(a, "|")
	if n == 0 || n >= strings.Count(b, "|") {
		return false
	}
	for i := range len(a) {
		if a[i] == '|' && (i >= len(b) || b[i] != '|') {
			return false
		}
	}
	return true
}

// spanned repeats the cells of a heading over all the columns that stand between their bars.
func spanned(group string, below []cell) []cell {
	parts := strings.Split(group, "|")
	out := make([]cell, len(below))
	for k, c := range below {
		j := strings.Count(group[:min(len(group), max(c.at-1, 0))], "|")
		out[k] = cell{strings.TrimSpace(parts[j]), c.at}
	}
	return out
}

// looksHeadless tells whether rows with bars and without a rule are a table at all.
func looksHeadless(rows []row) bool {
	if len(rows[0].cells) < 2 {
		return false
	}
	n := 0
	for _, r := range rows[1:] {
		if len(r.cells) == len(rows[0].cells) {
			n++
		}
	}
	return 2*n > len(rows)
}
