//go:build js && wasm

// Command wasm is the engine's boundary to JavaScript: bytes in, JSON bytes out. It has no logic of its own.
//
// It sets globalThis.pgknee to an object of functions and then calls globalThis.pgkneeReady. Every function returns a Uint8Array,
// a number or undefined, or, when it can't, an Error: none throws, and none blocks. One engine holds one session.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime/debug"
	"strings"
	"syscall/js"

	"pgknee/analysis"
	"pgknee/analysis/chart"
	"pgknee/analysis/export"
	"pgknee/analysis/profile"
	"pgknee/analysis/report"
	"pgknee/data"
)

func main() {
	// Allocation-heavy parsing is twice as fast with a lazier collector; the limit keeps large inputs from doubling the heap.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(1 << 30)

	e := &engine{session: analysis.New(analysis.Options{}), inputs: map[int]*analysis.Input{}}
	api := js.Global().Get("Object").New()
	for name, f := range map[string]func([]js.Value) (any, error){
		"open": e.open, "write": e.write, "close": e.close, "reopen": e.reopen, "remove": e.remove, "options": e.options,
		"curves": e.curves, "report": e.full, "chart": e.chart, "layout": e.layout, "profile": e.profile, "difference": e.difference, "export": e.export, "sample": e.sample,
	} {
		api.Set(name, boundary(f))
	}
	js.Global().Set("pgknee", api)
	js.Global().Call("pgkneeReady")
	select {}
}

type engine struct {
	session *analysis.Session
	inputs  map[int]*analysis.Input
	last    int
	report  *report.Report // the latest, of curves or in full; charts and exports are made from it
	buf     []byte
}

// boundary makes a function for JavaScript that answers with an Error where the function fails or panics.
func boundary(f func([]js.Value) (any, error)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) (result any) {
		defer func() {
			if p := recover(); p != nil {
				result = failure(fmt.Errorf("the engine failed: %v\n%s", p, debug.Stack()))
			}
		}()
		v, err := f(args)
		if err != nil {
			return failure(err)
		}
		if b, ok := v.([]byte); ok {
			array := js.Global().Get("Uint8Array").New(len(b))
			js.CopyBytesToJS(array, b)
			return array
		}
		return v
	})
}

func failure(err error) js.Value { return js.Global().Get("Error").New(err.Error()) }

// open(name) begins an input and returns its number.
func (e *engine) open(args []js.Value) (any, error) {
	return e.hold(e.session.Open(args[0].String())), nil
}

// reopen(number) begins an input again in its old place, and returns its new number.
func (e *engine) reopen(args []js.Value) (any, error) {
	in, err := e.input(args)
	if err != nil {
		return nil, err
	}
	delete(e.inputs, args[0].Int())
	return e.hold(e.session.Reopen(in)), nil
}

func (e *engine) hold(in *analysis.Input) int {
	e.last++
	e.inputs[e.last] = in
	return e.last
}

func (e *engine) input(args []js.Value) (*analysis.Input, error) {
	if in := e.inputs[args[0].Int()]; in != nil {
		return in, nil
	}
	return nil, errors.New("no such input")
}

// write(number, Uint8Array) feeds an input its next piece.
func (e *engine) write(args []js.Value) (any, error) {
	in, err := e.input(args)
	if err != nil {
		return nil, err
	}
	n := args[1].Get("length").Int()
	if len(e.buf) < n {
		e.buf = make([]byte, n)
	}
	js.CopyBytesToGo(e.buf, args[1])
	in.Write(e.buf[:n])
	return nil, nil
}

// close(number) ends an input.
func (e *engine) close(args []js.Value) (any, error) {
	in, err := e.input(args)
	if err == nil {
		in.Close()
	}
	return nil, err
}

// remove(number) takes an input out.
func (e *engine) remove(args []js.Value) (any, error) {
	in, err := e.input(args)
	if err == nil {
		e.session.Remove(in)
		delete(e.inputs, args[0].Int())
	}
	return nil, err
}

// options(json) sets how inputs opened from now on are read, and how all are analysed.
func (e *engine) options(args []js.Value) (any, error) {
	var o analysis.Options
	if err := json.Unmarshal([]byte(args[0].String()), &o); err != nil {
		return nil, err
	}
	e.session.Options = o
	return nil, nil
}

