package main

import (
	"flag"
	"strings"

	"pgknee/analysis"
)

// inputFlags adds the flags that say how inputs are read; call the result after parsing.
func inputFlags(flags *flag.FlagSet) func() analysis.Options {
	baseline := flags.String("baseline", "", "label of the series that the others are compared with")
	series := flags.String("series", "", "attributes that tell series apart, separated by commas")
	columns := flags.String("columns", "", `roles of a table's columns, as "clients,tps,series,run,-"`)
	formatName := flags.String("format", "", "read every input as this format")
	cores := flags.Int("cores", 0, "hardware threads of the server")
	residuals := flags.String("residuals", "log", "fit on log or linear residuals")
	return func() analysis.Options {
		o := analysis.Options{
			Baseline: *baseline, Cores: *cores, Residuals: *residuals,
			Columns: map[string]string{"": *columns}, Format: map[string]string{"": *formatName},
		}
		if *series != "" {
			o.Series = strings.Split(*series, ",")
		}
		return o
	}
}
