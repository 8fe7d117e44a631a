package advise

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pgknee/analysis/report"
	"pgknee/analysis/settings"
)

// Advise adds to a report what follows from it: recommendations, best first, and the rules that nearly fired.
// The catalogue may be nil; then defaults are unknown.
func Advise(r *report.Report, rules []*Rule, c *settings.Catalogue) {
	r.Recommendations, r.NearlyFired = nil, nil
	best := map[string]int{} // rule → index of its recommendation
	nearly := map[string]report.NearlyFired{}
	for _, s := range scenes(r, c) {
		for _, rule := range rules {
			f := s.hold(rule)
			if !f.fires() {
				if missing := f.nearly(); missing != "" {
					nearly[rule.ID] = report.NearlyFired{Rule: rule.ID, Setting: rule.Setting, Missing: missing}
				}
				continue
			}
			rec := f.recommendation(rules)
			i, seen := best[rule.ID]
			switch {
			case !seen:
				best[rule.ID] = len(r.Recommendations)
				r.Recommendations = append(r.Recommendations, rec)
			case level(rec.Confidence) > level(r.Recommendations[i].Confidence):
				r.Recommendations[i] = rec
			}
		}
		r.Recommendations = append(r.Recommendations, s.differences(r.Recommendations)...)
	}
	slices.SortStableFunc(r.Recommendations, func(a, b report.Recommendation) int {
		return cmp.Or(cmp.Compare(level(b.Confidence), level(a.Confidence)), cmp.Compare(rank(a.Kind), rank(b.Kind)))
	})
	for _, rule := range rules {
		if n, ok := nearly[rule.ID]; ok {
			if _, fired := best[rule.ID]; !fired {
				r.NearlyFired = append(r.NearlyFired, n)
			}
		}
	}
}

func level(confidence string) int {
	return slices.Index([]string{"weak", "moderate", "strong"}, confidence)
}

func rank(kind string) int {
	return slices.Index([]string{"default", "server", "client", "measurement"}, kind)
}

// finding is a rule held against a scene.
type finding struct {
	*scene
	rule                    *Rule
	possible                bool // the rule's own precondition is met
	signature, symbol, risk bool
	restored                bool // a series in which only the rule's setting has the advised value brings the baseline back
}

func (s *scene) hold(rule *Rule) *finding {
	f := &finding{scene: s, rule: rule, possible: true}
	if rule.When != nil {
		f.possible, _ = rule.When.met(s)
	}
	if !f.possible {
		return f
	}
	f.signature, _ = rule.Signature.met(s)
	f.symbol, _ = rule.Symbol.met(s)
	f.risk, _ = rule.Risk.met(s)
	if s.fix != nil && rule.Setting != "" && rule.To != "" {
		f.restored = strings.EqualFold(s.fix.Attributes[rule.Setting], rule.To)
	}
	f.risk = f.risk || f.restored
	return f
}

func (f *finding) kinds() int {
	n := 0
	for _, met := range []bool{f.signature, f.symbol, f.risk} {
		if met {
			n++
		}
	}
	return n
}

// fires tells whether there is enough evidence. A measurement rule needs all of its conditions. Any other rule needs two kinds of
// evidence where curves are compared and differ; on an inconclusive comparison symbol and setting must agree; where there is only a
// profile, its symbol alone is a hint.
func (f *finding) fires() bool {
	if !f.possible {
		return false
	}
	if f.rule.Alone {
		return (f.rule.Signature == nil || f.signature) && (f.rule.Symbol == nil || f.symbol) && (f.rule.Risk == nil || f.risk)
	}
	changed, _ := f.lookup("changed", nil).(bool)
	switch {
	case changed:
		return f.kinds() >= 2
	case f.comparison != nil:
		return f.symbol && f.risk
	case f.worse.series == nil:
		return f.symbol
	}
	return f.symbol && f.kinds() >= 2
}

// nearly names what a rule lacks that has some evidence; "" when it has none.
func (f *finding) nearly() string {
	if !f.possible || f.rule.Alone || f.kinds() == 0 {
		return ""
	}
	var missing []string
	if !f.signature && f.rule.Signature != nil {
		missing = append(missing, "curves with "+f.rule.Signature.String())
	}
	if !f.symbol && f.rule.Symbol != nil {
		if f.worse.profile == nil {
			missing = append(missing, "a profile of the slower side with "+f.rule.Symbol.String())
		} else {
			missing = append(missing, "in the profile: "+f.rule.Symbol.String())
		}
	}
	if !f.risk && f.rule.Risk != nil {
		missing = append(missing, "known settings with "+f.rule.Risk.String())
	}
	return strings.Join(missing, "; or ")
}

