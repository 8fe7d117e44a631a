package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// bundle joins a script or style sheet and all it imports into one file.
func bundle(entry string, target api.Target, format api.Format, alias map[string]string) ([]byte, error) {
	r := api.Build(api.BuildOptions{
		EntryPoints: []string{entry}, Bundle: true, Write: false, Target: target, Format: format, Alias: alias, Loader: map[string]api.Loader{".woff2": api.LoaderDataURL},
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
	script, err := bundle("site/svg-global.js", api.ES2017, api.FormatIIFE, nil)
	if err != nil {
		return err
	}
	return o.plain("svg.js", script)
}

// page bundles the page's scripts and styles and writes index.html with the names of everything it loads.
func page(o *output) error {
	exec, err := wasmExec()
	if err != nil {
		return err
	}
	for _, part := range []struct{ entry, name string }{
		{"site/worker.js", "worker.js"},
		{"site/main.js", "main.js"},
		{"site/css/main.css", "main.css"},
	} {
		content, err := bundle(part.entry, api.ES2022, api.FormatIIFE, map[string]string{"wasm_exec": exec})
		if err != nil {
			return err
		}
		if err := o.hashed(part.name, content); err != nil {
			return err
		}
	}
	for _, name := range []string{"icon.svg", "manifest.webmanifest"} {
		content, err := os.ReadFile("site/" + name)
		if err != nil {
			return err
		}
		if err := o.plain(name, content); err != nil {
			return err
		}
	}
	html, err := os.ReadFile("site/index.html")
	if err != nil {
		return err
	}
	text := string(html)
	for _, name := range []string{"engine.wasm", "worker.js", "main.js", "main.css"} {
		if strings.Count(text, `"`+name+`"`) != 1 {
			return fmt.Errorf("site/index.html: expected to find %q once", name)
		}
		text = strings.Replace(text, `"`+name+`"`, `"`+o.names[name]+`"`, 1)
	}
	return o.plain("index.html", []byte(text))
}
