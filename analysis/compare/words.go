package compare

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pgknee/analysis/bench"
	"pgknee/analysis/report"
	"pgknee/analysis/stat"
)

// why is the verdict in one sentence: counts, sizes, the source of the noise.
func (j *judgement) why(attribution string, floor *float64, moved []report.Moved) string {
	var s string
	switch j.verdict {
	case regression, improvement:
		s = j.b.Label + " is " + j.word() + " than " + j.a.Label + " " + j.change()
		if attribution == "unexplained" && !j.atLowCountsOnly() && len(j.d) >= 5 && !j.flat() {
			s += "; no single part of a law explains it"
		}
		if floor != nil && *floor < 0.95 {
			s += fmt.Sprintf("; the floor is %s times as high", strconv.FormatFloat(*floor, 'f', 2, 64))
		}
		for i, m := range moved {
			s += movedText(m, i == 0)
		}
	case mixed:
		s = fmt.Sprintf("%s is faster than %s at %s (%s) and slower at %s (%s)", j.b.Label, j.a.Label,
			j.changedCounts(1), j.extreme(1), j.changedCounts(-1), j.extreme(-1))
	case noDifference:
		over := fmt.Sprintf("the mean ratio over %d counts", len(j.d))
		if len(j.d) == 1 {
			over = "the ratio at " + countsText(j.counts)
		}
		s = fmt.Sprintf("No difference detected between %s and %s: %s is %s", j.a.Label, j.b.Label, over, meanText(j.mean))
		if m := j.mean; m.Ratio < 0.99 && m.Hi < 1 || m.Ratio > 1.01 && m.Lo > 1 {
			s += ", real but under the 5 % that count as a difference"
		}
		switch {
		case j.where == nil:
		case *j.where == *j.mean:
			s += fmt.Sprintf(", at all of which %s departs", j.whereOf)
		default:
			s += fmt.Sprintf(", and %s where %s departs (%s)", meanText(j.where), j.whereOf, j.whereAt)
		}
		if out := j.outlying(); out != "" {
			s += "; equal on average, not at every count: " + out
		}
	default:
		return j.whyInconclusive()
	}
	return s + "; " + j.noiseText() + "."
}

