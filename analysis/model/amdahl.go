package model

import "fmt"

// Amdahl is Amdahl's law with clients in place of processors: a share alpha of the work is serial, so that throughput approaches
// gamma / alpha and never falls.
var Amdahl = Law{
	Name: "amdahl", Title: "Amdahl", Formula: "X(N) = γ N / (1 + α (N − 1))",
	Source:     "G. Amdahl, Validity of the single processor approach, AFIPS 1967; as throughput: N. Gunther, https://arxiv.org/abs/0808.1431",
	Meaning:    "a serial share of the work caps throughput at γ/α; it never falls",
	Parameters: []Parameter{gamma(), alpha()},
	Eval:       func(n float64, p []float64) float64 { return p[0] * n / (1 + p[1]*(n-1)) },
	Starts: func(*Data) [][]float64 {
		return grid([]float64{1}, []float64{1e-4, 1e-3, 1e-2, 1e-1, 0.5})
	},
	Limit: func(p []float64) (float64, bool) { return p[0] / p[1], p[1] > 0 },
	Says: func(f *Fit) string {
		if f.P[1] == 0 {
			return "no serial share shows: " + Linear.Says(f)
		}
		return fmt.Sprintf("%s, which caps throughput near %s", serial(f.P[1]), f.rate(f.P[0]/f.P[1]))
	},
}
