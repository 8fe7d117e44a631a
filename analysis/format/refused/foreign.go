package refused

import (
	"bytes"
	"path"
	"strings"
)

// foreign is a kind of text that is no result, and what to do about it.
type foreign struct {
	what, advice string
	is           func(head []byte) bool
}

// foreigners are told by words that stand in all their outputs.
var foreigners = []foreign{
	{"vmstat output", "it goes beside a benchmark's output; give that", func(head []byte) bool {
		return holdsAll(head, "procs", "memory", "swpd") || holdsAll(head, " us sy id wa")
	}},
	{"iostat output", "it goes beside a benchmark's output; give that", func(head []byte) bool {
		return holdsAll(head, "%iowait", "Device") || holdsAll(head, "r/s", "w/s", "%util") || holdsAll(head, "Device", "kB_read/s")
	}},
	{"mpstat or sar output", "it goes beside a benchmark's output; give that", func(head []byte) bool {
		return holdsAll(head, "%usr", "%sys", "%idle") || holdsAll(head, "%user", "%system", "%idle") || holdsAll(head, "rtps", "wtps") ||
			holdsAll(head, "rxpck/s", "txpck/s") || holdsAll(head, "DEV", "tps", "await", "%util")
	}},
	{"dstat output", "it goes beside a benchmark's output; give that", func(head []byte) bool {
		return holdsAll(head, "Dstat") || holdsAll(head, "total cpu usage", "dsk/total")
	}},
	{"output of top", "it goes beside a benchmark's output; give that", func(head []byte) bool {
		return holdsAll(head, "load average:", "%Cpu", "PID USER")
	}},
	{"k6 output", "its requests are not database transactions; pgbench, sysbench, benchbase and HammerDB are read", func(head []byte) bool {
		return holdsAll(head, "http_req_duration", "iterations") || bytes.Contains(head, []byte("http_req_duration")) && mostly(head, k6Line)
	}},
	{"the output of an HTTP load generator", "its requests are not database transactions; pgbench, sysbench, benchbase and HammerDB are read", func(head []byte) bool {
		return holdsAll(head, "Requests/sec:", "Transfer/sec:") || holdsAll(head, "Requests per second:", "Time per request:")
	}},
	{"stacks of bcc's profile or offcputime", "print them folded with -f and give that", func(head []byte) bool {
		return holdsAll(head, "Sampling at ", "Hertz of ") || holdsAll(head, "Tracing off-CPU time ")
	}},
	{"stacks of bpftrace", "fold them with stackcollapse-bpftrace.pl of FlameGraph and give that", func(head []byte) bool {
		return bytes.Contains(head, []byte("@[\n")) || holdsAll(head, "Attaching ", "probe", "[\n")
	}},
	{"stacks of DTrace", "fold them with stackcollapse.pl of FlameGraph and give that", func(head []byte) bool { return mostly(head, dtraceLine) }},
	{"stacks of a debugger, counted", "fold them, outermost function first (a;b;c 12), and give that", func(head []byte) bool { return mostly(head, countedStack) }},
	{"output of perf diff", "give the two profiles that it compares: perf script or perf report of each", func(head []byte) bool {
		return holdsAll(head, "# Baseline", "Delta", "Symbol")
	}},
	{"a profile for another viewer", "give its folded stacks, or perf script output", func(head []byte) bool {
		return holdsAll(head, "speedscope.app/file-format-schema") || holdsAll(head, "\"stackTable\"", "\"frameTable\"") ||
			holdsAll(head, "d3-flamegraph") || bytes.Contains(head, []byte("async-profiler")) && bytes.Contains(head, []byte("<canvas"))
	}},
	{"pg_stat_statements", "it tells what statements cost, not the throughput; give the output of the benchmark", func(head []byte) bool {
		return holdsAll(head, "calls", "query", "_time")
	}},
	{"a report of pgBadger", "it tells of the server's log; give the output of the benchmark", func(head []byte) bool { return holdsAll(head, "pgBadger") }},
	{"fio output", "it measures a disk; give the output of a database benchmark", func(head []byte) bool {
		return holdsAll(head, "IOPS=", "clat (") || holdsAll(head, "ioengine=", "iodepth")
	}},
	{"a log of the server", "it holds no throughput; give the output of the benchmark", func(head []byte) bool { return mostly(head, serverLog) }},
	{"program source", "give the output of the program", sourceCode},
	{"a log of a benchmark runner", "it tells what ran, not what came out; give the files that hold the results", func(head []byte) bool {
		return mostly(head, runnerLog)
	}},
}

// LooksLike names what a text is that is no result; "" when it isn't known.
func LooksLike(head []byte) string {
	for _, f := range foreigners {
		if f.is(head) {
			return f.what
		}
	}
	return ""
}

// Advice says what an input that nothing recognised looks like, and what to do.
func Advice(head []byte) string {
	for _, f := range foreigners {
		if f.is(head) {
			return "this looks like " + f.what + ": " + f.advice
		}
	}
	switch {
	case len(bytes.TrimSpace(head)) == 0:
		return "the file holds nothing but blanks"
	case len(bytes.Trim(head, "\x00")) == 0:
		return "the file holds nothing but NUL bytes: it was never written, or was lost in a crash"
	case bytes.Contains(head, []byte("Available builtin scripts:")) || Script("", head):
		return "this looks like a script of SQL: it tells what ran, give what came out"
	}
	return "not recognised: no benchmark output, log, table, profile or settings were found in it"
}

