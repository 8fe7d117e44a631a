package advise_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgknee/analysis/advise"
	"pgknee/analysis/report"
)

// spec is one side of a comparison in a fixture.
type spec struct {
	label, mode, version, script string
	settings                     string // "name=value; name=value"
	locks                        string // "class caller share [via,via]; …"
	symbols                      string // "function self total; …"
	varies                       float64
}

// fixture is a report as rules see it: one comparison, or one series where better has no label.
type fixture struct {
	verdict, attribution string
	worst                float64
	worse, better        spec
	clients, scale       int
	threads              int
	seconds              float64
	cores                int
	bracket              [2]int
	flag                 string
	fall                 float64
	needed               int
}

// fires holds, for each rule of the rule base, a report in which it must fire.
var fires = map[string]fixture{
	"pgss-track-planning":   {attribution: "collapse", worse: spec{settings: "pg_stat_statements.track_planning=on", locks: "spinlock pgss_store .26 pgss_planner", symbols: "pgss_planner .01 .25"}, better: spec{settings: "pg_stat_statements.track_planning=off", locks: "spinlock pgss_store .006"}},
	"pgss-few-statements":   {attribution: "collapse", worse: spec{settings: "pg_stat_statements.track=top", locks: "spinlock pgss_store .12 pgss_ExecutorEnd", symbols: "pgss_store .02 .14"}, better: spec{symbols: "ExecScan .1 .2"}},
	"pgss-max":              {attribution: "uniform", worse: spec{settings: "pg_stat_statements.max=5000", locks: "lwlock pgss_store .13"}, better: spec{settings: "pg_stat_statements.max=100000"}},
	"pg-stat-kcache":        {attribution: "collapse", worse: spec{settings: "pg_stat_kcache.track=top", locks: "lwlock pgsk_store .2"}},
	"pg-show-plans":         {attribution: "collapse", worse: spec{label: "with pg_show_plans", locks: "lwlock entry_store .4"}},
	"snapshot-scalability":  {attribution: "uniform", worse: spec{version: "13.4", symbols: "GetSnapshotData .45 .46"}, better: spec{version: "13.4", symbols: "GetSnapshotData .1 .1"}},
	"fast-path-locks":       {attribution: "contention", worse: spec{settings: "max_locks_per_transaction=64", locks: "lwlock LockAcquireExtended .3"}, better: spec{settings: "max_locks_per_transaction=256"}},
	"prepared-statements":   {attribution: "uniform", worse: spec{mode: "simple"}, better: spec{mode: "prepared"}},
	"huge-pages":            {attribution: "uniform", worse: spec{settings: "huge_pages=off"}, better: spec{settings: "huge_pages=on"}},
	"shared-buffers":        {attribution: "contention", worse: spec{settings: "shared_buffers=128MB", locks: "lwlock BufferAlloc .15"}, better: spec{settings: "shared_buffers=16GB"}},
	"wal-insertion":         {attribution: "contention", worse: spec{settings: "wal_buffers=512kB", locks: "lwlock XLogInsertRecord .2"}, better: spec{settings: "wal_buffers=64MB"}},
	"commit-flush":          {attribution: "uniform", worse: spec{settings: "synchronous_commit=on", symbols: "issue_xlog_fsync .01 .2"}, better: spec{settings: "synchronous_commit=off"}},
	"checkpoint-saw":        {attribution: "uniform", worse: spec{settings: "max_wal_size=1GB", varies: .4}, better: spec{settings: "max_wal_size=64GB", varies: .03}},
	"subtransactions":       {attribution: "unexplained", worst: .04, worse: spec{script: "savepoints.sql", locks: "lwlock SimpleLruReadPage_ReadOnly .32", symbols: "SubTransGetParent .01 .4"}, better: spec{script: "savepoints.sql"}},
	"jit":                   {attribution: "uniform", worse: spec{settings: "jit=on", symbols: "llvm_compile_expr .1 .3"}, better: spec{settings: "jit=off"}},
	"pgbench-threads":       {worse: spec{}, clients: 64, threads: 1},
	"scale-below-clients":   {worse: spec{script: "<builtin: TPC-B (sort of)>"}, clients: 256, scale: 10},
	"pgbouncer-one-process": {attribution: "contention", worse: spec{label: "pgbouncer"}, better: spec{label: "direct"}},
	"too-many-connections":  {attribution: "collapse", worse: spec{settings: "max_connections=5000"}, better: spec{settings: "max_connections=5000"}, clients: 1000, fall: .5},
	"arm-atomics":           {attribution: "collapse", worse: spec{label: "graviton2 default", symbols: "LWLockAttemptLock .2 .2"}, better: spec{label: "graviton2 lse"}},
	"lwlock-wait-list":      {attribution: "collapse", worse: spec{symbols: "LWLockWaitListLock .4 .4", locks: "lwlock ProcArrayGroupClearXid .4"}},
	"lwlock-atomics":        {attribution: "collapse", worse: spec{symbols: "LWLockAttemptLock .07 .07"}},
	"synchronous-standby":   {attribution: "uniform", worse: spec{settings: "synchronous_standby_names=a", symbols: "SyncRepWaitForLSN .01 .2"}, better: spec{settings: "synchronous_standby_names="}},
	"slow-clock":            {attribution: "uniform", worse: spec{settings: "track_io_timing=on", symbols: "read_hpet .22 .22"}, better: spec{settings: "track_io_timing=off"}},
	"statement-logging":     {attribution: "uniform", worse: spec{settings: "log_min_duration_statement=0", symbols: "EmitErrorReport .01 .2"}, better: spec{settings: "log_min_duration_statement=-1"}},
	"citus-stat-tenants":    {attribution: "contention", worse: spec{settings: "citus.stat_tenants_track=all", locks: "lwlock AttributeMetricsIfApplicable .2"}, better: spec{settings: "citus.stat_tenants_track=none"}},
	"commit-delay":          {attribution: "contention", worse: spec{settings: "commit_delay=0", locks: "lwlock XLogFlush .2"}, better: spec{settings: "commit_delay=100"}},
	"fast-path-relations":   {attribution: "contention", worse: spec{version: "17.2", label: "partitioned", locks: "lwlock LockAcquireExtended .3"}, better: spec{version: "17.2"}},
	"statement-logging-all": {attribution: "uniform", worse: spec{settings: "log_statement=all", symbols: "EmitErrorReport .01 .2"}, better: spec{settings: "log_statement=none"}},
	"slru-buffers":          {attribution: "contention", worse: spec{version: "17.2", settings: "transaction_buffers=0", locks: "lwlock SimpleLruReadPage_ReadOnly .2", symbols: "TransactionIdGetStatus .01 .25"}, better: spec{version: "17.2", settings: "transaction_buffers=4096"}},
	"work-mem":              {attribution: "uniform", worse: spec{settings: "work_mem=4MB", symbols: "BufFileWrite .01 .2"}, better: spec{settings: "work_mem=256MB"}},
	"measure-same-host":     {worse: spec{symbols: "pgbench .01 .2", locks: "lwlock PostgresMain .1"}},
	"measure-settings":      {attribution: "collapse", worse: spec{symbols: "ExecScan .1 .2"}},
	"measure-profile":       {attribution: "collapse"},
	"measure-repeats":       {verdict: "inconclusive", needed: 6},
	"measure-quieter":       {verdict: "inconclusive", needed: 93},
	"measure-longer":        {attribution: "uniform", seconds: 5},
	"measure-peak":          {worse: spec{}, bracket: [2]int{4, 256}},
	"measure-aborted":       {worse: spec{}, flag: "aborted"},
	"measure-throttled":     {worse: spec{}, flag: "rate-limited"},
	"moved-in-code":         {verdict: "profiles", worse: spec{symbols: "slot_getsomeattrs_int .02 .12"}, better: spec{symbols: "slot_getsomeattrs_int .01 .05"}},
	"pgss-keep":             {verdict: "latencies"},
}

