package analysis_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgknee/analysis"
	"pgknee/analysis/export"
	"pgknee/analysis/report"
)

// TestExportReadBack exports the runs of an input as CSV and reads them back: they must be the same runs in the same series, those
// left out with what kept them out.
func TestExportReadBack(t *testing.T) {
	curves := func(name string, data []byte) *report.Report {
		s := analysis.New(analysis.Options{})
		in := s.Open(name)
		in.Write(data)
		in.Close()
		return s.Curves()
	}
	folder := func(name string) *report.Report {
		s := analysis.New(analysis.Options{})
		files, err := filepath.Glob(name)
		if err != nil || len(files) == 0 {
			t.Fatal(name, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			in := s.Open(file)
			in.Write(data)
			in.Close()
		}
		return s.Curves()
	}
	one := func(text string) *report.Report { return curves("mail.txt", []byte(text)) }
	run := func(clients, more, tps string) string {
		return "pgbench (15.6)\ntransaction type: <builtin: TPC-B (sort of)>\nscaling factor: 50\nquery mode: simple\nnumber of clients: " + clients +
			"\nnumber of threads: 4\nduration: 60 s\nnumber of transactions actually processed: 60000\nlatency average = 4.000 ms\n" + more +
			"initial connection time = 9.000 ms\ntps = " + tps + " (without initial connection time)\n\n"
	}
	for name, want := range map[string]*report.Report{
		"track_planning": folder("../data/samples/track-planning/*.csv"),
		"query modes":    folder("../data/samples/protocols/*.log"),
		"flags":          folder("../data/samples/no-difference/*.txt"),
		"left out":       one(run("4", "", "1000.5") + run("8", "", "1900.25") + run("16", "", "3500.125") + "pgbench: error: client 3 aborted in command 5\n" + run("32", "rate limit schedule lag: avg 1.0 (max 8.0) ms\n", "10")),
		"words in cells": one("clients,build,os,tps\n1,a=b c,Debian 12,1000\n8,a=b c,Debian 12,7000\n16,a=b c,Debian 12,9000\n1,=x,Debian 13,900\n8,=x,Debian 13,6000\n16,=x,Debian 13,7000\n"),
		"another unit":   one("vusers,nopm master,nopm patched\n1,20000,21000\n8,150000,160000\n16,250000,270000\n"),
		"percentiles":    one("clients,tps,p50 ms,p99 ms,p99.9 ms\n1,1000,0.9,3,20\n8,7000,1.1,4.5,31\n16,9000,1.7,9,44.125\n"),
		"numbers":        one("| clients | tps, 2 workers | tps, 16 workers | tps #3 |\n|---|---|---|---|\n| 1 | 1000 | 1001 | 1002 |\n| 2 | 1900 | 1902 | 1950 |\n| 16 | 9000 | 12000 | 11000 |\n"),
	} {
		rows, err := export.Text(want, "csv")
		if err != nil {
			t.Fatal(err)
		}
		got := curves("again.csv", []byte(rows))
		if len(want.Series) == 0 || len(got.Files[0].Problems)+len(got.Files[0].Questions) > 0 || got.Files[0].Format != "pgknee-csv" {
			t.Errorf("%s: %d series; %+v", name, len(want.Series), got.Files[0])
		}
		for _, r := range []*report.Report{want, got} {
			for i := range r.Runs { // what a row has no room for
				run := &r.Runs[i]
				run.File, run.Line, run.Intervals, run.Progress, run.Notes, run.Scripts, run.Statements = "", 0, 0, nil, nil, nil, nil
			}
		}
		if g, w := lines(t, got.Series, got.Runs), lines(t, want.Series, want.Runs); g != w {
			t.Errorf("%s: got\n%s\nwant\n%s", name, g, w)
		}
	}
}

func lines(t *testing.T, series []report.Series, runs []report.Run) string {
	var b strings.Builder
	for _, s := range series {
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(data, '\n'))
	}
	for _, r := range runs {
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(data, '\n'))
	}
	return b.String()
}
