package perfscript

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

const stack = "\t    55d0c15eade6 ExecScan+0x1a (/usr/lib/postgresql/17/bin/postgres)\n" +
	"\t    55d0c15eae0b PostgresMain+0x2b (/usr/lib/postgresql/17/bin/postgres)\n\n"

// folded writes a profile as sorted lines "event|comm:pid/tid|a;b weight samples" for tests to compare.
func folded(ctx *format.Context) []string {
	var out []string
	for _, p := range ctx.Profiles {
		for _, c := range p.Cells {
			t := p.Threads[c.Thread]
			out = append(out, fmt.Sprintf("%s|%s:%d/%d|%s %g %g", p.Event, t.Command, t.PID, t.TID, path(p, c.Node), c.Self, c.Samples))
		}
		if len(p.Cells) == 0 {
			for n, self := range p.Self {
				if self != 0 {
					out = append(out, fmt.Sprintf("%s||%s %g %g", p.Event, path(p, int32(n)), self, p.Samples[n]))
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

func path(p *profile.Profile, n int32) string {
	var names []string
	for ; n > 0; n = p.Parent[n] {
		f := p.Frames[p.Frame[n]]
		name := f.Name
		for bit, letter := range map[profile.Flags]string{profile.Kernel: "k", profile.Inlined: "i", profile.JIT: "j"} {
			if f.Flags&bit != 0 {
				name += "_[" + letter + "]"
			}
		}
		names = append(names, name)
	}
	slices.Reverse(names)
	return strings.Join(names, ";")
}

// one is the answer for most heads with the usual stack.
func one(event, thread string, weight float64) []string {
	return []string{fmt.Sprintf("%s|%s|PostgresMain;ExecScan %g 1", event, thread, weight)}
}

var cases = []struct {
	name, text string
	want       []string
}{
	{"usual", "postgres 24636 [000]  4794.109216:     250000 cycles:P: \n" + stack, one("cycles:P", "postgres:24636/24636", 250000)},
	{"no blank line at the end", "postgres 24636 [000]  4794.109216:     250000 cycles:P: \n" + strings.TrimRight(stack, "\n"), one("cycles:P", "postgres:24636/24636", 250000)},
	{"CRLF", strings.ReplaceAll("postgres 24636 [000]  4794.109216:     250000 cycles:P: \n"+stack, "\n", "\r\n"), one("cycles:P", "postgres:24636/24636", 250000)},
	{"byte order mark", "\ufeffpostgres 24636 [000]  4794.109216:     250000 cycles:P: \n" + stack, one("cycles:P", "postgres:24636/24636", 250000)},
	{"right-aligned command", "        postgres 24636 [000]  4794.109216:     250000 cycles:P: \n" + stack, one("cycles:P", "postgres:24636/24636", 250000)},
	{"command with blanks and digits", "worker 12 24636/24640 4794.109216:     250000 cycles:P: \n" + stack, one("cycles:P", "worker 12:24636/24640", 250000)},
	{"command in brackets", "[ET_NET 0] 24636 [000] 4794.1: 7 cycles: \n" + stack, one("cycles", "[ET_NET 0]:24636/24636", 7)},
	{"brackets in the command", "foobar [worker] 12 [000] 4794.1: 7 cycles: \n" + stack, one("cycles", "foobar [worker]:12/12", 7)},
	{"command like a time", "a 1 2.5: 24636 [000] 4794.1: 7 cycles: \n" + stack, one("cycles", "a 1 2.5::24636/24636", 7)},
	{"command with ; and /", "kworker/0:1;x 77 [001] 4794.1: 7 cycles: \n" + stack, one("cycles", "kworker/0:1;x:77/77", 7)},
	{"one letter, no CPU, no period", "t 99076 10314749.002559: cpu-clock: \n" + stack, one("cpu-clock", "t:99076/99076", 1)},
	{"no time", "node-v011 31912 cpu-clock: \n" + stack, one("cpu-clock", "node-v011:31912/31912", 1)},
	{"no time, a period", "node 12 31912     250000 cycles:u: \n" + stack, one("cycles:u", "node 12:31912/31912", 250000)},
	{"no command", "  24636 [000] 4794.1:   7 cycles: \n" + stack, one("cycles", ":24636/24636", 7)},
	{"no process", "postgres [000] 4794.1: 7 cycles: \n" + stack, one("cycles", "postgres:0/0", 7)},
	{"no process, no command", "4794.1: 7 cycles: \n" + stack, one("cycles", ":0/0", 7)},
	{"command and event", "postgres 7 cycles:P: \n" + stack, one("cycles:P", "postgres:7/7", 1)},
	{"event alone", "cycles:P: \n" + stack, one("cycles:P", ":0/0", 1)},
	{"idle", "swapper     0 [001] 4794.1:   7 cycles: \n" + stack, one("cycles", "swapper:0/0", 7)},
	{"unknown process", ":-1    -1 [001] 4794.1:   7 cycles: \n" + stack, one("cycles", ":-1:-1/-1", 7)},
	{"command with blanks, no CPU, no period", "HDMI polling ta   333  9.5: cpu-clock:\n" + stack, one("cpu-clock", "HDMI polling ta:333/333", 1)},
	{"command that perf did not know", ":12345 12345 [000] 4794.1: 7 cycles:u: \n" + stack, one("cycles:u", ":12345:12345/12345", 7)},
	{"arguments that look like a frame", "a 1 [000] 1.5: raw_syscalls:sys_enter: NR 202 (7f0a, 80, 0, 0, 0, ffffffff)\n" + stack, one("raw_syscalls:sys_enter", "a:1/1", 1)},
	{"arguments with times and colons", "a 1 [000] 1.5: writeback:bdi_x: bdi 8:0: 12.5: flags: x: \n" + stack, one("writeback:bdi_x", "a:1/1", 1)},
	{"data source", "a 1 [000] 1.5: 100 cpu/mem-loads,ldlat=30/P:     7ffd12345678 5080022 |OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A \n" + stack, one("cpu/mem-loads,ldlat=30/P", "a:1/1", 100)},
	{"events of the cache and the energy", "a 1 1.5: 2 L1-dcache-load-misses:u:\n" + stack + "a 1 1.5: 3 power/energy-pkg/:\n" + stack, append(one("L1-dcache-load-misses:u", "a:1/1", 2), one("power/energy-pkg/", "a:1/1", 3)...)},
	{"blanks for the tab", "a 1 1.5: 2 cycles:P:\n    55d0c15eade6 ExecScan+0x1a (/x)\n    55d0c15eae0b PostgresMain+0x2b (/x)\n", one("cycles:P", "a:1/1", 2)},
	{
		"areas without a file", "a 1 1.5: 2 cycles: \n\t 1 [unknown] (/memfd:doublemapper (deleted))\n\t 2 [unknown] (//anon)\n\t 3 [unknown] (/tmp/perf-77.map)\n\t 4 [unknown] ([heap])\n\t 5 [unknown] ([guest.kernel.kallsyms])\n\t 6 f (anon_inode:[perf_event])\n",
		[]string{"cycles|a:1/1|f;[guest.kernel.kallsyms]_[k];[heap];[perf-77.map]_[j];[anon];[memfd:doublemapper] 2 1"},
	},
	{"flags", "postgres 24636 [000] d..2.  4794.109216: 7 cycles: \n" + stack, one("cycles", "postgres:24636/24636", 7)},
	{"nanoseconds", "postgres 24636 4794.109216123: 7 cycles: \n" + stack, one("cycles", "postgres:24636/24636", 7)},
	{"tracepoint", "postgres 24636 [000] 4794.109216: syscalls:sys_enter_futex: uaddr: 0x7f0a, op: 0x80\n" + stack, one("syscalls:sys_enter_futex", "postgres:24636/24636", 1)},
	{"tracepoint with period", "postgres 24636 [000] 4794.109216:          1 sched:sched_switch: prev_comm=a prev_pid=1 ==> next_comm=b 3.5: x: \n" + stack, one("sched:sched_switch", "postgres:24636/24636", 1)},
	{"hybrid event", "postgres 24636 [000] 4794.109216: 7 cpu_core/cycles/P: \n" + stack, one("cpu_core/cycles/P", "postgres:24636/24636", 7)},
	{"raw event", "postgres 24636 [000] 4794.109216: 7 cpu/event=0x3c,umask=0x0/ukP: \n" + stack, one("cpu/event=0x3c,umask=0x0/ukP", "postgres:24636/24636", 7)},
	{"event padded", "postgres 24636 [000] 4794.109216: 7          cycles:u: \n" + stack, one("cycles:u", "postgres:24636/24636", 7)},
	{"tabs", "postgres\t24636 [000]\t4794.109216:\t7 cycles: \n\t\t55d0c15eade6\tExecScan+0x1a\t(/bin/postgres)\n", []string{"cycles|postgres:24636/24636|ExecScan 7 1"}},
	{"blank line of blanks", "a 1 1.5: 2 cycles: \n\t 5 f (/x)\n   \na 1 1.6: 3 cycles: \n\t 5 g (/x)\n\t\n", []string{"cycles|a:1/1|f 2 1", "cycles|a:1/1|g 3 1"}},
	{"stack after a blank line", "a 1 1.5: 2 cycles: \n\n\t 5 f (/x)\n\n", []string{"cycles|a:1/1|f 2 1"}},
	{"no frames", "a 1 1.5: 2 cycles: \n\nb 1 1.6: 3 cycles: \n\t 5 g (/x)\n", []string{"cycles|a:1/1|a 2 1", "cycles|b:1/1|g 3 1"}},
	{
		"no call chains", "           false 39654 19115.489713:          1 cycles:u:  ffffffff9b201293 [unknown] ([unknown])\n" +
			"            cc1 39654 19115.489719:          1 cycles:u:      7fa68b1f2d84 _dl_start+0x4 (/usr/lib/ld-2.31.so)\n",
		[]string{"cycles:u|cc1:39654/39654|_dl_start 1 1", "cycles:u|false:39654/39654|[unknown] 1 1"},
	},
	{"addresses of data", "a 1 1.5: 2 cpu/mem-loads/: ffff8881 7ffd12345678 load (/x y/z)\n", []string{"cpu/mem-loads/|a:1/1|load 2 1"}},
	{
		"two events", "a 1 1.5: 2 cycles: \n" + stack + "a 1 1.6: 9 instructions: \n" + stack,
		append(one("cycles", "a:1/1", 2), one("instructions", "a:1/1", 9)...),
	},
	{"no module, no address", "a 1 1.5: 2 cycles: \n\tExecScan\n\tPostgresMain\n", one("cycles", "a:1/1", 2)},
	{"no address", "a 1 1.5: 2 cycles: \n\tadd (/x)\n\tPostgresMain (/x)\n", []string{"cycles|a:1/1|PostgresMain;add 2 1"}},
	{"no head at all", "\t    55d0c15eade6 ExecScan\n\t    55d0c15eae0b PostgresMain\n\n\t    55d0c15eade6 ExecScan\n\t    55d0c15eae0b PostgresMain\n", []string{"||PostgresMain;ExecScan 2 2"}},
	{"no head, names with blanks", "\n\t          27f52d [unknown]\n\t          2724a0 std::map<int, long>::find(int const&)\n\n\n\t          27f52e [unknown]\n", []string{"||[unknown] 1 1", "||std::map<int, long>::find;[unknown] 1 1"}},
	{"source lines of inlined code", "a 1 1.5: 2 cycles: \n\t            11ae ExecScan+0x1e\n  execScan.c:3 (inlined)\n\t            11ae PostgresMain+0x1e (/x)\n  postgres.c:4\n", []string{"cycles|a:1/1|PostgresMain;ExecScan_[i] 2 1"}},
	{"source text", "a 1 1.5: 2 cycles: \n\t            11ae ExecScan+0x1e (/x)\n  execScan.c:3\n|3        for (;;)\n\t            11ae PostgresMain+0x1e (/x)\n  postgres.c:4\n", one("cycles", "a:1/1", 2)},
	{"command and thread only", "worker 1 42 \n\t            11ae ExecScan\n\t            11eb PostgresMain\n", []string{"|worker 1:42/42|PostgresMain;ExecScan 1 1"}},
	{"command only", "postgres \n\t            11ae ExecScan\n\t            11eb PostgresMain\n\npostgres \n\t            11ae ExecScan\n\t            11eb PostgresMain\n", []string{"|postgres:0/0|PostgresMain;ExecScan 2 2"}},
	{"time only", "11192.816782: \n\t            11ae ExecScan\n\t            11eb PostgresMain\n", []string{"|:0/0|PostgresMain;ExecScan 1 1"}},
	{"period only", "   2500000 \n\t            11ae ExecScan\n\t            11eb PostgresMain\n\n   2500000 \n\t            11ae ExecScan\n\t            11eb PostgresMain\n", []string{"|:0/0|PostgresMain;ExecScan 5e+06 2"}},
	{"branches below the stack", "a 1 1.5: 2 cycles: \n" + strings.TrimSuffix(stack, "\n") + " 0x55d0/0x55e0/P/-/-/4  0x5600/0x5610/M/-/-/2 \n\n", one("cycles", "a:1/1", 2)},
	{"branches behind a frame", "a 1 1.5: 2 cycles: \n\t    55d0c15eade6 ExecScan+0x1a (/a b/x) 0x55d0/0x55e0/P/-/-/4  0x5600/0x5610/M/-/-/2\n\n", []string{"cycles|a:1/1|ExecScan 2 1"}},
	{"thread only", " 1219 \n\t            11ae ExecScan\n\t            11eb PostgresMain\n", []string{"|:1219/1219|PostgresMain;ExecScan 1 1"}},
	{"period and event", "   2500000 cycles:P: \n\t            11ae ExecScan\n\t            11eb PostgresMain\n", []string{"cycles:P|:0/0|PostgresMain;ExecScan 2.5e+06 1"}},
	{"no chains, no head", "     561f1fb103f4 ExecScan (/a b/x)\n     561f1fb103ea ExecScan (/a b/x)\n", []string{"|:0/0|ExecScan 2 2"}},
	{"no chains, command", "        worker 1     561f1fb103f4 std::map<int, int>::find()\n      a;b 9.5: x     561f1fb103ea ExecScan\n", []string{"|a;b 9.5: x:0/0|ExecScan 1 1", "|worker 1:0/0|std::map<int, int>::find 1 1"}},
	{"no chains, thread and period", "     main thread  1231    2004008      561f1fb103f4 ExecScan+0x24 (/x)\n     main thread  1231    2004008      561f1fb103f6 ExecScan+0x26 (/x)\n", []string{"|main thread:1231/1231|ExecScan 4.008016e+06 2"}},
	{"no chains, thread and time", "     main thread  1231/1232  22425.131222:     561f1fb103f4 ExecScan\n     main thread  1231/1232  22425.131223:     561f1fb103f4 ExecScan\n", []string{"|main thread:1231/1232|ExecScan 2 2"}},
	{"no chains, command and event", "     main thread cpu-clock:      561f1fb103f4 std::map<int, int>::find\n  w.cc:11\n     main thread cpu-clock:      561f1fb103f4 std::map<int, int>::find\n", []string{"cpu-clock|main thread:0/0|std::map<int, int>::find 2 2"}},
	{"time and period", "a 7 1.5:    2500000 \n\t            11ae ExecScan\n\t            11eb PostgresMain\n", []string{"|a:7/7|PostgresMain;ExecScan 2.5e+06 1"}},
	{"addresses without symbols", "a 1 1.5: cycles: \n\t            11ae (inlined)\n\t            11ae (/bin/x)\n", []string{"cycles|a:1/1|[x];[unknown]_[i] 1 1"}},
	{"data source and code", "a 1 [000] 1.5: 100 cpu/mem-loads/P:     7ffd12345678 5080022 |OP LOAD|LVL L1 hit|SNP None|BLK  N/A    7   55d0c0a1b2c3 load+0x1 (/x y/z)\n", []string{"cpu/mem-loads/P|a:1/1|load 100 1"}},
	{"source lines", "a 1 1.5: 2 cycles: \n\t 55 ExecScan+0x1 (/x)\n  execScan.c:137\n\t 66 PostgresMain (/x)\n  ld-2.29.so[11634]\n", one("cycles", "a:1/1", 2)},
	{"records", "a 1 1.5: PERF_RECORD_COMM: a:1/1\na 1 1.5: PERF_RECORD_MMAP2 1/1: [0x4(0x1) @ 0 08:01 1 2]: r-xp /bin/x\na 1 1.5: PERF_RECORD_LOST lost 12\na 1 1.5: 2 cycles: \n" + stack, one("cycles", "a:1/1", 2)},
	{"odd first line", "garbage that is no head\n\t 55 nothing (nowhere)\n\na 1 1.5: 2 cycles: \n" + stack, one("cycles", "a:1/1", 2)},
	{"times run backwards", "a 1 9.5: 2 cycles: \n" + stack + "a 1 1.5: 2 cycles: \n" + stack, []string{"cycles|a:1/1|PostgresMain;ExecScan 4 2"}},
	{
		"kernel", "a 1 1.5: 2 cycles: \n\t 1 native_queued_spin_lock_slowpath+0x1f ([kernel.kallsyms])\n\t 2 _raw_spin_lock (/usr/lib/debug/vmlinux-6.1)\n\t 3 ext4_x ([ext4])\n\t 4 y (/lib/modules/z.ko.xz)\n\t 5 b (bpf_prog_12ab_x)\n\t 6 clock ([vdso])\n\t 7 main (/x)\n",
		[]string{"cycles|a:1/1|main;clock;b_[k];y_[k];ext4_x_[k];_raw_spin_lock_[k];native_queued_spin_lock_slowpath_[k] 2 1"},
	},
	{
		"run time", "a 1 1.5: 2 cycles: \n\t 1 evalexpr_0_0 (/data/jitted-55-1.so)\n\t 2 La/b;::c->Ld/e;::f+0x2 (/tmp/perf-77.map)\n\t 3 String.hashCode ([JIT app cache])\n",
		nil,
	},
	{"inlined", "a 1 1.5: 2 cycles: \n\t 1 slot_deform+0x4 (inlined)\n\t 2 main (/x)\n", []string{"cycles|a:1/1|main;slot_deform_[i] 2 1"}},
	{"deleted", "a 1 1.5: 2 cycles: \n\t 1 f+0x1 (/bin/postgres (deleted))\n\t 2 [unknown] (/SYSV00000000 (deleted))\n\t 3 [unknown] ([unknown])\n", []string{"cycles|a:1/1|[unknown];[SYSV00000000];f 2 1"}},
	{"; in a name", "a 1 1.5: 2 cycles: \n\t 1 foo<[u8; 8]>::bar+0x12 (/x)\n", []string{"cycles|a:1/1|foo<[u8: 8]>::bar 2 1"}},
	{"one offset is cut", "a 1 1.5: 2 cycles: \n\t 1 operator+0x1a+0x33 (/x)\n", []string{"cycles|a:1/1|operator+0x1a 2 1"}},
	{"PERF", "a 1 1.5: 2 cycles: \n\t 1 RegExp:[&<>\"'] (/tmp/perf-7539.map)\n", []string{`cycles|a:1/1|RegExp:[&<>"']_[j] 2 1`}},
}

func TestRead(t *testing.T) {
	cases[slices.IndexFunc(cases, func(c struct {
		name, text string
		want       []string
	},
	) bool {
		return c.name == "run time"
	})].want = []string{"cycles|a:1/1|String.hashCode_[j];a/b:::c_[j];d/e:::f_[i]_[j];evalexpr_0_0_[j] 2 1"}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := folded(formattest.Read(Format, "x", format.Options{}, []byte(c.text)))
			for i := range got {
				got[i] = strings.ReplaceAll(got[i], "_[j]_[i]", "_[i]_[j]")
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			formattest.Check(t, Format, "x", []byte(c.text))
		})
	}
}

// TestCopies holds that n copies of an input weigh n times as much.
func TestCopies(t *testing.T) {
	text := cases[0].text + cases[5].text
	once := formattest.Read(Format, "x", format.Options{}, []byte(text)).Profiles[0]
	many := formattest.Read(Format, "x", format.Options{}, []byte(strings.Repeat(text, 7))).Profiles[0]
	if len(many.Parent) != len(once.Parent) || many.Total != 7*once.Total || many.Self[2] != 7*once.Self[2] || len(many.Cells) != len(once.Cells) {
		t.Errorf("7 copies: %d nodes and a total of %g, once: %d and %g", len(many.Parent), many.Total, len(once.Parent), once.Total)
	}
}

// TestOneAddress holds that texts that all have one address, as kernels print that hide theirs, do not make look-ups long: this took
// minutes once.
func TestOneAddress(t *testing.T) {
	var b strings.Builder
	b.WriteString("a 1 1.5: 2 cycles: \n")
	for i := range 60_000 {
		fmt.Fprintf(&b, "\t 0 f%d ([kernel.kallsyms])\n", i)
	}
	long := strings.Repeat("x", 70_000)
	text := b.String() + "\na 1 1.6: 3 cycles: \n\t               1 " + long + "+0x1 (/x)\n"
	p := formattest.Read(Format, "x", format.Options{}, []byte(text)).Profiles[0]
	if len(p.Parent) != 60_002 || p.Total != 5 {
		t.Errorf("%d nodes and a total of %g", len(p.Parent), p.Total)
	}
	if Format.Sniff("", []byte("a 1 1.6: 3 cycles: \n\t               1 " + long)[:format.HeadBytes]) == format.No {
		t.Error("a first frame that is longer than what is looked at is not recognised")
	}
}

func TestNames(t *testing.T) {
	for text, want := range map[string]string{
		"std::_Function_handler<void (vg::Alignment&), main(int, char**)::{lambda()#1}>::_M_invoke+0x12": "std::_Function_handler<void (vg::Alignment&), main(int, char**)::{lambda()#1}>::_M_invoke",
		"std::function<void (int)>::op()+0x1":           "std::function<void (int)>::op",
		"foo(int, char*) const+0x4":                     "foo",
		"(anonymous namespace)::run+0x4":                "(anonymous namespace)::run",
		"a::(anonymous namespace)::run(int)+0x4":        "a::(anonymous namespace)::run",
		"main::{lambda(int)#1}::operator()(int) const":  "main::{lambda(int)#1}::operator()",
		"net/http.(*conn).serve":                        "net/http.(*conn).serve",
		"operator<<(std::ostream&, int)":                "operator<<",
		"<alloc::boxed::Box<T> as gc::Trace>::mark+0xe": "<alloc::boxed::Box<T> as gc::Trace>::mark",
		"pg_utf_mblen.part.0+0x1":                       "pg_utf_mblen.part.0",
		"f((":                                           "f((",
		"":                                              "[unknown]",
	} {
		if got := string(parseFrame([]byte(text + " (/bin/x)")).name); text != "" && got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestProblems(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a 1 1.5: 2 cycles: 55d0c15eade6 f (/x)\n", "no call chains"},
		{"a 1 1.5: PERF_RECORD_LOST lost 12\na 1 1.5: 2 cycles: \n" + stack, "perf lost 12 samples"},
		{"a 1 1.5: 2 cycles: \n\t 1 [unknown] ([unknown])\n\t 1 [unknown] ([unknown])\n", "100% of the weight has no symbol"},
		{"garbage\na 1 1.5: 2 cycles: \n" + stack, "neither the head"},
		{"a 1 1.5: 2 cycles: \n\na 1 1.5: 2 cycles: \n" + stack, "1 of 2 samples have no stack"},
		{"# comment\n", "no samples"},
	} {
		ctx := formattest.Read(Format, "x", format.Options{}, []byte(c.text))
		if !slices.ContainsFunc(ctx.Problems, func(p format.Problem) bool { return strings.Contains(p.Message, c.want) }) {
			t.Errorf("%q: no problem says %q, but %v", c.text, c.want, ctx.Problems)
		}
	}
}

func TestSniff(t *testing.T) {
	for _, c := range cases {
		if Format.Sniff("", []byte(c.text)) == format.No {
			t.Errorf("%s: not recognised", c.name)
		}
	}
	for _, text := range []string{
		"", "a;b;c 12\n", "progress: 5.0 s, 10.0 tps, lat 1.0 ms stddev 0.1\n", "# Samples: 1K of event 'cycles'\n", "1 2 3\n4 5 6\n",
		"    12.3%  postgres  postgres  [.] s_lock\n", "0 199 2241 0 1175850568 995598\n", "  genunix`kmem_alloc+0x1\n  unix`main+0x2\n   12\n",
	} {
		if Format.Sniff("x.perf", []byte(text)) > format.Maybe {
			t.Errorf("%q: taken for perf script", text)
		}
	}
}

// TestBlock holds that samples in a longer text are one passage, and that prose is none.
func TestBlock(t *testing.T) {
	lines := func(text string) (out []source.Line) {
		for i, l := range strings.Split(text, "\n") {
			out = append(out, source.Line{Text: []byte(l), No: i + 1})
		}
		return out
	}
	text := lines("a 1 1.5: 2 cycles: \n\t 1 f+0x1 (/x)\n\na 1 1.6: 3 cycles: \n\t 1 g+0x1 (/x)\n\nHere is why:\n\n")
	if n := Block.Claims(text); n != 5 {
		t.Errorf("%d lines claimed, want 5", n)
	}
	c := &format.Context{}
	Block.Read(c, format.Passage{Heading: "v13", Lines: text[:5]})
	if len(c.Profiles) != 1 || c.Profiles[0].Label != "v13" || c.Profiles[0].Total != 5 {
		t.Errorf("%d profiles", len(c.Profiles))
	}
	for _, prose := range []string{"I see: this.\n  (a list)", "at 12:30 it was 5.2: better", "tps = 5: x\n    12 a (b)"} {
		if n := Block.Claims(lines(prose)); n != 0 {
			t.Errorf("%q: %d lines claimed", prose, n)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, c := range cases {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, data []byte) { formattest.Fuzz(t, Format, data) })
}

// generate makes perf script text of about size bytes with the given number of distinct stacks.
func generate(size, stacks int) []byte {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		id := i * 7919 % stacks
		fmt.Fprintf(&b, "postgres %5d [%03d] %5d.%06d:   %8d cycles:P: \n", 24000+id%40, id%48, i/1000, i%1000*997, 250000+id%100)
		depth := 12 + id%12
		for d := range depth {
			f := (id>>(d/3) + d*31) % 900
			fmt.Fprintf(&b, "\t%16x function_number_%d+0x%x (/usr/lib/postgresql/17/bin/postgres)\n", 0x55d0c15e0000+f*64+id%16, f, id%16)
		}
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

func BenchmarkRead(b *testing.B) {
	for _, stacks := range []int{1000, 100000} {
		data := generate(64<<20, stacks)
		b.Run(fmt.Sprintf("stacks=%d", stacks), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				ctx := stream(data)
				if len(ctx.Profiles) != 1 {
					b.Fatal(ctx.Problems)
				}
			}
		})
	}
}

// stream feeds the reader as a host does.
func stream(data []byte) *format.Context {
	ctx := &format.Context{Limits: source.Limits{}.Or()}
	r := Format.New(ctx)
	s := source.Splitter{Max: ctx.Limits.LineBytes, Line: r.Line, Ahead: r.(format.Leaper).Ahead}
	for ; len(data) > 0; data = data[min(1<<20, len(data)):] {
		s.Write(data[:min(1<<20, len(data))])
	}
	s.Close()
	r.Close()
	return ctx
}