// near holds, for each rule that fires on one fact alone, the fixture with that fact just short.
var near = map[string]func(*fixture){
	"pgbench-threads":      func(f *fixture) { f.threads = 8 },
	"too-many-connections": func(f *fixture) { f.fall = .95 },
	"measure-same-host":    func(f *fixture) { f.worse.symbols = "pgbench .01 .02" },
	"measure-settings":     func(f *fixture) { f.worse.settings = "jit=off" },
	"scale-below-clients":  func(f *fixture) { f.scale = 256 },
	"measure-profile":      func(f *fixture) { f.worse.symbols = "ExecScan .1 .2" },
	"measure-repeats":      func(f *fixture) { f.verdict = "no-difference" },
	"measure-quieter":      func(f *fixture) { f.needed = 4 },
	"measure-longer":       func(f *fixture) { f.seconds = 60 },
	"measure-peak":         func(f *fixture) { f.bracket = [2]int{32, 128} },
	"measure-aborted":      func(f *fixture) { f.flag = "short" },
	"measure-throttled":    func(f *fixture) { f.flag = "short" },
	"moved-in-code":        func(f *fixture) { f.worse.symbols = "slot_getsomeattrs_int .01 .06" },
	"pgss-keep":            func(f *fixture) { f.worst = 2 },
}

