package analysis

import (
	"fmt"
	"slices"
	"strings"

	"pgknee/analysis/bench"
	"pgknee/analysis/curve"
	"pgknee/analysis/format"
	"pgknee/analysis/format/all"
)

// Check tells what is wrong with the options themselves, before anything is read.
func (o Options) Check() error {
	for _, name := range o.Format {
		if name != "" && !slices.ContainsFunc(all.Formats, func(f *format.Format) bool { return f.Name == name }) {
			return fmt.Errorf(`no format %q: "pgknee formats" lists them`, name)
		}
	}
	switch {
	case o.Residuals != "" && o.Residuals != "log" && o.Residuals != "linear":
		return fmt.Errorf("residuals are log or linear, not %q", o.Residuals)
	case o.Cores < 0:
		return fmt.Errorf("%d cores are none", o.Cores)
	}
	return nil
}

// Unmet tells which options of the last Report name something that the inputs do not have; the report was made without them.
func (s *Session) Unmet() []string { return s.unmet }

// notMet is what Unmet tells.
func (o Options) notMet(runs []*bench.Run, curves []*bench.Curve) (unmet []string) {
	if len(curves) == 0 {
		return nil
	}
	var labels []string
	for _, c := range curves {
		labels = append(labels, fmt.Sprintf("%q", c.Label))
	}
	there := "the series are " + strings.Join(labels, ", ")
	if o.Baseline != "" && curve.Find(curves, o.Baseline) < 0 {
		unmet = append(unmet, fmt.Sprintf("no single series is called %q: %s", o.Baseline, there))
	}
	for _, key := range curve.Unknown(runs, o.Series) {
		unmet = append(unmet, fmt.Sprintf("no run has an attribute %q that could tell series apart: %s", key, there))
	}
	return unmet
}
