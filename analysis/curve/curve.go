package curve

import (
	"cmp"
	"slices"

	"pgknee/analysis/bench"
)

// Options of grouping.
type Options struct {
	Series []string // the attributes that tell series apart; empty to find out
	Cores  int      // hardware threads of the server, when given
}

// Group forms curves out of runs. Every run ends in exactly one curve, as part of a point or left out.
func Group(runs []*bench.Run, o Options) []*bench.Curve {
	var curves []*bench.Curve
	byLabel := map[string]*bench.Curve{}
	for _, r := range runs {
		c := byLabel[r.Label]
		if c == nil {
			c = &bench.Curve{Label: r.Label, Cores: o.Cores}
			byLabel[r.Label] = c
			curves = append(curves, c)
		}
		if !r.Usable() {
			c.LeftOut = append(c.LeftOut, r)
			continue
		}
		i, found := slices.BinarySearchFunc(c.Points, *r.Clients, func(p bench.Point, n int) int { return cmp.Compare(p.Clients, n) })
		if !found {
			c.Points = slices.Insert(c.Points, i, bench.Point{Clients: *r.Clients})
		}
		c.Points[i].Runs = append(c.Points[i].Runs, r)
		c.Points[i].Samples = append(c.Points[i].Samples, *r.TPS)
	}
	return curves
}

// Merge adds the runs of another curve to a curve. Attributes in which the two differ are dropped.
func Merge(c, other *bench.Curve) {
	for _, p := range other.Points {
		i, found := slices.BinarySearchFunc(c.Points, p.Clients, func(p bench.Point, n int) int { return cmp.Compare(p.Clients, n) })
		if !found {
			c.Points = slices.Insert(c.Points, i, bench.Point{Clients: p.Clients})
		}
		c.Points[i].Runs = append(c.Points[i].Runs, p.Runs...)
		c.Points[i].Samples = append(c.Points[i].Samples, p.Samples...)
	}
	c.LeftOut = append(c.LeftOut, other.LeftOut...)
	for name, value := range c.Attributes {
		if other.Attributes[name] != value {
			delete(c.Attributes, name)
		}
	}
}
