package profile

import (
	"encoding/xml"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgknee/analysis/report"
)

// random builds a profile of a few functions, some without a symbol, some recursive.
func random(r *rand.Rand, label string) *Profile {
	b := NewBuilder()
	names := []string{"PostgresMain", "exec", "plan", "store", "s_lock", "f.part.0", "heapgetpage", "main"}
	for range r.IntN(60) + 1 {
		var stack []FrameID
		for range r.IntN(7) + 1 {
			if r.IntN(6) == 0 {
				stack = append(stack, b.Intern(Frame{Name: "[postgres]", Flags: Unknown}))
			} else {
				stack = append(stack, b.Intern(Frame{Name: names[r.IntN(len(names))]}))
			}
		}
		b.Add(stack, float64(r.IntN(100)+1), 1)
	}
	p := b.Profile()
	p.Label = label
	return p
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

func TestCompareProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		p, q := random(r, "p"), random(r, "q")
		if c, ok := Compare(p, p); !ok || len(c.Changes) > 0 {
			t.Fatalf("a profile differs from itself: %+v", c.Changes)
		}
		forth, _ := Compare(p, q)
		back, _ := Compare(q, p)
		if len(forth.Changes) != len(back.Changes) {
			t.Fatalf("%d changes forth, %d back", len(forth.Changes), len(back.Changes))
		}
		for i, c := range forth.Changes {
			b := back.Changes[i]
			if c.Function != b.Function || !near(c.SelfFrom, b.SelfTo) || !near(c.SelfTo, b.SelfFrom) || !near(c.TotalFrom, b.TotalTo) || !near(c.TotalTo, b.TotalFrom) {
				t.Fatalf("forth %+v, back %+v", c, b)
			}
			for _, v := range []float64{c.SelfFrom, c.SelfTo, c.TotalFrom, c.TotalTo} {
				if v < 0 || v > 1+1e-9 {
					t.Fatalf("%+v is no pair of shares", c)
				}
			}
		}
		d := Diff(p, q)
		from, to := d.Totals()
		if math.Abs(from[0]-1) > 1e-9 || math.Abs(to[0]-1) > 1e-9 {
			t.Fatalf("alignment changed the totals to %g and %g", from[0], to[0])
		}
		for n := 1; n < len(d.Parent); n++ {
			if d.Parent[n] >= int32(n) || from[n] == 0 && to[n] == 0 {
				t.Fatalf("node %d below %d has %g and %g", n, d.Parent[n], from[n], to[n])
			}
		}
		o, err := d.Layout(OverlayView{MinWidth: -1})
		if err != nil {
			t.Fatal(err)
		}
		checkOverlay(t, d, o)
	}
}

// checkOverlay holds that frames lie on their parents, side by side, and are at least as wide as the larger side.
func checkOverlay(t *testing.T, d *Difference, o *Overlay) {
	t.Helper()
	if len(o.Rects) != len(d.Parent) {
		t.Fatalf("%d of %d nodes laid out", len(o.Rects), len(d.Parent))
	}
	at := map[int32]OverlayRect{}
	beside := map[int32][]OverlayRect{}
	whole := 0.0
	for n := range d.SelfFrom {
		whole += max(d.SelfFrom[n], d.SelfTo[n])
	}
	for _, r := range o.Rects {
		if r.Node != 0 {
			up := at[d.Parent[r.Node]]
			if r.Row != up.Row+1 || r.X < up.X-1e-6 || r.X+r.W > up.X+up.W+1e-6 {
				t.Fatalf("%+v does not lie on %+v", r, up)
			}
			for _, other := range beside[up.Node] {
				if r.X < other.X+other.W-1e-6 && other.X < r.X+r.W-1e-6 {
					t.Fatalf("%+v lies over %+v", r, other)
				}
			}
			beside[up.Node] = append(beside[up.Node], r)
		}
		if r.W < max(r.TotalFrom, r.TotalTo)/whole*o.Width-1e-6 {
			t.Fatalf("%+v is too narrow", r)
		}
		at[r.Node] = r
	}
}

func describe(c report.ProfileComparison) string {
	var b strings.Builder
	for _, x := range c.Changes {
		fmt.Fprintf(&b, "%s self %.2f→%.2f total %.2f→%.2f %s\n", x.Function, 100*x.SelfFrom, 100*x.SelfTo, 100*x.TotalFrom, 100*x.TotalTo, x.Unknown)
	}
	return strings.ReplaceAll(b.String(), " \n", "\n")
}

