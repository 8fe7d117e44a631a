package compare

import (
	"math"
	"slices"

	"pgknee/analysis/bench"
	"pgknee/analysis/stat"
)

// Sources of noise, in order of trust.
const (
	fromRepeats   = "repeats"
	fromControl   = "control-series"
	fromJoint     = "joint-fit"
	fromIntervals = "intervals"
	assumed       = "assumed"
)

const (
	priorNu      = 4    // how many observations the pooled variance counts for against the own variance of a count
	assumedSigma = 0.10 // where nothing tells
	quietSigma   = 0.03 // of a ratio of single runs, however well a few of them agree
	leastSigma   = 1e-3 // no benchmark repeats more exactly: a floor against rounded and computed numbers
)

// noise is the standard deviation of each d, and where it is known from.
type noise struct {
	source  string
	sigma   float64   // typical standard deviation of a d
	nu      float64   // its degrees of freedom
	se, nus []float64 // the same by count
	control string
	rough   bool   // joint-fit: the law missed the ratio, this is the scatter about a smooth ratio
	others  bool   // joint-fit: the law missed the ratio, this is the scatter of the counts that do not depart
	shape   string // joint-fit: the law missed the ratio, this is the scatter about a step or ramp
}

// all is the same noise at m counts.
func all(source string, sigma, nu float64, m int) noise {
	n := noise{source: source, sigma: math.Max(sigma, leastSigma), nu: nu}
	for range m {
		n.se, n.nus = append(n.se, n.sigma), append(n.nus, nu)
	}
	return n
}

// cut is the d that noise alone reaches at any of the counts with a probability of 5 %.
func (n noise) cut() float64 {
	return stat.StudentQuantile(0.025/float64(len(n.se)), n.nu) * n.sigma
}

// noise of the pair from the most trusted source; peers may serve as a control.
func (p *pair) noise(peers *peers) noise {
	if n, ok := p.fromRepeats(); ok {
		return n
	}
	if n, ok := p.fromControl(peers); ok {
		return n
	}
	if n, ok := p.fromJoint(); ok {
		return n
	}
	// Nothing was measured twice and there are too few counts for a law: the assumption, unless the data show more noise than that.
	if n, ok := p.fromOthers(); ok {
		return n
	}
	sigma := assumedSigma
	if m := float64(len(p.d)); m >= 3 && p.flat() {
		sigma = math.Max(sigma, math.Sqrt(p.shapes[0].RSS/(m-1)))
	}
	if within := p.fromIntervals(); within > sigma {
		return all(fromIntervals, within, math.Inf(1), len(p.d))
	}
	return all(assumed, sigma, math.Inf(1), len(p.d))
}

// fromRepeats pools the variance of the repeats by side, of all counts, and draws the one of each count towards it, or towards that of the
// counts around it where that is larger: saturated counts are often noisier. Stray runs are none of it: the medians resist them.
func (p *pair) fromRepeats() (noise, bool) {
	sa, nua := pooled(p.a)
	sb, nub := pooled(p.b)
	if nua+nub < 4 {
		return noise{}, false
	}
	// A side without repeats is taken to be as noisy as the other.
	if nua == 0 {
		sa, nua = sb, nub
	}
	if nub == 0 {
		sb, nub = sa, nua
	}
	n := noise{source: fromRepeats, nu: nua + nub}
	sum := 0.0
	for i := range p.d {
		ya, _ := withoutStray(p.ya[i], sa)
		yb, _ := withoutStray(p.yb[i], sb)
		va, na := moderated(ya, math.Max(sa, around(p.ya, i, sa)), nua)
		vb, nb := moderated(yb, math.Max(sb, around(p.yb, i, sb)), nub)
		va, vb = va*stat.MedianVariance(len(ya)), vb*stat.MedianVariance(len(yb))
		se, nu := stat.Welch(va, len(ya), na, vb, len(yb), nb)
		se = math.Max(se, leastSigma)
		sum += se * se
		n.se, n.nus = append(n.se, se), append(n.nus, nu)
	}
	n.sigma = math.Sqrt(sum / float64(len(p.d)))
	return n, true
}

