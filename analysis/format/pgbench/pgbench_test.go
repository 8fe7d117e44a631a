package pgbench

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgknee/analysis/bench"
	"pgknee/analysis/format"
	"pgknee/analysis/format/formattest"
	"pgknee/analysis/source"
)

var update = flag.Bool("update", false, "write the goldens")

var versions = []float64{9.2, 9.3, 9.4, 9.5, 9.6, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}

func read(t testing.TB, text string) *format.Context {
	t.Helper()
	return formattest.Read(Output, "a.txt", format.Options{}, []byte(text))
}

// one reads a text that must hold one run and no problems.
func one(t *testing.T, text string) *bench.Run {
	t.Helper()
	c := read(t, text)
	if len(c.Runs) != 1 || len(c.Problems) != 0 || c.Skipped != 0 {
		t.Fatalf("%d runs, problems %v, %d lines skipped in:\n%s", len(c.Runs), c.Problems, c.Skipped, text)
	}
	return c.Runs[0]
}

func plainRun(version float64) printed {
	return printed{version: version, clients: 8, threads: 4, script: "tpcb-like"}
}

// kinds of runs, for every version that can do them.
func kinds(version float64) map[string]printed {
	p := plainRun(version)
	out := map[string]printed{"plain": p}
	with := func(name string, since float64, change func(*printed)) {
		if version >= since {
			q := p
			change(&q)
			out[name] = q
		}
	}
	with("select", 0, func(p *printed) { p.script = "select-only" })
	with("update", 0, func(p *printed) { p.script = "simple-update" })
	with("custom", 0, func(p *printed) { p.script = "mix.sql" })
	with("count", 0, func(p *printed) { p.perClient = 15000 })
	with("statements", 0, func(p *printed) { p.perStmt = true })
	with("progress", 9.4, func(p *printed) { p.progress = 12 })
	with("stamps", 9.6, func(p *printed) { p.progress, p.stamps = 12, true })
	with("redirected", 9.4, func(p *printed) { p.progress, p.redirect = 12, true })
	with("rate", 9.4, func(p *printed) { p.rate, p.progress = true, 12 })
	with("rate and limit", 9.5, func(p *printed) { p.rate, p.limit, p.progress = true, true, 12 })
	with("scripts", 9.6, func(p *printed) { p.scripts, p.perStmt = []string{"a.sql", "<builtin: select only>"}, true })
	with("reconnect", 14, func(p *printed) { p.reconnect = true })
	with("retries", 15, func(p *printed) { p.tries, p.perStmt, p.failed, p.detailed = 10, true, 120, true })
	with("other server", 14, func(p *printed) { p.server = "11.21 (CSUDATA.COM CentOS 7)" })
	with("partitions", 13, func(p *printed) { p.parts = true })
	with("nothing", 0, func(p *printed) { p.nothing = true })
	with("aborted", 12, func(p *printed) { p.aborted, p.progress = true, 12 })
	with("aborted and redirected", 12, func(p *printed) { p.aborted, p.progress, p.redirect = true, 12, true })
	return out
}

// TestVersions reads what every version prints with every option.
func TestVersions(t *testing.T) {
	for _, version := range versions {
		for name, p := range kinds(version) {
			t.Run(fmt.Sprintf("%g/%s", version, name), func(t *testing.T) {
				t.Parallel()
				check(t, p, one(t, p.String()))
				formattest.Check(t, Output, "a.txt", []byte(p.String()))
			})
		}
	}
}

