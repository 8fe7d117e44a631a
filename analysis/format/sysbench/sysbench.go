// Package sysbench reads the text output of sysbench 0.4, 0.5, 1.0 and 1.1: one or many runs a file, with or without the intervals.
//
// Decided here: throughput is the transactions a second of the summary (events a second for tests without SQL), never queries and never
// a mean of intervals, so a run that was cut off before its summary has none. What the intervals call lat is a percentile: it is no
// mean latency. Numbers are found by their labels, not by their place, since the order changed between versions.
package sysbench

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"pgknee/analysis/bench"
	"pgknee/analysis/format"
	"pgknee/analysis/format/table"
	"pgknee/analysis/source"
)

// Format is the output of sysbench.
var Format = &format.Format{
	Name: "sysbench-output", Doc: "text output of sysbench 0.4 to 1.1",
	Sniff: sniff,
	New:   func(c *format.Context) format.Reader { return &reader{ctx: c} },
}

// Block reads runs of sysbench out of a document.
var Block = format.Block{
	Name: "sysbench-output",
	Claims: func(lines []source.Line) int {
		if !begins(lines[0].Text) {
			return 0
		}
		r := &reader{ctx: &format.Context{}}
		n, strange := 0, 0
		for i, l := range lines {
			switch {
			case r.take(l):
				n, strange = i+1, 0
			case len(bytes.TrimSpace(l.Text)) > 0:
				if strange++; strange > 2 {
					return n
				}
			}
		}
		return n
	},
	Read: func(c *format.Context, p format.Passage) {
		r := &reader{ctx: c}
		before := len(c.Runs)
		p.Feed(r)
		for _, run := range c.Runs[before:] {
			run.Label = p.Heading
		}
	},
}

// begins tells a line that a run's output can begin with.
func begins(line []byte) bool {
	return banner(line) != "" || bytes.HasPrefix(line, []byte("Running the test with following options:")) ||
		bytes.HasPrefix(line, []byte("SQL statistics:")) || bytes.HasPrefix(line, []byte("OLTP test statistics:"))
}

// banner gives the version of "sysbench 1.0.20 (using …" and "sysbench 0.5:  multi-threaded …"; "" for any other line.
func banner(line []byte) string {
	rest, ok := bytes.CutPrefix(line, []byte("sysbench "))
	if !ok || len(rest) == 0 || rest[0] < '0' || rest[0] > '9' {
		return ""
	}
	version, _, _ := bytes.Cut(rest, []byte{' '})
	return string(bytes.TrimSuffix(version, []byte{':'}))
}

func sniff(_ string, head []byte) format.Confidence {
	marks := 0
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		switch {
		case bytes.HasPrefix(line, []byte{'>'}): // a mail, which is a document
		case banner(line) != "":
			marks += 2
		case bytes.HasPrefix(line, []byte("Running the test with following options:")), bytes.HasPrefix(line, []byte("SQL statistics:")),
			bytes.HasPrefix(line, []byte("OLTP test statistics:")), bytes.Contains(line, []byte(" per sec.)")):
			marks++
		case len(line) > 1 && line[0] == '[':
			if _, values, ok := interval(line); ok && values["tps"]+values["eps"] != "" && values["thds"]+values["threads"] != "" {
				marks++
			}
		}
		if marks >= 3 {
			return format.Sure
		}
	}
	switch marks {
	case 0:
		return format.No
	case 1:
		return format.Maybe
	}
	return format.Likely
}

// reader gathers the run whose output is passing by.
type reader struct {
	ctx *format.Context
	run *bench.Run // nil before the first line of one

	summary bool // the run's final figures have begun
	ended   bool // they are complete
	latency bool // the lines of the latency summary are passing by
	events  int64
	eps     *float64
	script  string // from a command line above
	threads *int
	titles  table.Outline // the headings between runs
}

// Line takes a line.
func (r *reader) Line(l source.Line) {
	if !r.take(l) && len(bytes.TrimSpace(l.Text)) > 0 {
		r.titles.See(l)
		r.ctx.Skip(l)
	}
}

// Close hands over the last run.
func (r *reader) Close() {
	r.flush()
	if len(r.ctx.Runs) == 0 {
		r.ctx.Problem(format.Error, 0, 0, nil, "there is no run of sysbench in this, neither a summary nor intervals: prepare only fills the tables, give the output of run")
	}
}

// begin starts a run at a line.
func (r *reader) begin(l source.Line) {
	r.flush()
	r.run = &bench.Run{At: source.Position{File: r.ctx.File, Line: l.No}, Script: r.script, Clients: r.threads, Label: r.titles.Heading()}
	r.script, r.threads = "", nil
}

