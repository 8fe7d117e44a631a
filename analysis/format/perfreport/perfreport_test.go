package perfreport

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgknee/analysis/format"
	"pgknee/analysis/format/formattest"
	"pgknee/analysis/profile"
	"pgknee/analysis/source"
)

// text writes profiles down: a head, the tree with total and self in percent, and what is stated beyond it.
func text(profiles []*profile.Profile) string {
	var b strings.Builder
	for _, p := range profiles {
		fmt.Fprintf(&b, "%s|%s|%s %g\n", p.Label, p.Event, p.Unit, p.Total)
		if len(p.Attributes) > 0 {
			fmt.Fprintf(&b, "%v\n", p.Attributes)
		}
		totals := p.Totals()
		depth := make([]int, len(p.Parent))
		lines := make([][]string, len(p.Parent)) // of each node with all below it
		for n := 1; n < len(p.Parent); n++ {
			depth[n] = depth[p.Parent[n]] + 1
		}
		for n := len(p.Parent) - 1; n > 0; n-- {
			f := p.Frames[p.Frame[n]]
			mark := ""
			if f.Flags&profile.Collapsed != 0 {
				mark += " +"
			}
			if f.Flags&profile.Inferred != 0 {
				mark += " ?"
			}
			line := fmt.Sprintf("%s%s %.2f %.2f%s", strings.Repeat(" ", depth[n]), f.Name, totals[n]/p.Total*100, p.Self[n]/p.Total*100, mark)
			up := p.Parent[n]
			lines[up] = append(append([]string{line}, lines[n]...), lines[up]...)
		}
		for _, l := range lines[0] {
			b.WriteString(l + "\n")
		}
		var stated []string
		for name, w := range p.Stated {
			if w.Total != profile.NotKnown {
				stated = append(stated, fmt.Sprintf("= %s %.2f %.2f", name, w.Total/p.Total*100, w.Self/p.Total*100))
			}
		}
		slices.Sort(stated)
		for _, l := range stated {
			b.WriteString(l + "\n")
		}
	}
	return b.String()
}

const head = `# To display the perf.data header info, please use --header/--header-only options.
#
# Total Lost Samples: 3
#
# Samples: 1K of event 'cycles:P'
# Event count (approx.): 2000
#
`

const noChildren = head + `# Overhead  Command   Shared Object      Symbol
# ........  ........  .................  .......................
#
`

const withChildren = head + `# Children      Self  Command   Shared Object      Symbol
# ........  ........  ........  .................  .......................
#
`

// screenWithout is a report from the terminal whose indentation was lost. The row of finish fits under store and under cleanup.
const screenWithout = `3) perf - v13

- 80.00% 0.20% postgres postgres [.] PostgresMain
- 79.80% PostgresMain
- 71.00% exec_query
- 25.00% plan
- 24.90% pgss_planner
- 14.00% pgss_store
+ 13.00% s_lock
+ 10.70% standard_planner
+ 24.00% PortalRun
- 15.00% PortalDrop
- 14.90% cleanup
- 14.00% pgss_store
+ 13.10% s_lock
0.70% finish
+ 6.00% PortalStart
+ 4.00% pq_getbyte
`

const screenAgain = `
4) perf - v12

- 85.00% 0.20% postgres postgres [.] PostgresMain
- 84.80% PostgresMain
- 70.00% exec_query
+ 26.00% PortalRun
- 3.00% PortalDrop
- 2.40% cleanup
- 1.20% pgss_store
0.55% s_lock
0.80% finish
+ 2.00% finish_xact
+ 5.50% pq_getbyte
`

