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
	"runtime/debug"
	"syscall/js"

	"pgknee/analysis"
	"pgknee/analysis/chart"
	"pgknee/analysis/export"
	"pgknee/analysis/profile"
	"pgknee/analysis/report"
)

func main() {
	// Allocation-heavy parsing is twice as fast with a lazier collector; the limit keeps large inputs from doubling the heap.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(1 << 30)

	e := &engine{session: analysis.New(analysis.Options{}), inputs: map[int]*analysis.Input{}, report: &report.Report{}}
	api := js.Global().Get("Object").New()
	for name, f := range map[string]func([]js.Value) (any, error){
		"open": e.open, "write": e.on(e.write), "close": e.on(func(in *analysis.Input, _ []js.Value) any { in.Close(); return nil }), "remove": e.on(e.remove), "reopen": e.on(e.reopen), "options": told(e.options),
		"curves": e.curves, "report": e.full, "chart": told(e.chart), "export": e.export, "html": told(e.html),
		"layout": told(e.layout), "profile": told(e.profile), "difference": told(e.difference),
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
	shown   report.Places  // of the runs that the page has of it
	buf     []byte
}

// boundary makes a function for JavaScript that answers with an Error where the function fails or panics.
func boundary(f func([]js.Value) (any, error)) js.Func {
	failure := func(err error) js.Value { return js.Global().Get("Error").New(err.Error()) }
	return js.FuncOf(func(_ js.Value, args []js.Value) (result any) {
		defer func() {
			if p := recover(); p != nil {
				result = failure(fmt.Errorf("the engine failed: %v", p)) // the stack has no names here: see cmd/build/slim.go
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

// open(name) begins an input and returns its number.
func (e *engine) open(args []js.Value) (any, error) {
	return e.hold(e.session.Open(args[0].String())), nil
}

func (e *engine) hold(in *analysis.Input) int {
	e.last++
	e.inputs[e.last] = in
	return e.last
}

// on makes a function of an input's number: write(number, Uint8Array, length) feeds it its next piece, so many bytes from the array's
// beginning, close ends it, remove takes it out, and reopen begins it again in its old place and returns its new number.
func (e *engine) on(act func(in *analysis.Input, args []js.Value) any) func([]js.Value) (any, error) {
	return func(args []js.Value) (any, error) {
		if in := e.inputs[args[0].Int()]; in != nil {
			return act(in, args), nil
		}
		return nil, errors.New("no such input")
	}
}

func (e *engine) write(in *analysis.Input, args []js.Value) any {
	n := args[2].Int()
	if len(e.buf) < n {
		e.buf = make([]byte, n)
	}
	in.Write(e.buf[:js.CopyBytesToGo(e.buf[:n], args[1])])
	return nil
}

func (e *engine) remove(in *analysis.Input, args []js.Value) any {
	e.session.Remove(in)
	delete(e.inputs, args[0].Int())
	return nil
}

func (e *engine) reopen(in *analysis.Input, args []js.Value) any {
	delete(e.inputs, args[0].Int())
	return e.hold(e.session.Reopen(in))
}

// told makes a function whose last argument is JSON of a T.
func told[T any](act func(args []js.Value, how T) (any, error)) func([]js.Value) (any, error) {
	return func(args []js.Value) (any, error) {
		var how T
		if err := json.Unmarshal([]byte(args[len(args)-1].String()), &how); err != nil {
			return nil, err
		}
		return act(args, how)
	}
}

// options(json) sets how inputs opened from now on are read, and how all are analysed.
func (e *engine) options(_ []js.Value, o analysis.Options) (any, error) {
	e.session.Options = o
	return nil, nil
}

// curves() is the part of the report that is there at once; report() is all of it.
func (e *engine) curves([]js.Value) (any, error) { return e.reported(e.session.Curves()) }
func (e *engine) full([]js.Value) (any, error)   { return e.reported(e.session.Report()) }

func (e *engine) reported(r *report.Report) (any, error) {
	e.report = r
	r, e.shown = r.Excerpt(report.PageRuns)
	var b bytes.Buffer
	err := r.Encode(&b, "")
	return b.Bytes(), err
}

// chart(view, json) is the option of a chart of the latest report; json is what chart.Options says.
func (e *engine) chart(args []js.Value, o chart.Options) (any, error) {
	o.Runs = e.shown.Of(o.Runs)
	return chart.Option(e.report, args[0].String(), o)
}

// export(kind) writes the latest report as text.
func (e *engine) export(args []js.Value) (any, error) {
	plain := *e.report
	plain.NearlyFired = nil // as the command line without --why
	text, err := export.Text(&plain, args[0].String())
	return []byte(text), err
}

// html(json) writes the latest report as a page; json lists its pictures, which must be of our own drawing.
func (e *engine) html(_ []js.Value, p []export.Picture) (any, error) {
	return []byte(export.HTML(e.report, p)), nil
}

// layout(number, json) lays out a view of a profile of the report; json is what profile.View says.
func (e *engine) layout(args []js.Value, v profile.View) (any, error) {
	return encode(e.session.Layout(args[0].Int(), v))
}

// profile(number, kind, json) writes a profile as folded, pprof (not packed), speedscope, markdown or svg.
func (e *engine) profile(args []js.Value, v profile.View) (any, error) {
	var b bytes.Buffer
	err := e.session.Export(&b, args[0].Int(), args[1].String(), v)
	return b.Bytes(), err
}

// difference(from, to, kind, json) lays out a view of two profiles of the report laid over each other, or writes it as svg or
// markdown; json is what profile.OverlayView says.
func (e *engine) difference(args []js.Value, v profile.OverlayView) (any, error) {
	from, to, kind := args[0].Int(), args[1].Int(), args[2].String()
	if kind == "" {
		return encode(e.session.LayoutDifference(from, to, v))
	}
	var b bytes.Buffer
	err := e.session.ExportDifference(&b, from, to, kind, v)
	return b.Bytes(), err
}

func encode[T any](v T, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	err = out.Encode(v)
	return b.Bytes(), err
}
