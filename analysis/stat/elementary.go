package stat

import "math"

// Exponentials and logarithms that give the same bits on every processor. Those of the standard library are written in assembly on
// some, and differ in the last digit; a search for the best fit can carry that into the third, and then the page and the command
// line would not agree. Products and sums are converted explicitly, which forbids fusing them.

const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// Exp is e to the power of x, within two units of the last place.
func Exp(x float64) float64 {
	if !(math.Abs(x) < 700) { // next to overflow and underflow, and for infinities and NaN
		return math.Exp(x)
	}
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	r := float64(x-float64(k*ln2High)) - float64(k*ln2Low)
	// The power series: at |r| < 0.35 the fourteenth term is below half a unit of the last place. Even and odd powers are summed apart,
	// which a processor does at the same time.
	z := float64(r * r)
	odd := 1.0 / 6227020800
	even := 1.0 / 479001600
	odd = 1.0/39916800 + float64(z*odd)
	even = 1.0/3628800 + float64(z*even)
	odd = 1.0/362880 + float64(z*odd)
	even = 1.0/40320 + float64(z*even)
	odd = 1.0/5040 + float64(z*odd)
	even = 1.0/720 + float64(z*even)
	odd = 1.0/120 + float64(z*odd)
	even = 1.0/24 + float64(z*even)
	odd = 1.0/6 + float64(z*odd)
	even = 1.0/2 + float64(z*even)
	sum := 1 + (r + (float64(float64(r*z)*odd) + float64(z*even)))
	return sum * math.Float64frombits(uint64(1023+int(k/2))<<52) * math.Float64frombits(uint64(1023+int(k)-int(k/2))<<52)
}

// Log is the natural logarithm of x, within two units of the last place.
func Log(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return math.Log(x)
	}
	fraction, exponent := math.Frexp(x)
	if fraction < math.Sqrt2/2 {
		fraction *= 2
		exponent--
	}
	// log((1+s)/(1-s)) = 2 (s + s³/3 + s⁵/5 + …), at |s| < 0.172.
	s := (fraction - 1) / (fraction + 1)
	z := float64(s * s)
	w := float64(z * z)
	odd := 1.0/19 + float64(w*(1.0/23))
	even := 1.0/17 + float64(w*(1.0/21))
	odd = 1.0/15 + float64(w*odd)
	even = 1.0/13 + float64(w*even)
	odd = 1.0/11 + float64(w*odd)
	even = 1.0/9 + float64(w*even)
	odd = 1.0/7 + float64(w*odd)
	even = 1.0/5 + float64(w*even)
	odd = 1.0/3 + float64(w*odd)
	sum := odd + float64(z*even)
	tail := float64(float64(2*s) * float64(sum*z))
	k := float64(exponent)
	return float64(k*ln2High) + float64(float64(2*s)+float64(tail+float64(k*ln2Low)))
}

// Log2 is the binary logarithm of x; exact for powers of two.
func Log2(x float64) float64 {
	fraction, exponent := math.Frexp(x)
	if fraction == 0.5 {
		return float64(exponent - 1)
	}
	return Log(x) / math.Ln2
}

// Pow is x to the power of y, for x > 0 as laws have it; the standard library's for everything else.
func Pow(x, y float64) float64 {
	if !(x > 0) || y == math.Trunc(y) && math.Abs(y) < 16 || math.IsInf(x, 0) || math.IsInf(y, 0) {
		return math.Pow(x, y) // whole powers are products there, the same everywhere
	}
	return Exp(y * Log(x))
}

// Log10 is the decimal logarithm of x.
func Log10(x float64) float64 { return Log(x) / math.Ln10 }

// Hypot is the length of the hypotenuse over x and y, for lengths whose squares don't overflow.
func Hypot(x, y float64) float64 { return math.Sqrt(float64(x*x) + float64(y*y)) }
