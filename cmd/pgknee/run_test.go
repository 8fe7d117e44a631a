package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pgknee/analysis/report"
	"pgknee/site/artist"
)

const (
	planning = "../../data/samples/track-planning"
	null     = "../../data/samples/no-difference"
)

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
		{[]string{"analyze", "-fail-on", "regression", "-baseline", "v11", planning}, exitUsage},
		{[]string{"analyze", "-csv", "-baseline", "v11", planning}, exitRead},
		{[]string{"analyze", "-format", "tables", planning}, exitUsage},
		{[]string{"analyze", "-residuals", "square", planning}, exitUsage},
		{[]string{"analyze", "-cores", "-1", planning}, exitUsage},
		{[]string{"chart", "-size", "1x1", planning}, exitUsage},
		{[]string{"chart", "-view", "pie", planning}, exitUsage},
		{[]string{"chart", "-theme", "blue", planning}, exitUsage},
		{[]string{"formats", "-h"}, exitRead},
		{[]string{"formats", "x"}, exitUsage},
		{[]string{"serve", "-h"}, exitRead},
		{[]string{"serve", planning}, exitUsage},
		{[]string{"version"}, exitRead},
	} {
		var stderr bytes.Buffer
		if got := run(c.args, strings.NewReader(""), io.Discard, &stderr); got != c.want {
			t.Errorf("pgknee %s: exit status %d, want %d; %s", strings.Join(c.args, " "), got, c.want, stderr.String())
		}
	}
}

// TestUnmet makes sure that options which name what is not there are told, with what is.
func TestUnmet(t *testing.T) {
	for _, args := range [][]string{{"-baseline", "v11"}, {"-series", "colour"}} {
		var stderr bytes.Buffer
		if status := run(append([]string{"analyze", "-csv", planning}, args...), nil, io.Discard, &stderr); status != exitRead ||
			!strings.Contains(stderr.String(), strconv.Quote(args[1])) || !strings.Contains(stderr.String(), `"v12.3"`) {
			t.Errorf("%v: exit status %d, %s", args, status, &stderr)
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
	if _, err := artist.New(); err != nil {
		t.Skip(err)
	}
	for view, sample := range map[string]string{"curves": planning, "ratio": planning, "residuals": planning, "latency": null, "progress": null} {
		var stdout, stderr bytes.Buffer
		if status := run([]string{"chart", "-view", view, sample}, nil, &stdout, &stderr); status != exitRead {
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
