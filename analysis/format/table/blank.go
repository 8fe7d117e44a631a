package table

import (
	"bytes"
	"slices"
	"strings"

	"pgknee/analysis/source"
)

// dataRow cuts a line at blanks and tells whether it can be a row of numbers.
func dataRow(text string) ([]cell, bool) {
	cells := splitBlank(text, 1)
	num, words, groups, inWords := 0, 0, 0, false
	for i, c := range cells {
		switch {
		case isNumeric(c.text) && !strings.HasPrefix(c.text, "00"): // 0001 names a patch
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
	return cells, num >= 2 && words <= num+1 && words <= 6 || num == 1 && len(cells) == 1 || num == 1 && len(cells) == 2 && isFused(cells[0].text)
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
	wrapped := map[int]int{} // lines that the next one completes, and how long they are
	var rows []row
	var last row // that holds no message in the place of a number
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
				wrapped[r.line] = len(text)
				r.text += " " + strings.TrimSpace(string(lines[n+1].Text))
				rows, narrow, last = append(rows, r), append(narrow, r), r
				n += 2
				continue
			}
		}
		if ok && head != nil && len(rows) > 0 && len(cells) < len(rows[0].cells) {
			if placed := placeUnder(cells, rows[0].cells); placed != nil { // holes in a row
				last = row{lines[n].No, text, placed}
				rows = append(rows, last)
				n++
				continue
			}
		}
		if !ok || len(rows) > 0 && !alike(last.cells, cells) && !alike2(last.text, text) {
			if head != nil && len(rows) > 0 && sameWords(text, headText) {
				n++ // the heading again
				continue
			}
			if len(rows) > 0 && len(cells) == len(rows[0].cells) && isNumeric(cells[0].text) && n+1 < len(lines) {
				// a message in the place of a number: the table goes on below it
				if next, ok := dataRow(string(lines[n+1].Text)); ok && alike(last.cells, next) {
					rows = append(rows, row{lines[n].No, text, cells})
					n++
					continue
				}
			}
			break
		}
		last = row{lines[n].No, text, cells}
		rows = append(rows, last)
		n++
	}
	if len(rows) == 0 {
		return nil, 0
	}
	g := &grid{sep: byBlank, rows: rows, narrow: narrow}
	twice := make([]row, len(rows))
	for i, r := range rows {
		twice[i] = row{r.line, r.text, splitBlank(r.text, 2)}
		for k := range twice[i].cells {
			if end, ok := wrapped[r.line]; ok && twice[i].cells[k].at > end {
				twice[i].cells[k].at = 1
			}
		}
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
		cells = joinBrackets(cells, text)
		if h := readHeading(cells[0].text); (h.role == clients || strings.ContainsAny(h.text, "/\\") && concurrencyWord(h.text)) && len(cells) > 2 && !isNumeric(cells[0].text) && (isDigits(cells[1].text) || releases(cells[1:])) {
			return &row{lines[0].No, text, nil}, 1 // "clients 1 8 64": the counts are the headings; "clients 9.6 10": the versions
		}
		if !slices.ContainsFunc(cells, func(c cell) bool { return isDigits(c.text) || readHeading(c.text).role != clients }) {
			return &row{lines[0].No, text, nil}, 1 // 1 client   8 clients   64 clients
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
	case strings.HasSuffix(strings.TrimSpace(text), ":") && start < len(lines) && readHeading(strings.Fields(string(lines[start].Text) + " -")[0]).role == clients:
		return nil, -1 // the caption of a table whose headings are counts
	case row0(start) && captions(text) && !isNumeric(strings.Fields(string(lines[start].Text))[0]):
		return nil, -1
	case row0(start):
		return &row{lines[at].No, text, nil}, start
	case start == at+1 && start+1 < len(lines) && len(bytes.TrimSpace(lines[start].Text)) == 0 && row0(start+1): // a blank line below the heading
		return &row{lines[at].No, text, nil}, start + 1
	case start == at+1 && start+1 < len(lines) && len(bytes.TrimSpace(lines[start].Text)) > 0:
		second := string(lines[start].Text)
		start++
		skip()
		if level, _ := headingLine(text); level > 0 || !row0(start) || prose(second) || prose(text) {
			return nil, -1
		}
		first, _ := dataRow(string(lines[start].Text))
		joined := text + " " + strings.TrimSpace(second)
		if n := len(joinBrackets(splitBlank(joined, 1), joined)); n == len(first) && strings.HasPrefix(strings.TrimSpace(second), "(") {
			return &row{lines[at].No, joined, nil}, start
		}
		two := splitBlank(second, 1)
		if cells := splitBlank(text, 1); len(two) == 1 && len(cells) == len(first) && namedHeader(row{cells: two}) {
			cells[0] = two[0] // the index of a data frame
			return &row{lines[at].No, text, cells}, start
		}
		if len(two) != len(first) {
			two = splitBlank(second, 2)
		}
		if len(two) == len(first) {
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
		k := width - len(cells)
		if k > 0 && k <= 2 && len(cells) >= 2 && !(strings.Contains(first.text, "  ") && cells[0].at+len(cells[0].text) <= first.cells[k].at && cells[0].at <= first.cells[0].at) {
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
