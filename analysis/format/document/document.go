package document

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"pgknee/analysis/bench"
	"pgknee/analysis/format"
	"pgknee/analysis/format/pgconf"
	"pgknee/analysis/format/table"
	"pgknee/analysis/source"
)

// New makes the format of documents that may hold the given kinds of passage, besides tables and lists. The order is that in which
// they are asked.
func New(blocks ...*format.Block) *format.Format {
	blocks = append(slices.Clone(blocks), results)
	blocks = append(blocks, table.Block)
	return &format.Format{
		Name: "document", Doc: "a mail, issue or page that holds tables, runs, call graphs or settings",
		Sniff: func(_ string, head []byte) format.Confidence { return sniff(blocks, head) },
		New:   func(ctx *format.Context) format.Reader { return &reader{ctx: ctx, blocks: blocks} },
	}
}

// maxBytes is how much of a text is held. Documents are written by people.
const maxBytes = 32 << 20

type reader struct {
	ctx    *format.Context
	blocks []*format.Block
	lines  []source.Line
	size   int
}

// Line keeps a line; a document is read at its end, because what stands around a passage belongs to it.
func (r *reader) Line(l source.Line) {
	if r.size > maxBytes {
		if r.size < 1<<62 {
			r.ctx.Problem(format.Error, l.No, 1, nil, fmt.Sprintf("the text is longer than %d MB: the rest of it is not read", maxBytes>>20))
			r.size = 1 << 62
		}
		return
	}
	r.size += len(l.Text) + 16
	r.lines = append(r.lines, source.Line{Text: bytes.Clone(l.Text), No: l.No})
}

// Close reads the text.
func (r *reader) Close() {
	lines, notes := decodeMail(r.lines)
	for _, n := range notes {
		r.ctx.Problem(format.Warning, 0, 0, nil, n)
	}
	if table.IsHTML(lines) {
		lines = table.HTML(lines)
	}
	lines = peel(lines)
	facts := newFacts()
	var tables []table.Runs
	var loose []*bench.Run // runs that may take conditions from the prose
	seen := map[uint64]bool{}
	copies, firstCopy := 0, 0
	var said pgconf.Sentences
	walk(r.blocks, lines, func(b *format.Block, p format.Passage) {
		if b == nil {
			for _, l := range p.Lines {
				said.Line(r.ctx, l)
				if !facts.line(string(l.Text), l.No) && len(bytes.TrimSpace(l.Text)) > 0 {
					r.ctx.Skip(l)
				}
			}
			return
		}
		key := fingerprint(p.Lines)
		if seen[key] {
			if copies++; firstCopy == 0 {
				firstCopy = p.Lines[0].No
			}
			return
		}
		seen[key] = true
		before := len(r.ctx.Runs)
		b.Read(r.ctx, p)
		made := r.ctx.Runs[before:]
		nearby(p, made)
		switch b.Name {
		case "table":
			facts.concurrency(made)
			if again := repeats(r.ctx.Runs[:before], made); again {
				r.ctx.Problem(format.Warning, p.Lines[0].No, 1, p.Lines[0].Text, "the table repeats the throughput of runs that stand in the text: they count once")
				r.ctx.Runs = r.ctx.Runs[:before]
				return
			}
			tables = append(tables, table.Runs{Heading: p.Heading, Runs: slices.Clone(made)})
			loose = append(loose, made...)
		case results.Name:
			tables = append(tables, table.Runs{Heading: p.Heading, Runs: slices.Clone(made)})
			loose = append(loose, made...)
		}
	})
	if copies > 0 {
		r.ctx.Problem(format.Warning, firstCopy, 0, nil, map[bool]string{true: "a passage that stands in the text before was left out here: quoted again, it is no second measurement", false: fmt.Sprintf("%d passages that stand in the text before were left out here: quoted again, they are no second measurement", copies)}[copies == 1])
	}
	said.Close(r.ctx)
	table.LabelTables(tables)
	facts.apply(r.ctx, loose)
	r.columns(lines)
	if len(r.ctx.Runs)+len(r.ctx.Profiles)+len(r.ctx.Settings)+len(r.ctx.Waits)+len(r.ctx.Questions) == 0 {
		r.ctx.Problem(format.Warning, 0, 0, nil, "the text holds no table of runs, no output of a benchmark and no profile that could be read")
	}
}

