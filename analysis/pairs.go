package analysis

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pgknee/analysis/bench"
	"pgknee/analysis/curve"
	"pgknee/analysis/profile"
	"pgknee/analysis/report"
)

// maxPairs bounds how many pairs of profiles a report compares.
const maxPairs = 40

// addProfileComparisons compares profiles of the same event: each with that of the baseline, and each version with the one before.
func (s *Session) addProfileComparisons(r *report.Report, profiles []*profile.Profile, curves []*bench.Curve) {
	for _, pair := range s.pairs(profiles, curves) {
		if c, ok := profile.Compare(pair[0], pair[1]); ok {
			r.ProfileComparisons = append(r.ProfileComparisons, c)
		}
	}
}

// Difference lays two profiles over each other, by their labels.
func (s *Session) Difference(from, to string) (*profile.Difference, error) {
	sides := [2]*profile.Profile{}
	for _, p := range s.Profiles() {
		for i, label := range []string{from, to} {
			if p.Label == label {
				sides[i] = p
			}
		}
	}
	switch {
	case sides[0] == nil:
		return nil, fmt.Errorf("no profile is called %q", from)
	case sides[1] == nil:
		return nil, fmt.Errorf("no profile is called %q", to)
	case !profile.SameEvent(sides[0], sides[1]):
		return nil, fmt.Errorf("%s counts %s and %s counts %s: they are not comparable", from, sides[0].Event, to, sides[1].Event)
	}
	return profile.Diff(sides[0], sides[1]), nil
}

// pairs chooses which profiles are compared, baseline first.
func (s *Session) pairs(profiles []*profile.Profile, curves []*bench.Curve) (pairs [][2]*profile.Profile) {
	for _, group := range comparable(profiles, curves) {
		base, byVersion := s.baseline(group, curves)
		for i, p := range group {
			if i != base && len(pairs) < maxPairs {
				pairs = append(pairs, [2]*profile.Profile{group[base], p})
			}
		}
		for i := 1; byVersion && i < len(group) && len(pairs) < maxPairs; i++ {
			if i-1 != base && i != base {
				pairs = append(pairs, [2]*profile.Profile{group[i-1], group[i]})
			}
		}
	}
	return pairs
}

// comparable forms groups of profiles that may be compared: of one event and, where labels that differ in a version only or
// attributes tell of machines, of one machine.
func comparable(profiles []*profile.Profile, curves []*bench.Curve) (groups [][]*profile.Profile) {
	for _, p := range profiles {
		i := slices.IndexFunc(groups, func(g []*profile.Profile) bool {
			return profile.SameEvent(g[0], p) && g[0].Attributes["host"] == p.Attributes["host"]
		})
		if i < 0 {
			i = len(groups)
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], p)
	}
	var out [][]*profile.Profile
	for _, g := range groups {
		byRest := map[string][]*profile.Profile{}
		var order []string
		most := 0
		for _, p := range g {
			_, rest := labelVersion(p.Label)
			if curve.Match(curves, p.Label, p.At.File) != nil {
				rest = ""
			}
			if len(byRest[rest]) == 0 {
				order = append(order, rest)
			}
			byRest[rest] = append(byRest[rest], p)
			most = max(most, len(byRest[rest]))
		}
		if most < 2 {
			out = append(out, g)
			continue
		}
		for _, rest := range order {
			out = append(out, byRest[rest])
		}
	}
	return slices.DeleteFunc(out, func(g []*profile.Profile) bool { return len(g) < 2 })
}

// baseline finds the profile that the others of its group are compared with: that of the baseline series, else the one that would
// be the baseline if profiles were series. Where all labels tell versions the group is sorted by them.
func (s *Session) baseline(group []*profile.Profile, curves []*bench.Curve) (base int, byVersion bool) {
	stand := make(map[*profile.Profile]*bench.Curve, len(group)) // a series that has no more than the profile's name
	versions := make(map[*profile.Profile]float64, len(group))
	byVersion = true
	for _, p := range group {
		c := &bench.Curve{Label: p.Label, Attributes: bench.Attributes{}}
		if version, _ := labelVersion(p.Label); version != "" {
			c.Attributes["version"] = version
		}
		stand[p] = c
		v, ok := curve.ServerVersion(c)
		versions[p] = v
		byVersion = byVersion && ok
	}
	if byVersion {
		slices.SortStableFunc(group, func(a, b *profile.Profile) int {
			switch x, y := versions[a], versions[b]; {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return 0
		})
	}
	if i := curve.Baseline(curves, s.Options.Baseline); i >= 0 {
		for k, p := range group {
			if curve.Match(curves, p.Label, p.At.File) == curves[i] {
				return k, byVersion
			}
		}
	}
	var stands []*bench.Curve
	for _, p := range group {
		stands = append(stands, stand[p])
	}
	return curve.Baseline(stands, s.Options.Baseline), byVersion
}

// labelVersion finds the version of PostgreSQL in a label, also as pg163, and what the label says besides.
func labelVersion(label string) (version, rest string) {
	at := 0
	for word := range strings.FieldsFuncSeq(label, func(r rune) bool { return strings.ContainsRune(" \t,;()[]{}/_-!", r) }) {
		at = strings.Index(label[at:], word) + at
		lower := strings.ToLower(word)
		plain := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(lower, "postgresql"), "postgres"), "pg"), "v")
		if n, err := strconv.Atoi(plain); err == nil && plain != lower && (len(plain) == 3 || len(plain) == 4) {
			plain = strconv.Itoa(n/pow10(len(plain)-2)) + "." + strings.TrimLeft(plain[2:len(plain)-1], "0") + plain[len(plain)-1:]
		} else if plain == lower && !strings.Contains(word, ".") && !strings.Contains(lower, "beta") && !strings.Contains(lower, "rc") && !strings.Contains(lower, "devel") {
			at += len(word)
			continue
		}
		if _, ok := curve.ServerVersion(&bench.Curve{Label: "v" + plain}); ok {
			return plain, label[:at] + label[at+len(word):]
		}
		at += len(word)
	}
	return "", label
}

func pow10(n int) int {
	if n == 1 {
		return 10
	}
	return 100
}
