package advise

import (
	"fmt"
	"strings"
)

// signatureWords say what facts of a signature are, for rules that nearly fired; %s stands for the argument.
var signatureWords = map[string]string{
	"attribution": "what moved", "worst": "the ratio at the worst count", "clients": "the largest client count", "fall": "throughput at the largest count as a share of the peak",
	"varies": "the variation inside the slower side's runs", "bettervaries": "that of the faster side", "changed": "a change of throughput", "compared": "two sides to compare",
	"capped": "the same ceiling for all series", "gain": "growth of the share of %s",
}

var opWords = map[string]string{"==": "is", "!=": "is not", "<": "is below", "<=": "is at most", ">": "is above", ">=": "is at least"}

// inWords renders a signature for a reader; joined tells whether it is a list.
func inWords(n node) (text string, joined bool) {
	switch n := n.(type) {
	case literal:
		if v, ok := n.v.(float64); ok && v > -1 && v < 1 {
			return share100(v), false
		}
		return fmt.Sprint(n.v), false
	case call:
		return strings.Replace(signatureWords[n.name], "%s", n.text(0), 1), false
	case negation:
		of, _ := inWords(n.of)
		return "not: " + of, false
	case logic:
		word := map[bool]string{true: " or ", false: " and "}[n.or]
		side := func(n2 node) string {
			text, list := inWords(n2)
			if l, ok := n2.(logic); list && ok && l.or != n.or {
				return "(" + text + ")"
			}
			return text
		}
		return side(n.a) + word + side(n.b), true
	case comparison:
		a, _ := inWords(n.a)
		b, _ := inWords(n.b)
		return a + " " + opWords[n.op] + " " + b, false
	}
	return "", false
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
			if len(*list) < 3 {
				*list = append(*list, name)
			}
		}
	}
	var parts []string
	if len(functions) > 0 {
		parts = append(parts, "time under "+strings.Join(functions, ", "))
	}
	if len(events) > 0 {
		parts = append(parts, "sessions that wait for "+strings.Join(events, ", "))
	}
	return strings.Join(parts, ", or ")
}
