package analysis

import (
	"bytes"
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
