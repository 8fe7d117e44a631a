package pgbenchlog

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pgknee/analysis/bench"
	"pgknee/analysis/format"
	"pgknee/analysis/format/formattest"
	"pgknee/analysis/source"
)

// transactionLog makes a log of clients that each finish a transaction in turn, 1 ms apart, with a tail of fields.
func transactionLog(lines, clients int, tail func(i int) string) []byte {
	var b bytes.Buffer
	for i := range lines {
		at := 1_790_000_000_000_000 + int64(i)*1000
		fmt.Fprintf(&b, "%d %d %d 0 %d %d%s\n", i%clients, i/clients+1, 500+i%1000, at/1e6, at%1e6, tail(i))
	}
	return b.Bytes()
}

func none(int) string { return "" }

func aggregateLog(lines, step int, tail string) []byte {
	var b bytes.Buffer
	for i := range lines {
		n := int64(1000 + i)
		fmt.Fprintf(&b, "%d %d %d %d 300 5000%s\n", 1_790_000_000+i*step, n, n*800, n*800*900, tail)
	}
	return b.Bytes()
}

func only(t *testing.T, f *format.Format, name string, data []byte) (*bench.Run, *format.Context) {
	t.Helper()
	ctx := formattest.Read(f, name, format.Options{}, data)
	if len(ctx.Runs) != 1 {
		t.Fatalf("%s: %d runs", name, len(ctx.Runs))
	}
	return ctx.Runs[0], ctx
}

func near(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil || math.Abs(*got-want) > 1e-9*want {
		t.Errorf("%s: %v, want %v", what, show(got), want)
	}
}

func show[T any](p *T) any {
	if p == nil {
		return "nothing"
	}
	return *p
}

func TestTransactions(t *testing.T) {
	run, ctx := only(t, Transactions, "pgbench_log.4711", transactionLog(3000, 8, none))
	if *run.Transactions != 3000 || *run.Clients != 8 || len(ctx.Problems)+len(ctx.Questions) != 0 {
		t.Errorf("%d transactions of %v clients, %v", *run.Transactions, show(run.Clients), ctx.Problems)
	}
	near(t, "mean", run.LatencyMs, 0.9995)
	near(t, "tps", run.TPS, 3000/2.9995) // the first began 0.5 ms before its end
	near(t, "median", new(run.LatencyPercentilesMs["50"]), 0.999)
	if len(run.Intervals) != 3 {
		t.Errorf("%d intervals", len(run.Intervals))
	}
}

func TestOutcomes(t *testing.T) {
	log := "0 1 1000 0 1790000000 0 5 0\n1 1 skipped 0 1790000000 10 90 0\n0 2 serialization 0 1790000001 0 7 2\n1 2 failed 0 1790000001 5 7 1\n0 3 3000 0 1790000002 0 7 3\n"
	run, _ := only(t, Transactions, "", []byte(log))
	if *run.Transactions != 2 || *run.Skipped != 1 || *run.Failed != 2 || *run.Retried != 3 || !run.Has(bench.FlagRateLimited) || !run.Has(bench.FlagFailures) {
		t.Errorf("%d done, %v skipped, %v failed, %v retried, %v", *run.Transactions, show(run.Skipped), show(run.Failed), show(run.Retried), run.Flags)
	}
	near(t, "mean", run.LatencyMs, 2)
}

// TestSeventhField holds both readings of seven fields, and the question where neither is certain.
func TestSeventhField(t *testing.T) {
	lag := func(i int) string { return fmt.Sprint(" ", 40+i%700) }
	for _, test := range []struct {
		name string
		log  []byte
		want string
	}{
		{"lags", transactionLog(500, 4, lag), "lag"},
		{"long lags", transactionLog(20, 4, func(i int) string { return fmt.Sprint(" ", i*200) }), "lag"},
		{"skipped", append(transactionLog(20, 4, func(int) string { return " 1" }), "0 9 skipped 0 1790000001 0 1\n"...), "lag"},
		{"retries", transactionLog(500, 4, func(i int) string { return fmt.Sprint(" ", i%3) }), "retries"},
		{"too few to tell", transactionLog(20, 4, func(i int) string { return fmt.Sprint(" ", i%3) }), ""},
		{"either", transactionLog(500, 4, func(i int) string { return fmt.Sprint(" ", i%60) }), ""},
	} {
		run, ctx := only(t, Transactions, "", test.log)
		if got := run.Log.Settle(); got != test.want || (len(ctx.Questions) == 1) != (test.want == "") {
			t.Errorf("%s: read as %q with %d questions, want %q", test.name, got, len(ctx.Questions), test.want)
		}
		if limited := run.Has(bench.FlagRateLimited); limited != (test.want == "lag") {
			t.Errorf("%s: rate-limited is %v", test.name, limited)
		}
		if retried := run.Retried != nil; retried != (test.want == "retries") {
			t.Errorf("%s: retried is %v", test.name, show(run.Retried))
		}
	}
	answered := formattest.Read(Transactions, "", format.Options{Columns: "retries"}, transactionLog(20, 4, func(i int) string { return fmt.Sprint(" ", i%3) }))
	if r := answered.Runs[0]; len(answered.Questions) != 0 || r.Retried == nil || *r.Retried != 13 {
		t.Errorf("answered: %d questions, retried %v", len(answered.Questions), show(r.Retried))
	}
}

