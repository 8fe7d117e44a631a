package table

import (
	"bytes"
	"slices"
	"strings"

	"pgknee/analysis/source"
)

// claimRecords finds rows that are written one value a line: the expanded output of psql (-[ RECORD 1 ]-), or a YAML list of maps.
func claimRecords(lines []source.Line) (*grid, int) {
	t := bytes.TrimSpace(lines[0].Text)
	psql := bytes.HasPrefix(t, []byte("-[ RECORD "))
	if !psql && !(len(t) > 3 && t[0] == '-' && t[1] == ' ' && yamlField(string(t[2:])) != nil) {
		return nil, 0
	}
	indent := indentOf(lines[0].Text)
	d := &dicts{index: map[string]int{}}
	n := 0
	for n < len(lines) && len(d.rows) < 100_000 {
		if n == probe && !slices.ContainsFunc(d.keys, func(k string) bool { return namedHeader(row{0, "", []cell{{k, 1}}}) }) {
			return nil, 0
		}
		text := string(lines[n].Text)
		s := strings.TrimSpace(text)
		var f []string
		switch {
		case psql && strings.HasPrefix(s, "-[ RECORD "):
			d.rows = append(d.rows, dictRow{line: lines[n].No, text: s})
			n++
			continue
		case psql:
			name, value, ok := strings.Cut(s, "|")
			if !ok {
				goto done
			}
			f = []string{strings.TrimSpace(name), strings.TrimSpace(value)}
		case strings.HasPrefix(s, "- ") && indentOf(lines[n].Text) == indent:
			d.rows = append(d.rows, dictRow{line: lines[n].No, text: s})
			f = yamlField(s[2:])
		case indentOf(lines[n].Text) > indent:
			f = yamlField(s)
		}
		if f == nil {
			goto done
		}
		if f[1] != "" { // a name without a value heads what is nested in it
			if len(d.keys) == 200 && d.index[f[0]] == 0 {
				return nil, 0
			}
			if _, ok := d.index[f[0]]; !ok {
				d.index[f[0]] = len(d.keys)
				d.keys = append(d.keys, f[0])
			}
			r := &d.rows[len(d.rows)-1]
			r.fields = append(r.fields, field{f[0], f[1], lines[n].No, strings.LastIndex(text, f[1]) + 1})
		}
		n++
	}
done:
	if len(d.rows) < 2 || len(d.keys) < 2 || !slices.ContainsFunc(d.rows, func(r dictRow) bool { return len(r.fields) > 1 }) {
		return nil, 0
	}
	g := d.grid(lines[0].No)
	if !namedHeader(*g.header) || len(d.keys) > 4 && len(d.keys)*2 > len(d.rows)*len(d.rows[0].fields) {
		return nil, 0 // items of a list, each with a name of its own
	}
	return g, n
}

// claimFigures finds a figure a line, each behind its name: "- Clients: 50", "- **TPS**: 9,120". Clients and a throughput must be among
// them.
func claimFigures(lines []source.Line) (*grid, int) {
	g := &grid{sep: byUnit, width: 2, header: &row{lines[0].No, string(lines[0].Text), []cell{{"", 1}, {"", 1}}}}
	keys := map[string]bool{}
	n, other := 0, 0 // other: names in a row that say nothing
	for ; n < min(len(lines), probe) && other < 8 && len(lines[n].Text) < 120; n++ {
		text := string(lines[n].Text)
		i := strings.IndexAny(text, ":=")
		if i < 0 {
			break
		}
		name := strings.Trim(text[:i], " \t-*+•`_")
		value := strings.Trim(text[i+1:], " \t*`_")
		if len(name) > 40 || len(value) > 60 {
			break
		}
		h, key := figureRow(name)
		if key == "" && h.role == clients && h.label == h.text {
			key = "clients"
		}
		if name == "" || value == "" || key != "" && keys[key+h.pct] || key != "" && key != "script" && key != "mode" && !isNumeric(value) {
			break
		}
		if other++; key != "" {
			other = 0
		}
		keys[key+h.pct] = true
		g.rows = append(g.rows, row{lines[n].No, text, []cell{{name, 1}, {value, strings.LastIndex(text, value) + 1}}})
	}
	if !keys["tps"] || !keys["clients"] {
		return nil, 0
	}
	return g, n
}

// claimListTable finds the rows of a list-table of reStructuredText: a cell a line, the first of a row behind "* - ", the others behind
// "- " below it.
func claimListTable(lines []source.Line) (*grid, int) {
	var rows []row
	end := 0
	indent := indentOf(lines[0].Text)
	for n, l := range lines {
		text := string(l.Text)
		s := strings.TrimSpace(text)
		at := indentOf(l.Text)
		switch {
		case s == "":
			continue
		case at == indent && strings.HasPrefix(s, "* - "):
			rows = append(rows, row{l.No, text, []cell{{strings.TrimSpace(s[4:]), at + 5}}})
		case at == indent+2 && (s == "-" || strings.HasPrefix(s, "- ")):
			r := &rows[len(rows)-1]
			r.cells = append(r.cells, cell{strings.TrimSpace(s[1:]), 1}) // it stands on a line of its own
		case at > indent+2:
			r := &rows[len(rows)-1]
			last := &r.cells[len(r.cells)-1]
			last.text = strings.TrimSpace(last.text + " " + s)
		default:
			s = ""
		}
		if s == "" {
			break
		}
		end = n + 1
	}
	if len(rows) < 2 || len(rows[0].cells) < 2 || !sameWidth(rows) {
		return nil, 0
	}
	g := &grid{sep: byUnit, rows: rows, width: len(rows[0].cells)}
	if !numericRow(rows[0]) || namedHeader(rows[0]) {
		g.header, g.rows = &rows[0], rows[1:]
	}
	g.finish()
	return g, end
}