var tests = []struct{ name, in, want string }{
	{
		"flat", noChildren + `    26.00%  postgres  postgres           [.] s_lock
     4.00%  postgres  [kernel.kallsyms]  [k] _raw_spin_lock
     2.00%  pg bench  pgbench            [.] std::function<void (int)>::op() (inlined)
     1.00%  pgbench   [kernel.kallsyms]  [k] _raw_spin_lock
     0.20%  postgres  [unknown]          [.] 0x00000000000e1f90
     0.10%  postgres  [vdso]             [.] 0x0000000000000a9c
`,
		`|cycles:P|cycles 2000
 s_lock 26.00 26.00
 _raw_spin_lock 5.00 5.00
 std::function<void (int)>::op 2.00 2.00
 [unknown] 0.20 0.20
 [vdso] 0.10 0.10
`,
	},
	{
		"children without graphs", withChildren + `    96.10%     0.10%  postgres  postgres           [.] PostgresMain
    22.50%    20.25%  postgres  postgres           [.] hash_search
`,
		`|cycles:P|cycles 2000
 PostgresMain 0.10 0.10
 hash_search 20.25 20.25
= PostgresMain 96.10 0.10
= hash_search 22.50 20.25
`,
	},
	{
		"callers, shares of the whole", noChildren + `    10.00%  postgres  postgres           [.] s_lock
            |
            ---s_lock
               |
               |--6.00%--pgss_store
               |          |
               |          |--4.00%--pgss_planner
               |          |          PostgresMain
               |          |
               |           --1.50%--pgss_ExecutorEnd
               |                     PostgresMain
               |
                --3.00%--LWLockRelease
                          PinBuffer

     1.00%  postgres  postgres           [.] ExecScan
`,
		`|cycles:P|cycles 2000
 s_lock 1.00 1.00
 pgss_store 0.50 0.00
  s_lock 0.50 0.50
 PostgresMain 5.50 0.00
  pgss_planner 4.00 0.00
   pgss_store 4.00 0.00
    s_lock 4.00 4.00
  pgss_ExecutorEnd 1.50 0.00
   pgss_store 1.50 0.00
    s_lock 1.50 1.50
 PinBuffer 3.00 0.00
  LWLockRelease 3.00 0.00
   s_lock 3.00 3.00
 ExecScan 1.00 1.00
`,
	},
	{
		"callers, shares of the parent, dashes with blanks, right-aligned commands, no head", `    50.00%    postmaster  [kernel.kallsyms]         [k] _spin_lock_irq
              |
              --- _spin_lock_irq
                 |
                 |--80.00%-- compact_zone
                 |          |--50.00%-- page_fault
                 |           --50.00%-- [...]
                  --20.00%-- [...]
`,
		`||percent 100
 _spin_lock_irq 10.00 10.00
 compact_zone 20.00 0.00
  _spin_lock_irq 20.00 20.00
 page_fault 20.00 0.00
  compact_zone 20.00 0.00
   _spin_lock_irq 20.00 20.00
`,
	},
	{
		"callees from the root, with children: inner functions and leaves are in the tree of the root already", withChildren + `    91.00%     0.00%  postgres  postgres           [.] _start
            |
            ---_start
               main
               |
               |--60.00%--exec
               |          |
               |           --20.00%--hash_search
               |
                --30.00%--net_send

    91.00%     1.00%  postgres  postgres           [.] main
            |
            |--90.00%--main
            |          |
            |          |--60.00%--exec
            |          |
            |           --30.00%--net_send
            |
             --1.00%--_start
                       main

    60.00%    38.00%  postgres  postgres           [.] exec
            |
            ---_start
               main
               exec

    20.00%    20.00%  postgres  postgres           [.] hash_search
            |
            ---_start
               main
               exec
               hash_search

`,
		`|cycles:P|cycles 2000
 _start 91.00 0.00
  main 91.00 1.00
   exec 60.00 38.00
    hash_search 20.00 20.00
    [below limit] 2.00 2.00 +
   net_send 30.00 30.00
= _start 91.00 0.00
= exec 60.00 38.00
= hash_search 20.00 20.00
= main 91.00 1.00
`,
	},
	{
		"callers with children: chains turned round have inclusive shares", withChildren + `    90.00%     1.00%  postgres  postgres           [.] main
    60.00%    40.00%  postgres  postgres           [.] exec
            |
            ---exec
               main

    20.00%    20.00%  postgres  postgres           [.] hash_search
            |
            ---hash_search
               |
               |--15.00%--exec
               |          main
               |
                --5.00%--main
`,
		`|cycles:P|cycles 2000
 main 65.00 0.00
  exec 60.00 40.00
   hash_search 15.00 15.00
   [below limit] 5.00 5.00 +
  hash_search 5.00 5.00
= exec 60.00 40.00
= hash_search 20.00 20.00
= main 90.00 1.00
`,
	},
	{
		"-g folded", noChildren + `    10.00%  postgres  postgres           [.] s_lock
8.00% s_lock;pgss_store;main
1.00% s_lock;LWLockRelease;main
`,
		`|cycles:P|cycles 2000
 s_lock 1.00 1.00
 main 9.00 0.00
  pgss_store 8.00 0.00
   s_lock 8.00 8.00
  LWLockRelease 1.00 0.00
   s_lock 1.00 1.00
`,
	},
	{
		"-g flat", noChildren + `    10.00%  postgres  postgres           [.] s_lock
             8.00%
                s_lock
                pgss_store
                main

             2.00%
                s_lock
                main

     1.00%  postgres  postgres           [.] ExecScan
`,
		`|cycles:P|cycles 2000
 main 10.00 0.00
  pgss_store 8.00 0.00
   s_lock 8.00 8.00
  s_lock 2.00 2.00
 ExecScan 1.00 1.00
`,
	},
	{
		"-g graph,count", noChildren + `    10.00%  postgres  postgres           [.] s_lock
            |
            ---s_lock
               |
               |--150--pgss_store
               |
                --50--main
`,
		`|cycles:P|cycles 2000
 pgss_store 7.50 0.00
  s_lock 7.50 7.50
 main 2.50 0.00
  s_lock 2.50 2.50
`,
	},
	{
		"-t,", head + `# Overhead,Command,Shared Object,Symbol
26.00%,postgres,postgres,[.] s_lock
4.00%,postgres,[kernel.kallsyms],[k] _raw_spin_lock
`,
		`|cycles:P|cycles 2000
 s_lock 26.00 26.00
 _raw_spin_lock 4.00 4.00
`,
	},
	{
		"samples beside shares", head + `# Overhead       Samples  Command   Shared Object      Symbol
# ........  ............  ........  .................  ..........
#
    26.00%           260  postgres  postgres           [.] s_lock
`,
		`|cycles:P|cycles 2000
 s_lock 26.00 26.00
`,
	},
	{
		"two events", noChildren + "    26.00%  postgres  postgres           [.] s_lock\n\n\n#\n# (Tip: …)\n#\n# Samples: 5K of event 'cache-misses:P'\n# Event count (approx.): 41000\n#\n" +
			"# Overhead  Command   Shared Object      Symbol\n# ........  ........  .................  ..........\n#\n    22.00%  postgres  postgres           [.] hash_search\n",
		`|cycles:P|cycles 2000
 s_lock 26.00 26.00
|cache-misses:P|cache-misses 41000
 hash_search 22.00 22.00
`,
	},
	{
		"terminal, indented: an only child has no share, scroll bars as letters, offsets in callers", `Samples: 88K of event 'cycles', Event count (approx.): 2000
  Children      Self  Command   Shared Object     Symbol
-   70.00%     0.10%  postgres  postgres          [.] PostgresMain                            a
     PostgresMain postgres.c:4707
   - exec_simple_query +113                                                                   a
      - 60.00% PortalRun
         - s_lock
           tas                                                                                t
        8.00% std::map<int, std::pair<int,
-   60.00%    59.00%  postgres  postgres          [.] PortalRun                               a
    1.00%     0.00%  postgres  postgres          [.] s_lock
`,
		`|cycles|cycles 2000
 PostgresMain 70.00 0.10
  exec_simple_query 69.90 0.00
   PortalRun 60.00 59.00
    s_lock 1.00 0.00
     tas 1.00 1.00
   std::map<int, std::pair<int, 8.00 8.00
   [below limit] 1.90 1.90 +
= PortalRun 60.00 59.00
= PostgresMain 70.00 0.10
= s_lock 1.00 0.00
`,
	},
	{
		"stdio: arguments in names (-v), a column of CPUs", head + `# Samples: 1K of event 'cycles:P'
# Event count (approx.): 2000
#
# Overhead  CPU  Symbol
# ........  ...  .........................
#
    26.00%  -001  [.] Box<void (int)>::operator<(int, char*) const
     5.00%  003  [k] _raw_spin_lock
`,
		`|cycles:P|cycles 2000
 Box<void (int)>::operator< 26.00 26.00
 _raw_spin_lock 5.00 5.00
`,
	},
	{
		"stdio: separated columns and names with commas in graphs", head + `# Samples: 1K of event 'cycles:P'
# Event count (approx.): 2000
#
# Overhead,Command,Shared Object,Symbol
 26.00%,postgres,postgres,[.] s_lock
            |
            ---s_lock
               |
                --26.00%--f<int, long, char, short>
                          main
`,
		`|cycles:P|cycles 2000
 main 26.00 0.00
  f<int, long, char, short> 26.00 0.00
   s_lock 26.00 26.00
`,
	},
	{
		"a table of Markdown", "| Overhead | Command | Shared Object | Symbol |\n|---:|:---|---|---|\n| 26.37% | postgres | postgres | [.] s_lock |\n| 12.10% | postgres | [kernel] | [k] futex_wake |\n",
		"||percent 100\n s_lock 26.37 26.37\n futex_wake 12.10 12.10\n",
	},
	{
		"branches", head + `# Samples: 12K of event 'cycles'
# Event count (approx.): 12000
#
# Overhead  Source Shared Object  Source Symbol        Target Symbol           Basic Block Cycles
# ........  ....................  ...................  ......................  ..................
#
     6.37%  postgres              [.] s_lock           [.] perform_spin_delay  12
`,
		"|cycles|cycles 12000\n s_lock 6.37 6.37\n",
	},
	{
		"terminal, indented: chains of names, folded and open rows", `Samples: 88K of event 'cycles', Event count (approx.): 2000
  Children      Self  Command   Shared Object     Symbol
-   47.00%     0.30%  postgres  pg_show_plans.so  [.] entry_store
   - 46.70% entry_store
      - 43.00% LWLockAcquire
         - 31.00% PGSemaphoreLock
              do_syscall_64
              do_futex_wait
           6.00% LWLockQueueSelf
         + 3.00% LWLockAttemptLock
        2.00% LWLockRelease
+   12.00%     1.00%  postgres  postgres          [.] ExecScan
`,
		`|cycles|cycles 2000
 entry_store 47.00 0.30
  LWLockAcquire 43.00 0.00
   PGSemaphoreLock 31.00 0.00
    do_syscall_64 31.00 0.00
     do_futex_wait 31.00 31.00
   LWLockQueueSelf 6.00 6.00
   LWLockAttemptLock 3.00 3.00 +
   [below limit] 3.00 3.00 +
  LWLockRelease 2.00 2.00
  [below limit] 1.70 1.70 +
= ExecScan 12.00 1.00
= entry_store 47.00 0.30
`,
	},
	{
		"terminal, indentation lost: a row that fits twice stays marked", screenWithout,
		`v13||percent 100
 PostgresMain 80.00 0.20
  exec_query 71.00 0.00
   plan 25.00 0.00
    pgss_planner 24.90 0.00
     pgss_store 14.00 0.00
      s_lock 13.00 13.00 +
      [below limit] 1.00 1.00 +
     standard_planner 10.70 10.70 +
     [below limit] 0.20 0.20 +
    [below limit] 0.10 0.10 +
   PortalRun 24.00 24.00 +
   PortalDrop 15.00 0.00
    cleanup 14.90 0.00
     pgss_store 14.00 0.00
      s_lock 13.10 13.10 +
      finish 0.70 0.70 ?
      [below limit] 0.20 0.20 +
     [below limit] 0.90 0.90 +
    [below limit] 0.10 0.10 +
   PortalStart 6.00 6.00 +
   [below limit] 1.00 1.00 +
  pq_getbyte 4.00 4.00 +
  [below limit] 4.80 4.80 +
= PostgresMain 80.00 0.20
`,
	},
	{
		"noise: quotes, colours, scroll bars, tabs, no-break spaces, decimal commas, wrapped symbols",
		"> \x1b[31m-   48,11%\x1b[0m     0,10%  postgres  postgres  [.] PortalRun      ◆\n>    - 40,00% PortalRun ▒\n> \u00a0\u00a0\u00a0\u00a0\u00a0\u00a0+ 39,00% ExecScan\t▒\n" +
			"> +   12,00%     1,00%  postgres  postgres  [.]\n> hash_search\n",
		`||percent 100
 PortalRun 48.11 0.10
  ExecScan 39.00 39.00 +
  [below limit] 9.01 9.01 +
= PortalRun 48.11 0.10
= hash_search 12.00 1.00
`,
	},
	{
		"perf top", "   PerfTop:    1204 irqs/sec  kernel:35.1%  exact:  0.0% [4000Hz cycles],  (all, 8 CPUs)\n\n    21.62%  postgres            [.] LWLockRelease\n     1.62% [.] LWLockAcquire\n     1.10%  [kernel]            [k] finish_task_switch\n",
		`|cycles|percent 100
 LWLockRelease 21.62 21.62
 LWLockAcquire 1.62 1.62
 finish_task_switch 1.10 1.10
`,
	},
	{
		"one column that adds up to more than the whole is inclusive", "+   48,11%  postgres               [.] PortalRunSelect\n+   40,19%  postgres               [.] ExecInterpExpr\n+   37,31%  postgres               [.] ExecScan\n",
		`||percent 100
= ExecInterpExpr 40.19 -1.00
= ExecScan 37.31 -1.00
= PortalRunSelect 48.11 -1.00
`,
	},
	{
		"no children, chains from the root", noChildren + `    10.00%  postgres  postgres           [.] s_lock
            |
            ---_start
               main
               |
               |--6.00%--exec
               |          pgss_store
               |          s_lock
               |
                --4.00%--s_lock
`,
		`|cycles:P|cycles 2000
 _start 10.00 0.00
  main 10.00 0.00
   exec 6.00 0.00
    pgss_store 6.00 0.00
     s_lock 6.00 6.00
   s_lock 4.00 4.00
`,
	},
	{
		"columns behind the symbol", head + "# Overhead  Command   Shared Object      Symbol                 IPC   [IPC Coverage]\n# ........  ........  .................  .....................  ....................\n#\n" +
			"    26.00%  postgres  postgres           [.] s_lock             -      -            \n",
		`|cycles:P|cycles 2000
 s_lock 26.00 26.00
`,
	},
	{
		"by command and module", head + "# Overhead  Command   Shared Object\n# ........  ........  .................\n#\n    60.00%  postgres  postgres\n    30.00%  postgres  [kernel.kallsyms]\n",
		`|cycles:P|cycles 2000
 [postgres] 60.00 60.00
 [kernel.kallsyms] 30.00 30.00
`,
	},
	{
		"many rows, each rounded up: own shares all the same, since the heads say so", noChildren + strings.Repeat("     1.70%  postgres  [kernel.kallsyms]  [k] schedule\n", 60),
		`|cycles:P|cycles 2000
 schedule 100.00 100.00
`,
	},
	{
		"-g folded: chains of one function", noChildren + `    10.00%  postgres  postgres           [.] s_lock
6.00% s_lock;pgss_store;main
3.00% s_lock
1.00% operator new(unsigned long);main
`,
		`|cycles:P|cycles 2000
 main 7.00 0.00
  pgss_store 6.00 0.00
   s_lock 6.00 6.00
  operator new 1.00 0.00
   s_lock 1.00 1.00
 s_lock 3.00 3.00
`,
	},
	{
		"-g folded,count", noChildren + `    10.00%  postgres  postgres           [.] s_lock
150 s_lock;pgss_store;main
50 s_lock
`,
		`|cycles:P|cycles 2000
 main 7.50 0.00
  pgss_store 7.50 0.00
   s_lock 7.50 7.50
 s_lock 2.50 2.50
`,
	},
	{
		"-g flat,count", noChildren + `    10.00%  postgres  postgres           [.] s_lock
           150
                s_lock
                0
                main

           50
                s_lock
                main

`,
		`|cycles:P|cycles 2000
 main 10.00 0.00
  [unknown] 7.50 0.00
   s_lock 7.50 7.50
  s_lock 2.50 2.50
`,
	},
	{
		"--hierarchy", head + `#       Overhead  Command / Shared Object / Symbol
# ..............  ..................................
#
    60.00%        postgres
       50.00%        postgres
          48.00%        [.] s_lock
            |
            ---s_lock
               pgss_store

           2.00%        [.] 0x00000000004616d3
       10.00%        [kernel.kallsyms]
          10.00%        [k] schedule
    40.00%        pgbench
       no entry >= 0.50%
`,
		`|cycles:P|cycles 2000
 pgss_store 48.00 0.00
  s_lock 48.00 48.00
 [postgres] 2.00 2.00
 schedule 10.00 10.00
`,
	},
	{
		"--hierarchy of modules, with samples", head + `#    Overhead       Samples  Command / Shared Object
# .........................  ........................
#
    60.00%           600     postgres
       50.00%           500     postgres
       10.00%           100     [kernel.kallsyms]
`,
		`|cycles:P|cycles 2000
 [postgres] 50.00 50.00
 [kernel.kallsyms] 10.00 10.00
`,
	},
	{
		"--group: each event is a profile of its own", strings.Replace(head, "1K of event 'cycles:P'", "1K of events 'cycles:P, cache-misses:P, dummy:HG'", 1) + `#                 Overhead  Command   Shared Object  Symbol
# ........................  ........  .............  ..........
#
    40.00%   7.00%   0.00%  postgres  postgres       [.] s_lock
            |
            ---s_lock
               pgss_store

    30.00%  90.00%   0.00%  postgres  postgres       [.] hash_search
`,
		`|cycles:P|percent 100
 pgss_store 40.00 0.00
  s_lock 40.00 40.00
 hash_search 30.00 30.00
|cache-misses:P|percent 100
 s_lock 7.00 7.00
 hash_search 90.00 90.00
`,
	},
	{
		"--group with children", strings.Replace(head, "1K of event 'cycles:P'", "1K of event 'anon group { cycles:P, cache-misses:P }'", 1) + `#        Children              Self  Command   Shared Object  Symbol
# ...............  ................  ........  .............  ..........
#
    90.00%  80.00%     0.10%   0.20%  postgres  postgres       [.] PostgresMain
`,
		`|cycles:P|percent 100
 PostgresMain 0.10 0.10
= PostgresMain 90.00 0.10
|cache-misses:P|percent 100
 PostgresMain 0.20 0.20
= PostgresMain 80.00 0.20
`,
	},
	{
		"-v: addresses before the mark", head + `# Overhead  Command   Shared Object                        Symbol
# ........  ........  ...................................  ........................................
#
    26.00%  postgres  /usr/lib/postgresql/15/bin/postgres  0x1b1bb5           B [.] _bt_checkpage
     9.00%  postgres  [kernel.kallsyms]                    0xffffffff8171f20d k [k] find_get_block
     1.00%  postgres  /opt/my app/x                        0x23c482           B [.] 0x000000000023c482
`,
		`|cycles:P|cycles 2000
 _bt_checkpage 26.00 26.00
 find_get_block 9.00 9.00
 [x] 1.00 1.00
`,
	},
	{
		"columns in an order of the user's", head + `#      Samples  Overhead  Symbol
# ............  ........  ..............
#
           260    26.00%  [.] s_lock
            40     4.00%  [k] schedule
`,
		`|cycles:P|cycles 2000
 s_lock 26.00 26.00
 schedule 4.00 4.00
`,
	},
	{
		"symbols first", head + `# Symbol                  Overhead  Shared Object
# ......................  ........  .................
#
  [.] ExecScan               4.00%  postgres
  [k] schedule               2.00%  [kernel.kallsyms]
`,
		`|cycles:P|cycles 2000
 ExecScan 4.00 4.00
 schedule 2.00 2.00
`,
	},
	{
		"callers first, a function without a symbol: an offset in the list is an address in the graph", noChildren + `    10.00%  postgres  postgres           [.] 0x00000000004616d3
            |
            ---main
               0x5572e94616d3

     5.00%  postgres  postgres           [.] s_lock
            |
            ---main
               s_lock
`,
		`|cycles:P|cycles 2000
 main 15.00 0.00
  [postgres] 10.00 10.00
  s_lock 5.00 5.00
`,
	},
	{
		"terminal, indentation lost: a row without a share is the only callee", `- 96.05% 0.10% postgres postgres [.] PostgresMain
- 95.95% PostgresMain
- 90.00% exec_simple_query
- 60.00% PortalRun
- PortalRunSelect
- 59.00% standard_ExecutorRun
+ 58.00% ExecScan
+ 20.00% pg_plan_queries
5.00% finish_xact_command
+ 5.00% ReadCommand
`,
		`||percent 100
 PostgresMain 96.05 0.10
  exec_simple_query 90.00 0.00
   PortalRun 60.00 0.00
    PortalRunSelect 60.00 0.00
     standard_ExecutorRun 59.00 0.00
      ExecScan 58.00 58.00 +
      [below limit] 1.00 1.00 +
     [below limit] 1.00 1.00 +
   pg_plan_queries 20.00 20.00 +
   finish_xact_command 5.00 5.00
   ReadCommand 5.00 5.00 + ?
  [below limit] 5.95 5.95 +
= PostgresMain 96.05 0.10
`,
	},
	{
		"two reports side by side", `-   26.37%     2.00%  postgres  postgres  [.] store      +    9.57%     0.57%  postgres  postgres  [.] store
   - 24.37% store
      + 20.00% s_lock
+   12.00%     3.00%  postgres  postgres  [.] search     -    4.00%     3.00%  postgres  postgres  [.] search
                                                            - 1.00% search
                                                                 1.00% hash
`,
		`left||percent 100
 store 26.37 2.00
  s_lock 20.00 20.00 +
  [below limit] 4.37 4.37 +
= search 12.00 3.00
= store 26.37 2.00
right||percent 100
 search 4.00 3.00
  hash 1.00 1.00
= search 4.00 3.00
= store 9.57 0.57
`,
	},
	{
		"two lists side by side, with bars", `  26.37%  postgres  [.] s_lock       |   0.57%  postgres  [.] s_lock
  12.00%  postgres  [.] hash_search  |  14.00%  postgres  [.] hash_search
   3.00%  postgres  [.] ExecScan     |
`,
		`left||percent 100
 s_lock 26.37 26.37
 hash_search 12.00 12.00
 ExecScan 3.00 3.00
right||percent 100
 s_lock 0.57 0.57
 hash_search 14.00 14.00
`,
	},
	{
		"--header, kernel and user columns", "# ========\n# captured on    : Mon Jan  1 00:00:00 2024\n# nrcpus online : 2\n# cmdline : /usr/bin/perf record -g\n# ========\n#\n" + head + `# Overhead       sys       usr  Command   Shared Object      Symbol
# ........  ........  ........  ........  .................  ..........
#
    26.00%     0.00%    26.00%  postgres  postgres           [.] s_lock
`,
		`|cycles:P|cycles 2000
 s_lock 26.00 26.00
`,
	},
}

