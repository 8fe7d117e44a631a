package flamegraph

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"pgknee/analysis/format"
	"pgknee/analysis/profile"
	"pgknee/analysis/source"
)

// Format is flame graphs as SVG.
var Format = &format.Format{
	Name: "flamegraph-svg", Doc: "flame graphs as SVG, of FlameGraph, inferno and pgknee: read back with exact counts",
	Sniff:    sniff,
	NewBytes: func(c *format.Context) format.ByteReader { return &reader{ctx: c} },
}

func sniff(_ string, head []byte) format.Confidence {
	svg := bytes.Index(head, []byte("<svg"))
	if svg < 0 || bytes.IndexByte(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n"), '<') != 0 {
		return format.No
	}
	for _, mark := range []string{"Flame graph stack visualization", "flamegraph", "flame graph", "class=\"func_g\"", "fg:w=", "total_samples=", "Flame Graph</text>", "onmouseover=\"s('"} {
		if bytes.Contains(head[svg:], []byte(mark)) {
			return format.Sure
		}
	}
	if bytes.Contains(head[svg:], []byte("id=\"frames\"")) {
		return format.Likely
	}
	return format.No
}

type reader struct {
	ctx  *format.Context
	doc  []byte
	over bool
}

// Write takes the next piece. A graph is read when it is whole, since its frames stand in no order.
func (r *reader) Write(p []byte) {
	if r.over {
		return
	}
	if len(r.doc)+len(p) > r.ctx.Limits.DocumentBytes {
		r.over, r.doc = true, nil
		r.ctx.Problem(format.Error, 0, 0, nil, fmt.Sprintf("flame graph is larger than %d MB: too large to be read", r.ctx.Limits.DocumentBytes>>20))
		return
	}
	r.doc = append(r.doc, p...)
}

// Close reads the graph.
func (r *reader) Close() {
	if r.over {
		return
	}
	d := scan(r.doc)
	difference := bytes.Contains(r.doc[:min(len(r.doc), 4096)], []byte("<!-- pgknee difference -->"))
	r.doc = nil
	if len(d.rects) == 0 {
		message := "no frames with a count in this SVG"
		if d.failed != "" {
			message = "this flame graph has no stacks; it says: " + strings.TrimRight(strings.TrimSpace(d.failed), ".")
		}
		if difference {
			message = "this picture shows the difference of two profiles, as pgknee draws it: give the two profiles instead"
		}
		r.ctx.Problem(format.Error, 0, 0, nil, message)
		return
	}
	guessed := d.guess()
	if len(d.rects) == 0 {
		r.ctx.Problem(format.Error, 0, 0, nil, "no frames with a count in this SVG")
		return
	}
	if guessed > 0 {
		r.ctx.Problem(format.Warning, 0, 0, nil, fmt.Sprintf("%d frames have titles without a count: theirs are taken from their widths", guessed))
	}
	if d.kind == profile.Sandwich {
		r.ctx.Problem(format.Error, 0, 0, nil, "this is the view of one function, not a whole profile: save the flame graph instead")
		return
	}
	t := link(d)
	sides := []string{""}
	if d.sided == len(d.rects) {
		sides = []string{"before", "after"}
	}
	for i, side := range sides {
		if side != "" {
			t.weigh(func(k int) float64 { return d.rects[k].sides[i] })
		}
		p := build(d, t)
		p.At, p.Column = source.Position{File: r.ctx.File}, side
		if p.Total <= 0 {
			r.ctx.Problem(format.Error, 0, 0, nil, "the frames of this flame graph weigh nothing")
			return
		}
		r.ctx.Profiles = append(r.ctx.Profiles, p)
	}
	r.remarks(d, t)
}

func (r *reader) remarks(d *drawing, t *tree) {
	warn := func(message string, args ...any) {
		r.ctx.Problem(format.Warning, 0, 0, nil, fmt.Sprintf(message, args...))
	}
	if slices.ContainsFunc(d.rects, func(r rect) bool { return r.delta }) {
		warn("differential flame graph: read as its second side, the first is not in the file")
	}
	if d.sided == len(d.rects) {
		warn("differential flame graph that tells both sides: read as two profiles; frames without a width are not in it, their weight is that of the frame below")
	}
	if d.scaled {
		warn("the titles are scaled: counts are those before scaling")
	}
	if d.noName > 0 {
		warn("%d frames have no title: their names are cut", d.noName)
	}
	if t.orphans > 0 {
		warn("%d frames stand on no other: left out, their weight stays with the frame below", t.orphans)
	}
	if t.negative > 0 {
		warn("%d frames are heavier than the frame they stand on: the total is that of the parts", t.negative)
	}
	if t.reversed {
		warn("reverse flame graph, merged from the leaves: turned round")
	}
}

