package perfscript

import "bytes"

// head is the first line of a sample.
type head struct {
	comm     []byte
	pid, tid int64
	period   int64 // -1 when not given
	event    []byte
	payload  []byte // what follows the event: a frame, or the arguments of a tracepoint
}

var recordPrefix = []byte("PERF_RECORD_")

// parseHead takes a head line apart:
//
//	[comm] pid["/"tid] ["[" cpu "]"] [flags] [time ":"] [period] event ":" [payload]
//
// The name of a process may hold anything, blanks and digits too, so fields are told by what stands around the time (or, without
// one, the event). ok is false for a line that is no head. A record that is no sample (PERF_RECORD_…) has an event of that name.
func parseHead(line []byte) (h head, ok bool) {
	for from := 0; ; {
		end, blank := colon(line, from)
		if end < 0 {
			return head{}, false
		}
		start := lastBlank(line[:end]) + 1
		token := line[start:end]
		switch {
		case isTime(token):
			if h, ok = withTime(line[:start], line[end+1:]); ok {
				return h, true
			}
		case isEvent(token):
			if h, ok = withoutTime(line[:start]); !ok {
				h, ok = bare(line[:start], token, line[blank:])
			}
			if ok {
				h.event, h.payload = token, line[blank:]
				return h, true
			}
		}
		from = end + 1
	}
}

// colon finds the next colon that a blank or the end of the line follows.
func colon(line []byte, from int) (at, next int) {
	for from < len(line) {
		i := bytes.IndexByte(line[from:], ':')
		if i < 0 {
			return -1, -1
		}
		from += i + 1
		if from == len(line) || isBlank(line[from]) {
			return from - 1, from
		}
	}
	return -1, -1
}

func withTime(left, right []byte) (h head, ok bool) {
	if h, ok = process(left); !ok {
		if h, ok = commandOnly(left); !ok {
			return h, false
		}
	}
	h.period = -1
	right = trimLeft(right)
	if bytes.HasPrefix(right, recordPrefix) {
		n := 0
		for n < len(right) && !isBlank(right[n]) {
			n++
		}
		h.event, h.payload = right[:n], right[n:]
		return h, true
	}
	if n, rest := number(right); n >= 0 && len(rest) > 0 && isBlank(rest[0]) {
		h.period, right = n, trimLeft(rest)
	}
	n := 0
	for n < len(right) && !isBlank(right[n]) {
		n++
	}
	if n < 2 || right[n-1] != ':' || !isEvent(right[:n-1]) {
		return h, false
	}
	h.event, h.payload = right[:n-1], right[n:]
	return h, true
}

// withoutTime reads what stands left of the event when no time was printed: the period may stand there.
func withoutTime(left []byte) (h head, ok bool) {
	trimmed := trimRight(left)
	start := lastBlank(trimmed) + 1
	if period, rest := number(trimmed[start:]); period >= 0 && len(rest) == 0 {
		before := trimmed[:start]
		width := len(left) - len(trimRight(before)) - 1
		if len(trimLeft(before)) == 0 && isPeriod(trimmed, period) {
			return head{period: period}, true
		}
		if p, ok := process(before); ok && (width > 10 || period > maxProcess) {
			p.period = period
			return p, true
		}
	}
	h, ok = process(left)
	h.period = -1
	return h, ok
}

// maxProcess is the largest number that the kernel gives a process.
const maxProcess = 1 << 22

// isPeriod tells whether a number that begins a line, as the line's first bytes show, is a period: perf prints periods ten columns
// wide, processes five or seven.
func isPeriod(begin []byte, n int64) bool { return len(begin) >= 10 || n > maxProcess }

// commandLength is how long the kernel lets the name of a process be.
const commandLength = 15

// commandOnly reads what stands left of the time when no process was printed (-F comm,time,event): [comm] ["[" cpu "]"].
func commandOnly(left []byte) (h head, ok bool) {
	rest := trimRight(left)
	if token, before := lastToken(rest); isCPU(token) {
		rest = before
	}
	h.comm = bytes.TrimSpace(rest)
	return h, len(h.comm) <= commandLength
}

// bare reads a head without process and time (-F comm,event,ip,sym), if the event looks like one and nothing follows it.
func bare(left, event, payload []byte) (h head, ok bool) {
	if len(trimLeft(payload)) > 0 && !addressed(payload[1:]) || !bytes.ContainsAny(event, ":/-_") && !common[string(event)] {
		return h, false
	}
	rest, period := trimRight(left), int64(-1)
	if token, before := lastToken(rest); len(token) > 0 {
		if n, after := number(token); n >= 0 && len(after) == 0 {
			rest, period = before, n
		}
	}
	h.comm, h.period = bytes.TrimSpace(rest), period
	return h, len(h.comm) <= commandLength
}