// current gives the run, begun at this line if there is none, or if the one there is has ended.
func (r *reader) current(l source.Line) *bench.Run {
	if r.run == nil || r.ended {
		r.begin(l)
	}
	return r.run
}

// flush hands over the run.
func (r *reader) flush() {
	run := r.run
	r.run = nil
	if run == nil {
		return
	}
	seen := r.summary || len(run.Intervals) > 0
	switch {
	case run.TPS != nil:
	case r.eps != nil:
		run.TPS, run.Unit = r.eps, "eps"
	case r.summary && r.events > 0 && run.DurationS != nil && *run.DurationS > 0:
		run.TPS, run.Unit = new(float64(r.events)/(*run.DurationS)), "eps"
	}
	if run.TPS != nil {
		run.TPSKind = bench.Reported
	}
	if run.Transactions == nil && r.events > 0 {
		run.Transactions = new(r.events)
	}
	ended := run.TPS != nil
	r.summary, r.ended, r.latency, r.events, r.eps = false, false, false, 0, nil
	if !seen { // prepare, cleanup, or nothing but options
		return
	}
	if !ended {
		run.Flag(bench.FlagAborted)
		r.ctx.Problem(format.Warning, run.At.Line, 0, nil, "the run has no summary: it was cut off or stopped, so it has no throughput")
	}
	if run.Clients == nil {
		run.Flag(bench.FlagClientsUnknown)
	}
	if run.DurationS != nil && *run.DurationS < 60 {
		run.Flag(bench.FlagShort)
	}
	for p, ms := range run.LatencyPercentilesMs {
		if ms >= 100_000 {
			run.Notes = append(run.Notes, "the "+p+"th percentile is at least 100 s: sysbench counts no longer ones")
		}
	}
	r.ctx.Runs = append(r.ctx.Runs, run)
}

// take reads a line; false when it belongs to nothing known.
func (r *reader) take(l source.Line) bool {
	line := bytes.TrimRight(l.Text, " \t")
	trimmed := bytes.TrimLeft(line, " \t")
	if len(trimmed) == 0 {
		return false
	}
	if trimmed[0] == '[' {
		if end, values, ok := interval(trimmed); ok {
			return r.interval(l, end, values)
		}
		return false
	}
	if version := banner(trimmed); version != "" {
		r.begin(l)
		r.run.Set("sysbench", version)
		return true
	}
	if r.command(string(trimmed)) {
		return true
	}
	if i := bytes.Index(trimmed, []byte("transactions:")); i > 0 && !r.summary && r.alone(l, string(trimmed[:i]), string(trimmed[i+len("transactions:"):])) {
		return true
	}
	label, value, ok := bytes.Cut(trimmed, []byte{':'})
	if !ok {
		return noise(trimmed)
	}
	return r.labelled(l, string(label), string(bytes.TrimSpace(value)))
}

// alone reads the one line that was picked out of each of several summaries: "threads=8  transactions: 120634 (6031.21 per sec.)", or
// the name of a file before it, as grep puts it there.
func (r *reader) alone(l source.Line, before, value string) bool {
	count, rate, ok := perSecond(strings.TrimSpace(value))
	before = strings.TrimRight(before, " \t")
	if !ok || implausible(rate) || len(before) > 200 || len(strings.Fields(before)) > 2 {
		return false
	}
	r.begin(l)
	run := r.run
	run.Transactions, run.TPS = &count, &rate
	if n, ok := threadsIn(before); ok {
		run.Clients = &n
	} else {
		run.Label = strings.TrimRight(before, ": \t")
	}
	r.summary = true
	r.flush()
	return true
}

// threadsIn finds the number of threads in a prefix: 8, threads=8, t8.log:, out-thr-8:.
func threadsIn(s string) (int, bool) {
	s = strings.ToLower(strings.TrimRight(s, ": \t"))
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			continue
		}
		end := i
		for end < len(s) && s[end] >= '0' && s[end] <= '9' {
			end++
		}
		word := strings.TrimRight(s[:i], " =:_-.")
		from := len(word)
		for from > 0 && word[from-1] >= 'a' && word[from-1] <= 'z' {
			from--
		}
		switch word[from:] {
		case "", "t", "thr", "thread", "threads", "thds", "c", "client", "clients", "conn", "connections":
			if n, err := strconv.Atoi(s[i:end]); err == nil && (word[from:] != "" || len(s) == end-i) {
				return n, true
			}
		}
		i = end
	}
	return 0, false
}

