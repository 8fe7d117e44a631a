package main

import (
	"errors"
	"fmt"

	"github.com/evanw/esbuild/pkg/api"
)

// bundle joins a script or style sheet and all it imports into one file.
func bundle(entry string, target api.Target, format api.Format, alias map[string]string) ([]byte, error) {
	r := api.Build(api.BuildOptions{
		EntryPoints: []string{entry}, External: []string{"./app.wasm", "cloudflare:*"}, Bundle: true, Write: false, Target: target, Format: format, Alias: alias, Loader: map[string]api.Loader{".woff2": api.LoaderDataURL},
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
