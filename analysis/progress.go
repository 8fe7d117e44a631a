package analysis

import (
	"math"

	"pgknee/analysis/bench"
	"pgknee/analysis/report"
)

// maxProgress is how many points of a run's course a report holds.
const maxProgress = 600

// progress draws a run's intervals together into at most maxProgress points. Where the run has a log, a point is a column of its heat map.
func progress(r *bench.Run) *report.Progress {
	if len(r.Intervals) < 2 {
		return nil
	}
	together := (len(r.Intervals) + maxProgress - 1) / maxProgress
	group := func(i int) int64 { return int64(i / together) }
	heated := r.Log != nil && len(r.Log.Heat) > 0
	if heated {
		group = func(i int) int64 {
			end := float64(r.Log.First)/1e6 + r.Intervals[i].EndS
			return (int64(math.Ceil(end-1e-6)) - 1) / r.Log.HeatWide
		}
	}
	points := min(len(r.Intervals), maxProgress)
	p := &report.Progress{EndS: make([]float64, 0, points), TPS: make([]float64, 0, points), LatencyMs: make([]float64, 0, points)}
	var columns []int64
	last := 0.0
	for i := 0; i < len(r.Intervals); {
		seconds, done, busy := 0.0, 0.0, 0.0
		latency := 0.0
		of := group(i)
		for ; i < len(r.Intervals) && group(i) == of; i++ {
			v := r.Intervals[i]
			length := v.EndS - last
			last = v.EndS
			seconds += length
			done += v.TPS * length
			if v.LatencyMs != nil {
				busy += v.TPS * length
				latency += v.TPS * length * *v.LatencyMs
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
		p.TPS = append(p.TPS, done/seconds)
		p.LatencyMs = append(p.LatencyMs, mean)
		if heated {
			columns = append(columns, of)
		}
	}
	if heated {
		p.Heat = heat(r.Log, columns)
	}
	return p
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
