package model

import (
	"fmt"
	"math"
	"slices"

	"pgknee/analysis/stat"
)

// Level of all intervals.
const Level = 0.95

// rival is how many times as far as the end of an interval the bottom of another valley may be to count as one where the truth may lie.
const rival = 2.5

// Interval is what the data leave open of a quantity if the law is right. An end that is infinite is not determined.
type Interval struct{ Lo, Hi float64 }

// Intervals are profile-likelihood intervals: all values for which the other parameters can be chosen so that the sum of squares
// rises by no more than t² σ² (t of Student's distribution with the degrees of freedom of σ). They follow the bends and bounds of the law, where
// standard errors do not, and cover as they say (coverage_test.go).
type Intervals struct {
	Parameters []Interval // in the law's order; a fixed parameter has its value twice
	Peak       Interval   // clients; zero if the fit has no peak, or before Derived
	Floor      Interval   // throughput; zero if the fit has no floor, or before Derived
}

// Intervals computes those of the parameters. Where a profile comes upon a better fit than the search had found, the fit moves there first.
func (f *Fit) Intervals() Intervals {
	for range 3 {
		out, better := f.intervals()
		if better == nil {
			return out
		}
		q := f.problem
		u := slices.Clone(better)
		rss := q.solver.Minimize(u, 300, stat.Exact)
		weight := f.Weight
		*f = *q.fit(u, rss)
		f.Weight = weight
	}
	out, _ := f.intervals()
	return out
}

func (f *Fit) intervals() (out Intervals, better []float64) {
	pr := f.profile()
	f.inside = nil
	for _, u := range f.problem.minima {
		if z := math.Sqrt(math.Max(f.problem.solver.RSS(u)-f.rss, 0)) / f.sigma; z < pr.t {
			f.inside = append(f.inside, inside{u, math.Max(z, 1e-3)})
		}
	}
	type pair struct{ lo, hi float64 }
	var found []pair
	f.ends(pr, func(best, se, lower, upper float64) (lo, hi float64) {
		lo, hi = pr.ends(best, se, lower, upper)
		found = append(found, pair{lo, hi})
		return lo, hi
	})
	i := -1
	out = f.ends(pr, func(best, se, lower, upper float64) (lo, hi float64) {
		i++
		return pr.widen(found[i].lo, best, -se, lower), pr.widen(found[i].hi, best, se, upper)
	})
	return out, pr.better
}

// Quick are intervals from standard errors, on the scale of the search: little work, and good enough for
// laws that the data reject anyway.
func (f *Fit) Quick() Intervals {
	pr := f.profile()
	return f.ends(pr, func(best, se, lower, upper float64) (lo, hi float64) {
		return math.Max(best-pr.t*se, lower), math.Min(best+pr.t*se, upper)
	})
}

// profile prepares to walk; its cov is nil where the data do not determine all parameters.
func (f *Fit) profile() *profile {
	k := len(f.u)
	pr := &profile{
		fit: f, t: stat.StudentQuantile((1-Level)/2, float64(f.DF)),
		u: make([]float64, k), other: make([]float64, k), ridge: make([]float64, k), from: make([]float64, k), along: make([]float64, k),
	}
	if f.rss > 0 {
		pr.cov = f.problem.solver.Covariance(f.u)
	}
	pr.narrow, pr.wide = pr.t, stat.StudentQuantile((1-Level)/4, float64(f.DF))
	for _, u := range f.problem.minima {
		if z := math.Sqrt(math.Max(f.problem.solver.RSS(u)-f.rss, 0)) / f.sigma; z < rival*pr.t {
			pr.rivals = append(pr.rivals, u)
		}
	}
	return pr
}

// level chooses t for a quantity. Where the search ended in another valley that is not much worse, and has another value of the quantity, the
// truth may lie there: the interval may miss in two ways, by the noise about the truth or because the noise has made the other valley the
// deeper one, and each gets half of what is allowed.
func (pr *profile) level(best, se float64) {
	pr.t = pr.narrow
	for _, u := range pr.rivals {
		if math.Abs(pr.of(u)-best) > pr.narrow*math.Abs(se) {
			pr.t = pr.wide
		}
	}
}

