package compare

import (
	"fmt"
	"math"
	"slices"

	"pgknee/analysis/bench"
	"pgknee/analysis/model"
	"pgknee/analysis/report"
	"pgknee/analysis/stat"

	"golang.org/x/perf/benchmath"
)

// Verdicts.
const (
	regression           = "regression"
	improvement          = "improvement"
	mixed                = "mixed"
	noDifference         = "no-difference"
	inconclusive         = "inconclusive"
	notComparableVerdict = "not-comparable"
)

// Levels of the tests.
const (
	alphaPoints = 0.05  // that any count is called changed by chance
	alphaAlone  = 0.005 // the same for a count that stands alone inside the curve, before that is a finding
	alphaShift  = 0.02  // that all counts together are called shifted
	alphaStep   = 0.01  // that a step is found where there is none
)

// What a claim takes without repeats.
const (
	enoughAdjacent = 3 // so many counts next to each other,
	noisier        = 3 // or a change beyond noise so many times as large as elsewhere
)

// judgement is what is made of a pair.
type judgement struct {
	*pair
	differs, spoilers []report.Difference

	noise   noise
	p       []float64 // by count, Holm's correction made
	changed []int     // by count: -1 lower, 0 not shown to differ, +1 higher
	sign    int       // of the change; 0 for none or both
	verdict string
	how     string // what the verdict rests on: counts | shift | step | alone
	onset   *report.Onset
	uniform bool // the change is one factor at all counts
	split   int  // how "step": the index of the first count after it
	stepP   float64

	mean, where *report.MeanRatio
	whereOf     string // label of the series that departs where
	whereAt     string // the counts, in words
	restores    string
	repeatsFor  int
}

// measure finds the noise, the changed counts and the kind of change. It needs no other judgement.
func (j *judgement) measure(peers *peers) {
	j.noise = j.pair.noise(peers)
	m := len(j.d)
	p := make([]float64, m)
	for i, d := range j.d {
		p[i] = 2 * stat.StudentTail(math.Abs(d)/j.noise.se[i], j.noise.nus[i])
	}
	j.p = stat.Holm(p)
	j.changed = make([]int, m)
	for i := range j.d {
		if j.p[i] <= alphaPoints {
			j.changed[i] = j.beyond(i)
		}
	}
	j.stepP = math.NaN()
	if m >= 6 {
		j.stepP = stat.StepP(j.d, permutations, permutationSeed)
	}
	lower, higher := j.supported(-1), j.supported(1)
	switch {
	case j.noise.source == assumed && m < 3 && !j.farBeyond():
		// One or two counts without any measure of noise: nothing can be said.
	case lower && higher:
		j.verdict, j.how = mixed, "counts"
	case lower:
		j.sign, j.how = -1, "counts"
	case higher:
		j.sign, j.how = 1, "counts"
	default:
		if j.sign = j.shift(0, m); j.sign != 0 && m >= 3 {
			j.how = "shift"
		} else if j.sign = j.step(); j.sign != 0 {
			j.how = "step"
		}
	}
	if j.how == "counts" && j.sign != 0 && j.crosses() {
		j.sign, j.verdict = 0, mixed
	}
	switch j.sign {
	case -1:
		j.verdict = regression
	case 1:
		j.verdict = improvement
	}
	if j.sign != 0 {
		j.extend(j.sign)
	}
	j.uniform = j.sign != 0 && j.oneFactor()
	if j.sign != 0 && !j.uniform {
		j.findOnset()
	}
	j.mean = j.equivalence(upTo(m))
}

// upTo lists the indexes 0 to m-1.
func upTo(m int) []int {
	idx := make([]int, m)
	for i := range idx {
		idx[i] = i
	}
	return idx
}

// beyond is the sign of d where it is a difference of interest, else 0.
func (j *judgement) beyond(i int) int {
	switch d := j.d[i]; {
	case d > theta:
		return 1
	case d < -theta:
		return -1
	}
	return 0
}

// farBeyond tells whether every count departs by more than five times the assumed noise.
func (j *judgement) farBeyond() bool {
	for _, d := range j.d {
		if math.Abs(d) < 5*j.noise.sigma {
			return false
		}
	}
	return true
}

