package model

import (
	"fmt"

	"pgknee/analysis/stat"
)

// AISSL lets the coherency cost grow with a power of the clients: exponent 1 is nearly the USL, 0 is Amdahl's law. The published form
// has the product α k as its factor; the product is fitted on its own (beta), since α may be 0.
var AISSL = Law{
	Name: "aissl", Title: "Asymptotically improved super-serial law", Formula: "X(N) = γ N / (1 + α (N − 1) + β N^B (N − 1)), B the exponent",
	Source:  "https://github.com/VividCortex/ebooks",
	Meaning: "contention, and a coherency cost that grows with a power of the clients between none (0) and that of the USL (1)",
	Parameters: []Parameter{gamma(), alpha(), beta(), {
		Name: "exponent", Doc: "power of the clients with which coherency grows", Upper: 1, Typical: 0.1,
		AtLower: "the exponent is 0: coherency does not grow with the clients",
		AtUpper: "the exponent is 1: coherency grows as in the USL",
	}},
	Eval: func(n float64, p []float64) float64 {
		return p[0] * n / (1 + (n-1)*(p[1]+p[2]*stat.Exp(p[3]*stat.Log(n))))
	},
	Starts: func(*Data) [][]float64 {
		return grid([]float64{1}, []float64{0, 1e-3, 1e-2, 1e-1}, []float64{1e-6, 1e-5, 1e-4, 1e-3, 1e-2}, []float64{0.3, 0.7, 1})
	},
	Says: func(f *Fit) string {
		if f.P[2] == 0 {
			return Amdahl.Says(f)
		}
		return fmt.Sprintf("%s; coherency grows with the power %s of the clients", serial(f.P[1]), figures(f.P[3]))
	},
}
