package table

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"pgknee/analysis/bench"
	"pgknee/analysis/format"
	"pgknee/analysis/source"
)

// Export reads what this program itself writes as CSV, a run on a line: see package export. Its headings are known, so nothing is
// guessed: the series is the label of its runs, and facts and flags come back as they were.
var Export = &format.Format{
	Name: "pgknee-csv", Doc: "CSV written by pgknee",
	Sniff: func(_ string, head []byte) format.Confidence {
		if bytes.HasPrefix(head, []byte(exportHead)) {
			return format.Sure
		}
		return format.No
	},
	New: func(ctx *format.Context) format.Reader { return &exportReader{ctx: ctx} },
}

// exportHead is how the headings of an export begin.
const exportHead = "series,clients,tps,tps_kind,"

type exportReader struct {
	ctx   *format.Context
	names []string
	first int    // where the record that is being gathered begins
	text  string // a record of several lines, so far
}

// Line takes the next line: a record, unless a line break in quotes cuts it.
func (r *exportReader) Line(l source.Line) {
	if r.text == "" {
		r.first = l.No
	}
	r.text += string(l.Text) + "\n"
	if strings.Count(r.text, `"`)%2 == 1 && len(r.text) < 1<<16 {
		return
	}
	r.record()
}

// Close reads what is left.
func (r *exportReader) Close() {
	if r.text != "" {
		r.record()
	}
	if len(r.ctx.Runs) == 0 && len(r.ctx.Problems) == 0 {
		r.ctx.Problem(format.Error, 0, 0, nil, "the export holds no runs")
	}
}

func (r *exportReader) record() {
	text := r.text
	r.text = ""
	if strings.TrimSpace(text) == "" {
		return
	}
	of := csv.NewReader(strings.NewReader(text))
	of.FieldsPerRecord = -1
	cells, err := of.Read()
	switch {
	case err != nil:
		r.skip(text, "no line of CSV")
	case r.names == nil:
		r.names = cells
	case len(cells) != len(r.names):
		r.skip(text, fmt.Sprintf("%d cells under %d headings: the row is skipped", len(cells), len(r.names)))
	default:
		r.run(cells, text)
	}
}

func (r *exportReader) skip(text, message string) {
	r.ctx.Problem(format.Warning, r.first, 1, []byte(strings.TrimSpace(text)), message)
	r.ctx.Skip(source.Line{No: r.first})
}

// run makes the run of a row. A figure that is none is a problem, and the rest of the row stands.
func (r *exportReader) run(cells []string, text string) {
	run := &bench.Run{At: source.Position{File: r.ctx.File, Line: r.first, Column: 1}}
	for k, t := range cells {
		if t == "" {
			continue
		}
		set := exportColumns[r.names[k]]
		if name, is := strings.CutPrefix(r.names[k], "latency_p"); is {
			if rank, named := percentileOf("p" + strings.TrimSuffix(name, "_ms")); named {
				set = percentileSetter(rank)
			}
		}
		ok := set == nil || set(run, t)
		if !ok {
			r.ctx.Problem(format.Warning, r.first, 1, []byte(strings.TrimSpace(text)), fmt.Sprintf("%q is no number for %s", cut(t, 40), r.names[k]))
		}
	}
	if run.Clients == nil {
		run.Flag(bench.FlagClientsUnknown)
	}
	r.ctx.Runs = append(r.ctx.Runs, run)
}