// check holds a run against what was printed.
func check(t *testing.T, p printed, r *bench.Run) {
	t.Helper()
	want := func(what string, got, want any) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	want("clients", *r.Clients, p.clients)
	want("threads", *r.Threads, p.threads)
	want("scale", *r.Scale, 100)
	want("mode", r.QueryMode, "prepared")
	script := p.script
	switch {
	case len(p.scripts) > 1:
		script = "a.sql@1, select-only@2"
	case p.version < 9.6 && script == "mix.sql":
		script = customScript
	}
	want("script", r.Script, script)
	if p.perClient == 0 {
		want("duration", *r.DurationS, 60)
	} else if r.DurationS != nil {
		t.Error("a duration out of nothing")
	}
	if p.version >= 14 && p.version < 19 {
		want("version", r.Version, fmt.Sprintf("%g.3", p.version))
		if p.server != "" {
			want("server", r.ServerVersion, "11.21")
		} else {
			want("server", r.ServerVersion, r.Version)
		}
	}
	if p.nothing {
		if r.TPS != nil || !r.Has(bench.FlagNoTransactions) {
			t.Errorf("tps %v, flags %v of a run without transactions", r.TPS, r.Flags)
		}
		return
	}
	want("transactions", *r.Transactions, transactions)
	want("tps", *r.TPS, tpsExcluding)
	kind := bench.ExcludingConnections
	if p.reconnect {
		kind = bench.IncludingReconnections
	}
	want("kind", r.TPSKind, kind)
	want("reconnect", r.Has(bench.FlagReconnect), p.reconnect)
	want("rate-limited", r.Has(bench.FlagRateLimited), p.rate)
	want("aborted", r.Has(bench.FlagAborted), p.aborted)
	want("interval-gap", r.Has(bench.FlagIntervalGap), false)
	if p.version >= 9.4 {
		want("latency", *r.LatencyMs, 4.125)
		want("resolution", r.LatencyResolutionMs, 0.001)
		want("derived", r.LatencyDerived, p.progress == 0 && !p.rate && !p.limit)
	}
	if p.version >= 15 {
		want("failed", *r.Failed, p.failed)
	}
	if p.tries > 1 {
		want("retried", *r.Retried, 77)
		want("tries", r.Attributes[attributeTries], p.tries)
	}
	if p.limit && p.rate {
		want("skipped", *r.Skipped, 31)
	}
	if p.parts {
		want("partitions", r.Attributes[attributePartitions], "8")
		want("method", r.Attributes[attributeMethod], "range")
	}
	want("intervals", len(r.Intervals), p.progress)
	for i, in := range r.Intervals {
		if in.EndS != float64(i+1)*5 || in.TPS != 1990+float64(i+1) || in.LatencyMs != 3.9 {
			t.Fatalf("interval %d is %+v", i, in)
		}
	}
	if p.perStmt {
		want("statements", len(r.Statements), len(statements)*max(len(p.scripts), 1))
		for i, s := range r.Statements {
			k := i % len(statements)
			if s.SQL != statements[k] || s.LatencyMs != 0.25*float64(k) {
				t.Errorf("statement %d is %+v", i, s)
			}
			if p.version >= 15 && *s.Failures != int64(k) || p.tries > 1 && *s.Retries != int64(2*k) {
				t.Errorf("counters of statement %d are %v", i, s)
			}
		}
	}
	want("scripts", len(r.Scripts), len(p.scripts))
	for i, s := range r.Scripts {
		if *s.Weight != float64(i+1) || *s.TPS != float64(transactions/len(p.scripts))/60 {
			t.Errorf("script %d is %+v", i, s)
		}
	}
}

