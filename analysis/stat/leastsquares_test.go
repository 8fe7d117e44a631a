package stat

import (
	"math"
	"testing"
)

// TestNIST holds the kernel to the certified values of nonlinear sets of NIST's Statistical Reference Datasets, from
// their starts; BoxBOD and MGH10 from the nearer one only, since from the farther one a single descent has no way: laws start many times.
func TestNIST(t *testing.T) {
	linspace := func(from, step float64, n int) (out []float64) {
		for i := range n {
			out = append(out, from+step*float64(i))
		}
		return out
	}
	for _, c := range []struct {
		name   string
		f      func(x float64, b []float64) float64
		x, y   []float64
		starts [][]float64
		want   []float64
		rss    float64
	}{
		{
			"Misra1a", func(x float64, b []float64) float64 { return b[0] * (1 - math.Exp(-b[1]*x)) },
			[]float64{77.6, 114.9, 141.1, 190.8, 239.9, 289, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760},
			[]float64{10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.4, 75.47, 81.78},
			[][]float64{{500, 0.0001}, {250, 0.0005}},
			[]float64{2.3894212918e2, 5.5015643181e-4},
			1.2455138894e-1,
		},
		{
			"MGH09", func(x float64, b []float64) float64 { return b[0] * (x*x + x*b[1]) / (x*x + x*b[2] + b[3]) },
			[]float64{4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625},
			[]float64{0.1957, 0.1947, 0.1735, 0.16, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246},
			[][]float64{{0.25, 0.39, 0.415, 0.39}},
			[]float64{1.9280693458e-1, 1.9128232873e-1, 1.2305650693e-1, 1.3606233068e-1},
			3.0750560385e-4,
		},
		{
			"Rat42", func(x float64, b []float64) float64 { return b[0] / (1 + math.Exp(b[1]-b[2]*x)) },
			[]float64{9, 14, 21, 28, 42, 57, 63, 70, 79},
			[]float64{8.93, 10.8, 18.59, 22.33, 39.35, 56.11, 61.73, 64.62, 67.08},
			[][]float64{{100, 1, 0.1}, {75, 2.5, 0.07}},
			[]float64{7.2462237576e1, 2.6180768402, 6.7359200066e-2},
			8.0565229338,
		},
		{
			"BoxBOD", func(x float64, b []float64) float64 { return b[0] * (1 - math.Exp(-b[1]*x)) },
			[]float64{1, 2, 3, 5, 7, 10},
			[]float64{109, 149, 149, 191, 213, 224},
			[][]float64{{100, 0.75}},
			[]float64{2.1380940889e2, 5.4723748542e-1},
			1.1680088766e3,
		},
		{
			"MGH10", func(x float64, b []float64) float64 { return b[0] * math.Exp(b[1]/(x+b[2])) },
			linspace(50, 5, 16),
			[]float64{34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744, 8261, 7030, 6005, 5147, 4427, 3820, 3307, 2872},
			[][]float64{{0.02, 4000, 250}},
			[]float64{5.6096364710e-3, 6.1813463463e3, 3.4522363462e2},
			8.7945855171e1,
		},
	} {
		for _, start := range c.starts {
			s := NewLeastSquares(len(c.x), len(c.want), func(r, b []float64) {
				for i, x := range c.x {
					r[i] = c.y[i] - c.f(x, b)
				}
			})
			p := append([]float64(nil), start...)
			for i := range p {
				s.Typical[i] = math.Abs(p[i])
			}
			rss := s.Minimize(p, 5000, Exact)
			if math.Abs(rss/c.rss-1) > 1e-8 {
				t.Errorf("%s from %v: sum of squares %.10g, certified %.10g", c.name, start, rss, c.rss)
			}
			for i := range p {
				if math.Abs(p[i]/c.want[i]-1) > 1e-6 {
					t.Errorf("%s from %v: b%d = %.10g, certified %.10g", c.name, start, i+1, p[i], c.want[i])
				}
			}
		}
	}
}

func TestBounds(t *testing.T) {
	// The free optimum is (3, −1); with b ≥ 0 it is (2.5, 0) on this data.
	x := []float64{0, 1, 2}
	y := []float64{3, 2, 1}
	s := NewLeastSquares(3, 2, func(r, p []float64) {
		for i := range x {
			r[i] = y[i] - p[0] - p[1]*x[i]
		}
	})
	s.Lower[1] = 0
	p := []float64{0, 5}
	s.Minimize(p, 100, Exact)
	if math.Abs(p[0]-2) > 1e-6 || p[1] != 0 {
		t.Errorf("bounded fit is %v, want [2 0]", p)
	}
}

func TestTheilSen(t *testing.T) {
	// Slopes of pairs: 2, 2, 2, 96, 49, 33.33: one wild point does not move the median far.
	if got := TheilSen([]float64{0, 1, 2, 3}, []float64{0, 2, 4, 100}); math.Abs(got-(2+100.0/3)/2) > 1e-12 {
		t.Errorf("slope %v", got)
	}
}

func TestRunsTest(t *testing.T) {
	for _, c := range []struct {
		signs string
		p     float64
	}{
		{"++++----", 2.0 / 70},
		{"+-+-+-+-", 1},
		{"++++++", 1},
		{"+++--+--", 26.0 / 70}, // of 70 orders 2 have two runs, 6 three, 18 four
	} {
		var v []float64
		for _, s := range c.signs {
			if s == '+' {
				v = append(v, 1)
			} else {
				v = append(v, -1)
			}
		}
		p, _ := RunsTest(v)
		if math.Abs(p-c.p) > 1e-9 {
			t.Errorf("%s: p = %v, want %v", c.signs, p, c.p)
		}
	}
}
