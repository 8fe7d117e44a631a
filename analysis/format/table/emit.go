package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pgknee/analysis/bench"
	"pgknee/analysis/format"
	"pgknee/analysis/source"
)

// emitter makes runs of the rows of one table.
type emitter struct {
	ctx     *format.Context
	g       *grid
	p       *plan
	heading string // the nearest above
	runs    []*bench.Run

	at      int // column of the concurrency, -1 for none
	rates   []int
	several bool // more than one column of throughput: each is a series
	run     *bench.Run
	key     string  // of the run that rows are folded into
	sum     float64 // of its throughput
	origin  float64 // its first time
	last    float64
	bad     int
	lane    *lane
	ranges  bool                    // told that the ends of ranges are samples
	late    map[int]map[string]bool // columns whose only name so far may not stay the only one, and the names seen
}

func newEmitter(ctx *format.Context, g *grid, p *plan) *emitter {
	e := &emitter{ctx: ctx, g: g, p: p, at: -1}
	for k := range p.columns {
		if p.columns[k].times == 0 {
			p.columns[k].times = 1
		}
		if p.columns[k].apart {
			e.askNames(k)
		}
		switch c := &p.columns[k]; {
		case c.role == clients || c.kind == "fused":
			e.at = k
		case c.role == throughput && c.broken != "" && !c.doubtful():
			ctx.Problem(format.Error, lineOf(g), 0, nil, fmt.Sprintf("column %q is not read: %s", c.text, c.broken))
		case c.role == throughput:
			switch c.broken {
			case "comma":
				e.ask(c, "the comma could group thousands or be a decimal mark; read as thousands", "thousands", "decimal")
			case "point":
				e.ask(c, "the point could be a decimal mark or group thousands; read as a decimal mark", "decimal", "thousands")
			}
			if c.stray != "" {
				ctx.Problem(format.Warning, lineOf(g), 0, nil, fmt.Sprintf("column %q: the comma groups thousands, so the point in %s does as well", c.text, c.stray))
			}
			e.rates = append(e.rates, k)
		}
	}
	if p.derived {
		ctx.Problem(format.Warning, lineOf(g), 0, nil, "no column is a throughput: it is the transactions divided by the duration")
	}
	e.several = len(e.rates) > 1
	return e
}

// ask says how a doubtful mark was read, and offers the other reading.
func (e *emitter) ask(c *column, how, read, other string) {
	q := e.p.question(e.g)
	q.Message = fmt.Sprintf("column %q: %s", c.text, how)
	q.Candidates = []string{strings.Replace(q.Candidates[0], "tps", "tps "+read, 1), strings.Replace(q.Candidates[0], "tps", "tps "+other, 1)}
	e.ctx.Questions = append(e.ctx.Questions, q)
	e.ctx.Problem(format.Warning, q.Line, 0, nil, q.Message)
}

// askNames says that the names of a column tell nothing apart, and offers to make series of them.
func (e *emitter) askNames(k int) {
	q := e.p.question(e.g)
	roles := strings.Split(q.Candidates[0], ",")
	roles[k] = series.String()
	q.Message = fmt.Sprintf("column %q has another text in each row: all rows are read as one series", e.p.columns[k].text)
	q.Candidates = []string{q.Candidates[0], strings.Join(roles, ",")}
	e.ctx.Questions = append(e.ctx.Questions, q)
	e.ctx.Problem(format.Warning, q.Line, 0, nil, q.Message)
}

// doubtful tells whether a mark of the column's numbers could be read two ways, and one was chosen.
func (c *column) doubtful() bool { return c.broken == "comma" || c.broken == "point" }

func lineOf(g *grid) int {
	if g.header != nil {
		return g.header.line
	}
	if len(g.rows) > 0 {
		return g.rows[0].line
	}
	return 0
}

