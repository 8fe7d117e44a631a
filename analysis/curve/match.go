package curve

import (
	"slices"
	"strings"

	"pgknee/analysis/bench"
	"pgknee/analysis/source"
)

// Match says which series something that came with the runs belongs to (a profile, a list of settings), by its label, the name of its
// file or its folder. It gives nil when nothing or more than one fits: what belongs to all belongs to none.
func Match(curves []*bench.Curve, label, file string) *bench.Curve {
	if i := Find(curves, label); i >= 0 && label != "" {
		return curves[i]
	}
	_, base := source.Split(file)
	for _, text := range []string{label, withoutExtension(base), withoutExtension(file)} {
		if i := byWords(curves, text); i >= 0 {
			return curves[i]
		}
	}
	return byPlace(curves, file)
}

// byWords finds the series whose words the text has, judged by those that not all series have.
func byWords(curves []*bench.Curve, text string) int {
	if text == "" {
		return -1
	}
	words := parts(text)
	own := make([][]string, len(curves))
	in := map[string]int{}
	for i, c := range curves {
		own[i] = parts(c.Label)
		for _, v := range c.Attributes {
			own[i] = append(own[i], parts(v)...)
		}
		slices.Sort(own[i])
		own[i] = slices.Compact(own[i])
		for _, w := range own[i] {
			in[w]++
		}
	}
	best, at := 0, -1
	for i := range curves {
		score := 0
		for _, w := range own[i] {
			if in[w] == len(curves) && len(curves) > 1 {
				continue
			}
			switch {
			case slices.ContainsFunc(words, func(t string) bool { return same(t, w) }):
				score += 4 * len(curves) / in[w]
			case in[w] == 1:
				score-- // it lacks a word that only this series has
			}
		}
		switch {
		case score > best:
			best, at = score, i
		case score == best && score > 0:
			at = -1
		}
	}
	return at
}

// same tells whether two words are the same but for a letter in front of a version: v13 and 13, pg17 and 17, or a version and its
// major part.
func same(a, b string) bool {
	if a == b {
		return true
	}
	strip := func(s string) string {
		for _, p := range []string{"postgresql", "postgres", "pg", "v"} {
			if rest := strings.TrimPrefix(s, p); rest != s && rest != "" && digit(rest[0]) {
				return rest
			}
		}
		return s
	}
	a, b = strip(a), strip(b)
	return a == b || a != "" && digit(a[0]) && (strings.HasPrefix(b, a+".") || strings.HasPrefix(a, b+"."))
}

// parts are the words of a label or a name in lower case: whole ones, and their pieces between underscores.
func parts(text string) (out []string) {
	for _, w := range fileWords(text) {
		lower := strings.ToLower(w.text)
		out = append(out, lower)
		if pieces := strings.FieldsFunc(lower, func(r rune) bool { return r == '_' || r == '=' }); len(pieces) > 1 {
			out = append(out, pieces...)
		}
	}
	return out
}

// byPlace finds the only series that has runs in the same file, else in the same folder.
func byPlace(curves []*bench.Curve, file string) *bench.Curve {
	folder := func(f string) string {
		folder, _ := source.Split(f)
		return folder
	}
	for _, here := range []func(string) bool{
		func(f string) bool { return f == file },
		func(f string) bool { return folder(f) == folder(file) },
	} {
		var found *bench.Curve
		several := false
		for _, c := range curves {
			if slices.ContainsFunc(c.Points, func(p bench.Point) bool {
				return slices.ContainsFunc(p.Runs, func(r *bench.Run) bool { return here(r.At.File) })
			}) {
				several = found != nil
				if several {
					break
				}
				found = c
			}
		}
		if found != nil {
			if several {
				return nil
			}
			return found
		}
	}
	return nil
}
