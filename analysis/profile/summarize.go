package profile

import (
	"cmp"
	"slices"

	"pgknee/analysis/report"
)

// topFunctions is how many functions a report lists by self weight, and how many more by total.
const topFunctions = 200

// Summarize gives the profile as the report has it; its locks come from Locks.
func Summarize(p *Profile) report.Profile {
	out := report.Profile{
		Label: p.Label, File: p.At.File, Event: p.Event, Unit: p.Unit, Total: p.Total, Partial: p.Partial,
	}
	if n, known := p.SampleCount(); known {
		out.Samples = &n
	}
	for _, self := range p.Self {
		if self != 0 {
			out.Stacks++
		}
	}
	functions := Functions(p)
	out.Functions = len(functions)
	if p.Total <= 0 {
		return out
	}
	if unknown := UnknownShare(p); unknown > 0 {
		out.UnknownShare = &unknown
	}
	listed := functions[:min(topFunctions, len(functions))]
	rest := slices.Clone(functions[len(listed):])
	slices.SortStableFunc(rest, func(a, b Function) int { return cmp.Compare(b.Total, a.Total) })
	for _, f := range append(slices.Clip(listed), rest[:min(topFunctions, len(rest))]...) {
		out.Top = append(out.Top, report.Function{Function: f.Name, Self: share(f.Self, p.Total), Total: share(f.Total, p.Total)})
	}
	return out
}

// share is a part of a total, within 0 and 1 whatever rounding does.
func share(part, total float64) float64 { return max(0, min(part/total, 1)) }