// TestSampled holds that throughput of a sampled log is left out until its rate is said.
func TestSampled(t *testing.T) {
	whole := bytes.SplitAfter(transactionLog(20_000, 4, none), []byte("\n"))
	var log []byte
	random := rand.New(rand.NewPCG(5, 6))
	for _, line := range whole {
		if random.IntN(100) == 0 {
			log = append(log, line...)
		}
	}
	run, ctx := only(t, Transactions, "", log)
	if run.TPS != nil || !run.Has(bench.FlagSampled) || len(ctx.Questions) != 1 || ctx.Questions[0].Kind != "sampling-rate" {
		t.Errorf("tps %v, flags %v, %d questions", show(run.TPS), run.Flags, len(ctx.Questions))
	}
	said := formattest.Read(Transactions, "", format.Options{Columns: "sampling-rate=0.01"}, log).Runs[0]
	if said.TPS == nil || *said.TPS < 800 || *said.TPS > 1200 || said.Has(bench.FlagSampled) {
		t.Errorf("with its rate: tps %v, flags %v", show(said.TPS), said.Flags)
	}
}

func TestWithoutTimes(t *testing.T) {
	run, ctx := only(t, Transactions, "", []byte("0 1 1000 0 0 0\n0 2 2000 0 0 0\n"))
	near(t, "mean", run.LatencyMs, 1.5)
	if run.TPS != nil || run.DurationS != nil || len(run.Intervals) != 0 || len(ctx.Problems) != 1 {
		t.Errorf("tps %v, %d intervals, %v", show(run.TPS), len(run.Intervals), ctx.Problems)
	}
}

func TestAggregates(t *testing.T) {
	for _, test := range []struct {
		name, tail string
		wantDone   int64
		skipped    int64
	}{
		{"6 fields", "", 10045, 0},
		{"10 fields", " 100 200 1 9", 10045, 0},
		{"11 fields: the count includes the skipped", " 100 200 1 9 4", 10005, 40},
		{"15 fields: it doesn't", " 0 0 0 0 4 0 0 0 0", 10045, 40},
		{"16 fields", " 0 0 0 0 4 0 0 0 0 0", 10045, 40},
	} {
		run, ctx := only(t, Aggregates, "log.1", aggregateLog(10, 2, test.tail))
		if *run.Transactions != test.wantDone || len(run.Intervals) != 10 || len(ctx.Problems) != 0 || run.Clients != nil {
			t.Errorf("%s: %d transactions, %d intervals, %v", test.name, *run.Transactions, len(run.Intervals), ctx.Problems)
		}
		if (run.Skipped != nil) != (test.skipped > 0) || run.Skipped != nil && *run.Skipped != test.skipped {
			t.Errorf("%s: %v skipped, want %d", test.name, show(run.Skipped), test.skipped)
		}
	}
	run, _ := only(t, Aggregates, "", aggregateLog(10, 2, ""))
	near(t, "mean", run.LatencyMs, 0.8)
	near(t, "sd", run.LatencyStddevMs, math.Sqrt(800*900-800*800)/1000)
	near(t, "tps without the first, partial interval", run.TPS, (10045-1000)/18.0)
	near(t, "duration", run.DurationS, 20)
}

func TestStalls(t *testing.T) {
	log := aggregateLog(12, 1, "")
	log = append(log, "1790000012 0 0 0 0 0\n1790000013 0 0 0 0 0\n1790000014 1000 800000 720000000 300 5000\n"...)
	run, _ := only(t, Aggregates, "", log)
	if len(run.Notes) != 1 || !strings.Contains(run.Notes[0], "1 times, 2 s in all") || !strings.Contains(run.Notes[0], "after 12 s") {
		t.Errorf("notes %q", run.Notes)
	}
}

