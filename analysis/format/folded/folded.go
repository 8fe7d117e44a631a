package folded

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"pgknee/analysis/format"
	"pgknee/analysis/profile"
	"pgknee/analysis/source"
)

// Format is folded stacks.
var Format = &format.Format{
	Name: "folded", Doc: "folded stacks, as stackcollapse scripts print them: a;b;c 12",
	Sniff: sniff,
	New:   func(c *format.Context) format.Reader { return newReader(c) },
}

// decideBytes is how much of a file settles whether it has one column or two.
const decideBytes = 1 << 20

// exact is the largest count up to which every integer has a float of its own.
const exact = 1 << 53

type reader struct {
	ctx     *format.Context
	symbols *profile.Symbols
	before  *profile.Builder // first column of two; else unused
	b       *profile.Builder

	held    []source.Line // the lines read until the columns are settled
	text    []byte        // of held
	ends    []int
	settled bool
	two     bool

	// the line before: its frames, and where in it each ends
	prev  []byte
	stops []stop

	first    int // line of the first stack
	problems map[string]int
}

// stop is a place in the line before at which a frame ends, and the node reached there. The separator is part of it.
type stop struct {
	end    int
	node   int32
	before int32 // the same in the other profile
}

func newReader(c *format.Context) *reader {
	s := profile.NewSymbols()
	return &reader{ctx: c, symbols: s, b: profile.NewBuilderOf(s), before: profile.NewBuilderOf(s), problems: map[string]int{}}
}

// Line takes a line.
func (r *reader) Line(l source.Line) {
	if r.settled {
		r.stack(l)
		return
	}
	r.text = append(r.text, l.Text...)
	r.held = append(r.held, source.Line{No: l.No})
	r.ends = append(r.ends, len(r.text))
	if len(r.text)+16*len(r.held) >= decideBytes {
		r.settle()
	}
}

// settle decides about the columns and reads the lines held back.
func (r *reader) settle() {
	r.settled = true
	data, both := 0, 0
	for i := range r.held {
		r.held[i].Text = r.text[r.start(i):r.ends[i]]
		stack, _, state := count(trim(r.held[i]))
		if state != isCount {
			continue
		}
		data++
		if _, _, state := count(stack); state == isCount {
			both++
		}
	}
	r.two = data > 0 && 100*both >= 95*data
	for _, l := range r.held {
		r.stack(l)
	}
	r.held, r.text, r.ends = nil, nil, nil
}

func (r *reader) start(i int) int {
	if i == 0 {
		return 0
	}
	return r.ends[i-1]
}

// stack reads one line.
func (r *reader) stack(l source.Line) {
	line := trim(l)
	if len(line) == 0 || line[0] == '#' || line[0] == '/' && len(line) > 1 && line[1] == '/' {
		return
	}
	stack, weight, state := count(line)
	if state != isCount {
		r.bad(l, state.why())
		return
	}
	var before float64
	if r.two {
		if stack, before, state = count(stack); state != isCount {
			r.bad(l, "one count in a file of two columns")
			return
		}
	}
	if weight < 0 || before < 0 {
		r.bad(l, "negative count ignored")
		return
	}
	if weight > exact || before > exact {
		r.warn(l, "count above 2^53 is rounded")
	}
	if !r.frames(stack) {
		r.bad(l, "count without a stack")
		return
	}
	if r.first == 0 {
		r.first = l.No
	}
	at := stop{}
	if len(r.stops) > 0 {
		at = r.stops[len(r.stops)-1]
	}
	r.b.AddAt(at.node, weight, 0)
	if r.two {
		r.before.AddAt(at.before, before, 0)
	}
}

// frames finds the node of a stack and leaves it as the last stop. It tells whether the stack has a frame.
func (r *reader) frames(stack []byte) bool {
	shared := source.CommonPrefix(stack, r.prev)
	keep := 0
	for keep < len(r.stops) && r.stops[keep].end <= shared && r.stops[keep].end < len(stack) {
		keep++
	}
	r.stops = r.stops[:keep]
	at, pos := stop{}, 0
	if keep > 0 {
		at = r.stops[keep-1]
		pos = at.end
	}
	r.prev = append(r.prev[:0], stack...)
	open := false // a bracket stays open to the end: what follows decides, so the stops are not for the next line
	for pos < len(stack) {
		n := source.IndexByte(stack[pos:], ';')
		if n < 0 {
			n = len(stack) - pos
		} else if source.IndexByte(stack[pos:pos+n], '[') >= 0 {
			n = join(stack[pos:], n)
			open = open || unbalanced(stack[pos:pos+n]) > 0
		}
		name := stack[pos : pos+n]
		if n == 0 || name[0]-'!' > '~'-'!' || name[n-1]-'!' > '~'-'!' {
			name = bytes.TrimSpace(name)
		}
		pos = min(pos+n+1, len(stack))
		if len(name) == 0 {
			continue
		}
		f := r.intern(name)
		at.node = r.b.Child(at.node, f)
		if r.two {
			at.before = r.before.Child(at.before, f)
		}
		// The last frame has no separator, so that it is never taken for the beginning of a longer name.
		at.end = pos
		if pos == len(stack) {
			at.end = len(stack) + 1
		}
		r.stops = append(r.stops, at)
	}
	if open {
		r.prev = r.prev[:0]
	}
	return len(r.stops) > 0
}

