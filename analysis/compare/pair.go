package compare

import (
	"math"

	"pgknee/analysis/bench"
	"pgknee/analysis/model"
	"pgknee/analysis/stat"
)

// theta is the log ratio that counts as a difference of interest: 5 %.
var theta = stat.Log(1.05)

// pair is a candidate against a baseline at the counts that both have.
type pair struct {
	a, b   *bench.Curve
	counts []int
	x      []float64   // log2 of the counts
	ya, yb [][]float64 // ln TPS of each run
	d      []float64   // ln of the ratio of the medians
	shapes []stat.Shape
	law    *model.Law
	joint  []*model.JointFit // of all runs of both curves, best first
}

func newPair(a, b *bench.Curve) *pair {
	p := &pair{a: a, b: b}
	for i, j := 0, 0; i < len(a.Points) && j < len(b.Points); {
		switch pa, pb := a.Points[i], b.Points[j]; {
		case pa.Clients < pb.Clients:
			i++
		case pa.Clients > pb.Clients:
			j++
		default:
			ya, yb := logs(pa.Samples), logs(pb.Samples)
			if len(ya) > 0 && len(yb) > 0 && pa.Clients > 0 {
				p.counts = append(p.counts, pa.Clients)
				p.x = append(p.x, stat.Log2(float64(pa.Clients)))
				p.ya, p.yb = append(p.ya, ya), append(p.yb, yb)
				p.d = append(p.d, stat.Log(median(yb)/median(ya)))
			}
			i++
			j++
		}
	}
	if len(p.d) > 0 {
		p.shapes = stat.Shapes(p.x, p.d)
	}
	return p
}

// fit compares the parameters of one law that both curves follow. It is the costly part.
func (p *pair) fit(data map[*bench.Curve]*model.Data) {
	both := []*model.Data{data[p.a], data[p.b]}
	if p.law = model.JointLaw(both); p.law != nil {
		p.joint = p.law.Joints(both, []int{0, 1})
	}
}

// logRatio is what a joint fit gives for d.
func logRatio(j *model.JointFit, n int) float64 {
	return stat.Log(j.At(1, float64(n)) / j.At(0, float64(n)))
}

// median throughput of runs given by their logarithms.
func median(y []float64) float64 {
	v := make([]float64, len(y))
	for i := range y {
		v[i] = stat.Exp(y[i])
	}
	return stat.Median(v)
}

// logs are the logarithms of the samples that can be throughputs.
func logs(samples []float64) []float64 {
	var y []float64
	for _, v := range samples {
		if v > 1e-9 && v < 1e15 {
			y = append(y, stat.Log(v))
		}
	}
	return y
}

// shape is the best of the three ways d depends on the count.
func (p *pair) shape() stat.Shape {
	best := p.shapes[0]
	for _, s := range p.shapes[1:] {
		if s.AICc < best.AICc {
			best = s
		}
	}
	return best
}

// flat tells that nothing speaks against one ratio for all counts.
func (p *pair) flat() bool { return p.shapes[0].AICc <= p.shape().AICc+2 }

// repeats is the smallest and largest number of runs of a side at a common count.
func (p *pair) repeats() (least, most int) {
	least = math.MaxInt
	for i := range p.counts {
		least = min(least, len(p.ya[i]), len(p.yb[i]))
		most = max(most, len(p.ya[i]), len(p.yb[i]))
	}
	return least, most
}
