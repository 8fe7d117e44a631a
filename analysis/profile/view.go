package profile

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pgknee/analysis/sorting"
)

// View asks for a drawing of a profile. It is plain data, so that a page can keep it in its address and a command line can take it
// as flags. The zero value is the whole profile as a flame graph.
type View struct {
	Kind     string  `json:"kind,omitempty"`     // one of the kinds below; flame by default
	Steps    []Step  `json:"steps,omitempty"`    // what is done to the profile first, in order: take the last away to undo it
	Function string  `json:"function,omitempty"` // of a sandwich
	Node     int32   `json:"node,omitempty"`     // of the profile after the steps: zoom to it; not for merged kinds
	Search   string  `json:"search,omitempty"`   // regular expression over function names; without (?i) letters count as they are
	Order    string  `json:"order,omitempty"`    // heavy (heaviest child first, by default) or name
	Samples  bool    `json:"samples,omitempty"`  // weigh by samples instead of the unit of the profile
	Width    float64 `json:"width,omitempty"`    // in pixels; 1200 by default
	MinWidth float64 `json:"minWidth,omitempty"` // narrower frames are not laid out; half a pixel by default, negative for none
}

// Kinds of views.
const (
	Flame    = "flame"    // callers below callees, the root at the bottom
	Icicle   = "icicle"   // the same, the root at the top
	Inverted = "inverted" // merged from the leaves: each function where time was spent, with its callers on it
	Sandwich = "sandwich" // one function, wherever it is called: its callers on one side, its callees on the other
)

// Layout is what to draw. Pixels go from the left; rows go away from the root.
type Layout struct {
	Kind    string  `json:"kind"`
	Unit    string  `json:"unit"`
	Width   float64 `json:"width"`
	Rows    int     `json:"rows"`
	Above   int     `json:"above,omitempty"`   // rows of callers of a sandwich: those have negative numbers
	Partial bool    `json:"partial,omitempty"` // a frame without a self share has none that is known
	Total   float64 `json:"total"`             // of the profile before the steps: what shares refer to
	Shown   float64 `json:"shown"`             // of the steps' result
	Rects   []Rect  `json:"rects"`             // each before those that stand on it, which follow at once
	Frames  []Label `json:"frames"`            // that the rects refer to
	Hidden  int     `json:"hidden,omitempty"`  // frames that are too narrow, not counting what stands on them

	// Matched is the weight of the stacks that hold a match of the search, each once. Matches counts the functions.
	Matched float64 `json:"matched,omitempty"`
	Matches int     `json:"matches,omitempty"`
}

// Rect is one frame of a layout.
type Rect struct {
	X     float64 `json:"x"`
	W     float64 `json:"w"`
	Row   int32   `json:"row"`
	Node  int32   `json:"node"` // of the profile after the steps; -1 where several are merged
	Frame int32   `json:"frame"`
	Self  float64 `json:"self"`
	Total float64 `json:"total"`
	Match bool    `json:"match,omitempty"`
}

// Label is the text of a frame.
type Label struct {
	Name   string `json:"name"`
	Module string `json:"module,omitempty"`
	Flags  string `json:"flags,omitempty"` // Flags.Letters
}

// Tree is a profile made ready for views: what they all need is computed once.
type Tree struct {
	Profile *Profile // after the steps
	Unit    string
	Total   float64 // before the steps
	sums    []float64
	kids    children
	names   []int32 // function of each frame
	nNames  int
}

// Prepare applies the steps of a view. The same tree serves every view with the same steps and weights.
func Prepare(p *Profile, v View) (*Tree, error) {
	t := &Tree{Profile: p, Unit: p.Unit}
	if v.Samples {
		n, known := p.SampleCount()
		if !known {
			return nil, fmt.Errorf("profile %s has no number of samples", p.Label)
		}
		q := *p
		q.Self, q.Total, q.Unit, q.Stated = p.Samples, n, "samples", nil
		q.Cells = slices.Clone(p.Cells)
		for i := range q.Cells {
			q.Cells[i].Self = q.Cells[i].Samples
		}
		t.Profile, t.Unit = &q, q.Unit
	}
	t.Total = t.Profile.Total
	for _, s := range v.Steps {
		q, err := Apply(t.Profile, s)
		if err != nil {
			return nil, err
		}
		t.Profile = q
	}
	t.sums = t.Profile.Totals()
	t.kids = childrenOf(t.Profile.Parent)
	t.names, t.nNames = nameIDs(t.Profile)
	return t, nil
}

