package analysis

import (
	"math"

	"pgknee/analysis/bench"
	"pgknee/analysis/report"
)

// maxProgress is how many points of a run's course a report holds; where hundreds of runs have one, they share allProgress, but for
// leastProgress that each may have: a report is held and drawn whole.
const (
	maxProgress   = 600
	allProgress   = 60_000
	leastProgress = 100
)

// progressOf tells how many points of a run's course there is room for.
func progressOf(runs []*bench.Run) int {
	courses := 0
	for _, r := range runs {
		if len(r.Intervals) > 1 {
			courses++
		}
	}
	return max(leastProgress, min(maxProgress, allProgress/max(courses, 1)))
}

// progress draws a run's intervals together into at most so many points. Where the run has a log, a point is a column of its heat map.
func progress(r *bench.Run, most int) *report.Progress {
	n := len(r.Intervals)
	if n < 2 {
		return nil
	}
	together := (n + most - 1) / most
	heated := r.Log != nil && len(r.Log.Heat) > 0
	column := func(i int) int64 {
		end := float64(r.Log.First)/1e6 + r.Intervals[i].EndS
		return (int64(math.Ceil(end-1e-6)) - 1) / r.Log.HeatWide
	}
	points := min(n, most)
	p := &report.Progress{EndS: make([]float64, 0, points), TPS: make([]float64, 0, points), LatencyMs: make([]float64, 0, points)}
	var columns []int64
	last := 0.0
	for i := 0; i < n; {
		seconds, done, busy := 0.0, 0.0, 0.0
		latency := 0.0
		to := min(i+together, n)
		var of int64
		if heated {
			of = column(i)
			for to = i + 1; to < n && column(to) == of; {
				to++
			}
		}
		for ; i < to; i++ {
			v := &r.Intervals[i]
			length := v.EndS - last
			last = v.EndS
			seconds += length
			done += v.TPS * length
			if v.LatencyMs > 0 {
				busy += v.TPS * length
				latency += v.TPS * length * v.LatencyMs
			}
		}
		if seconds <= 0 {
			continue
		}
		mean := -1.0
		if busy > 0 {
			mean = latency / busy
		}
		p.EndS = append(p.EndS, last)
		p.TPS = append(p.TPS, millionths(done/seconds))
		p.LatencyMs = append(p.LatencyMs, millionths(mean))
		if heated {
			columns = append(columns, of)
		}
	}
	if heated {
		p.Heat = heat(r.Log, columns)
	}
	return p
}

// millionths rounds what was computed to more decimals than any benchmark prints.
func millionths(v float64) float64 {
	if math.Abs(v) > 1e9 {
		return v
	}
	return math.Round(v*1e6) / 1e6
}

// heat is the part of a log's heat map that holds anything.
func heat(l *bench.Log, columns []int64) *report.Heat {
	low, high := bench.HeatRows, -1
	for _, c := range l.Heat {
		for row, n := range c {
			if n > 0 {
				low, high = min(low, row), max(high, row)
			}
		}
	}
	if high < 0 {
		return nil
	}
	h := &report.Heat{}
	for row := low; row <= high; row++ {
		h.UpToMs = append(h.UpToMs, bench.HeatUpToMs(row))
	}
	for _, at := range columns {
		counts := make([]int64, high-low+1)
		if c := l.Heat[at]; c != nil {
			copy(counts, c[low:high+1])
		}
		h.Counts = append(h.Counts, counts)
	}
	return h
}
