package curve

import (
	"cmp"
	"slices"
	"strings"

	"pgknee/analysis/bench"
	"pgknee/analysis/sorting"
)

// Options of grouping.
type Options struct {
	Series []string // the attributes that tell series apart; empty to find out
	Cores  int      // hardware threads of the server, when given

	// Setting completes the name of a server setting (track_planning → pg_stat_statements.track_planning); false if there is none
	// of that name. Without it only what is written as name=value counts as a setting.
	Setting func(name string) (string, bool)
}

// Group forms curves out of runs. Every run that can be a point is one of exactly one curve; a run that cannot is left out of the
// curve it would belong to, if there is one. Curves come in the order in which their first runs were met.
//
// Runs are completed on the way: with the number of clients that the name of their file states, and with the settings that a label
// or a name states.
func Group(runs []*bench.Run, o Options) []*bench.Curve {
	facts := gather(runs)
	var usable []*item
	for _, f := range facts {
		if f.run.Usable() {
			usable = append(usable, f)
		}
	}
	if len(usable) == 0 {
		return nil
	}
	var groups []*group
	if len(o.Series) > 0 {
		groups = byKeys(usable, o.Series)
	} else {
		groups = partition(usable)
	}
	curves := make([]*bench.Curve, len(groups))
	for i, g := range groups {
		curves[i] = g.curve(o)
	}
	for _, f := range facts {
		if !f.run.Usable() {
			if i := nearest(f, groups); i >= 0 {
				curves[i].LeftOut = append(curves[i].LeftOut, f.run)
			}
		}
	}
	describe(curves, groups, o)
	return curves
}

// group is a series while it is being formed.
type group struct {
	facts []*item
	label string
}

// curve makes the points of a group.
func (g *group) curve(o Options) *bench.Curve {
	c := &bench.Curve{Label: g.label, Cores: o.Cores, Unit: g.facts[0].run.Unit}
	oneKind(g.facts)
	index := map[int]int{}
	for _, f := range g.facts {
		r := f.run
		if c.Cores == 0 && r.Cores != nil {
			c.Cores = *r.Cores
		}
		i, ok := index[*r.Clients]
		if !ok {
			i = len(c.Points)
			index[*r.Clients] = i
			c.Points = append(c.Points, bench.Point{Clients: *r.Clients})
		}
		c.Points[i].Runs = append(c.Points[i].Runs, r)
		c.Points[i].Samples = append(c.Points[i].Samples, *r.TPS)
	}
	sorting.By(c.Points, func(a, b bench.Point) int { return cmp.Compare(a.Clients, b.Clients) })
	return c
}

// oneKind gives all runs of a series the figure with connection time if one of them had to take it: kinds are never mixed.
func oneKind(facts []*item) {
	spoilt := func(f *item) bool { return f.run.Has(bench.FlagExcludingSpoilt) }
	if !slices.ContainsFunc(facts, spoilt) {
		return
	}
	for _, f := range facts {
		if r := f.run; r.TPSKind == bench.ExcludingConnections && r.IncludingTPS != nil {
			r.TPS, r.TPSKind = r.IncludingTPS, bench.IncludingConnections
		}
	}
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

// nearest gives the group that a run left out would belong to: the one whose words it shares and whose facts it does not contradict. −1
// if several are as near.
func nearest(f *item, groups []*group) int {
	if len(groups) == 1 {
		return 0
	}
	best, at, tie := 0, -1, false
	for i, g := range groups {
		first := g.facts[0]
		score := 0
		if f.label == first.label {
			score += 2
		}
		if f.run.At.File == first.run.At.File {
			score++
		}
		for _, w := range first.own {
			if slices.Contains(f.own, w) {
				score += 4
			}
		}
		for _, k := range fields {
			a, b := k.of(f.run), k.of(first.run)
			switch {
			case a != "" && a == b:
				score++
			case a != "" && b != "" && !k.figure:
				score -= 3
			}
		}
		switch {
		case at < 0 || score > best:
			best, at, tie = score, i, false
		case score == best:
			tie = true
		}
	}
	if tie || best <= 0 {
		return -1
	}
	return at
}

// describe gives curves their attributes: what is the same in all runs of each and differs between them.
func describe(curves []*bench.Curve, groups []*group, o Options) {
	for _, g := range groups {
		for name, value := range settings(g.label, o) {
			for _, f := range g.facts {
				if !states(f.run, name) {
					f.run.Set(name, value)
				}
			}
		}
	}
	var facts []*item
	for _, g := range groups {
		facts = append(facts, g.facts...)
	}
	versions := bareVersions(groups)
	for _, k := range fieldsOf(facts) {
		if k.figure || len(groups) < 2 {
			continue
		}
		values := make([]string, len(groups))
		differ := false
		for i, g := range groups {
			if values[i] = g.constant(k); values[i] == "" && k.name == "version" {
				values[i] = cmp.Or(versionIn(g.label), versions[g.label])
			}
			differ = differ || values[i] != values[0]
		}
		if !differ {
			continue
		}
		for i, v := range values {
			if v == "" {
				continue
			}
			if curves[i].Attributes == nil {
				curves[i].Attributes = bench.Attributes{}
			}
			curves[i].Attributes[k.name] = v
		}
	}
}

// states tells whether a run has an attribute of this name, be it with or without what stands before a dot.
func states(r *bench.Run, name string) bool {
	for known := range r.Attributes {
		if known == name || strings.HasSuffix(known, "."+name) || strings.HasSuffix(name, "."+known) {
			return true
		}
	}
	return false
}

// constant gives the value of a field that all runs of the group state alike, "" if they don't.
func (g *group) constant(k field) string {
	v := k.of(g.facts[0].run)
	for _, f := range g.facts[1:] {
		if k.of(f.run) != v {
			return ""
		}
	}
	return v
}

// settings reads the settings that a label states: (track_planning=off), and huge_pages_on or track_io_timing off where the name is one of a
// setting.
func settings(label string, o Options) map[string]string {
	out := map[string]string{}
	words := strings.FieldsFunc(label, func(r rune) bool { return strings.ContainsRune(" \t,;()[]{}/", r) })
	note := func(name, value string, sure bool) bool {
		if o.Setting != nil {
			// "track" of "track_all" says too little to be completed to the one extension's setting that ends so.
			if full, ok := o.Setting(name); ok && (full == name || strings.Contains(name, "_")) {
				out[full] = value
				return true
			}
		}
		sure = sure && value != "" && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_.0123456789") == ""
		if sure {
			out[name] = value
		}
		return sure
	}
	for i, w := range words {
		if name, value, ok := strings.Cut(w, "="); ok {
			note(strings.ToLower(name), value, true)
			continue
		}
		w = strings.ToLower(w)
		if i+1 < len(words) && setValue(words[i+1]) && note(w, words[i+1], false) {
			continue
		}
		for _, sign := range []string{"_", "-", ":"} {
			if k := strings.LastIndex(w, sign); k > 0 && setValue(w[k+1:]) && note(w[:k], w[k+1:], false) {
				break
			}
		}
	}
	return out
}

// setValue tells whether a word can be the value of a setting.
func setValue(w string) bool {
	switch w {
	case "on", "off", "none", "all", "top", "try", "minimal", "replica", "logical", "local":
		return true
	}
	return w != "" && digit(w[0])
}
