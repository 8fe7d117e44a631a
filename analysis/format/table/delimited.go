package table

import (
	"bytes"
	"slices"
	"strings"

	"pgknee/analysis/source"
)

// claimDelimited finds tables whose cells are separated by a character that is no blank.
func claimDelimited(lines []source.Line, sep separator) (*grid, int) {
	if len(lines) > probe {
		if g, _ := claimDelimited(lines[:probe], sep); g == nil {
			return nil, 0
		}
	}
	g := &grid{sep: sep}
	first := split(string(lines[0].Text), sep)
	if len(first) < 2 && sep != byUnit {
		return nil, 0
	}
	var rows []row
	n, numeric := 0, 0
	for n < len(lines) {
		text := string(lines[n].Text)
		cutOff := n > 1 && n+1 < len(lines) && isNumeric(text) && bytes.IndexByte(lines[n+1].Text, byte(sep)) >= 0
		if strings.TrimSpace(text) == "" || strings.IndexByte(text, byte(sep)) < 0 && (sep != byUnit || n == 0) && !cutOff {
			break
		}
		if isRule(text) && sep != byUnit {
			n++
			continue
		}
		r := row{lines[n].No, text, split(text, sep)}
		if numericRow(r) {
			numeric++
		}
		rows = append(rows, r)
		n++
	}
	width := commonWidth(rows)
	if sep != byUnit && width > 2 && rows[0].cells[0].text != "" && !slices.ContainsFunc(rows[0].cells[1:], func(c cell) bool { return c.text != "" }) {
		return nil, 0 // a title
	}
	if sep == byComma && width > 1 {
		cutNames(rows)
		first, width = rows[0].cells, commonWidth(rows)
	}
	if sep == byUnit {
		for _, r := range rows {
			for k := range r.cells {
				r.cells[k].at = 1 // where they stand in the page is not known
			}
		}
		rows = mergedHead(rows)
		if len(rows) > 0 && !numericRow(rows[0]) {
			g.header, rows = &rows[0], rows[1:]
		}
		g.rows = rows
		g.finish()
		return g, n
	}
	if len(rows) < 2 || width < 2 || len(first) != width && numeric < 2 {
		return nil, 0
	}
	fit, prose := 0, 0
	for _, r := range rows {
		if len(r.cells) == width {
			fit++
		}
		for _, c := range r.cells {
			if len(c.text) > 60 || strings.Count(c.text, " ") > 6 {
				prose++
				break
			}
		}
	}
	if named := namedHeader(rows[0]); 5*fit < 4*len(rows) && !(named && 2*fit >= len(rows)) || 2*prose > len(rows) || numeric*2 < len(rows)-1 && !anyNumericColumn(rows, width) {
		return nil, 0
	}
	if len(first) != width {
		return nil, 0
	}
	if sep == byComma && decimalCommas(rows) {
		return nil, 0
	}
	rows = mergedHead(rows)
	if numericRow(rows[0]) && (namedHeader(rows[0]) || sweepHeader(rows[0])) || !numericRow(rows[0]) && headerOver(rows) {
		g.header, rows = &rows[0], rows[1:]
	}
	g.rows = rows
	g.width = width
	g.finish()
	return g, n
}

// cutNames sets apart the names that stand before colons in the first cells of all rows: "clients: 1, 8, 32" over "master: 1204, 8810".
func cutNames(rows []row) {
	for _, r := range rows {
		name, value, ok := strings.Cut(r.cells[0].text, ": ")
		if !ok || isNumeric(name) || !isNumeric(value) {
			return
		}
	}
	for i := range rows {
		c := rows[i].cells[0]
		name, value, _ := strings.Cut(c.text, ": ")
		rows[i].cells = append([]cell{{name, c.at}, {strings.TrimSpace(value), c.at + len(name) + 2}}, rows[i].cells[1:]...)
	}
}

// decimalCommas tells whether the commas that would separate cells are rather marks within numbers: text like "64 381,778 371,782".
func decimalCommas(rows []row) bool {
	for _, r := range rows {
		for _, c := range r.cells {
			if i := strings.IndexAny(strings.TrimSpace(c.text), " \t"); i > 0 && numericWords(c.text) >= 2 {
				return true
			}
		}
	}
	return false
}

func numericWords(s string) int {
	n := 0
	for _, w := range strings.Fields(s) {
		if isNumeric(w) {
			n++
		}
	}
	return n
}

// sweepHeader tells whether a row lists the numbers of clients behind a word for what its columns are of: "version, 1, 4, 16".
func sweepHeader(r row) bool {
	last, named := 0, 0
	for _, c := range r.cells[1:] {
		n, ok := countOf(c.text, marks{})
		if !ok || n <= last {
			return false
		}
		last = n
		if !isDigits(c.text) {
			named++
		}
	}
	h := readHeading(r.cells[0].text)
	return len(r.cells) > 2 && (named == len(r.cells)-1 && !isNumeric(r.cells[0].text) || len(r.cells) > 3 && (h.role == series && h.names || h.role == latency || h.role == throughput))
}

// headerOver tells whether the first row names what stands below it: a column whose first cell is text and whose others are numbers.
func headerOver(rows []row) bool {
	if namedHeader(rows[0]) {
		return true
	}
	for k, c := range rows[0].cells {
		if isNumeric(c.text) {
			continue
		}
		num, all := 0, 0
		for _, r := range rows[1:min(len(rows), 50)] {
			if k < len(r.cells) && r.cells[k].text != "" {
				all++
				if isNumeric(r.cells[k].text) {
					num++
				}
			}
		}
		if all > 0 && 2*num > all {
			return true
		}
	}
	return false
}

func anyNumericColumn(rows []row, width int) bool {
	for k := range width {
		num := 0
		for _, r := range rows[1:] {
			if k < len(r.cells) && isNumeric(r.cells[k].text) {
				num++
			}
		}
		if num > 0 && 3*num >= 2*(len(rows)-1) {
			return true
		}
	}
	return false
}
