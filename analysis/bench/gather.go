package bench

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
)

// Gather makes one run of what lies in several files: the logs of the threads of one run are added up, and a log whose summary is
// there too fills in what the summary lacks instead of being a second run. The runs given are not changed; the order is kept. Parts
// are the runs that are now in another.
func Gather(runs []*Run) (out []*Run, parts map[*Run]bool) {
	out = make([]*Run, 0, len(runs))
	parts = map[*Run]bool{}
	from := map[*Run]*Run{}  // sums → their first part
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
			first := out[i]
			out[i] = &Run{At: out[i].At, Label: out[i].Label, Attributes: out[i].Attributes, Log: sum}
			from[out[i]] = first
		}
		out[i].Log.Merge(r.Log)
		parts[r] = true
	}
	for _, i := range logs {
		if r := out[i]; r.Log.Files > 1 {
			r.Log.Fill(r)
			set(&r.Threads, r.Log.Files)
		}
	}
	gone := attach(&out)
	for _, r := range gone {
		if first := from[r]; first != nil {
			r = first
		}
		parts[r] = true
	}
	return out, parts
}

// attach puts logs into the runs whose summaries they belong to, and gives the runs that are gone with that.
func attach(runs *[]*Run) (gone []*Run) {
	taken := map[*Run]*Run{} // summary → its log
	for _, r := range *runs {
		if r.Log == nil {
			continue
		}
		if s := summaryOf(r, *runs); s != nil && taken[s] == nil {
			taken[s] = r
			gone = append(gone, r)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	is := make(map[*Run]bool, len(gone))
	for _, r := range gone {
		is[r] = true
	}
	var out []*Run
	for _, r := range *runs {
		if log := taken[r]; log != nil {
			whole := *r
			whole.Flags, whole.Notes = slices.Clone(r.Flags), slices.Clone(r.Notes)
			log.Log.Fill(&whole)
			r = &whole
		}
		if !is[r] {
			out = append(out, r)
		}
	}
	*runs = out
	return gone
}

// summaryOf finds the one run that a log can be of: it counted the same transactions, or stands in the same folder with as many
// clients and hardly more transactions (a log of intervals lacks the last, partial one); of several, the one whose file has the name of
// the log. Nil when none can, or more than one.
func summaryOf(log *Run, runs []*Run) *Run {
	var found *Run
	best := 0
	for _, r := range runs {
		if r.Log != nil || r.Transactions == nil || r.TPS == nil {
			continue
		}
		switch grade := match(log, r); {
		case grade > best:
			found, best = r, grade
		case grade == best && grade > 0:
			found = nil
		}
	}
	return found
}

// match grades how sure it is that a log is of a run: 0 not at all, 2 the same transactions, 3 its name too.
func match(log, r *Run) int {
	grade := matchCounts(log, r)
	if grade > 0 && strings.TrimSuffix(log.Log.Run, path.Ext(log.Log.Run)) == strings.TrimSuffix(r.At.File, path.Ext(r.At.File)) {
		return 3 // --log-prefix=NAME beside NAME.out
	}
	return grade
}

func matchCounts(log, r *Run) int {
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
