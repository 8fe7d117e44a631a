package benchbase

import (
	"reflect"
	"strings"
	"testing"

	"pgknee/analysis/bench"
	"pgknee/analysis/format"
	"pgknee/analysis/format/formattest"
)

const whole = `{
    "Elapsed Time (nanoseconds)": 299999999999,
    "DBMS Type": "POSTGRES",
    "DBMS Version": "PostgreSQL 16.2 (Debian 16.2-1.pgdg120+1) on x86_64",
    "Benchmark Type": "tpcc",
    "Final State": "EXIT",
    "Measured Requests": 936132,
    "isolation": "TRANSACTION_REPEATABLE_READ",
    "scalefactor": "16",
    "terminals": "32",
    "Latency Distribution": {
        "95th Percentile Latency (microseconds)": 21034,
        "Median Latency (microseconds)": 7011,
        "Maximum Latency (microseconds)": 189306,
        "Average Latency (microseconds)": 10517
    },
    "Throughput (requests/second)": 3120.441,
    "Goodput (requests/second)": 3098.77
}`

func TestSummary(t *testing.T) {
	formattest.Check(t, Format, "x.summary.json", []byte(whole))
	ctx := formattest.Read(Format, "x.summary.json", format.Options{}, []byte(whole))
	r := ctx.Runs[0]
	if *r.Clients != 32 || *r.TPS != 3120.441 || *r.LatencyMs != 10.517 || *r.Transactions != 936132 || *r.Scale != 16 || r.ServerVersion != "16.2" || r.Script != "tpcc" {
		t.Errorf("%+v", r)
	}
	if want := map[string]float64{"95": 21.034, "50": 7.011}; !reflect.DeepEqual(r.LatencyPercentilesMs, want) {
		t.Errorf("percentiles %v", r.LatencyPercentilesMs)
	}
	if len(r.Flags) != 0 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "goodput") || r.Attributes["isolation"] != "repeatable read" {
		t.Errorf("flags %v, notes %v, attributes %v", r.Flags, r.Notes, r.Attributes)
	}
}

func TestSeveral(t *testing.T) {
	other := strings.Replace(whole, `"terminals": "32"`, `"terminals": "64"`, 1)
	for _, text := range []string{whole + "\n" + other + "\n", "[" + whole + ",\n" + other + "]"} {
		formattest.Check(t, Format, "all.json", []byte(text))
		ctx := formattest.Read(Format, "all.json", format.Options{}, []byte(text))
		if Format.Sniff("", []byte(text)) != format.Sure || len(ctx.Runs) != 2 || *ctx.Runs[0].Clients != 32 || *ctx.Runs[1].Clients != 64 || len(ctx.Problems) != 0 {
			t.Errorf("%d runs, %v in\n%s", len(ctx.Runs), ctx.Problems, text)
		}
	}
}

func TestLacking(t *testing.T) {
	for _, test := range []struct{ old, new, flag, problem string }{
		{`"terminals": "32",`, ``, bench.FlagClientsUnknown, "terminals"},
		{`"EXIT"`, `"MEASURE"`, bench.FlagAborted, ""},
		{`: 3120.441`, `: 0.0`, bench.FlagNoTransactions, ""},
		{`"32"`, `32`, "", ""},
		{`3098.77`, `3098.77,,`, "", "cut"},
	} {
		ctx := formattest.Read(Format, "f", format.Options{}, []byte(strings.Replace(whole, test.old, test.new, 1)))
		if test.flag != "" && !ctx.Runs[0].Has(test.flag) {
			t.Errorf("%s → %s: flags %v", test.old, test.new, ctx.Runs[0].Flags)
		}
		if (len(ctx.Problems) > 0) != (test.problem != "") || test.problem != "" && !strings.Contains(ctx.Problems[0].Message, test.problem) {
			t.Errorf("%s → %s: problems %v", test.old, test.new, ctx.Problems)
		}
	}
	ctx := formattest.Read(Format, "f", format.Options{}, []byte(whole[:200]))
	if len(ctx.Runs) != 0 || len(ctx.Problems) != 1 || ctx.Problems[0].At.Line != 6 {
		t.Errorf("cut: %v", ctx.Problems)
	}
	if Format.Sniff("", []byte(`{"tps": 1}`)) != format.No {
		t.Error("other JSON is claimed")
	}
}

func FuzzBenchbase(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(`{"Throughput (requests/second)": "1e400", "terminals": -1, "Latency Distribution": {"1th Percentile Latency (": 1}}`))
	f.Fuzz(func(t *testing.T, data []byte) { formattest.Fuzz(t, Format, data) })
}
