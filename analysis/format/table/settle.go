package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// settleMarks decides for each column what comma and point mean.
func settleMarks(g *grid, cols []column) {
	judges := make([]judge, len(cols))
	proof := 0
	for k := range cols {
		for _, r := range g.rows {
			t := cellText(r, k)
			if plain(t) {
				if t != "" {
					judges[k].see(t)
				}
				continue
			}
			if !isNumeric(t) && cols[k].role != throughput {
				continue
			}
			qs, _ := scan(clean(t), g.blanksGroup())
			for _, q := range qs {
				if !q.percent {
					judges[k].see(q.lit)
				}
			}
		}
		if cols[k].role != clients {
			proof += judges[k].proves()
		}
	}
	for k := range cols {
		m, v := judges[k].settle(proof)
		cols[k].marks = m
		switch v {
		case contradicts:
			cols[k].broken = fmt.Sprintf("the comma groups thousands in %s and is a decimal mark in %s", judges[k].firstGroups, judges[k].firstDecimal)
			if judges[k].firstGroups == "" {
				cols[k].broken = fmt.Sprintf("the comma is a decimal mark in %s, and other numbers have a decimal point", judges[k].firstDecimal)
			}
			if judges[k].decimal == 0 {
				cols[k].broken = fmt.Sprintf("the comma groups thousands in %s, and the point may do so in %s", judges[k].firstGroups, judges[k].firstPoint)
			}
		case stray:
			cols[k].stray = judges[k].firstPoint
		case eitherWay:
			if m.pointGroups {
				cols[k].stray = judges[k].firstPoint
			}
			if judges[k].either > 0 && g.sep == bySemicolon {
				cols[k].broken = "comma"
			} else if judges[k].either == 0 {
				cols[k].broken = "point"
			}
		}
	}
}

// summarises tells whether a heading is the word for a statistic and nothing else: Average, Median, Mean TPS.
func summarises(c column) bool {
	for _, w := range headingWords(c.text) {
		if _, rate := throughputWords[w.low]; rate {
			continue
		}
		if w.low == "σ" || w.low == "sd" || w.low == "stddev" || w.low == "stdev" || w.low == "total" || w.low == "sum" {
			return true
		}
		for _, names := range statWords {
			if slices.Contains(names, w.low) {
				return true
			}
		}
		return false
	}
	return false
}

// statistic cuts the word for a statistic off the end of a heading: "master (avg)", "patch_stddev".
func statistic(text string) (name, stat string) {
	t := strings.TrimRight(text, " )]")
	i := strings.LastIndexAny(t, " _([")
	if i <= 0 {
		return text, ""
	}
	word := strings.ToLower(t[i+1:])
	name = strings.TrimRight(t[:i], " _([,")
	for stat, names := range statWords {
		if slices.Contains(names, word) {
			return name, stat
		}
	}
	if slices.Contains([]string{"stddev", "stdev", "std", "sd", "cv", "stderr", "ci"}, word) {
		return name, "spread"
	}
	return text, ""
}

// settleStatistics keeps the centre of several statistics of one series: "master(avg)" beside "master(stddev)".
func settleStatistics(cols []column) {
	type group struct{ centre, rest []int }
	groups := map[string]*group{}
	for k := range cols {
		if r := cols[k].role; r != unknown && r != series {
			continue
		}
		name, stat := statistic(cols[k].text)
		if stat == "" {
			continue
		}
		g := groups[name]
		if g == nil {
			g = &group{}
			groups[name] = g
		}
		if stat == "mean" || stat == "median" {
			g.centre = append(g.centre, k)
		} else {
			g.rest = append(g.rest, k)
		}
	}
	for name, g := range groups {
		if len(g.centre) == 0 || len(g.centre)+len(g.rest) < 2 {
			continue
		}
		best := g.centre[0]
		for _, k := range g.centre[1:] {
			if _, stat := statistic(cols[k].text); stat == "median" {
				best = k
			}
		}
		for _, k := range append(g.centre, g.rest...) {
			if k != best {
				cols[k].role = ignored
			}
		}
		cols[best].text, cols[best].label, cols[best].role, cols[best].names = name, name, unknown, false
	}
}

// settleRepeats finds columns that number repeats (run1, run2; tps1, tps2; #1, #2), and leaves out those beside them that sum them up.
func settleRepeats(cols []column) {
	stems := map[string][]int{}
	for k := range cols {
		if stem, n := numbered(cols[k].text); n == len(stems[stem])+1 {
			stems[stem] = append(stems[stem], k)
		}
	}
	for stem, numbered := range stems {
		if len(numbered) < 2 {
			continue
		}
		if name := ofRepeat(stem); name != "" {
			for i, k := range numbered { // v15_run1, v15_run2: repeats of v15
				h := readHeading(strings.Trim(cols[k].text[:len(name)], " _-#."))
				if h.role == unknown {
					h.label = h.text
				}
				h.role = throughput
				cols[k].heading, cols[k].rep = h, i+1
			}
			continue
		}
		for _, k := range numbered {
			cols[k].role, cols[k].count = repeat, -1
		}
		for k := range cols {
			if !slices.Contains(numbered, k) && cols[k].role != clients && summarises(cols[k]) {
				cols[k].role = ignored
			}
		}
	}
}

