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
	for kind, want := range map[string]string{"folded": "a;c 2\n", "speedscope": `"exporter":"pgknee"`, "markdown": "| 66.67% |", "svg": "<svg", "pprof": "samples"} {
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

func TestAttach(t *testing.T) {
	const table = "clients,tps,series\n1,100,plain\n2,190,plain\n4,350,plain\n1,90,other\n2,120,other\n4,130,other\n"
	read := func(o Options) string {
		s := New(o)
		for _, f := range [][2]string{{"runs.csv", table}, {"other.folded", "a;b 1\na;s_lock 2\n"}} {
			in := s.Open(f[0])
			in.Write([]byte(f[1]))
			in.Close()
		}
		r := s.Report()
		if len(r.Profiles) != 1 {
			t.Fatalf("%d profiles", len(r.Profiles))
		}
		return r.Profiles[0].Series
	}
	for _, c := range []struct {
		attach map[string]string
		want   string
	}{
		{nil, "other"},
		{map[string]string{"other": "plain"}, "plain"},
		{map[string]string{"other": ""}, ""},
		{map[string]string{"other": "gone"}, ""},
	} {
		if got := read(Options{Attach: c.attach}); got != c.want {
			t.Errorf("attached as %v it is of %q, want %q", c.attach, got, c.want)
		}
	}
}

func TestExportDifference(t *testing.T) {
	s := New(Options{})
	for name, text := range map[string]string{"a.folded": "m;f 90\nm;g|h 10\n", "b.folded": "m;f 50\nm;g|h 50\n"} {
		in := s.Open(name)
		in.Write([]byte(text))
		in.Close()
	}
	from := slices.IndexFunc(s.Profiles(), func(p *profile.Profile) bool { return p.Label == "a" })
	for kind, want := range map[string]string{"svg": "<!-- pgknee difference -->", "markdown": "| 10.00% | 50.00% | +40.00 | 10.00% | 50.00% | +40.00 | `g\\|h` |"} {
		var b bytes.Buffer
		if err := s.ExportDifference(&b, from, 1-from, kind, profile.OverlayView{}); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%s: %s, %v", kind, b.String(), err)
		}
	}
	if err := s.ExportDifference(&bytes.Buffer{}, 0, 7, "markdown", profile.OverlayView{}); err == nil {
		t.Error("a difference from a profile that is not there is written")
	}
	if err := s.ExportDifference(&bytes.Buffer{}, 0, 1, "png", profile.OverlayView{}); err == nil {
		t.Error("an export that is not there is written")
	}
}
