package folded

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"pgknee/analysis/format"
	"pgknee/analysis/format/formattest"
	"pgknee/analysis/profile"
	"pgknee/analysis/source"
)

// lines writes the profiles of an input as sorted lines "column|a;b weight".
func lines(ctx *format.Context) []string {
	out := []string{}
	for _, p := range ctx.Profiles {
		for n, self := range p.Self {
			if self == 0 {
				continue
			}
			var names []string
			for at := int32(n); at > 0; at = p.Parent[at] {
				f := p.Frames[p.Frame[at]]
				name := f.Name
				if f.Flags&profile.Kernel != 0 {
					name += "_[k]"
				}
				if f.Flags&profile.Inlined != 0 {
					name += "_[i]"
				}
				names = append(names, name)
			}
			slices.Reverse(names)
			out = append(out, fmt.Sprintf("%s|%s %g", p.Column, strings.Join(names, ";"), self))
		}
	}
	slices.Sort(out)
	return out
}

var cases = []struct {
	name, text string
	want       []string
	problem    string
}{
	{"usual", "a;b;c 1\na;b;c 1\na;b;d 4\na;b 5\nh 2\n", []string{"|a;b 5", "|a;b;c 2", "|a;b;d 4", "|h 2"}, ""},
	{"unsorted", "a;b 1\nx;y 2\na;b 3\na 4\na;b;c 5", []string{"|a 4", "|a;b 4", "|a;b;c 5", "|x;y 2"}, ""},
	{"prefixes of names", "a;b 1\na;bc 2\na;bcd;e 3\na;bc;d 4\nab 5\na 6\n", []string{"|a 6", "|a;b 1", "|a;bc 2", "|a;bc;d 4", "|a;bcd;e 3", "|ab 5"}, ""},
	{"CRLF and trailing blanks", "a;b 10 \r\na;c 5\t\r\n", []string{"|a;b 10", "|a;c 5"}, ""},
	{"byte order mark", "\ufeffa;b 10\na;b 5\n", []string{"|a;b 15"}, ""},
	{"fractions", "a;b 0.156\na;c 1e-10\na;d 2.5E+3\n", []string{"|a;b 0.156", "|a;c 1e-10", "|a;d 2500"}, ""},
	{"negative", "a;b 10\na;c -3\n", []string{"|a;b 10"}, "negative count ignored"},
	{"thousands", "a;b 10\na;b 0\na;c 1,234\n", []string{"|a;b 10"}, "no count"},
	{"no number", "a;b 10\na;b 0\na;b 0\na;c 1e999\na;c 1-2\n", []string{"|a;b 10"}, "not a number"},
	{"comments", "# by a script\n// second\na;b 10\ninvalid line\n\na;c 5\n", []string{"|a;b 10", "|a;c 5"}, "no count"},
	{"frameless", "a;b 10\na;b 0\na;b 0\n12\n;; 5\n", []string{"|a;b 10"}, "count without a stack"},
	{"empty frames", ";a;;b 10\na;c 6\n", []string{"|a;b 10", "|a;c 6"}, ""},
	{"indented frames", "  postgres;  PostgresMain;  ExecScan 7\n  postgres;  PostgresMain;  ExecSort 3\n", []string{"|postgres;PostgresMain;ExecScan 7", "|postgres;PostgresMain;ExecSort 3"}, ""},
	{"tab before the count", "a;b\t10\na;c\t5\n", []string{"|a;b 10", "|a;c 5"}, ""},
	{"zero", "a;b 10\na;c 0\n", []string{"|a;b 10"}, ""},
	{"marks", "a;do_syscall_64_[k];futex_wait_[k] 12\na;ExecScan_[i] 4\na;x_[w] 1\n", []string{"|a;ExecScan_[i] 4", "|a;do_syscall_64_[k];futex_wait_[k] 12", "|a;x 1"}, ""},
	{"; in brackets", "a;foo<[u8; 8]>::bar;b 3\na;foo<[u8; 8]>::bar 4\na;x[;y 5\na;x[;y];z 6\n", []string{"|a;foo<[u8; 8]>::bar 4", "|a;foo<[u8; 8]>::bar;b 3", "|a;x[;y 5", "|a;x[;y];z 6"}, ""},
	{"blanks in frames", "Thread 1 of 2;foo (int, int) 12\nThread 1 of 2;bar baz 7\n", []string{"|Thread 1 of 2;bar baz 7", "|Thread 1 of 2;foo (int, int) 12"}, ""},
	{"a number in a frame, one column", "a;foo (int, int) 12 7\na;b 3\na;c 4\n", []string{"|a;b 3", "|a;c 4", "|a;foo (int, int) 12 7"}, ""},
	{"two columns", "a;b 10 12\na;c 5 0\na;d 0 9\n", []string{"after|a;b 12", "after|a;d 9", "before|a;b 10", "before|a;c 5"}, ""},
	{"two columns, one missing", strings.Repeat("a;b 10 12\n", 40) + "a;c 5\n", []string{"after|a;b 480", "before|a;b 400"}, "one count in a file of two"},
	{"one column, however the first lines look", strings.Repeat("a;b (int) 12 1\n", 1500) + strings.Repeat("a;c 1\n", 100), []string{"|a;b (int) 12 1500", "|a;c 100"}, ""},
	{"separators", "a;--;b 1\na;-;c 2\n", []string{"|a;--;b 1", "|a;-;c 2"}, ""},
	{"large", "a;b 9007199254740994\n", []string{"|a;b 9.007199254740994e+15"}, "above 2^53"},
}

