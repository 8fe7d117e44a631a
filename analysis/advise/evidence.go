package advise

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"pgknee/analysis/report"
	"pgknee/analysis/sorting"
)

// recommendation writes a finding down, with its evidence and what speaks against it.
func (f *finding) recommendation(rules []*Rule) report.Recommendation {
	confidence, caps := f.confidence(rules)
	rec := report.Recommendation{
		Rule: f.rule.ID, Setting: f.rule.Setting, Kind: f.rule.Kind, Confidence: confidence, Title: f.fill(f.rule.Title),
		Sources: f.rule.Sources, Falsify: f.fill(f.rule.Falsify), To: f.rule.To,
	}
	if rec.Kind == "default" && !f.restored {
		rec.Kind = "server" // a default changes only on old, new, and new with the setting reverted
	}
	if f.rule.Setting != "" {
		rec.From = f.rule.From
		if v, ok := f.setting(f.worse, f.rule.Setting); ok {
			rec.From = plain(v)
		}
		if v, ok := f.setting(f.better, f.rule.Setting); ok && rec.To == "" && !f.rule.Open && f.comparison != nil && f.risk && plain(v) != rec.From {
			rec.To = plain(v)
		}
	}
	changed, _ := f.lookup("changed", nil).(bool)
	if f.comparison != nil && (f.signature || changed && !f.rule.Alone) {
		rec.Effect, rec.Sizes, rec.Scope = f.effect(), f.comparison.Points, f.scope()
		rec.Evidence = append(rec.Evidence, f.comparisonEvidence())
		if e, ok := f.attributionEvidence(); ok && f.signature && !f.rule.Alone {
			rec.Evidence = append(rec.Evidence, e)
		}
	}
	if v, ok := f.lookup("varies", nil).(float64); ok && f.signature && !f.rule.Alone && slices.ContainsFunc(calls(f.rule.Signature), func(c call) bool { return c.name == "varies" }) {
		text := fmt.Sprintf("throughput varies by %s inside the runs of %s", share100(v), f.worse.name())
		if w, ok := f.lookup("bettervaries", nil).(float64); ok {
			text += fmt.Sprintf(", by %s in %s", share100(w), f.better.name())
		}
		rec.Evidence = append(rec.Evidence, report.Evidence{Kind: "comparison", Ref: "variation", Text: text, Rows: f.lintRows()})
	}
	if f.symbol {
		rec.Evidence = append(rec.Evidence, f.symbolEvidence()...)
	}
	if f.risk {
		rec.Evidence = append(rec.Evidence, f.settingEvidence()...)
	}
	if f.restored {
		rec.Evidence = append(rec.Evidence, f.restorationEvidence())
	}
	if text := f.lint(); f.rule.Alone && text != "" {
		rec.Evidence = append(rec.Evidence, report.Evidence{Kind: "lint", Text: text, Rows: f.lintRows()})
	}
	for _, c := range f.rule.Caveats {
		rec.Caveats = append(rec.Caveats, f.fill(c))
	}
	if f.comparison != nil && !f.rule.Alone {
		rec.Caveats = append(rec.Caveats, caps...)
		if n, ok := f.lookup("repeats", nil).(float64); ok && n == 1 {
			rec.Caveats = append(rec.Caveats, "one run per point, so a change at a single count has no interval")
		}
	}
	if confidence != "strong" && !f.rule.Alone {
		rec.Rivals = f.rivals(rules)
	}
	rec.Commands = f.commands()
	rec.Advice = f.fill(f.rule.Advice)
	rec.Text = f.paragraph(rec)
	return rec
}

// comparisonEvidence is the comparison's own sentence, with the runs it rests on.
func (s *scene) comparisonEvidence() report.Evidence {
	c := s.comparison
	e := report.Evidence{Kind: "comparison", Ref: c.Baseline + " → " + c.Candidate, Text: c.Why}
	if c.Worst != nil {
		for _, on := range []*side{s.better, s.worse} {
			for _, run := range on.runs {
				if run.Clients != nil && *run.Clients == c.Worst.Clients {
					e.Rows = append(e.Rows, report.Place{File: run.File, Line: run.Line})
				}
			}
		}
	}
	return e
}

