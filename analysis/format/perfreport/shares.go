package perfreport

import (
	"bytes"
	"slices"
	"strings"

	"pgknee/analysis/format"
	"pgknee/analysis/profile"
	"pgknee/analysis/settings"
	"pgknee/analysis/source"
)

// Shares is a list of shares in prose, as in "for 16.3 I see 85.24% in ExecInterpExpr vs 11.64% in SeqNext": for each version a
// partial profile that knows the inclusive shares of a few functions.
var Shares = &format.Block{
	Name: "shares",
	Claims: func(lines []source.Line) int {
		_, n := shareLines(lines)
		return n
	},
	Read: func(c *format.Context, passage format.Passage) {
		list, _ := shareLines(passage.Lines)
		host, first := hostIn(passage.Heading), len(c.Profiles)
		for _, s := range list {
			p := shareProfile(c, s, host, first)
			p.Stated[s.function] = profile.Weights{Self: profile.NotKnown, Total: s.percent}
		}
	},
}

// shareOf is one statement: this function has this share in this version.
type shareOf struct {
	line     int
	label    string
	host     string
	function string
	percent  float64
}

// shareLines gives the statements of the lines that begin a list of them, and how many lines it takes: 0 when there is none.
func shareLines(lines []source.Line) (list []shareOf, n int) {
	if list, n = shareTable(lines); n > 0 {
		return list, n
	}
	for n < len(lines) {
		if bytes.IndexByte(lines[n].Text, '%') < 0 {
			if under, took := listUnder(lines[n:]); under != nil {
				list = append(list, under...)
				n += took
				continue
			}
			if len(list) > 0 && len(bytes.TrimSpace(lines[n].Text)) == 0 && n+1 < len(lines) {
				if under, took := listUnder(lines[n+1:]); under != nil {
					list = append(list, under...)
					n += 1 + took
					continue
				}
			}
			break
		}
		text, took := clean(lines[n].Text), 1
		found := sharesIn(text, lines[n].No)
		if n+1 < len(lines) && (len(found) == 0 || strings.HasSuffix(text, " in") || strings.HasSuffix(text, "%") && !namesFirst(classify(text))) {
			// A sentence that goes on in the next line.
			if more := sharesIn(text+" "+clean(lines[n+1].Text), lines[n].No); len(more) > len(found) {
				found, took = more, 2
			}
		}
		if len(found) == 0 {
			break
		}
		list = append(list, found...)
		n += took
	}
	if len(list) == 0 || len(list) == 1 && !aboutProfiles(clean(lines[0].Text)) {
		return nil, 0
	}
	return list, n
}

// shareTable reads a table of functions with a column of shares for each version:
//
//	| function | 16.3  | 17beta1 |        s_lock   0.57%   26.37%
//	| s_lock   | 0.57% | 26.37%  |
//
// A table of anything else has other names than those of functions, or says so in its head.
func shareTable(lines []source.Line) (list []shareOf, n int) {
	percents := func(l source.Line) bool { return bytes.IndexByte(l.Text, '%') >= 0 }
	if percents(lines[0]) || !slices.ContainsFunc(lines[1:min(len(lines), 3)], percents) {
		return nil, 0
	}
	head := cells(lines[0].Text)
	n = 1
	if n < len(lines) && len(head) > 2 && strings.Trim(clean(lines[n].Text), "|-:+ ") == "" {
		n++
	}
	rows, program := 0, false
	for ; n < len(lines); n++ {
		row := cells(lines[n].Text)
		if len(row) < 3 || len(row) != len(head) && len(row) != len(head)+1 || !functionLike(strings.Trim(row[0], "`")) {
			break
		}
		found := make([]shareOf, 0, len(row)-1)
		for i, c := range row[1:] {
			v, rest, ok := percent(c)
			label := head[len(head)-len(row)+1+i]
			if !ok || rest != "" || !versionLike(label) && label != "before" && label != "after" {
				return nil, 0
			}
			found = append(found, shareOf{line: lines[n].No, label: label, function: strings.Trim(row[0], "`"), percent: v})
		}
		switch {
		case len(head) == len(row):
			first := strings.ToLower(head[0])
			program = strings.Contains(first, "function") || strings.Contains(first, "symbol") || strings.Contains(first, "frame")
		case strings.ToLower(row[0]) != row[0]: // settings have no capitals
			program = true
		}
		rows++
		list = append(list, found...)
	}
	if rows < 2 || !program {
		return nil, 0
	}
	return list, n
}

