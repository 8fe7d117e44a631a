package model

import "fmt"

// Linear is throughput without any limit: every client adds the same.
var Linear = Law{
	Name: "linear", Title: "Linear", Formula: "X(N) = γ N",
	Source:     "by definition; the limit of every other law for few clients",
	Meaning:    "clients do not hinder each other",
	Parameters: []Parameter{gamma()},
	Eval:       func(n float64, p []float64) float64 { return p[0] * n },
	Starts:     func(*Data) [][]float64 { return [][]float64{{1}} },
	Says:       func(f *Fit) string { return fmt.Sprintf("every client adds %s", f.rate(f.P[0])) },
}