// attributionWords say what moved.
var attributionWords = map[string]string{
	"uniform":    "every count by the same factor",
	"contention": "the contention term of the model: a lower plateau without an extra fall",
	"collapse":   "the collapse term of the model: an earlier peak and a lower floor",
}

func (s *scene) attributionEvidence() (report.Evidence, bool) {
	words, ok := attributionWords[s.comparison.Attribution]
	if !ok {
		return report.Evidence{}, false
	}
	e := report.Evidence{Kind: "attribution", Ref: s.comparison.Attribution, Text: "what moved is " + words}
	if fits := s.comparison.JointFits; len(fits) > 1 {
		lead := fits[1].AICc - fits[0].AICc
		e.Text += fmt.Sprintf(" (the joint fit that lets only this move is the best of %d; the next has an AICc %.1f higher", len(fits), lead)
		if lead < 2 {
			e.Text += ", which is hardly a difference"
		}
		e.Text += ")"
	}
	return e, true
}

// calls are the facts that an expression asks for, in order.
func calls(e *Expr) []call {
	var out []call
	if e == nil {
		return nil
	}
	todo := []node{e.root}
	for len(todo) > 0 {
		n := todo[0]
		todo = todo[1:]
		switch n := n.(type) {
		case call:
			out = append(out, n)
		case negation:
			todo = append(todo, n.of)
		case logic:
			todo = append(todo, n.a, n.b)
		case comparison:
			todo = append(todo, n.a, n.b)
		}
	}
	return out
}

func (c call) text(i int) string {
	if i < len(c.args) {
		if l, ok := c.args[i].(literal); ok {
			if t, ok := l.v.(string); ok {
				return t
			}
		}
	}
	return ""
}

// symbolEvidence says for each symbol of the rule how much of the samples it takes, and against how much.
func (f *finding) symbolEvidence() []report.Evidence {
	var out []report.Evidence
	said := map[string]bool{}
	var shares []float64 // already told: a lock's share need not come again as that of its caller
	p := f.worse.profile
	var q *report.Profile
	if f.better != nil {
		q = f.better.profile
	}
	against := func(share func(*report.Profile) float64) string {
		if q == nil {
			return ""
		}
		if v := share(q); v > 0 {
			return fmt.Sprintf(", against %s in %s", share100(v), profileName(q))
		}
		return ", and is not seen in " + profileName(q)
	}
	for _, c := range calls(f.rule.Symbol) {
		key := c.text(0) + c.text(1)
		if said[key] {
			continue
		}
		switch c.name {
		case "lock", "lockgain":
			if p == nil {
				continue
			}
			share := func(p *report.Profile) float64 { return lockShare(p, c.text(0), c.text(1)) }
			if v := share(p); v >= .02 {
				shares = append(shares, v)
				beside := ""
				if c.text(1) == "" || !f.mixed() { // a flat profile has no callers
					beside = against(share)
				}
				out = append(out, report.Evidence{Kind: "profile", Ref: p.Label, Text: fmt.Sprintf("%s takes %s of the samples of %s%s",
					lockWords(p, c.text(0), c.text(1)), share100(v), profileName(p), beside), Rows: []report.Place{{File: p.File}}})
			}
		case "waits", "waitgain":
			w := f.worse.waits
			if w == nil {
				continue
			}
			if v := waitShare(w, c.text(0)); v >= .02 {
				of := ""
				if w.Series != "" {
					of = " of " + w.Series
				}
				text := fmt.Sprintf("%s of the sampled sessions%s wait for %s", share100(v), of, strings.Join(waitsPresent(w, c.text(0)), ", "))
				if f.better != nil && f.better.waits != nil {
					text += fmt.Sprintf(", against %s in %s", share100(waitShare(f.better.waits, c.text(0))), f.better.name())
				}
				out = append(out, report.Evidence{Kind: "wait-event", Ref: w.Label, Text: text, Rows: []report.Place{{File: w.File, Line: w.Line}}})
			}
		case "symbol", "gain", "grew", "self", "selfgain":
			if p == nil {
				continue
			}
			own := strings.HasPrefix(c.name, "self") || c.name != "symbol" && f.mixed()
			share := func(p *report.Profile) float64 { return functionShare(p, c.text(0), own) }
			if v := share(p); v >= .02 && !slices.ContainsFunc(shares, func(w float64) bool { return math.Abs(v-w) < .02 }) {
				shares = append(shares, v)
				names := present(p, c.text(0))
				take := "takes"
				if len(names) > 1 {
					take = "take"
				}
				of, beside := "of the samples", ""
				if own {
					of = "(self) of the samples"
				}
				if own || !f.mixed() {
					beside = against(share)
				}
				out = append(out, report.Evidence{Kind: "profile", Ref: p.Label, Text: fmt.Sprintf("%s %s %s %s of %s%s",
					strings.Join(names, ", "), take, share100(v), of, profileName(p), beside), Rows: []report.Place{{File: p.File}}})
			}
		default:
			continue
		}
		said[key] = true
	}
	return out
}

