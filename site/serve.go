package site

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"mime"
	"net/http"
	"net/netip"
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
		if small := packed(name, content, near(r)); small != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Vary", "Accept-Encoding")
			content = small
		}
		if r.Method == http.MethodGet {
			_, _ = w.Write(content) // the reader has gone: nothing to do
		}
	})
}

// near tells whether a request comes from this machine.
func near(r *http.Request) bool {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && from.Addr().IsLoopback()
}

// packed is a file in gzip, made when it is first asked for; nil for what is packed already, and for the engine on one's own machine,
// where unpacking takes longer than loading.
func packed(name string, content []byte, near bool) []byte {
	switch path.Ext(name) {
	case ".html", ".js", ".css", ".json", ".svg":
	case ".wasm":
		if near {
			return nil
		}
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