func read(in string) *format.Context {
	return formattest.Read(Format, "report.txt", format.Options{}, []byte(in))
}

func TestRead(t *testing.T) {
	for _, test := range tests {
		c := read(test.in)
		if got := text(c.Profiles); got != test.want {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", test.name, got, test.want)
		}
		for _, p := range c.Profiles {
			consistent(t, test.name, p)
		}
	}
}

// consistent holds what every partial profile must: no negative weight, no more shown than there is, parents first.
func consistent(t *testing.T, name string, p *profile.Profile) {
	t.Helper()
	sum := 0.0
	for n, self := range p.Self {
		if self < 0 || p.Parent[n] >= int32(n) {
			t.Errorf("%s: node %d has weight %g and parent %d", name, n, self, p.Parent[n])
		}
		sum += self
	}
	if sum > p.Total*(1+1e-9) {
		t.Errorf("%s: %g of %g shown", name, sum, p.Total)
	}
	for _, f := range p.KnownFunctions() {
		if f.Self < 0 || f.Self > f.Total*(1+1e-9) || f.Total > p.Total*(1+1e-9) {
			t.Errorf("%s: %s has self %g, total %g", name, f.Name, f.Self, f.Total)
		}
	}
}

// The place of a row that fits twice is settled by the place it has in another report of the same text.
func TestResolve(t *testing.T) {
	got := text(read(screenWithout + screenAgain).Profiles)
	for _, want := range []string{"     finish 0.70 0.70\n", "      [below limit] 0.90 0.90 +\n", "     [below limit] 0.20 0.20 +\n", "\nv12|", "      s_lock 0.55 0.55\n"} {
		if !strings.Contains("\n"+got, "\n"+strings.TrimPrefix(want, "\n")) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, "?") {
		t.Errorf("a doubt is left in\n%s", got)
	}
}

