package profile

import "pgknee/analysis/source"

// FrameID names an interned frame of one profile.
type FrameID uint32

// Flags of a frame.
type Flags uint8

// What is known of a frame besides its name.
const (
	Kernel    Flags = 1 << iota // in the kernel or a module of it
	Inlined                     // inlined into its caller
	JIT                         // compiled at run time
	Deleted                     // its file was replaced while it ran
	Unknown                     // no symbol
	Collapsed                   // its callees exist but are not in the input: its self is an upper bound
	Inferred                    // its place in the tree was concluded, not read
)

// Frame is a function in a module.
type Frame struct {
	Name, Module string
	Flags        Flags
}

// Thread is who ran; a number that the input does not give is 0.
type Thread struct {
	Command  string
	PID, TID int32
}

// Cell is the part of a node's self weight that one thread has.
type Cell struct {
	Node, Thread  int32
	Self, Samples float64
}

// Profile is a tree of stacks with weights. Node 0 is the root and has no frame; parents come before their children.
type Profile struct {
	Label       string
	At          source.Position
	Column      string // before or after, when an input of two columns gave two profiles
	Event, Unit string // Unit is "samples", or what the weights count ("cycles", "ms", …)
	Partial     bool   // only some functions or branches are known: a pasted report, a list of shares

	Frames  []Frame // may hold frames that no node has
	Parent  []int32
	Frame   []FrameID // of each node; meaningless for the root
	Self    []float64 // weight whose stack ends in this node
	Samples []float64 // number of samples of it; nil when the input has only weights
	Total   float64   // all weight, including what a partial profile does not show
	Lost    int64     // samples the producer says it lost

	// Stated holds what the input itself says of whole functions, by name, where the tree can't: a list has no tree, and a pasted
	// tree lacks what fell below its limit. Nil for profiles made of stacks. Where it speaks it overrules sums over the tree.
	Stated map[string]Weights
	// Doubts are nodes whose place was concluded although other parents fit as well. Their frames carry Inferred.
	Doubts     []Doubt
	Attributes map[string]string // what the text near a profile says of it: host, clients
	Threads    []Thread          // nil when the input does not tell threads apart
	Cells      []Cell            // the self weights by thread, each node and thread once
}

// SampleCount is the number of samples, and whether it is known.
func (p *Profile) SampleCount() (n float64, known bool) {
	for _, s := range p.Samples {
		n += s
	}
	return n, p.Samples != nil && n > 0
}

// Name gives the function name of a node; "all" for the root.
func (p *Profile) Name(node int32) string {
	if node == 0 {
		return "all"
	}
	return p.Frames[p.Frame[node]].Name
}

// Weights of a function, in the unit of its profile. NotKnown stands for one that the input doesn't give.
type Weights struct{ Self, Total float64 }

// NotKnown is the weight of which nothing is known.
const NotKnown = -1

// Doubt is a node that could as well be a child of one of these nodes.
type Doubt struct {
	Node    int32
	Parents []int32
}

// BelowLimit names the frame that stands for callees which a pasted tree leaves out because each is below its limit.
const BelowLimit = "[below limit]"