// TestDisguises reads runs as people hand them on.
func TestDisguises(t *testing.T) {
	prefix := func(with string) func(string) string {
		return func(s string) string {
			return with + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n"+with) + "\n"
		}
	}
	clock := 0
	disguises := map[string]func(string) string{
		"CRLF":          func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"CR":            func(s string) string { return strings.ReplaceAll(s, "\n", "\r") },
		"blanks behind": func(s string) string { return strings.ReplaceAll(s, "\n", "  \t\n") },
		"quoted":        prefix("> "), "quoted twice": prefix(">> "), "quoted three deep": prefix("> > > "), "indented": prefix("    "),
		"comment": prefix("-- "), "listed": func(s string) string {
			return "- " + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "<br>\n- ") + "<br>\n"
		},
		"hash": prefix("# "), "fabric": prefix("[node-a] out: "), "compose": prefix("bench-1  | "), "pdsh": prefix("db1: "), "journal": prefix("Jan 02 10:00:00 db pgbench[123]: "),
		"stamped": func(s string) string {
			var b strings.Builder
			for line := range strings.Lines(s) {
				clock++
				fmt.Fprintf(&b, "2024-01-02 10:%02d:%02d %s", clock/60%60, clock%60, line)
			}
			return b.String()
		},
		"ansible": func(s string) string {
			var b strings.Builder
			for line := range strings.Lines(s) {
				fmt.Fprintf(&b, "        %q,\n", strings.TrimSuffix(strings.ReplaceAll(line, "\t", " "), "\n"))
			}
			return "\"stdout_lines\": [\n" + strings.ReplaceAll(b.String(), `\\set`, `\set`) + "]\n"
		},
		"numbered": func(s string) string {
			var b strings.Builder
			n := 0
			for line := range strings.Lines(s) {
				n++
				fmt.Fprintf(&b, "%6d\t%s", n, line)
			}
			return b.String()
		},
		"no-break":     func(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") },
		"fenced":       func(s string) string { return "# Results\n\n```\n$ pgbench -c 8 -j 4 -M prepared\n" + s + "```\n" },
		"glued prompt": func(s string) string { return strings.TrimSuffix(s, "\n") + "user@db:~$ pgbench -c 3 -T 9\n" },
		"flattened":    func(s string) string { return strings.ReplaceAll(s, "\n", " ") + "\n" },
		"no end":       func(s string) string { return strings.TrimSuffix(s, "\n") },
	}
	for _, version := range []float64{9.4, 10, 14, 16, 18} {
		for kind, p := range kinds(version) {
			if p.nothing || p.aborted || p.redirect {
				continue
			}
			for name, disguise := range disguises {
				if name == "flattened" && p.perStmt && version < 9.6 || name == "ansible" && p.perStmt {
					continue // a lost tab, a lost backslash
				}
				text := disguise(p.String())
				t.Run(fmt.Sprintf("%s/%g/%s", name, version, kind), func(t *testing.T) {
					c := read(t, text)
					if len(c.Runs) != 1 {
						t.Fatalf("%d runs in:\n%s", len(c.Runs), text)
					}
					check(t, p, c.Runs[0])
					if len(c.Problems) > 0 {
						t.Errorf("problems: %v", c.Problems)
					}
					if Output.Sniff("", []byte(text)) == format.No {
						t.Error("not recognised")
					}
				})
			}
		}
	}
}

// TestManyRuns reads every kind of run twice, one after the other, with and without what may stand between them.
func TestManyRuns(t *testing.T) {
	for _, version := range versions {
		for kind, p := range kinds(version) {
			for _, between := range []string{"", "\n", "$ pgbench -M prepared\n", "```\n\n```\n"} {
				c := read(t, p.String()+between+p.String())
				if len(c.Runs) != 2 {
					t.Fatalf("%g/%s with %q between: %d runs", version, kind, between, len(c.Runs))
				}
				for _, r := range c.Runs {
					check(t, p, r)
				}
			}
		}
	}
}

