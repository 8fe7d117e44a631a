package pgbench

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pgknee/analysis/bench"
	"pgknee/analysis/format"
	"pgknee/analysis/source"
)

// Output is the format of what pgbench prints.
var Output = &format.Format{
	Name:  "pgbench-output",
	Doc:   "summary and progress of pgbench, every version, any number of runs, with prompts, quoting and prefixes",
	Sniff: sniff,
	New:   func(c *format.Context) format.Reader { return newReader(c) },
}

// Init is the format of what pgbench -i prints.
var Init = &format.Format{
	Name:   "pgbench-init",
	Doc:    "output of pgbench -i: no benchmark",
	Sniff:  sniffInit,
	Refuse: "this is the output of pgbench -i, which only fills the tables: there is no benchmark in it; run pgbench without -i and save what it prints",
}

// reader is the state machine over lines.
type reader struct {
	ctx       *format.Context
	cur       *block
	runs      int
	prefix    []byte // what stood before the last label that did not begin its line
	fileName  bool   // the prefix is the name of a file, in which other digits are another file
	headings  headings
	command   *command
	partial   []byte // a command line that goes on in the next line
	banner    banner // one that came after progress lines: whose it is shows the next line
	table     table
	line      int
	intervals []bench.Interval // room for those of the next run, which is given its own at its end
	alone     bool             // the line before was blank, a fence or a rule
	title     string           // a line that is a heading if it stands alone
	last      *bench.Run
	lastAt    int
	quoted    bool                 // the line stands behind a quote mark
	figures   map[figures]finished // of runs that were handed over
}

// figures are what two measurements never share.
type figures struct {
	tps, latency, connection float64
	transactions             int64
	clients                  int
}

// finished is a run that was handed over.
type finished struct {
	line   int
	quoted bool
}

type banner struct {
	client, server string
	line           int
}

func newReader(c *format.Context) *reader { return &reader{ctx: c, alone: true} }

// Line takes the next line.
func (r *reader) Line(l source.Line) {
	if r.plainProgress(l) {
		return
	}
	l.Text = plainBlanks(l.Text)
	r.one(l)
}

