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
	n := 0
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
		if depth != 0 || !d.value(nil, "", 0) || len(d.rows) == before && from == 0 {
			n, d.rows = from, d.rows[:before] // what a broken value held is of lines that are not claimed
			break
		}
	}
	if len(d.rows) == 0 {
		return nil, 0
	}
	g := d.grid(lines[0].No)
	g.keys = d.index
	if d.full {
		g.over = fmt.Sprintf("only the first %d objects are read: write an object on each line, with fewer names in it", len(d.rows))
	}
	return g, n
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
	if !d.value(nil, "", 0) || len(d.rows) == 0 {
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
	var quote byte
	for i := 0; i < len(t); i++ {
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
			depth++
		case c == '}' || c == ']':
			depth--
		}
	}
	return depth
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
func (d *dicts) value(around []field, key string, depth int) bool {
	if depth > deepest || d.at >= len(d.text) {
		return false
	}
	d.blanks()
	if d.at >= len(d.text) {
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
				if !d.value(around, key, depth+1) {
					return false
				}
			default:
				if _, _, ok := d.scalar(); !ok {
					return false
				}
			}
		}
	case '{':
		start := d.at
		fields := slices.Clone(around)
		before := len(d.rows)
		var nested []int // where objects and arrays of this one begin: they are read when all its fields are known
		if !d.fields(&fields, &nested, depth) {
			return false
		}
		end := d.at
		for _, at := range nested {
			d.at = at
			if !d.value(fields, "", depth+1) {
				return false
			}
		}
		d.at = end
		if len(d.rows) == before && len(fields) > len(around) && (len(d.rows) >= mostRows || len(d.rows)*len(d.keys) > mostCells) {
			d.full = true
		} else if len(d.rows) == before && len(fields) > len(around) {
			line, _, text := d.place(start)
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
	return false
}

// fields reads the fields of an object. Objects within it give it their fields; arrays that hold objects are left for later.
func (d *dicts) fields(fields *[]field, nested *[]int, depth int) bool {
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
			return true
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
		switch d.text[d.at] {
		case '{':
			if !d.fields(fields, nested, depth+1) {
				return false
			}
		case '[':
			start := d.at
			end := d.skip()
			if end < 0 {
				return false
			}
			if bytes.IndexByte(d.text[start:end], '{') >= 0 {
				*nested = append(*nested, start)
			}
			d.at = end
		default:
			value, at, ok := d.scalar()
			if !ok {
				return false
			}
			line, column, _ := d.place(at)
			*fields = append(*fields, field{key, value, line, column})
		}
	}
}

// skip gives the end of the array or object that begins here.
func (d *dicts) skip() int {
	depth := 0
	var quote byte
	for i := d.at; i < len(d.text); i++ {
		switch c := d.text[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
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
