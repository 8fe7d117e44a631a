package table

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"pgknee/analysis/bench"
	"pgknee/analysis/format"
	"pgknee/analysis/settings"
	"pgknee/analysis/source"
)

// Format reads files that are tables and hardly anything else.
var Format = &format.Format{
	Name: "table", Doc: "tables of results: CSV, TSV, semicolons, blanks, psql, Markdown, HTML, text",
	Sniff: sniff,
	New:   func(ctx *format.Context) format.Reader { return &reader{ctx: ctx} },
}

// Block lets a document hold tables.
var Block = &format.Block{
	Name: "table",
	Claims: func(lines []source.Line) int {
		g, n := claim(lines)
		if g == nil || g.header == nil && g.sep != byPipe && !g.counts && len(g.rows) < 4 {
			return 0
		}
		return n
	},
	Read: func(ctx *format.Context, p format.Passage) {
		if g, _ := claim(p.Lines); g != nil {
			if e := read(ctx, g, context{p.Heading, p.Above, p.Below}, true, false); e != nil {
				e.close()
			}
		}
	},
}

// Tells says whether the table that begins with the first line holds figures that can be read, and how many lines it takes.
func Tells(lines []source.Line, above []string) (readable bool, n int) {
	g, n := claim(lines)
	if g == nil {
		return false, 0
	}
	p := resolve(g.head(), context{above: above})
	return p.shape != none, n
}

// settingName completes the name of a setting that lacks its extension (track_planning → pg_stat_statements.track_planning).
func settingName(name string) string {
	if full := settings.Embedded().Full(name); settings.Embedded().Has(full) {
		return full
	}
	return name
}

// bufferLines is how many lines are looked at before a table is read row by row.
const (
	bufferLines = 1000
	bufferBytes = 1 << 20
)

// reader gathers lines. A file that ends soon is looked at as a whole; of a longer one the last table goes on row by row.
type reader struct {
	ctx    *format.Context
	lines  []source.Line
	bytes  int
	open   *emitter // the table that rows still come for
	width  int
	above  Outline
	tables []*emitter
	read   int
	seen   map[string]int // tables read so far, by their cells: the line where each begins
	depth  int            // of open brackets, where the lines gathered are JSON; below 0 where they are not
	value  []source.Line  // a JSON value of the open table that has not ended
}

// Line takes the next line.
func (r *reader) Line(l source.Line) {
	if r.open != nil {
		if r.stream(l) {
			return
		}
		r.open.close()
		r.open = nil
	}
	if t := bytes.TrimSpace(l.Text); len(r.lines) == 0 {
		r.depth = -1
		if len(t) > 0 && (t[0] == '{' || t[0] == '[') {
			r.depth = 0
		}
	}
	if r.depth >= 0 {
		r.depth += balance(l.Text)
	}
	r.lines = append(r.lines, source.Line{Text: bytes.Clone(l.Text), No: l.No})
	r.bytes += len(l.Text)
	if r.depth > 0 && len(r.lines) < mostLines && r.bytes < mostBytes {
		return // a value is read as a whole
	}
	if len(r.lines) >= bufferLines || r.bytes >= bufferBytes {
		if r.depth > 0 {
			r.ctx.Problem(format.Error, r.lines[0].No, 1, r.lines[0].Text, fmt.Sprintf("a JSON value of more than %d MB or %d lines is not read as one: write an object on each line", mostBytes>>20, mostLines))
		}
		r.take(false)
	}
}

// Close reads what is left.
func (r *reader) Close() {
	if r.open != nil {
		if len(r.value) > 0 {
			r.values(r.value)
			r.value = nil
		}
		r.open.close()
		r.open = nil
	}
	r.take(true)
	if r.read == 0 && len(r.ctx.Runs) == 0 && len(r.ctx.Problems) == 0 {
		r.ctx.Problem(format.Error, 0, 0, nil, "no table of runs was found")
	}
	labelTables(r.ctx, r.tables)
}

