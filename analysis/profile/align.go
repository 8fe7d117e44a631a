package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pgknee/data"
)

// Difference is two profiles laid over each other: one tree that holds the stacks of both, after alignment, with the share that
// each profile has of its own total. Node 0 is the root; parents come before their children. A node whose total is 0 on one side
// appeared or vanished.
type Difference struct {
	From, To         string // labels of the sides
	Frames           []Frame
	Parent           []int32
	Frame            []FrameID
	SelfFrom, SelfTo []float64
	Partial          bool     // one side is: where it has no self share, none is known
	Notes            []string // what was done to make the two comparable, and what is not compared
}

// Totals gives the share of each node with all below it, on both sides.
func (d *Difference) Totals() (from, to []float64) {
	return sums(d.Parent, d.SelfFrom), sums(d.Parent, d.SelfTo)
}

func sums(parent []int32, self []float64) []float64 {
	totals := slices.Clone(self)
	for n := len(totals) - 1; n > 0; n-- {
		totals[parent[n]] += totals[n]
	}
	return totals
}

// SameEvent tells whether two profiles count the same: modifiers of precision (cycles:P, cycles:ppp) make no other event.
func SameEvent(a, b *Profile) bool { return PlainEvent(a.Event) == PlainEvent(b.Event) }

// PlainEvent is the name of an event without a modifier of precision: cycles of cycles:ppp.
func PlainEvent(name string) string {
	if i := strings.LastIndexByte(name, ':'); i > 0 && strings.Trim(name[i+1:], "pP") == "" {
		return name[:i]
	}
	return name
}

// unknownName stands for all frames without a symbol: addresses and modules differ from one start of a server to the next.
const unknownName = "[unknown]"

// alignment is what is done to the stacks of both sides, in this order: runs of frames without a symbol become one, stacks begin at
// a common root, clone suffixes are dropped, and functions that took over the work of others take their name. No step changes a
// weight.
type alignment struct {
	from, to *Profile
	root     string            // stacks begin at its outermost frame; "" to leave them
	renamed  map[string]string // name to canonical name
	notes    []string
}

// align settles how two profiles are laid over each other: their trees, or only the names of their functions.
func align(from, to *Profile, trees bool) *alignment {
	a := &alignment{from: from, to: to, renamed: map[string]string{}}
	a.note("Shares of each profile's own total are compared: %s of %s, %s of %s.", total(from), from.Label, total(to), to.Label)
	if from.Event == "" || to.Event == "" {
		a.note("The inputs do not name the event; that it is the same on both sides is assumed.")
	} else if from.Unit != to.Unit {
		a.note("%s is weighed by %s, %s by %s.", from.Label, from.Unit, to.Label, to.Unit)
	}
	if trees {
		a.reroot()
		a.unknown()
	}
	a.rename()
	return a
}

func (a *alignment) note(format string, args ...any) {
	a.notes = append(a.notes, fmt.Sprintf(format, args...))
}

func total(p *Profile) string {
	if p.Unit == "percent" {
		return "100 %"
	}
	return thousands(p.Total) + " " + p.Unit
}

// unknown tells of frames without a symbol, from the common root on.
func (a *alignment) unknown() {
	x, own := a.inUnknown(a.from)
	y, also := a.inUnknown(a.to)
	if x >= leastChange || y >= leastChange {
		a.note("Frames without a symbol are one function, and runs of them one frame: they are in %s and %s of the stacks, and take %s and %s themselves.",
			inPercent(x), inPercent(y), inPercent(own), inPercent(also))
	}
}

// inUnknown is the share of stacks with a frame that has no symbol, and of those that end in one.
func (a *alignment) inUnknown(p *Profile) (share, own float64) {
	totals := p.Totals()
	inside := make([]bool, len(p.Parent))
	rooted := make([]bool, len(p.Parent))
	for n := 1; n < len(p.Parent); n++ {
		f, up := p.Frames[p.Frame[n]], p.Parent[n]
		if rooted[n] = rooted[up]; !rooted[n] && a.root != "" && f.Name == a.root {
			rooted[n] = true
			if inside[up] { // what lies above the root is cut off
				share -= totals[n]
			}
			continue
		}
		inside[n] = inside[up] || f.Flags&Unknown != 0
		if inside[n] && !inside[up] {
			share += totals[n]
		}
		if f.Flags&Unknown != 0 {
			own += p.Self[n]
		}
	}
	return max(ratio(share, p.Total), 0), ratio(own, p.Total)
}

func ratio(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return part / whole
}

