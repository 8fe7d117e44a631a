package curve

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgknee/analysis/bench"
	"pgknee/analysis/source"
)

// run makes a run of a file; the changes say what it states besides.
func run(file string, clients int, changes ...func(*bench.Run)) *bench.Run {
	tps := 1000 * float64(max(clients, 1))
	r := &bench.Run{At: source.Position{File: file, Line: 1}, TPS: &tps, TPSKind: bench.ExcludingConnections}
	if clients > 0 {
		r.Clients = &clients
	} else {
		r.Flag(bench.FlagClientsUnknown)
	}
	for _, change := range changes {
		change(r)
	}
	return r
}

func label(l string) func(*bench.Run)         { return func(r *bench.Run) { r.Label = l } }
func mode(m string) func(*bench.Run)          { return func(r *bench.Run) { r.QueryMode = m } }
func script(s string) func(*bench.Run)        { return func(r *bench.Run) { r.Script = s } }
func scale(n int) func(*bench.Run)            { return func(r *bench.Run) { r.Scale = &n } }
func threads(n int) func(*bench.Run)          { return func(r *bench.Run) { r.Threads = &n } }
func version(v string) func(*bench.Run)       { return func(r *bench.Run) { r.ServerVersion = v } }
func flagged(f string) func(*bench.Run)       { return func(r *bench.Run) { r.Flag(f) } }
func unit(u string) func(*bench.Run)          { return func(r *bench.Run) { r.Unit = u } }
func attr(name, v string) func(*bench.Run)    { return func(r *bench.Run) { r.Set(name, v) } }
func kind(k string) func(*bench.Run)          { return func(r *bench.Run) { r.TPSKind = k } }
func including(f float64) func(*bench.Run)    { return func(r *bench.Run) { r.IncludingTPS = &f } }
func duration(s float64) func(*bench.Run)     { return func(r *bench.Run) { r.DurationS = &s } }
func logged(r *bench.Run)                     { r.Log = &bench.Log{} }
func numbered(clients ...int) (out []int)     { return clients }
func both(a, b []*bench.Run) (c []*bench.Run) { return append(append(c, a...), b...) }

// sweep makes a run of each file pattern for each number of clients and each repeat; {c} and {r} stand for them.
func sweep(pattern string, clients []int, repeats int, changes ...func(*bench.Run)) (out []*bench.Run) {
	for _, c := range clients {
		for r := 1; r <= repeats; r++ {
			name := strings.NewReplacer("{c}", fmt.Sprint(c), "{r}", fmt.Sprint(r)).Replace(pattern)
			out = append(out, run(name, c, changes...))
		}
	}
	return out
}

