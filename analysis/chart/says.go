package chart

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pgknee/analysis/report"
)

// says is what stands around a chart: its finding as title, what it shows under which conditions, how to read it.
type says struct {
	Title      string `json:"title"`
	What       string `json:"what"`
	Conditions string `json:"conditions,omitempty"`
	Note       string `json:"note,omitempty"`
}

// say sets the words of a chart. Without a finding it is titled by what it shows.
func (p *plot) say(r *report.Report, what, finding, note string) {
	p.says = says{Title: finding, What: what, Conditions: Conditions(r), Note: note}
	if finding == "" {
		p.says.Title = what
	}
}

// curvesNote says how the curves are read: only what is drawn.
func (p *plot) curvesNote(r *report.Report, ratio bool) string {
	var fitted, joined, shaded, brackets, repeats bool
	for _, s := range r.Series {
		if p.hidden(s.Label) || len(s.Points) == 0 {
			continue
		}
		fit := drawn(s)
		fitted = fitted || fit != nil
		joined = joined || fit == nil
		shaded = shaded || fit != nil && fit.Curve[0].Lo != nil
		brackets = brackets || p.bracketed(r, s)
		repeats = repeats || slices.ContainsFunc(s.Points, func(pt report.Point) bool { return pt.N > 1 })
	}
	note := "Symbols: measured."
	if repeats {
		note = "Symbols: medians, dots: single runs."
	}
	switch {
	case fitted && shaded:
		note += " Lines: the best-fitting law and its 95 % interval."
	case fitted:
		note += " Lines: the best-fitting law."
	case joined:
		note += " Lines only join them."
	}
	if brackets {
		note += " Brackets: where the true peak lies."
	}
	if ratio && p.banded(r) {
		note += " " + bandNote
	}
	return note
}

const bandNote = "Grey: what noise alone would do; filled symbols lie outside."

// latencyFinding is what the latency chart says: both sides where they differ most if they do, else at the largest count.
func (p *plot) latencyFinding(r *report.Report) string {
	at := func(s report.Series, n int) (float64, bool) {
		for _, pt := range s.Points {
			if pt.Clients == n && pt.LatencyMs != nil {
				return *pt.LatencyMs, true
			}
		}
		return 0, false
	}
	series := map[string]report.Series{}
	for _, s := range r.Series {
		if !p.hidden(s.Label) {
			series[s.Label] = s
		}
	}
	for _, c := range r.Comparisons {
		a, b := series[c.Baseline], series[c.Candidate]
		n := 0
		if c.Worst != nil && (c.Verdict == "regression" || c.Verdict == "improvement") {
			n = c.Worst.Clients
		} else if len(c.Points) > 0 {
			n = c.Points[len(c.Points)-1].Clients
		}
		x, ok1 := at(a, n)
		y, ok2 := at(b, n)
		if ok1 && ok2 {
			return fmt.Sprintf("At %s a transaction takes %s ms with %s, %s ms with %s.", clients(n), figures(y), c.Candidate, figures(x), c.Baseline)
		}
	}
	for _, s := range r.Series {
		if p.hidden(s.Label) || len(s.Points) < 2 {
			continue
		}
		first, last := s.Points[0], s.Points[len(s.Points)-1]
		if first.LatencyMs != nil && last.LatencyMs != nil {
			return fmt.Sprintf("A transaction takes %s ms at %s, %s ms at %d.", figures(*first.LatencyMs), clients(first.Clients), figures(*last.LatencyMs), last.Clients)
		}
	}
	return ""
}

// residualsFinding says how far the best laws are off, series by series.
func (p *plot) residualsFinding(r *report.Report) string {
	var parts []string
	for _, s := range r.Series {
		if p.hidden(s.Label) || len(s.Models) == 0 || len(s.Models[0].Residuals) == 0 {
			continue
		}
		part := figures2(100*s.Models[0].RMSLog) + " %"
		if s.Label != "" {
			part = "of " + s.Label + " by " + part
		} else {
			part = "by " + part
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 || len(parts) > 4 {
		return ""
	}
	return "The best law misses the points " + strings.Join(parts, ", ") + " on average."
}

// progressFinding says how much the drawn runs swing.
func (p *plot) progressFinding(r *report.Report, runs []int) string {
	var parts []string
	for _, i := range runs {
		tps := r.Runs[i].Progress.TPS
		mean := 0.0
		for _, x := range tps {
			mean += x / float64(len(tps))
		}
		if mean <= 0 {
			return ""
		}
		part := fmt.Sprintf("between %s and %s %% of its mean", figures2(100*slices.Min(tps)/mean), figures2(100*slices.Max(tps)/mean))
		if r.Runs[i].Series != "" {
			part = r.Runs[i].Series + " " + part
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 || len(parts) > 3 {
		return ""
	}
	return "Throughput stays " + strings.Join(parts, ", ") + "."
}

// heatFinding says how long half of the transactions took, and 99 in a hundred.
func heatFinding(h *report.Heat) string {
	by := make([]int64, len(h.UpToMs))
	var all int64
	for _, counts := range h.Counts {
		for b, n := range counts {
			by[b] += n
			all += n
		}
	}
	within := func(share float64) string {
		var sum int64
		for b, n := range by {
			if sum += n; float64(sum) >= share*float64(all) {
				return figures(h.UpToMs[b])
			}
		}
		return ""
	}
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("Half of the transactions take at most %s ms, 99 %% at most %s ms.", within(.5), within(.99))
}

func clients(n int) string {
	if n == 1 {
		return "1 client"
	}
	return strconv.Itoa(n) + " clients"
}

// figures writes a number with three significant digits, figures2 with two; digits before the point are kept.
func figures(v float64) string  { return significant(v, 3) }
func figures2(v float64) string { return significant(v, 2) }

func significant(v float64, digits int) string {
	if v == 0 {
		return "0"
	}
	size := int(math.Floor(math.Log10(math.Abs(v)))) + 1
	return strconv.FormatFloat(v, 'f', max(digits-size, 0), 64)
}
