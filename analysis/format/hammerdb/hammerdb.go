// Package hammerdb reads what HammerDB prints or logs of its TPROC-C runs: one run for each TEST RESULT.
//
// Decided here: NOPM (new orders a minute) is the throughput, because it can be compared between databases, converted to a second with
// the unit nopm/60 beside it; TPM counts each database's own transactions and is a note. The counter lines in between ("92623 PostgreSQL
// tpm") are progress of that other quantity and no runs. Active virtual users are the clients.
package hammerdb

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"pgknee/analysis/bench"
	"pgknee/analysis/format"
	"pgknee/analysis/source"
)

// Unit of the throughput of these runs.
const Unit = "NOPM/60"

// Format is the output of HammerDB.
var Format = &format.Format{
	Name: "hammerdb-output", Doc: "log and console output of HammerDB (TPROC-C)",
	Sniff: func(_ string, head []byte) format.Confidence {
		switch {
		case bytes.Contains(head, []byte("TEST RESULT : System achieved")), bytes.Contains(head, []byte(setsDone)) && bytes.Contains(head, []byte("Vuser ")):
			return format.Sure
		case bytes.Contains(head, []byte("Active Virtual Users configured")), bytes.Contains(head, []byte("Vuser 1:RUNNING")):
			return format.Likely
		}
		return format.No
	},
	New: func(c *format.Context) format.Reader { return &reader{ctx: c} },
}

