package analysis

import (
	"cmp"
	"fmt"
	"io"
	"math"
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

// Difference lays two of the profiles over each other, numbered as in the report.
func (s *Session) Difference(from, to int) (*profile.Difference, error) {
	a, b, err := s.both(from, to)
	if err != nil {
		return nil, err
	}
	if !profile.SameEvent(a, b) {
		return nil, fmt.Errorf("%s counts %s and %s counts %s: they are not comparable", a.Label, a.Event, b.Label, b.Event)
	}
	if s.diff == nil || s.diffOf != [2]*int32{&a.Parent[0], &b.Parent[0]} {
		s.diff, s.diffOf = profile.Diff(a, b), [2]*int32{&a.Parent[0], &b.Parent[0]}
	}
	return s.diff, nil
}

func (s *Session) both(from, to int) (a, b *profile.Profile, err error) {
	if a, err = s.profile(from); err == nil {
		b, err = s.profile(to)
	}
	return a, b, err
}

// LayoutDifference lays out a view of two of the profiles laid over each other.
func (s *Session) LayoutDifference(from, to int, v profile.OverlayView) (*profile.Overlay, error) {
	d, err := s.Difference(from, to)
	if err != nil {
		return nil, err
	}
	return d.Layout(v)
}

// ExportDifference writes two of the profiles laid over each other, as the svg of the view or as the markdown of the functions that
// changed.
func (s *Session) ExportDifference(w io.Writer, from, to int, kind string, v profile.OverlayView) error {
	switch kind {
	case "svg":
		d, err := s.Difference(from, to)
		if err != nil {
			return err
		}
		return profile.WriteOverlaySVG(w, d, v, profile.SVG{})
	case "markdown":
		a, b, err := s.both(from, to)
		if err != nil {
			return err
		}
		c, ok := profile.Compare(a, b)
		if !ok {
			return fmt.Errorf("%s and %s have nothing that can be compared", a.Label, b.Label)
		}
		return profile.WriteDifferenceMarkdown(w, c, 40)
	}
	return fmt.Errorf("no export %q of a difference", kind)
}

// pairs chooses which profiles are compared, baseline first.
func (s *Session) pairs(profiles []*profile.Profile, curves []*bench.Curve) (pairs [][2]*profile.Profile) {
	profiles = slices.DeleteFunc(slices.Clone(profiles), func(p *profile.Profile) bool {
		return p.Partial && slices.ContainsFunc(profiles, func(whole *profile.Profile) bool { return reports(p, whole) })
	})
	for _, group := range s.comparable(profiles, curves) {
		base, byVersion := s.baseline(group, curves)
		add := func(from, to *profile.Profile) {
			if len(pairs) < maxPairs && unnumbered(from.Label) != unnumbered(to.Label) {
				pairs = append(pairs, [2]*profile.Profile{from, to})
			}
		}
		for i, p := range group {
			if i != base {
				add(group[base], p)
			}
		}
		for i := 1; byVersion && i < len(group); i++ {
			if i-1 != base && i != base {
				add(group[i-1], group[i])
			}
		}
	}
	return pairs
}

// reports tells whether a part of a profile is a report on a recording that is there as a whole: the same total, and the same self
// shares of all functions that take much, but for rounding. Two recordings of as many samples differ in some of them.
func reports(part, whole *profile.Profile) bool {
	if whole.Partial || part.Event == "" || part.Total != whole.Total || !profile.SameEvent(part, whole) {
		return false
	}
	self := map[string]float64{}
	for _, f := range whole.KnownFunctions() {
		self[f.Name] = f.Self
	}
	n := 0
	for _, f := range part.KnownFunctions() {
		if f.SelfKnown != profile.Exactly || f.Flags&profile.Unknown != 0 || f.Self < .01*part.Total {
			continue
		}
		if math.Abs(f.Self-self[f.Name]) > 1e-3*part.Total {
			return false
		}
		n++
	}
	return n >= 3
}

// unnumbered takes off a label the number that labelProfiles gave it: profiles of one name are one thing in several shapes.
func unnumbered(label string) string {
	if i := strings.LastIndex(label, " ("); i > 0 && strings.Trim(label[i+2:], "0123456789)") == "" {
		return label[:i]
	}
	return label
}

// comparable forms groups of profiles that may be compared: of one event and, where labels that differ in a version only or
// attributes tell of machines, of one machine.
func (s *Session) comparable(profiles []*profile.Profile, curves []*bench.Curve) (groups [][]*profile.Profile) {
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
			if s.seriesOf(curves, p) != nil {
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
	versions := make(map[*profile.Profile]float64, len(group))
	byVersion = true
	for _, p := range group {
		v, ok := curve.ServerVersion(standIn(p))
		versions[p] = v
		byVersion = byVersion && ok
	}
	if byVersion {
		slices.SortStableFunc(group, func(a, b *profile.Profile) int { return cmp.Compare(versions[a], versions[b]) })
	}
	if i := curve.Baseline(curves, s.Options.Baseline); i >= 0 {
		for k, p := range group {
			if s.seriesOf(curves, p) == curves[i] {
				return k, byVersion
			}
		}
	}
	series := make([]*bench.Curve, len(group))
	for i, p := range group {
		series[i] = standIn(p)
	}
	return curve.Baseline(series, s.Options.Baseline), byVersion
}

// standIn is a series that has no more than the profile's name.
func standIn(p *profile.Profile) *bench.Curve {
	version, _ := labelVersion(p.Label)
	return &bench.Curve{Label: p.Label, Attributes: bench.Attributes{"version": version}}
}

// labelVersion finds the version of PostgreSQL in a label, also as pg163, and what the label says besides.
func labelVersion(label string) (version, rest string) {
	at := 0
	for word := range strings.FieldsFuncSeq(label, func(r rune) bool { return strings.ContainsRune(" \t,;()[]{}/_-!", r) }) {
		at = strings.Index(label[at:], word) + at
		lower := strings.ToLower(word)
		plain := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(lower, "postgresql"), "postgres"), "pg"), "v")
		if digits := packed(plain); digits != "" && plain != lower {
			plain = digits
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

// packed reads a version that is written without dots: 163 is 16.3, 1023 is 10.23, 96 is 9.6. It is "" for anything else.
func packed(s string) string {
	if _, err := strconv.Atoi(s); err != nil || len(s) < 2 || len(s) > 4 {
		return ""
	}
	if s[0] == '9' {
		return strings.TrimSuffix("9."+s[1:2]+"."+s[2:], ".")
	}
	if len(s) == 2 || s > "4" {
		return ""
	}
	minor, err := strconv.Atoi(s[2:])
	if err != nil {
		return ""
	}
	return s[:2] + "." + strconv.Itoa(minor)
}
