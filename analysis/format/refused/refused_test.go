package refused

import (
	"strings"
	"testing"

	"pgknee/analysis/format"
)

func TestSniff(t *testing.T) {
	const plan = " Sort  (cost=83.12..85.62 rows=1000 width=32)\n   Sort Key: amount\n   ->  Seq Scan on payments  (cost=0.00..33.30 rows=1000 width=32)\n"
	formats := []*format.Format{PerfData, Image, Binary, Explain, PerfStat}
	for _, test := range []struct{ name, head, want string }{
		{"perf.data", "PERFILE2h\x00\x00\x00", "perf-data"},
		{"PNG", "\x89PNG\r\n\x1a\n\x00\x00", "image"},
		{"ELF", "\x7fELF\x02\x01", "binary"},
		{"junk", "\x00\x01\x02\x03\xff\xfe\xfd", "binary"},
		{"text", "tps = 12\n", ""},
		{"terminal colours", "\x1b[1mtps = 12\x1b[0m\n", ""},
		{"plan", plan, "explain"},
		{"plan in a mail", strings.Repeat("I see this here and wonder why it is so.\n", 6) + plan, ""},
		{"plan in JSON", `[{"Plan": {"Node Type": "Seq Scan"}}]`, "explain"},
		{"plan in YAML", "- Plan:\n    Node Type: \"Seq Scan\"\n    Startup Cost: 0.00\n    Total Cost: 15.00\n", "explain"},
		{"plan in XML", "<explain>\n <Node-Type>Seq Scan</Node-Type>\n</explain>\n", "explain"},
		{"perf stat", "\n Performance counter stats for 'sleep 1':\n\n   1,234 cycles # 1 GHz\n   <not supported> bus-cycles\n\n 1.0 seconds time elapsed\n", "perf-stat"},
	} {
		got := ""
		for _, f := range formats {
			if f.Sniff("", []byte(test.head)) > format.Maybe {
				got = f.Name
				break
			}
		}
		if got != test.want {
			t.Errorf("%s is taken for %q, want %q", test.name, got, test.want)
		}
	}
}

func TestAdvice(t *testing.T) {
	for _, test := range []struct{ head, want string }{
		{"\x00\x00\x00", "nothing but NUL bytes"},
		{" \n\t\n", "nothing but blanks"},
		{"-- select-only: <builtin: select only>\n\\set aid random(1, 100000 * :scale)\nSELECT abalance FROM pgbench_accounts WHERE aid = :aid;\n", "script of SQL"},
		{"Available builtin scripts:\n      tpcb-like: <builtin: TPC-B (sort of)>\n", "script of SQL"},
		{" query | calls | total_exec_time\n-------+------+------\n END | 12 | 3.5\n(1 row)\n", "pg_stat_statements"},
		{"{\"timestamp\":\"2026-11-30\",\"error_severity\":\"LOG\",\"message\":\"checkpoint complete\"}\n", "a log of the server"},
		{"Dear reader,\nwe went to the lake.\n", "not recognised"},
	} {
		if got := Advice([]byte(test.head)); !strings.Contains(got, test.want) {
			t.Errorf("%.40q: %s, want %s", test.head, got, test.want)
		}
	}
	for name, head := range map[string]string{"run.sh": "#!/bin/sh\necho\n", "a.sql": "x\n", "res/Makefile": "all:\n", "": "\\set a 1\nSELECT 1;\n"} {
		if !Script(name, []byte(head)) {
			t.Errorf("%q is a script", name)
		}
	}
	if Script("README.md", []byte("We ran it twice.\n")) {
		t.Error("prose is no script")
	}
}

func TestLooksLike(t *testing.T) {
	for _, test := range []struct{ head, want string }{
		{"procs -----memory----\n r  b   swpd   free  us sy id wa st\n 1 2 3 4\n", "vmstat output"},
		{"Device            r/s     w/s     rkB/s   %util\nsda 1 2 3 4\n", "iostat output"},
		{"     http_req_duration..........: avg=12ms\n     iterations.....: 100\n", "k6 output"},
		{"2026-01-09 10:11:01.123 UTC [4001] LOG:  checkpoint complete\n", "a log of the server"},
		{"#include <stdio.h>\nint main(void) { printf(\"tps = %f\", 1.0); }\n", "program source"},
		{"1464378199 2016-05-27 19:43:19 pgbench scale=30 run=1 : init\n", "a log of a benchmark runner"},
		{"Sampling at 49 Hertz of all threads by user + kernel stack for 30 secs.\n\n    s_lock\n    -                postgres (4711)\n        212\n", "stacks of bcc's profile or offcputime"},
		{"Attaching 1 probe...\n^C\n\n@[\n    s_lock+0\n    pgss_store+120\n, postgres]: 12\n", "stacks of bpftrace"},
		{"CPU ID\n\n  postgres`s_lock+0x12\n  postgres`PostgresMain+0x3\n  libc`main\n   23\n", "stacks of DTrace"},
		{"   120 epoll_wait,WaitEventSetWait,PostgresMain\n    31 semop,PGSemaphoreLock,LWLockAcquire\n", "stacks of a debugger, counted"},
		{"# Event 'cycles'\n#\n# Baseline  Delta Abs  Shared Object  Symbol\n#\n     0.57%    +25.80%  postgres  [.] s_lock\n", "output of perf diff"},
		{`{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{}}`, "a profile for another viewer"},
		{"procs memory swpd\n 1 2 3\ntps = 12.0 (excluding connections establishing)\n", ""},
		{"clients,tps\n1,100\n", ""},
		{"10:11:12 AM tps rtps wtps dtps\n10:11:13 AM 121.00 60.00 61.00 0.00\n", "mpstat or sar output"},
		{strings.Repeat("A line of a mail.\n", 9) + "| clients | TPS |\n| 1 | 2 |\nprocs memory swpd\n", ""},
		{"2026-01-09 clients=1 tps=100\n", ""},
	} {
		if got := LooksLike([]byte(test.head)); got != test.want {
			t.Errorf("%.40q looks like %q, want %q", test.head, got, test.want)
		}
	}
}
