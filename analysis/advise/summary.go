package advise

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pgknee/analysis/bench"
	"pgknee/analysis/report"
	"pgknee/analysis/sorting"
)

// Summarize puts the answer in words on top of a report that has been analysed and advised on, and states what all runs share.
func Summarize(r *report.Report) {
	r.Conditions = conditions(r)
	w := &writer{r: r}
	switch lead := leading(r); {
	case lead != nil:
		w.compared(lead)
	case len(curves(r)) > 0:
		w.single(curves(r))
	case len(r.Profiles) > 0:
		w.profiles()
	case len(r.Runs) > 0:
		w.runs()
	case len(r.Waits) > 0:
		w.sampled()
	case len(r.Settings) > 0:
		w.headline(text("Settings, and no measurement to hold against them."))
	default:
		w.headline(text("Nothing that was measured was found in the input."))
	}
	w.advice()
	r.Summary = &w.out
}

// writer builds a summary sentence by sentence.
type writer struct {
	r   *report.Report
	out report.Summary
}

func (w *writer) headline(spans ...report.Span) { w.out.Headline = spans }

func (w *writer) say(spans ...report.Span) { w.out.Details = append(w.out.Details, spans) }

func (w *writer) fact(label, note string, value ...report.Span) {
	w.out.Facts = append(w.out.Facts, report.Fact{Label: label, Value: value, Note: note})
}

func text(format string, args ...any) report.Span {
	return report.Span{Text: fmt.Sprintf(format, args...)}
}

func series(label string) report.Span { return report.Span{Text: label, Series: label} }

func code(name string) report.Span { return report.Span{Text: name, Code: true} }

// leading is the comparison that the summary is about: the one that found most.
func leading(r *report.Report) *report.Comparison {
	var best *report.Comparison
	for i := range r.Comparisons {
		if c := &r.Comparisons[i]; best == nil || before(c, best) {
			best = c
		}
	}
	return best
}

// before tells whether a comparison found more than another.
func before(a, b *report.Comparison) bool {
	weight := map[string]int{"regression": 5, "mixed": 4, "improvement": 3, "inconclusive": 2, "not-comparable": 1, "no-difference": 1}
	size := func(c *report.Comparison) float64 {
		if c.Worst == nil || c.Worst.Ratio <= 0 {
			return 0
		}
		return math.Abs(math.Log(c.Worst.Ratio))
	}
	if x, y := weight[a.Verdict], weight[b.Verdict]; x != y {
		return x > y
	}
	return size(a) > size(b)
}

// curves are the series with more than one point.
func curves(r *report.Report) []*report.Series {
	var out []*report.Series
	for i := range r.Series {
		if len(r.Series[i].Points) > 1 {
			out = append(out, &r.Series[i])
		}
	}
	return out
}

var directions = map[string]string{"regression": " is slower than ", "improvement": " is faster than "}

// statement is what a comparison found, in a sentence.
func statement(c *report.Comparison) []report.Span {
	a, b := series(c.Candidate), series(c.Baseline)
	direction := directions[c.Verdict]
	switch {
	case direction != "" && c.Onset != nil && c.Onset.At > 0:
		return []report.Span{a, text("%s", direction), b, text(" from %s clients on: %s.", count(c.Onset.At), sizes(c))}
	case direction != "" && c.Mean != nil && (c.Attribution == "uniform" || allChanged(c)):
		return []report.Span{a, text("%s", direction), b, text(" at every client count: %s on average.", percent(c.Mean.Ratio))}
	case direction != "":
		return []report.Span{a, text("%s", direction), b, text("%s: %s.", changedWords(c), sizes(c))}
	case c.Verdict == "mixed":
		return []report.Span{a, text(" is slower than "), b, text(" at some client counts and faster at others: %s.", sizes(c))}
	case c.Verdict == "no-difference":
		return []report.Span{text("No difference between "), a, text(" and "), b, text("%s.", meanWords(c))}
	case c.Verdict == "not-comparable":
		return []report.Span{a, text(" and "), b, text(" are not comparable: %s.", differs(c))}
	}
	return []report.Span{text("Whether "), a, text(" differs from "), b, text(" cannot be told from these runs.")}
}