// take reads the tables among the lines gathered.
func (r *reader) take(all bool) {
	lines := r.lines
	r.lines, r.bytes = nil, 0
	if IsHTML(lines) {
		lines = HTML(lines)
	}
	for i := 0; i < len(lines); {
		ahead := lines[i:]
		if i > 0 { // only a value that begins the lines may be longer
			ahead = ahead[:min(len(ahead), bufferLines)]
		}
		g, n := claim(ahead)
		if g == nil {
			if why := tooManyColumns(lines[i]); why != "" {
				r.ctx.Problem(format.Error, lines[i].No, 1, lines[i].Text, why)
			}
			r.above.See(lines[i])
			if len(bytes.TrimSpace(lines[i].Text)) > 0 {
				r.ctx.Skip(lines[i])
			}
			i++
			continue
		}
		r.read++
		around := context{r.above.Heading(), r.above.Texts(), Below(lines[i+n:])}
		r.above.Pass()
		goesOn := !all && i+n >= len(lines)
		if first := r.again(g); first > 0 && !goesOn {
			r.ctx.Problem(format.Warning, lineOf(g), 1, textOf(g), fmt.Sprintf("the table of line %d again: it counts once", first))
			i += n
			continue
		}
		e := read(r.ctx, g, around, false, goesOn)
		if e != nil {
			r.tables = append(r.tables, e)
		}
		if goesOn && e != nil && e.p.shape == byRow {
			r.open, r.width = e, g.width
			return
		}
		if e != nil {
			e.close()
		}
		i += n
	}
}

// tooManyColumns tells why a line of headings with blanks between them is not read; "" if it is none or not too wide.
func tooManyColumns(l source.Line) string {
	words := bytes.Fields(l.Text)
	if len(words) <= mostHeadings || readHeading(string(words[0])).role != clients {
		return ""
	}
	return fmt.Sprintf("%d columns with blanks between them: more than %d are read with commas or tabs between them", len(words), mostHeadings)
}

// again gives the line of an earlier table with the same cells; 0 if there is none. A single row may well be measured twice.
func (r *reader) again(g *grid) int {
	if len(g.rows) < 3 {
		return 0
	}
	var b strings.Builder
	for _, row := range g.rows {
		for _, c := range row.cells {
			b.WriteString(c.text)
			b.WriteByte(0)
		}
		b.WriteByte('\n')
	}
	if r.seen == nil {
		r.seen = map[string]int{}
	}
	key := b.String()
	if g.header != nil {
		key = g.header.text + "\n" + key
	}
	if first, ok := r.seen[key]; ok {
		return first
	}
	r.seen[key] = lineOf(g)
	return 0
}

// streamValue reads a further line of an open table of JSON values.
func (r *reader) streamValue(l source.Line) bool {
	t := bytes.TrimSpace(l.Text)
	if len(r.value) == 0 && (len(t) == 0 || t[0] != '{' && t[0] != '[') {
		return len(t) == 0
	}
	if len(r.value) == 0 {
		r.depth = 0
	}
	r.depth += balance(l.Text)
	if len(r.value) == 0 && r.depth == 0 {
		r.values([]source.Line{l})
		return true
	}
	r.value = append(r.value, source.Line{Text: bytes.Clone(l.Text), No: l.No})
	if r.depth <= 0 || len(r.value) >= bufferLines {
		r.values(r.value)
		r.value = nil
	}
	return true
}

func (r *reader) values(lines []source.Line) {
	rows, ok := record(lines, r.open.g.keys)
	if !ok {
		r.ctx.Problem(format.Warning, lines[0].No, 1, lines[0].Text, "no JSON value with results: it is skipped")
		for _, l := range lines {
			r.ctx.Skip(l)
		}
	}
	for _, row := range rows {
		r.open.row(row)
	}
}

// stream reads a further row of the open table.
func (r *reader) stream(l source.Line) bool {
	if r.open.g.keys != nil {
		return r.streamValue(l)
	}
	if len(l.Text) == 0 {
		return false
	}
	if r.open.fast(l) {
		return true
	}
	text := string(l.Text)
	cells := split(text, r.open.g.sep)
	switch {
	case strings.TrimSpace(text) == "":
		return false
	case len(cells) == r.width || r.open.g.sep == byPipe && len(cells) > 1:
		r.open.row(row{l.No, text, cells})
	case isRule(text):
	default:
		r.ctx.Problem(format.Warning, l.No, 1, l.Text, fmt.Sprintf("%d cells in a table of %d: the row is skipped", len(cells), r.width))
		r.ctx.Skip(l)
	}
	return true
}

