package stat

import "math"

// LeastSquares minimises a sum of squares over parameters within bounds, by Levenberg–Marquardt with Marquardt's scaling, a numeric
// Jacobian, and projection onto the bounds. It keeps its workspace, so that the thousands of small fits behind an interval allocate
// nothing; it is not safe for use by two goroutines at once.
//
// The normal equations are solved by Cholesky: with at most a dozen parameters that is the fastest way, and the loss of digits
// against QR only slows the last steps, since the gradient is exact (leastsquares_test.go holds it to the certified digits of NIST's sets).
type LeastSquares struct {
	// Residuals fills r for the parameters p. A residual that is not finite rejects p.
	Residuals func(r, p []float64)
	Lower     []float64 // by parameter; ±Inf for none
	Upper     []float64
	Typical   []float64 // the size of a parameter where it is 0, for the step of the derivative
	Fixed     []bool    // parameters that stay where they are; nil for none

	m, k                     int
	r, try, high             []float64 // residuals: at the best, at a trial, for derivatives
	jac                      []float64 // by parameter, m each
	normal, factor           []float64 // k × k
	gradient, step, p, other []float64
	free                     []int
}

// NewLeastSquares makes room for m residuals and k parameters without bounds.
func NewLeastSquares(m, k int, residuals func(r, p []float64)) *LeastSquares {
	floats := func(n int) []float64 { return make([]float64, n) }
	s := &LeastSquares{
		Residuals: residuals, Lower: floats(k), Upper: floats(k), Typical: floats(k), m: m, k: k,
		r: floats(m), try: floats(m), high: floats(m), jac: floats(m * k), normal: floats(k * k), factor: floats(k * k),
		gradient: floats(k), step: floats(k), p: floats(k), other: floats(k), free: make([]int, 0, k),
	}
	for i := range k {
		s.Lower[i], s.Upper[i], s.Typical[i] = math.Inf(-1), math.Inf(1), 1
	}
	return s
}

// RSS is the sum of squares at p, +Inf where a residual is not finite.
func (s *LeastSquares) RSS(p []float64) float64 {
	s.Residuals(s.try, p)
	return sumOfSquares(s.try)
}

func sumOfSquares(r []float64) float64 {
	sum := 0.0
	for _, v := range r {
		sum += v * v
	}
	if math.IsNaN(sum) {
		return math.Inf(1)
	}
	return sum
}

// Exact is the relative gain of a step below which a minimum is as good as double precision gives it.
const Exact = 1e-14

// Minimize improves p in place, in at most so many steps or until two steps in a row gain less than the relative gain, and returns the
// sum of squares reached.
func (s *LeastSquares) Minimize(p []float64, steps int, gain float64) float64 {
	s.Clamp(p)
	s.Residuals(s.r, p)
	rss := sumOfSquares(s.r)
	if math.IsInf(rss, 1) {
		return rss
	}
	damping, idle := 1e-3, 0
	for range steps {
		s.jacobian(p, false)
		s.freeParameters(p)
		if len(s.free) == 0 {
			return rss
		}
		improved := false
		for damping < 1e12 {
			if !s.solve(damping) {
				damping *= 10
				continue
			}
			copy(s.other, p)
			for a, i := range s.free {
				s.other[i] = s.clamp(i, p[i]+s.step[a])
			}
			s.Residuals(s.try, s.other)
			if next := sumOfSquares(s.try); next < rss {
				if rss-next <= gain*rss {
					idle++
				} else {
					idle = 0
				}
				rss, improved = next, true
				copy(p, s.other)
				s.r, s.try = s.try, s.r
				damping = math.Max(damping/8, 1e-15)
				break
			}
			damping *= 8
		}
		if !improved || idle == 2 {
			return rss
		}
	}
	return rss
}

// Clamp moves p in place into the bounds.
func (s *LeastSquares) Clamp(p []float64) {
	for i := range p {
		p[i] = s.clamp(i, p[i])
	}
}

func (s *LeastSquares) clamp(i int, v float64) float64 {
	return math.Min(math.Max(v, s.Lower[i]), s.Upper[i])
}

