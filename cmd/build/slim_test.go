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
	if testing.Short() {
		t.Skip("builds and runs a program")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("Node is not there to run it")
	}
	root, err := goroot()
	if err != nil {
		t.Fatal(err)
	}
	run := func(file string) string {
		cmd := exec.Command(node, "--stack-size=8192", filepath.Join(root, "lib", "wasm", "wasm_exec_node.js"), file)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", file, err, out)
		}
		return string(out)
	}
	file := filepath.Join(t.TempDir(), "slim.wasm")
	if err := compile("./testdata/slim", file, "-gcflags=all=-l", "-gcflags=runtime="); err != nil {
		t.Fatal(err)
	}
	want := run(file)
	program, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	slimmed, err := slim(program)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(slimmed, []byte("main.nested")) {
		t.Error("names of functions are left: are the tables of another form now?")
	}
	if err := os.WriteFile(file, slimmed, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := run(file); got != want {
		t.Errorf("after slim the program says\n%s\nand before it\n%s", got, want)
	}
}
