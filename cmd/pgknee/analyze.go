package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pgknee/analysis"
	"pgknee/analysis/format"
	"pgknee/analysis/report"
)

func analyze(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("pgknee analyze", flag.ContinueOnError)
	flags.SetOutput(stderr)
	asJSON := flags.Bool("json", false, "print the report as JSON")
	input := inputFlags(flags)
	if err := flags.Parse(args); err != nil {
		return exitUsage
	}
	if flags.NArg() == 0 {
		fmt.Fprintln(stderr, "pgknee analyze: no input: name files, folders, or - for standard input")
		return exitUsage
	}
	session := analysis.New(input())
	unread := read(session, flags.Args(), stdin, stderr)
	r := session.Report()
	unread = problems(r, stderr) || unread
	if *asJSON {
		out := json.NewEncoder(stdout)
		out.SetEscapeHTML(false)
		out.SetIndent("", "  ")
		if err := out.Encode(r); err != nil {
			fmt.Fprintln(stderr, "pgknee:", err)
			return exitUnread
		}
	}
	if unread {
		return exitUnread
	}
	return exitRead
}

// read feeds the session every file that the arguments name, and tells whether one could not be opened or read.
func read(session *analysis.Session, args []string, stdin io.Reader, stderr io.Writer) (unread bool) {
	buf := make([]byte, 1<<20)
	feed := func(name string, r io.Reader) error {
		in := session.Open(name)
		for {
			n, err := r.Read(buf)
			in.Write(buf[:n])
			if err != nil {
				in.Close()
				if err == io.EOF {
					return nil
				}
				return err
			}
		}
	}
	for _, arg := range args {
		var err error
		if arg == "-" {
			err = feed("-", stdin)
		} else {
			err = filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
				switch {
				case err != nil:
					return err
				case path != arg && strings.HasPrefix(d.Name(), "."): // what is hidden was not meant to be read
					if d.IsDir() {
						return fs.SkipDir
					}
					return nil
				case path != arg && !d.IsDir() && !readable(path, d):
					return nil
				case d.IsDir():
					return nil
				}
				f, err := os.Open(path)
				if err != nil {
					return err
				}
				defer f.Close()
				return feed(filepath.ToSlash(path), f)
			})
		}
		if err != nil {
			fmt.Fprintln(stderr, "pgknee:", err)
			unread = true
		}
	}
	return unread
}

// readable tells whether what stands in a folder is a file or a link to one: a named pipe would never end.
func readable(path string, d fs.DirEntry) bool {
	if d.Type().IsRegular() {
		return true
	}
	at, err := os.Stat(path)
	return err == nil && at.Mode().IsRegular()
}

// problems prints every problem of the report and tells whether an input could not be read.
func problems(r *report.Report, w io.Writer) (unread bool) {
	for _, f := range r.Files {
		for _, p := range f.Problems {
			fmt.Fprintf(w, "%s:%d:%d: %s: %s\n", f.Name, max(p.Line, 1), max(p.Column, 1), p.Severity, p.Message)
		}
		if f.Format == "" || f.DuplicateOf == "" && f.Runs+f.Profiles+f.Settings == 0 && hasError(f) {
			unread = true
		}
	}
	return unread
}

func hasError(f report.File) bool {
	for _, p := range f.Problems {
		if p.Severity == string(format.Error) {
			return true
		}
	}
	return false
}