// pooled variance of the runs of a curve about the mean of their count, without stray ones, and its degrees of freedom.
func pooled(c *bench.Curve) (variance, nu float64) {
	var groups [][]float64
	for _, p := range c.Points {
		groups = append(groups, logs(p.Samples))
	}
	// A stray run is told by the others of its count, and by the typical scatter of all counts: the median resists it.
	var typical []float64
	for _, y := range groups {
		if len(y) > 1 {
			typical = append(typical, stat.Variance(y))
		}
	}
	for _, y := range groups {
		if len(y) < 2 {
			continue
		}
		y, _ = withoutStray(y, stat.Median(typical))
		k := float64(len(y) - 1)
		variance += k * stat.Variance(y)
		nu += k
	}
	if nu > 0 {
		variance /= nu
	}
	return variance, nu
}

// stray is how many standard deviations of the other runs of its count a run must be from their mean to be no noise of theirs.
const stray = 8

// withoutStray leaves out the run that is far from all others of its count, by their scatter and by the usual one; -1 if there is none, or if
// fewer than three others would be left to tell.
func withoutStray(y []float64, usual float64) (kept []float64, at int) {
	if len(y) < 4 {
		return y, -1
	}
	mean := stat.Mean(y)
	at = 0
	for i, v := range y {
		if math.Abs(v-mean) > math.Abs(y[at]-mean) {
			at = i
		}
	}
	kept = slices.Delete(slices.Clone(y), at, at+1)
	if math.Abs(y[at]-stat.Mean(kept)) <= math.Max(stray*math.Sqrt(math.Max(stat.Variance(kept), usual)), 2*theta) {
		return y, -1
	}
	return kept, at
}

// around is the variance of the runs at a count and its two neighbours to each side.
func around(y [][]float64, i int, usual float64) float64 {
	sum, nu := 0.0, 0.0
	for _, y := range y[max(0, i-2):min(len(y), i+3)] {
		if y, _ = withoutStray(y, usual); len(y) > 1 {
			sum += float64(len(y)-1) * stat.Variance(y)
			nu += float64(len(y) - 1)
		}
	}
	return sum / math.Max(nu, 1)
}

// moderated variance of a single run at one count and its degrees of freedom.
func moderated(y []float64, pooled, pooledNu float64) (variance, nu float64) {
	k, prior := float64(len(y)-1), math.Min(priorNu, pooledNu)
	return stat.Moderated(stat.Variance(y), k, pooled, prior), prior + k
}

// peers are the series of the same work. They are paired when asked for, once.
type peers struct {
	group    []*bench.Curve
	controls map[[2]*bench.Curve]noise // of pairs asked for; without a source if they are no control
}

// mostPeers is how many series are looked at for a control.
const mostPeers = 40

// fromControl takes the scatter of a pair that holds the baseline, else the candidate, and is equal on average and in shape; of
// several the noisiest.
func (p *pair) fromControl(peers *peers) (noise, bool) {
	var best noise
	for _, of := range []*bench.Curve{p.a, p.b} {
		for _, c := range peers.group[:min(len(peers.group), mostPeers)] {
			if c == p.a || c == p.b {
				continue
			}
			if n := peers.control(of, c); n.source != "" && n.sigma > best.sigma {
				best = all(n.source, n.sigma, n.nu, len(p.d))
				if best.control = c.Label; of == p.b {
					best.control = of.Label + " → " + c.Label
				}
			}
		}
		if best.source != "" {
			return best, true
		}
	}
	return noise{}, false
}