// holdsAll tells whether a text has all the words, one of them near its beginning: a mail or a runner's file may hold such output
// somewhere beside results.
func holdsAll(head []byte, words ...string) bool {
	begin, early := beginning(head), false
	for _, w := range words {
		if !bytes.Contains(head, []byte(w)) {
			return false
		}
		early = early || bytes.Contains(begin, []byte(w))
	}
	return early && !bytes.Contains(head, []byte("tps = ")) && !bytes.Contains(head, []byte("transactions:"))
}

// beginning is the first eight lines of a text that aren't blank.
func beginning(head []byte) []byte {
	n, end := 0, 0
	for line := range bytes.Lines(head) {
		if len(bytes.TrimSpace(line)) > 0 {
			n++
		}
		if end += len(line); n == 8 {
			break
		}
	}
	return head[:end]
}

// k6Line tells a line of k6's summary: a name, dots, a colon.
func k6Line(line []byte) bool {
	return bytes.Contains(line, []byte("....: ")) || bytes.Contains(line, []byte("...: "))
}

// serverLog tells a line of a PostgreSQL log, in text or CSV, by its severity.
func serverLog(line []byte) bool {
	if bytes.Count(line, []byte(",")) >= 13 && (bytes.Contains(line, []byte(",LOG,0")) || bytes.Contains(line, []byte(",ERROR,"))) {
		return true // csvlog
	}
	if bytes.Contains(line, []byte(`"error_severity":`)) {
		return true // jsonlog
	}
	for _, s := range []string{"LOG:  ", "ERROR:  ", "FATAL:  ", "STATEMENT:  ", "DETAIL:  ", "HINT:  ", "WARNING:  ", "CONTEXT:  ", "PANIC:  "} {
		if i := bytes.Index(line, []byte(s)); i > 0 {
			return true
		}
	}
	return false
}

// dtraceLine tells a frame of DTrace, module`function+0x12, and the count below a stack.
func dtraceLine(line []byte) bool {
	if words := bytes.Fields(line); len(words) != 1 {
		return false
	}
	i := bytes.IndexByte(line, '`')
	return i > 0 && i+1 < len(line) && bytes.IndexByte(line, ';') < 0
}

// countedStack tells a line as gdb and a few commands of the shell make it: a count, then the functions, innermost first.
func countedStack(line []byte) bool {
	words := bytes.Fields(line)
	return len(words) == 2 && digits(words[0]) && bytes.Count(words[1], []byte(",")) >= 2 && !digits(words[1])
}

// Script tells whether a text in which no result was recognised is a program, or statements of SQL: what ran, not what came out. What a
// plotting program or make is to do is known by the file's name only.
func Script(name string, head []byte) bool {
	return sourceCode(head) || mostly(head, statement) || strings.HasSuffix(name, "akefile") ||
		strings.Contains(" .sql .sh .bash .py .pl .rb .lua .gp .gnuplot .plt .bat .ps1 ", " "+path.Ext(name)+" ")
}

// statement tells a line of SQL, or of the language of pgbench.
func statement(line []byte) bool {
	first, _, _ := bytes.Cut(line, []byte(" "))
	switch string(bytes.ToUpper(bytes.TrimRight(first, ";"))) {
	case "--", `\SET`, `\SETRANDOM`, `\SLEEP`, `\GSET`, `\STARTPIPELINE`, "SELECT", "INSERT", "UPDATE", "DELETE", "BEGIN", "END", "COMMIT", "WITH", "CREATE", "DROP", "ALTER", "SET", "FROM", "WHERE":
		return true
	}
	return line[len(line)-1] == ';'
}

// sourceCode looks for lines that only programs have.
func sourceCode(head []byte) bool {
	if bytes.HasPrefix(head, []byte("#!")) {
		return true
	}
	for line := range bytes.Lines(head) {
		for _, begin := range []string{"#include <", "#include \"", "package main", "int main(", "import java.", "def main("} {
			if bytes.HasPrefix(line, []byte(begin)) {
				return true
			}
		}
	}
	return false
}

// runnerLog tells a line that begins with a time and names parameters (scale=30) without a result.
func runnerLog(line []byte) bool {
	words := bytes.Fields(line)
	if len(words) < 3 || !timeLike(words[0]) || bytes.Contains(line, []byte("tps")) || bytes.Contains(line, []byte("latency")) {
		return false
	}
	for _, w := range words[1:] {
		if i := bytes.IndexByte(w, '='); i > 0 && i+1 < len(w) {
			return true
		}
	}
	return false
}

// timeLike tells a date, a time or the seconds since 1970.
func timeLike(word []byte) bool {
	n := 0
	for _, c := range bytes.Trim(word, "[]") {
		switch {
		case c >= '0' && c <= '9':
			n++
		case c != '-' && c != ':' && c != '.' && c != '/' && c != 'T' && c != 'Z':
			return false
		}
	}
	return n >= 6
}