// TestTraps are the ways in which a run does not say what it seems to.
func TestTraps(t *testing.T) {
	block := func(lines ...string) string {
		return "transaction type: <builtin: TPC-B (sort of)>\nscaling factor: 10\nquery mode: simple\n" + strings.Join(lines, "\n") + "\n"
	}
	for _, c := range []struct {
		name, text string
		flags      []string
		tps        float64
		problems   int
	}{
		{"clients over scale, one thread", block("number of clients: 20", "number of threads: 1", "duration: 60 s", "number of transactions actually processed: 600",
			"latency average = 1.0 ms", "tps = 10.0 (without initial connection time)"), []string{bench.FlagClientsOverScale, bench.FlagOneThread}, 10, 0},
		{"uneven threads, short", block("number of clients: 10", "number of threads: 4", "duration: 10 s", "number of transactions actually processed: 100",
			"tps = 10.0 (without initial connection time)"), []string{bench.FlagShort, bench.FlagUnevenThreads}, 10, 0},
		{"failures", block("number of clients: 1", "duration: 60 s", "number of transactions actually processed: 600", "number of failed transactions: 3 (0.5%)",
			"tps = 10.0 (without initial connection time)"), []string{bench.FlagFailures}, 10, 0},
		{"the excluding figure of 9.4", block("number of clients: 10", "number of threads: 2", "duration: 100 s", "number of transactions actually processed: 1000",
			"latency average: 100 ms", "tps = 10.0 (including connections establishing)", "tps = 400.0 (excluding connections establishing)"), []string{bench.FlagExcludingSpoilt}, 10, 1},
		{"long connecting in 12 is no artefact", block("number of clients: 10", "number of threads: 10", "duration: 100 s", "number of transactions actually processed: 1000",
			"latency average = 100 ms", "tps = 10.0 (including connections establishing)", "tps = 12.5 (excluding connections establishing)"), nil, 12.5, 0},
		{"-C before 14", "pgbench -C -c 10\n" + block("number of clients: 10", "duration: 100 s", "number of transactions actually processed: 1000",
			"latency average = 100 ms", "tps = 10.0 (including connections establishing)", "tps = 13.0 (excluding connections establishing)"), []string{bench.FlagReconnect}, 10, 0},
		{
			"clipped before the clients", "number of threads: 2\nduration: 60 s\nnumber of transactions actually processed: 600\ntps = 10.0 (without initial connection time)\n",
			[]string{bench.FlagClientsUnknown},
			10, 0,
		},
		{"-R in the command only", "pgbench -c 1 -R 10\n" + block("number of clients: 1", "duration: 60 s", "number of transactions actually processed: 600",
			"tps = 10.0 (without initial connection time)"), []string{bench.FlagRateLimited}, 10, 0},
		{"a command that contradicts", "pgbench -c 5 -R 10\n" + block("number of clients: 1", "duration: 60 s", "number of transactions actually processed: 600",
			"tps = 10.0 (without initial connection time)"), nil, 10, 0},
		{"cut off before the throughput", block("number of clients: 1", "duration: 60 s", "number of transactions actually processed: 600"), []string{bench.FlagIncomplete}, 0, 1},
		{"cut off within the throughput", block("number of clients: 1", "duration: 60 s", "number of transactions actually processed: 600", "tps = 1"), []string{bench.FlagIncomplete}, 0, 1},
		{"progress alone", "progress: 1.0 s, 10.0 tps, lat 1.0 ms stddev 0.1\nprogress: 2.0 s, 10.0 tps, lat 1.0 ms stddev 0.1\n", []string{bench.FlagClientsUnknown, bench.FlagIncomplete}, 0, 1},
		{"missing progress", "progress: 1.0 s, 1.0 tps, lat 1.0 ms stddev 0\nprogress: 2.0 s, 1.0 tps, lat 1.0 ms stddev 0\nprogress: 3.0 s, 1.0 tps, lat 1.0 ms stddev 0\nprogress: 9.0 s, 1.0 tps, lat 1.0 ms stddev 0\n" +
			block("number of clients: 1", "duration: 60 s", "number of transactions actually processed: 600", "tps = 10.0 (without initial connection time)"), []string{bench.FlagIntervalGap}, 10, 0},
		{"warm-up", "=== WARMUP ===\n" + block("number of clients: 1", "duration: 60 s", "number of transactions actually processed: 600", "tps = 10.0 (without initial connection time)"), []string{bench.FlagWarmUp}, 10, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := read(t, c.text)
			if len(got.Runs) != 1 {
				t.Fatalf("%d runs", len(got.Runs))
			}
			r := got.Runs[0]
			if !slices.Equal(r.Flags, c.flags) {
				t.Errorf("flags %v, want %v", r.Flags, c.flags)
			}
			if r.TPS == nil && c.tps != 0 || r.TPS != nil && *r.TPS != c.tps {
				t.Errorf("tps %v, want %v", r.TPS, c.tps)
			}
			if len(got.Problems) != c.problems {
				t.Errorf("problems %v", got.Problems)
			}
			formattest.Check(t, Output, "a.txt", []byte(c.text))
		})
	}
}

// TestProgressAlone keeps the rule that a rate of 0 has no latency, and reads unknown figures as unknown.
func TestProgressAlone(t *testing.T) {
	r := read(t, "progress: 1.0 s, 0.0 tps, lat 0.000 ms stddev 0.000\nprogress: 2.0 s, 5.0 tps, lat nan ms stddev -nan\n").Runs[0]
	for i, in := range r.Intervals {
		if in.LatencyMs != 0 {
			t.Errorf("interval %d has a latency: %+v", i, in)
		}
	}
	if r.TPS != nil {
		t.Error("a throughput was made up")
	}
}

// TestOldProgress reads the words of a development version.
func TestOldProgress(t *testing.T) {
	r := read(t, "progress: 200.0 s, 391442.0 tps, 0.654 ms lat\n").Runs[0]
	if in := r.Intervals[0]; in.TPS != 391442 || in.LatencyMs != 0.654 {
		t.Errorf("%+v", in)
	}
}