// numbered reads a heading that numbers a repeat: "Run 2", "#2", "v15_run2". The stem is what stands before the number; 0 if it numbers
// none.
func numbered(text string) (stem string, n int) {
	t := strings.ToLower(strings.TrimSpace(text))
	stem = strings.TrimRight(t, "0123456789")
	n, _ = strconv.Atoi(t[len(stem):])
	if stem = strings.TrimRight(stem, " _-#."); t != "" && t[0] == '#' {
		stem = "#"
	}
	if !slices.Contains([]string{"run", "rep", "repeat", "iter", "iteration", "round", "trial", "attempt", "pass", "r", "tps", "#"}, stem[len(ofRepeat(stem)):]) {
		n = 0
	}
	return stem, n
}

// ofRepeat is what a stem names besides the repeat: "v15_" of "v15_run".
func ofRepeat(stem string) string { return stem[:strings.LastIndexAny(stem, " _-.(")+1] }

// settleDesign makes names of numbers of unknown meaning that tell rows apart where nothing else does: a column "split" of 32 and 1024
// beside equal clients, names and repeats. What was measured does not come in a few round numbers, as often each.
func settleDesign(g *grid, cols []column, at int) {
	key := func(r row) string {
		var b strings.Builder
		for k, c := range cols {
			if k == at || c.role == series || c.role == repeat || c.role == scale || c.role == threads || c.role == duration {
				b.WriteString(cellText(r, k) + Unit)
			}
		}
		return b.String()
	}
	if slices.ContainsFunc(cols, func(c column) bool { return c.role == elapsed && c.texts > 1 }) {
		return
	}
	for k := range cols {
		col := &cols[k]
		if col.role != ignored || readHeading(col.text).role != unknown || col.text == "" || col.texts < 2 || col.texts > 12 {
			continue
		}
		values, first, apart := map[string]int{}, map[string]string{}, false
		round := true
		for _, r := range g.rows {
			t := cellText(r, k)
			n, ok := countOf(t, marks{})
			if unit := strings.TrimLeft(t, "0123456789 "); !ok && unit != t && sizeUnit(unit) {
				n, ok = countOf(strings.TrimSpace(strings.TrimSuffix(t, unit)), marks{})
			}
			round = round && ok && n > 0 && (n&(n-1) == 0 || n%10 == 0)
			values[t]++
			id := key(r)
			if other, seen := first[id]; seen && other != t {
				apart = true
			}
			first[id] = t
		}
		least, most := len(g.rows), 0
		for _, n := range values {
			least, most = min(least, n), max(most, n)
		}
		if apart && round && least > 1 && most <= 2*least {
			col.role, col.named, col.bare, col.key = series, true, true, col.text
		}
	}
}

// settlePoints finds out whether the only point of every throughput groups thousands, 1.436 beside 12.869: where there is a latency,
// Little's law tells.
func settlePoints(g *grid, cols []column, at int, latencies []int) {
	if at < 0 || len(latencies) == 0 {
		return
	}
	for k := range cols {
		col := &cols[k]
		if col.role != throughput || col.marks != (marks{}) || col.kind == "fused" {
			continue
		}
		decimal, groups := 0, 0
		for _, r := range g.rows {
			lit := clean(cellText(r, k))
			if _, after, _ := strings.Cut(lit, "."); len(after) != 3 {
				decimal = len(g.rows)
				break
			}
			n, ok := countOf(cellText(r, at), cols[at].marks)
			v, ok2 := fastFloat(lit)
			l := &cols[latencies[0]]
			ms, ok3 := readTime(cellText(r, latencies[0]), l.marks, l.toMs, g.blanksGroup())
			if !ok || !ok2 || !ok3 || v == 0 || n == 0 {
				continue
			}
			switch q := ms * v / float64(n); {
			case q > 700 && q < 1300:
				decimal++
			case q > 0.7 && q < 1.3:
				groups++
			}
		}
		if groups > decimal && 2*groups > len(g.rows) {
			col.marks.pointGroups, col.broken = true, ""
		}
	}
}

// settleTimes tells a time series, whose rows are intervals of one run, from a sweep with the time of day beside each run.
func settleTimes(g *grid, p *plan, at int, times []int) {
	for _, k := range times {
		num, present, _ := figures(g, k)
		col := &p.columns[k]
		if col.texts == 1 && num == present && strings.Contains(strings.ToLower(col.text), "time") {
			col.role = duration
			continue
		}
		if num < present || len(g.rows) < 4 {
			continue
		}
		if at < 0 {
			p.fold = p.fold || ticks(g, p, k)
			continue
		}
		if timeSeries(g, at, k) {
			p.fold = true
			return
		}
		col.role = ignored
	}
}

// ticks tells whether the rows, of which none states its clients, are the seconds of one run: the times of a column rise by one step,
// and nothing names several series.
func ticks(g *grid, p *plan, k int) bool {
	last := -1.0
	for _, r := range g.rows {
		t, ok := fastFloat(clean(cellText(r, k)))
		if !ok || t <= last || last >= 0 && t-last > 3600 {
			return false
		}
		last = t
	}
	return evenSteps(g, k) && !slices.ContainsFunc(p.columns, func(c column) bool { return c.role == series && c.named })
}

// timeSeries tells whether the times of a column run on within rows of one concurrency.
func timeSeries(g *grid, at, k int) bool {
	on, off := 0, 0
	var lastTime float64
	last := ""
	for i, r := range g.rows {
		t, _ := fastFloat(clean(cellText(r, k)))
		if n := cellText(r, at); i > 0 && n == last {
			if t > lastTime {
				on++
			} else {
				off++
			}
		}
		last, lastTime = cellText(r, at), t
	}
	return on >= 3 && on > 4*off && 2*on > len(g.rows)
}
