package analysis

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"pgknee/analysis/format"
	"pgknee/analysis/format/pgconf"
	"pgknee/analysis/format/refused"
	"pgknee/analysis/format/table"
	"pgknee/analysis/source"
)

// Input is what a host hands over: a file, plain or compressed, or an archive of many. Write it in pieces of any size, then Close it.
type Input struct {
	Walked bool // found in a folder: nobody asked for this file by its name

	name   string
	unwrap *source.Unwrapper
	files  []*file // those within, in their order
}

// Open begins an input. The name is used in positions, to break ties of recognition, and to tell series apart.
func (s *Session) Open(name string) *Input {
	in := &Input{name: name}
	in.unwrap = source.Unwrap(name, s.Options.Limits, func(name string) source.File {
		f := s.begin(name)
		f.input = in
		in.files = append(in.files, f)
		return f
	})
	s.inputs = append(s.inputs, in)
	return in
}

// Write takes the next piece.
func (in *Input) Write(p []byte) { in.unwrap.Write(p) }

// Close ends the input.
func (in *Input) Close() { in.unwrap.Close() }

// file is one file of an input, unwrapped, on its way through its reader.
type file struct {
	session *Session
	input   *Input
	ctx     *format.Context
	format  *format.Format
	head    []byte // what came before the format was settled, as it came
	long    []byte // the beginning of a first line longer than the head, when nothing recognised it
	inLong  bool   // the rest of that line is passing by
	settled bool
	script  bool // no result, but what made results
	decoder source.Decoder
	reader  format.Reader
	peeler  *source.Peeler // takes the lines out of what they are wrapped in; nil when they stand bare
	bytes   format.ByteReader
	lines   source.Splitter
	size    int64
	print   source.Print // of the contents: two files with equal prints are the same
}

func (s *Session) begin(name string) *file {
	s.begun = nil
	f := &file{session: s, ctx: &format.Context{
		File: name, Limits: s.Options.Limits.Or(),
		Options: format.Options{Columns: s.Options.Columns[name], Format: s.Options.Format[name]},
	}}
	if f.ctx.Options.Columns == "" {
		f.ctx.Options.Columns = s.Options.Columns[""]
	}
	if f.ctx.Options.Format == "" {
		f.ctx.Options.Format = s.Options.Format[""]
	}
	return f
}

// Write takes the next piece.
func (f *file) Write(p []byte) {
	f.session.begun = nil
	f.size += int64(len(p))
	f.print.Write(p)
	f.take(p)
}

func (f *file) take(p []byte) {
	if f.inLong {
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			return
		}
		f.inLong, p = false, p[end:]
	}
	switch {
	case f.settled:
		f.feed(p)
	case len(f.head) == 0 && len(p) >= format.HeadBytes:
		f.settle(p)
	default:
		f.head = append(f.head, p...)
		if len(f.head) >= format.HeadBytes {
			f.settle(f.head)
		}
	}
}

// Fail notes what is wrong with how the file is wrapped.
func (f *file) Fail(err error) {
	f.ctx.Problem(format.Error, 0, 0, nil, err.Error())
	if errors.As(err, &source.LimitError{}) {
		f.session.limit = err
	}
}

// Close ends the file.
func (f *file) Close() {
	f.session.begun = nil
	if !f.settled && f.size == 0 {
		if len(f.ctx.Problems) == 0 {
			f.ctx.Problem(format.Error, 0, 0, nil, "the file is empty")
		}
		return
	}
	f.inLong = false
	if !f.settled {
		f.settle(f.head)
	}
	switch {
	case f.reader != nil:
		f.lines.Close()
		f.reader.Close()
	case f.bytes != nil:
		f.lines.Close()
		f.bytes.Close()
	}
	if n := f.decoder.NULs; n > 0 {
		f.ctx.Problem(format.Warning, 0, 0, nil, fmt.Sprintf("%d NUL bytes are left out: the file may have been damaged", n))
	}
}

func (f *file) feed(p []byte) {
	switch {
	case f.lines.Line != nil:
		f.lines.Write(f.decoder.Decode(p))
	case f.bytes != nil:
		f.bytes.Write(f.decoder.Decode(p))
	}
}

// settle recognises the format and feeds it what was held back.
func (f *file) settle(p []byte) {
	f.settled, f.head = true, nil
	start := p[:min(len(p), format.HeadBytes)]
	if f.long == nil {
		p = p[f.decoder.Start(start):]
		start = p[:min(len(p), format.HeadBytes)]
	}
	sniffer := f.decoder // the head is decoded twice: once to look at, once to read
	head := sniffer.Decode(start)
	if f.long != nil {
		head = bytes.TrimPrefix(head, []byte("\n"))
	}
	f.format = f.session.recognise(f.ctx, head)
	if p := source.Wrapped(head); p != nil && f.ctx.Options.Format == "" && (f.format == nil && refused.LooksLike(head) == "" || f.format != nil && loose[f.format.Name]) {
		bare := p.Peeled(head)
		if inner := f.session.recognise(f.ctx, bare); inner != nil && inner.Refuse == "" && better(inner.Name, f.format, p, bytes.Contains(bare, []byte("client"))) {
			f.format, f.peeler = inner, p
		}
	}
	switch form := f.format; {
	case form == nil && f.long == nil && len(start) == format.HeadBytes && bytes.IndexByte(start, '\n') < 0:
		// One line fills the head: what follows it may be known. Its beginning stands for the line, so that lines count right.
		f.settled, f.inLong, f.long = false, true, bytes.Clone(start)
		f.tooLong(1, format.HeadBytes)
		f.take(p[len(start):])
		return
	case form == nil || form.Refuse != "" && len(bytes.Trim(start, "\x00")) == 0:
		f.format, f.script = nil, refused.Script(f.ctx.File, head)
		f.ctx.Problem(format.Error, 0, 0, nil, refused.Advice(head))
	case form.Refuse != "":
		f.ctx.Problem(format.Error, 0, 0, nil, form.Refuse)
	case form.New != nil:
		f.reader = form.New(f.ctx)
		f.split(f.reader.Line)
		if r, ok := f.reader.(format.Leaper); ok && f.peeler == nil {
			f.lines.Ahead = r.Ahead
		}
	default:
		f.bytes = form.NewBytes(f.ctx)
		if f.peeler != nil {
			f.split(func(l source.Line) {
				f.bytes.Write(l.Text)
				f.bytes.Write([]byte{'\n'})
			})
		}
	}
	f.feed(f.long)
	f.feed(p)
	f.long = nil
}

