package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// reference pairs of models.md 11.7: the control pair of the reference mail and the collapse.
var (
	counts   = []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 768, 1024, 1280, 1536, 1792, 2048}
	control  = []float64{.021, .022, .155, -.040, .028, .088, .009, .009, .011, -.034, .016, .012, .007, .004, .005, -.002}
	collapse = []float64{-.004, -.001, .012, -.045, .016, -.023, -.027, -.413, -.940, -.992, -.833, -.779, -.767, -.733, -.723, -.723}
)

func log2(n []float64) []float64 {
	x := make([]float64, len(n))
	for i := range n {
		x[i] = math.Log2(n[i])
	}
	return x
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %v, want %v ± %v", what, got, want, tol)
	}
}

func TestStudent(t *testing.T) {
	near(t, "t 15, .9984375", StudentQuantile(1-.9984375, 15), 3.515, .001)
	near(t, "t 8, .975", StudentQuantile(.025, 8), 2.306, .001)
	near(t, "normal, .975", StudentQuantile(.025, math.Inf(1)), 1.959964, 1e-6)
	near(t, "large nu meets the normal", StudentQuantile(.025, 9e5), 1.95997, 1e-4)
	for _, nu := range []float64{1, 3, 15, 200, math.Inf(1)} {
		for _, tail := range []float64{.5, .1, .025, 1e-4, 1e-9} {
			near(t, "tail of quantile", StudentTail(StudentQuantile(tail, nu), nu)/tail, 1, 1e-5)
		}
	}
	if !math.IsNaN(StudentQuantile(.7, 5)) || !math.IsNaN(StudentQuantile(.1, 0)) {
		t.Error("what has no quantile must be NaN")
	}
}

func TestHolm(t *testing.T) {
	got := Holm([]float64{.01, .04, .03, .005})
	for i, want := range []float64{.03, .06, .06, .02} {
		near(t, "adjusted", got[i], want, 1e-12)
	}
}

// TestShapesOfTheReference reproduces the step and ramp figures of models.md 11.7.
func TestShapesOfTheReference(t *testing.T) {
	s := Shapes(log2(counts), control)
	near(t, "control, constant", s[0].AICc, -95.0, .2)
	near(t, "control, step", s[1].AICc, -93.0, .3)
	near(t, "control, ramp", s[2].AICc, -88.7, 1.5)
	near(t, "control, p of a step", StepP(control, 20000, 1), .31, .03)
	s = Shapes(log2(counts), collapse)
	near(t, "collapse, constant", s[0].AICc, -24.9, .2)
	near(t, "collapse, step", s[1].AICc, -57.1, .3)
	near(t, "collapse, ramp", s[2].AICc, -69.4, 1)
	if s[1].Split != 7 {
		t.Errorf("step before index %d, want 7 (128)", s[1].Split)
	}
	near(t, "begin of the ramp", math.Exp2(s[2].T1), 62, 6)
	near(t, "end of the ramp", math.Exp2(s[2].T2), 256, 12)
	near(t, "collapse, p of a step", StepP(collapse, 20000, 1), 2e-4, 3e-4)
}

func TestWelch(t *testing.T) {
	se, nu := Welch(4, 4, 3, 9, 3, 2)
	near(t, "se", se, 2, 1e-12)
	near(t, "nu", nu, 16/(1./3+9./2), 1e-9)
}

// TestMedianVariance holds the factors to a simulation.
func TestMedianVariance(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{1, 2, 3, 4, 5, 6, 9, 10, 11, 14, 25, 40} {
		sum := 0.0
		const samples = 20000
		v := make([]float64, n)
		for range samples {
			for i := range v {
				v[i] = random.NormFloat64()
			}
			m := Median(v)
			sum += m * m
		}
		near(t, "factor", MedianVariance(n)/(sum/samples*float64(n)), 1, .04)
	}
}