// ends asks for the ends of each parameter's interval and maps them to the law's scale.
func (f *Fit) ends(pr *profile, ends func(best, se, lower, upper float64) (lo, hi float64)) (out Intervals) {
	q := f.problem
	for _, p := range f.Law.Parameters {
		in := Interval{p.Lower, p.Upper}
		switch {
		case p.Fixed != nil:
			in = Interval{*p.Fixed, *p.Fixed}
		case p.Log && p.Lower != 1:
			in = Interval{0, math.Inf(1)}
		case p.Log:
			in.Hi = math.Inf(1)
		}
		out.Parameters = append(out.Parameters, in)
	}
	if pr.cov == nil {
		return out
	}
	k := len(f.u)
	for j, i := range q.owner {
		param := &f.Law.Parameters[i]
		pr.parameter(j)
		lo, hi := ends(f.u[j], f.sigma*math.Sqrt(pr.cov[j*k+j]), q.solver.Lower[j], q.solver.Upper[j])
		if param.Log {
			// At the far end of a logarithmic scale nothing is determined, unless it is a count of one.
			if lo <= q.solver.Lower[j] && param.Lower != 1 {
				lo = math.Inf(-1)
			}
			if hi >= q.solver.Upper[j] {
				hi = math.Inf(1)
			}
		}
		out.Parameters[i] = Interval{param.outer(lo), param.outer(hi)}
	}
	return out
}

// Derived adds the intervals of peak and floor to those of the parameters.
func (f *Fit) Derived(out *Intervals) {
	pr := f.profile()
	if pr.cov == nil {
		return
	}
	if len(pr.rivals) > 0 {
		pr.narrow = pr.wide // peak and floor come from all parameters, of which some differ
	}
	if n, ok := f.PeakClients(); ok {
		x := stat.Log(n)
		lo, hi := pr.quantity(func(p [][]float64) float64 { return nearPeak(f.Law, p[0], x) }, x, stat.Log(f.Data.N[0]), stat.Log(reach*f.Data.largest()))
		out.Peak = Interval{stat.Exp(lo), stat.Exp(hi)}
	}
	if v, ok := f.FloorTPS(); ok {
		lo, hi := pr.quantity(func(p [][]float64) float64 { x, _ := f.Law.Limit(p[0]); return stat.Log(x) }, stat.Log(v), math.Inf(-1), math.Inf(1))
		out.Floor = Interval{stat.Exp(lo), stat.Exp(hi)}
	}
}

// profile walks the least sum of squares as a function of one quantity, away from the best fit. Each step starts where the last one inside
// the interval ended, moved on in the direction that it came: the valley may bend, and far out its tangent at the best fit leads nowhere.
type profile struct {
	fit    *Fit
	cov    []float64
	t      float64   // of the quantity: narrow or wide
	u      []float64 // where the last minimisation ended
	other  []float64
	at     func(v float64) (value, rss float64)
	better []float64

	narrow, wide float64
	rivals       [][]float64 // bottoms of other valleys, where the truth may lie

	of    func(u []float64) float64 // the quantity
	ridge []float64                 // the valley's tangent at the best fit: inner parameters per unit of the quantity
	from  []float64                 // the inner parameters of the last step inside,
	in    float64                   // its value,
	along []float64                 // and the direction to it
}

// inside is a place that the data allow, found on a walk.
type inside struct {
	u []float64
	z float64 // the root of the rise over σ²
}

// parameter makes the quantity the inner parameter j, by holding it.
func (pr *profile) parameter(j int) {
	s, k := pr.fit.problem.solver, len(pr.u)
	fixed := make([]bool, k)
	fixed[j] = true
	pr.of = func(u []float64) float64 { return u[j] }
	for i := range pr.ridge {
		pr.ridge[i] = pr.cov[i*k+j] / pr.cov[j*k+j]
	}
	pr.at = func(v float64) (float64, float64) {
		pr.start(v)
		pr.u[j], pr.other[j] = v, v
		pr.choose()
		s.Fixed = fixed
		rss := s.Minimize(pr.u, 30, 1e-3)
		s.Fixed = nil
		return v, rss
	}
}

// start lays out the two places to minimise from: the last step inside, and that moved on.
func (pr *profile) start(v float64) {
	for i := range pr.u {
		pr.u[i] = pr.from[i] + (v-pr.in)*pr.along[i]
		pr.other[i] = pr.from[i]
	}
}

