package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestElementary(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	close := func(name string, x, got, want float64) {
		t.Helper()
		if math.IsNaN(got) && math.IsNaN(want) || got == want {
			return
		}
		if math.Abs(got-want) > 4e-16*math.Max(math.Abs(want), 1e-300) {
			t.Errorf("%s(%v) = %v, want %v", name, x, got, want)
		}
	}
	for range 20_000 {
		x := random.NormFloat64() * math.Exp(5*random.NormFloat64())
		close("Exp", x, Exp(x), math.Exp(x))
		y := math.Exp(20 * random.NormFloat64())
		close("Log", y, Log(y), math.Log(y))
	}
	for _, x := range []float64{0, -1, 1, math.Inf(1), math.Inf(-1), math.NaN(), 709, -745, math.MaxFloat64} {
		close("Exp", x, Exp(x), math.Exp(x))
		close("Log", x, Log(x), math.Log(x))
	}
	for _, p := range [][2]float64{{2, 0.5}, {512, 3}, {1.7, -2.25}, {0, 2}, {1e9, 1.5}} {
		if got, want := Pow(p[0], p[1]), math.Pow(p[0], p[1]); math.Abs(got-want) > 2e-14*want {
			t.Errorf("Pow(%v, %v) = %v, want %v", p[0], p[1], got, want)
		}
	}
	for n := range 40 {
		if Log2(math.Ldexp(1, n)) != float64(n) {
			t.Errorf("Log2 of 2^%d is %v", n, Log2(math.Ldexp(1, n)))
		}
	}
}

func BenchmarkExp(b *testing.B) {
	for b.Loop() {
		Exp(1.234)
	}
}

func BenchmarkLog(b *testing.B) {
	for b.Loop() {
		Log(1234.5)
	}
}
