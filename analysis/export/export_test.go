package export_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pgknee/analysis/export"
	"pgknee/analysis/report"
)

var update = flag.Bool("update", false, "write the goldens anew")

// saved reads a report that was saved as JSON: texts need nothing else.
func saved(t testing.TB, name string) *report.Report {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	r := &report.Report{}
	if err := json.Unmarshal(content, r); err != nil {
		t.Fatal(err)
	}
	return r
}

func text(kind string) func(*report.Report) string {
	return func(r *report.Report) string {
		text, err := export.Text(r, kind)
		if err != nil {
			panic(err)
		}
		return text
	}
}

var forms = map[string]func(*report.Report) string{
	"terminal":      func(r *report.Report) string { return export.Terminal(r, 100) },
	"mail":          text("mail"),
	"mail-ascii":    text("mail-ascii"),
	"markdown":      text("markdown"),
	"csv":           text("csv"),
	"release-note":  text("release-note"),
	"why":           func(r *report.Report) string { return export.Why(r, 100) },
	"configuration": text("config"),
	"html": func(r *report.Report) string {
		return export.HTML(r, []export.Picture{{Title: "curves", SVG: "<svg></svg>"}})
	},
}

// TestGoldens holds every form of two reports, one with a regression and one without a difference, against its golden.
func TestGoldens(t *testing.T) {
	for _, name := range []string{"planning", "null"} {
		for form, write := range forms {
			got := write(saved(t, name))
			file := filepath.Join("testdata", name+"-"+form+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s of %s differs from %s; look at it and run with -update", form, name, file)
			}
		}
	}
}

// TestMailFits makes sure that a mail keeps to its columns, whatever the labels are, and that ASCII is ASCII.
func TestMailFits(t *testing.T) {
	for _, name := range []string{"planning", "null"} {
		r := saved(t, name)
		for i := range r.Series {
			r.Series[i].Label = strings.Repeat("very long label ", 5) + r.Series[i].Label
		}
		for _, form := range []string{"mail", "mail-ascii"} {
			for i, line := range strings.Split(forms[form](r), "\n") {
				if utf8.RuneCountInString(line) > 72 && !strings.Contains(line, "://") && !strings.HasPrefix(line, "  ") {
					t.Errorf("%s:%d has %d columns: %s", name, i+1, utf8.RuneCountInString(line), line)
				}
				if form == "mail-ascii" && strings.IndexFunc(line, func(r rune) bool { return r > 126 }) >= 0 {
					t.Errorf("%s:%d is not ASCII: %s", name, i+1, line)
				}
			}
		}
	}
}

// TestCommandsFit holds commands of a mail to its columns: they go on in the next line where a shell lets them.
func TestCommandsFit(t *testing.T) {
	quoted := "pgbench -f 'a script with a name of several words that is long enough to be broken'"
	r := &report.Report{Recommendations: []report.Recommendation{{Title: "x", Commands: []string{
		"-- a comment of SQL that is so long that it would be broken if it were a command of the shell",
		"pgbench -n -M prepared -f script.sql -c 128 -j 32 -T 600 -P 10 --log --aggregate-interval 1 -h server",
		quoted,
	}}}}
	mail := forms["mail-ascii"](r)
	for _, want := range []string{
		"\n  -- a comment of SQL that is so long that it would be broken if it were a command of the shell\n",
		"\n  pgbench -n -M prepared -f script.sql -c 128 -j 32 -T 600 -P 10 \\\n    --log --aggregate-interval 1 -h server\n",
		"\n  pgbench -f \\\n    " + quoted[11:] + "\n",
	} {
		if !strings.Contains(mail, want) {
			t.Errorf("lacks %q:\n%s", want, mail)
		}
	}
}

// TestLeftOut holds runs that are left out for one reason together.
func TestLeftOut(t *testing.T) {
	n := func(clients int) *int { return &clients }
	r := &report.Report{Series: []report.Series{{Label: "v16", LeftOut: []report.LeftOut{{Clients: n(256), Why: "aborted"}, {Clients: n(192), Why: "aborted"}, {Clients: n(256), Why: "aborted"}, {Clients: n(1), Why: "throttled"}}}}}
	got := export.Terminal(r, 100)
	for _, want := range []string{"* Left out of v16: 3 runs at 192 and 256 clients (aborted).\n", "* Left out of v16: 1 run at 1 client (throttled).\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
}

// TestTextStaysText makes sure that no text from an input becomes markup or a formula.
func TestTextStaysText(t *testing.T) {
	const hostile = `=cmd|<img src=x onerror=alert(1)>|](javascript:x)`
	r := saved(t, "planning")
	for i := range r.Runs {
		r.Runs[i].Series, r.Runs[i].Script, r.Runs[i].File = hostile, hostile, hostile
	}
	for i := range r.Series {
		r.Series[i].Label = hostile
	}
	for i := range r.Comparisons {
		r.Comparisons[i].Candidate, r.Comparisons[i].Why = hostile, hostile
	}
	r.Summary.Headline = []report.Span{{Text: hostile}}
	r.Files[0].Name = hostile
	for _, form := range []string{"html", "markdown", "release-note"} {
		text := forms[form](r)
		text, _, _ = strings.Cut(text, "<details>") // raw runs stand in a fence, where nothing is markup
		if strings.Contains(text, "<img") {
			t.Errorf("%s: text became an element", form)
		}
		if form != "html" && strings.Contains(strings.ReplaceAll(text, `\](`, ""), "](") {
			t.Errorf("%s: text became a link", form)
		}
	}
	for line := range strings.Lines(forms["csv"](r)) {
		if strings.HasPrefix(line, "=") || strings.HasPrefix(line, `"=`) {
			t.Fatalf("csv: a cell would be taken for a formula: %s", line)
		}
	}
}

// TestBaselineFirst holds the order of a table's columns: what the others are compared with comes first, whatever file was met first.
func TestBaselineFirst(t *testing.T) {
	r := &report.Report{
		Series:      []report.Series{{Label: "after", Points: []report.Point{{Clients: 1, TPS: 90, N: 1}}}, {Label: "before", Points: []report.Point{{Clients: 1, TPS: 100, N: 1}}}},
		Comparisons: []report.Comparison{{Baseline: "before", Candidate: "after", Points: []report.RatioPoint{{Clients: 1, Ratio: .9}}}},
	}
	if got := export.Terminal(r, 80); !strings.Contains(got, " clients | before | after |   change\n") {
		t.Error(got)
	}
}