// cells splits a line of a table at its bars, else at two blanks and at tabs.
func cells(line []byte) (out []string) {
	text := strings.TrimSpace(clean(line))
	if text == "" || len(text) > 1000 {
		return nil
	}
	if strings.HasPrefix(text, "|") {
		for c := range strings.SplitSeq(strings.Trim(text, "|"), "|") {
			out = append(out, strings.TrimSpace(c))
		}
		return out
	}
	return splitWide(text)
}

// listUnder reads a line that names a version, alone or in a sentence that ends in a colon, or says that what follows is a profile,
// and the shares below it, one a line: two of them at least. took is how many lines that is.
func listUnder(lines []source.Line) (list []shareOf, took int) {
	above := strings.TrimSpace(clean(lines[0].Text))
	label := versionOf(above)
	if label == "" {
		if !ofProfile(above) || !strings.HasSuffix(above, ":") && len(above) > 60 {
			return nil, 0
		}
		label, _ = heading(above)
	}
	for i, l := range lines[1:] {
		words := strings.Fields(item(clean(l.Text)))
		if len(words) == 0 && len(list) == 0 && i == 0 {
			continue
		}
		if len(words) != 2 {
			break
		}
		if functionLike(strings.Trim(words[0], "`:,()")) {
			words[0], words[1] = words[1], words[0]
		}
		name := strings.Trim(words[1], "`:,()")
		v, rest, ok := percent(strings.Trim(words[0], "~:,()"))
		if !ok || rest != "" || !functionLike(name) {
			break
		}
		list = append(list, shareOf{line: l.No, label: label, function: name, percent: v})
		took = i + 2
	}
	if len(list) < 2 || versionOf(above) == "" && setsSomething(list) {
		return nil, 0
	}
	return list, took
}

// setsSomething tells whether a list has the name of a setting: its percentages may be of anything.
func setsSomething(list []shareOf) bool {
	return slices.ContainsFunc(list, func(s shareOf) bool { return settings.Embedded().Has(s.function) })
}

// item takes off what stands before an item of a list, and the blank between a number and its sign.
func item(line string) string {
	line = strings.TrimLeft(line, " -*\u2022")
	if n := len(line) - len(strings.TrimLeft(line, "0123456789")); n > 0 && n < 3 && (strings.HasPrefix(line[n:], ". ") || strings.HasPrefix(line[n:], ") ")) {
		line = line[n+1:]
	}
	return strings.ReplaceAll(line, " %", "%")
}

// ofProfile tells whether a line says that it speaks of a profile.
func ofProfile(line string) bool {
	for w := range strings.FieldsSeq(line) {
		w = strings.ToLower(strings.Trim(w, "`'\"*,;:()!?."))
		if w == "perf" || w == "flamegraph" || strings.HasPrefix(w, "profil") || w == "samples" {
			return true
		}
	}
	return false
}

// versionOf gives the version that a line names as what is below it: the whole line, or the one version of a sentence that ends in a
// colon.
func versionOf(line string) (label string) {
	line = strings.TrimSpace(line)
	if whole := strings.TrimRight(line, ":"); versionLike(whole) {
		return whole
	}
	if !strings.HasSuffix(line, ":") {
		return ""
	}
	for w := range strings.FieldsSeq(line) {
		if w = strings.Trim(w, "`'\"*,;:()"); versionLike(w) {
			if label != "" && label != w {
				return ""
			}
			label = w
		}
	}
	return label
}

