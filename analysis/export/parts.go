package export

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"pgknee/analysis/chart"
	"pgknee/analysis/report"
)

// answer is what stands first: the headline and the sentences that belong to it.
func answer(r *report.Report) (headline, details string) {
	if r.Summary == nil {
		return "", ""
	}
	for _, sentence := range r.Summary.Details {
		if details != "" {
			details += " "
		}
		for _, s := range sentence {
			details += s.Text
		}
	}
	return chart.Headline(r), details
}

// whole writes a number of any size without fraction, a blank between thousands from 10,000 on.
func whole(v float64) string {
	s := strconv.FormatFloat(math.Round(v), 'f', 0, 64)
	if math.Abs(v) < 9_999.5 {
		return s
	}
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// tps writes a throughput: whole from 100 on, three significant digits below.
func tps(v float64) string {
	if v >= 100 {
		return whole(v)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// change writes a ratio as a signed percentage, from five on as how many times.
func change(ratio float64) string {
	switch {
	case ratio >= 4.95:
		return "×" + strconv.FormatFloat(ratio, 'f', 1, 64)
	case math.Abs(ratio-1) < .0005:
		return "0.0%"
	}
	return minus(fmt.Sprintf("%+.1f%%", 100*(ratio-1)))
}

// four writes a number with four significant digits: whole from 1,000 on, by powers of ten only where it is very small.
func four(v float64) string {
	if a := math.Abs(v); a >= 999.5 && a < 1e15 {
		return whole(v)
	}
	return minus(strconv.FormatFloat(v, 'g', 4, 64))
}

// parameter writes a parameter of a law with its interval. Times are in the unit in which they are no tiny fractions, as on the page.
func parameter(p report.Parameter) string {
	name, per, unit := p.Name, 1.0, p.Unit
	if unit == "s" && p.Value > 0 {
		name = strings.TrimSuffix(name, "S") // seconds, which are not what it is written in
		for _, smaller := range []string{"ms", "µs", "ns"} {
			if p.Value*per < 1 {
				per, unit = 1000*per, smaller
			}
		}
	}
	text := name + " " + four(p.Value*per)
	if p.Lo != nil && p.Hi != nil {
		text += fmt.Sprintf(" [%s,\u00a0%s]", four(*p.Lo*per), four(*p.Hi*per))
	}
	return strings.TrimRight(text+" "+unit, " ")
}

// minus writes the sign of a number as the texts do.
func minus(number string) string { return strings.Replace(number, "-", "−", 1) }

// share writes a share as a percentage.
func share(v float64) string { return fmt.Sprintf("%.1f%%", 100*v) }

// maxColumns is how many series a table of a mail has room for.
const maxColumns = 4

// curveTables are throughput by client count, the baseline first, and beside each candidate its change.
func curveTables(r *report.Report) []table {
	var out []table
	for some := range slices.Chunk(ordered(r, func(s report.Series) bool { return len(s.Points) > 0 }), maxColumns) {
		out = append(out, curveTable(r, some))
	}
	return out
}

// ordered are the series that have something, what others are compared with first.
func ordered(r *report.Report, have func(report.Series) bool) (list []report.Series) {
	baselines := 0
	for _, s := range r.Series {
		switch {
		case !have(s):
		case slices.ContainsFunc(r.Comparisons, func(c report.Comparison) bool { return c.Baseline == s.Label }):
			list = slices.Insert(list, baselines, s)
			baselines++
		default:
			list = append(list, s)
		}
	}
	return list
}

func curveTable(r *report.Report, list []report.Series) table {
	t := table{head: []string{"clients"}, right: []bool{true}}
	byCount := map[int]map[string]report.Point{}
	for _, s := range list {
		for _, p := range s.Points {
			if byCount[p.Clients] == nil {
				byCount[p.Clients] = map[string]report.Point{}
			}
			byCount[p.Clients][s.Label] = p
		}
	}
	changes := map[string]map[int]report.RatioPoint{}
	for _, c := range r.Comparisons {
		if len(c.Points) > 0 {
			changes[c.Candidate] = map[int]report.RatioPoint{}
			for _, p := range c.Points {
				changes[c.Candidate][p.Clients] = p
			}
		}
	}
	for _, s := range list {
		t.head, t.right = append(t.head, cmp.Or(s.Label, s.Unit, "TPS")), append(t.right, true)
		if changes[s.Label] != nil {
			t.head, t.right = append(t.head, "change"), append(t.right, true)
		}
	}
	unclear := false
	for _, n := range slices.Sorted(maps.Keys(byCount)) {
		row := []string{strconv.Itoa(n)}
		for _, s := range list {
			p, ok := byCount[n][s.Label]
			cell := ""
			if ok {
				cell = tps(p.TPS)
			}
			row = append(row, cell)
			if changes[s.Label] != nil {
				cell = ""
				if c, ok := changes[s.Label][n]; ok {
					cell = change(c.Ratio)
					if !c.Changed {
						cell += " ~"
						unclear = true
					}
				}
				row = append(row, cell)
			}
		}
		t.rows = append(t.rows, row)
	}
	t.note = runsNote(list)
	if unclear {
		t.note = strings.TrimPrefix(t.note+"; ~ not beyond the noise", "; ")
	}
	return t
}

// runsNote says how many runs the numbers rest on.
func runsNote(list []report.Series) string {
	lo, hi := math.MaxInt, 0
	for _, s := range list {
		for _, p := range s.Points {
			lo, hi = min(lo, p.N), max(hi, p.N)
		}
	}
	switch {
	case hi == 0:
		return ""
	case hi == 1:
		return "1 run each: no spread available"
	case lo == hi:
		return fmt.Sprintf("medians of %d runs; a change is of the medians", hi)
	}
	return fmt.Sprintf("medians of %d to %d runs; a change is of the medians", lo, hi)
}

// latencyTable lists the runs that measured a latency and no throughput.
func latencyTable(r *report.Report) table {
	t := table{head: []string{"latency ms", "clients", "protocol", "what"}, right: []bool{true, true, false, false}}
	for _, run := range r.Runs {
		if run.TPS != nil {
			continue
		}
		clients := ""
		if run.Clients != nil {
			clients = strconv.Itoa(*run.Clients)
		}
		add := func(ms float64, what string) {
			t.rows = append(t.rows, []string{strconv.FormatFloat(ms, 'f', -1, 64), clients, run.QueryMode, what})
		}
		if run.LatencyMs != nil {
			add(*run.LatencyMs, run.Series)
			continue
		}
		for _, rank := range slices.Sorted(maps.Keys(run.LatencyPercentilesMs)) {
			add(run.LatencyPercentilesMs[rank], strings.TrimPrefix(run.Series+", p"+rank, ", "))
		}
	}
	return t
}

// percentileTables are the latency percentiles by client count: all of a series where there are few series, else the one that they share.
func percentileTables(r *report.Report) []table {
	list := ordered(r, func(s report.Series) bool { return len(chart.Ranks(s)) > 0 })
	var out []table
	if len(list) > chart.AllRanks {
		shared := chart.Comparable(list)
		for some := range slices.Chunk(list, maxColumns) {
			var cells []cell
			for _, s := range some {
				cells = append(cells, cell{s, s.Label, shared})
			}
			out = append(out, percentileTable(cells, "p"+shared+" of the latency, ms"))
		}
		return out
	}
	for _, s := range list {
		var cells []cell
		for _, rank := range chart.Ranks(s) {
			cells = append(cells, cell{s, "p" + rank, rank})
		}
		note := "latency percentiles, ms"
		if len(list) > 1 && s.Label != "" {
			note = "latency percentiles of " + s.Label + ", ms"
		}
		out = append(out, percentileTable(cells, note))
	}
	return out
}

// cell is what stands in a column of a table of percentiles.
type cell struct {
	series     report.Series
	head, rank string
}

func percentileTable(columns []cell, note string) table {
	t := table{head: []string{"clients"}, right: []bool{true}, note: note}
	rows := map[int][]string{}
	for k, c := range columns {
		t.head, t.right = append(t.head, c.head), append(t.right, true)
		for _, p := range c.series.Points {
			if ms, ok := p.LatencyPercentilesMs[c.rank]; ok {
				if rows[p.Clients] == nil {
					rows[p.Clients] = make([]string, len(columns))
				}
				rows[p.Clients][k] = four(ms)
			}
		}
	}
	for _, n := range slices.Sorted(maps.Keys(rows)) {
		t.rows = append(t.rows, append([]string{strconv.Itoa(n)}, rows[n]...))
	}
	return t
}

// lawTable ranks the laws of one series.
func lawTable(s report.Series, most int) table {
	t := table{head: []string{"law", "RMS", "AICc", "weight", "peak"}, right: []bool{false, true, true, true, true}}
	for _, m := range s.Models[:min(len(s.Models), most)] {
		cell := func(v *float64, format string) string {
			if v == nil {
				return ""
			}
			return fmt.Sprintf(format, *v)
		}
		t.rows = append(t.rows, []string{m.Name, fmt.Sprintf("%.1f%%", 100*m.RMSLog), minus(cell(m.AICc, "%.1f")), cell(m.Weight, "%.2f"), cell(m.PeakClients, "%.0f")})
	}
	return t
}

// inputs says what was read, a point a file; many files of one kind in a folder are one point.
func inputs(r *report.Report) []string {
	type group struct {
		folder, format string
		first          string
		n              int
		runs, profiles int
		settings       int
	}
	var order []string
	groups := map[string]*group{}
	for _, f := range r.Files {
		folder := ""
		if i := strings.LastIndexAny(f.Name, "/!"); i >= 0 {
			folder = f.Name[:i+1]
		}
		format := cmp.Or(f.Format, "not recognised")
		key := folder + "\x00" + format
		if groups[key] == nil {
			groups[key] = &group{folder: folder, format: format, first: f.Name}
			order = append(order, key)
		}
		g := groups[key]
		g.n++
		g.runs += f.Runs
		g.profiles += f.Profiles
		g.settings += f.Settings
	}
	var out []string
	for _, key := range order {
		g := groups[key]
		text := g.first
		if g.n > 1 {
			text = fmt.Sprintf("%s (%d files)", strings.TrimSuffix(g.folder, "/"), g.n)
			if g.folder == "" {
				text = fmt.Sprintf("%d files", g.n)
			}
		}
		text += ": " + g.format
		for _, found := range []string{counted(g.runs, "run", "runs"), counted(g.profiles, "profile", "profiles"), counted(g.settings, "set of settings", "sets of settings")} {
			if found[0] != '0' {
				text += ", " + found
			}
		}
		out = append(out, text)
	}
	return out
}

// counted writes how many things there are.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// method names the tool and how it came to its numbers.
func method(r *report.Report) string {
	text := "Made by " + cmp.Or(r.Tool, "pgknee") + "."
	if slices.ContainsFunc(r.Series, func(s report.Series) bool { return len(s.Models) > 0 }) {
		text += " Laws are fitted on log residuals and ranked by AICc; intervals are 95 % and conditional on the law."
	}
	if len(r.Comparisons) > 0 {
		text += " Counts are flagged at 5 % over all of them together."
	}
	return text
}