// columns turns the columns of what was found from those of the peeled and decoded lines to those of the file. Where the file has a line
// in other words (encoded, or as HTML), only the line is known.
func (r *reader) columns(lines []source.Line) {
	const unknown = -1
	shift := map[int]int{}
	for i, l := range lines {
		raw, ok := slices.BinarySearchFunc(r.lines, l.No, func(l source.Line, no int) int { return l.No - no })
		switch {
		case !ok, i > 0 && lines[i-1].No == l.No:
			shift[l.No] = unknown
		default:
			shift[l.No] = bytes.Index(r.lines[raw].Text, l.Text)
		}
	}
	move := func(at *source.Position) {
		switch by := shift[at.Line]; {
		case by == unknown:
			at.Column = min(at.Column, 1)
		case at.Column > 0:
			at.Column += by
		}
	}
	for _, x := range r.ctx.Runs {
		move(&x.At)
	}
	for _, x := range r.ctx.Profiles {
		move(&x.At)
	}
	for _, x := range r.ctx.Settings {
		move(&x.At)
	}
	for _, x := range r.ctx.Waits {
		move(&x.At)
	}
	for i := range r.ctx.Problems {
		move(&r.ctx.Problems[i].At)
	}
}

// nearby gives runs the conditions that the lines right above them state.
func nearby(p format.Passage, runs []*bench.Run) {
	if len(runs) == 0 {
		return
	}
	said := newFacts()
	for _, text := range p.Above[:min(len(p.Above), 2)] {
		said.line(text, 0)
	}
	delete(said.values, factClients)
	said.apply(&format.Context{}, runs)
}

// fingerprint of a passage, blanks aside.
func fingerprint(lines []source.Line) uint64 {
	h := fnv.New64a()
	for _, l := range lines {
		for _, w := range bytes.Fields(l.Text) {
			h.Write(w)
			h.Write([]byte{' '})
		}
	}
	return h.Sum64()
}

// repeats tells whether the runs of a table are those that stand in the text already, rounded.
func repeats(before, made []*bench.Run) bool {
	if len(made) == 0 || len(before) == 0 {
		return false
	}
	for _, m := range made {
		if m.TPS == nil || !slices.ContainsFunc(before, func(b *bench.Run) bool {
			return b.TPS != nil && (b.Clients == nil || m.Clients == nil || *b.Clients == *m.Clients) && near(*b.TPS, *m.TPS)
		}) {
			return false
		}
	}
	return true
}

func near(a, b float64) bool {
	d := a - b
	return d < 0.51 && d > -0.51 && (d < a*1e-3 && d > -a*1e-3)
}

// walk offers the lines to the blocks and hands each passage over; what no block claims goes line by line to a nil block.
func walk(blocks []*format.Block, lines []source.Line, do func(*format.Block, format.Passage)) {
	var around table.Outline
	for i := 0; i < len(lines); {
		n := 0
		var block *format.Block
		if len(bytes.TrimSpace(lines[i].Text)) > 0 {
			for _, b := range blocks {
				if n = b.Claims(lines[i:]); n > 0 {
					block = b
					break
				}
			}
		}
		if n == 0 {
			around.See(lines[i])
			do(nil, format.Passage{Lines: lines[i : i+1]})
			i++
			continue
		}
		n = min(n, len(lines)-i)
		do(block, format.Passage{
			Heading: around.Heading(), Above: around.Texts(), Below: table.Below(lines[i+n:]), Lines: lines[i : i+n],
		})
		around.Pass()
		i += n
	}
}

