package profile

import (
	"bufio"
	"io"
	"math"
	"strconv"
	"strings"
)

// visit walks the tree depth first, heaviest child first, and calls for each node but the root.
func (p *Profile) visit(sums []float64, enter func(n int32, depth int)) {
	children := childrenOf(p.Parent)
	type place struct {
		node  int32
		depth int
	}
	var stack []place
	push := func(n int32, depth int) {
		kids := children.of(n)
		byWeight(kids, sums)
		for i := len(kids) - 1; i >= 0; i-- {
			stack = append(stack, place{kids[i], depth})
		}
	}
	push(0, 1)
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		enter(at.node, at.depth)
		push(at.node, at.depth+1)
	}
}

// WriteFolded writes folded stacks that our reader, and those of FlameGraph, inferno and speedscope, read: one line for each stack
// with weight, marks for kernel (_[k]), inlined (_[i]) and run-time code (_[j]). Modules have no place in this format. Weight that
// no frame has goes to a frame named all.
func WriteFolded(w io.Writer, p *Profile) error {
	out := bufio.NewWriterSize(w, 1<<16)
	if p.Self[0] != 0 {
		out.WriteString("all " + number(p.Self[0]) + "\n")
	}
	names := make([]string, len(p.Frames))
	var line []byte
	ends := []int{0} // where in line the frames of each depth end
	p.visit(p.Totals(), func(n int32, depth int) {
		f := p.Frame[n]
		if names[f] == "" {
			names[f] = foldedName(p.Frames[f])
		}
		line = line[:ends[depth-1]]
		if depth > 1 {
			line = append(line, ';')
		}
		line = append(line, names[f]...)
		ends = append(ends[:depth], len(line))
		if p.Self[n] != 0 {
			out.Write(line)
			out.WriteString(" " + number(p.Self[n]) + "\n")
		}
	})
	return out.Flush()
}

// foldedName is the name of a frame without what would take a line of folded text apart, with its marks.
func foldedName(f Frame) string {
	name := strings.Map(func(c rune) rune {
		switch {
		case c == ';':
			return ':'
		case c < ' ' || c == 0x85 || c == 0x2028 || c == 0x2029:
			return ' '
		}
		return c
	}, f.Name)
	if name = strings.TrimSpace(name); name == "" {
		name = "[unknown]"
	}
	for _, m := range marks[:writtenMarks] {
		if f.Flags&m.flag != 0 {
			name += "_[" + string(m.letter) + "]"
		}
	}
	return name
}

// number writes a weight so that reading it gives the same one.
func number(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return strconv.FormatInt(int64(x), 10)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
