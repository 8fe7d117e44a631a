package advise

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"pgknee/analysis/report"
	"pgknee/analysis/sorting"
	"pgknee/analysis/stat"
)

// latencies are the mean latencies by client count of runs that state no throughput: the median where a count was measured several times.
type latencies struct {
	series, mode string
	samples      map[int][]float64
	counts       []int
	ms           map[int]float64
}

// latencyCurves groups the runs that have a latency and no throughput by series and protocol, in the order of the input; what is named as not
// loaded comes first, as the others are held against it. The step is one unit of the last decimal that any of them is printed with.
func latencyCurves(r *report.Report) (list []*latencies, step float64) {
	decimals := 0
	for i := range r.Runs {
		run := &r.Runs[i]
		if run.TPS != nil || run.LatencyMs == nil || run.Clients == nil || *run.LatencyMs <= 0 || *run.Clients < 1 {
			continue
		}
		at := slices.IndexFunc(list, func(l *latencies) bool { return l.series == run.Series && l.mode == run.QueryMode })
		if at < 0 {
			at = len(list)
			list = append(list, &latencies{series: run.Series, mode: run.QueryMode, samples: map[int][]float64{}, ms: map[int]float64{}})
		}
		list[at].samples[*run.Clients] = append(list[at].samples[*run.Clients], *run.LatencyMs)
		_, fraction, _ := strings.Cut(strconv.FormatFloat(*run.LatencyMs, 'f', -1, 64), ".")
		decimals = max(decimals, len(fraction))
	}
	for _, l := range list {
		l.counts = slices.Sorted(maps.Keys(l.samples))
		for n, samples := range l.samples {
			l.ms[n] = stat.Median(samples)
		}
	}
	rank := func(l *latencies) int { return slices.Index([]bool{true, false}, notLoaded(l.series)) }
	sorting.StableBy(list, func(a, b *latencies) int { return rank(a) - rank(b) })
	return list, math.Pow10(-decimals)
}

// latencyPair is how the latency of one list departs from that of another at the counts that both have.
type latencyPair struct {
	a, b            *latencies
	most, least     float64 // the ratios of b to a farthest above and below 1 by more than rounding; 1 where there are none
	mostAt, leastAt int
	common          []int
}

func pairLatencies(a, b *latencies, step float64) *latencyPair {
	p := &latencyPair{a: a, b: b, most: 1, least: 1}
	for _, n := range a.counts {
		to, both := b.ms[n]
		if !both {
			continue
		}
		p.common = append(p.common, n)
		if math.Abs(to-a.ms[n]) < 1.5*step {
			continue
		}
		switch ratio := to / a.ms[n]; {
		case ratio > p.most:
			p.most, p.mostAt = ratio, n
		case ratio < p.least:
			p.least, p.leastAt = ratio, n
		}
	}
	return p
}

// size tells how far the pair is from no difference.
func (p *latencyPair) size() float64 { return max(math.Log(p.most), -math.Log(p.least)) }

// says puts the pair in a sentence.
func (p *latencyPair) says(name func(*latencies) report.Span) []report.Span {
	if p.size() == 0 {
		return []report.Span{text("No difference in latency between "), name(p.a), text(" and "), name(p.b), text(" beyond rounding, at %s.", countRange(p.common))}
	}
	atMost, upTo, comma := "at most ", "up to ", ","
	if len(p.common) == 1 {
		atMost, upTo, comma = "", "", ""
	}
	up := share100(p.most-1) + " higher than "
	if p.most >= timesFrom {
		up = percent(p.most) + " as high as "
	}
	down := share100(1-p.least) + " lower"
	spans := []report.Span{text("The latency of "), name(p.b), text(" is ")}
	if p.most == 1 {
		return append(spans, text("%s%s than that of ", upTo, down), name(p.a), text("%s at %s.", comma, clientsWords(p.leastAt)))
	}
	spans = append(spans, text("%s%sthat of ", atMost, up), name(p.a), text("%s at %s", comma, clientsWords(p.mostAt)))
	if p.least < 1 {
		spans = append(spans, text(", and up to %s, at %s", down, clientsWords(p.leastAt)))
	}
	return append(spans, text("."))
}

