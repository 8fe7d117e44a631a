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
