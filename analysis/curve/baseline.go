package curve

import (
	"slices"
	"strconv"
	"strings"

	"pgknee/analysis/bench"
)

// Baseline gives the index of the series that the others are compared with: the one that is asked for, by its label, a part of it or one
// of its attributes; else the oldest server version; else the one whose name calls it a base; else the first that has half as many counts
// as the longest. It is −1 only if there are none.
func Baseline(curves []*bench.Curve, want string) int {
	if len(curves) == 0 {
		return -1
	}
	if i := Find(curves, want); i >= 0 {
		return i
	}
	if i := oldest(curves); i >= 0 {
		return i
	}
	for i, c := range curves {
		for _, w := range parts(c.Label) {
			if baseWords[w] {
				return i
			}
		}
	}
	// A stray run beside the sweeps is no baseline.
	most := 0
	for _, c := range curves {
		most = max(most, len(c.Points))
	}
	return slices.IndexFunc(curves, func(c *bench.Curve) bool { return 2*len(c.Points) >= most })
}

var baseWords = set("baseline base before old master head main trunk unpatched vanilla stock control reference ref original orig default plain without unmodified")

// Find gives the index of the series that a text names: its label, a part of its label that is in no other, or the value of an attribute.
// −1 if there is none or more than one.
func Find(curves []*bench.Curve, want string) int {
	want = strings.TrimSpace(want)
	if want == "" {
		return -1
	}
	lower := strings.ToLower(want)
	tests := []func(*bench.Curve) bool{
		func(c *bench.Curve) bool { return c.Label == want },
		func(c *bench.Curve) bool { return strings.ToLower(c.Label) == lower },
		func(c *bench.Curve) bool { return slices.Contains(strings.Fields(strings.ToLower(c.Label)), lower) },
		func(c *bench.Curve) bool { return strings.HasPrefix(strings.ToLower(c.Label), lower) },
		func(c *bench.Curve) bool { return strings.Contains(strings.ToLower(c.Label), lower) },
		func(c *bench.Curve) bool {
			for name, v := range c.Attributes {
				if strings.ToLower(v) == lower || strings.ToLower(name+"="+v) == lower || strings.HasSuffix(strings.ToLower(name+"="+v), "."+lower) {
					return true
				}
			}
			return false
		},
	}
	for _, test := range tests {
		found := -1
		for i, c := range curves {
			if test(c) {
				if found >= 0 {
					found = -2
					break
				}
				found = i
			}
		}
		if found >= 0 {
			return found
		}
	}
	return -1
}

// oldest gives the series with the lowest server version, if every series has one and they are not all the same.
func oldest(curves []*bench.Curve) int {
	best, at, differ := 0.0, -1, false
	for i, c := range curves {
		v, ok := ServerVersion(c)
		if !ok {
			return -1
		}
		differ = differ || i > 0 && v != best
		if i == 0 || v < best {
			best, at = v, i
		}
	}
	if !differ {
		return -1
	}
	return at
}

// ServerVersion gives the server version of a series as a number that grows with it: from its attributes, its runs or its label. A beta
// comes before its release, and development (master, devel) after all.
func ServerVersion(c *bench.Curve) (float64, bool) {
	for _, name := range []string{"version", "serverVersion", "server_version"} {
		if v, ok := versionNumber(c.Attributes[name]); ok {
			return v, true
		}
	}
	for _, w := range labelWords(c.Label) {
		plain, called := bare(w)
		if called || strings.Contains(w, ".") {
			if v, ok := versionNumber(plain); ok {
				return v, true
			}
		}
	}
	for _, p := range c.Points {
		for _, r := range p.Runs {
			for _, text := range []string{r.ServerVersion, r.Version} {
				if v, ok := versionNumber(text); ok {
					return v, true
				}
			}
		}
	}
	return 0, false
}

func labelWords(label string) []string {
	return strings.FieldsFunc(strings.ToLower(label), func(r rune) bool { return strings.ContainsRune(" \t,;()[]{}/_-", r) })
}

// bare takes off what stands before a version, and tells whether something calls the word a version of the server.
func bare(w string) (plain string, called bool) {
	plain = strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(w, "postgresql"), "postgres"), "pg"), "v")
	return plain, plain != w || strings.Contains(w, "beta") || strings.Contains(w, "rc") || strings.Contains(w, "devel")
}

// versionIn gives the server version that a label names (v13Beta1, pg17, PostgreSQL 16.2), "" if none.
func versionIn(label string) string {
	before := ""
	for i, w := range labelWords(label) {
		plain, called := bare(w)
		if called || i == 1 && (before == "release" || before == "version") || before == "postgresql" || before == "postgres" || before == "pg" {
			if _, ok := versionNumber(plain); ok {
				return plain
			}
		}
		before = w
	}
	return ""
}

// bareVersions gives the versions of labels that are nothing but a version each (9.6, 10, 11), nil if one is more or could be a count:
// a column called 8 or 64 is none, nor is one called 6.6, which is a kernel.
func bareVersions(groups []*group) map[string]string {
	out := make(map[string]string, len(groups))
	for _, g := range groups {
		if _, called := bare(g.label); !called && strings.Trim(g.label, "0123456789.") != "" {
			return nil
		}
		v, ok := versionNumber(g.label)
		if _, err := strconv.Atoi(g.label); !ok || v < 8e4 || v >= 40e4 || err == nil && (v < 9e4 || v >= 20e4) || strings.Count(g.label, ".") > 1 && v >= 10e4 {
			return nil
		}
		out[g.label] = g.label
	}
	return out
}

// versionNumber reads 9.6.4, 12.3, 13beta1, 17devel: major·10⁴ + minor·100 + stage, with the majors of 9 and before in steps of a tenth.
func versionNumber(text string) (float64, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	end := 0
	for end < len(text) && (digit(text[end]) || text[end] == '.') {
		end++
	}
	fields := strings.Split(strings.Trim(text[:end], "."), ".")
	major, err := strconv.Atoi(fields[0])
	if err != nil || major < 6 || major > 99 {
		return 0, false
	}
	part := func(i int) float64 {
		if i < len(fields) {
			n, _ := strconv.Atoi(fields[i])
			return float64(min(n, 99))
		}
		return 0
	}
	v := float64(major) * 1e4
	if major < 10 {
		v += part(1)*1e3 + part(2)*10
	} else {
		v += part(1) * 100
	}
	number := func(s string) float64 {
		n, _ := strconv.Atoi(strings.TrimLeft(s, "-_. "))
		return float64(min(n, 9))
	}
	switch rest := strings.TrimLeft(text[end:], "-_. "); {
	case strings.HasPrefix(rest, "devel"):
		v -= 95
	case strings.HasPrefix(rest, "alpha"):
		v -= 90 - number(rest[5:])
	case strings.HasPrefix(rest, "beta"):
		v -= 70 - number(rest[4:])
	case strings.HasPrefix(rest, "rc"):
		v -= 50 - number(rest[2:])
	case rest != "" && letter(rest[0]) && len(fields) == 1: // 128mb, 5s: no version
		return 0, false
	}
	return v, true
}
