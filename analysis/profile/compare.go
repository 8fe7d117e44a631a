package profile

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"pgknee/analysis/report"
	"pgknee/analysis/sorting"
)

const (
	// leastChange is the change of a share that counts as one: perf report prints two digits of a percentage.
	leastChange = 0.0001
	// maxChanges bounds the functions that a comparison lists.
	maxChanges = 200
)

// Compare compares two profiles of the same event by function: the share that a function has itself, and with all it calls, on both
// sides, largest change first. Partial profiles are compared only where both know something; ok is false when that is nowhere, or
// when the events differ.
func Compare(from, to *Profile) (c report.ProfileComparison, ok bool) {
	if !SameEvent(from, to) || from.Total <= 0 || to.Total <= 0 {
		return c, false
	}
	partial := from.Partial || to.Partial
	a := align(from, to, !partial)
	c = report.ProfileComparison{Baseline: from.Label, Candidate: to.Label}
	if partial {
		c.Changes, ok = a.known()
	} else {
		c.Changes, ok = a.difference().functions(), true
	}
	c.Notes = a.notes
	c.Changes = slices.DeleteFunc(c.Changes, func(c report.Change) bool {
		return math.Abs(c.SelfTo-c.SelfFrom) < leastChange && math.Abs(c.TotalTo-c.TotalFrom) < leastChange
	})
	within := noise(from, to)
	for i := range c.Changes {
		c.Changes[i].WithinNoise = within(c.Changes[i])
	}
	if x, y := a.ofServer(from), a.ofServer(to); x != nil && y != nil {
		for i := range c.Changes {
			f := c.Changes[i].Function
			c.Changes[i].Elsewhere = !x[f] && !y[f]
		}
	}
	sorting.By(c.Changes, func(a, b report.Change) int {
		x, y := moved(a), moved(b)
		return cmp.Or(cmp.Compare(max(y[0], y[1]), max(x[0], x[1])), cmp.Compare(y[0], x[0]), strings.Compare(a.Function, b.Function))
	})
	c.Changes = c.Changes[:min(len(c.Changes), maxChanges)]
	return c, ok
}

// ofServer gives the functions that are on stacks of postgres, by their common names; nil where no command is known to be that.
func (a *alignment) ofServer(p *Profile) map[string]bool {
	var names map[string]bool
	seen := make([]bool, len(p.Parent))
	for _, c := range p.Cells {
		if c.Thread < 0 || p.Threads[c.Thread].Command != "postgres" {
			continue
		}
		if names == nil {
			names = map[string]bool{}
		}
		for n := c.Node; n > 0 && !seen[n]; n = p.Parent[n] {
			seen[n] = true
			names[a.name(p.Name(n))] = true
		}
	}
	return names
}

// moved is how far the self share and the inclusive share moved, without the last digits, in which sums of another order differ.
func moved(c report.Change) [2]float64 {
	return [2]float64{math.Round(1e9 * math.Abs(c.SelfTo-c.SelfFrom)), math.Round(1e9 * math.Abs(c.TotalTo-c.TotalFrom))}
}

// functions gives the shares of every function of the tree. A function that recurs in a stack counts once.
func (d *Difference) functions() []report.Change {
	from, to := d.Totals()
	list := make([]report.Change, len(d.Frames))
	for i, f := range d.Frames {
		list[i].Function = f.Name
	}
	open := make([]int32, len(d.Frames))
	walk(d.Parent, func(n int32) {
		c := &list[d.Frame[n]]
		c.SelfFrom += d.SelfFrom[n]
		c.SelfTo += d.SelfTo[n]
		if open[d.Frame[n]]++; open[d.Frame[n]] == 1 {
			c.TotalFrom += from[n]
			c.TotalTo += to[n]
		}
	}, func(n int32) { open[d.Frame[n]]-- })
	return slices.DeleteFunc(list, func(c report.Change) bool { return c.Function == BelowLimit || c.Function == unknownName })
}

// noise tells changes that sampling alone makes often: both within two standard errors, sqrt(p(1-p)/n) on each side. Without the
// numbers of samples none is.
func noise(from, to *Profile) func(report.Change) bool {
	n, known := from.SampleCount()
	m, also := to.SampleCount()
	if !known || !also {
		return func(report.Change) bool { return false }
	}
	within := func(p, q float64) bool {
		mean := (p*n + q*m) / (n + m)
		return math.Abs(q-p) <= 2*math.Sqrt(max(mean*(1-mean), 0)*(1/n+1/m))
	}
	return func(c report.Change) bool { return within(c.SelfFrom, c.SelfTo) && within(c.TotalFrom, c.TotalTo) }
}

// fact is what a profile knows of one function: shares, and whether it knows them.
type fact struct {
	self, total             float64
	selfKnown, totalKnown   bool
	selfAtMost, totalPasted bool
}

