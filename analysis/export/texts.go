package export

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pgknee/analysis/chart"
	"pgknee/analysis/report"
)

// Terminal is the report for a reader at a terminal, width columns wide. Problems with the inputs are not in it: the host prints them itself.
func Terminal(r *report.Report, width int) string {
	return plain(append(body(r, 5, false), reading(r, false)...), width)
}

// body is all that the report says of measurements, with so many laws for each curve, and of what follows, in full or without sources.
func body(r *report.Report, most int, full bool) document {
	return slices.Concat(whatWasFound(r), laws(r, most), profiles(r), waits(r), advice(r, full))
}

// Why says where the evidence of each recommendation stands in the inputs, and which rules nearly fired, with what each lacks.
func Why(r *report.Report, width int) string {
	var d document
	var rests []string
	for _, rec := range r.Recommendations {
		var parts []string
		for _, e := range rec.Evidence {
			if at := places(e.Rows); at != "" {
				parts = append(parts, strings.TrimSpace(strings.Replace(e.Kind, "lint", "runs", 1)+" "+e.Ref)+" at "+at)
			}
		}
		if len(parts) > 0 {
			rests = append(rests, rec.Title+": "+strings.Join(parts, "; ")+".")
		}
	}
	if len(rests) > 0 {
		d.heading("What the advice rests on")
		d.list(rests...)
	}
	d.heading("Rules that nearly fired")
	var points []string
	for _, n := range r.NearlyFired {
		points = append(points, fmt.Sprintf("%s (%s). Missing: %s.", n.Title, n.Rule, n.Missing))
	}
	if len(points) == 0 {
		d.say("None: no other rule has a part of its evidence here.")
	}
	d.list(points...)
	return plain(d, width)
}

