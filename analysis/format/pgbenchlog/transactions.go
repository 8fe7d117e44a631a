package pgbenchlog

import (
	"bytes"
	"fmt"
	"path"
	"strconv"
	"strings"

	"pgknee/analysis/bench"
	"pgknee/analysis/format"
	"pgknee/analysis/source"
)

// Transactions is the log of single transactions.
var Transactions = &format.Format{
	Name:  "pgbench-log",
	Doc:   "pgbench -l: client, transaction, µs, script, seconds, µs[, lag][, retries], a line for each transaction",
	Sniff: sniff(isTransaction),
	New:   func(c *format.Context) format.Reader { return newTransactions(c) },
}

// common is what the readers of both logs have.
type common struct {
	ctx    *format.Context
	log    *bench.Log
	first  int // line of the first transaction or interval
	broken int
}

// transactions reads such a log. Cell and column are those of the second that the last line was of.
type transactions struct {
	common
	second int64
	cell   *bench.Cell
	column *[bench.HeatRows]int64
}

func newTransactions(c *format.Context) *transactions {
	r := &transactions{common: common{ctx: c, log: &bench.Log{Run: runOf(c.File), Files: 1}}, second: -1}
	for answer := range strings.SplitSeq(c.Options.Columns, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(answer), "=")
		switch name {
		case "lag", "retries":
			r.log.Seventh = name
		case "sampling-rate":
			if rate, err := strconv.ParseFloat(value, 64); err == nil && rate > 0 && rate <= 1 {
				r.log.SamplingRate = rate
			}
		}
	}
	return r
}

// entry is a line of the log.
type entry struct {
	client, transaction, latency, seconds, micros int64
	extra                                         [2]int64
	fields                                        int
	what                                          byte // 's' skipped, 'f' failed, 0 for neither
}

// parse reads a line; false when it isn't one of a transaction log.
func parse(text []byte, e *entry) bool {
	i, ok := 0, false
	if e.client, i, ok = number(text, 0); !ok {
		return false
	}
	if e.transaction, i, ok = number(text, i); !ok {
		return false
	}
	e.what, e.latency = 0, 0
	if i < len(text) && text[i] >= 'a' {
		word, rest, found := bytes.Cut(text[i:], []byte{' '})
		if e.what = outcome(word); e.what == 0 || !found {
			return false
		}
		i = len(text) - len(rest)
	} else if e.latency, i, ok = number(text, i); !ok {
		return false
	}
	if _, i, ok = number(text, i); !ok {
		return false
	}
	if e.seconds, i, ok = number(text, i); !ok {
		return false
	}
	if e.micros, i, ok = number(text, i); !ok {
		return false
	}
	e.fields = 6
	for i < len(text) {
		if e.fields == 8 {
			return false
		}
		if e.extra[e.fields-6], i, ok = number(text, i); !ok {
			return false
		}
		e.fields++
	}
	return e.micros < 1_000_000 && (e.seconds >= earliest && e.seconds < latest || e.seconds == 0)
}

// The times that a benchmark can have been run at, and the longest latency.
const (
	earliest   = 1_000_000_000 // 2001
	latest     = 1 << 32
	maxLatency = 1 << 42 // 50 days in µs
)

// number reads digits and the blanks after them.
func number(text []byte, i int) (n int64, next int, ok bool) {
	start := i
	for i < len(text) {
		c := text[i] - '0'
		if c > 9 {
			break
		}
		n = n*10 + int64(c)
		i++
	}
	if i == start || i-start > 18 {
		return 0, i, false
	}
	if i < len(text) {
		if text[i] != ' ' {
			return 0, i, false
		}
		for i < len(text) && text[i] == ' ' {
			i++
		}
	}
	return n, i, true
}

// outcome of a transaction that has no latency.
func outcome(word []byte) byte {
	switch string(word) {
	case "skipped":
		return 's'
	case "failed", "serialization", "deadlock", "other":
		return 'f'
	}
	return 0
}

// Line takes a line.
func (r *transactions) Line(l source.Line) {
	var e entry
	log := r.log
	if !parse(l.Text, &e) || log.Fields != 0 && e.fields != log.Fields || e.latency >= maxLatency || !log.Client(e.client, e.transaction) {
		r.bad(l)
		return
	}
	if log.Fields == 0 {
		log.Fields, r.first = e.fields, l.No
	}
	if e.seconds != r.second {
		r.turn(e.seconds)
	}
	cell := r.cell
	switch e.what {
	case 0:
		cell.Latency(e.latency)
		log.Latency.Add(e.latency, 1)
		if e.seconds != 0 {
			r.column[bench.HeatRow(e.latency)]++
		}
	case 's':
		cell.Skipped++
	default:
		cell.Failed++
	}
	switch e.fields {
	case 7: // what it is comes out in the end
		x := e.extra[0]
		cell.LagOf(x)
		log.Extra.Rows++
		if x == 0 {
			log.Extra.Zero++
		} else {
			cell.Retried++
			log.Extra.Max = max(log.Extra.Max, x)
		}
	case 8:
		cell.LagOf(e.extra[0])
		if n := e.extra[1]; n > 0 {
			cell.Retried++
			cell.Retries += n
		}
	}
	if e.seconds != 0 {
		end := e.seconds*1e6 + e.micros
		if begin := end - e.latency; log.First == 0 || begin < log.First {
			log.First = max(begin, 1)
		}
		log.Last = max(log.Last, end)
	}
}

