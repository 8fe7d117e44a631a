package table

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"pgknee/analysis/source"
)

// claimDicts finds rows that are written as data: JSON, lines of JSON, or what Python prints of a list of dicts. A row is an object
// that holds no further ones; what stands in the objects around it belongs to it as well. Bounded in depth and number.
func claimDicts(lines []source.Line) (*grid, int) {
	t := bytes.TrimSpace(lines[0].Text)
	if t[0] != '{' && t[0] != '[' || t[0] == '[' && len(t) > 1 && bytes.IndexByte(t, '{') < 0 {
		return nil, 0
	}
	d := &dicts{index: map[string]int{}}
	n, cut := 0, 0
	for n < len(lines) {
		t := bytes.TrimSpace(lines[n].Text)
		if len(t) == 0 || t[0] != '{' && t[0] != '[' {
			break
		}
		// one value: as many lines as its brackets take
		d.text, d.lines, d.starts = d.text[:0], d.lines[:0], d.starts[:0]
		depth, from := 0, n
		for n < len(lines) && n-from < mostLines && len(d.text) < mostBytes {
			d.lines = append(d.lines, lines[n].No)
			d.starts = append(d.starts, len(d.text))
			d.text = append(append(d.text, lines[n].Text...), '\n')
			depth += balance(lines[n].Text)
			n++
			if depth <= 0 || depth > deepest {
				break // deeper ones are not read: this also bounds how often a line is looked at
			}
		}
		d.at = 0
		before := len(d.rows)
		whole := d.value(nil, 0)
		if depth > 0 && n == len(lines) && len(d.rows) > before {
			cut = lines[from].No
		} else if depth != 0 || !whole || len(d.rows) == before && from == 0 {
			n, d.rows = from, d.rows[:before] // what a broken value held is of lines that are not claimed
			break
		}
	}
	if len(d.rows) == 0 {
		return nil, 0
	}
	g := d.grid(lines[0].No)
	g.keys, g.cut = d.index, cut
	if d.full {
		g.over = fmt.Sprintf("only the first %d objects are read: write an object on each line, with fewer names in it", len(d.rows))
	}
	return g, n
}

// unlogged blanks out what a log prints before the objects in the first lines: "INFO results: {'clients': 4, 'tps': 92.5}".
func unlogged(lines []source.Line) ([]source.Line, []byte) {
	bare := lines
	for n, l := range lines {
		i := bytes.IndexByte(l.Text, '{')
		if i < 1 || len(l.Text) > 4096 || !bytes.HasSuffix(bytes.TrimSpace(l.Text), []byte("}")) || !bytes.Contains(l.Text[i:], []byte("tps")) || bytes.ContainsAny(l.Text[:i], "{[|") {
			break
		}
		if n == 0 {
			bare = slices.Clone(lines)
		}
		bare[n].Text = append(bytes.Repeat([]byte(" "), i), l.Text[i:]...)
	}
	return bare, bare[0].Text
}

// Limits of one JSON value. Values that follow one another, an object on each line, may be any number.
const (
	deepest   = 12
	mostRows  = 100_000
	mostKeys  = 4000
	mostCells = 2_000_000
	mostLines = 400_000
	mostBytes = 16 << 20
)

// record reads a value that follows those of a table: the rows in it, with the table's columns. False if it is no value with rows.
func record(lines []source.Line, keys map[string]int) ([]row, bool) {
	d := &dicts{index: map[string]int{}}
	for _, l := range lines {
		d.lines = append(d.lines, l.No)
		d.starts = append(d.starts, len(d.text))
		d.text = append(append(d.text, l.Text...), '\n')
	}
	if !d.value(nil, 0) || len(d.rows) == 0 {
		return nil, false
	}
	var rows []row
	for _, r := range d.rows {
		rows = append(rows, r.under(keys))
	}
	return rows, true
}

// under puts the fields of a row under the columns of their names; names without a column go.
func (r dictRow) under(keys map[string]int) row {
	cells := make([]cell, len(keys))
	for i := range cells {
		cells[i].at = 1
	}
	for _, f := range r.fields {
		k, ok := keys[f.key]
		if !ok {
			continue
		}
		cells[k] = cell{f.value, 1}
		if f.line == r.line {
			cells[k].at = f.column
		}
	}
	return row{line: r.line, text: r.text, cells: cells}
}

// grid makes a table of the rows, with a column for every name.
func (d *dicts) grid(line int) *grid {
	g := &grid{sep: byUnit, header: &row{line: line, text: strings.Join(d.keys, ","), cells: make([]cell, len(d.keys))}, width: len(d.keys)}
	for i, k := range d.keys {
		g.header.cells[i] = cell{k, 1}
	}
	for _, r := range d.rows {
		g.rows = append(g.rows, r.under(d.index))
	}
	return g
}