// places are the first of the places that evidence rests on, each once.
func places(rows []report.Place) string {
	var out []string
	for _, p := range rows {
		at := p.File
		if p.Line > 0 {
			at += ":" + strconv.Itoa(p.Line)
		}
		if at != "" && !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	const most = 4
	if n := len(out); n > most {
		return strings.Join(out[:most], ", ") + fmt.Sprintf(" and %d more", n-most)
	}
	return strings.Join(out, ", ")
}

// mailColumns is the width of a mail that survives two levels of quoting.
const mailColumns = 72

// mail is the report as a mail; ascii leaves out everything beyond ASCII.
func mail(r *report.Report, ascii bool) string {
	d := signed(r, 3)
	if ascii {
		d = d.with(toASCII)
	}
	return plain(d, mailColumns)
}

// issue is the report in Markdown, with the runs, for an issue.
func issue(r *report.Report) string { return markdown(signed(r, 5)) + rawRuns(r) }

// signed is the whole report with so many laws for each curve, its inputs and its method.
func signed(r *report.Report, most int) document {
	d := body(r, most, true)
	d.heading("Inputs and method")
	d.list(inputs(r)...)
	d.say(method(r))
	return d
}

// Picture is a drawn chart with its title.
type Picture struct{ Title, SVG string }

// HTML is the report as one self-contained page with the pictures in it. The SVG must be of our own making: it is put in as it is.
func HTML(r *report.Report, pictures []Picture) string {
	d := append(body(r, 12, true), reading(r, true)...)
	at := slices.IndexFunc(d, func(b block) bool { // the numbers come after the answer and its pictures
		switch b.(type) {
		case table, heading:
			return true
		}
		return false
	})
	if at < 0 {
		at = len(d)
	}
	for i, p := range pictures {
		d = slices.Insert(d, at+i, block(picture{p.Title, p.SVG}))
	}
	d.say(method(r))
	return html(d, r)
}

// releaseNote is one paragraph and one table: what changed, for whom, and what to set.
func releaseNote(r *report.Report) string {
	var d document
	headline, details := answer(r)
	text := strings.TrimSpace(headline + " " + details)
	for _, rec := range r.Recommendations {
		if rec.Kind == "measurement" {
			continue
		}
		if rec.Confidence == "weak" { // nothing to act on yet
			text += " A hint, with weak evidence: " + rec.Title + "."
			break
		}
		if rec.Setting != "" && rec.To != "" {
			text += fmt.Sprintf(" %s is advised to be %s (%s, %s).", rec.Setting, rec.To, rec.Kind, rec.Confidence)
		} else {
			text += fmt.Sprintf(" Advice (%s, %s): %s.", rec.Kind, rec.Confidence, rec.Title)
		}
		if len(rec.Caveats) > 0 {
			text += " Against it: " + strings.Join(rec.Caveats[:min(len(rec.Caveats), 2)], "; ") + "."
		}
		break
	}
	d.say(text)
	if c := chart.Conditions(r); c != "" {
		d.say("Measured with " + c + ".")
	}
	for _, t := range curveTables(r) {
		d = append(d, t)
	}
	d.say(method(r))
	return markdown(d)
}

// configuration are ALTER SYSTEM lines for the advised settings, with what each rests on as a comment.
func configuration(r *report.Report) string {
	var b strings.Builder
	for _, rec := range r.Recommendations {
		var lines, comments []string
		for _, c := range rec.Commands {
			switch {
			case strings.HasPrefix(c, "-- "): // belongs to the line after it
				comments = append(comments, c)
				continue
			case strings.HasPrefix(c, "ALTER SYSTEM") && !strings.Contains(c, "''") || strings.HasPrefix(c, "SELECT pg_reload_conf"):
				lines = append(append(lines, comments...), c)
			}
			comments = nil
		}
		if len(lines) == 0 {
			continue
		}
		fmt.Fprintf(&b, "-- %s (%s, %s)\n", rec.Title, rec.Kind, rec.Confidence)
		if rec.Effect != "" {
			fmt.Fprintf(&b, "-- measured: %s\n", rec.Effect)
		}
		for _, c := range rec.Caveats {
			fmt.Fprintf(&b, "-- against it: %s\n", c)
		}
		b.WriteString(strings.Join(lines, "\n") + "\n\n")
	}
	if b.Len() == 0 {
		return "-- no setting is advised\n"
	}
	return b.String()
}

// whatWasFound is the answer with the table it rests on.
func whatWasFound(r *report.Report) document {
	var d document
	headline, details := answer(r)
	d = append(d, lead(headline))
	d.say(details)
	d.list(r.Notes...)
	if c := chart.Conditions(r); c != "" {
		d.say("Conditions: " + c + ".")
	}
	for _, t := range curveTables(r) {
		d = append(d, t)
	}
	if t := latencyTable(r); len(t.rows) > 0 {
		d = append(d, t)
	}
	for _, t := range percentileTables(r) {
		d = append(d, t)
	}
	d.list(leftOut(r)...)
	var points []string
	for _, c := range r.Comparisons {
		text := c.Why
		if !strings.Contains(text, c.Candidate) || !strings.Contains(text, c.Baseline) {
			text = fmt.Sprintf("%s against %s: %s. %s", c.Candidate, c.Baseline, c.Verdict, c.Why)
		}
		if !strings.Contains(details, text) { // the answer has said it
			points = append(points, text)
		}
	}
	d.list(append(points, caveats(r)...)...)
	return d
}

// caveats are what weakens the comparisons, each once; which runs are left out is said elsewhere.
func caveats(r *report.Report) (out []string) {
	for _, c := range r.Comparisons {
		for _, text := range c.Caveats {
			if !slices.Contains(out, text) && !strings.Contains(text, " left out") {
				out = append(out, text)
			}
		}
	}
	return out[:min(len(out), mostCaveats)]
}

// mostCaveats is how many caveats a text lists.
const mostCaveats = 6

// leftOut says which runs are not in the curves, those for the same reason together.
func leftOut(r *report.Report) []string {
	var out []string
	for _, s := range r.Series {
		counts := map[string][]int{}
		var reasons []string
		for _, l := range s.LeftOut {
			if l.Clients == nil {
				continue
			}
			if counts[l.Why] == nil {
				reasons = append(reasons, l.Why)
			}
			counts[l.Why] = append(counts[l.Why], *l.Clients)
		}
		for _, why := range reasons {
			list := counts[why]
			slices.Sort(list)
			distinct := slices.Compact(slices.Clone(list))
			last := len(distinct) - 1
			at := clients(distinct[last])
			if last > 0 {
				at = strings.Trim(strings.ReplaceAll(fmt.Sprint(distinct[:last]), " ", ", "), "[]") + " and " + at
			}
			out = append(out, fmt.Sprintf("Left out of %s: %s at %s (%s).", s.Label, counted(len(list), "run", "runs"), at, why))
		}
	}
	return out
}

// laws are the laws that describe each curve.
func laws(r *report.Report, most int) document {
	var d document
	for _, s := range r.Series {
		if len(s.Models) == 0 {
			continue
		}
		if len(d) == 0 {
			d.heading("Laws")
		}
		if s.Peak != nil && len(s.Peak.BracketClients) == 2 {
			text := fmt.Sprintf("%s: highest at %s (%s), true peak ", s.Label, clients(s.Peak.Clients), tps(s.Peak.TPS))
			if from, to := s.Peak.BracketClients[0], s.Peak.BracketClients[1]; to > s.Peak.Clients {
				text += fmt.Sprintf("between %d and %d", from, to)
			} else {
				text += fmt.Sprintf("at %d or more, nothing was measured beyond %d", from, to)
			}
			if len(s.PeakRange) == 2 {
				from, to := fmt.Sprintf("%.0f", s.PeakRange[0]), fmt.Sprintf("%.0f", s.PeakRange[1])
				if text += "; the laws that count put it at " + from; to != from {
					text += " to " + to
				}
			}
			d.say(text + ".")
		}
		if s.Explained != nil && !*s.Explained {
			d.say(fmt.Sprintf("No law describes the curve of %s: %s.", s.Label, strings.TrimPrefix(s.Unexplained, "no law explains this curve: ")))
		}
		d = append(d, lawTable(s, most))
		if s.Explained != nil && !*s.Explained {
			continue // the parameters of its laws mean nothing
		}
		best := s.Models[0]
		if best.Says != "" {
			d.say(best.Name + " says: " + best.Says + ".")
		}
		var parts []string
		for _, p := range best.Parameters {
			parts = append(parts, parameter(p))
		}
		d.say(strings.Join(parts, ", ") + ".")
		d.list(best.Warnings...)
	}
	return d
}

// clients is a number of clients in words.
func clients(n int) string { return counted(n, "client", "clients") }

// profiles say where the time went, and which locks are waited for on the CPU.
func profiles(r *report.Report) document {
	var d document
	if len(r.Profiles) == 0 {
		return d
	}
	d.heading("Profiles (on-CPU samples; waiting asleep is not in them)")
	for _, p := range r.Profiles {
		t := table{head: []string{"self", "total", p.Label}, right: []bool{true, true, false}}
		for _, f := range p.Top[:min(len(p.Top), 8)] {
			self := ""
			if f.Self != nil {
				self = known("self", share(*f.Self), f.Unknown, f.SelfAtMost)
			}
			t.rows = append(t.rows, []string{self, known("total", share(f.Total), f.Unknown, false), f.Function})
		}
		d = append(d, t)
		var points []string
		for _, l := range p.Locks {
			if l.Share < .01 {
				continue
			}
			text := fmt.Sprintf("%s: %s", strings.Replace(l.Class, "lwlock", "LWLock", 1), share(l.Share))
			for i, c := range l.Callers[:min(len(l.Callers), 3)] {
				text += map[bool]string{true: ", under ", false: ", "}[i == 0] + fmt.Sprintf("%s %s", c.Function, share(c.Share))
			}
			points = append(points, text)
		}
		d.list(points...)
	}
	said := map[string]bool{}
	for _, pc := range r.ProfileComparisons {
		t := table{head: []string{"self", "→", "total", "→", pc.Baseline + " → " + pc.Candidate}, right: []bool{true, true, true, true, false}}
		for _, c := range pc.Changes {
			if !c.WithinNoise && len(t.rows) < 10 {
				t.rows = append(t.rows, []string{
					known("self", share(c.SelfFrom), c.Unknown, false), known("self", share(c.SelfTo), c.Unknown, false),
					known("total", share(c.TotalFrom), c.Unknown, false), known("total", share(c.TotalTo), c.Unknown, false), c.Function,
				})
			}
		}
		if len(t.rows) > 0 {
			d = append(d, t)
		} else {
			d.say(pc.Baseline + " → " + pc.Candidate + ": no function moved beyond the noise of sampling.")
		}
		var notes []string
		for _, n := range pc.Notes { // several comparisons share the notes on a side
			if !said[n] {
				said[n] = true
				notes = append(notes, n)
			}
		}
		d.list(notes...)
	}
	return d
}

// waits say what the sessions waited for.
func waits(r *report.Report) document {
	var d document
	if len(r.Waits) == 0 {
		return d
	}
	d.heading("Wait events (sampled sessions; these show who sleeps)")
	var points []string
	for _, w := range r.Waits {
		name := w.Label
		if w.Series != "" && w.Series != w.Label {
			name = w.Series + " (" + w.Label + ")"
		}
		var parts []string
		for _, e := range w.Events[:min(len(w.Events), 5)] {
			parts = append(parts, e.Event+" "+share(e.Share))
		}
		points = append(points, name+": "+strings.Join(parts, ", "))
	}
	d.list(points...)
	return d
}

// known writes a share of a partial profile: nothing where the input does not give it, a bound where it gives only that.
func known(which, share, unknown string, atMost bool) string {
	switch {
	case unknown == which && which == "self":
		return ""
	case unknown == which:
		return "≥ " + share
	case atMost:
		return "≤ " + share
	}
	return share
}

// advice are the recommendations; in full with their sources and commands.
func advice(r *report.Report, full bool) document {
	var d document
	if len(r.Recommendations) == 0 {
		return d
	}
	d.heading("Recommendations")
	for _, rec := range r.Recommendations {
		title := rec.Title
		if rec.Setting != "" && rec.To != "" {
			title += fmt.Sprintf(": %s %s → %s", rec.Setting, cmp.Or(rec.From, "unknown"), rec.To)
		}
		d.say(fmt.Sprintf("%s (%s, %s).", title, rec.Kind, rec.Confidence))
		d.say(rec.Advice)
		var points []string
		for _, e := range rec.Evidence {
			if (e.Kind != "comparison" || e.Ref == "variation") && e.Kind != "restoration" && e.Text != "" { // those stand above
				points = append(points, "for it: "+e.Text)
			}
		}
		for _, c := range rec.Caveats {
			points = append(points, "against it: "+c)
		}
		for _, s := range rec.Scope {
			points = append(points, "scope: "+s)
		}
		if len(rec.Rivals) > 0 {
			points = append(points, "not excluded: "+strings.Join(rec.Rivals, "; "))
		}
		if rec.Falsify != "" {
			points = append(points, "what would change this: "+rec.Falsify)
		}
		d.list(points...)
		if len(rec.Commands) > 0 {
			d = append(d, code(rec.Commands))
		}
		if full && len(rec.Sources) > 0 {
			d.list(rec.Sources...)
		}
	}
	return d
}

// reading is what became of the inputs, with every question and, where asked for, every problem.
func reading(r *report.Report, problems bool) document {
	var d document
	if len(r.Files) == 0 {
		return d
	}
	d.heading("Read")
	d.list(inputs(r)...)
	if len(r.PassedOver) > 0 {
		d.list("passed over, being scripts: " + strings.Join(r.PassedOver, ", "))
	}
	var points []string
	for _, f := range r.Files {
		if problems {
			for _, p := range f.Problems {
				points = append(points, fmt.Sprintf("%s:%d:%d: %s: %s", f.Name, max(p.Line, 1), max(p.Column, 1), p.Severity, p.Message))
			}
		}
		for _, q := range f.Questions {
			text := fmt.Sprintf("%s:%d: question: %s", f.Name, max(q.Line, 1), q.Message)
			for _, c := range q.Candidates {
				text += fmt.Sprintf(" --columns %q", c)
			}
			points = append(points, text)
		}
	}
	d.list(points...)
	return d
}