// intern gives the frame of a name as it stands in the file.
func (r *reader) intern(name []byte) profile.FrameID {
	flags := profile.Flags(0)
	if name[len(name)-1] == ']' {
		name, flags = profile.CutMarks(name)
	}
	if len(name) > 0 && (name[0] == '[' || name[0] == '0' || name[0] == '?' || name[0] == 'u') || len(name) == 0 {
		flags |= profile.Classify(name, nil)
	}
	return r.symbols.InternBytes(name, nil, flags)
}

// join gives the end of a frame that holds separators inside brackets: foo<[u8; 8]>::bar. n is where the first separator stands.
func join(stack []byte, n int) int {
	depth := unbalanced(stack[:n])
	for i := n; depth > 0 && i < len(stack); i++ {
		switch stack[i] {
		case '[':
			depth++
		case ']':
			depth--
		case ';':
			continue
		}
		if depth == 0 {
			if end := bytes.IndexByte(stack[i:], ';'); end >= 0 {
				return i + end
			}
			return len(stack)
		}
	}
	return n
}

func unbalanced(name []byte) int {
	depth := 0
	for _, c := range name {
		switch c {
		case '[':
			depth++
		case ']':
			depth = max(depth-1, 0)
		}
	}
	return depth
}

type state int

const (
	isCount state = iota
	noCount
	badCount
)

func (s state) why() string {
	if s == badCount {
		return "the count is not a number that can be used"
	}
	return "no count at the end of the line"
}

// count splits the number at the end of a line from what stands before it. A line that is only a number has an empty rest.
func count(line []byte) (rest []byte, n float64, s state) {
	line = trimRight(line)
	i := len(line)
	v := uint64(0)
	unit := uint64(1)
	for i > 0 && line[i-1] >= '0' && line[i-1] <= '9' && len(line)-i < 18 {
		i--
		v += uint64(line[i]-'0') * unit
		unit *= 10
	}
	if i < len(line) && (i == 0 || isBlank(line[i-1])) {
		return trimRight(line[:i]), float64(v), isCount
	}
	for i > 0 && !isBlank(line[i-1]) {
		i--
	}
	token := line[i:]
	for _, c := range token {
		if (c < '0' || c > '9') && c != '.' && c != 'e' && c != 'E' && c != '-' && c != '+' {
			return nil, 0, noCount
		}
	}
	if len(token) == 0 || i == 0 && len(token) < len(line) {
		return nil, 0, noCount
	}
	n, err := strconv.ParseFloat(string(token), 64)
	if err != nil || math.IsInf(n, 0) || n > 1e300 || n < -1e300 {
		return nil, 0, badCount
	}
	return trimRight(line[:i]), n, isCount
}

func trim(l source.Line) []byte {
	line := l.Text
	if l.No == 1 {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	return bytes.TrimSpace(line)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func trimRight(b []byte) []byte {
	for len(b) > 0 && isBlank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

func (r *reader) bad(l source.Line, why string) {
	r.ctx.Skip(l)
	r.warn(l, why)
}

// warn reports the first three lines of a kind; the rest is counted.
func (r *reader) warn(l source.Line, why string) {
	if r.problems[why]++; r.problems[why] <= 3 {
		r.ctx.Problem(format.Warning, l.No, 1, l.Text, why)
	}
}

// Close hands over the profiles.
func (r *reader) Close() {
	if !r.settled {
		r.settle()
	}
	for _, why := range []string{noCount.why(), badCount.why(), "negative count ignored", "count without a stack", "one count in a file of two columns", "count above 2^53 is rounded"} {
		if n := r.problems[why] - 3; n > 0 {
			r.ctx.Problem(format.Warning, 0, 0, nil, fmt.Sprintf("%d more lines: %s", n, why))
		}
	}
	if r.first == 0 {
		r.ctx.Problem(format.Error, 0, 0, nil, "no stacks with a count in this file")
		return
	}
	if r.two {
		r.hand(r.before, "before")
		r.hand(r.b, "after")
		return
	}
	r.hand(r.b, "")
}

func (r *reader) hand(b *profile.Builder, column string) {
	p := b.Profile()
	p.At = source.Position{File: r.ctx.File, Line: r.first}
	p.Unit, p.Column = "samples", column
	if p.Total > exact {
		r.ctx.Problem(format.Warning, 0, 0, nil, "the counts add up to more than 2^53: the last digits of sums are lost")
	}
	if math.IsInf(p.Total, 0) {
		r.ctx.Problem(format.Error, 0, 0, nil, "the counts add up to more than a number can hold")
		return
	}
	r.ctx.Profiles = append(r.ctx.Profiles, p)
}