// plainHead reads a head that names no event, the least that perf script -F prints: [comm] [pid["/"tid]] ["[" cpu "]"] [time ":"]
// [period]. Only the frames below it tell it from any other line.
func plainHead(line []byte) (h head, ok bool) {
	h.period = -1
	if len(line) == 0 {
		return h, true
	}
	rest, last := trimRight(line), []byte(nil)
	for { // the time, and the period behind it
		token, before := lastToken(rest)
		if n, more := number(token); n >= 0 && len(more) == 0 && last == nil {
			h.period, last, rest = n, rest, before
			continue
		}
		if len(token) > 1 && token[len(token)-1] == ':' && isTime(token[:len(token)-1]) {
			last, rest = nil, before
		} else if last != nil { // no time: it is a process, unless its width tells
			from := len(trimRight(rest))
			if !isPeriod(last[min(from, 1)+from:], h.period) {
				rest, h.period = last, -1
			}
		}
		break
	}
	if p, is := process(rest); is {
		p.period = h.period
		return p, len(p.comm) <= commandLength
	}
	c, ok := commandOnly(rest)
	h.comm = c.comm
	return h, ok
}

// loneFrame reads a sample of one line that names no event, as perf script -F prints it without call chains: what plainHead takes,
// and behind it the frame.
func loneFrame(line []byte) (h head, frame []byte, ok bool) {
	for from := range line {
		if !addressed(line[from:]) {
			continue
		}
		if from == commandLength+1 && line[from-1] != ':' { // a command alone, right-aligned
			h.comm, h.period, ok = bytes.TrimSpace(line[:from]), -1, true
		} else {
			h, ok = plainHead(line[:from])
		}
		return h, line[from+17:], ok
	}
	return h, nil, false
}

// addressed tells whether the text begins as perf prints the frame of a sample without a call chain: behind a blank an address,
// sixteen columns wide, then a symbol, whatever it looks like.
func addressed(text []byte) bool {
	if len(text) < 18 || text[0] != ' ' || !isBlank(text[17]) {
		return false
	}
	n := 17
	for n > 1 && isHex(text[n-1]) {
		n--
	}
	return n <= 11 && len(bytes.TrimLeft(text[:n], " ")) == 0 && len(trimLeft(text[17:])) > 0
}

// common are events whose names are plain words.
var common = map[string]bool{"cycles": true, "instructions": true, "branches": true, "faults": true, "ref": true}

// process reads [comm] pid["/"tid] ["[" cpu "]"] [flags] from the right.
func process(left []byte) (h head, ok bool) {
	rest := trimRight(left)
	token, before := lastToken(rest)
	if len(token) == 0 {
		return h, false
	}
	if h, ok = ids(token); !ok {
		if !isCPU(token) {
			if len(token) > 5 { // the flags of -F +flags, or of the latency format
				return h, false
			}
			token, before = lastToken(before)
		}
		if isCPU(token) {
			token, before = lastToken(before)
		}
		if h, ok = ids(token); !ok {
			return h, false
		}
	}
	h.comm = bytes.TrimSpace(before)
	return h, true
}

// ids reads pid, or pid/tid; a pid alone is what perf prints when only the thread is known.
func ids(token []byte) (h head, ok bool) {
	negative := len(token) > 1 && token[0] == '-'
	if negative {
		token = token[1:]
	}
	n, rest := number(token)
	if n < 0 {
		return h, false
	}
	if negative {
		n = -n
	}
	h.pid, h.tid = n, n
	if len(rest) == 0 {
		return h, true
	}
	if rest[0] != '/' {
		return h, false
	}
	rest = rest[1:]
	if len(rest) > 1 && rest[0] == '-' {
		rest = rest[1:]
	}
	h.tid, rest = number(rest)
	return h, h.tid >= 0 && len(rest) == 0
}

func isCPU(token []byte) bool {
	if len(token) < 3 || token[0] != '[' || token[len(token)-1] != ']' {
		return false
	}
	inner := token[1 : len(token)-1]
	if inner[0] == '-' {
		inner = inner[1:]
	}
	n, rest := number(inner)
	return n >= 0 && len(rest) == 0
}

func isTime(token []byte) bool {
	dot := bytes.IndexByte(token, '.')
	if dot <= 0 || dot == len(token)-1 {
		return false
	}
	for i, c := range token {
		if i != dot && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// isEvent tells whether a token can name an event: cycles:P, cpu/event=0x3c,umask=0x0/ukP, sched:sched_switch, r1a8.
func isEvent(token []byte) bool {
	if len(token) == 0 {
		return false
	}
	c := token[0] | 0x20
	return c >= 'a' && c <= 'z' || token[0] == '{' || token[0] == '_' || token[0] == '[' && len(token) > 2 && !isCPU(token)
}

// number reads decimal digits; n is -1 when there are none or too many.
func number(b []byte) (n int64, rest []byte) {
	i := 0
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		n = n*10 + int64(b[i]-'0')
		i++
	}
	if i == 0 || i > 18 {
		return -1, b
	}
	return n, b[i:]
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func trimLeft(b []byte) []byte {
	for len(b) > 0 && isBlank(b[0]) {
		b = b[1:]
	}
	return b
}

func trimRight(b []byte) []byte {
	for len(b) > 0 && isBlank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

func lastBlank(b []byte) int {
	for i := len(b) - 1; i >= 0; i-- {
		if isBlank(b[i]) {
			return i
		}
	}
	return -1
}

// lastToken gives the last run of non-blanks and what stands before it.
func lastToken(b []byte) (token, before []byte) {
	b = trimRight(b)
	i := lastBlank(b) + 1
	return b[i:], b[:i]
}
