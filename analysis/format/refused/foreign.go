package refused

import "bytes"

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
		return holdsAll(head, "%iowait", "Device") || holdsAll(head, "r/s", "w/s", "%util")
	}},
	{"mpstat or sar output", "it goes beside a benchmark's output; give that", func(head []byte) bool {
		return holdsAll(head, "%usr", "%sys", "%idle") || holdsAll(head, "%user", "%system", "%idle")
	}},
	{"dstat output", "it goes beside a benchmark's output; give that", func(head []byte) bool {
		return holdsAll(head, "Dstat") || holdsAll(head, "total cpu usage", "dsk/total")
	}},
	{"output of top", "it goes beside a benchmark's output; give that", func(head []byte) bool {
		return holdsAll(head, "load average:", "%Cpu", "PID USER")
	}},
	{"k6 output", "its requests are not database transactions; pgbench, sysbench, benchbase and HammerDB are read", func(head []byte) bool {
		return holdsAll(head, "http_req_duration", "iterations") || holdsAll(head, "vus_max", "iteration_duration")
	}},
	{"the output of an HTTP load generator", "its requests are not database transactions; pgbench, sysbench, benchbase and HammerDB are read", func(head []byte) bool {
		return holdsAll(head, "Requests/sec:", "Transfer/sec:") || holdsAll(head, "Requests per second:", "Time per request:")
	}},
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
	if len(bytes.TrimSpace(head)) == 0 {
		return "the file holds nothing but blanks"
	}
	return "not recognised: no benchmark output, log, table, profile or settings were found in it; \"pgknee formats\" lists what is read"
}

func holdsAll(head []byte, words ...string) bool {
	for _, w := range words {
		if !bytes.Contains(head, []byte(w)) {
			return false
		}
	}
	// A mail or a runner's file may hold such output beside results.
	return !bytes.Contains(head, []byte("tps = ")) && !bytes.Contains(head, []byte("transactions:"))
}

// serverLog tells a line of a PostgreSQL log by its severity.
func serverLog(line []byte) bool {
	for _, s := range []string{"LOG:  ", "ERROR:  ", "FATAL:  ", "STATEMENT:  ", "DETAIL:  ", "HINT:  ", "WARNING:  ", "CONTEXT:  ", "PANIC:  "} {
		if i := bytes.Index(line, []byte(s)); i > 0 {
			return true
		}
	}
	return false
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
