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
	width  int
	keys   map[string]int // of JSON: the column of each name
	over   string         // what of it is beyond a limit and not in the rows
	cut    int            // of JSON: the line where a value begins that has no end; 0 for none
}

// blanksGroup tells whether a blank may group thousands in the cells.
func (g *grid) blanksGroup() bool { return g.sep != byBlank }

// split cuts a line into cells.
func split(text string, sep separator) []cell {
	switch sep {
	case byBlank:
		return splitBlank(text, 1)
	case byBlanks:
		return splitBlank(text, 2)
	case byPipe:
		return splitPipe(text)
	case byUnit:
		return splitAt(text, Unit[0])
	}
	if strings.IndexByte(text, '"') < 0 {
		return splitAt(text, byte(sep))
	}
	return splitQuoted(text, byte(sep))
}

func splitAt(text string, sep byte) []cell {
	cells := make([]cell, 0, 8)
	for at := 0; ; {
		i := strings.IndexByte(text[at:], sep)
		if i < 0 {
			return append(cells, trimmed(text, at, len(text)))
		}
		cells = append(cells, trimmed(text, at, at+i))
		at += i + 1
	}
}

func trimmed(text string, from, to int) cell {
	for from < to && (text[from] == ' ' || text[from] == '\t') {
		from++
	}
	for to > from && (text[to-1] == ' ' || text[to-1] == '\t') {
		to--
	}
	return cell{text[from:to], from + 1}
}

// splitQuoted cuts as RFC 4180 says: a quote within quotes is doubled. A quote that is never closed takes the rest of the line.
func splitQuoted(text string, sep byte) []cell {
	var cells []cell
	for i := 0; ; {
		for i < len(text) && text[i] == ' ' {
			i++
		}
		if i < len(text) && text[i] == '"' {
			var b strings.Builder
			at := i + 1
			i++
			for i < len(text) {
				if text[i] != '"' {
					b.WriteByte(text[i])
				} else if i+1 < len(text) && text[i+1] == '"' {
					b.WriteByte('"')
					i++
				} else {
					i++
					break
				}
				i++
			}
			cells = append(cells, cell{strings.TrimSpace(b.String()), at + 1})
			for i < len(text) && text[i] != sep {
				i++
			}
		} else {
			j := i
			for j < len(text) && text[j] != sep {
				j++
			}
			cells = append(cells, trimmed(text, i, j))
			i = j
		}
		if i >= len(text) {
			return cells
		}
		i++
	}
}

// splitPipe cuts at bars, also those of box drawing. An escaped bar is none; a leading and a last bar frame the row.
func splitPipe(text string) []cell {
	if strings.ContainsAny(text, "│┃") {
		text = strings.NewReplacer("│", "|", "┃", "|").Replace(text)
	}
	var cells []cell
	at, end := 0, len(text)
	for at < end && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	if at < end && text[at] == '|' {
		at++
	}
	code := false
	for i := at; i < end; i++ {
		switch text[i] {
		case '`':
			code = !code && strings.IndexByte(text[i+1:], '`') >= 0
		case '|':
			if code || i > 0 && text[i-1] == '\\' {
				continue
			}
			cells = append(cells, trimmed(text, at, i))
			at = i + 1
		}
	}
	if c := trimmed(text, at, end); c.text != "" || at == 0 || len(cells) == 0 {
		cells = append(cells, c)
	}
	return cells
}

// splitBlank cuts at runs of at least n blanks. A unit belongs to the number before it; percentages in brackets, and a percentage
// between asterisks, are comments of the number before them; arrows are markers.
func splitBlank(text string, n int) []cell {
	var cells []cell
	for i := 0; i < len(text); {
		for i < len(text) && blankAt(text[i]) {
			i++
		}
		if i == len(text) {
			break
		}
		j := i
		for j < len(text) {
			if blankAt(text[j]) {
				k := j
				for k < len(text) && blankAt(text[k]) {
					k++
				}
				if k-j >= n || text[j] == '\t' || k == len(text) {
					break
				}
				j = k
				continue
			}
			j++
		}
		t := text[i:j]
		i, j = j, i
		if marker(t) {
			continue
		}
		if len(cells) > 0 {
			last := &cells[len(cells)-1]
			if comment(t) {
				continue
			}
			if n == 1 && joins(last.text, t) {
				last.text = text[last.at-1 : i]
				continue
			}
		}
		cells = append(cells, cell{t, j + 1})
	}
	return cells
}