// exportColumns are the columns of an export: each puts a cell that is not empty into a run, and tells whether it could.
var exportColumns = map[string]func(*bench.Run, string) bool{
	"series":                text(func(r *bench.Run) *string { return &r.Label }),
	"clients":               value(whole, func(r *bench.Run) **int { return &r.Clients }),
	"tps":                   value(figure, func(r *bench.Run) **float64 { return &r.TPS }),
	"tps_kind":              text(func(r *bench.Run) *string { return &r.TPSKind }),
	"unit":                  text(func(r *bench.Run) *string { return &r.Unit }),
	"latency_ms":            value(figure, func(r *bench.Run) **float64 { return &r.LatencyMs }),
	"latency_stddev_ms":     value(figure, func(r *bench.Run) **float64 { return &r.LatencyStddevMs }),
	"threads":               value(whole, func(r *bench.Run) **int { return &r.Threads }),
	"scale":                 value(whole, func(r *bench.Run) **int { return &r.Scale }),
	"duration_s":            value(figure, func(r *bench.Run) **float64 { return &r.DurationS }),
	"transactions":          value(tally, func(r *bench.Run) **int64 { return &r.Transactions }),
	"failed":                value(tally, func(r *bench.Run) **int64 { return &r.Failed }),
	"retried":               value(tally, func(r *bench.Run) **int64 { return &r.Retried }),
	"skipped":               value(tally, func(r *bench.Run) **int64 { return &r.Skipped }),
	"initial_connection_ms": value(figure, func(r *bench.Run) **float64 { return &r.InitialConnectionMs }),
	"rate_limit_tps":        value(figure, func(r *bench.Run) **float64 { return &r.RateLimitTPS }),
	"script":                text(func(r *bench.Run) *string { return &r.Script }),
	"query_mode":            text(func(r *bench.Run) *string { return &r.QueryMode }),
	"version":               text(func(r *bench.Run) *string { return &r.Version }),
	"server_version":        text(func(r *bench.Run) *string { return &r.ServerVersion }),
	"latency_derived": func(r *bench.Run, t string) bool {
		r.LatencyDerived = t == "yes"
		return true
	},
	"flags": func(r *bench.Run, t string) bool {
		for _, f := range strings.Fields(t) {
			r.Flag(f)
		}
		return true
	},
	"attributes": func(r *bench.Run, t string) bool {
		attributes(r, unguarded(t))
		return true
	},
}

func text(field func(*bench.Run) *string) func(*bench.Run, string) bool {
	return func(r *bench.Run, t string) bool {
		*field(r) = unguarded(t)
		return true
	}
}

func value[T any](read func(string) (*T, bool), field func(*bench.Run) **T) func(*bench.Run, string) bool {
	return func(r *bench.Run, t string) (ok bool) {
		*field(r), ok = read(t)
		return ok
	}
}

func percentileSetter(rank string) func(*bench.Run, string) bool {
	return func(r *bench.Run, t string) bool {
		ms, ok := figure(t)
		if ok {
			if r.LatencyPercentilesMs == nil {
				r.LatencyPercentilesMs = map[string]float64{}
			}
			r.LatencyPercentilesMs[rank] = *ms
		}
		return ok
	}
}

// attributes reads name=value name=value: a blank parts two of them where a name and its sign follow it. Names and values with such
// signs in them are quoted.
func attributes(run *bench.Run, t string) {
	name, value := "", ""
	for t != "" {
		var w string
		if q, err := strconv.QuotedPrefix(t); err == nil && t[0] == '"' && strings.HasPrefix(t[len(q):], "=") {
			w, _ = strconv.Unquote(q)
			t = t[len(q):]
		} else if i := strings.IndexAny(t, " ="); i >= 0 {
			w, t = t[:i], t[i:]
		} else {
			w, t = t, ""
		}
		if !strings.HasPrefix(t, "=") {
			if t, _ = strings.CutPrefix(t, " "); name != "" {
				value += " " + w
			}
			continue
		}
		if name != "" {
			run.Set(name, value)
		}
		name, t = w, t[1:]
		if q, err := strconv.QuotedPrefix(t); err == nil && t[0] == '"' {
			value, _ = strconv.Unquote(q)
			t = strings.TrimPrefix(t[len(q):], " ")
			continue
		}
		if i := strings.IndexByte(t, ' '); i >= 0 {
			value, t = t[:i], t[i+1:]
		} else {
			value, t = t, ""
		}
	}
	if name != "" {
		run.Set(name, value)
	}
}

// unguarded takes away the mark that keeps a cell from being taken for a formula.
func unguarded(t string) string {
	if len(t) > 1 && t[0] == '\'' && strings.IndexByte("=+-@\t\r", t[1]) >= 0 {
		return t[1:]
	}
	return t
}

func whole(t string) (*int, bool) {
	n, err := strconv.Atoi(t)
	if err != nil || n < 0 || n > 1e7 {
		return nil, false
	}
	return &n, true
}

func tally(t string) (*int64, bool) {
	n, err := strconv.ParseInt(t, 10, 64)
	if err != nil || n < 0 {
		return nil, false
	}
	return &n, true
}

func figure(t string) (*float64, bool) {
	v, err := strconv.ParseFloat(t, 64)
	if err != nil || v < 0 || v > 1e15 || v != v {
		return nil, false
	}
	return &v, true
}
