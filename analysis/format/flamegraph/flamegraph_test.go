package flamegraph

import (
	"bytes"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"pgknee/analysis/format"
	"pgknee/analysis/format/folded"
	"pgknee/analysis/format/formattest"
	"pgknee/analysis/profile"
)

// lines writes a profile as sorted folded lines.
func lines(p *profile.Profile) []string {
	var b bytes.Buffer
	if err := profile.WriteFolded(&b, p); err != nil {
		panic(err)
	}
	out := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	slices.Sort(out)
	return out
}

// perl draws as flamegraph.pl does: rounded to a tenth of a pixel, in no order, with titles.
const perl = `<?xml version="1.0" standalone="no"?>
<svg version="1.1" width="1200" height="148" xmlns="http://www.w3.org/2000/svg">
<!-- Flame graph stack visualization. -->
<script type="text/ecmascript"><![CDATA[ if (a < b) { x = "<g><title>no (1 samples, 5%)</title>" } ]]></script>
<rect x="0.0" y="0" width="1200.0" height="148.0" fill="url(#background)"  />
<text id="title" x="600.00" y="24" >Flame Graph</text>
<g id="frames">
<g >
<title>std::vector&lt;int&gt;::push (int) (1,500 samples, 60.00%)</title><rect x="10.0" y="51" width="708.0" height="15.0" fill="rgb(230,110,40)" rx="2" ry="2" />
</g>
<g >
<title>b (2,125 samples, 85.00%)</title><rect x="10.0" y="67" width="1003.0" height="15.0" />
</g>
<a xlink:href="x" target="_top">
<title>d (375 samples, 15.00%)</title><rect x="1013.0" y="67" width="177.0" height="15.0" />
</a>
<g >
<title>all (2,500 samples, 100%)</title><rect x="10.0" y="99" width="1180.0" height="15.0" />
</g>
<g >
<title>a (2,500 samples, 100.00%)</title><rect x="10.0" y="83" width="1180.0" height="15.0" />
</g>
</g>
</svg>
`

const inferno = `<?xml version="1.0" standalone="no"?><svg width="1200" height="100" onload="init(evt)" xmlns:fg="http://github.com/jonhoo/inferno">
<!--Flame graph stack visualization.-->
<text id="title" x="50.0000%" y="24.00">T &lt;&amp;&apos;</text>
<svg id="frames" x="10" width="1180" total_samples="7"><g><title>all (70 samples, 100%)</title><rect x="0.0000%" y="53" width="100.0000%" height="15" fg:x="0" fg:w="7"/><text x="1%" y="1">all</text></g>
<g><title>a (30 samples, 42.86%; +5.00%)</title><rect x="0.0000%" y="37" width="42.8571%" height="15" fg:x="0" fg:w="3"/></g>
<g><rect x="42.8571%" y="37" width="42.8571%" height="15" fg:x="3" fg:w="3"/><text x="1%" y="1">long_na..</text></g></svg></svg>`

const old = `<svg version="1.1" width="1200" height="100">
<text x="600" y="24">Flame Graph</text>
<rect x="10.0" y="65" width="1180.0" height="15.0" onmouseover="s('all samples (10 samples, 100%)')" onmouseout="c()" />
<text x="13" y="77" onmouseover="s('all samples (10 samples, 100%)')" onmouseout="c()" ></text>
<g class="func_g" onmouseover="s('unix` + "`" + `main (-4 sample weight, 8 samples, 80.00%)')" onmouseout="c()"><rect x="10.0" y="49" width="944.0" height="15.0" /></g>
<rect x="10.0" y="33" width="472.0" height="15.0" onmouseover="s('it\'s &lt;odd&gt; (4 samples, 40.00%)')" />
</svg>`

const icicle = `<svg><!-- Flame graph stack visualization. --><text id="title">Icicle Graph</text>
<g><title>all (10 ms, 100%)</title><rect x="10" y="51" width="1180" height="15"/></g>
<g><title>a (7 ms, 70.00%)</title><rect x="10" y="67" width="826" height="15"/></g>
<g><title>b (2 ms, 20.00%)</title><rect x="10" y="83" width="236" height="15"/></g></svg>`

const reverse = `<svg><!-- Flame graph stack visualization. --><text id="title">Reverse Flame Graph</text>
<g><title>all (10 samples, 100%)</title><rect x="10" y="99" width="1180" height="15"/></g>
<g><title>leaf (10 samples, 100.00%)</title><rect x="10" y="83" width="1180" height="15"/></g>
<g><title>x (4 samples, 40.00%)</title><rect x="10" y="67" width="472" height="15"/></g>
<g><title>y (6 samples, 60.00%)</title><rect x="482" y="67" width="708" height="15"/></g></svg>`

