package stat

import (
	"math"
	"slices"
)

// Holm adjusts p values for their number: those at or under alpha may be called significant together, with a chance of at most
// alpha that one of them is a false alarm.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return a - b
	})
	adjusted := make([]float64, len(p))
	sofar := 0.0
	for k, i := range order {
		sofar = math.Max(sofar, math.Min(1, p[i]*float64(len(p)-k)))
		adjusted[i] = sofar
	}
	return adjusted
}
