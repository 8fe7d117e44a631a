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

// Profile is a tree of stacks with weights. Node 0 is the root and has no frame; parents come before their children.
type Profile struct {
	Label       string
	At          source.Position
	Event, Unit string // Unit is "samples", or what the weights count ("cycles", "ms", …)
	Partial     bool   // only some functions or branches are known: a pasted report, a list of shares

	Frames  []Frame
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
