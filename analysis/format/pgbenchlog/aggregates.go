package pgbenchlog

import (
	"bytes"

	"pgknee/analysis/bench"
	"pgknee/analysis/format"
	"pgknee/analysis/source"
)

// Aggregates is the log of intervals.
var Aggregates = &format.Format{
	Name:  "pgbench-aggregate-log",
	Doc:   "pgbench -l --aggregate-interval: start, count, sums of latencies, …, a line for each interval",
	Sniff: sniff(isAggregate),
	New:   func(c *format.Context) format.Reader { return newAggregates(c) },
}

// Block reads such a log out of a document.
var Block = format.Block{
	Name: "pgbench-aggregate-log",
	Claims: func(lines []source.Line) int {
		n := 0
		for n < len(lines) && isAggregate(lines[n].Text) != format.No {
			n++
		}
		if n < 2 { // a line alone may be anything
			return 0
		}
		return n
	},
	Read: func(c *format.Context, p format.Passage) {
		r := newAggregates(c)
		r.log.Run = "" // parts of a document are no thread files
		before := len(c.Runs)
		p.Feed(r)
		for _, run := range c.Runs[before:] {
			run.Label = p.Heading
		}
	},
}

// aggregates reads such a log.
type aggregates struct {
	common
	line  interval
	start int64
}

func newAggregates(c *format.Context) *aggregates {
	return &aggregates{common: common{ctx: c, log: &bench.Log{Run: runOf(c.File), Files: 1, Aggregate: true}}}
}

// interval is a line of the log.
type interval struct {
	start  int64
	cell   bench.Cell
	fields int
	n      [16]int64 // the fields as numbers; sums of squares may need more
}

// parseInterval reads a line; false when it isn't one of an aggregated log.
func parseInterval(text []byte, v *interval) bool {
	c := &v.cell
	*c = bench.Cell{}
	v.fields = 0
	for i := 0; i < len(text); v.fields++ {
		if v.fields == len(v.n) {
			return false
		}
		n, next, ok := number(text, i)
		if !ok { // too many digits, or none
			digits, _, _ := bytes.Cut(text[i:], []byte{' '})
			w, fits := bench.ParseWide(digits)
			if !fits || v.fields != 2 && v.fields != 3 && v.fields != 6 && v.fields != 7 {
				return false
			}
			switch v.fields {
			case 2:
				c.Sum = w
			case 3:
				c.Squares = w
			case 6:
				c.Lag = w
			}
			for next = i + len(digits); next < len(text) && text[next] == ' '; next++ {
			}
		} else {
			switch v.fields {
			case 2:
				c.Sum = bench.WideOf(n)
			case 3:
				c.Squares = bench.WideOf(n)
			case 6:
				c.Lag = bench.WideOf(n)
			}
		}
		v.n[v.fields], i = n, next
	}
	v.start, c.Transactions, c.Min, c.Max = v.n[0], v.n[1], v.n[4], v.n[5]
	switch v.fields {
	case 6, 10:
	case 11: // up to 14 the count includes the skipped
		c.Skipped = v.n[10]
		c.Transactions -= c.Skipped
	case 15, 16:
		c.Skipped, c.Retried, c.Retries, c.Failed = v.n[10], v.n[11], v.n[12], v.n[13]+v.n[14]
		if v.fields == 16 {
			c.Failed += v.n[15]
		}
	default:
		return false
	}
	return v.start >= earliest && v.start < latest && c.Min <= c.Max && c.Transactions >= 0
}

// Line takes a line.
func (r *aggregates) Line(l source.Line) {
	v := &r.line
	if !parseInterval(l.Text, v) || r.log.Fields != 0 && v.fields != r.log.Fields {
		r.bad(l)
		return
	}
	if r.log.Fields == 0 {
		r.log.Fields, r.first = v.fields, l.No
	}
	if d := v.start - r.start; r.start != 0 && d > 0 && (r.log.Interval == 0 || d < r.log.Interval) {
		r.log.Interval = d
	}
	r.start = v.start
	r.log.Cell(v.start).Add(&v.cell)
}

// Close hands over the run.
func (r *aggregates) Close() {
	if r.log.Fields == 0 {
		r.ctx.Problem(format.Error, 0, 0, nil, "the log holds no interval")
		return
	}
	run := &bench.Run{At: source.Position{File: r.ctx.File, Line: r.first}}
	r.log.Fill(run)
	r.ctx.Runs = append(r.ctx.Runs, run)
}

func isAggregate(text []byte) format.Confidence {
	var v interval
	if !parseInterval(text, &v) {
		return format.No
	}
	return format.Sure
}
