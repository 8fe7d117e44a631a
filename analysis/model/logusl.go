package model

import (
	"fmt"
	"math"

	"pgknee/analysis/stat"
)

// LogUSL is the USL with a coherency cost that grows with the logarithm of the clients, as if they were kept in step along a tree.
var LogUSL = Law{
	Name: "log-usl", Title: "USL, logarithmic coherency", Formula: "X(N) = γ N / (1 + α (N − 1) + β ln(N) (N − 1))",
	Source:     "https://github.com/VividCortex/ebooks",
	Meaning:    "contention, and a coherency cost that grows slowly: throughput falls very slowly past the peak",
	Parameters: []Parameter{gamma(), alpha(), beta()},
	Eval: func(n float64, p []float64) float64 {
		return p[0] * n / (1 + (n-1)*(p[1]+p[2]*stat.Log(n)))
	},
	Starts: func(*Data) [][]float64 {
		return grid([]float64{1}, []float64{0, 1e-3, 1e-2, 1e-1}, []float64{1e-5, 1e-4, 1e-3, 1e-2, 1e-1})
	},
	Says: func(f *Fit) string {
		if f.P[2] == 0 {
			return Amdahl.Says(f)
		}
		return fmt.Sprintf("%s at first, and %s more of it with every doubling of the clients", serial(f.P[1]), percent(f.P[2]*math.Ln2))
	},
}