func indentOf(b []byte) int { return len(b) - len(bytes.TrimLeft(b, " ")) }

// yamlField cuts "name: value"; nil if the line is nothing of the kind.
func yamlField(s string) []string {
	name, value, ok := strings.Cut(s, ":")
	if !ok || name == "" || len(name) > 60 || value != "" && value[0] != ' ' || strings.Count(name, " ") > 3 {
		return nil
	}
	return []string{strings.Trim(name, `"'`), strings.Trim(strings.TrimSpace(value), `"'`)}
}

// claimAsciiDoc finds a table between two lines |===, with or without the line of its options above.
func claimAsciiDoc(lines []source.Line) (*grid, int) {
	fence := func(l source.Line) bool {
		t := bytes.TrimSpace(l.Text)
		return len(t) >= 4 && t[0] == '|' && len(bytes.Trim(t[1:], "=")) == 0
	}
	n := 0
	if t := bytes.TrimSpace(lines[0].Text); t[0] == '[' && t[len(t)-1] == ']' {
		n++
	}
	if n == len(lines) || !fence(lines[n]) {
		return nil, 0
	}
	n++
	g := &grid{sep: byUnit}
	var cells []row // each with one cell
	first := 0      // cells before the first blank line, or on the first line with several of them
	several := false
	for ; n < len(lines) && !fence(lines[n]); n++ {
		text := string(lines[n].Text)
		s := strings.TrimSpace(text)
		if s == "" {
			if first == 0 {
				first = len(cells)
			}
			continue
		}
		if s[0] != '|' {
			if len(cells) == 0 {
				return nil, 0
			}
			last := &cells[len(cells)-1].cells[0] // a cell goes on
			last.text += " " + s
			continue
		}
		of := splitPipe(text)
		if len(of) > 1 && !several {
			several = true
			if first == 0 && len(cells) == 0 {
				first = len(of)
			}
		}
		for _, c := range of {
			cells = append(cells, row{lines[n].No, s, []cell{c}})
		}
	}
	if n == len(lines) || first < 2 || len(cells)%first != 0 || len(cells) < 2*first {
		return nil, 0
	}
	for i := 0; i < len(cells); i += first {
		r := row{line: cells[i].line, text: cells[i].text}
		for _, c := range cells[i : i+first] {
			if c.line != r.line {
				c.cells[0].at = 1 // it stands on a line of its own
			}
			r.cells = append(r.cells, c.cells[0])
		}
		g.rows = append(g.rows, r)
	}
	if !numericRow(g.rows[0]) || namedHeader(g.rows[0]) {
		g.header, g.rows = &g.rows[0], g.rows[1:]
	}
	g.width = first
	g.finish()
	return g, n + 1
}

// claimMarkup finds a table of a wiki ({| … |}) or of LaTeX (cells with & between them, rows that end in two backslashes).
func claimMarkup(lines []source.Line) (*grid, int) {
	var rows []row
	n := 0
	wiki := bytes.HasPrefix(bytes.TrimSpace(lines[0].Text), []byte("{|"))
	open := false // a row of the wiki is being gathered
	ended := false
	for ; n < len(lines) && !ended; n++ {
		text := string(lines[n].Text)
		s := strings.TrimSpace(text)
		switch {
		case wiki && strings.HasPrefix(s, "|}"):
			ended = true
		case wiki && (n == 0 || strings.HasPrefix(s, "|-") || strings.HasPrefix(s, "|+")):
			open = false
		case wiki && s != "" && (s[0] == '!' || s[0] == '|'):
			if !open {
				rows = append(rows, row{line: lines[n].No, text: s})
				open = true
			}
			r := &rows[len(rows)-1]
			for _, c := range strings.Split(strings.ReplaceAll(s[1:], "!!", "||"), "||") {
				if _, value, ok := strings.Cut(c, "|"); ok { // attributes stand before the value
					c = value
				}
				r.cells = append(r.cells, cell{strings.TrimSpace(c), 1})
			}
		case !wiki && strings.HasPrefix(s, `\`) && !strings.Contains(s, "&"): // \hline, \midrule
			ended = strings.HasPrefix(s, `\end`)
		case !wiki && strings.Contains(s, "&") && strings.Contains(s, `\\`):
			s = strings.NewReplacer(`\textbf{`, "", "}", "", `\,`, " ", `\%`, "%", `\_`, "_", "$", "").Replace(s[:strings.LastIndex(s, `\\`)])
			rows = append(rows, row{lines[n].No, text, splitAt(s, '&')})
		default:
			ended = true
			n--
		}
	}
	if len(rows) < 3 || len(rows[0].cells) < 2 || numericRow(rows[0]) {
		return nil, 0
	}
	g := &grid{sep: byUnit, header: &rows[0], rows: rows[1:], width: len(rows[0].cells)}
	g.finish()
	return g, n
}
