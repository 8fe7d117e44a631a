package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"pgknee/analysis/bench"
	"pgknee/analysis/stat"
)

// leastIntervals is how many intervals a run must have before anything is said about its course.
const leastIntervals = 10

// steady takes the intervals that are whole: the last one is often cut short, and repeated ends of different threads are not summed here.
func steady(r *bench.Run) (end, tps []float64) {
	if len(r.Intervals) == 0 {
		return nil, nil
	}
	end, tps = make([]float64, 0, len(r.Intervals)), make([]float64, 0, len(r.Intervals))
	for _, v := range r.Intervals {
		if math.IsNaN(v.TPS) || math.IsInf(v.TPS, 0) || v.TPS < 0 || len(end) > 0 && v.EndS <= end[len(end)-1] {
			continue
		}
		end, tps = append(end, v.EndS), append(tps, v.TPS)
	}
	if n := len(end); n >= 3 && end[n-1]-end[n-2] < 0.7*(end[n-2]-end[n-3]) {
		end, tps = end[:n-1], tps[:n-1]
	}
	return end, tps
}

// standardError of ln TPS of the run as its intervals show it: sd/sqrt(n_eff) with n_eff = n (1-ρ)/(1+ρ), ρ the correlation of
// neighbouring intervals. It is a lower bound of the noise between runs.
func standardError(r *bench.Run) (float64, bool) {
	_, tps := steady(r)
	n := len(tps)
	mean := stat.Mean(tps)
	if n < leastIntervals || !(mean > 0) {
		return 0, false
	}
	rho := math.Min(0.95, math.Max(0, neighbours(tps)))
	return math.Sqrt(stat.Variance(tps)/(float64(n)*(1-rho)/(1+rho))) / mean, true
}

// neighbours is the correlation of neighbouring values; 0 if all are equal.
func neighbours(v []float64) float64 {
	mean := stat.Mean(v)
	var c0, c1 float64
	for i := range v {
		c0 += (v[i] - mean) * (v[i] - mean)
		if i > 0 {
			c1 += (v[i] - mean) * (v[i-1] - mean)
		}
	}
	if c0 == 0 {
		return 0
	}
	return c1 / c0
}

// Course tells what went on inside a run: notes in words, and the flags that sum them up. It reads the intervals and the latency only.
func Course(r *bench.Run) (notes, flags []string) {
	end, tps := steady(r)
	if len(tps) >= leastIntervals {
		notes, flags = course(end, tps, cmp.Or(r.Unit, "tps"))
	}
	if note := littlesLaw(r); note != "" {
		notes, flags = append(notes, note), append(flags, bench.FlagLatencyMismatch)
	}
	return notes, flags
}

func course(end, tps []float64, unit string) (notes, flags []string) {
	n := len(tps)
	even := slices.Max(tps) < 1.5*slices.Min(tps) // without swings and stalls, at a look: a report has thousands of runs
	if !even {
		sorted := slices.Clone(tps)
		slices.Sort(sorted)
		if !(stat.MedianSorted(sorted) > 0) {
			return nil, nil
		}
		if s := sawTooth(end, tps, sorted, unit); s != "" {
			return []string{s}, []string{bench.FlagSawTooth}
		}
	}
	from := warmUp(tps)
	if from > 0 {
		level := stat.Median(tps[from:])
		first := stat.Mean(tps[:from])
		notes = append(notes, fmt.Sprintf("Warm-up: the first %s run at %s of the later level; the steady part from there on gives %s %s.",
			seconds(end[from-1]), percent(stat.Log(math.Max(first, 1e-9*level)/level)), figure(stat.Mean(tps[from:])), unit))
		flags = append(flags, bench.FlagWarmingUp)
	}
	rest, at := tps[from:], end[from:]
	if !even {
		if s := stalls(at, rest, n, unit); s != "" {
			notes, flags = append(notes, s), append(flags, bench.FlagStalls)
		}
	}
	if change, ok := drift(at, rest); ok {
		notes = append(notes, fmt.Sprintf("Drift: throughput changes by %s from the beginning to the end of the run.", percent(stat.Log(math.Max(1+change, 0.01)))))
		flags = append(flags, bench.FlagDrift)
	}
	return notes, flags
}

