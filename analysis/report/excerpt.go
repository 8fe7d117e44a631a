package report

import "slices"

// PageRuns is how many runs of a report a page is given: it holds and parses what it is given.
const PageRuns = 10_000

// Places are where the runs of an excerpt stand in its report; nil where they are all of them.
type Places []int

// Of gives the runs of the report for runs of the excerpt.
func (p Places) Of(runs []int) []int {
	if p == nil {
		return runs
	}
	var of []int
	for _, i := range runs {
		if i >= 0 && i < len(p) {
			of = append(of, p[i])
		}
	}
	return of
}

// perPoint is how many runs of a point an excerpt has, if there are enough of them: who points at it is shown so many.
const perPoint = 40

// Excerpt is a report for who shows it and must hold it whole: with most runs and no more, where a table had hundreds of thousands. Every
// point keeps some of its runs, with all that stand in the same line of their file. The report stays as it is; what has few enough runs is
// its own excerpt.
func (r *Report) Excerpt(most int) (excerpt *Report, where Places) {
	if len(r.Runs) <= most {
		return r, nil
	}
	taken := make([]bool, len(r.Runs))
	left := most
	take := func(i int) {
		if taken[i] {
			return
		}
		same := func(k int) bool { return r.Runs[k].Line == r.Runs[i].Line && r.Runs[k].File == r.Runs[i].File }
		from, to := i, i+1
		for r.Runs[i].Line > 0 && from > 0 && same(from-1) {
			from--
		}
		for r.Runs[i].Line > 0 && to < len(taken) && same(to) {
			to++
		}
		if to-from <= left {
			left -= to - from
			for k := from; k < to; k++ {
				taken[k] = true
			}
		}
	}
	for nth := range perPoint { // the first of every point, then the second
		for _, s := range r.Series {
			for _, p := range s.Points {
				if nth < len(p.Runs) {
					take(p.Runs[nth])
				}
			}
			if nth < len(s.LeftOut) {
				take(s.LeftOut[nth].Run)
			}
		}
	}
	for i := 0; i < len(taken) && left > 0; i++ {
		take(i)
	}
	e := *r
	e.RunsInAll = len(r.Runs)
	e.Runs, where = make([]Run, 0, most), make([]int, 0, most)
	at := make([]int, len(taken)) // where a run stands in the excerpt
	for i, t := range taken {
		if t {
			at[i] = len(where)
			where = append(where, i)
			e.Runs = append(e.Runs, r.Runs[i])
		}
	}
	e.Series = slices.Clone(r.Series)
	for i := range e.Series {
		s := &e.Series[i]
		s.Points = slices.Clone(s.Points)
		for k := range s.Points {
			p := &s.Points[k]
			runs, samples := p.Runs, p.Samples
			p.Runs, p.Samples = nil, []float64{}
			for n, run := range runs {
				if taken[run] {
					p.Runs = append(p.Runs, at[run])
					if n < len(samples) {
						p.Samples = append(p.Samples, samples[n])
					}
				}
			}
		}
		leftOut := s.LeftOut
		s.LeftOut = nil
		for _, l := range leftOut {
			if taken[l.Run] {
				l.Run = at[l.Run]
				s.LeftOut = append(s.LeftOut, l)
			}
		}
	}
	return &e, where
}