// supported tells whether the counts that changed in a direction make a finding. With repeats: two adjacent ones, the last one, or one beyond
// doubt. Without them nothing tells whether the noise of few counts is that of the others, which laws and shapes measure: saturated counts
// are often noisier. Three adjacent ones then, or fewer that are beyond noise three times as large, and not one alone that others enclose.
func (j *judgement) supported(sign int) bool {
	m := len(j.changed)
	for i := 0; i < m; i++ {
		if j.changed[i] != sign {
			continue
		}
		k, sum, v := i, 0.0, 0.0
		for ; k < m && j.changed[k] == sign; k++ {
			sum += j.d[k]
			v += j.noise.se[k] * j.noise.se[k]
			if j.noise.source == fromRepeats && j.p[k] <= alphaAlone {
				return true
			}
		}
		switch n := k - i; {
		case j.noise.source == fromRepeats && (n >= 2 || k == m):
			return true
		case j.noise.source != fromRepeats && (n >= enoughAdjacent || (n > 1 || k == m) && math.Abs(sum) > noisier*math.Sqrt(v)*stat.StudentQuantile(alphaPoints/2/float64(m), j.noise.nu)):
			return true
		}
		i = k
	}
	return false
}

// shift tests whether the counts from index lo to hi together differ: the median by more than 5 %, the mean beyond the noise.
func (j *judgement) shift(lo, hi int) int {
	k := hi - lo
	if k < 1 {
		return 0
	}
	d := j.d[lo:hi]
	median, mean := stat.Median(d), stat.Mean(d)
	var v float64
	for _, se := range j.noise.se[lo:hi] {
		v += se * se
	}
	cut := math.Max(theta, stat.StudentQuantile(alphaShift/2, j.noise.nu)*math.Sqrt(v)/float64(k))
	switch {
	case median > theta && mean > cut:
		return 1
	case median < -theta && mean < -cut:
		return -1
	}
	return 0
}

// step tests for a change of one side of a step or ramp that is no chance: the side's own shift, the other side within 5 %. With few counts
// permutation can't show a step; then the F test may, with enough counts on each side.
func (j *judgement) step() int {
	try := func(split int) int {
		lo, hi := j.shift(0, split), j.shift(split, len(j.d))
		if j.split = split; lo != 0 && hi != 0 {
			return 0
		}
		return lo + hi
	}
	enough := func(split int) bool { return min(split, len(j.d)-split) >= enoughAdjacent }
	if len(j.shapes) > 1 {
		if split := j.shapes[1].Split; j.stepP <= alphaStep || j.stepF() <= clearShape && enough(split) {
			if sign := try(split); sign != 0 {
				return sign
			}
		}
	}
	if len(j.shapes) > 2 && j.rampF() <= clearShape && enough(j.shapes[2].Split) {
		return try(j.shapes[2].Split)
	}
	return 0
}

// extend calls the neighbours of what changed changed too, as long as they go the same way by more than 5 % and a one-sided 5 % cut: that
// there is a change is settled, this finds where it begins.
func (j *judgement) extend(sign int) {
	may := func(i int) bool {
		return j.changed[i] == 0 && j.beyond(i) == sign && stat.StudentTail(math.Abs(j.d[i])/j.noise.se[i], j.noise.nus[i]) <= 0.05
	}
	if j.how == "step" {
		lo, hi := 0, j.split
		if j.shift(lo, hi) == 0 {
			lo, hi = hi, len(j.d)
		}
		for i := lo; i < hi; i++ {
			if may(i) {
				j.changed[i] = sign
			}
		}
	}
	for i := len(j.d) - 2; i >= 0; i-- {
		if j.changed[i+1] == sign && may(i) {
			j.changed[i] = sign
		}
	}
	for i := 1; i < len(j.d); i++ {
		if j.changed[i-1] == sign && may(i) {
			j.changed[i] = sign
		}
	}
}

// crosses tells whether the other direction, with its neighbours, makes a finding as well: one count beyond the noise was not enough for that.
func (j *judgement) crosses() bool {
	if !slices.Contains(j.changed, -j.sign) {
		return false
	}
	j.extend(j.sign)
	j.extend(-j.sign)
	return j.supported(-j.sign)
}