// Reports side by side have the labels that stand over them.
func TestBeside(t *testing.T) {
	got := text(read("v12.3                      v13\n\n  26.37%  postgres  [.] s_lock      0.57%  postgres  [.] s_lock\n").Profiles)
	if want := "v12.3||percent 100\n s_lock 26.37 26.37\nv13||percent 100\n s_lock 0.57 0.57\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestLocks(t *testing.T) {
	c := read(screenWithout + screenAgain)
	for i, want := range []string{"[{spinlock 0.261 [{pgss_store 0.261 [cleanup pgss_planner]}]}]", "[{spinlock 0.0055 [{pgss_store 0.0055 [cleanup]}]}]"} {
		locks, _ := c.Profiles[i].Locks()
		for k := range locks {
			locks[k].Share = float64(int(locks[k].Share*1e6+0.5)) / 1e6
			for j := range locks[k].Callers {
				locks[k].Callers[j].Share = float64(int(locks[k].Callers[j].Share*1e6+0.5)) / 1e6
			}
		}
		if got := fmt.Sprint(locks); got != want {
			t.Errorf("%d: got %s, want %s", i, got, want)
		}
	}
}

func TestShares(t *testing.T) {
	passages := []struct{ heading, text string }{
		{"But the files for AB12 do not show it:", "- for 16.3 I see 85.24% in ExecInterpExpr vs 11.64% in SeqNext\n- for 17beta1 I see 82.82% in ExecInterpExpr vs 14.51% in\n  SeqNext\n- for both the graphs show page faults"},
		{"a child of ExecInterpExpr", "- for 16.3 I see 6.99% in slot_getsomeattrs_int\n- for 17beta1 I see 4.29% in slot_getsomeattrs_int"},
		{"On CD34:", "for 16.3 I see 10.5% in SeqNext of the profile"},
		{"", "In the profile s_lock goes from 0.57% in v12.3 to 26.37% in v13Beta1."},
		{"On EF56:", "With 15.4: ExecInterpExpr 45.2%, slot_deform_heap_tuple 12.1%\nWith 17.0: ExecInterpExpr 35.2%, slot_deform_heap_tuple 22.1%"},
		{"On GH78:", "v14:\n- 45.2% ExecInterpExpr\n- 12.1% `slot_deform_heap_tuple`\nv14 was slow"},
		{"On IJ90:", "With 17beta2 I see 12.17% in slot_getsomeattrs_int vs 6.84% with 16.3."},
		{"On KL12:", "On master, GetSnapshotData uses 45% of the CPU, and with the patch only 6%."},
		{"On MN34:", "In the profiles of 15.2 and 16.0 s_lock went from 3% to 12% and LWLockAttemptLock dropped from 8.5% to 2.1%."},
		{"On OP56:", "In the profile XLogInsertRecord goes from 3% to 12% of the samples."},
		{"On QR78:", "With v13 I see in perf top:\n\n26.37% s_lock\n10.71% standard_planner\n\nand with v12:\n\n0.57% s_lock\n11.2% standard_planner"},
		{"On ST90:", "| function | 16.3 | 17beta1 |\n|---|---|---|\n| `s_lock` | 0.57% | 26.37% |\n| pgss_store | 1.2% | 27.9% |\nthe end"},
		{"On UV12:", "                 v12.3    v13beta1\ns_lock           0.57%      26.37%\nPortalRun       26.70%      18.29%"},
		{"", "| setting | 16.3 | 17beta1 |\n|---|---|---|\n| work_mem | 5% | 6% |\n| jit_cost | 5% | 7% |"},
		{"", "                 v12.3    v13beta1\nlog_statement    0.57%      26.37%\ntrack_io       26.70%      18.29%"},
		{"", "On master, GetSnapshotData uses 45% of the CPU here and 6% of the CPU there."},
		{"", "v13 is 34% slower than v12 in pgbench_run"},
		{"", "we set shared_buffers to 25% of RAM in 16.3"},
		{"", "about 3% in 2024 for some_thing"},
		{"", "perf top on this machine shows:\n\n 1. 26 % s_lock\n 2. GetSnapshotData (12.1%)\n\u2022 8% LWLockAttemptLock"},
		{"", "perf: 26% s_lock, 12 % GetSnapshotData"},
		{"On YZ12:", "CPU profile, v16 -> v17: s_lock 3.1% -> 12.4%, GetSnapshotData 5.0% \u2192 2.0%"},
		{"On AA34:", "REL_16_STABLE:\n  26.4%  s_lock\n  12.1%  GetSnapshotData\nREL_17_2:\n   6.4%  s_lock\n   2.1%  GetSnapshotData"},
		{"", "perf settings:\n25% work_mem\n10% effective_cache_size"},
		{"", "perf settings: work_mem 25%, temp_buffers 10%"},
		{"", "With the patch:\n 26 % faster_at 64\n 12 % faster_at 128"},
		{"", "CPU utilization: 30% user_time, 20% sys_time"},
		{"", "26 % s_lock\n12 % GetSnapshotData"},
	}
	var c format.Context
	for _, p := range passages {
		var lines []source.Line
		for i, l := range strings.Split(p.text, "\n") {
			lines = append(lines, source.Line{Text: []byte(l), No: i + 1})
		}
		if n := Shares.Claims(lines); n > 0 {
			Shares.Read(&c, format.Passage{Heading: p.heading, Lines: lines[:n]})
		}
	}
	want := `16.3||percent 100
map[host:AB12 version:16.3]
= ExecInterpExpr 85.24 -1.00
= SeqNext 11.64 -1.00
= slot_getsomeattrs_int 6.99 -1.00
17beta1||percent 100
map[host:AB12 version:17beta1]
= ExecInterpExpr 82.82 -1.00
= SeqNext 14.51 -1.00
= slot_getsomeattrs_int 4.29 -1.00
16.3 on CD34||percent 100
map[host:CD34 version:16.3]
= SeqNext 10.50 -1.00
v12.3||percent 100
map[version:v12.3]
= s_lock 0.57 -1.00
v13Beta1||percent 100
map[version:v13Beta1]
= s_lock 26.37 -1.00
15.4||percent 100
map[host:EF56 version:15.4]
= ExecInterpExpr 45.20 -1.00
= slot_deform_heap_tuple 12.10 -1.00
17.0||percent 100
map[host:EF56 version:17.0]
= ExecInterpExpr 35.20 -1.00
= slot_deform_heap_tuple 22.10 -1.00
v14||percent 100
map[host:GH78 version:v14]
= ExecInterpExpr 45.20 -1.00
= slot_deform_heap_tuple 12.10 -1.00
17beta2||percent 100
map[host:IJ90 version:17beta2]
= slot_getsomeattrs_int 12.17 -1.00
16.3 on IJ90||percent 100
map[host:IJ90 version:16.3]
= slot_getsomeattrs_int 6.84 -1.00
master||percent 100
map[host:KL12 version:master]
= GetSnapshotData 45.00 -1.00
patch||percent 100
map[host:KL12 version:patch]
= GetSnapshotData 6.00 -1.00
15.2||percent 100
map[host:MN34 version:15.2]
= LWLockAttemptLock 8.50 -1.00
= s_lock 3.00 -1.00
16.0||percent 100
map[host:MN34 version:16.0]
= LWLockAttemptLock 2.10 -1.00
= s_lock 12.00 -1.00
before||percent 100
map[host:OP56 version:before]
= XLogInsertRecord 3.00 -1.00
after||percent 100
map[host:OP56 version:after]
= XLogInsertRecord 12.00 -1.00
v13||percent 100
map[host:QR78 version:v13]
= s_lock 26.37 -1.00
= standard_planner 10.71 -1.00
v12||percent 100
map[host:QR78 version:v12]
= s_lock 0.57 -1.00
= standard_planner 11.20 -1.00
16.3 on ST90||percent 100
map[host:ST90 version:16.3]
= pgss_store 1.20 -1.00
= s_lock 0.57 -1.00
17beta1 on ST90||percent 100
map[host:ST90 version:17beta1]
= pgss_store 27.90 -1.00
= s_lock 26.37 -1.00
v12.3 on UV12||percent 100
map[host:UV12 version:v12.3]
= PortalRun 26.70 -1.00
= s_lock 0.57 -1.00
v13beta1||percent 100
map[host:UV12 version:v13beta1]
= PortalRun 18.29 -1.00
= s_lock 26.37 -1.00
||percent 100
= GetSnapshotData 12.10 -1.00
= LWLockAttemptLock 8.00 -1.00
= s_lock 26.00 -1.00
||percent 100
= GetSnapshotData 12.00 -1.00
= s_lock 26.00 -1.00
v16||percent 100
map[host:YZ12 version:v16]
= GetSnapshotData 5.00 -1.00
= s_lock 3.10 -1.00
v17||percent 100
map[host:YZ12 version:v17]
= GetSnapshotData 2.00 -1.00
= s_lock 12.40 -1.00
REL_16_STABLE||percent 100
map[host:AA34 version:REL_16_STABLE]
= GetSnapshotData 12.10 -1.00
= s_lock 26.40 -1.00
REL_17_2||percent 100
map[host:AA34 version:REL_17_2]
= GetSnapshotData 2.10 -1.00
= s_lock 6.40 -1.00
`
	if got := text(c.Profiles); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestHeading(t *testing.T) {
	for in, want := range map[string]string{
		"3) perf - v13Beta1": "v13Beta1/", "v12.3": "v12.3/", "1) perf - v13.2 (track_planning=on)": "v13.2 (track_planning=on)/",
		"Profile of master at 1536 clients:": "master/1536", "The profile of v13 at 256 clients:": "v13/256", "## perf": "perf/", "Perf shows (96 clients):": "Perf shows (96 clients)/96",
		"Almost every backend sleeps in the same place; this is left (perf, 200 users, with it):": "/200", "flat profile:": "flat profile/",
		"perf report, 13beta1, 256 clients": "13beta1/256", "Perf report (track_planning = on; 64 clients):": "track_planning = on/64", "perf, then a sentence, and one more": "/",
	} {
		label, clients := heading(in)
		if got := label + "/" + clients; got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestSniff(t *testing.T) {
	for name, in := range map[string]string{
		"prose":           "- 25% of the time is lost\n- 3% [1] more\nCPU 30.5% idle\n",
		"rows in a mail":  "Hello,\n\nthe profile:\n\n    26.37%  postgres  postgres            [.] s_lock\n\nRegards\n",
		"markdown":        "# perf\n\n| a | 3% |\n",
		"perf stat":       "# started on Mon\n\n Performance counter stats for 'x':\n\n    10.00 msec task-clock   #    0.9 CPUs utilized\n",
		"comments only":   head,
		"perf diff":       "# Event 'cycles:P'\n#\n# Baseline  Delta Abs  Shared Object  Symbol\n# ........  .........  .............  ......\n#\n    26.10%    -20.37%  postgres       [.] s_lock\n",
		"a single marker": "[.] \n",
	} {
		if got := Format.Sniff("", []byte(in)); got != format.No {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestProperties(t *testing.T) {
	for _, test := range tests {
		formattest.Check(t, Format, "report.txt", []byte(test.in))
	}
}

// A report of n copies of a list is n profiles alike.
func TestCopies(t *testing.T) {
	in := tests[0].in
	c := read(in + in + in)
	if len(c.Profiles) != 3 || text(c.Profiles[1:2]) != text(c.Profiles[:1]) {
		t.Errorf("got %d profiles:\n%s", len(c.Profiles), text(c.Profiles))
	}
}

// Deep and wide graphs cost what they are long, and are cut with a word where they would cost more.
func TestLarge(t *testing.T) {
	var b strings.Builder
	b.WriteString(noChildren + "    99.00%  postgres  postgres           [.] f\n            |\n            ---f\n")
	for i := range 20_000 {
		fmt.Fprintf(&b, "               |--%.4f%%--g%d\n", 90-float64(i)/1000, i)
		fmt.Fprintf(&b, "               %s|--%.4f%%--h%d\n", strings.Repeat(" ", i%7), 80-float64(i)/1000, i)
	}
	c := read(b.String())
	if len(c.Profiles) != 1 {
		t.Fatal("no profile")
	}
	consistent(t, "large", c.Profiles[0])
	b.Reset()
	b.WriteString("- 99.00% 0.20% postgres postgres [.] f\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "- %.2f%% g%d\n+ 0.51%% h\n", 99-float64(i)/100, i)
	}
	c = read(b.String())
	if len(c.Profiles) != 1 {
		t.Fatal("no profile")
	}
	consistent(t, "lost indentation", c.Profiles[0])
}

func FuzzRead(f *testing.F) {
	for _, test := range tests {
		f.Add([]byte(test.in))
	}
	f.Add([]byte(screenWithout + screenAgain))
	f.Fuzz(func(t *testing.T, data []byte) {
		formattest.Fuzz(t, Format, data)
		for _, p := range formattest.Read(Format, "fuzz", format.Options{}, data).Profiles {
			consistent(t, "fuzz", p)
		}
		var lines []source.Line
		for i, l := range strings.Split(string(data), "\n") {
			lines = append(lines, source.Line{Text: []byte(l), No: i + 1})
		}
		for _, block := range []*format.Block{Block, Shares} {
			if n := block.Claims(lines); n < 0 || n > len(lines) {
				t.Errorf("%s claims %d of %d lines", block.Name, n, len(lines))
			} else if n > 0 {
				block.Read(&format.Context{}, format.Passage{Heading: "v1", Lines: lines[:n]})
			}
		}
	})
}

// TestInlined holds that the same samples come out of reports in either direction where functions recur and code is inlined: perf
// charges that to the function it is part of, and draws it as an end of the chain.
func TestInlined(t *testing.T) {
	const down = `            |
            ---main%[1]s
               |
               |--60.00%%--walk%[1]s
               |          |
               |          |--35.00%%--walk%[1]s
               |          |          work%[1]s
               |          |          inner%[1]s (inlined)
               |          |
               |           --25.00%%--work%[1]s
               |                     inner%[1]s (inlined)
               |
                --40.00%%--work%[1]s
                          inner%[1]s (inlined)
`
	caller := func(source string) string {
		graph := fmt.Sprintf(down, source)
		return withChildren +
			"   100.00%   100.00%  x         x                  [.] work\n" + graph + "\n" +
			"   100.00%     0.00%  x         x                  [.] main\n" + graph + "\n"
	}
	callee := withChildren + `   100.00%   100.00%  x         x                  [.] work
            |
            ---inner (inlined)
               work
               |
               |--60.00%--walk
               |          |
               |          |--35.00%--walk
               |          |          main
               |          |
               |           --25.00%--main
               |
                --40.00%--main

   100.00%     0.00%  x         x                  [.] main
            |
            ---main

`
	const want = `x|cycles:P|cycles 2000
 main 100.00 0.00
  walk 60.00 0.00
   walk 35.00 0.00
    work 35.00 0.00
     inner 35.00 35.00
   work 25.00 0.00
    inner 25.00 25.00
  work 40.00 0.00
   inner 40.00 40.00
`
	for name, in := range map[string]string{"caller": caller(""), "callee": callee, "places in the source": caller(" exec.c:37")} {
		got := text(read(in).Profiles)
		if i := strings.Index(got, "="); i > 0 {
			got = got[:i]
		}
		if got = strings.Replace(got, "|", "x|", 1); got != want {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}
