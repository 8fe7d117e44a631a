package stat

import "math"

// Mean of the values; NaN for none.
func Mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// Variance of the values about their mean, with n-1 degrees of freedom; 0 for fewer than two.
func Variance(values []float64) float64 {
	if len(values) < 2 {
		return 0
	}
	m, sum := Mean(values), 0.0
	for _, v := range values {
		sum += (v - m) * (v - m)
	}
	return sum / float64(len(values)-1)
}

// Moderated is the variance of one of several small groups, drawn towards the pooled variance of all of them as if that were
// known from prior further observations.
func Moderated(variance, nu, pooled, prior float64) float64 {
	return (prior*pooled + nu*variance) / (prior + nu)
}

// Welch is the standard error of the difference of two means with variances va, vb of single observations (known with nua, nub
// degrees of freedom) and its degrees of freedom after Welch and Satterthwaite.
func Welch(va float64, na int, nua, vb float64, nb int, nub float64) (se, nu float64) {
	a, b := va/float64(na), vb/float64(nb)
	if a+b == 0 {
		return 0, nua + nub
	}
	return math.Sqrt(a + b), (a + b) * (a + b) / (a*a/nua + b*b/nub)
}

// MeanInterval is the t interval of the mean at the given level, from the scatter of the values themselves. It needs two values.
func MeanInterval(values []float64, level float64) (lo, hi float64) {
	n := float64(len(values))
	half := StudentQuantile((1-level)/2, n-1) * math.Sqrt(Variance(values)/n)
	m := Mean(values)
	return m - half, m + half
}
