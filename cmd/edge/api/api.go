package api

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"pgknee/analysis"
	"pgknee/analysis/source"
)

// Draw draws an option of analysis/chart to SVG, of a size in pixels. It may be called from many goroutines.
type Draw func(option []byte, width, height int, title, description string) (string, error)

// Limits of one request.
type Limits struct {
	Body    int64         // bytes of a posted body
	Session source.Limits // of what is in it
	Runs    int           // of benchmarks that are in it, and
	Series  int           // of series, each of which takes about a tenth of a second to describe at the edge
	Time    time.Duration // of reading and analysing it
}

// Default limits: a worker has 128 MB of memory for all that it does at once.
var Default = Limits{
	Body:    16 << 20,
	Session: source.Limits{LineBytes: 1 << 20, DocumentBytes: 32 << 20, ArchiveFiles: 2000, ExpandedBytes: 64 << 20},
	Runs:    20_000,
	Series:  60,
	Time:    20 * time.Second,
}

type server struct {
	draw   Draw
	limits Limits
}

// New makes the handler.
func New(draw Draw, limits Limits) http.Handler { return &server{draw, limits} }

// route is an address, with what may be done there.
type route struct {
	prefix string // a whole path, or the beginning of one where it ends in /
	allow  string
	shape  shape // of errors
	answer func(*server, http.ResponseWriter, *http.Request) error
}

var routes = []route{
	{"/chart/", "GET, HEAD, OPTIONS", picture, (*server).chart},
	{"/embed/", "GET, HEAD, OPTIONS", page, (*server).embed},
	{"/api/analyze", "POST, OPTIONS", details, (*server).analyze},
	{"/api/health", "GET, HEAD, OPTIONS", details, (*server).health},
}

// ServeHTTP answers a request.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", "ETag")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	for _, route := range routes {
		if r.URL.Path == route.prefix || strings.HasSuffix(route.prefix, "/") && strings.HasPrefix(r.URL.Path, route.prefix) {
			s.serve(w, r, route)
			return
		}
	}
	fail(w, r, details, problem{Status: http.StatusNotFound, Detail: "there is nothing at this address"})
}

func (s *server) serve(w http.ResponseWriter, r *http.Request, route route) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(os.Stderr, "pgknee: a defect\n%s", debug.Stack()) // without the message, which may quote the input
			fail(w, r, route.shape, problem{Status: http.StatusInternalServerError, Detail: "pgknee failed on this: please report it"})
		}
	}()
	switch {
	case r.Method == http.MethodOptions:
		h := w.Header()
		h.Set("Allow", route.allow)
		h.Set("Access-Control-Allow-Methods", route.allow)
		h.Set("Access-Control-Allow-Headers", "Accept, Content-Type, If-None-Match")
		h.Set("Access-Control-Max-Age", "86400")
		w.WriteHeader(http.StatusNoContent)
	case !strings.Contains(", "+route.allow+",", ", "+r.Method+","):
		w.Header().Set("Allow", route.allow)
		fail(w, r, route.shape, problem{Status: http.StatusMethodNotAllowed, Detail: "this address answers to " + route.allow})
	default:
		body := r.Body
		if err := route.answer(s, w, r); err != nil {
			s.drain(r, body)
			fail(w, r, route.shape, asProblem(err))
		}
	}
}

// drain reads what is still to come of a refused body, within reason: most programs look for an answer only when they have sent all.
func (s *server) drain(r *http.Request, body io.Reader) {
	if body != nil && r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, body, 4*s.limits.Body)
	}
}

func (s *server) health(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	return send(w, r, "application/json", []byte(`{"status":"ok","tool":"pgknee `+analysis.Version+`"}`+"\n"))
}

// cacheable is the caching of what depends on its address alone: for a day, and meanwhile a newer version of pgknee may draw it anew.
const cacheable = "public, max-age=86400, stale-while-revalidate=604800"

// send answers with a body, or says that the asker has it.
func send(w http.ResponseWriter, r *http.Request, kind string, body []byte) error {
	h := w.Header()
	if h.Get("Cache-Control") == cacheable {
		sum := sha256.Sum256(body)
		tag := `"` + hex.EncodeToString(sum[:12]) + `"`
		h.Set("ETag", tag)
		if has(list(r, "If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	write(w, r, http.StatusOK, kind, body)
	return nil
}

func write(w http.ResponseWriter, r *http.Request, status int, kind string, body []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the reader has gone: nothing to do
	}
}

// list splits a header that lists things, in whatever lines and whether a runtime has cut it at its commas or not.
func list(r *http.Request, name string) []string {
	var items []string
	for _, item := range strings.Split(strings.Join(r.Header.Values(name), ","), ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// has tells whether an entity tag is among those listed.
func has(tags []string, tag string) bool {
	for _, t := range tags {
		if strings.TrimPrefix(t, "W/") == tag || t == "*" {
			return true
		}
	}
	return false
}
