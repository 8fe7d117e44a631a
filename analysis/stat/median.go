package stat

import (
	"math"
	"slices"
)

// Median of the values, which are left as they are; NaN for none.
func Median(values []float64) float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return MedianSorted(sorted)
}

// MedianSorted is the median of values that are sorted; NaN for none.
func MedianSorted(sorted []float64) float64 {
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	if n%2 == 1 {
		return sorted[n/2]
	}
	return (sorted[n/2-1] + sorted[n/2]) / 2
}

// medianVariance is the variance of the median of n normal values over that of their mean, for n up to 10.
var medianVariance = [...]float64{1, 1, 1, 1.346, 1.193, 1.435, 1.289, 1.473, 1.346, 1.495, 1.383}

// MedianVariance is how many times the variance of the median of n normal values is that of their mean: 1 for up to two, towards π/2.
func MedianVariance(n int) float64 {
	switch {
	case n < len(medianVariance):
		return medianVariance[max(n, 0)]
	case n%2 == 1:
		return math.Pi/2 - 0.7/float64(n)
	}
	return math.Pi/2 - 1.9/float64(n)
}
