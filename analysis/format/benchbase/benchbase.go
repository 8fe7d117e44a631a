// Package benchbase reads the summary.json that BenchBase (and OLTPBench before it) writes beside its samples.
//
// Decided here: terminals are the clients, and they are a string. Throughput counts attempts, goodput committed work: the run has the
// throughput, and the goodput as a note, since comparing one with the other is a mistake.
package benchbase

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"pgknee/analysis/bench"
	"pgknee/analysis/format"
	"pgknee/analysis/source"
)

// Format is the summary of BenchBase.
var Format = &format.Format{
	Name: "benchbase-summary", Doc: "BASE.summary.json of BenchBase",
	Sniff: func(_ string, head []byte) format.Confidence {
		start := bytes.TrimSpace(head)
		object := len(start) > 0 && (start[0] == '{' || start[0] == '[')
		switch known := bytes.Contains(head, []byte(`"Throughput (requests/second)"`)); {
		case object && known && bytes.Contains(head, []byte(`"Latency Distribution"`)):
			return format.Sure
		case object && known || object && bytes.Contains(head, []byte(`"Benchmark Type"`)):
			return format.Likely
		}
		return format.No
	},
	NewBytes: func(c *format.Context) format.ByteReader { return &reader{ctx: c} },
}

// maxBytes is far above what a summary has.
const maxBytes = 1 << 20

type reader struct {
	ctx  *format.Context
	text []byte
	long bool
}

// Write takes a piece.
func (r *reader) Write(p []byte) {
	if len(r.text)+len(p) > maxBytes {
		r.long, p = true, p[:max(0, maxBytes-len(r.text))]
	}
	r.text = append(r.text, p...)
}

// summary is what the file holds. Numbers may be strings.
type summary struct {
	Start      text            `json:"Start timestamp (milliseconds)"`
	Elapsed    text            `json:"Elapsed Time (nanoseconds)"`
	DBMS       text            `json:"DBMS Type"`
	Version    text            `json:"DBMS Version"`
	Benchmark  text            `json:"Benchmark Type"`
	State      text            `json:"Final State"`
	Requests   text            `json:"Measured Requests"`
	Isolation  text            `json:"isolation"`
	Scale      text            `json:"scalefactor"`
	Terminals  text            `json:"terminals"`
	Latency    map[string]text `json:"Latency Distribution"`
	Throughput text            `json:"Throughput (requests/second)"`
	Goodput    text            `json:"Goodput (requests/second)"`
}

// text is a JSON string or number as its text.
type text string

// UnmarshalJSON takes a string without its quotes and anything else as it stands.
func (t *text) UnmarshalJSON(b []byte) error {
	var s string
	if len(b) > 0 && b[0] == '"' {
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
	} else if string(b) != "null" {
		s = string(b)
	}
	*t = text(s)
	return nil
}

// number of the text; nil if it is none.
func (t text) number() *float64 {
	v, err := strconv.ParseFloat(string(t), 64)
	if err != nil || v-v != 0 || v < 0 || v > 1e15 {
		return nil
	}
	return &v
}

// Close reads the whole of it: one summary, several one behind the other, or a list.
func (r *reader) Close() {
	if r.long {
		r.ctx.Problem(format.Error, 0, 0, nil, "this is too long for a summary of BenchBase: give BASE.summary.json")
		return
	}
	if len(bytes.TrimSpace(r.text)) == 0 {
		r.ctx.Problem(format.Error, 0, 0, nil, "the file holds nothing")
		return
	}
	list := []summary{{}}
	var err error
	for d := json.NewDecoder(bytes.NewReader(r.text)); err == nil; {
		var into any = &list[0]
		if bytes.HasPrefix(bytes.TrimSpace(r.text), []byte{'['}) {
			into = &list
		}
		if err = d.Decode(into); err == nil {
			for _, s := range list {
				r.add(&s)
			}
			list = []summary{{}}
		}
	}
	if err != io.EOF {
		line, column, text := r.position(err)
		r.ctx.Problem(format.Error, line, column, text, "the JSON is damaged or cut: "+err.Error())
	}
}

