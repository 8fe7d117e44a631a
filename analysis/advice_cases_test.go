package analysis_test

import (
	"fmt"
	"math"
	"math/rand"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgknee/analysis"
	"pgknee/analysis/report"
)

// The cases of this file retell rows of the rule base with simulated numbers, as a mail, an issue or a folder, and say what an expert
// would advise and what not.

// shape gives the throughput of a server at a client count, without noise.
type shape func(clients float64) float64

// usl is the universal scalability law.
func usl(gamma, alpha, beta float64) shape {
	return func(n float64) float64 { return gamma * n / (1 + alpha*(n-1) + beta*n*(n-1)) }
}

func (s shape) times(factor float64) shape { return func(n float64) float64 { return s(n) * factor } }

// from multiplies by a factor that falls from 1 at a count to its end at a later one.
func (s shape) from(at, full, factor float64) shape {
	return func(n float64) float64 {
		share := math.Log(n/at) / math.Log(full/at)
		return s(n) * math.Pow(factor, min(max(share, 0), 1))
	}
}

func (s shape) cap(most float64) shape {
	return func(n float64) float64 {
		v := s(n)
		return v / math.Pow(1+math.Pow(v/most, 8), 1.0/8)
	}
}

// side is one configuration: its curve, and what is known of it.
type side struct {
	name    string // in file names and headings
	curve   shape
	conf    string // lines of postgresql.conf
	folded  string // lines "frames weight", after the frames that all backends share
	waits   string // lines "type event count"
	version string
}

// bench is how the runs were made.
type benchmark struct {
	script, mode string
	counts       []int
	repeats      int
	seconds      int
	scale        int
	threads      int // 0 for about a quarter of the clients
	noise        float64
	rate         bool // throttled
}

var usual = benchmark{script: "<builtin: select only>", mode: "simple", counts: []int{1, 4, 8, 16, 32, 64, 128, 256}, repeats: 3, seconds: 60, scale: 300, noise: .015}

func (b benchmark) with(change func(*benchmark)) benchmark { change(&b); return b }

var tpcb = usual.with(func(b *benchmark) { b.script, b.scale = "<builtin: TPC-B (sort of)>", 1000 })

const backend = "postgres;main;PostmasterMain;ServerLoop;BackendRun;PostgresMain;exec_simple_query;"

// quiet is what any busy server shows.
const quiet = `PortalRun;standard_ExecutorRun;ExecutePlan;IndexNext;index_getnext_slot;_bt_search;_bt_compare 900
PortalRun;standard_ExecutorRun;ExecutePlan;IndexNext;heap_hot_search_buffer 400
pg_plan_queries;standard_planner;subquery_planner;grouping_planner 500
pg_parse_query;raw_parser;base_yyparse;core_yylex 300
PortalRun;LWLockAcquire;LWLockAttemptLock 60
GetTransactionSnapshot;GetSnapshotData 110
EndCommand;pq_flush;__libc_send;tcp_sendmsg_[k] 700
`

// folder writes the runs, settings and profiles of some sides as files.
func (b benchmark) folder(seed int64, sides ...side) map[string]string {
	random := rand.New(rand.NewSource(seed))
	files := map[string]string{}
	for _, s := range sides {
		for _, c := range b.counts {
			var out strings.Builder
			for range b.repeats {
				out.WriteString(b.run(s, c, random))
			}
			files[fmt.Sprintf("%s-c%d.txt", s.name, c)] = out.String()
		}
		if s.conf != "" {
			files[s.name+".conf"] = s.conf
		}
		if s.folded != "" {
			files[fmt.Sprintf("%s-c%d.folded", s.name, b.counts[len(b.counts)-2])] = s.stacks()
		}
		if s.waits != "" {
			files[s.name+"-waits.txt"] = s.waitTable()
		}
	}
	return files
}

func (b benchmark) run(s side, clients int, random *rand.Rand) string {
	tps := s.curve(float64(clients)) * math.Exp(b.noise*random.NormFloat64())
	threads := b.threads
	if threads == 0 {
		threads = max(clients/4, 1)
	}
	version := s.version
	if version == "" {
		version = "16.4"
	}
	rate := ""
	if b.rate {
		rate = "rate limit schedule lag: avg 0.300 (max 12.000) ms\n"
	}
	return fmt.Sprintf("pgbench (%s)\ntransaction type: %s\nscaling factor: %d\nquery mode: %s\nnumber of clients: %d\nnumber of threads: %d\nmaximum number of tries: 1\nduration: %d s\nnumber of transactions actually processed: %.0f\nnumber of failed transactions: 0 (0.000%%)\nlatency average = %.3f ms\n%sinitial connection time = 20.1 ms\ntps = %.6f (without initial connection time)\n\n",
		version, b.script, b.scale, b.mode, clients, min(threads, clients), b.seconds, tps*float64(b.seconds), 1000*float64(clients)/tps, rate, tps)
}