// TestSniff tells the two logs from one another and from tables.
func TestSniff(t *testing.T) {
	for _, test := range []struct {
		name, text string
		tx, agg    format.Confidence
	}{
		{"transactions", string(transactionLog(10, 2, none)), format.Sure, format.No},
		{"aggregates", string(aggregateLog(10, 1, "")), format.No, format.Sure},
		{"skipped first", "0 1 skipped 0 1790000000 5 3\n", format.Sure, format.No},
		{"no times", "0 1 700 0 0 0\n", format.Likely, format.No},
		{"a table of six", "1 2 3 4 5 6\n7 8 9 10 11 12\n", format.No, format.No},
		{"a table that begins with an epoch", "1790000000 2.5 3 4 5 6\n", format.No, format.No},
		{"one line of it in a mail", "Dear list,\nsee\n0 1 700 0 1790000000 5\nYours\n", format.No, format.No},
		{"nothing", "", format.No, format.No},
	} {
		if tx, agg := Transactions.Sniff("", []byte(test.text)), Aggregates.Sniff("", []byte(test.text)); tx != test.tx || agg != test.agg {
			t.Errorf("%s: %v and %v, want %v and %v", test.name, tx, agg, test.tx, test.agg)
		}
	}
}

func TestProperties(t *testing.T) {
	formattest.Check(t, Transactions, "a.1", transactionLog(300, 3, none))
	formattest.Check(t, Transactions, "a.1", transactionLog(300, 3, func(i int) string { return fmt.Sprint(" ", i%5) }))
	formattest.Check(t, Aggregates, "a.1", aggregateLog(40, 5, " 0 0 0 0 0 0 0 0 0"))
	broken := bytes.Replace(transactionLog(50, 3, none), []byte("\n9 "), []byte("\nx "), 1)
	formattest.Check(t, Transactions, "", append(broken, "0 17 90"...))
}

func TestBadLines(t *testing.T) {
	log := "rubbish\n" + string(transactionLog(40, 2, none)) + "0 21 900 0 17900"
	run, ctx := only(t, Transactions, "", []byte(log))
	if *run.Transactions != 40 || ctx.Skipped != 2 || len(ctx.Problems) != 2 || ctx.Problems[1].At.Line != 42 {
		t.Errorf("%d transactions, %d skipped, %v", *run.Transactions, ctx.Skipped, ctx.Problems)
	}
}

func TestRunOf(t *testing.T) {
	for name, want := range map[string]string{
		"a/pgbench_log.4243":       "a/pgbench_log.4243",
		"a/pgbench_log.4243.1":     "a/pgbench_log.4243",
		"a/pgbench_log.4243.12.gz": "a/pgbench_log.4243",
		"run1.9026":                "run1.9026",
		"run1.9026.3":              "run1.9026",
		"x.tar!d/run.3.12":         "x.tar!d/run.3",
		"log.txt":                  "",
		"":                         "",
	} {
		if got := runOf(name); got != want {
			t.Errorf("%s is of run %q, want %q", name, got, want)
		}
	}
}

// TestWholeEqualsPieces cuts a log at line ends and adds the parts up in another order: what comes out is the same to the bit.
func TestWholeEqualsPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	var long bytes.Buffer // over days, so that cells are widened
	for i := range 60_000 {
		fmt.Fprintf(&long, "%d %d %d 0 %d %d %d\n", i%7, i/7+1, random.IntN(1<<20), 1_790_000_000+i*3, random.IntN(1e6), random.IntN(3))
	}
	for name, test := range map[string]struct {
		f    *format.Format
		data []byte
	}{
		"transactions": {Transactions, transactionLog(5000, 8, none)},
		"long":         {Transactions, long.Bytes()},
		"aggregates":   {Aggregates, aggregateLog(500, 10, " 1 2 0 5 1 2 3 1 1")},
	} {
		whole, _ := only(t, test.f, "log.77", test.data)
		lines := bytes.SplitAfter(test.data, []byte("\n"))
		var parts []*bench.Run
		for i := range 8 {
			part := bytes.Join(lines[i*len(lines)/8:(i+1)*len(lines)/8], nil)
			run, _ := only(t, test.f, "log.77", part)
			parts = append(parts, run)
		}
		random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		got, _ := bench.Gather(parts)
		if len(got) != 1 {
			t.Fatalf("%s: %d runs of one", name, len(got))
		}
		got[0].Threads, got[0].At = nil, whole.At // 8 files look like 8 threads
		a, b := *whole, *got[0]
		a.Log, b.Log, a.Latency, b.Latency = nil, nil, nil, nil
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s:\nwhole  %+v\npieces %+v", name, a, b)
		}
	}
}

