package perfreport

import (
	"strings"

	"pgknee/analysis/profile"
)

// list is one report: what was recorded of one event.
type list struct {
	line    int // where it begins
	event   string
	total   float64 // event count; 0 when not stated
	lost    int64
	columns []column // from the column heads; nil without them
	comma   string   // what separates columns with -t; "" for blanks
	own     bool     // the heads say that the one share of a row is that of the function itself
	levels  []string // of --hierarchy: what the rows of each level are
	above   []string // the row of each level read last
	events  []string // of --group: each row has a share of each
	entries []*entry
}

// column of a list, by the name that heads it and the bytes of a line that it takes.
type column struct {
	name     string
	from, to int
}

// entry is a row of the list with its call graph.
type entry struct {
	line        int
	column      int
	sign        byte
	children    float64 // inclusive share in percent; -1 when the list doesn't have it
	self        float64 // own share; -1 likewise
	group       []share // of the further events of a group
	frame       profile.Frame
	graph       []node
	wantsSymbol bool // the symbol was wrapped onto the next line
	tails       []tail
}

// share is what a row says of one event of a group, in percent; -1 for what it does not say.
type share struct{ children, self float64 }

// node of a call graph, in the order of the lines: parents before children.
type node struct {
	line     int
	column   int
	parent   int     // in the graph; -1 for a first one
	value    float64 // as printed; -1 for none: that of its parent
	count    bool
	sign     byte
	frame    profile.Frame
	inferred bool
	fits     []int // other nodes that it could be a child of
}

// tail is the last node of the chain that a branch began, by the column of the branch.
type tail struct{ column, node int }

// scanner reads the lines of a passage.
type scanner struct {
	lists  []*list
	rows   int
	beside *scanner // of a second report to the right of this one
	at     int      // the column where its rows begin
	paired bool     // rows stand beside those of another report, so they need not be sorted
}

// maxRows bounds what one passage may hold.
const maxRows = 1 << 20

func (s *scanner) list() *list {
	if len(s.lists) == 0 {
		return nil
	}
	return s.lists[len(s.lists)-1]
}

func (s *scanner) entry() *entry {
	if l := s.list(); l != nil && len(l.entries) > 0 {
		return l.entries[len(l.entries)-1]
	}
	return nil
}

// begin opens a list, unless one is open that has no rows yet.
func (s *scanner) begin(line int) *list {
	if l := s.list(); l != nil && len(l.entries) == 0 {
		return l
	}
	s.lists = append(s.lists, &list{line: line})
	return s.list()
}

// starts tells whether a passage can begin with the line.
func starts(text []byte) bool {
	if !couldStart(text) {
		return false
	}
	t := unbarred(clean(text))
	return (&scanner{}).head(t, 1) || firstRow(t)
}

// couldStart is the first look: cheap, and right about nearly all lines of prose.
func couldStart(text []byte) bool {
	for _, c := range text {
		switch c {
		case ' ', '\t', '>', 0xc2, 0xa0, '|':
		case 0x1b, '#', '+', '-', 'S', 'O', 'C', 'P', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			return true
		default:
			return false
		}
	}
	return false
}

func firstRow(t string) bool {
	r, ok := parseRow(t)
	return ok && len(r.percents) > 0
}

// line takes a line and tells whether it belongs to the passage. Blank lines always do.
func (s *scanner) line(text []byte, no int) bool {
	t := unbarred(clean(text))
	at := secondRow(t)
	switch {
	case at > 0 && s.beside == nil && s.entry() == nil:
		s.beside, s.at = &scanner{paired: true}, at
	case at > 0 || s.beside == nil:
	case s.at > 2 && s.at-2 < len(t) && t[s.at-2] == ' ':
		at = s.at - 2
	}
	switch {
	case s.beside == nil:
		return s.take(t, no)
	case at == 0:
		return s.take(strings.TrimRight(t, " |"), no)
	}
	right := strings.TrimRight(t[at:], " |")
	took := right != "" && s.beside.take(right, no)
	return s.take(strings.TrimRight(t[:at], " |"), no) || took
}