// oneFactor tells whether the change is the same factor at all counts, as far as can be seen: all together are shifted, no single count
// stands out against that, and neither a step or ramp nor another joint fit describes it better.
func (j *judgement) oneFactor() bool {
	if j.shift(0, len(j.d)) != j.sign || !j.flat() && (len(j.joint) == 0 || j.joint[0].Name != "uniform") {
		return false
	}
	d0 := stat.Median(j.d)
	// With the noise well known a count must be far out to speak against it: 5 % of uniform changes would be lost otherwise.
	alpha := alphaPoints
	if j.noise.source == fromRepeats {
		alpha = alphaAlone
	}
	if j.noise.source == fromRepeats && j.scattered() {
		return false
	}
	q := stat.StudentQuantile(alpha/2/float64(len(j.d)), j.noise.nu)
	for i, d := range j.d {
		if math.Abs(d-d0) > math.Max(theta, q*j.noise.se[i]) {
			return false
		}
	}
	return true
}

// scattered tells whether the ratios differ among each other by more than 5 % and more than their noise: all together, which sees what no
// single one of a few counts shows.
func (j *judgement) scattered() bool {
	d0, mean, sum, far := stat.Median(j.d), 0.0, 0.0, 0.0
	weights := 0.0
	for i, d := range j.d {
		w := 1 / (j.noise.se[i] * j.noise.se[i])
		mean += w * d
		weights += w
		far = math.Max(far, math.Abs(d-d0))
	}
	mean /= weights
	for i, d := range j.d {
		sum += (d - mean) * (d - mean) / (j.noise.se[i] * j.noise.se[i])
	}
	k := float64(len(j.d) - 1)
	return far > theta && k > 0 && stat.FTail(sum/k, k, j.noise.nu) <= 0.01
}

// findOnset brackets the first changed count: the step, where a step describes d best and permutation does not produce it; else of the
// changed counts that reach to the end, else of the first that make a finding. There is none if the change begins with the first
// count, or if the counts before are shifted as well.
func (j *judgement) findOnset() {
	m := len(j.changed)
	begins := func(first int) bool {
		return first > 0 && first < m && !slices.Contains(j.changed[:first], j.sign) && j.shift(0, first) != j.sign
	}
	set := func(first int) {
		j.onset = &report.Onset{After: j.counts[first-1], At: j.counts[first]}
		if s := j.shape(); s.Name != stat.Constant {
			j.onset.Shape = s.Name
		}
	}
	if s := j.shape(); s.Name == stat.Step && (j.stepP <= alphaStep || j.how == "step") && begins(s.Split) && j.shift(s.Split, m) == j.sign {
		set(s.Split)
		return
	}
	first := m
	for first > 0 && j.changed[first-1] == j.sign {
		first--
	}
	if first == m {
		for i := 0; i < m; i++ {
			if j.changed[i] == j.sign && (i+1 < m && j.changed[i+1] == j.sign || j.p[i] <= alphaAlone) {
				first = i
				break
			}
		}
	}
	if begins(first) {
		set(first)
	}
}

// equivalence is the mean ratio over some counts with its 90 % interval, from the scatter of the d themselves; the repeats can only widen it.
// With fewer than four counts the scatter says too little and the noise stands in.
func (j *judgement) equivalence(idx []int) *report.MeanRatio {
	if len(idx) == 0 {
		return nil
	}
	var d []float64
	var v float64
	for _, i := range idx {
		d = append(d, j.d[i])
		v += j.noise.se[i] * j.noise.se[i]
	}
	mean, k := stat.Mean(d), float64(len(d))
	half := stat.StudentQuantile(0.05, j.noise.nu) * math.Sqrt(v) / k
	if len(d) >= 4 {
		lo, hi := stat.MeanInterval(d, 0.90)
		if own := (hi - lo) / 2; j.noise.source != fromRepeats || own > half {
			half = own
		}
	}
	return &report.MeanRatio{
		Ratio: stat.Exp(mean), Lo: stat.Exp(mean - half), Hi: stat.Exp(mean + half), FromClients: j.counts[idx[0]],
		Equivalent: mean-half > -theta && mean+half < theta,
	}
}