// emit makes runs of all rows.
func (e *emitter) emit() {
	for _, l := range e.g.junk {
		e.ctx.Problem(format.Warning, l.No, 1, l.Text, "a line within a table that is no row of it was skipped")
		e.ctx.Skip(l)
	}
	if r := e.g.torn; r != nil {
		e.ctx.Problem(format.Warning, r.line, r.cells[0].at, []byte(r.text), fmt.Sprintf("the text ends within %q: it is not read", cut(r.cells[0].text, 40)))
	}
	for _, r := range e.g.narrow {
		e.ctx.Problem(format.Warning, r.line, 1, []byte(r.text), "two lines were joined: the first had too few cells")
	}
	switch e.p.shape {
	case byRow:
		for _, r := range e.g.rows {
			e.row(r)
		}
	case across:
		e.across()
	case byColumn:
		e.byColumn()
	}
}

func (e *emitter) problem(r row, k int, message string) {
	e.bad++
	at := 1
	if k < len(r.cells) {
		at = r.cells[k].at
	}
	e.ctx.Problem(format.Warning, r.line, at, []byte(r.text), message)
}

// row makes the runs of one row.
func (e *emitter) row(r row) {
	cols := e.p.columns
	n, known := 0, false
	var fused string
	if e.at >= 0 {
		t := clean(cellText(r, e.at))
		if cols[e.at].kind == "fused" {
			fused, n, known = unfuse(t)
		} else {
			n, known = countOf(t, cols[e.at].marks)
		}
		if !known {
			figures := slices.ContainsFunc(e.rates, func(k int) bool { return isNumeric(cellText(r, k)) })
			switch {
			case absent(t) && strings.Contains(cellText(r, e.at), "~~"):
				e.problem(r, e.at, "a row that is struck out is not read")
			case absent(t) && figures:
				e.problem(r, e.at, "the number of clients is missing: the row is skipped")
			case absent(t), summarises(column{heading: heading{text: t}}):
			case figures || isNumeric(t):
				e.problem(r, e.at, fmt.Sprintf("%q is no number of clients: the row is skipped", cut(t, 40)))
			}
			return
		}
		if n == 0 && e.g.header == nil {
			return
		}
	}
	if e.g.header != nil && len(r.cells) < len(e.g.header.cells) && e.g.sep != byPipe && e.g.sep != byUnit && e.g.legend == nil {
		if e.g.sep == byComma || e.g.sep == bySemicolon || e.g.sep == byTab {
			e.problem(r, 0, fmt.Sprintf("%d cells under %d headings", len(r.cells), len(e.g.header.cells)))
		}
	}
	if e.g.header != nil && e.tooWide(r) {
		e.problem(r, len(e.g.header.cells), fmt.Sprintf("%d cells under %d headings: the row is skipped", len(r.cells), len(e.g.header.cells)))
		return
	}
	base := bench.Run{}
	var names []string
	if fused != "" && !throughputOnly(fused) {
		names = append(names, fused)
	}
	for k := range cols {
		c := &cols[k]
		if k == e.at {
			continue
		}
		t := cellText(r, k)
		switch c.role {
		case series:
			t = strings.TrimSpace(clean(t))
			if t == "" || absent(t) {
				continue
			}
			note(&base, c.key, t)
			if c.named {
				e.sawName(k, t)
				if c.bare {
					t = c.key + "=" + t
				}
				names = append(names, t)
			}
		case unknown, ignored, throughput, clients, latency, stddev, percentile, elapsed:
		default:
			e.field(&base, c, t)
		}
	}
	if e.p.derived {
		e.derive(r, base, n, known, names)
		return
	}
	if len(e.rates) == 0 {
		e.latencies(r, base, n, known, names)
		return
	}
	if fused != "" && e.timesOfFused(r, readHeading(fused), n) {
		return
	}
	for _, k := range e.rates {
		c := &cols[k]
		rate := e.rate(r, k)
		if rate.absent {
			continue
		}
		if rate.why != "" {
			e.problem(r, k, rate.why)
			continue
		}
		if rate.ends && !e.ranges {
			e.ranges = true
			e.ctx.Problem(format.Warning, r.line, at(r, k), []byte(r.text), "the ends of a range are taken for two samples")
		}
		name := e.label(names, c)
		for _, v := range rate.values {
			v *= c.times
			if e.p.fold {
				e.interval(r, base, name, n, v)
				continue
			}
			run := e.new(base, r.line, at(r, k))
			run.Label = name
			setCount(run, n, known)
			if rate.clients >= 0 {
				setCount(run, rate.clients, true)
			}
			setRate(run, v, firstOf(rate.unit, c.unit), c.kind)
			e.times(run, r, c.label)
			if rate.latencyMs > 0 && run.LatencyMs == nil {
				run.LatencyMs = &rate.latencyMs
			}
			if run.Clients == nil {
				run.Flag(bench.FlagClientsUnknown)
			}
			describe(run, name)
		}
	}
}