func (w *writer) compared(c *report.Comparison) {
	w.headline(statement(c)...)
	_, direction := directions[c.Verdict]
	if c.Onset != nil && c.Onset.After > 0 && c.Onset.At > c.Onset.After {
		w.say(text("At %s no difference shows.", fewer(c)))
	} else if !direction && c.Verdict != "no-difference" && c.Verdict != "not-comparable" || c.Verdict == "mixed" {
		w.say(text("%s", c.Why))
	}
	switch c.Attribution {
	case "collapse":
		w.say(text("Only the collapse term of the model moved."))
	case "contention":
		w.say(text("Only the contention term of the model moved: the plateau is at another height, without an extra fall."))
	case "uniform":
		w.say(text("The whole curve moved by one factor, as work per statement does."))
	case "unexplained":
		w.say(text("No single term of the model explains the change."))
	}
	s := sides(w.r, c)
	w.locks(s)
	w.waits(s)
	w.others(c)
	w.peaks(c)
	if c.Floor != nil {
		w.fact("Floor", floors(w.r, c), text("× %.2f", *c.Floor))
	}
	if c.Noise != nil {
		w.fact("Noise", noiseWords[c.Noise.Source]+runsWords(w.r), text("%s", share100(math.Exp(c.Noise.SigmaLog)-1)))
	}
}

// fewOthers is how many more comparisons are told in full; of more, the largest changes are named and the rest is counted.
const fewOthers = 3

// others says what the comparisons beside the one of the headline found.
func (w *writer) others(c *report.Comparison) {
	var list []*report.Comparison
	restored := 0
	for i := range w.r.Comparisons {
		if o := &w.r.Comparisons[i]; o != c {
			list = append(list, o)
			if o.Restores != "" {
				restored++
			}
		}
	}
	many := len(list) > fewOthers
	rest := map[string]int{}
	if many {
		sorting.StableBy(list, func(a, b *report.Comparison) int {
			switch {
			case before(a, b):
				return -1
			case before(b, a):
				return 1
			}
			return 0
		})
	}
	named := 0
	for _, o := range list {
		switch {
		case o.Restores != "" && (!many || restored == 1):
			w.say(text("With "), series(o.Candidate), text(" the "), series(o.Baseline), text(" curve is back%s.", meanWords(o)))
		case many && (named == 2 || o.Verdict != "regression" && o.Verdict != "improvement" && o.Verdict != "mixed"):
			rest[o.Verdict]++
		case many:
			named++
			w.say(statement(o)...)
		default:
			if words, ok := strings.CutPrefix(o.Why, o.Candidate); ok {
				w.say(series(o.Candidate), text("%s", words))
			} else {
				w.say(series(o.Candidate), text(": %s", o.Why))
			}
		}
	}
	words := tally(
		amount{rest["regression"], "is slower", "are slower"},
		amount{rest["improvement"], "is faster", "are faster"},
		amount{rest["mixed"], "is slower at some counts and faster at others", "are slower at some counts and faster at others"},
		amount{rest["no-difference"], "shows no difference", "show no difference"},
		amount{rest["inconclusive"], "cannot be told", "cannot be told"},
		amount{rest["not-comparable"], "is not comparable", "are not comparable"},
	)
	if words != "" {
		w.say(text("%s; see the comparisons.", words))
	}
}

// amount is how many do something, and what one and several of them do.
type amount struct {
	n            int
	one, several string
}

// tally counts what is not named: "7 more are slower, 12 show no difference".
func tally(list ...amount) string {
	var parts []string
	for _, a := range list {
		if a.n == 0 {
			continue
		}
		more, words := "", a.several
		if len(parts) == 0 {
			more = " more"
		}
		if a.n == 1 {
			words = a.one
		}
		parts = append(parts, fmt.Sprintf("%d%s %s", a.n, more, words))
	}
	return strings.Join(parts, ", ")
}

var noiseWords = map[string]string{
	"repeats":        "standard deviation of a ratio, from the repeats",
	"control-series": "standard deviation of a ratio, from the control series",
	"joint-fit":      "standard deviation of a ratio, from what the joint fit leaves over",
	"intervals":      "at least this, from the intervals inside the runs",
	"assumed":        "assumed: nothing in the input tells",
}

