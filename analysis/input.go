package analysis

import (
	"crypto/sha256"
	"hash"

	"pgknee/analysis/format"
	"pgknee/analysis/source"
)

// Input is one file on its way in. Write it in pieces of any size, then Close it.
type Input struct {
	session *Session
	ctx     *format.Context
	format  *format.Format
	head    []byte // what came before the format was settled
	settled bool
	reader  format.Reader
	bytes   format.ByteReader
	lines   source.Splitter
	size    int64
	sum     hash.Hash
}

// Open begins an input. The name is used in positions, to break ties of recognition, and to tell series apart.
func (s *Session) Open(name string) *Input {
	in := &Input{session: s, sum: sha256.New(), ctx: &format.Context{
		File: name, Limits: s.Options.Limits.Or(),
		Options: format.Options{Columns: s.Options.Columns[name], Format: s.Options.Format[name]},
	}}
	if in.ctx.Options.Columns == "" {
		in.ctx.Options.Columns = s.Options.Columns[""]
	}
	if in.ctx.Options.Format == "" {
		in.ctx.Options.Format = s.Options.Format[""]
	}
	s.inputs = append(s.inputs, in)
	return in
}

// Write takes the next piece.
func (in *Input) Write(p []byte) {
	in.size += int64(len(p))
	in.sum.Write(p)
	if in.settled {
		in.feed(p)
		return
	}
	in.head = append(in.head, p...)
	if len(in.head) >= format.HeadBytes {
		in.settle()
	}
}

// Close ends the input.
func (in *Input) Close() {
	if !in.settled {
		in.settle()
	}
	switch {
	case in.reader != nil:
		in.lines.Close()
		in.reader.Close()
	case in.bytes != nil:
		in.bytes.Close()
	}
}

func (in *Input) feed(p []byte) {
	switch {
	case in.reader != nil:
		in.lines.Write(p)
	case in.bytes != nil:
		in.bytes.Write(p)
	}
}

// settle recognises the format and feeds it what was held back.
func (in *Input) settle() {
	in.settled = true
	head := in.head[:min(len(in.head), format.HeadBytes)]
	in.format = in.session.recognise(in.ctx, head)
	switch f := in.format; {
	case f == nil:
		in.ctx.Problem(format.Error, 0, 0, nil, "not recognised as any known format: see pgknee formats")
	case f.Refuse != "":
		in.ctx.Problem(format.Error, 0, 0, nil, f.Refuse)
	case f.New != nil:
		in.reader = f.New(in.ctx)
		in.lines = source.Splitter{Max: in.ctx.Limits.LineBytes, Line: in.reader.Line, Long: func(no int) {
			in.ctx.Problem(format.Warning, no, in.ctx.Limits.LineBytes+1, nil, "line is too long: the rest of it is not read")
		}}
	default:
		in.bytes = f.NewBytes(in.ctx)
	}
	in.feed(in.head)
	in.head = nil
}

// recognise finds the format with the highest confidence; the first of the list wins a tie.
func (s *Session) recognise(ctx *format.Context, head []byte) *format.Format {
	var best *format.Format
	confidence := format.No
	for _, f := range s.Formats {
		if ctx.Options.Format == f.Name {
			return f
		}
		if c := f.Sniff(ctx.File, head); c > confidence {
			best, confidence = f, c
		}
	}
	if ctx.Options.Format != "" {
		return nil
	}
	return best
}
