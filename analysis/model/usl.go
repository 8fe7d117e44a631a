package model

import (
	"fmt"
	"math"
)

// USL is Gunther's universal scalability law: contention as in Amdahl's law, and a coherency cost that grows with the number of pairs
// of clients, so that throughput peaks at sqrt((1−α)/β) and then falls towards 0. It is the throughput of a machine repairman whose
// service slows with the queue, in its synchronous bound. Elsewhere γ, α, β are called λ, σ, κ.
var USL = Law{
	Name: "usl", Title: "Universal scalability law", Formula: "X(N) = γ N / (1 + α (N − 1) + β N (N − 1))",
	Source:     "N. Gunther, https://arxiv.org/abs/0808.1431",
	Meaning:    "contention caps throughput and pairwise coherency makes it fall towards 0 past the peak at √((1−α)/β)",
	Parameters: []Parameter{gamma(), alpha(), beta()},
	Eval: func(n float64, p []float64) float64 {
		return p[0] * n / (1 + (n-1)*(p[1]+p[2]*n))
	},
	Starts: func(*Data) [][]float64 {
		return grid([]float64{1}, []float64{0, 1e-3, 1e-2, 1e-1}, []float64{1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2})
	},
	Peak: func(p []float64) (float64, bool) {
		return math.Sqrt((1 - p[1]) / p[2]), p[2] > 0 && p[1] < 1
	},
	Unbounded: []int{1, 2},
	Says: func(f *Fit) string {
		n, ok := f.Law.Peak(f.P)
		if !ok {
			return Amdahl.Says(f)
		}
		return fmt.Sprintf("%s, and each client must be kept in step with every other, at %s of a client's work a pair: throughput turns at %s clients", serial(f.P[1]), percent(f.P[2]), count(n))
	},
}