// Two majors: frames without a symbol above PostgresMain, a function renamed, another inlined.
func TestAlign(t *testing.T) {
	from := stacks(t, "postgres;ServerLoop;BackendStartup;BackendRun;PostgresMain;scan;heapgettup;heapgetpage 30", "postgres;ServerLoop;BackendStartup;BackendRun;PostgresMain;expr;deform.part.0 50",
		"postgres;ServerLoop;BackendStartup;BackendRun;PostgresMain;expr 10", "postgres;checkpointer 10")
	to := stacks(t, "postgres;ServerLoop;[unknown];[unknown];PostgresMain;scan;heapgettup;heap_prepare_pagescan 20", "postgres;ServerLoop;[unknown];[unknown];PostgresMain;expr;deform 70", "postgres;checkpointer 10")
	from.Label, to.Label = "pg163", "17beta1"
	from.Event, to.Event = "cycles:P", "cycles"
	from.Unit, to.Unit = "samples", "samples"
	c, ok := Compare(from, to)
	if want := "deform self 50.00→70.00 total 50.00→70.00\nexpr self 10.00→0.00 total 60.00→70.00\nheap_prepare_pagescan self 30.00→20.00 total 30.00→20.00\n" +
		"heapgettup self 0.00→0.00 total 30.00→20.00\nscan self 0.00→0.00 total 30.00→20.00\n"; !ok || describe(c) != want {
		t.Errorf("got\n%s\nwant\n%s", describe(c), want)
	}
	notes := strings.Join(c.Notes, "\n")
	for _, want := range []string{"100 samples of pg163", "from PostgresMain on; 10.00 % of pg163 and 10.00 % of 17beta1", "heapgetpage = heap_prepare_pagescan"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes lack %q:\n%s", want, notes)
		}
	}
	d := Diff(from, to)
	var paths []string
	for n := 1; n < len(d.Parent); n++ {
		path := ""
		for k := int32(n); k > 0; k = d.Parent[k] {
			path = d.Frames[d.Frame[k]].Name + " " + path
		}
		paths = append(paths, strings.TrimSpace(path))
	}
	slices.Sort(paths)
	if got, want := strings.Join(paths, "\n"), "PostgresMain\nPostgresMain expr\nPostgresMain expr deform\nPostgresMain scan\nPostgresMain scan heapgettup\n"+
		"PostgresMain scan heapgettup heap_prepare_pagescan\npostgres\npostgres checkpointer"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A rename needs the majors of its row where the labels tell them, and is none where a side has both names.
func TestRename(t *testing.T) {
	renamed := func(from, to, a, b string) bool {
		x, y := stacks(t, a+" 1"), stacks(t, b+" 1")
		x.Label, y.Label = from, to
		c, _ := Compare(x, y)
		return strings.Contains(strings.Join(c.Notes, " "), "heapgetpage = ")
	}
	for _, test := range []struct {
		from, to, a, b string
		want           bool
	}{
		{"a", "b", "heapgetpage", "heap_prepare_pagescan", true},
		{"a", "b", "heap_prepare_pagescan", "heapgetpage", true},
		{"16.3", "17beta1", "heapgetpage", "heap_prepare_pagescan", true},
		{"17.1", "16.4", "heap_prepare_pagescan", "heapgetpage", true},
		{"v12", "v13", "heapgetpage", "heap_prepare_pagescan", false},
		{"a", "b", "heapgetpage", "heapgetpage;heap_prepare_pagescan", false},
	} {
		if got := renamed(test.from, test.to, test.a, test.b); got != test.want {
			t.Errorf("%+v: got %v", test, got)
		}
	}
}

func TestMajor(t *testing.T) {
	for in, want := range map[string]int{
		"v13Beta1": 13, "pg163": 16, "pg-scan-PN53-pg17beta2": 17, "REL_12_STABLE": 12, "16.3": 16, "PostgreSQL 9.6": 9, "c64": 0, "run 12": 0, "": 0, "v128": 12,
	} {
		if got := major(in); got != want {
			t.Errorf("%s: got %d, want %d", in, got, want)
		}
	}
}

// Partial profiles are compared where both know something, and no further.
func TestComparePartial(t *testing.T) {
	list := func(label string, lines ...string) *Profile { // a flat list
		p := stacks(t, lines...)
		p.Label, p.Partial, p.Total, p.Stated = label, true, 100, map[string]Weights{}
		for n := 1; n < len(p.Parent); n++ {
			p.Stated[p.Name(int32(n))] = Weights{Self: p.Self[n], Total: NotKnown}
		}
		return p
	}
	prose := func(label, function string, total float64) *Profile {
		p := NewBuilder().Profile()
		p.Label, p.Partial, p.Total, p.Unit = label, true, 100, "percent"
		p.Stated = map[string]Weights{function: {Self: NotKnown, Total: total}}
		return p
	}
	full := stacks(t, "main;plan;s_lock 10", "main;exec 90")
	full.Label = "full"
	tests := []struct {
		name     string
		from, to *Profile
		want     string
		note     string
	}{
		{"two lists", list("a", "s_lock 1", "exec 20"), list("b", "s_lock 26", "plan 5"), "s_lock self 1.00→26.00 total 1.00→26.00 total\n", "Known of a only, so not compared: exec."},
		{"a complete list knows what is not in it", list("a", "exec 99"), list("b", "s_lock 26"), "s_lock self 0.00→26.00 total 0.00→26.00 total\n", "a is partial"},
		{"list and stacks", list("a", "s_lock 1"), full, "s_lock self 1.00→10.00 total 1.00→10.00 total\n", "Known of full only, so not compared: main, exec, plan."},
		{"prose and stacks", prose("a", "plan", 4), full, "plan self 0.00→0.00 total 4.00→10.00 self\n", "a few inclusive shares"},
		{"prose and list: nothing in common", prose("a", "s_lock", 4), list("b", "s_lock 9"), "", ""},
	}
	for _, test := range tests {
		c, ok := Compare(test.from, test.to)
		if ok != (test.want != "") || ok && describe(c) != test.want || !strings.Contains(strings.Join(c.Notes, "\n"), test.note) {
			t.Errorf("%s: got %v\n%s\nwant\n%s\nnotes %q", test.name, ok, describe(c), test.want, c.Notes)
		}
	}
	other := *full
	other.Event = "instructions"
	if _, ok := Compare(full, &other); ok {
		t.Error("two events were compared")
	}
}