var cases = []struct {
	name, text string
	want       []string
	unit       string
	problem    string
}{
	{"perl", perl, []string{"a;b 625", "a;b;std::vector<int>::push (int) 1500", "a;d 375"}, "samples", ""},
	{"inferno, scaled, differential, a name attribute", inferno, []string{"a 3", "all 1", "long_na.. 3"}, "samples", "scaled"},
	{"2011", old, []string{"all 2", "unix`main 4", "unix`main;it's <odd> 4"}, "samples", ""},
	{"icicle", icicle, []string{"a 5", "a;b 2", "all 3"}, "ms", ""},
	{"reverse", reverse, []string{"x;leaf 4", "y;leaf 6"}, "samples", "turned round"},
	{"a title of its own", strings.Replace(icicle, "a (7 ms, 70.00%)", "see the manual", 1), []string{"all 3", "see the manual 5", "see the manual;b 2"}, "ms", "taken from their widths"},
	{
		"a link within the group of a frame, as flamegraph.pl draws it",
		strings.Replace(icicle, "<g><title>a (7 ms, 70.00%)</title>", `<g onmouseover="s('a (7 ms, 70.00%)')"><title>see the manual</title><a xlink:href="x" target="_top">`, 1),
		[]string{"a 5", "a;b 2", "all 3"},
		"ms", "",
	},
	{"an empty name", strings.Replace(icicle, "a (7", " (7", 1), []string{"all 8", "b 2"}, "ms", ""},
	{"orphan", strings.Replace(icicle, `<rect x="10" y="83"`, `<rect x="900" y="83"`, 1), []string{"a 7", "all 3"}, "ms", "stand on no other"},
	{"too heavy", strings.Replace(icicle, "b (2 ms, 20", "b (9 ms, 90", 1), []string{"a;b 9", "all 3"}, "ms", "heavier than the frame"},
}

func TestRead(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ctx := formattest.Read(Format, "x.svg", format.Options{}, []byte(c.text))
			if len(ctx.Profiles) != 1 {
				t.Fatalf("%d profiles, problems %v", len(ctx.Profiles), ctx.Problems)
			}
			p := ctx.Profiles[0]
			if got := lines(p); !slices.Equal(got, c.want) || p.Unit != c.unit {
				t.Errorf("got %q in %s, want %q in %s", got, p.Unit, c.want, c.unit)
			}
			if !slices.ContainsFunc(ctx.Problems, func(p format.Problem) bool { return strings.Contains(p.Message, c.problem) }) && c.problem != "" {
				t.Errorf("problems %v, want %q", ctx.Problems, c.problem)
			}
			formattest.Check(t, Format, "x.svg", []byte(c.text))
		})
	}
}

// TestSameExtent holds that frames which rounding put on one another keep their weight, and cost what they are many: not the square.
func TestSameExtent(t *testing.T) {
	const n = 30_000
	var b strings.Builder
	fmt.Fprintf(&b, `<svg><!-- Flame graph stack visualization. --><g><title>all (%d samples, 100%%)</title><rect x="10" y="100" width="1180" height="15"/></g>`, 2*n)
	for row := range 2 {
		for i := range n {
			fmt.Fprintf(&b, `<g><title>f%d (%d samples, 0.00%%)</title><rect x="10.0" y="%d" width="0.0" height="15"/></g>`, i%1000, 2-row, 84-16*row)
		}
	}
	p := formattest.Read(Format, "x.svg", format.Options{}, []byte(b.String())).Profiles[0]
	sum := 0.0
	for _, self := range p.Self {
		sum += self
	}
	if p.Total != 2*n || sum != 2*n || p.Self[0] != 0 {
		t.Errorf("a total of %g, of which the frames have %g", p.Total, sum-p.Self[0])
	}
}

func TestRefuse(t *testing.T) {
	for _, text := range []string{
		`<svg><!-- Flame graph stack visualization. --><text x="1">ERROR: No valid input provided to flamegraph.pl.</text></svg>`,
		`<svg><!-- Flame graph stack visualization. --></svg>`,
		`<svg id="frames"><g><title>a (0 samples, 0.00%)</title><rect x="1" y="1" width="0" height="1"/></g></svg>`,
	} {
		ctx := formattest.Read(Format, "x", format.Options{}, []byte(text))
		if len(ctx.Profiles) != 0 || len(ctx.Problems) != 1 || ctx.Problems[0].Severity != format.Error {
			t.Errorf("%s: %d profiles, problems %v", text, len(ctx.Profiles), ctx.Problems)
		}
	}
	drawing := `<svg xmlns="http://www.w3.org/2000/svg"><title>tps by clients</title><rect x="1" y="1" width="90" height="50"/></svg>`
	if c := Format.Sniff("x.svg", []byte(drawing)); c != format.No {
		t.Errorf("a drawing is taken for a flame graph (%d)", c)
	}
}

