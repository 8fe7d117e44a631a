package model

import "fmt"

// PlateauUSL is the USL with a coherency cost that saturates: past K clients the waiting ones no longer all take part in the storm
// (only as many can spin as there are processors, the others sleep), so that each further client costs a constant delta and throughput
// levels off at gamma / (alpha + delta) instead of falling to 0. The collapse has the abruptness h = 3. Wake is the loss of
// the first clients to wake-ups and idle states, which makes small counts superlinear.
//
// Residence time R(N) = (1 + α(N−1) + δ(N−1)S(N) + w/N)/γ: a plateau is R growing with the slope (α+δ)/γ, a collapse is that slope rising
// between knee and tail. With δ = w = 0 it is Amdahl's law; with h = 1, K → ∞ and δ/K = β the USL. This project's law.
var PlateauUSL = plateau("plateau-usl", "Plateau USL", cube, true, "h = 3, with wake-up")

func plateau(name, title string, abrupt func(ratio float64, p []float64) float64, wakes bool, variant string) Law {
	l := Law{
		Name: name, Title: title,
		Formula:    "X(N) = γ N / (1 + α (N−1) + δ (N−1) S(N) + w/N), S(N) = N^h / (N^h + K^h); " + variant,
		Source:     "this project: the USL with a coherency cost that saturates",
		Meaning:    "past K clients the serial cost of each waiting one rises from α to α + δ and stays there: a collapse that ends in a plateau at γ/(α+δ)",
		Parameters: []Parameter{gamma(), alpha(), delta(), halfway("K")},
		Limit:      func(p []float64) (float64, bool) { return p[0] / (p[1] + p[2]), true },
		Saturation: func(p []float64) float64 { return p[3] },
		Says: func(f *Fit) string {
			return fmt.Sprintf("around %s clients the serial share per waiting client rises from %s to %s; throughput levels off near %s",
				count(f.P[3]), percent(f.P[1]), percent(f.P[1]+f.P[2]), rate(f.P[0]/(f.P[1]+f.P[2])))
		},
	}
	wakeAt := -1
	if wakes {
		wakeAt = len(l.Parameters)
		l.Parameters = append(l.Parameters, wake())
	}
	l.Eval = func(n float64, p []float64) float64 {
		w := 0.0
		if wakeAt >= 0 {
			w = p[wakeAt] / n
		}
		return p[0] * n / (1 + (n-1)*(p[1]+p[2]/(1+abrupt(p[3]/n, p))) + w)
	}
	l.Starts = func(d *Data) [][]float64 {
		peak, top := d.peak()
		g := d.gamma()
		rise := g / top // about alpha + delta where the curve is flat
		ks := []float64{peak, 2 * peak, 4 * peak}
		if d.Cores > 0 {
			ks = append(ks, float64(d.Cores))
		}
		axes := [][]float64{{1}, {1e-4, rise / 2, rise}, {rise / 2, 2 * rise, 8 * rise}, ks}
		for _, q := range l.Parameters[4:] {
			if q.Name == "wake" {
				axes = append(axes, []float64{0.01, 0.3, 1})
			} else {
				axes = append(axes, []float64{1.5, 3, 6})
			}
		}
		return grid(axes...)
	}
	return l
}

// cube is (K/N)^3.
func cube(ratio float64, _ []float64) float64 { return ratio * ratio * ratio }