// runsWords says how many runs a point has.
func runsWords(r *report.Report) string {
	lo, hi := math.MaxInt, 0
	for _, s := range r.Series {
		for _, p := range s.Points {
			lo, hi = min(lo, p.N), max(hi, p.N)
		}
	}
	switch {
	case hi == 0:
		return ""
	case lo == hi && lo == 1:
		return ", one run per point"
	case lo == hi:
		return fmt.Sprintf(", %d runs per point", lo)
	}
	return fmt.Sprintf(", %d to %d runs per point", lo, hi)
}

// sizes names the change at the first changed count and at the worst one.
func sizes(c *report.Comparison) string {
	var parts []string
	if c.Onset != nil {
		for _, p := range c.Points {
			if p.Clients == c.Onset.At && (c.Worst == nil || p.Clients != c.Worst.Clients) {
				parts = append(parts, fmt.Sprintf("%s at %s", percent(p.Ratio), count(p.Clients)))
			}
		}
	}
	if c.Worst != nil {
		parts = append(parts, fmt.Sprintf("%s at %s", percent(c.Worst.Ratio), count(c.Worst.Clients)))
	}
	return strings.Join(parts, ", ")
}

// fewer names the measured counts up to the last unchanged one.
func fewer(c *report.Comparison) string {
	after := c.Onset.After
	if after == 1 || len(c.Points) > 0 && c.Points[0].Clients == after {
		return clientsWords(after)
	}
	return count(after) + " and fewer clients"
}

// changedWords names the counts that changed where they are one range.
func changedWords(c *report.Comparison) string {
	first, last := -1, -1
	for i, p := range c.Points {
		switch {
		case p.Changed && first < 0:
			first, last = i, i
		case p.Changed && i == last+1:
			last = i
		case p.Changed:
			return ""
		}
	}
	switch {
	case first < 0:
		return ""
	case first == last:
		return " at " + clientsWords(c.Points[first].Clients)
	}
	return fmt.Sprintf(" at %s to %s clients", count(c.Points[first].Clients), count(c.Points[last].Clients))
}

func allChanged(c *report.Comparison) bool {
	return !slices.ContainsFunc(c.Points, func(p report.RatioPoint) bool { return !p.Changed })
}

func meanWords(c *report.Comparison) string {
	m := cmp.Or(c.MeanWhere, c.Mean)
	if m == nil {
		return ""
	}
	where := ""
	if c.MeanWhere != nil && len(c.Points) > 0 && m.FromClients > c.Points[0].Clients {
		where = fmt.Sprintf(" from %s clients on", count(m.FromClients))
	}
	return fmt.Sprintf(": equal on average%s (%s, 90 %% interval %s to %s)", where, percent(m.Ratio), percent(m.Lo), percent(m.Hi))
}

func differs(c *report.Comparison) string {
	var parts []string
	for _, d := range c.Differs {
		parts = append(parts, fmt.Sprintf("%s %s against %s", d.Name, orUnknown(d.Candidate), orUnknown(d.Baseline)))
	}
	if len(parts) == 0 {
		return strings.TrimSuffix(c.Why, ".")
	}
	return strings.Join(parts, ", ")
}

func orUnknown(s string) string { return cmp.Or(s, "unknown") }

// locks says which lock the slower side's profile shows, against the other side's.
func (w *writer) locks(s *scene) {
	p, q := s.worse.profile, s.better.profile
	if p == nil {
		return
	}
	best, gain := -1, .05
	for i, l := range p.Locks {
		g := l.Share
		if q != nil {
			g -= lockShare(q, l.Class, "")
		}
		if g > gain && len(l.Callers) > 0 {
			best, gain = i, g
		}
	}
	if best < 0 {
		return
	}
	l := p.Locks[best]
	caller := l.Callers[0]
	spans := []report.Span{text("In "), series(s.worse.name()), text(" %s time under ", lockName(l.Class)), code(caller.Function), text(" takes %s of the CPU samples", share100(caller.Share))}
	if q != nil {
		spans = append(spans, text(", against %s in ", share100(lockShare(q, l.Class, caller.Function))), series(s.better.name()))
	}
	w.say(append(spans, text("."))...)
}

