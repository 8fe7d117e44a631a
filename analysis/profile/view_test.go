package profile

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// drawn writes the rects of a layout as lines "row x+width name".
func drawn(l *Layout) string {
	var out []string
	for _, r := range l.Rects {
		match := ""
		if r.Match {
			match = " *"
		}
		out = append(out, fmt.Sprintf("%d %g+%g %s %g/%g%s", r.Row, r.X, r.W, l.Frames[r.Frame].Name, r.Self, r.Total, match))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// folded writes a profile as sorted lines.
func foldedLines(p *Profile) string {
	var out []string
	for n, self := range p.Self {
		if self != 0 {
			var names []string
			for at := int32(n); at > 0; at = p.Parent[at] {
				names = append(names, p.Name(at))
			}
			slices.Reverse(names)
			out = append(out, fmt.Sprintf("%s %g", strings.Join(names, ";"), self))
		}
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

func example(t *testing.T) *Profile {
	return stacks(t, "main;a;b 10", "main;a;c 20", "main;a 10", "main;d;b 40", "main;d;b;b 15", "other 5")
}

func TestLayouts(t *testing.T) {
	for _, c := range []struct {
		name string
		v    View
		want string
	}{
		{"flame", View{Width: 100}, `
0 0+100 all 0/100
1 0+95 main 0/95
1 95+5 other 5/5
2 0+55 d 0/55
2 55+40 a 10/40
3 0+55 b 40/55
3 55+20 c 20/20
3 75+10 b 10/10
4 0+15 b 15/15`},
		{"by name, narrow ones cut", View{Width: 100, Order: "name", MinWidth: 16, Kind: Icicle}, `
0 0+100 all 0/100
1 0+95 main 0/95
2 0+40 a 10/40
2 40+55 d 0/55
3 0+20 c 20/20
3 40+55 b 40/55`},
		{"zoom", View{Width: 100, Node: 2}, `
0 0+100 all 0/100
1 0+100 main 0/95
2 0+100 a 10/40
3 0+50 c 20/20
3 50+25 b 10/10`},
		{"inverted", View{Width: 100, Kind: Inverted}, `
0 0+100 all 0/100
1 0+65 b 0/65
1 65+20 c 0/20
1 85+10 a 0/10
1 95+5 other 5/5
2 0+40 d 0/40
2 40+15 b 0/15
2 55+10 a 0/10
2 65+20 a 0/20
2 85+10 main 10/10
3 0+40 main 40/40
3 40+15 d 0/15
3 55+10 main 10/10
3 65+20 main 20/20
4 40+15 main 15/15`},
		{"sandwich", View{Width: 65, Kind: Sandwich, Function: "b"}, `
-1 0+55 d 0/55
-1 55+10 a 0/10
-2 0+55 main 55/55
-2 55+10 main 10/10
0 0+65 b 65/65
1 0+15 b 15/15`},
		{"search", View{Width: 100, Search: "^[bd]$", MinWidth: 30}, `
0 0+100 all 0/100
1 0+95 main 0/95
2 0+55 d 0/55 *
2 55+40 a 10/40
3 0+55 b 40/55 *`},
	} {
		l, err := layout(example(t), c.v)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		want := strings.Split(strings.TrimSpace(c.want), "\n")
		slices.Sort(want)
		if got := drawn(l); got != strings.Join(want, "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, strings.Join(want, "\n"))
		}
	}
}

// TestSearchShare holds that a stack with several matches counts once.
func TestSearchShare(t *testing.T) {
	l, err := layout(example(t), View{Search: "b|d"})
	if err != nil || l.Matched != 65 || l.Matches != 2 {
		t.Errorf("matched %g in %d functions, %v; want 65 in 2", l.Matched, l.Matches, err)
	}
}

func TestErrors(t *testing.T) {
	for _, v := range []View{
		{Kind: "pie"},
		{Search: "("},
		{Node: 99},
		{Node: -1},
		{Kind: Sandwich, Function: "nothing"},
		{Samples: true},
		{Steps: []Step{{Op: Focus, Function: "nothing"}}},
		{Steps: []Step{{Op: "?"}}},
		{Steps: []Step{{Op: OnlyThread, Command: "x"}}},
	} {
		p := example(t)
		p.Samples = nil
		if _, err := layout(p, v); err == nil {
			t.Errorf("%+v: no error", v)
		}
	}
}

func TestSteps(t *testing.T) {
	for _, c := range []struct {
		steps []Step
		want  string
	}{
		{[]Step{{Op: Focus, Function: "a"}}, "main;a 10\nmain;a;b 10\nmain;a;c 20"},
		{[]Step{{Op: Reroot, Function: "b"}}, "b 50\nb;b 15"},
		{[]Step{{Op: Hide, Function: "d"}}, "main;a 10\nmain;a;b 10\nmain;a;c 20\nmain;b 40\nmain;b;b 15\nother 5"},
		{[]Step{{Op: Drop, Function: "d"}}, "main;a 10\nmain;a;b 10\nmain;a;c 20\nother 5"},
		{[]Step{{Op: FoldRecursion}}, "main;a 10\nmain;a;b 10\nmain;a;c 20\nmain;d;b 55\nother 5"},
		{[]Step{{Op: Hide, Function: "main"}, {Op: Reroot, Function: "d"}}, "d;b 40\nd;b;b 15"},
		{[]Step{{Op: Hide, Function: "other"}}, " 5\nmain;a 10\nmain;a;b 10\nmain;a;c 20\nmain;d;b 40\nmain;d;b;b 15"},
	} {
		p := example(t)
		before := foldedLines(p)
		tree, err := Prepare(p, View{Steps: c.steps})
		if err != nil {
			t.Errorf("%v: %v", c.steps, err)
			continue
		}
		if got := foldedLines(tree.Profile); got != c.want {
			t.Errorf("%v: got\n%s\nwant\n%s", c.steps, got, c.want)
		}
		if foldedLines(p) != before {
			t.Errorf("%v changed the profile itself", c.steps)
		}
	}
}

func TestUnknownAndClones(t *testing.T) {
	b := NewBuilder()
	for _, s := range []string{"main;[unknown];[postgres];run.part.0", "main;[postgres];run", "main;run.cold"} {
		var stack []FrameID
		for name := range strings.SplitSeq(s, ";") {
			stack = append(stack, b.Intern(Frame{Name: name, Flags: Classify([]byte(name), nil)}))
		}
		b.Add(stack, 1, 1)
	}
	p, err := Prepare(b.Profile(), View{Steps: []Step{{Op: MergeUnknown}, {Op: FoldClones}}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := foldedLines(p.Profile), "main;[unknown];run 2\nmain;run 1"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestThreads(t *testing.T) {
	s := NewSymbols()
	b := NewBuilderOf(s)
	f := s.Intern(Frame{Name: "f"})
	g := s.Intern(Frame{Name: "g"})
	one, two := s.Thread(Thread{"postgres", 1, 1}), s.Thread(Thread{"perf", 2, 2})
	b.AddThread(b.Child(0, f), one, 10, 1)
	b.AddThread(b.Child(0, f), two, 5, 1)
	b.AddThread(b.Child(0, g), two, 7, 1)
	p := b.Profile()
	only, err := Apply(p, Step{Op: OnlyThread, Command: "perf"})
	if err != nil || foldedLines(only) != "f 5\ng 7" || only.Total != 12 || len(only.Cells) != 2 {
		t.Errorf("only perf: %s, %v", foldedLines(only), err)
	}
	without, err := Apply(p, Step{Op: WithoutThread, Command: "perf"})
	if err != nil || foldedLines(without) != "f 10" {
		t.Errorf("without perf: %s, %v", foldedLines(without), err)
	}
	if got, want := fmt.Sprint(Summarize(p).Commands), "[{perf 0.5454545454545454 1} {postgres 0.45454545454545453 1}]"; got != want {
		t.Errorf("commands %s, want %s", got, want)
	}
}

func layout(p *Profile, v View) (*Layout, error) {
	t, err := Prepare(p, v)
	if err != nil {
		return nil, err
	}
	return t.Layout(v)
}

// big makes a tree of about n nodes.
func big(n int) *Profile {
	b := NewBuilder()
	r := rand.New(rand.NewSource(1))
	ids := make([]FrameID, 3000)
	for i := range ids {
		ids[i] = b.Intern(Frame{Name: fmt.Sprintf("function_%d", i)})
	}
	stack := make([]FrameID, 0, 64)
	for len(b.p.Parent) < n {
		stack = stack[:0]
		at := 0
		for range 10 + r.Intn(30) {
			at = (at*7 + 1 + int(math.Abs(r.NormFloat64())*3)) % len(ids)
			stack = append(stack, ids[at])
		}
		b.Add(stack, float64(1+r.Intn(1000)), 1)
	}
	return b.Profile()
}

var views = map[string]View{
	"flame":    {},
	"search":   {Search: "_1.*7$"},
	"inverted": {Kind: Inverted},
	"sandwich": {Kind: Sandwich, Function: "function_1"},
	"focus":    {Steps: []Step{{Op: Focus, Function: "function_8"}}},
	"hide":     {Steps: []Step{{Op: Hide, Function: "function_1"}}},
	"reroot":   {Steps: []Step{{Op: Reroot, Function: "function_8"}}},
	"clones":   {Steps: []Step{{Op: FoldClones}}},
	"samples":  {Samples: true},
}

// TestInvariants holds that layouts lose nothing: frames lie within the one they stand on, and with nothing cut the self weights
// add up to what is shown.
func TestInvariants(t *testing.T) {
	p := big(20000)
	for name, v := range views {
		v.MinWidth = -1
		l, err := layout(p, v)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var self float64
		for _, r := range l.Rects {
			if r.X < -1e-6 || r.X+r.W > l.Width+1e-6 || r.W <= 0 || r.Self > r.Total*(1+1e-9) {
				t.Fatalf("%s: rect %+v outside", name, r)
			}
			self += r.Self
		}
		if name != "sandwich" && math.Abs(self-l.Shown) > 1e-6*l.Shown || l.Shown > l.Total || l.Hidden != 0 {
			t.Errorf("%s: self weights add up to %g of %g shown, %d hidden", name, self, l.Shown, l.Hidden)
		}
	}
}

// A tree of a million nodes is laid out in every view with all of its weight.
func TestMillion(t *testing.T) {
	if testing.Short() {
		t.Skip("a tree of a million nodes")
	}
	p := big(1_000_000)
	for name, v := range views {
		l, err := layout(p, v)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(l.Rects) == 0 || l.Shown <= 0 || l.Shown > l.Total {
			t.Errorf("%s: %d rects, %g of %g shown", name, len(l.Rects), l.Shown, l.Total)
		}
	}
}

func BenchmarkViews(b *testing.B) {
	p := big(1_000_000)
	for name, v := range views {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := layout(p, v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("functions", func(b *testing.B) {
		for b.Loop() {
			p.KnownFunctions()
		}
	})
}