// read makes a plan for a table and the runs that it holds. Nil when it holds none. Within: it stands in a document. GoesOn: further
// rows may follow.
func read(ctx *format.Context, g *grid, c context, within, goesOn bool) *emitter {
	p := resolve(g, c)
	if ctx.Options.Columns != "" {
		if answered := answer(g, ctx.Options.Columns, c); answered != nil {
			p = answered
		} else if !within {
			ctx.Problem(format.Warning, lineOf(g), 0, nil, fmt.Sprintf("the columns %q do not fit this table of %d columns", ctx.Options.Columns, g.width))
		}
	}
	if p.shape == none {
		if within && !p.relative && !(p.asks && (p.swept || g.sep == byPipe)) {
			return nil // numbers in prose
		}
		if q := p.question(g); p.asks && slices.ContainsFunc(ctx.Questions, func(o format.Question) bool {
			return o.Message == q.Message && len(o.Columns) == len(q.Columns)
		}) {
			p.asks = false // one answer is for all tables of this width
		} else if p.asks {
			ctx.Questions = append(ctx.Questions, p.question(g))
			ctx.Problem(format.Error, lineOf(g), 1, textOf(g), p.why+": say what the columns are")
		} else {
			ctx.Problem(format.Warning, lineOf(g), 1, textOf(g), p.why)
		}
		for _, r := range g.rows {
			ctx.Skip(source.Line{No: r.line})
		}
		return nil
	}
	if g.over != "" {
		ctx.Problem(format.Error, lineOf(g), 1, textOf(g), g.over)
	}
	if g.cut > 0 {
		ctx.Problem(format.Warning, g.cut, 1, nil, "the JSON that begins here has no end: what is complete in it is read")
	}
	before := len(ctx.Runs)
	e := newEmitter(ctx, g, p)
	if goesOn {
		e.nameAll()
	}
	e.heading = c.heading
	e.emit()
	if joined := joinTimes(ctx, before); len(ctx.Runs) == before && e.bad == 0 && !joined {
		ctx.Problem(format.Warning, lineOf(g), 1, textOf(g), "the table holds no figures")
	}
	if g.header == nil && p.shape == byRow && ctx.Options.Columns == "" && !within {
		q := p.question(g)
		q.Message = "the columns have no headings; they were read as " + q.Candidates[0]
		ctx.Questions = append(ctx.Questions, q)
	}
	return e
}

func textOf(g *grid) []byte {
	if g.header != nil {
		return []byte(g.header.text)
	}
	if len(g.rows) > 0 {
		return []byte(g.rows[0].text)
	}
	return nil
}

// question shows the guess, the other readings that come to mind, and the first rows.
func (p *plan) question(g *grid) format.Question {
	q := format.Question{Kind: "columns", Line: lineOf(g), Message: p.why}
	cols := p.columns
	if len(cols) == 0 {
		cols = make([]column, g.width)
	}
	guess := make([]string, len(cols))
	var counts []int
	for k := range cols {
		guess[k] = cols[k].role.String()
		switch cols[k].role {
		case percentile:
			guess[k] = "p" + cols[k].pct
		case unknown, ignored, metricValue:
			if num, present, whole := figures(g, k); num > 0 && num == present && whole == num {
				counts = append(counts, k)
			}
			guess[k] = "-"
		}
	}
	if !slices.Contains(guess, "clients") && len(counts) > 0 {
		guess[counts[0]] = "clients"
		counts = counts[1:]
	}
	if !slices.Contains(guess, "tps") { // the last column of figures, and those of like size
		size := 0.0
		for k := len(cols) - 1; k >= 0; k-- {
			num, present, _ := figures(g, k)
			if num == 0 || num < present || guess[k] != "-" {
				continue
			}
			if m := look(g, k).median; size == 0 || m < 5*size && size < 5*m {
				guess[k], size = "tps", m
			}
		}
	}
	q.Candidates = append(q.Candidates, strings.Join(guess, ","))
	at := slices.Index(guess, "clients")
	for _, k := range counts {
		if at < 0 || guess[k] != "-" {
			continue
		}
		other := slices.Clone(guess)
		other[at], other[k] = "-", "clients"
		q.Candidates = append(q.Candidates, strings.Join(other, ","))
	}
	if at >= 0 {
		other := slices.Clone(guess)
		other[at] = "-"
		q.Candidates = append(q.Candidates, strings.Join(other, ","))
	}
	q.Columns = make([]string, g.width)
	if g.header != nil {
		for k, c := range g.header.cells {
			if k < g.width {
				q.Columns[k] = c.text
			}
		}
	}
	for _, r := range g.rows[:min(5, len(g.rows))] {
		var cells []string
		for _, c := range r.cells {
			cells = append(cells, cut(c.text, 60))
		}
		q.Preview = append(q.Preview, cells)
	}
	return q
}

