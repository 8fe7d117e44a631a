package profile

// Builder grows a profile stack by stack.
type Builder struct {
	p      *Profile
	frames map[Frame]FrameID
	child  map[edge]int32
}

type edge struct {
	parent int32
	frame  FrameID
}

// NewBuilder begins an empty profile.
func NewBuilder() *Builder {
	return &Builder{
		p:      &Profile{Parent: []int32{-1}, Frame: []FrameID{0}, Self: []float64{0}, Samples: []float64{0}},
		frames: map[Frame]FrameID{}, child: map[edge]int32{},
	}
}

// Intern gives the ID of a frame.
func (b *Builder) Intern(f Frame) FrameID {
	id, ok := b.frames[f]
	if !ok {
		id = FrameID(len(b.p.Frames))
		b.p.Frames = append(b.p.Frames, f)
		b.frames[f] = id
	}
	return id
}

// Add adds weight, and the number of samples it stands for, to a stack given from the root to the leaf.
func (b *Builder) Add(stack []FrameID, weight, samples float64) {
	at := int32(0)
	for _, f := range stack {
		next, ok := b.child[edge{at, f}]
		if !ok {
			next = int32(len(b.p.Parent))
			b.p.Parent = append(b.p.Parent, at)
			b.p.Frame = append(b.p.Frame, f)
			b.p.Self = append(b.p.Self, 0)
			b.p.Samples = append(b.p.Samples, 0)
			b.child[edge{at, f}] = next
		}
		at = next
	}
	b.p.Self[at] += weight
	b.p.Samples[at] += samples
	b.p.Total += weight
}

// Empty tells whether nothing was added.
func (b *Builder) Empty() bool { return b.p.Total == 0 && len(b.p.Parent) == 1 }

// Profile gives what was built; the builder must not be used after it.
func (b *Builder) Profile() *Profile { return b.p }