// confidence follows from the kinds of evidence and the caps of the rule base (reference: rules, section 3.3); why names each cap.
func (f *finding) confidence(rules []*Rule) (word string, why []string) {
	word = "weak"
	trusted := f.comparison != nil && f.comparison.Noise != nil && slices.Contains([]string{"repeats", "control-series", "joint-fit"}, f.comparison.Noise.Source)
	switch {
	case f.rule.Kind == "measurement":
		if f.rule.Alone {
			return "moderate", nil
		}
	case f.kinds() == 3 && f.restored && trusted && f.rule.Mark == "V":
		word = "strong"
	case f.kinds() >= 2 && f.comparison != nil:
		word = "moderate"
	}
	limit := func(to, reason string) {
		if level(word) > level(to) {
			word = to
		}
		if reason != "" {
			why = append(why, reason)
		}
	}
	if c := f.comparison; c != nil {
		if c.Noise == nil || c.Noise.Source == "assumed" {
			limit("weak", "the noise is only assumed")
		}
		if c.Verdict == "inconclusive" {
			limit("weak", "the comparison is inconclusive")
		}
		if d := f.different(); len(d) > 1 {
			limit("weak", "several settings differ at once: "+strings.Join(d, ", "))
		}
		if flag := f.spoilt(); flag != "" {
			limit("weak", "the deciding runs are "+flag)
		}
	}
	if f.rule.Setting != "" && !f.risk {
		for _, rule := range rules {
			if rule == f.rule || rule.Alone || rule.Kind == "measurement" {
				continue
			}
			if rival := f.hold(rule); rival.symbol && rival.fires() {
				limit("weak", "the settings of the two sides are not known to differ in it, and another cause fits as well: "+rule.Title)
				break
			}
		}
	}
	if f.rule.Most != "" {
		limit(f.rule.Most, "")
	}
	if f.worse.profile == nil {
		limit("moderate", "no profile: other causes with the same signature are not excluded")
	}
	return word, why
}

// spoilt is a reason not to trust the runs that decide the comparison; "" for none.
func (f *finding) spoilt() string {
	if f.comparison.Worst == nil {
		return ""
	}
	for _, on := range []*side{f.worse, f.better} {
		for _, run := range on.runs {
			if run.Clients == nil || *run.Clients != f.comparison.Worst.Clients {
				continue
			}
			switch {
			case slices.Contains(run.Flags, "aborted"):
				return "aborted"
			case run.DurationS != nil && *run.DurationS < 10:
				return fmt.Sprintf("of %g s only", *run.DurationS)
			}
		}
	}
	return ""
}

// irrelevant are settings that do not bear on throughput.
var irrelevant = []string{
	"data_directory", "config_file", "hba_file", "ident_file", "external_pid_file", "port", "listen_addresses", "unix_socket_", "cluster_name",
	"server_version", "timezone", "log_timezone", "lc_", "default_text_search_config", "datestyle", "application_name", "log_directory", "log_filename",
	"log_line_prefix", "version",
}

// different are the settings, by full name, that differ between the two sides and may bear on throughput.
func (s *scene) different() []string {
	if s.comparison == nil {
		return nil
	}
	names := map[string]bool{}
	for _, on := range []*side{s.worse, s.better} {
		for name := range on.own {
			if s.isSetting(name) && !slices.ContainsFunc(irrelevant, func(p string) bool { return strings.HasPrefix(name, p) }) {
				names[name] = true
			}
		}
	}
	var out []string
	for name := range names {
		a, ok1 := s.setting(s.worse, name)
		b, ok2 := s.setting(s.better, name)
		if ok1 != ok2 || ok1 && !sameSetting(a, b) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// isSetting tells whether an attribute is the name of a server setting.
func (s *scene) isSetting(name string) bool {
	return s.catalogue != nil && s.catalogue.Known(name) || strings.Contains(name, ".")
}

// differences advises on settings that differ where no rule speaks for them: what the data show, and no more.
func (s *scene) differences(have []report.Recommendation) []report.Recommendation {
	changed, _ := s.lookup("changed", nil).(bool)
	names := s.different()
	if !changed || len(names) == 0 {
		return nil
	}
	if slices.ContainsFunc(have, func(r report.Recommendation) bool {
		return slices.Contains(names, r.Setting) && len(names) == 1 || r.Rule == "settings-together" || r.Rule == "setting-differs"
	}) {
		return nil
	}
	var values []string
	for _, n := range names {
		a, b := s.value(s.better, n), s.value(s.worse, n)
		values = append(values, fmt.Sprintf("%s (%s in the faster %s, %s in the slower %s)", n, a, s.better.series.Label, b, s.worse.series.Label))
	}
	evidence := []report.Evidence{s.comparisonEvidence(), {Kind: "setting", Text: strings.Join(values, "; ")}}
	if len(names) > 1 {
		return []report.Recommendation{{
			Rule: "settings-together", Kind: "measurement", Confidence: "weak", Title: "Change one setting at a time",
			Evidence: evidence, Advice: "Repeat the sweep with each of the settings changed alone.",
			Text: fmt.Sprintf("%s Between the two sides these settings differ at once: %s. The data cannot tell which of them matters; repeat the sweep with each changed alone.",
				s.comparison.Why, strings.Join(values, "; ")),
			Falsify: "sweeps in which only one of the settings differs",
		}}
	}
	from, to := s.value(s.worse, names[0]), s.value(s.better, names[0])
	return []report.Recommendation{{
		Rule: "setting-differs", Setting: names[0], From: from, To: to, Kind: "server", Confidence: "weak",
		Title: names[0] + " makes the difference here", Evidence: evidence,
		Advice: "Confirm it with a profile of both sides before relying on it: no rule of the rule base explains the difference.",
		Text: fmt.Sprintf("%s The one setting known to differ is %s. This is consistent with the setting as the cause on this machine and workload; no rule of the rule base explains it, so confirm it with a profile of both sides before relying on it.",
			s.comparison.Why, values[0]),
		Falsify: "a repeated sweep that changes only this setting and shows no difference",
	}}
}

// value is a setting on a side for a text.
func (s *scene) value(on *side, name string) string {
	if v, ok := s.setting(on, name); ok {
		return plain(v)
	}
	return "not stated"
}
