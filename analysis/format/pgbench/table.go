package pgbench

import (
	"bytes"
	"strings"

	"pgknee/analysis/bench"
)

// table holds summaries that were turned on their side: labels in the first column, a run in each of the others.
type table struct {
	header     []string // cells of the row before the first label
	columns    []*block
	statements bool
}

// maxColumns bounds the runs of one such table.
const maxColumns = 1000

// cells splits a row at its bars, or at its tabs.
func cells(b []byte) [][]byte {
	sep := []byte("\t")
	if b[0] == '|' || bytes.IndexByte(b, '|') > 0 {
		sep = []byte("|")
		b = bytes.TrimSuffix(bytes.TrimPrefix(b, sep), sep)
	}
	parts := bytes.Split(b, sep)
	for i := range parts {
		parts[i] = bytes.Trim(parts[i], " \t*`_")
	}
	return parts
}

// cellLabel gives the label that a cell consists of; of a throughput also its kind.
func cellLabel(cell []byte) (l label, kind []byte) {
	cell = bytes.TrimRight(bytes.TrimSuffix(bytes.TrimRight(cell, ": ="), []byte(" ms")), ": =")
	if has(cell, "tps") {
		if i := brackets(cell, 3); i == len(cell) {
			return labelTPS, cell[3:]
		}
		return none, nil
	}
	if l, at := ending(cell); at == 0 && l <= lastLabel {
		return l, nil
	}
	return none, nil
}

// row reads a row of a table of summaries and tells whether it is one.
func (r *reader) row(b []byte) bool {
	t := &r.table
	if b[0] != '|' && len(t.columns) == 0 && leadingWord(b) == 0 {
		return false
	}
	row := cells(b)
	if len(row) < 2 || len(row) > maxColumns {
		return false
	}
	if r.sideBySide(row) {
		return true
	}
	l, kind := cellLabel(row[0])
	values := row[1:]
	switch {
	case l != none && usable(l, values):
	case len(t.columns) > 0 && has(row[0], "statement latencies"):
		t.statements = true
		return true
	case len(t.columns) > 0 && t.statements:
		return t.statement(row)
	case len(t.columns) > 0:
		return rule(row)
	default:
		if !rule(row) {
			t.header = t.header[:0]
			for _, c := range row {
				t.header = append(t.header, string(c))
			}
		}
		return false
	}
	if len(t.columns) == 0 {
		r.interrupt()
	}
	for i, v := range values {
		column := r.column(i)
		if i == len(t.columns)-1 && !column.begun() && len(t.header) == len(row) {
			column.run.Label = clean(t.header[i+1])
		}
		if len(v) == 0 {
			continue
		}
		column.last(r.line, b)
		if l == labelTPS {
			column.seen |= 1 << labelTPS
			column.tpsLine, column.tpsText = r.line, text(b)
			column.throughput(kind, v)
			column.unsure = false // a cell has an end
			continue
		}
		column.value(l, v)
	}
	return true
}

// column gives the run of a column, the next one at the most.
func (r *reader) column(i int) *block {
	t := &r.table
	if i == len(t.columns) {
		column := r.newBlock(r.line)
		column.command = r.command
		t.columns = append(t.columns, column)
	}
	return t.columns[i]
}

// sideBySide reads a row whose cells are whole lines of pgbench, each column a run.
func (r *reader) sideBySide(row [][]byte) bool {
	found := false
	for _, cell := range row {
		l, _ := leading(cell)
		if len(cell) > 0 && (l == none || l > lastLabel && l != labelProgress) {
			return false
		}
		found = found || l != none
	}
	if !found {
		return false
	}
	if len(r.table.columns) == 0 {
		r.interrupt()
	}
	for i, cell := range row {
		column := r.column(i)
		if column.run.Label == "" && !column.begun() && len(r.table.header) == len(row) {
			column.run.Label = clean(r.table.header[i])
		}
		l, v := leading(cell)
		if l == none {
			continue
		}
		column.last(r.line, cell)
		switch l {
		case labelProgress:
			if in, lagged, _, ok := interval(cell, v); ok {
				column.interval(in, lagged)
			}
		case labelTPS:
			column.seen |= 1 << labelTPS
			column.tpsLine, column.tpsText = r.line, text(cell)
			end := tpsEnd(cell, v)
			column.throughput(cell[end:brackets(cell, end)], cell[v:])
		default:
			column.colon = column.colon || (l == labelAverage && cell[v-1] == ':')
			column.value(l, cell[v:])
		}
	}
	return true
}

// leadingWord is cheap: could the row begin with a label?
func leadingWord(b []byte) uint8 { return letters[b[0]] & first }

// usable tells whether values fit a label, so that a heading of an upright table is not taken for one.
func usable(l label, values [][]byte) bool {
	for _, v := range values {
		if len(v) == 0 {
			continue
		}
		if l == labelType || l == labelMode || l == labelPartitionMethod {
			return true
		}
		_, size := parseNumber(v)
		rest := bytes.TrimLeft(v[size:], " ")
		return size > 0 && (len(rest) == 0 || rest[0] == '(' || len(bytes.Fields(rest)) == 1) // words behind it explain the label
	}
	return false
}

// rule tells whether a row is the line under a table's heading.
func rule(row [][]byte) bool {
	for _, c := range row {
		if len(bytes.Trim(c, "-:+ ")) > 0 {
			return false
		}
	}
	return true
}

var breaks = strings.NewReplacer("<br/>", " ", "<br>", " ", "<br />", " ", "`", "")

func (t *table) statement(row [][]byte) bool {
	if len(row[0]) == 0 {
		return false
	}
	for i, v := range row[1:] {
		n, size := parseNumber(v)
		if size == 0 || !n.known || i >= len(t.columns) {
			continue
		}
		run := t.columns[i].run
		if len(run.Statements) < maxParts {
			sql := strings.Join(strings.Fields(breaks.Replace(string(row[0]))), " ")
			run.Statements = append(run.Statements, bench.Statement{SQL: sql, LatencyMs: n.value})
		}
	}
	return true
}

// endTable hands over the runs of a table.
func (r *reader) endTable() {
	if len(r.table.columns) == 0 {
		return
	}
	columns := r.table.columns
	r.table = table{}
	for _, column := range columns {
		r.put(column)
	}
}