// nameIDs numbers the functions: ids[frame] is the number of its name.
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

// layer is a layout in the making.
type layer struct {
	*Layout
	tree    *Tree
	matches []bool // by function; nil without a search
	frames  map[FrameID]int32
	min     float64 // pixels
	scale   float64 // pixels per weight
	byName  bool
}

// Layout lays out a view whose steps the tree was prepared with.
func (t *Tree) Layout(v View) (*Layout, error) {
	width, pattern, err := widthAndSearch(v.Width, v.Search)
	if err != nil {
		return nil, err
	}
	l := &layer{
		Layout: &Layout{Kind: cmp.Or(v.Kind, Flame), Unit: t.Unit, Width: width, Partial: t.Profile.Partial, Total: t.Total, Shown: t.sums[0]},
		tree:   t, min: cmp.Or(v.MinWidth, leastWidth), byName: v.Order == "name", frames: map[FrameID]int32{},
	}
	if pattern != nil {
		l.search(pattern)
	}
	switch l.Kind {
	case Flame, Icicle:
		if v.Node < 0 || int(v.Node) >= len(t.sums) {
			return nil, fmt.Errorf("no node %d in this view", v.Node)
		}
		l.down(v.Node)
	case Inverted:
		l.inverted()
	case Sandwich:
		if err := l.sandwich(v.Function); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("no kind of view %q", v.Kind)
	}
	return l.Layout, nil
}

// leastWidth is how wide a frame must be to be laid out where a view does not say, in pixels.
const leastWidth = 0.5

// widthAndSearch are what a view asks for: the width or the default, in pixels, and a pattern, nil for none.
func widthAndSearch(width float64, search string) (float64, *regexp.Regexp, error) {
	if !(width >= 1 && width <= 1e6) {
		width = 1200
	}
	if search == "" {
		return width, nil, nil
	}
	pattern, err := regexp.Compile(search)
	if err != nil {
		err = fmt.Errorf("search: %w", err)
	}
	return width, pattern, err
}

// search marks the functions that match and weighs the stacks they are in, each once: below a match no other counts.
func (l *layer) search(pattern *regexp.Regexp) {
	t, p := l.tree, l.tree.Profile
	l.matches = make([]bool, t.nNames)
	seen := make([]bool, t.nNames)
	under := make([]bool, len(p.Parent))
	for n := 1; n < len(p.Parent); n++ {
		id := t.names[p.Frame[n]]
		if !seen[id] {
			seen[id] = true
			if pattern.MatchString(p.Frames[p.Frame[n]].Name) {
				l.matches[id] = true
				l.Matches++
			}
		}
		under[n] = under[p.Parent[n]]
		if l.matches[id] && !under[n] {
			under[n] = true
			l.Matched += t.sums[n]
		}
	}
}

// rect adds a frame to the layout.
func (l *layer) rect(x float64, row, node int32, f FrameID, self, total float64) {
	i, ok := l.frames[f]
	if !ok {
		i = int32(len(l.Frames))
		l.frames[f] = i
		frame := l.tree.Profile.Frames[f]
		l.Frames = append(l.Frames, Label{frame.Name, frame.Module, frame.Flags.Letters()})
	}
	match := l.matches != nil && l.matches[l.tree.names[f]]
	l.Rects = append(l.Rects, Rect{X: x, W: total * l.scale, Row: row, Node: node, Frame: i, Self: self, Total: total, Match: match})
}

// root adds the frame that stands for everything.
func (l *layer) root(total, self float64) {
	l.Frames = append(l.Frames, Label{Name: "all"})
	l.Rects = append(l.Rects, Rect{W: total * l.scale, Frame: int32(len(l.Frames) - 1), Self: self, Total: total})
}