// TestNotARun are texts in which a run must not be seen.
func TestNotARun(t *testing.T) {
	for _, text := range []string{
		"",
		"pgbench -c 10 -T 60\nstarting vacuum...end.\nConnection closed.\n",
		"We saw tps = 100 and a duration: long\n",
		"| duration | 60 s |\n| clients | 8 |\n",
		"pgbench: error: connection to server failed: Connection refused\n",
		"scale: 10\nclients: 8\n",
	} {
		if c := read(t, text); len(c.Runs) != 0 {
			t.Errorf("%d runs in %q", len(c.Runs), text)
		}
		if s := Output.Sniff("", []byte(text)); s > format.Maybe {
			t.Errorf("%q is taken for pgbench output (%d)", text, s)
		}
	}
}

// TestGrep reads what grep makes of many files: the files' names tell the runs apart.
func TestGrep(t *testing.T) {
	c := read(t, "c8.log:tps = 10.5 (including connections establishing)\nc8.log:tps = 11.5 (excluding connections establishing)\n"+
		"c16.log:tps = 20.5 (including connections establishing)\nc16.log:tps = 21.5 (excluding connections establishing)\n")
	if len(c.Runs) != 2 || c.Runs[0].Label != "c8.log" || c.Runs[1].Label != "c16.log" || *c.Runs[1].TPS != 21.5 {
		t.Errorf("%d runs: %+v", len(c.Runs), c.Runs)
	}
}

// TestGrepTwins holds names apart that differ in a digit only.
func TestGrepTwins(t *testing.T) {
	c := read(t, "c1.log:tps = 10.5 (without initial connection time)\nc8.log:tps = 20.5 (without initial connection time)\n")
	if len(c.Runs) != 2 || c.Runs[0].Label != "c1.log" || c.Runs[1].Label != "c8.log" || *c.Runs[1].TPS != 20.5 {
		t.Errorf("%d runs: %+v", len(c.Runs), c.Runs)
	}
}

// TestInline reads a figure behind its command line.
func TestInline(t *testing.T) {
	r := read(t, "$ pgbench -n -S -c64 -j8   =>  tps = 52725.470403\n").Runs[0]
	if *r.TPS != 52725.470403 || r.TPSKind != bench.Reported || *r.Clients != 64 || *r.Threads != 8 || r.Script != "select-only" {
		t.Errorf("%+v", r)
	}
}

