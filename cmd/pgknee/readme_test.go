//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMain lets the test be the program itself, so that what the README calls need not be built first.
func TestMain(m *testing.M) {
	if os.Getenv("PGKNEE_AS_PROGRAM") != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestReadme runs the commands of the README that show what they print, and makes sure that build.sh has those which it names.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	top, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir() // as the repository is after ./build.sh build
	for name, to := range map[string]string{"bin/pgknee": self, "data": filepath.Join(top, "data")} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	var command string
	var want []string
	ran := 0
	check := func() {
		defer func() { command, want = "", nil }()
		if command == "" {
			return
		}
		ran++
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir, cmd.Env = folder, append(os.Environ(), "PGKNEE_AS_PROGRAM=1", "COLUMNS=100")
		out, err := cmd.CombinedOutput()
		if got, want := strings.TrimRight(string(out), "\n"), strings.TrimRight(strings.Join(want, "\n"), "\n"); err != nil || got != want {
			t.Errorf("$ %s (%v)\n%s\nthe README has\n%s", command, err, got, want)
		}
	}
	for line := range strings.Lines(string(text)) {
		code, indented := strings.CutPrefix(line, "    ")
		switch next, prompt := strings.CutPrefix(code, "$ "); {
		case indented && prompt:
			check()
			command = strings.TrimSpace(next)
		case indented || strings.TrimSpace(line) == "":
			want = append(want, strings.TrimRight(code, " \n"))
		default:
			check()
		}
	}
	check()
	if ran == 0 {
		t.Error("the README shows no command with its output")
	}
	script, err := os.ReadFile("../../build.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range regexp.MustCompile(`\./build\.sh (\w+)`).FindAllStringSubmatch(string(text), -1) {
		if !strings.Contains(string(script), "\n  "+c[1]+")") {
			t.Errorf("build.sh has no command %s", c[1])
		}
	}
}
