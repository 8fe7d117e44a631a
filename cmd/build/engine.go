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

// absent are packages of the standard library that the engine links only because others import them for what the engine never does. Each
// is replaced by the few declarations that those need to compile; what is called all the same panics.
var absent = map[string]string{
	// go-echarts can write pages; the engine takes its options as JSON only.
	"html/template": "cmd/build/absent/template.go.txt",
	// The compressor of klauspost/compress can fill gaps with noise, and code that is switched off logs; the engine only decompresses.
	"crypto/rand": "cmd/build/absent/rand.go.txt",
	"log":         "cmd/build/absent/log.go.txt",
	// A page has no files, and no variables of the environment that change what packages do.
	"os":               "cmd/build/absent/os.go.txt",
	"path/filepath":    "cmd/build/absent/filepath.go.txt",
	"runtime/debug":    "cmd/build/absent/debug.go.txt",
	"internal/godebug": "cmd/build/absent/godebug.go.txt",
}

// edit is a text of a file of the standard library and what is compiled instead of it, mostly so that the linker leaves out what only that used.
type edit struct{ file, old, new string }

// edits are what else packages of the standard library have that the engine never needs, or needs to be otherwise.
var edits = []edit{
	// Scripts are for \p{Greek} in a search, which is an error then; \p{L} and the other categories stay.
	{"unicode/tables.go", "var Scripts = map[string]*RangeTable{", "var Scripts map[string]*RangeTable\n\nvar scripts = map[string]*RangeTable{"},
	// Archives are only read, and their times are no part of the result.
	{"archive/zip/register.go", "compressors.Store(Deflate, Compressor(func(w io.Writer) (io.WriteCloser, error) { return newFlateWriter(w), nil }))", ""},
	{"time/format.go", "func (t Time) String() string {", "func (t Time) String() string { panic(\"times are not printed in the engine\") }\n\nfunc (t Time) string() string {"},
	{"time/format.go", "func (t Time) GoString()", "func (t Time) goString()"},
	{"time/time.go", "func (t Time) MarshalJSON()", "func (t Time) marshalJSON()"},
	{"time/time.go", "func (t *Time) UnmarshalJSON(", "func (t *Time) unmarshalJSON("},
	{"time/time.go", "func (t Time) MarshalText()", "func (t Time) marshalText()"},
	{"time/time.go", "func (t *Time) UnmarshalText(", "func (t *Time) unmarshalText("},
	// Types of files are told by what is in them, not by what the system calls their names.
	{"mime/type_unix.go", "osInitMime = initMimeUnix", ""},
	// Each time that memory grows, V8 collects the garbage of JavaScript: it grows by a quarter, though not by more than 32 MB, where the
	// runtime would ask for 4 MB at a time. What is not used yet is not there yet.
	{"runtime/mem_wasm.go", `		grow := (bl + n - blocMax) / physPageSize
		size := growMemory(int32(grow))
		if size < 0 {
			return nil
		}
		resetMemoryDataView()
		blocMax = bl + n
`, `		need := bl + n - blocMax
		more := max(need, min(blocMax/4, 32<<20)&^(physPageSize-1))
		if growMemory(int32(more/physPageSize)) < 0 {
			more = need
			if growMemory(int32(need/physPageSize)) < 0 {
				return nil
			}
		}
		resetMemoryDataView()
		blocMax += more
`},
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
	temp, err := os.MkdirTemp("", "pgknee-overlay-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	overlay, err := overlay(temp)
	if err != nil {
		return fmt.Errorf("engine: %w", err)
	}
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

// overlay writes into a folder the file that tells go build what stands in the place of the absent packages and the edited files, and
// returns its name.
func overlay(folder string) (string, error) {
	root, err := goroot()
	if err != nil {
		return "", err
	}
	source := func(name string) string { return filepath.Join(root, "src", filepath.FromSlash(name)) }
	replace := map[string]string{}
	for name, stub := range absent {
		stub, err := filepath.Abs(stub)
		if err != nil {
			return "", err
		}
		files, err := filepath.Glob(filepath.Join(source(name), "*.go"))
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
	for _, e := range edits {
		from := source(e.file)
		to, edited := replace[from]
		if !edited {
			to = filepath.Join(folder, strings.ReplaceAll(e.file, "/", "-"))
			replace[from] = to
		} else {
			from = to
		}
		text, err := os.ReadFile(from)
		if err != nil {
			return "", err
		}
		if bytes.Count(text, []byte(e.old)) != 1 {
			return "", &fs.PathError{Op: "overlay", Path: e.file, Err: fmt.Errorf("%q is not in it once", e.old)}
		}
		if err := os.WriteFile(to, bytes.Replace(text, []byte(e.old), []byte(e.new), 1), 0o600); err != nil {
			return "", err
		}
	}
	content, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(folder, "overlay.json")
	return file, os.WriteFile(file, content, 0o600)
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