// control is the scatter of a pair of series that may be taken for two sweeps of the same thing.
func (s *peers) control(a, b *bench.Curve) noise {
	key := [2]*bench.Curve{a, b}
	n, known := s.controls[key]
	if !known {
		if p := newPair(a, b); p.equal() {
			m := float64(len(p.d))
			n = noise{source: fromControl, sigma: math.Max(leastSigma, math.Sqrt(p.shapes[0].RSS/(m-1))), nu: m - 1}
		}
		s.controls[key] = n
	}
	return n
}

// equal tells whether nothing speaks against the two series being sweeps of the same thing.
func (p *pair) equal() bool {
	if len(p.d) < 6 || !p.flat() || stat.StepP(p.d, 400, permutationSeed) <= 0.05 {
		return false
	}
	lo, hi := stat.MeanInterval(p.d, 0.90)
	return lo > -theta && hi < theta
}

// fromJoint is the scatter of d about the ratio of the best joint fit that leaves degrees of freedom. What the law misses in both
// curves alike cancels.
func (p *pair) fromJoint() (noise, bool) {
	for _, j := range p.joint {
		nu := float64(len(p.d) - len(j.Own))
		if nu < 3 {
			continue
		}
		rss := 0.0
		residuals := make([]float64, len(p.d))
		for i, n := range p.counts {
			residuals[i] = p.d[i] - logRatio(j, n)
			rss += residuals[i] * residuals[i]
		}
		if math.IsNaN(rss) || math.IsInf(rss, 0) {
			continue
		}
		n := all(fromJoint, math.Sqrt(rss/nu), nu, len(p.d))
		s, ok := p.fromShape()
		if !ok {
			s, ok = p.fromOthers()
		}
		if ok && s.sigma < n.sigma {
			return s, true
		}
		// Nor is a law noise that misses d by more than twice its scatter about one ratio for all counts.
		if steady := math.Sqrt(p.shapes[0].RSS / float64(len(p.d)-1)); steady < n.sigma/2 {
			n = all(fromJoint, math.Max(steady, quietSigma), float64(len(p.d)-1), len(p.d))
			n.shape = "constant"
			return n, true
		}
		// A law that misses the curves and their ratio is no measure of noise. Twice the roughness of d is more than chance explains.
		if rough, nu := p.roughness(); j.RMSLog > 0.05 && rough < n.sigma/2 {
			n = all(fromJoint, rough, nu, len(p.d))
			n.rough = true
			return n, true
		}
		n.local(residuals)
		return n, true
	}
	return noise{}, false
}

// clearShape is the probability under which a step explains d better than chance would, over all places it could be at.
const clearShape = 0.005

// fromShape is the scatter of d about a step or a ramp where that is beyond doubt: no law has a ratio that jumps, and its misses
// are no noise. Under ten counts allow no permutation test at that level, so it is the F test.
func (p *pair) fromShape() (noise, bool) {
	m := len(p.d)
	if m < 5 {
		return noise{}, false
	}
	best, nu := p.shapes[1], float64(m-3)
	if s := p.shape(); s.Name == stat.Ramp {
		best, nu = s, nu-1
	}
	if !(p.stepF() <= clearShape) && !(best.Name == stat.Ramp && p.rampF() <= clearShape) {
		return noise{}, false
	}
	n := all(fromJoint, math.Sqrt(best.RSS/nu), nu, m)
	n.shape = best.Name
	residuals := make([]float64, m)
	for i := range p.d {
		residuals[i] = p.d[i] - best.At(p.x[i], i)
	}
	n.local(residuals)
	return n, true
}

