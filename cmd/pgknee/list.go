package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"pgknee/analysis"
	"pgknee/analysis/advise"
	"pgknee/analysis/chart"
	"pgknee/analysis/format/all"
	"pgknee/analysis/settings"
)

// listFormats prints what is read, and what is only recognised.
func listFormats(w io.Writer) {
	for _, f := range all.Formats {
		fmt.Fprintf(w, "%-22s %s\n", f.Name, f.Doc)
		if f.Refuse != "" {
			fmt.Fprintf(w, "%-22s   refused: %s\n", "", f.Refuse)
		}
	}
}

// listRules prints the rule base: what each rule advises, on what evidence, and who says so.
func listRules(w io.Writer) {
	for _, r := range analysis.Rules() {
		fmt.Fprintf(w, "%s: %s\n", r.ID, r.Title)
		mark := map[string]string{"V": "source read", "K": "verified from documentation, never strong"}[r.Mark]
		field(w, "kind", r.Kind+" ("+mark+")")
		field(w, "verified", r.Verified)
		field(w, "setting", strings.TrimSuffix(r.Setting+" → "+r.To, " → "))
		field(w, "cause", r.Cause)
		field(w, "advice", r.Advice)
		for _, c := range []struct {
			name string
			when *advise.Expr
		}{{"only when", r.When}, {"not when", r.Unless}, {"signature", r.Signature}, {"symbol", r.Symbol}, {"risk", r.Risk}} {
			field(w, c.name, strings.ReplaceAll(c.when.String(), "|", " | "))
		}
		for _, c := range r.Caveats {
			field(w, "against it", c)
		}
		field(w, "falsified by", r.Falsify)
		for _, s := range r.Sources {
			field(w, "source", s)
		}
		fmt.Fprintln(w)
	}
}

// field prints a named text, folded at 100 columns; nothing for an empty one.
func field(w io.Writer, name, text string) {
	if text == "" {
		return
	}
	for _, line := range chart.Fold(text, 84) {
		fmt.Fprintf(w, "  %-13s %s\n", name, line)
		name = ""
	}
}

// takesEffect says when a change of a setting takes effect, by its context.
var takesEffect = map[string]string{
	"postmaster": "restart", "sighup": "reload", "user": "in a session", "superuser": "in a session, by a superuser", "backend": "new sessions", "superuser-backend": "new sessions, by a superuser",
	"internal": "fixed when built or initialised",
}

// listSettings prints the catalogue: each setting's defaults by version, when a change takes effect, and where that is said.
func listSettings(w io.Writer) {
	c := settings.Embedded()
	for _, name := range c.Names() {
		for i, e := range c.Rows(name) {
			if i == 0 {
				fmt.Fprintln(w, e.Name)
			}
			fmt.Fprintf(w, "  %-10s %s (%s, %s: %s)\n", e.Versions(), cmp.Or(e.Text(), "''"), e.Type, e.Context, takesEffect[e.Context])
			if e.Values != "" {
				fmt.Fprintf(w, "  %-10s %s\n", "", strings.ReplaceAll(e.Values, "|", ", "))
			}
			if e.Min != "" || e.Max != "" {
				fmt.Fprintf(w, "  %-10s %s to %s\n", "range", e.Min, e.Max)
			}
			fmt.Fprintf(w, "  %-10s %s; %s\n", "source", e.Source, e.Doc)
		}
	}
}
