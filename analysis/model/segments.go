package model

import (
	"fmt"
	"math"

	"pgknee/analysis/stat"
)

// Segments is four lines in ln X over ln N that join at three counts, the last of them flat. It follows a curve without any mechanism, and so
// checks the laws: where it is far better than all of them, none of them explains the curve.
var Segments = Law{
	Name: "segments", Title: "Segmented lines",
	Formula:       "ln X = ln x₁ + s₁ min(l, k₁) + s₂ (min(l, k₂) − k₁)⁺ + s₃ (min(l, k₃) − k₂)⁺, l = ln N, flat past k₃",
	Source:        "description without a mechanism",
	Meaning:       "straight pieces on double logarithmic axes: it follows a curve and explains nothing",
	MechanismFree: true,
	Parameters: []Parameter{
		positive("start", "tps", "throughput at 1 client", Rate, 1e-100, 1e100),
		slope("slope1"), slope("slope2"), slope("slope3"),
		knot("knot1", "end of the first line", 1e7),
		knot("knot2", "end of the second line", 1e7),
		knot("knot3", "end of the third line", 1e7),
	},
	Eval: func(n float64, p []float64) float64 {
		l := stat.Log(n)
		k1 := stat.Log(p[4])
		k2 := math.Max(stat.Log(p[5]), k1)
		k3 := math.Max(stat.Log(p[6]), k2)
		return p[0] * stat.Exp(p[1]*math.Min(l, k1)+p[2]*math.Max(math.Min(l, k2)-k1, 0)+p[3]*math.Max(math.Min(l, k3)-k2, 0))
	},
	Starts: func(d *Data) [][]float64 {
		// Knots between counts, at up to ten places; the lines by least squares.
		const places = 10
		var knots []int
		n := len(d.N)
		for i := range places {
			if k := 2 + i*(n-3)/places; len(knots) == 0 || k > knots[len(knots)-1] {
				knots = append(knots, k)
			}
		}
		k1, k2, k3 := 0.0, 0.0, 0.0
		logN := make([]float64, n)
		for i, v := range d.N {
			logN[i] = stat.Log(v)
		}
		between := func(i int) float64 { return (logN[i-1] + logN[i]) / 2 }
		lines := stat.NewLeastSquares(n, 4, func(r, p []float64) {
			for i, l := range logN {
				r[i] = d.Log[i] - p[0] - p[1]*math.Min(l, k1) - p[2]*math.Max(math.Min(l, k2)-k1, 0) - p[3]*math.Max(math.Min(l, k3)-k2, 0)
			}
		})
		var out [][]float64
		for x, a := range knots {
			for y, b := range knots[x+1:] {
				for _, c := range append(knots[x+1+y+1:len(knots):len(knots)], n-1) {
					k1, k2, k3 = between(a), between(b), between(c)
					p := []float64{d.Log[0], 1, 0, 0}
					lines.Minimize(p, 3, 1e-3)
					out = append(out, []float64{1, p[1], p[2], p[3], stat.Exp(k1), stat.Exp(k2), stat.Exp(k3)})
				}
			}
		}
		return out
	},
	Limit: func(p []float64) (float64, bool) {
		return p[0] * stat.Exp(p[1]*stat.Log(p[4])+p[2]*math.Max(stat.Log(p[5]/p[4]), 0)+p[3]*math.Max(stat.Log(p[6]/math.Max(p[4], p[5])), 0)), true
	},
	Saturation: func(p []float64) float64 { return math.Max(p[6], math.Max(p[4], p[5])) },
	Says: func(f *Fit) string {
		return fmt.Sprintf("throughput grows with the power %s of the clients to %s, %s to %s, %s to %s, then stays", figures(f.P[1]), count(f.P[4]),
			figures(f.P[2]), count(f.P[5]), figures(f.P[3]), count(f.P[6]))
	},
}

func slope(name string) Parameter {
	return Parameter{Name: name, Doc: "power of the clients with which throughput grows on this line", Lower: -20, Upper: 20, Typical: 0.1}
}
