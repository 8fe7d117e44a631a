package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFlameViews(t *testing.T) {
	dir := t.TempDir()
	before, after := filepath.Join(dir, "v12.folded"), filepath.Join(dir, "v13.folded")
	for name, text := range map[string]string{before: "main;plan 90\nmain;s_lock 10\n", after: "main;plan 60\nmain;s_lock 40\n"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) (int, string, string) {
		var stdout, stderr bytes.Buffer
		status := drawCharts(args, strings.NewReader(""), &stdout, &stderr)
		return status, stdout.String(), stderr.String()
	}
	if status, out, errors := run("--view", "flame-diff", before, after); status != 0 || !strings.Contains(out, "s_lock +30.0 points") {
		t.Errorf("flame-diff: status %d, %s\n%s", status, errors, out)
	}
	if status, out, errors := run("--view", "icicle", "--theme", "dark", before); status != 0 || !strings.Contains(out, "s_lock (10 samples, 10.00%)") {
		t.Errorf("icicle: status %d, %s\n%s", status, errors, out)
	}
	if status, _, errors := run("--view", "flame", before, after); status == 0 || !strings.Contains(errors, "2 pictures") {
		t.Errorf("two profiles to one output: status %d, %s", status, errors)
	}
	if status, _, errors := run("--view", "flame", "-o", dir+"/out/", before, after); status != 0 {
		t.Errorf("a folder: status %d, %s", status, errors)
	}
	for _, name := range []string{"v12.svg", "v13.svg"} {
		if _, err := os.Stat(filepath.Join(dir, "out", name)); err != nil {
			t.Error(err)
		}
	}
	if status, _, errors := run("--view", "flame-diff", before); status == 0 || !strings.Contains(errors, "give two") {
		t.Errorf("one profile: status %d, %s", status, errors)
	}
}
