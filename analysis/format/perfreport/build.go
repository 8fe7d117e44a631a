package perfreport

import (
	"slices"

	"pgknee/analysis/profile"
	"pgknee/analysis/source"
)

// maxPath bounds the steps that one list's call graphs may cost when chains are turned round.
const maxPath = 20_000_000

// build makes a profile of a list. complete is false when its call graphs were too large to be read in full.
func (l *list) build(file, label string) (p *profile.Profile, complete bool) {
	steps := maxSteps
	for _, e := range l.entries {
		e.settle(&steps)
	}
	l.orInclusive()
	l.lookUp()
	t := newTree()
	inclusive, graphs := false, false
	for _, e := range l.entries {
		inclusive = inclusive || e.children >= 0
		graphs = graphs || len(e.graph) > 0
	}
	fractal := l.fractal()
	callees := graphs && l.callersFirst(inclusive)
	seen := map[string]bool{}
	most := func(_, _ profile.Frame) float64 { return 100 }
	if inclusive {
		most = l.most()
	}
	for k, e := range l.entries {
		shares := e.weigh(l.total, fractal, most)
		switch {
		case !graphs:
			if e.self >= 0 {
				t.self[t.path(e.frame)] += e.self
			}
		case !inclusive:
			t.stacks(e, shares, callees)
		case callees: // the printed children are callers: each chain is the inclusive share of its end
			t.turned(e, shares, int32(k)+1)
		default:
			t.branches(e, shares, int32(k)+1, seen)
		}
	}
	if graphs && inclusive {
		t.settle(l)
	}
	p = t.profile(l.unit())
	p.Label, p.At, p.Event, p.Lost = label, source.Position{File: file, Line: l.line}, l.event, l.lost
	p.Stated = l.stated(p.Total / 100)
	return p, t.steps <= maxPath
}

// orInclusive takes a single column whose shares add up to more than the whole for the inclusive one: its neighbour was cut off.
func (l *list) orInclusive() {
	sum := 0.0
	for _, e := range l.entries {
		if e.children >= 0 {
			return
		}
		sum += e.self
	}
	if sum > 101+0.005*float64(len(l.entries)) && !l.own { // each is rounded to 0.01
		for _, e := range l.entries {
			e.children, e.self = e.self, -1
		}
	}
}

// grouped gives a list for each event of a group: call graphs are drawn with the shares of the first.
func (l *list) grouped() []*list {
	lists := []*list{l}
	for i := range len(l.events) - 1 {
		other := &list{line: l.line, event: l.events[i+1], lost: l.lost, columns: l.columns, own: l.own}
		for _, e := range l.entries {
			if i >= len(e.group) {
				continue
			}
			if s := e.group[i]; s.children > 0 || s.self > 0 {
				other.entries = append(other.entries, &entry{line: e.line, children: s.children, self: s.self, frame: e.frame})
			}
		}
		if len(other.entries) > 0 {
			lists = append(lists, other)
		}
	}
	for _, e := range l.entries {
		if e.group != nil { // the count in the head is that of all
			l.event, l.total = l.events[0], 0
			break
		}
	}
	return lists
}

// unit gives what a percent stands for, and what is counted.
func (l *list) unit() (total float64, name string) {
	if l.total > 0 {
		if l.event != "" {
			return l.total, profile.PlainEvent(l.event)
		}
		return l.total, "event count"
	}
	return 100, "percent"
}

// lookUp gives functions of call graphs the module that the list says of them.
func (l *list) lookUp() {
	known := map[string]profile.Frame{}
	for _, e := range l.entries {
		if _, ok := known[e.frame.Name]; !ok && e.frame.Flags&profile.Unknown == 0 {
			known[e.frame.Name] = e.frame
		}
	}
	for _, e := range l.entries {
		for i := range e.graph {
			if f, ok := known[e.graph[i].frame.Name]; ok {
				e.graph[i].frame = f
			}
		}
	}
}

// stated gives what the columns say of whole functions. Rows of several commands are one function; a function without a symbol is
// none.
func (l *list) stated(percent float64) map[string]profile.Weights {
	stated := map[string]profile.Weights{}
	for _, e := range l.entries {
		if e.frame.Flags&profile.Unknown != 0 {
			continue
		}
		w, ok := stated[e.frame.Name]
		if !ok {
			w = profile.Weights{Self: profile.NotKnown, Total: profile.NotKnown}
		}
		if e.self >= 0 {
			w.Self = min(max(w.Self, 0)+e.self*percent, 100*percent)
		}
		if e.children >= 0 {
			w.Total = min(max(w.Total, 0)+e.children*percent, 100*percent)
		}
		stated[e.frame.Name] = w
	}
	return stated
}

// fractal tells whether percentages of call graphs are of the parent, not of the whole: then some exceed their entry.
func (l *list) fractal() bool {
	for _, e := range l.entries {
		for _, n := range e.graph {
			if !n.count && n.value > e.rank()+0.02 {
				return true
			}
		}
	}
	return false
}