func blankAt(c byte) bool { return c == ' ' || c == '\t' }

// marker tells whether a word only points at the number that follows: ====>, -->, *.
func marker(t string) bool {
	return t != "" && t != "-" && t != "--" && strings.Trim(t, "=-><*~→!^") == ""
}

// comment tells whether a word comments the number before it: (0.95%), ( , 0.95%), 1.16%).
func comment(t string) bool {
	if t == "(" || t == "*" {
		return true
	}
	return strings.HasSuffix(strings.TrimRight(t, "*)"), "%") && (strings.HasPrefix(t, "(") || strings.HasSuffix(t, ")") || strings.HasSuffix(t, "*"))
}

// joins tells whether the word t goes on the cell before it: a unit behind a number, or the parts of "a ± b".
func joins(before, t string) bool {
	if t == "±" || t == "+/-" || strings.HasSuffix(before, "±") || strings.HasSuffix(before, "+/-") || strings.HasPrefix(t, "±") {
		return true
	}
	if before == "" || !digit(before[len(before)-1]) || literal(clean(before), false) == 0 {
		return false
	}
	low := strings.Trim(t, "(),;")
	_, mult := multiplier(low)
	return timeUnit(low) > 0 && len(low) > 1 || low == "s" || rateUnit(low) != "" || sizeUnit(low) && len(low) > 1 || mult && len(low) > 1
}

