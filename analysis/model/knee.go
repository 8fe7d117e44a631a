package model

import (
	"fmt"

	"pgknee/analysis/stat"
)

// KneeCollapse joins three things one can see in a curve: a slope, a cap it bends into (with the sharpness of the knee held at 2), and a
// share of it that is lost around K clients. It describes a collapse without saying how it comes about. This project's law.
var KneeCollapse = knee("knee-collapse", false)

// KneeCollapseWake is the same with the low-count loss of the plateau USL.
var KneeCollapseWake = knee("knee-collapse-wake", true)

func knee(name string, wakes bool) Law {
	sharp := 2.0
	l := Law{
		Name: name, Title: "Knee, collapse, floor",
		Formula: "X(N) = ((γ N)^−p + cap^−p)^(−1/p) · (1 − r N^h / (N^h + K^h)), p the sharpness, r the drop",
		Source:  "this project",
		Meaning: "a slope, a cap, and a share of it lost around K clients; the floor is cap (1 − r)",
		Parameters: []Parameter{
			gamma(),
			positive("cap", "tps", "throughput that the curve bends into before the collapse", Rate, 1e-100, 1e100),
			{Name: "sharpness", Doc: "sharpness of the knee, held at 2", Fixed: &sharp},
			{Name: "drop", Doc: "share of the cap that is lost", Upper: 1, Typical: 1e-2, AtLower: "drop is 0: the data show no collapse", AtUpper: "drop is 1: no floor shows"},
			halfway("K"),
			positive("h", "", "abruptness of the collapse", Plain, 0.2, 30),
		},
		Limit:      func(p []float64) (float64, bool) { return p[1] * (1 - p[3]), p[3] < 1 },
		Saturation: func(p []float64) float64 { return p[4] },
		Says: func(f *Fit) string {
			_, top := f.Data.peak()
			limit, _ := f.Law.Limit(f.P)
			before, past := f.P[4] < f.Data.N[0], f.P[4] > f.Data.largest()
			switch {
			case limit > 2*top && !past:
				return fmt.Sprintf("throughput leaves its slope around %s clients, and no cap shows", count(f.P[4]))
			case f.P[1] > 2*top && !past: // the collapse comes before the cap can show
				return fmt.Sprintf("throughput leaves its slope around %s clients before a cap shows, and goes towards %s", count(f.P[4]), f.rate(limit))
			case before:
				return fmt.Sprintf("throughput bends into a cap of %s and stays there", f.rate(limit))
			case past || f.P[3] < flat:
				return fmt.Sprintf("throughput bends into a cap of %s and stays there", f.rate(f.P[1]))
			}
			return fmt.Sprintf("throughput bends into a cap of %s and loses %s of it around %s clients", f.rate(f.P[1]), percent(f.P[3]), count(f.P[4]))
		},
	}
	if wakes {
		l.Title += ", with wake-up"
		l.Formula += "; γ N / (1 + w/N) for γ N"
		l.Parameters = append(l.Parameters, wake())
	}
	l.Eval = func(n float64, p []float64) float64 {
		slope := p[0] * n
		if wakes {
			slope /= 1 + p[6]/n
		}
		// Sharpness 2, written so that neither square overflows.
		x := slope / stat.Hypot(1, slope/p[1])
		return x * (1 - p[3]/(1+stat.Exp(p[5]*stat.Log(p[4]/n))))
	}
	l.Starts = func(d *Data) [][]float64 {
		peak, top := d.peak()
		r := top / d.gamma()
		var out [][]float64
		for _, at := range [][2]float64{{1, 0.2}, {1, 0.5}, {3, 0.8}, {10, 0.95}} { // caps and the drops that leave the peak in place
			axes := [][]float64{{1}, {at[0] * r}, {sharp}, {at[1]}, {peak / 2, peak, 2 * peak}, {1, 2, 5}}
			if wakes {
				axes = append(axes, []float64{0.05, 0.4})
			}
			out = append(out, grid(axes...)...)
		}
		return out
	}
	return l
}
