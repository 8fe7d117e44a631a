package model

import (
	"fmt"
	"math"
	"strconv"

	"pgknee/analysis/stat"
)

// grid is every combination of one value per axis.
func grid(axes ...[]float64) [][]float64 {
	out := [][]float64{nil}
	for _, axis := range axes {
		var next [][]float64
		for _, p := range out {
			for _, v := range axis {
				next = append(next, append(p[:len(p):len(p)], v))
			}
		}
		out = next
	}
	return out
}

// figures prints a number with three digits that mean something, and thin spaces between thousands.
func figures(v float64) string {
	switch a := math.Abs(v); {
	case a >= 1e15 || a > 0 && a < 1e-4:
		return strconv.FormatFloat(v, 'e', 1, 64)
	case a >= 999.5:
		unit := stat.Pow(10, math.Floor(stat.Log10(a))-2)
		s := strconv.FormatFloat(math.Round(v/unit)*unit, 'f', 0, 64)
		for i := len(s) - 3; i > 0 && a >= 1e4; i -= 3 {
			s = s[:i] + "\u202f" + s[i:]
		}
		return s
	default:
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
}

// rate prints a throughput of the curve in its unit.
func (f *Fit) rate(v float64) string {
	unit := f.Data.Unit
	if unit == "" {
		unit = "TPS"
	}
	return figures(v) + " " + unit
}

// serial says what share of the work is serial.
func serial(alpha float64) string {
	if alpha == 0 {
		return "no share of the work is serial"
	}
	return percent(alpha) + " of the work is serial"
}

func percent(share float64) string { return figures(100*share) + " %" }

func count(n float64) string {
	if n < 10 {
		return figures(n)
	}
	return fmt.Sprintf("%.0f", n)
}

// duration prints seconds in the unit that suits them.
func duration(s float64) string {
	for _, u := range []struct {
		unit string
		size float64
	}{{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}} {
		if s >= u.size {
			return figures(s/u.size) + " " + u.unit
		}
	}
	return figures(s*1e9) + " ns"
}
