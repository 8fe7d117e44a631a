package advise

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pgknee/analysis/report"
)

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// fill replaces {name} by a fact of the case; a sentence with a fact that is not known is left out.
func (f *finding) fill(text string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	var kept []string
	for _, sentence := range strings.SplitAfter(text, ". ") {
		known := true
		filled := placeholder.ReplaceAllStringFunc(sentence, func(m string) string {
			v := f.fact(m[1 : len(m)-1])
			known = known && v != ""
			return v
		})
		if known {
			kept = append(kept, filled)
		}
	}
	return strings.TrimSpace(strings.Join(kept, ""))
}

// fact is a fact of the case as text; "" for unknown.
func (f *finding) fact(name string) string {
	switch name {
	case "worse":
		if f.worse.series != nil {
			return f.worse.series.Label
		}
	case "better":
		if f.better != nil && f.better.series != nil {
			return f.better.series.Label
		}
	case "from":
		if v, ok := f.setting(f.worse, f.rule.Setting); ok {
			return plain(v)
		}
		return f.rule.From
	case "default": // no default changes without the restoring run
		if f.rule.Kind == "default" && f.restored {
			return "the default"
		}
	case "to":
		if v, ok := f.setting(f.better, f.rule.Setting); ok && f.rule.To == "" {
			return plain(v)
		}
		return f.rule.To
	case "nexts":
		return join(nextCounts(f.worse.series))
	case "run": // one run at the largest count
		return f.runAt(f.largest())
	case "runprepared":
		return strings.Replace(f.runAt(f.largest()), "pgbench -n", "pgbench -n -M prepared", 1)
	case "sweep": // all counts once
		return f.loop(f.counts(), 1)
	case "sweeps": // as often as it takes to settle the comparison
		n, _ := f.lookup("needed", nil).(float64)
		return f.loop(f.counts(), int(n))
	case "nextsweep":
		return f.loop(nextCounts(f.worse.series), 1)
	case "init":
		if n := f.largest(); n > 0 {
			return "pgbench -i -s " + strconv.Itoa(n)
		}
	case "worstrun":
		if f.comparison != nil && f.comparison.Worst != nil {
			return f.runAt(f.comparison.Worst.Clients)
		}
	case "duration":
		return strconv.Itoa(f.duration())
	case "aborted", "throttled":
		flag := map[string]string{"aborted": "aborted", "throttled": "rate-limited"}[name]
		var counts []int
		for _, run := range f.worse.runs {
			if run.Clients != nil && slices.Contains(run.Flags, flag) && !slices.Contains(counts, *run.Clients) {
				counts = append(counts, *run.Clients)
			}
		}
		slices.Sort(counts)
		return f.loop(counts, 1)
	case "bracket":
		if s := f.worse.series; s != nil && s.Peak != nil && len(s.Peak.BracketClients) == 2 {
			if s.Peak.BracketClients[1] == s.Peak.Clients {
				return fmt.Sprintf("lies at %d or more", s.Peak.BracketClients[0])
			}
			return fmt.Sprintf("lies between %d and %d", s.Peak.BracketClients[0], s.Peak.BracketClients[1])
		}
	case "latencycost":
		if v, ok := latencyCost(f.r).(float64); ok {
			return fmt.Sprintf("%.0f %%", 100*v)
		}
	case "jobs":
		if n, ok := f.lookup("clients", nil).(float64); ok {
			return strconv.Itoa(f.jobs(int(n)))
		}
	case "fall":
		if v, ok := f.lookup("fall", nil).(float64); ok {
			return fmt.Sprintf("%.0f %%", 100*v)
		}
	case "clientshare":
		if v, ok := f.lookup("clientshare", nil).(float64); ok {
			return share100(v)
		}
	default:
		if _, ok := facts[name]; ok && facts[name] == 0 {
			switch v := f.lookup(name, nil).(type) {
			case float64:
				if v == math.Trunc(v) && math.Abs(v) < 1e9 {
					return fmt.Sprintf("%.0f", v)
				}
				return fmt.Sprintf("%.3g", v)
			case string:
				return v
			}
		}
	}
	return ""
}

