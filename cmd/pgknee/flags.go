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

// newFlags begins the flags of a command that takes inputs; doc says what it does.
func newFlags(command, doc string, stderr io.Writer) *flag.FlagSet {
	flags := flag.NewFlagSet("pgknee "+command, flag.ContinueOnError)
	quiet(flags, fmt.Sprintf("usage: pgknee %s [flags] FILE|DIR|-...\n\n%s\n\n", command, doc), stderr)
	return flags
}

// quiet makes flags print their help only when asked for it: beside an error it would hide the error.
func quiet(flags *flag.FlagSet, usage string, stderr io.Writer) {
	flags.SetOutput(io.Discard)
	flags.Usage = func() {
		flags.SetOutput(stderr)
		fmt.Fprint(stderr, usage)
		flags.PrintDefaults()
		flags.SetOutput(io.Discard)
	}
}

// parseFlags parses, and tells of an error in one line.
func parseFlags(flags *flag.FlagSet, args []string, stderr io.Writer) error {
	usage := flags.Usage
	flags.Usage = func() {}
	err := flags.Parse(args)
	flags.Usage = usage
	if errors.Is(err, flag.ErrHelp) {
		usage()
	} else if err != nil {
		fmt.Fprintf(stderr, "%s: %v; %s -h lists the flags\n", flags.Name(), err, flags.Name())
	}
	return err
}

// parse takes flags and inputs in any order; ok is false when the command ends here, with the given exit status.
func parse(flags *flag.FlagSet, args []string, stderr io.Writer) (files []string, status int, ok bool) {
	for len(args) > 0 {
		if err := parseFlags(flags, args, stderr); err != nil {
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
func inputFlags(flags *flag.FlagSet) func() (analysis.Options, error) {
	baseline := flags.String("baseline", "", "compare the others with the series of this `label` (default: found by name and version)")
	series := flags.String("series", "", "tell series apart by these `attributes`, as version,queryMode or a setting's name (default: found)")
	columns := flags.String("columns", "", "`roles` of a table's columns, as clients,tps,series,run,- (default: found by headings and values)")
	formatName := flags.String("format", "", "read every input as the format of this `name` (default: recognised)")
	cores := flags.Int("cores", 0, "the server has `n` hardware threads")
	residuals := flags.String("residuals", "log", "fit laws on residuals of this `kind`: log, or linear as older publications did")
	return func() (analysis.Options, error) {
		o := analysis.Options{
			Baseline: *baseline, Cores: *cores, Residuals: *residuals,
			Columns: map[string]string{"": *columns}, Format: map[string]string{"": *formatName},
		}
		if *series != "" {
			o.Series = strings.Split(*series, ",")
		}
		return o, o.Check()
	}
}