func TestCommand(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"$ pgbench -rnv -P1 --select-only -T300 -M prepared -s4000 -j 1   -c 1    ${PGURL}", "c1 j1 s4000 T300 P1 select-only prepared"},
		{`C:\bench>"C:\PostgreSQL\16\bin\pgbench.exe" --client=8 --jobs 4 --time=60 --file=a.sql@3 -f b.sql db`, "c8 j4 T60 a.sql b.sql"},
		{"time numactl -N 0 /usr/pgsql-16/bin/pgbench -Sc 64 -j$(nproc) -R 500 -C db | tee out", "c64 R500 select-only connect"},
		{"pgbench -i -s 100 db", "s100 init"},
		{"pgbench -b si@2 -D rows=10 -L 50", "simple-update rows=10 L50"},
		{"we used pgbench with 64 clients - as before", ""},
		{"pgbench results are here", ""},
		{"my_pgbench -c 8", ""},
		{"pgbench (16.2)", ""},
		{"pgbench: error: foo -c 3", ""},
	} {
		got := ""
		if p := findCommand([]byte(c.text)); p != nil {
			got = describe(p)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

func describe(c *command) string {
	var out []string
	whole := func(name string, n *int) {
		if n != nil {
			out = append(out, fmt.Sprint(name, *n))
		}
	}
	whole("c", c.clients)
	whole("j", c.threads)
	whole("s", c.scale)
	if c.durationS != nil {
		out = append(out, fmt.Sprint("T", *c.durationS))
	}
	whole("P", c.progress)
	if c.rate != nil {
		out = append(out, fmt.Sprint("R", *c.rate))
	}
	out = append(out, c.scripts...)
	if c.mode != "" {
		out = append(out, c.mode)
	}
	if c.connect {
		out = append(out, "connect")
	}
	if c.initialise {
		out = append(out, "init")
	}
	for _, d := range c.defines {
		out = append(out, d[0]+"="+d[1])
	}
	if c.limit != "" {
		out = append(out, "L"+c.limit)
	}
	return strings.Join(out, " ")
}

// TestInit refuses the output of pgbench -i alone and overlooks it before a run.
func TestInit(t *testing.T) {
	for _, text := range []string{
		"dropping old tables...\ncreating tables...\ngenerating data (client-side)...\n100000 of 100000 tuples (100%) done (elapsed 0.02 s, remaining 0.00 s)\nvacuuming...\ncreating primary keys...\ndone in 0.12 s (drop tables 0.00 s, create tables 0.01 s, client-side generate 0.07 s, vacuum 0.03 s, primary keys 0.01 s).\n",
		"NOTICE:  table \"pgbench_history\" does not exist, skipping\ncreating tables...\n10000 tuples done.\n20000 tuples done.\nset primary key...\nvacuum...done.\n",
		"creating 8 partitions...\ngenerating data (server-side)...\nvacuuming...\n100000 of 100000 tuples (100%) of pgbench_accounts done (elapsed 0.02 s, remaining 0.00 s)\r100000 of 100000 tuples (100%) of pgbench_accounts done (elapsed 0.02 s, remaining 0.00 s)\n",
	} {
		if Init.Sniff("", []byte(text)) != format.Sure || Output.Sniff("", []byte(text)) != format.No {
			t.Errorf("not refused: %q", text)
		}
		both := text + plainRun(16).String()
		if Init.Sniff("", []byte(both)) != format.No {
			t.Errorf("refused though a run follows: %q", text)
		}
		check(t, plainRun(16), one(t, both))
	}
}

func TestHeadings(t *testing.T) {
	run := "number of clients: 8\nnumber of transactions actually processed: 600\ntps = 10.0 (without initial connection time)\n"
	c := read(t, "# Results\n## v13\n### 8 clients, run 2\n"+run+"## patched\n"+run+"=== RUN 3 ===\n"+run+"Without the pooler:\n"+run+"**warm-up**\n"+run)
	var got []string
	for _, r := range c.Runs {
		s := r.Label
		if r.Has(bench.FlagWarmUp) {
			s += " warm"
		}
		got = append(got, s)
	}
	want := []string{"v13 / 8 clients", "patched", "patched", "patched / Without the pooler", "patched / Without the pooler warm"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTitles reads the lines that stand alone above runs in pages and in the output of scripts.
func TestTitles(t *testing.T) {
	run := "transaction type: a.sql\nnumber of clients: 8\nnumber of transactions actually processed: 600\ntps = 10.0 (without initial connection time)\n"
	for _, c := range []struct{ text, want string }{
		{"Instance: m5a.large\n\nRun: 1\n\n" + run + "\nRun: 2\n\n" + run + "\nInstance: m5a.xlarge\n\nRun: 1\n\n" + run, "Instance: m5a.large|Instance: m5a.large|Instance: m5a.xlarge"},
		{"Before tuning\n```\n" + run + "```\nNach dem Tüning\n```\n" + run + "```\n", "Before tuning|Nach dem Tüning"},
		{"`pgbench -c 8 -S` plain PostgreSQL `16.1`:\n\n```\n" + run + "```\n\n`pgbench -c 8 -S` with pg_show_plans:\n\n```\n" + run + "```\n", "plain PostgreSQL 16.1|with pg_show_plans"},
		{"Query: q1.sql\n------------------------\n" + run, "Query: q1.sql"},
		{"\nCHECKPOINT\n" + run + "\nALTER SYSTEM\n\n" + run, "|"},
		{"\nIt went well this time.\n\n" + run, ""},
		{"# Total tps = 12 (+35%)\n\n" + run, ""},
		{run + "\nKilled\n\npgbench: error: Run was aborted; the above results are incomplete.\n", " aborted"},
		{"$ psql\nselect 1\n" + run, ""},
	} {
		var got []string
		for _, r := range read(t, c.text).Runs {
			s := r.Label
			if r.Has(bench.FlagAborted) {
				s += " aborted"
			}
			got = append(got, s)
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q, want %q in:\n%s", s, c.want, c.text)
		}
	}
}

// TestQuotedAgain counts a run that a reply quotes once, and runs that only look alike as often as they are there.
func TestQuotedAgain(t *testing.T) {
	p := plainRun(16)
	quoted := "> " + strings.ReplaceAll(strings.TrimSuffix(p.String(), "\n"), "\n", "\n> ") + "\n"
	if c := read(t, p.String()+"\nA colleague wrote:\n\n"+quoted); len(c.Runs) != 1 || len(c.Problems) != 1 {
		t.Errorf("%d runs, problems %v", len(c.Runs), c.Problems)
	}
	if c := read(t, quoted+strings.ReplaceAll(quoted, "2000.25", "2000.35")); len(c.Runs) != 2 {
		t.Errorf("%d runs", len(c.Runs))
	}
}

// TestSideBySide reads two runs whose lines share the rows of a table.
func TestSideBySide(t *testing.T) {
	p := plainRun(16)
	p.progress = 3
	var b strings.Builder
	b.WriteString("| before | after |\n|---|---|\n")
	for line := range strings.Lines(p.String()) {
		if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, "pgbench (") && !strings.HasPrefix(line, "starting") {
			fmt.Fprintf(&b, "| %s | %s |\n", line, line)
		}
	}
	c := read(t, b.String())
	if len(c.Runs) != 2 || c.Runs[0].Label != "before" || c.Runs[1].Label != "after" {
		t.Fatalf("%d runs: %+v", len(c.Runs), c.Runs)
	}
	for _, r := range c.Runs {
		r.Version, r.ServerVersion = "16.3", "16.3"
		check(t, p, r)
	}
	if Output.Sniff("", []byte(b.String())) == format.No {
		t.Error("not recognised")
	}
}

func TestLooks(t *testing.T) {
	for line, want := range map[string]bool{
		"tps = 12.5 (without initial connection time)": true, "> progress: 5.0 s, 10.0 tps, lat 1.0 ms stddev 0.1": true, "pgbench (16.2)": true,
		"$ pgbench -c 8 -T 60": true, "transaction type: a.sql": true, "[x] out: number of clients: 8": true, "starting vacuum...end.": true,
		"duration: 30 s": true, "duration: about a month": false, "in progress: the rest": false, "Dear all,": false, "": false,
		"shared_buffers = 8GB": false, "the tps = 5 was low": false, "   0.123  BEGIN;": false, "dropping old tables...": false,
	} {
		if Looks([]byte(line)) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
}

// TestBlock offers a document's lines.
func TestBlock(t *testing.T) {
	text := "Hello,\nthe numbers:\n\n" + plainRun(16).String() + "\nand that was it.\n"
	var lines []source.Line
	for i, s := range strings.Split(text, "\n") {
		lines = append(lines, source.Line{Text: []byte(s), No: i + 1})
	}
	for i := range lines {
		n := Block.Claims(lines[i:])
		if n == 0 {
			continue
		}
		c := &format.Context{File: "mail"}
		Block.Read(c, format.Passage{Heading: "patched", Lines: lines[i : i+n]})
		if i != 3 || len(c.Runs) != 1 || c.Runs[0].Label != "patched" || c.Runs[0].At.Line != 4 || c.Skipped > 0 {
			t.Errorf("claimed %d lines at %d: %+v", n, i+1, c)
		}
		return
	}
	t.Error("nothing was claimed")
}

func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) == 0 {
		t.Fatal("no test data", err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, ".golden") {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Base(file)
			formattest.Check(t, Output, name, data)
			got := golden(formattest.Read(Output, name, format.Options{}, data))
			path := file + ".golden"
			if *update {
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("differs from %s (%v):\n%s", path, err, got)
			}
		})
	}
}

// golden writes what was found, a line a run; what lists hold is counted.
func golden(c *format.Context) []byte {
	var out bytes.Buffer
	for _, r := range c.Runs {
		short := *r
		short.At.File = ""
		short.Intervals, short.Statements = nil, nil
		data, err := json.Marshal(short)
		if err != nil {
			panic(err)
		}
		var fields map[string]any
		if err := json.Unmarshal(data, &fields); err != nil {
			panic(err)
		}
		for k, v := range fields {
			if v == nil || v == "" || v == false || v == 0.0 {
				delete(fields, k)
			}
		}
		fields["Intervals"], fields["Statements"] = len(r.Intervals), len(r.Statements)
		line, err := json.Marshal(fields)
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(&out, "%s\n", line)
	}
	for _, p := range c.Problems {
		fmt.Fprintf(&out, "%s %d:%d %s: %s\n", p.Severity, p.At.Line, p.At.Column, p.Message, p.Text)
	}
	fmt.Fprintf(&out, "skipped %d\n", c.Skipped)
	return out.Bytes()
}

// BenchmarkLongLines shows that the cost of a long line is in proportion to its length: it reports how much more a byte costs in a line
// of 300 KB than in one of 30 KB, for the piece where that is most. A step that looks at the rest of the line for each piece gives 10.
func BenchmarkLongLines(b *testing.B) {
	pieces := []string{
		"transaction type: ", "transaction type: x scaling factor: 1 ", "tps = 1 (", "number of clients: 1 ", "client 1 ", "client 1 aborted ", "SQL script 1: ", "SQL script 1: x - weight: 1 ",
		"pgbench -", "pgbench -c 1 ", "pgbench (", "pgbench: ", " ms latency limit:", "| tps ", "tps = 1\t", "duration:1\t", "=", ": ", "a:", "statement latencies in milliseconds: ",
		" - ", "script statistics: ", "script statistics: - statement latencies in milliseconds: 0.123 x", " 0.123 SELECT 1;", "progress: 1.0 s, 1.0 tps, lat 1.0 ms stddev 0.1 ", "starting vacuum", "starting vacuum...end.",
		"rate limit schedule lag: avg 1 ", "number of ", "\"", "\\", "# ", "\x00", "| | ", "> ", "latency average = 1.0 ms ", "number of transactions above the 1 ms latency limit: 1 ",
	}
	cost := func(piece, head string, size int) float64 {
		text := head + strings.Repeat(piece, size/len(piece))
		begun := time.Now()
		formattest.Read(Output, "a.txt", format.Options{}, []byte(text))
		Output.Sniff("", []byte(text)[:min(len(text), format.HeadBytes)])
		var lines []source.Line
		for i, l := range strings.Split(text, "\n") {
			lines = append(lines, source.Line{Text: []byte(l), No: i + 1})
		}
		for i := range lines {
			Block.Claims(lines[i:])
		}
		return float64(time.Since(begun)) / float64(len(text))
	}
	worst := 0.0
	for b.Loop() {
		for _, piece := range pieces {
			for _, head := range []string{"", "number of clients: 1\nscript statistics:\nstatement latencies in milliseconds:\n"} {
				short := cost(piece, head, 30_000)
				for range 4 {
					short = max(short, cost(piece, head, 30_000))
				}
				worst = max(worst, cost(piece, head, 300_000)/short)
			}
		}
	}
	b.ReportMetric(worst, "times/byte")
}

func FuzzOutput(f *testing.F) {
	for _, version := range versions {
		for _, p := range kinds(version) {
			f.Add([]byte(p.String()))
		}
	}
	files, _ := filepath.Glob("testdata/*.*")
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && !strings.HasSuffix(file, ".golden") {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 64<<10 {
			t.Skip()
		}
		formattest.Fuzz(t, Output, data)
	})
}

