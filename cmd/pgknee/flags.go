package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"pgknee/analysis"
)

// newFlags begins the flags of a command that takes inputs.
func newFlags(command string, stderr io.Writer) *flag.FlagSet {
	flags := flag.NewFlagSet("pgknee "+command, flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintf(stderr, "usage: pgknee %s [flags] FILE|DIR|-...\n\n", command)
		flags.PrintDefaults()
	}
	return flags
}

// parse takes flags and inputs in any order; ok is false when the command ends here, with the given exit status.
func parse(flags *flag.FlagSet, args []string, stderr io.Writer) (files []string, status int, ok bool) {
	for len(args) > 0 {
		if err := flags.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, exitRead, false
			}
			return nil, exitUsage, false
		}
		literal := len(args) > flags.NArg() && args[len(args)-flags.NArg()-1] == "--"
		args = flags.Args()
		if literal {
			files = append(files, args...)
			break
		}
		if len(args) > 0 {
			files = append(files, args[0])
			args = args[1:]
		}
	}
	if len(files) == 0 {
		fmt.Fprintf(stderr, "%s: no input: name files, folders, or - for standard input\n", flags.Name())
		return nil, exitUsage, false
	}
	return files, exitRead, true
}

// terminalColumns is the width of the terminal where the shell tells, else a comfortable one.
func terminalColumns() int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n >= 40 {
		return min(n, 140)
	}
	return 100
}

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
