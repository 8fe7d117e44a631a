package analysis

import (
	"cmp"
	"slices"
	"strings"

	"pgknee/analysis/bench"
	"pgknee/analysis/curve"
	"pgknee/analysis/profile"
	"pgknee/analysis/report"
)

// addWaits puts the counts by wait event into the report, each with the series that it belongs to: by its label, the text around it, or
// the name of its file. What waits in a session that has nothing to do (Client:ClientRead, Activity) counts like the rest.
func addWaits(r *report.Report, waits []*profile.Waits, curves []*bench.Curve) {
	for _, w := range waits {
		out := report.Waits{Label: cmp.Or(w.Label, stem(w.At.File)), File: w.At.File, Line: w.At.Line, Unit: w.Unit}
		var of *bench.Curve
		if w.Label != "" {
			of = curve.Match(curves, w.Label, "")
		} else {
			for _, text := range w.Words {
				sentences := strings.FieldsFunc(text, func(r rune) bool { return r == '.' || r == ';' })
				for i := len(sentences) - 1; i >= 0 && of == nil; i-- { // the last one is the nearest
					of = curve.Match(curves, sentences[i], "")
				}
			}
		}
		if of == nil {
			of = curve.Match(curves, w.Label, w.At.File)
		}
		if of != nil {
			out.Series = of.Label
		}
		for _, e := range w.Events {
			out.Total += e.Count
		}
		for _, e := range w.Events {
			out.Events = append(out.Events, report.WaitEvent{Event: e.Name, Count: e.Count, Share: e.Count / out.Total})
		}
		slices.SortStableFunc(out.Events, func(a, b report.WaitEvent) int { return cmp.Compare(b.Count, a.Count) })
		r.Waits = append(r.Waits, out)
	}
}
