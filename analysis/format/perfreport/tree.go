package perfreport

import "pgknee/analysis/profile"

// tree gathers stacks, from the root to the leaf, in percent of the whole.
type tree struct {
	parent []int32
	frame  []profile.FrameID
	self   []float64
	total  []float64 // where inclusive shares are printed: the largest that any graph gives the node
	now    []float64 // what the graph of the entry being read gives it
	by     []int32   // that entry
	folded []bool    // callees exist but are folded away
	doubt  map[int32][]int32

	frames []profile.Frame
	ids    map[profile.Frame]profile.FrameID
	child  map[edge]int32
	steps  int
}

type edge struct {
	parent int32
	frame  profile.FrameID
}

func newTree() *tree {
	t := &tree{ids: map[profile.Frame]profile.FrameID{}, child: map[edge]int32{}, doubt: map[int32][]int32{}}
	t.add(-1, 0)
	return t
}

func (t *tree) add(parent int32, f profile.FrameID) int32 {
	t.parent = append(t.parent, parent)
	t.frame = append(t.frame, f)
	t.self = append(t.self, 0)
	t.total = append(t.total, 0)
	t.now = append(t.now, 0)
	t.by = append(t.by, 0)
	t.folded = append(t.folded, false)
	return int32(len(t.parent) - 1)
}

func (t *tree) intern(f profile.Frame) profile.FrameID {
	id, ok := t.ids[f]
	if !ok {
		id = profile.FrameID(len(t.frames))
		t.frames = append(t.frames, f)
		t.ids[f] = id
	}
	return id
}

// step goes from a node to the callee, a new one if need be.
func (t *tree) step(from int32, f profile.Frame) int32 {
	t.steps++
	e := edge{from, t.intern(f)}
	n, ok := t.child[e]
	if !ok {
		n = t.add(from, e.frame)
		t.child[e] = n
	}
	return n
}

func (t *tree) path(frames ...profile.Frame) int32 {
	n := int32(0)
	for _, f := range frames {
		n = t.step(n, f)
	}
	return n
}

// stacks adds a graph whose shares are self shares of the entry's function. A part that no chain accounts for has unknown callers.
func (t *tree) stacks(e *entry, shares []float64, callers bool) {
	rest := make([]float64, len(shares))
	copy(rest, shares)
	left := e.self
	for i := len(e.graph) - 1; i >= 0; i-- {
		if up := e.graph[i].parent; up >= 0 {
			rest[up] -= shares[i]
		} else {
			left -= shares[i]
		}
	}
	if left > 1e-9 {
		t.self[t.path(e.frame)] += left
	}
	var chain []profile.Frame
	for i := range e.graph {
		if rest[i] <= 1e-9 || t.steps > maxPath {
			continue
		}
		chain = chain[:0]
		for k := i; k >= 0; k = e.graph[k].parent {
			chain = append(chain, e.graph[k].frame)
		}
		if !callers { // the graph goes down to the function
			for a, b := 0, len(chain)-1; a < b; a, b = a+1, b-1 {
				chain[a], chain[b] = chain[b], chain[a]
			}
		}
		n := t.path(e.endIn(chain)...)
		t.self[n] += rest[i]
		if e.graph[i].inferred {
			t.doubt[n] = nil
		}
	}
}

// endIn makes a chain end in the entry's function, or in code that was inlined into it. Without a symbol the two are written differently: as an offset in the module, and
// as an address without one.
func (e *entry) endIn(chain []profile.Frame) []profile.Frame {
	last := &chain[len(chain)-1]
	into := len(chain) - 1
	for into > 0 && chain[into].Flags&profile.Inlined != 0 {
		into--
	}
	switch {
	case chain[into].Name == e.frame.Name:
	case last.Name == e.frame.Name:
	case last.Flags&e.frame.Flags&profile.Unknown != 0:
		*last = e.frame
	default:
		chain = append(chain, e.frame)
	}
	return chain
}

// give adds an inclusive share that the graph of entry k gives a node.
func (t *tree) give(n int32, share float64, k int32) {
	if t.by[n] != k {
		t.total[n], t.now[n], t.by[n] = max(t.total[n], t.now[n]), 0, k
	}
	t.now[n] += share
}

// turned adds a graph of callers with inclusive shares: the chain from the outermost caller down to the function has the share of
// the outermost row.
func (t *tree) turned(e *entry, shares []float64, k int32) {
	inner := make([]bool, len(e.graph))
	for _, n := range e.graph {
		if n.parent >= 0 {
			inner[n.parent] = true
		}
	}
	if len(e.graph) == 0 {
		return
	}
	var chain []profile.Frame
	for i := range e.graph {
		if inner[i] || t.steps > maxPath {
			continue
		}
		chain = chain[:0]
		for j := i; j >= 0; j = e.graph[j].parent {
			chain = append(chain, e.graph[j].frame)
		}
		t.give(t.path(e.endIn(chain)...), shares[i], k)
	}
}