// waits says which wait event grew on the slower side.
func (w *writer) waits(s *scene) {
	if changed, _ := s.lookup("changed", nil).(bool); s.worse.waits == nil || !changed {
		return
	}
	for _, e := range s.worse.waits.Events {
		kind, _, _ := strings.Cut(e.Event, ":")
		if e.Share < .1 || kind == "Client" || kind == "Activity" || kind == "CPU" {
			continue
		}
		spans := []report.Span{text("%s of the sampled sessions of ", share100(e.Share)), series(s.worse.name()), text(" wait for "), code(e.Event)}
		if s.better.waits != nil {
			spans = append(spans, text(", against %s in ", share100(waitShare(s.better.waits, e.Event))), series(s.better.name()))
		}
		w.say(append(spans, text("."))...)
		return
	}
}

// peaks states the sampled peaks of both sides with their brackets.
func (w *writer) peaks(c *report.Comparison) {
	a, b := seriesOf(w.r, c.Baseline), seriesOf(w.r, c.Candidate)
	if a == nil || b == nil || a.Peak == nil || b.Peak == nil || c.Verdict == "not-comparable" {
		return
	}
	w.fact("Peak", fmt.Sprintf("clients sampled; true peak %s → %s", bracket(a.Peak), bracket(b.Peak)),
		report.Span{Text: count(a.Peak.Clients), Series: a.Label}, text(" → "), report.Span{Text: count(b.Peak.Clients), Series: b.Label})
}

// bracket says where a true peak lies: beyond the largest count nothing was measured.
func bracket(p *report.Peak) string {
	if len(p.BracketClients) != 2 {
		return "unknown"
	}
	if p.BracketClients[1] == p.Clients {
		return fmt.Sprintf("at %d or more", p.BracketClients[0])
	}
	return fmt.Sprintf("within %d–%d", p.BracketClients[0], p.BracketClients[1])
}

func floors(r *report.Report, c *report.Comparison) string {
	a, b := seriesOf(r, c.Baseline), seriesOf(r, c.Candidate)
	if a == nil || b == nil || a.Floor == nil || b.Floor == nil {
		return "throughput past the collapse, candidate over baseline"
	}
	return fmt.Sprintf("%s → %s %s past the peak", count(rounded(a.Floor.TPS)), count(rounded(b.Floor.TPS)), unitOf(b.Unit))
}

// unitOf is what a throughput counts: transactions per second where the input says nothing else.
func unitOf(unit string) string { return cmp.Or(unit, "TPS") }

// rounded keeps three significant digits: more than a floor is known to.
func rounded(v float64) int {
	if v < 1000 {
		return int(math.Round(v))
	}
	unit := math.Pow(10, math.Floor(math.Log10(v))-2)
	return int(math.Round(v/unit) * unit)
}

