package main

import (
	"fmt"
	"io"
)

const usage = `usage: pgknee analyze [flags] FILE|DIR|-...   read, compare, explain, recommend
       pgknee chart [flags] FILE|DIR|-...     draw a chart (SVG)
       pgknee models                          list the laws, with formula and source
       pgknee serve [-addr 127.0.0.1:8080]    serve the page on this machine
       pgknee formats | rules | settings      list what is known, with sources

pgknee COMMAND -h lists the flags of a command.
`

// run is the whole program, for tests to call; the result is the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stderr, usage)
		return exitUsage
	}
	switch command, rest := args[0], args[1:]; command {
	case "analyze":
		return analyze(rest, stdin, stdout, stderr)
	case "chart":
		return drawCharts(rest, stdin, stdout, stderr)
	case "models":
		return models(rest, stdout, stderr)
	case "serve":
		return serve(rest, stdout, stderr)
	case "formats":
		listFormats(stdout)
	case "rules":
		listRules(stdout)
	case "settings":
		listSettings(stdout)
	case "help", "-h", "--help":
		fmt.Fprint(stdout, usage)
	default:
		fmt.Fprintf(stderr, "pgknee: no command %q\n%s", command, usage)
		return exitUsage
	}
	return exitRead
}

// Exit statuses, as CONTRACT.md has them.
const (
	exitRead   = 0
	exitUnread = 1
	exitUsage  = 2
	exitFailOn = 3
)
