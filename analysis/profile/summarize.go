package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pgknee/analysis/report"
	"pgknee/analysis/sorting"
)

// topFunctions is how many functions a report lists by self weight, and how many more by total.
const topFunctions = 200

// Summarize gives the profile as the report has it; with its locks.
func Summarize(p *Profile) report.Profile {
	out := report.Profile{
		Label: p.Label, File: p.At.File, Event: p.Event, Unit: p.Unit, Total: p.Total, Partial: p.Partial,
		Attributes: p.Attributes,
	}
	if n, known := p.SampleCount(); known {
		out.Samples = &n
	}
	for _, self := range p.Self {
		if self != 0 {
			out.Stacks++
		}
	}
	functions := p.KnownFunctions()
	out.Functions = len(functions)
	if p.Total <= 0 {
		return out
	}
	if unknown := UnknownShare(p); unknown > 0 {
		out.UnknownShare = &unknown
	}
	if kernel := p.shareOf(Kernel); kernel > 0 {
		out.KernelShare = &kernel
	}
	out.Commands = commands(p)
	listed := functions[:min(topFunctions, len(functions))]
	rest := slices.Clone(functions[len(listed):])
	sorting.StableBy(rest, func(a, b KnownFunction) int { return cmp.Compare(b.Total, a.Total) })
	ownShares := p.ownShares()
	for _, f := range append(slices.Clip(listed), rest[:min(topFunctions, len(rest))]...) {
		top := report.Function{Function: f.Name, Total: share(f.Total, p.Total), SelfAtMost: f.SelfKnown == AtMost}
		if f.SelfKnown != Nothing {
			self := share(f.Self, p.Total)
			top.Self = &self
		} else {
			top.Unknown = "self"
		}
		if ownShares && f.TotalKnown != Exactly {
			top.Unknown = "total"
		}
		out.Top = append(out.Top, top)
	}
	locks, any := p.Locks()
	if out.Locks = locks; len(locks) > 0 {
		out.LockShare = &any
	}
	out.Notes = notes(p, out)
	return out
}

// topCommands is how many commands a report lists.
const topCommands = 50

// commands gives the share of each command.
func commands(p *Profile) (list []report.Command) {
	weights := make([]float64, len(p.Threads))
	for _, c := range p.Cells {
		weights[c.Thread] += c.Self
	}
	at := map[string]int{}
	for i, t := range p.Threads {
		if weights[i] == 0 {
			continue // of another event
		}
		k, ok := at[t.Command]
		if !ok {
			k = len(list)
			at[t.Command] = k
			list = append(list, report.Command{Command: t.Command})
		}
		list[k].Share += weights[i] / p.Total
		list[k].Threads++
	}
	for i := range list {
		list[i].Share = min(list[i].Share, 1)
	}
	sorting.By(list, func(a, b report.Command) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Command, b.Command))
	})
	return list[:min(topCommands, len(list))]
}

// fewSamples is below how many samples small shares say little: the standard error of a share p of n samples is sqrt(p(1-p)/n).
const fewSamples = 1000

// notes tells how the shares are to be read.
func notes(p *Profile, r report.Profile) (notes []string) {
	if r.Samples != nil && *r.Samples < fewSamples {
		notes = append(notes, "Few samples: shares under 1 % mean little.")
	}
	switch {
	case p.ownShares():
		notes = append(notes, "A list of what functions take themselves: what they call is known only as far as callers are shown.")
	case p.Partial && len(p.Parent) == 1:
		notes = append(notes, "Inclusive shares of a few functions.")
	case p.Partial:
		notes = append(notes, "A part of a call graph: what lies below its limit or is folded away is not in it.")
	}
	if len(p.Doubts) > 0 {
		var names []string
		for _, d := range p.Doubts {
			names = append(names, p.Name(d.Node))
		}
		slices.Sort(names)
		names = slices.Compact(names)
		notes = append(notes, "The indentation was lost; more than one place fits these rows: "+strings.Join(names[:min(len(names), 5)], ", ")+".")
	}
	if p.Lost > 0 {
		notes = append(notes, fmt.Sprintf("The recorder lost %d samples.", p.Lost))
	}
	if r.UnknownShare != nil && *r.UnknownShare >= 0.2 {
		notes = append(notes, fmt.Sprintf("%.0f %% of the weight is in code without symbols.", 100**r.UnknownShare))
	}
	if len(r.Locks) > 0 {
		notes = append(notes, "Lock shares are time on a processor: waiting asleep is not in them. Classes overlap.")
	}
	return notes
}

// share is a part of a total, within 0 and 1 whatever rounding does.
func share(part, total float64) float64 { return max(0, min(part/total, 1)) }