// secondRow finds where the row of a second report begins on a line that has rows of two side by side; 0 when it has not.
func secondRow(t string) int {
	first := mark(t)
	if first < 0 || mark(t[first+1:]) < 0 {
		return 0
	}
	if _, ok := parseRow(t); !ok {
		return 0
	}
	for i := first + 4; i < len(t); i++ {
		if t[i] != ' ' && t[i] != '|' && (t[i-1] == ' ' || t[i-1] == '|') {
			if _, ok := parseRow(t[i:]); ok {
				return i
			}
		}
	}
	return 0
}

// take takes what of a line belongs to one report.
func (s *scanner) take(t string, no int) bool {
	if strings.Trim(t, " |") == "" {
		return true
	}
	if s.rows++; s.rows > maxRows {
		return false
	}
	if s.head(t, no) {
		return true
	}
	e := s.entry()
	if e != nil && e.wantsSymbol && symbolLike(strings.Trim(t, " |")) {
		e.wantsSymbol = false
		e.frame = symbolFrame(strings.Trim(t, " |"), e.frame.Module, e.frame.Flags)
		return true
	}
	l := s.list()
	if l != nil && l.comma != "" {
		return s.separated(l, t, no)
	}
	if l != nil && l.levels != nil {
		if took := s.level(l, t, no); took {
			return true
		}
	} else if r, ok := parseRow(t); ok || len(r.percents) > 0 && l != nil && l.columns != nil && !l.has("Symbol") && r.before != "" && t[0] == ' ' {
		return s.row(t, r, no)
	} else if l != nil && len(l.columns) > 0 && !isShare(l.columns[0].name) {
		if r, ok := l.placed(t); ok {
			return s.row(t, r, no)
		}
	}
	return e != nil && e.draw(t, no, l.columns != nil)
}

// has tells whether the list's heads name a column.
func (l *list) has(name string) bool {
	for _, c := range l.columns {
		if c.name == name {
			return true
		}
	}
	return false
}

// head reads what stands around the rows: comment lines of --stdio, the line of the terminal browser, the heads of columns.
func (s *scanner) head(t string, no int) bool {
	text, _ := cutBlanks(t)
	text, comment := strings.CutPrefix(text, "#")
	text, _ = cutBlanks(text)
	switch {
	case strings.HasPrefix(text, "Samples: ") && strings.Contains(text, " of event"):
		l := s.begin(no)
		l.event, l.total = eventName(text), 0
		l.events = eventsOf(l.event)
		s.count(l, text)
	case comment && strings.HasPrefix(text, "Events: "): // perf of 2011
		l := s.begin(no)
		if f := strings.Fields(text); len(f) > 2 {
			l.event = f[2]
		}
	case strings.HasPrefix(text, "PerfTop:"):
		l := s.begin(no)
		if _, rest, ok := strings.Cut(text, "Hz "); ok {
			l.event, _, _ = strings.Cut(rest, "]")
		}
	case strings.Trim(t, "-") == "":
		return s.list() != nil // perf top rules off its head
	case comment && strings.HasPrefix(text, "Event count"):
		s.count(s.begin(no), text)
	case comment && strings.HasPrefix(text, "Total Lost Samples: "):
		if v, n := number(text[len("Total Lost Samples: "):]); n > 0 && s.begin(no) != nil {
			s.list().lost = int64(v)
		}
	case comment && (strings.HasPrefix(text, "To display the perf.data header") || strings.HasPrefix(text, "captured on") || text == "========" ||
		strings.HasPrefix(text, "comm: ") || strings.HasPrefix(text, "dso: ")):
		s.begin(no)
	case comment && (strings.HasPrefix(text, "Overhead") || strings.HasPrefix(text, "Children") || otherOrder(text)):
		l := s.begin(no)
		l.heads(t)
	case columnHeads(t):
		s.begin(no).own = strings.Contains(t, "Overhead")
	case comment && strings.HasPrefix(text, "...."):
		if s.list() == nil {
			return false
		}
		s.list().cuts(t)
	case comment:
		return s.list() != nil && ownComment(t, text)
	default:
		return false
	}
	return true
}

