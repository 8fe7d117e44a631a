package table

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"pgknee/analysis/bench"
	"pgknee/analysis/source"
)

// lane reads rows of a long table whose cells are plain: digits with at most one point, names that were seen before. Whatever is not
// plain it leaves to the emitter, which reads everything. Both give the same runs.
type lane struct {
	cells  [][]byte
	values []float64 // of the cells that are numbers
	key    []byte
	known  map[string]*kin
	runs   []bench.Run // not yet given away
	ints   []int
	nums   []float64
	off    bool // the table is none of this kind
}

// kin is what all rows of one series share.
type kin struct {
	base   bench.Run
	labels []string // by throughput column
}

// fast reads a row, and tells whether it could.
func (e *emitter) fast(l source.Line) bool {
	if e.lane == nil {
		e.lane = e.newLane()
	}
	f := e.lane
	if f.off {
		return false
	}
	cols := e.p.columns
	if !f.cut(l.Text, byte(e.g.sep)) || len(f.cells) != len(cols) {
		return false
	}
	n, ok := wholeOf(f.cells[e.at])
	if !ok || n == 0 {
		return false
	}
	f.key, f.values = f.key[:0], f.values[:0]
	for k := range cols {
		v := 0.0
		switch cols[k].role {
		case series:
			f.key = append(append(f.key, f.cells[k]...), Unit[0])
		case unknown, ignored:
		default:
			if v, ok = fastFloat(f.cells[k]); !ok {
				return false
			}
		}
		f.values = append(f.values, v)
	}
	of := f.known[string(f.key)]
	if of == nil {
		if len(f.known) > 10_000 {
			return false
		}
		of = e.kinOf(f)
		f.known[string(f.key)] = of
	}
	if e.p.fold {
		return e.fastInterval(of, n)
	}
	for _, k := range e.rates {
		if f.values[k] <= 0 {
			return false
		}
	}
	for i, k := range e.rates {
		run := room(&f.runs, 64)
		*run = of.base
		run.At = source.Position{File: e.ctx.File, Line: l.No, Column: cap(l.Text) - cap(f.cells[k]) + 1}
		run.Label = of.labels[i]
		run.Clients = give(&f.ints, 512, n)
		run.TPS = give(&f.nums, 512, f.values[k]*cols[k].times)
		for j := range cols {
			e.plainField(run, &cols[j], f.values[j], cols[k].label)
		}
		e.ctx.Runs = append(e.ctx.Runs, run)
		e.runs = append(e.runs, run)
	}
	return true
}

// cut cuts a row into its cells, and tells whether none is quoted.
func (f *lane) cut(t []byte, sep byte) bool {
	f.cells = f.cells[:0]
	from := 0
	for i, c := range t {
		switch c {
		case sep:
			f.cells = append(f.cells, bare(t[from:i]))
			from = i + 1
		case '"':
			return false
		}
	}
	f.cells = append(f.cells, bare(t[from:]))
	return true
}

// bare is a cell without the blanks around it, of which most have none.
func bare(t []byte) []byte {
	if n := len(t); n > 0 && t[0] > ' ' && t[0] < utf8.RuneSelf && t[n-1] > ' ' && t[n-1] < utf8.RuneSelf {
		return t
	}
	return bytes.TrimSpace(t)
}

// newLane tells whether the table's rows can be plain at all.
func (e *emitter) newLane() *lane {
	f := &lane{known: map[string]*kin{}}
	switch e.g.sep {
	case byComma, bySemicolon, byTab:
	default:
		f.off = true
	}
	if e.p.shape != byRow || e.at < 0 || len(e.rates) == 0 || e.p.columns[e.at].kind == "fused" || e.g.legend != nil {
		f.off = true
	}
	for k := range e.p.columns {
		c := &e.p.columns[k]
		if c.role != series && c.role != ignored && c.role != unknown && (c.marks != (marks{}) || c.broken != "") || c.role == percentile || c.role == connecting || c.role == duration {
			f.off = true
		}
	}
	return f
}

// kinOf reads the names of a row as the emitter does.
func (e *emitter) kinOf(f *lane) *kin {
	of := &kin{}
	var names []string
	for k := range e.p.columns {
		c := &e.p.columns[k]
		if c.role != series {
			continue
		}
		t := strings.TrimSpace(clean(string(f.cells[k])))
		if t == "" || absent(t) {
			continue
		}
		if c.named {
			names = append(names, t)
			e.sawName(k, t)
		}
		note(&of.base, c.key, t)
	}
	for _, k := range e.rates {
		of.labels = append(of.labels, e.label(names, &e.p.columns[k]))
	}
	for i, k := range e.rates {
		if i == 0 {
			setRate(&of.base, 1, e.p.columns[k].unit, e.p.columns[k].heading.kind)
		}
		describe(&of.base, of.labels[i])
	}
	if len(e.rates) > 1 && strings.ContainsRune(strings.Join(of.labels, ""), '=') {
		f.off = true // what one label states does not hold for the other
	}
	return of
}

// fastInterval adds a row to the run that goes on.
func (e *emitter) fastInterval(of *kin, n int) bool {
	f := e.lane
	if e.run == nil || *e.run.Clients != n || e.run.Label != of.labels[0] || len(e.rates) != 1 {
		return false
	}
	for k := range e.p.columns {
		if e.p.columns[k].role == elapsed {
			if f.values[k] <= e.last {
				return false
			}
			e.last = f.values[k]
		}
	}
	v := f.values[e.rates[0]] * e.p.columns[e.rates[0]].times
	e.sum += v
	e.run.Intervals = append(e.run.Intervals, bench.Interval{EndS: e.last, TPS: v})
	return true
}

// plainField puts the number of a plain cell into a run.
func (e *emitter) plainField(run *bench.Run, c *column, v float64, label string) {
	switch c.role {
	case latency, stddev:
		if !e.belongs(c, label) {
			return
		}
		switch {
		case c.toMs > 0 && c.toMs < 1:
			v /= 1 / c.toMs
		case c.toMs > 0:
			v *= c.toMs
		}
		if c.role == stddev {
			run.LatencyStddevMs = give(&e.lane.nums, 512, v)
		} else if run.LatencyMs == nil {
			run.LatencyMs = give(&e.lane.nums, 512, v)
		}
	case scale:
		run.Scale = give(&e.lane.ints, 512, int(v))
	case threads:
		run.Threads = give(&e.lane.ints, 512, int(v))
	case failed:
		n := int64(v)
		run.Failed = &n
	case transactions:
		n := int64(v)
		run.Transactions = &n
	}
}

// wholeOf reads digits.
func wholeOf(b []byte) (int, bool) {
	if len(b) == 0 || len(b) > 7 {
		return 0, false
	}
	n := 0
	for _, c := range b {
		if c-'0' > 9 {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

// give gives out memory from a slab: millions of small pieces are what reading a long table would cost otherwise.
func give[T any](slab *[]T, size int, v T) *T {
	p := room(slab, size)
	*p = v
	return p
}

func room[T any](slab *[]T, size int) *T {
	if len(*slab) == 0 {
		*slab = make([]T, size)
	}
	p := &(*slab)[0]
	*slab = (*slab)[1:]
	return p
}