// stalls are intervals under half of the median, at most a third of them; n is the number of intervals of the whole run.
func stalls(end, tps []float64, n int, unit string) string {
	level := stat.Median(tps)
	stalled, worst := 0, -1
	var begins []float64
	for i, v := range tps {
		if v < level/2 {
			stalled++
			if i == 0 || tps[i-1] >= level/2 {
				begins = append(begins, end[i])
			}
			if worst < 0 || v < tps[worst] {
				worst = i
			}
		}
	}
	if stalled == 0 || 3*stalled > len(tps) {
		return ""
	}
	every := ""
	if k := len(begins) - 1; k >= 3 {
		every = fmt.Sprintf(", about every %.0f s", (begins[k]-begins[0])/float64(k))
	}
	return fmt.Sprintf("Stalls: %s of %d under half of the median%s; the lowest ends at %s with %s %s against %s.",
		plural(stalled, "interval"), n, every, seconds(end[worst]), figure(tps[worst]), unit, figure(level))
}

// warmUp is the number of intervals at the beginning that run clearly below the rest: by over 10 % and over three times the
// scatter of the rest; at most a third of the run.
func warmUp(tps []float64) int {
	n := len(tps)
	rest := tps[n/3:]
	reached := 0
	for _, v := range rest {
		if tps[0] >= 0.9*v {
			reached++
		}
	}
	if 2*reached > len(rest) { // it begins at the level of the rest
		return 0
	}
	level := stat.Median(rest)
	low := math.Min(0.9*level, level-3*stat.MAD(rest))
	from := 0
	for from < n/3 && tps[from] < low {
		from++
	}
	if from == n/3 {
		return 0 // no end of it in sight: that is drift
	}
	return from
}

// drift is the relative change over the run by the median slope, if it is over 10 % and Kendall's test calls the trend real.
func drift(at, tps []float64) (float64, bool) {
	all := tps
	// At most 300 places keep the number of pairs small; each is the mean of its neighbours.
	at, tps = thin(at, 300), thin(tps, 300)
	n := float64(len(tps))
	if len(tps) < leastIntervals {
		return 0, false
	}
	s := 0 // how many pairs rise, less those that fall
	before := make([]float64, 0, len(tps))
	for i, v := range tps {
		less, end := 0, i // by hand: this is half of what looking at a run takes
		for less < end {
			if middle := (less + end) / 2; before[middle] < v {
				less = middle + 1
			} else {
				end = middle
			}
		}
		more := less
		for more < i && before[more] == v {
			more++
		}
		s += less - (i - more)
		before = append(before, v)
		copy(before[less+1:], before[less:])
		before[less] = v
	}
	if z := float64(s) / math.Sqrt(n*(n-1)*(2*n+5)/18); math.Abs(z) <= 3.3 {
		return 0, false
	}
	level := stat.Median(all)
	change := stat.TheilSen(at, tps) * (at[len(at)-1] - at[0]) / level
	return change, level > 0 && math.Abs(change) > 0.10
}

// thin averages neighbours so that at most limit values are left.
func thin(v []float64, limit int) []float64 {
	k := (len(v) + limit - 1) / limit
	if k <= 1 {
		return v
	}
	out := make([]float64, 0, len(v)/k)
	for i := 0; i+k <= len(v); i += k {
		out = append(out, stat.Mean(v[i:i+k]))
	}
	return out
}