// sniff looks for passages in the head, and for the prose around them.
func sniff(blocks []*format.Block, head []byte) format.Confidence {
	var lines []source.Line
	s := source.Splitter{Max: 1 << 14, Line: func(l source.Line) {
		lines = append(lines, source.Line{Text: bytes.Clone(l.Text), No: l.No})
	}}
	s.Write(head)
	s.Close()
	mail := mailHead(lines)
	lines, _ = decodeMail(lines)
	html := table.IsHTML(lines)
	if html {
		lines = table.HTML(lines)
	}
	quoted := 0
	for _, l := range lines {
		if len(l.Text) > 0 && l.Text[0] == '>' {
			quoted++
		}
	}
	lines = peel(lines)
	prose, tables, other, rows := 0, 0, 0, 0
	speaks, titles, bars := false, 0, false
	states := newFacts() // a line that states conditions is no stray line of a table
	walk(blocks, lines, func(b *format.Block, p format.Passage) {
		switch {
		case b == nil:
			t := p.Lines[0].Text
			if titled(t) {
				titles++
			} else if sentence(t) || states.line(string(t), 0) {
				prose++
				speaks = speaks || speaksOfBenchmarks(t)
			}
		case b == table.Block:
			if ok, _ := table.Tells(p.Lines, p.Above); ok {
				tables++
				bars = bars || bytes.IndexByte(p.Lines[0].Text, '|') >= 0
				rows += len(p.Lines)
			}
		default:
			other++
		}
	})
	if bars || other > 0 || prose > 0 {
		prose += titles // else they may be comments: # host x
	}
	switch {
	case other == 0 && rows > 50*prose && !mail && !html && 2*quoted <= len(lines):
		return format.No // a table with hardly a word about it
	case tables+other == 0:
		if speaks && prose > 3 && (mail || letter(lines)) {
			return format.Maybe
		}
		return format.No
	case mail || html || 2*quoted > len(lines):
		return format.Sure
	case prose > 0 && tables > 0:
		return format.Sure
	case prose > 0 || tables > 0 && other > 0 || other > 1:
		return format.Likely
	}
	return format.Maybe
}

// sentence tells whether a line is written for people.
func sentence(t []byte) bool {
	t = bytes.TrimSpace(t)
	words := 0
	for _, w := range bytes.Fields(t) {
		if c := w[0] | 0x20; c >= 'a' && c <= 'z' || c >= 0x80 {
			words++
		}
	}
	return words >= 3
}

// titled tells whether a line begins as a title of Markdown does.
func titled(t []byte) bool {
	n := 0
	for n < len(t) && t[n] == '#' {
		n++
	}
	return n > 0 && n < 7 && n < len(t) && t[n] == ' '
}

// letter tells whether a text has the looks of a message: a greeting, an attribution, a signature.
func letter(lines []source.Line) bool {
	for _, l := range lines {
		t := strings.ToLower(strings.TrimSpace(string(l.Text[:min(len(l.Text), 100)])))
		if strings.HasPrefix(t, "hi,") || strings.HasPrefix(t, "hi ") || strings.HasPrefix(t, "hello") || strings.HasPrefix(t, "re: ") || strings.HasPrefix(t, "regards") || strings.HasSuffix(t, "wrote:") || t == "hi" || strings.HasPrefix(t, "i am seeking") || strings.HasPrefix(t, "best regards") || t == "thanks" || t == "thanks," {
			return true
		}
	}
	return false
}

// speaksOfBenchmarks tells whether a line names a benchmark or what it measures.
func speaksOfBenchmarks(t []byte) bool {
	low := strings.ToLower(string(t))
	for _, w := range [...]string{"pgbench", "sysbench", "tps", "throughput", "benchmark", "perf ", "flamegraph", "latency"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}