// guess gives frames whose titles were replaced (flamegraph.pl --nameattr) the count that goes with their width, which is right to a
// tenth of a pixel. Without a root to measure by they are dropped.
func (d *drawing) guess() (n int) {
	perWidth := 0.0
	for _, r := range d.rects {
		if !r.guessed && isRoot(r.name) && r.w > 0 {
			perWidth = r.n / r.w
		}
	}
	for i := range d.rects {
		if r := &d.rects[i]; !r.titled && r.name == "" {
			r.name = r.title
		}
		if r := &d.rects[i]; r.guessed && perWidth > 0 {
			r.n = math.Round(r.w * perWidth)
			r.guessed = false
			n++
		}
	}
	d.rects = slices.DeleteFunc(d.rects, func(r rect) bool { return r.guessed || r.n < 0 || r.n > maxWeight })
	return n
}

// tree is the drawing with each frame's place.
type tree struct {
	order    []int32 // frames row by row from the root
	parent   []int32 // of each frame; none for the first row, orphan for one that stands on nothing
	self     []float64
	samples  []float64
	orphans  int
	negative int
	reversed bool
}

// maxFits bounds how many frames of the row below are looked at for one that could stand on them: only frames narrower than the
// rounding lie so close.
const maxFits = 500

const (
	none   = -1
	orphan = -2
)

// link finds the parent of each frame: the frame of the row below whose extent holds it.
func link(d *drawing) *tree {
	n := len(d.rects)
	t := &tree{order: make([]int32, n), parent: make([]int32, n), self: make([]float64, n), samples: make([]float64, n)}
	for i, r := range d.rects {
		t.order[i], t.self[i], t.samples[i] = int32(i), r.n, r.samples
	}
	down := rootBelow(d)
	if d.kind != "" {
		t.nest(d, down)
	} else {
		t.stack(d, down)
	}
	t.floor()
	for i, n := range t.samples {
		t.samples[i] = max(n, 0)
	}
	return t
}

// floor takes the weight of frames that stand on nothing, and what is below zero, which it counts.
func (t *tree) floor() {
	t.negative = 0
	for i, self := range t.self {
		if t.parent[i] == orphan {
			t.self[i] = 0
		} else if self < 0 {
			t.negative++
			t.self[i] = 0
		}
	}
}

// weigh gives the frames of a linked tree other weights, each with all above it.
func (t *tree) weigh(n func(i int) float64) {
	for i := range t.self {
		t.self[i] = n(i)
	}
	for i, up := range t.parent {
		if up >= 0 {
			t.self[up] -= n(i)
		}
	}
	t.floor()
}

// nest links frames that stand in the file in the order of the tree: a frame stands on the last one that is nearer to the root.
func (t *tree) nest(d *drawing, down bool) {
	var open []int32
	for i := range d.rects {
		for len(open) > 0 {
			below := d.rects[open[len(open)-1]].y
			if down && d.rects[i].y < below || !down && d.rects[i].y > below {
				break
			}
			open = open[:len(open)-1]
		}
		t.parent[i] = none
		if len(open) > 0 {
			t.parent[i] = open[len(open)-1]
			t.self[t.parent[i]] -= d.rects[i].n
			t.samples[t.parent[i]] -= d.rects[i].samples
		}
		open = append(open, int32(i))
	}
}

// stack links frames in any order, row by row from the root.
func (t *tree) stack(d *drawing, down bool) {
	n := len(d.rects)
	slices.SortFunc(t.order, func(a, b int32) int {
		ra, rb := &d.rects[a], &d.rects[b]
		byRow := cmp.Compare(ra.y, rb.y)
		if down {
			byRow = -byRow
		}
		return cmp.Or(byRow, cmp.Compare(ra.x, rb.x), cmp.Compare(ra.w, rb.w))
	})
	tolerance := 0.11
	if d.exact {
		tolerance = 1e-6
	}
	var below, row []int32
	for from := 0; from < n; {
		y := d.rects[t.order[from]].y
		to := from
		for to < n && d.rects[t.order[to]].y == y {
			to++
		}
		below, row = row, t.order[from:to]
		if from == 0 {
			for _, c := range row {
				t.parent[c] = none
			}
		} else {
			t.place(d, below, row, tolerance)
		}
		from = to
	}
}

// place finds the parents of a row's frames among those of the row below. Both are sorted by where they begin. Frames can be
// narrower than the rounding, so several may fit: one with enough weight left comes first, then the one that holds the middle.
func (t *tree) place(d *drawing, below, row []int32, tolerance float64) {
	first := 0
	for _, c := range row {
		child := &d.rects[c]
		for first < len(below) && right(d, below[first])+tolerance < child.x+child.w {
			first++
		}
		for first+1 < len(below) && t.self[below[first]] <= 0 && holds(d, below[first+1], child, tolerance) {
			first++ // nothing is left of it, and the next will do
		}
		best, bestScore := int32(orphan), -1
		var bestN float64
		for _, k := range below[first:min(first+maxFits, len(below))] {
			p := &d.rects[k]
			if p.x-tolerance > child.x {
				break
			}
			if t.parent[k] == orphan || right(d, k)+tolerance < child.x+child.w {
				continue
			}
			score := 0
			if t.self[k] >= child.n {
				score = 2
			}
			if mid := child.x + child.w/2; p.x <= mid && mid <= p.x+p.w {
				score++
			}
			if score > bestScore || score == bestScore && p.n > bestN {
				best, bestScore, bestN = k, score, p.n
			}
		}
		t.parent[c] = best
		if best == orphan {
			t.orphans++
			continue
		}
		t.self[best] -= child.n
		t.samples[best] -= child.samples
	}
}

