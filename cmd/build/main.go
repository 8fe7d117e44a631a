// Command build makes the page: it compiles the engine to WebAssembly, bundles scripts and styles, and puts everything into site/out.
//
//	go run ./cmd/build
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
	if len(os.Args) > 1 {
		log.Fatal("takes no arguments; run it in the top folder of the repository")
	}
	if err := build(); err != nil {
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
