package sysbench

import (
	"reflect"
	"strings"
	"testing"

	"pgknee/analysis/bench"
	"pgknee/analysis/format"
	"pgknee/analysis/format/formattest"
	"pgknee/analysis/source"
)

const head10 = "sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n\nRunning the test with following options:\nNumber of threads: 16\n"

const summary10 = `SQL statistics:
    queries performed:
        read:                            126252
        total:                           180360
    transactions:                        9018   (901.75 per sec.)
    queries:                             180360 (18035.00 per sec.)
    ignored errors:                      3      (0.30 per sec.)

General statistics:
    total time:                          10.0041s
    total number of events:              9018

Latency (ms):
         min:                                    3.55
         avg:                                   17.74
         max:                                  129.00
         95th percentile:                       21.50
         sum:                               159979.32

Threads fairness:
    events (avg/stddev):           563.6250/3.10
    execution time (avg/stddev):   10.0000/0.00
`

const intervals10 = `[ 5s ] thds: 16 tps: 421.13 qps: 8422.55 (r/w/o: 5895.78/1684.51/842.25) lat (ms,95%): 44.88 err/s 0.00 reconn/s: 0.00
[ 10s ] thds: 16 tps: 411.09 qps: 8221.89 (r/w/o: 5755.33/1644.38/822.19) lat (ms,95%): 40.25 err/s: 0.00 reconn/s: 0.00
`

const run05 = `sysbench 0.5:  multi-threaded system evaluation benchmark

Running the test with following options:
Number of threads: 64
[  10s] threads: 64, tps: 904.79, reads/s: 12715.39, writes/s: 3624.44, response time: 108.68ms (99%)
OLTP test statistics:
    transactions:                        538854 (898.05 per sec.)
    deadlocks:                           0      (0.00 per sec.)

General statistics:
    total time:                          600.0300s
    response time:
         min:                                  6.18ms
         avg:                                 71.26ms
         approx.  99 percentile:             123.21ms

Threads fairness:
    events (avg/stddev):           8419.5938/17.30
`

const cpu11 = `sysbench 1.1.0 (using bundled LuaJIT 2.1.0-beta3)
Running the test with following options:
Number of threads: 2
Prime numbers limit: 10000
[ 1s ] thds: 2 eps: 1200.00 lat (ms,95%): 1.70
CPU speed:
    events per second:  1190.44

Throughput:
    events/s (eps):                      1190.4412
    time elapsed:                        10.0007s
    total number of events:              11906

Latency (ms):
         avg:                                    1.68
         percentile stats:               disabled
`

func read(t *testing.T, text string) *format.Context {
	t.Helper()
	formattest.Check(t, Format, "out.txt", []byte(text))
	return formattest.Read(Format, "out.txt", format.Options{}, []byte(text))
}

// TestClipped reads a summary whose head is cut off.
func TestClipped(t *testing.T) {
	ctx := formattest.Read(Format, "", format.Options{}, []byte("        total:                           3817636\n    transactions:                        1908818 (31813.48 per sec.)\n    read/write requests:                 1908818 (31813.48 per sec.)\n\nTest execution summary:\n    total time:                          60.0003s\n    per-request statistics:\n         avg:                                  0.25ms\n"))
	if len(ctx.Runs) != 1 || *ctx.Runs[0].TPS != 31813.48 || *ctx.Runs[0].LatencyMs != 0.25 || !ctx.Runs[0].Has(bench.FlagClientsUnknown) {
		t.Errorf("%+v", ctx.Runs)
	}
}

func TestRun(t *testing.T) {
	ctx := read(t, "$ sysbench /usr/share/sysbench/oltp_read_only.lua --threads=16 --time=10 run\n"+head10+intervals10+summary10)
	if len(ctx.Runs) != 1 {
		t.Fatalf("%d runs, %v", len(ctx.Runs), ctx.Problems)
	}
	r := ctx.Runs[0]
	if *r.Clients != 16 || *r.TPS != 901.75 || *r.Transactions != 9018 || *r.LatencyMs != 17.74 || *r.DurationS != 10.0041 || r.Script != "oltp_read_only" || r.Unit != "" {
		t.Errorf("%+v", r)
	}
	if want := map[string]float64{"95": 21.5}; !reflect.DeepEqual(r.LatencyPercentilesMs, want) {
		t.Errorf("percentiles %v", r.LatencyPercentilesMs)
	}
	if want := []bench.Interval{{EndS: 5, TPS: 421.13}, {EndS: 10, TPS: 411.09}}; !reflect.DeepEqual(r.Intervals, want) {
		t.Errorf("intervals %+v", r.Intervals)
	}
	if ctx.Skipped != 0 || !reflect.DeepEqual(r.Flags, []string{bench.FlagShort}) || !reflect.DeepEqual(r.Notes, []string{"3 ignored errors"}) {
		t.Errorf("%d skipped, flags %v, notes %v", ctx.Skipped, r.Flags, r.Notes)
	}
}

