package profile

// children are the nodes below each node: those of n are list[from[n]:from[n+1]], in the order of their creation.
type children struct {
	from, list []int32
}

func childrenOf(p *Profile) children {
	from := make([]int32, len(p.Parent)+1)
	for _, parent := range p.Parent[1:] {
		from[parent+1]++
	}
	for i := 1; i < len(from); i++ {
		from[i] += from[i-1]
	}
	list := make([]int32, len(p.Parent)-1)
	next := append([]int32(nil), from[:len(p.Parent)]...)
	for n := 1; n < len(p.Parent); n++ {
		parent := p.Parent[n]
		list[next[parent]] = int32(n)
		next[parent]++
	}
	return children{from, list}
}

func (c children) of(n int32) []int32 { return c.list[c.from[n]:c.from[n+1]] }

// order is a walk over a tree: n on the way into node n, ^n on the way out. The root is not in it.
type order struct{ steps []int32 }

func newOrder(p *Profile) order {
	c := childrenOf(p)
	steps := make([]int32, 0, 2*len(p.Parent))
	stack := append([]int32(nil), c.of(0)...)
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		steps = append(steps, n)
		if n < 0 {
			continue
		}
		stack = append(stack, ^n)
		stack = append(stack, c.of(n)...)
	}
	return order{steps}
}
