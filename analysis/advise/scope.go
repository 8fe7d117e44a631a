package advise

import (
	"fmt"
	"strings"
)

// scope says for which work the finding holds, what a pool or prepared statements change, and what it says nothing about.
func (f *finding) scope() []string {
	w := f.worse
	if f.comparison == nil || w.series == nil || len(w.series.Points) == 0 {
		return nil
	}
	var out []string
	points := w.series.Points
	script := strings.ToLower(f.text("script"))
	work, silent := "", "another workload"
	switch {
	case script == "":
		work = "a workload that the input does not name"
	case strings.Contains(script, "select") && strings.Contains(script, "only"):
		work, silent = "select-only statements", "transactions that write"
	case strings.Contains(script, "tpc"):
		work, silent = "the TPC-B-like script", "read-only work"
	case strings.Contains(script, "simple") && strings.Contains(script, "update"):
		work, silent = "the simple-update script", "read-only work"
	default:
		work = f.text("script")
	}
	text := fmt.Sprintf("measured with %s at %d to %d clients", work, points[0].Clients, points[len(points)-1].Clients)
	mode, better := f.text("mode"), f.text("bettermode")
	switch {
	case f.rule.ID == "prepared-statements" || better != "" && mode != better:
	case mode == "prepared":
		text += ", with prepared statements"
	case mode != "":
		text += fmt.Sprintf(", with the %s protocol: prepared statements plan less often and were not measured", mode)
	default:
		text += "; the protocol is not stated, and prepared statements may change the size"
	}
	out = append(out, text)
	if c := f.comparison; c.Onset != nil && c.Onset.After > 0 && c.Verdict != "mixed" && f.rule.Kind != "client" {
		out = append(out, "no effect at "+fewer(c)+": a pool that keeps the active sessions at that number avoids it")
	}
	return append(out, "nothing follows for "+silent+", nor for another machine")
}
