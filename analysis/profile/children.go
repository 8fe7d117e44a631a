package profile

// children are the nodes below each node: those of n are list[from[n]:from[n+1]], in the order of their creation.
type children struct {
	from, list []int32
}

func childrenOf(parent []int32) children {
	from := make([]int32, len(parent)+1)
	for _, up := range parent[1:] {
		from[up+1]++
	}
	for i := 1; i < len(from); i++ {
		from[i] += from[i-1]
	}
	list := make([]int32, len(parent)-1)
	next := append([]int32(nil), from[:len(parent)]...)
	for n := 1; n < len(parent); n++ {
		list[next[parent[n]]] = int32(n)
		next[parent[n]]++
	}
	return children{from, list}
}

func (c children) of(n int32) []int32 { return c.list[c.from[n]:c.from[n+1]] }