func TestOverlay(t *testing.T) {
	d := Diff(stacks(t, "a;b 50", "a;gone 50"), stacks(t, "a;b 40", "a;new 60"))
	o, err := d.Layout(OverlayView{Width: 150, Search: "^n"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range o.Rects {
		got = append(got, fmt.Sprintf("%s %g+%g %.2f→%.2f%s%v", o.Frames[r.Frame].Name, math.Round(r.X), math.Round(r.W), r.TotalFrom, r.TotalTo, r.Only, r.Match))
	}
	slices.Sort(got)
	if want := "a 0+150 1.00→1.00false\nall 0+150 1.00→1.00false\nb 56+47 0.50→0.40false\ngone 103+47 0.50→0.00fromfalse\nnew 0+56 0.00→0.60totrue"; strings.Join(got, "\n") != want {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	d.From = "<b> & c"
	var svg strings.Builder
	if err := WriteOverlaySVG(&svg, d, OverlayView{Width: 900, Self: true}, SVG{Dark: true}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"&lt;b&gt; &amp; c", "<title>new: 0.00 % → 60.00 %, only in ; itself", ">b −10.0 points<", `fill="#f0883e"`} {
		if !strings.Contains(svg.String(), want) {
			t.Errorf("the picture lacks %s:\n%s", want, svg.String())
		}
	}
	if err := xml.Unmarshal([]byte(svg.String()), new(struct{})); err != nil {
		t.Error(err)
	}
	for _, v := range []OverlayView{{Kind: "pie"}, {Widths: "x"}, {Search: "("}, {Node: 99}} {
		if _, err := d.Layout(v); err == nil {
			t.Errorf("%+v: no error", v)
		}
	}
}

// What a comparison must not be slow at: a tree of a million nodes on each side.
func BenchmarkDiff(b *testing.B) {
	build := func(salt int) *Profile {
		bl := NewBuilder()
		ids := make([]FrameID, 2000)
		for i := range ids {
			ids[i] = bl.Intern(Frame{Name: fmt.Sprint("f", i)})
		}
		stack := make([]FrameID, 20)
		for i := range 60_000 {
			x := uint32(i*2654435761 + salt)
			for k := range stack {
				x = x*1664525 + 1013904223
				stack[k] = ids[(int(x>>16)%(k*100+1))%2000]
			}
			bl.Add(stack, 1, 1)
		}
		return bl.Profile()
	}
	p, q := build(0), build(7)
	b.ReportMetric(float64(len(p.Parent)), "nodes")
	d := Diff(p, q)
	b.Run("compare", func(b *testing.B) {
		for b.Loop() {
			Compare(p, q)
		}
	})
	b.Run("layout", func(b *testing.B) {
		for b.Loop() {
			d.Layout(OverlayView{})
		}
	})
}

// Where recordings hold postgres and other programs, changes say which are of the others only.
func TestElsewhere(t *testing.T) {
	build := func(scan, compress float64) *Profile {
		b := NewBuilder()
		main := b.Child(0, b.Intern(Frame{Name: "main"}))
		b.AddThread(b.Child(main, b.Intern(Frame{Name: "scan"})), 0, scan, 1)
		b.AddThread(b.Child(main, b.Intern(Frame{Name: "compress"})), 1, compress, 1)
		p := b.Profile()
		p.Threads = []Thread{{Command: "postgres"}, {Command: "brotli"}}
		return p
	}
	c, _ := Compare(build(50, 50), build(70, 30))
	for _, f := range c.Changes {
		if f.Elsewhere != (f.Function == "compress") {
			t.Errorf("%s: elsewhere %v", f.Function, f.Elsewhere)
		}
	}
	if len(c.Changes) != 2 {
		t.Errorf("%d changes, want 2", len(c.Changes))
	}
}