func (s side) stacks() string {
	var out strings.Builder
	random := rand.New(rand.NewSource(int64(len(s.name))*31 + int64(s.name[len(s.name)-1])))
	for line := range strings.Lines(s.folded) {
		if i := strings.LastIndexByte(line, ' '); i > 0 {
			n, _ := strconv.Atoi(strings.TrimSpace(line[i:]))
			line = fmt.Sprintf("%s %.0f\n", line[:i], float64(n)*(1+.02*random.NormFloat64()))
		}
		if strings.HasPrefix(line, "pgbench;") {
			out.WriteString(line)
			continue
		}
		out.WriteString(backend + line)
	}
	return out.String()
}

func (s side) waitTable() string {
	out := " wait_event_type | wait_event | samples\n-----------------+------------+---------\n"
	n := 0
	for line := range strings.Lines(s.waits) {
		f := strings.Fields(line)
		out += fmt.Sprintf(" %s | %s | %s\n", f[0], f[1], f[2])
		n++
	}
	return out + fmt.Sprintf("(%d rows)\n", n)
}

// mail writes the sides as a table with text around it; issue does so in Markdown.
func (b benchmark) mail(seed int64, above, below string, sides ...side) map[string]string {
	return map[string]string{"mail.txt": "Hello,\n\n" + above + "\n\n" + b.table(seed, false, sides) + "\n\n" + below + "\n\nRegards\n"}
}

func (b benchmark) issue(seed int64, above, below string, sides ...side) map[string]string {
	return map[string]string{"issue.md": "# A question of throughput\n\n" + above + "\n\n" + b.table(seed, true, sides) + "\n\n" + below + "\n"}
}

func (b benchmark) table(seed int64, markdown bool, sides []side) string {
	random := rand.New(rand.NewSource(seed))
	var rows []string
	head := []string{"clients"}
	for _, s := range sides {
		head = append(head, s.name)
	}
	line := func(cells []string) {
		if markdown {
			rows = append(rows, "| "+strings.Join(cells, " | ")+" |")
			return
		}
		text := fmt.Sprintf("%8s", cells[0])
		for i, c := range cells[1:] {
			text += fmt.Sprintf("  %*s", max(len(head[i+1]), 9), c)
		}
		rows = append(rows, text)
	}
	line(head)
	if markdown {
		rows = append(rows, "|"+strings.Repeat("---:|", len(head)))
	}
	for _, c := range b.counts {
		cells := []string{fmt.Sprint(c)}
		for _, s := range sides {
			cells = append(cells, fmt.Sprintf("%.0f", s.curve(float64(c))*math.Exp(b.noise*random.NormFloat64())))
		}
		line(cells)
	}
	return strings.Join(rows, "\n")
}

// want is one expectation: a recommendation whose fields match. Empty fields match anything.
type want struct{ rule, setting, to, kind, text string }

// adviceCase is one input with what an expert would say.
type adviceCase struct {
	name     string
	files    map[string]string
	baseline string
	want     []want
	never    []want // never with more than weak confidence
	silent   []want // never at all
	most     string // highest confidence of any default, server or client advice; "" for moderate
}

var (
	anySetting = want{setting: "."}
	anyAdvice  = want{kind: "default|server|client"}
	tracking   = want{setting: "track_planning"}
)

