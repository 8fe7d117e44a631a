package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pgknee/analysis/bench"
)

// column is a column with the role it plays.
type column struct {
	heading
	marks  marks
	key    string // of attributes and series: the name of what the cells say
	rep    int    // the number of the repeat that a heading states ("Run 2"); 0 for none
	texts  int    // how many different texts it holds, in the rows seen
	named  bool   // series: part of the label
	bare   bool   // and of numbers that say nothing without their heading
	broken string // why nothing of it can be read: two ways of writing numbers in one column; "comma", "point": a mark that could be either
}

// shape is how runs lie in a table.
type shape uint8

const (
	none     shape = iota
	byRow          // a row is a run, or a run of each series
	across         // concurrency stands in the heading, a row is a series
	byColumn       // a column is a run, rows are its figures
)

// plan is how a table is read.
type plan struct {
	shape    shape
	columns  []column
	label    int    // across, byColumn: the column with the names of the rows
	fold     bool   // rows in succession are intervals of one run
	unit     string // of throughput where headings do not say
	metric   role   // what unnamed figures are: throughput or latency
	toMs     float64
	relative bool
	said     bool   // the text around says what the figures are
	why      string // shape none: what is missing
	swept    bool   // a heading names a number of clients
	asks     bool   // a person could tell
	sure     bool   // false: a guess from figures alone, shown with a question
}

// context is what stands around a table and says what its figures are.
type context struct {
	heading      string
	above, below []string
}

// quantityOf tells what unnamed figures are, from the words around a table: the caption first, then what follows, then headings.
func (c context) quantityOf() (metric role, unit string, toMs float64, relative bool) {
	for _, text := range slices.Concat(c.above, c.below) {
		low := strings.ToLower(text)
		if strings.Contains(low, "relative to") || strings.Contains(low, "normalized to") || strings.Contains(low, "normalised to") {
			relative = true // if the figures are such: resolve looks
		}
		best := role(0)
		for _, w := range headingWords(text) {
			if u, ok := throughputWords[w.low]; ok {
				if best == 0 {
					best, unit = throughput, u
				}
			} else if latencyWords[w.low] || containsAny(w.low, latencyParts) {
				if best == 0 {
					best = latency
				}
			}
		}
		if best == 0 {
			for _, p := range [...]string{"load time", "execution time", "elapsed", "runtime", "run time", "seconds", "(ms)", "(s)", "milliseconds", "duration of", "time taken", "in ms", "ladezeit", "laufzeit"} {
				if strings.Contains(low, p) && len(text) < 160 {
					best = latency
				}
			}
			if best == latency && !strings.Contains(low, "latency") {
				return ignored, "", 0, relative
			}
		}
		switch best {
		case throughput:
			return throughput, unit, 0, relative
		case latency:
			toMs = 1
			for _, w := range headingWords(text) {
				if f := timeUnit(w.low); f > 0 && (w.bracket || strings.Contains(low, "in "+w.low)) {
					toMs = f
				}
			}
			return latency, "", toMs, relative
		}
	}
	return 0, "", 0, relative
}

// concurrencyWord tells whether a text speaks of clients at all.
func concurrencyWord(text string) bool {
	for _, w := range headingWords(text) {
		if r, ok := concurrencyWords[w.low]; ok && r > 0 && len(w.low) > 1 {
			return true
		}
		for _, p := range concurrencyParts {
			if strings.Contains(w.low, p.part) {
				return true
			}
		}
	}
	return false
}

// resolve finds out how a table is read.
func resolve(g *grid, c context) *plan {
	p := &plan{metric: throughput}
	metric, unit, toMs, relative := c.quantityOf()
	relative = relative && fractions(g)
	if g.legend != nil || relative {
		return resolveLegend(g, relative)
	}
	g.splitArrows()
	p.unit = unit
	if metric != 0 {
		p.metric, p.toMs, p.said = metric, toMs, true
	}
	if len(g.rows) > 0 && !p.said && strings.EqualFold(cellText(g.rows[0], 0), "amean") {
		p.metric = ignored // mmtests: arithmetic means are of times, harmonic ones of rates
	}
	if g.header == nil {
		if resolveRowsOfFigures(g, p, nil) {
			return p
		}
		g.headBySweep()
	}
	if g.header == nil {
		return resolveHeadless(g, c)
	}
	p.columns = make([]column, g.width)
	for k := range p.columns {
		p.columns[k].count = -1
		if k < len(g.header.cells) {
			p.columns[k].heading = readHeading(g.header.cells[k].text)
		}
	}
	g.fillDown()
	settleRepeats(p.columns)
	settleStatistics(p.columns)
	settleMarks(g, p.columns)
	if pivoted := pivot(g, p.columns); pivoted != nil {
		*g = *pivoted
		return resolve(g, c)
	}
	if resolveAcross(g, p, c) || resolveRowsOfFigures(g, p, g.header) || resolveByRow(g, p, c) {
		return p
	}
	p.shape = none
	p.swept = slices.ContainsFunc(p.columns, func(c column) bool { return c.role == clients })
	if p.metric == ignored {
		p.why, p.asks = "the figures are times, of which less is better: they are no throughput", false
	}
	if p.metric != ignored && !p.asks && countsOfSomething(g, p.columns) {
		p.why, p.asks = "no heading of this table is known to be a number of clients: what is counted in the first column?", true
	}
	if p.why == "" {
		p.why = "no column of this table is known to be a number of clients and none a throughput"
	}
	return p
}