// rate reads a cell of throughput, and tells what is struck out of it.
func (e *emitter) rate(r row, k int) rate {
	out := readRate(cellText(r, k), e.p.columns[k].marks, e.g.blanksGroup())
	if out.struck {
		e.problem(r, k, "a figure that is struck out is not read")
	}
	return out
}

// timesOfFused reads a row whose name is a latency, "Latency (8 clients)", and gives its cells to the runs of these clients above.
func (e *emitter) timesOfFused(r row, h heading, n int) bool {
	if h.role != latency && h.role != percentile && h.role != stddev {
		return false
	}
	for _, run := range e.runs {
		if run.Clients == nil || *run.Clients != n {
			continue
		}
		for _, k := range e.rates {
			ms, ok := readTime(cellText(r, k), e.p.columns[k].marks, h.toMs, e.g.blanksGroup())
			if run.Label != e.label(nil, &e.p.columns[k]) || !ok {
				continue
			}
			setTime(run, h, ms)
		}
	}
	return true
}

// tooWide tells whether a row has more cells than there are headings: a cell was broken in two, and which one nobody knows.
func (e *emitter) tooWide(r row) bool {
	if e.g.sep != byComma && e.g.sep != bySemicolon && e.g.sep != byTab {
		return false
	}
	n := len(r.cells)
	for n > 0 && r.cells[n-1].text == "" {
		n--
	}
	return n > len(e.g.header.cells)
}

// label names the series of a column of throughput in a row with these names.
func (e *emitter) label(names []string, c *column) string {
	if l := seriesName(c); l != "" {
		names = append(slices.Clip(names), l)
	}
	if e.g.header == nil {
		return strings.Join(names, " ")
	}
	return strings.Join(names, ", ")
}

// new takes a copy of the base into the findings.
func (e *emitter) new(base bench.Run, line, column int) *bench.Run {
	run := base
	run.At = source.Position{File: e.ctx.File, Line: line, Column: column}
	if base.Attributes != nil {
		run.Attributes = bench.Attributes{}
		for k, v := range base.Attributes {
			run.Attributes[k] = v
		}
	}
	e.ctx.Runs = append(e.ctx.Runs, &run)
	e.runs = append(e.runs, &run)
	return &run
}

func at(r row, k int) int {
	if k < len(r.cells) {
		return r.cells[k].at
	}
	return 1
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}

func setCount(run *bench.Run, n int, known bool) {
	if known {
		run.Clients = &n
	}
}

// setRate puts a throughput into a run. Nothing per second is no capacity but a failure.
func setRate(run *bench.Run, v float64, unit, kind string) {
	if v <= 0 {
		run.Flag(bench.FlagNoTransactions)
		return
	}
	run.TPS = &v
	run.TPSKind = firstOf(kind, bench.Reported)
	if unit != "tps" {
		run.Unit = unit
	}
}

// seriesName is the name that a column of throughput gives to its series.
func seriesName(c *column) string {
	if c.label == "" || anyFigure(c.label) || c.label == c.text && c.heading.role == throughput && c.heading.unit != "" && throughputOnly(c.text) {
		return ""
	}
	return c.label
}

// throughputOnly tells whether a heading says nothing but what is counted.
func throughputOnly(text string) bool {
	for _, w := range headingWords(text) {
		if _, ok := throughputWords[w.low]; !ok {
			return false
		}
	}
	return true
}

