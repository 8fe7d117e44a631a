package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"pgknee/analysis"
	"pgknee/data"
)

// parts are what the page is bundled from, under the names that index.html has for them.
var parts = []struct{ entry, name string }{
	{"site/worker.js", "worker.js"},
	{"site/painter.js", "painter.js"},
	{"site/main.js", "main.js"},
	{"site/css/main.css", "main.css"},
}

// loaded are the files that index.html names, with a hash in their names.
var loaded = []string{"engine.wasm", "worker.js", "painter.js", "main.js", "main.css", "samples.json", "inter.woff2", "source-serif-4.woff2", "single.html"}

// fonts are inside the style sheet in the one file, and beside it on a host, where both are on their way at once.
var fonts = []struct{ file, name string }{
	{"inter/files/inter-latin-wght-normal.woff2", "inter.woff2"},
	{"source-serif-4/files/source-serif-4-latin-wght-normal.woff2", "source-serif-4.woff2"},
}

// beside are files that keep their names.
var beside = []string{"icon.svg", "manifest.webmanifest"}

// page bundles the page's scripts and styles, and writes index.html with the names of everything it loads, the service worker that
// keeps all of it for use offline, and pgknee.html, the whole page in one file.
func page(o *output) error {
	exec, err := wasmExec()
	if err != nil {
		return err
	}
	contents := map[string][]byte{}
	for _, part := range parts {
		content, err := bundle(part.entry, api.ES2022, api.FormatIIFE, map[string]string{"wasm_exec": exec})
		if err != nil {
			return err
		}
		contents[part.name] = content
		if part.name == "main.css" {
			if content, err = o.withFontsBeside(content); err != nil {
				return err
			}
		}
		if err := o.hashed(part.name, content); err != nil {
			return err
		}
	}
	for _, name := range beside {
		if contents[name], err = os.ReadFile("site/" + name); err != nil {
			return err
		}
		if err := o.plain(name, contents[name]); err != nil {
			return err
		}
	}
	samples, err := data.Samples()
	if err != nil {
		return err
	}
	if contents["samples.json"], err = json.Marshal(samples); err != nil {
		return err
	}
	if err := o.hashed("samples.json", contents["samples.json"]); err != nil {
		return err
	}
	html, err := os.ReadFile("site/index.html")
	if err != nil {
		return err
	}
	build := o.build()
	text, err := replace(string(html), `<span class="version">pgknee</span>`, `<span class="version">pgknee `+analysis.Version+` · build `+build+`</span>`)
	if err != nil {
		return err
	}
	whole, err := o.single(text, contents)
	if err != nil {
		return err
	}
	index := text
	for _, name := range loaded {
		if index, err = replace(index, `"`+name+`"`, `"`+o.names[name]+`"`); err != nil {
			return err
		}
	}
	if err := o.plain("index.html", []byte(index)); err != nil {
		return err
	}
	if err := o.serviceWorker(build); err != nil {
		return err
	}
	return o.plain("pgknee.html", []byte(whole))
}

// withFontsBeside writes the fonts that a style sheet has inside it, and returns the sheet with their names.
func (o *output) withFontsBeside(sheet []byte) ([]byte, error) {
	for _, font := range fonts {
		content, err := os.ReadFile("site/node_modules/@fontsource-variable/" + font.file)
		if err != nil {
			return nil, err
		}
		if err := o.hashed(font.name, content); err != nil {
			return nil, err
		}
		text, err := replace(string(sheet), "data:font/woff2;base64,"+base64.StdEncoding.EncodeToString(content), o.names[font.name])
		if err != nil {
			return nil, err
		}
		sheet = []byte(text)
	}
	return sheet, nil
}

// build names what was built: by the hashes of all its parts.
func (o *output) build() string {
	var names []string
	for _, name := range o.names {
		names = append(names, name)
	}
	slices.Sort(names)
	sum := sha256.Sum256([]byte(strings.Join(names, " ")))
	return hex.EncodeToString(sum[:4])
}