// countsOfSomething tells whether a table of numbers has rising counts at its left and names over the other columns: a sweep of
// something, perhaps of clients.
func countsOfSomething(g *grid, cols []column) bool {
	if g.sep == byBlank || g.sep == byBlanks || len(cols) < 2 || len(cols) > 12 || len(g.rows) < 3 || cols[0].role != unknown && cols[0].role != elapsed || indexColumn(g, 0) {
		return false
	}
	for k := range cols {
		if num, present, _ := figures(g, k); num == 0 || num < present || k > 0 && cols[k].role != unknown {
			return false
		}
	}
	_, _, whole := figures(g, 0)
	return whole == len(g.rows) && rising(g, 0)
}

// fillDown repeats a name in the first column over the rows below it that leave it empty.
func (g *grid) fillDown() {
	if len(g.rows) < 2 || g.sep == byBlank || g.sep == byBlanks || cellText(g.rows[0], 0) == "" || isNumeric(cellText(g.rows[0], 0)) {
		return
	}
	last := cell{}
	for i := range g.rows {
		r := &g.rows[i]
		if len(r.cells) < 2 {
			return
		}
		switch {
		case r.cells[0].text != "":
			last = r.cells[0]
		case numericRow(row{cells: r.cells[1:]}):
			r.cells = slices.Clone(r.cells)
			r.cells[0].text = last.text
		}
	}
}

// splitArrows makes two columns of one whose heading and cells say "before → after".
func (g *grid) splitArrows() {
	if g.header == nil {
		return
	}
	for k := 0; k < len(g.header.cells) && k < g.width; k++ {
		left, right, ok := cutArrow(g.header.cells[k].text)
		if !ok {
			continue
		}
		both := 0
		for _, r := range g.rows {
			if _, _, ok := cutArrow(cellText(r, k)); ok {
				both++
			}
		}
		if both == 0 || 2*both < len(g.rows) {
			continue
		}
		if i := strings.IndexByte(right, '('); i > 0 && strings.HasSuffix(right, ")") && !strings.Contains(left, "(") {
			left += " " + right[i:] // the unit in brackets is of both
		}
		split := func(r *row, a, b string) {
			c := r.cells[k]
			r.cells = slices.Insert(slices.Clone(r.cells), k+1, cell{b, c.at})
			r.cells[k].text = a
		}
		h := *g.header
		split(&h, left, right)
		g.header = &h
		for i := range g.rows {
			if k < len(g.rows[i].cells) {
				a, b, _ := cutArrow(g.rows[i].cells[k].text)
				split(&g.rows[i], a, b)
			}
		}
		g.width++
		k++
	}
}

// cutArrow splits at an arrow that stands between two things.
func cutArrow(s string) (left, right string, ok bool) {
	for _, arrow := range [...]string{"→", "->", "=>"} {
		a, b, ok := strings.Cut(s, arrow)
		if a, b = strings.TrimSpace(a), strings.TrimSpace(b); ok && strings.Trim(a, "=-> ") != "" && b != "" {
			return a, b, true
		}
	}
	return s, "", false
}

// cellText gives the text of a cell, "" where the row is too narrow.
func cellText(r row, k int) string {
	if k < len(r.cells) {
		return r.cells[k].text
	}
	return ""
}

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
		case eitherWay:
			if judges[k].either > 0 && g.sep == bySemicolon {
				cols[k].broken = "comma"
			} else if judges[k].either == 0 {
				cols[k].broken = "point"
			}
		}
	}
}

// figures counts the cells of a column that are numbers, that are there, and that are whole.
func figures(g *grid, k int) (num, present, whole int) {
	for _, r := range g.rows {
		t := cellText(r, k)
		if absent(clean(t)) {
			continue
		}
		present++
		if isNumeric(t) {
			num++
			if isWhole(t) {
				whole++
			}
		}
	}
	return num, present, whole
}

// isWhole tells whether a cell is a whole number (8, 8.0, 1,250, 128 * 2).
func isWhole(t string) bool {
	n, ok := countOf(clean(t), marks{})
	return ok && n >= 0
}