// split cuts the text into lines, and takes these out of what they are wrapped in.
func (f *file) split(line func(source.Line)) {
	if p := f.peeler; p != nil {
		bare := line
		p.Line = func(l source.Line, column int) {
			f.ctx.Shift(l.No, column)
			bare(l)
		}
		line = p.Take
	}
	f.lines = source.Splitter{Max: f.ctx.Limits.LineBytes, Line: line, Long: func(no int) { f.tooLong(no, f.ctx.Limits.LineBytes) }}
}

// tooLong tells of a line of which only so many bytes are read.
func (f *file) tooLong(no, read int) {
	f.ctx.Problem(format.Warning, no, read+1, nil, "line is too long: the rest of it is not read")
}

// better tells whether a format that was recognised within what is put around each line goes before what the text as it stands looks like:
// when what is within was taken for nothing, or for cells and prose. A table within should speak of clients. The reader of pgbench knows
// prefixes itself, and text between the lines that have them.
func better(inner string, outer *format.Format, p *source.Peeler, clients bool) bool {
	switch {
	case outer != nil && readsRuns[outer.Name]:
		return readsRuns[inner] && (p.Strings || outer.Name == inner && inner != "pgbench-output")
	case inner == "table" || inner == "document":
		return clients && (outer == nil || p.Every)
	}
	return true
}

// recognise finds the format with the highest confidence; the first of the list wins a tie. What is known to be something else
// altogether (vmstat, a server log) is nothing, however much its columns look like a table.
func (s *Session) recognise(ctx *format.Context, head []byte) *format.Format {
	if name := ctx.Options.Format; name != "" {
		if i := slices.IndexFunc(s.Formats, func(f *format.Format) bool { return f.Name == name }); i >= 0 {
			return s.Formats[i]
		}
		return nil
	}
	var best *format.Format
	confidence := format.No
	for _, f := range s.Formats {
		if c := f.Sniff(ctx.File, head); c > confidence {
			best, confidence = f, c
		}
		if confidence == format.Sure {
			break
		}
	}
	if (confidence < format.Sure || (best.Name == "table" || best.Name == "document") && !bytes.Contains(head, []byte("client"))) && refused.LooksLike(head) != "" || refused.Program(head) {
		return nil
	}
	if best == nil && ctx.Options.Columns != "" {
		best = table.Format // someone knows what its columns are
	}
	if best != nil && readsRuns[best.Name] && (holdsProfile(head) || holdsSettings(head)) {
		for _, f := range s.Formats {
			if f.Name == "document" && f.Sniff(ctx.File, head) >= format.Likely {
				return f // the output of a benchmark with a profile or settings beside it
			}
		}
	}
	return best
}

// readsRuns are the formats whose readers pass over lines that are not theirs, so that a profile or settings among them would be lost.
var (
	readsRuns = map[string]bool{"pgbench-output": true, "sysbench-output": true, "hammerdb-output": true}
	loose     = map[string]bool{"pgbench-output": true, "sysbench-output": true, "hammerdb-output": true, "benchbase-summary": true, "table": true, "document": true}
)

// holdsSettings tells whether something of the server is set twice or more, with a sign.
func holdsSettings(head []byte) bool {
	n := 0
	for line := range bytes.Lines(head) {
		if bytes.IndexByte(line, '=') > 0 && !bytes.Contains(line, []byte("pgbench ")) {
			n += len(pgconf.Line(line))
		}
	}
	return n > 1
}

// holdsProfile is a first look: it tells whether a line looks like one of perf script, perf report or folded stacks.
func holdsProfile(head []byte) bool {
	for line := range bytes.Lines(head) {
		line = bytes.TrimLeft(bytes.TrimRight(line, "\r\n"), "> ")
		switch {
		case bytes.IndexByte(line, '%') >= 0 && (bytes.Contains(line, []byte("[.] ")) || bytes.Contains(line, []byte("[k] "))):
			return true
		case bytes.HasSuffix(line, []byte(")")) && bytes.Contains(line, []byte("+0x")):
			return true
		case bytes.Count(line, []byte(";")) > 1 && !bytes.Contains(line, []byte("; ")) && line[len(line)-1] >= '0' && line[len(line)-1] <= '9' && bytes.Count(line, []byte(" ")) == 1:
			return true
		}
	}
	return false
}