// serviceWorker writes sw.js with the list of what it keeps.
func (o *output) serviceWorker(build string) error {
	keep := []string{"./"}
	for _, name := range loaded {
		keep = append(keep, o.names[name])
	}
	list, err := json.Marshal(append(keep, beside...))
	if err != nil {
		return err
	}
	content, err := os.ReadFile("site/sw.js")
	if err != nil {
		return err
	}
	script, err := replace(string(content), "const assets = [];", "const assets = "+string(list)+";")
	if err != nil {
		return err
	}
	if script, err = replace(script, "const build = '';", "const build = '"+build+"';"); err != nil {
		return err
	}
	return o.plain("sw.js", []byte(script))
}

// single makes pgknee.html: the page with all it loads inside it, which works from a file. Its policy names the script and the
// style by their hashes, so nothing else can run in it either. It also writes single.html, the same with {{kind:file}} in the place
// of what a loaded page has at hand, from which the page makes the whole without a request (site/single.js).
func (o *output) single(html string, contents map[string][]byte) (string, error) {
	engine, err := os.ReadFile(o.folder + "/" + o.names["engine.wasm"])
	if err != nil {
		return "", err
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := z.Write(engine); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	for _, name := range []string{"main.js", "worker.js", "painter.js"} {
		if strings.Contains(strings.ToLower(string(contents[name])), "</script") {
			return "", fmt.Errorf("pgknee.html: %s holds the end of a script", name)
		}
	}
	frame, err := around(html, contents, func(kind, name string) string { return "{{" + kind + ":" + o.names[name] + "}}" })
	if err != nil {
		return "", err
	}
	if err := o.hashed("single.html", []byte(frame)); err != nil {
		return "", err
	}
	return around(html, contents, func(kind, name string) string {
		if kind == "packed" {
			return base64.StdEncoding.EncodeToString(packed.Bytes())
		}
		return string(contents[name])
	})
}

// around puts into the page's HTML what it otherwise loads: part says what stands for a file, as text, packed, or a style with its fonts.
func around(html string, contents map[string][]byte, part func(kind, name string) string) (string, error) {
	for _, r := range [][2]string{
		{`<link rel="engine" href="engine.wasm" id="engine">`, ""},
		{`<link rel="worker" href="worker.js" id="worker">`, ""},
		{`<link rel="painter" href="painter.js" id="painter">`, ""},
		{`<link rel="samples" href="samples.json" id="samples">`, ""},
		{`<link rel="single" href="single.html" id="single">`, ""},
		{`<link rel="preload" href="inter.woff2" as="font" type="font/woff2" crossorigin>`, ""},
		{`<link rel="preload" href="source-serif-4.woff2" as="font" type="font/woff2" crossorigin>`, ""},
		{`<link rel="manifest" href="manifest.webmanifest">`, ""},
		{`href="icon.svg"`, `href="data:image/svg+xml;base64,` + base64.StdEncoding.EncodeToString(contents["icon.svg"]) + `"`},
		{`<link rel="stylesheet" href="main.css">`, "<style>" + part("style", "main.css") + "</style>"},
		{`<script src="main.js" defer></script>`, ""},
		{`script-src 'self' 'wasm-unsafe-eval'`, `script-src ` + policyHash(contents["main.js"]) + ` 'wasm-unsafe-eval'`},
		{`style-src 'self'`, `style-src ` + policyHash(contents["main.css"])},
		{`worker-src 'self' blob:`, `worker-src blob:`},
		{`connect-src 'self'; manifest-src 'self'; `, ``},
		{"</body>", `<script type="application/octet-stream" id="engine">` + part("packed", "engine.wasm") + "</script>\n" +
			`<script type="application/json" id="samples">` + part("text", "samples.json") + "</script>\n" + // JSON of Go has no < in it
			`<script type="text/plain" id="worker">` + part("text", "worker.js") + "</script>\n" +
			`<script type="text/plain" id="painter">` + part("text", "painter.js") + "</script>\n<script>" + part("text", "main.js") + "</script>\n</body>"},
	} {
		var err error
		if html, err = replace(html, r[0], r[1]); err != nil {
			return "", err
		}
	}
	return html, nil
}

// policyHash is how a content security policy names an inline script or style.
func policyHash(content []byte) string {
	sum := sha256.Sum256(content)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// replace replaces what must be in a text once.
func replace(text, from, to string) (string, error) {
	if n := strings.Count(text, from); n != 1 {
		return "", fmt.Errorf("expected to find %q once, found it %d times", from, n)
	}
	return strings.Replace(text, from, to, 1), nil
}