// isRule tells whether a line only draws: |---|:---:|, ---+---, ======, ├──┼──┤.
func isRule(text string) bool {
	n := 0
	for _, r := range text {
		switch r {
		case '-', '=', '─', '═', '━', '_', '.':
			n++
		case '|', '+', ':', ' ', '\t', '┼', '│', '├', '┤', '╪', '╞', '╡', '┌', '┐', '└', '┘', '┬', '┴', '╌', '┃', '╂', '*':
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
	case bytes.IndexByte(t, Unit[0]) >= 0:
		return claimDelimited(lines, byUnit)
	case first[0] == '{' && len(first) > 1 && first[1] == '|', bytes.IndexByte(t, '&') > 0 && bytes.HasSuffix(bytes.TrimSpace(t), []byte(`\\`)):
		if g, n := claimMarkup(lines); g != nil {
			return g, n
		}
	case first[0] == '[' || bytes.HasPrefix(first, []byte("|===")):
		if g, n := claimAsciiDoc(lines); g != nil {
			return g, n
		}
	case bytes.HasPrefix(first, []byte("-[ RECORD ")) || bytes.HasPrefix(first, []byte("- ")) && bytes.IndexByte(first, ':') > 0:
		if g, n := claimRecords(lines); g != nil {
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
	for _, sep := range [...]separator{byTab, bySemicolon, byComma} {
		if bytes.IndexByte(t, byte(sep)) >= 0 {
			if g, n := claimDelimited(lines, sep); g != nil {
				return g, n
			}
		}
	}
	return claimBlank(lines)
}

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
	if g.header != nil && len(all) > 1 {
		if h := headBelow(*g.header, all[0]); h != nil {
			g.header, all = h, all[1:]
		}
	}
	g.rows = all
	g.finish()
	return g, n
}

// headBelow joins a heading with the first row below its rule where that is one more line of it, as Markdown allows only one: names
// over groups of columns, what is measured in the row below.
func headBelow(head, r row) *row {
	if len(r.cells) != len(head.cells) || namedHeader(head) && !hasBlank(head) {
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
	if !rates {
		return nil
	}
	head.cells = slices.Clone(head.cells)
	for k := range head.cells {
		c := &head.cells[k]
		if c.text == "" && k > 1 && r.cells[k].text != "" {
			c.text = head.cells[k-1].text
		}
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
		for k, c := range rows[i].cells {
			if c.text != out.cells[k].text { // else one cell that takes both rows
				out.cells[k].text = strings.TrimSpace(c.text + " " + out.cells[k].text)
			}
		}
	}
	return []row{out}
}

// twoHeads tells whether two rows are one heading: a group in the first spans columns of the second.
func twoHeads(a, b row) bool {
	spans, below := false, false
	for k := range a.cells {
		spans = spans || k > 0 && a.cells[k].text != "" && a.cells[k].text == a.cells[k-1].text
		below = below || readHeading(b.cells[k].text).role == throughput
	}
	return spans && below
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
		if strings.TrimSpace(text) == "" || strings.IndexByte(text, byte(sep)) < 0 && (sep != byUnit || n == 0) {
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
	if sep == byUnit {
		for _, r := range rows {
			for k := range r.cells {
				r.cells[k].at = 1 // where they stand in the page is not known
			}
		}
		if len(rows) > 2 && !numericRow(rows[0]) && !numericRow(rows[1]) && numericRow(rows[2]) && len(rows[0].cells) == len(rows[1].cells) && twoHeads(rows[0], rows[1]) {
			rows = append(headRow(rows[:2]), rows[2:]...)
		}
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
	if numericRow(rows[0]) && (namedHeader(rows[0]) || sweepHeader(rows[0])) || !numericRow(rows[0]) && headerOver(rows) {
		g.header, rows = &rows[0], rows[1:]
	}
	g.rows = rows
	g.width = width
	g.finish()
	return g, n
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
	return len(r.cells) > 2 && (named == len(r.cells)-1 && !isNumeric(r.cells[0].text) || len(r.cells) > 3 && h.role == series && h.names)
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
		}
		g.rows = append(g.rows, row{lines[n].No, string(lines[n].Text), values})
		n++
	}
	if n < 2 || !namedHeader(*g.header) {
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
	for n < len(lines) {
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

// dataRow cuts a line at blanks and tells whether it can be a row of numbers.
func dataRow(text string) ([]cell, bool) {
	cells := splitBlank(text, 1)
	num, words, groups, inWords := 0, 0, 0, false
	for i, c := range cells {
		switch {
		case isNumeric(c.text):
			num++
			inWords = false
		case c.text == "/" || c.text == "=" || strings.HasSuffix(c.text, ":") && !(num == 0 && len(cells)-i > 3):
			return cells, false // a condition: "scale - 100 / threads - 16"
		case absent(c.text):
			inWords = false
		default:
			words++
			if !inWords {
				groups++
			}
			inWords = true
		}
	}
	if groups > 1 && words > num {
		return cells, false
	}
	return cells, num >= 2 && words <= num+1 && words <= 6 || num == 1 && len(cells) == 1
}

// mostHeadings of columns with blanks between them: a longer line is prose, as a rule.
const mostHeadings = 60

// claimBlank finds tables whose cells are separated by blanks.
func claimBlank(lines []source.Line) (*grid, int) {
	if len(lines) > probe {
		if g, _ := claimBlank(lines[:probe]); g == nil {
			return nil, 0
		}
	}
	text := string(lines[0].Text)
	if len(text) > 2000 {
		return nil, 0
	}
	head, start := headLines(lines)
	if start < 0 || start >= len(lines) {
		return nil, 0
	}
	headText := ""
	expected := 0
	if head != nil {
		if bare := strings.TrimLeft(head.text, " \t"); strings.HasPrefix(bare, "# ") && namedHeader(row{cells: splitBlank(bare[2:], 1)}) {
			head.text = strings.Replace(head.text, "#", " ", 1) // a comment to the program that draws it
		}
		headText = head.text
		expected = len(joinBrackets(splitBlank(headText, 1), headText))
		if two := len(splitBlank(headText, 2)); two > 2 && two < expected {
			if first, ok := dataRow(string(lines[start].Text)); ok && len(first) < two {
				expected = two // headings of several words
			}
		}
	}
	var narrow []row
	var rows []row
	n := start
	gap := false
	for n < len(lines) {
		text := string(lines[n].Text)
		if strings.TrimSpace(text) == "" {
			// rows that are all set apart by blank lines, as some archives deliver them
			if n+1 < len(lines) && (len(rows) == 1 || gap) && len(rows) > 0 {
				if cells, ok := dataRow(string(lines[n+1].Text)); ok && len(cells) == len(rows[0].cells) {
					gap = true
					n++
					continue
				}
			}
			break
		}
		if isRule(text) {
			n++
			continue
		}
		cells, ok := dataRow(text)
		if ok && len(cells) < expected && n+1 < len(lines) && (len(rows) == 0 || len(rows[0].cells) == expected) {
			// a row that was wrapped: the next line completes it
			if more, ok := dataRow(string(lines[n+1].Text)); ok && len(cells)+len(more) == expected {
				for i := range more {
					more[i].at = 1 // it stands on the next line
				}
				r := row{lines[n].No, text, append(cells, more...)}
				r.text += " " + strings.TrimSpace(string(lines[n+1].Text))
				rows, narrow = append(rows, r), append(narrow, r)
				n += 2
				continue
			}
		}
		if ok && head != nil && len(rows) > 0 && len(cells) < len(rows[0].cells) {
			if placed := placeUnder(cells, rows[0].cells); placed != nil { // holes in a row
				rows = append(rows, row{lines[n].No, text, placed})
				n++
				continue
			}
		}
		if !ok || len(rows) > 0 && !alike(rows[len(rows)-1].cells, cells) && !alike2(rows[len(rows)-1].text, text) {
			if head != nil && len(rows) > 0 && sameWords(text, headText) {
				n++ // the heading again
				continue
			}
			break
		}
		rows = append(rows, row{lines[n].No, text, cells})
		n++
	}
	if len(rows) == 0 {
		return nil, 0
	}
	g := &grid{sep: byBlank, rows: rows, narrow: narrow}
	twice := make([]row, len(rows))
	for i, r := range rows {
		twice[i] = row{r.line, r.text, splitBlank(r.text, 2)}
	}
	one, two := sameWidth(rows), sameWidth(twice) && len(twice[0].cells) > 1
	var headTwo, headOne []cell
	if head != nil {
		headTwo, headOne = splitBlank(headText, 2), splitBlank(headText, 1)
	}
	switch {
	case head != nil && head.cells != nil && one && len(head.cells) == len(rows[0].cells):
		g.header = head
	case two && head != nil && len(headTwo) == len(twice[0].cells):
		g.sep, g.rows = byBlanks, twice
		g.header = &row{head.line, headText, headTwo}
	case one:
	case two:
		g.sep, g.rows = byBlanks, twice
	default:
		if head == nil {
			return nil, 0
		}
	}
	g.width = commonWidth(g.rows)
	if head != nil && g.header == nil {
		h := fitHeader(headOne, headTwo, g.width, headText, g.rows[0])
		if h == nil {
			return nil, 0
		}
		g.header = &row{head.line, headText, h}
	}
	named := g.header != nil && namedHeader(*g.header)
	if g.header != nil && !named && (len(rows) < 2 || prose(headText)) {
		return nil, 0
	}
	if g.header == nil && len(rows) < 2 {
		return nil, 0
	}
	g.finish()
	return g, n
}

// placeUnder puts the cells of a row that has too few under those of a full row, by where they begin or end; nil if that is not clear.
func placeUnder(cells, full []cell) []cell {
	out := make([]cell, len(full))
	for k := range out {
		out[k].at = 1
	}
	from := 0
	for _, c := range cells {
		best := -1
		for k := from; k < len(full); k++ {
			if d := abs(c.at + len(c.text) - full[k].at - len(full[k].text)); d <= 1 || c.at == full[k].at {
				best = k
				break
			}
		}
		if best < 0 {
			return nil
		}
		out[best] = c
		from = best + 1
	}
	return out
}

// headLines finds the heading of a table of blanks in its first lines, and where its rows begin. No heading: the first line is a row.
// A negative start: no table begins here. A heading may take two lines: wrapped, or with a name over each column's unit.
func headLines(lines []source.Line) (head *row, start int) {
	text := string(lines[0].Text)
	if cells, ok := dataRow(text); ok {
		if h := readHeading(cells[0].text); h.role == clients && len(cells) > 2 && !isNumeric(cells[0].text) && (isDigits(cells[1].text) || releases(cells[1:])) {
			return &row{lines[0].No, text, nil}, 1 // "clients 1 8 64": the counts are the headings; "clients 9.6 10": the versions
		}
		return nil, 0
	}
	cells := splitBlank(text, 1)
	if len(cells) < 2 && !(len(cells) == 1 && isRule(text)) || len(cells) > mostHeadings {
		return nil, -1
	}
	at := 0
	if isRule(text) { // a rule above the heading
		if at++; at >= len(lines) || isRule(string(lines[at].Text)) {
			return nil, -1
		}
		text = string(lines[at].Text)
	}
	start = at + 1
	skip := func() {
		for start < len(lines) && start < at+4 && isRule(string(lines[start].Text)) {
			start++
		}
	}
	skip()
	row0 := func(i int) bool {
		if i >= len(lines) {
			return false
		}
		_, ok := dataRow(string(lines[i].Text))
		return ok
	}
	switch {
	case row0(start):
		return &row{lines[at].No, text, nil}, start
	case start == at+1 && start+1 < len(lines) && len(bytes.TrimSpace(lines[start].Text)) == 0 && row0(start+1): // a blank line below the heading
		return &row{lines[at].No, text, nil}, start + 1
	case start == at+1 && start+1 < len(lines) && len(bytes.TrimSpace(lines[start].Text)) > 0:
		second := string(lines[start].Text)
		start++
		skip()
		if !row0(start) || prose(second) || prose(text) {
			return nil, -1
		}
		first, _ := dataRow(string(lines[start].Text))
		joined := text + " " + strings.TrimSpace(second)
		if n := len(joinBrackets(splitBlank(joined, 1), joined)); n == len(first) && strings.HasPrefix(strings.TrimSpace(second), "(") {
			return &row{lines[at].No, joined, nil}, start
		}
		if two := splitBlank(second, 1); len(two) == len(first) {
			if namedHeader(row{cells: two}) && len(splitBlank(text, 2)) < len(first) {
				return &row{lines[at].No, second, over(splitBlank(text, 2), two)}, start
			}
		}
	}
	return nil, -1
}

// releases tells whether cells hold versions of PostgreSQL, all different, and nothing else: 9.6, 10, 17beta1, 16.3.
func releases(cells []cell) bool {
	seen := map[string]bool{}
	for _, c := range cells {
		major, rest := 0, c.text
		for rest != "" && digit(rest[0]) && major < 100 {
			major, rest = 10*major+int(rest[0]-'0'), rest[1:]
		}
		minor, dotted := strings.CutPrefix(rest, ".")
		switch {
		case major < 6 || major > 99 || seen[c.text]:
			return false
		case rest == "" || rest == "devel":
		case dotted && len(minor) < 3 && isDigits(minor): // 9.6, 16.3
		case dotted && major < 10 && minor != "" && len(minor) < 5 && minor[0] != '.' && isDigits(strings.Replace(minor, ".", "", 1)): // 9.6.24
		case strings.HasPrefix(rest, "alpha"), strings.HasPrefix(rest, "beta"), strings.HasPrefix(rest, "rc"):
		default:
			return false
		}
		seen[c.text] = true
	}
	return true
}

// over puts the names of the upper line of a heading in front of the nearest cells of the lower line, each name over all the cells
// that lie nearer to it than to another.
func over(upper, lower []cell) []cell {
	out := append([]cell(nil), lower...)
	for k, c := range out {
		best, dist := -1, 1<<30
		for i, u := range upper {
			from, to := u.at, u.at+len(u.text)
			d := 0
			switch {
			case c.at+len(c.text) < from:
				d = from - c.at - len(c.text)
			case c.at > to:
				d = c.at - to
			}
			if d < dist {
				best, dist = i, d
			}
		}
		if best >= 0 && dist <= 6 && readHeading(c.text).role != clients {
			out[k].text = upper[best].text + " " + c.text
		}
	}
	return out
}

func sameWords(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] {
			return false
		}
	}
	return true
}

// prose tells whether a line reads like a sentence rather than a heading over columns.
func prose(s string) bool {
	s = strings.TrimSpace(s)
	if s == "" {
		return false
	}
	return strings.Count(s, " ") > 5 && strings.Count(s, "  ") == 0 || strings.HasSuffix(s, ".") || strings.HasSuffix(s, ":")
}

// alike tells whether two rows can belong to one table: as many cells, numbers under numbers.
func alike(a, b []cell) bool {
	if len(a) != len(b) {
		return false
	}
	same := 0
	for i := range a {
		if isNumeric(a[i].text) == isNumeric(b[i].text) || absent(a[i].text) || absent(b[i].text) {
			same++
		}
	}
	return same == len(a) || len(a) > 3 && same >= len(a)-1
}

// alike2 is alike for rows that are cut at two blanks and more.
func alike2(a, b string) bool {
	x, y := splitBlank(a, 2), splitBlank(b, 2)
	return len(x) > 1 && len(x) == len(y) && alike(x, y)
}

// fitHeader brings the words of a heading line into as many cells as the rows have. It tries, in this order: the words as they are,
// words in brackets drawn to the word before them, cells set apart by two blanks, unnamed columns at the left, and which column of
// the first row a word stands over. Nil when nothing fits.
func fitHeader(one, two []cell, width int, text string, first row) []cell {
	if len(one) == width {
		return one
	}
	if joined := joinBrackets(one, text); len(joined) == width {
		return joined
	} else if len(joined) < len(one) {
		one = joined
	}
	if len(two) == width {
		return two
	}
	if joined := joinUnits(one, text); len(joined) == width {
		return joined
	}
	left := func(cells []cell) []cell {
		pad := make([]cell, width-len(cells), width)
		for i := range pad {
			pad[i].at = 1
		}
		return append(pad, cells...)
	}
	for _, cells := range [][]cell{one, two} {
		if k := width - len(cells); k > 0 && k <= 2 && len(cells) >= 2 {
			return left(cells)
		}
	}
	if len(first.cells) != width {
		return nil
	}
	// Which column does a word stand over? Numbers are set flush right, so the ends count; else the nearest centre.
	out := make([]cell, width)
	for _, c := range one {
		best, dist := -1, 1<<30
		for k, f := range first.cells {
			d := abs((c.at + len(c.text)) - (f.at + len(f.text)))
			if e := abs((2*c.at+len(c.text))-(2*f.at+len(f.text))) / 2; e < d {
				d = e
			}
			if d < dist {
				best, dist = k, d
			}
		}
		if dist > 14 {
			return nil
		}
		if out[best].text == "" {
			out[best] = c
		} else {
			out[best].text += " " + c.text
		}
	}
	for k := 1; k < width; k++ {
		if out[k].text == "" {
			return nil
		}
	}
	return out
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// joinBrackets draws words in brackets to the word before them: "v13Beta1 (track_planning=off)" is one heading.
func joinBrackets(cells []cell, text string) []cell {
	var out []cell
	open := false
	for _, c := range cells {
		if len(out) > 0 && (open || strings.HasPrefix(c.text, "(") || strings.HasPrefix(c.text, "[")) {
			last := &out[len(out)-1]
			last.text = text[last.at-1 : c.at-1+len(c.text)]
		} else {
			out = append(out, c)
		}
		open = strings.Count(out[len(out)-1].text, "(") > strings.Count(out[len(out)-1].text, ")")
	}
	return out
}

// joinUnits draws words that say only what a number is (tps, ms, avg) to the name before them: "v12 tps" is one heading.
func joinUnits(cells []cell, text string) []cell {
	var out []cell
	for i, c := range cells {
		h := readHeading(c.text)
		if i > 0 && len(out) > 0 && (h.role == throughput || h.role == latency) && h.label == "" && readHeading(out[len(out)-1].text).role == unknown {
			last := &out[len(out)-1]
			last.text = text[last.at-1 : c.at-1+len(c.text)]
			continue
		}
		out = append(out, c)
	}
	return out
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