// times reads the latencies of a row that belong to a series: those of its name, and those of no name.
func (e *emitter) times(run *bench.Run, r row, label string) {
	for k := range e.p.columns {
		c := &e.p.columns[k]
		switch c.role {
		case latency, stddev, percentile:
		default:
			continue
		}
		if !e.belongs(c, label) {
			continue
		}
		ms, ok := readTime(cellText(r, k), c.marks, c.toMs, e.g.blanksGroup())
		if !ok || ms < 0 {
			continue
		}
		setTime(run, c.heading, ms)
	}
}

// setTime puts a latency, or another statistic of it, into a run.
func setTime(run *bench.Run, h heading, ms float64) {
	switch h.role {
	case latency:
		if run.LatencyMs == nil {
			run.LatencyMs = &ms
		}
	case stddev:
		run.LatencyStddevMs = &ms
	case percentile:
		if run.LatencyPercentilesMs == nil {
			run.LatencyPercentilesMs = map[string]float64{}
		}
		run.LatencyPercentilesMs[h.pct] = ms
	}
}

// belongs tells whether a column of latencies is of the series that a throughput column names.
func (e *emitter) belongs(c *column, label string) bool {
	if e.several {
		return c.label == label
	}
	return c.label == "" || c.label == label || c.label == c.text || !namesOther(c.label)
}

// namesOther tells whether what is left of a latency heading names a kind of work, not just words about the latency.
func namesOther(label string) bool {
	for _, w := range headingWords(label) {
		switch w.low {
		case "distribution", "average", "transaction", "trans", "of", "the", "mean", "time", "overall", "total", "all", "query", "stmt", "statement", "per", "end", "to", "result", "95", "99",
			"temps", "de", "tempo", "di", "tiempo", "czas", "время", "시간", "時間", "时间":
		default:
			return true
		}
	}
	return false
}

// latencies makes runs of a row that has latencies and no throughput.
func (e *emitter) latencies(r row, base bench.Run, n int, known bool, names []string) {
	for k := range e.p.columns {
		c := &e.p.columns[k]
		if c.role != latency && (c.role != percentile || e.p.pct == "") {
			continue
		}
		ms, ok := readTime(cellText(r, k), c.marks, c.toMs, e.g.blanksGroup())
		if !ok || ms < 0 {
			continue
		}
		run := e.new(base, r.line, at(r, k))
		label := names
		if c.named || c.label != "" && namesOther(c.label) && !(c.label == c.text && c.heading.role == latency) {
			label = append(slices.Clip(names), c.label)
		}
		run.Label = strings.Join(label, ", ")
		setCount(run, n, known)
		setTime(run, c.heading, ms)
		run.Flag(bench.FlagLatencyOnly)
		describe(run, run.Label)
	}
}

// derive makes the run of a row that states its transactions and how long they took.
func (e *emitter) derive(r row, base bench.Run, n int, known bool, names []string) {
	if base.Transactions == nil || base.DurationS == nil || *base.DurationS <= 0 {
		e.problem(r, 0, "the transactions or the duration are missing: the row is skipped")
		return
	}
	run := e.new(base, r.line, 1)
	run.Label = e.label(names, &column{})
	setCount(run, n, known)
	setRate(run, float64(*base.Transactions) / *base.DurationS, "tps", "")
	e.times(run, r, "")
	describe(run, run.Label)
}

// field puts the cell of a column with a role of its own into a run.
func (e *emitter) field(run *bench.Run, c *column, text string) {
	t := clean(text)
	qs, _ := scan(t, e.g.blanksGroup())
	if len(qs) == 0 {
		return
	}
	v, ok := c.marks.value(qs[0].lit)
	if !ok || v < 0 || math.Abs(v) > 1e15 {
		return
	}
	if f, mult := multiplier(qs[0].unit); mult {
		v *= f
	}
	n, n64 := int(v), int64(v)
	switch c.role {
	case scale:
		run.Scale = &n
	case threads:
		run.Threads = &n
	case duration:
		s := v
		if f := timeUnit(qs[0].unit); f > 0 {
			s = v * f / 1000
		} else if c.toMs > 0 {
			s = v * c.toMs / 1000
		}
		run.DurationS = &s
	case failed:
		run.Failed = &n64
	case transactions:
		run.Transactions = &n64
	case limit:
		run.RateLimitTPS = &v
		run.Flag(bench.FlagRateLimited)
	case connecting:
		if ms, ok := readTime(text, c.marks, c.toMs, e.g.blanksGroup()); ok {
			run.InitialConnectionMs = &ms
		}
	}
}

