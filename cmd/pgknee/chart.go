package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pgknee/analysis"
	"pgknee/analysis/chart"
	"pgknee/analysis/report"
	"pgknee/site/artist"
)

// drawCharts is the command chart.
func drawCharts(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := newFlags("chart", "Draws one chart as SVG. Flags may stand before or behind the inputs.", stderr)
	views := slices.Concat(chart.Views(), flameViews)
	view := flags.String("view", "curves", "`what` to draw: "+strings.Join(views, ", "))
	theme := flags.String("theme", "light", "`colours`: light or dark")
	size := flags.String("size", "1200x675", "`WIDTHxHEIGHT` in pixels")
	out := flags.String("o", "", "`file` or folder to write to (default: standard output)")
	input := inputFlags(flags)
	files, status, ok := parse(flags, args, stderr)
	if !ok {
		return status
	}
	o := chart.Options{Theme: *theme, Frame: true}
	if _, err := fmt.Sscanf(*size, "%dx%d", &o.Width, &o.Height); err != nil || o.Width < 100 || o.Height < 100 || o.Width > 10000 || o.Height > 10000 {
		fmt.Fprintf(stderr, "pgknee chart: size %q is not WIDTHxHEIGHT with 100 to 10000 pixels each\n", *size)
		return exitUsage
	}
	options, err := input()
	switch {
	case err != nil:
	case !slices.Contains(views, *view):
		err = fmt.Errorf("no view %q: there are %s", *view, strings.Join(views, ", "))
	case *theme != "light" && *theme != "dark":
		err = fmt.Errorf("no theme %q: there are light and dark", *theme)
	}
	if err != nil {
		fmt.Fprintln(stderr, "pgknee chart:", err)
		return exitUsage
	}
	session := analysis.New(options)
	unread := read(session, files, stdin, stderr)
	r := session.Report()
	unread = problems(r, stderr) || unread
	for _, text := range session.Unmet() {
		fmt.Fprintln(stderr, "pgknee chart:", text)
	}
	if slices.Contains(flameViews, *view) {
		err = drawFlames(session, r, *view, o.Width, *theme == "dark", *out, stdout)
	} else {
		err = drawChart(r, *view, o, *out, stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "pgknee chart:", err)
		return exitUnread
	}
	if unread {
		return exitUnread
	}
	return exitRead
}

// drawChart draws a chart of the report.
func drawChart(r *report.Report, view string, o chart.Options, out string, stdout io.Writer) error {
	option, err := chart.Option(r, view, o)
	if err != nil {
		return err
	}
	a, err := artist.New()
	if err != nil {
		return err
	}
	picture, err := a.SVG(option, o.Width, o.Height, chart.Headline(r), chart.Describe(r, view))
	if err != nil {
		return err
	}
	return write(out, view+".svg", picture, stdout)
}

// isFolder tells whether a path names a folder: one that is there, or by its end.
func isFolder(to string) bool {
	info, err := os.Stat(to)
	return err == nil && info.IsDir() || strings.HasSuffix(to, "/")
}

// write puts text into a file, into a folder under a default name, or on standard output.
func write(to, name, text string, stdout io.Writer) error {
	if to == "" || to == "-" {
		_, err := io.WriteString(stdout, text)
		return err
	}
	if isFolder(to) {
		if err := os.MkdirAll(to, 0o755); err != nil {
			return err
		}
		to = filepath.Join(to, name)
	}
	return os.WriteFile(to, []byte(text), 0o644)
}
