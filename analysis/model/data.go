package model

import (
	"math"

	"pgknee/analysis/bench"
	"pgknee/analysis/stat"
)

// Data are the measurements of one curve in the form that laws are fitted to. Repeats stay repeats: a count weighs as much as
// it has samples, and their spread counts as residual. (The sum of squares over samples is that over their means, weighted, plus a constant.)
type Data struct {
	Label  string
	Unit   string      // "" for transactions per second
	Cores  int         // hardware threads; 0 if unknown
	N      []float64   // distinct client counts, rising
	Groups [][]float64 // ln throughput of the samples at each
	Log    []float64   // their means
	Mean   []float64   // mean throughput
	Weight []float64   // number of samples
	Obs    int         // number of all samples

	pureLog, pureLinear float64 // sum of squares around the means
}

// MostCounts is how many client counts of a curve are taken: nobody measures as many, but anybody may drop a file that has more.
const MostCounts = 400

// NewData takes the points of a curve with positive counts and throughputs; of more than MostCounts as many, spread evenly from the first
// to the last.
func NewData(c *bench.Curve) *Data {
	d := &Data{Label: c.Label, Unit: c.Unit, Cores: c.Cores}
	all, taken := len(c.Points), min(len(c.Points), MostCounts)
	for i := range taken {
		if p := c.Points[i*(all-1)/max(taken-1, 1)]; p.Clients > 0 {
			d.add(float64(p.Clients), p.Samples)
		}
	}
	return d
}

func (d *Data) add(n float64, samples []float64) {
	var logs, values []float64
	for _, v := range samples {
		if v > 0 && !math.IsInf(v, 1) {
			logs, values = append(logs, stat.Log(v)), append(values, v)
		}
	}
	if len(logs) == 0 {
		return
	}
	log, mean := stat.Mean(logs), stat.Mean(values)
	for i := range logs {
		d.pureLog += (logs[i] - log) * (logs[i] - log)
		d.pureLinear += (values[i] - mean) * (values[i] - mean)
	}
	d.N, d.Groups = append(d.N, n), append(d.Groups, logs)
	d.Log, d.Mean, d.Weight = append(d.Log, log), append(d.Mean, mean), append(d.Weight, float64(len(logs)))
	d.Obs += len(logs)
}

// Noise is the standard deviation of ln throughput of one run, from the repeats; df is 0 if there are none.
func (d *Data) Noise() (sd float64, df int) { return stat.Pooled(d.Groups) }

// gamma is the largest throughput per client.
func (d *Data) gamma() float64 {
	g := 0.0
	for i, n := range d.N {
		g = math.Max(g, d.Mean[i]/n)
	}
	return g
}

// peak is the count with the largest throughput, and that throughput.
func (d *Data) peak() (n, tps float64) {
	for i, v := range d.Mean {
		if v > tps {
			n, tps = d.N[i], v
		}
	}
	return n, tps
}

// largest client count.
func (d *Data) largest() float64 { return d.N[len(d.N)-1] }
