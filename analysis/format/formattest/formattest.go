// Package formattest holds what every reader must keep, whatever it reads: it recognises its input without a name, gives the same
// result however the input is cut into pieces, never panics on a cut input, and reports only what lies inside the input.
//
// A reader's test calls Check for each of its inputs, and its fuzz target calls Fuzz.
package formattest

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgknee/analysis/format"
	"pgknee/analysis/source"
)

// maxCuts bounds at how many places an input is cut, so that the check of a long input stays short.
const maxCuts = 200

// Check holds one input, which must be of the format, against all properties.
func Check(t *testing.T, f *format.Format, name string, data []byte) {
	t.Helper()
	head := data[:min(len(data), format.HeadBytes)]
	if f.Sniff("", head) == format.No {
		t.Errorf("%s: not recognised with its name hidden", name)
	}
	if f.Refuse != "" {
		return
	}
	for _, options := range []format.Options{{}, {Format: f.Name}} {
		whole := Read(f, name, options, data)
		inside(t, whole, name, data)
		if pieces := Read(f, name, options, data, 1); !same(whole, pieces) {
			t.Errorf("%s: read in pieces of one byte it differs:\n%s", name, difference(whole, pieces))
		}
	}
	Cuts(t, f, name, data)
}

// Cuts reads the input as it would be if it ended at each of its lines, and in the middle of each.
func Cuts(t *testing.T, f *format.Format, name string, data []byte) {
	t.Helper()
	lines := bytes.SplitAfter(data, []byte("\n"))
	step := (len(lines) + maxCuts - 1) / maxCuts
	end := 0
	for i, line := range lines {
		if i%step == 0 {
			for _, cut := range []int{end, end + len(line)/2} {
				inside(t, Read(f, name, format.Options{}, data[:cut]), name, data[:cut])
			}
		}
		end += len(line)
	}
}

// Fuzz holds any input at all against the properties that even rubbish must keep.
func Fuzz(t *testing.T, f *format.Format, data []byte) {
	t.Helper()
	f.Sniff("", data[:min(len(data), format.HeadBytes)])
	f.Sniff("name.txt", data[:min(len(data), format.HeadBytes)])
	whole := Read(f, "fuzz", format.Options{}, data)
	inside(t, whole, "fuzz", data)
	if pieces := Read(f, "fuzz", format.Options{}, data, 1); !same(whole, pieces) {
		t.Errorf("read in pieces of one byte it differs:\n%s", difference(whole, pieces))
	}
}

// Read feeds a reader of the format the whole input, in pieces of the size given if one is, and gives what it found.
func Read(f *format.Format, name string, options format.Options, data []byte, piece ...int) *format.Context {
	ctx := &format.Context{File: name, Options: options, Limits: source.Limits{}.Or()}
	size := max(len(data), 1)
	if len(piece) > 0 {
		size = piece[0]
	}
	if f.New == nil {
		r := f.NewBytes(ctx)
		for ; len(data) > 0; data = data[min(size, len(data)):] {
			r.Write(data[:min(size, len(data))])
		}
		r.Close()
		return ctx
	}
	r := f.New(ctx)
	// A reader that keeps a line's bytes beyond the call would see them change: they are overwritten after each.
	var scratch []byte
	s := source.Splitter{Max: ctx.Limits.LineBytes, Line: func(l source.Line) {
		scratch = append(scratch[:0], l.Text...)
		r.Line(source.Line{Text: scratch, No: l.No})
		for i := range scratch {
			scratch[i] = 0xAA
		}
	}}
	if l, ok := r.(format.Leaper); ok {
		s.Ahead = func(p []byte) (n, lines int) {
			n, lines = l.Ahead(p)
			if n > len(p) || lines != bytes.Count(p[:n], []byte("\n")) || n > 0 && p[n-1] != '\n' {
				panic("bytes ahead are not whole lines")
			}
			return n, lines
		}
	}
	for ; len(data) > 0; data = data[min(size, len(data)):] {
		s.Write(data[:min(size, len(data))])
	}
	s.Close()
	r.Close()
	return ctx
}

// inside checks that positions lie in the input and that numbers are numbers.
func inside(t *testing.T, ctx *format.Context, name string, data []byte) {
	t.Helper()
	lines := splitLines(data)
	place := func(what string, at source.Position) {
		t.Helper()
		switch {
		case at.File != name:
			t.Errorf("%s: %s names the file %q", name, what, at.File)
		case at.Line < 0 || at.Line > len(lines):
			t.Errorf("%s: %s lies at line %d of %d", name, what, at.Line, len(lines))
		case at.Line > 0 && (at.Column < 0 || at.Column > len(lines[at.Line-1])+1):
			t.Errorf("%s: %s lies at column %d of a line of %d bytes", name, what, at.Column, len(lines[at.Line-1]))
		}
	}
	for _, p := range ctx.Problems {
		place("the problem "+p.Message, p.At)
		if p.Message == "" || strings.HasSuffix(p.Message, ".") {
			t.Errorf("%s: a problem with the message %q", name, p.Message)
		}
	}
	for _, q := range ctx.Questions {
		place("the question "+q.Message, source.Position{File: name, Line: q.Line})
	}
	for _, r := range ctx.Runs {
		place("a run", r.At)
	}
	for _, p := range ctx.Profiles {
		place("a profile", p.At)
	}
	for _, s := range ctx.Settings {
		place("a list of settings", s.At)
	}
	for _, at := range ctx.Samples {
		place("a skipped line", at)
	}
	if ctx.Skipped < 0 || ctx.Skipped > len(lines) {
		t.Errorf("%s: %d of %d lines skipped", name, ctx.Skipped, len(lines))
	}
	for what, v := range map[string]any{"runs": ctx.Runs, "profiles": ctx.Profiles} {
		if path := notFinite(reflect.ValueOf(v), what); path != "" {
			t.Errorf("%s: %s is not a finite number", name, path)
		}
	}
}

func splitLines(data []byte) (lines []string) {
	s := source.Splitter{Max: 1 << 30, Line: func(l source.Line) { lines = append(lines, string(l.Text)) }}
	s.Write(data)
	s.Close()
	return lines
}

// notFinite gives the path of the first NaN or infinity in a value; "" if there is none.
func notFinite(v reflect.Value, path string) string {
	switch v.Kind() {
	case reflect.Float64, reflect.Float32:
		if math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0) {
			return path
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return notFinite(v.Elem(), path)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if p := notFinite(v.Field(i), path+"."+v.Type().Field(i).Name); p != "" {
				return p
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if p := notFinite(v.Index(i), fmt.Sprintf("%s[%d]", path, i)); p != "" {
				return p
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if p := notFinite(it.Value(), fmt.Sprintf("%s[%v]", path, it.Key())); p != "" {
				return p
			}
		}
	}
	return ""
}

func found(c *format.Context) []any {
	return []any{c.Runs, c.Profiles, c.Settings, c.Waits, c.Problems, c.Questions, c.Facts, c.Skipped, c.Samples, c.Dropped()}
}

func same(a, b *format.Context) bool { return reflect.DeepEqual(found(a), found(b)) }

func difference(a, b *format.Context) string {
	names := []string{"runs", "profiles", "settings", "problems", "questions", "facts", "skipped", "samples", "dropped"}
	x, y := found(a), found(b)
	for i := range x {
		if !reflect.DeepEqual(x[i], y[i]) {
			return fmt.Sprintf("%s: whole %+v\npieces %+v", names[i], x[i], y[i])
		}
	}
	return ""
}