// curves() is the part of the report that is there at once.
func (e *engine) curves([]js.Value) (any, error) {
	e.report = e.session.Curves()
	return encode(e.report)
}

// report() is the whole report.
func (e *engine) full([]js.Value) (any, error) {
	e.report = e.session.Report()
	return encode(e.report)
}

// chart(view, json) is the option of a chart of the latest report; json is what chart.Options says.
func (e *engine) chart(args []js.Value) (any, error) {
	var o chart.Options
	if err := json.Unmarshal([]byte(args[1].String()), &o); err != nil {
		return nil, err
	}
	if e.report == nil {
		return nil, errors.New("no report yet")
	}
	return chart.Option(e.report, args[0].String(), o)
}

// layout(number, json) lays out a view of a profile of the report; json is what profile.View says.
func (e *engine) layout(args []js.Value) (any, error) {
	var v profile.View
	if err := json.Unmarshal([]byte(args[1].String()), &v); err != nil {
		return nil, err
	}
	l, err := e.session.Layout(args[0].Int(), v)
	if err != nil {
		return nil, err
	}
	return encode(l)
}

// profile(number, kind, json) writes a profile as folded, pprof, speedscope, markdown or svg.
func (e *engine) profile(args []js.Value) (any, error) {
	var v profile.View
	if err := json.Unmarshal([]byte(args[2].String()), &v); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err := e.session.Export(&b, args[0].Int(), args[1].String(), v)
	return b.Bytes(), err
}

// difference(from, to, svg, json) lays out a view of two profiles of the report laid over each other, or draws it; json is what
// profile.OverlayView says.
func (e *engine) difference(args []js.Value) (any, error) {
	var v profile.OverlayView
	if err := json.Unmarshal([]byte(args[3].String()), &v); err != nil {
		return nil, err
	}
	d, err := e.session.Difference(args[0].Int(), args[1].Int())
	if err != nil {
		return nil, err
	}
	if args[2].Bool() {
		var b bytes.Buffer
		err = profile.WriteOverlaySVG(&b, d, v, profile.SVG{})
		return b.Bytes(), err
	}
	o, err := d.Layout(v)
	if err != nil {
		return nil, err
	}
	return encode(o)
}

// texts are the exports of a report that are text, as the command line has them.
var texts = map[string]func(*report.Report) string{
	"mail": func(r *report.Report) string { return export.Mail(r, false) }, "mail-ascii": func(r *report.Report) string { return export.Mail(r, true) },
	"markdown": export.Markdown, "csv": export.CSV, "release-note": export.ReleaseNote, "config": export.Configuration,
	"json": func(r *report.Report) string {
		var b strings.Builder
		out := json.NewEncoder(&b)
		out.SetEscapeHTML(false)
		out.SetIndent("", "  ")
		plain := *r
		plain.NearlyFired = nil // as the command line without --why
		_ = out.Encode(plain)   // a report has nothing that can't be encoded, and a builder takes everything
		return b.String()
	},
}

// export(kind, json) writes the latest report as text; json lists the pictures of kind html, which must be of our own drawing.
func (e *engine) export(args []js.Value) (any, error) {
	if e.report == nil {
		return nil, errors.New("no report yet")
	}
	kind := args[0].String()
	if kind == "html" {
		var pictures []export.Picture
		if err := json.Unmarshal([]byte(args[1].String()), &pictures); err != nil {
			return nil, err
		}
		return []byte(export.HTML(e.report, pictures)), nil
	}
	if text := texts[kind]; text != nil {
		return []byte(text(e.report)), nil
	}
	return nil, fmt.Errorf("no export %q", kind)
}

// sample(name) lists the files of a sample with their text.
func (e *engine) sample(args []js.Value) (any, error) {
	type file struct {
		Name string `json:"name"`
		Text string `json:"text"`
	}
	var files []file
	dir := path.Join("samples", args[0].String())
	entries, err := fs.ReadDir(data.Samples, dir)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		text, err := fs.ReadFile(data.Samples, path.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, file{entry.Name(), string(text)})
	}
	return encode(files)
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	err := out.Encode(v)
	return b.Bytes(), err
}
