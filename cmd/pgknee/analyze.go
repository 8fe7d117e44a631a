package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"pgknee/analysis"
	"pgknee/analysis/chart"
	"pgknee/analysis/export"
	"pgknee/analysis/format"
	"pgknee/analysis/report"
	"pgknee/analysis/source"
	"pgknee/site/artist"
)

const analyzeDoc = `Prints the report: the answer in words, the throughput of each series by client count, laws, profiles, recommendations.
Flags may stand before or behind the inputs, with one dash or two. Exit status: 0 read, 1 something could not be read
(the report on the others is printed), 2 wrong usage, 3 what -fail-on names.`

// analyze is the command analyze: the report in one of its forms.
func analyze(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := newFlags("analyze", analyzeDoc, stderr)
	forms := map[string]*bool{ // the kinds of export.Text
		"json":         flags.Bool("json", false, "print the report as JSON, for other programs"),
		"mail":         flags.Bool("mail", false, "print the report as a mail of at most 72 columns"),
		"mail-ascii":   flags.Bool("mail-ascii", false, "print that mail in ASCII"),
		"markdown":     flags.Bool("markdown", false, "print the report as Markdown, for an issue"),
		"csv":          flags.Bool("csv", false, "print the runs as CSV, a row each"),
		"release-note": flags.Bool("release-note", false, "print one paragraph and one table, for a release note"),
		"config":       flags.Bool("config", false, "print the advised settings as ALTER SYSTEM statements"),
	}
	page := flags.String("html", "", "write the report with its charts to this `file`, as one self-contained page")
	why := flags.Bool("why", false, "say where the evidence for the advice stands, and which rules nearly fired with what they lack")
	failOn := flags.String("fail-on", "", "exit with 3 when a comparison has this `verdict`: regression")
	input := inputFlags(flags)
	files, status, ok := parse(flags, args, stderr)
	if !ok {
		return status
	}
	form := ""
	chosen := 0
	for kind, on := range forms {
		if *on {
			form = kind
			chosen++
		}
	}
	switch {
	case chosen > 1:
		fmt.Fprintln(stderr, "pgknee analyze: one form at a time: the report goes to standard output")
		return exitUsage
	case *failOn != "" && *failOn != "regression":
		fmt.Fprintf(stderr, "pgknee analyze: -fail-on takes regression, not %q\n", *failOn)
		return exitUsage
	}
	options, err := input()
	if err != nil {
		fmt.Fprintln(stderr, "pgknee analyze:", err)
		return exitUsage
	}
	session := analysis.New(options)
	unread := read(session, files, stdin, stderr)
	r := session.Report()
	for _, text := range session.Unmet() {
		fmt.Fprintln(stderr, "pgknee analyze:", text)
	}
	if *failOn != "" && len(session.Unmet()) > 0 { // what was asked cannot be told
		return exitUsage
	}
	if !*why {
		r.NearlyFired = nil
	}
	if *page != "" {
		if err := writePage(*page, r); err != nil {
			fmt.Fprintln(stderr, "pgknee analyze:", err)
			return exitUnread
		}
	}
	if *page == "" || chosen > 0 {
		if err := writeReport(stdout, r, form); err != nil {
			fmt.Fprintln(stderr, "pgknee analyze:", err)
			return exitUnread
		}
		if *why && form != "json" {
			fmt.Fprint(stdout, "\n"+export.Why(r, terminalColumns()))
		}
	}
	unread = problems(r, stderr) || unread // below the report, where a terminal ends
	switch {
	case *failOn != "" && slices.ContainsFunc(r.Comparisons, func(c report.Comparison) bool { return c.Verdict == *failOn }):
		return exitFailOn
	case unread:
		return exitUnread
	}
	return exitRead
}

// writeReport writes the report in a form, or as a terminal shows it.
func writeReport(w io.Writer, r *report.Report, form string) error {
	text := ""
	var err error
	switch form {
	case "json":
		return r.Encode(w, "  ") // piece by piece: it may be large
	case "":
		text = export.Terminal(r, terminalColumns())
	default:
		text, err = export.Text(r, form)
	}
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	return err
}

// writePage writes the report as a page with the charts that it has something for.
func writePage(name string, r *report.Report) error {
	var pictures []export.Picture
	a, err := artist.New()
	if err != nil {
		return err
	}
	for _, view := range []string{"curves", "latency", "residuals", "progress"} {
		o := chart.Options{Width: 1200, Height: 675, Frame: true}
		option, err := chart.Option(r, view, o)
		if errors.As(err, &chart.ErrNothing{}) {
			continue
		}
		if err != nil {
			return err
		}
		svg, err := a.SVG(option, o.Width, o.Height, chart.Headline(r), chart.Describe(r, view))
		if err != nil {
			return err
		}
		pictures = append(pictures, export.Picture{Title: view, SVG: svg})
	}
	return os.WriteFile(name, []byte(export.HTML(r, pictures)), 0o644)
}

// read feeds the session every file that the arguments name, and tells whether one could not be opened or read.
func read(session *analysis.Session, args []string, stdin io.Reader, stderr io.Writer) (unread bool) {
	buf := make([]byte, 1<<20)
	feed := func(name string, walked bool, r io.Reader) error {
		in := session.Open(name)
		in.Walked = walked
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
			err = feed("-", false, stdin)
		} else {
			err = filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
				switch {
				case err != nil:
					return err
				case path != arg && source.Hidden(d.Name()):
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
				return feed(filepath.ToSlash(path), path != arg, f)
			})
		}
		if err != nil {
			if at := (*fs.PathError)(nil); errors.As(err, &at) {
				err = fmt.Errorf("%s: %w", at.Path, at.Err) // not which call it was
			}
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