// countOf reads a concurrency: "64", "8.0", "1,250 clients", "c=64", "128 * 2", "1200 (32 worker)".
func countOf(t string, m marks) (int, bool) {
	if isDigits(t) && len(t) < 8 {
		n, err := strconv.Atoi(t)
		return n, err == nil
	}
	qs, words := scan(t, true)
	if len(qs) == 0 {
		if h := readHeading(t); h.count >= 0 {
			return h.count, true
		}
		return 0, false
	}
	n := 0
	for i, q := range qs {
		if q.bracket || i > 0 && !strings.ContainsAny(t[qs[i-1].at:q.at], "*×") && !(qs[i-1].unit == "x" || qs[i-1].unit == "×") {
			if !q.bracket && i > 0 {
				return 0, false
			}
			continue
		}
		v, ok := m.value(q.lit)
		if !ok || v < 0 || v > 1e7 || q.percent {
			return 0, false
		}
		if f, mult := multiplier(q.unit); mult {
			v *= f
		} else if _, named := concurrencyWords[strings.ToLower(q.unit)]; q.unit != "" && !named && !isRatioUnit(q.unit) {
			return 0, false
		}
		if v != float64(int(v)) {
			return 0, false
		}
		if i == 0 {
			n = int(v)
		} else {
			n *= int(v)
		}
	}
	for _, w := range words {
		if _, ok := concurrencyWords[strings.ToLower(strings.TrimRight(w, ":."))]; !ok && !strings.EqualFold(w, "n") && !strings.Contains(t, "("+w) && qs[0].at != 0 {
			return 0, false
		}
	}
	return n, n <= 1e7
}

// resolveByRow reads tables whose rows are runs: concurrency in a column, throughput in one or several.
func resolveByRow(g *grid, p *plan, c context) bool {
	cols := p.columns
	p.shape = byRow
	// the concurrency
	at, rank := -1, -1
	for k := range cols {
		col := &cols[k]
		if col.role != clients {
			continue
		}
		num, present, whole := figures(g, k)
		if 3*whole < 2*num || num == 0 && present > 0 || num*2 < present {
			col.role, col.count = unknown, -1
			if num == 0 {
				col.role, col.names = series, true
			}
			continue
		}
		if col.rank > rank {
			at, rank = k, col.rank
		}
	}
	fused := -1
	if at < 0 {
		fused = fusedColumn(g, cols)
	}
	for k := range cols {
		if cols[k].role == clients && k != at {
			cols[k].role = ignored
			if cols[k].rank == 1 && rank > 1 {
				cols[k].role = threads
			} else if cols[k].rank == 0 {
				cols[k].role, cols[k].names = series, true
			}
		}
	}
	if at < 0 && fused < 0 {
		at = unnamedConcurrency(g, cols, c)
		if at >= 0 {
			cols[at].role = clients
		}
	}
	if fused >= 0 {
		cols[fused].role, cols[fused].kind = series, "fused"
		at = fused
	}
	weak := at >= 0 && fused < 0 && cols[at].rank == 0 && cols[at].text != ""
	// the throughput
	var rates []int
	for k := range cols {
		if cols[k].role != throughput {
			continue
		}
		if num, present, _ := figures(g, k); num == 0 && present > 0 && !ratesInside(g, k) {
			cols[k].role = ignored
			continue
		}
		rates = append(rates, k)
	}
	rates = oneMetric(cols, rates)
	hasLatency := slices.ContainsFunc(cols, func(col column) bool { return col.role == latency })
	said := p.said || !hasLatency && manyRepeats(cols) && strings.Contains(strings.Join(c.above, "\n"), "pgbench ")
	if len(rates) == 0 && (!hasLatency || p.said) && (at >= 0 && !weak && p.metric != ignored || at < 0 && said && p.metric == throughput) {
		// no heading names a throughput: the columns of numbers are series
		for k := range cols {
			col := &cols[k]
			if k == at || col.role != unknown && !numberedRepeat(cols, k) && !(col.role == series && !col.names) && !(col.role == series && len(cols) <= 8) && !(col.role == clients) {
				continue
			}
			num, present, _ := figures(g, k)
			if num == 0 || num*2 < present || percentages(g, k) || amounts(g, k) || col.toMs > 0 && p.metric == throughput {
				continue
			}
			if f := columnTime(g, k); f {
				col.role, col.toMs = latency, 0
				hasLatency = true
				continue
			}
			rates = append(rates, k)
		}
		if p.metric == throughput && !(p.said && len(rates) == 1) && !likeSizes(g, rates) || !p.said && at >= 0 && fused < 0 && scattered(g, at) {
			rates = nil
		}
		for _, k := range rates {
			col := &cols[k]
			col.label = col.text
			col.unit, col.toMs = p.unit, p.toMs
			if numberedRepeat(cols, k) {
				col.rep, _ = countOf(strings.TrimLeft(strings.ToLower(col.text), "abcdefghijklmnopqrstuvwxyz #._"), marks{})
				col.label = ""
			}
			col.count = -1
		}
		for _, k := range rates {
			cols[k].role = p.metric
		}
		if p.metric == latency {
			return len(rates) > 0 && finishRows(g, p, at)
		}
	}
	if len(rates) == 0 {
		if at >= 0 && hasLatency {
			return finishRows(g, p, at)
		}
		p.why = "no column of this table is known to be a throughput"
		p.asks = at >= 0 && p.metric != ignored && slices.ContainsFunc(cols, func(col column) bool { return col.role == unknown || col.role == series })
		return false
	}
	if weak && !slices.ContainsFunc(cols, func(col column) bool { return col.role == throughput && col.text != "" }) {
		p.why = "no column of this table is known to be a number of clients"
		p.asks = true
		return false
	}
	return finishRows(g, p, at)
}

