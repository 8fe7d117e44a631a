package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pgknee/analysis/report"
)

var update = flag.Bool("update", false, "write the goldens anew")

const (
	planning = "../../data/samples/track-planning"
	null     = "../../data/samples/no-difference"
)

// TestGoldens holds what the command prints against files named after what they show.
func TestGoldens(t *testing.T) {
	t.Setenv("COLUMNS", "100")
	for name, args := range map[string][]string{
		"planning-terminal":     {"analyze", planning},
		"planning-mail":         {"analyze", "-mail", planning},
		"planning-mail-ascii":   {"analyze", planning, "-mail-ascii"},
		"planning-markdown":     {"analyze", "-markdown", planning},
		"planning-csv":          {"analyze", "-csv", planning},
		"planning-release-note": {"analyze", "-release-note", planning},
		"planning-config":       {"analyze", "-config", planning},
		"planning-why":          {"analyze", "-why", planning},
		"null-mail":             {"analyze", "-mail", null},
		"rules":                 {"rules"},
	} {
		var stdout, stderr bytes.Buffer
		if status := run(args, strings.NewReader(""), &stdout, &stderr); status != exitRead {
			t.Errorf("%s: exit status %d: %s", name, status, stderr.String())
			continue
		}
		got := stdout.Bytes()
		file := filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs from %s; look at it and run with -update", name, file)
		}
		if strings.Contains(name, "mail") {
			for i, line := range strings.Split(string(got), "\n") {
				if utf8.RuneCountInString(line) > 72 {
					t.Errorf("%s:%d has more than 72 columns: %s", name, i+1, line)
				}
			}
		}
		if strings.Contains(name, "ascii") && strings.IndexFunc(string(got), func(r rune) bool { return r > 126 }) >= 0 {
			t.Errorf("%s is not ASCII", name)
		}
	}
}

// TestExit holds the exit statuses of the contract.
func TestExit(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	prose := write("prose.txt", "nothing to see here\n")
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{}, exitUsage},
		{[]string{"nonsense"}, exitUsage},
		{[]string{"analyze"}, exitUsage},
		{[]string{"analyze", "-nonsense", planning}, exitUsage},
		{[]string{"analyze", "-json", "-mail", planning}, exitUsage},
		{[]string{"analyze", "-h"}, exitRead},
		{[]string{"help"}, exitRead},
		{[]string{"analyze", "-json", planning}, exitRead},
		{[]string{"analyze", planning, "-json"}, exitRead},
		{[]string{"analyze", "-json", planning, prose}, exitUnread},
		{[]string{"analyze", "-json", filepath.Join(folder, "missing")}, exitUnread},
		{[]string{"analyze", "-json", "-fail-on", "regression", planning}, exitFailOn},
		{[]string{"analyze", "-json", "-fail-on", "regression", null}, exitRead},
		{[]string{"chart", "-size", "1x1", planning}, exitUsage},
	} {
		var stderr bytes.Buffer
		if got := run(c.args, strings.NewReader(""), io.Discard, &stderr); got != c.want {
			t.Errorf("pgknee %s: exit status %d, want %d; %s", strings.Join(c.args, " "), got, c.want, stderr.String())
		}
	}
}

// TestProblemsOnStderr makes sure that an input that cannot be read is named, and that the report on the others is printed all the same.
func TestProblemsOnStderr(t *testing.T) {
	var stdout, stderr bytes.Buffer
	status := run([]string{"analyze", "-json", planning, "-"}, strings.NewReader("\x89PNG\r\n\x1a\n0000"), &stdout, &stderr)
	if status != exitUnread || !strings.Contains(stderr.String(), "-:1:1: error: ") {
		t.Errorf("exit status %d, stderr %q", status, stderr.String())
	}
	var r report.Report
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil || len(r.Runs) != 48 {
		t.Errorf("%d runs of the readable input (%v)", len(r.Runs), err)
	}
}

// TestChart draws every view that the sample has something for, as a whole SVG document with a title.
func TestChart(t *testing.T) {
	if _, err := newArtist(); err != nil {
		t.Skip(err)
	}
	for _, view := range []string{"curves", "tps", "ratio", "latency", "residuals"} {
		var stdout, stderr bytes.Buffer
		if status := run([]string{"chart", "-view", view, planning}, nil, &stdout, &stderr); status != exitRead {
			t.Errorf("%s: exit status %d: %s", view, status, stderr.String())
			continue
		}
		titles := 0
		d := xml.NewDecoder(&stdout)
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Errorf("%s: %v", view, err)
				break
			}
			if e, ok := token.(xml.StartElement); ok && (e.Name.Local == "title" || e.Name.Local == "desc") {
				titles++
			}
		}
		if titles != 2 {
			t.Errorf("%s has no title and description", view)
		}
	}
}