// answer makes the plan that the user's roles say; nil when they do not fit the table.
func answer(g *grid, spec string, c context) *plan {
	roles := strings.Split(spec, ",")
	if len(roles) != g.width {
		return nil
	}
	p := &plan{shape: byRow, sure: true, metric: throughput}
	p.columns = make([]column, g.width)
	var styles []string
	for k, said := range roles {
		col := &p.columns[k]
		words := strings.Fields(strings.ToLower(said))
		if g.header != nil && k < len(g.header.cells) {
			col.heading = readHeading(g.header.cells[k].text)
		}
		old := col.heading
		col.heading = heading{text: old.text, label: old.label, count: -1, times: 1}
		styles = append(styles, "")
		if len(words) == 0 {
			continue
		}
		name := words[0]
		found := false
		for _, a := range answers {
			if a.name == name {
				col.role, found = a.role, true
			}
		}
		if pct, ok := percentileOf(name); ok {
			col.role, col.pct, found = percentile, pct, true
		}
		if !found {
			return nil
		}
		switch col.role {
		case series:
			col.named, col.key = true, old.text
		case throughput:
			col.unit, col.kind = old.unit, old.kind
			if old.role == throughput {
				col.times = old.times
			}
		case latency, stddev, percentile:
			col.toMs = old.toMs
		}
		for _, w := range words[1:] {
			switch {
			case w == "decimal" || w == "thousands":
				styles[k] = w
			case timeUnit(w) > 0:
				col.toMs = timeUnit(w)
			case rateUnit(w) != "":
				col.unit = rateUnit(w)
			}
		}
	}
	settleMarks(g, p.columns)
	for k, s := range styles {
		if s != "" {
			points := !slices.ContainsFunc(g.rows, func(r row) bool { return strings.Contains(cellText(r, k), ",") })
			p.columns[k].marks, p.columns[k].broken = marks{commaDecimal: s == "decimal" && !points, pointGroups: s == "thousands" && points}, ""
		}
	}
	at := slices.IndexFunc(p.columns, func(c column) bool { return c.role == clients })
	for k := range p.columns {
		if p.columns[k].role == elapsed && at >= 0 && timeSeries(g, at, k) {
			p.fold = true
		}
	}
	return p
}

// joinTimes gives the latencies of a table to the runs before it that have the throughput of the same name and clients, where the two
// agree (Little's law), and takes them out of the findings.
func joinTimes(ctx *format.Context, before int) (joined bool) {
	earlier := ctx.Runs[:before]
	ctx.Runs = append(earlier, slices.DeleteFunc(ctx.Runs[before:], func(r *bench.Run) bool {
		if !r.Has(bench.FlagLatencyOnly) || r.Clients == nil || *r.Clients == 0 {
			return false
		}
		for _, of := range slices.Backward(earlier) {
			if of.Label != r.Label || of.TPS == nil || of.Clients == nil || *of.Clients != *r.Clients {
				continue
			}
			busy := *of.TPS / 1e3 / float64(*of.Clients) // a millisecond's share
			switch {
			case r.LatencyMs != nil && of.LatencyMs == nil && busy**r.LatencyMs > 0.5 && busy**r.LatencyMs < 2:
				of.LatencyMs = r.LatencyMs
				joined = true
				return true
			case r.LatencyMs == nil:
				for p, ms := range r.LatencyPercentilesMs {
					if of.LatencyPercentilesMs[p] == 0 && busy*ms > 0.5 {
						setTime(of, heading{role: percentile, pct: p}, ms)
						joined = true
						return true
					}
				}
			}
			return false
		}
		return false
	})...)
	return joined
}