// manyRepeats tells whether several columns number repeats.
func manyRepeats(cols []column) bool {
	n := 0
	for _, c := range cols {
		if c.role == repeat && strings.ContainsAny(c.text, "123456789") {
			n++
		}
	}
	return n > 1
}

// numberedRepeat tells whether a heading numbers a repeat, and is not the only one: "Run 1", "Run 2".
func numberedRepeat(cols []column, k int) bool {
	return cols[k].role == repeat && strings.ContainsAny(cols[k].text, "123456789") && manyRepeats(cols)
}

// likeSizes tells whether columns can be series of one throughput: figures of like size, and not of pods, errors or the like.
func likeSizes(g *grid, columns []int) bool {
	lo, hi := math.Inf(1), 0.0
	for _, k := range columns {
		m := look(g, k).median
		lo, hi = min(lo, m), max(hi, m)
	}
	return len(columns) > 0 && lo > 0 && hi <= 100*lo && hi > 20 // below that they may be ratios, seconds, anything
}

// ratesInside tells whether cells of a column hold a throughput after words: "peak 44,310 tps @ 50 clients".
func ratesInside(g *grid, k int) bool {
	for _, r := range g.rows {
		if _, ok := rateAt(cellText(r, k), marks{}); ok {
			return true
		}
	}
	return false
}

func percentages(g *grid, k int) bool {
	for _, r := range g.rows {
		if qs, _ := scan(clean(cellText(r, k)), g.blanksGroup()); len(qs) > 0 {
			return qs[0].percent || isRatioUnit(qs[0].unit)
		}
	}
	return false
}

// amounts tells whether the numbers of a column are sizes, or sizes a second.
func amounts(g *grid, k int) bool {
	for _, r := range g.rows {
		if qs, words := scan(clean(cellText(r, k)), g.blanksGroup()); len(qs) > 0 {
			return sizeUnit(qs[0].unit) || len(words) > 0 && sizeUnit(words[0])
		}
	}
	return false
}

// columnTime tells whether the numbers of a column carry a unit of time.
func columnTime(g *grid, k int) bool {
	for _, r := range g.rows {
		if qs, _ := scan(clean(cellText(r, k)), g.blanksGroup()); len(qs) > 0 {
			return timeUnit(qs[0].unit) > 0
		}
	}
	return false
}