// single describes curves that nothing is compared with.
func (w *writer) single(list []*report.Series) {
	named := list
	if len(list) > fewOthers+1 {
		named = list[:fewOthers]
	}
	for i, s := range named {
		unit := unitOf(s.Unit)
		last := s.Points[len(s.Points)-1]
		var spans []report.Span
		if len(list) > 1 || s.Label != "" {
			spans = append(spans, series(s.Label), text(": throughput "))
		} else {
			spans = append(spans, text("Throughput "))
		}
		switch ending(s) {
		case rises:
			spans = append(spans, text("still rises at %s, the largest count measured: %s %s.", clientsWords(last.Clients), count(int(last.TPS)), unit))
		case falls:
			spans = append(spans, text("is highest at %s (%s %s) and falls to %.0f %% of that at %s.", clientsWords(s.Peak.Clients), count(int(s.Peak.TPS)), unit, 100*last.TPS/s.Peak.TPS, count(last.Clients)))
		case flat:
			spans = append(spans, text("hardly depends on the number of clients, %s to %s: at most %s %s.", count(s.Points[0].Clients), count(last.Clients), count(int(s.Peak.TPS)), unit))
		default:
			spans = append(spans, text("levels off: highest at %s, %s %s.", clientsWords(s.Peak.Clients), count(int(s.Peak.TPS)), unit))
		}
		if i == 0 {
			w.headline(spans...)
		} else {
			w.say(spans...)
		}
		if s.Explained != nil && !*s.Explained && len(s.Models) > 0 {
			of := ""
			if len(list) > 1 {
				of = " of " + s.Label
			}
			w.say(text("No law describes the curve%s: %s.", of, strings.TrimPrefix(s.Unexplained, "no law explains this curve: ")))
		} else if len(s.Models) > 0 && s.Models[0].Says != "" && len(list) == 1 {
			w.say(text("%s", upper(strings.TrimSuffix(s.Models[0].Says, "."))+"."))
		}
		if s.Peak != nil && len(list) == 1 {
			w.fact("Peak", "clients sampled; true peak "+bracket(s.Peak), text("%s", count(s.Peak.Clients)))
		}
		if s.Floor != nil && len(list) == 1 {
			w.fact("Floor", fmt.Sprintf("%s from %d clients on, %+.1f %% per doubling", unit, s.Floor.FromClients, 100*s.Floor.SlopePerDoubling), text("%s", count(int(s.Floor.TPS))))
		}
	}
	var more [4]int
	for _, s := range list[len(named):] {
		more[ending(s)]++
	}
	if words := tally(amount{more[rises], "still rises", "still rise"}, amount{more[falls], "falls past its peak", "fall past their peaks"}, amount{more[levels], "levels off", "level off"}, amount{more[flat], "hardly depends on the number of clients", "hardly depend on the number of clients"}); words != "" {
		w.say(text("%s; see the curves.", words))
	}
}

// How a curve ends.
const (
	rises  = iota
	falls  // by more than a tenth of its peak
	levels // off
	flat   // from the first count on
)

func ending(s *report.Series) int {
	lower := func(p report.Point) bool { return p.TPS < .9*s.Peak.TPS }
	if s.Peak != nil && len(s.Points) >= 4 && !slices.ContainsFunc(s.Points, lower) {
		return flat
	}
	// A last count that is highest by no more than its neighbours' noise, as the bracket tells, is no rise.
	switch last := s.Points[len(s.Points)-1]; {
	case s.Peak == nil || s.Peak.Clients == last.Clients && (len(s.Peak.BracketClients) != 2 || len(s.Points) < 2 || s.Peak.BracketClients[0] >= s.Points[len(s.Points)-2].Clients):
		return rises
	case last.TPS < .9*s.Peak.TPS:
		return falls
	}
	return levels
}

