package bench

import (
	"fmt"
	"math"
	"path"
)

// Gather makes one run of what lies in several files: the logs of the threads of one run are added up, and a log whose summary is
// there too fills in what the summary lacks instead of being a second run. The runs given are not changed; the order is kept.
func Gather(runs []*Run) []*Run {
	out := make([]*Run, 0, len(runs))
	logs := map[string]int{} // which run → index in out
	for _, r := range runs {
		if r.Log == nil || r.Log.Run == "" {
			out = append(out, r)
			continue
		}
		key := fmt.Sprint(r.Log.Run, r.Log.Aggregate)
		i, seen := logs[key]
		if !seen {
			logs[key] = len(out)
			out = append(out, r)
			continue
		}
		if out[i].Log.Files == 1 {
			sum := &Log{Run: r.Log.Run}
			sum.Merge(out[i].Log)
			out[i] = &Run{At: out[i].At, Label: out[i].Label, Attributes: out[i].Attributes, Log: sum}
		}
		out[i].Log.Merge(r.Log)
	}
	for _, i := range logs {
		if r := out[i]; r.Log.Files > 1 {
			r.Log.Fill(r)
			set(&r.Threads, r.Log.Files)
		}
	}
	return attach(out)
}

// attach puts logs into the runs whose summaries they belong to.
func attach(runs []*Run) []*Run {
	taken := map[int]*Log{} // index of a summary → its log
	gone := map[int]bool{}
	for i, r := range runs {
		if r.Log == nil {
			continue
		}
		if s := summaryOf(r, runs); s >= 0 && taken[s] == nil {
			taken[s], gone[i] = r.Log, true
		}
	}
	if len(gone) == 0 {
		return runs
	}
	var out []*Run
	for i, r := range runs {
		if l := taken[i]; l != nil {
			whole := *r
			l.Fill(&whole)
			r = &whole
		}
		if !gone[i] {
			out = append(out, r)
		}
	}
	return out
}

// summaryOf finds the one run that a log can be of: it counted the same transactions, or stands in the same folder with as many
// clients and hardly more transactions (a log of intervals lacks the last, partial one). -1 when none can, or more than one.
func summaryOf(log *Run, runs []*Run) int {
	found, best := -1, 0
	for i, r := range runs {
		if r.Log != nil || r.Transactions == nil || r.TPS == nil {
			continue
		}
		switch grade := match(log, r); {
		case grade > best:
			found, best = i, grade
		case grade == best && grade > 0:
			found = -1
		}
	}
	return found
}

// match grades how sure it is that a log is of a run: 0 not at all, 2 sure.
func match(log, r *Run) int {
	n, all := float64(*log.Transactions), float64(*r.Transactions)
	near := path.Dir(log.At.File) == path.Dir(r.At.File)
	switch {
	case n == all && n >= 1000 && !log.Log.Aggregate:
		return 2
	case !near || n > all || log.DurationS == nil || r.DurationS == nil:
		return 0
	case r.Threads != nil && *r.Threads < log.Log.Files, r.Clients != nil && log.Clients != nil && *r.Clients != *log.Clients:
		return 0
	}
	missing := 0.02
	if log.Log.Aggregate {
		missing = 2 * float64(max(1, log.Log.Interval)) / math.Max(1, *r.DurationS)
	}
	if n >= all*(1-missing) && math.Abs(*log.DurationS-*r.DurationS) <= 2*float64(max(1, log.Log.Interval)) {
		return 1
	}
	return 0
}
