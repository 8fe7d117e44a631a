package analysis

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgknee/analysis/bench"
	"pgknee/analysis/format"
	"pgknee/analysis/source"
)

// words is a format whose files hold "result NUMBER" lines: each is a run.
var words = &format.Format{
	Name: "words",
	Sniff: func(_ string, head []byte) format.Confidence {
		if bytes.Contains(head, []byte("result")) {
			return format.Likely
		}
		return format.No
	},
	New: func(c *format.Context) format.Reader { return &wordReader{c} },
}

type wordReader struct{ ctx *format.Context }

func (r *wordReader) Line(l source.Line) {
	if bytes.HasPrefix(l.Text, []byte("result")) {
		tps, clients := float64(len(l.Text)), 1
		r.ctx.Runs = append(r.ctx.Runs, &bench.Run{At: source.Position{File: r.ctx.File, Line: l.No}, TPS: &tps, Clients: &clients})
	}
}
func (r *wordReader) Close() {}

func read(s *Session, name, data string, piece int) {
	in := s.Open(name)
	for ; data != ""; data = data[min(piece, len(data)):] {
		in.Write([]byte(data[:min(piece, len(data))]))
	}
	in.Close()
}

func session() *Session {
	return &Session{Formats: []*format.Format{words}}
}

func TestDuplicatesCountOnce(t *testing.T) {
	s := session()
	read(s, "a.txt", "result 1\n", 100)
	read(s, "b.txt", "result 1\n", 2)
	read(s, "c.txt", "result 2\n", 100)
	r := s.Report()
	if len(r.Runs) != 2 || r.Runs[1].File != "c.txt" {
		t.Errorf("%d runs, want those of a.txt and c.txt", len(r.Runs))
	}
	if f := r.Files[1]; f.DuplicateOf != "a.txt" || f.Runs != 0 || len(f.Problems) != 1 || f.Problems[0].Severity != "warning" {
		t.Errorf("the copy: %+v", f)
	}
}

func TestEmptyAndUnknown(t *testing.T) {
	s := session()
	read(s, "empty", "", 1)
	read(s, "vmstat", strings.Repeat("procs memory swpd\nresult\n", 3), 100)
	r := s.Report()
	for i, want := range []string{"empty", "vmstat"} {
		if f := r.Files[i]; f.Format != "" || len(f.Problems) != 1 || !strings.Contains(f.Problems[0].Message, want) {
			t.Errorf("%s: %+v", f.Name, f)
		}
	}
}

// TestWrappedLines holds that output is read out of what a runner puts around each line of it, and that problems keep their places.
func TestWrappedLines(t *testing.T) {
	const pgbench = "pgbench (17.2)\ntransaction type: <builtin: select only>\nscaling factor: 10\nnumber of clients: 8\nnumber of threads: 4\nduration: 60 s\ntps = 2000.250000 (without initial connection time)\n"
	const sysbench = "sysbench 1.0.20\nNumber of threads: 8\n[ 10s ] thds: 8 tps: 2000.25 qps: 40005.00 (r/w/o: 1/1/1) lat (ms,95%): 21.50 err/s: 0.00 reconn/s: 0.00\nSQL statistics:\n    transactions:                        120015 (2000.25 per sec.)\n"
	quoted, _ := json.Marshal(pgbench)
	for name, text := range map[string]string{
		"GitHub":        "2026-11-30T18:01:02.1234567Z " + strings.ReplaceAll(strings.TrimSuffix(sysbench, "\n"), "\n", "\n2026-11-30T18:01:03.1234567Z "),
		"CRI":           "2026-11-30T18:01:02.123456789Z stderr F " + strings.ReplaceAll(strings.TrimSuffix(pgbench, "\n"), "\n", "\n2026-11-30T18:01:03.123456789Z stdout F "),
		"a field":       `{"rc": 0, "stdout": ` + string(quoted) + `, "stdout_lines": ["` + strings.ReplaceAll(pgbench, "\n", `", "`) + `"]}`,
		"a line":        "'out': '" + strings.ReplaceAll(pgbench, "\n", `\n`) + "'",
		"a mail":        "Hi,\n\nI see this:\n\n> " + strings.ReplaceAll(strings.TrimSuffix(sysbench, "\n"), "\n", "\n> ") + "\n\nWhy is that so?\n",
		"a bare output": pgbench,
	} {
		s := New(Options{})
		read(s, "log", text, 100)
		r := s.Curves()
		if len(r.Runs) != 1 || r.Runs[0].TPS == nil || *r.Runs[0].TPS != 2000.25 || *r.Runs[0].Clients != 8 {
			t.Errorf("%s: %+v %+v", name, r.Runs, r.Files)
		}
	}
	for name, text := range map[string]string{
		"a test of a parser": "from __future__ import annotations\n\ntext = [\n\"number of clients: 8\",\n\"number of transactions actually processed: 10\",\n\"tps = 12.000000 (including reconnection times)\",\n]\n",
		"an HTTP benchmark":  "     http_req_duration....: avg=12ms\n     http_reqs............: 301122 5018.7/s\n     iterations...........: 301122 5018.7/s\n     vus..................: 64 min=64\n",
	} {
		s := New(Options{})
		read(s, "log", text, 100)
		if r := s.Curves(); len(r.Runs) != 0 || r.Files[0].Format != "" {
			t.Errorf("%s: %+v %+v", name, r.Runs, r.Files)
		}
	}
	for _, text := range []string{"clients | master | patched\n1 | 1204 | 1230\n8 | 8810 | 9010\n32 | 20110 | 22110\n", "branch | clients | tps\nmaster | 8 | 8810\npatched | 8 | 9010\nother | 8 | 9020\n"} {
		s := New(Options{})
		read(s, "log", text, 100)
		if r := s.Curves(); len(r.Runs) < 3 || r.Runs[0].Clients == nil {
			t.Errorf("a table with bars and no rule: %+v %+v", r.Runs, r.Files)
		}
	}
	s := New(Options{})
	read(s, "log", strings.Repeat("2026-11-30T18:01:02.1234567Z Vuser 1:FINISHED SUCCESS\n", 5)+"2026-11-30T18:01:02.1234567Z Vuser 1:TEST RESULT : System achieved 60 NOPM from 140 PostgreSQL TPM\n", 100)
	if r := s.Curves(); len(r.Runs) != 1 || r.Runs[0].Line != 6 {
		t.Errorf("%+v %+v", r.Runs, r.Files)
	}
}

