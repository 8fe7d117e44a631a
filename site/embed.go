// Package site embeds the built page, so that one program can serve it and draw with it.
//
// Decided here: the page is built into out by cmd/build and never committed; a program compiled without it says so when it is asked
// for something that needs it.
package site

import (
	"embed"
	"io/fs"
)

//go:embed all:out
var out embed.FS

// Built is what cmd/build made: index.html, scripts, styles, the engine, and svg.js for drawing without a browser.
func Built() fs.FS {
	built, err := fs.Sub(out, "out")
	if err != nil {
		panic(err) // the folder is named in the embed directive
	}
	return built
}
