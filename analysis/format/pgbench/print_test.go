package pgbench

import (
	"fmt"
	"strings"
)

// printed writes what a version of pgbench prints for a run, after printResults, printProgressReport and main of that version. It is
// the tests' own account of the producer, in its order and its words.
type printed struct {
	version   float64 // 9.2 … 9.6, 10 … 19
	server    string  // where it is another version
	clients   int
	threads   int
	perClient int // -t; else -T 60
	script    string
	scripts   []string // several, weighted 1, 2, …
	perStmt   bool     // -r
	progress  int      // lines of -P
	stamps    bool     // --progress-timestamp
	reconnect bool     // -C
	rate      bool     // -R
	limit     bool     // -L
	tries     int      // --max-tries
	detailed  bool     // --failures-detailed
	failed    int
	parts     bool // partitioned tables
	nothing   bool // no transaction came through
	aborted   bool
	redirect  bool // standard output goes to the same file and is written at the end
}

const (
	transactions = 120_000
	tpsIncluding = 1998.5
	tpsExcluding = 2000.25
)

var statements = []string{`\set aid random(1, 100000 * :scale)`, "BEGIN;", "UPDATE t SET a = a + 1 WHERE id = :aid;", "END;"}

func (p printed) String() string {
	var out, err strings.Builder
	if p.version >= 14 {
		name := fmt.Sprintf("%g.3 (Debian %g.3-1.pgdg120+1)", p.version, p.version)
		if p.version == 19 {
			name = "19beta3"
		}
		if p.server != "" {
			name += ", server " + p.server
		}
		fmt.Fprintf(&out, "pgbench (%s)\n", name)
	}
	early := out.String()
	out.Reset()
	fmt.Fprintf(&err, "starting vacuum...end.\n")
	for i := 1; i <= p.progress; i++ {
		t := fmt.Sprintf("%.1f", float64(i)*5)
		if p.stamps {
			t = fmt.Sprintf("%.3f", 1_700_000_000+float64(i)*5)
		}
		fmt.Fprintf(&err, "progress: %s s, %.1f tps, lat %.3f ms stddev %.3f", t, 1990+float64(i), 3.9, 1.25)
		if p.version >= 15 {
			fmt.Fprintf(&err, ", %d failed", 0)
		}
		if p.rate {
			fmt.Fprintf(&err, ", lag %.3f ms", 0.4)
			if p.limit {
				fmt.Fprintf(&err, ", %d skipped", i)
			}
		}
		if p.tries > 1 {
			fmt.Fprintf(&err, ", %d retried, %d retries", i, 2*i)
		}
		fmt.Fprintln(&err)
	}
	if p.aborted {
		prefix := "pgbench: error: "
		if p.version < 13 {
			prefix = ""
		}
		fmt.Fprintf(&err, "%sclient 3 aborted in command 5 (SQL) of script 0; perhaps the backend died while processing\n", prefix)
	}
	p.results(&out)
	after := ""
	if p.aborted {
		switch {
		case p.version >= 15:
			after = "pgbench: error: Run was aborted; the above results are incomplete.\n"
		case p.version >= 13:
			after = "pgbench: fatal: Run was aborted; the above results are incomplete.\n"
		case p.version == 12:
			after = "Run was aborted; the above results are incomplete.\n"
		}
	}
	if p.redirect {
		return err.String() + after + early + out.String()
	}
	return early + err.String() + out.String() + after
}

