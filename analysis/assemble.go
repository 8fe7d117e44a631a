package analysis

import (
	"cmp"
	"fmt"
	"slices"

	"pgknee/analysis/bench"
	"pgknee/analysis/compare"
	"pgknee/analysis/curve"
	"pgknee/analysis/model"
	"pgknee/analysis/report"
	"pgknee/analysis/settings"
	"pgknee/analysis/stat"
)

// addRuns puts the runs into the report, each with the label of the series it was put in.
func addRuns(r *report.Report, runs []*bench.Run, curves []*bench.Curve) {
	r.Runs = slices.Grow(r.Runs, len(runs))
	series := make(map[*bench.Run]string, len(runs))
	for _, c := range curves {
		for _, p := range c.Points {
			for _, run := range p.Runs {
				series[run] = c.Label
			}
		}
		for _, run := range c.LeftOut {
			series[run] = c.Label
		}
	}
	points := progressOf(runs)
	for _, run := range runs {
		out := report.Run{
			File: run.At.File, Line: run.At.Line, Series: cmp.Or(series[run], run.Label),
			Clients: run.Clients, Threads: run.Threads, Scale: run.Scale, DurationS: run.DurationS, Transactions: run.Transactions,
			TPS: run.TPS, TPSKind: run.TPSKind, Unit: run.Unit,
			LatencyMs: run.LatencyMs, LatencyDerived: compare.LatencyDerived(run), LatencyStddevMs: run.LatencyStddevMs, LatencyPercentilesMs: run.LatencyPercentilesMs,
			Failed: run.Failed, Retried: run.Retried, Skipped: run.Skipped, InitialConnectionMs: run.InitialConnectionMs,
			Script: run.Script, QueryMode: run.QueryMode, Version: run.Version, ServerVersion: run.ServerVersion,
			RateLimitTPS: run.RateLimitTPS, Flags: run.Flags, Intervals: len(run.Intervals), Attributes: run.Attributes,
			Progress: progress(run, points), Notes: run.Notes,
		}
		var course []string
		out.Notes, course = compare.Course(run)
		for _, name := range course {
			if i, found := slices.BinarySearch(out.Flags, name); !found {
				out.Flags = slices.Insert(slices.Clone(out.Flags), i, name)
			}
		}
		for _, s := range run.Statements {
			out.Statements = append(out.Statements, report.Statement(s))
		}
		for _, s := range run.Scripts {
			out.Scripts = append(out.Scripts, report.Script(s))
		}
		r.Runs = append(r.Runs, out)
	}
}

// addSettings puts lists of settings into the report, each with the series that it belongs to.
func addSettings(r *report.Report, sets []*settings.Set, curves []*bench.Curve) {
	for _, set := range sets {
		out := report.Settings{Label: set.Label, File: set.At.File, Values: make(map[string]report.Setting, len(set.Values))}
		for name, v := range set.Values {
			out.Values[name] = report.Setting(v)
		}
		if c := curve.Match(curves, set.Label, set.At.File); c != nil {
			out.Series = c.Label
		}
		r.Settings = append(r.Settings, out)
	}
}

// addSeries puts the measured curves into the report.
func addSeries(r *report.Report, runs []*bench.Run, curves []*bench.Curve) {
	index := make(map[*bench.Run]int, len(runs))
	for i, run := range runs {
		index[run] = i
	}
	for _, c := range curves {
		s := report.Series{Label: c.Label, Attributes: c.Attributes, Unit: c.Unit, Cores: c.Cores}
		intervals := model.Spread(c)
		for i, p := range c.Points {
			out := report.Point{Clients: p.Clients, TPS: stat.Median(p.Samples), N: len(p.Samples), Samples: p.Samples}
			if in := intervals[i]; in.Hi > 0 {
				out.Lo, out.Hi = &in.Lo, &in.Hi
			}
			var latencies []float64
			percentiles := map[string][]float64{}
			for _, run := range p.Runs {
				out.Runs = append(out.Runs, index[run])
				for rank, ms := range run.LatencyPercentilesMs {
					percentiles[rank] = append(percentiles[rank], ms)
				}
				if run.LatencyMs != nil {
					latencies = append(latencies, *run.LatencyMs)
				}
			}
			if len(latencies) > 0 {
				median := stat.Median(latencies)
				out.LatencyMs = &median
			}
			for rank, all := range percentiles {
				if out.LatencyPercentilesMs == nil {
					out.LatencyPercentilesMs = map[string]float64{}
				}
				out.LatencyPercentilesMs[rank] = stat.Median(all)
			}
			s.Points = append(s.Points, out)
		}
		for _, run := range c.LeftOut {
			s.LeftOut = append(s.LeftOut, report.LeftOut{Run: index[run], Clients: run.Clients, TPS: run.TPS, Why: bench.Why(run)})
		}
		r.Series = append(r.Series, s)
	}
}

// addLaws describes every series by its peak, its floor and the laws that fit it.
func (s *Session) addLaws(r *report.Report, curves []*bench.Curve) {
	o := model.Options{Linear: s.Options.Residuals == "linear", Depth: model.DepthOf(curves)}
	if says := o.Depth.Says(len(curves)); says != "" {
		r.Notes = append(r.Notes, says)
	}
	all, done := model.Steps*len(curves), 0
	step := func(next string) bool {
		done++
		return s.Progress == nil || s.Progress(done-1, all, next)
	}
	for i, c := range curves {
		if n := len(c.Points); n > model.MostCounts {
			r.Notes = append(r.Notes, fmt.Sprintf("%s: laws were fitted to %d of its %d client counts, spread evenly.", c.Label, model.MostCounts, n))
		}
		model.Describe(&r.Series[i], c, o, step)
		done = model.Steps * (i + 1)
	}
}

// addComparisons compares the baseline with the others.
func (s *Session) addComparisons(r *report.Report, curves []*bench.Curve) {
	compared, baseline := compare.Most(curves, curve.Baseline(curves, s.Options.Baseline))
	if left := len(curves) - len(compared); left > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d series: only the %d with the most points were compared with the baseline %s, the rest (%d) were not; report on fewer series at a time to compare them all.",
			len(curves), len(compared)-1, compared[baseline].Label, left))
	}
	r.Comparisons = compare.All(compared, baseline)
}