// show writes curves as label: clients×runs.
func show(curves []*bench.Curve) string {
	var out []string
	for _, c := range curves {
		s := c.Label + ":"
		for _, p := range c.Points {
			s += fmt.Sprintf(" %d", p.Clients)
			if len(p.Runs) != 1 {
				s += fmt.Sprintf("×%d", len(p.Runs))
			}
		}
		if len(c.LeftOut) > 0 {
			s += fmt.Sprintf(" left out %d", len(c.LeftOut))
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

func TestGroup(t *testing.T) {
	powers := numbered(1, 2, 4, 8, 16)
	for _, c := range []struct {
		name string
		runs []*bench.Run
		want string
	}{
		{"setting in the name", both(sweep("tp_off-c{c}-r{r}.txt", powers, 3), sweep("tp_on-c{c}-r{r}.txt", powers, 3)), "tp_off: 1×3 2×3 4×3 8×3 16×3; tp_on: 1×3 2×3 4×3 8×3 16×3"},
		{"dots", both(sweep("prepared.c{c}.run{r}.log", powers, 2, mode("prepared")), sweep("simple.c{c}.run{r}.log", powers, 2, mode("simple"))), "prepared: 1×2 2×2 4×2 8×2 16×2; simple: 1×2 2×2 4×2 8×2 16×2"},
		{"folders", both(sweep("sweep/v12/c{c}.txt", powers, 1), sweep("sweep/v13/c{c}.txt", powers, 1)), "v12: 1 2 4 8 16; v13: 1 2 4 8 16"},
		{"archives", both(sweep("old.tar.gz!out/{c}.log", powers, 1), sweep("new.tar.gz!out/{c}.log", powers, 1)), "old: 1 2 4 8 16; new: 1 2 4 8 16"},
		{"an archive's member", both(sweep("a.zip!v12-{c}.log", powers, 1), sweep("a.zip!v13-{c}.log", powers, 1)), "v12: 1 2 4 8 16; v13: 1 2 4 8 16"},
		{"bare numbers", both(sweep("v12/{r}/read-only-{c}.log", powers, 2), sweep("v13/{r}/read-only-{c}.log", powers, 2)), "v12: 1×2 2×2 4×2 8×2 16×2; v13: 1×2 2×2 4×2 8×2 16×2"},
		{"bare repeats at the end", both(sweep("master_{c}_{r}.out", powers, 3), sweep("patched_{c}_{r}.out", powers, 3)), "master: 1×3 2×3 4×3 8×3 16×3; patched: 1×3 2×3 4×3 8×3 16×3"},
		{"number first", both(sweep("{c}clients-a.txt", powers, 1), sweep("{c}clients-b.txt", powers, 1)), "a: 1 2 4 8 16; b: 1 2 4 8 16"},
		{"a machine for each count", []*bench.Run{run("a.csv", 8, attr("machine", "one")), run("a.csv", 16, attr("machine", "two")), run("a.csv", 32, attr("machine", "three"))}, "machine=one: 8; machine=two: 16; machine=three: 32"},
		{"a version for each count", []*bench.Run{run("a.txt", 8, version("14")), run("a.txt", 16, version("15")), run("a.txt", 32, version("16"))}, "PG 14: 8; PG 15: 16; PG 16: 32"},
		{"what rises with the clients", []*bench.Run{run("a.txt", 8, attr("max_connections", "20"), script("b-8.sql")), run("a.txt", 16, attr("max_connections", "40"), script("b-16.sql")), run("a.txt", 32, attr("max_connections", "80"), script("b-32.sql"))}, "a: 8 16 32"},
		{"key=value", sweep("clients={c},run={r}.txt", powers, 2, version("16.2")), "PG 16.2: 1×2 2×2 4×2 8×2 16×2"},
		{"version that looks like a count", both(sweep("pg16-c{c}.txt", numbered(4, 16, 17), 1), sweep("pg17-c{c}.txt", numbered(4, 16, 17), 1)), "pg16: 4 16 17; pg17: 4 16 17"},
		{"two versions with points", both(sweep("v12.3-c{c}-r{r}.txt", powers, 1), sweep("v13.0-c{c}-r{r}.txt", powers, 1)), "v12.3: 1 2 4 8 16; v13.0: 1 2 4 8 16"},
		{"sizes in names", both(sweep("sb128MB-c{c}.txt", powers, 1), sweep("sb16GB-c{c}.txt", powers, 1)), "sb128MB: 1 2 4 8 16; sb16GB: 1 2 4 8 16"},
		{"numbered patches are no repeats", both(sweep("patch-1-c{c}.txt", powers, 1), sweep("patch-2-c{c}.txt", powers, 1)), "1: 1 2 4 8 16; 2: 1 2 4 8 16"},
		{"one series", sweep("c5d-rw-{c}.txt", powers, 1), "c5d-rw: 1 2 4 8 16"},
		{"one series without a name", sweep("-", numbered(8), 2, script("select-only")), "select-only: 8×2"},
		{"dates in names", []*bench.Run{run("run_20250815_130830.log", 1), run("run_20250815_140911.log", 8), run("run_20250816_090102.log", 8)}, "runs: 1 8×2"},
		{"unique names", []*bench.Run{run("aa.txt", 1), run("bb.txt", 2), run("cc.txt", 4), run("dd.txt", 8)}, "aa: 1 2 4 8"},
		{"script tells apart", both(sweep("reads-c{c}.txt", powers, 1, script("select-only")), sweep("writes-c{c}.txt", powers, 1, script("tpcb-like"))), "reads: 1 2 4 8 16; writes: 1 2 4 8 16"},
		{"scale in one file", both(sweep("a.txt", numbered(128), 3, scale(3000)), sweep("a.txt", numbered(128), 3, scale(7000))), "scale 3000: 128×3; scale 7000: 128×3"},
		{"scale that grows with the clients", []*bench.Run{run("a.txt", 1, scale(1)), run("a.txt", 8, scale(8)), run("a.txt", 64, scale(64))}, "a: 1 8 64"},
		{"mode in one file", []*bench.Run{run("a", 1, mode("simple")), run("a", 1, mode("prepared")), run("a", 2, mode("simple")), run("a", 2, mode("prepared"))}, "simple: 1 2; prepared: 1 2"},
		{"a fact that is missing agrees", []*bench.Run{run("a", 1, version("16.2")), run("a", 2), run("a", 4, version("16.2"))}, "a: 1 2 4"},
		{"columns", []*bench.Run{run("t", 1, label("v12.3")), run("t", 1, label("v13Beta1")), run("t", 1, label("v13Beta1 (track_planning=off)")), run("t", 2, label("v12.3"))}, "v12.3: 1 2; v13Beta1: 1; v13Beta1 (track_planning=off): 1"},
		{"columns called by numbers", []*bench.Run{run("t", 1, label("13")), run("t", 1, label("14")), run("t", 2, label("13")), run("t", 2, label("14"))}, "13: 1 2; 14: 1 2"},
		{"headings with counts", []*bench.Run{run("t", 8, label("v13 / 8 clients")), run("t", 16, label("v13 / 16 clients")), run("t", 8, label("v14 / 8 clients")), run("t", 16, label("v14 / 16 clients"))}, "v13: 8 16; v14: 8 16"},
		{"numbers within words of labels stay", []*bench.Run{run("t", 32, label("x.pg10_c32r128")), run("t", 32, label("x.pg11_c32r128"))}, "x.pg10_c32r128: 32; x.pg11_c32r128: 32"},
		{"headings with a common part", []*bench.Run{run("t", 8, label("Load / before")), run("t", 8, label("Load / after"))}, "before: 8; after: 8"},
		{"labels in two files", []*bench.Run{run("x.csv", 1, label("a")), run("x.csv", 1, label("b")), run("y.csv", 1, label("a")), run("y.csv", 1, label("b"))}, "x a: 1; x b: 1; y a: 1; y b: 1"},
		{"units apart", []*bench.Run{run("t", 1, unit("nopm")), run("t", 1), run("t", 2, unit("nopm")), run("t", 2)}, "nopm: 1 2; t: 1 2"},
		{"kinds apart", []*bench.Run{run("t", 1), run("t", 1, kind(bench.IncludingReconnections), flagged(bench.FlagReconnect))}, "t: 1; connection per transaction: 1"},
		{"attributes", []*bench.Run{run("t", 1, attr("jit", "on")), run("t", 1, attr("jit", "off"))}, "jit=on: 1; jit=off: 1"},
		{"threads at the same count", []*bench.Run{run("t", 64, threads(1)), run("t", 64, threads(16)), run("t", 8, threads(1)), run("t", 8, threads(8))}, "1 thread: 8 64; 16 threads: 64; 8 threads: 8"},
		{"threads that grow", []*bench.Run{run("t", 1, threads(1)), run("t", 8, threads(8)), run("t", 64, threads(8))}, "t: 1 8 64"},
		{"left out", []*bench.Run{run("run-c1.txt", 1), run("run-c64.txt", 64), run("run-c64-rate.txt", 64, flagged(bench.FlagRateLimited)), run("run-c128-aborted.txt", 128, flagged(bench.FlagAborted))}, "runs: 1 64 left out 2"},
		{"left out of one of two", both(sweep("v15-c{c}.txt", powers, 1), both(sweep("v16-c{c}.txt", numbered(1, 2), 1), sweep("v16-c{c}.txt", numbered(4, 8), 1, flagged(bench.FlagAborted)))), "v15: 1 2 4 8 16; v16: 1 2 left out 2"},
		{"nothing usable", []*bench.Run{run("a", 1, flagged(bench.FlagAborted))}, ""},
		{"clients from names", []*bench.Run{run("a-c8.csv", 0), run("a-c16.csv", 0), run("b-c8.csv", 0), run("b-c16.csv", 0)}, "a: 8 16; b: 8 16"},
		{"clients from bare names", []*bench.Run{run("a/1.csv", 0), run("a/8.csv", 0), run("a/16.csv", 0), run("a/64.csv", 0)}, "a: 1 8 16 64"},
		{"no clients anywhere", []*bench.Run{run("a.csv", 0), run("b.csv", 0)}, ""},
		{"folder and runs", both(sweep("tree/own/tp_on-c{c}-r{r}.txt", powers, 1), []*bench.Run{run("tree/c5d-rw-64.txt", 64)}), "own/tp_on: 1 2 4 8 16; c5d-rw: 64"},
		{"padded numbers with letters apart", both(sweep("res/listen_common-c-00{c}-j-00{c}-master-{r}.txt", numbered(1, 2, 4), 3), sweep("res/listen_common-c-00{c}-j-00{c}-opt_v2-{r}.txt", numbered(1, 2, 4), 3)), "master: 1×3 2×3 4×3; opt_v2: 1×3 2×3 4×3"},
		{"a repeat that is missing", []*bench.Run{run("a-c8-r2.txt", 8), run("a-c8-r4.txt", 8), run("b-c8-r3.txt", 8)}, "a: 8×2; b: 8"},
		{"machines called r5 and r6", []*bench.Run{run("r5.large-c8.txt", 8), run("r6.large-c8.txt", 8)}, "r5: 8; r6: 8"},
		{"many repeats", both(sweep("v12-c{c}-r{r}.txt", numbered(1, 2), 250), sweep("v13-c{c}-r{r}.txt", numbered(1, 2), 250)), "v12: 1×250 2×250; v13: 1×250 2×250"},
		{"processes that wrote logs", both(sweep("old/pgbench_log.41{c}9", powers, 1, logged), sweep("new/pgbench_log.52{c}3.1", powers, 1, logged)), "old: 1 2 4 8 16; new: 1 2 4 8 16"},
		{"threads and durations in names", sweep("pg-c{c}-j4-T60-r{r}.txt", powers, 2, threads(4), duration(60)), "pg: 1×2 2×2 4×2 8×2 16×2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := show(Group(c.runs, Options{})); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if got := show(Group(c.runs, Options{})); got != c.want {
				t.Errorf("the second time %s", got)
			}
		})
	}
}

// TestOneKind keeps figures with and without connection time apart within a series: if one run had to take the former, all do.
func TestOneKind(t *testing.T) {
	runs := []*bench.Run{run("a", 1, including(900)), run("a", 8, kind(bench.IncludingConnections), flagged(bench.FlagExcludingSpoilt))}
	curves := Group(runs, Options{})
	if len(curves) != 1 || *runs[0].TPS != 900 || runs[0].TPSKind != bench.IncludingConnections {
		t.Errorf("%s, %v %s", show(curves), *runs[0].TPS, runs[0].TPSKind)
	}
}

func TestSeriesOption(t *testing.T) {
	runs := both(sweep("x-c{c}.txt", numbered(1, 2), 1, mode("simple"), attr("pg_stat_statements.track_planning", "on")), sweep("y-c{c}.txt", numbered(1, 2), 1, mode("prepared"), attr("pg_stat_statements.track_planning", "on")))
	for keys, want := range map[string]string{
		"mode": "simple: 1 2; prepared: 1 2", "queryMode,track_planning": "simple on: 1 2; prepared on: 1 2", "track_planning": "on: 1×2 2×2", "file": "x-c1.txt: 1; x-c2.txt: 2; y-c1.txt: 1; y-c2.txt: 2", "script": "x: 1×2 2×2",
	} {
		if got := show(Group(runs, Options{Series: strings.Split(keys, ",")})); got != want {
			t.Errorf("%s: %s", keys, got)
		}
	}
}

func TestAttributes(t *testing.T) {
	hook := func(name string) (string, bool) {
		full, ok := map[string]string{"track_planning": "pg_stat_statements.track_planning", "huge_pages": "huge_pages", "track": "pg_stat_statements.track", "jit": "jit"}[name]
		return full, ok
	}
	for _, c := range []struct {
		runs []*bench.Run
		want string
	}{
		{[]*bench.Run{run("t", 1, label("v13")), run("t", 1, label("v13 (track_planning=off)"))}, "map[]; map[pg_stat_statements.track_planning:off]"},
		{[]*bench.Run{run("t", 1, label("v12.3")), run("t", 1, label("v13Beta1")), run("t", 1, label("PostgreSQL 14 patched"))}, "map[version:12.3]; map[version:13beta1]; map[version:14]"},
		{[]*bench.Run{run("t", 1, label("kernel5")), run("t", 1, label("6.1.3"))}, "map[]; map[]"},
		{[]*bench.Run{run("huge_pages_on-c1", 1), run("huge_pages_off-c1", 1)}, "map[huge_pages:on]; map[huge_pages:off]"},
		{[]*bench.Run{run("a", 1, version("12.3"), mode("simple")), run("b", 1, version("13beta1"), mode("simple"))}, "map[version:12.3]; map[version:13beta1]"},
		{[]*bench.Run{run("track_all-c1", 1), run("track_none-c1", 1)}, "map[]; map[]"},
		{[]*bench.Run{run("jit_on-c1", 1), run("jit_off-c1", 1)}, "map[jit:on]; map[jit:off]"},
		{[]*bench.Run{run("t", 1, label("huge_pages off")), run("t", 1, label("other"))}, "map[huge_pages:off]; map[]"},
	} {
		var got []string
		for _, curve := range Group(c.runs, Options{Setting: hook}) {
			got = append(got, fmt.Sprint(map[string]string(curve.Attributes)))
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s, want %s", s, c.want)
		}
	}
}

func curvesOf(labels ...string) (out []*bench.Curve) {
	for _, l := range labels {
		out = append(out, &bench.Curve{Label: l, Points: []bench.Point{{Clients: 1, Runs: []*bench.Run{run("sweep/"+l+"-c1.txt", 1)}}}})
	}
	return out
}

func TestBaseline(t *testing.T) {
	for _, c := range []struct{ labels, want, base string }{
		{"v12.3|v13Beta1|v13Beta1 (track_planning=off)", "", "v12.3"},
		{"v13.0|v12.3", "", "v12.3"},
		{"pg17|pg16", "", "pg16"},
		{"17beta1|17rc1|16.4", "", "16.4"},
		{"after|before", "", "before"},
		{"patched|master", "", "master"},
		{"on|off", "", "on"},
		{"one|two", "two", "two"},
		{"tp_off|tp_on", "on", "tp_on"},
		{"tp_off|tp_on", "TP_ON", "tp_on"},
		{"v12|v13_on|v13_off", "v12", "v12"},
		{"max100000|max5000", "max5000", "max5000"},
		{"a|b", "no such", "a"},
		{"sb128MB|sb16GB", "", "sb128MB"},
		{"pg_show_plans|without", "without", "without"},
	} {
		labels := strings.Split(c.labels, "|")
		if got := Baseline(curvesOf(labels...), c.want); labels[got] != c.base {
			t.Errorf("%s with %q: %s, want %s", c.labels, c.want, labels[got], c.base)
		}
	}
	if Baseline(nil, "") != -1 {
		t.Error("a baseline of nothing")
	}
}

func TestVersionOrder(t *testing.T) {
	order := []string{"8.4", "9.2", "9.6.4", "10", "11.3", "12devel", "12beta1", "12beta2", "12rc1", "12", "12.3", "13", "18beta3", "18.1", "19devel"}
	var numbers []float64
	for _, v := range order {
		n, ok := versionNumber(v)
		if !ok {
			t.Fatalf("%s is no version", v)
		}
		numbers = append(numbers, n)
	}
	if !slices.IsSorted(numbers) {
		t.Errorf("%v for %v", numbers, order)
	}
	for _, v := range []string{"", "128MB", "5s", "x", "2024"} {
		if n, ok := versionNumber(v); ok {
			t.Errorf("%q is version %v", v, n)
		}
	}
}

func TestMatch(t *testing.T) {
	three := curvesOf("v12", "v13_on", "v13_off")
	for _, c := range []struct {
		curves      []*bench.Curve
		label, file string
		want        string
	}{
		{three, "", "p/v12.script", "v12"},
		{three, "", "p/v13_on.script", "v13_on"},
		{three, "v13_off", "x.folded", "v13_off"},
		{three, "", "sweep/postgresql.conf", ""},
		{three, "", "elsewhere.conf", ""},
		{curvesOf("hp_off", "hp_on"), "", "hp_off-c256.folded", "hp_off"},
		{curvesOf("hp_off", "hp_on"), "", "hp_on-postgresql.conf", "hp_on"},
		{curvesOf("max100000", "max5000"), "", "max5000-c64.folded", "max5000"},
		{curvesOf("tp_off", "tp_on"), "", "track_planning-on.folded", "tp_on"},
		{curvesOf("tp_off", "tp_on"), "", "perf-off.script", "tp_off"},
		{curvesOf("v12.3", "v13Beta1", "v13Beta1 (track_planning=off)"), "13beta1", "mail.txt", "v13Beta1"},
		{curvesOf("v12.3", "v13Beta1"), "12", "mail.txt", "v12.3"},
		{curvesOf("tpcb"), "", "sweep/postgresql.auto.conf", "tpcb"},
		{curvesOf("idle0", "idle5000"), "", "sweep/settings.txt", ""},
		{curvesOf("one_long_open", "short_only"), "", "short_only-c64.folded", "short_only"},
	} {
		got := ""
		if m := Match(c.curves, c.label, c.file); m != nil {
			got = m.Label
		}
		if got != c.want {
			t.Errorf("%q %s: %q, want %q", c.label, c.file, got, c.want)
		}
	}
}

// TestAnyNames keeps what holds for any names: every usable run is in one curve, no label twice, no panic.
func TestAnyNames(t *testing.T) {
	names := []string{"", "-", "/", "1", "c", "c1", "1c", "((", "a/b/../c!d", "ünï-c4", "....", "99999999999999999999999", "2024-01-02T03:04:05", "x=1,y=2", strings.Repeat("long", 99)}
	var runs []*bench.Run
	for i, a := range names {
		for k, b := range names {
			runs = append(runs, run(a+b, (i*k)%7, label(b)))
		}
	}
	seen := map[*bench.Run]int{}
	labels := map[string]bool{}
	for _, c := range Group(runs, Options{}) {
		if labels[c.Label] || c.Label == "" {
			t.Errorf("label %q twice or empty", c.Label)
		}
		labels[c.Label] = true
		for _, p := range c.Points {
			for _, r := range p.Runs {
				seen[r]++
			}
		}
	}
	for _, r := range runs {
		if want := map[bool]int{true: 1}[r.Usable()]; seen[r] != want {
			t.Errorf("run of %q is in %d curves", r.At.File, seen[r])
		}
	}
}

func BenchmarkGroup(b *testing.B) {
	runs := both(sweep("v12-c{c}-r{r}.txt", numbered(1, 2, 4, 8, 16, 32, 64, 128, 256, 512), 250), sweep("v13-c{c}-r{r}.txt", numbered(1, 2, 4, 8, 16, 32, 64, 128, 256, 512), 250))
	for b.Loop() {
		if len(Group(runs, Options{})) != 2 {
			b.Fatal("not two series")
		}
	}
}

// TestCut holds that the digits of a hash are no numbers, and that a temporary folder says nothing.
func TestCut(t *testing.T) {
	for text, want := range map[string]string{"c64_j8": "64 8", "64c16j": "64 16", "build-94c1f2e/c8": "8", "20250815_130830": "20250815 130830", "a94c": "94"} {
		if got := strings.Join(cut(text).numbers, " "); got != want {
			t.Errorf("%s: numbers %q, want %q", text, got, want)
		}
	}
	if got := withoutExtension("/tmp/tmp64c_x/run.txt"); got != "run" {
		t.Error(got)
	}
	if got := withoutExtension("/x/tmp64c_x/run.txt"); got != "run" {
		t.Error(got)
	}
}