func TestVersions(t *testing.T) {
	old := read(t, run05).Runs[0]
	if *old.Clients != 64 || *old.TPS != 898.05 || *old.LatencyMs != 71.26 || old.LatencyPercentilesMs["99"] != 123.21 || old.Attributes["sysbench"] != "0.5" {
		t.Errorf("0.5: %+v", old)
	}
	cpu := read(t, cpu11).Runs[0]
	if *cpu.TPS != 1190.4412 || cpu.Unit != "eps" || *cpu.Transactions != 11906 || cpu.LatencyPercentilesMs != nil || *cpu.LatencyMs != 1.68 {
		t.Errorf("1.1 cpu: %+v", cpu)
	}
	if us := read(t, strings.ReplaceAll(run05, "123.21ms", "123210.00us")).Runs[0]; us.LatencyPercentilesMs["99"] != 123.21 {
		t.Errorf("microseconds are read as %v ms", us.LatencyPercentilesMs)
	}
}

// TestSeveral holds that runs of one file are told apart, by their banners, their options or by time that runs backwards.
func TestSeveral(t *testing.T) {
	for name, text := range map[string]string{
		"banners":           head10 + intervals10 + summary10 + head10 + intervals10 + summary10,
		"options":           head10 + summary10 + strings.SplitAfterN(head10, "\n", 2)[1] + summary10,
		"summaries only":    summary10 + summary10,
		"intervals only":    intervals10 + intervals10,
		"cut off, then one": head10 + intervals10 + head10 + intervals10 + summary10,
	} {
		if ctx := read(t, text); len(ctx.Runs) != 2 {
			t.Errorf("%s: %d runs", name, len(ctx.Runs))
		}
	}
}

func TestCutOff(t *testing.T) {
	ctx := read(t, head10+intervals10)
	if r := ctx.Runs[0]; r.TPS != nil || !r.Has(bench.FlagAborted) || len(r.Intervals) != 2 || len(ctx.Problems) != 1 {
		t.Errorf("%+v, %v", r, ctx.Problems)
	}
}

func TestTraps(t *testing.T) {
	limited := read(t, strings.Replace(head10, "16\n", "16\nTarget transaction rate: 500/sec\n", 1)+summary10).Runs[0]
	if !limited.Has(bench.FlagRateLimited) || *limited.RateLimitTPS != 500 {
		t.Errorf("rate: %+v", limited)
	}
	below0 := "[  11s] threads: 16, tps: 18446842801212211200.00, reads: 1.00, response time: 60.10ms (95%)\n"
	ctx := read(t, below0+strings.ReplaceAll(below0, "18446842801212211200", "1290"))
	if r := ctx.Runs[0]; len(r.Intervals) != 1 || r.TPS != nil || *r.Clients != 16 || ctx.Problems[0].At.Line != 1 {
		t.Errorf("below 0: %+v, %v", r, ctx.Problems)
	}
	if r := read(t, head10+strings.Replace(summary10, "21.50", "100000.00", 1)).Runs[0]; len(r.Notes) != 2 {
		t.Errorf("capped percentile: %v", r.Notes)
	}
	for _, v := range []string{"-1e308", "1e308", "1e-320", "NaN"} {
		r := read(t, strings.NewReplacer("10.0041", v, "17.74", v).Replace(head10+summary10)).Runs[0]
		if r.DurationS != nil || r.LatencyMs != nil {
			t.Errorf("%s: duration %v, latency %v", v, r.DurationS, r.LatencyMs)
		}
	}
	prepare := formattest.Read(Format, "", format.Options{}, []byte("sysbench 1.0.20 (using …)\n\nCreating table 'sbtest1'...\n"))
	if len(prepare.Runs) != 0 || len(prepare.Problems) != 1 {
		t.Errorf("prepare gives %d runs", len(prepare.Runs))
	}
}

func TestBlock(t *testing.T) {
	var lines []source.Line
	for i, text := range strings.Split(head10+intervals10+summary10+"\nSo much for that.\nIt was slow.\nVery.\nRegards\n", "\n") {
		lines = append(lines, source.Line{Text: []byte(text), No: i + 10})
	}
	n := Block.Claims(lines)
	if got := string(lines[n-1].Text); !strings.Contains(got, "execution time") {
		t.Fatalf("the passage ends with %q", got)
	}
	ctx := &format.Context{File: "mail.txt"}
	Block.Read(ctx, format.Passage{Heading: "with huge pages", Lines: lines[:n]})
	if len(ctx.Runs) != 1 || ctx.Runs[0].Label != "with huge pages" || ctx.Runs[0].At.Line != 10 {
		t.Errorf("%+v", ctx.Runs)
	}
	if n := Block.Claims([]source.Line{{Text: []byte("sysbench is a tool")}}); n != 0 {
		t.Error("prose is claimed")
	}
}

func FuzzSysbench(f *testing.F) {
	f.Add([]byte(head10 + intervals10 + summary10))
	f.Add([]byte(run05))
	f.Add([]byte(cpu11))
	f.Add([]byte("[ s ] : err/s 1 :\n[ 1s ] thds: -1 tps: nan\n"))
	f.Fuzz(func(t *testing.T, data []byte) { formattest.Fuzz(t, Format, data) })
}

// TestAlone reads lines that were picked out of several outputs.
func TestAlone(t *testing.T) {
	c := read(t, "t1.log:    transactions:                        1200  (120.00 per sec.)\nt16.log:    transactions:                        9000  (900.25 per sec.)\n")
	if len(c.Runs) != 2 || *c.Runs[0].Clients != 1 || *c.Runs[1].Clients != 16 || *c.Runs[1].TPS != 900.25 {
		t.Errorf("%d runs: %+v", len(c.Runs), c.Runs)
	}
}
