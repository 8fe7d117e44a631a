package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgknee/analysis/bench"
)

// BenchmarkAll compares 3 series of 16 counts (the reference mail) and 6 series of 40 counts with 10 repeats.
func BenchmarkAll(b *testing.B) {
	mail := []*bench.Curve{series("v12.3", seedN, seedV12), series("v13Beta1", seedN, seedV13), series("off", seedN, seedOff)}
	random := rand.New(rand.NewPCG(1, 1))
	var n []int
	for i := range 40 {
		n = append(n, int(math.Round(math.Pow(2, float64(i)/4)))+i)
	}
	var large []*bench.Curve
	for k := range 6 {
		var rows [][]float64
		for range 10 {
			var row []float64
			for _, c := range n {
				row = append(row, truth(float64(c))*(1-.1*float64(k%2))*math.Exp(.03*random.NormFloat64()))
			}
			rows = append(rows, row)
		}
		large = append(large, series(fmt.Sprint("series ", k), n, rows...))
	}
	for name, curves := range map[string][]*bench.Curve{"mail": mail, "6x40x10": large} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				All(curves, 0)
			}
		})
	}
}