func (r *reader) one(l source.Line) {
	r.line = l.No
	b := l.Text
	first := skipBlanks(b, 0)
	r.quoted = at(b, first) == '>'
	end := len(b)
	for end > 0 && (b[end-1] <= ' ') {
		end--
	}
	b = b[:end]
	if len(r.prefix) > 0 && (bytes.HasPrefix(b, r.prefix) || !r.fileName && shaped(b, r.prefix)) {
		b = b[len(r.prefix):]
	}
	start := 0
	for start < len(b) && b[start] <= ' ' {
		start++
	}
	if b = unquoted(unnumbered(b[start:], l.No)); len(b) > 0 && b[len(b)-1] == '>' {
		b = bytes.TrimRight(bytes.TrimSuffix(bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("<br>")), []byte("<br/>")), []byte("<br />")), " ")
	}
	if len(b) == 0 || ruled(b) {
		r.entitle()
		r.alone = true
		return
	}
	if r.partial != nil {
		r.partial = append(append(r.partial, ' '), bytes.TrimSuffix(b, []byte(`\`))...)
		if b[len(b)-1] != '\\' || len(r.partial) > 4096 {
			whole := r.partial
			r.partial = nil
			r.commandLine(whole)
		}
		return
	}
	alone := r.alone
	r.alone = false
	if r.text(b, 0) {
		return
	}
	r.title = ""
	if alone {
		r.title = titleIn(b)
	}
	r.ctx.Skip(l)
}

// unnumbered takes the number of the line off its beginning, as cat -n and editors put it there.
func unnumbered(b []byte, no int) []byte {
	if len(b) == 0 || b[0]-'0' > 9 {
		return b
	}
	n, size := parseCount(b)
	if n != int64(no) || size < len(b) && !blank(b[size]) {
		return b
	}
	return bytes.TrimLeft(b[size:], " \t")
}

// plainBlanks makes blanks of no-break spaces, which pages and mails put between words.
func plainBlanks(b []byte) []byte {
	if source.IndexByte(b, noBreak[0]) >= 0 && bytes.Contains(b, noBreak) {
		return bytes.ReplaceAll(b, noBreak, []byte(" "))
	}
	return b
}

var noBreak = []byte("\u00a0")

// entitle makes a heading of a line that turned out to stand alone.
func (r *reader) entitle() {
	if r.title == "" {
		return
	}
	text := r.title
	r.title = ""
	if cur := r.cur; cur != nil && cur.begun() {
		if !cur.hasTPS {
			return // something that was printed meanwhile
		}
		r.finish()
	}
	r.headings.note(text, 0)
}

// ruled tells whether a line is a rule: signs of one kind.
func ruled(b []byte) bool {
	if len(b) < 3 || strings.IndexByte("-=~*_#", b[0]) < 0 {
		return false
	}
	for _, c := range b {
		if c != b[0] {
			return false
		}
	}
	return true
}

// unquoted takes the quote marks off a line that is a string in a list, as Ansible prints the lines of a command.
func unquoted(b []byte) []byte {
	if len(b) < 2 || b[0] != '"' {
		return b
	}
	inner := bytes.TrimSuffix(b, []byte(","))
	if inner[len(inner)-1] != '"' || len(inner) < 2 {
		return b
	}
	inner = inner[1 : len(inner)-1]
	if bytes.IndexByte(inner, '\\') >= 0 {
		inner = bytes.ReplaceAll(inner, []byte(`\\`), []byte(`\`))
	}
	return bytes.Trim(inner, " ")
}

// shaped tells whether b begins like the prefix, where digits stand for any digits (time stamps).
func shaped(b, prefix []byte) bool {
	if len(b) < len(prefix) {
		return false
	}
	for i, c := range prefix {
		if d := b[i]; c != d && (c-'0' > 9 || d-'0' > 9) {
			return false
		}
	}
	return true
}

// text reads a line, or what is left of one, and tells whether it understood anything of it.
func (r *reader) text(b []byte, depth int) bool {
	l, v := leading(b)
	if l == none {
		return r.unlabelled(b, depth)
	}
	r.endTable()
	r.entitle()
	used := r.labelled(l, b, v)
	r.after(b[used:], depth)
	return true
}

// after reads what stands behind a value: the next label where line breaks were lost, a prompt, a note that nobody needs.
func (r *reader) after(b []byte, depth int) {
	b = bytes.TrimLeft(b, " \t\",;")
	if len(b) < 4 || depth > 10_000 {
		return
	}
	for { // a loop in place of recursion: a flattened text can hold thousands of values
		l, v := leading(b)
		if l == none {
			var at int
			if l, at, v = within(b); l == none || !plausible(b[:at]) {
				r.unlabelled(b, depth+1)
				return
			}
			b, v = b[at:], v-at
		}
		used := r.labelled(l, b, v)
		b = bytes.TrimLeft(b[min(max(used, 1), len(b)):], " \t\",;")
		if len(b) < 4 {
			return
		}
	}
}

// unlabelled reads a line that does not begin with a label.
func (r *reader) unlabelled(b []byte, depth int) bool {
	if cur := r.cur; cur != nil && cur.part != inSummary && depth == 0 {
		if b[0] == '-' && blank(at(b, 1)) {
			if r.subline(b[2:]) {
				return true
			}
		}
		if cur.part == inStatements && r.statement(b) {
			return true
		}
	}
	if b[0] == '|' || bytes.IndexByte(b, '\t') > 0 {
		if r.row(b) {
			return true
		}
	} else {
		r.endTable()
	}
	if b[0] == '`' || b[0] == '~' {
		if has(b, "```") || has(b, "~~~") {
			r.entitle()
			r.interrupt()
			r.alone = true
			return true
		}
	}
	if depth == 0 {
		if l, at, v := within(b); l != none && plausible(b[:at]) && r.prefixed(b, l, at, v) {
			return true
		}
		if text, level, colon := headingIn(b); text != "" && !noise(b) && !bytes.Contains(b, []byte("pgbench (")) && findCommand(b) == nil {
			// A line with a colon at its end among progress lines is more likely a message.
			if !colon || r.cur == nil || r.cur.summary() || !r.cur.begun() {
				r.title = ""
				r.interrupt()
				r.headings.note(text, level)
				return true
			}
		}
	}
	if noise(b) {
		return true
	}
	if statesClients(b) { // as a loop echoes it before each run
		r.interrupt()
		r.headings.note(clean(string(b)), 0)
		return true
	}
	if bytes.Contains(b, []byte("pgbench")) {
		if k := bytes.Index(b, []byte("pgbench (")); k > 0 && b[len(b)-1] == ')' && plausible(b[:k]) {
			r.prefix, r.fileName = append(r.prefix[:0], b[:k]...), false
			r.labelled(labelBanner, b[k:], 9)
			return true
		}
		if k := bytes.Index(b, []byte("pgbench: ")); k > 0 && plausible(b[:k]) {
			r.labelled(labelMessage, b[k:], 9)
			return true
		}
		return r.commandLine(b)
	}
	if b[0] == '^' && has(b, "^C") {
		if r.cur != nil && r.cur.begun() && !r.cur.summary() {
			r.cur.aborted = true
			r.finish()
		}
		return true
	}
	if i := bytes.Index(b, []byte("starting vacuum")); i >= 0 && (i == 0 || plausible(b[:i])) {
		r.labelled(labelVacuum, b[i:], 15)
		return true
	}
	return false
}

// prefixed reads a line in which a label has something before it: a prompt, a prefix, a command.
func (r *reader) prefixed(b []byte, l label, at, v int) bool {
	before := b[:at]
	command := bytes.Contains(before, []byte("pgbench")) && r.commandLine(before)
	switch {
	case l == labelTPS && resultHeading(b):
		return false
	case l == labelTPS && !command:
		if i := brackets(b, tpsEnd(b, v)); i == tpsEnd(b, v) && (r.cur == nil || !r.cur.summary()) {
			return false // a figure in prose
		}
	case l == labelProgress && !isProgress(b[v:]):
		return false
	}
	r.entitle()
	if !command {
		r.prefix = append(r.prefix[:0], before...)
		r.fileName = r.named(before)
	}
	r.endTable()
	used := r.labelled(l, b[at:], v-at)
	r.after(b[at+used:], 0)
	return true
}

func tpsEnd(b []byte, v int) int {
	i := skipBlanks(b, v)
	_, size := parseNumber(b[i:])
	return i + size
}

func isProgress(v []byte) bool {
	i := skipBlanks(v, 0)
	_, size := parseNumber(v[i:])
	return size > 0 && bytes.Contains(v, []byte(" tps"))
}

// named takes a file name in front of a line, as grep puts it there, for a heading. It tells whether there is one.
func (r *reader) named(before []byte) bool {
	n := len(before)
	if n < 3 || before[n-1] != ':' || bytes.ContainsAny(before, " \t[]()<>") || bytes.IndexByte(before, '.') < 0 && bytes.IndexByte(before, '/') < 0 {
		return false
	}
	name := before[:n-1]
	if i := bytes.LastIndexByte(name, ':'); i > 0 && len(bytes.Trim(name[i+1:], "0123456789")) == 0 {
		name = name[:i] // grep -n
	}
	if r.headings.loose != string(name) {
		r.interrupt()
		r.headings.loose = string(name)
		r.headings.warmUp = false
	}
	return true
}

// plausible tells whether something may stand before a label without making prose of it.
func plausible(before []byte) bool {
	before = bytes.TrimRight(before, " \t")
	n := len(before)
	if n == 0 {
		return true
	}
	if n > 200 {
		return false
	}
	switch c := before[n-1]; {
	case strings.IndexByte(":|]>})\"'`*#,;$%-=", c) >= 0:
		return true
	case c-'0' <= 9, c == 'Z':
		return bytes.Count(before, []byte(":")) >= 2 // a time stamp
	}
	return bytes.HasSuffix(before, []byte("end."))
}

// labelled reads a label with its value and gives how much of b they were.
func (r *reader) labelled(l label, b []byte, v int) int {
	switch l {
	case labelProgress:
		return r.progress(b, v)
	case labelBanner:
		return r.readBanner(b)
	case labelVacuum:
		if r.cur != nil && r.cur.begun() {
			r.finish()
		}
		r.open()
		end := len(b)
		if dots := bytes.Index(b[v:], []byte("...")); dots >= 0 {
			end = v + dots + 3
			if has(b[end:], "end.") {
				end += 4
			}
		}
		return end
	case labelMessage:
		r.message(b[v:])
		return len(b)
	case labelAborted:
		if r.cur != nil && r.cur.summary() && r.cur.hasTPS {
			r.finish()
		}
		r.open().aborted = true
		return len(b)
	case labelNoise:
		return v
	case labelScript, labelScriptStatistics:
		return r.scriptHeading(l, b, v)
	case labelStatements:
		return r.statementHeading(b, v)
	}
	return r.summary(l, b, v)
}

// summary reads a line of a summary, which may begin the next run.
func (r *reader) summary(l label, b []byte, v int) int {
	var kind []byte
	if l == labelTPS {
		i := tpsEnd(b, v)
		kind = b[i:brackets(b, i)]
	}
	if cur := r.cur; cur != nil {
		switch {
		case l == labelType && cur.summary(), l != labelTPS && l != labelDetail && cur.has(l), l == labelTPS && cur.repeats(kind):
			r.finish()
		case r.banner.line > 0: // the banner after the progress lines is of this summary
			cur.run.Version, cur.run.ServerVersion = r.banner.client, r.banner.server
			r.banner = banner{}
		}
	}
	cur := r.open()
	cur.part = inSummary
	cur.script = nil
	cur.last(r.line, b)
	if l == labelTPS {
		cur.seen |= 1 << labelTPS
		cur.tpsLine, cur.tpsText = r.line, text(b)
		return v + cur.throughput(kind, b[v:])
	}
	if l == labelAverage || l == labelDeviation {
		cur.colon = b[v-1] == ':'
	}
	return v + cur.value(l, b[v:])
}

// text is a line as problems quote it.
func text(b []byte) string { return string(b[:min(len(b), 200)]) }

// open gives the block that lines belong to, a new one if there is none.
func (r *reader) open() *block {
	if r.banner.line > 0 && r.cur != nil { // what follows the banner is no summary: it was of the next run
		next := r.banner
		r.banner = banner{}
		r.finish()
		r.cur = r.newBlock(next.line)
		r.cur.run.Version, r.cur.run.ServerVersion = next.client, next.server
		r.cur.command = r.command
	}
	if r.cur == nil {
		r.cur = r.newBlock(r.line)
		r.cur.command = r.command
		r.cur.quoted = r.quoted
	}
	return r.cur
}

// finish ends the current block.
func (r *reader) finish() {
	if r.cur == nil {
		return
	}
	b := r.cur
	r.cur, r.banner = nil, banner{}
	if r.last != nil && b.afterwards(r.last) {
		r.last.Intervals = b.run.Intervals
		b.progress(r.last)
		return
	}
	r.put(b)
}

func (r *reader) put(b *block) {
	before := len(r.ctx.Runs)
	r.intervals = b.run.Intervals[:0]
	b.run.Intervals = append([]bench.Interval(nil), b.run.Intervals...)
	b.finish(r.ctx, r.headings.heading())
	n := len(r.ctx.Runs)
	if n == before {
		return
	}
	r.runs++
	run := r.ctx.Runs[n-1]
	r.last, r.lastAt = run, b.lastLine
	key := figuresOf(run)
	if f, seen := r.figures[key]; seen && (b.quoted || f.quoted) && run.TPS != nil {
		r.ctx.Runs = r.ctx.Runs[:n-1]
		r.ctx.Problem(format.Warning, run.At.Line, 1, nil, fmt.Sprintf("the same run as in line %d, quoted: it counts once", f.line))
		return
	}
	if r.figures == nil {
		r.figures = map[figures]finished{}
	}
	r.figures[key] = finished{run.At.Line, b.quoted}
}

func figuresOf(r *bench.Run) (f figures) {
	for to, from := range map[*float64]*float64{&f.tps: r.TPS, &f.latency: r.LatencyMs, &f.connection: r.InitialConnectionMs} {
		if from != nil {
			*to = *from
		}
	}
	if r.Transactions != nil {
		f.transactions = *r.Transactions
	}
	if r.Clients != nil {
		f.clients = *r.Clients
	}
	return f
}

// interrupt ends the current block if it has begun: at headings, fences and command lines.
func (r *reader) interrupt() {
	if r.cur != nil && r.cur.begun() {
		r.finish()
	}
}

// Close ends the input.
func (r *reader) Close() {
	r.endTable()
	r.finish()
	if r.runs > 0 {
		return
	}
	r.ctx.Problem(format.Error, 0, 0, nil, "no complete pgbench result in here: neither a summary nor progress lines")
}

// readBanner reads pgbench (VERSION) or pgbench (VERSION, server VERSION).
func (r *reader) readBanner(b []byte) int {
	b = b[:min(len(b), maxValue)]
	end := bytes.LastIndexByte(b, ')')
	if next, at, _ := within(b); next != none && at > 9 {
		end = bytes.LastIndexByte(b[:at], ')')
	}
	if end < 9 {
		return len(b)
	}
	text := string(b[9:end])
	client, server := text, ""
	if m := otherServer.FindStringSubmatchIndex(text); m != nil {
		client, server = text[:m[0]], text[m[2]:]
	} else {
		server = text // only printed apart when they differ
	}
	found := banner{version(client), version(server), r.line}
	switch {
	case r.cur != nil && r.cur.begun() && !r.cur.summary():
		r.banner = found
		return end + 1
	case r.cur != nil && r.cur.begun():
		r.finish()
	}
	cur := r.open()
	cur.run.Version, cur.run.ServerVersion = found.client, found.server
	return end + 1
}

// otherServer is what a banner says of a server that is of another version. It is the one line of a result that is translated.
var otherServer = regexp.MustCompile(`, [^\s\d(),]+ (\d[^,]*)$`)

// version is the number without what a packager adds in brackets.
func version(text string) string {
	text, _, _ = strings.Cut(text, " (")
	if len(text) > 40 {
		text = text[:40]
	}
	return strings.TrimSpace(text)
}

// message reads what pgbench says on standard error.
func (r *reader) message(b []byte) {
	switch {
	case bytes.Contains(b, []byte("un was aborted")), bytes.Contains(b, []byte("run aborted")):
		if r.cur == nil && r.last != nil && r.line-r.lastAt < 8 {
			r.last.Flag(bench.FlagAborted) // something stands between the summary and this
			return
		}
		r.open().aborted = true
	case bytes.Contains(b, []byte("lient ")) && bytes.Contains(b, []byte(" aborted")):
		r.labelled(labelAborted, b, 0)
	case has(b, "error: "), has(b, "fatal: "):
		r.ctx.Problem(format.Warning, r.line, 1, b, "pgbench says "+string(b[:min(len(b), 200)])+": a run may lack its result")
	}
}

// commandLine notes a command line of pgbench, which ends the run before it.
func (r *reader) commandLine(b []byte) bool {
	if bytes.Contains(b, []byte("Performance counter stats")) {
		return true // names the command of the run before it
	}
	if b[len(b)-1] == '\\' && r.partial == nil && findCommand(append(b[:len(b)-1:len(b)-1], " -n"...)) != nil {
		r.partial = append([]byte{}, b[:len(b)-1]...)
		return true
	}
	c := findCommand(b)
	if c == nil {
		return false
	}
	r.entitle()
	r.interrupt()
	if text := beside(b); text != "" {
		r.headings.note(text, 0)
	}
	if c.initialise {
		c = nil
	}
	r.command = c
	if r.cur != nil {
		r.cur.command = c
	}
	return true
}

// beside gives what a line says beside a command that it quotes in backticks.
func beside(b []byte) string {
	open := bytes.IndexByte(b, '`')
	if open < 0 || len(b) > maxHeading {
		return ""
	}
	end := bytes.IndexByte(b[open+1:], '`')
	if end < 0 || !bytes.Contains(b[open:open+1+end], []byte("pgbench")) {
		return ""
	}
	return clean(strings.ReplaceAll(string(b[:open])+" "+string(b[open+1+end+1:]), "`", ""))
}

// interval reads progress: 5.0 s, 10.0 tps, lat 1.0 ms stddev 0.1, 0 failed, lag 0.2 ms, 3 skipped, 1 retried, 2 retries.
// It tells whether there was a lag, how much of b it was, and false if there is nothing to keep.
func interval(b []byte, v int) (in bench.Interval, lagged bool, i int, ok bool) {
	i = skipBlanks(b, v)
	t, size := parseNumber(b[i:])
	k := skipBlanks(b, i+size)
	if size == 0 || !t.known || k+1 >= len(b) || b[k] != 's' || b[k+1] != ',' {
		return in, false, v, false
	}
	i = skipBlanks(b, k+2)
	tps, size := parseNumber(b[i:])
	k = skipBlanks(b, i+size)
	if size == 0 || !has(b[k:], "tps") {
		return in, false, v, false
	}
	i = k + 3
	in = bench.Interval{EndS: t.value, TPS: tps.value}
	latency := func(n number) {
		if n.known && tps.value > 0 {
			in.LatencyMs = n.value
		}
	}
	for i < len(b) && b[i] == ',' {
		i = skipBlanks(b, i+1)
		switch {
		case has(b[i:], "lat "):
			var n number
			n, i = millis(b, i+4)
			latency(n)
			if k := skipBlanks(b, i); has(b[k:], "stddev ") {
				k = skipBlanks(b, k+7)
				_, size := parseNumber(b[k:])
				i = k + size
			}
		case has(b[i:], "lag "):
			var n number
			n, i = millis(b, i+4)
			lagged = n.known && tps.value > 0
		default:
			n, size := parseCount(b[i:])
			k := skipBlanks(b, i+size)
			if size == 0 || k == len(b) || n < 0 {
				break
			}
			if b[i+size] == '.' { // 0.654 ms lat, as before 9.4 was released
				n, end := millis(b, i)
				if end = skipBlanks(b, end); has(b[end:], "lat") {
					i = end + 3
					latency(n)
				}
				break
			}
			for _, word := range counted {
				if has(b[k:], word) {
					i = k + len(word)
					break
				}
			}
		}
		if i < len(b) && b[i] != ',' {
			break
		}
	}
	return in, lagged, i, tps.known
}

// counted are the words for what a progress line counts.
var counted = [...]string{"failed", "skipped", "retried", "retries"}

// plainProgress reads a line that is a progress line and no more, as most lines are where there are any. The rest of the reader does the
// same with such a line, and looks for much else.
func (r *reader) plainProgress(l source.Line) bool {
	b := l.Text
	if len(r.prefix) > 0 || r.partial != nil || !has(b, "progress: ") {
		return false
	}
	in, lagged, end, ok := interval(b, len("progress: "))
	if !ok || end < len(b) {
		return false
	}
	r.line, r.quoted, r.alone = l.No, false, false
	r.endTable()
	r.entitle()
	r.took(in, lagged, b)
	return true
}

// progress reads a progress line, which may begin the next run.
func (r *reader) progress(b []byte, v int) int {
	in, lagged, end, ok := interval(b, v)
	if ok {
		r.took(in, lagged, b)
	}
	return end
}

// took keeps what a progress line said.
func (r *reader) took(in bench.Interval, lagged bool, b []byte) {
	cur := r.cur
	if cur != nil {
		n := len(cur.run.Intervals)
		switch {
		case cur.amid() && (n == 0 || in.EndS > cur.run.Intervals[n-1].EndS):
		case cur.summary(), n > 0 && in.EndS < cur.run.Intervals[n-1].EndS:
			r.finish()
		case n > 0 && in.EndS == cur.run.Intervals[n-1].EndS:
			// 9.4 without threads printed a line for each process.
			last := &cur.run.Intervals[n-1]
			last.TPS += in.TPS
			last.LatencyMs = 0
			return
		}
	}
	cur = r.open()
	cur.last(r.line, b)
	cur.interval(in, lagged)
}

// interval keeps a progress line.
func (b *block) interval(in bench.Interval, lagged bool) {
	if len(b.run.Intervals) == maxIntervals {
		b.full = true
		return
	}
	if v := b.run.Intervals; len(v) == cap(v) {
		b.run.Intervals = slices.Grow(v, max(len(v), 64)) // by half as much again, as append does, everything is copied too often
	}
	b.run.Intervals = append(b.run.Intervals, in)
	b.lag = b.lag || lagged
}

func millis(b []byte, i int) (number, int) {
	i = skipBlanks(b, i)
	n, size := parseNumber(b[i:])
	return n, unit(b, i+size, "ms")
}

func at(b []byte, i int) byte {
	if i < len(b) {
		return b[i]
	}
	return 0
}