// waitsPresent names those of the wait events that the list has, the most frequent first, three at the most.
func waitsPresent(w *report.Waits, names string) []string {
	var out []string
	for _, e := range w.Events {
		if len(out) < 3 && isWait(e.Event, names) {
			out = append(out, e.Event)
		}
	}
	return out
}

// lockWords names a class of lock with the callers that the profile shows for it and where they were called from.
func lockWords(p *report.Profile, class, callers string) string {
	names := strings.Split(callers, "|")
	for _, l := range p.Locks {
		if l.Class != class {
			continue
		}
		var found, via []string
		for _, c := range l.Callers {
			if callers == "" || slices.Contains(names, c.Function) {
				found = append(found, c.Function)
				via = append(via, c.Via...)
			}
		}
		if len(found) > 0 {
			words := lockName(class) + " time under " + strings.Join(found[:min(len(found), 3)], ", ")
			if len(via) > 0 {
				words += " (reached through " + strings.Join(via[:min(len(via), 3)], ", ") + ")"
			}
			return words
		}
	}
	return lockName(class) + " time"
}

// lockName is a class of locks as PostgreSQL's developers write it.
func lockName(class string) string {
	if class == "lwlock" {
		return "LWLock"
	}
	return class
}

// present names those of the functions that the profile has, the largest first, three at the most.
func present(p *report.Profile, names string) []string {
	var found []report.Function
	for _, fn := range p.Top {
		if named(fn.Function, names) {
			found = append(found, fn)
		}
	}
	sorting.StableBy(found, func(a, b report.Function) int { return cmp.Compare(b.Total, a.Total) })
	var out []string
	for _, fn := range found[:min(len(found), 3)] {
		out = append(out, fn.Function)
	}
	return out
}

// profileName is what a profile is called in a sentence: by its label, and where that does not tell, by its series.
func profileName(p *report.Profile) string {
	if p.Series != "" && !strings.Contains(p.Label, p.Series) {
		return p.Series
	}
	return p.Label
}