// report builds the report of a fixture.
func (f fixture) report() *report.Report {
	r := &report.Report{Schema: report.Schema}
	if f.verdict == "latencies" {
		cost := 1.1
		if f.worst > 0 {
			cost = f.worst
		}
		for label, ms := range map[string]float64{"pgss not loaded": .032, "pgss top": .032 * cost} {
			r.Runs = append(r.Runs, report.Run{Series: label, LatencyMs: new(ms), Clients: new(1), QueryMode: "simple"})
		}
		return r
	}
	single := f.attribution == "" && f.verdict == ""
	if f.worse.label == "" {
		f.worse.label = "b"
	}
	if f.better.label == "" {
		f.better.label = "a"
	}
	if f.verdict == "" {
		f.verdict = "regression"
	}
	sides := []*spec{&f.better, &f.worse}
	if single {
		sides = sides[1:]
	}
	for _, s := range sides {
		f.add(r, s)
	}
	switch {
	case f.verdict == "profiles":
		r.Series, r.Runs = nil, nil
		to, _ := strconv.ParseFloat(strings.Fields(f.worse.symbols)[2], 64)
		from, _ := strconv.ParseFloat(strings.Fields(f.better.symbols)[2], 64)
		r.ProfileComparisons = []report.ProfileComparison{{Baseline: "a", Candidate: "b", Changes: []report.Change{{Function: "slot_getsomeattrs_int", TotalFrom: from, TotalTo: to}}}}
	case !single:
		if f.worst == 0 {
			f.worst = .6
		}
		r.Comparisons = []report.Comparison{{
			Baseline: f.better.label, Candidate: f.worse.label, Verdict: f.verdict, Why: "It is slower.", Attribution: f.attribution, RepeatsNeeded: f.needed,
			Noise: &report.Noise{Source: "repeats", SigmaLog: .03}, Worst: &report.Worst{Clients: r.Series[0].Points[4].Clients, Ratio: f.worst},
		}}
	}
	return r
}

// add puts a side into a report.
func (f fixture) add(r *report.Report, s *spec) {
	clients := f.clients
	if clients == 0 {
		clients = 16
	}
	series := report.Series{Label: s.label, Cores: f.cores}
	for i := range 5 {
		n := clients >> (4 - i)
		series.Points = append(series.Points, report.Point{Clients: n, TPS: 1000, N: 3, Samples: []float64{1000, 1000, 1000}})
		run := report.Run{Series: s.label, Clients: new(n), TPS: new(1000.0), Script: s.script, QueryMode: s.mode, ServerVersion: s.version, DurationS: new(60.0)}
		if f.seconds > 0 {
			run.DurationS = new(f.seconds)
		}
		if f.threads > 0 {
			run.Threads = new(f.threads)
		}
		if f.scale > 0 {
			run.Scale = new(f.scale)
		}
		if f.flag != "" {
			run.Flags = []string{f.flag}
		}
		if s.varies > 0 {
			run.Progress = &report.Progress{}
			for k := range 40 {
				run.Progress.EndS = append(run.Progress.EndS, float64(k+1))
				run.Progress.TPS = append(run.Progress.TPS, 1000*(1+s.varies*float64(k%2*2-1)))
			}
		}
		r.Runs = append(r.Runs, run)
	}
	series.Peak = &report.Peak{Clients: 8, TPS: 1000, BracketClients: []int{4, 16}}
	if f.bracket[1] > 0 {
		series.Peak.BracketClients = f.bracket[:]
	}
	if f.fall > 0 {
		series.Peak.TPS = 1000 / f.fall
	}
	r.Series = append(r.Series, series)
	if s.settings != "" {
		set := report.Settings{Label: s.label, Series: s.label, Values: map[string]report.Setting{}}
		for pair := range strings.SplitSeq(s.settings, ";") {
			name, v, _ := strings.Cut(strings.TrimSpace(pair), "=")
			set.Values[name] = report.Setting{Value: v, Text: v}
		}
		r.Settings = append(r.Settings, set)
	}
	if s.locks+s.symbols == "" {
		return
	}
	p := report.Profile{Label: s.label, Series: s.label, Unit: "samples", Total: 1000}
	var class, caller, via string
	var self, total float64
	if s.locks != "" {
		n, _ := fmt.Sscan(s.locks, &class, &caller, &total, &via)
		c := report.Caller{Function: caller, Share: total}
		if n == 4 {
			c.Via = []string{via}
		}
		p.Commands = []report.Command{{Command: "postgres", Share: .9}}
		p.Locks = []report.Lock{{Class: class, Share: total, Callers: []report.Caller{c}}}
	}
	if s.symbols != "" {
		_, _ = fmt.Sscan(s.symbols, &class, &self, &total)
		p.Top = []report.Function{{Function: class, Self: new(self), Total: total}}
		if class == "pgbench" {
			p.Commands = append(p.Commands, report.Command{Command: "pgbench", Share: total})
		}
	}
	r.Profiles = append(r.Profiles, p)
}