// movedText says by how much a parameter of the joint fit moved. One factor at all counts is said by the mean ratio.
func movedText(m report.Moved, first bool) string {
	text := map[string]string{
		"alpha": "; the serial share is %s times as large", "beta": "; the cost of keeping clients in step is %s times as large",
		"delta": "; the serial share that the collapse adds is %s times as large", "K": ", at %s times the clients",
	}[m.Name]
	if text == "" {
		return ""
	}
	figure := func(v float64) string {
		if v < 10 {
			return strconv.FormatFloat(v, 'f', 2, 64)
		}
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	s := fmt.Sprintf(text, figure(m.Ratio))
	level := ""
	if first {
		level = "95 % interval "
	}
	switch {
	case m.Lo != nil && m.Hi != nil:
		return s + fmt.Sprintf(" (%s%s to %s)", level, figure(*m.Lo), figure(*m.Hi))
	case m.Lo != nil:
		return s + " (at least " + figure(*m.Lo) + ")"
	case m.Hi != nil:
		return s + " (at most " + figure(*m.Hi) + ")"
	}
	return s + " (not determined)"
}

func (j *judgement) word() string {
	if j.sign > 0 {
		return "faster"
	}
	return "slower"
}

// change says where and by how much a series is slower or faster.
func (j *judgement) change() string {
	m := len(j.d)
	if m == 1 {
		return fmt.Sprintf("at %s, %s", countsText(j.counts), meanText(j.mean))
	}
	if j.uniform {
		return "by the same factor at all counts within the noise, " + meanText(j.mean)
	}
	if j.how == "shift" {
		return "at all counts together, " + meanText(j.mean) + ", though no pattern over the counts stands out"
	}
	if !slices.Contains(j.changed, 0) && !slices.Contains(j.changed, -j.sign) {
		return fmt.Sprintf("at every count (%s at %d, %s at %d)", percent(j.d[0]), j.counts[0], percent(j.d[m-1]), j.counts[m-1])
	}
	s := "at " + j.changedCounts(j.sign)
	first := slices.Index(j.changed, j.sign)
	if j.onset != nil && (j.onset.Shape == stat.Step || !slices.Contains(j.changed[slices.Index(j.counts, j.onset.At):], 0)) {
		s = fmt.Sprintf("from %d clients on", j.onset.At)
		first = slices.Index(j.counts, j.onset.At)
	}
	switch {
	case j.how == "step" && j.stepP > alphaStep:
		s += " taken together"
	case j.how == "step":
		s += fmt.Sprintf(" taken together (permutation p = %s)", strconv.FormatFloat(j.stepP, 'g', 2, 64))
	}
	if w := j.worst(); first < 0 || w.Clients == j.counts[first] {
		s += fmt.Sprintf(" (%s)", j.extreme(j.sign))
	} else {
		s += fmt.Sprintf(" (%s at %d, %s)", percent(j.d[first]), j.counts[first], j.extreme(j.sign))
	}
	switch {
	case slices.Contains(j.changed, -j.sign):
		s += fmt.Sprintf("; %s goes the other way (%s), without more counts to bear it out", j.changedCounts(-j.sign), j.extreme(-j.sign))
	case j.onset != nil && j.onset.Shape != stat.Step && j.changed[m-1] != j.sign:
		s += "; elsewhere no difference shows"
	case j.onset != nil && j.onset.After == j.counts[0]:
		s += "; at " + plural(j.onset.After, "client") + " no difference shows"
	case j.onset != nil:
		s += fmt.Sprintf("; at %d and fewer no difference shows", j.onset.After)
	case j.atLowCountsOnly():
		i := slices.Index(j.changed, 0)
		more := " and more"
		if i == m-1 {
			more = " clients"
		}
		s += fmt.Sprintf("; at %d%s no difference shows", j.counts[i], more)
	}
	return s
}

// atLowCountsOnly tells whether the change is a leading part of the counts.
func (j *judgement) atLowCountsOnly() bool {
	i := slices.Index(j.changed, 0)
	return i > 0 && j.sign != 0 && !slices.Contains(j.changed[i:], j.sign)
}

// changedCounts lists the counts that changed in a direction: "1 to 16, 64 clients".
func (j *judgement) changedCounts(sign int) string {
	var parts []string
	for i := 0; i < len(j.changed); i++ {
		if j.changed[i] != sign {
			continue
		}
		k := i
		for k+1 < len(j.changed) && j.changed[k+1] == sign {
			k++
		}
		switch {
		case k == i:
			parts = append(parts, strconv.Itoa(j.counts[i]))
		case k == i+1:
			parts = append(parts, strconv.Itoa(j.counts[i]), strconv.Itoa(j.counts[k]))
		default:
			parts = append(parts, fmt.Sprintf("%d to %d", j.counts[i], j.counts[k]))
		}
		i = k
	}
	if len(parts) == 0 {
		return fmt.Sprintf("%d to %d clients", j.counts[0], j.counts[len(j.counts)-1])
	}
	if len(parts) == 1 && parts[0] == "1" {
		return "1 client"
	}
	return list(parts) + " clients"
}

// extreme is the largest change in a direction, with its count.
func (j *judgement) extreme(sign int) string {
	best := -1
	for i, d := range j.d {
		if d*float64(sign) > 0 && (best < 0 || math.Abs(d) > math.Abs(j.d[best])) {
			best = i
		}
	}
	if best < 0 {
		return "0 %"
	}
	return fmt.Sprintf("%s at %d", percent(j.d[best]), j.counts[best])
}

// outlying names the counts beyond 5 % of a pair that is equal on average.
func (j *judgement) outlying() string {
	var out []string
	for i := range j.d {
		if j.beyond(i) != 0 {
			out = append(out, fmt.Sprintf("%s at %d", percent(j.d[i]), j.counts[i]))
		}
	}
	if n := len(out) - 4; n > 1 {
		out = append(out[:4:4], fmt.Sprintf("%d more", n))
	}
	return list(out)
}

func (j *judgement) whyInconclusive() string {
	m := len(j.d)
	if top := j.leftOutAtTheTop(); top != nil && j.mean.Equivalent {
		return fmt.Sprintf("Up to %d clients no difference shows between %s and %s, the mean ratio is %s; but at %s runs were aborted: nothing is known there; %s.",
			j.counts[m-1], j.a.Label, j.b.Label, meanText(j.mean), list(texts(top)), j.noiseText())
	}
	if m < 3 && j.noise.source == assumed {
		var at []string
		for i := range j.d {
			at = append(at, fmt.Sprintf("%s at %d", percent(j.d[i]), j.counts[i]))
		}
		return fmt.Sprintf("%s against %s is %s, and nothing tells how noisy that is: %d runs a side at each count would.",
			j.b.Label, j.a.Label, list(at), j.repeatsFor)
	}
	var s string
	if slices.ContainsFunc(j.changed, func(c int) bool { return c != 0 }) {
		var at []string
		for i, c := range j.changed {
			if c != 0 {
				at = append(at, fmt.Sprintf("%s at %d", percent(j.d[i]), j.counts[i]))
			}
		}
		s = fmt.Sprintf("Between %s and %s only %s stands out and the neighbouring counts do not follow: measure there again; the mean ratio is %s", j.a.Label, j.b.Label, list(at), meanText(j.mean))
	} else {
		s = fmt.Sprintf("The data can't tell %s and %s apart, nor call them equal: the mean ratio is %s", j.a.Label, j.b.Label, meanText(j.mean))
	}
	s += "; " + j.noiseText()
	if j.noise.source == assumed {
		return s + fmt.Sprintf("; %d runs a side at each count would tell the noise.", j.repeatsFor)
	}
	if j.repeatsFor > 50 {
		return s + fmt.Sprintf("; over %d repeats a side would be needed to settle a difference of 5 %%: make the runs longer and the machine quieter first.", j.repeatsFor/10*10)
	}
	return s + fmt.Sprintf("; about %d repeats a side would settle a difference of 5 %%.", j.repeatsFor)
}

// noiseText names the noise and where it is known from.
func (j *judgement) noiseText() string {
	size := strings.TrimPrefix(percent(j.noise.sigma), "+")
	least, most := j.repeats()
	runs := "one run per point"
	switch {
	case most > 1 && least == most:
		runs = fmt.Sprintf("%d runs per point", least)
	case most > 1:
		runs = fmt.Sprintf("%d to %d runs per point", least, most)
	}
	switch j.noise.source {
	case fromRepeats:
		return "noise of a ratio " + size + ", from the repeats (" + runs + ")"
	case fromControl:
		return "noise of a ratio " + size + ", from the control series " + j.noise.control + " (" + runs + ")"
	case fromJoint:
		if j.noise.rough {
			return "noise of a ratio " + size + ", from its scatter about a smooth ratio, as the joint fit misses it (" + runs + ")"
		}
		if j.noise.others {
			return "noise of a ratio " + size + ", from the counts that do not depart, as the joint fit misses the others (" + runs + ")"
		}
		if j.noise.shape != "" {
			return "noise of a ratio " + size + ", from its scatter about a " + j.noise.shape + ", as the joint fit misses it (" + runs + ")"
		}
		return "noise of a ratio " + size + ", from the joint fit (" + runs + ")"
	case fromIntervals:
		return "noise of a ratio at least " + size + ", from the progress inside the runs (" + runs + ")"
	}
	if j.noise.sigma > assumedSigma {
		return "noise of a ratio taken to be " + size + ", the scatter of the ratios themselves (" + runs + ")"
	}
	return "noise of a ratio assumed to be " + size + " (" + runs + ")"
}

// caveats are what weakens the statement, and what is not known.
func (j *judgement) caveats(fa, fb conditions) []string {
	var out []string
	found := j.sign != 0 || j.verdict == mixed
	_, most := j.repeats()
	if most == 1 && len(j.d) >= 3 {
		out = append(out, "One run per point: the sizes, the bracket and the whole curve carry the statement, no single count does.")
	}
	if j.noise.source == assumed {
		out = append(out, "The noise is an assumption: nothing was measured twice and there are too few counts for a law.")
	}
	if found && (j.uniform || j.how == "shift") {
		out = append(out, "A machine that changed between the two sweeps would look the same: interleave the runs of the two series to exclude it.")
	}
	if only := onlyOneSide(j.a, j.b); only != "" {
		out = append(out, only)
	}
	for _, c := range []*bench.Curve{j.a, j.b} {
		if s := leftOutText(c); s != "" {
			out = append(out, s)
		}
	}
	for _, c := range []*bench.Curve{j.a, j.b} {
		if s := coldStart(c); s != "" {
			out = append(out, s)
		}
	}
	out = append(out, j.strays()...)
	out = append(out, j.flagCaveats()...)
	if found && len(j.differs) > 1 {
		var names []string
		for _, d := range j.differs {
			names = append(names, d.Name)
		}
		out = append(out, "Several things differ between the two ("+list(names)+"): the data can't tell which of them made the change.")
	}
	if len(j.differs) == 1 {
		if d := j.differs[0]; !named(j.a.Label, j.b.Label, d) {
			differ := "differs"
			if strings.HasSuffix(d.Name, "s") {
				differ = "differ"
			}
			out = append(out, fmt.Sprintf("The %s %s (%s against %s); the labels don't say whether that is what is compared.", d.Name, differ, d.Baseline, d.Candidate))
		}
	}
	neither, one := unknown(fa, fb)
	if len(neither) > 0 {
		out = append(out, "Not stated for either side: "+list(neither)+".")
	}
	if len(one) > 0 {
		out = append(out, "Stated for one side only: "+list(one)+".")
	}
	if j.verdict == noDifference && j.where != nil && j.restores == "" {
		out = append(out, "Consistent with bringing "+j.a.Label+" back, but the joint fit does not prefer one curve for both.")
	}
	return out
}

// strays names the runs that are far from all others of their count.
func (j *judgement) strays() (out []string) {
	if j.noise.source != fromRepeats {
		return nil
	}
	for _, side := range []struct {
		c *bench.Curve
		y [][]float64
	}{{j.a, j.ya}, {j.b, j.yb}} {
		usual, _ := pooled(side.c)
		var at []string
		for i, y := range side.y {
			if kept, k := withoutStray(y, usual); k >= 0 {
				at = append(at, fmt.Sprintf("%s at %d", percent(y[k]-stat.Mean(kept)), j.counts[i]))
			}
		}
		if len(at) > 0 {
			out = append(out, fmt.Sprintf("A run of %s is far from the others of its count (%s clients): it enters the median and not the noise; find out what happened there.", side.c.Label, list(at)))
		}
	}
	return out
}

// flagCaveats names flags of the runs at the counts that decide: those that changed, or all.
func (j *judgement) flagCaveats() []string {
	texts := []struct{ flag, text string }{
		{bench.FlagShort, "runs under 60 s"},
		{bench.FlagFailures, "runs with failed transactions"},
		{bench.FlagClientsOverScale, "more clients than pgbench_branches rows, so row locks limit the throughput"},
		{bench.FlagOneThread, "one pgbench thread for many clients, so pgbench may be the limit"},
		{bench.FlagIntervalGap, "progress with gaps"},
		{bench.FlagExcludingSpoilt, "a pgbench that overstates the figure without connections, so the one with them is taken"},
		{bench.FlagUnevenThreads, "clients that are no multiple of the threads"},
	}
	var out []string
	anywhere := !slices.ContainsFunc(j.changed, func(c int) bool { return c != 0 })
	for _, t := range texts {
		at := map[int]bool{}
		for _, c := range []*bench.Curve{j.a, j.b} {
			for _, p := range c.Points {
				i, common := slices.BinarySearch(j.counts, p.Clients)
				if !common || !anywhere && j.changed[i] == 0 {
					continue
				}
				for _, r := range p.Runs {
					if r.Has(t.flag) {
						at[p.Clients] = true
					}
				}
			}
		}
		if len(at) == 0 {
			continue
		}
		var counts []int
		for n := range at {
			counts = append(counts, n)
		}
		slices.Sort(counts)
		out = append(out, "At "+countsText(counts)+": "+t.text+".")
	}
	return out
}

// onlyOneSide names the counts that one of the curves lacks.
func onlyOneSide(a, b *bench.Curve) string {
	lacks := func(c, other *bench.Curve) []int {
		var out []int
		for _, p := range c.Points {
			if !slices.ContainsFunc(other.Points, func(q bench.Point) bool { return q.Clients == p.Clients }) {
				out = append(out, p.Clients)
			}
		}
		return out
	}
	var parts []string
	if n := lacks(a, b); n != nil {
		parts = append(parts, countsText(n)+" for "+a.Label)
	}
	if n := lacks(b, a); n != nil {
		parts = append(parts, countsText(n)+" for "+b.Label)
	}
	if parts == nil {
		return ""
	}
	return "Measured for one side only and not compared: " + strings.Join(parts, "; ") + "."
}

// coldStart tells that the first of the runs at each count is the slowest, and by how much: it found the caches cold. With three repeats at
// four counts chance does that once in 80 times, and seldom by 10 %.
func coldStart(c *bench.Curve) string {
	counts := 0
	var drops []float64
	for _, p := range c.Points {
		y := logs(p.Samples)
		if len(y) < 3 || len(y) != len(p.Samples) {
			continue
		}
		counts++
		if rest := y[1:]; y[0] < slices.Min(rest) {
			drops = append(drops, y[0]-stat.Mean(rest))
		}
	}
	if counts < 4 || len(drops) < counts {
		return ""
	}
	if drop := stat.Median(drops); drop < -2*theta {
		return fmt.Sprintf("At every count the first run of %s is the slowest (median %s): if it found the caches cold, leave the first runs out.", c.Label, percent(drop))
	}
	return ""
}

// leftOutText names the counts at which runs of a curve don't count, and the flags that say why.
func leftOutText(c *bench.Curve) string {
	var counts []int
	var flags []string
	for _, r := range c.LeftOut {
		if r.Clients != nil {
			counts = append(counts, *r.Clients)
		}
		for _, f := range r.Flags {
			if bench.KeepsOut(f) && !slices.Contains(flags, f) {
				flags = append(flags, f)
			}
		}
	}
	if len(counts) == 0 {
		return ""
	}
	slices.Sort(counts)
	why := ""
	if len(flags) > 0 {
		why = " (" + strings.ReplaceAll(strings.Join(flags, ", "), "-", " ") + ")"
	}
	return "Runs of " + c.Label + " at " + countsText(slices.Compact(counts)) + " are left out" + why + "."
}

// countsText is a short list of client counts.
func countsText(n []int) string {
	if len(n) == 1 && n[0] == 1 {
		return "1 client"
	}
	if len(n) > 6 {
		return fmt.Sprintf("%d counts from %d to %d clients", len(n), n[0], n[len(n)-1])
	}
	return list(texts(n)) + " clients"
}

func texts(n []int) []string {
	var out []string
	for _, v := range n {
		out = append(out, strconv.Itoa(v))
	}
	return out
}

// list joins with commas and an "and".
func list(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// percent is a log ratio as a change in per cent: one decimal under 10 %; from five on as how many times.
func percent(d float64) string {
	if times := stat.Exp(d); times >= 5 {
		digits := 1
		if times >= 100 {
			digits = 0
		}
		return strconv.FormatFloat(times, 'f', digits, 64) + " times"
	}
	if math.Abs(100*math.Expm1(d)) >= 9.95 {
		return change(d, 0)
	}
	return change(d, 1)
}

// change is a log ratio as a change in per cent with so many decimals.
func change(d float64, digits int) string {
	v := 100 * math.Expm1(d)
	s := strconv.FormatFloat(math.Abs(v), 'f', digits, 64)
	switch {
	case strings.Trim(s, "0.") == "":
		return s + " %"
	case v < 0:
		return "−" + s + " %"
	}
	return "+" + s + " %"
}

// meanText is a mean ratio with its interval.
func meanText(m *report.MeanRatio) string {
	text := percent
	if m.Hi-m.Lo < 0.04 {
		text = func(d float64) string { return change(d, 1) }
	}
	lo, hi := text(stat.Log(m.Lo)), text(stat.Log(m.Hi))
	for _, unit := range []string{" %", " times"} {
		if strings.HasSuffix(hi, unit) {
			lo = strings.TrimSuffix(lo, unit)
		}
	}
	return fmt.Sprintf("%s (90 %% interval %s to %s)", text(stat.Log(m.Ratio)), lo, hi)
}

// seconds without needless digits: whole from 100 on, a tenth from 10 on.
func seconds(s float64) string {
	digits := 3
	switch {
	case s >= 100:
		digits = 0
	case s >= 10:
		digits = 1
	}
	return strconv.FormatFloat(round(s, digits), 'f', -1, 64) + " s"
}

// thousands is a throughput with blanks between thousands, from 10,000 on.
func thousands(v float64) string {
	s := strconv.FormatFloat(v, 'f', 0, 64)
	if len(s) < 5 {
		return s
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

func round(v float64, digits int) float64 {
	f := stat.Pow(10, float64(digits))
	return math.Round(v*f) / f
}
