package model

import "fmt"

// Gustafson is the law of scaled work: whoever adds clients adds work with them, so that a share alpha that does not scale is only ever
// an offset. A load sweep is no such experiment; the law is here as a reference line.
var Gustafson = Law{
	Name: "gustafson", Title: "Gustafson", Formula: "X(N) = γ (α + (1 − α) N)",
	Source:  "J. Gustafson, Reevaluating Amdahl's law, CACM 31(5), 1988",
	Meaning: "work that grows with the clients: a reference line, seldom a description of a load sweep",
	Parameters: []Parameter{gamma(), {
		Name: "alpha", Doc: "the share of a lone client's throughput that does not grow with the clients", Upper: 1, Typical: 1e-3,
		AtLower: "alpha is 0: the line goes through 0", AtUpper: "alpha is 1: throughput does not grow",
	}},
	Eval:   func(n float64, p []float64) float64 { return p[0] * (p[1] + (1-p[1])*n) },
	Starts: func(*Data) [][]float64 { return grid([]float64{1}, []float64{0, 0.1, 0.5, 0.9, 0.99}) },
	Says: func(f *Fit) string {
		if lo, hi := f.At(f.Data.N[0]), f.At(f.Data.largest()); hi < lo*(1+flat) {
			return fmt.Sprintf("throughput is %s whatever the number of clients", f.rate((lo+hi)/2))
		}
		return fmt.Sprintf("a straight line: every client adds %s", f.rate(f.P[0]*(1-f.P[1])))
	},
}
