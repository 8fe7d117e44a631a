package table

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"pgknee/analysis/source"
)

// separator is what stands between the cells of a table.
type separator byte

const (
	byTab       separator = '\t'
	bySemicolon separator = ';'
	byComma     separator = ','
	byPipe      separator = '|'
	byUnit      separator = '\x1f' // cells of an HTML table
	byBlank     separator = ' '    // one or more blanks
	byBlanks    separator = '2'    // two or more blanks, or tabs
)

// Unit separates the cells of a row that was taken out of an HTML table.
const Unit = "\x1f"

// cell is a cell as written.
type cell struct {
	text string
	at   int // column in the line, in bytes, from 1
}

// row is a line of a table.
type row struct {
	line  int
	text  string // the line, for problems
	cells []cell
}

// grid is a table cut into cells; nothing is said about their meaning yet.
type grid struct {
	sep    separator
	header *row
	rows   []row
	legend map[string]string // "col-1" → its name, of tables that number their columns
	junk   []source.Line     // lines within it that are no rows
	narrow []row             // rows with fewer cells than the header that could not be joined
	torn   *row              // the cell within which the text ends
	width  int
	counts bool           // a list of claimCounts
	keys   map[string]int // of JSON: the column of each name
	over   string         // what of it is beyond a limit and not in the rows
	cut    int            // of JSON: the line where a value begins that has no end; 0 for none
}

// blanksGroup tells whether a blank may group thousands in the cells.
func (g *grid) blanksGroup() bool { return g.sep != byBlank }

// isRule tells whether a line only draws: |---|:---:|, ---+---, ======, ├──┼──┤.
func isRule(text string) bool {
	if strings.Contains(text, "<int>") || strings.Contains(text, "<dbl>") {
		return true // the types that R prints below its headings
	}
	n := 0
	for _, r := range text {
		switch r {
		case '-', '=', '─', '═', '━', '_', '.':
			n++
		case '|', '+', ':', ' ', '\t', '┼', '│', '├', '┤', '╪', '╞', '╡', '┌', '┐', '└', '┘', '┬', '┴', '╌', '┃', '╂', '┆', '*':
		default:
			return false
		}
	}
	return n >= 2
}

// isNumeric tells whether a cell holds a number as its first thing.
func isNumeric(text string) bool {
	if plain(text) {
		return text != "" && text != "." && (strings.Count(text, ".") <= 1 || grouped(text, '.'))
	}
	t := clean(text)
	return literal(t, true) > 0 && numberFirst(t)
}

