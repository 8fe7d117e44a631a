//go:build js && wasm

// Command edge is the worker for people who host the page at the edge: the same handler as pgknee serve, behind workers.Serve. The files
// of the page never come through here, and ECharts runs in the worker's own JavaScript (worker.mjs).
//
// Decided here: one instance answers many requests. The library is made for one request an instance, because closing the body of an
// answer ends its Serve; so answers are handed over whole, as JavaScript arrays, and nothing is left to be closed.
package main

import (
	"bytes"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"
	"syscall/js"

	"github.com/syumai/workers"

	"pgknee/cmd/edge/api"
)

func main() {
	// A worker has 128 MB for its JavaScript, its code and this heap, which never shrinks.
	debug.SetMemoryLimit(64 << 20)
	workers.Serve(whole(api.New(draw, api.Default)))
}

// draw is site/svg.js.
func draw(option []byte, width, height int, title, description string) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			text, err = "", fmt.Errorf("drawing: %v", p)
		}
	}()
	return js.Global().Call("pgkneeSVG", string(option), width, height, title, description).String(), nil
}

// whole hands over the answers of a handler in one piece.
func whole(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, values := range r.Header {
			if len(values) > 1 { // the library cuts every header at its commas
				r.Header[name] = []string{strings.Join(values, ",")}
			}
		}
		a := answer{ResponseWriter: w}
		h.ServeHTTP(&a, r)
		body := js.Null()
		if a.body.Len() > 0 {
			body = js.Global().Get("Uint8Array").New(a.body.Len())
			js.CopyBytesToJS(body, a.body.Bytes())
		}
		w.(interface{ WriteRawJSBody(js.Value) }).WriteRawJSBody(body)
	})
}

// answer holds the body of an answer.
type answer struct {
	http.ResponseWriter
	body bytes.Buffer
}

// Write takes the next piece.
func (a *answer) Write(p []byte) (int, error) { return a.body.Write(p) }