// profiles describes where time went, or moved to.
func (w *writer) profiles() {
	pairs := w.r.ProfileComparisons
	if len(pairs) > fewOthers+1 {
		pairs = pairs[:fewOthers]
	}
	for i, pc := range pairs {
		changes := slices.DeleteFunc(slices.Clone(pc.Changes), func(c report.Change) bool { return c.WithinNoise })
		sorting.StableBy(changes, func(a, b report.Change) int {
			if first := falseFirst(a.Elsewhere, b.Elsewhere); first != 0 { // what postgres does comes first
				return first
			}
			x, y := math.Abs(a.SelfTo-a.SelfFrom), math.Abs(b.SelfTo-b.SelfFrom)
			if x == 0 && y == 0 {
				x, y = math.Abs(a.TotalTo-a.TotalFrom), math.Abs(b.TotalTo-b.TotalFrom)
			}
			return cmp.Compare(y, x)
		})
		spans := []report.Span{text("From "), series(pc.Baseline), text(" to "), series(pc.Candidate)}
		if len(changes) == 0 {
			spans = append(spans, text(" no function moved beyond the noise of sampling."))
		} else {
			if changes[0].Elsewhere {
				spans = append(spans, text(" no function of postgres moved beyond the noise of sampling; elsewhere"))
			}
			for j, c := range changes[:min(len(changes), 3)] {
				from, to := c.SelfFrom, c.SelfTo
				if from == to {
					from, to = c.TotalFrom, c.TotalTo
				}
				lead, small := ", ", math.Abs(to-from) < .01
				if j > 0 && small { // the largest is told whatever its size
					break
				}
				switch {
				case j == 0 && small:
					lead = " hardly any time moved: at most "
				case j == 0:
					lead = " time moved: "
				}
				spans = append(spans, text("%s", lead), code(c.Function), text(" %.1f %% → %.1f %%", 100*from, 100*to))
			}
			spans = append(spans, text(" of the samples."))
		}
		if i == 0 {
			w.headline(spans...)
		} else {
			w.say(spans...)
		}
	}
	if words := tally(amount{len(w.r.ProfileComparisons) - len(pairs), "pair is compared", "pairs are compared"}); words != "" {
		w.say(text("%s; see the profiles.", words))
	}
	if len(pairs) > 0 {
		w.say(text("A share is not a duration: these are shares of on-CPU samples, and sleeping waits are not in them."))
		return
	}
	p := w.r.Profiles[0]
	if len(p.Top) == 0 {
		w.headline(text("A profile without a known function."))
		return
	}
	top := slices.MaxFunc(p.Top, func(a, b report.Function) int {
		return cmp.Or(falseFirst(resolved(a), resolved(b)), cmp.Compare(a.Own(), b.Own()))
	})
	takes := []report.Span{code(top.Function), text(" takes the largest share of the samples itself: %s.", share100(top.Own()))}
	most := slices.MaxFunc(p.Top, func(a, b report.Function) int { return cmp.Compare(a.Own(), b.Own()) })
	switch {
	case most.Own() == 0: // inclusive shares are all there is
		most = slices.MaxFunc(p.Top, func(a, b report.Function) int { return cmp.Compare(a.Total, b.Total) })
		w.headline(code(most.Function), text(" has the largest share with what it calls: %s.", share100(most.Total)))
	case most.Function != top.Function && resolved(top):
		w.headline(append([]report.Span{text("Of the functions with a name ")}, takes...)...)
		w.say(text("%s of the samples are in ", share100(most.Own())), code(most.Function), text(", which has no symbols."))
	default:
		w.headline(takes...)
	}
	for _, l := range p.Locks {
		if l.Share >= .02 && len(l.Callers) > 0 && len(w.out.Details) < 4 {
			w.say(text("%s time: %s of the samples, most under ", upper(lockName(l.Class)), share100(l.Share)), code(l.Callers[0].Function), text("."))
		}
	}
}

// falseFirst compares what holds and what does not.
func falseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// resolved tells whether a function has a name: without symbols there is only that of a program, [postgres].
func resolved(f report.Function) bool { return !strings.HasPrefix(f.Function, "[") }

// runs describes runs that form no curve.
func (w *writer) runs() {
	n, counts := 0, map[int]bool{}
	for _, run := range w.r.Runs {
		if run.TPS != nil {
			n++
		}
		if run.Clients != nil {
			counts[*run.Clients] = true
		}
	}
	if cost, ok := latencyCost(w.r).(float64); ok && len(counts) < 2 {
		w.latencies(cost)
		return
	}
	switch {
	case len(w.r.Runs) == 1 && n == 1:
		run := w.r.Runs[0]
		at := ""
		if run.Clients != nil {
			at = " at " + clientsWords(*run.Clients)
		}
		why := bench.WhyFlags(run.Flags)
		if why != "" {
			why = " (" + why + ")"
		}
		w.headline(text("One run%s: %s %s%s.", why, count(int(math.Round(*run.TPS))), unitOf(run.Unit), at))
		w.say(text("A curve needs runs at several client counts."))
	case n > 0:
		why := "fewer than two client counts per series"
		if !slices.ContainsFunc(w.r.Runs, func(run report.Run) bool { return !slices.Contains(run.Flags, bench.FlagRateLimited) }) {
			why = "all are throttled (-R)"
		}
		w.headline(text("%s, and no curve: %s.", plural(float64(len(w.r.Runs)), "run", "runs"), why))
	case w.latencySweep():
	default:
		w.headline(text("%s without a throughput.", plural(float64(len(w.r.Runs)), "run", "runs")))
	}
}

