package profile

import (
	"cmp"
	"maps"
	"slices"
)

// Function is what a profile knows of one function, by name: equal names in several modules are one function, since most formats do
// not tell modules.
type Function struct {
	Name, Module  string // the module is that of most of the total
	Flags         Flags  // of its frames, together
	Self, Total   float64
	Samples       float64 // whose stack ends in it
	node          int32
	moduleWeights float64
}

// Functions lists the functions of a profile, largest self first, then largest total. A function that recurs in a stack counts once
// in its total.
func Functions(p *Profile) []Function {
	ids, names := nameIDs(p)
	list := make([]Function, names)
	sum := Sums(p, p.Self)
	t := newOrder(p)
	active := make([]int32, names)
	for _, step := range t.steps {
		if step < 0 {
			active[ids[p.Frame[^step]]]--
			continue
		}
		id := ids[p.Frame[step]]
		f := &list[id]
		frame := &p.Frames[p.Frame[step]]
		if f.node == 0 || step < f.node {
			f.Name, f.node = frame.Name, step
		}
		f.Flags |= frame.Flags
		f.Self += p.Self[step]
		if p.Samples != nil {
			f.Samples += p.Samples[step]
		}
		if active[id] == 0 {
			f.Total += sum[step]
		}
		if sum[step] > f.moduleWeights || f.Module == "" {
			f.Module, f.moduleWeights = frame.Module, sum[step]
		}
		active[id]++
	}
	list = slices.DeleteFunc(list, func(f Function) bool { return f.node == 0 || f.Name == BelowLimit })
	list = stated(p, list)
	slices.SortFunc(list, func(a, b Function) int {
		return cmp.Or(cmp.Compare(b.Self, a.Self), cmp.Compare(b.Total, a.Total), cmp.Compare(a.node, b.node))
	})
	return list
}

// stated puts what the input says of whole functions in the place of what the tree adds up to.
func stated(p *Profile, list []Function) []Function {
	if p.Stated == nil {
		return list
	}
	index := make(map[string]int, len(list))
	for i, f := range list {
		index[f.Name] = i
	}
	for _, name := range slices.Sorted(maps.Keys(p.Stated)) {
		i, ok := index[name]
		if !ok {
			i = len(list)
			list = append(list, Function{Name: name, node: int32(len(p.Parent) + i)})
		}
		f, w := &list[i], p.Stated[name]
		if w.Self != NotKnown {
			f.Self = w.Self
		}
		if w.Total != NotKnown {
			f.Total = w.Total
		}
		f.Total = max(f.Total, f.Self)
	}
	return list
}

// nameIDs numbers the names of frames: ids[frame] is the number of its name.
func nameIDs(p *Profile) (ids []int32, n int) {
	ids = make([]int32, len(p.Frames))
	known := make(map[string]int32, len(p.Frames))
	for i := range p.Frames {
		id, ok := known[p.Frames[i].Name]
		if !ok {
			id = int32(len(known))
			known[p.Frames[i].Name] = id
		}
		ids[i] = id
	}
	return ids, len(known)
}

// UnknownShare is the share of the weight whose stack ends in a frame without a symbol.
func UnknownShare(p *Profile) float64 {
	if p.Total <= 0 {
		return 0
	}
	unknown := 0.0
	for n := 1; n < len(p.Self); n++ {
		if p.Frames[p.Frame[n]].Flags&Unknown != 0 {
			unknown += p.Self[n]
		}
	}
	return min(unknown/p.Total, 1)
}
