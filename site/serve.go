package site

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"

	"pgknee/site/policy"
)

// Handler serves the built page, and tells it that its host draws charts by address.
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
		if name == "index.html" {
			content = policy.Announce(content)
		}
		for k, v := range policy.Headers(name) {
			w.Header()[k] = v
		}
		kind := mime.TypeByExtension(path.Ext(name))
		switch path.Ext(name) { // what not every system's table knows
		case ".wasm":
			kind = "application/wasm" // streaming compilation needs it
		case ".woff2":
			kind = "font/woff2"
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

// packed is a text in gzip, made when it is first asked for; nil for what is not worth it on one's own machine.
func packed(name string, content []byte) []byte {
	switch path.Ext(name) {
	case ".html", ".js", ".css", ".json", ".svg":
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