// interval adds a row to the run that rows in succession are folded into.
func (e *emitter) interval(r row, base bench.Run, name string, n int, v float64) {
	var t float64
	for k := range e.p.columns {
		if e.p.columns[k].role == elapsed {
			t, _ = fastFloat(clean(cellText(r, k)))
		}
	}
	if key := name + Unit + strconv.Itoa(n); e.run == nil || key != e.key || t <= e.last {
		e.endRun()
		e.run, e.key, e.sum, e.origin = e.new(base, r.line, 1), key, 0, t
		e.run.Label = name
		setCount(e.run, n, e.at >= 0)
		if e.at < 0 {
			e.run.Flag(bench.FlagClientsUnknown)
		}
		describe(e.run, name)
	}
	e.last = t
	e.sum += v
	e.run.Intervals = append(e.run.Intervals, bench.Interval{EndS: t, TPS: v})
}

// nameAll lets every column of names name series, also those that hold one name in the rows seen so far: others may follow.
func (e *emitter) nameAll() {
	e.late = map[int]map[string]bool{}
	for k := range e.p.columns {
		if c := &e.p.columns[k]; c.role == series && !c.named && c.kind != "fused" {
			c.named = true
			e.late[k] = map[string]bool{}
		}
	}
}

func (e *emitter) sawName(k int, name string) {
	if seen := e.late[k]; seen != nil && len(seen) < 2 {
		seen[name] = true
	}
}

// unname takes a name that turned out to be the same in all rows out of the labels.
func (e *emitter) unname() {
	for _, seen := range e.late {
		if len(seen) != 1 {
			continue
		}
		for name := range seen {
			sep := ", "
			if e.g.header == nil {
				sep = " "
			}
			short := map[string]string{}
			for _, r := range e.runs {
				s, ok := short[r.Label]
				if !ok {
					parts := strings.Split(r.Label, sep)
					if i := slices.Index(parts, name); i >= 0 {
						parts = slices.Delete(parts, i, i+1)
					}
					s = strings.Join(parts, sep)
					short[r.Label] = s
				}
				r.Label = s
			}
		}
	}
	e.late = nil
}

// close ends the table: the run that rows are folded into, and names that tell nothing apart.
func (e *emitter) close() {
	e.endRun()
	e.unname()
}

// endRun ends the run that rows are folded into.
func (e *emitter) endRun() {
	if e.run == nil {
		return
	}
	n := len(e.run.Intervals)
	step := 0.0
	if n > 1 {
		step = (e.last - e.origin) / float64(n-1)
	}
	if e.origin > step+1e-9 || e.origin == 0 { // times that do not begin with the run
		for i := range e.run.Intervals {
			e.run.Intervals[i].EndS += step - e.origin
		}
	}
	if n > 0 {
		d := e.run.Intervals[n-1].EndS
		if d > 0 {
			e.run.DurationS = &d
		}
		setRate(e.run, e.sum/float64(n), "", "")
	}
	e.run = nil
}

