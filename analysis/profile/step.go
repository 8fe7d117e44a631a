package profile

import "fmt"

// Step changes what of a profile is looked at. Steps are applied in order, so the last one can be undone by leaving it out.
type Step struct {
	Op       string `json:"op"`                 // one of the operations below
	Function string `json:"function,omitempty"` // of focus, reroot, hide and drop
	Module   string `json:"module,omitempty"`   // of hide-module
	Command  string `json:"command,omitempty"`  // of thread and not-thread: any if empty
	PID      int32  `json:"pid,omitempty"`      // of thread and not-thread: any if 0
	TID      int32  `json:"tid,omitempty"`      // of thread and not-thread: any if 0
}

// Operations of steps. Those that keep the total are marked with =; of the others, what is left out is Total - Shown of a layout.
const (
	Focus         = "focus"       // only stacks that hold the function, from their root
	Reroot        = "reroot"      // the same, from the function's outermost call on
	Hide          = "hide"        // = the function becomes part of its callers
	Drop          = "drop"        // all stacks that hold the function are left out
	HideModule    = "hide-module" // = the functions of a module become part of their callers
	HideKernel    = "hide-kernel" // = kernel code becomes part of its callers
	MergeUnknown  = "unknown"     // = frames without a symbol that call each other become one, [unknown]
	FoldClones    = "clones"      // = clones of the compiler (.part.0, .isra.0, .constprop.0, .cold) become their function
	FoldRecursion = "recursion"   // = a function that calls itself becomes one frame
	OnlyThread    = "thread"      // only the samples of a command, process or thread
	WithoutThread = "not-thread"  // all but those
)

// Apply gives what a step makes of a profile, which stays as it is. What the input stated of whole functions is lost, except by
// steps that leave all functions alone.
func Apply(p *Profile, s Step) (*Profile, error) {
	r := rebuild{p: p, self: p.Self, samples: p.Samples, cells: p.Cells}
	switch s.Op {
	case Focus, Reroot, Drop:
		r.keep = make([]bool, len(p.Parent))
		found := false
		for n := 1; n < len(p.Parent); n++ {
			is := p.Frames[p.Frame[n]].Name == s.Function
			found = found || is
			if is && !r.keep[p.Parent[n]] && s.Op == Reroot {
				r.root = append(r.root, int32(n))
			}
			r.keep[n] = is || r.keep[p.Parent[n]]
		}
		if !found {
			return nil, fmt.Errorf("no function %q in this profile", s.Function)
		}
		if s.Op == Drop {
			for n := range r.keep {
				r.keep[n] = !r.keep[n]
			}
		}
	case Hide:
		r.merge = func(f Frame) bool { return f.Name == s.Function }
	case HideModule:
		r.merge = func(f Frame) bool { return f.Module == s.Module }
	case HideKernel:
		r.merge = func(f Frame) bool { return f.Flags&Kernel != 0 }
	case MergeUnknown:
		r.rename = func(f Frame) Frame {
			if f.Flags&Unknown != 0 {
				return Frame{Name: "[unknown]", Flags: Unknown}
			}
			return f
		}
		r.runs = func(f Frame) bool { return f.Flags&Unknown != 0 }
	case FoldClones:
		r.rename = func(f Frame) Frame {
			f.Name = unclone(f.Name)
			return f
		}
	case FoldRecursion:
		r.runs = func(Frame) bool { return true }
	case OnlyThread, WithoutThread:
		if err := r.only(s); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("no step %q", s.Op)
	}
	return r.profile(), nil
}

// rebuild is one walk over a tree that makes another of it.
type rebuild struct {
	p             *Profile
	self, samples []float64
	cells         []Cell
	keep          []bool           // nodes whose self weight stays; nil for all
	root          []int32          // nodes that become children of the root, rising
	merge         func(Frame) bool // frames that become part of their callers
	rename        func(Frame) Frame
	runs          func(Frame) bool // frames that become one with a caller of the same name
}