// decide settles what needs the other judgements: equality, and whether this series restores the baseline that another one leaves.
func (j *judgement) decide(judged []*judgement) {
	if j.verdict != "" {
		return
	}
	near := 0
	for i := range j.d {
		if j.beyond(i) == 0 {
			near++
		}
	}
	equal := j.mean.Equivalent && 5*near >= 4*len(j.d) && !slices.ContainsFunc(j.changed, func(c int) bool { return c != 0 })
	departs := false
	for _, o := range judged {
		if o == j || len(o.spoilers) > 0 || o.verdict != regression && o.verdict != improvement && o.verdict != mixed {
			continue
		}
		var idx []int
		for i, c := range o.changed {
			if k, both := slices.BinarySearch(j.counts, o.counts[i]); c != 0 && both {
				idx = append(idx, k)
			}
		}
		w := j.equivalence(idx)
		if w == nil {
			continue
		}
		departs = true
		if equal = equal && w.Equivalent; j.where == nil || !w.Equivalent {
			j.where, j.whereOf, j.whereAt = w, o.b.Label, o.changedCounts(o.sign)
			if first := slices.IndexFunc(o.changed, func(c int) bool { return c != 0 }); o.sign == 0 || !slices.Contains(o.changed[first:], 0) {
				j.whereAt = fmt.Sprintf("from %d on", o.counts[first])
			}
		}
	}
	j.verdict = inconclusive
	if equal && j.leftOutAtTheTop() == nil && !(j.noise.source == assumed && len(j.d) < 3) {
		j.verdict = noDifference
		if departs && j.sameShape() {
			j.restores = j.a.Label
		}
	}
	if j.verdict == inconclusive && !equal {
		j.repeatsFor = j.repeatsNeeded()
	}
}

// sameShape tells whether the joint fits let the two curves be one, or one times a factor: none that changes the shape is better by
// more than two units of AICc. How large the factor may be is the matter of the equivalence test.
func (j *judgement) sameShape() bool {
	for _, f := range j.joint {
		if f.Name == "equal" || f.Name == "uniform" {
			return f.AICc <= j.joint[0].AICc+2
		}
	}
	return false
}

// leftOutAtTheTop lists the counts over the last common one where one side has runs that don't count.
func (j *judgement) leftOutAtTheTop() []int {
	var top []int
	for _, c := range []*bench.Curve{j.a, j.b} {
		for _, r := range c.LeftOut {
			if r.Clients != nil && *r.Clients > j.counts[len(j.counts)-1] && (r.Has(bench.FlagAborted) || r.Has(bench.FlagNoTransactions)) {
				top = append(top, *r.Clients)
			}
		}
	}
	slices.Sort(top)
	return slices.Compact(top)
}

// repeatsNeeded is how many runs a side at each count would let a pair of equal curves pass as equal: the interval of the mean within
// half of 5 % on each side, and four of five counts within 5 %. Where the noise is assumed, it is as many as show it.
func (j *judgement) repeatsNeeded() int {
	least, _ := j.repeats()
	if j.noise.source == assumed {
		return max(least+1, 3)
	}
	sigma := j.noise.sigma * math.Sqrt(float64(least)) // of a difference of two single runs
	m := float64(len(j.d))
	mean := 1.645 * sigma / math.Sqrt(m) / (theta / 2)
	points := 1.2816 * sigma / theta
	return int(math.Max(float64(least+1), math.Ceil(math.Max(mean*mean, points*points))))
}

// attribution names the part of the model that moved, or says unexplained.
func (j *judgement) attribution() string {
	m := len(j.d)
	if j.uniform && m >= 4 && j.counts[m-1] >= 8*j.counts[0] {
		return "uniform"
	}
	// A change at low counts that is gone at high ones is no loss of scalability.
	if j.sign != 0 && j.changed[0] == j.sign && j.changed[m-1] != j.sign || j.verdict == mixed {
		return "unexplained"
	}
	f := j.bestJoint()
	if f == nil {
		return j.signature()
	}
	fell, fellMore := j.fell()
	switch f.Name {
	case "collapse":
		// A collapse leaves low counts as they are. A lower plateau without a fall is none, even where its knee is too sharp for the contention term.
		if math.Abs(j.d[0]) > math.Max(theta, 0.25*j.farthest(j.sign)) {
			return "unexplained"
		}
		if !fell {
			return "contention"
		}
	case "contention":
		// Contention may reach down to low counts, but no further than the fit says.
		if j.missesLowCounts(f) {
			return "unexplained"
		}
		if fellMore && !slices.ContainsFunc(j.joint, func(f *model.JointFit) bool { return f.Name == "collapse" }) {
			return j.signature()
		}
	case "uniform":
		if !j.uniform && (j.onset != nil || !j.flat()) {
			return "unexplained"
		}
	}
	return f.Name
}