// choose takes the better of the two places.
func (pr *profile) choose() {
	s := pr.fit.problem.solver
	s.Clamp(pr.u)
	if s.RSS(pr.other) < s.RSS(pr.u) {
		copy(pr.u, pr.other)
	}
}

// quantity profiles what is no parameter: it is pulled towards a value by an additional residual, and where it ends up counts.
func (pr *profile) quantity(of func(p [][]float64) float64, best, lower, upper float64) (lo, hi float64) {
	f, q, k := pr.fit, pr.fit.problem, len(pr.u)
	gradient := make([]float64, k)
	base := of(q.all(f.u))
	for i := range gradient {
		h := 1e-5 * math.Max(math.Abs(f.u[i]), q.solver.Typical[i])
		copy(pr.u, f.u)
		pr.u[i] += h
		gradient[i] = (of(q.all(pr.u)) - base) / h
	}
	variance := 0.0
	for i := range pr.ridge {
		pr.ridge[i] = 0
		for j := range pr.ridge {
			pr.ridge[i] += pr.cov[i*k+j] * gradient[j]
		}
		variance += pr.ridge[i] * gradient[i]
	}
	if !(variance > 0) || math.IsInf(variance, 0) {
		return math.Inf(-1), math.Inf(1)
	}
	for i := range pr.ridge {
		pr.ridge[i] /= variance
	}
	se := f.sigma * math.Sqrt(variance)
	pr.of = func(u []float64) float64 { return of(q.all(u)) }
	pr.at = func(v float64) (float64, float64) {
		pr.start(v)
		q.pull.of, q.pull.to, q.pull.weight = of, v, 50*f.sigma/se
		pr.choose()
		q.solver.Minimize(pr.u, 30, 1e-3)
		q.pull.weight = 0
		rss := q.solver.RSS(pr.u)
		return of(q.p), rss // the parameters are those of pr.u
	}
	lo, hi = pr.ends(best, se, lower, upper)
	return pr.widen(lo, best, -se, lower), pr.widen(hi, best, se, upper)
}

// ends finds where the root of the rise over σ² reaches t on both sides of the best value. An end past a bound is the bound.
func (pr *profile) ends(best, se, lower, upper float64) (lo, hi float64) {
	pr.level(best, se)
	origin := inside{pr.fit.u, 0}
	return pr.end(best, -se, lower, origin), pr.end(best, se, upper, origin)
}

// widen moves an end out where a walk for another quantity came upon a place farther out that the data allow: a second valley, which
// the walk from the best fit did not see.
func (pr *profile) widen(end, best, se, bound float64) float64 {
	pr.level(best, se)
	side := math.Copysign(1, se)
	var far inside
	for _, p := range pr.fit.inside {
		if v := pr.of(p.u); p.z < pr.t && (v-end)*side > 0.02*math.Abs(end-best) && (far.u == nil || (v-pr.of(far.u))*side > 0) {
			far = p
		}
	}
	if far.u == nil {
		return end
	}
	return pr.end(best, se, bound, far)
}

