package main

import (
	"fmt"
	"io"

	"pgknee/analysis/model"
)

// listModels prints the laws with formula, parameters and source.
func listModels(w io.Writer) {
	fmt.Fprintf(w, `Laws of throughput X over the number of clients N. Each is fitted to every curve that has samples enough for it (4 more than it has
parameters), by least squares of ln X, or of X with --residuals linear, and ranked by AICc. Intervals and bands are 95 %% ones by profile likelihood;
they hold only if the law does. Peaks and floors are not claimed beyond twice the largest count measured.
`)
	for _, l := range model.Laws {
		fmt.Fprintf(w, "\n%s: %s\n  %s\n  %s.\n", l.Name, l.Title, l.Formula, l.Meaning)
		for _, p := range l.Parameters {
			unit := ""
			if p.Unit != "" {
				unit = " (" + p.Unit + ")"
			}
			fmt.Fprintf(w, "    %-10s %s%s\n", p.Name, p.Doc, unit)
		}
		fmt.Fprintf(w, "  Source: %s\n", l.Source)
	}
}