// sweep says how the latency of one list goes over the counts.
func (l *latencies) sweep(name func(*latencies) report.Span, step float64) []report.Span {
	first, last := l.counts[0], l.counts[len(l.counts)-1]
	spans := []report.Span{text("Latency")}
	if n := name(l); n.Text != "" {
		spans = []report.Span{text("The latency of "), n}
	}
	from, to := l.ms[first], l.ms[last]
	if first == last {
		return append(spans, text(" is %s at %s.", latency(from), clientsWords(first)))
	}
	most := last
	for _, n := range l.counts {
		if l.ms[n] > l.ms[most] {
			most = n
		}
	}
	verb := "rises"
	if to < from {
		verb = "falls"
	}
	if math.Abs(to-from) < 1.5*step {
		spans = append(spans, text(" is the same at %s as at %s: %s", clientsWords(last), clientsWords(first), latency(to)))
	} else {
		spans = append(spans, text(" %s from %s at %s to %s at %s", verb, latency(from), clientsWords(first), latency(to), count(last)))
	}
	if ends := max(from, to); l.ms[most] > 1.1*ends && l.ms[most]-ends > 1.5*step {
		spans = append(spans, text(", and is highest at %s: %s", count(most), latency(l.ms[most])))
	}
	if at := slices.IndexFunc(l.counts, func(n int) bool { return l.ms[n] > 2*from }); at > 0 {
		words := "; more than twice the first at %s"
		if at < len(l.counts)-1 && !slices.ContainsFunc(l.counts[at:], func(n int) bool { return l.ms[n] <= 2*from }) {
			words = "; more than twice the first from %s on"
		}
		spans = append(spans, text(words, clientsWords(l.counts[at])))
	}
	return append(spans, text("."))
}

// steep names the steps between neighbouring counts at which the latency more than doubles.
func (l *latencies) steep() string {
	var steps []string
	for i := 1; i < len(l.counts); i++ {
		a, b := l.counts[i-1], l.counts[i]
		if l.ms[b] > 2*l.ms[a] {
			steps = append(steps, fmt.Sprintf("from %s to %s clients (%s → %s)", count(a), count(b), latency(l.ms[a]), latency(l.ms[b])))
		}
	}
	return strings.Join(steps[:min(len(steps), 3)], ", ")
}

// latencySweep describes runs that state latencies and no throughput. They are held against each other by size and not by a test: a list of
// mean latencies says nothing of its noise.
func (w *writer) latencySweep() bool {
	list, step := latencyCurves(w.r)
	if len(list) == 0 {
		return false
	}
	modes := slices.ContainsFunc(list, func(l *latencies) bool { return l.mode != list[0].mode })
	name := func(l *latencies) report.Span {
		switch {
		case l.series == "" && modes:
			return text("the %s protocol", l.mode)
		case modes && l.mode != "":
			return report.Span{Text: l.series + " (" + l.mode + ")", Series: l.series}
		}
		return series(l.series)
	}
	var pairs []*latencyPair
	for i, l := range list[1:] { // with the first of the same protocol; protocols with each other where nothing else differs
		base := list[0]
		if at := slices.IndexFunc(list, func(o *latencies) bool { return o.mode == l.mode }); at <= i || l.series != base.series {
			base = list[at]
		}
		if p := pairLatencies(base, l, step); base != l && len(p.common) > 0 {
			pairs = append(pairs, p)
		}
	}
	sorting.StableBy(pairs, func(a, b *latencyPair) int { return cmp.Compare(b.size(), a.size()) })
	var sentences [][]report.Span
	for _, p := range pairs[:min(len(pairs), 3)] {
		sentences = append(sentences, p.says(name))
	}
	if n := len(pairs) - 3; n > 0 {
		rest := "depart less"
		if pairs[2].size() == 0 {
			rest = "show no difference either"
		}
		sentences = append(sentences, []report.Span{text("%d more %s.", n, rest)})
	}
	several := slices.ContainsFunc(list, func(l *latencies) bool { return len(l.counts) > 1 })
	if several || len(pairs) == 0 {
		for _, l := range list[:min(len(list), 2)] {
			sentences = append(sentences, l.sweep(name, step))
			if steep := l.steep(); steep != "" && len(list) == 1 {
				sentences = append(sentences, []report.Span{text("It more than doubles %s.", steep)})
			}
		}
	}
	w.headline(sentences[0]...)
	for _, s := range sentences[1:] {
		w.say(s...)
	}
	repeated := slices.ContainsFunc(list, func(l *latencies) bool {
		return slices.ContainsFunc(l.counts, func(n int) bool { return len(l.samples[n]) > 1 })
	})
	if len(pairs) > 0 && pairs[0].size() > 0 && !repeated {
		w.say(text("Each was measured once: nothing tells how much of that is noise."))
	}
	w.say(text("No throughput is stated, so no law is fitted and no peak is known."))
	return true
}

func clientsWords(n int) string { return plural(float64(n), "client", "clients") }

// countRange names the first and last of client counts.
func countRange(n []int) string {
	if len(n) == 1 {
		return clientsWords(n[0])
	}
	return count(n[0]) + " to " + clientsWords(n[len(n)-1])
}

func latency(ms float64) string { return strconv.FormatFloat(ms, 'g', 4, 64) + " ms" }