// labelled reads a line of a label and a value.
func (r *reader) labelled(l source.Line, label, value string) bool {
	switch label {
	case "Running the test with following options":
		if r.run == nil || r.summary || len(r.run.Intervals) > 0 {
			r.begin(l)
		}
		return true
	case "Number of threads":
		n, err := strconv.Atoi(value)
		if err != nil || n <= 0 {
			r.ctx.Problem(format.Warning, l.No, 0, l.Text, "the number of threads can't be read")
			return true
		}
		if r.summary || r.run != nil && len(r.run.Intervals) > 0 {
			r.begin(l)
		}
		r.current(l).Clients = &n
		return true
	case "Target transaction rate":
		if v, ok := number(value); ok && v > 0 {
			run := r.current(l)
			run.RateLimitTPS = &v
			run.Flag(bench.FlagRateLimited)
		}
		return true
	case "SQL statistics", "OLTP test statistics", "Throughput", "General statistics", "Test execution summary", "CPU speed":
		if (label == "SQL statistics" || label == "OLTP test statistics") && r.summary {
			r.begin(l)
		}
		r.current(l)
		r.summary, r.latency = true, false
		return true
	case "Latency (ms)", "per-request statistics", "response time":
		r.latency = value == ""
		return true
	case "Threads fairness":
		r.ended, r.latency = r.run != nil, false
		return true
	case "FATAL":
		if r.run != nil {
			r.run.Flag(bench.FlagAborted)
		}
		r.ctx.Problem(format.Warning, l.No, 0, l.Text, "sysbench stopped: "+strings.TrimRight(value, ". "))
		return true
	}
	if _, _, ok := perSecond(value); ok && r.run == nil && label == "transactions" { // what came before is cut off
		r.begin(l)
		r.summary = true
	}
	if r.run == nil || !r.summary {
		return noise([]byte(label))
	}
	return r.figure(l, label, value)
}

// figure reads a figure of the summary.
func (r *reader) figure(l source.Line, label, value string) bool {
	run := r.run
	switch label {
	case "transactions":
		count, rate, ok := perSecond(value)
		if !ok || implausible(rate) {
			r.ctx.Problem(format.Warning, l.No, 0, l.Text, "these can't be transactions a second: they are left out")
			return true
		}
		run.Transactions, run.TPS = &count, &rate
		return true
	case "events/s (eps)", "events per second":
		if v, ok := number(value); ok && !implausible(v) {
			r.eps = &v
		}
		return true
	case "total time", "time elapsed":
		if v, ok := number(strings.TrimSuffix(value, "s")); ok && v >= 0 && v < 1e12 {
			run.DurationS = &v
		}
		return true
	case "total number of events":
		r.events, _ = strconv.ParseInt(value, 10, 64)
		return true
	case "ignored errors", "deadlocks", "reconnects":
		if count, _, ok := perSecond(value); ok && count > 0 {
			run.Notes = append(run.Notes, fmt.Sprintf("%d %s", count, label))
		}
		return true
	case "avg":
		if ms, ok := milliseconds(value); r.latency && ok {
			run.LatencyMs = &ms
		}
		return true
	case "queries performed", "read", "write", "other", "total", "queries", "read/write requests", "other operations", "min", "max", "sum",
		"events (avg/stddev)", "execution time (avg/stddev)", "total time taken by event execution", "percentile stats":
		return true
	}
	if rank, ok := percentile(label); ok && r.latency {
		if ms, ok := milliseconds(value); ok {
			if run.LatencyPercentilesMs == nil {
				run.LatencyPercentilesMs = map[string]float64{}
			}
			run.LatencyPercentilesMs[rank] = ms
		}
		return true
	}
	return false
}

// interval adds a line of intermediate results to the run.
func (r *reader) interval(l source.Line, end float64, values map[string]string) bool {
	tps, ok := number(values["tps"])
	if !ok {
		if tps, ok = number(values["eps"]); !ok {
			return values["queue length"] != ""
		}
	}
	if r.run != nil && (r.summary || len(r.run.Intervals) > 0 && r.run.Intervals[len(r.run.Intervals)-1].EndS >= end) {
		r.begin(l) // time runs backwards: another run, whose head is missing
	}
	run := r.current(l)
	if n, err := strconv.Atoi(values["thds"] + values["threads"]); err == nil && n > 0 && run.Clients == nil {
		run.Clients = &n
	}
	if implausible(tps) {
		r.ctx.Problem(format.Warning, l.No, 0, l.Text, "this can't be a throughput (a counter ran below 0): the interval is left out")
		run.Flag(bench.FlagIntervalGap)
		return true
	}
	run.Intervals = append(run.Intervals, bench.Interval{EndS: end, TPS: tps})
	return true
}

