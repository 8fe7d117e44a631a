package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgknee/analysis/report"
)

const tiny = "transaction type: <builtin: select only>\nscaling factor: 10\nquery mode: simple\nnumber of clients: 8\nnumber of threads: 2\nduration: 60 s\n" +
	"number of transactions actually processed: 600\nlatency average = 0.8 ms\ntps = 10.500000 (without initial connection time)\n"

// TestFolder reads a folder in the order of names, passes over what is hidden, and reads standard input as one more file.
func TestFolder(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"b.txt": strings.Replace(tiny, "10.5", "20.5", 1), "a/run.txt": tiny, ".git/config": "x", ".hidden": "x", "a/._run.txt": "\x00\x05\x16\x07", "copy/run.txt": tiny,
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if code := run([]string{"analyze", "-json", folder, "-"}, strings.NewReader(strings.Replace(tiny, "10.5", "30.5", 1)), &out, io.Discard); code != exitRead {
		t.Errorf("exit status %d", code)
	}
	var r report.Report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range r.Files {
		names = append(names, strings.TrimPrefix(f.Name, filepath.ToSlash(folder)+"/"))
	}
	if got := strings.Join(names, " "); got != "a/run.txt b.txt copy/run.txt -" {
		t.Errorf("files %s", got)
	}
	if len(r.Runs) != 3 || r.Files[2].DuplicateOf != r.Files[0].Name {
		t.Errorf("%d runs; the third file is a copy of %q", len(r.Runs), r.Files[2].DuplicateOf)
	}
}

// TestProfileBesideRun holds that the profiles beside the output of a benchmark are read, whatever kind they are of.
func TestProfileBesideRun(t *testing.T) {
	for name, profile := range map[string]string{
		"perf script": "postgres 24636 [000]  4794.109216:     250000 cycles:P: \n\t    55d0c15eade6 s_lock+0x1a (/bin/postgres)\n\t    55d0c15eae0b pgss_store+0x2b (/bin/postgres)\n",
		"perf report": "  26.37%  postgres  postgres  [.] s_lock\n   2.00%  postgres  postgres  [.] pgss_store\n",
		"folded":      "postgres;pgss_store;s_lock 70\npostgres;pgss_store;s_lock;tas 30\n",
	} {
		for order, text := range map[string]string{"after": tiny + "\nand the profile:\n\n" + profile, "before": profile + "\nand the run:\n\n" + tiny} {
			var out bytes.Buffer
			if code := run([]string{"analyze", "-json", "-"}, strings.NewReader(text), &out, io.Discard); code != exitRead {
				t.Errorf("%s %s: exit status %d", name, order, code)
			}
			var r report.Report
			if err := json.Unmarshal(out.Bytes(), &r); err != nil {
				t.Fatal(err)
			}
			if len(r.Runs) != 1 || len(r.Profiles) != 1 || len(r.Profiles[0].Locks) == 0 {
				t.Errorf("%s %s: %d runs, %d profiles", name, order, len(r.Runs), len(r.Profiles))
			}
		}
	}
}

func TestListSettings(t *testing.T) {
	var out bytes.Buffer
	if code := run([]string{"settings"}, nil, &out, io.Discard); code != exitRead {
		t.Errorf("exit status %d", code)
	}
	for _, want := range []string{"checkpoint_completion_target\n  to 13      0.5 (real, sighup: reload)", "  14 on      0.9", "source     pg_settings of 14.23 to 18.4; https://"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in the list", want)
		}
	}
}