// random makes a profile with names and weights of every kind.
func random(seed int64, fractions bool) *profile.Profile {
	r := rand.New(rand.NewSource(seed))
	b := profile.NewBuilder()
	names := []string{"main", "a b", "operator<", "x(int) (", `it's "odd" & <img onerror=x>`, "ünïcode", "[unknown]", "_[k", "f (1 samples, 5%)", "\u202eevil"}
	for range 300 {
		var stack []profile.FrameID
		for range 1 + r.Intn(12) {
			name := names[r.Intn(len(names))]
			f := profile.Frame{Name: name, Flags: profile.Classify([]byte(name), nil)}
			if r.Intn(3) == 0 {
				f.Module, f.Flags = "/usr/bin/a&b", f.Flags|profile.Inlined
			}
			stack = append(stack, b.Intern(f))
		}
		weight := float64(1 + r.Intn(1e6)*r.Intn(1e6))
		if fractions {
			weight = float64(r.Intn(1000)) / 64
		}
		b.Add(stack, weight, float64(1+r.Intn(3)))
	}
	p := b.Profile()
	p.Unit, p.Event, p.Label = "cycles", "cycles:P", `"label" & <co>`
	return p
}

// facts are what must come back, frame by frame.
func facts(p *profile.Profile) []string {
	var out []string
	for n := range p.Self {
		var path []string
		for at := int32(n); at > 0; at = p.Parent[at] {
			path = append(path, fmt.Sprint(p.Frames[p.Frame[at]]))
		}
		if p.Self[n] != 0 || p.Samples[n] != 0 {
			out = append(out, fmt.Sprint(path, p.Self[n], p.Samples[n]))
		}
	}
	slices.Sort(out)
	return append(out, p.Unit, p.Event, p.Label, fmt.Sprint(p.Total))
}

// TestOwn holds that a graph that we draw is read back as the profile it shows: frames, modules, flags, weights, samples.
func TestOwn(t *testing.T) {
	for seed := range int64(8) {
		p := random(seed, seed%2 == 1)
		for _, kind := range []string{profile.Flame, profile.Icicle} {
			var svg bytes.Buffer
			if err := profile.WriteSVG(&svg, p, profile.View{Kind: kind}, profile.SVG{Dark: seed > 4}); err != nil {
				t.Fatal(err)
			}
			ctx := formattest.Read(Format, "x.svg", format.Options{}, svg.Bytes())
			if len(ctx.Profiles) != 1 {
				t.Fatalf("%v", ctx.Problems)
			}
			got, want := facts(ctx.Profiles[0]), facts(p)
			if !slices.Equal(got, want) {
				for i := range want {
					if i >= len(got) || got[i] != want[i] {
						t.Fatalf("%s, seed %d: got %s, want %s", kind, seed, got[min(i, len(got)-1)], want[i])
					}
				}
			}
		}
	}
}

// TestFixpoint holds that SVG → folded → SVG → folded changes nothing.
func TestFixpoint(t *testing.T) {
	first := lines(random(3, false))
	text := strings.Join(first, "\n") + "\n"
	for range 2 {
		p := formattest.Read(folded.Format, "x", format.Options{}, []byte(text)).Profiles[0]
		var svg bytes.Buffer
		if err := profile.WriteSVG(&svg, p, profile.View{}, profile.SVG{}); err != nil {
			t.Fatal(err)
		}
		back := formattest.Read(Format, "x.svg", format.Options{}, svg.Bytes()).Profiles[0]
		got := lines(back)
		if !slices.Equal(got, first) {
			t.Fatalf("changed: %d lines, then %d", len(first), len(got))
		}
		text = strings.Join(got, "\n") + "\n"
	}
}

// TestInverted holds that a graph merged from the leaves is turned round, and that a sandwich is refused.
func TestInverted(t *testing.T) {
	p := formattest.Read(folded.Format, "x", format.Options{}, []byte("a;b;c 3\na;b 2\nd;b 4\nd 1\n")).Profiles[0]
	var svg bytes.Buffer
	if err := profile.WriteSVG(&svg, p, profile.View{Kind: profile.Inverted}, profile.SVG{}); err != nil {
		t.Fatal(err)
	}
	back := formattest.Read(Format, "x.svg", format.Options{}, svg.Bytes()).Profiles[0]
	if got, want := lines(back), lines(p); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	svg.Reset()
	if err := profile.WriteSVG(&svg, p, profile.View{Kind: profile.Sandwich, Function: "b"}, profile.SVG{}); err != nil {
		t.Fatal(err)
	}
	if ctx := formattest.Read(Format, "x.svg", format.Options{}, svg.Bytes()); len(ctx.Profiles) != 0 || len(ctx.Problems) != 1 {
		t.Errorf("a sandwich gave %d profiles, problems %v", len(ctx.Profiles), ctx.Problems)
	}
}