// known compares what both sides know of functions.
func (a *alignment) known() (list []report.Change, ok bool) {
	x, y := a.facts(a.from), a.facts(a.to)
	names := map[string]bool{}
	for name := range x.of {
		names[name] = true
	}
	for name := range y.of {
		names[name] = true
	}
	var onlyFrom, onlyTo []string
	bounds, pasted := false, false
	for name := range names {
		p, hasP := x.get(name)
		q, hasQ := y.get(name)
		switch {
		case !hasP:
			onlyTo = append(onlyTo, name)
			continue
		case !hasQ:
			onlyFrom = append(onlyFrom, name)
			continue
		}
		c := report.Change{Function: name}
		if p.selfKnown && q.selfKnown {
			c.SelfFrom, c.SelfTo = p.self, q.self
			bounds = bounds || p.selfAtMost || q.selfAtMost
		} else {
			c.Unknown = "self"
		}
		if p.totalKnown && q.totalKnown {
			c.TotalFrom, c.TotalTo = p.total, q.total
			pasted = pasted || p.totalPasted || q.totalPasted
		} else if c.Unknown == "" {
			c.Unknown = "total"
			c.TotalFrom, c.TotalTo = c.SelfFrom, c.SelfTo // at least
		} else {
			continue
		}
		list = append(list, c)
	}
	a.partial(x, y, onlyFrom, onlyTo)
	if bounds {
		a.note("Rows that are folded away keep what they call in their own share.")
	}
	if pasted {
		a.note("Shares added up from pasted call graphs lack what lies below the limit of the report.")
	}
	return list, len(list) > 0
}

// partial tells what is not compared, and why.
func (a *alignment) partial(x, y facts, onlyFrom, onlyTo []string) {
	for _, f := range []facts{x, y} {
		if f.p.Partial {
			what := "only a part of its call graph"
			switch {
			case f.selfOnly:
				what = "shares of functions themselves, not what they call"
			case len(f.p.Parent) == 1 && len(f.p.Stated) > 0:
				what = "a few inclusive shares"
			}
			a.note("%s is partial: it has %s.", f.p.Label, what)
		}
	}
	for _, side := range []struct {
		label string
		names []string
		in    facts
	}{{a.from.Label, onlyFrom, x}, {a.to.Label, onlyTo, y}} {
		slices.SortFunc(side.names, func(a, b string) int {
			return cmp.Or(cmp.Compare(side.in.of[b].most(), side.in.of[a].most()), strings.Compare(a, b))
		})
		if n := len(side.names); n > 5 {
			a.note("Known of %s only, so not compared: %s and %d more.", side.label, strings.Join(side.names[:5], ", "), n-5)
		} else if n > 0 {
			a.note("Known of %s only, so not compared: %s.", side.label, strings.Join(side.names, ", "))
		}
	}
}

func (f fact) most() float64 { return max(f.self, f.total) }

// facts are what a profile knows.
type facts struct {
	p        *Profile
	of       map[string]fact
	selfOnly bool // a list of own shares, perhaps with callers
	complete bool // a function that is not there has no share
}

// complete is the sum of own shares from which on a list counts as complete: what it rounds off is less.
const completeSum = 0.985

// facts gathers what a profile knows of functions, by their common names.
func (a *alignment) facts(p *Profile) facts {
	f := facts{p: p, of: map[string]fact{}, complete: !p.Partial, selfOnly: p.ownShares()}
	sum := 0.0
	for _, self := range p.Self {
		sum += self
	}
	if f.selfOnly && sum >= completeSum*p.Total {
		f.complete = true
	}
	if f.selfOnly {
		for name, w := range p.Stated {
			f.add(a.name(name), fact{self: w.Self / p.Total, selfKnown: true})
		}
		return f
	}
	for _, k := range p.KnownFunctions() {
		name := a.name(k.Name)
		if k.Flags&Unknown != 0 {
			continue
		}
		f.add(name, fact{
			self: k.Self / p.Total, selfKnown: k.SelfKnown != Nothing, selfAtMost: k.SelfKnown == AtMost,
			total: k.Total / p.Total, totalKnown: k.TotalKnown != Nothing, totalPasted: k.TotalKnown == AtLeast,
		})
	}
	return f
}

// add joins functions that go by one name.
func (f *facts) add(name string, k fact) {
	if was, ok := f.of[name]; ok {
		k.self += was.self
		k.total = min(max(k.total, was.total, k.self), 1)
		k.selfKnown = k.selfKnown && was.selfKnown
		k.totalKnown = k.totalKnown && was.totalKnown
		k.selfAtMost = k.selfAtMost || was.selfAtMost
		k.totalPasted = k.totalPasted || was.totalPasted
	}
	f.of[name] = k
}

// get gives what is known of a function; a complete profile knows that what it lacks is nothing.
func (f facts) get(name string) (fact, bool) {
	k, ok := f.of[name]
	if !ok && f.complete {
		return fact{selfKnown: true, totalKnown: !f.selfOnly}, true
	}
	return k, ok
}
