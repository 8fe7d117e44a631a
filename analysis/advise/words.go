package advise

import (
	"fmt"
	"slices"
	"strings"
)

// What a rule that nearly fired lacks, in words.

// lacks names the conditions of a signature that are not met, as words that go on "curves that show".
func (s *scene) lacks(n node) []string {
	if v, ok := n.eval(s).(bool); ok && v {
		return nil
	}
	switch n := n.(type) {
	case logic:
		a, b := s.lacks(n.a), s.lacks(n.b)
		if n.or {
			return []string{strings.Join(a, " and ") + ", or " + strings.Join(b, " and ")}
		}
		return slices.Compact(append(a, b...))
	case negation:
		if c, ok := n.of.(comparison); ok {
			if of, ok := c.a.(call); ok && of.name == "bettervaries" {
				return []string{"less variation inside the runs of the faster side"}
			}
		}
		return []string{"no " + strings.Join(s.lacks(n.of), " and ")}
	case call:
		return []string{map[string]string{"changed": "a change of throughput", "compared": "two sides to compare", "capped": "the same ceiling for all series"}[n.name]}
	case comparison:
		return []string{s.lacking(n)}
	}
	return nil
}

// shapes are what the attributions of a comparison look like.
var shapes = map[string]string{
	"uniform": "a change by the same factor at every count", "contention": "a lower plateau", "collapse": "an earlier peak and a lower floor",
	"unexplained": "a change that no term of the model explains",
}

// lacking says what a condition of a signature asks for.
func (s *scene) lacking(n comparison) string {
	of, _ := n.a.(call)
	limit := ""
	if l, ok := n.b.(literal); ok {
		switch v := l.v.(type) {
		case float64:
			limit = fmt.Sprint(v)
			if v < 1 {
				limit = share100(v)
			}
		case string:
			limit = v
		}
	}
	switch {
	case of.name == "attribution" && n.op == "==":
		return shapes[limit]
	case of.name == "attribution" && limit == "uniform":
		return "a change that is not the same at every count"
	case of.name == "attribution":
		return "a change other than " + shapes[limit]
	case of.name == "worst":
		return "less than " + limit + " of the throughput at the worst count"
	case of.name == "fall":
		return "throughput at the largest count below " + limit + " of the peak"
	case of.name == "clients":
		return limit + " clients or more"
	case of.name == "varies":
		return "variation by " + limit + " or more inside the runs of the slower side"
	case of.name == "gain":
		return limit + " more of the samples in " + of.text(0)
	}
	return ""
}

// symbolWords name what a rule looks for in profiles and wait events, a few of each.
func symbolWords(e *Expr) string {
	var functions, events []string
	for _, c := range calls(e) {
		list := &functions
		names := c.text(0)
		switch c.name {
		case "lock", "lockgain":
			names = c.text(1)
		case "waits", "waitgain":
			list = &events
		case "symbol", "gain", "grew", "self", "selfgain":
		default:
			continue
		}
		for name := range strings.SplitSeq(names, "|") {
			if len(*list) < 3 && !slices.Contains(*list, name) {
				*list = append(*list, name)
			}
		}
	}
	var parts []string
	if len(functions) > 0 {
		parts = append(parts, "time under "+choice(functions))
	}
	if len(events) > 0 {
		parts = append(parts, "sessions that wait for "+choice(events))
	}
	return strings.Join(parts, " or ")
}

// riskWords name what speaks for a rule that has no setting.
func riskWords(e *Expr) string {
	var parts []string
	say := func(words string) {
		if !slices.Contains(parts, words) {
			parts = append(parts, words)
		}
	}
	for _, c := range calls(e) {
		switch c.name {
		case "loaded":
			say(c.text(0) + " among the libraries that are loaded")
		case "version", "betterversion":
			say("the versions of the servers")
		case "label", "betterlabel":
			say("labels of the series that speak of it")
		case "mentions":
			say("a text that speaks of " + c.text(0))
		case "mode", "bettermode":
			say("query protocols that differ")
		case "script":
			say("a script that does it")
		}
	}
	return choice(parts)
}

// choice lists alternatives.
func choice(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
