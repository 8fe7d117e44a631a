package main

import (
	"fmt"
	"io"
	"strings"

	"pgknee/analysis"
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

// listRules prints the rule base with its sources.
func listRules(w io.Writer) {
	for _, r := range analysis.Rules() {
		fmt.Fprintf(w, "%s (%s, %s)\n  %s\n", r.ID, r.Kind, r.Mark, r.Title)
		for _, c := range []struct {
			name string
			when fmt.Stringer
			set  bool
		}{{"when", r.When, r.When != nil}, {"signature", r.Signature, r.Signature != nil}, {"symbol", r.Symbol, r.Symbol != nil}, {"risk", r.Risk, r.Risk != nil}} {
			if c.set {
				fmt.Fprintf(w, "  %-10s %s\n", c.name, c.when)
			}
		}
		for _, s := range r.Sources {
			fmt.Fprintf(w, "  %-10s %s\n", "source", s)
		}
	}
}

// listSettings prints the catalogue: each setting's defaults by version, when a change takes effect, and where that is said.
func listSettings(w io.Writer) {
	c := settings.Known()
	for _, name := range c.Names() {
		for i, e := range c.Rows(name) {
			if i == 0 {
				fmt.Fprintln(w, e.Name)
			}
			fmt.Fprintf(w, "  %-10s %s%s (%s, %s)\n", e.Versions(), e.Default, e.Unit, e.Type, e.Context)
			if e.Values != "" {
				fmt.Fprintf(w, "  %-10s %s\n", "", strings.ReplaceAll(e.Values, "|", ", "))
			}
			fmt.Fprintf(w, "  %-10s %s; %s\n", "source", e.Source, e.Doc)
		}
	}
}