func TestRead(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ctx := formattest.Read(Format, "x", format.Options{}, []byte(c.text))
			if got := lines(ctx); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if told := slices.ContainsFunc(ctx.Problems, func(p format.Problem) bool { return strings.Contains(p.Message, c.problem) }); c.problem != "" && !told || c.problem == "" && len(ctx.Problems) > 0 {
				t.Errorf("problems %v, want %q", ctx.Problems, c.problem)
			}
			formattest.Check(t, Format, "x", []byte(c.text))
		})
	}
}

// TestDeep holds that neither a deep stack nor one on a line longer than what is sniffed is a problem.
func TestDeep(t *testing.T) {
	var b strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&b, "f%d;", i)
	}
	text := b.String() + "leaf 5\nf0 3\n"
	if Format.Sniff("", []byte(text[:format.HeadBytes])) < format.Likely {
		t.Error("not recognised")
	}
	p := formattest.Read(Format, "x", format.Options{}, []byte(text)).Profiles[0]
	f := p.KnownFunctions()
	if p.Total != 8 || f[0].Name != "leaf" || f[1].Name != "f0" || f[1].Total != 8 || f[1].Self != 3 {
		t.Errorf("total %g, functions %v", p.Total, f[:2])
	}
}

func TestSniff(t *testing.T) {
	for _, text := range []string{
		"", "1;2;3\n4;5;6\n", "i5;1;350.2\ni7;2;360\n", "clients tps\n1 200\n2 400\n", "0 199 2241 0 1175850568 995598\n",
		"tps = 12\nnumber of clients: 10\n", "SELECT 1; 5\n", "> a;b 1\n> a;c 2\n", "progress: 5.0 s, 10.0 tps, lat 1.0 ms stddev 0.1\n",
	} {
		if c := Format.Sniff("", []byte(text)); c != format.No {
			t.Errorf("%q: taken for folded stacks (%d)", text, c)
		}
	}
}

func TestBlock(t *testing.T) {
	var text []source.Line
	for i, l := range []string{"main;a;b 10", "main;c 5", "main 2", "", "As you see; b costs most 3", "x"} {
		text = append(text, source.Line{Text: []byte(l), No: i + 1})
	}
	if n := Block.Claims(text); n != 3 {
		t.Errorf("%d lines claimed, want 3", n)
	}
	if n := Block.Claims(text[4:]); n != 0 {
		t.Errorf("%d lines of prose claimed", n)
	}
	c := &format.Context{}
	Block.Read(c, format.Passage{Heading: "v13", Lines: text[:3]})
	if len(c.Profiles) != 1 || c.Profiles[0].Label != "v13" || c.Profiles[0].Total != 17 {
		t.Errorf("%d profiles", len(c.Profiles))
	}
}

func FuzzRead(f *testing.F) {
	for _, c := range cases {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, data []byte) { formattest.Fuzz(t, Format, data) })
}

// generate makes folded text as deep as that of a PostgreSQL server: files profiles one after the other, each sorted, of 1,500 stacks
// out of so many distinct ones.
func generate(files, distinct int) []byte {
	r := rand.New(rand.NewSource(1))
	all := make([]string, distinct)
	for i := range all {
		var b strings.Builder
		b.WriteString("postgres")
		at := 0
		for range 14 + r.Intn(14) {
			at = (at*5 + 1 + int(math.Abs(r.NormFloat64())*2)) % 900
			fmt.Fprintf(&b, ";function_number_%d", at)
		}
		all[i] = b.String()
	}
	var out []byte
	for range files {
		list := make([]string, 1500)
		for i := range list {
			list[i] = all[r.Intn(distinct)]
		}
		slices.Sort(list)
		for _, s := range list {
			out = fmt.Appendf(out, "%s %d\n", s, 1000000+r.Intn(1e8))
		}
	}
	return out
}

func BenchmarkRead(b *testing.B) {
	for _, distinct := range []int{5000, 1000000} {
		data := generate(67, distinct)
		b.Run(fmt.Sprintf("distinct=%d", distinct), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				ctx := &format.Context{Limits: source.Limits{}.Or()}
				r := Format.New(ctx)
				s := source.Splitter{Max: ctx.Limits.LineBytes, Line: r.Line}
				s.Write(data)
				s.Close()
				r.Close()
				if len(ctx.Profiles) != 1 {
					b.Fatal(ctx.Problems)
				}
			}
		})
	}
}