// labelTables names runs that nothing within their table names, and keeps series apart that two tables name alike, unless the
// protocol already does.
func labelTables(ctx *format.Context, tables []*emitter) {
	type name struct{ label, mode string }
	of := func(r *bench.Run) name {
		if r.Label == "" {
			return name{}
		}
		return name{r.Label, r.QueryMode}
	}
	used := map[name]int{}
	for _, e := range tables {
		seen := map[name]bool{}
		for _, r := range e.runs {
			if n := of(r); !seen[n] {
				seen[n] = true
				used[n]++
			}
		}
	}
	for _, e := range tables {
		if e.heading == "" {
			continue
		}
		for _, r := range e.runs {
			switch {
			case used[of(r)] < 2 && (r.Label != "" || len(tables) < 2):
			case r.Label == "":
				r.Label = e.heading
			default:
				r.Label = e.heading + ": " + r.Label
			}
		}
	}
}

// Runs of one table of a document, for LabelTables.
type Runs struct {
	Heading string
	Runs    []*bench.Run
}

// LabelTables names runs that nothing within their table names, and keeps series apart that two tables name alike.
func LabelTables(tables []Runs) {
	var es []*emitter
	for _, t := range tables {
		es = append(es, &emitter{heading: t.Heading, runs: t.Runs})
	}
	labelTables(nil, es)
}

// Outline keeps the headings above a line and the paragraph before it.
type Outline struct {
	head      []string // by level, deepest last
	levels    []int
	paragraph []string
	ended     bool
}

// See takes the next line that is no table.
func (o *Outline) See(l source.Line) {
	text := strings.TrimSpace(string(l.Text[:min(len(l.Text), 400)]))
	if text == "" {
		o.ended = true
		return
	}
	if o.ended {
		o.paragraph, o.ended = nil, false
	}
	if level, title := headingLine(text); level > 0 && !strings.Contains(strings.ToLower(title), "tps = ") { // that is a result
		for len(o.levels) > 0 && o.levels[len(o.levels)-1] >= level {
			o.levels, o.head = o.levels[:len(o.levels)-1], o.head[:len(o.head)-1]
		}
		if level < sentenceLevel || !o.wrapped() { // the end of a sentence is no title, but what was said before is over
			o.levels, o.head = append(o.levels, level), append(o.head, title)
		}
	}
	if len(o.paragraph) < 20 {
		o.paragraph = append(o.paragraph, text)
	}
}

// sentenceLevel is the level of a line that is a heading only by the colon at its end.
const sentenceLevel = 8

// wrapped tells whether the line before is prose that goes on: its sentence was broken where a line of a mail is full.
func (o *Outline) wrapped() bool {
	n := len(o.paragraph)
	return n > 0 && len(o.paragraph[n-1]) >= 50 && !strings.ContainsAny(o.paragraph[n-1][len(o.paragraph[n-1])-1:], ".:;!?|")
}

// Heading is the nearest one; without any, a line of a few words that stands alone before.
func (o *Outline) Heading() string {
	if n := len(o.head); n > 0 {
		return o.head[n-1]
	}
	if len(o.paragraph) == 1 && len(o.paragraph[0]) < 40 && !strings.ContainsAny(o.paragraph[0], ".,;|!?\\") && strings.Count(o.paragraph[0], " ") < 4 {
		return o.paragraph[0]
	}
	return ""
}

// Texts gives the paragraph before, last line first, and then the headings, deepest first.
func (o *Outline) Texts() []string {
	var out []string
	for _, p := range slices.Backward(o.paragraph) {
		out = append(out, p)
	}
	for _, h := range slices.Backward(o.head) {
		out = append(out, h)
	}
	return out
}

