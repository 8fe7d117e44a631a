package main

import (
	"fmt"
	"io"
	"slices"

	"pgknee/analysis"
)

const usage = `pgknee says where throughput bends, why, and which default should change.

usage: pgknee analyze [flags] FILE|DIR|-...   read, compare, explain, recommend
       pgknee chart [flags] FILE|DIR|-...     draw a chart (SVG)
       pgknee serve [flags]                   serve the page on this machine

       pgknee formats                         what is read, and what is refused with a hint
       pgknee models                          laws of throughput: formula, parameters, source
       pgknee rules                           what leads to a recommendation
       pgknee settings                        defaults of PostgreSQL's settings, by version
       pgknee version

pgknee COMMAND -h lists the flags of a command. Inputs are benchmark output, logs, tables, mails, profiles and
settings; folders are walked, archives and compressed files opened, - is standard input.
`

// lists print what is known.
var lists = map[string]func(io.Writer){"formats": listFormats, "models": listModels, "rules": listRules, "settings": listSettings, "version": version}

func version(w io.Writer) { fmt.Fprintln(w, "pgknee "+analysis.Version) }

func isHelp(arg string) bool { return slices.Contains([]string{"-h", "-help", "--help"}, arg) }

// run is the whole program, for tests to call; the result is the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stderr, usage)
		return exitUsage
	}
	command, rest := args[0], args[1:]
	if list := lists[command]; list != nil {
		if len(rest) > 0 && !isHelp(rest[0]) {
			fmt.Fprintf(stderr, "pgknee %s: takes no arguments\n", command)
			return exitUsage
		}
		list(stdout)
		return exitRead
	}
	switch command {
	case "analyze":
		return analyze(rest, stdin, stdout, stderr)
	case "chart":
		return drawCharts(rest, stdin, stdout, stderr)
	case "serve":
		return serve(rest, stdout, stderr)
	case "help", "-h", "-help", "--help":
		fmt.Fprint(stdout, usage)
	case "-version", "--version":
		version(stdout)
	default:
		fmt.Fprintf(stderr, "pgknee: no command %q; pgknee -h lists them\n", command)
		return exitUsage
	}
	return exitRead
}

// Exit statuses, which scripts rely on.
const (
	exitRead   = 0
	exitUnread = 1
	exitUsage  = 2
	exitFailOn = 3
)
