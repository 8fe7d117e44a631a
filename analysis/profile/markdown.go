package profile

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"pgknee/analysis/report"
)

// WriteMarkdown writes the functions with the most self weight, at most n, as a table.
func WriteMarkdown(w io.Writer, p *Profile, n int) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s: %s %s", codeSpan(p.Label), thousands(p.Total), p.Unit)
	if samples, known := p.SampleCount(); known && p.Unit != "samples" {
		fmt.Fprintf(out, " in %s samples", thousands(samples))
	}
	if p.Event != "" && p.Event != p.Unit {
		fmt.Fprintf(out, ", event %s", codeSpan(p.Event))
	}
	out.WriteString("\n\n| self | total | function |\n|---:|---:|:---|\n")
	for i, f := range p.KnownFunctions() {
		if i == n {
			break
		}
		fmt.Fprintf(out, "| %s | %s | %s |\n", percent(f.Self, f.SelfKnown, p.Total), percent(f.Total, f.TotalKnown, p.Total), cell(f.Name))
	}
	return out.Flush()
}

// WriteDifferenceMarkdown writes the functions whose shares changed most, at most n, as a table. Points are of the total of each side.
func WriteDifferenceMarkdown(w io.Writer, c report.ProfileComparison, n int) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s → %s, shares of each side's total\n\n| self | | points | total | | points | function |\n|---:|---:|---:|---:|---:|---:|:---|\n", codeSpan(c.Baseline), codeSpan(c.Candidate))
	side := func(from, to float64, unknown bool) string {
		if unknown {
			return "| | | |"
		}
		return fmt.Sprintf("| %.2f%% | %.2f%% | %+.2f |", 100*from, 100*to, 100*(to-from))
	}
	for _, f := range c.Changes[:min(n, len(c.Changes))] {
		fmt.Fprintf(out, "%s%s %s |\n", side(f.SelfFrom, f.SelfTo, f.Unknown == "self"), side(f.TotalFrom, f.TotalTo, f.Unknown == "total")[1:], cell(f.Function))
	}
	for _, note := range c.Notes {
		fmt.Fprintf(out, "\n%s\n", note)
	}
	return out.Flush()
}

// longest is how many characters of a name a table shows.
const longest = 200

// cell writes the name of a function for a table.
func cell(name string) string {
	if r := []rune(name); len(r) > longest {
		name = string(r[:longest]) + "…"
	}
	return strings.ReplaceAll(codeSpan(name), "|", `\|`)
}

// percent writes a share with two decimals, and what is known of it.
func percent(weight float64, known Known, total float64) string {
	sign := ""
	switch known {
	case Nothing:
		return ""
	case AtLeast:
		sign = "≥ "
	case AtMost:
		sign = "≤ "
	}
	if total <= 0 {
		return ""
	}
	return fmt.Sprintf("%s%.2f%%", sign, 100*share(weight, total))
}

// codeSpan writes a text from an input as Markdown code, so that none of it is taken for markup.
func codeSpan(s string) string {
	s = strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f || isBidi(c) {
			return ' '
		}
		return c
	}, s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if s == "" || s[0] == '`' || s[len(s)-1] == '`' {
		s = " " + s + " "
	}
	return fence + s + fence
}

// isBidi tells whether a character changes the direction of the text after it.
func isBidi(c rune) bool {
	return c >= 0x202A && c <= 0x202E || c >= 0x2066 && c <= 0x2069 || c == 0x200E || c == 0x200F || c == 0x061C
}

// thousands writes a number with commas between groups of three digits.
func thousands(x float64) string {
	s := number(x)
	digits := len(s)
	for i, c := range s {
		if (c < '0' || c > '9') && c != '-' {
			digits = i
			break
		}
	}
	if strings.ContainsAny(s, "eE") {
		return s
	}
	for i := digits - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