// numberFirst tells whether what follows the number at the beginning may follow a number: a unit, a bracket, a spread, a note.
func numberFirst(t string) bool {
	n := literal(t, true)
	rest := t[n:]
	if rest == "" {
		return true
	}
	if unit, m := unitAt(rest); m > 0 {
		if rest[0] == ' ' || len(unit) <= 3 || timeUnit(unit) > 0 || rateUnit(unit) != "" {
			return true
		}
		_, named := concurrencyWords[strings.ToLower(unit)]
		return named
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return !unicode.IsLetter(r) && r != ':' && r != '_' && !(r == '.' && len(rest) > 1)
}

// probe is how many lines must look like a table before the rest is looked at: a text in which every line could begin a table would
// otherwise be read anew from each of them.
const probe = 48

// claim finds the table that begins with the first line. It gives nil when none does, and the number of lines that it takes.
func claim(lines []source.Line) (*grid, int) {
	if len(lines) == 0 {
		return nil, 0
	}
	t := lines[0].Text
	if len(t) == 0 || len(bytes.TrimSpace(t)) == 0 {
		return nil, 0
	}
	switch first := bytes.TrimLeft(t, " \t"); {
	case len(t) < 8 && bytes.HasPrefix(bytes.Trim(t, `"`), []byte("sep=")): // what a spreadsheet is told
		return nil, 0
	case bytes.IndexByte(t, Unit[0]) >= 0:
		return claimDelimited(lines, byUnit)
	case first[0] == '{' && len(first) > 1 && first[1] == '|', bytes.IndexByte(t, '&') > 0 && bytes.Contains(t, []byte(`\\`)):
		if g, n := claimMarkup(lines); g != nil {
			return g, n
		}
	case first[0] == '[' || bytes.HasPrefix(first, []byte("|===")):
		if g, n := claimAsciiDoc(lines); g != nil {
			return g, n
		}
	case bytes.HasPrefix(first, []byte("* - ")):
		if g, n := claimListTable(lines); g != nil {
			return g, n
		}
	case bytes.HasPrefix(first, []byte("-[ RECORD ")) || bytes.HasPrefix(first, []byte("- ")) && bytes.IndexByte(first, ':') > 0:
		if g, n := claimRecords(lines); g != nil {
			return g, n
		}
	}
	if g, n := claimItems(lines); g != nil {
		return g, n
	}
	if g, n := claimCounts(lines); g != nil {
		return g, n
	}
	if bytes.ContainsAny(t, ":=") {
		if g, n := claimFigures(lines); g != nil {
			return g, n
		}
	}
	switch {
	case bytes.IndexByte(t, '|') >= 0 || bytes.Contains(t, []byte("│")) || frame(t):
		if g, n := claimBenchstat(lines); g != nil {
			return g, n
		}
		if g, n := claimPipe(lines); g != nil {
			return g, n
		}
	}
	lines, t = unlogged(lines)
	if c := bytes.TrimLeft(t, " \t")[0]; c == '{' || c == '[' {
		if g, n := claimDicts(lines); g != nil {
			return g, n
		}
	}
	if g, n := claimLegend(lines); g != nil {
		return g, n
	}
	if g, n := claimPairs(lines); g != nil {
		return g, n
	}
	if len(lines) > 1 && bytes.ContainsAny(t, "\t;,") {
		if g, _ := claimItems(lines[1:]); g != nil {
			return nil, 0 // the line heads a list
		}
	}
	for _, sep := range [...]separator{byTab, bySemicolon, byComma} {
		if bytes.IndexByte(t, byte(sep)) >= 0 {
			if g, n := claimDelimited(lines, sep); g != nil {
				return g, n
			}
		}
	}
	return claimBlank(lines)
}

func sameWidth(rows []row) bool {
	for _, r := range rows {
		if len(r.cells) != len(rows[0].cells) {
			return false
		}
	}
	return true
}

func numericRow(r row) bool {
	n := 0
	for _, c := range r.cells {
		if isNumeric(c.text) {
			n++
		}
	}
	return n > 0 && 2*n >= len(r.cells)
}

// namedHeader tells whether a cell of the row is a known word for concurrency or throughput.
func namedHeader(r row) bool {
	for _, c := range r.cells {
		if isNumeric(c.text) || len(c.text) > 60 {
			continue
		}
		if h := readHeading(c.text); h.role == clients || h.role == throughput {
			return true
		}
	}
	return false
}

func commonWidth(rows []row) int {
	count := map[int]int{}
	best := 0
	for _, r := range rows {
		count[len(r.cells)]++
		if n := len(r.cells); count[n] > count[best] || count[n] == count[best] && n > best {
			best = n
		}
	}
	return best
}

// means keeps the rows of means where a table holds rows of other statistics besides (mmtests: Hmean, Stddev, CoeffVar).
func (g *grid) means() {
	mean, other := 0, 0
	kind := func(r row) int {
		switch strings.ToLower(cellText(r, 0)) {
		case "hmean", "amean", "gmean":
			return 1
		case "stddev", "coeffvar", "min", "max", "ci", "samples":
			return 2
		}
		return 0
	}
	for _, r := range g.rows {
		switch kind(r) {
		case 1:
			mean++
		case 2:
			other++
		}
	}
	if mean > 0 && other > 0 {
		g.rows = slices.DeleteFunc(g.rows, func(r row) bool { return kind(r) == 2 })
	}
}

// finish joins soft-wrapped rows, sets apart what is too narrow, and drops repeated headings.
func (g *grid) finish() {
	if g.width == 0 {
		g.width = commonWidth(g.rows)
		if g.header != nil {
			g.width = len(g.header.cells)
		}
	}
	var rows []row
	for i := 0; i < len(g.rows); i++ {
		r := g.rows[i]
		if g.header != nil && sameCells(r.cells, g.header.cells) {
			continue // the heading again
		}
		if len(r.cells) < g.width && i+1 < len(g.rows) && g.sep != byUnit && !(g.sep == byPipe && strings.HasSuffix(strings.TrimSpace(r.text), "|")) {
			next := g.rows[i+1]
			if k := len(r.cells) + len(next.cells); len(next.cells) < g.width && (k == g.width || k == g.width+1 && g.sep == byPipe) {
				joined := row{r.line, r.text + " ⏎ " + next.text, nil}
				cells := append([]cell(nil), r.cells...)
				next.cells = append([]cell(nil), next.cells...)
				for i := range next.cells {
					next.cells[i].at = 1 // it stands on the next line
				}
				if k == g.width+1 {
					cells[len(cells)-1].text = strings.TrimSpace(cells[len(cells)-1].text + " " + next.cells[0].text)
					next.cells = next.cells[1:]
				}
				joined.cells = append(cells, next.cells...)
				rows = append(rows, joined)
				g.narrow = append(g.narrow, joined)
				i++
				continue
			}
		}
		rows = append(rows, r)
	}
	g.rows = rows
	g.means()
}

func sameCells(a, b []cell) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].text != b[i].text {
			return false
		}
	}
	return true
}