// TestScriptsAmongResults holds that a script in a folder of results is named and passed over, and one that was asked for is not.
func TestScriptsAmongResults(t *testing.T) {
	for _, walked := range []bool{true, false} {
		s := New(Options{})
		for name, text := range map[string]string{"d/c8.txt": "number of clients: 8\ntps = 10.5 (without initial connection time)\n", "d/a.sql": "SELECT 1;\n"} {
			in := s.Open(name)
			in.Walked = walked
			in.Write([]byte(text))
			in.Close()
		}
		if r := s.Curves(); len(r.Files)+len(r.PassedOver) != 2 || (len(r.PassedOver) == 1) != walked {
			t.Errorf("walked %v: %d files, %v", walked, len(r.Files), r.PassedOver)
		}
	}
	s := New(Options{})
	in := s.Open("d/a.sql")
	in.Walked = true
	in.Write([]byte("SELECT 1;\n"))
	in.Close()
	if r := s.Curves(); len(r.Files) != 1 || len(r.PassedOver) != 0 {
		t.Errorf("nothing but scripts: %+v", r)
	}
}

// TestLongFirstLine holds that what follows an endless line is recognised, with its line number.
func TestLongFirstLine(t *testing.T) {
	text := strings.Repeat("y", 3<<20) + "\nresult 1\nresult 2"
	for _, piece := range []int{1000, format.HeadBytes, 1 << 20, 1 << 23} {
		s := session()
		read(s, "long", text, piece)
		r := s.Report()
		if len(r.Runs) != 2 || r.Runs[0].Line != 2 || r.Files[0].Lines != 3 || r.Files[0].Bytes != int64(len(text)) {
			t.Errorf("in pieces of %d: %d runs, %+v", piece, len(r.Runs), r.Files[0])
		}
	}
}

// FuzzInput holds the whole way from bytes to measured curves, with every format there is: nothing panics, nothing is no number, and
// pieces make no difference.
func FuzzInput(f *testing.F) {
	f.Add([]byte("number of clients: 8\ntps = 10.5 (without initial connection time)\n"))
	f.Add([]byte("\xff\xfet\x00p\x00s\x00"))
	f.Add([]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"))
	f.Add([]byte("clients,tps\n1,100\n2,190\n4,350\n"))
	f.Add([]byte("0 1 500 0 1790000000 5\n0 2 500 0 1790000001 5\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var reports [2][]byte
		for i, piece := range []int{len(data) + 1, 7} {
			s := New(Options{})
			read(s, "f.txt", string(data), piece)
			text, err := json.Marshal(s.Curves())
			if err != nil {
				t.Fatal(err)
			}
			reports[i] = text
		}
		if !bytes.Equal(reports[0], reports[1]) {
			t.Errorf("whole  %s\npieces %s", reports[0], reports[1])
		}
	})
}
