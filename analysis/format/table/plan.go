package table

import (
	"slices"
	"strconv"
	"strings"
)

// column is a column with the role it plays.
type column struct {
	heading
	marks  marks
	key    string // of attributes and series: the name of what the cells say
	rep    int    // the number of the repeat that a heading states ("Run 2"); 0 for none
	texts  int    // how many different texts it holds, in the rows seen
	named  bool   // series: part of the label; latency: of the series that its heading names
	stray  string // the first point among commas that group thousands, which is read as they are
	apart  bool   // ignored, though its names may tell the rows apart: asked about
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
	derived  bool   // the throughput is transactions by duration
	unit     string // of throughput where headings do not say
	metric   role   // what unnamed figures are: throughput or latency
	toMs     float64
	times    float64 // a multiplier that the text around says: figures in thousands
	pct      string  // latencies: which percentile they all are
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

// quantityOf tells what unnamed figures are, from the words around a table: the caption first, then what follows, then headings. Its role
// is that of all figures, 0 if nothing is said.
func (c context) quantityOf() (q heading, relative bool) {
	for _, text := range slices.Concat(c.above, c.below) {
		low := strings.ToLower(text)
		if strings.Contains(low, "relative to") || strings.Contains(low, "normalized to") || strings.Contains(low, "normalised to") {
			relative = true // if the figures are such: resolve looks
		}
		ws := headingWords(text)
		for _, w := range ws {
			if u, ok := throughputWords[w.low]; ok {
				if q.role == 0 {
					q.role, q.unit, q.times = throughput, u, 1
				}
				if w.low[0] == 'k' || strings.Contains(low, "thousands") || strings.Contains(low, "(k)") || strings.Contains(low, " in k") {
					q.times = 1e3
				}
			} else if latencyWords[w.low] || containsAny(w.low, latencyParts) {
				if q.role == 0 {
					q.role = latency
				}
			}
		}
		if q.role == 0 {
			for _, p := range [...]string{"load time", "execution time", "elapsed", "runtime", "run time", "seconds", "(ms)", "(s)", "(mb)", "(mib)", "(gb)", "(kb)", "(%)", "in mb", "in mib", "milliseconds", "duration of", "time taken", "in ms", "ladezeit", "laufzeit"} {
				if strings.Contains(low, p) && len(text) < 160 {
					q.role = ignored
				}
			}
		}
		if q.role == latency {
			q.toMs = 1
			for _, w := range ws {
				if f := timeUnit(w.low); f > 0 && (w.bracket || strings.Contains(low, "in "+w.low)) {
					q.toMs = f
				}
				if p, ok := percentileOf(w.low); ok {
					q.pct = p
				}
			}
		}
		if q.role != 0 {
			return q, relative
		}
	}
	return q, relative
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
	said, relative := c.quantityOf()
	relative = relative && fractions(g)
	if g.legend != nil || relative {
		return resolveLegend(g, relative)
	}
	if g.counts && !g.headCounts(c) {
		p.why = "a list of numbers of which the text does not say that they are clients and their throughput"
		return p
	}
	g.splitArrows()
	p.unit, p.times, p.pct = said.unit, 1, said.pct
	if said.role != 0 {
		p.metric, p.toMs, p.said = said.role, said.toMs, true
	}
	if said.times > 1 && !slices.ContainsFunc(g.rows, func(r row) bool {
		return slices.ContainsFunc(r.cells, func(c cell) bool { v, ok := fastFloat(c.text); return ok && v >= 1e4 || strings.Contains(c.text, ",") })
	}) {
		p.times = said.times
	}
	if len(g.rows) > 0 && !p.said && strings.EqualFold(cellText(g.rows[0], 0), "amean") {
		p.metric = ignored // mmtests: arithmetic means are of times, harmonic ones of rates
	}
	if g.header == nil {
		if resolveRowsOfFigures(g, p, nil) {
			return p
		}
		g.headBySweep(c)
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
	settleLetters(p.columns)
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
		p.why, p.asks = "the figures are times or sizes, of which less is better: they are no throughput", false
	}
	if p.metric != ignored && !p.asks && countsOfSomething(g, p.columns) {
		p.why, p.asks = "no heading of this table is known to be a number of clients, though the first column counts something", true
	}
	if p.why == "" {
		p.why = "no column of this table is known to be a number of clients and none a throughput"
	}
	return p
}

// settleLetters takes a C that stands after a B for the third of the letters that name series, and not for clients.
func settleLetters(cols []column) {
	for k := 1; k < len(cols); k++ {
		if c := &cols[k]; c.role == clients && strings.EqualFold(c.text, "c") && strings.EqualFold(cols[k-1].text, "b") && cols[k-1].role != clients {
			c.heading = heading{text: c.text, count: -1, times: 1}
		}
	}
}

// countsOfSomething tells whether a table of numbers has rising counts at its left and names over the other columns: a sweep of
// something, perhaps of clients.
func countsOfSomething(g *grid, cols []column) bool {
	if g.sep == byBlank || g.sep == byBlanks || len(cols) < 2 || len(cols) > 12 || len(g.rows) < 3 || cols[0].role != unknown && cols[0].role != elapsed || indexColumn(g, 0) {
		return false
	}
	for k := range cols {
		if num, present, _ := figures(g, k); num == 0 || num < present || k > 0 && cols[k].role != unknown && cols[k].role != metricValue {
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
		cutTwo := cutArrow
		left, right, ok := cutArrow(g.header.cells[k].text)
		if !ok {
			cutTwo = cutProduct
			if left, right, ok = cutProduct(g.header.cells[k].text); !ok || !concurrencyWord(left) || !concurrencyWord(right) && readHeading(right).role != threads {
				continue
			}
		} else if h := readHeading(left); (h.role == throughput || h.role == latency) && h.label != "" && readHeading(right).role == unknown {
			right = strings.Replace(left, h.label, right, 1) // TPS before → after
		}
		both := 0
		for _, r := range g.rows {
			if _, _, ok := cutTwo(cellText(r, k)); ok {
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
				a, b, _ := cutTwo(g.rows[i].cells[k].text)
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

// cutProduct splits "clients x threads" and "50 x 4", or "threads/clients" and "4/50".
func cutProduct(s string) (left, right string, ok bool) {
	for _, sign := range [...]string{" x ", "×", "*", "/"} {
		if a, b, ok := strings.Cut(s, sign); ok && strings.TrimSpace(a) != "" && strings.TrimSpace(b) != "" {
			return strings.TrimSpace(a), strings.TrimSpace(b), true
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

// figureLabels are what summaries of benchmarks call their figures.
var figureLabels = map[string]string{
	"number of clients": "clients", "number of threads": "threads", "scaling factor": "scale", "query mode": "mode", "transaction type": "script", "duration": "duration",
	"number of transactions actually processed": "transactions", "number of failed transactions": "failed", "initial connection time": "connecting", "latency stddev": "stddev", "latency average": "latency",
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