// turn goes to another second.
func (r *transactions) turn(second int64) {
	r.second = second
	if second == 0 {
		r.cell = &r.log.Untimed
		return
	}
	r.cell, r.column = r.log.Cell(second), r.log.Column(second)
}

// bad skips a line that is none of the log, and tells of the first three.
func (r *common) bad(l source.Line) {
	if len(bytes.TrimSpace(l.Text)) == 0 {
		return
	}
	r.ctx.Skip(l)
	if r.broken++; r.broken <= 3 {
		r.ctx.Problem(format.Warning, l.No, 1, l.Text, "not a line of this log: it is cut, or something else wrote here")
	}
}

// Close hands over the run.
func (r *transactions) Close() {
	log := r.log
	if log.Fields == 0 {
		r.ctx.Problem(format.Error, 0, 0, nil, "the log holds no transaction")
		return
	}
	run := &bench.Run{At: source.Position{File: r.ctx.File, Line: r.first}}
	log.Fill(run)
	r.ctx.Runs = append(r.ctx.Runs, run)
	r.ask(run)
	if log.First == 0 {
		r.ctx.Problem(format.Warning, r.first, 0, nil, "the log has no times, as pgbench up to 10 wrote it on Windows: there is no throughput in it")
	}
}

// ask asks what the log alone can't tell.
func (r *transactions) ask(run *bench.Run) {
	log := r.log
	if log.Fields == 7 && log.Settle() == "" {
		r.ctx.Questions = append(r.ctx.Questions, format.Question{
			Kind: "log-fields", Line: r.first, Candidates: []string{"lag", "retries"},
			Message: "the seventh field may be the schedule lag in µs (pgbench -R) or the number of retries (--max-tries): it is left out until you say which",
		})
	}
	if run.Has(bench.FlagSampled) {
		rate := strconv.FormatFloat(log.Sampled(), 'g', 2, 64)
		r.ctx.Questions = append(r.ctx.Questions, format.Question{
			Kind: "sampling-rate", Line: r.first, Candidates: []string{"sampling-rate=" + rate},
			Message: fmt.Sprintf("transaction numbers have gaps: the log was sampled, at a rate of about %s; throughput is left out until you say the rate of --sampling-rate", rate),
		})
	}
}

// runOf gives what the names of the log files of one run have in common: PREFIX.PID of PREFIX.PID and PREFIX.PID.K, with the folder.
// K counts threads and is never long; a name without a PID says nothing.
func runOf(name string) string {
	folder, base := path.Split(name)
	for _, ext := range []string{".gz", ".zst", ".log", ".txt"} {
		base = strings.TrimSuffix(base, ext)
	}
	rest, last, found := cutLast(base)
	if !found || !isNumber(last) {
		return ""
	}
	if _, pid, found := cutLast(rest); found && isNumber(pid) && len(last) <= 4 {
		return folder + rest
	}
	return folder + base
}

func cutLast(s string) (before, after string, found bool) {
	i := strings.LastIndexByte(s, '.')
	if i <= 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

func isNumber(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

func isTransaction(text []byte) format.Confidence {
	var e entry
	switch {
	case !parse(text, &e):
		return format.No
	case e.seconds == 0: // six numbers that end in 0 0 may be anything
		return format.Likely
	}
	return format.Sure
}

// sniff looks whether nearly all whole lines of the head are of a log.
func sniff(is func([]byte) format.Confidence) func(string, []byte) format.Confidence {
	return func(_ string, head []byte) format.Confidence {
		if end := bytes.LastIndexByte(head, '\n'); end >= 0 && len(head) >= format.HeadBytes {
			head = head[:end+1] // the last line may be cut
		}
		yes, no, best := 0, 0, format.Sure
		for line := range bytes.Lines(head) {
			line = bytes.TrimRight(line, "\r\n")
			if len(line) == 0 {
				continue
			}
			c := is(line)
			if c == format.No {
				if no++; no > 3 && no > yes {
					return format.No
				}
				continue
			}
			yes++
			best = min(best, c)
		}
		if yes == 0 || no > 2 && 20*no > yes || no >= yes {
			return format.No
		}
		return best
	}
}
