package export

import (
	"encoding/csv"
	"sort"
	"strconv"
	"strings"

	"pgknee/analysis/report"
)

// columns of a run in a spreadsheet: base units in the names, no thousands marks, empty for unknown.
var columns = []string{
	"series", "clients", "tps", "tps_kind", "latency_ms", "latency_stddev_ms", "threads", "scale", "duration_s", "transactions", "failed", "retried", "skipped",
	"initial_connection_ms", "rate_limit_tps", "script", "query_mode", "version", "server_version", "flags", "attributes", "file", "line",
}

// CSV is a row for each run. It is written by encoding/csv: gocsv, which reads it back into structs in the tests, takes the time zones,
// networks and ciphers of what it imports into the engine.
func CSV(r *report.Report) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(columns) // a strings.Builder never fails
	for _, run := range r.Runs {
		var attributes []string
		for k, v := range run.Attributes {
			attributes = append(attributes, k+"="+v)
		}
		sort.Strings(attributes)
		_ = w.Write([]string{
			text(run.Series), integer(run.Clients), float(run.TPS), run.TPSKind,
			float(run.LatencyMs), float(run.LatencyStddevMs),
			integer(run.Threads), integer(run.Scale), float(run.DurationS),
			integer(run.Transactions), integer(run.Failed), integer(run.Retried), integer(run.Skipped),
			float(run.InitialConnectionMs), float(run.RateLimitTPS),
			text(run.Script), run.QueryMode, text(run.Version), text(run.ServerVersion),
			strings.Join(run.Flags, " "), text(strings.Join(attributes, " ")), text(run.File), strconv.Itoa(run.Line),
		})
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