// settingEvidence says what the settings of the rule are on both sides, and where that is known from.
func (f *finding) settingEvidence() []report.Evidence {
	var out []report.Evidence
	said := map[string]bool{}
	say := func(name string) {
		if name == "" || said[name] {
			return
		}
		said[name] = true
		v, ok := f.setting(f.worse, name)
		if !ok {
			return
		}
		w, both := f.setting(f.better, name)
		if both && f.comparison != nil && name != f.rule.Setting && sameSetting(v, w) {
			return
		}
		text := name + " = " + written(v)
		if _, stated := f.worse.settings[name]; !stated {
			if v := f.worse.serverVersion(); v != "" {
				text += ", the default of " + v + ","
			} else {
				text += ", the default,"
			}
		}
		if f.worse.series == nil {
			text = strings.TrimSuffix(text, ",")
		} else {
			text += " in " + f.worse.series.Label
		}
		if both && f.comparison != nil {
			text += ", " + written(w) + " in " + f.better.series.Label
			if !f.better.stated(name) && f.better.serverVersion() != "" && f.worse.stated(name) {
				text += " (the default of " + f.better.serverVersion() + ")"
			}
		}
		out = append(out, report.Evidence{Kind: "setting", Ref: name, Text: text, Rows: append(f.worse.place(), f.better.place()...)})
	}
	say(f.rule.Setting)
	for _, c := range calls(f.rule.Risk) {
		switch c.name {
		case "worse", "better", "differs", "size", "bettersize":
			say(c.text(0))
		case "version", "versiontext":
			if v := f.worse.serverVersion(); v != "" && !said["version"] && len(out) == 0 {
				said["version"] = true
				text := "the server of " + f.worse.name() + " is version " + v
				if w := f.better.serverVersion(); w != "" && w != v {
					text += ", that of " + f.better.name() + " version " + w
				}
				out = append(out, report.Evidence{Kind: "setting", Ref: "server version", Text: text})
			}
		case "loaded":
			if v, ok := f.worse.settings[preload]; ok && strings.Contains(v.Value, c.text(0)) && !said[preload] {
				said[preload] = true
				out = append(out, report.Evidence{Kind: "setting", Ref: preload, Text: c.text(0) + " is loaded (" + preload + ") in " + f.worse.name(), Rows: f.worse.place()})
			}
		case "mentions":
			if f.mentions(c.text(0)) && len(out) == 0 {
				out = append(out, report.Evidence{Kind: "setting", Ref: "text", Text: "the text around the runs speaks of " + c.text(0)})
			}
		case "label", "betterlabel":
			if v, ok := f.lookup(c.name, []value{c.text(0)}).(bool); ok && v && !said["label"] && len(out) == 0 {
				said["label"] = true
				text := "the slower side is called " + f.worse.name()
				if f.better != nil && f.better.series != nil {
					text += ", the faster one " + f.better.name()
				}
				out = append(out, report.Evidence{Kind: "setting", Ref: "label", Text: text})
			}
		case "mode", "bettermode":
			if a, ok := f.lookup("mode", nil).(string); ok && !said["mode"] {
				said["mode"] = true
				text := "query mode " + a
				if b, ok := f.lookup("bettermode", nil).(string); ok && b != a {
					text += " in " + f.worse.series.Label + ", " + b + " in " + f.better.series.Label
				}
				out = append(out, report.Evidence{Kind: "setting", Ref: "query mode", Text: text})
			}
		}
	}
	if len(out) > 1 { // a label says no more than the setting it was made of
		out = slices.DeleteFunc(out, func(e report.Evidence) bool { return e.Ref == "label" })
	}
	return out
}

// name is the label of a side.
func (s *side) name() string {
	if s != nil && s.series != nil && s.series.Label != "" {
		return s.series.Label
	}
	return "the runs"
}

// place is where the settings of a side are stated.
func (s *side) place() []report.Place {
	if s == nil {
		return nil
	}
	return slices.Clone(s.lists)
}

// written gives a setting for a sentence.
func written(v report.Setting) string { return cmp.Or(plain(v), "''") }

func (f *finding) restorationEvidence() report.Evidence {
	for _, c := range f.r.Comparisons {
		if c.Restores != "" && f.fix != nil && c.Candidate == f.fix.Label {
			return report.Evidence{Kind: "restoration", Ref: c.Candidate, Text: c.Why}
		}
	}
	return report.Evidence{}
}

// lintRows are the runs that a measurement rule rests on: the flagged ones, else those at the largest count.
func (f *finding) lintRows() (rows []report.Place) {
	flags := map[string]bool{}
	for _, c := range calls(f.rule.Risk) {
		if c.name == "flagged" {
			flags[c.text(0)] = true
		}
	}
	counts := f.counts()
	for _, run := range f.worse.runs {
		flagged := slices.ContainsFunc(run.Flags, func(flag string) bool { return flags[flag] })
		if flagged || len(flags) == 0 && len(counts) > 0 && run.Clients != nil && *run.Clients == counts[len(counts)-1] {
			rows = append(rows, report.Place{File: run.File, Line: run.Line})
		}
	}
	return rows
}

