package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// engine compiles the analysis to WebAssembly.
func engine(o *output) error {
	file := filepath.Join(o.folder, "engine.wasm")
	if err := compile("./wasm", file); err != nil {
		return err
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := os.Remove(file); err != nil {
		return err
	}
	return o.hashed("engine.wasm", content)
}

// compile compiles a program to WebAssembly.
func compile(program, file string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", file, program)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	return nil
}

// wasmExec is the toolchain's JavaScript side of a Go program in WebAssembly; it must match the toolchain.
func wasmExec() (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	return filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"), nil
}