// end walks to one side from a place inside.
func (pr *profile) end(best, se, bound float64, from inside) float64 {
	f := pr.fit
	side := math.Copysign(1, se)
	if (bound-best)*side <= 0 {
		return bound
	}
	if se == 0 || math.IsNaN(se) {
		return math.Inf(int(side))
	}
	copy(pr.from, from.u)
	copy(pr.along, pr.ridge)
	// Inside: z < t. Outside: z > t.
	pr.in = best
	if from.z > 0 {
		pr.in = pr.of(from.u)
	}
	zIn := from.z
	out, zOut := math.NaN(), 0.0
	next := pr.in + math.Max(pr.t-zIn, pr.t/4)*se
	for range 20 {
		if (next-bound)*side > 0 {
			next = bound
		}
		v, rss := pr.at(next)
		if rss < f.rss*(1-1e-3) && pr.better == nil && !math.IsInf(rss, 0) {
			pr.better = slices.Clone(pr.u)
		}
		z := math.Sqrt(math.Max(rss-f.rss, 0)) / f.sigma
		if math.IsNaN(v) || math.IsInf(v, 0) || math.IsNaN(z) {
			z, v = math.Inf(1), next
		}
		if (v-best)*side < 0 {
			return math.Inf(int(side)) // pulled one way the quantity goes the other: the data do not determine it
		}
		if math.Abs(z-pr.t) < 0.02*pr.t {
			f.inside = append(f.inside, inside{slices.Clone(pr.u), z})
			return v
		}
		if z < pr.t {
			if (v-pr.in)*side <= 0 && next != bound { // the pull gets no farther
				break
			}
			if next == bound {
				return bound
			}
			slope := (z - zIn) / (v - pr.in) * side
			for i := range pr.along {
				pr.along[i] = (pr.u[i] - pr.from[i]) / (v - pr.in)
			}
			copy(pr.from, pr.u)
			pr.in, zIn = v, z
			f.inside = append(f.inside, inside{slices.Clone(pr.u), z})
			if math.IsNaN(out) {
				// Farther out, to where z would be t on a straight line, by no more than three times what has been walked.
				step := 3 * (v - best)
				if reach := 1.02 * (pr.t - z) / slope; slope > 0 && reach < math.Abs(step) {
					step = math.Max(reach, 0.1*math.Abs(v-best)) * side
				}
				next = v + step
				if math.Abs(next-best) > 50 {
					return math.Inf(int(side)) // on every scale in use that is no information
				}
				continue
			}
		} else if z < 2*pr.t || math.Abs(v-pr.in) < 1e-3*math.Abs(v-best) {
			out, zOut = v, z
		} else {
			// So far out the minimisation may have lost the valley: nearer.
			next = pr.in + (next-pr.in)/4
			continue
		}
		if zOut-zIn < 0.4*pr.t && pr.in != best {
			return pr.in + (out-pr.in)*(pr.t-zIn)/(zOut-zIn) // z is nearly straight over so short a way
		}
		share := (pr.t - zIn) / (zOut - zIn)
		next = pr.in + math.Max(0.1, math.Min(0.9, share))*(out-pr.in)
	}
	if math.IsNaN(out) {
		return math.Inf(int(side))
	}
	return pr.in + (out-pr.in)*math.Min(1, math.Max(0, (pr.t-zIn)/(zOut-zIn)))
}

// Band is the pointwise interval of the fitted line at rising counts, by profile likelihood at no more than bandPlaces of them; between
// these its distance from the line is interpolated.
func (f *Fit) Band(counts []float64) []Interval {
	out := make([]Interval, len(counts))
	pr := f.profile()
	if pr.cov == nil {
		for i := range out {
			out[i] = Interval{0, math.Inf(1)}
		}
		return out
	}
	places := min(len(counts), bandPlaces)
	last, lo, hi := 0, 0.0, 0.0 // the place before, and how far the ends are from the line there
	for k := range places {
		at := 0
		if places > 1 {
			at = k * (len(counts) - 1) / (places - 1)
		}
		n := counts[at]
		center := stat.Log(f.At(n))
		x := func(p [][]float64) float64 { return stat.Log(f.Law.Eval(n, p[0])) }
		low, high := pr.quantity(x, center, math.Inf(-1), math.Inf(1))
		if math.IsInf(high-low, 0) {
			// Lost on a ridge of parameters that the data do not determine; what they say of throughput shows in all places that were seen.
			seenLow, seenHigh := center, center
			for _, p := range f.inside {
				v := x(f.problem.all(p.u))
				seenLow, seenHigh = math.Min(seenLow, v), math.Max(seenHigh, v)
			}
			low, high = math.Max(low, seenLow), math.Min(high, seenHigh)
		}
		low, high = low-center, high-center
		for i := last; i <= at; i++ {
			share := 1.0
			if at > last {
				share = stat.Log(counts[i]/counts[last]) / stat.Log(n/counts[last])
			}
			center := stat.Log(f.At(counts[i]))
			out[i] = Interval{stat.Exp(center + lo + share*(low-lo)), stat.Exp(center + hi + share*(high-hi))}
		}
		last, lo, hi = at, low, high
	}
	return out
}

// undetermined names the parameters of which the data leave an end open.
func (f *Fit) undetermined(in Intervals) (warnings []string) {
	for i, p := range f.Law.Parameters {
		lo, hi := in.Parameters[i].Lo, in.Parameters[i].Hi
		if p.Fixed == nil && p.Log && !slices.Contains(f.AtBound, i) && (lo <= 0 || math.IsInf(hi, 1)) {
			warnings = append(warnings, fmt.Sprintf("the data do not determine %s", p.Name))
		}
	}
	return warnings
}
