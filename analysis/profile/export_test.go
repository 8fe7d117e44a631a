package profile

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// hostile is a profile whose texts try to be markup, to turn text round and to be very long.
func hostile() *Profile {
	s := NewSymbols()
	b := NewBuilderOf(s)
	long := strings.Repeat("x", 1<<20)
	thread := s.Thread(Thread{"<b>;cmd", 7, 8})
	for i, name := range []string{"<img src=x onerror=alert(1)>", "\u202egnp.exe", "a|b`c``d", "]]></title><script>alert(1)</script>", "a;b\nc 12", long, "\x00\x1b[31m\xff", ""} {
		b.AddThread(b.Child(b.Child(0, s.Intern(Frame{Name: "main", Module: `"m" <&>`})), s.Intern(Frame{Name: name, Flags: Kernel})), thread, float64(100+i), 1)
	}
	p := b.Profile()
	p.Label, p.Event, p.Unit = "<i>label</i>", "cycles:P", "cycles"
	return p
}

func TestFolded(t *testing.T) {
	var b bytes.Buffer
	if err := WriteFolded(&b, example(t)); err != nil {
		t.Fatal(err)
	}
	want := "main;d;b 40\nmain;d;b;b 15\nmain;a 10\nmain;a;c 20\nmain;a;b 10\nother 5\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	if err := WriteFolded(&b, hostile()); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(strings.TrimSpace(b.String()), "\n"); len(lines) != 8 || strings.Count(b.String(), ";") != 8 {
		t.Errorf("%d lines with %d separators from 8 stacks of two frames", len(lines), strings.Count(b.String(), ";"))
	}
}

// TestSVGWellFormed holds that no text of an input gets out of its place.
func TestSVGWellFormed(t *testing.T) {
	for _, v := range []View{{}, {Kind: Icicle}, {Kind: Inverted}, {Kind: Sandwich, Function: "main"}, {Search: "<script>", Steps: []Step{{Op: HideModule, Module: "<x>"}}}} {
		var b bytes.Buffer
		if err := WriteSVG(&b, hostile(), v, SVG{}); err != nil {
			t.Fatal(err)
		}
		d := xml.NewDecoder(&b)
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%+v: %v", v, err)
			}
			if e, ok := token.(xml.StartElement); ok {
				switch e.Name.Local {
				case "svg", "title", "style", "rect", "text", "g":
				default:
					t.Errorf("%+v: element <%s>", v, e.Name.Local)
				}
			}
		}
	}
}

func TestSpeedscope(t *testing.T) {
	var b bytes.Buffer
	if err := WriteSpeedscope(&b, hostile()); err != nil {
		t.Fatal(err)
	}
	var file struct {
		Shared struct {
			Frames []struct{ Name, File string }
		}
		Profiles []struct {
			Type, Unit string
			EndValue   float64
			Samples    [][]int
			Weights    []float64
		}
	}
	if err := json.Unmarshal(b.Bytes(), &file); err != nil {
		t.Fatal(err)
	}
	p := file.Profiles[0]
	sum := 0.0
	for i, w := range p.Weights {
		sum += w
		if len(p.Samples[i]) != 2 || file.Shared.Frames[p.Samples[i][0]].Name != "main" {
			t.Errorf("sample %v", p.Samples[i])
		}
	}
	if len(p.Samples) != 8 || len(p.Weights) != 8 || sum != p.EndValue || sum != hostile().Total {
		t.Errorf("%d samples, %d weights that add up to %g of %g", len(p.Samples), len(p.Weights), sum, p.EndValue)
	}
}

// TestPprof lets pprof itself read what is written.
func TestPprof(t *testing.T) {
	for name, fraction := range map[string]float64{"whole": 1, "fractions": 0.5} {
		p := example(t)
		p.Unit = "cycles"
		for i := range p.Self {
			p.Self[i] *= fraction
		}
		p.Self[4] += 0.25 * (1 - fraction)
		var b bytes.Buffer
		if err := WritePprof(&b, p); err != nil {
			t.Fatal(err)
		}
		if testing.Short() {
			continue
		}
		file := filepath.Join(t.TempDir(), "p.pb")
		if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("go", "tool", "pprof", "-top", "-symbolize=none", file).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		for _, want := range []string{"65.00%   65cycles 65.00%  b\n", "95cycles 95.00%  main\n"} {
			if !strings.Contains(string(out), want) && name == "whole" {
				t.Errorf("%s: no %q in\n%s", name, want, out)
			}
		}
	}
}

func TestMarkdown(t *testing.T) {
	var b bytes.Buffer
	if err := WriteMarkdown(&b, hostile(), 6); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if rows := strings.Count(text, "\n| ") - 1; rows != 6 {
		t.Errorf("%d rows, want 6", rows)
	}
	for _, bad := range []string{"\u202e", "| <", "\n<"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q is in the table", bad)
		}
	}
	if !strings.Contains(text, "| 12.32% | 12.32% | ```a\\|b`c``d``` |") {
		t.Errorf("the name with bars and quotes is not code:\n%.3000s", text)
	}
}

// TestPprofScale holds that weights stay within the integers of pprof: finely where there is room, in powers of ten where there is not.
func TestPprofScale(t *testing.T) {
	for _, c := range []struct {
		weights []float64
		unit    string
		want    string
	}{
		{[]float64{3, 4}, "samples", "1 count"},
		{[]float64{12.34, 4}, "percent", "10000 ppm"},
		{[]float64{3, 4}, "cpu-clock", "1 nanoseconds"},
		{[]float64{0.5, 4}, "ms", "1e+06 millionths of ms"},
		{[]float64{0.5, 4e15}, "cycles", "1 cycles"},
		{[]float64{4e18, 4e19}, "cycles", "0.1 1e1 cycles"},
		{[]float64{1e300, 1}, "samples", "1e-282 1e282 samples"},
	} {
		b := NewBuilder()
		for i, w := range c.weights {
			b.Add([]FrameID{b.Intern(Frame{Name: strings.Repeat("f", i+1)})}, w, 0)
		}
		p := b.Profile()
		p.Unit = c.unit
		factor, unit := pprofScale(p)
		if got := fmt.Sprintf("%g %s", factor, unit); got != c.want || p.Total*factor > 1<<62 {
			t.Errorf("%v: %s, want %s", c.weights, got, c.want)
		}
	}
}