// missesLowCounts tells whether the fitted ratio is off over the first third of the counts: by more than the noise and than a fifth of
// the largest change.
func (j *judgement) missesLowCounts(f *model.JointFit) bool {
	k := (len(j.d) + 2) / 3
	sum, v := 0.0, 0.0
	for i := range k {
		sum += j.d[i] - logRatio(f, j.counts[i])
		v += j.noise.se[i] * j.noise.se[i]
	}
	return math.Abs(sum)/float64(k) > max(theta/2, 2*math.Sqrt(v)/float64(k), 0.2*j.farthest(j.sign))
}

// enoughForLaws is the number of counts from which the laws with a collapse can be fitted.
const enoughForLaws = 9

// signature tells contention and collapse apart where there are too few counts for the laws that could: after an onset the slower curve
// either falls from its peak, or levels off lower.
func (j *judgement) signature() string {
	m := len(j.d)
	if m >= enoughForLaws || j.onset == nil || j.changed[m-1] != j.sign {
		return "unexplained"
	}
	switch fell, more := j.fell(); {
	case more:
		return "collapse"
	case !fell:
		return "contention"
	}
	return "unexplained"
}

// fell tells whether the slower curve ends below its peak, beyond 5 % and the noise, and whether it falls more than the faster one.
func (j *judgement) fell() (fell, more bool) {
	fall := func(y [][]float64) float64 {
		last := len(y) - 1
		top, at := math.Inf(-1), 0
		for i, v := range y {
			if t := stat.Log(median(v)); t > top {
				top, at = t, i
			}
		}
		end := stat.Log(median(y[last]))
		if at < last-1 {
			end = math.Max(end, stat.Log(median(y[last-1]))) // one low count at the end is no fall
		}
		return end - top
	}
	slow, fast := fall(j.yb), fall(j.ya)
	if j.sign > 0 {
		slow, fast = fast, slow
	}
	fell = slow < -math.Max(theta, 2.5*j.noise.sigma)
	return fell, fell && slow < fast-theta
}

// bestJoint is the joint fit that stands for the change: the best by AICc of those with one part that moved, if a fit of each curve on its
// own is no better; or explains little more; or if that part takes away nine tenths of what makes the curves two, and no other does.
// Nil if none does.
func (j *judgement) bestJoint() *model.JointFit {
	var separate, equal, best, next *model.JointFit
	for _, f := range j.joint {
		switch {
		case f.Name == "separate":
			separate = f
		case f.Name == "equal":
			equal = f
		case best == nil:
			best = f
		case next == nil:
			next = f
		}
	}
	if best == nil || j.joint[0].Name == "equal" {
		return nil
	}
	far := equal != nil && best.RSS <= 0.1*equal.RSS && (next == nil || best.RSS <= 0.5*next.RSS)
	if best.RMSLog > 0.15 {
		return nil
	}
	if separate != nil && separate.AICc < best.AICc-2 && !far && (best.RMSLog > 0.05 || best.RMSLog > 1.5*separate.RMSLog+0.005) {
		return nil
	}
	return best
}

// farthest is the largest |d| in a direction; in any for 0.
func (j *judgement) farthest(sign int) float64 {
	far := 0.0
	for _, d := range j.d {
		if sign == 0 || d*float64(sign) > 0 {
			far = math.Max(far, math.Abs(d))
		}
	}
	return far
}

