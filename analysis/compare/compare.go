package compare

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"pgknee/analysis/bench"
	"pgknee/analysis/model"
	"pgknee/analysis/report"
	"pgknee/analysis/stat"
)

// permutationSeed makes the permutation p the same each time. It is printed with it.
const (
	permutationSeed = stat.Seed
	permutations    = 20000
)

// mostCandidates is how many series are compared with the baseline.
const mostCandidates = 200

// Most are the series to compare: the baseline and the others with the most points, the first of equals, at most 200 of them, in their
// order. The baseline is an index into curves, and into those returned.
func Most(curves []*bench.Curve, baseline int) ([]*bench.Curve, int) {
	if len(curves) <= mostCandidates+1 {
		return curves, baseline
	}
	order := make([]int, len(curves))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case a == b:
			return 0
		case a == baseline:
			return -1
		case b == baseline:
			return 1
		}
		return len(curves[b].Points) - len(curves[a].Points)
	})
	order = order[:mostCandidates+1]
	slices.Sort(order)
	out := make([]*bench.Curve, len(order))
	for i, at := range order {
		out[i] = curves[at]
	}
	return out, slices.Index(order, baseline)
}

// All compares the baseline with every other series that did the same work. Series of other work are compared among
// themselves; one that is alone with its work is compared with the baseline all the same, to say that it can't be.
// The baseline is an index into curves.
func All(curves []*bench.Curve, baseline int) []report.Comparison {
	var usable []*bench.Curve
	for i, c := range curves {
		switch {
		case len(c.Points) == 0:
		case i == baseline:
			usable = slices.Insert(usable, 0, c)
		default:
			usable = append(usable, c)
		}
	}
	if len(usable) < 2 {
		return nil
	}
	facts := map[*bench.Curve]conditions{}
	data := map[*bench.Curve]*model.Data{}
	for _, c := range usable {
		facts[c] = conditionsOf(c)
		data[c] = model.NewData(c)
	}
	var out []report.Comparison
	for _, group := range sameWork(usable, facts) {
		base := group[0]
		if base != usable[0] {
			base = counterpart(usable[0], group)
		}
		if len(group) == 1 && base != usable[0] {
			diffs, spoilers := differences(usable[0], base, facts[usable[0]], facts[base])
			out = append(out, notComparable(usable[0], base, diffs, spoilers))
			continue
		}
		out = append(out, within(group, base, facts, data)...)
	}
	return out
}

// sameWork sorts the series into groups of the same work, in their order.
func sameWork(curves []*bench.Curve, facts map[*bench.Curve]conditions) [][]*bench.Curve {
	var groups [][]*bench.Curve
	for _, c := range curves {
		i := slices.IndexFunc(groups, func(g []*bench.Curve) bool { return !otherWork(facts[g[0]], facts[c]) })
		if i < 0 {
			groups = append(groups, nil)
			i = len(groups) - 1
		}
		groups[i] = append(groups[i], c)
	}
	return groups
}

// counterpart is the series of the group whose label has most words of the baseline's: the first of equals.
func counterpart(base *bench.Curve, group []*bench.Curve) *bench.Curve {
	best, most := group[0], -1
	words := labelWords(base.Label)
	for _, c := range group {
		n := 0
		for _, w := range labelWords(c.Label) {
			if slices.Contains(words, w) {
				n++
			}
		}
		if n > most {
			best, most = c, n
		}
	}
	return best
}

// labelWords splits a label into lower-case words of letters, digits and full stops.
func labelWords(label string) []string {
	return strings.FieldsFunc(strings.ToLower(label), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.'
	})
}

// within compares the series of a group with its baseline.
func within(group []*bench.Curve, base *bench.Curve, facts map[*bench.Curve]conditions, data map[*bench.Curve]*model.Data) []report.Comparison {
	var pairs []*pair
	for _, c := range group {
		if c != base {
			pairs = append(pairs, newPair(base, c))
		}
	}
	peers := &peers{group: group, controls: map[[2]*bench.Curve]noise{}}
	judged := make([]*judgement, len(pairs))
	for i, p := range pairs {
		diffs, spoilers := differences(p.a, p.b, facts[p.a], facts[p.b])
		judged[i] = &judgement{pair: p, differs: diffs, spoilers: spoilers}
		if len(spoilers) == 0 && len(p.d) > 0 {
			p.fit(data)
			judged[i].measure(peers)
		}
	}
	capped := clientCap(group, judged)
	out := make([]report.Comparison, 0, len(pairs))
	for _, j := range judged {
		switch {
		case len(j.spoilers) > 0:
			out = append(out, notComparable(j.a, j.b, j.differs, j.spoilers))
		case len(j.d) == 0:
			out = append(out, report.Comparison{
				Baseline: j.a.Label, Candidate: j.b.Label, Verdict: notComparableVerdict, Differs: j.differs,
				Why: j.b.Label + " and " + j.a.Label + " have no client count in common.",
			})
		default:
			j.decide(judged)
			c := j.report()
			c.Caveats = append(c.Caveats, j.caveats(facts[j.a], facts[j.b])...)
			if capped != "" {
				c.Caveats = append(c.Caveats, capped)
			}
			out = append(out, c)
		}
	}
	return out
}

// clientCap says when something outside what was changed looks like the limit: all series level off at the same throughput, and they
// either run with one pgbench thread or differ at low counts only.
func clientCap(group []*bench.Curve, judged []*judgement) string {
	if len(group) < 2 {
		return ""
	}
	least, most := math.Inf(1), 0.0
	oneThread := true
	for _, c := range group {
		top, low := 0.0, math.Inf(1)
		for i, p := range c.Points {
			if i >= len(c.Points)-3 {
				tps := stat.Median(p.Samples)
				top, low = math.Max(top, tps), math.Min(low, tps)
			}
			for _, r := range p.Runs {
				oneThread = oneThread && r.Threads != nil && *r.Threads == 1
			}
		}
		if len(c.Points) < 4 || low < 0.95*top || c.Points[len(c.Points)-1].Clients <= 16 {
			return ""
		}
		least, most = math.Min(least, top), math.Max(most, top)
	}
	if most > 1.03*least {
		return ""
	}
	s := "All series level off at about " + figure(most) + " " + cmp.Or(group[0].Unit, "tps")
	switch {
	case oneThread:
		return s + " with one pgbench thread (-j 1): pgbench itself may be the limit, which hides differences of the servers."
	case slices.ContainsFunc(judged, func(j *judgement) bool { return j.changed != nil && j.atLowCountsOnly() }):
		return s + ", though they differ with few clients: pgbench, a pooler or the network may be the limit."
	}
	return ""
}