// branches adds a graph of callees with inclusive shares. What lies in the graph of a caller already is not added again.
func (t *tree) branches(e *entry, shares []float64, k int32, seen map[string]bool) {
	nodes := make([]int32, len(e.graph))
	own := make([]bool, len(e.graph)) // below the entry's function as a root
	roots := 0
	for i, n := range e.graph {
		var from int32
		if n.parent < 0 {
			roots++
			own[i] = n.frame.Name == e.frame.Name
		} else {
			from, own[i] = nodes[n.parent], own[n.parent]
		}
		if own[i] && seen[e.frame.Name] {
			continue
		}
		nodes[i] = t.step(from, n.frame)
		t.give(nodes[i], shares[i], k)
		if n.sign == '+' {
			t.folded[nodes[i]] = true
		}
		if n.inferred {
			t.doubt[nodes[i]] = nil
			for _, row := range n.fits {
				if row >= 0 {
					t.doubt[nodes[i]] = append(t.doubt[nodes[i]], nodes[row])
				}
			}
		}
	}
	if roots == 1 && own[0] && !seen[e.frame.Name] {
		// The first row of a graph on the screen repeats the entry, less its self share.
		t.give(nodes[0], max(0, e.rank()-shares[0]), k)
	}
	for i, n := range e.graph {
		if n.parent >= 0 && nodes[i] != 0 {
			seen[n.frame.Name] = true
		}
	}
}

// settle turns inclusive shares into self shares: what callees do not account for is self as far as the list states so for the
// function, the rest is below the limit. A leaf of which the list says nothing, and a folded row, keep all they have.
func (t *tree) settle(l *list) {
	left := map[string]float64{}
	for _, e := range l.entries {
		if e.self >= 0 {
			left[e.frame.Name] += e.self
		}
	}
	below := make([]float64, len(t.parent)) // what the callees shown have together
	leaf := make([]bool, len(t.parent))
	for i := range leaf {
		leaf[i] = true
	}
	for n := len(t.parent) - 1; n > 0; n-- {
		t.total[n] = max(t.total[n], t.now[n], below[n])
		below[t.parent[n]] += t.total[n]
		leaf[t.parent[n]] = false
	}
	scale := 1.0
	if below[0] > 100 {
		scale = 100 / below[0]
	}
	for n := 1; n < len(below); n++ {
		rest := (t.total[n] - below[n]) * scale
		if rest <= 1e-9 {
			continue
		}
		name := t.frames[t.frame[n]].Name
		own, stated := left[name]
		switch {
		case stated:
			if leaf[n] && own == 0 { // perf charges inlined code to the function that it is part of
				name = t.inlinedInto(int32(n))
				own = left[name]
			}
			own = min(own, rest)
			left[name] -= own
			t.folded[n] = false
		case leaf[n]:
			own = rest
		}
		t.self[n] = own
		if rest -= own; rest > 1e-9 {
			t.self[t.step(int32(n), profile.Frame{Name: profile.BelowLimit, Flags: profile.Collapsed})] += rest
		}
	}
}

// inlinedInto gives the function that the code of a node was inlined into; its own name if it was not.
func (t *tree) inlinedInto(n int32) string {
	for t.parent[n] > 0 && t.frames[t.frame[n]].Flags&profile.Inlined != 0 {
		n = t.parent[n]
	}
	return t.frames[t.frame[n]].Name
}

// profile gives what was gathered.
func (t *tree) profile(total float64, unit string) *profile.Profile {
	p := &profile.Profile{Partial: true, Unit: unit, Total: total, Parent: t.parent, Frame: t.frame, Self: t.self}
	shown := 0.0
	for _, self := range p.Self {
		shown += self
	}
	percent := total / max(shown, 100) // rounded shares can add up to a little more
	for n := 1; n < len(p.Self); n++ {
		p.Self[n] *= percent
		f := t.frames[t.frame[n]]
		if t.folded[n] {
			f.Flags |= profile.Collapsed
		}
		if fits, ok := t.doubt[int32(n)]; ok {
			f.Flags |= profile.Inferred
			if len(fits) > 0 {
				p.Doubts = append(p.Doubts, profile.Doubt{Node: int32(n), Parents: fits})
			}
		}
		p.Frame[n] = t.intern(f)
	}
	p.Frames = t.frames
	return p
}
