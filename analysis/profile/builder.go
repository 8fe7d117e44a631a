package profile

import (
	"math/bits"
	"slices"
)

// Builder grows a profile stack by stack.
type Builder struct {
	p       *Profile
	symbols *Symbols
	head    []int32           // of each node the child found last, as ^child when the node has many
	next    []int32           // of each node the next child of its parent, when that has few
	slots   []int32           // children of nodes with many, in open addressing by parent and frame; 0 is free, since the root is no one's child
	hashed  int               // nodes in slots
	first   []int32           // of each node, from 1 on, the cell it got first; 0 for none
	cells   map[cellKey]int32 // the others
}

type cellKey struct{ node, thread int32 }

// NewBuilder begins an empty profile.
func NewBuilder() *Builder { return NewBuilderOf(NewSymbols()) }

// NewBuilderOf begins an empty profile that shares symbols with other builders.
func NewBuilderOf(s *Symbols) *Builder {
	return &Builder{
		p:       &Profile{Parent: []int32{-1}, Frame: []FrameID{0}, Self: []float64{0}},
		symbols: s, head: []int32{0}, next: []int32{0},
	}
}

// Intern gives the ID of a frame.
func (b *Builder) Intern(f Frame) FrameID { return b.symbols.Intern(f) }

// Add adds weight, and the number of samples it stands for, to a stack given from the root to the leaf.
func (b *Builder) Add(stack []FrameID, weight, samples float64) {
	at := int32(0)
	for _, f := range stack {
		at = b.Child(at, f)
	}
	b.AddAt(at, weight, samples)
}

// AddAt adds weight and samples to a node that Child gave; 0 is the root.
func (b *Builder) AddAt(node int32, weight, samples float64) {
	b.p.Self[node] += weight
	if samples != 0 {
		if b.p.Samples == nil {
			b.p.Samples = make([]float64, len(b.p.Parent), cap(b.p.Parent)) // as much room as reserve made
		}
		b.p.Samples[node] += samples
	}
	b.p.Total += weight
}

// AddThread is AddAt that also keeps which thread it was.
func (b *Builder) AddThread(node, thread int32, weight, samples float64) {
	b.AddAt(node, weight, samples)
	for len(b.first) <= int(node) {
		b.first = append(b.first, 0)
	}
	i := b.first[node] - 1
	if i < 0 || b.p.Cells[i].Thread != thread {
		i = b.cell(node, thread)
	}
	b.p.Cells[i].Self += weight
	b.p.Cells[i].Samples += samples
}

// cell gives the cell of a node and thread, a new one if need be. Most nodes have the weight of one thread: only further ones are in
// the map.
func (b *Builder) cell(node, thread int32) int32 {
	key := cellKey{node, thread}
	i, ok := b.cells[key]
	if ok {
		return i
	}
	i = int32(len(b.p.Cells))
	b.p.Cells = append(b.p.Cells, Cell{Node: node, Thread: thread})
	switch {
	case b.first[node] == 0:
		b.first[node] = i + 1
	case b.cells == nil:
		b.cells = map[cellKey]int32{key: i}
	default:
		b.cells[key] = i
	}
	return i
}

// manyChildren is from how many children on a node keeps them in the hash table rather than in a list. Most nodes have one or two.
const manyChildren = 8

// Child gives the node of a frame called from a node, a new one if need be; 0 is the root.
func (b *Builder) Child(parent int32, f FrameID) int32 {
	head := b.head[parent]
	if head < 0 {
		return b.childOfMany(parent, f)
	}
	count := 0
	for prev, n := int32(0), head; n != 0; prev, n = n, b.next[n] {
		if b.p.Frame[n] == f {
			if prev != 0 { // to the front: stacks that follow each other share their outer frames
				b.next[prev], b.next[n], b.head[parent] = b.next[n], head, n
			}
			return n
		}
		count++
	}
	if count >= manyChildren {
		for n := head; n != 0; n = b.next[n] {
			b.insert(n)
		}
		b.head[parent] = ^head
		return b.childOfMany(parent, f)
	}
	n := b.grow(parent, f)
	b.next[n], b.head[parent] = head, n
	return n
}

func (b *Builder) childOfMany(parent int32, f FrameID) int32 {
	if n := ^b.head[parent]; b.p.Frame[n] == f {
		return n
	}
	n := int32(0)
	if len(b.slots) > 0 {
		n = b.slots[b.slot(parent, f)]
	}
	if n == 0 {
		n = b.grow(parent, f)
		b.insert(n)
	}
	b.head[parent] = ^n
	return n
}

// reserve makes room for nodes.
func (b *Builder) reserve(nodes int) {
	b.p.Parent = slices.Grow(b.p.Parent, nodes)
	b.p.Frame = slices.Grow(b.p.Frame, nodes)
	b.p.Self = slices.Grow(b.p.Self, nodes)
	b.head = slices.Grow(b.head, nodes)
	b.next = slices.Grow(b.next, nodes)
}

// grow appends a node.
func (b *Builder) grow(parent int32, f FrameID) int32 {
	n := int32(len(b.p.Parent))
	b.p.Parent = append(b.p.Parent, parent)
	b.p.Frame = append(b.p.Frame, f)
	b.p.Self = append(b.p.Self, 0)
	if b.p.Samples != nil {
		b.p.Samples = append(b.p.Samples, 0)
	}
	b.head = append(b.head, 0)
	b.next = append(b.next, 0)
	return n
}

// insert puts a node into the hash table.
func (b *Builder) insert(n int32) {
	if b.hashed++; 2*b.hashed > len(b.slots) {
		old := b.slots
		b.slots = make([]int32, max(256, 2*len(old)))
		for _, n := range old {
			if n != 0 {
				b.slots[b.slot(b.p.Parent[n], b.p.Frame[n])] = n
			}
		}
	}
	b.slots[b.slot(b.p.Parent[n], b.p.Frame[n])] = n
}

// slot finds where the child is, or belongs.
func (b *Builder) slot(parent int32, f FrameID) int {
	key := uint64(uint32(parent))<<32 | uint64(f)
	i := int((key ^ key>>29) * 0x9E3779B97F4A7C15 >> (65 - bits.Len(uint(len(b.slots)))))
	for b.slots[i] != 0 {
		if n := b.slots[i]; b.p.Parent[n] == parent && b.p.Frame[n] == f {
			return i
		}
		i = (i + 1) & (len(b.slots) - 1)
	}
	return i
}

// Total is the weight added so far.
func (b *Builder) Total() float64 { return b.p.Total }

// Profile gives what was built; the builder must not be used after it.
func (b *Builder) Profile() *Profile {
	b.p.Frames, b.p.Threads = b.symbols.frames, b.symbols.threads
	return b.p
}
