package analysis

import (
	"fmt"
	"slices"

	"pgknee/analysis/bench"
	"pgknee/analysis/curve"
)

// Remove takes an input out of the session.
func (s *Session) Remove(in *Input) {
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

// Ref names a run as Options.Exclude does.
func Ref(r *bench.Run) string { return fmt.Sprintf("%s:%d", r.At.File, r.At.Line) }

// exclude flags the runs that the user took out of their curves, and those no longer.
func (o Options) exclude(runs []*bench.Run) {
	for _, r := range runs {
		if slices.Contains(o.Exclude, Ref(r)) {
			r.Flag(bench.FlagExcluded)
		} else {
			r.Unflag(bench.FlagExcluded)
		}
	}
}

// edit gives curves the names and the order that the user chose. Curves that were given the same name become one.
func (o Options) edit(curves []*bench.Curve) []*bench.Curve {
	var out []*bench.Curve
	for _, c := range curves {
		if name := o.Rename[c.Label]; name != "" {
			c.Label = name
		}
		if i := slices.IndexFunc(out, func(d *bench.Curve) bool { return d.Label == c.Label }); i >= 0 {
			curve.Merge(out[i], c)
			continue
		}
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