func inPercent(share float64) string { return strconv.FormatFloat(100*share, 'f', 2, 64) + " %" }

// reroot finds the function that stacks of both sides begin with: PostgresMain, since what starts a backend differs between
// versions; else the deepest function that at least nine tenths of both sides pass through.
func (a *alignment) reroot() {
	const passThrough, enough = 0.9, 0.05
	x, y := a.from.passes(), a.to.passes()
	if x["PostgresMain"].share >= enough && y["PostgresMain"].share >= enough {
		a.root = "PostgresMain"
	} else {
		depth := int32(0)
		for name, p := range x {
			if q := y[name]; p.share >= passThrough && q.share >= passThrough && (p.depth > depth || p.depth == depth && name < a.root) {
				a.root, depth = name, p.depth
			}
		}
	}
	if a.root == "" || x[a.root].depth <= 1 && y[a.root].depth <= 1 {
		a.root = "" // they begin there as it is
		return
	}
	outside, also := max(1-x[a.root].share, 0), max(1-y[a.root].share, 0)
	if outside < leastChange && also < leastChange {
		a.note("Stacks are compared from %s on, which all pass through.", a.root)
		return
	}
	a.note("Stacks are compared from %s on; %s of %s and %s of %s do not pass through it and are compared as they are.",
		a.root, inPercent(outside), a.from.Label, inPercent(also), a.to.Label)
}

type passage struct {
	share float64
	depth int32 // of the outermost frame of it, at the deepest
}

// passes gives for each function the share of the weight shown that passes through it.
func (p *Profile) passes() map[string]passage {
	totals := p.Totals()
	depth := make([]int32, len(p.Parent))
	for n := 1; n < len(p.Parent); n++ {
		depth[n] = depth[p.Parent[n]] + 1
	}
	ids, list := p.byName()
	open := make([]int32, len(list))
	found := make([]passage, len(list))
	p.walk(func(n int32) {
		id := ids[p.Frame[n]]
		if open[id]++; open[id] == 1 && p.Frames[p.Frame[n]].Flags&Unknown == 0 {
			found[id].share += totals[n]
			found[id].depth = max(found[id].depth, depth[n])
		}
	}, func(n int32) { open[ids[p.Frame[n]]]-- })
	out := make(map[string]passage, len(list))
	for id, f := range found {
		if f.share > 0 {
			out[list[id].Name] = passage{ratio(f.share, totals[0]), f.depth}
		}
	}
	return out
}

type renameRule struct {
	from, to     string
	until, since int // majors
}

// renames reads the table of functions that took over the work of others.
var renames = sync.OnceValue(func() []renameRule {
	rows := catalogue(data.Renames)
	rules := make([]renameRule, len(rows))
	for i, row := range rows {
		until, err := strconv.Atoi(row["until"])
		since, err2 := strconv.Atoi(row["since"])
		if err != nil || err2 != nil {
			panic("data: a rename without majors: " + row["from"])
		}
		rules[i] = renameRule{row["from"], row["to"], until, since}
	}
	return rules
})

// rename applies the table where one side has only the old name and the other only the new one; both then go by the new one. Where
// the labels tell the majors they must be those of the row.
func (a *alignment) rename() {
	x, y := names(a.from), names(a.to)
	for _, side := range []map[string]bool{x, y} {
		for name := range side {
			if plain := unclone(name); plain != name {
				a.renamed[name] = plain
			}
		}
	}
	was, is := major(a.from.Label), major(a.to.Label)
	var same []string
	for _, r := range renames() {
		older, newer := x, y
		lo, hi := was, is
		if y[r.from] && !x[r.from] {
			older, newer, lo, hi = y, x, is, was
		}
		if older[r.from] && !older[r.to] && newer[r.to] && !newer[r.from] && (lo == 0 || lo <= r.until) && (hi == 0 || hi >= r.since) {
			a.renamed[r.from] = r.to
			same = append(same, r.from+" = "+r.to)
		}
	}
	if len(same) > 0 {
		a.note("Taken for the same function in the two versions: %s.", strings.Join(same, ", "))
	}
}

// names gives the functions of a profile, also without clone suffixes.
func names(p *Profile) map[string]bool {
	out := make(map[string]bool, len(p.Frames))
	used := make([]bool, len(p.Frames)) // a profile may hold frames that no node has
	for n := 1; n < len(p.Frame); n++ {
		used[p.Frame[n]] = true
	}
	for id, f := range p.Frames {
		if used[id] {
			out[f.Name] = true
			out[unclone(f.Name)] = true
		}
	}
	for name := range p.Stated {
		out[name] = true
		out[unclone(name)] = true
	}
	return out
}