// lint says which facts met the conditions of a measurement rule.
func (f *finding) lint() string {
	var parts []string
	said := map[string]bool{}
	for _, e := range []*Expr{f.rule.When, f.rule.Signature, f.rule.Risk} {
		for _, c := range calls(e) {
			if words := f.lintWords(c); words != "" && !said[words] {
				said[words] = true
				parts = append(parts, words)
			}
		}
	}
	if cost := f.fact("latencycost"); cost != "" && f.rule.ID == "pgss-keep" {
		parts = append(parts, "highest latency over that without the extension: +"+cost)
	}
	return strings.Join(parts, "; ")
}

// lintWords state a fact that a measurement rule can rest on; "" for what goes without saying, or what the setting evidence says.
func (f *finding) lintWords(c call) string {
	args := make([]value, len(c.args))
	for i := range args {
		args[i] = c.text(i)
	}
	switch v := f.lookup(c.name, args).(type) {
	case float64:
		switch c.name {
		case "flagged":
			return fmt.Sprintf("%s %s", plural(v, "run", "runs"), c.text(0))
		case "clients":
			return "up to " + plural(v, "client", "clients")
		case "threads":
			return plural(v, "pgbench thread", "pgbench threads")
		case "scale":
			return fmt.Sprintf("scale %.0f", v)
		case "seconds":
			return fmt.Sprintf("the shortest run took %.3g s", v)
		case "needed":
			return plural(v, "run", "runs") + " a side needed"
		case "bracketwidth":
			return "the peak " + f.fact("bracket") + " clients"
		case "moved":
			return fmt.Sprintf("the share that changed most did so by %.1f points", 100*v)
		case "clientshare":
			return "the load generator has " + share100(v) + " of the samples"
		case "fall":
			return "throughput at the largest count is " + share100(v) + " of the peak"
		case "percore":
			return fmt.Sprintf("%.3g clients per hardware thread", v)
		case "worst":
			return percent(v) + " at the worst count"
		}
	case string:
		switch c.name {
		case "script":
			return "script " + v
		case "verdict":
			return "the comparison is " + v
		}
	case bool:
		switch {
		case c.name == "profiled" && !v:
			return "no profile of the slower side"
		case c.name == "nosettings" && v:
			return "no server setting is stated"
		case c.name == "capped" && v:
			return "the ceiling is the same for all series"
		}
	}
	return ""
}

// plural counts things: 1 run, 2 runs.
func plural(n float64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(int(n)) + " " + many
}

// rivals are the causes of the same signature that nothing in the input excludes: no profile and no wait events speak against them, their
// settings are not known to be harmless, and no extension is needed that is not known to be there.
func (f *finding) rivals(rules []*Rule) []string {
	var out []string
	for _, rule := range rules {
		if rule == f.rule || rule.Alone || rule.General || rule.Kind == "measurement" || len(out) == 4 || slices.Contains(out, rule.Cause) {
			continue
		}
		other := f.hold(rule)
		if !other.possible || !other.signature || other.fires() {
			continue
		}
		if other.symbol || other.plausible() {
			out = append(out, rule.Cause)
		}
	}
	return out
}

// foreign tells whether the rule is about an extension or a program that nothing in the input speaks of.
func (f *finding) foreign() bool {
	return strings.Contains(f.rule.Setting, ".") || slices.ContainsFunc(calls(f.rule.Risk), func(c call) bool {
		return c.name == "loaded" || c.name == "label" || c.name == "betterlabel"
	})
}

// share100 writes a share as a percentage with sane digits.
func share100(v float64) string {
	if v < .095 {
		return fmt.Sprintf("%.1f %%", 100*v)
	}
	return fmt.Sprintf("%.0f %%", 100*v)
}
