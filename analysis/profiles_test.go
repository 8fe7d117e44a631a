package analysis

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgknee/analysis/profile"
)

func TestProfileLabels(t *testing.T) {
	two := "a 1 1.5: 2 cycles: \n\t 1 f (/x)\n\na 1 1.5: 2 instructions: \n\t 1 f (/x)\n"
	s := New(Options{})
	for _, f := range [][2]string{
		{"runs/pg16/sb.folded", "a;b 1\na;c 2\n"},
		{"runs/pg17/sb.folded", "a;b 1\na;c 3\n"},
		{"v12.script", two},
		{"x/diff.folded.gz", "a;b 1 2\na;c 3 4\n"},
		{"copy.folded", "a;b 1\na;c 2\n"},
	} {
		in := s.Open(f[0])
		in.Write([]byte(f[1]))
		in.Close()
	}
	var got []string
	for _, p := range s.Report().Profiles {
		got = append(got, p.Label)
	}
	want := []string{"pg16/sb", "pg17/sb", "v12 cycles", "v12 instructions", "diff before", "diff after"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSessionViews(t *testing.T) {
	s := New(Options{})
	in := s.Open("x.folded")
	in.Write([]byte("a;b 1\na;c 2\n"))
	in.Close()
	for range 2 { // the second is laid out from what the first has prepared
		l, err := s.Layout(0, profile.View{Search: "c"})
		if err != nil || len(l.Rects) != 4 || l.Matched != 2 {
			t.Fatalf("%+v, %v", l, err)
		}
	}
	if l, err := s.Layout(0, profile.View{Steps: []profile.Step{{Op: profile.Hide, Function: "a"}}}); err != nil || len(l.Rects) != 3 {
		t.Errorf("hidden: %+v, %v", l, err)
	}
	for kind, want := range map[string]string{"folded": "a;c 2\n", "speedscope": `"exporter":"pgknee"`, "markdown": "| 66.67% |", "svg": "<svg", "pprof": "\x1f\x8b"} {
		var b bytes.Buffer
		if err := s.Export(&b, 0, kind, profile.View{}); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%s: %.200q, %v", kind, b.String(), err)
		}
	}
	if _, err := s.Layout(1, profile.View{}); err == nil {
		t.Error("a profile that is not there is laid out")
	}
	if err := s.Export(&bytes.Buffer{}, 0, "png", profile.View{}); err == nil {
		t.Error("an export that is not there is written")
	}
}
