package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// fast are the packages that are compiled with inlining. What is inlined makes the engine a seventh larger to load, and a page is waited
// for more often than a gigabyte is read: so only what runs for every byte, line or allocation of an input is inlined.
var fast = []string{
	"runtime", "internal/runtime/maps", "internal/runtime/math", "internal/runtime/sys", "internal/runtime/atomic", "internal/abi", "internal/goarch",
	"internal/bytealg", "internal/byteorder", "internal/strconv", "bytes", "cmp", "encoding/binary", "math", "math/bits", "slices", "strconv", "unicode/utf8",
	"pgknee/analysis/source",
	"pgknee/analysis/format/folded", "pgknee/analysis/format/perfscript", "pgknee/analysis/format/pgbench", "pgknee/analysis/format/pgbenchlog",
}

// absent are packages of the standard library that the engine links only because a library imports them for what the engine never does.
// Each is replaced by the few declarations that the library needs to compile; what is called all the same panics.
var absent = map[string]string{
	// go-echarts can write pages; the engine takes its options as JSON only.
	"html/template": "cmd/build/absent/template.go.txt",
	// The compressor of klauspost/compress can fill gaps with noise, and code that is switched off logs; the engine only decompresses.
	"crypto/rand": "cmd/build/absent/rand.go.txt",
	"log":         "cmd/build/absent/log.go.txt",
}

// A page's engine has one thread, so its collector gains nothing by marking in small steps between which the program runs: it marks in
// one go. Then no pointer changes while it marks, the compiler need not announce those that do, and the code is a fourteenth smaller.
// The two belong together: without barriers a collector that marks in steps loses what is in use.
const (
	barriers = "-wb=false"
	oneGo    = "gcstoptheworld=1"
)

// collector are the flags that say so, and that say what most packages are compiled with.
func collector() []string {
	return []string{"-ldflags=-s -w -X=runtime.godebugDefault=" + oneGo, "-gcflags=all=-l " + barriers}
}

// engine compiles the analysis to WebAssembly.
func engine(o *output) error {
	overlay, err := overlay()
	if err != nil {
		return fmt.Errorf("engine: %w", err)
	}
	defer os.Remove(overlay)
	file := filepath.Join(o.folder, "engine.wasm")
	flags := append(collector(), "-overlay="+overlay)
	for _, p := range fast {
		flags = append(flags, "-gcflags="+p+"="+barriers)
	}
	if err := compile("./wasm", file, flags...); err != nil {
		return err
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := os.Remove(file); err != nil {
		return err
	}
	if !bytes.Contains(content, []byte(oneGo)) {
		return fmt.Errorf("engine: the linker did not set %s, which the code needs", oneGo)
	}
	if content, err = slim(content); err != nil {
		return fmt.Errorf("engine: %w", err)
	}
	return o.hashed("engine.wasm", content)
}

// compile compiles a program to WebAssembly.
func compile(program, file string, flags ...string) error {
	args := append([]string{"build", "-trimpath", "-ldflags=-s -w", "-o", file}, flags...)
	cmd := exec.Command("go", append(args, program)...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	return nil
}

// overlay writes the file that tells go build what stands in the place of the absent packages, and returns its name.
func overlay() (string, error) {
	root, err := goroot()
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for name, stub := range absent {
		stub, err := filepath.Abs(stub)
		if err != nil {
			return "", err
		}
		files, err := filepath.Glob(filepath.Join(root, "src", filepath.FromSlash(name), "*.go"))
		if err != nil {
			return "", err
		}
		files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
		if len(files) == 0 {
			return "", &fs.PathError{Op: "overlay", Path: name, Err: errors.New("no such package in the standard library")}
		}
		for _, f := range files {
			replace[f], stub = stub, "" // the first file has the text of the stub, the others are gone
		}
	}
	f, err := os.CreateTemp("", "pgknee-overlay-*.json")
	if err != nil {
		return "", err
	}
	if err := json.NewEncoder(f).Encode(map[string]any{"Replace": replace}); err != nil {
		return "", err
	}
	return f.Name(), f.Close()
}

// wasmExec is the toolchain's JavaScript side of a Go program in WebAssembly; it must match the toolchain.
func wasmExec() (string, error) {
	root, err := goroot()
	return filepath.Join(root, "lib", "wasm", "wasm_exec.js"), err
}

func goroot() (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(root)), err
}