// ownComment tells a comment of perf from a heading of Markdown.
func ownComment(t, text string) bool {
	if text == "" || strings.Trim(text, "=.# ") == "" || strings.HasPrefix(text, "(") || strings.HasPrefix(t, "#  ") {
		return true
	}
	name, _, ok := strings.Cut(text, " : ")
	if ok || strings.HasPrefix(text, "captured on") || strings.HasPrefix(text, "event :") {
		return len(name) < 40
	}
	for _, p := range []string{"dso:", "comm:", "Tip:", "Baseline", "sibling", "CPU_TOPOLOGY", "NUMA", "missing features", "contains "} {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

// columnHeads recognises the heads of the terminal browser's columns.
func columnHeads(t string) bool {
	f := strings.Fields(t)
	return len(f) >= 3 && (f[0] == "Overhead" || f[0] == "Children") && (f[len(f)-1] == "Symbol" || f[1] == "Self" || f[1] == "Command" || f[1] == "Shared")
}

// otherOrder recognises the heads of columns in an order of the user's (-F sample,overhead,sym).
func otherOrder(text string) bool {
	share, known := false, 0
	for name := range strings.SplitSeq(text, "  ") {
		switch strings.TrimSpace(name) {
		case "Overhead", "Self", "Children":
			share = true
			known++
		case "Samples", "Period", "Command", "Shared Object", "Symbol", "Pid:Command":
			known++
		}
	}
	return share && known > 1
}

// eventsOf gives the events of a group: "anon group { cycles, instructions }", or what --group lists.
func eventsOf(name string) []string {
	if open, end := strings.IndexByte(name, '{'), strings.LastIndexByte(name, '}'); open >= 0 && open < end {
		name = name[open+1 : end]
	}
	var events []string
	for e := range strings.SplitSeq(name, ", ") {
		events = append(events, strings.TrimSpace(e))
	}
	return events
}

// eventName reads "Samples: 1K of event 'cycles:P', …"; perf prints "of events 'anon group { … }'" too.
func eventName(text string) string {
	_, rest, _ := strings.Cut(text, "of event")
	if _, quoted, ok := strings.Cut(rest, "'"); ok {
		if i := strings.LastIndexByte(quoted, '\''); i >= 0 {
			return quoted[:i]
		}
		name, _, _ := strings.Cut(quoted, " ")
		return strings.TrimRight(name, ",")
	}
	f := strings.Fields(strings.TrimPrefix(rest, "s"))
	if len(f) == 0 {
		return ""
	}
	return strings.Trim(f[0], "',")
}

// count reads "Event count (approx.): 12411022262".
func (s *scanner) count(l *list, text string) {
	_, rest, ok := strings.Cut(text, "Event count (approx.):")
	if !ok {
		return
	}
	rest, _ = cutBlanks(rest)
	if v, n := number(rest); n > 0 && v > 0 {
		l.total = v
	}
}

// heads reads the names of the columns; with -t they are separated, else the dots of the next line say where they are.
func (l *list) heads(t string) {
	text := strings.TrimLeft(t, "# ")
	l.columns, l.comma, l.levels = nil, "", nil
	l.own = strings.Contains(text, "Overhead")
	for _, name := range []string{"Overhead", "Children"} {
		if rest, ok := strings.CutPrefix(text, name); ok && rest != "" && rest[0] != ' ' {
			l.comma = rest[:1]
			for name := range strings.SplitSeq(text, l.comma) {
				l.columns = append(l.columns, column{name: strings.TrimSpace(name)})
			}
			return
		}
	}
	// The cuts are those of the dots. Until they come, what stands between two blanks is a name.
	at := len(t) - len(text)
	for at < len(t) {
		end := strings.Index(t[at:], "  ")
		if end < 0 {
			end = len(t) - at
		}
		l.columns = append(l.columns, column{strings.TrimSpace(t[at : at+end]), at, at + end})
		at += end
		for at < len(t) && t[at] == ' ' {
			at++
		}
	}
}

// cuts reads the line of dots under the heads.
func (l *list) cuts(t string) {
	var dots []column
	for i := 0; i < len(t); {
		if t[i] != '.' {
			i++
			continue
		}
		from := i
		for i < len(t) && t[i] == '.' {
			i++
		}
		dots = append(dots, column{from: from, to: i})
	}
	// A run of dots is a column; its name is what of the heads stands over it.
	for i := range dots {
		for _, head := range l.columns {
			if head.from >= dots[i].from && head.from < dots[i].to && dots[i].name == "" {
				dots[i].name = head.name
			}
		}
	}
	if len(dots) > 0 {
		l.columns = dots
	}
	for i, c := range l.columns { // of branches, where they come from
		l.columns[i].name = strings.TrimPrefix(c.name, "Source ")
	}
	if last := l.columns[max(len(l.columns)-1, 0):]; len(last) > 0 && strings.Contains(last[0].name, " / ") {
		l.levels = strings.Split(last[0].name, " / ")
		l.above = make([]string, len(l.levels))
	}
}

// levelIndent is how far --hierarchy indents a level from the one above it.
const levelIndent = 3

// level reads a row of --hierarchy: its level follows from where its name begins. Only the innermost level makes entries, the rows
// above it say where those belong.
func (s *scanner) level(l *list, t string, no int) bool {
	from := l.columns[len(l.columns)-1].from
	text, _ := cutBlanks(t)
	value, _, ok := percent(text)
	if strings.HasPrefix(text, "no entry >= ") {
		return true
	}
	if !ok || len(t) <= from {
		return false
	}
	name, indent := cutBlanks(t[from:])
	depth := indent / levelIndent
	if name = strings.TrimSpace(name); name == "" || depth >= len(l.levels) {
		return false
	}
	l.above[depth] = name
	if depth < len(l.levels)-1 {
		return true
	}
	e := &entry{line: no, children: -1, self: value}
	module := ""
	for i, what := range l.levels {
		if what == "Shared Object" {
			module = l.above[i]
		}
	}
	var flags profile.Flags
	switch {
	case l.levels[depth] != "Symbol":
		e.frame = symbolFrame("["+strings.Trim(base(name), "[]")+"]", module, 0)
	case mark(name) == 0:
		if name[1] == 'k' || name[1] == 'g' {
			flags = profile.Kernel
		}
		name = strings.TrimSpace(name[3:])
		fallthrough
	default:
		e.frame = symbolFrame(name, module, flags)
	}
	l.entries = append(l.entries, e)
	return true
}

// isShare tells whether a column holds percentages.
func isShare(name string) bool {
	switch name {
	case "Overhead", "Self", "Children", "sys", "usr", "guest sys", "guest usr":
		return true
	}
	return false
}

// placed reads a row by where the columns stand, when the shares are not the first of them.
func (l *list) placed(t string) (r row, ok bool) {
	for _, c := range l.columns {
		if c.from >= len(t) {
			break
		}
		text := strings.TrimSpace(t[c.from:min(c.to, len(t))])
		switch {
		case isShare(c.name):
			v, rest, is := percent(text)
			if !is || rest != "" {
				return r, false
			}
			r.percents = append(r.percents, v)
		case c.name == "Symbol" && mark(text) == 0:
			r.marked, r.symbol = text[1], strings.TrimSpace(text[3:])
		}
	}
	return r, len(r.percents) > 0
}

// row adds a row of the list.
func (s *scanner) row(t string, r row, no int) bool {
	l := s.list()
	if l == nil {
		l = s.begin(no)
	}
	e := &entry{line: no, column: r.column, sign: r.sign, children: -1, self: -1}
	s.shares(l, e, r.percents)
	module, symbol := l.fields(t, r)
	var flags profile.Flags
	if r.marked == 'k' || r.marked == 'g' {
		flags = profile.Kernel
	}
	if symbol == "" && r.marked != 0 {
		e.wantsSymbol = true
		e.frame = profile.Frame{Module: module, Flags: flags}
	} else {
		e.frame = symbolFrame(symbol, module, flags)
	}
	if old := s.entry(); old != nil && l.columns == nil && !s.paired && (e.rank() > old.rank()+0.011 || (old.children < 0) != (e.children < 0)) {
		// Rows are sorted. One that is larger than the row before begins another report.
		s.lists = append(s.lists, &list{line: no})
		l = s.list()
	}
	l.entries = append(l.entries, e)
	return true
}

// rank is what rows are sorted by.
func (e *entry) rank() float64 { return max(e.children, e.self) }

// shares gives percentages their meaning: by the heads, or by their number.
func (s *scanner) shares(l *list, e *entry, percents []float64) {
	if l.columns != nil {
		k := 0 // of the column among those of shares
		each := 1
		if n := len(l.events); n > 1 && len(percents)%n == 0 {
			each = n
			e.group = make([]share, n-1)
			for i := range e.group {
				e.group[i] = share{-1, -1}
			}
		}
		for _, c := range l.columns {
			if !isShare(c.name) || k+each > len(percents) {
				continue
			}
			for i, v := range percents[k : k+each] {
				children, self := &e.children, &e.self
				if i > 0 {
					children, self = &e.group[i-1].children, &e.group[i-1].self
				}
				switch c.name {
				case "Children":
					*children = v
				case "Self", "Overhead":
					*self = v
				}
			}
			k += each
		}
		if e.children >= 0 || e.self >= 0 {
			return
		}
	}
	if len(percents) == 2 {
		e.children, e.self = percents[0], percents[1]
		return
	}
	e.self = percents[0] // alone, or with the shares of kernel and user mode
}

// fields splits what stands between the percentages and the mark, and cuts what stands behind the symbol. Without a symbol column
// the row is of a whole module or command, named in brackets.
func (l *list) fields(t string, r row) (module, symbol string) {
	symbol = r.symbol
	aligned := r.marked == 0
	for _, c := range l.columns {
		aligned = aligned || c.name == "Symbol" && c.from < len(t) && mark(t[c.from:min(c.to, len(t))]) >= 0 // -v has an address before it
	}
	if aligned {
		command := ""
		for i, c := range l.columns {
			from, to := max(c.from, r.beforeAt), min(c.to, len(t))
			if i == len(l.columns)-1 {
				to = len(t)
			}
			if from >= to {
				continue
			}
			switch text := strings.TrimSpace(t[from:to]); c.name {
			case "Command":
				command = text
			case "Shared Object":
				module = text
			case "Symbol":
				symbol = strings.TrimSpace(text[min(max(mark(text), 0)+3, len(text)):])
			}
		}
		if r.marked == 0 {
			if module == "" {
				module = command
			}
			return module, "[" + strings.Trim(base(module), "[]") + "]"
		}
		return module, symbol
	}
	parts := splitWide(r.before)
	if len(parts) == 0 {
		return "", symbol
	}
	return parts[len(parts)-1], symbol // samples, periods and the command stand before the module
}

// splitWide splits at two blanks or more; where there are none, as in a paste that lost them, at every blank.
func splitWide(s string) []string {
	if !strings.Contains(strings.TrimSpace(s), "  ") {
		return strings.Fields(s)
	}
	var parts []string
	for p := range strings.SplitSeq(s, "  ") {
		if p = strings.TrimSpace(p); p != "" {
			parts = append(parts, p)
		}
	}
	return parts
}

// separated reads a row of -t.
func (s *scanner) separated(l *list, t string, no int) bool {
	cells := strings.Split(t, l.comma)
	if len(cells) < len(l.columns) {
		return s.entry() != nil && s.entry().draw(t, no, true)
	}
	e := &entry{line: no, children: -1, self: -1}
	var r row
	for i, c := range l.columns {
		cell := strings.TrimSpace(cells[i])
		if i == len(l.columns)-1 {
			cell = strings.TrimSpace(strings.Join(cells[i:], l.comma))
		}
		switch c.name {
		case "Overhead", "Self", "Children":
			v, n := number(cell)
			if n == 0 || v > 100.5 || strings.Trim(cell[n:], " %") != "" {
				return s.entry() != nil && s.entry().draw(t, no, true) // commas in a name of its call graph
			}
			if c.name == "Children" {
				e.children = min(v, 100)
			} else {
				e.self = min(v, 100)
			}
		case "Shared Object":
			e.frame.Module = cell
		case "Symbol":
			r.symbol = cell
			if i := mark(cell); i == 0 {
				r.marked, r.symbol = cell[1], strings.TrimSpace(cell[3:])
			}
		}
	}
	if r.symbol == "" || e.children < 0 && e.self < 0 {
		return false
	}
	if r.marked == 'k' || r.marked == 'g' {
		e.frame.Flags = profile.Kernel
	}
	e.frame = symbolFrame(r.symbol, e.frame.Module, e.frame.Flags)
	l.entries = append(l.entries, e)
	return true
}

// symbolFrame makes a frame of a symbol as printed.
func symbolFrame(symbol, module string, flags profile.Flags) profile.Frame {
	if name, ok := strings.CutSuffix(symbol, " (inlined)"); ok {
		symbol, flags = name, flags|profile.Inlined
	}
	if name, ok := strings.CutSuffix(module, " (deleted)"); ok {
		module, flags = name, flags|profile.Deleted
	}
	if hex, ok := strings.CutPrefix(symbol, "0x"); ok && hex != "" && strings.Trim(hex, "0123456789abcdefABCDEF") == "" || symbol == "0" || symbol == "[unknown]" || symbol == "" {
		symbol, flags = "[unknown]", flags|profile.Unknown
		if b := strings.Trim(base(module), "[]"); b != "" && b != "unknown" {
			symbol = "[" + b + "]"
		}
	}
	if strings.IndexByte(symbol, '(') > 0 { // -v prints arguments
		symbol = string(profile.CutArguments([]byte(symbol)))
	}
	return profile.Frame{Name: symbol, Module: module, Flags: flags}
}

// base is the last part of a path.
func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// draw adds a line of the entry's call graph and tells whether it can be one. stdio says that the list has the heads that --stdio
// writes.
func (e *entry) draw(t string, no int, stdio bool) bool {
	if e.wantsSymbol {
		return false
	}
	if stdio || e.sign == '-' {
		t = cutSource(t)
	}
	drawn := strings.HasPrefix(strings.TrimLeft(t, " |"), "--")
	if n := len(e.graph); n > 0 && e.graph[n-1].frame.Name == "" { // the name was wrapped onto this line
		if name := strings.Trim(t, " |"); !drawn && symbolLike(name) {
			e.graph[n-1].frame = symbolFrame(name, "", 0)
			return true
		}
		return false
	}
	if drawn {
		b := parseDrawn(t)
		return (b.name == "" || b.name == "[...]" || symbolLike(b.name)) && e.addBranch(b, no)
	}
	if stdio && e.counted(t, no) {
		return true
	}
	if strings.TrimSpace(t) == "[...]" || strings.HasPrefix(strings.TrimSpace(t), "[...]") && t[0] == ' ' {
		return true
	}
	screen := parseScreen(t)
	if screen.value >= 0 && screen.sign == 0 {
		if screen.name == "" { // -g flat
			e.graph = append(e.graph, node{line: no, parent: -1, value: screen.value}) // its name comes with the next line
			e.tails = nil
			return true
		}
		if e.sign == 0 && (strings.Contains(screen.name, ";") || stdio && t[0] != ' ' && symbolLike(screen.name)) { // -g folded
			e.addFolded(screen, no)
			return true
		}
	}
	if screen.sign != 0 || screen.value >= 0 {
		return symbolLike(screen.name) && (e.sign != 0 || len(e.graph) > 0 || screen.sign != 0) && e.addScreen(screen, no)
	}
	// A name only: the chain goes on.
	if !symbolLike(screen.name) && !symbolLike(strings.Trim(t, " |")) || t[0] != ' ' && t[0] != '|' {
		return false
	}
	if e.sign != 0 && (len(e.graph) > 0 || e.sign == '-' && strings.HasPrefix(t, "  ")) {
		return e.addScreen(screen, no)
	}
	if len(e.graph) == 0 {
		return false
	}
	b := parseDrawn(t)
	if !symbolLike(b.name) {
		return false
	}
	n := len(e.graph)
	parent := n - 1
	if len(e.tails) > 0 {
		parent = e.tails[len(e.tails)-1].node
		e.tails[len(e.tails)-1].node = n
	}
	e.graph = append(e.graph, node{line: no, parent: parent, value: -1, frame: symbolFrame(b.name, "", 0)})
	return true
}

// cutSource takes off where in a function a call stands, as -g address writes it behind the name: ExecScan execScan.c:137,
// ExecProject executor.h:375 (inlined), or do_syscall_64 +113.
func cutSource(t string) string {
	text, inlined := strings.CutSuffix(strings.TrimRight(t, " "), " (inlined)")
	i := strings.LastIndexByte(text, ' ')
	file, line, ok := strings.Cut(text[i+1:], ":")
	if offset, found := strings.CutPrefix(text[i+1:], "+"); found {
		file, line, ok = "+", offset, true
	}
	if i <= 0 || text[i-1] == ' ' || text[i-1] == '|' || !ok || file == "" || line == "" || strings.Trim(line, "0123456789") != "" {
		return t
	}
	if inlined {
		return text[:i] + " (inlined)"
	}
	return text[:i]
}

// counted adds a line of -g flat or -g folded whose value is a count of samples or a period: 115, or 115 s_lock;pgss_store.
func (e *entry) counted(t string, no int) bool {
	text, column := cutBlanks(t)
	v, n := number(text)
	if n == 0 || strings.ContainsAny(text[:n], ".,") {
		return false
	}
	switch rest := text[n:]; {
	case rest == "" && column > 0 && len(e.tails) == 0 && (len(e.graph) == 0 || e.graph[0].count && e.graph[0].column == column):
		e.graph = append(e.graph, node{line: no, column: column, parent: -1, value: v, count: true})
		e.tails = nil
		return true
	case column == 0 && rest != "" && rest[0] == ' ' && (strings.Contains(rest, ";") || symbolLike(rest[1:])):
		e.addFolded(branch{value: v, count: true, name: rest[1:]}, no)
		return true
	}
	return false
}

// addBranch adds a line with dashes: it is a child of the chain whose branch stands further left.
func (e *entry) addBranch(b branch, no int) bool {
	for len(e.tails) > 0 && e.tails[len(e.tails)-1].column >= b.column {
		e.tails = e.tails[:len(e.tails)-1]
	}
	parent := -1
	if len(e.tails) > 0 {
		parent = e.tails[len(e.tails)-1].node
	}
	if b.name == "[...]" { // what the chains below the limit have together
		e.tails = append(e.tails, tail{b.column, parent})
		return true
	}
	e.tails = append(e.tails, tail{b.column, len(e.graph)})
	n := node{line: no, parent: parent, value: b.value, count: b.count}
	if b.name != "" {
		n.frame = symbolFrame(b.name, "", 0)
	}
	e.graph = append(e.graph, n)
	return true
}

// addScreen adds a line of the terminal browser. A chain is a run of names at one column; what has a percentage or a sign is a
// child of what stands further left: an only child has a sign perhaps, but no percentage. Where the indentation was lost, settle places the rows later.
func (e *entry) addScreen(b branch, no int) bool {
	name := b.value < 0
	for len(e.tails) > 0 {
		top := e.tails[len(e.tails)-1]
		if top.column < b.column || name && top.column == b.column && e.graph[top.node].value < 0 {
			break
		}
		e.tails = e.tails[:len(e.tails)-1]
	}
	parent := -1
	if k := len(e.tails); k > 0 {
		parent = e.tails[k-1].node
		if name && e.tails[k-1].column == b.column {
			e.tails = e.tails[:k-1]
		}
	}
	e.tails = append(e.tails, tail{b.column, len(e.graph)})
	e.graph = append(e.graph, node{line: no, column: b.column, parent: parent, value: b.value, sign: b.sign, frame: symbolFrame(b.name, "", 0)})
	return true
}

// addFolded adds a line of -g folded: the chain from the entry's function on.
func (e *entry) addFolded(b branch, no int) {
	parent := -1
	for name := range strings.SplitSeq(b.name, ";") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		n := node{line: no, parent: parent, value: -1, frame: symbolFrame(name, "", 0)}
		if parent < 0 {
			n.value, n.count = b.value, b.count
		}
		parent = len(e.graph)
		e.graph = append(e.graph, n)
	}
}