func adviceCases() []adviceCase {
	reads := usl(9000, .004, .000004)
	writes := usl(900, .008, .00001)
	w := func(text string) string { return text }
	return []adviceCase{
		{
			name: "kcache", files: usual.folder(1,
				side{name: "off", curve: reads, conf: "shared_preload_libraries = 'pg_stat_statements'\n", folded: quiet},
				side{name: "kcache", curve: reads.from(16, 256, .35), conf: "shared_preload_libraries = 'pg_stat_statements,pg_stat_kcache'\n", folded: quiet + "pgsk_ExecutorEnd;pgsk_store;pgsk_entry_store;LWLockAcquire;LWLockAttemptLock 500\npgsk_ExecutorEnd;pgsk_store;LWLockAcquire;LWLockQueueSelf;LWLockWaitListLock 900\n"}),
			baseline: "off", want: []want{{rule: "pg-stat-kcache", kind: "server", text: "kcache"}}, silent: []want{anySetting, {kind: "default"}},
		},
		{
			name: "kcache, issue with waits", files: usual.issue(2, "PostgreSQL 15.4, 64 cores, pgbench -S -M prepared, 60 s each. The second column has pg_stat_kcache 2.1 loaded.",
				w("What the sessions wait for with pg_stat_kcache at 128 clients:\n\n```\nwait_event_type | wait_event | count\nLWLock | pg_stat_kcache | 5210\nClient | ClientRead | 800\n```"),
				side{name: "plain", curve: reads}, side{name: "with pg_stat_kcache", curve: reads.from(16, 256, .3)}),
			baseline: "plain", want: []want{{rule: "pg-stat-kcache", kind: "server"}}, silent: []want{anySetting, {kind: "default"}},
		},
		{
			name: "snapshots, 13 against 14", files: usual.with(func(b *benchmark) { b.counts = []int{1, 8, 32, 64, 128, 256, 512, 1024} }).folder(3,
				side{name: "pg13", version: "13.9", curve: reads.from(48, 1024, .4), folded: quiet + "GetTransactionSnapshot;GetSnapshotData 1500\n"},
				side{name: "pg14", version: "14.6", curve: reads, folded: quiet}),
			baseline: "pg13", want: []want{{rule: "snapshot-scalability", kind: "server", text: "14"}}, silent: []want{anySetting, {kind: "default"}},
		},
		{
			name: "13 against 14, a tenth everywhere", files: usual.folder(4, side{name: "pg13", version: "13.9", curve: reads}, side{name: "pg14", version: "14.6", curve: reads.times(1.1)}),
			baseline: "pg13", silent: []want{anyAdvice},
		},
		{
			name: "partitions on 18", files: usual.folder(5,
				side{name: "locks64", version: "18.1", curve: reads.from(16, 256, .45), conf: "max_locks_per_transaction = 64\n", folded: quiet + "standard_planner;LockRelationOid;LockAcquireExtended;LWLockAcquire;LWLockQueueSelf;LWLockWaitListLock 1200\n"},
				side{name: "locks1024", version: "18.1", curve: reads, conf: "max_locks_per_transaction = 1024\n", folded: quiet}),
			baseline: "locks64", want: []want{{rule: "fast-path-locks", setting: "max_locks_per_transaction", to: "1024", kind: "server"}}, silent: []want{tracking, {kind: "default"}},
		},
		{
			name: "partitions on 17", files: usual.issue(6, "PostgreSQL 17.2, 48 cores. The same rows in one table and in a table with 100 partitions, pgbench -n -f point.sql -T 60.",
				"Waits at 256 clients, table with partitions, one sample a second:\n\n    LWLock:LockManager   61 %\n    CPU                  25 %\n    Client:ClientRead     9 %",
				side{name: "v17 one table", curve: reads}, side{name: "v17 with partitions", curve: reads.from(8, 256, .3)}),
			baseline: "one table", want: []want{{rule: "fast-path-relations", kind: "server", text: "prun|prepared"}}, silent: []want{{setting: "max_locks_per_transaction"}, {kind: "default"}},
		},
		{
			name: "WAL insertion", files: tpcb.folder(7,
				side{name: "wb512kB", curve: writes.from(16, 256, .6), conf: "wal_buffers = 512kB\nshared_buffers = 16GB\n", folded: quiet + "PortalRun;ExecModifyTable;heap_update;XLogInsert;XLogInsertRecord;LWLockAcquire;LWLockAttemptLock 900\n", waits: "LWLock WALInsert 3000\nLWLock WALWrite 700\nClient ClientRead 300\n"},
				side{name: "wb64MB", curve: writes, conf: "wal_buffers = 64MB\nshared_buffers = 16GB\n", folded: quiet + "PortalRun;ExecModifyTable;heap_update;XLogInsert;XLogInsertRecord 200\n", waits: "LWLock WALInsert 300\nLWLock WALWrite 700\nClient ClientRead 300\n"}),
			baseline: "wb512kB", want: []want{{rule: "wal-insertion", setting: "wal_buffers", to: "64MB", kind: "server"}}, never: []want{{setting: "synchronous_commit|max_wal_size"}}, silent: []want{{kind: "default"}},
		},
		{
			name: "synchronous_commit", files: tpcb.folder(8,
				side{name: "sync_on", curve: writes.times(.35).from(64, 256, 1.6), conf: "synchronous_commit = on\n", waits: "LWLock WALWrite 3000\nIO WALSync 1200\nClient ClientRead 300\n"},
				side{name: "sync_off", curve: writes, conf: "synchronous_commit = off\n", waits: "LWLock WALWrite 30\nClient ClientRead 1300\n"}),
			baseline: "sync_on", want: []want{{rule: "commit-flush", setting: "synchronous_commit", kind: "server", text: "durab|lost"}}, silent: []want{{kind: "default"}},
		},
		{
			name: "commit_delay", files: tpcb.folder(9,
				side{name: "delay0", curve: writes, conf: "commit_delay = 0\n"}, side{name: "delay200", curve: writes.from(32, 256, 1.35), conf: "commit_delay = 200\n"}),
			baseline: "delay0", want: []want{{rule: "commit-delay", setting: "commit_delay", to: "200", kind: "server"}}, silent: []want{{setting: "synchronous_commit"}, {kind: "default"}},
		},
		{
			name: "synchronous standby", files: tpcb.folder(10,
				side{name: "async", curve: writes, conf: "synchronous_standby_names = ''\n", folded: quiet},
				side{name: "standby", curve: writes.times(.5), conf: "synchronous_standby_names = 'replica1'\n", waits: "IPC SyncRep 4000\nLWLock WALWrite 120\nIO WALSync 300\n"}),
			baseline: "async", want: []want{{rule: "synchronous-standby", kind: "server", text: "remote_write|local"}}, silent: []want{{setting: "synchronous_commit"}, {kind: "default"}},
		},
		{
			name: "jit", files: usual.with(func(b *benchmark) { b.script = "report.sql" }).folder(11,
				side{name: "jit_on", curve: reads.times(.1).times(.6), conf: "jit = on\n", folded: quiet + "PortalRun;standard_ExecutorRun;ExecProcNode;jit_compile_expr;llvm_compile_expr;llvm_get_function;llvm::orc::LLJIT::lookup 1900\n"},
				side{name: "jit_off", curve: reads.times(.1), conf: "jit = off\n", folded: quiet}),
			baseline: "jit_on", want: []want{{rule: "jit", setting: "^jit$", to: "off", kind: "server", text: "analytical"}}, silent: []want{{kind: "default"}},
		},
		{
			name: "one pgbench thread", files: usual.with(func(b *benchmark) { b.threads = 1 }).folder(12,
				side{name: "sb1GB", curve: reads.cap(95000), conf: "shared_buffers = 1GB\n"}, side{name: "sb8GB", curve: reads.cap(95000), conf: "shared_buffers = 8GB\n"}),
			baseline: "sb1GB", want: []want{{rule: "pgbench-threads", kind: "measurement", text: "-j"}}, silent: []want{anyAdvice},
		},
		{
			name: "scale below clients", files: tpcb.with(func(b *benchmark) { b.scale = 20 }).folder(13,
				side{name: "tpcb", curve: usl(900, .02, .0003), waits: "Lock transactionid 2900\nLock tuple 1100\nClient ClientRead 200\n"}),
			want: []want{{rule: "scale-below-clients", kind: "measurement", text: "scale"}}, never: []want{anyAdvice}, silent: []want{{kind: "default"}, anySetting},
		},
		{
			name: "one pooler process or four", files: usual.folder(14,
				side{name: "pgbouncer_1", curve: reads.cap(60000)}, side{name: "pgbouncer_4", curve: reads.cap(230000)}),
			baseline: "pgbouncer_1", want: []want{{rule: "pgbouncer-one-process", kind: "client", text: "so_reuseport"}}, silent: []want{anySetting, {kind: "server|default"}},
		},
		{
			name: "pooler against direct, mail", files: usual.mail(15, "PostgreSQL 16.3 on 32 cores, select-only, prepared protocol, scale 100, 60 s. One PgBouncer process on the same network, top shows it at 99 % of a core.", "What limits it?",
				side{name: "direct", curve: reads}, side{name: "through pgbouncer", curve: reads.cap(70000)}),
			baseline: "direct", want: []want{{rule: "pgbouncer-one-process", kind: "client"}}, silent: []want{anySetting, {kind: "server|default"}},
		},
		{
			name: "too many connections", files: usual.with(func(b *benchmark) { b.counts = []int{8, 16, 32, 64, 128, 256, 512, 1024, 2000} }).folder(16,
				side{name: "sweep", curve: usl(9000, .005, .0001), conf: "max_connections = 2500\nshared_buffers = 16GB\n"}),
			want: []want{{rule: "too-many-connections", kind: "client", text: "pool"}}, silent: []want{anySetting, {kind: "server|default"}}, most: "weak",
		},
		{
			name: "ARM", files: usual.mail(17, "An instance with 64 Graviton2 cores, PostgreSQL 12.4 built from source twice, select-only, simple protocol, scale 1000, 120 s, one run for each cell.",
				"Profile of default at 256 clients (perf report --no-children):\n\n    31.20%  postgres  postgres  [.] LWLockAttemptLock\n    12.10%  postgres  postgres  [.] s_lock\n     4.00%  postgres  postgres  [.] _bt_compare\n     3.10%  postgres  postgres  [.] hash_search_with_hash_value",
				side{name: "default", curve: reads.from(16, 256, .5)}, side{name: "-moutline-atomics", curve: reads}),
			baseline: "default", want: []want{{rule: "arm-atomics", kind: "server", text: "outline-atomics|armv8"}}, silent: []want{anySetting, {kind: "default"}},
		},
		{
			name: "contended atomics", files: usual.with(func(b *benchmark) { b.counts = []int{32, 64, 128, 192, 256, 384, 512, 768} }).folder(18,
				side{name: "master", curve: reads.from(192, 768, .5), folded: quiet + "PortalStart;GetTransactionSnapshot;LWLockAcquire;LWLockAttemptLock 300\nstandard_planner;get_relation_info;LWLockAcquire;LWLockAttemptLock 250\n"},
				side{name: "patched", curve: reads, folded: quiet}),
			baseline: "master", want: []want{{rule: "lwlock-atomics", kind: "server", text: "no setting"}}, silent: []want{anySetting, {kind: "default"}},
		},
		{
			name: "every statement logged", files: usual.folder(19,
				side{name: "quiet", curve: reads, conf: "log_min_duration_statement = -1\nlogging_collector = on\n", folded: quiet},
				side{name: "logged", curve: reads.times(.7).cap(140000), conf: "log_min_duration_statement = 0\nlogging_collector = on\n", folded: quiet + "check_log_duration;errfinish;EmitErrorReport;send_message_to_server_log;write_pipe_chunks;__libc_write;pipe_write_[k] 1300\n"}),
			baseline: "quiet", want: []want{{rule: "statement-logging", setting: "log_min_duration_statement", kind: "server", text: "sample"}}, silent: []want{{kind: "default"}},
		},
		{
			name: "log_statement", files: usual.folder(20,
				side{name: "none", curve: reads, conf: "log_statement = 'none'\n"}, side{name: "all", curve: reads.times(.75), conf: "log_statement = 'all'\n"}),
			baseline: "none", want: []want{{rule: "statement-logging-all", setting: "^log_statement$", kind: "server", text: "sample"}}, silent: []want{{kind: "default"}},
		},
		{
			name: "few statements", files: usual.folder(21,
				side{name: "unloaded", curve: reads, conf: "shared_preload_libraries = ''\n", folded: quiet},
				side{name: "pgss", curve: reads.from(32, 256, .6), conf: "shared_preload_libraries = 'pg_stat_statements'\npg_stat_statements.track = top\n", folded: quiet + "PortalRun;pgss_ExecutorEnd;pgss_store;s_lock;perform_spin_delay 500\n"}),
			baseline: "unloaded", want: []want{{rule: "pgss-few-statements", kind: "measurement", text: "pg_stat_statements"}}, silent: []want{tracking, anyAdvice},
		},
		{
			name: "fast clock", files: usual.folder(22,
				side{name: "timing_off", curve: reads, conf: "track_io_timing = off\n", folded: quiet},
				side{name: "timing_on", curve: reads, conf: "track_io_timing = on\n", folded: quiet + "PortalRun;ReadBuffer_common;clock_gettime 20\n"}),
			baseline: "timing_off", silent: []want{anyAdvice},
		},
		{
			name: "compiler", files: usual.folder(23,
				side{name: "gcc12", curve: reads, conf: "shared_buffers = 16GB\nhuge_pages = on\n", folded: quiet}, side{name: "gcc13", curve: reads.times(1.06), conf: "shared_buffers = 16GB\nhuge_pages = on\n", folded: quiet}),
			baseline: "gcc12", silent: []want{anyAdvice},
		},
		{
			name: "kernel with dearer page faults", files: usual.folder(24,
				side{name: "kernel5", curve: reads, conf: "shared_buffers = 16GB\nhuge_pages = on\n", folded: quiet}, side{name: "kernel6", curve: reads.times(.85), conf: "shared_buffers = 16GB\nhuge_pages = on\n", folded: quiet + "asm_exc_page_fault_[k];handle_mm_fault_[k] 600\n"}),
			baseline: "kernel5", silent: []want{anyAdvice},
		},
		{
			name: "two settings", files: tpcb.folder(25,
				side{name: "old", curve: writes, conf: "max_wal_size = 1GB\nwal_compression = off\nlog_checkpoints = on\n"}, side{name: "new", curve: writes.times(1.2), conf: "max_wal_size = 32GB\nwal_compression = lz4\nlog_checkpoints = off\n"}),
			baseline: "old", want: []want{{kind: "measurement", text: "max_wal_size.*wal_compression|wal_compression.*max_wal_size"}}, silent: []want{{text: "log_checkpoints"}, {kind: "default"}}, most: "weak",
		},
		{
			name: "a setting no rule knows", files: usual.folder(26,
				side{name: "wm4MB", curve: reads.times(.8), conf: "work_mem = 4MB\nport = 5432\n"}, side{name: "wm64MB", curve: reads, conf: "work_mem = 64MB\nport = 5433\n"}),
			baseline: "wm4MB", want: []want{{setting: "work_mem", kind: "server"}}, silent: []want{{setting: "port"}, {kind: "default"}}, most: "weak",
		},
		{
			name: "what protects data", files: usual.folder(126,
				side{name: "fpw_on", curve: writes.times(.7), conf: "full_page_writes = on\n"}, side{name: "fpw_off", curve: writes, conf: "full_page_writes = off\n"}),
			baseline: "fpw_on", want: []want{{rule: "setting-protects", kind: "measurement", text: "full_page_writes.*crash"}}, silent: []want{anyAdvice},
		},
		{
			name: "no standby in sight", files: usual.with(func(b *benchmark) { b.script = "<builtin: TPC-B (sort of)>" }).folder(127,
				side{name: "synchronous_commit=on", curve: writes.times(.4), conf: "synchronous_commit = on\n", waits: "IO WALSync 900\nLWLock WALWrite 1700\nClient ClientRead 400\n"},
				side{name: "synchronous_commit=off", curve: writes, conf: "synchronous_commit = off\n"}),
			baseline: "synchronous_commit=on", want: []want{{rule: "commit-flush", text: "lost"}}, silent: []want{{rule: "synchronous-standby"}, {setting: "synchronous_commit", to: "off"}},
		},
		{
			name: "waits that contradict", files: usual.folder(128,
				side{name: "sb4GB", curve: writes.times(.8), conf: "shared_buffers = 4GB\n", waits: "Lock transactionid 1900\nClient ClientRead 900\n"},
				side{name: "sb16GB", curve: writes, conf: "shared_buffers = 16GB\n"}),
			baseline: "sb4GB", want: []want{{rule: "setting-differs"}}, silent: []want{{rule: "shared-buffers"}}, most: "weak",
		},
		{
			name: "temporary files", files: usual.folder(129,
				side{name: "wm4MB", curve: reads.times(.5), conf: "work_mem = 4MB\n", waits: "IO BufFileWrite 800\nIO BufFileRead 700\nClient ClientRead 90\n"},
				side{name: "wm256MB", curve: reads, conf: "work_mem = 256MB\n"}),
			baseline: "wm4MB", want: []want{{rule: "work-mem", setting: "work_mem", to: "256MB", kind: "server"}}, silent: []want{{kind: "default"}},
		},
		{
			name: "the best of three values", files: usual.folder(130,
				side{name: "sync", curve: reads, conf: "io_method = sync\n", version: "18.1"}, side{name: "worker", curve: reads.times(1.2), conf: "io_method = worker\n", version: "18.1"},
				side{name: "io_uring", curve: reads.times(1.4), conf: "io_method = io_uring\n", version: "18.1"}),
			baseline: "sync", want: []want{{setting: "io_method", to: "io_uring", kind: "server"}}, silent: []want{{to: "worker"}}, most: "weak",
		},
		{
			name: "throttled", files: usual.with(func(b *benchmark) { b.rate = true }).folder(27,
				side{name: "v15", curve: reads.cap(20000)}, side{name: "v16", curve: reads.cap(20000)}),
			baseline: "v15", want: []want{{rule: "measure-throttled", kind: "measurement"}}, silent: []want{anyAdvice},
		},
		{
			name: "noise only", files: usual.with(func(b *benchmark) { b.noise = .04 }).folder(28,
				side{name: "monday", curve: reads, conf: "shared_buffers = 16GB\n", folded: quiet}, side{name: "tuesday", curve: reads, conf: "shared_buffers = 16GB\n", folded: quiet}),
			baseline: "monday", silent: []want{anyAdvice},
		},
		{
			name: "noise, and a setting that differs", files: usual.with(func(b *benchmark) { b.noise = .04 }).folder(29,
				side{name: "a", curve: reads, conf: "max_wal_size = 1GB\n"}, side{name: "b", curve: reads, conf: "max_wal_size = 32GB\n"}),
			baseline: "a", silent: []want{anyAdvice},
		},
		{
			name: "fixed in the next", files: usual.folder(30,
				side{name: "v17.0", version: "17.0", curve: reads}, side{name: "v17.1", version: "17.1", curve: reads.from(16, 256, .6)}, side{name: "v17.2", version: "17.2", curve: reads}),
			baseline: "v17.0", silent: []want{anySetting, anyAdvice},
		},
		{
			name: "different hardware", files: usual.mail(31, "The same configuration (PostgreSQL 16.4, shared_buffers = 32GB) on two machines, select-only, scale 300, 60 s.", "The old one has 16 cores, the new one 64.",
				side{name: "old machine", curve: usl(8000, .03, .0001)}, side{name: "new machine", curve: reads}),
			baseline: "old machine", silent: []want{anySetting, anyAdvice},
		},
		{
			name: "same host", files: usual.folder(32,
				side{name: "sweep", curve: usl(9000, .01, .00002), folded: quiet + "pgbench;main;threadRun;advanceConnectionState;PQgetResult 900\n"}),
			want: []want{{rule: "measure-same-host", kind: "measurement"}}, silent: []want{anySetting, {kind: "default|server"}},
		},
		{
			name: "writes show WAL on both sides", files: tpcb.folder(33,
				side{name: "pg15", version: "15.4", curve: writes, conf: "wal_buffers = 16MB\nsynchronous_commit = on\n", folded: quiet + "heap_update;XLogInsert;XLogInsertRecord;LWLockAcquire;LWLockAttemptLock 400\nCommitTransaction;XLogFlush;issue_xlog_fsync 500\n"},
				side{name: "pg16", version: "16.1", curve: writes.times(.9), conf: "wal_buffers = 16MB\nsynchronous_commit = on\n", folded: quiet + "heap_update;XLogInsert;XLogInsertRecord;LWLockAcquire;LWLockAttemptLock 410\nCommitTransaction;XLogFlush;issue_xlog_fsync 490\nPortalRun;slot_deform_heap_tuple 400\n"}),
			baseline: "pg15", silent: []want{anyAdvice},
		},
		{
			name: "12 with jit against 11", files: usual.with(func(b *benchmark) { b.script = "report.sql" }).folder(34,
				side{name: "pg11", version: "11.9", curve: reads.times(.1), folded: quiet},
				side{name: "pg12", version: "12.4", curve: reads.times(.07), folded: quiet + "PortalRun;standard_ExecutorRun;jit_compile_expr;llvm_compile_expr 1500\n"}),
			baseline: "pg11", want: []want{{rule: "jit", setting: "^jit$", to: "off"}}, silent: []want{{kind: "default"}, tracking},
		},
		{
			name: "11 to 12, a twentieth lost", files: usual.folder(35, side{name: "pg11", version: "11.9", curve: reads, folded: quiet}, side{name: "pg12", version: "12.4", curve: reads.times(.9), folded: quiet}),
			baseline: "pg11", silent: []want{anyAdvice},
		},
		{
			name: "settings as headings", files: tpcb.issue(37, "PostgreSQL 16.2, TPC-B-like, scale 500, 120 s. A flush takes 2 ms on this disk.", "At few clients there is no difference.",
				side{name: "commit_delay = 0", curve: writes.times(.3)}, side{name: "commit_delay = 500", curve: writes.times(.3).from(32, 256, 1.4)}),
			baseline: "commit_delay=0", want: []want{{rule: "commit-delay", setting: "commit_delay", to: "500"}}, silent: []want{{setting: "synchronous_commit"}, {kind: "default"}},
		},
		{
			name: "log threshold as heading", files: usual.issue(38, "PostgreSQL 14.8, 8 cores, select-only, scale 100.", "The log grows by 40 MB a second.",
				side{name: "log_min_duration_statement=-1", curve: reads}, side{name: "log_min_duration_statement=0", curve: reads.times(.7).cap(90000)}),
			baseline: "log_min_duration_statement=-1", want: []want{{rule: "statement-logging", setting: "log_min_duration_statement"}}, silent: []want{{kind: "default"}},
		},
		{
			name: "the pooler only in the text", files: usual.issue(39, "Select-only, prepared, scale 100, PostgreSQL 16 on 64 cores; PgBouncer 1.23 with pool_mode = transaction.", "With one process pgbouncer is at 99.7 % in top.",
				side{name: "direct", curve: reads}, side{name: "1 process", curve: reads.cap(48000)}, side{name: "4 processes (so_reuseport)", curve: reads.cap(190000)}),
			baseline: "direct", want: []want{{rule: "pgbouncer-one-process", kind: "client"}}, silent: []want{anySetting, {kind: "server|default"}}, most: "weak",
		},
		{
			name: "WAL insertion, 17 against 18", files: tpcb.mail(40, "Insert-only script, 96 cores, synchronous_commit=off, 120 s. Version 17.4 against the development branch.",
				"Sampled waits of 17.4 at 128 clients:\n\n  count | wait_event_type | wait_event\n -------+-----------------+---------------\n   5210 | LWLock          | WALInsert\n   2100 | LWLock          | WALBufMapping\n    300 |                 |",
				side{name: "17.4", curve: writes.from(16, 256, .6)}, side{name: "18devel", curve: writes}),
			baseline: "17.4", want: []want{{rule: "wal-insertion", kind: "server", text: "newer major"}}, silent: []want{{rule: "fast-path-relations"}, {rule: "fast-path-locks"}, {kind: "default"}},
		},
		{
			name: "kernels are no versions", files: usual.issue(41, "The same server and settings, PostgreSQL 16.4, pgbench -S -M prepared -s 300 -T 120.", "Only the kernel differs.",
				side{name: "5.15", curve: reads}, side{name: "6.1", curve: reads.from(16, 256, .7)}),
			baseline: "5.15", silent: []want{anyAdvice},
		},
		{
			name: "subtransactions on 17", files: tpcb.with(func(b *benchmark) { b.script = "work.sql" }).folder(36,
				side{name: "plain", curve: writes, version: "17.1", waits: "LWLock WALWrite 300\nClient ClientRead 900\n"},
				side{name: "savepoints", version: "17.1", curve: writes.from(8, 64, .1), waits: "LWLock SubtransSLRU 2300\nLWLock SubtransBuffer 500\nClient ClientRead 200\n"}),
			baseline: "plain", want: []want{{rule: "subtransactions", kind: "client", text: "savepoint"}}, silent: []want{anySetting, {kind: "default"}},
		},
	}
}