// interval cuts "[ 10s ] thds: 12 tps: 71.22 … lat (ms,95%): 4.1 err/s 0.00" into the end of the interval in seconds and the values by
// label. Labels end in a colon or, in the reports of some scripts, in nothing.
func interval(line []byte) (end float64, values map[string]string, ok bool) {
	inside, rest, ok := bytes.Cut(line[1:], []byte{']'})
	if !ok {
		return 0, nil, false
	}
	seconds, isSeconds := strings.CutSuffix(strings.TrimSpace(string(inside)), "s")
	if end, ok = number(seconds); !ok || !isSeconds {
		return 0, nil, false
	}
	values = map[string]string{}
	text := strings.TrimSpace(string(rest))
	for text != "" {
		label, after, found := strings.Cut(text, ":")
		if !found {
			break
		}
		after = strings.TrimLeft(after, " ")
		value, next, _ := strings.Cut(after, " ")
		if words := strings.Fields(label); len(words) > 2 && words[0] == "err/s" { // "err/s 1.20 reconn/s: 0.00"
			label = strings.Join(words[2:], " ")
		}
		values[strings.TrimSpace(label)] = strings.TrimSuffix(value, ",")
		next = strings.TrimLeft(next, " ")
		if strings.HasPrefix(next, "(") { // (r/w/o: 1/2/3), (95%),
			_, next, _ = strings.Cut(next, ")")
			next = strings.TrimLeft(next, ", ")
		}
		text = next
	}
	return end, values, len(values) > 0
}

// command takes what a command line of sysbench above the output says: the script and the number of threads.
func (r *reader) command(line string) bool {
	words := strings.Fields(line)
	at := -1
	for i, w := range words {
		if w == "sysbench" || strings.HasSuffix(w, "/sysbench") {
			at = i
			break
		}
	}
	if at < 0 || at > 3 || !strings.Contains(line, "--") {
		return false
	}
	for i, w := range words[at+1:] {
		name, value, glued := strings.Cut(w, "=")
		if !glued && at+2+i < len(words) {
			value = words[at+2+i]
		}
		switch {
		case name == "--threads" || name == "--num-threads":
			if n, err := strconv.Atoi(value); err == nil && n > 0 {
				r.threads = &n
			}
		case name == "--test":
			r.script = script(value)
		case strings.HasSuffix(w, ".lua"), strings.HasPrefix(w, "oltp_"), strings.HasPrefix(w, "select_"), strings.HasPrefix(w, "bulk_"):
			r.script = script(w)
		}
	}
	return true
}

// script is the name of a Lua script without folder and ending.
func script(path string) string {
	return strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".lua")
}

// percentile gives the rank of "95th percentile" and "approx.  95 percentile".
func percentile(label string) (rank string, ok bool) {
	words := strings.Fields(label)
	if len(words) < 2 || words[len(words)-1] != "percentile" {
		return "", false
	}
	rank = strings.TrimSuffix(words[len(words)-2], "th")
	_, err := strconv.ParseFloat(rank, 64)
	return rank, err == nil
}

// perSecond reads "9018   (901.75 per sec.)".
func perSecond(value string) (count int64, rate float64, ok bool) {
	number1, rest, _ := strings.Cut(value, "(")
	count, err := strconv.ParseInt(strings.TrimSpace(number1), 10, 64)
	if err != nil {
		return 0, 0, false
	}
	rate, ok = number(strings.TrimSuffix(rest, " per sec.)"))
	return count, rate, ok
}

// milliseconds reads "9.75ms", "361722.55us", "0.4s" and a bare number, which is in ms.
func milliseconds(value string) (float64, bool) {
	for _, unit := range []struct {
		suffix string
		of     float64
	}{{"ms", 1}, {"us", 1000}, {"s", 0.001}, {"", 1}} {
		if rest, found := strings.CutSuffix(value, unit.suffix); found {
			v, ok := number(rest)
			return v / unit.of, ok && v >= 0 && v/unit.of < 1e12
		}
	}
	return 0, false
}

// number reads a number at the beginning of a text that ends there or at a slash; what no clock and no counter shows is none.
func number(text string) (float64, bool) {
	text, _, _ = strings.Cut(text, "/")
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return v, err == nil && (v == 0 || math.Abs(v) > 1e-9 && math.Abs(v) < 1e20)
}

// implausible tells a throughput that no machine reaches: sysbench prints such when a counter of its goes below 0.
func implausible(tps float64) bool { return tps < 0 || tps > 1e10 }

// noise tells lines that sysbench prints and that hold no result.
func noise(line []byte) bool {
	for _, begin := range []string{
		"Initializing", "Threads started", "Random number", "Forcing shutdown", "Done.", "Doing OLTP", "Running mixed OLTP", "Using ", "Maximum number of requests",
		"Report intermediate", "Warmup time", "Warming up", "Additional request validation", "Debug mode", "Prime numbers limit", "WARNING", "events (avg", "Not using", "Time limit exceeded",
	} {
		if bytes.HasPrefix(line, []byte(begin)) {
			return true
		}
	}
	return false
}
