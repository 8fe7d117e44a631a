package table

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// rate is what a cell of throughput holds.
type rate struct {
	values    []float64
	unit      string
	latencyMs float64
	clients   int // stated in the cell itself; -1 for not
	absent    bool
	struck    bool   // something was struck through
	ends      bool   // the values are the ends of a range
	why       string // why there is no number
}

// mostRate is more than any system ever did in a second: what is above it is a counter gone wrong.
const mostRate = 1e12

// readRate reads a cell of throughput.
func readRate(text string, m marks, blanks bool) rate {
	out := rate{clients: -1}
	if v, ok := fastFloat(text); ok && m == (marks{}) && v <= mostRate {
		out.values = []float64{v}
		return out
	}
	if strings.Contains(text, "~~") || strings.Contains(text, "</") {
		_, out.struck = unstruck(stripTags(text))
	}
	t := clean(text)
	if absent(t) {
		out.absent = true
		return out
	}
	qs, words := scan(t, blanks)
	if len(qs) == 0 {
		out.why = fmt.Sprintf("%q is no throughput", cut(t, 60))
		return out
	}
	if strings.HasPrefix(t, "(") || qs[0].at > 0 && len(words) > 0 && strings.Contains(t[:qs[0].at], words[0]) && rateUnit(qs[0].unit) == "" {
		if strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[") {
			goto list
		}
		out.why = fmt.Sprintf("%q is no throughput", cut(t, 60))
		return out
	}
list:
	for i, q := range qs {
		switch {
		case q.percent || q.spread || isRatioUnit(q.unit):
			continue
		case timeUnit(q.unit) > 0 && rateUnit(q.unit) == "":
			if len(out.values) == 0 {
				if i == 0 {
					out.why = fmt.Sprintf("%q is a time, not a throughput", cut(t, 40))
					return out
				}
				continue
			}
			if v, ok := m.value(q.lit); ok && out.latencyMs == 0 {
				out.latencyMs = v * timeUnit(q.unit)
			}
			continue
		}
		v, ok := m.value(q.lit)
		if !ok {
			out.why = fmt.Sprintf("%q is no number", cut(q.lit, 40))
			return out
		}
		if _, named := concurrencyWords[strings.ToLower(q.unit)]; named && len(q.unit) > 1 || len(out.values) > 0 && followsConcurrency(t[q.at:]) {
			out.clients = int(v)
			continue
		}
		if f, mult := multiplier(q.unit); mult {
			v *= f
		}
		if u := rateUnit(q.unit); u != "" {
			out.unit = u
		}
		if q.bracket && len(out.values) > 0 && !strings.Contains(t, "{") {
			if rest := strings.ToLower(t[q.at:]); strings.Contains(rest, "per sec") || strings.Contains(rest, "/s") {
				out.values = []float64{v}
			}
			continue
		}
		if i > 0 && len(out.values) > 0 && !q.to && !strings.ContainsAny(t[qs[i-1].at+len(qs[i-1].lit):q.at], "/,;{") {
			continue
		}
		if strings.Contains(t, "{") && !q.bracket && len(qs) > 2 {
			continue // the summary in front of its repeats
		}
		out.values = append(out.values, v)
		out.ends = out.ends || q.to
	}
	out.values = slices.DeleteFunc(out.values, func(v float64) bool { return v > mostRate || v < 0 })
	if len(out.values) == 0 {
		out.why = fmt.Sprintf("%q is no throughput", cut(t, 60))
	}
	return out
}

// followsConcurrency tells whether the number that s begins with counts clients: "50 clients".
func followsConcurrency(s string) bool {
	fs := strings.Fields(s)
	if len(fs) < 2 {
		return false
	}
	r, ok := concurrencyWords[strings.ToLower(strings.Trim(fs[1], "),.;"))]
	return ok && r >= 1
}

// rateAt finds a throughput with its unit within words: "44,310 tps @ 50 clients".
func rateAt(text string, m marks) (rate, bool) {
	t := clean(text)
	qs, _ := scan(t, true)
	out := rate{clients: -1}
	for _, q := range qs {
		v, ok := m.value(q.lit)
		if !ok {
			continue
		}
		u := rateUnit(q.unit)
		if f, mult := multiplier(q.unit); mult { // 31k tps
			v *= f
			u, _ = unitAt(t[q.at+len(q.lit)+len(q.unit):])
			u = rateUnit(u)
		}
		if u != "" && len(out.values) == 0 {
			out.values, out.unit = []float64{v}, u
		} else if followsConcurrency(t[q.at:]) {
			out.clients = int(v)
		}
	}
	return out, len(out.values) > 0
}

// readTime reads a cell of time in milliseconds. Its own unit goes before the one of the heading; milliseconds when neither says.
func readTime(text string, m marks, toMs float64, blanks bool) (float64, bool) {
	t := clean(text)
	if absent(t) {
		return 0, false
	}
	qs, _ := scan(t, blanks)
	if len(qs) == 0 || qs[0].from {
		return 0, false
	}
	v, ok := m.value(qs[0].lit)
	if !ok {
		return 0, false
	}
	f := timeUnit(qs[0].unit)
	if f == 0 {
		f = toMs
	}
	if f == 0 {
		f = 1
	}
	if f < 1 { // dividing keeps the decimals that multiplying would smear
		return v / math.Round(1/f), true
	}
	return v * f, true
}