// TestThreadsOutOfStep adds up two threads whose intervals begin a second apart.
func TestThreadsOutOfStep(t *testing.T) {
	a := aggregateLog(6, 10, "")
	var out []*bench.Run
	for i, data := range [][]byte{a, bytes.ReplaceAll(a, []byte("0 100"), []byte("1 100"))} {
		run, _ := only(t, Aggregates, "l.5"+strings.Repeat(".1", i), data)
		out = append(out, run)
	}
	got, parts := bench.Gather(out)
	if len(parts) != 1 || !parts[out[1]] {
		t.Errorf("parts %v", parts)
	}
	if len(got) != 1 || len(got[0].Intervals) != 6 || *got[0].Threads != 2 || *got[0].Transactions != 2*6015 {
		t.Errorf("%d runs, the first %+v", len(got), got[0])
	}
}

// TestLogBesideSummary holds that a log does not count as a second run.
func TestLogBesideSummary(t *testing.T) {
	log, _ := only(t, Transactions, "d/pgbench_log.9", transactionLog(3000, 8, none))
	summary := func(transactions int64) *bench.Run {
		return &bench.Run{
			At: source.Position{File: "d/out.txt"}, Clients: new(8), Threads: new(1), DurationS: new(3.0), TPS: new(1001.0), TPSKind: bench.ExcludingConnections,
			Transactions: &transactions, LatencyMs: new(1.0),
		}
	}
	same := summary(3000)
	got, parts := bench.Gather([]*bench.Run{same, log})
	if !parts[log] {
		t.Error("the log is no part")
	}
	if len(got) != 1 || *got[0].TPS != 1001 || *got[0].LatencyMs != 1 || len(got[0].Intervals) != 3 || got[0].LatencyPercentilesMs["50"] == 0 {
		t.Errorf("%d runs, the first %+v", len(got), got[0])
	}
	if same.Log != nil || len(same.Intervals) != 0 {
		t.Error("the run given was changed")
	}
	if got, _ := bench.Gather([]*bench.Run{log, summary(90_000)}); len(got) != 2 {
		t.Error("a log was taken for that of another run")
	}
	if got, _ := bench.Gather([]*bench.Run{log, summary(3010), summary(3020)}); len(got) != 3 {
		t.Error("a log was put to one of two runs that it could be of")
	}
}

func FuzzTransactions(f *testing.F) {
	f.Add(transactionLog(5, 2, none))
	f.Add([]byte("0 1 skipped 0 1790000000 5 3\n0 2 18446744073709551615 0 0 0 0\n"))
	f.Add([]byte("0 1 5 0 1000000000 0\n0 2 5 0 4294967295 999999\n"))
	f.Fuzz(func(t *testing.T, data []byte) { formattest.Fuzz(t, Transactions, data) })
}

func FuzzAggregates(f *testing.F) {
	f.Add(aggregateLog(5, 2, " 0 0 0 0 0 0 0 0 0"))
	f.Add([]byte("1000000000 1 340282366920938463463374607431768211455 99999999999999999999999999999999999999999 0 1\n4294967295 1 1 1 1 1\n"))
	f.Fuzz(func(t *testing.T, data []byte) { formattest.Fuzz(t, Aggregates, data) })
}

func benchmark(b *testing.B, f *format.Format, data []byte) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		ctx := &format.Context{Limits: source.Limits{}.Or()}
		r := f.New(ctx)
		s := source.Splitter{Max: ctx.Limits.LineBytes, Line: r.Line}
		for rest := data; len(rest) > 0; rest = rest[min(1<<20, len(rest)):] {
			s.Write(rest[:min(1<<20, len(rest))])
		}
		s.Close()
		r.Close()
	}
}

func BenchmarkTransactions(b *testing.B) {
	benchmark(b, Transactions, transactionLog(1_000_000, 32, none))
}

// BenchmarkAggregates reads the logs of an hour of 64 threads, one after the other.
func BenchmarkAggregates(b *testing.B) {
	benchmark(b, Aggregates, bytes.Repeat(aggregateLog(3600, 1, " 0 0 0 0 0 0 0 0 0"), 64))
}

// BenchmarkAggregatesOneThread reads one, where no two lines are of the same interval.
func BenchmarkAggregatesOneThread(b *testing.B) {
	benchmark(b, Aggregates, aggregateLog(30_000, 1, " 0 0 0 0 0 0 0 0 0"))
}
