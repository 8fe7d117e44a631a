package model

import (
	"cmp"
	"math"
	"slices"

	"pgknee/analysis/sorting"
	"pgknee/analysis/stat"
)

// problem is a law to be fitted to one curve or to several together: a vector of inner parameters, and where in it each curve finds its own.
type problem struct {
	law    *Law
	data   []*Data
	linear bool
	slot   [][]int // by curve and parameter of the law: index into the inner vector; -1 for fixed parameters
	owner  []int   // by inner index: the parameter of the law
	scale  float64 // of linear residuals
	p      [][]float64
	root   [][]float64 // by curve: square roots of the weights
	target [][]float64 // by curve: what is fitted, ln throughput or throughput / scale
	solver *stat.LeastSquares
	minima [][]float64 // where else the search ended, with a larger sum of squares

	// A quantity that is pulled towards a value, for profiles of what is no parameter.
	pull struct {
		of         func(p [][]float64) float64 // of the natural parameters by curve
		to, weight float64
	}
}

// newProblem lays out the parameters: those of own are separate for every group of curves, the others are shared by all.
// group gives the group of each curve.
func newProblem(l *Law, data []*Data, group []int, own map[int]bool, linear bool) *problem {
	q := &problem{law: l, data: data, linear: linear, slot: make([][]int, len(data))}
	rows := 1 // the pull
	for c, d := range data {
		rows += len(d.N)
		q.slot[c] = make([]int, len(l.Parameters))
		q.p = append(q.p, make([]float64, len(l.Parameters)))
		for _, v := range d.Mean {
			q.scale = math.Max(q.scale, v)
		}
	}
	for i, param := range l.Parameters {
		at := map[int]int{}
		for c := range data {
			g := 0
			if own[i] {
				g = group[c]
			}
			if param.Fixed != nil {
				q.slot[c][i] = -1
				q.p[c][i] = *param.Fixed
				continue
			}
			if _, ok := at[g]; !ok {
				at[g] = len(q.owner)
				q.owner = append(q.owner, i)
			}
			q.slot[c][i] = at[g]
		}
	}
	q.solver = stat.NewLeastSquares(rows, len(q.owner), q.residuals)
	for j, i := range q.owner {
		param := l.Parameters[i]
		q.solver.Lower[j], q.solver.Upper[j] = param.inner(param.Lower), param.inner(param.Upper)
		q.solver.Typical[j] = param.Typical
		if param.Log {
			q.solver.Typical[j] = 1
		}
	}
	for _, d := range data {
		var root, target []float64
		for j, w := range d.Weight {
			root = append(root, math.Sqrt(w))
			if linear {
				target = append(target, d.Mean[j]/q.scale)
			} else {
				target = append(target, d.Log[j])
			}
		}
		q.root, q.target = append(q.root, root), append(q.target, target)
	}
	return q
}

// outer fills the natural parameters of a curve and returns them; they are valid until the next call.
func (q *problem) outer(c int, u []float64) []float64 {
	p := q.p[c]
	for i, j := range q.slot[c] {
		if j >= 0 {
			p[i] = q.law.Parameters[i].outer(u[j])
		}
	}
	return p
}

// all fills the natural parameters of all curves and returns them; they are valid until the next call.
func (q *problem) all(u []float64) [][]float64 {
	for c := range q.p {
		q.outer(c, u)
	}
	return q.p
}

// inner maps natural parameters by curve to the inner vector; shared ones are averaged on their scale.
func (q *problem) inner(p [][]float64) []float64 {
	u, n := make([]float64, len(q.owner)), make([]float64, len(q.owner))
	for c := range p {
		for i, j := range q.slot[c] {
			if j >= 0 {
				param := &q.law.Parameters[i]
				u[j] += param.inner(math.Max(math.Min(p[c][i], param.Upper), param.Lower))
				n[j]++
			}
		}
	}
	for j := range u {
		u[j] /= n[j]
	}
	return u
}

func (q *problem) residuals(r, u []float64) {
	row := 0
	for c, d := range q.data {
		p := q.outer(c, u)
		target, root := q.target[c], q.root[c]
		for j, n := range d.N {
			x := q.law.Eval(n, p)
			if q.linear {
				x /= q.scale
			} else {
				x = stat.Log(x)
			}
			r[row] = (target[j] - x) * root[j]
			row++
		}
	}
	r[row] = 0
	if q.pull.weight > 0 {
		r[row] = (q.pull.of(q.p) - q.pull.to) * q.pull.weight
	}
}

// rescale fits the common scale of rates and times of each curve to its data, so that starts need not know it.
func (q *problem) rescale(p []float64, d *Data) {
	sum, weight := 0.0, 0.0
	for j, n := range d.N {
		if x := q.law.Eval(n, p); x > 0 && !math.IsInf(x, 1) {
			sum += d.Weight[j] * (d.Log[j] - stat.Log(x))
			weight += d.Weight[j]
		}
	}
	if weight > 0 {
		q.law.scale(p, stat.Exp(sum/weight))
	}
}

// search starts many times and polishes the best; it returns the inner vector and its sum of squares.
func (q *problem) search(starts [][][]float64) ([]float64, float64) {
	type try struct {
		u   []float64
		rss float64
	}
	byRSS := func(a, b try) int { return cmp.Compare(a.rss, b.rss) }
	// Of every stretch of the list, which a grid fills with neighbours, the best start is followed, and the best three of all: the best alone
	// may all lie in one valley.
	const stretches = 8
	var tries, chosen []try
	for i, start := range starts {
		for c, d := range q.data {
			q.rescale(start[c], d)
		}
		u := q.inner(start)
		t := try{u, q.solver.RSS(u)}
		tries = append(tries, t)
		if at := i * stretches / len(starts); at < len(chosen) {
			if t.rss < chosen[at].rss {
				chosen[at] = t
			}
		} else {
			chosen = append(chosen, t)
		}
	}
	sorting.StableBy(tries, byRSS)
	for _, t := range tries[:min(3, len(tries))] {
		if !slices.ContainsFunc(chosen, func(c try) bool { return &c.u[0] == &t.u[0] }) {
			chosen = append(chosen, t)
		}
	}
	for i := range chosen {
		chosen[i].rss = q.solver.Minimize(chosen[i].u, 12, 1e-3)
	}
	sorting.StableBy(chosen, byRSS)
	// Three places that differ go on: with two the other valley of a knee is missed so often that its intervals cover 2 % less.
	var best []try
	for _, t := range chosen {
		if len(best) < 3 && t.rss <= 4*chosen[0].rss && !slices.ContainsFunc(best, func(b try) bool { return q.near(b.u, t.u) }) {
			best = append(best, t)
		}
	}
	for i := range best {
		best[i].rss = q.solver.Minimize(best[i].u, 30, 1e-4)
	}
	sorting.StableBy(best, byRSS)
	best[0].rss = q.solver.Minimize(best[0].u, 300, stat.Exact)
	q.minima = nil
	for _, t := range best[1:] {
		if !q.near(t.u, best[0].u) {
			q.minima = append(q.minima, t.u)
		}
	}
	return best[0].u, best[0].rss
}

// near tells whether no parameter of the two places differs by a third.
func (q *problem) near(a, b []float64) bool {
	for j, i := range q.owner {
		scale := 1.0
		if param := &q.law.Parameters[i]; !param.Log {
			scale = math.Max(math.Max(math.Abs(a[j]), math.Abs(b[j])), param.Typical)
		}
		if math.Abs(a[j]-b[j]) > 0.3*scale {
			return false
		}
	}
	return true
}
