package perfscript

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"pgknee/analysis/format"
	"pgknee/analysis/profile"
	"pgknee/analysis/source"
)

// Format is perf script.
var Format = &format.Format{
	Name: "perf-script", Doc: "output of perf script: samples with their stacks",
	Sniff: sniff,
	New:   func(c *format.Context) format.Reader { return newReader(c) },
}

// maxStack bounds the frames of one sample: beyond it the outer frames are left out.
const maxStack = 1 << 16

// maxThreads bounds how many threads are told apart; the samples of further ones are kept by command only.
const maxThreads = 1 << 14

type event struct {
	name    []byte
	b       *profile.Builder
	line    int  // of the first sample
	periods bool // the first sample has a period, so weights are periods
	mixed   int  // samples that do not go with that
	samples int
	chains  bool // a sample has more than one frame
	noStack int
}

type reader struct {
	ctx      *format.Context
	symbols  *profile.Symbols
	cache    *cache
	events   []*event
	headless *event // blocks of frames without a head: the only samples of perf script -F ip,sym

	// the sample being read
	open    *event
	period  int64
	thread  int32
	frames  []profile.FrameID // leaf first
	payload []profile.FrameID // the frame on the head line
	cut     bool              // a blank line was seen after the head, and no frame

	plain source.Line // a line that is a head without an event if a frame follows; No 0 for none

	current struct { // the thread seen last
		comm     []byte
		pid, tid int64
		id       int32
	}
	lost  int64
	odd   int // lines that are neither head nor frame
	depth int // stacks that were cut at maxStack
	one   [1]profile.FrameID
}

func newReader(c *format.Context) *reader {
	r := &reader{ctx: c, symbols: profile.NewSymbols(), cache: newCache()}
	r.current.id = -1
	return r
}