// most gives the largest inclusive share that the rows leave a callee of a function: that of its own row, and what the caller's row
// has beyond its own share.
func (l *list) most() func(caller, callee profile.Frame) float64 {
	shares, below := map[string]float64{}, map[string]float64{}
	for _, e := range l.entries {
		shares[e.frame.Name] += e.children
		below[e.frame.Name] += e.children - max(e.self, 0)
	}
	return func(caller, callee profile.Frame) float64 {
		most := 100.0
		if share, ok := shares[callee.Name]; ok && callee.Flags&(profile.Unknown|profile.Inlined) == 0 {
			most = share
		}
		if share, ok := below[caller.Name]; ok && caller.Flags&profile.Unknown == 0 && caller.Name != callee.Name {
			most = min(most, share)
		}
		return most
	}
}

// weigh gives the share of the whole, in percent, of each node with all behind it. Children never exceed their parent. The terminal
// browser names an only child without its share, which may be less than the parent's: it is no more than most says.
func (e *entry) weigh(total float64, fractal bool, most func(caller, callee profile.Frame) float64) []float64 {
	raw := make([]float64, len(e.graph))
	sums := make([]float64, len(e.graph)+1) // the last is the entry's
	of := func(sums []float64, parent int) float64 {
		if parent < 0 {
			return e.rank()
		}
		return sums[parent]
	}
	scale := e.countScale(total)
	for i, n := range e.graph {
		up := of(raw, n.parent)
		switch {
		case n.value < 0 && e.sign != 0 && n.parent >= 0:
			raw[i] = min(up, most(e.graph[n.parent].frame, n.frame))
		case n.value < 0:
			raw[i] = up
		case n.count:
			raw[i] = n.value * scale
		case fractal:
			raw[i] = up * n.value / 100
		default:
			raw[i] = n.value
		}
		k := n.parent
		if k < 0 {
			k = len(e.graph)
		}
		sums[k] += raw[i]
	}
	shares := make([]float64, len(e.graph))
	for i, n := range e.graph {
		up, rawUp, sum := of(shares, n.parent), of(raw, n.parent), sums[len(e.graph)]
		if n.parent >= 0 {
			sum = sums[n.parent]
		}
		if most := max(rawUp, sum); most > 0 {
			shares[i] = raw[i] * up / most
		}
	}
	return shares
}

// countScale gives how many percent of the whole one of -g count or -g period stands for.
func (e *entry) countScale(total float64) float64 {
	first := 0.0
	for _, n := range e.graph {
		if n.count && (n.parent < 0 || !e.graph[n.parent].count && e.graph[n.parent].value < 0) {
			first += n.value
		}
	}
	if first <= 0 {
		return 0
	}
	if total > 0 && first > e.rank()/100*total*0.3 && first <= e.rank()/100*total*1.01 {
		return 100 / total
	}
	return e.rank() / first // counts of samples: the number of all is only stated rounded
}

// callersFirst tells whether the graphs go from a function to its callers.
//
// Without inclusive shares, a graph that goes down ends in the entry's function. With them, so does one of a function with a share
// of its own, while a graph of callers begins with the function; then ends tell: going down they are what has a share of its own,
// going up they are where programs begin, which have none.
func (l *list) callersFirst(inclusive bool) bool {
	up, down := 0.0, 0.0
	if !inclusive {
		for _, e := range l.entries {
			if len(e.graph) == 0 || e.self == 0 || e.frame.Flags&profile.Unknown != 0 { // an address is written in two ways
				continue
			}
			if at := slices.IndexFunc(e.graph, func(n node) bool { return n.frame.Name == e.frame.Name }); at <= 0 {
				up++
			} else {
				down++
			}
		}
		return up >= down
	}
	share, own := map[string]float64{}, map[string]float64{}
	for _, e := range l.entries {
		if e.frame.Flags&profile.Unknown == 0 {
			share[e.frame.Name] += e.children
			own[e.frame.Name] += max(e.self, 0)
		}
	}
	for _, e := range l.entries {
		inner := make([]bool, len(e.graph))
		for _, n := range e.graph {
			if n.parent >= 0 {
				inner[n.parent] = true
			}
		}
		for i, n := range e.graph {
			if n.frame.Name == e.frame.Name && e.frame.Flags&profile.Unknown == 0 {
				if e.outside(n.parent) {
					return false
				}
				continue
			}
			if total := share[n.frame.Name]; !inner[i] && total > 0 {
				switch part := own[n.frame.Name] / total; {
				case part >= 0.5:
					down += total
				case part < 0.05:
					up += total
				}
			}
		}
	}
	if up != down {
		return up > down
	}
	return l.risingShares(share)
}

// outside tells whether a node, or one above it, is a function of its own that is not the entry's: code that was inlined into the
// entry's function is part of that.
func (e *entry) outside(n int) bool {
	for n >= 0 && e.graph[n].frame.Flags&profile.Inlined != 0 {
		n = e.graph[n].parent
	}
	return n >= 0 && e.graph[n].frame.Name != e.frame.Name
}

// risingShares tells whether most steps of the graphs go from a function to one with a larger inclusive share: to a caller.
func (l *list) risingShares(share map[string]float64) bool {
	up, down := 0, 0
	for _, e := range l.entries {
		for _, n := range e.graph {
			if n.parent < 0 {
				continue
			}
			a, ok := share[e.graph[n.parent].frame.Name]
			b, also := share[n.frame.Name]
			switch {
			case !ok || !also:
			case b > a+0.1:
				up++
			case b < a-0.1:
				down++
			}
		}
	}
	return up > down
}