// Pass notes that a passage was read: what stands before it is no longer the paragraph before.
func (o *Outline) Pass() { o.ended = true }

// headingLine gives the level of a heading and its text: "## Title", "**Title**", "Title:", "2) Title". Level 0 for other lines.
func headingLine(text string) (int, string) {
	level := 0
	for level < len(text) && text[level] == '#' {
		level++
	}
	if level > 0 && level <= 6 && level < len(text) && text[level] == ' ' {
		if strings.Contains(text, " -") && strings.Contains(text, "pgbench ") {
			return 0, "" // a command under the prompt of root
		}
		return level, strings.TrimSpace(clean(strings.Trim(text[level:], "# ")))
	}
	if len(text) > 100 {
		return 0, ""
	}
	switch {
	case strings.HasPrefix(text, "**") && strings.HasSuffix(strings.TrimRight(text, ": "), "**") && len(text) > 4:
		return 7, strings.Trim(text, "*: ")
	case strings.HasPrefix(text, "== ") || strings.HasPrefix(text, "=== "):
		return 7, strings.Trim(text, "= ")
	case strings.HasSuffix(text, ":") && !strings.HasSuffix(text, "wrote:") && strings.Count(text, " ") < 10:
		return sentenceLevel, strings.TrimSpace(strings.TrimRight(text, ":"))
	case len(text) > 3 && digit(text[0]) && (text[1] == ')' || text[1] == '.' && text[2] == ' '):
		return 7, strings.TrimSpace(strings.ReplaceAll(text[2:], "**", ""))
	}
	return 0, ""
}

// Below gives the paragraph after a table.
func Below(lines []source.Line) []string {
	var out []string
	for i, l := range lines {
		text := strings.TrimSpace(string(l.Text[:min(len(l.Text), 400)]))
		if text == "" {
			if len(out) > 0 {
				break
			}
			continue
		}
		if level, _ := headingLine(text); level > 0 || i > 8 || strings.HasPrefix(text, "|") {
			break
		}
		out = append(out, text)
	}
	return out
}

// sniff finds a table that can be read, or a headless one that can be asked about.
func sniff(_ string, head []byte) format.Confidence {
	lines := cutLines(head)
	if IsHTML(lines) {
		lines = HTML(lines)
	}
	var above Outline
	best := format.No
	inside, outside := 0, 0
	for i := 0; i < len(lines); {
		g, n := claim(lines[i:])
		if g == nil {
			if i == 0 && tooManyColumns(lines[0]) != "" {
				return format.Maybe
			}
			above.See(lines[i])
			if t := bytes.TrimSpace(lines[i].Text); len(t) > 0 {
				outside++
			}
			i++
			continue
		}
		p := resolve(g.head(), context{above.Heading(), above.Texts(), Below(lines[i+n:])})
		above.Pass()
		i += n
		switch {
		case p.shape != none && g.header != nil:
			best = max(best, format.Likely)
		case p.shape != none || g.legend != nil || p.relative:
			best = max(best, format.Maybe)
			if g.legend != nil {
				best = format.Likely
			}
		case g.header == nil && p.asks && len(g.rows) >= 3 && g.sep != byPipe:
			best = max(best, format.Maybe)
		case p.asks || p.swept:
			best = max(best, format.Maybe)
		default:
			outside += n
			continue
		}
		inside += n
	}
	if best == format.Likely && outside == 0 {
		return format.Sure
	}
	if best == format.Maybe && outside > inside {
		return format.No
	}
	return best
}

// head is the beginning of a table: enough to tell whether it can be read.
func (g *grid) head() *grid {
	g.rows = g.rows[:min(len(g.rows), 120)]
	return g
}

// cutLines cuts a head into lines, the last one only if it is whole or all there is.
func cutLines(head []byte) []source.Line {
	var lines []source.Line
	s := source.Splitter{Max: 1 << 16, Line: func(l source.Line) {
		lines = append(lines, source.Line{Text: bytes.Clone(l.Text), No: l.No})
	}}
	s.Write(head)
	if len(head) < format.HeadBytes || len(lines) == 0 {
		s.Close()
	}
	return lines
}