// down lays out what is below a node.
func (l *layer) down(node int32) {
	t, p := l.tree, l.tree.Profile
	order := byWeight
	if l.byName {
		order = func(nodes []int32, _ []float64) {
			slices.SortFunc(nodes, func(a, b int32) int { return cmp.Or(strings.Compare(p.Name(a), p.Name(b)), cmp.Compare(a, b)) })
		}
	}
	l.Hidden = layOut(p.Parent, t.kids, t.sums, node, l.Width, l.min, order, func(n, row int32, x, w float64) {
		if n == 0 {
			l.root(t.sums[0], p.Self[0])
		} else {
			l.rect(x, row, n, p.Frame[n], p.Self[n], t.sums[n])
		}
		l.Rects[len(l.Rects)-1].W = w
		l.Rows = max(l.Rows, int(row)+1)
	})
}

// layOut lays out what is below a node of a tree, each node as wide as its weight, and the way to the node as full rows. It calls draw for
// each, those that another stands on first, and gives how many were narrower than least.
func layOut(parent []int32, kids children, weights []float64, node int32, width, least float64, order func([]int32, []float64), draw func(n, row int32, x, w float64)) (hidden int) {
	if weights[node] <= 0 {
		return 0
	}
	scale := width / weights[node]
	var way []int32
	for n := node; n > 0; n = parent[n] {
		way = append(way, n)
	}
	draw(0, 0, 0, width)
	for i := len(way) - 1; i >= 0; i-- {
		draw(way[i], int32(len(way)-i), 0, width)
	}
	type place struct {
		node, row int32
		x         float64
	}
	stack := []place{{node, int32(len(way)), 0}}
	var wide []int32
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at.node != node {
			draw(at.node, at.row, at.x, weights[at.node]*scale)
		}
		wide = wide[:0]
		for _, c := range kids.of(at.node) {
			switch {
			case weights[c] <= 0:
			case weights[c]*scale < least:
				hidden++
			default:
				wide = append(wide, c)
			}
		}
		order(wide, weights)
		x := at.x
		for _, c := range wide {
			stack = append(stack, place{c, at.row + 1, x})
			x += weights[c] * scale
		}
	}
	return hidden
}

// byWeight sorts nodes by falling weight.
func byWeight(nodes []int32, weights []float64) {
	slices.SortFunc(nodes, func(a, b int32) int { return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a, b)) })
}

// member is a node that belongs to a group, with the weight it stands for there.
type member struct {
	node   int32
	weight float64
}

// group is a frame of a merged view: all nodes of one function that the same way leads to.
type group struct {
	frame   FrameID
	members []member
	weight  float64
	row     int32
	x       float64
}

// inverted lays out every function where stacks end, with its callers.
func (l *layer) inverted() {
	t, p := l.tree, l.tree.Profile
	if t.sums[0] <= 0 {
		return
	}
	l.scale = l.Width / t.sums[0]
	l.Rows = 1
	l.root(t.sums[0], p.Self[0])
	leaves := make([]member, 0, len(p.Self)/2)
	for n := 1; n < len(p.Self); n++ {
		if p.Self[n] > 0 {
			leaves = append(leaves, member{int32(n), p.Self[n]})
		}
	}
	m := newMerger(l)
	m.grow(m.split(leaves, 1, 0), 1, false)
}

// sandwich lays out a function with its callees in rows from 0 and its callers in rows from -1. Where it recurs, the outermost
// call counts.
func (l *layer) sandwich(function string) error {
	t, p := l.tree, l.tree.Profile
	inside := make([]bool, len(p.Parent))
	var calls []member
	var total, self float64
	for n := 1; n < len(p.Parent); n++ {
		is := p.Frames[p.Frame[n]].Name == function
		if is && !inside[p.Parent[n]] && t.sums[n] > 0 {
			calls = append(calls, member{int32(n), t.sums[n]})
			total += t.sums[n]
		}
		if is {
			self += p.Self[n]
		}
		inside[n] = is || inside[p.Parent[n]]
	}
	if len(calls) == 0 {
		return fmt.Errorf("no function %q in this view", function)
	}
	l.scale = l.Width / total
	m := newMerger(l)
	l.rect(0, 0, -1, p.Frame[calls[0].node], self, total)
	l.Rows = 1
	m.grow(m.split(m.down(calls), 1, 0), 1, true)
	m.grow(m.split(m.up(calls), -1, 0), -1, false)
	return nil
}