// fromOthers is the noise where the counts of one side agree and all of the other side depart from 1 by more than noise three times as
// large explains: neither a law nor a shape need describe a collapse of a few counts, and what they miss of it is no noise. It is the
// scatter of those that agree, or the assumption where they are fewer than four. At the top one count is enough; so it is inside the curve,
// where it makes no finding.
func (p *pair) fromOthers() (noise, bool) {
	m := len(p.d)
	best := noise{}
	try := func(quiet, other []float64) {
		if len(quiet) < 2 || math.Abs(stat.Mean(quiet)) > theta {
			return
		}
		source, sigma, nu := assumed, assumedSigma, math.Inf(1)
		if len(quiet) >= 4 {
			source, sigma, nu = fromJoint, math.Max(math.Sqrt(stat.Variance(quiet)), quietSigma), float64(len(quiet)-1)
		}
		sum, least := 0.0, math.Inf(1)
		for _, d := range other {
			sum += d
			least = math.Min(least, math.Abs(d))
		}
		cut := noisier * sigma * stat.StudentQuantile(alphaPoints/4/float64(m), nu) * math.Sqrt(float64(len(other)))
		if math.Abs(sum) > cut && least > noisier*sigma && (best.se == nil || sigma < best.sigma) {
			best = all(source, sigma, nu, m)
			best.others = source == fromJoint
		}
	}
	for split := 2; split < m; split++ {
		try(p.d[:split], p.d[split:])
		if split <= m-2 {
			try(p.d[split:], p.d[:split])
		}
	}
	for i := 1; i < m-1; i++ {
		try(slices.Concat(p.d[:i], p.d[i+1:]), p.d[i:i+1])
	}
	return best, best.se != nil
}

// stepF is the probability that a step explains d so much better than a constant by chance, over all places it could be at: the F test with
// Bonferroni's correction. NaN without a step.
func (p *pair) stepF() float64 {
	m := float64(len(p.d))
	if len(p.shapes) < 2 || m < 5 {
		return math.NaN()
	}
	step := math.Max(p.shapes[1].RSS/(m-2), leastSigma*leastSigma)
	return stat.FTail((p.shapes[0].RSS-p.shapes[1].RSS)/step, 1, m-2) * (m - 3)
}

// rampF is the same of a ramp, whose two ends count as parameters.
func (p *pair) rampF() float64 {
	m := float64(len(p.d))
	ramp := math.Max(p.shapes[2].RSS/(m-4), leastSigma*leastSigma)
	return stat.FTail((p.shapes[0].RSS-p.shapes[2].RSS)/3/ramp, 3, m-4)
}

// local raises the noise of a count to what the residuals around it show, two to each side: saturated counts are often noisier.
func (n *noise) local(residuals []float64) {
	for i := range residuals {
		around := residuals[max(0, i-2):min(len(residuals), i+3)]
		sum := 0.0
		for _, r := range around {
			sum += r * r
		}
		n.se[i] = math.Max(n.se[i], math.Sqrt(sum/float64(len(around))))
	}
}

// roughness is the standard deviation of d about the straight line through its two neighbours, and its degrees of freedom: noise and
// curvature. +Inf with fewer than six counts.
func (p *pair) roughness() (sigma, nu float64) {
	m := len(p.d)
	if m < 6 {
		return math.Inf(1), 0
	}
	sum := 0.0
	for i := 1; i < m-1; i++ {
		u := (p.x[i] - p.x[i-1]) / (p.x[i+1] - p.x[i-1])
		r := p.d[i] - (1-u)*p.d[i-1] - u*p.d[i+1]
		sum += r * r / (1 + u*u + (1-u)*(1-u))
	}
	// Neighbouring residuals share values: about half of them count as independent.
	return math.Sqrt(sum / float64(m-2)), math.Max(3, 0.55*float64(m-2))
}

// fromIntervals is the typical standard deviation of d as far as the progress inside the runs shows it: at least that much.
func (p *pair) fromIntervals() float64 {
	sum, n := 0.0, 0
	for _, curve := range []*bench.Curve{p.a, p.b} {
		for _, pt := range curve.Points {
			if _, common := slices.BinarySearch(p.counts, pt.Clients); !common {
				continue
			}
			for _, r := range pt.Runs {
				if se, ok := standardError(r); ok {
					sum += se * se
					n++
				}
			}
		}
	}
	if n == 0 {
		return 0
	}
	return math.Sqrt(2 * sum / float64(n))
}
