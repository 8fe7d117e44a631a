package formattest

import (
	"bytes"
	"math"
	"testing"

	"pgknee/analysis/bench"
	"pgknee/analysis/format"
	"pgknee/analysis/source"
)

// upper takes every line as a run labelled by it; keep makes it break the rule that lines are valid during the call only.
type upper struct {
	ctx  *format.Context
	kept [][]byte
	keep bool
}

func (u *upper) Line(l source.Line) {
	if u.keep {
		u.kept = append(u.kept, l.Text)
	}
	u.ctx.Runs = append(u.ctx.Runs, &bench.Run{Label: string(bytes.ToUpper(l.Text)), At: source.Position{File: u.ctx.File, Line: l.No}})
}

func (u *upper) Close() {
	for i, k := range u.kept {
		u.ctx.Runs[i].Label = string(k)
	}
}

func formatOf(keep bool) *format.Format {
	return &format.Format{
		Name:  "upper",
		Sniff: func(string, []byte) format.Confidence { return format.Sure },
		New:   func(c *format.Context) format.Reader { return &upper{ctx: c, keep: keep} },
	}
}

func TestCheck(t *testing.T) {
	Check(t, formatOf(false), "a.txt", []byte("one\r\ntwo\n\nthree"))
}

func TestReadOverwritesLines(t *testing.T) {
	ctx := Read(formatOf(true), "a.txt", format.Options{}, []byte("one\ntwo\n"))
	if got := ctx.Runs[0].Label; got == "one" {
		t.Error("a reader that keeps a line's bytes goes unnoticed")
	}
}

func TestNotFinite(t *testing.T) {
	nan := math.NaN()
	runs := []*bench.Run{{}, {TPS: &nan}}
	ctx := &format.Context{Runs: runs}
	fake := &testing.T{}
	inside(fake, ctx, "", nil)
	if !fake.Failed() {
		t.Error("NaN goes unnoticed")
	}
}