// across makes runs of a table with concurrency in its heading.
func (e *emitter) across() {
	g, p := e.g, e.p
	byName := map[string][]*bench.Run{} // the runs of the rows of one name, by column
	type late struct {
		r    row
		h    heading
		name string
	}
	var lates []late
	labelled := 0
	if g.header != nil {
		for k, c := range g.header.cells {
			t := clean(c.text)
			if k < len(p.columns) && p.columns[k].role == ignored && isNumeric(t) {
				e.problem(*g.header, k, fmt.Sprintf("%q is no number of clients: the column is skipped", cut(t, 40)))
			}
		}
	}
	for _, r := range g.rows {
		var names []string
		for k := range p.columns {
			if p.columns[k].role == series {
				if t := strings.TrimSpace(clean(cellText(r, k))); t != "" {
					names = append(names, t)
				}
			}
		}
		text := strings.Join(names, ", ")
		h := readHeading(text)
		name := text
		switch h.role {
		case throughput, latency, percentile, stddev:
			name = h.label
			if h.label == h.text {
				name = ""
			}
		case ignored:
			if strings.ContainsAny(text, "%") || h.label == "" {
				continue
			}
		}
		if p.metric == latency && h.role != throughput && h.pct == "" {
			if h.role, h.pct = latency, p.pct; h.pct != "" {
				h.role = percentile
			}
		}
		if h.role == latency || h.role == percentile || h.role == stddev {
			lates = append(lates, late{r, h, name})
			continue
		}
		labelled++
		runs := make([]*bench.Run, len(p.columns))
		for k := range p.columns {
			c := &p.columns[k]
			if c.role != clients {
				continue
			}
			if c.broken != "" && !c.doubtful() {
				e.problem(r, k, c.broken)
				continue
			}
			rate := e.rate(r, k)
			if rate.absent {
				continue
			}
			if rate.why != "" {
				e.problem(r, k, rate.why)
				continue
			}
			times := max(h.times, p.times)
			for _, v := range rate.values {
				run := e.new(bench.Run{}, r.line, at(r, k))
				run.Label = name
				setCount(run, c.count, true)
				setRate(run, v*times, firstOf(rate.unit, firstOf(h.unit, p.unit)), h.kind)
				if rate.latencyMs > 0 {
					ms := rate.latencyMs
					run.LatencyMs = &ms
				}
				describe(run, name)
				runs[k] = run
			}
		}
		byName[name] = runs
	}
	for _, l := range lates {
		toMs := l.h.toMs
		if toMs == 0 {
			toMs = p.toMs
		}
		for k := range p.columns {
			c := &p.columns[k]
			if c.role != clients {
				continue
			}
			ms, ok := readTime(cellText(l.r, k), c.marks, toMs, g.blanksGroup())
			if !ok || ms < 0 {
				continue
			}
			var run *bench.Run
			if runs := byName[l.name]; runs != nil {
				run = runs[k]
			} else if labelled > 0 && l.name != "" {
				continue
			}
			if run == nil {
				if labelled > 0 || l.h.role == percentile && p.pct == "" || l.h.role == stddev {
					continue
				}
				run = e.new(bench.Run{}, l.r.line, at(l.r, k))
				run.Label = l.name
				setCount(run, c.count, true)
				run.Flag(bench.FlagLatencyOnly)
				describe(run, l.name)
			}
			setTime(run, l.h, ms)
		}
	}
}

