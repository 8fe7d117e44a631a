// Command build makes the page: it compiles the engine to WebAssembly, bundles scripts and styles, and puts everything into site/out.
// With the word edge it makes the edge worker of the page that is there, in cmd/edge/out.
//
//	go run ./cmd/build [edge]
//
// Decided here: file names carry a hash of their content, so that a host may cache them for ever; index.html names them. Third-party
// code comes from site/node_modules (npm ci) and from the Go toolchain, and is never committed.
package main

import (
	"fmt"
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("build: ")
	steps := build
	switch {
	case len(os.Args) == 2 && os.Args[1] == "edge":
		steps = edge
	case len(os.Args) > 1:
		log.Fatal("takes nothing, or the word edge; run it in the top folder of the repository")
	}
	if err := steps(); err != nil {
		log.Fatal(err)
	}
}

func build() error {
	if _, err := os.Stat("site/node_modules/echarts"); err != nil {
		return fmt.Errorf("no packages in site/node_modules: run ./build.sh build, or npm ci in site")
	}
	if err := clean("site/out"); err != nil {
		return err
	}
	o := &output{folder: "site/out", names: map[string]string{}}
	for _, step := range []func(*output) error{engine, drawing, page} {
		if err := step(o); err != nil {
			return err
		}
	}
	return nil
}
