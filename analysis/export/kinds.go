package export

import (
	"fmt"
	"strings"

	"pgknee/analysis/report"
)

// kinds are the exports that are text and need nothing but the report, by the names of the command line's flags.
var kinds = map[string]func(*report.Report) string{
	"mail":         func(r *report.Report) string { return mail(r, false) },
	"mail-ascii":   func(r *report.Report) string { return mail(r, true) },
	"markdown":     issue,
	"csv":          csvRuns,
	"release-note": releaseNote,
	"config":       configuration,
	"json":         indented,
}

// Text is an export by its kind; an error when there is no such kind.
func Text(r *report.Report, kind string) (string, error) {
	if text := kinds[kind]; text != nil {
		return text(r), nil
	}
	return "", fmt.Errorf("no export %q", kind)
}

// indented is the report as JSON.
func indented(r *report.Report) string {
	var b strings.Builder
	if err := r.Encode(&b, "  "); err != nil {
		panic(err) // a report holds no NaN and no cycle
	}
	return b.String()
}