func (p printed) results(out *strings.Builder) {
	line := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) }
	script := p.script
	old := p.version < 9.6
	switch {
	case len(p.scripts) > 1:
		script = "multiple scripts"
	case script == "tpcb-like" && old:
		script = "TPC-B (sort of)"
	case script == "tpcb-like":
		script = "<builtin: TPC-B (sort of)>"
	case script == "simple-update" && old:
		script = "Update only pgbench_accounts"
	case script == "simple-update":
		script = "<builtin: simple update>"
	case script == "select-only" && old:
		script = "SELECT only"
	case script == "select-only":
		script = "<builtin: select only>"
	case old:
		script = "Custom query"
	}
	line("transaction type: %s", script)
	line("scaling factor: 100")
	if p.parts {
		line("partition method: range\npartitions: 8")
	}
	line("query mode: prepared")
	line("number of clients: %d", p.clients)
	line("number of threads: %d", p.threads)
	if p.version >= 15 {
		line("maximum number of tries: %d", max(p.tries, 1))
	}
	n := transactions
	if p.nothing {
		n = 0
	}
	if p.perClient > 0 {
		line("number of transactions per client: %d", p.perClient)
		line("number of transactions actually processed: %d/%d", n, p.perClient*p.clients)
	} else {
		line("duration: 60 s")
		line("number of transactions actually processed: %d", n)
	}
	if p.nothing && p.version >= 9.4 && p.version < 15 {
		return
	}
	if p.nothing && p.version >= 18 {
		return
	}
	if p.version >= 15 {
		line("number of failed transactions: %d (%.3f%%)", p.failed, 0.1)
		if p.detailed {
			line("number of serialization failures: %d (%.3f%%)", p.failed, 0.1)
			line("number of deadlock failures: 0 (0.000%%)")
			if p.version >= 19 {
				line("number of other failures: 0 (0.000%%)")
			}
		}
		if p.tries > 1 {
			line("number of transactions retried: 77 (0.064%%)")
			line("total number of retries: 99")
		}
	}
	if p.nothing && p.version >= 15 {
		return
	}
	blank := " "
	if p.version >= 15 {
		blank = ""
	}
	if p.rate && p.limit && p.version >= 9.5 {
		line("number of transactions skipped: 31 (0.026%s%%)", blank)
	}
	if p.limit && p.version >= 9.5 {
		if p.version >= 11 {
			line("number of transactions above the 50.0 ms latency limit: 17/%d (0.014%s%%)", n, blank)
		} else {
			line("number of transactions above the 50.0 ms latency limit: 17 (0.014%s%%)", blank)
		}
	}
	sign := " ="
	if p.version < 9.6 {
		sign = ":"
	}
	if p.version >= 9.4 {
		remark := ""
		if p.version >= 15 && p.failed > 0 && p.progress == 0 && !p.rate && !p.limit {
			remark = " (including failures)"
		}
		line("latency average%s 4.125 ms%s", sign, remark)
		if p.progress > 0 || p.rate || p.limit {
			line("latency stddev%s 1.250 ms", sign)
		}
	}
	if p.rate && p.version >= 9.4 {
		line("rate limit schedule lag: avg 0.401 (max 12.345) ms")
	}
	switch {
	case p.version < 14:
		including, excluding := tpsIncluding, tpsExcluding
		if p.nothing {
			line("tps = 0.000000 (including connections establishing)")
			line("tps = nan (excluding connections establishing)")
			return
		}
		line("tps = %f (including connections establishing)", including)
		line("tps = %f (excluding connections establishing)", excluding)
	case p.reconnect:
		line("average connection time = 2.114 ms")
		line("tps = %f (including reconnection times)", tpsExcluding)
	default:
		line("initial connection time = 12.500 ms")
		line("tps = %f (without initial connection time)", tpsExcluding)
	}
	p.parts19(line)
}

// parts19 prints the parts by script and by statement.
func (p printed) parts19(line func(string, ...any)) {
	perScript := len(p.scripts) > 1 || p.version >= 9.6 && p.version < 11 && (p.limit || p.perStmt)
	if p.version < 9.6 {
		if p.perStmt {
			line("statement latencies in milliseconds:")
			for i, s := range statements {
				line("\t%f\t%s", 0.25*float64(i), s)
			}
		}
		return
	}
	scripts := p.scripts
	if len(scripts) < 2 {
		scripts = []string{""}
	}
	for i, name := range scripts {
		dash := ""
		if perScript {
			dash = " - "
			if name == "" {
				line("script statistics:")
			} else {
				line("SQL script %d: %s", i+1, name)
				line(" - weight: %d (targets 50.0%% of total)", i+1)
				share := transactions / len(scripts)
				if p.version >= 18 {
					line(" - %d transactions (50.0%% of total)", share)
					line(" - number of transactions actually processed: %d (tps = %f)", share, float64(share)/60)
				} else {
					line(" - %d transactions (50.0%% of total, tps = %f)", share, float64(share)/60)
				}
				if p.version >= 15 {
					line(" - number of failed transactions: 0 (0.000%%)")
					if p.tries > 1 {
						line(" - number of transactions retried: 7 (0.064%%)\n - total number of retries: 9")
					}
				}
			}
			line(" - latency average = 3.%d00 ms", i)
			line(" - latency stddev = 1.%d00 ms", i)
		}
		if !p.perStmt {
			continue
		}
		switch {
		case p.version < 15:
			line("%sstatement latencies in milliseconds:", dash)
		case p.tries > 1:
			line("%sstatement latencies in milliseconds, failures and retries:", dash)
		default:
			line("%sstatement latencies in milliseconds and failures:", dash)
		}
		for k, s := range statements {
			switch latency := 0.25 * float64(k); {
			case p.version < 15:
				line("   %11.3f  %s", latency, s)
			case p.tries > 1:
				line("   %11.3f  %10d  %10d  %s", latency, k, 2*k, s)
			case p.version >= 18:
				line("   %11.3f  %10d %s", latency, k, s)
			default:
				line("   %11.3f  %10d  %s", latency, k, s)
			}
		}
	}
}
