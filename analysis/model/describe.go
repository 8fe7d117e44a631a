package model

import (
	"fmt"
	"math"
	"slices"

	"pgknee/analysis/bench"
	"pgknee/analysis/report"
	"pgknee/analysis/stat"
)

// What makes a fit an explanation, and how much of it is shown.
const (
	explainedRMS   = 0.05  // the root mean square of the log residuals that a law may have,
	explainedNoise = 1.5   // or this many times the noise of a point where that is known and larger
	runsLevel      = 0.025 // residuals of one sign in runs as rare as this are no noise,
	runsMatter     = 0.01  // unless they are as small as this
	supported      = 0.05  // Akaike weight of a law that counts for the range of peaks even if it explains nothing
	better         = 4     // AICc that mere lines must be better by to be spoken of
	rejected       = 20    // AICc that a law must be worse by to be rejected: then its intervals are quick ones
	drawn          = 3     // fits that come with their curve; the first with its band
	curvePoints    = 60
	bandPlaces     = 24
)

// Steps is the largest number of times that Describe calls step.
var Steps = 2 * len(Laws)

// Describe fills the peak, the floor and the laws of a series. Before fitting a law and before finding its intervals it calls step with
// the law's name; when step returns false it stops and the series keeps what needs no law.
func Describe(s *report.Series, c *bench.Curve, o Options, step func(law string) bool) {
	s.Peak, s.Floor = Sampled(c), Tail(c)
	s.Models, s.Explained, s.Unexplained, s.PeakRange = nil, nil, "", nil
	laws := o.Depth.laws()
	if len(laws) == 0 {
		return
	}
	d := NewData(c)
	if len(d.N) == 0 {
		return
	}
	var fits []*Fit
	for _, l := range laws {
		if !step(l.Name) {
			return
		}
		if f := l.Fit(d, o); f != nil {
			fits = append(fits, f)
		}
	}
	if len(fits) == 0 {
		s.Unexplained = fmt.Sprintf("%s at %s: too few for any law, which takes at least 5 samples at 3 client counts",
			plural(d.Obs, "sample"), plural(len(d.N), "client count"))
		return
	}
	intervals := map[*Fit]*Intervals{}
	weigh(fits)
	for i, f := range fits {
		if !step(f.Law.Name) {
			return
		}
		var in Intervals
		if i < drawn || f.AICc < fits[0].AICc+rejected {
			in = f.Intervals() // may improve the fit
		} else {
			in = f.Quick()
		}
		intervals[f] = &in
	}
	weigh(fits)
	for i, f := range fits {
		// Peaks and floors of laws that the data speak against need no interval.
		if i == 0 || f.supported() {
			f.Derived(intervals[f])
		}
	}
	why := unexplained(fits)
	explained := why == ""
	s.Explained, s.Unexplained = &explained, why
	for i, f := range fits {
		m := f.report(*intervals[f], explained)
		if last := fits[len(fits)-1]; i == 0 && last.Law.MechanismFree && last.AICc < f.AICc-better {
			m.Warnings = append(m.Warnings, fmt.Sprintf("mere lines follow the curve closer (%s root mean square, AICc lower by %s): the law misses a part of its shape",
				percent(last.RMSLog), figures(f.AICc-last.AICc)))
		}
		if i == 0 && explained && f.RMSLog > explainedRMS {
			sd, _ := d.Noise()
			m.Warnings = append(m.Warnings, fmt.Sprintf("misses the points by %s (root mean square), which passes for noise only because the repeats scatter by %s: a weak explanation",
				percent(f.RMSLog), percent(sd)))
		}
		if f.Law.MechanismFree {
			m.Weight = nil
		}
		if i < drawn {
			m.Curve = f.curve(i == 0 && o.Depth == AllLaws)
		}
		s.Models = append(s.Models, m)
		if explained && m.PeakClients != nil && f.supported() {
			if s.PeakRange == nil {
				s.PeakRange = []float64{*m.PeakClients, *m.PeakClients}
			}
			s.PeakRange[0] = math.Min(s.PeakRange[0], *m.PeakClients)
			s.PeakRange[1] = math.Max(s.PeakRange[1], *m.PeakClients)
		}
	}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// unexplained says why no law explains the curve; "" if the best one does.
func unexplained(ranked []*Fit) string {
	if why := ranked[0].misses(); why != "" {
		if d, k := ranked[0].Data, PlateauUSL.Free(); !PlateauUSL.Can(d, Options{}) {
			return fmt.Sprintf("%s at %s are too few for the laws that may explain this curve (the plateau USL takes %d at %d): the best of the others, %s, %s",
				plural(d.Obs, "sample"), plural(len(d.N), "client count"), k+4, k+2, ranked[0].Law.Name, why)
		}
		text := fmt.Sprintf("no law explains this curve: the best one, %s, %s", ranked[0].Law.Name, why)
		if last := ranked[len(ranked)-1]; last.Law.MechanismFree && last.RMSLog < explainedRMS {
			text += fmt.Sprintf("; straight lines on logarithmic axes follow it within %s: %s", percent(last.RMSLog), last.Law.Says(last))
		}
		return text
	}
	return ""
}

// supported tells whether the data speak for the law, or at least not against it.
func (f *Fit) supported() bool {
	return !f.Law.MechanismFree && (f.Weight > supported || f.misses() == "")
}

// misses says what the fit leaves unexplained; "" if it is no more than noise makes.
func (f *Fit) misses() string {
	sd, df := f.Data.Noise()
	limit, than := explainedRMS, "5 %"
	if df == 0 {
		than += ", and without repeats nothing tells whether that is noise"
	}
	if df > 0 && explainedNoise*sd > limit {
		limit = explainedNoise * sd
		than = fmt.Sprintf("%s, which the scatter of the repeats would allow", percent(limit))
	}
	if f.RMSLog > limit {
		return fmt.Sprintf("misses the points by %s (root mean square), more than %s", percent(f.RMSLog), than)
	}
	if p, runs := stat.RunsTest(f.Residuals()); p < runsLevel && f.RMSLog > runsMatter {
		return fmt.Sprintf("has the points above and below it in only %d runs, too few for chance (p = %s)", runs, figures(p))
	}
	return ""
}

// finite is a pointer to the value, nil unless it is a number.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

func (f *Fit) report(in Intervals, explained bool) report.Model {
	m := report.Model{
		Name: f.Law.Name, RMSLog: f.RMSLog, AICc: finite(f.AICc), Weight: finite(f.Weight),
		Warnings: slices.Clone(f.Warnings), Says: f.Law.Says(f),
	}
	for i, p := range f.Law.Parameters {
		q := report.Parameter{Name: p.Name, Value: f.P[i], Unit: f.unit(p.Unit)}
		if p.Fixed == nil {
			q.Lo, q.Hi = finite(in.Parameters[i].Lo), finite(in.Parameters[i].Hi)
			if p.Log && q.Lo != nil && *q.Lo <= 0 {
				q.Lo = nil
			}
		}
		m.Parameters = append(m.Parameters, q)
	}
	if !f.Law.MechanismFree {
		m.Warnings = append(m.Warnings, f.undetermined(in)...)
	}
	if f.Law.Unbounded != nil {
		if says := f.unbounded(); says != "" {
			m.Warnings = append(m.Warnings, says)
		}
	}
	n, peaks := f.PeakClients()
	if peaks && (explained || f.problem.linear || n <= f.Data.largest()) {
		m.PeakClients, m.PeakTPS = finite(n), finite(f.At(n))
		if in.Peak.Lo > 0 {
			m.PeakLo = finite(in.Peak.Lo)
			if in.Peak.Hi < reach*f.Data.largest() {
				m.PeakHi = finite(in.Peak.Hi)
			}
		}
	}
	if !peaks && f.Law.Peak != nil {
		if n, ok := f.Law.Peak(f.P); ok && n > reach*f.Data.largest() {
			m.Warnings = append(m.Warnings, fmt.Sprintf("its peak at %s clients lies beyond twice the largest count measured: not to be relied on", count(n)))
		}
	}
	if v, ok := f.FloorTPS(); ok && explained {
		m.FloorTPS = finite(v)
		if in.Floor.Lo > 0 {
			m.FloorLo = finite(in.Floor.Lo)
		}
		if in.Floor.Hi > 0 {
			m.FloorHi = finite(in.Floor.Hi)
		}
	}
	for i, r := range f.Residuals() {
		m.Residuals = append(m.Residuals, report.Residual{Clients: int(f.Data.N[i]), Log: r})
	}
	return m
}

// unit of a parameter, with the unit of the curve in place of tps.
func (f *Fit) unit(u string) string {
	if f.Data.Unit == "" {
		return u
	}
	switch u {
	case "tps":
		return f.Data.Unit
	case "tps/client":
		return f.Data.Unit + "/client"
	}
	return u
}

// unbounded says what the parameters would be without their lower bounds, if that matters.
func (f *Fit) unbounded() string {
	if !slices.ContainsFunc(f.AtBound, func(i int) bool { return slices.Contains(f.Law.Unbounded, i) }) {
		return ""
	}
	q := newProblem(f.Law, []*Data{f.Data}, []int{0}, nil, f.problem.linear)
	for j, i := range q.owner {
		if slices.Contains(f.Law.Unbounded, i) {
			q.solver.Lower[j] = -1
		}
	}
	u := slices.Clone(f.u)
	if rss := q.solver.Minimize(u, 300, stat.Exact); !(rss < f.rss*(1-1e-6)) {
		return ""
	}
	p := q.outer(0, u)
	var says string
	for _, i := range f.Law.Unbounded {
		if p[i] < 0 {
			says += fmt.Sprintf("unbounded, %s would be %s: ", f.Law.Parameters[i].Name, figures(p[i]))
		}
	}
	if says == "" {
		return ""
	}
	return says + "negative, which has no meaning, so the law misses something here"
}

// curve is the fitted line over the sampled counts, evenly spaced on ln N, with the sampled counts among them.
func (f *Fit) curve(band bool) []report.FitPoint {
	lo, hi := f.Data.N[0], f.Data.largest()
	counts := slices.Clone(f.Data.N)
	for i := range curvePoints {
		counts = append(counts, lo*stat.Exp(stat.Log(hi/lo)*float64(i)/(curvePoints-1)))
	}
	slices.Sort(counts)
	counts = slices.CompactFunc(counts, func(a, b float64) bool { return math.Abs(a-b) < 1e-6*b })
	var in []Interval
	if band {
		in = f.Band(counts)
	}
	var out []report.FitPoint
	for i, n := range counts {
		x := finite(f.At(n))
		if x == nil {
			continue
		}
		p := report.FitPoint{Clients: n, TPS: *x}
		if band {
			p.Lo, p.Hi = finite(in[i].Lo), finite(in[i].Hi)
		}
		out = append(out, p)
	}
	return out
}