// fired is the recommendation of a rule; nil if it is silent.
func fired(r *report.Report, rule string) *report.Recommendation {
	for i := range r.Recommendations {
		if r.Recommendations[i].Rule == rule {
			return &r.Recommendations[i]
		}
	}
	return nil
}

// TestEveryRuleFires makes every rule fire on its fixture, with evidence and a text, and keeps it silent on a near miss: without its
// symbol and its setting where it needs two kinds of evidence, with the one fact just short where it needs one, and on a null result.
func TestEveryRuleFires(t *testing.T) {
	rules := load(t)
	for _, rule := range rules {
		f, ok := fires[rule.ID]
		if !ok {
			t.Errorf("%s has no fixture", rule.ID)
			continue
		}
		r := f.report()
		advise.Advise(r, rules, nil)
		rec := fired(r, rule.ID)
		if rec == nil {
			t.Errorf("%s is silent on its fixture", rule.ID)
			continue
		}
		if rec.Text == "" || rec.Advice == "" || len(rec.Evidence) == 0 || len(rec.Sources) == 0 || strings.ContainsAny(rec.Text+rec.Title, "{}") {
			t.Errorf("%s: a recommendation lacks something: %+v", rule.ID, rec)
		}
		if rule.Mark == "K" && rec.Confidence == "strong" {
			t.Errorf("%s is marked K and strong", rule.ID)
		}
		miss := f
		if rule.Alone {
			near[rule.ID](&miss)
		} else {
			miss.worse.settings, miss.worse.locks, miss.worse.symbols, miss.worse.mode, miss.worse.label = "", "", "", "", ""
			miss.better.settings, miss.better.label, miss.worse.script = "", "", ""
		}
		r = miss.report()
		advise.Advise(r, rules, nil)
		if rec := fired(r, rule.ID); rec != nil {
			t.Errorf("%s fires on its near miss: %s", rule.ID, rec.Text)
		}
		if f.verdict == "" && f.attribution != "" && rule.Kind != "measurement" {
			f.verdict, f.attribution = "no-difference", ""
			r = f.report()
			advise.Advise(r, rules, nil)
			if rec := fired(r, rule.ID); rec != nil && !rule.Alone {
				t.Errorf("%s fires where no difference was found: %s", rule.ID, rec.Text)
			}
		}
	}
}

// TestConfidence holds confidence to its mechanism: what raises it, and each cap.
func TestConfidence(t *testing.T) {
	rules := load(t)
	full := func() *report.Report {
		f := fires["pgss-track-planning"]
		f.better.settings = ""
		r := f.report()
		r.Series = append(r.Series, report.Series{Label: "c", Attributes: map[string]string{"pg_stat_statements.track_planning": "off"}, Points: r.Series[0].Points})
		r.Comparisons = append(r.Comparisons, report.Comparison{Baseline: "a", Candidate: "c", Verdict: "no-difference", Why: "Equal on average.", Restores: "a", Noise: &report.Noise{Source: "joint-fit"}})
		return r
	}
	for _, c := range []struct {
		name   string
		change func(*report.Report)
		want   string
	}{
		{"all three and a restoring run", func(*report.Report) {}, "strong default"},
		{"no restoring run", func(r *report.Report) { r.Comparisons = r.Comparisons[:1] }, "moderate server"},
		{"no profile", func(r *report.Report) { r.Profiles = nil }, "moderate default"},
		{"assumed noise", func(r *report.Report) { r.Comparisons[0].Noise.Source = "assumed" }, "weak default"},
		{"several settings", func(r *report.Report) {
			r.Settings[0].Values["work_mem"] = report.Setting{Value: "1", Unit: "GB"}
			r.Settings = append(r.Settings, report.Settings{Series: "a", Values: map[string]report.Setting{"jit.x": {Value: "1"}}})
		}, "weak default"},
		{"aborted at the deciding count", func(r *report.Report) {
			for i := range r.Runs {
				r.Runs[i].Flags = []string{"aborted"}
			}
		}, "weak default"},
	} {
		r := full()
		c.change(r)
		advise.Advise(r, rules, nil)
		got := "silent"
		if rec := fired(r, "pgss-track-planning"); rec != nil {
			got = rec.Confidence + " " + rec.Kind
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