// merger splits members into groups by function, with scratch space of its own.
type merger struct {
	l      *layer
	group  []int32 // of a function, while splitting
	at     []int32 // of a node in the list being made, while going up
	counts []int32
	where  []int32
}

func newMerger(l *layer) *merger {
	return &merger{l: l, group: make([]int32, l.tree.nNames), at: make([]int32, len(l.tree.Profile.Parent))}
}

// down gives the callees of members.
func (m *merger) down(members []member) (out []member) {
	for _, a := range members {
		for _, c := range m.l.tree.kids.of(a.node) {
			if w := m.l.tree.sums[c]; w > 0 {
				out = append(out, member{c, w})
			}
		}
	}
	return out
}

// up gives the callers of members, each node once.
func (m *merger) up(members []member) (out []member) {
	parent := m.l.tree.Profile.Parent
	for _, a := range members {
		up := parent[a.node]
		if up == 0 {
			continue
		}
		if m.at[up] == 0 {
			out = append(out, member{node: up})
			m.at[up] = int32(len(out))
		}
		out[m.at[up]-1].weight += a.weight
	}
	for _, a := range out {
		m.at[a.node] = 0
	}
	return out
}

// split makes groups of members, heaviest first, and drops those too narrow to be drawn.
func (m *merger) split(members []member, row int32, x float64) (groups []group) {
	t, p := m.l.tree, m.l.tree.Profile
	m.counts = m.counts[:0]
	m.where = m.where[:0]
	for _, a := range members {
		id := t.names[p.Frame[a.node]]
		if m.group[id] == 0 {
			groups = append(groups, group{frame: p.Frame[a.node], row: row})
			m.counts = append(m.counts, 0)
			m.group[id] = int32(len(groups))
		}
		g := m.group[id] - 1
		groups[g].weight += a.weight
		m.counts[g]++
		m.where = append(m.where, g)
	}
	for i := range groups {
		m.group[t.names[groups[i].frame]] = 0
		if groups[i].weight*m.l.scale >= m.l.min {
			groups[i].members = make([]member, 0, m.counts[i])
		}
	}
	for i, a := range members {
		if g := &groups[m.where[i]]; g.members != nil {
			g.members = append(g.members, a)
		}
	}
	groups = slices.DeleteFunc(groups, func(g group) bool {
		if g.members == nil {
			m.l.Hidden++
		}
		return g.members == nil
	})
	sorting.StableBy(groups, func(a, b group) int {
		if m.l.byName {
			return strings.Compare(p.Frames[a.frame].Name, p.Frames[b.frame].Name)
		}
		return cmp.Compare(b.weight, a.weight)
	})
	for i := range groups {
		groups[i].x = x
		x += groups[i].weight * m.l.scale
	}
	return groups
}

// grow lays out groups and what stands on them, row after row in the given direction.
func (m *merger) grow(groups []group, step int32, callees bool) {
	p := m.l.tree.Profile
	for len(groups) > 0 {
		g := groups[len(groups)-1]
		groups = groups[:len(groups)-1]
		var next []member
		self := 0.0
		if callees {
			next = m.down(g.members)
			for _, a := range g.members {
				self += p.Self[a.node]
			}
		} else {
			next = m.up(g.members)
			self = g.weight
			for _, a := range next {
				self -= a.weight
			}
			self = max(self, 0)
		}
		node := int32(-1)
		if callees && len(g.members) == 1 {
			node = g.members[0].node
		}
		m.l.rect(g.x, g.row, node, g.frame, self, g.weight)
		m.l.Rows = max(m.l.Rows, int(g.row)+1)
		m.l.Above = max(m.l.Above, int(-g.row))
		groups = append(groups, m.split(next, g.row+step, g.x)...)
	}
}