// nextCounts are the client counts to measure next: those that halve, on the log scale, the bracket in which the peak lies, and one beyond
// the largest where that is the highest.
func nextCounts(s *report.Series) []int {
	if s == nil || s.Peak == nil || len(s.Peak.BracketClients) != 2 {
		return nil
	}
	var out []int
	at := []int{s.Peak.BracketClients[0], s.Peak.Clients, s.Peak.BracketClients[1]}
	for i := 1; i < len(at); i++ {
		if at[i] > 4*at[i-1] && at[i-1] > 0 { // a wide gap takes two
			if third := round2(math.Cbrt(float64(at[i-1]) * float64(at[i-1]) * float64(at[i]))); third > at[i-1] {
				out = append(out, third)
			}
			if third := round2(math.Cbrt(float64(at[i-1]) * float64(at[i]) * float64(at[i]))); third < at[i] && !slices.Contains(out, third) {
				out = append(out, third)
			}
			continue
		}
		if mid := (at[i-1] + at[i]) / 2; mid > at[i-1] && mid < at[i] {
			out = append(out, mid)
		}
	}
	if at[2] == s.Peak.Clients { // nothing was measured beyond it
		out = append(out, 2*at[2])
	}
	return out
}

// round2 rounds to two digits: client counts are chosen by people.
func round2(v float64) int {
	step := 1.0
	for v/step >= 100 {
		step *= 10
	}
	return int(math.Round(v/step) * step)
}

// join lists numbers as a sentence does.
func join(numbers []int) string {
	var b strings.Builder
	for i, n := range numbers {
		switch {
		case i > 0 && i == len(numbers)-1:
			b.WriteString(" and ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}

// effect is the size of what was found: from where on, at the worst count, and on the curve as a whole.
func (f *finding) effect() string {
	c := f.comparison
	var parts []string
	if c.Onset != nil && c.Onset.At > 0 {
		parts = append(parts, fmt.Sprintf("from %d clients on", c.Onset.At))
	}
	if c.Worst != nil {
		parts = append(parts, percent(c.Worst.Ratio)+" at "+plural(float64(c.Worst.Clients), "client", "clients"))
	}
	if c.Floor != nil {
		parts = append(parts, fmt.Sprintf("floor × %.2f", *c.Floor))
	}
	if c.Onset != nil && c.Onset.After > 0 {
		parts = append(parts, "nothing found at "+strings.TrimSuffix(fewer(c), " clients"))
	}
	return strings.Join(parts, ", ")
}

// timesFrom is the ratio from which sentences say how many times and not how many per cent more.
const timesFrom = 5

// percent writes a ratio as a signed percentage, from five on as how many times.
func percent(ratio float64) string {
	if ratio >= 100 {
		return count(rounded(ratio)) + " times"
	}
	if ratio >= timesFrom {
		return strconv.FormatFloat(ratio, 'f', 1, 64) + " times"
	}
	v := 100 * (ratio - 1)
	digits := 0
	if v < 9.95 && v > -9.95 {
		digits = 1
	}
	s := fmt.Sprintf("%+.*f %%", digits, v)
	return strings.Replace(s, "-", "−", 1)
}

// paragraph is the text to paste: what was compared, what changed and what did not, why the cause is believed, the advice, what speaks
// against it, what would falsify it.
func (f *finding) paragraph(rec report.Recommendation) string {
	var b strings.Builder
	say := func(s string) {
		if s = strings.TrimSpace(s); s == "" {
			return
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s)
		if !strings.ContainsAny(s[len(s)-1:], ".!?:") {
			b.WriteByte('.')
		}
	}
	if f.rule.Alone {
		say(rec.Advice)
		return b.String()
	}
	for _, e := range rec.Evidence {
		switch {
		case e.Kind == "comparison" && e.Ref != "variation", e.Kind == "restoration", e.Ref != "" && strings.HasPrefix(e.Text, e.Ref): // begins with a name
			say(e.Text)
		case e.Kind == "attribution":
		default:
			say(upper(e.Text))
		}
	}
	for _, e := range rec.Evidence {
		if e.Kind == "attribution" {
			say(upper(e.Text))
		}
	}
	if rec.Confidence != "strong" && f.rule.Cause != "" {
		say("This is consistent with " + f.rule.Cause)
	}
	say(rec.Advice)
	if d := f.different(); len(d) > 1 {
		say("Several settings differ at once (" + strings.Join(d, ", ") + "), so the data cannot tell which of them matters")
	}
	if len(rec.Caveats) > 0 {
		say("Against it: " + strings.Join(rec.Caveats, "; "))
	}
	if len(rec.Scope) > 0 {
		say("Scope: " + strings.Join(rec.Scope, "; "))
	}
	if len(rec.Rivals) > 0 {
		say("Not excluded: " + strings.Join(rec.Rivals, "; "))
	}
	if rec.Falsify != "" {
		say("What would change this: " + rec.Falsify)
	}
	return b.String()
}

// upper begins a sentence with a capital, unless its first word is a name.
func upper(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' && !strings.ContainsAny(strings.SplitN(s, " ", 2)[0], "_.0123456789") {
		return strings.ToUpper(s[:1]) + s[1:]
	}
	return s
}