// Line takes a line; what it is follows from how it begins and what came before.
func (r *reader) Line(l source.Line) {
	line := l.Text
	if l.No == 1 {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	text := trimLeft(line)
	if len(text) == 0 {
		r.notPlain()
		r.blank()
		return
	}
	if len(text) == len(line) {
		r.notPlain()
		switch line[0] {
		case '#':
			r.comment(line)
		case '|': // -F +srccode
		default:
			r.head(l, line)
		}
		return
	}
	// An indented line: a frame almost always.
	address, n := hexadecimal(text)
	if n > 0 && n < len(text) && isBlank(text[n]) && r.open != nil {
		if frames := r.cache.get(address, text[n:]); frames != nil {
			r.push(frames)
			return
		}
	}
	r.indented(l, line, text, n, address)
}

// Ahead takes the frames that p begins with as far as they are known: most of a file.
func (r *reader) Ahead(p []byte) (n, lines int) {
	for r.open != nil {
		frames, length := r.cache.ahead(p[n:])
		if frames == nil {
			break
		}
		r.push(frames)
		n, lines = n+length, lines+1
	}
	return n, lines
}

// indented settles what an indented line is that the cache does not know.
func (r *reader) indented(l source.Line, line, text []byte, hex int, key uint64) {
	if line[0] != '\t' { // process names are right-aligned when there are no call chains
		if h, ok := parseHead(line); ok {
			r.begin(l, h)
			return
		}
	}
	address := hex > 0 && (hex == len(text) || isBlank(text[hex]))
	rest := text
	if address && bytes.HasPrefix(trimLeft(text[hex:]), []byte("(")) && hex < 8 && !isAligned(line, text) {
		address = false // a function named like a number, without its address: add (/bin/x)
	}
	switch {
	case address:
		rest = text[hex:]
	case line[0] == ' ' && isSourceLine(text): // -F +srcline: where the frame above stands in its source
		if bytes.HasSuffix(trimRight(text), inlinedMark) && len(r.frames) > 0 {
			f := r.symbols.Frame(r.frames[len(r.frames)-1])
			f.Flags |= profile.Inlined
			r.frames[len(r.frames)-1] = r.symbols.Intern(f)
		}
		return
	case text[0] == '|', bytes.HasPrefix(text, branchMark[2:]) && bytes.IndexByte(text, '/') > 0: // -F +srccode, -F +brstack
		return
	}
	if r.open == nil {
		if r.plain.No > 0 && isAligned(line, text) {
			h, _ := plainHead(r.plain.Text)
			r.plain.No = 0
			r.begin(l, h)
		} else if r.alone(l) {
			return
		}
	}
	if r.open == nil {
		if r.notPlain(); line[0] == ' ' && r.hold(l) {
			return
		}
		if r.headless == nil && (!address || len(trimLeft(rest)) == 0) {
			r.ctx.Skip(l)
			return
		}
		if r.headless == nil {
			r.headless = &event{b: profile.NewBuilderOf(r.symbols), line: l.No}
		}
		r.open, r.period, r.thread, r.cut = r.headless, -1, -1, false
		r.cache.begin()
	}
	frames := r.take(rest)
	if address {
		r.cache.put(key, line, len(line)-len(rest), frames)
	}
	r.push(frames)
}

// take gives the frames that a text names, leaf first: one, or several where a JIT lists what it inlined (a->b->c).
func (r *reader) take(text []byte) []profile.FrameID {
	f := parseFrame(text)
	if f.flags&profile.JIT == 0 || !bytes.Contains(f.name, []byte("->")) {
		r.one[0] = r.symbols.InternBytes(f.name, f.module, f.flags)
		return r.one[:]
	}
	parts := bytes.Split(f.name, []byte("->"))
	ids := make([]profile.FrameID, 0, len(parts))
	for i := len(parts) - 1; i >= 0; i-- {
		flags := f.flags
		if i > 0 {
			flags |= profile.Inlined
			if len(parts[i]) > 1 && parts[i][0] == 'L' && bytes.IndexByte(parts[i], '/') > 0 {
				parts[i] = parts[i][1:]
			}
		}
		ids = append(ids, r.symbols.InternBytes(parts[i], f.module, flags))
	}
	return ids
}

func (r *reader) push(frames []profile.FrameID) {
	if len(r.frames) >= maxStack {
		if len(r.frames) == maxStack {
			r.depth++
		}
		return
	}
	r.frames = append(r.frames, frames...)
}

func (r *reader) blank() {
	if r.open == nil {
		return
	}
	if len(r.frames) == 0 && len(r.payload) == 0 {
		r.cut = true // the stack may follow all the same
		return
	}
	r.flush()
}

func (r *reader) head(l source.Line, line []byte) {
	if h, ok := parseHead(line); ok {
		r.begin(l, h)
		return
	}
	if r.open != nil && looksLikeFrame(line) { // pasted without its indentation
		r.push(r.take(line[bytes.IndexAny(line, " \t"):]))
		return
	}
	r.flush()
	if !r.alone(l) && !r.hold(l) {
		r.skip(l)
	}
}

// alone takes a sample that is one line and names no event.
func (r *reader) alone(l source.Line) bool {
	h, frame, ok := loneFrame(l.Text)
	if ok {
		r.notPlain()
		r.begin(l, h)
		r.payload = append(r.payload, r.take(frame)...)
		r.flush()
	}
	return ok
}

// hold keeps a line that may be a head without an event: the line below it tells.
func (r *reader) hold(l source.Line) bool {
	if _, ok := plainHead(l.Text); !ok {
		return false
	}
	r.plain.No, r.plain.Text = l.No, append(r.plain.Text[:0], l.Text...)
	return true
}

// notPlain gives up the line held back: no frame follows it.
func (r *reader) notPlain() {
	if l := r.plain; l.No > 0 {
		r.plain.No = 0
		r.skip(l)
	}
}

func (r *reader) skip(l source.Line) {
	r.odd++
	r.ctx.Skip(l)
	if line := l.Text; r.odd <= 3 {
		r.ctx.Problem(format.Warning, l.No, 1, line, "neither the head of a sample nor a frame: skipped with what belongs to it")
	}
}

// begin starts a sample.
func (r *reader) begin(l source.Line, h head) {
	r.flush()
	if bytes.HasPrefix(h.event, recordPrefix) {
		if bytes.HasPrefix(h.event[len(recordPrefix):], []byte("LOST")) {
			rest := h.payload
			if i := bytes.Index(rest, []byte("lost ")); i >= 0 {
				rest = rest[i+len("lost "):]
			}
			if n, _ := number(trimLeft(rest)); n > 0 {
				r.lost += n
			}
		}
		return
	}
	e := r.event(h.event)
	if e.b == nil {
		e.b = profile.NewBuilderOf(r.symbols)
		e.line, e.periods = l.No, h.period >= 0
	}
	r.open, r.period, r.cut = e, h.period, false
	r.cache.begin()
	r.thread = r.threadID(h)
	r.payload = r.payload[:0]
	if text := payloadFrame(h.payload); text != nil {
		r.payload = append(r.payload, r.take(text)...)
	}
}

// payloadFrame gives what stands behind the address of a frame on the head line, as perf prints it without call chains; nil when
// the payload is something else.
func payloadFrame(payload []byte) []byte {
	text := trimLeft(payload)
	found := false
	for { // an address of data may stand before that of the code
		n := 0
		for n < len(text) && isHex(text[n]) {
			n++
		}
		if n < 1 || n >= len(text) || !isBlank(text[n]) || found && n < 6 {
			break
		}
		rest := trimLeft(text[n:])
		if len(rest) == 0 || found && rest[0] == '(' {
			break
		}
		if n < 6 && (lastGroup(trimRight(rest)) <= 0 || len(payload)-len(text) == 1) { // a short address is padded
			break
		}
		text, found = rest, true
	}
	if !found {
		return nil
	}
	if text[0] == '|' { // what is known of an access to memory stands between the address of the data and that of the code
		text = behindAddress(text)
	}
	if trimmed := trimRight(text); lastGroup(trimmed) < 0 && lastBlank(trimmed) >= 0 && !addressed(payload[1:]) {
		return nil // words, not a symbol
	}
	return text
}

// behindAddress gives what stands behind the last address in a text; all of it if there is none.
func behindAddress(text []byte) []byte {
	for end := len(text); ; {
		start := lastBlank(text[:end]) + 1
		n := start
		for n < end && isHex(text[n]) {
			n++
		}
		if n == end && n-start >= 6 && n < len(text) {
			return text[n:]
		}
		if start == 0 {
			return text
		}
		end = start - 1
	}
}

// event finds the event by its name; a file has a handful.
func (r *reader) event(name []byte) *event {
	for _, e := range r.events {
		if bytes.Equal(e.name, name) {
			return e
		}
	}
	e := &event{name: bytes.Clone(name)}
	r.events = append(r.events, e)
	return e
}

func (r *reader) threadID(h head) int32 {
	c := &r.current
	if c.id >= 0 && c.pid == h.pid && c.tid == h.tid && bytes.Equal(c.comm, h.comm) {
		return c.id
	}
	t := profile.Thread{Command: string(h.comm), PID: int32(h.pid), TID: int32(h.tid)}
	if r.symbols.Threads() >= maxThreads {
		t.PID, t.TID = 0, 0
	}
	c.comm = append(c.comm[:0], h.comm...)
	c.pid, c.tid, c.id = h.pid, h.tid, r.symbols.Thread(t)
	return c.id
}

// flush ends the sample being read.
func (r *reader) flush() {
	e := r.open
	if e == nil {
		return
	}
	r.open = nil
	frames := r.frames
	if len(frames) == 0 {
		frames = r.payload
	}
	weight := 1.0
	if e.periods {
		if r.period >= 0 {
			weight = float64(r.period)
		} else {
			e.mixed++
		}
	} else if r.period >= 0 {
		e.mixed++
	}
	node := int32(0)
	for i := len(frames) - 1; i >= 0; i-- {
		node = e.b.Child(node, frames[i])
	}
	switch len(frames) {
	case 0:
		e.noStack++
		command := "[no stack]"
		if r.thread >= 0 {
			if c := r.symbols.ThreadOf(r.thread).Command; c != "" {
				command = c
			}
		}
		node = e.b.Child(0, r.symbols.Intern(profile.Frame{Name: command, Flags: profile.Unknown | profile.Inferred}))
	case 1:
	default:
		e.chains = true
	}
	e.samples++
	if r.thread >= 0 {
		e.b.AddThread(node, r.thread, weight, 1)
	} else {
		e.b.AddAt(node, weight, 1)
	}
	r.frames, r.payload = r.frames[:0], r.payload[:0]
}

// comment reads the header that perf script --header prints.
func (r *reader) comment(line []byte) {
	if rest, ok := bytes.CutPrefix(line, []byte("# nrcpus avail : ")); ok {
		if n, rest := number(rest); n > 0 && len(trimLeft(rest)) == 0 {
			r.ctx.Fact("server cores", strconv.FormatInt(n, 10))
		}
	}
}

// Close hands over the profiles.
func (r *reader) Close() {
	r.notPlain()
	r.flush()
	if len(r.events) == 0 && r.headless != nil {
		r.events = append(r.events, r.headless)
	}
	if r.odd > 3 {
		r.ctx.Problem(format.Warning, 0, 0, nil, fmt.Sprintf("%d more lines are neither the head of a sample nor a frame", r.odd-3))
	}
	if r.depth > 0 {
		r.ctx.Problem(format.Warning, 0, 0, nil, fmt.Sprintf("%d stacks have more than %d frames: their outer frames are not read", r.depth, maxStack))
	}
	if r.lost > 0 {
		r.ctx.Problem(format.Warning, 0, 0, nil, fmt.Sprintf("perf lost %d samples", r.lost))
	}
	r.events = slices.DeleteFunc(r.events, func(e *event) bool { return e.b == nil })
	slices.SortStableFunc(r.events, func(a, b *event) int { return cmp.Compare(b.b.Total(), a.b.Total()) })
	for _, e := range r.events {
		p := e.b.Profile()
		p.At = source.Position{File: r.ctx.File, Line: e.line}
		p.Event, p.Unit, p.Lost = string(e.name), "samples", r.lost
		if e.periods {
			p.Unit = unit(p.Event)
		}
		r.ctx.Profiles = append(r.ctx.Profiles, p)
		r.remarks(e, p)
	}
	if len(r.ctx.Profiles) == 0 {
		r.ctx.Problem(format.Error, 0, 0, nil, "no samples in this output of perf script")
	}
}

// remarks tells what a reader of the profile should know.
func (r *reader) remarks(e *event, p *profile.Profile) {
	if !e.chains && e.noStack < e.samples {
		r.ctx.Problem(format.Warning, e.line, 0, nil, named(e, "no call chains: record with -g to see callers"))
	}
	if e.noStack == e.samples {
		r.ctx.Problem(format.Warning, e.line, 0, nil, named(e, "no sample has a stack: all count for their command; print stacks with perf script -F +ip,sym,dso"))
		return
	}
	if e.noStack > 0 {
		r.ctx.Problem(format.Warning, e.line, 0, nil, named(e, fmt.Sprintf("%d of %d samples have no stack: they count for the command itself", e.noStack, e.samples)))
	}
	if e.mixed > 0 && e.periods {
		r.ctx.Problem(format.Warning, e.line, 0, nil, named(e, fmt.Sprintf("%d samples have no period: each counts as 1", e.mixed)))
	} else if e.mixed > 0 {
		r.ctx.Problem(format.Warning, e.line, 0, nil, named(e, fmt.Sprintf("%d samples have a period and others do not: weights are samples", e.mixed)))
	}
	if share := profile.UnknownShare(p); share >= 0.5 {
		r.ctx.Problem(format.Warning, e.line, 0, nil, named(e, fmt.Sprintf("%.0f%% of the weight has no symbol: install debug symbols, and run perf script on the machine that recorded", 100*share)))
	}
}

func named(e *event, message string) string {
	if len(e.name) == 0 {
		return message
	}
	return string(e.name) + ": " + message
}

// unit is what the periods of an event count: the event without its modifiers.
func unit(event string) string {
	for i := len(event) - 1; i > 0; i-- {
		c := event[i] | 0x20
		if event[i] == ':' && i < len(event)-1 {
			return event[:i]
		}
		if c < 'a' || c > 'z' || len(event)-i > 6 {
			break
		}
	}
	return event
}

// inlinedMark is what perf prints behind an inlined function: behind its name, or behind its place in the source.
var inlinedMark = []byte(" (inlined)")

// isSourceLine recognises what -F +srcline prints below a frame: file.c:137, file.c:137 (inlined), or module[address].
func isSourceLine(text []byte) bool {
	text = bytes.TrimSuffix(trimRight(text), inlinedMark)
	i := len(text)
	if i == 0 {
		return false
	}
	if text[i-1] == ']' {
		open := bytes.LastIndexByte(text, '[')
		return open > 0
	}
	for i > 0 && text[i-1] >= '0' && text[i-1] <= '9' {
		i--
	}
	return i < len(text) && i > 1 && text[i-1] == ':'
}
