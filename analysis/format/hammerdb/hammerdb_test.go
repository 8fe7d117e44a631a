package hammerdb

import (
	"math"
	"strings"
	"testing"

	"pgknee/analysis/bench"
	"pgknee/analysis/format"
	"pgknee/analysis/format/formattest"
	"pgknee/analysis/source"
)

const log = `Vuser 1:RUNNING
Vuser 1:Beginning rampup time of 2 minutes
92623 PostgreSQL tpm
416806 PostgreSQL tpm
Vuser 1:Timing test period of 5 in minutes
Vuser 1:16 Active Virtual Users configured
Vuser 1:TEST RESULT : System achieved 201330 NOPM from 463118 PostgreSQL TPM
`

const times = `>>>>> SUMMARY OF 16 ACTIVE VIRTUAL USERS : MEDIAN ELAPSED TIME : 300100ms
>>>>> PROC: NEWORD
CALLS: 1000	MIN: 1.1ms	AVG: 4.5ms	MAX: 80.1ms	TOTAL: 4500ms
P99: 9.1ms	P95: 7.2ms	P75: 5.1ms	P50: 4.2ms	P25: 3.1ms	SD: 1.2	RATIO: 40%
>>>>> PROC: PAYMENT
CALLS: 1000	MIN: 1.1ms	AVG: 2.5ms	MAX: 80.1ms	TOTAL: 2500ms
P99: 5.1ms	P95: 4.2ms	P75: 3.1ms	P50: 2.2ms	P25: 1.1ms	SD: 1.2	RATIO: 40%
`

func read(t *testing.T, text string) *format.Context {
	t.Helper()
	formattest.Check(t, Format, "hammerdb.log", []byte(text))
	return formattest.Read(Format, "hammerdb.log", format.Options{}, []byte(text))
}

func TestResult(t *testing.T) {
	ctx := read(t, log+times)
	if len(ctx.Runs) != 1 || ctx.Skipped != 0 {
		t.Fatalf("%d runs, %d lines skipped", len(ctx.Runs), ctx.Skipped)
	}
	r := ctx.Runs[0]
	if *r.Clients != 16 || math.Abs(*r.TPS-3355.5) > 1e-9 || r.Unit != Unit || *r.DurationS != 300 || *r.LatencyMs != 4.5 || r.LatencyPercentilesMs["95"] != 7.2 {
		t.Errorf("%+v", r)
	}
	if len(r.Notes) != 1 || r.Notes[0] != "201330 NOPM, 463118 TPM" {
		t.Errorf("notes %v", r.Notes)
	}
}

func TestWordings(t *testing.T) {
	for _, result := range []string{
		"Vuser 1:TEST RESULT : System achieved 463118 PostgreSQL TPM at 201330 NOPM",
		"Vuser 1:TEST RESULT : System achieved 201330 NOPM from 463118 SQL Server TPM",
		`["0","1","TEST RESULT : System achieved 201330 NOPM from 463118 PostgreSQL TPM"],`,
	} {
		r := read(t, result).Runs[0]
		if math.Abs(*r.TPS-3355.5) > 1e-9 || !r.Has(bench.FlagClientsUnknown) {
			t.Errorf("%s: tps %v, flags %v", result, *r.TPS, r.Flags)
		}
	}
	sweep := read(t, log+strings.ReplaceAll(log, ":16 Active", ":32 Active"))
	if len(sweep.Runs) != 2 || *sweep.Runs[1].Clients != 32 {
		t.Errorf("a sweep of two gives %d runs", len(sweep.Runs))
	}
	typed := read(t, "hammerdb>vuset vu 4\nVuser 1:TEST RESULT : System achieved 868 NOPM from 2762 PostgreSQL TPM\n")
	if len(typed.Runs) != 1 || *typed.Runs[0].Clients != 4 {
		t.Errorf("without the log of its users: %+v", typed.Runs)
	}
	none := formattest.Read(Format, "", format.Options{}, []byte("Vuser 1:RUNNING\n92623 PostgreSQL tpm\n"))
	if len(none.Runs) != 0 || len(none.Problems) != 1 {
		t.Errorf("without a result: %d runs", len(none.Runs))
	}
	const analytic = "Vuser 1:query 14 completed in 17.177 seconds\nVuser 1:Completed 1 query set(s) in 175 seconds\nVuser 1:Geometric mean of query times returning rows (22) is 1.92246\n"
	none = formattest.Read(Format, "", format.Options{}, []byte(analytic))
	if Format.Sniff("", []byte(analytic)) != format.Sure || len(none.Runs) != 0 || !strings.Contains(none.Problems[0].Message, "TPROC-H") {
		t.Errorf("TPROC-H: %d runs, %v", len(none.Runs), none.Problems)
	}
}

func TestBlock(t *testing.T) {
	var lines []source.Line
	for i, text := range strings.Split(log+"That was it.", "\n") {
		lines = append(lines, source.Line{Text: []byte(text), No: i + 1})
	}
	if n := Block.Claims(lines); n != len(lines)-1 {
		t.Errorf("%d of %d lines are claimed", n, len(lines))
	}
	if n := Block.Claims(lines[len(lines)-1:]); n != 0 {
		t.Error("prose is claimed")
	}
}

func FuzzHammerDB(f *testing.F) {
	f.Add([]byte(log + times))
	f.Add([]byte("TEST RESULT : System achieved NOPM from 99999999999999999999 TPM\n0 Active Virtual Users configured\n"))
	f.Fuzz(func(t *testing.T, data []byte) { formattest.Fuzz(t, Format, data) })
}
