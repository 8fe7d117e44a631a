package export

import (
	"fmt"
	"strings"

	"pgknee/analysis/report"
)

// kinds are the exports that are text and need nothing but the report, by the names of the command line's flags.
var kinds = map[string]func(*report.Report) string{
	"mail":         func(r *report.Report) string { return Mail(r, false) },
	"mail-ascii":   func(r *report.Report) string { return Mail(r, true) },
	"markdown":     Markdown,
	"csv":          CSV,
	"release-note": ReleaseNote,
	"config":       Configuration,
	"json":         JSON,
}

// Text is an export by its kind.
func Text(r *report.Report, kind string) (string, error) {
	if text := kinds[kind]; text != nil {
		return text(r), nil
	}
	return "", fmt.Errorf("no export %q", kind)
}

// JSON is the report as the contract has it, indented.
func JSON(r *report.Report) string {
	var b strings.Builder
	if err := r.Encode(&b, "  "); err != nil {
		panic(err) // a report holds no NaN and no cycle
	}
	return b.String()
}