// only keeps the weight of some threads, or of all others.
func (r *rebuild) only(s Step) error {
	if len(r.p.Cells) == 0 {
		return fmt.Errorf("this profile does not tell threads apart")
	}
	r.self = make([]float64, len(r.p.Self))
	r.cells = nil
	if r.samples != nil {
		r.samples = make([]float64, len(r.p.Self))
	}
	for _, c := range r.p.Cells {
		t := r.p.Threads[c.Thread]
		is := (s.Command == "" || t.Command == s.Command) && (s.PID == 0 || t.PID == s.PID) && (s.TID == 0 || t.TID == s.TID)
		if is != (s.Op == OnlyThread) {
			continue
		}
		r.cells = append(r.cells, c)
		r.self[c.Node] += c.Self
		if r.samples != nil {
			r.samples[c.Node] += c.Samples
		}
	}
	if len(r.cells) == 0 {
		return fmt.Errorf("no samples of these threads")
	}
	return nil
}

func (r *rebuild) profile() *Profile {
	p := r.p
	frames, of, symbols := r.frames()
	weighs := r.weighs()
	merged := make([]bool, len(frames))
	runs := make([]bool, len(frames))
	for i, f := range frames {
		merged[i] = r.merge != nil && r.merge(f)
		runs[i] = r.runs != nil && r.runs(f)
	}
	b := NewBuilderOf(symbols)
	b.reserve(len(p.Parent))
	to := make([]int32, len(p.Parent))
	roots := r.root
	for n := int32(1); int(n) < len(to); n++ {
		up := to[p.Parent[n]]
		if len(roots) > 0 && roots[0] == n {
			up, roots = 0, roots[1:]
		} else if r.root != nil && !r.keep[n] {
			continue // above the new root
		}
		f := of[p.Frame[n]]
		switch {
		case weighs != nil && !weighs[n], merged[f], runs[f] && up != 0 && frames[b.p.Frame[up]].Name == frames[f].Name:
			to[n] = up
		default:
			to[n] = b.Child(up, f)
		}
		if r.keep == nil || r.keep[n] {
			r.add(b, n, to[n])
		}
	}
	if r.keep == nil || r.keep[0] {
		r.add(b, 0, 0)
	}
	q := b.Profile()
	q.Label, q.At, q.Column, q.Event, q.Unit = p.Label, p.At, p.Column, p.Event, p.Unit
	q.Partial, q.Lost, q.Attributes = p.Partial, p.Lost, p.Attributes
	seen := map[cellKey]int32{}
	for _, c := range r.cells {
		if r.keep != nil && !r.keep[c.Node] {
			continue
		}
		key := cellKey{to[c.Node], c.Thread}
		i, ok := seen[key]
		if !ok {
			i = int32(len(q.Cells))
			seen[key] = i
			q.Cells = append(q.Cells, Cell{Node: key.node, Thread: key.thread})
		}
		q.Cells[i].Self += c.Self
		q.Cells[i].Samples += c.Samples
	}
	return q
}

// weighs tells which nodes have weight that stays, or carry some; nil for all.
func (r *rebuild) weighs() []bool {
	if r.keep == nil && &r.self[0] == &r.p.Self[0] {
		return nil
	}
	weighs := make([]bool, len(r.self))
	for n := len(weighs) - 1; n > 0; n-- {
		if (r.keep == nil || r.keep[n]) && (r.self[n] != 0 || r.samples != nil && r.samples[n] != 0) {
			weighs[n] = true
		}
		if weighs[n] {
			weighs[r.p.Parent[n]] = true
		}
	}
	return weighs
}

// add moves the weight of a node.
func (r *rebuild) add(b *Builder, from, to int32) {
	samples := 0.0
	if r.samples != nil {
		samples = r.samples[from]
	}
	if r.self[from] != 0 || samples != 0 {
		b.AddAt(to, r.self[from], samples)
	}
}

// frames gives the frames of the result, which of them each frame of p becomes, and a table that holds them.
func (r *rebuild) frames() (frames []Frame, of []FrameID, s *Symbols) {
	of = make([]FrameID, len(r.p.Frames))
	if r.rename == nil {
		for i := range of {
			of[i] = FrameID(i)
		}
		return r.p.Frames, of, &Symbols{frames: r.p.Frames, threads: r.p.Threads}
	}
	s = NewSymbols()
	for i, f := range r.p.Frames {
		of[i] = s.Intern(r.rename(f))
	}
	s.threads = r.p.Threads
	return s.frames, of, s
}