// report fills the contract's struct.
func (j *judgement) report() report.Comparison {
	c := report.Comparison{
		Baseline: j.a.Label, Candidate: j.b.Label, Verdict: j.verdict, Differs: j.differs,
		Noise: &report.Noise{Source: j.noise.source, SigmaLog: round(j.noise.sigma, 4), Control: j.noise.control},
		Onset: j.onset, Mean: j.mean, MeanWhere: j.where, Restores: j.restores, RepeatsNeeded: j.repeatsFor,
	}
	for i, n := range j.counts {
		pt := report.RatioPoint{Clients: n, Ratio: stat.Exp(j.d[i]), Changed: j.changed[i] != 0}
		if j.noise.source == fromRepeats {
			if half := stat.StudentQuantile(0.025, j.noise.nus[i]) * j.noise.se[i]; half < 50 {
				pt.Lo, pt.Hi = new(stat.Exp(j.d[i]-half)), new(stat.Exp(j.d[i]+half))
			}
		}
		// The smallest p of a U test of three runs against three is 0.1: under four a side it can't show anything.
		if a, b := j.ya[i], j.yb[i]; len(a) >= 4 && len(b) >= 4 {
			u := benchmath.AssumeNothing.Compare(sample(a), sample(b))
			pt.P = &u.P
		}
		c.Points = append(c.Points, pt)
	}
	if cut := math.Max(theta, j.noise.cut()); cut < 50 {
		c.Band = &report.Band{Lo: stat.Exp(-cut), Hi: stat.Exp(cut)}
	}
	if !math.IsNaN(j.stepP) {
		c.Permutation, c.PermutationSeed = &j.stepP, permutationSeed
	}
	for _, f := range j.joint {
		out := report.JointFit{Name: f.Name, Parameters: f.K, RMSLog: f.RMSLog, AICc: f.AICc, Law: f.Law.Name}
		for i, p := range f.Law.Parameters {
			out.Baseline = append(out.Baseline, report.Parameter{Name: p.Name, Value: f.P[0][i], Unit: p.Unit})
			out.Candidate = append(out.Candidate, report.Parameter{Name: p.Name, Value: f.P[1][i], Unit: p.Unit})
		}
		c.JointFits = append(c.JointFits, out)
	}
	if j.verdict == regression || j.verdict == improvement || j.verdict == mixed {
		if len(j.d) >= 3 {
			c.Attribution = j.attribution()
		}
		c.Worst = j.worst()
		if c.Attribution == "collapse" || c.Attribution == "contention" {
			c.Floor = j.floorRatio()
		}
	}
	var moved []report.Moved
	if i := slices.Index(j.joint, j.bestJoint()); i >= 0 && j.joint[i].Name == c.Attribution {
		for _, m := range j.joint[i].Changes() {
			moved = append(moved, report.Moved{Name: m.Name, Ratio: m.Ratio, Lo: determined(m.In.Lo), Hi: determined(m.In.Hi)})
		}
		c.JointFits[i].Moved = moved
	}
	c.Why = j.why(c.Attribution, c.Floor, moved)
	return c
}

// determined is a pointer to the end of an interval of a ratio, nil where the data leave it open.
func determined(v float64) *float64 {
	if v <= 0 || math.IsInf(v, 1) {
		return nil
	}
	return &v
}

// sample copies, since benchmath sorts in place.
func sample(y []float64) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(y), &benchmath.DefaultThresholds)
}

// worst is the count with the ratio farthest from 1 in the direction of the verdict.
func (j *judgement) worst() *report.Worst {
	best := -1
	for i, d := range j.d {
		if (j.sign == 0 || d*float64(j.sign) > 0) && (best < 0 || math.Abs(d) > math.Abs(j.d[best])) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	return &report.Worst{Clients: j.counts[best], Ratio: stat.Exp(j.d[best])}
}

// floorRatio is the ratio of the floors that the best joint fit gives; nil if one of the curves has none, or has not come near it at the last count.
func (j *judgement) floorRatio() *float64 {
	f := j.bestJoint()
	if f == nil || f.Law.Limit == nil || f.Law.Saturation == nil {
		return nil
	}
	last := float64(j.counts[len(j.counts)-1])
	if 2*f.Law.Saturation(f.P[0]) > last || 2*f.Law.Saturation(f.P[1]) > last {
		return nil
	}
	a, oka := f.Law.Limit(f.P[0])
	b, okb := f.Law.Limit(f.P[1])
	if !oka || !okb || !(a > 0) || !(b > 0) || math.IsInf(a, 0) || math.IsInf(b, 0) {
		return nil
	}
	// A joint fit that misses the ratio at the end says nothing of what lies beyond.
	if m := len(j.d) - 1; math.Abs(stat.Log(b/a)-j.d[m]) > math.Max(2*theta, 2*j.noise.se[m]) {
		return nil
	}
	return new(b / a)
}