// balance counts brackets, those in quotes aside.
func balance(t []byte) int {
	depth := 0
	brackets(t, func(_, step int) bool {
		depth += step
		return true
	})
	return depth
}

// brackets calls for each opening (+1) and closing (-1) bracket that stands in no quotes, until it is told to stop.
func brackets(t []byte, do func(at, step int) bool) {
	var quote byte
	for i := 0; i < len(t); i++ {
		step := 0
		switch c := t[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '{' || c == '[':
			step = 1
		case c == '}' || c == ']':
			step = -1
		}
		if step != 0 && !do(i, step) {
			return
		}
	}
}

type field struct {
	key, value   string
	line, column int
}

type dictRow struct {
	line   int
	text   string
	fields []field
}

type dicts struct {
	text   []byte
	lines  []int // numbers of the lines in text
	starts []int // where they begin
	at     int
	keys   []string
	index  map[string]int
	rows   []dictRow
	full   bool // more came than mostRows or mostCells
}

func (d *dicts) place(at int) (line, column int, text string) {
	i, _ := slices.BinarySearch(d.starts, at+1)
	i = max(i-1, 0)
	end := len(d.text)
	if i+1 < len(d.starts) {
		end = d.starts[i+1]
	}
	return d.lines[i], at - d.starts[i] + 1, strings.TrimSpace(string(d.text[d.starts[i]:min(end, d.starts[i]+200)]))
}

func (d *dicts) blanks() {
	for d.at < len(d.text) && (d.text[d.at] == ' ' || d.text[d.at] == '\t' || d.text[d.at] == '\n' || d.text[d.at] == ',') {
		d.at++
	}
}

// value reads an object or array. Fields of the objects around it are given; it tells whether it could be read.
func (d *dicts) value(around []field, depth int) bool {
	d.blanks()
	if depth > deepest || d.at >= len(d.text) {
		return false
	}
	switch d.text[d.at] {
	case '[':
		d.at++
		for {
			d.blanks()
			if d.at >= len(d.text) {
				return false
			}
			switch d.text[d.at] {
			case ']':
				d.at++
				return true
			case '{', '[':
				if !d.value(around, depth+1) {
					return false
				}
			default:
				if _, _, ok := d.scalar(); !ok {
					return false
				}
			}
		}
	case '{':
		o := object{start: d.at, fields: slices.Clone(around)}
		before := len(d.rows)
		if !d.object(&o, depth) {
			return false
		}
		end := d.at
		named := o.named()
		for _, n := range o.nested { // they are read when all fields of the object are known
			fields := o.fields
			if named != "" && (named != "clients" || !d.counted(n)) {
				line, column, _ := d.place(n.at)
				fields = append(slices.Clip(fields), field{named, n.key, line, column})
			}
			d.at = n.at
			if !d.value(fields, depth+1) {
				return false
			}
		}
		d.at = end
		if len(d.rows) > before || len(o.fields)+len(o.lists) == len(around) {
			return true
		}
		return d.rowsOf(o)
	}
	return false
}

// rowsOf makes the row of an object, or as many as its lists are long: {"clients": [1, 8], "tps": [100, 700]}.
func (d *dicts) rowsOf(o object) bool {
	line, _, text := d.place(o.start)
	rows := [][]field{o.fields}
	if n := o.long(); n > 0 {
		rows = nil
		for i := range n {
			fields := slices.Clone(o.fields)
			for _, l := range o.lists {
				fields = append(fields, field{l.key, l.values[i], 0, 1})
			}
			rows = append(rows, fields)
		}
	}
	for _, fields := range rows {
		if len(d.rows) >= mostRows || len(d.rows)*len(d.keys) > mostCells {
			d.full = true
			return true
		}
		for _, f := range fields {
			if _, ok := d.index[f.key]; !ok {
				if len(d.keys) >= mostKeys {
					return false
				}
				d.index[f.key] = len(d.keys)
				d.keys = append(d.keys, f.key)
			}
		}
		d.rows = append(d.rows, dictRow{line, text, fields})
	}
	return true
}

// object is one while it is read.
type object struct {
	start  int
	fields []field
	nested []nested
	lists  []list
}

// nested is an object or an array of them within an object, under a key.
type nested struct {
	key   string
	at    int
	first string // the first key within
}

// list is an array of plain values.
type list struct {
	key    string
	values []string
}

