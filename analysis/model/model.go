package model

import (
	"pgknee/analysis/stat"
)

// Law is one formula for throughput over the number of clients.
type Law struct {
	Name       string // as reports have it: other programs rely on it
	Title      string
	Formula    string
	Source     string
	Meaning    string // what it says about a system, in a sentence
	Parameters []Parameter

	// Eval is the throughput of n >= 1 clients. It never panics and overflows to 0 or Inf at worst.
	Eval func(n float64, p []float64) float64
	// Starts are points to begin the search at. Rates and times need their ratios right only: their common scale is fitted first.
	Starts func(d *Data) [][]float64
	// Peak is the number of clients with the largest throughput where a closed form knows it; nil to search for it.
	Peak func(p []float64) (n float64, ok bool)
	// Limit is the throughput that endless clients approach; ok is false if it is 0 or without bound. Nil for none.
	Limit func(p []float64) (tps float64, ok bool)
	// Saturation is the number of clients from which the limit is being approached; nil where a limit makes no floor.
	Saturation func(p []float64) float64
	// Says what a fit means, in a line.
	Says func(f *Fit) string

	// MaxClients bounds the counts that the law is fitted to where an evaluation takes time with them, and with 20 times as many their
	// sum; 0 for none.
	MaxClients float64
	// MechanismFree marks a description that follows a curve and explains nothing. Laws must exist beside it that take fewer samples.
	MechanismFree bool
	// Unbounded lists the parameters whose lower bound is lifted in a second fit, to tell what the bound hides.
	Unbounded []int
}

// Kind tells how a parameter changes when all throughputs are multiplied by a factor: rates with it, times against it, others not at all.
type Kind int

// The kinds of parameters.
const (
	Plain Kind = iota
	Rate
	Time
)

// Parameter is one parameter of a law. Its interval of values is closed.
type Parameter struct {
	Name    string
	Unit    string
	Doc     string
	Kind    Kind
	Log     bool    // searched on a logarithmic scale
	Lower   float64 // bounds; of rates and times only the signs matter
	Upper   float64
	Typical float64 // the size of an effect that is just visible, where 0 is possible
	Fixed   *float64
	Knot    bool   // the place of a kink: it is found by looking for one, which follows the noise as two parameters do
	AtLower string // what it means that the best value is the lower bound
	AtUpper string
}

func positive(name, unit, doc string, kind Kind, lower, upper float64) Parameter {
	return Parameter{Name: name, Unit: unit, Doc: doc, Kind: kind, Log: true, Lower: lower, Upper: upper}
}

func knot(name, doc string, upper float64) Parameter {
	p := positive(name, "clients", doc, Plain, 1, upper)
	p.Knot = true
	return p
}

// gamma is the first parameter of most laws.
func gamma() Parameter {
	return positive("gamma", "tps/client", "throughput per client where clients do not meet", Rate, 1e-100, 1e100)
}

func alpha() Parameter {
	return Parameter{
		Name: "alpha", Doc: "contention: the share of the work that only one client at a time can do", Upper: 1, Typical: 1e-3,
		AtLower: "alpha is 0: the data show no serial share",
		AtUpper: "alpha is 1: nothing is gained by a second client",
	}
}

func beta() Parameter {
	return Parameter{
		Name: "beta", Doc: "coherency: the cost of keeping a pair of clients in step, as a share of the work", Upper: 10, Typical: 1e-6,
		AtLower: "beta is 0: the data show no retrograde term",
	}
}

func wake() Parameter {
	return Parameter{
		Name: "wake", Doc: "what a lone client loses to wake-ups and idle states; throughput at 1 client is gamma / (1 + wake)", Upper: 20, Typical: 1e-2,
		AtLower: "wake is 0: the first clients scale no better than linear",
	}
}

func delta() Parameter {
	return positive("delta", "", "extra serial share per waiting client once the storm has saturated", Plain, 1e-9, 1e3)
}

func halfway(name string) Parameter {
	return positive(name, "clients", "clients at which half of the collapse is reached", Plain, 0.1, 1e7)
}

// index of the parameter with the name; -1 for none.
func (l *Law) index(name string) int {
	for i, p := range l.Parameters {
		if p.Name == name {
			return i
		}
	}
	return -1
}

// Free is the number of parameters that are fitted.
func (l *Law) Free() int {
	n := 0
	for _, p := range l.Parameters {
		if p.Fixed == nil {
			n++
		}
	}
	return n
}

// knots is the number of parameters that are places of kinks.
func (l *Law) knots() int {
	n := 0
	for _, p := range l.Parameters {
		if p.Knot {
			n++
		}
	}
	return n
}

// scale multiplies the throughput of the parameters by a factor.
func (l *Law) scale(p []float64, factor float64) {
	for i, q := range l.Parameters {
		switch q.Kind {
		case Rate:
			p[i] *= factor
		case Time:
			p[i] /= factor
		}
	}
}

// inner maps a parameter to the scale it is searched on, outer maps it back.
func (q *Parameter) inner(v float64) float64 {
	if q.Log {
		return stat.Log(v)
	}
	return v
}

func (q *Parameter) outer(v float64) float64 {
	if q.Log {
		return stat.Exp(v)
	}
	return v
}

// Laws are all laws, in the order of pgknee models. A new law is a file of this package and a line here.
var Laws = []*Law{
	&Linear,
	&Amdahl,
	&Gustafson,
	&USL,
	&LogUSL,
	&AISSL,
	&Repairman,
	&RepairmanM,
	&TicketLock,
	&TicketLockCap,
	&PlateauUSL,
	&PlateauUSLNoWake,
	&PlateauUSLH1,
	&PlateauUSLH1Wake,
	&PlateauUSLFree,
	&KneeCollapse,
	&KneeCollapseWake,
	&Segments,
}
