package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// bundle joins a script or style sheet and all it imports into one file.
func bundle(entry string, target api.Target, format api.Format, define, alias map[string]string) ([]byte, error) {
	r := api.Build(api.BuildOptions{
		EntryPoints: []string{entry}, Bundle: true, Write: false, Target: target, Format: format, Define: define, Alias: alias,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone, Charset: api.CharsetUTF8,
	})
	for _, m := range r.Errors {
		return nil, fmt.Errorf("%s:%d:%d: %s", m.Location.File, m.Location.Line, m.Location.Column, m.Text)
	}
	if len(r.OutputFiles) != 1 {
		return nil, errors.New(entry + ": expected one file out of the bundler")
	}
	return r.OutputFiles[0].Contents, nil
}

// drawing bundles what draws charts without a browser, for goja, which knows JavaScript up to 2017.
func drawing(o *output) error {
	script, err := bundle("site/svg-global.js", api.ES2017, api.FormatIIFE, nil, nil)
	if err != nil {
		return err
	}
	return o.plain("svg.js", script)
}

// page bundles the page's scripts and styles and writes index.html with their names.
func page(o *output) error {
	exec, err := wasmExec()
	if err != nil {
		return err
	}
	names := map[string]string{"ENGINE": o.names["engine.wasm"]}
	for _, part := range []struct{ entry, name, constant string }{
		{"site/worker.js", "worker.js", "WORKER"},
		{"site/main.js", "main.js", ""},
		{"site/css/main.css", "main.css", ""},
	} {
		define := map[string]string{}
		for k, v := range names {
			define[k] = strconv.Quote(v)
		}
		content, err := bundle(part.entry, api.ES2022, api.FormatESModule, define, map[string]string{"wasm_exec": exec})
		if err != nil {
			return err
		}
		if err := o.hashed(part.name, content); err != nil {
			return err
		}
		if part.constant != "" {
			names[part.constant] = o.names[part.name]
		}
	}
	html, err := os.ReadFile("site/index.html")
	if err != nil {
		return err
	}
	text := string(html)
	for _, name := range []string{"main.js", "main.css"} {
		if strings.Count(text, `"`+name+`"`) != 1 {
			return fmt.Errorf("site/index.html: expected to find %q once", name)
		}
		text = strings.Replace(text, `"`+name+`"`, `"`+o.names[name]+`"`, 1)
	}
	return o.plain("index.html", []byte(text))
}
