// Package artist draws ECharts options to SVG in a JavaScript interpreter: with the same script that draws them in the page.
//
// Decided here: an interpreter with the script loaded draws one chart at a time and takes longer to make than to use, so those that are
// idle are kept; at most as many draw at once as there are processors.
package artist

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"sync"

	"github.com/dop251/goja"

	"pgknee/site"
)

// Artist draws one chart at a time.
type Artist struct {
	vm   *goja.Runtime
	draw goja.Callable
}

// program is the compiled drawing code; compiling takes longer than drawing.
var program = sync.OnceValues(func() (*goja.Program, error) {
	script, err := fs.ReadFile(site.Built(), "svg.js")
	if err != nil {
		return nil, errors.New("this pgknee was compiled before the page was built, so it cannot draw: run ./build.sh build")
	}
	return goja.Compile("svg.js", string(script), true)
})

// New makes an artist.
func New() (*Artist, error) {
	code, err := program()
	if err != nil {
		return nil, err
	}
	vm := goja.New()
	nothing := func(goja.FunctionCall) goja.Value { return goja.Undefined() }
	for _, name := range []string{"setTimeout", "clearTimeout"} { // ECharts schedules redraws; a still picture has none
		if err := vm.Set(name, nothing); err != nil {
			return nil, err
		}
	}
	if _, err := vm.RunProgram(code); err != nil {
		return nil, err
	}
	draw, ok := goja.AssertFunction(vm.Get("pgkneeSVG"))
	if !ok {
		return nil, errors.New("svg.js does not define pgkneeSVG")
	}
	return &Artist{vm, draw}, nil
}

// SVG draws an option of the given size in pixels.
func (a *Artist) SVG(option []byte, width, height int, title, description string) (string, error) {
	v, err := a.draw(goja.Undefined(), a.vm.ToValue(string(option)), a.vm.ToValue(width), a.vm.ToValue(height), a.vm.ToValue(title), a.vm.ToValue(description))
	if err != nil {
		return "", fmt.Errorf("drawing: %s", strings.SplitN(err.Error(), "\n", 2)[0])
	}
	return v.String(), nil
}

var (
	idle  sync.Pool
	seats = make(chan struct{}, runtime.GOMAXPROCS(0))
)

// Draw is Artist.SVG by whichever artist is idle. It may be called from many goroutines.
func Draw(option []byte, width, height int, title, description string) (string, error) {
	seats <- struct{}{}
	defer func() { <-seats }()
	a, ok := idle.Get().(*Artist)
	if !ok {
		var err error
		if a, err = New(); err != nil {
			return "", err
		}
	}
	defer idle.Put(a)
	return a.SVG(option, width, height, title, description)
}