// add makes a run of a summary.
func (r *reader) add(s *summary) {
	run := &bench.Run{At: source.Position{File: r.ctx.File, Line: 1}, Script: string(s.Benchmark), ServerVersion: version(string(s.Version)), TPSKind: bench.Reported, Unit: "rps"}
	run.TPS = s.Throughput.number()
	if ns := s.Elapsed.number(); ns != nil && *ns > 0 {
		run.DurationS = new(*ns / 1e9)
		if *run.DurationS < 60 {
			run.Flag(bench.FlagShort)
		}
	}
	run.Transactions = count[int64](s.Requests)
	run.Clients = count[int](s.Terminals)
	run.Scale = count[int](s.Scale)
	if run.TPS == nil && run.Transactions == nil {
		r.ctx.Problem(format.Error, 1, 0, nil, "the summary holds no throughput")
		return
	}
	if run.Clients == nil || *run.Clients == 0 {
		run.Clients = nil
		run.Flag(bench.FlagClientsUnknown)
		r.ctx.Problem(format.Warning, 1, 0, nil, "the summary does not say the number of terminals")
	}
	if s.Isolation != "" {
		run.Set("isolation", strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(string(s.Isolation), "TRANSACTION_"), "_", " ")))
	}
	if s.DBMS != "" && !strings.EqualFold(string(s.DBMS), "postgres") {
		run.Set("dbms", strings.ToLower(string(s.DBMS)))
	}
	if s.State != "" && s.State != "EXIT" {
		run.Flag(bench.FlagAborted)
	}
	if run.TPS != nil && *run.TPS == 0 {
		run.TPS = nil
		run.Flag(bench.FlagNoTransactions)
	}
	if good := s.Goodput.number(); good != nil && run.TPS != nil && *good < *run.TPS {
		run.Notes = append(run.Notes, fmt.Sprintf("goodput (committed work) %.6g requests/s, %.2g %% below throughput", *good, 100*(1 - *good / *run.TPS)))
	}
	latencies(run, s.Latency)
	r.ctx.Runs = append(r.ctx.Runs, run)
}

// latencies takes the distribution, whose labels say rank and unit: "95th Percentile Latency (microseconds)".
func latencies(run *bench.Run, of map[string]text) {
	for label, value := range of {
		v := value.number()
		name, unit, ok := strings.Cut(label, " Latency (")
		if v == nil || !ok {
			continue
		}
		ms := *v
		if strings.HasPrefix(unit, "micro") {
			ms = *v / 1000
		}
		rank, isRank := strings.CutSuffix(name, "th Percentile")
		switch {
		case name == "Average":
			run.LatencyMs = &ms
			continue
		case name == "Median":
			rank = "50"
		case !isRank:
			continue
		}
		if run.LatencyPercentilesMs == nil {
			run.LatencyPercentilesMs = map[string]float64{}
		}
		run.LatencyPercentilesMs[rank] = ms
	}
}

// count is a whole number of a text; nil if it is none.
func count[T int | int64](t text) *T {
	n := t.number()
	if n == nil || *n != float64(int64(*n)) {
		return nil
	}
	return new(T(*n))
}

// version is that of "PostgreSQL 16.2 (Debian …) on …"; other servers keep their text.
func version(s string) string {
	if rest, ok := strings.CutPrefix(s, "PostgreSQL "); ok {
		v, _, _ := strings.Cut(rest, " ")
		return v
	}
	return s
}

// position of a JSON error, and its line.
func (r *reader) position(err error) (line, column int, text []byte) {
	offset := len(r.text)
	if e, ok := err.(*json.SyntaxError); ok {
		offset = min(int(e.Offset), offset)
	}
	if e, ok := err.(*json.UnmarshalTypeError); ok {
		offset = min(int(e.Offset), offset)
	}
	begin, line := 0, 1
	for i := 0; i < offset-1; i++ {
		if c := r.text[i]; c == '\n' || c == '\r' && r.text[i+1] != '\n' {
			begin, line = i+1, line+1
		}
	}
	text = r.text[begin:]
	if end := bytes.IndexAny(text, "\r\n"); end >= 0 {
		text = text[:end]
	}
	return line, min(max(1, offset-begin), len(text)+1), text
}
