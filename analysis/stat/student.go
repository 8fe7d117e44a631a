package stat

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// StudentTail is the probability that Student's t with nu degrees of freedom is over t >= 0 (one side). A nu of +Inf is the
// normal distribution.
func StudentTail(t, nu float64) float64 {
	switch {
	case math.IsNaN(t) || nu <= 0:
		return math.NaN()
	case t < 0:
		return 1 - StudentTail(-t, nu)
	case math.IsInf(t, 1):
		return 0
	case nu > 1e6:
		return math.Erfc(t/math.Sqrt2) / 2
	}
	return mathext.RegIncBeta(nu/2, 0.5, nu/(nu+t*t)) / 2
}

// StudentQuantile is the t that Student's t with nu degrees of freedom passes with probability tail (0 < tail <= 1/2, one side).
func StudentQuantile(tail, nu float64) float64 {
	switch {
	case !(tail > 0 && tail <= 0.5) || !(nu > 0):
		return math.NaN()
	case nu > 1e6:
		return math.Sqrt2 * math.Erfinv(1-2*tail)
	}
	x := mathext.InvRegIncBeta(nu/2, 0.5, 2*tail)
	if x <= 0 {
		return math.Inf(1)
	}
	return math.Sqrt(nu * (1 - x) / x)
}