// byColumn makes runs of a table that stands on its side.
func (e *emitter) byColumn() {
	g, p := e.g, e.p
	sweep := headsSweep(p.columns) // "   1   8   64" over rows of figures
	for k := 1; k < g.width; k++ {
		var run bench.Run
		line, col, found, within := 0, 1, false, false
		var values []float64
		for _, r := range g.rows {
			if k >= len(r.cells) {
				continue
			}
			label := r.cells[0].text
			if strings.HasPrefix(strings.ToLower(clean(label)), "statement latencies") {
				within = true
				continue
			}
			t := r.cells[k].text
			m := p.columns[k].marks
			if within {
				if ms, ok := readTime(t, m, 1, true); ok {
					run.Statements = append(run.Statements, bench.Statement{SQL: strings.Join(strings.Fields(clean(label)), " "), LatencyMs: ms})
					continue
				}
			}
			h, key := figureRow(label)
			if key == "" || absent(clean(t)) {
				continue
			}
			switch key {
			case "tps":
				rate := readRate(t, m, true)
				if rate.why != "" || rate.absent {
					if at, ok := rateAt(t, m); ok {
						rate = at
					} else {
						continue
					}
				}
				values = rate.values
				setCount(&run, h.count, h.count >= 0)
				found, line, col = true, r.line, r.cells[k].at
				setRate(&run, rate.values[0]*max(h.times, 1), firstOf(rate.unit, h.unit), h.kind)
				if rate.clients >= 0 {
					setCount(&run, rate.clients, true)
				}
				if rate.latencyMs > 0 {
					run.LatencyMs = &rate.latencyMs
				}
			case "latency", "stddev", "connecting", "percentile":
				ms, ok := readTime(t, m, h.toMs, true)
				if !ok || ms < 0 {
					continue
				}
				if key == "connecting" {
					run.InitialConnectionMs = &ms
					continue
				}
				h.role = map[string]role{"latency": latency, "stddev": stddev, "percentile": percentile}[key]
				setTime(&run, h, ms)
			case "mode":
				run.QueryMode = queryMode(t)
			case "script":
				run.Script = clean(t)
			case "clients":
				if n, ok := countOf(clean(t), m); ok {
					run.Clients = &n
				}
			default:
				role := map[string]role{"threads": threads, "scale": scale, "duration": duration, "transactions": transactions, "failed": failed}[key]
				e.field(&run, &column{heading: heading{role: role, toMs: h.toMs}, marks: m}, t)
			}
		}
		if !found {
			continue
		}
		label := ""
		if g.header != nil && k < len(p.columns) {
			if label = p.columns[k].text; anyFigure(label) {
				label = ""
			}
			if p.columns[k].count >= 0 && (p.columns[k].heading.role == clients || sweep) && run.Clients == nil {
				n := p.columns[k].count
				run.Clients = &n
				label = ""
			}
		}
		for _, v := range values {
			out := e.new(run, line, col)
			out.Label = label
			if v > 0 {
				out.TPS = &v
			}
			if out.Clients == nil {
				out.Flag(bench.FlagClientsUnknown)
			}
			describe(out, label)
		}
	}
}

// anyFigure tells whether a heading names nothing: Result, Value.
func anyFigure(label string) bool {
	switch strings.ToLower(label) {
	case "result", "results", "value", "values", "measured", "结果", "结果值", "値", "결과", "wert", "valeur", "valor", "значение":
		return true
	}
	return false
}

// headsSweep tells whether headings are bare counts as of a sweep: rising, round, and no mere numbering.
func headsSweep(cols []column) bool {
	var l profileOf
	for _, c := range cols[min(1, len(cols)):] {
		n := len(l.distinct)
		if c.count < 0 || n > 0 && float64(c.count) <= l.distinct[n-1] {
			return false
		}
		l.distinct = append(l.distinct, float64(c.count))
	}
	return len(l.distinct) > 2 && !l.counted() && 3*roundOnes(l) >= 2*len(l.distinct)
}

func queryMode(t string) string {
	switch l := strings.ToLower(strings.TrimSpace(clean(t))); l {
	case "simple", "extended", "prepared":
		return l
	}
	return ""
}

// note puts a name that a column gives to a row into the run.
func note(run *bench.Run, key, value string) {
	low := strings.ToLower(key)
	if mode := queryMode(value); mode != "" {
		run.QueryMode = mode
	}
	switch low {
	case "":
		return
	case "script", "workload", "benchmark", "test_type", "test type", "query":
		run.Script = value
		return
	case "mode", "protocol", "query mode", "query_mode":
		if run.QueryMode != "" {
			return
		}
	}
	run.Set(key, value)
}

// describe reads what a label states in so many words: "v13 (track_planning=off)", "s=1000, RO".
func describe(run *bench.Run, label string) {
	if strings.IndexByte(label, '=') < 0 {
		return
	}
	for _, part := range strings.FieldsFunc(label, func(r rune) bool { return strings.ContainsRune("(),;[] ", r) }) {
		key, value, ok := strings.Cut(part, "=")
		if !ok || key == "" || value == "" {
			continue
		}
		switch strings.ToLower(key) {
		case "s", "scale", "sf":
			if n, err := strconv.Atoi(value); err == nil {
				run.Scale = &n
			}
		case "j", "jobs":
			if n, err := strconv.Atoi(value); err == nil {
				run.Threads = &n
			}
		case "c", "clients", "n", "nodes", "conc":
		default:
			run.Set(settingName(key), value)
		}
	}
}
