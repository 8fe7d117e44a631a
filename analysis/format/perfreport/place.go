package perfreport

// placer finds the tree of a call graph whose indentation was lost. Rows stand in the order of a walk, parents first, and siblings
// are sorted by falling share, so the tree follows from the numbers: a row is a child of the deepest open row that has room for it
// and no smaller child yet, such that the rows behind it find a place too.
type placer struct {
	graph []node
	top   float64 // the share of the entry: what the first level may add up to
	sum   []float64
	least []float64 // share of the child placed last
	count []int
	steps *int // what the search may still cost
}

const (
	maxSearched = 2000      // rows of a graph that is searched; a longer one is placed row by row
	maxSteps    = 1_000_000 // of the search, for one list
	maxDoubt    = 2000      // of the search whether one row has another place
)

// settle places the rows of an entry whose indentation was lost. What the search costs comes off steps.
func (e *entry) settle(steps *int) {
	if e.sign == 0 || len(e.graph) == 0 || e.graph[0].column > e.column {
		return
	}
	n := len(e.graph)
	p := &placer{
		graph: e.graph, top: e.rank(), steps: steps,
		sum: make([]float64, n+1), least: make([]float64, n+1), count: make([]int, n+1), // of each row; the last is the entry
	}
	for i := range p.least {
		p.least[i] = 101
	}
	if n > maxSearched || !p.search(0, *steps/2, true) {
		p.greedy()
		return
	}
	p.doubt()
}

// at gives where sums of a row stand: the entry is the last.
func (p *placer) at(row int) int {
	if row < 0 {
		return len(p.graph)
	}
	return row
}

func (p *placer) share(row int) float64 {
	if row < 0 {
		return p.top
	}
	for p.graph[row].value < 0 { // a chain has the share of the row above it
		if row = p.graph[row].parent; row < 0 {
			return p.top
		}
	}
	return p.graph[row].value
}

// above gives the first row that row i may belong under, as far as signs say: an open row has a child right behind it.
func (p *placer) above(i int) (row int, must bool) {
	if i == 0 {
		return -1, true
	}
	if before := p.graph[i-1]; before.sign == '-' || before.sign == 0 && before.value < 0 {
		return i - 1, true
	}
	return p.graph[i-1].parent, false
}

// room tells whether a row can take row i as a child. Shares are rounded to 0.01.
func (p *placer) room(row, i int) bool {
	a, v := p.at(row), p.graph[i].value
	if v < 0 {
		return true
	}
	return p.sum[a]+v <= p.share(row)+0.011+0.003*float64(p.count[a]) && v <= p.least[a]+1e-9
}

func (p *placer) put(i, row int) (undo float64) {
	a, v := p.at(row), p.graph[i].value
	p.graph[i].parent = row
	undo = p.least[a]
	if v >= 0 {
		p.sum[a] += v
		p.least[a] = v
		p.count[a]++
	} else {
		p.sum[a] += p.share(row) // a row without a share is all that its caller calls
	}
	return undo
}

func (p *placer) take(i int, least float64) {
	a, v := p.at(p.graph[i].parent), p.graph[i].value
	if v >= 0 {
		p.sum[a] -= v
		p.least[a] = least
		p.count[a]--
	} else {
		p.sum[a] -= p.share(p.graph[i].parent)
	}
}

// search places row i and all behind it, the deepest place first, and tells whether all found one within so many steps. They stay
// placed if they are to be kept.
func (p *placer) search(i, steps int, keep bool) bool {
	limit := max(*p.steps-steps, 0)
	var place func(i int) bool
	place = func(i int) bool {
		if i == len(p.graph) {
			return true
		}
		if *p.steps--; *p.steps < limit {
			return false
		}
		for row, must := p.above(i); ; row = p.graph[row].parent {
			if p.room(row, i) {
				least := p.put(i, row)
				found := place(i + 1)
				if !found || !keep {
					p.take(i, least)
				}
				if found {
					return true
				}
			}
			if row < 0 || must {
				return false
			}
		}
	}
	return place(i)
}

// doubt looks for other places of each row that leave room for all rows behind it. Where the search would take too long the row
// counts as doubtful.
func (p *placer) doubt() {
	n := len(p.graph)
	parents, least := make([]int, n), make([]float64, n)
	for i := range p.graph {
		parents[i] = p.graph[i].parent
	}
	p.clear()
	for i, row := range parents {
		least[i] = p.put(i, row)
	}
	for i := n - 1; i >= 0; i-- {
		p.take(i, least[i]) // the rows before it lie where they were found, those behind it are off the board
		row, must := p.above(i)
		for ; !must; row = p.graph[row].parent {
			if row != parents[i] && p.room(row, i) {
				before := p.put(i, row)
				left := *p.steps
				if p.search(i+1, maxDoubt, false) || left-*p.steps >= maxDoubt || *p.steps <= 0 {
					p.graph[i].inferred = true
					p.graph[i].fits = append(p.graph[i].fits, row)
				}
				p.take(i, before)
			}
			if row < 0 {
				break
			}
		}
		p.graph[i].parent = parents[i]
	}
	for i := range p.graph {
		p.graph[i].parent = parents[i]
	}
}

// clear takes all rows off.
func (p *placer) clear() {
	for i := range p.sum {
		p.sum[i], p.least[i], p.count[i] = 0, 101, 0
	}
}

// greedy places row by row, for numbers that no tree has: nothing of it is sure. A row that has no room anywhere is a child of the
// first.
func (p *placer) greedy() {
	p.clear()
	for i := range p.graph {
		row, must := p.above(i)
		for row > 0 && !must && !p.room(row, i) {
			row = p.graph[row].parent
		}
		if i > 0 {
			row = max(row, 0)
		}
		p.put(i, row)
		p.graph[i].inferred = !must
	}
}
