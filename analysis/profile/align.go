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
	Notes            []string // what was done to make the two comparable, and what is not compared

	child map[edge]int32
	ids   map[string]FrameID
}

type edge struct {
	parent int32
	frame  FrameID
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
func SameEvent(a, b *Profile) bool { return plainEvent(a.Event) == plainEvent(b.Event) }

func plainEvent(name string) string {
	if base, modifier, ok := cutLast(name, ":"); ok && strings.Trim(modifier, "pP") == "" {
		return base
	}
	return name
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
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
		a.unknown()
		a.reroot()
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
	return strconv.FormatFloat(p.Total, 'f', -1, 64) + " " + p.Unit
}

// unknown tells of frames without a symbol.
func (a *alignment) unknown() {
	if x, y := inUnknown(a.from), inUnknown(a.to); x > 0 || y > 0 {
		a.note("Runs of frames without a symbol count as one frame: they are in stacks with %s of %s and %s of %s.", inPercent(x), a.from.Label, inPercent(y), a.to.Label)
	}
}

// inUnknown is the share of stacks with a frame that has no symbol.
func inUnknown(p *Profile) (share float64) {
	totals := p.Totals()
	inside := make([]bool, len(p.Parent))
	for n := 1; n < len(p.Parent); n++ {
		up := inside[p.Parent[n]]
		inside[n] = up || p.Frames[p.Frame[n]].Flags&Unknown != 0
		if inside[n] && !up {
			share += totals[n]
		}
	}
	return ratio(share, p.Total)
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
	a.note("Stacks are compared from %s on; %s of %s and %s of %s do not pass through it and are compared as they are.",
		a.root, inPercent(1-x[a.root].share), a.from.Label, inPercent(1-y[a.root].share), a.to.Label)
}

type passage struct {
	share float64
	depth int32 // of the outermost frame of it, at the deepest
}

// passes gives for each function the share of the weight shown that passes through it.
func (p *Profile) passes() map[string]passage {
	totals := p.Totals()
	out := make(map[string]passage)
	depth := make([]int32, len(p.Parent))
	for n := 1; n < len(p.Parent); n++ {
		depth[n] = depth[p.Parent[n]] + 1
	}
	ids, list := p.byName()
	open := make([]int32, len(list))
	p.walk(func(n int32) {
		id := ids[p.Frame[n]]
		if open[id]++; open[id] > 1 || p.Frames[p.Frame[n]].Flags&Unknown != 0 {
			return
		}
		was := out[list[id].Name]
		out[list[id].Name] = passage{was.share + ratio(totals[n], totals[0]), max(was.depth, depth[n])}
	}, func(n int32) { open[ids[p.Frame[n]]]-- })
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
	for name := range x {
		if plain := Unclone(name); plain != name {
			a.renamed[name] = plain
		}
	}
	for name := range y {
		if plain := Unclone(name); plain != name {
			a.renamed[name] = plain
		}
	}
	was, is := Major(a.from.Label), Major(a.to.Label)
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
	for _, id := range p.Frame[min(1, len(p.Frame)):] {
		out[p.Frames[id].Name] = true
		out[Unclone(p.Frames[id].Name)] = true
	}
	for name := range p.Stated {
		out[name] = true
		out[Unclone(name)] = true
	}
	return out
}

// Major reads the major version of PostgreSQL out of a label: v13Beta1, pg163, 17beta2, REL_12_STABLE. It is 0 when there is none.
func Major(label string) int {
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
	d := &Difference{
		From: a.from.Label, To: a.to.Label, Notes: a.notes,
		Parent: []int32{-1}, Frame: []FrameID{0}, SelfFrom: []float64{0}, SelfTo: []float64{0},
		child: map[edge]int32{}, ids: map[string]FrameID{},
	}
	d.add(a, a.from, &d.SelfFrom)
	d.add(a, a.to, &d.SelfTo)
	d.prune()
	d.child, d.ids = nil, nil
	return d
}

// add lays a side's stacks into the tree.
func (d *Difference) add(a *alignment, p *Profile, self *[]float64) {
	frames := make([]FrameID, len(p.Frames))
	for i, f := range p.Frames {
		frames[i] = d.frame(a.canonical(f), f.Flags)
	}
	root, unknown := d.frame(a.root, 0), d.frame(unknownName, Unknown)
	at := make([]int32, len(p.Parent))
	below := make([]bool, len(p.Parent)) // the root
	for n := range p.Parent {
		if n > 0 {
			up, f := p.Parent[n], frames[p.Frame[n]]
			below[n] = below[up]
			switch {
			case f == root && a.root != "" && !below[up]:
				at[n], below[n] = d.step(0, f), true
			case f == unknown && at[up] != 0 && d.Frame[at[up]] == unknown:
				at[n] = at[up]
			default:
				at[n] = d.step(at[up], f)
			}
		}
		(*self)[at[n]] += ratio(p.Self[n], p.Total)
	}
}

func (d *Difference) frame(name string, flags Flags) FrameID {
	id, ok := d.ids[name]
	if !ok {
		id = FrameID(len(d.Frames))
		d.ids[name] = id
		d.Frames = append(d.Frames, Frame{Name: name})
	}
	d.Frames[id].Flags |= flags
	return id
}

func (d *Difference) step(parent int32, f FrameID) int32 {
	n, ok := d.child[edge{parent, f}]
	if !ok {
		n = int32(len(d.Parent))
		d.Parent = append(d.Parent, parent)
		d.Frame = append(d.Frame, f)
		d.SelfFrom = append(d.SelfFrom, 0)
		d.SelfTo = append(d.SelfTo, 0)
		d.child[edge{parent, f}] = n
	}
	return n
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