// aboutProfiles tells whether a sentence says that its percentages are of time.
func aboutProfiles(text string) bool {
	for _, w := range []string{"flame", "perf ", "profile", "samples", "CPU", "cycles", "time in", "of the time", "I see"} {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// notShares are words of sentences whose percentages are of something else.
var notShares = []string{"tps", "TPS", "QPS", "faster", "slower", "throughput", "latency", "regress", "drop", "speedup", "improve"}

type word struct {
	text     string
	kind     byte // '%' share, 'f' function, 'v' version, ' ' other
	value    float64
	preposed bool // after for, in, on, with
}

// sharesIn reads the statements of a sentence.
func sharesIn(text string, line int) (list []shareOf) {
	words := classify(text)
	if moved := movesIn(words, line); len(moved) > 0 {
		return moved
	}
	for _, w := range notShares {
		if strings.Contains(text, w) {
			return nil
		}
	}
	label, function, told := "", "", ""
	for _, w := range words {
		if w.kind == 'v' && label == "" {
			label = w.text
		}
	}
	if label == "" && !ofProfile(text) {
		return nil
	}
	host := hostIn(text)
	before := namesFirst(words)
	taken := -1 // the function that a share before it spoke of
	for i, w := range words {
		switch w.kind {
		case 'f':
			if function = w.text; i == taken {
				function = ""
			}
		case 'v':
			if w.preposed && (i == 0 || words[i-1].kind != '%') {
				label = w.text // what follows is of this version
			}
		case '%':
			s := shareOf{line: line, label: label, host: host, function: function, percent: w.value}
			after := words[i+1:]
		look:
			for k, a := range after[:min(len(after), 7)] {
				switch {
				case a.kind == 'f' && before:
					break look
				case a.kind == 'f':
					s.function, taken = a.text, i+1+k
					break look
				case a.kind == '%':
					break look
				case a.kind == 'v' && k <= 2:
					if s.function == "" { // vs 6.84% with 16.3: of the function before
						s.function = told
					}
					s.label = a.text
					break look
				case a.kind == 'v':
					break look
				}
			}
			if s.function != "" {
				list = append(list, s)
				told = s.function
			}
		}
	}
	if list = contradicted(list); label == "" && (len(list) < 2 || setsSomething(list)) {
		return nil
	}
	return list
}

// contradicted leaves out functions that a sentence gives two shares of in one version: whose the second is, it does not say.
func contradicted(list []shareOf) []shareOf {
	return slices.DeleteFunc(slices.Clone(list), func(s shareOf) bool {
		return slices.ContainsFunc(list, func(o shareOf) bool {
			return o.function == s.function && o.label == s.label && o.percent != s.percent
		})
	})
}

// movesIn reads "s_lock went from 3% to 12%", and "s_lock 3% -> 12%", for each function of a sentence. The two sides are the two versions that it names,
// else before and after.
func movesIn(words []word, line int) (list []shareOf) {
	labels := []string{"before", "after"}
	var versions []string
	for _, w := range words {
		if versionLike(w.text) && !slices.Contains(versions, w.text) {
			versions = append(versions, w.text)
		}
	}
	if len(versions) == 2 {
		labels = versions
	}
	for i := 3; i < len(words); i++ {
		if words[i].kind != '%' || words[i-2].kind != '%' || !isArrow(words[i-1].text) && (words[i-1].text != "to" || words[i-3].text != "from") {
			continue
		}
		for k := i - 3; k >= max(0, i-8); k-- { // the function, and a few words on how it went
			if words[k].kind == '%' {
				break
			}
			if words[k].kind == 'f' {
				for side, at := range []int{i - 2, i} {
					list = append(list, shareOf{line: line, label: labels[side], function: words[k].text, percent: words[at].value})
				}
				break
			}
		}
	}
	return list
}

func isArrow(s string) bool { return s == "->" || s == "=>" || s == "-->" || s == "\u2192" }

// namesFirst tells whether shares stand behind their functions, as in "ExecInterpExpr 45.2%, SeqNext 12.1%": the first of both is a
// function, the last a share.
func namesFirst(words []word) bool {
	first, last := byte(0), byte(0)
	for _, w := range words {
		if w.kind == 'f' || w.kind == '%' {
			if first == 0 {
				first = w.kind
			}
			last = w.kind
		}
	}
	return first == 'f' && last == '%'
}

// classify splits a sentence into words and says what each can be.
func classify(text string) (words []word) {
	before, beforeThat := "", ""
	for t := range strings.FieldsSeq(strings.ReplaceAll(text, " %", "%")) {
		w := word{text: strings.Trim(t, "`'\"*,;:()!?."), kind: ' '}
		if before == "the" && w.text == "patch" { // with the patch
			before = beforeThat
		}
		w.preposed = before == "for" || before == "in" || before == "on" || before == "with" || before == "With" || before == "For" || before == "In" || before == "On"
		switch v, rest, ok := percent(strings.TrimLeft(w.text, "~")); {
		case ok && rest == "":
			w.kind, w.value = '%', v
		case versionLike(w.text) && (w.preposed || strings.HasSuffix(t, ":") || len(words) == 0 || strings.Trim(w.text, "0123456789.") != ""):
			w.kind = 'v'
		case functionLike(w.text) || strings.HasSuffix(t, "()") && symbolLike(w.text):
			w.kind = 'f'
		}
		words = append(words, w)
		before, beforeThat = t, before
	}
	return words
}

// versionLike recognises 16.3, v13Beta1, 17beta2, pg17, master, HEAD, patched.
func versionLike(s string) bool {
	switch strings.ToLower(s) {
	case "master", "head", "patched", "unpatched", "patch":
		return true
	}
	t := strings.ToLower(s)
	prefixed := false
	t = strings.TrimSuffix(t, "_stable")
	for _, p := range []string{"postgresql", "postgres", "pg", "v", "rel"} {
		if rest, ok := strings.CutPrefix(t, p); ok && rest != "" {
			t, prefixed = strings.TrimLeft(rest, "-_"), true
			break
		}
	}
	v, n := 0, 0
	for n < len(t) && t[n] >= '0' && t[n] <= '9' && n < 3 {
		v = v*10 + int(t[n]-'0')
		n++
	}
	if n == 0 || v < 7 || v > 40 {
		return false
	}
	rest := t[n:]
	for _, w := range []string{"beta", "rc", "alpha", "devel"} {
		if tail, ok := strings.CutPrefix(rest, w); ok {
			return strings.Trim(tail, "0123456789") == ""
		}
	}
	if prefixed && strings.HasPrefix(rest, "_") { // the tag REL_16_3
		rest = "." + rest[1:]
	}
	if minor, ok := strings.CutPrefix(rest, "."); ok {
		return minor != "" && strings.Trim(minor, "0123456789.") == ""
	}
	return rest == "" && prefixed
}

// functionLike recognises names as programs have them: s_lock, ExecInterpExpr.
func functionLike(s string) bool {
	if len(s) < 4 || strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != "" || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	for i := 1; i < len(s); i++ {
		if s[i] == '_' && i+1 < len(s) || s[i] >= 'A' && s[i] <= 'Z' && s[i-1] >= 'a' && s[i-1] <= 'z' {
			return true
		}
	}
	return false
}

// hostIn finds what looks like the name of a machine after "for" or "on": capitals and digits, SER4.
func hostIn(text string) string {
	before := ""
	for t := range strings.FieldsSeq(text) {
		w := strings.Trim(t, "`'\"*,;:()!?.")
		letters := strings.TrimRight(w, "0123456789")
		if (before == "for" || before == "on" || before == "For" || before == "On") && len(letters) >= 2 && letters != w &&
			strings.Trim(letters, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && !versionLike(w) {
			return w
		}
		before = t
	}
	return ""
}

// shareProfile gives the profile that a statement belongs to: of the same version and, where the text names one, the same host. A
// list without a host goes on with that of the list before; one without a version is a profile of its own, the first of its passage.
func shareProfile(c *format.Context, s shareOf, host string, first int) *profile.Profile {
	if s.host != "" {
		host = s.host
	}
	for i, p := range c.Profiles {
		version, told := p.Attributes["version"]
		if p.Unit == "percent" && len(p.Parent) == 1 && (told && version == s.label || !told && i >= first && p.Label == s.label) && (host == "" || p.Attributes["host"] == host) {
			return p
		}
	}
	p := &profile.Profile{
		Label: s.label, At: source.Position{File: c.File, Line: s.line}, Unit: "percent", Total: 100, Partial: true,
		Parent: []int32{-1}, Frame: []profile.FrameID{0}, Self: []float64{0},
		Stated: map[string]profile.Weights{}, Attributes: map[string]string{},
	}
	if versionLike(s.label) || s.label == "before" || s.label == "after" {
		p.Attributes["version"] = s.label
	}
	if host != "" {
		p.Attributes["host"] = host
		for _, other := range c.Profiles {
			if other.Label == s.label {
				p.Label = s.label + " on " + host
			}
		}
	}
	c.Profiles = append(c.Profiles, p)
	return p
}
