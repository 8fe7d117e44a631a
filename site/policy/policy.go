// Package policy is what every host of the page must say with its answers, and what it may tell the page.
//
// Decided here: it stands apart from package site, which embeds the built page, because the build and the edge worker need this and not that.
package policy

import (
	"bytes"
	"net/http"
	"regexp"
)

// Content is the content security policy of the page: scripts and the engine from its own origin, nothing from elsewhere, no inline code.
const Content = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; style-src 'self'; font-src 'self' data:; " +
	"img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// hashed matches names that carry a hash of their content.
var hashed = regexp.MustCompile(`-[0-9a-f]{10}\.[a-z0-9.]+$`)

// Forever is the caching of what never changes under its name.
const Forever = "public, max-age=31536000, immutable"

// Common are the headers that all files of the page have.
func Common() http.Header {
	h := http.Header{}
	h.Set("Content-Security-Policy", Content)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	return h
}

// Headers are the headers of one file of the page.
func Headers(path string) http.Header {
	h := Common()
	if hashed.MatchString(path) {
		h.Set("Cache-Control", Forever)
	} else {
		h.Set("Cache-Control", "no-cache")
	}
	return h
}

// Announce tells the page, in its index.html, that its host draws charts by address (cmd/edge/api): the page asks no host.
func Announce(index []byte) []byte {
	return bytes.Replace(index, []byte(`<meta name="color-scheme"`), []byte(`<meta name="pgknee-charts" content="chart/">`+"\n"+`<meta name="color-scheme"`), 1)
}
