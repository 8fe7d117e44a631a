package export

import (
	"encoding/csv"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"pgknee/analysis/report"
)

// row is a run in a spreadsheet: base units in the names, no thousands marks, empty for unknown. Format pgknee-csv (package table) reads
// it back by these names.
type row struct {
	Series              string `csv:"series"`
	Clients             string `csv:"clients"`
	TPS                 string `csv:"tps"`
	TPSKind             string `csv:"tps_kind"`
	LatencyMs           string `csv:"latency_ms"`
	LatencyStddevMs     string `csv:"latency_stddev_ms"`
	Threads             string `csv:"threads"`
	Scale               string `csv:"scale"`
	DurationS           string `csv:"duration_s"`
	Transactions        string `csv:"transactions"`
	Failed              string `csv:"failed"`
	Retried             string `csv:"retried"`
	Skipped             string `csv:"skipped"`
	InitialConnectionMs string `csv:"initial_connection_ms"`
	RateLimitTPS        string `csv:"rate_limit_tps"`
	Script              string `csv:"script"`
	QueryMode           string `csv:"query_mode"`
	Version             string `csv:"version"`
	ServerVersion       string `csv:"server_version"`
	Flags               string `csv:"flags"`
	Attributes          string `csv:"attributes"`
	File                string `csv:"file"`
	Line                string `csv:"line"`
	Unit                string `csv:"unit"`
	LatencyDerived      string `csv:"latency_derived"`
	P50                 string `csv:"latency_p50_ms"`
	P75                 string `csv:"latency_p75_ms"`
	P90                 string `csv:"latency_p90_ms"`
	P95                 string `csv:"latency_p95_ms"`
	P99                 string `csv:"latency_p99_ms"`
	P999                string `csv:"latency_p99.9_ms"`
}

// csvRuns is a row for each run.
func csvRuns(r *report.Report) string {
	rows := make([]row, 0, len(r.Runs))
	for _, run := range r.Runs {
		var attributes []string
		for k, v := range run.Attributes {
			attributes = append(attributes, quoted(k, " =\"")+"="+quoted(v, "=\""))
		}
		slices.Sort(attributes)
		percentile := func(rank string) string {
			if ms, ok := run.LatencyPercentilesMs[rank]; ok {
				return float(&ms)
			}
			return ""
		}
		rows = append(rows, row{
			Series: text(run.Series), Clients: integer(run.Clients), TPS: float(run.TPS), TPSKind: run.TPSKind,
			LatencyMs: float(run.LatencyMs), LatencyStddevMs: float(run.LatencyStddevMs),
			Threads: integer(run.Threads), Scale: integer(run.Scale), DurationS: float(run.DurationS),
			Transactions: integer(run.Transactions), Failed: integer(run.Failed), Retried: integer(run.Retried), Skipped: integer(run.Skipped),
			InitialConnectionMs: float(run.InitialConnectionMs), RateLimitTPS: float(run.RateLimitTPS),
			Script: text(run.Script), QueryMode: run.QueryMode, Version: text(run.Version), ServerVersion: text(run.ServerVersion),
			Flags: strings.Join(run.Flags, " "), Attributes: text(strings.Join(attributes, " ")), File: text(run.File), Line: strconv.Itoa(run.Line),
			Unit: text(run.Unit), LatencyDerived: yes(run.LatencyDerived),
			P50: percentile("50"), P75: percentile("75"), P90: percentile("90"), P95: percentile("95"), P99: percentile("99"), P999: percentile("99.9"),
		})
	}
	return marshal(rows)
}

// marshalPlain writes rows with encoding/csv. It is marshal in WebAssembly, where gocsv would bring along the time zones, networks and
// ciphers of what it imports (a tenth of the engine); a test holds it to gocsv's bytes.
func marshalPlain(rows []row) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	t := reflect.TypeFor[row]()
	cells := make([]string, t.NumField())
	for i := range cells {
		cells[i] = t.Field(i).Tag.Get("csv")
	}
	_ = w.Write(cells) // a strings.Builder never fails
	for _, r := range rows {
		v := reflect.ValueOf(r)
		for i := range cells {
			cells[i] = v.Field(i).String()
		}
		_ = w.Write(cells)
	}
	w.Flush()
	return b.String()
}

// text keeps a cell from being taken for a formula by a spreadsheet.
func text(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

// quoted keeps a name or value with one of the signs whole among others.
func quoted(s, signs string) string {
	if strings.ContainsAny(s, signs) {
		return strconv.Quote(s)
	}
	return s
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

func integer[T int | int64](v *T) string {
	if v == nil {
		return ""
	}
	return strconv.FormatInt(int64(*v), 10)
}

func float(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}