// major reads the major version of PostgreSQL out of a label: v13Beta1, pg163, 17beta2, REL_12_STABLE. It is 0 when there is none.
func major(label string) int {
	for word := range strings.FieldsFuncSeq(strings.ToLower(label), func(r rune) bool { return strings.ContainsRune(" \t,;()[]{}/_-!", r) }) {
		plain := word
		for _, p := range []string{"postgresql", "postgres", "pg", "v", "rel"} {
			plain = strings.TrimPrefix(plain, p)
		}
		n := 0
		for n < len(plain) && plain[n] >= '0' && plain[n] <= '9' {
			n++
		}
		if n < 1 || n > 4 || plain == word && strings.Trim(plain[n:], "0123456789") == "" && !strings.Contains(label, "REL") {
			continue // a bare number
		}
		if n > 2 { // pg163
			n = 2
		}
		v, err := strconv.Atoi(plain[:n])
		if err == nil && v >= 9 && v <= 40 {
			return v
		}
	}
	return 0
}

// canonical gives the name that a frame goes by on both sides.
func (a *alignment) canonical(f Frame) string {
	if f.Flags&Unknown != 0 {
		return unknownName
	}
	return a.name(f.Name)
}

func (a *alignment) name(name string) string {
	if plain, ok := a.renamed[name]; ok {
		name = plain
	}
	return cmp.Or(a.renamed[name], name) // a clone of what was renamed
}

// Diff lays two profiles over each other.
func Diff(from, to *Profile) *Difference { return align(from, to, true).difference() }

func (a *alignment) difference() *Difference {
	b := NewBuilder()
	x, y := a.lay(b, a.from), a.lay(b, a.to)
	union := b.Profile()
	d := &Difference{
		From: a.from.Label, To: a.to.Label, Notes: a.notes,
		Frames: union.Frames, Parent: union.Parent, Frame: union.Frame,
		Partial: a.from.Partial || a.to.Partial, SelfFrom: make([]float64, len(union.Parent)), SelfTo: make([]float64, len(union.Parent)),
	}
	x.add(d, d.SelfFrom)
	y.add(d, d.SelfTo)
	d.prune()
	return d
}

// laid says where the nodes and the frames of a profile are in a tree for two.
type laid struct {
	p      *Profile
	nodes  []int32
	frames []FrameID
}

// lay lays a side's stacks into the tree.
func (a *alignment) lay(b *Builder, p *Profile) laid {
	l := laid{p, make([]int32, len(p.Parent)), make([]FrameID, len(p.Frames))}
	for i, f := range p.Frames {
		l.frames[i] = b.Intern(Frame{Name: a.canonical(f)})
	}
	root, unknown := b.Intern(Frame{Name: a.root}), b.Intern(Frame{Name: unknownName})
	below := make([]bool, len(p.Parent))     // the root
	inUnknown := make([]bool, len(p.Parent)) // the node it went to has no symbol
	for n := 1; n < len(p.Parent); n++ {
		up, f := p.Parent[n], l.frames[p.Frame[n]]
		below[n], inUnknown[n] = below[up], f == unknown
		switch {
		case f == root && a.root != "" && !below[up]:
			l.nodes[n], below[n] = b.Child(0, f), true
		case f == unknown && inUnknown[up]:
			l.nodes[n] = l.nodes[up]
		default:
			l.nodes[n] = b.Child(l.nodes[up], f)
		}
	}
	return l
}

// add gives the nodes their shares, and frames what is known of them.
func (l laid) add(d *Difference, self []float64) {
	for n, at := range l.nodes {
		self[at] += ratio(l.p.Self[n], l.p.Total)
	}
	for i, f := range l.p.Frames {
		d.Frames[l.frames[i]].Flags |= f.Flags
	}
}

// prune drops nodes that no stack is left in: what lay outside the new root.
func (d *Difference) prune() {
	from, to := d.Totals()
	at := make([]int32, len(d.Parent))
	kept := 1
	for n := 1; n < len(d.Parent); n++ {
		if from[n] == 0 && to[n] == 0 {
			continue
		}
		at[n] = int32(kept)
		d.Parent[kept], d.Frame[kept], d.SelfFrom[kept], d.SelfTo[kept] = at[d.Parent[n]], d.Frame[n], d.SelfFrom[n], d.SelfTo[n]
		kept++
	}
	d.Parent, d.Frame, d.SelfFrom, d.SelfTo = d.Parent[:kept], d.Frame[:kept], d.SelfFrom[:kept], d.SelfTo[:kept]
}
