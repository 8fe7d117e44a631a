package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/dop251/goja"

	"pgknee/site"
)

// artist draws ECharts options to SVG in a JavaScript interpreter: the same code that draws them in the page.
type artist struct {
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

func newArtist() (*artist, error) {
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
	return &artist{vm, draw}, nil
}

// svg draws an option of the given size.
func (a *artist) svg(option []byte, width, height int, title, description string) (string, error) {
	v, err := a.draw(goja.Undefined(), a.vm.ToValue(string(option)), a.vm.ToValue(width), a.vm.ToValue(height), a.vm.ToValue(title), a.vm.ToValue(description))
	if err != nil {
		return "", fmt.Errorf("drawing: %s", strings.SplitN(err.Error(), "\n", 2)[0])
	}
	return v.String(), nil
}