// oneMetric keeps the throughput columns of one metric and one statistic: TPS before queries a second, the median before the mean before the best;
// figures without connection time before those with it.
// scattered tells whether the counts of a column are all different and in no order: no sweep is written down so.
func scattered(g *grid, k int) bool {
	seen := map[int]bool{}
	last, up, down := -1, true, true
	for _, r := range g.rows {
		n, ok := countOf(cellText(r, k), marks{})
		if !ok {
			continue
		}
		if seen[n] {
			return false
		}
		seen[n] = true
		if last >= 0 {
			up, down = up && n > last, down && n < last
		}
		last = n
	}
	return len(seen) > 2 && !up && !down
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
		t := strings.ToLower(strings.TrimSpace(cols[k].text))
		stem := strings.TrimRight(t, "0123456789")
		n, err := strconv.Atoi(t[len(stem):])
		stem = strings.TrimRight(stem, " _-#.")
		if strings.HasPrefix(t, "#") {
			stem = "#"
		}
		if err == nil && slices.Contains([]string{"run", "rep", "repeat", "iter", "iteration", "round", "trial", "attempt", "pass", "r", "tps", "#"}, stem) && n == len(stems[stem])+1 {
			stems[stem] = append(stems[stem], k)
		}
	}
	for _, numbered := range stems {
		if len(numbered) < 2 {
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

func oneMetric(cols []column, rates []int) []int {
	if len(rates) < 2 {
		return rates
	}
	better := func(rank func(column) int) {
		best := 1 << 30
		for _, k := range rates {
			best = min(best, rank(cols[k]))
		}
		rates = slices.DeleteFunc(rates, func(k int) bool {
			if rank(cols[k]) == best {
				return false
			}
			cols[k].role = ignored
			return true
		})
	}
	better(func(c column) int {
		return slices.Index([]string{"tps", "nopm", "tpm", "qps", "rps", "ops", "eps", ""}, c.unit)
	})
	groups := map[string]bool{}
	for _, k := range rates {
		groups[cols[k].label] = true
	}
	if len(groups) < len(rates) { // several columns of one series: statistics, kinds, or names of one and the same
		byLabel := map[string][]int{}
		var order []string
		for _, k := range rates {
			l := cols[k].label
			if byLabel[l] == nil {
				order = append(order, l)
			}
			byLabel[l] = append(byLabel[l], k)
		}
		rates = rates[:0]
		for _, l := range order {
			best, bestRank := -1, 1<<30
			for _, k := range byLabel[l] {
				r := slices.Index([]string{"median", "", "mean", "max", "min"}, cols[k].stat)
				if cols[k].kind == bench.IncludingConnections {
					r += 10
				}
				if r < bestRank {
					best, bestRank = k, r
				}
			}
			for _, k := range byLabel[l] {
				if k != best {
					cols[k].role = ignored
				}
			}
			rates = append(rates, best)
		}
	} else if slices.ContainsFunc(rates, func(k int) bool { return cols[k].stat == "" }) {
		// "tps" beside "tps_min"
		better(func(c column) int {
			if c.stat == "min" || c.stat == "max" {
				return 1
			}
			return 0
		})
	}
	slices.Sort(rates)
	return rates
}

// unnamedConcurrency finds a column of counts that no heading names: rising whole numbers at the left of named series.
func unnamedConcurrency(g *grid, cols []column, c context) int {
	for k := range min(len(cols), 3) {
		col := cols[k]
		if col.text != "" && !axis(col.text) && col.role != unknown {
			continue
		}
		if col.text != "" && !axis(col.text) {
			continue
		}
		num, present, whole := figures(g, k)
		if num < 3 || num != present || whole != num || !rising(g, k) {
			continue
		}
		rest := 0
		for j := k + 1; j < len(cols); j++ {
			if n, _, _ := figures(g, j); n > 0 && cols[j].text != "" {
				rest++
			}
		}
		if rest == 0 {
			continue
		}
		if indexColumn(g, k) {
			continue // 0, 1, 2, … of a data frame
		}
		return k
	}
	return -1
}

// axis tells whether a heading names two axes with concurrency down the rows: "clients \ mode".
func axis(text string) bool {
	for _, sep := range []string{"\\", "/", "|", "↓", "vs"} {
		if before, after, ok := strings.Cut(text, sep); ok && strings.TrimSpace(after) != "" && concurrencyWord(before) && !concurrencyWord(after) {
			return true
		}
	}
	return false
}

// rising tells whether the counts of a column rise from row to row, or from block to block.
func rising(g *grid, k int) bool {
	last, up := -1, 0
	for _, r := range g.rows {
		n, ok := countOf(clean(cellText(r, k)), marks{})
		if !ok {
			return false
		}
		if n > last && last >= 0 {
			up++
		} else if n < last {
			return false
		}
		last = n
	}
	return up > 0
}

// indexColumn tells whether a column counts the rows: 0, 1, 2, … or 1, 2, 3, … from the first to the last.
func indexColumn(g *grid, k int) bool {
	seen := map[int]bool{}
	lo, hi := 1<<30, -1
	for _, r := range g.rows {
		n, ok := countOf(clean(cellText(r, k)), marks{})
		if !ok || seen[n] {
			return false
		}
		seen[n] = true
		lo, hi = min(lo, n), max(hi, n)
	}
	return lo <= 1 && hi-lo == len(g.rows)-1 && len(g.rows) > 1
}

// finishRows settles the roles of the columns that are neither concurrency nor throughput.
func finishRows(g *grid, p *plan, at int) bool {
	cols := p.columns
	p.sure = true
	counts := map[string]int{}
	for _, r := range g.rows {
		if at >= 0 {
			counts[cellText(r, at)]++
		}
	}
	repeats := false
	for _, n := range counts {
		repeats = repeats || n > 1
	}
	var latencies, repeatsAt, times []int
	for k := range cols {
		col := &cols[k]
		distinct := map[string]bool{}
		for _, r := range g.rows {
			if t := cellText(r, k); t != "" {
				distinct[t] = true
			}
		}
		col.texts = len(distinct)
		num, present, _ := figures(g, k)
		switch col.role {
		case latency:
			latencies = append(latencies, k)
		case repeat:
			if num < present || num == 0 {
				col.role, col.names, col.key, col.named = series, true, col.text, col.texts > 1
			} else {
				repeatsAt = append(repeatsAt, k)
			}
		case elapsed:
			times = append(times, k)
		case duration, failed, transactions, scale, threads, connecting:
			if num == 0 {
				col.role = ignored
			}
		case unknown, series:
			col.key = col.text
			switch {
			case col.role == series && num == present && col.texts == len(g.rows) && len(g.rows) > 2:
				col.role = ignored // the number of a test
			case k == at && col.kind == "fused":
			case col.texts == 0:
				col.role = ignored
			case col.role == unknown && num == present && col.text != "" && !versionLike(g, k):
				col.role = ignored // numbers of unknown meaning
			case col.role == unknown && num == present && col.text == "":
				col.role = ignored // an index column
			case col.role == unknown && col.texts*2 > len(g.rows) && len(g.rows) > 1 && !(k == 0 && repeats):
				col.role = ignored // a note to each row
			default:
				col.role = series
			}
			if col.role == series {
				// A name of its own in every row tells nothing apart when the client counts differ anyway.
				if col.texts == len(g.rows) && len(g.rows) > 1 && at >= 0 && !repeats {
					col.role = ignored
				}
				col.named = col.role == series && col.texts > 1
			}
		}
	}
	for i, k := range repeatsAt {
		if i > 0 {
			cols[k].role = ignored
		}
	}
	settleDesign(g, cols, at)
	// several latencies without the name of a series: the average, not the one of another script
	slices.SortStableFunc(latencies, func(a, b int) int { return latencyRank(cols[a]) - latencyRank(cols[b]) })
	rates := rateLabels(cols)
	seen := map[string]bool{}
	for i, k := range latencies {
		l := cols[k].label
		if !slices.Contains(rates, l) && i > 0 || seen[l] {
			if p.metric != latency {
				cols[k].role = ignored
			}
		}
		seen[l] = true
	}
	settleTimes(g, p, at, times)
	settlePoints(g, cols, at, latencies)
	return true
}

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

func latencyRank(c column) int {
	if c.stat == "mean" || strings.Contains(strings.ToLower(c.text), "av") || strings.Contains(strings.ToLower(c.text), "mean") {
		return 0
	}
	return 1
}

func rateLabels(cols []column) []string {
	var out []string
	for _, c := range cols {
		if c.role == throughput {
			out = append(out, c.label)
		}
	}
	return out
}

// versionLike tells whether a column of numbers rather holds versions: 13.2, 14.1.
func versionLike(g *grid, k int) bool {
	for _, r := range g.rows {
		if t := clean(cellText(r, k)); strings.Count(t, ".") > 1 || strings.HasPrefix(t, "v") {
			return true
		}
	}
	return false
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

// fusedColumn finds a column whose cells hold a series and a concurrency in one word: head_256_clients.
func fusedColumn(g *grid, cols []column) int {
	for k := range cols {
		fused, present := 0, 0
		for _, r := range g.rows {
			t := clean(cellText(r, k))
			if absent(t) {
				continue
			}
			present++
			if _, _, ok := unfuse(t); ok {
				fused++
			}
		}
		if fused > 0 && fused*3 >= present*2 {
			return k
		}
	}
	return -1
}

// unfuse splits a word into the concurrency that stands next to a concurrency word and the rest.
func unfuse(t string) (name string, n int, ok bool) {
	parts := strings.FieldsFunc(t, func(r rune) bool { return strings.ContainsRune("_-/ ,;:()", r) })
	if len(parts) < 2 {
		return "", 0, false
	}
	for i, w := range parts {
		low := strings.ToLower(w)
		var digits string
		from, to := i, i+1
		if _, word := concurrencyWords[low]; word && len(low) > 1 {
			if i > 0 && isDigits(parts[i-1]) {
				digits, from = parts[i-1], i-1
			} else if i+1 < len(parts) && isDigits(parts[i+1]) {
				digits, to = parts[i+1], i+2
			}
		} else if key, value, eq := strings.Cut(low, "="); eq && isDigits(value) {
			if _, word := concurrencyWords[key]; word {
				digits = value
			}
		} else if d := strings.TrimRight(strings.TrimLeft(low, "c"), "c"); len(low) > 1 && len(d) == len(low)-1 && isDigits(d) {
			digits = d
		}
		if digits == "" || len(digits) > 6 {
			continue
		}
		n, _ := strconv.Atoi(digits)
		rest := append(append([]string(nil), parts[:from]...), parts[to:]...)
		return strings.Join(rest, "_"), n, true
	}
	return "", 0, false
}

// resolveAcross reads tables with concurrency in the heading, one series a row.
func resolveAcross(g *grid, p *plan, c context) bool {
	cols := p.columns
	if len(cols) < 3 {
		return false
	}
	var counts []int
	last, first := -1, -1
	named, up := 0, true
	for k := 1; k < len(cols); k++ {
		if cols[k].count < 0 {
			continue
		}
		if first < 0 {
			first = k
		}
		if cols[k].role == clients {
			named++
		}
		up = up && cols[k].count > last
		last = cols[k].count
		counts = append(counts, k)
	}
	if len(counts) < 2 || !up || 2*len(counts) < len(cols)-1 {
		return false
	}
	corner := cols[0].text
	corners := cols[0].role == clients || concurrencyWord(corner)
	if named < len(counts) && corners {
		// The corner names an axis. Whole rising numbers below it: the axis runs down.
		if num, present, whole := figures(g, 0); num >= 2 && num == present && whole == num && rising(g, 0) {
			return false
		}
		if before, after, ok := strings.Cut(corner, "\\"); ok && concurrencyWord(before) && !concurrencyWord(after) {
			return false
		}
	} else if named < len(counts) {
		around := strings.Join(append(append([]string{c.heading}, c.above...), c.below...), " ")
		if !concurrencyWord(around) && !(corner == "" && doubling(cols, counts) && rateRows(g)) && !(cols[0].role == series && cols[0].names && grows(g, cols, counts)) || len(counts) < 3 || fusedColumn(g, cols[:first]) >= 0 {
			return false
		}
	}
	p.shape, p.label, p.sure = across, 0, true
	for k := range cols {
		if slices.Contains(counts, k) {
			cols[k].role = clients
		} else if k >= first {
			cols[k].role = ignored
		} else {
			cols[k].role, cols[k].named = series, true
		}
	}
	// the corner may name what the figures are: "TPS / Latency (µs)"
	if h := readHeading(corner); h.role == latency {
		p.toMs = h.toMs
		if strings.Contains(strings.ToLower(corner), "tps") {
			p.metric = throughput
		} else {
			p.metric = latency
		}
	} else if h.role == throughput {
		p.metric, p.unit = throughput, h.unit
		for _, w := range headingWords(corner) {
			if f := timeUnit(w.low); f > 0 && w.bracket {
				p.toMs = f
			}
		}
	}
	for _, w := range headingWords(corner) {
		if f := timeUnit(w.low); f > 0 && w.bracket {
			p.toMs = f
		}
	}
	if strings.Contains(strings.ToLower(corner), "tps") {
		p.metric = throughput
	}
	return p.metric == throughput || p.metric == latency
}

// doubling tells whether the counts of a heading are powers of two from 1 or 2 on, as the clients of a sweep are.
func doubling(cols []column, counts []int) bool {
	for i, k := range counts {
		if n := cols[k].count; n&(n-1) != 0 || n == 0 || i == 0 && n > 2 {
			return false
		}
	}
	return len(counts) > 3
}

// grows tells whether the figures of most rows rise with the counts over them, as throughput does, and the counts are no numbers of
// repeats: 1, 2, 3.
func grows(g *grid, cols []column, counts []int) bool {
	first, last := counts[0], counts[len(counts)-1]
	if cols[last].count-cols[first].count < len(counts) {
		return false
	}
	up := 0
	for _, r := range g.rows {
		low := readRate(cellText(r, first), cols[first].marks, g.blanksGroup())
		for _, k := range counts[1:] {
			if v := readRate(cellText(r, k), cols[k].marks, g.blanksGroup()); len(low.values) > 0 && len(v.values) > 0 && v.values[0] > 1.5*low.values[0] {
				up++
				break
			}
		}
	}
	return 3*up >= 2*len(g.rows) && up > 0
}

// rateRows tells whether the label of every row names a throughput.
func rateRows(g *grid) bool {
	for _, r := range g.rows {
		if readHeading(cellText(r, 0)).role != throughput {
			return false
		}
	}
	return len(g.rows) > 0
}

// headBySweep makes a heading of a first row that lists the numbers of clients: "clients: 1 8 64" over a row for each series.
func (g *grid) headBySweep() {
	if g.header != nil || len(g.rows) < 2 || len(g.rows[0].cells) < 3 || !concurrencyWord(cellText(g.rows[0], 0)) {
		return
	}
	last := 0
	for _, c := range g.rows[0].cells[1:] {
		n, ok := countOf(c.text, marks{})
		if !ok || n <= last {
			return
		}
		last = n
	}
	g.header, g.rows = &g.rows[0], g.rows[1:]
}

// figureLabels are what summaries of benchmarks call their figures.
var figureLabels = map[string]string{
	"number of clients": "clients", "number of threads": "threads", "scaling factor": "scale", "query mode": "mode", "transaction type": "script", "duration": "duration",
	"number of transactions actually processed": "transactions", "number of failed transactions": "failed", "initial connection time": "connecting", "latency stddev": "stddev", "latency average": "latency",
}

// figureRow is what the label of a row says in a table that holds one figure a row.
func figureRow(label string) (heading, string) {
	low := strings.ToLower(strings.Trim(clean(label), " :`"))
	if key := figureLabels[low]; key != "" {
		return heading{text: label, count: -1}, key
	}
	if h, ok := strings.CutPrefix(low, "tps"); ok {
		hd := readHeading(label)
		if hd.role == throughput && strings.Trim(hd.label, "() ") == "" || h == "" {
			return hd, "tps"
		}
	}
	h := readHeading(label)
	if h.label != "" && h.label != h.text && strings.ContainsAny(h.label, "0123456789") {
		return h, ""
	}
	switch h.role {
	case throughput:
		return h, "tps"
	case latency:
		return h, "latency"
	case percentile:
		return h, "percentile"
	case stddev:
		return h, "stddev"
	case clients:
		if h.rank >= 1 && h.count < 0 && h.label == "" || h.text == h.label {
			return h, "clients"
		}
	case transactions:
		return h, "transactions"
	case failed:
		return h, "failed"
	case connecting:
		return h, "connecting"
	case duration:
		return h, "duration"
	case scale:
		return h, "scale"
	case threads:
		return h, "threads"
	}
	return h, ""
}

// resolveRowsOfFigures reads tables that stand on their side: a row for each figure, a column for each run.
func resolveRowsOfFigures(g *grid, p *plan, header *row) bool {
	if g.width < 2 || len(g.rows) == 0 {
		return false
	}
	if header != nil {
		stats := 0
		for _, c := range header.cells {
			if _, stat := statistic(c.text); stat != "" || summarises(column{heading: heading{text: c.text}}) {
				stats++
			}
			switch strings.ToLower(c.text) {
			case "default", "description", "meaning", "说明", "описание", "beschreibung":
				return false // options of a program
			}
		}
		if stats > 1 {
			return false // statistics of one run, of whatever made them
		}
	}
	rates, figs := 0, 0
	none := map[string]bool{} // labels that name no figure: a long table has a few names, again and again
	for _, r := range g.rows {
		if len(r.cells) < 2 || none[r.cells[0].text] || isNumeric(r.cells[0].text) {
			continue
		}
		h, key := figureRow(r.cells[0].text)
		if key == "" {
			none[r.cells[0].text] = true
			continue
		}
		figs++
		values := 0
		for k := 1; k < len(r.cells); k++ {
			if isNumeric(r.cells[k].text) {
				values++
			} else if _, ok := rateAt(r.cells[k].text, marks{}); ok {
				values++
			}
		}
		if key == "tps" && h.label == "" && values > 0 || key == "tps" && h.stat != "" && values > 0 {
			rates++
		}
	}
	if rates != 1 || figs < 2 && len(g.rows) < 3 {
		return false
	}
	if header != nil {
		for k := 1; k < len(p.columns); k++ {
			if p.columns[k].role == throughput || p.columns[k].role == latency {
				return false // headings name the figures: rows are runs
			}
		}
	}
	p.shape, p.sure = byColumn, true
	if header == nil {
		p.columns = make([]column, g.width)
		for k := range p.columns {
			p.columns[k].count = -1
		}
		settleMarks(g, p.columns)
	}
	return true
}

// pivot turns a table of entities, attributes and values into one with a column for each attribute; nil if it is none.
func pivot(g *grid, cols []column) *grid {
	name, value := -1, -1
	for k := range cols {
		switch cols[k].role {
		case metricName:
			name = k
		case metricValue:
			value = k
		}
	}
	if name < 0 || value < 0 {
		return nil
	}
	rates := false
	var attributes []string
	for _, r := range g.rows {
		t := cellText(r, name)
		if !slices.Contains(attributes, t) {
			attributes = append(attributes, t)
			rates = rates || readHeading(t).role == throughput
		}
	}
	if !rates || len(attributes) > 50 {
		return nil
	}
	out := &grid{sep: g.sep}
	head := row{line: g.header.line, text: g.header.text}
	var keep []int
	for k := range cols {
		if k != name && k != value {
			keep = append(keep, k)
			head.cells = append(head.cells, g.header.cells[k])
		}
	}
	for _, a := range attributes {
		head.cells = append(head.cells, cell{a, 1})
	}
	index := map[string]int{}
	for _, r := range g.rows {
		var key []string
		for _, k := range keep {
			key = append(key, cellText(r, k))
		}
		id := strings.Join(key, Unit)
		i, ok := index[id]
		if ok {
			if j := len(keep) + slices.Index(attributes, cellText(r, name)); out.rows[i].cells[j].text != "" {
				ok = false // the attribute again: another row of the same entity
			}
		}
		if !ok {
			i = len(out.rows)
			index[id] = i
			n := row{line: r.line, text: r.text, cells: make([]cell, len(head.cells))}
			for j, k := range keep {
				n.cells[j] = cell{cellText(r, k), 1}
			}
			out.rows = append(out.rows, n)
		}
		if value < len(r.cells) {
			c := r.cells[value]
			if r.line != out.rows[i].line {
				c.at = 1
			}
			out.rows[i].cells[len(keep)+slices.Index(attributes, cellText(r, name))] = c
		}
	}
	out.header = &head
	out.width = len(head.cells)
	return out
}

// resolveLegend reads tables with numbered columns and a legend. Figures relative to a base are no throughput.
func resolveLegend(g *grid, relative bool) *plan {
	p := &plan{shape: byRow, metric: throughput, sure: true, relative: relative}
	if relative || fractions(g) {
		return &plan{shape: none, relative: true, why: "the figures are relative to a base: no throughput can be read from them"}
	}
	p.columns = make([]column, g.width)
	for k := range p.columns {
		col := &p.columns[k]
		col.count = -1
		if k < len(g.header.cells) {
			if name := g.legend[g.header.cells[k].text]; name != "" {
				col.role, col.label, col.text, col.unit = throughput, name, name, "qps"
				continue
			}
		}
		if num, present, _ := figures(g, k); num < present {
			col.role, col.key = series, "script"
		} else {
			col.role = ignored
		}
	}
	settleMarks(g, p.columns)
	return p
}

// fractions tells whether the numbers of a table are ratios: nearly all below ten, with two decimals.
func fractions(g *grid) bool {
	small, all := 0, 0
	for _, r := range g.rows {
		for _, c := range r.cells {
			if v, ok := fastFloat(c.text); ok {
				all++
				if v < 20 {
					small++
				}
			}
		}
	}
	return all > 0 && 10*small >= 9*all
}