func holds(d *drawing, i int32, child *rect, tolerance float64) bool {
	return d.rects[i].x-tolerance <= child.x && right(d, i)+tolerance >= child.x+child.w
}

func right(d *drawing, i int32) float64 { return d.rects[i].x + d.rects[i].w }

// rootBelow tells whether the root is the lowest row (flames) rather than the highest (icicles).
func rootBelow(d *drawing) bool {
	lowest, highest := d.rects[0].y, d.rects[0].y
	for _, r := range d.rects {
		lowest, highest = max(lowest, r.y), min(highest, r.y)
	}
	var weightLow, weightHigh float64
	for _, r := range d.rects {
		if r.y == lowest {
			if isRoot(r.name) {
				return true
			}
			weightLow += r.n
		}
	}
	for _, r := range d.rects {
		if r.y == highest {
			if isRoot(r.name) {
				return false
			}
			weightHigh += r.n
		}
	}
	return weightLow >= weightHigh
}

func isRoot(name string) bool { return name == "all" || name == "all samples" }

// build makes the profile.
func build(d *drawing, t *tree) *profile.Profile {
	t.reversed = d.kind == profile.Inverted || d.kind == "" && backwards(d, t)
	symbols := profile.NewSymbols()
	b := profile.NewBuilderOf(symbols)
	frames := make([]profile.FrameID, len(d.rects))
	for i, r := range d.rects {
		name, flags := profile.CutMarks([]byte(r.name))
		flags |= profile.Classify(name, []byte(r.module)) | flagsOf(r.flags)
		frames[i] = symbols.InternBytes(name, []byte(r.module), flags)
	}
	nodes := make([]int32, len(d.rects))
	for _, i := range t.order {
		up := t.parent[i]
		switch {
		case up == orphan:
			continue
		case up == none && isRoot(d.rects[i].name):
			nodes[i] = 0
		case t.reversed:
			nodes[i] = none // unknown until the whole stack is
		case up == none:
			nodes[i] = b.Child(0, frames[i])
		case d.rects[i].name == "": // folded text had a;;b
			nodes[i] = nodes[up]
		default:
			nodes[i] = b.Child(nodes[up], frames[i])
		}
		if nodes[i] != none {
			if t.self[i] != 0 || t.samples[i] != 0 {
				b.AddAt(nodes[i], t.self[i], t.samples[i])
			}
			continue
		}
		if t.self[i] == 0 {
			continue
		}
		at := int32(0)
		for k := i; k >= 0 && !(t.parent[k] == none && isRoot(d.rects[k].name)); k = t.parent[k] {
			if d.rects[k].name != "" {
				at = b.Child(at, frames[k])
			}
		}
		b.AddAt(at, t.self[i], t.samples[i])
	}
	p := b.Profile()
	p.Unit, p.Event, p.Label = d.unit, d.event, d.label
	if p.Unit == "" {
		p.Unit = "samples"
	}
	return p
}

// callers are functions that call each other one way only; a graph that shows them the other way round is a reverse one.
var callers = map[[2]string]bool{
	{"_start", "__libc_start_main"}: true, {"__libc_start_main", "main"}: true, {"__libc_start_call_main", "main"}: true,
	{"main", "PostmasterMain"}: true, {"PostmasterMain", "ServerLoop"}: true, {"PostgresMain", "exec_simple_query"}: true,
	{"ServerLoop", "BackendStartup"}: true, {"BackendRun", "PostgresMain"}: true, {"BackendMain", "PostgresMain"}: true,
	{"_start", "main"}: true, {"clone", "start_thread"}: true, {"entry_SYSCALL_64_after_hwframe", "do_syscall_64"}: true,
	{"exec_simple_query", "PortalRun"}: true, {"standard_ExecutorRun", "ExecutePlan"}: true,
}

func backwards(d *drawing, t *tree) bool {
	var forth, back float64
	for i, up := range t.parent {
		if up < 0 {
			continue
		}
		outer, inner := d.rects[up].name, d.rects[i].name
		if callers[[2]string{outer, inner}] {
			forth += d.rects[i].n
		} else if callers[[2]string{inner, outer}] {
			back += d.rects[i].n
		}
	}
	return back > forth || forth == 0 && strings.Contains(strings.ToLower(d.title), "reverse")
}

// flagsOf reads the flags that our own graphs carry.
func flagsOf(letters string) (f profile.Flags) {
	for _, l := range letters {
		f |= profile.FlagOf(byte(l))
	}
	return f
}