// long gives the common length of the lists, one of which counts clients; 0 if they are no columns.
func (o object) long() int {
	if len(o.lists) < 2 {
		return 0
	}
	n, counts := len(o.lists[0].values), false
	for _, l := range o.lists {
		if len(l.values) != n {
			return 0
		}
		counts = counts || readHeading(l.key).role == clients
	}
	if !counts {
		return 0
	}
	return n
}

// named tells what the keys of an object are where they name others that are alike: numbers of clients or names. "" if they do not.
func (o object) named() string {
	if len(o.nested) < 2 {
		return ""
	}
	counts := true
	for _, n := range o.nested {
		if n.first == "" || n.first != o.nested[0].first {
			return ""
		}
		_, whole := countOf(n.key, marks{})
		counts = counts && whole
	}
	if counts {
		return "clients"
	}
	return "name"
}

// counted tells whether an object states its number of clients itself.
func (d *dicts) counted(n nested) bool {
	head := d.text[n.at:min(len(d.text), n.at+1000)]
	for _, key := range [...]string{"clients", "threads", "connections", "concurrency"} {
		if bytes.Contains(head, []byte(key)) {
			return true
		}
	}
	return false
}

// object reads the fields of an object. Single objects within it give it theirs; others, and arrays that hold objects, are left for later.
func (d *dicts) object(o *object, depth int) bool {
	if depth > deepest {
		return false
	}
	d.at++
	for {
		d.blanks()
		if d.at >= len(d.text) {
			return false
		}
		if d.text[d.at] == '}' {
			d.at++
			break
		}
		key, _, ok := d.scalar()
		if !ok {
			return false
		}
		d.blanks()
		if d.at >= len(d.text) || d.text[d.at] != ':' {
			return false
		}
		d.at++
		d.blanks()
		if d.at >= len(d.text) {
			return false
		}
		if c := d.text[d.at]; c == '{' || c == '[' {
			start, end := d.at, d.skip()
			if end < 0 {
				return false
			}
			if i := bytes.IndexByte(d.text[start:end], '{'); i >= 0 {
				d.at = start + i + 1
				d.blanks()
				first, _, _ := d.scalar()
				o.nested = append(o.nested, nested{key, start, first})
			} else if l := d.list(start, key); len(l.values) > 1 {
				o.lists = append(o.lists, l)
			}
			d.at = end
			continue
		}
		value, at, ok := d.scalar()
		if !ok {
			return false
		}
		line, column, _ := d.place(at)
		o.fields = append(o.fields, field{key, value, line, column})
	}
	if o.named() != "" {
		return true
	}
	end, all := d.at, o.nested
	o.nested = nil
	for _, n := range all { // an object of its own kind is part of this one
		if d.text[n.at] != '{' {
			o.nested = append(o.nested, n)
			continue
		}
		d.at = n.at
		if !d.object(o, depth+1) {
			return false
		}
	}
	d.at = end
	return true
}

// list reads an array of plain values.
func (d *dicts) list(start int, key string) list {
	l := list{key: key}
	for d.at = start + 1; ; {
		d.blanks()
		text, _, ok := d.scalar()
		if !ok || len(l.values) == mostRows {
			return l
		}
		l.values = append(l.values, text)
	}
}

// skip gives the end of the array or object that begins here; -1 if it has none.
func (d *dicts) skip() int {
	depth, end := 0, -1
	brackets(d.text[d.at:], func(at, step int) bool {
		if depth += step; depth == 0 {
			end = d.at + at + 1
		}
		return depth > 0
	})
	return end
}

// scalar reads a string in quotes of either kind, or a bare word.
func (d *dicts) scalar() (text string, at int, ok bool) {
	at = d.at
	if d.at >= len(d.text) {
		return "", at, false
	}
	if q := d.text[d.at]; q == '"' || q == '\'' {
		var b strings.Builder
		for i := d.at + 1; i < len(d.text); i++ {
			switch c := d.text[i]; {
			case c == '\\' && i+1 < len(d.text):
				i++
				b.WriteByte(d.text[i])
			case c == q:
				d.at = i + 1
				return strings.TrimSpace(b.String()), at, true
			default:
				b.WriteByte(c)
			}
		}
		return "", at, false
	}
	i := d.at
	for i < len(d.text) && strings.IndexByte(",:{}[]\"'\n", d.text[i]) < 0 {
		i++
	}
	if i == d.at {
		return "", at, false
	}
	text = strings.TrimSpace(string(d.text[d.at:i]))
	d.at = i
	if text == "None" || text == "null" {
		text = ""
	}
	return text, at, true
}
