package profile

import (
	"cmp"
	"slices"
	"strings"

	"pgknee/analysis/sorting"
)

// Known tells how a weight is to be understood.
type Known uint8

// From nothing to all.
const (
	Nothing Known = iota // the input does not say; the weight is 0
	AtLeast              // a partial profile shows this much of it
	AtMost               // callees are folded away: they are part of the weight
	Exactly
)

// KnownFunction is what a profile knows of one function, by name: frames that differ in module or flags only are the same function.
type KnownFunction struct {
	Name                  string
	Self, Total           float64 // in the unit of the profile; a function that recurs in a stack counts once in Total
	SelfKnown, TotalKnown Known
	Flags                 Flags // of its frames, together
}

// KnownFunctions gives every function of the profile, by falling self weight, then total weight, then name. The frame that stands for
// callees below the limit is none.
func (p *Profile) KnownFunctions() []KnownFunction {
	ids, list := p.byName()
	totals := p.Totals()
	open := make([]int32, len(list)) // how often each function is on the stack of the walk
	p.walk(func(n int32) {
		f := &list[ids[p.Frame[n]]]
		f.Self += p.Self[n]
		f.SelfKnown, f.TotalKnown = Exactly, Exactly
		f.Flags |= p.Frames[p.Frame[n]].Flags
		if open[ids[p.Frame[n]]]++; open[ids[p.Frame[n]]] == 1 {
			f.Total += totals[n]
		}
	}, func(n int32) { open[ids[p.Frame[n]]]-- })
	for i := range list {
		if f := &list[i]; p.Partial && f.SelfKnown != Nothing {
			f.SelfKnown, f.TotalKnown = AtLeast, AtLeast
			switch {
			case f.Self == 0: // callers only: what their callees leave may be theirs, or that of callees below the limit
				f.SelfKnown = Nothing
			case f.Flags&Collapsed != 0:
				f.SelfKnown = AtMost
			}
		}
	}
	list = p.state(list)
	list = slices.DeleteFunc(list, func(f KnownFunction) bool {
		return f.Name == BelowLimit || f.SelfKnown == Nothing && f.TotalKnown == Nothing // a frame that no node has
	})
	sorting.By(list, func(a, b KnownFunction) int {
		return cmp.Or(cmp.Compare(b.Self, a.Self), cmp.Compare(b.Total, a.Total), strings.Compare(a.Name, b.Name))
	})
	return list
}

// state overrules what the tree gave by what the input states.
func (p *Profile) state(list []KnownFunction) []KnownFunction {
	if len(p.Stated) == 0 {
		return list
	}
	at := make(map[string]int, len(list))
	for i, f := range list {
		at[f.Name] = i
	}
	for name, w := range p.Stated {
		i, ok := at[name]
		if !ok {
			i = len(list)
			list = append(list, KnownFunction{Name: name})
		}
		f := &list[i]
		if w.Total != NotKnown {
			f.Total, f.TotalKnown = w.Total, Exactly
			f.Self = min(f.Self, f.Total)
		}
		if w.Self != NotKnown {
			f.Self, f.SelfKnown = w.Self, Exactly
			if f.Total < f.Self {
				f.Total, f.TotalKnown = f.Self, AtLeast
			}
		}
	}
	return list
}

// ownShares tells whether the profile is a list of what functions take themselves, perhaps with their callers.
func (p *Profile) ownShares() bool {
	for _, w := range p.Stated {
		if w.Total != NotKnown {
			return false
		}
	}
	return len(p.Stated) > 0
}

// byName numbers the functions that nodes of the tree name; ids is indexed by FrameID.
func (p *Profile) byName() (ids []int32, list []KnownFunction) {
	ids = make([]int32, len(p.Frames))
	names := make(map[string]int32, len(p.Frames))
	for i, f := range p.Frames {
		id, ok := names[f.Name]
		if !ok {
			id = int32(len(list))
			names[f.Name] = id
			list = append(list, KnownFunction{Name: f.Name})
		}
		ids[i] = id
	}
	return ids, list
}

// Totals gives the weight of every node with all below it; that of the root is what the tree shows.
func (p *Profile) Totals() []float64 {
	return sums(p.Parent, p.Self)
}

func (p *Profile) walk(enter, leave func(n int32)) { walk(p.Parent, enter, leave) }

// walk visits all nodes but the root depth first, without recursion: stacks can be deeper than a call stack.
func walk(parent []int32, enter, leave func(n int32)) {
	first := make([]int32, len(parent)) // first child, then next sibling: 0 for none
	next := make([]int32, len(parent))
	for n := len(parent) - 1; n > 0; n-- {
		next[n], first[parent[n]] = first[parent[n]], int32(n)
	}
	for n := first[0]; n != 0; {
		enter(n)
		if first[n] != 0 {
			n = first[n]
			continue
		}
		for n != 0 {
			leave(n)
			if next[n] != 0 {
				n = next[n]
				break
			}
			n = parent[n]
		}
	}
}
