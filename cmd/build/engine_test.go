package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A program does the same after slim, which does find the tables of this version of Go.
func TestSlim(t *testing.T) {
	file := program(t, "./testdata/slim")
	want := run(t, file)
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	slimmed, err := slim(content)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(slimmed, []byte("main.nested")) {
		t.Error("names of functions are left: are the tables of another form now?")
	}
	if err := os.WriteFile(file, slimmed, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := run(t, file); got != want {
		t.Errorf("after slim the program says\n%s\nand before it\n%s", got, want)
	}
}

// Nothing in use is lost when the compiler announces no pointers to the collector.
func TestCollector(t *testing.T) {
	if got := run(t, program(t, "./testdata/moves")); got != "0 true\n" {
		t.Errorf("things lost, and whether the collector ran often enough to tell: %s", got)
	}
}

// program compiles one of the programs in testdata as the engine is.
func program(t *testing.T, name string) string {
	if testing.Short() {
		t.Skip("builds and runs a program")
	}
	file := filepath.Join(t.TempDir(), "program.wasm")
	if err := compile(name, file, collector()...); err != nil {
		t.Fatal(err)
	}
	return file
}

// run runs a program under Node and returns what it prints.
func run(t *testing.T, file string) string {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("Node is not there to run it")
	}
	root, err := goroot()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(node, filepath.Join(root, "lib", "wasm", "wasm_exec_node.js"), file).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", file, err, out)
	}
	return string(out)
}
