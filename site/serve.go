package site

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strings"
	"sync"
)

// Policy is the content security policy of the page: scripts and the engine from its own origin, nothing from elsewhere, no inline code.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; style-src 'self'; font-src 'self' data:; " +
	"img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// hashed matches names that carry a hash of their content.
var hashed = regexp.MustCompile(`-[0-9a-f]{10}\.[a-z0-9]+$`)

// Headers are what every answer of a host of the page must carry, by path.
func Headers(path string) http.Header {
	h := http.Header{}
	h.Set("Content-Security-Policy", Policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	if hashed.MatchString(path) {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		h.Set("Cache-Control", "no-cache")
	}
	return h
}

// Handler serves the built page.
func Handler() http.Handler {
	built := Built()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
		if name == "" {
			name = "index.html"
		}
		content, err := fs.ReadFile(built, name)
		if err != nil {
			http.Error(w, "not found", http.StatusNotFound)
			return
		}
		for k, v := range Headers(name) {
			w.Header()[k] = v
		}
		kind := mime.TypeByExtension(path.Ext(name))
		if path.Ext(name) == ".wasm" {
			kind = "application/wasm" // not known to every system's table; streaming compilation needs it
		}
		w.Header().Set("Content-Type", kind)
		if small := packed(name, content); small != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Vary", "Accept-Encoding")
			content = small
		}
		if r.Method == http.MethodGet {
			_, _ = w.Write(content) // the reader has gone: nothing to do
		}
	})
}

// packed is a script, style or page in gzip, made when it is first asked for; nil for what is not worth it on one's own machine.
func packed(name string, content []byte) []byte {
	switch path.Ext(name) {
	case ".html", ".js", ".css", ".svg":
	default:
		return nil
	}
	if b, ok := packedFiles.Load(name); ok {
		return b.([]byte)
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(content)
	if err != nil || z.Close() != nil {
		return nil // not reached: a buffer takes everything
	}
	packedFiles.Store(name, b.Bytes())
	return b.Bytes()
}

var packedFiles sync.Map // name → []byte