func FuzzRead(f *testing.F) {
	for _, c := range cases {
		f.Add([]byte(c.text))
	}
	var svg bytes.Buffer
	if err := profile.WriteSVG(&svg, random(1, true), profile.View{MinWidth: 40}, profile.SVG{}); err != nil {
		f.Fatal(err)
	}
	f.Add(svg.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) { formattest.Fuzz(t, Format, data) })
}

func BenchmarkRead(b *testing.B) {
	var out strings.Builder
	out.WriteString("<svg><!-- Flame graph stack visualization. -->\n")
	const rows, per = 60, 100
	for row := range rows {
		for i := range per {
			fmt.Fprintf(&out, "<g >\n<title>function_%d (%d,000,000 samples, %.2f%%)</title><rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"15.0\" fill=\"rgb(230,110,40)\" rx=\"2\" ry=\"2\" />\n<text  x=\"%.2f\" y=\"%.1f\" ></text>\n</g>\n",
				i*7%50, rows-row, 100.0/per, 10+11.8*float64(i), 1000-16*row, 11.8, 13+11.8*float64(i), 1010.5-16*float64(row))
		}
	}
	data := []byte(out.String())
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		ctx := &format.Context{}
		ctx.Limits.DocumentBytes = 1 << 30
		r := Format.NewBytes(ctx)
		r.Write(data)
		r.Close()
		if len(ctx.Profiles) != 1 {
			b.Fatal(ctx.Problems)
		}
	}
}

// TestSides holds that a graph whose titles tell the weights of both sides (inferno's differential ones) gives both, whatever its
// widths show.
func TestSides(t *testing.T) {
	frame := func(name string, x, y, w, before, after int) string {
		return fmt.Sprintf("<g><title>%s\nSelf:\n\tBefore:\t(0 samples, 0.00%%)\n\tAfter:\t(0 samples, 0.00%%)\n\tChange:\t0.00%%pt\nTotal:\n\tBefore:\t(%d samples, 9.09%%)\n\tAfter:\t(%d samples, 90.91%%)\n\tChange:\t+81.82%%pt\n\nVisual Width:\t(%d samples, 50.00%%)</title>"+
			"<rect x=\"0%%\" y=\"%d\" width=\"5%%\" height=\"15\" fg:x=\"%d\" fg:w=\"%d\"/><text x=\"0.25%%\" y=\"1\">%.1s..</text></g>\n", name, before, after, w, y, x, w, name)
	}
	in := "<svg><!--Flame graph stack visualization.--><svg id=\"frames\" total_samples=\"18\">" +
		frame("grown", 0, 53, 9, 3, 12) + frame("leaf&lt;T&gt;", 0, 37, 8, 1, 9) + frame("all", 0, 69, 18, 13, 13) + frame("shrunk", 9, 53, 9, 10, 1) + "</svg></svg>"
	ctx := formattest.Read(Format, "x.svg", format.Options{}, []byte(in))
	if len(ctx.Profiles) != 2 || len(ctx.Problems) != 1 {
		t.Fatalf("%d profiles, problems %v", len(ctx.Profiles), ctx.Problems)
	}
	for i, want := range []struct {
		column string
		lines  []string
	}{
		{"before", []string{"grown 2", "grown;leaf<T> 1", "shrunk 10"}},
		{"after", []string{"grown 3", "grown;leaf<T> 9", "shrunk 1"}},
	} {
		if p := ctx.Profiles[i]; p.Column != want.column || p.Unit != "samples" || !slices.Equal(lines(p), want.lines) {
			t.Errorf("%s: %q in %s, want %q", p.Column, lines(p), p.Unit, want.lines)
		}
	}
	formattest.Check(t, Format, "x.svg", []byte(in))
}

// TestNameAttributes holds that a frame with a title of its own goes by its text, unless that is cut.
func TestNameAttributes(t *testing.T) {
	in := `<svg><!--Flame graph stack visualization.--><g id="frames">
<g><title>all (10 samples, 100%)</title><rect x="10" y="69" width="100" height="15"/><text></text></g>
<a xlink:href="x"><title>see the manual</title><rect x="10" y="53" width="70" height="15"/><text>main</text></a>
<g class="c"><title>a long name</title><rect x="80" y="53" width="30" height="15"/><text>a l..</text></g></g></svg>`
	ctx := formattest.Read(Format, "x.svg", format.Options{}, []byte(in))
	if len(ctx.Profiles) != 1 {
		t.Fatal(ctx.Problems)
	}
	if got, want := lines(ctx.Profiles[0]), []string{"a long name 3", "main 7"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
