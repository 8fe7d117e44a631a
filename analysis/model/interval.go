package model

import (
	"fmt"
	"math"
	"slices"

	"pgknee/analysis/stat"
)

// Level of all intervals.
const Level = 0.95

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
	out = f.ends(pr, pr.ends)
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
	pr := &profile{fit: f, t: stat.StudentQuantile((1-Level)/2, float64(f.DF)), u: make([]float64, len(f.u))}
	if f.rss > 0 {
		pr.cov = f.problem.solver.Covariance(f.u)
	}
	return pr
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
	if n, ok := f.PeakClients(); ok {
		x := stat.Log(n)
		lo, hi := pr.quantity(func(p []float64) float64 { return nearPeak(f.Law, p, x) }, x, stat.Log(f.Data.N[0]), stat.Log(reach*f.Data.largest()))
		out.Peak = Interval{stat.Exp(lo), stat.Exp(hi)}
	}
	if v, ok := f.FloorTPS(); ok {
		lo, hi := pr.quantity(func(p []float64) float64 { x, _ := f.Law.Limit(p); return stat.Log(x) }, stat.Log(v), math.Inf(-1), math.Inf(1))
		out.Floor = Interval{stat.Exp(lo), stat.Exp(hi)}
	}
}

// profile walks the least sum of squares as a function of one quantity.
type profile struct {
	fit    *Fit
	cov    []float64
	t      float64
	u      []float64 // where the last minimisation ended
	at     func(v float64) (value, rss float64)
	better []float64
}

// parameter makes the quantity the inner parameter j, by holding it.
func (pr *profile) parameter(j int) {
	f, s, k := pr.fit, pr.fit.problem.solver, len(pr.u)
	fixed := make([]bool, k)
	fixed[j] = true
	pr.at = func(v float64) (float64, float64) {
		for i := range pr.u { // along the ridge, to first order
			pr.u[i] = f.u[i] + (v-f.u[j])*pr.cov[i*k+j]/pr.cov[j*k+j]
		}
		pr.u[j] = v
		s.Fixed = fixed
		rss := s.Minimize(pr.u, 20, 1e-3)
		s.Fixed = nil
		return v, rss
	}
}

// quantity profiles what is no parameter: it is pulled towards a value by an additional residual, and where it ends up counts.
func (pr *profile) quantity(of func(p []float64) float64, best, lower, upper float64) (lo, hi float64) {
	f, q, k := pr.fit, pr.fit.problem, len(pr.u)
	gradient := make([]float64, k)
	base := of(q.outer(0, f.u))
	for i := range gradient {
		h := 1e-5 * math.Max(math.Abs(f.u[i]), q.solver.Typical[i])
		copy(pr.u, f.u)
		pr.u[i] += h
		gradient[i] = (of(q.outer(0, pr.u)) - base) / h
	}
	along := make([]float64, k)
	variance := 0.0
	for i := range along {
		for j := range along {
			along[i] += pr.cov[i*k+j] * gradient[j]
		}
		variance += along[i] * gradient[i]
	}
	if !(variance > 0) || math.IsInf(variance, 0) {
		return math.Inf(-1), math.Inf(1)
	}
	se := f.sigma * math.Sqrt(variance)
	pr.at = func(v float64) (float64, float64) {
		for i := range pr.u {
			pr.u[i] = f.u[i] + (v-best)*along[i]/variance
		}
		q.pull.of, q.pull.to, q.pull.weight = of, v, 50*f.sigma/se
		q.solver.Minimize(pr.u, 20, 1e-3)
		q.pull.weight = 0
		rss := q.solver.RSS(pr.u)
		return of(q.outer(0, pr.u)), rss
	}
	return pr.ends(best, se, lower, upper)
}

// ends finds where the root of the rise over σ² reaches t on both sides of the best value. An end past a bound is the bound.
func (pr *profile) ends(best, se, lower, upper float64) (lo, hi float64) {
	return pr.end(best, -se, lower), pr.end(best, se, upper)
}

func (pr *profile) end(best, se, bound float64) float64 {
	f := pr.fit
	side := math.Copysign(1, se)
	if (bound-best)*side <= 0 {
		return bound
	}
	if se == 0 || math.IsNaN(se) {
		return math.Inf(int(side))
	}
	// Inside: a value with z < t. Outside: one with z > t.
	in, zIn := best, 0.0
	out, zOut := math.NaN(), 0.0
	next := best + pr.t*se
	for range 9 {
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
			return v
		}
		if z < pr.t {
			if (v-in)*side <= 0 && next != bound { // the pull gets no farther
				break
			}
			in, zIn = v, z
			if next == bound {
				return bound
			}
		} else {
			out, zOut = v, z
		}
		switch {
		case math.IsNaN(out):
			// Farther out, by no more than four times what has been walked.
			factor := 4.0
			if z > 0 {
				factor = math.Min(factor, 1.02*pr.t/z)
			}
			next = best + math.Max(factor, 1.3)*(v-best)
			if math.Abs(next-best) > 50 {
				return math.Inf(int(side)) // on every scale in use that is no information
			}
		case math.IsInf(zOut, 1):
			next = (in + out) / 2
		case zOut-zIn < 0.4*pr.t && !math.IsNaN(out) && in != best:
			return in + (out-in)*(pr.t-zIn)/(zOut-zIn) // z is nearly straight over so short a way
		default:
			share := (pr.t - zIn) / (zOut - zIn)
			next = in + math.Max(0.05, math.Min(0.95, share))*(out-in)
		}
	}
	if math.IsNaN(out) {
		return math.Inf(int(side))
	}
	return in + (out-in)*math.Min(1, math.Max(0, (pr.t-zIn)/(zOut-zIn)))
}

// Band is the pointwise interval of the fitted line at the counts, from a Gaussian bootstrap: noise as large as the scatter about the law
// is added to the fitted values and the law fitted again, so often. The interval is t standard deviations of the logarithm, which takes
// far fewer draws than percentiles do.
func (f *Fit) Band(counts []float64, draws int) []Interval {
	q := f.problem
	random := stat.Rand(bandStream)
	t := stat.StudentQuantile((1-Level)/2, float64(f.DF))
	measured := q.target[0]
	fitted := make([]float64, len(measured))
	for i, n := range f.Data.N {
		fitted[i] = f.At(n) / q.scale
		if !q.linear {
			fitted[i] = stat.Log(f.At(n))
		}
	}
	drawn := make([]float64, len(measured))
	q.target[0] = drawn
	defer func() { q.target[0] = measured }()
	center := make([]float64, len(counts))
	for i, n := range counts {
		center[i] = stat.Log(f.At(n))
	}
	sum := make([]float64, len(counts))
	u := make([]float64, len(f.u))
	n := 0.0
	for range draws {
		for i := range drawn {
			drawn[i] = fitted[i] + random.NormFloat64()*f.sigma/q.root[0][i]
		}
		copy(u, f.u)
		if math.IsInf(q.solver.Minimize(u, 25, 1e-3), 0) {
			continue
		}
		p := q.outer(0, u)
		for i, v := range counts {
			d := stat.Log(q.law.Eval(v, p)) - center[i]
			sum[i] += d * d
		}
		n++
	}
	out := make([]Interval, len(counts))
	for i := range counts {
		half := t * math.Sqrt(sum[i]/n)
		out[i] = Interval{stat.Exp(center[i] - half), stat.Exp(center[i] + half)}
	}
	return out
}

// bandStream is the stream of random numbers of Band.
const bandStream = 1

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