// jacobian fills the derivatives at p, whose residuals are in s.r: one-sided while searching, central for covariances.
func (s *LeastSquares) jacobian(p []float64, central bool) {
	copy(s.p, p)
	relative := 1e-7
	if central {
		relative = 1e-5
	}
	for j := range s.k {
		col := s.jac[j*s.m : (j+1)*s.m]
		h := relative * math.Max(math.Abs(p[j]), s.Typical[j])
		if p[j]+h > s.Upper[j] {
			h = -h
		}
		s.p[j] = p[j] + h
		h = s.p[j] - p[j] // what was really added
		s.Residuals(s.high, s.p)
		if central && p[j]-h >= s.Lower[j] && p[j]-h <= s.Upper[j] {
			copy(col, s.high)
			s.p[j] = p[j] - h
			s.Residuals(s.high, s.p)
			for i := range col {
				col[i] = (col[i] - s.high[i]) / (2 * h)
			}
		} else {
			for i := range col {
				col[i] = (s.high[i] - s.r[i]) / h
			}
		}
		s.p[j] = p[j]
		for i := range col {
			if math.IsNaN(col[i]) || math.IsInf(col[i], 0) {
				col[i] = 0
			}
		}
	}
	for a := range s.k {
		for b := range a + 1 {
			sum := 0.0
			x, y := s.jac[a*s.m:(a+1)*s.m], s.jac[b*s.m:(b+1)*s.m]
			for i, v := range x {
				sum += v * y[i]
			}
			s.normal[a*s.k+b], s.normal[b*s.k+a] = sum, sum
		}
		sum := 0.0
		for i, v := range s.jac[a*s.m : (a+1)*s.m] {
			sum += v * s.r[i]
		}
		s.gradient[a] = sum
	}
}

// freeParameters lists those that are neither fixed nor pushed against their bound.
func (s *LeastSquares) freeParameters(p []float64) {
	s.free = s.free[:0]
	for i := range s.k {
		if s.Fixed != nil && s.Fixed[i] || p[i] <= s.Lower[i] && s.gradient[i] > 0 || p[i] >= s.Upper[i] && s.gradient[i] < 0 {
			continue
		}
		s.free = append(s.free, i)
	}
}

// solve computes the damped step of the free parameters; false if the equations are singular.
func (s *LeastSquares) solve(damping float64) bool {
	n := len(s.free)
	largest := 0.0
	for _, i := range s.free {
		largest = math.Max(largest, s.normal[i*s.k+i])
	}
	for a, i := range s.free {
		for b, j := range s.free {
			s.factor[a*n+b] = s.normal[i*s.k+j]
		}
		s.factor[a*n+a] += damping*s.factor[a*n+a] + 1e-30*largest
		s.step[a] = -s.gradient[i]
	}
	if !cholesky(s.factor, n) {
		return false
	}
	solveCholesky(s.factor, n, s.step)
	return true
}

// Covariance is the inverse of JᵀJ at p, of the parameters that are not fixed (a k × k matrix by rows, 0 for fixed ones); nil if it is
// singular. Times the residual variance it is the covariance of the parameters to first order. A parameter that has no effect at p gets a
// variance beyond all use instead of making the matrix singular.
func (s *LeastSquares) Covariance(p []float64) []float64 {
	s.Residuals(s.r, p)
	s.jacobian(p, true)
	s.free = s.free[:0]
	for i := range s.k {
		if s.Fixed == nil || !s.Fixed[i] {
			s.free = append(s.free, i)
		}
	}
	n := len(s.free)
	for a, i := range s.free {
		for b, j := range s.free {
			s.factor[a*n+b] = s.normal[i*s.k+j]
		}
		s.factor[a*n+a] += 1e-16 / (s.Typical[i] * s.Typical[i])
	}
	if !cholesky(s.factor, n) {
		return nil
	}
	out := make([]float64, s.k*s.k)
	for a, i := range s.free {
		clear(s.step)
		s.step[a] = 1
		solveCholesky(s.factor, n, s.step[:n])
		for b, j := range s.free {
			out[j*s.k+i] = s.step[b]
		}
	}
	return out
}

// cholesky factors the n × n matrix in place into its lower triangle; false if it is not positive definite.
func cholesky(a []float64, n int) bool {
	for j := range n {
		sum := a[j*n+j]
		for k := range j {
			sum -= a[j*n+k] * a[j*n+k]
		}
		if !(sum > 0) {
			return false
		}
		d := math.Sqrt(sum)
		a[j*n+j] = d
		for i := j + 1; i < n; i++ {
			sum := a[i*n+j]
			for k := range j {
				sum -= a[i*n+k] * a[j*n+k]
			}
			a[i*n+j] = sum / d
		}
	}
	return true
}

// solveCholesky solves with the factor that cholesky left; b becomes the solution.
func solveCholesky(l []float64, n int, b []float64) {
	for i := range n {
		sum := b[i]
		for k := range i {
			sum -= l[i*n+k] * b[k]
		}
		b[i] = sum / l[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		sum := b[i]
		for k := i + 1; k < n; k++ {
			sum -= l[k*n+i] * b[k]
		}
		b[i] = sum / l[i*n+i]
	}
}