func (w want) matches(rec report.Recommendation) bool {
	is := func(pattern, text string) bool {
		return pattern == "" || regexp.MustCompile("(?is)"+pattern).MatchString(text)
	}
	return (w.rule == "" || w.rule == rec.Rule) && is(w.setting, rec.Setting) && (w.to == "" || w.to == rec.To) && (w.kind == "" || slices.Contains(strings.Split(w.kind, "|"), rec.Kind)) && is(w.text, rec.Text)
}

func analyse(files map[string]string, baseline string) *report.Report {
	s := analysis.New(analysis.Options{Baseline: baseline})
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		in := s.Open(name)
		in.Write([]byte(files[name]))
		in.Close()
	}
	return s.Report()
}

// TestAdviceOnRows holds the advice against what an expert would sign.
func TestAdviceOnRows(t *testing.T) {
	for _, c := range adviceCases() {
		r := analyse(c.files, c.baseline)
		var all []string
		for _, rec := range r.Recommendations {
			all = append(all, fmt.Sprintf("%s %s %s %s→%s: %s", rec.Rule, rec.Kind, rec.Confidence, rec.Setting, rec.To, rec.Text))
		}
		shown := false
		fail := func(format string, args ...any) {
			t.Errorf("%s: "+format, append([]any{c.name}, args...)...)
			if !shown {
				shown = true
				for _, cmp := range r.Comparisons {
					t.Logf("    %s → %s: %s %s; %s", cmp.Baseline, cmp.Candidate, cmp.Verdict, cmp.Attribution, cmp.Why)
				}
				t.Logf("    %s", strings.Join(all, "\n    "))
			}
		}
		for _, w := range c.want {
			if !slices.ContainsFunc(r.Recommendations, w.matches) {
				fail("lacks %+v", w)
			}
		}
		for _, rec := range r.Recommendations {
			if slices.ContainsFunc(c.silent, func(w want) bool { return w.matches(rec) }) {
				fail("says %s (%s, %s)", rec.Rule, rec.Kind, rec.Confidence)
			}
			if rec.Kind == "measurement" {
				continue
			}
			if rec.Confidence != "weak" && (c.most == "weak" || slices.ContainsFunc(c.never, func(w want) bool { return w.matches(rec) })) {
				fail("says %s too surely", rec.Rule)
			}
			if rec.Confidence == "strong" {
				fail("%s is strong without a restoring run", rec.Rule)
			}
			if len(rec.Evidence) == 0 || rec.Text == "" || len(rec.Sources) == 0 && !strings.HasPrefix(rec.Rule, "setting") {
				fail("%s lacks evidence, text or sources", rec.Rule)
			}
		}
	}
}
