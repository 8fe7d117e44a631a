package analysis

import (
	"fmt"
	"slices"

	"pgknee/analysis/bench"
	"pgknee/analysis/curve"
	"pgknee/analysis/source"
)

// Remove takes an input out of the session.
func (s *Session) Remove(in *Input) {
	s.begun = nil
	s.inputs = slices.DeleteFunc(s.inputs, func(i *Input) bool { return i == in })
}

// Reopen begins an input again, in the same place among the others: for other columns or another format.
func (s *Session) Reopen(in *Input) *Input {
	at := slices.Index(s.inputs, in)
	again := s.Open(in.name)
	if at >= 0 {
		s.inputs = slices.Insert(s.inputs[:len(s.inputs)-1], at+1, again)
		s.Remove(in)
	}
	return again
}

// refs names runs as Options.Exclude does: by file and line, and by its place in the line where a line holds several.
func refs(runs []*bench.Run) []string {
	inLine := map[source.Position]int{}
	out := make([]string, len(runs))
	for i, r := range runs {
		at := source.Position{File: r.At.File, Line: r.At.Line}
		inLine[at]++
		out[i] = fmt.Sprintf("%s:%d", at.File, at.Line)
		if n := inLine[at]; n > 1 {
			out[i] += fmt.Sprintf(":%d", n)
		}
	}
	return out
}

// exclude flags the runs that the user took out of their curves, and those no longer.
func (o Options) exclude(runs []*bench.Run) {
	for _, r := range runs {
		r.Unflag(bench.FlagExcluded)
	}
	if len(o.Exclude) == 0 {
		return
	}
	for i, ref := range refs(runs) {
		if slices.Contains(o.Exclude, ref) {
			runs[i].Flag(bench.FlagExcluded)
		}
	}
}

// edit gives curves the names and the order that the user chose. Curves that were given the same name become one.
func (o Options) edit(curves []*bench.Curve) []*bench.Curve {
	var out []*bench.Curve
	named := make(map[string]*bench.Curve, len(curves))
	for _, c := range curves {
		if name := o.Rename[c.Label]; name != "" {
			c.Label = name
		}
		if first := named[c.Label]; first != nil {
			curve.Merge(first, c)
			continue
		}
		named[c.Label] = c
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b *bench.Curve) int { return o.rank(a.Label) - o.rank(b.Label) })
	return out
}

func (o Options) rank(label string) int {
	if i := slices.Index(o.Order, label); i >= 0 {
		return i
	}
	return len(o.Order)
}