// sampled describes wait events that no run is there for.
func (w *writer) sampled() {
	for i, list := range w.r.Waits {
		spans := []report.Span{}
		if len(w.r.Waits) > 1 {
			spans = append(spans, text("%s: ", list.Label))
		}
		e := list.Events[0]
		spans = append(spans, text("most sampled sessions wait for "), code(e.Event), text(" (%s).", share100(e.Share)))
		if i == 0 {
			spans[0].Text = upper(spans[0].Text)
			w.headline(spans...)
		} else if len(w.out.Details) < 6 {
			w.say(spans...)
		}
	}
	w.say(text("How much throughput that costs, only runs at several client counts tell."))
}

// latencies describes lists of latencies with and without something loaded.
func (w *writer) latencies(cost float64) {
	w.headline(text("With the extension loaded the latency is at most %.0f %% higher than without.", 100*cost))
	type extreme struct{ base, most float64 }
	byMode := map[string]*extreme{}
	var modes []string
	for _, run := range w.r.Runs {
		if run.LatencyMs == nil || run.TPS != nil {
			continue
		}
		if byMode[run.QueryMode] == nil {
			byMode[run.QueryMode] = &extreme{}
			modes = append(modes, run.QueryMode)
		}
		e := byMode[run.QueryMode]
		if notLoaded(run.Series) {
			e.base = max(e.base, *run.LatencyMs)
		} else {
			e.most = max(e.most, *run.LatencyMs)
		}
	}
	for _, mode := range modes {
		e := byMode[mode]
		if e.base == 0 {
			continue
		}
		name := "Not loaded"
		if mode != "" {
			name = "With the " + mode + " protocol: not loaded"
		}
		words := fmt.Sprintf("%s %g ms, loaded at most %g ms (%s)", name, e.base, e.most, percent(e.most/e.base))
		if e.most-e.base < .0015 && e.base < .1 { // latencies of that size are printed with three decimals
			words += ", which is one unit of the last printed digit: nothing measurable"
		}
		w.say(text("%s.", words))
	}
	w.say(text("Latencies at one client count form no curve."))
}

// advice states the strongest recommendation as a fact.
func (w *writer) advice() {
	for _, rec := range w.r.Recommendations {
		if rec.Kind == "measurement" && len(w.r.Recommendations) > 1 && w.r.Recommendations[0].Kind != "measurement" {
			continue
		}
		if rec.Setting != "" && rec.To != "" {
			short := rec.Setting[strings.LastIndexByte(rec.Setting, '.')+1:]
			w.fact("Advice", rec.Kind+" · "+rec.Confidence, code(short), text(" %s → %s", orUnknown(rec.From), rec.To))
		} else {
			w.fact("Advice", rec.Kind+" · "+rec.Confidence, text("%s", rec.Title))
		}
		return
	}
}

// count writes an integer with a blank between thousands from 10,000 on.
func count(n int) string {
	s := strconv.Itoa(n)
	if n < 10_000 {
		return s
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

// conditions are the facts that all runs with a throughput share, for captions.
func conditions(r *report.Report) []report.Condition {
	var out []report.Condition
	add := func(name string, of func(*report.Run) string) {
		found := ""
		for i := range r.Runs {
			run := &r.Runs[i]
			if run.TPS == nil {
				continue
			}
			v := of(run)
			if v == "" || found != "" && v != found {
				return
			}
			found = v
		}
		if found != "" {
			out = append(out, report.Condition{Name: name, Value: found})
		}
	}
	whole := func(n *int) string {
		if n == nil {
			return ""
		}
		return strconv.Itoa(*n)
	}
	add("script", func(r *report.Run) string { return r.Script })
	add("scale", func(r *report.Run) string { return whole(r.Scale) })
	add("threads", func(r *report.Run) string { return whole(r.Threads) })
	add("protocol", func(r *report.Run) string { return r.QueryMode })
	add("duration", func(r *report.Run) string {
		if r.DurationS == nil {
			return ""
		}
		d := *r.DurationS
		if d >= 1 {
			d = math.Round(10*d) / 10 // clocks say 299.999999999
		}
		return strconv.FormatFloat(d, 'f', -1, 64) + " s a run"
	})
	add("server", func(r *report.Run) string { return r.ServerVersion })
	for _, s := range r.Series {
		if s.Cores > 0 {
			return append(out, report.Condition{Name: "CPUs", Value: strconv.Itoa(s.Cores)})
		}
	}
	return out
}
