package model

import (
	"cmp"
	"math"
	"slices"

	"pgknee/analysis/stat"
)

// JointFit is one law fitted to several curves together, some of whose parameters they share.
type JointFit struct {
	Name   string // equal | uniform | contention | collapse | separate
	Law    *Law
	Own    []string    // names of the parameters that differ between the groups
	Group  []int       // the group of each curve
	P      [][]float64 // parameters by curve, in the law's order
	K      int         // fitted parameters
	N      int         // samples of all curves
	RSS    float64     // of ln throughput, over all samples
	RMSLog float64
	AICc   float64
	Sigma  float64 // standard deviation of a sample about the law
	DF     int

	fit *Fit // what profiles need
}

// Change is how many times as large a parameter is for the curves of group 1 as for those of group 0.
type Change struct {
	Name  string
	Ratio float64
	In    Interval // profile likelihood, conditional on the law and on nothing else having changed; an infinite end is not determined
}

// Changes are those of the parameters that differ between two groups, as far as neither is 0.
func (j *JointFit) Changes() (out []Change) {
	a, b := slices.Index(j.Group, 0), slices.Index(j.Group, 1)
	for _, name := range j.Own {
		i := j.Law.index(name)
		of := func(p [][]float64) float64 { return stat.Log(p[b][i] / p[a][i]) }
		best := of(j.P)
		pr := j.fit.profile()
		if math.IsInf(best, 0) || math.IsNaN(best) || pr.cov == nil {
			continue
		}
		lo, hi := pr.quantity(of, best, math.Inf(-1), math.Inf(1))
		out = append(out, Change{name, stat.Exp(best), Interval{stat.Exp(lo), stat.Exp(hi)}})
	}
	return out
}

// Shape is a way in which two groups of curves may differ, and what that means.
type Shape struct {
	Name string
	Own  []string // parameters that differ
}

// Shapes lists the ways to tell apart with a law, simplest first: equal, uniform, contention, collapse, separate, as far as the law has
// the parameters for them.
func (l *Law) Shapes() []Shape {
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return l.index(n) < 0 })
	}
	shapes := []Shape{{Name: "equal"}}
	if has("gamma") {
		shapes = append(shapes, Shape{"uniform", []string{"gamma"}})
	}
	if has("alpha") {
		shapes = append(shapes, Shape{"contention", []string{"alpha"}})
	}
	switch {
	case has("delta", "K"):
		shapes = append(shapes, Shape{"collapse", []string{"delta", "K"}})
	case has("beta"):
		shapes = append(shapes, Shape{"collapse", []string{"beta"}})
	}
	all := Shape{Name: "separate"}
	for _, p := range l.Parameters {
		if p.Fixed == nil {
			all.Own = append(all.Own, p.Name)
		}
	}
	if len(all.Own) > 1 {
		shapes = append(shapes, all)
	}
	return shapes
}

// separate gives the best parameters of each curve on its own, which joint fits start from.
func (l *Law) separate(data []*Data) [][]float64 {
	each := make([][]float64, len(data))
	for c, d := range data {
		q := newProblem(l, []*Data{d}, []int{0}, nil, false)
		var starts [][][]float64
		for _, p := range l.Starts(d) {
			starts = append(starts, [][]float64{p})
		}
		u, _ := q.search(starts)
		each[c] = slices.Clone(q.outer(0, u))
	}
	return each
}

// joint fits the law to the curves together. Curves of one group (0, 1, …, one entry per curve) share all parameters; the
// parameters named by the shape differ between groups, the others are the same for all. Each holds what separate gives. Nil if the
// data are too few.
func (l *Law) joint(data []*Data, group []int, s Shape, each [][]float64) *JointFit {
	own := map[int]bool{}
	for _, name := range s.Own {
		own[l.index(name)] = true
	}
	q := newProblem(l, data, group, own, false)
	k := len(q.owner)
	j := &JointFit{Name: s.Name, Law: l, Own: s.Own, Group: group, K: k}
	counts, pure := 0, 0.0
	for _, d := range data {
		j.N += d.Obs
		counts += len(d.N)
		pure += d.pureLog
	}
	if j.N < k+4 || counts < k+2 {
		return nil
	}
	// Starts: what is best for each curve, what is best for one of them taken for all, and the two mixed.
	clone := func(p [][]float64) [][]float64 {
		out := make([][]float64, len(p))
		for i := range p {
			out[i] = slices.Clone(p[i])
		}
		return out
	}
	starts := [][][]float64{clone(each)}
	for c := range data {
		same := make([][]float64, len(data))
		for i := range same {
			same[i] = each[c]
		}
		starts = append(starts, clone(same))
		// Shared parameters from one curve, own ones from each.
		mixed := clone(same)
		for i := range mixed {
			for p := range own {
				mixed[i][p] = each[i][p]
			}
		}
		starts = append(starts, mixed)
	}
	u, rss := q.search(starts)
	if math.IsInf(rss, 1) {
		return nil
	}
	for c := range data {
		j.P = append(j.P, slices.Clone(q.outer(c, u)))
	}
	j.RSS = rss + pure
	j.RMSLog = math.Sqrt(j.RSS / float64(j.N))
	j.AICc = aicc(j.RSS, j.N, k)
	j.Sigma, j.DF = spread(rss, pure, counts, j.N, k)
	j.fit = &Fit{problem: q, u: u, rss: rss, sigma: j.Sigma, DF: j.DF}
	return j
}

// Joints fits every shape of the law and orders them by AICc, best first.
func (l *Law) Joints(data []*Data, group []int) []*JointFit {
	var out []*JointFit
	each := l.separate(data)
	for _, s := range l.Shapes() {
		if j := l.joint(data, group, s, each); j != nil {
			out = append(out, j)
		}
	}
	slices.SortStableFunc(out, func(a, b *JointFit) int { return cmp.Compare(a.AICc, b.AICc) })
	return out
}

// JointLaw is the law to compare the curves with: of those whose parameters tell uniform, contention and collapse apart and nest
// in each other, the one that fits all curves best by the sum of AICc over their separate fits. Nil if the data are too few for any.
func JointLaw(data []*Data) *Law {
	var best *Law
	least := math.Inf(1)
	for _, l := range []*Law{&Linear, &Amdahl, &USL, &PlateauUSL} {
		sum := 0.0
		for _, d := range data {
			f := l.Fit(d, Options{})
			if f == nil {
				sum = math.Inf(1)
				break
			}
			sum += f.AICc
		}
		if sum < least {
			best, least = l, sum
		}
	}
	return best
}

// At is the throughput that the fit gives curve c at n clients.
func (j *JointFit) At(c int, n float64) float64 { return j.Law.Eval(n, j.P[c]) }
