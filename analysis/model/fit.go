package model

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pgknee/analysis/stat"
)

// Options of fitting.
type Options struct {
	Linear bool  // fit residuals of throughput instead of those of its logarithm, to reproduce published least squares
	Depth  Depth // how much work goes into a series; only Describe heeds it
}

// Fit is one law fitted to one curve.
type Fit struct {
	Law      *Law
	Data     *Data
	P        []float64 // parameters, in the law's order
	RSS      float64   // sum of squared residuals over all samples, of ln throughput or, when linear, of throughput
	RMSLog   float64   // root mean square of ln(measured / fitted) over all samples
	AICc     float64
	Weight   float64 // Akaike weight among the laws ranked together
	Sigma    float64 // standard deviation of a sample about the law, as the intervals take it
	DF       int     // degrees of freedom of Sigma
	AtBound  []int   // parameters whose best value is a bound
	Warnings []string

	problem *problem
	u       []float64
	sigma   float64 // Sigma on the scale of the problem's residuals
	rss     float64 // sum of squares about the law of the weighted means, on that scale
	inside  []inside
}

// Can tells whether the data are enough for the law: at least 4 samples and 2 distinct counts more than parameters. To reproduce published
// least squares, which are less careful, the 3 samples more that AICc needs are enough.
func (l *Law) Can(d *Data, o Options) bool {
	k, more := l.Free(), 4
	if o.Linear {
		more = 3
	}
	return d.Obs >= k+more && len(d.N) >= k+2 && (l.MaxClients == 0 || d.largest() <= l.MaxClients && stat.Mean(d.N)*float64(len(d.N)) <= 20*l.MaxClients)
}

// Fit fits the law to a curve; nil if the data are too few or no parameters give finite throughput.
func (l *Law) Fit(d *Data, o Options) *Fit {
	if !l.Can(d, o) {
		return nil
	}
	q := newProblem(l, []*Data{d}, []int{0}, nil, o.Linear)
	var starts [][][]float64
	for _, p := range l.Starts(d) {
		starts = append(starts, [][]float64{p})
	}
	u, rss := q.search(starts)
	if math.IsInf(rss, 1) {
		return nil
	}
	return q.fit(u, rss)
}

// fit makes the numbers of a fit from where a search ended.
func (q *problem) fit(u []float64, rss float64) *Fit {
	d := q.data[0]
	f := &Fit{Law: q.law, Data: d, P: slices.Clone(q.outer(0, u)), problem: q, u: u, rss: rss}
	pure, unit := d.pureLog, 1.0
	if q.linear {
		pure, unit = d.pureLinear/(q.scale*q.scale), q.scale
	}
	f.sigma, f.DF = spread(rss, pure, len(d.N), d.Obs, len(u)+q.law.knots())
	f.Sigma = f.sigma * unit
	f.RSS = (rss + pure) * unit * unit
	f.AICc = aicc((rss + pure), d.Obs, len(u))
	sum := d.pureLog
	for i, r := range f.Residuals() {
		sum += d.Weight[i] * r * r
	}
	f.RMSLog = math.Sqrt(sum / float64(d.Obs))
	for j, i := range q.owner {
		param := &q.law.Parameters[i]
		const near = 1e-9
		if param.Log {
			if u[j] > q.solver.Lower[j]+near && u[j] < q.solver.Upper[j]-near {
				continue
			}
		} else if u[j] > q.solver.Lower[j] && u[j] < q.solver.Upper[j] {
			continue
		}
		f.AtBound = append(f.AtBound, i)
		says := param.AtLower
		if u[j] >= q.solver.Upper[j] {
			says = param.AtUpper
		}
		if says == "" {
			says = fmt.Sprintf("%s is at its bound: the data do not determine it", param.Name)
		}
		f.Warnings = append(f.Warnings, says)
	}
	return f
}

// spread is the standard deviation of a sample about a law, with its degrees of freedom. Where the repeats show that the law misses the
// means by more than their scatter explains, the scatter of the means about the law counts alone: the misses do not average out.
func spread(rss, pure float64, counts, obs, k int) (sigma float64, df int) {
	lack, within := counts-k, obs-counts
	if lack > 0 && within > 0 && pure > 0 && stat.FTail(rss/float64(lack)/(pure/float64(within)), float64(lack), float64(within)) < 0.05 {
		return math.Sqrt(rss / float64(lack)), lack
	}
	df = max(obs-k, 1)
	return math.Sqrt((rss + pure) / float64(df)), df
}

// aicc is Akaike's criterion with the correction for few data; the variance counts as a parameter. Residuals under a
// millionth count as one, so that noiseless input gives finite numbers.
func aicc(rss float64, n, k int) float64 {
	q := float64(k + 1)
	return float64(n)*stat.Log(math.Max(rss/float64(n), 1e-12)) + 2*q + 2*q*(q+1)/(float64(n)-q-1)
}

// Residuals are ln(measured / fitted) at the client counts of the data, the mean of repeats.
func (f *Fit) Residuals() []float64 {
	out := make([]float64, len(f.Data.N))
	for i, n := range f.Data.N {
		out[i] = f.Data.Log[i] - stat.Log(f.At(n))
	}
	return out
}

// At is the throughput that the fit gives for n clients.
func (f *Fit) At(n float64) float64 { return f.Law.Eval(n, f.P) }

// weigh orders and weighs. A description without a mechanism comes last and has no weight: it is no rival of a law, but its measure.
func weigh(fits []*Fit) {
	slices.SortStableFunc(fits, func(a, b *Fit) int {
		if a.Law.MechanismFree != b.Law.MechanismFree {
			if a.Law.MechanismFree {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.AICc, b.AICc)
	})
	sum := 0.0
	for _, f := range fits {
		f.Weight = 0
		if !f.Law.MechanismFree {
			f.Weight = stat.Exp((fits[0].AICc - f.AICc) / 2)
		}
		sum += f.Weight
	}
	for _, f := range fits {
		f.Weight /= sum
	}
}
