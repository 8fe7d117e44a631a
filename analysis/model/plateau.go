package model

import (
	"fmt"

	"pgknee/analysis/stat"
)

// PlateauUSL is the USL with a coherency cost that saturates: past K clients the waiting ones no longer all take part in the storm
// (only as many can spin as there are processors, the others sleep), so that each further client costs a constant delta and throughput
// levels off at gamma / (alpha + delta) instead of falling to 0. The collapse has the abruptness h = 3. Wake is the loss of
// the first clients to wake-ups and idle states, which makes small counts superlinear.
//
// Residence time R(N) = (1 + α(N−1) + δ(N−1)S(N) + w/N)/γ: a plateau is R growing with the slope (α+δ)/γ, a collapse is that slope rising
// between knee and tail. With δ = w = 0 it is Amdahl's law; with h = 1, K → ∞ and δ/K = β the USL. This project's law.
//
// That h is held at 3 was chosen after seeing 2.9, 3.1 and 2.8 on three curves; PlateauUSLFree fits it.
var (
	PlateauUSL       = plateau("plateau-usl", "Plateau USL", 3, true)
	PlateauUSLNoWake = plateau("plateau-usl-nowake", "Plateau USL without wake-up", 3, false)
	PlateauUSLH1     = plateau("plateau-usl-h1", "Plateau USL, gentle, without wake-up", 1, false)
	PlateauUSLH1Wake = plateau("plateau-usl-h1-wake", "Plateau USL, gentle", 1, true)
	PlateauUSLFree   = plateau("plateau-usl-free", "Plateau USL, any abruptness", 0, true)
)

// plateau makes a variant; h is 3 or 1, or 0 to fit it.
func plateau(name, title string, h int, wakes bool) Law {
	// saturation is S(N). No power overflows: at worst the ratio is Inf and S is 0.
	saturation := func(n float64, p []float64) float64 {
		ratio := p[3] / n
		switch h {
		case 0:
			ratio = stat.Exp(p[5] * stat.Log(ratio))
		case 3:
			ratio *= ratio * ratio
		}
		return 1 / (1 + ratio)
	}
	l := Law{
		Name: name, Title: title,
		Formula:    "X(N) = γ N / (1 + α (N−1) + δ (N−1) S(N) + w/N), S(N) = N^h / (N^h + K^h)",
		Source:     "this project: the USL with a coherency cost that saturates",
		Meaning:    "around K clients the serial share per waiting client rises from α to α + δ and stays there: a collapse that ends in a plateau at γ/(α+δ)",
		Parameters: []Parameter{gamma(), alpha(), delta(), halfway("K")},
		Limit:      func(p []float64) (float64, bool) { return p[0] / (p[1] + p[2]), true },
		Saturation: func(p []float64) float64 { return p[3] },
		Says: func(f *Fit) string {
			if top := f.Data.largest(); f.P[3] > top {
				return fmt.Sprintf("the serial share per waiting client rises from %s to %s at %s clients, and no plateau shows",
					percent(f.P[1]), percent(f.P[1]+f.P[2]*saturation(top, f.P)), count(top))
			}
			return fmt.Sprintf("around %s clients the serial share per waiting client rises from %s to %s; throughput levels off near %s",
				count(f.P[3]), percent(f.P[1]), percent(f.P[1]+f.P[2]), f.rate(f.P[0]/(f.P[1]+f.P[2])))
		},
	}
	if h > 0 {
		l.Formula += fmt.Sprintf(", h = %d", h)
	}
	if wakes {
		l.Parameters = append(l.Parameters, wake())
	} else {
		l.Formula += ", w = 0"
	}
	if h == 0 {
		l.Parameters = append(l.Parameters, positive("h", "", "abruptness of the collapse", Plain, 0.2, 30))
	}
	l.Eval = func(n float64, p []float64) float64 {
		cost := 1 + (n-1)*(p[1]+p[2]*saturation(n, p))
		if wakes {
			cost += p[4] / n
		}
		return p[0] * n / cost
	}
	l.Starts = func(d *Data) [][]float64 {
		peak, top := d.peak()
		rise := d.gamma() / top // about α + δ where the curve is flat
		ks := []float64{peak, 2 * peak, 4 * peak}
		if d.Cores > 0 {
			ks = append(ks, float64(d.Cores))
		}
		axes := [][]float64{{1}, {1e-4, rise / 2, rise}, {rise / 2, 2 * rise, 8 * rise}, ks}
		if wakes {
			axes = append(axes, []float64{0.02, 0.5})
		}
		if h == 0 {
			axes = append(axes, []float64{1.5, 3, 6})
		}
		return grid(axes...)
	}
	return l
}