// sawTooth recognises a run that goes up and down between two levels again and again: two thirds of the time in the lower or the upper
// quarter of its range, a fifth at least in each, on average two intervals and more at a time, with at least two falls. Checkpoints look like that.
func sawTooth(end, tps, sorted []float64, unit string) string {
	lowest, highest := stat.Interval(sorted, 0.8)
	middle := (lowest + highest) / 2
	if !(middle > 0) || highest < 1.5*lowest {
		return ""
	}
	low, high := middle-(highest-lowest)/4, middle+(highest-lowest)/4
	var below, above, dips int
	var falls []float64
	state := 0
	for i, v := range tps {
		switch {
		case v < low:
			below++
			if state >= 0 {
				dips++
			}
			if state == 1 {
				falls = append(falls, end[i])
			}
			state = -1
		case v > high:
			above++
			state = 1
		}
	}
	n := len(tps)
	// Values at random cross often, and stalls are short: a saw-tooth stays below for some intervals.
	if 5*below < n || 5*above < n || 3*(below+above) < 2*n || len(falls) < 2 || below < 2*dips || neighbours(tps) < 0.3 {
		return ""
	}
	period := (falls[len(falls)-1] - falls[0]) / float64(len(falls)-1)
	return fmt.Sprintf("Saw-tooth: throughput swings between about %s and %s %s every %s or so, as it does with checkpoints; a run must hold several of them.",
		figure(lowest), figure(highest), unit, strconv.FormatFloat(period, 'f', 0, 64)+" s")
}

// figure is a throughput with three or so digits.
func figure(v float64) string {
	if v >= 1000 {
		e := stat.Pow(10, math.Floor(stat.Log10(v))-2)
		return thousands(math.Round(v/e) * e)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// LatencyDerived tells whether the mean latency of a run is clients × time / transactions, to its printed digits: the same measurement
// as the throughput in another form.
func LatencyDerived(r *bench.Run) bool {
	if r.LatencyDerived {
		return true
	}
	if r.LatencyMs == nil || r.Clients == nil || r.Transactions == nil || r.DurationS == nil || *r.Transactions <= 0 || r.LatencyStddevMs != nil {
		return false
	}
	derived := float64(*r.Clients) * *r.DurationS * 1000 / float64(*r.Transactions)
	return math.Abs(derived-*r.LatencyMs) <= 0.01*derived+r.LatencyResolutionMs
}

// littlesLaw holds throughput × latency against the number of clients, where the latency is a measurement of its own, and says which of
// the numbers is suspect. "" where they agree, or can't be held against each other.
func littlesLaw(r *bench.Run) string {
	if r.LatencyMs == nil || r.TPS == nil || r.Clients == nil || *r.Clients <= 0 || *r.TPS <= 0 || *r.LatencyMs <= 0 ||
		LatencyDerived(r) || r.RateLimitTPS != nil || r.Has(bench.FlagReconnect) || r.Unit != "" {
		return ""
	}
	busy := *r.TPS * *r.LatencyMs / 1000
	clients := float64(*r.Clients)
	slack := r.LatencyResolutionMs / *r.LatencyMs
	if slack == 0 {
		slack = 0.01
	}
	ratio := busy / clients
	if ratio <= 1.03+slack && ratio >= 0.75-slack {
		return ""
	}
	s := fmt.Sprintf("Little's law: %s tps × %s ms is %s clients at work, not %d; ", figure(*r.TPS), strconv.FormatFloat(*r.LatencyMs, 'g', 4, 64), figure(busy), *r.Clients)
	span := 0.0 // the time that the throughput is of
	if r.Transactions != nil && r.DurationS != nil {
		span = *r.DurationS
		if r.InitialConnectionMs != nil && r.TPSKind == bench.ExcludingConnections {
			span -= *r.InitialConnectionMs / 1000
		}
	}
	if span > 0 {
		counted := float64(*r.Transactions) / span
		if far := counted / *r.TPS; far > 1.05 || far < 0.95 {
			return s + fmt.Sprintf("the transactions counted in %s are %s tps, so the throughput is the suspect number.", seconds(span), figure(counted))
		}
		if ratio > 1 {
			return s + "the transactions counted agree with the throughput, so the latency (or the number of clients) is the suspect number."
		}
		return s + "the transactions counted agree with the throughput, so either the latency is the suspect number or the clients waited for pgbench itself, which was the limit."
	}
	if ratio > 1 {
		return s + "more than there are, so the latency includes waiting before the start, or the throughput counts more than these transactions."
	}
	return s + "the clients waited for something outside the transactions: pgbench itself or think time may be the limit."
}