// Block reads results of HammerDB out of a document.
var Block = format.Block{
	Name: "hammerdb-output",
	Claims: func(lines []source.Line) int {
		if !known(lines[0].Text) {
			return 0
		}
		n, result := 0, false
		for n < len(lines) && (known(lines[n].Text) || len(bytes.TrimSpace(lines[n].Text)) == 0) {
			result = result || bytes.Contains(lines[n].Text, []byte("TEST RESULT"))
			n++
		}
		if !result {
			return 0
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

type reader struct {
	ctx   *format.Context
	users *int     // of the run to come
	timed *float64 // minutes of the run to come
	last  *bench.Run
	proc  string // whose times follow
	sets  int    // of queries that were completed: TPROC-H
}

const setsDone = " query set(s) in "

// Line takes a line.
func (r *reader) Line(l source.Line) {
	line := bytes.TrimSpace(l.Text)
	switch {
	case len(line) == 0:
	case bytes.Contains(line, []byte(" Virtual Users configured")):
		if r.users = wordBefore(line, "Active"); r.users == nil {
			r.users = wordBefore(line, "Virtual")
		}
	case bytes.Contains(line, []byte("vuset vu ")): // typed, where the log of the users is left out
		_, n, _ := bytes.Cut(line, []byte("vuset vu "))
		if n, err := strconv.Atoi(string(bytes.TrimSpace(n))); err == nil && n > 0 {
			r.users = &n
		}
	case bytes.Contains(line, []byte("Timing test period of")):
		if n := wordBefore(line, "in"); n != nil {
			r.timed = new(float64(*n))
		}
	case bytes.Contains(line, []byte("TEST RESULT : System achieved")):
		r.result(l, string(line))
	case bytes.Contains(line, []byte(setsDone)):
		r.sets++
	case bytes.HasPrefix(line, []byte(">>>>> SUMMARY")):
	case bytes.HasPrefix(line, []byte(">>>>> PROC: ")):
		r.proc = string(line[len(">>>>> PROC: "):])
	case r.last != nil && r.proc == "NEWORD" && bytes.HasPrefix(line, []byte("CALLS:")):
		if ms, ok := labelled(line, "AVG"); ok {
			r.last.LatencyMs = &ms
		}
	case r.last != nil && r.proc == "NEWORD" && bytes.HasPrefix(line, []byte("P99:")):
		r.percentiles(line)
	case !known(line):
		r.ctx.Skip(l)
	}
}

// result takes "System achieved N NOPM from N PostgreSQL TPM" and, of older versions, "System achieved N PostgreSQL TPM at N NOPM".
func (r *reader) result(l source.Line, line string) {
	_, text, _ := strings.Cut(line, "System achieved")
	words := strings.Fields(text)
	var nopm, tpm *int64
	last := (*int64)(nil)
	for _, w := range words {
		if n, err := strconv.ParseInt(w, 10, 64); err == nil && n >= 0 && n < 1e12 {
			last = &n
			continue
		}
		switch w {
		case "NOPM":
			nopm = last
		case "TPM":
			tpm = last
		}
	}
	if nopm == nil {
		r.ctx.Problem(format.Warning, l.No, 0, l.Text, "this result holds no NOPM")
		return
	}
	run := &bench.Run{
		At: source.Position{File: r.ctx.File, Line: l.No}, Clients: r.users, Script: "tproc-c",
		TPS: new(float64(*nopm) / 60), TPSKind: bench.Reported, Unit: Unit,
	}
	note := fmt.Sprintf("%d NOPM", *nopm)
	if tpm != nil {
		note += fmt.Sprintf(", %d TPM", *tpm)
	}
	run.Notes = []string{note}
	if r.timed != nil {
		run.DurationS = new(*r.timed * 60)
	}
	if r.users == nil {
		run.Flag(bench.FlagClientsUnknown)
		r.ctx.Problem(format.Warning, l.No, 0, l.Text, "nothing above this result says how many virtual users were active")
	}
	if *nopm == 0 {
		run.TPS = nil
		run.Flag(bench.FlagNoTransactions)
	}
	r.ctx.Runs = append(r.ctx.Runs, run)
	r.users, r.timed, r.last, r.proc = nil, nil, run, ""
}

func (r *reader) percentiles(line []byte) {
	r.last.LatencyPercentilesMs = map[string]float64{}
	for _, p := range []string{"99", "95", "75", "50", "25"} {
		if ms, ok := labelled(line, "P"+p); ok {
			r.last.LatencyPercentilesMs[p] = ms
		}
	}
}

// Close tells when there was no result.
func (r *reader) Close() {
	switch {
	case len(r.ctx.Runs) > 0:
	case r.sets > 0:
		r.ctx.Problem(format.Error, 0, 0, nil, fmt.Sprintf("this is TPROC-H of HammerDB (sets of queries completed: %d): it measures how long queries take, there is no throughput by clients in it; give results of TPROC-C, pgbench, sysbench or BenchBase", r.sets))
	default:
		r.ctx.Problem(format.Error, 0, 0, nil, "the log of HammerDB holds no TEST RESULT: the run was stopped, or only the schema was built")
	}
}

// wordBefore gives the number before a word; nil if none stands there.
func wordBefore(line []byte, word string) *int {
	words := strings.Fields(string(line))
	for i, w := range words {
		if w == word && i > 0 {
			_, number, cut := strings.Cut(words[i-1], ":") // Vuser 1:16 Active Virtual Users
			if !cut {
				number = words[i-1]
			}
			if n, err := strconv.Atoi(number); err == nil && n > 0 {
				return &n
			}
		}
	}
	return nil
}

// labelled gives the milliseconds of "AVG: 9.1ms".
func labelled(line []byte, label string) (float64, bool) {
	for field := range strings.SplitSeq(string(line), "\t") {
		name, value, _ := strings.Cut(strings.TrimSpace(field), ":")
		if name == label {
			v, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "ms")), 64)
			return v, err == nil && v-v == 0 && v >= 0
		}
	}
	return 0, false
}

// known tells lines of HammerDB.
func known(line []byte) bool {
	line = bytes.TrimSpace(line)
	return bytes.HasPrefix(line, []byte("Vuser ")) || bytes.Contains(line, []byte("vuset vu ")) || bytes.HasPrefix(line, []byte("hammerdb>")) || bytes.HasSuffix(line, []byte(" tpm")) || bytes.HasPrefix(line, []byte("ALL VIRTUAL USERS")) ||
		bytes.HasPrefix(line, []byte("Timestamp ")) || bytes.HasPrefix(line, []byte("Hammerdb Log")) || bytes.HasPrefix(line, []byte("+-+-+-+")) ||
		bytes.HasPrefix(line, []byte(">>>>>")) || bytes.HasPrefix(line, []byte("CALLS:")) || bytes.HasPrefix(line, []byte("P99:")) ||
		bytes.Contains(line, []byte("TEST RESULT"))
}