// BenchmarkProgress reads a day of progress lines; BenchmarkSummaries many runs without any.
func BenchmarkProgress(b *testing.B) {
	p := plainRun(16)
	p.progress = 20_000
	benchmark(b, []byte(p.String()))
}

func BenchmarkSummaries(b *testing.B) {
	p := plainRun(16)
	p.perStmt = true
	benchmark(b, []byte(strings.Repeat(p.String(), 1000)))
}

func BenchmarkPrefixed(b *testing.B) {
	p := plainRun(14)
	p.progress = 20_000
	benchmark(b, []byte("bench-1  | "+strings.ReplaceAll(p.String(), "\n", "\nbench-1  | ")))
}

func BenchmarkForeign(b *testing.B) {
	benchmark(b, []byte(strings.Repeat("2024-01-02 10:00:00.123 UTC [4242] LOG:  checkpoint complete: wrote 3 buffers (0.0%)\n", 10_000)+plainRun(16).String()))
}

func benchmark(b *testing.B, data []byte) {
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		c := &format.Context{Limits: source.Limits{}.Or()}
		r := Output.New(c)
		s := source.Splitter{Max: c.Limits.LineBytes, Line: r.Line}
		for d := data; len(d) > 0; d = d[min(1<<20, len(d)):] {
			s.Write(d[:min(1<<20, len(d))])
		}
		s.Close()
		r.Close()
		if len(c.Runs) == 0 {
			b.Fatal("no runs")
		}
	}
}
