package advise

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pgknee/analysis/report"
	"pgknee/analysis/settings"
	"pgknee/analysis/sorting"
)

// Advise adds to a report what follows from it: recommendations, best first, and the rules that nearly fired.
// The catalogue may be nil; then defaults are unknown.
func Advise(r *report.Report, rules []*Rule, c *settings.Catalogue) {
	r.Recommendations, r.NearlyFired = nil, nil
	best := map[string]int{} // rule → index of its recommendation
	nearly := map[string]report.NearlyFired{}
	gains := map[string]float64{} // by setting that no rule speaks for
	for _, s := range scenes(r, c) {
		findings := make([]*finding, len(rules))
		named := false // a rule that names the caller or the setting has its symbol, and that explains most of the lock time
		for i, rule := range rules {
			findings[i] = s.hold(rule)
			named = named || !rule.General && !rule.Alone && findings[i].symbol && findings[i].fires() && findings[i].most()
		}
		for i, rule := range rules {
			f := findings[i]
			if s.lone && !rule.Alone || rule.General && named {
				continue
			}
			if !f.fires() {
				if missing := f.nearly(); missing != "" {
					nearly[rule.ID] = report.NearlyFired{Rule: rule.ID, Title: f.fill(rule.Title), Setting: rule.Setting, Missing: missing}
				}
				continue
			}
			rec := f.recommendation(rules)
			at, seen := best[rule.ID]
			switch {
			case !seen:
				best[rule.ID] = len(r.Recommendations)
				r.Recommendations = append(r.Recommendations, rec)
			case level(rec.Confidence) > level(r.Recommendations[at].Confidence):
				r.Recommendations[at] = rec
			}
		}
		if rec := s.differences(r.Recommendations); rec != nil {
			at, seen := best[rec.Rule+rec.Setting]
			switch {
			case !seen:
				best[rec.Rule+rec.Setting] = len(r.Recommendations)
				r.Recommendations = append(r.Recommendations, *rec)
			case s.gain() > gains[rec.Setting]: // of several values the best one
				r.Recommendations[at] = *rec
			default:
				continue
			}
			gains[rec.Setting] = s.gain()
		}
	}
	sorting.StableBy(r.Recommendations, func(a, b report.Recommendation) int {
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
	byVersion               bool // what speaks for the risk is only that the versions differ
	hearsay                 bool // what speaks for the risk is only that the text mentions it
	assumed                 bool // the setting's risk rests on defaults of versions alone
	restored                bool // a series in which only the rule's setting has the advised value brings the baseline back
}

// hold holds a rule against the scene.
func (s *scene) hold(rule *Rule) *finding {
	f := &finding{scene: s, rule: rule, possible: true}
	if rule.When != nil {
		f.possible, _ = rule.When.met(s)
	}
	if ruledOut, _ := rule.Unless.met(s); ruledOut || !f.possible {
		f.possible = false
		return f
	}
	f.signature, _ = rule.Signature.met(s)
	f.symbol, _ = rule.Symbol.met(s)
	f.risk, _ = rule.Risk.met(s)
	if f.risk {
		s.deaf = true
		without, _ := rule.Risk.met(s)
		s.deaf, f.hearsay = false, !without
		s.ageless = true
		without, _ = rule.Risk.met(s)
		s.ageless, f.byVersion = false, !without
	}
	if s.fix != nil && rule.Setting != "" && rule.To != "" {
		f.restored = strings.EqualFold(s.fix.Attributes[rule.Setting], rule.To)
	}
	f.risk = f.risk || f.restored
	f.assumed = f.risk && !f.restored && f.byDefault()
	return f
}

// byDefault tells whether what is known of the rule's settings comes from the defaults of the versions alone.
func (f *finding) byDefault() bool {
	found := false
	for _, c := range calls(f.rule.Risk) {
		switch c.name {
		case "worse", "better", "differs", "size", "bettersize":
			found = true
			if f.worse.stated(c.text(0)) || f.better.stated(c.text(0)) {
				return false
			}
		case "label", "betterlabel", "loaded", "mentions", "mode", "bettermode", "script":
			return false
		}
	}
	return found
}

// equal tells whether the rule's setting is known to be the same on both sides: then it does not explain what differs.
func (f *finding) equal() bool {
	if f.comparison == nil || f.rule.Setting == "" || f.restored {
		return false
	}
	a, ok1 := f.setting(f.worse, f.rule.Setting)
	b, ok2 := f.setting(f.better, f.rule.Setting)
	return ok1 && ok2 && sameSetting(a, b) && (f.worse.stated(f.rule.Setting) || f.better.stated(f.rule.Setting))
}

// advised tells whether the slower side has the advised value already.
func (f *finding) advised() bool {
	v, ok := f.setting(f.worse, f.rule.Setting)
	return ok && f.rule.To != "" && strings.EqualFold(plain(v), f.rule.To)
}

// kinds is how many kinds of evidence there are.
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
	case f.rule.Setting != "" && f.advised():
		return false
	case f.byVersion && !f.symbol && (f.worse.profile != nil || f.worse.waits != nil): // these would show it
		return false
	case f.assumed && !f.symbol: // versions differ in more than one default
		return false
	case !f.symbol && f.contradicted():
		return false
	case f.equal():
		return changed && f.signature && f.symbol
	case changed:
		return f.kinds() >= 2
	case f.comparison != nil:
		return f.symbol && f.risk
	case f.worse.series == nil:
		return f.symbol
	}
	return f.symbol && f.kinds() >= 2
}

// contradicted tells whether there is a list of what the sessions of the slower side wait for in which next to none wait for what the
// rule is about, though it is about waiting.
func (f *finding) contradicted() bool {
	if f.worse.waits == nil {
		return false
	}
	about := false
	for _, c := range calls(f.rule.Symbol) {
		if c.name == "waits" || c.name == "waitgain" {
			about = true
			if waitShare(f.worse.waits, c.text(0)) >= .02 {
				return false
			}
		}
	}
	return about
}

// most tells whether the locks of the rule's symbol take at least half of the profile's time for locks of their class, so that no more
// general cause is needed.
func (f *finding) most() bool {
	p := f.worse.profile
	if p == nil {
		return true
	}
	locks, mine := 0.0, 0.0
	for _, c := range calls(f.rule.Symbol) {
		if c.name == "lock" || c.name == "lockgain" {
			locks, mine = max(locks, lockShare(p, c.text(0), "")), max(mine, lockShare(p, c.text(0), c.text(1)))
		}
	}
	return 2*mine >= locks
}

// nearly names what a rule lacks that has its symbol or its setting; "" when it has neither.
func (f *finding) nearly() string {
	if !f.possible || f.rule.Alone || f.rule.General || !f.symbol && !f.risk {
		return ""
	}
	var missing []string
	if !f.signature && f.rule.Signature != nil {
		missing = append(missing, "curves that show "+strings.Join(f.lacks(f.rule.Signature.root), " and "))
	}
	if !f.symbol && f.rule.Symbol != nil {
		missing = append(missing, "a profile or wait events of the slower side with "+symbolWords(f.rule.Symbol))
	}
	switch words := riskWords(f.rule.Risk); {
	case f.equal():
		missing = append(missing, "different values: "+f.rule.Setting+" is the same on both sides")
	case !f.risk && f.rule.Setting != "":
		missing = append(missing, "values of "+f.rule.Setting+" that differ between the sides")
	case !f.risk && words != "":
		missing = append(missing, words)
	}
	return strings.Join(missing, "; ")
}

// plausible tells whether the curves alone suggest the rule: its signature is there, and nothing else is known either way.
func (f *finding) plausible() bool {
	_, unknown := f.rule.Risk.met(f.scene)
	return f.signature && f.rule.Symbol != nil && f.worse.profile == nil && f.worse.waits == nil && unknown && !f.foreign()
}

// confidence follows from the kinds of evidence and from caps; why names each cap that has a reason of its own.
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
		if f.equal() {
			limit("weak", f.rule.Setting+" is the same on both sides, so it does not explain the difference by itself")
		} else if _, known := f.setting(f.worse, f.rule.Setting); f.rule.Setting != "" && !f.risk && !known {
			limit("weak", "the value of "+f.rule.Setting+" is not known")
		}
		if f.byVersion && !f.symbol {
			limit("weak", "versions differ in more than this")
		}
		if f.hearsay && f.kinds() < 3 {
			limit("weak", "only the text around the runs speaks of it")
		}
		if f.worse.unowned && f.symbol && f.kinds() < 3 {
			limit("weak", "the input does not say which side was profiled")
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
				limit("weak", "the settings of the two sides are not known to differ in it, and another cause fits as well: "+rule.Cause)
				break
			}
		}
	}
	if f.rule.Most != "" {
		limit(f.rule.Most, "")
	}
	if f.worse.profile == nil && f.worse.waits == nil {
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
	"log_line_prefix", "version", "log_connections", "log_disconnections", "log_checkpoints", "log_lock_waits", "log_rotation", "log_truncate", "log_autovacuum",
	"log_temp_files", "log_file_mode", "log_hostname", "log_error_verbosity", "log_destination", "syslog_", "event_source", "archive_command", "primary_conninfo",
	"restore_command", "max_wal_senders", "max_replication_slots", "superuser_reserved_connections", "reserved_connections", "restart_after_crash", "krb_", "password_encryption",
	"statement_timeout", "lock_timeout", "idle_", "search_path", "client_encoding", "client_min_messages", "intervalstyle", "bonjour", "dynamic_library_path", "authentication_timeout",
	"ssl_cert", "ssl_key", "ssl_ca", "ssl_crl", "max_connections", "cores", "host",
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
		if ok1 && ok2 && !sameSetting(a, b) || ok1 != ok2 && len(s.worse.own) > 0 && len(s.better.own) > 0 {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	if slices.Contains(out, preload) { // settings of a library that only one side loads are part of that difference
		a, b := s.worse.settings[preload].Value, s.better.settings[preload].Value
		out = slices.DeleteFunc(out, func(name string) bool {
			library, _, ok := strings.Cut(name, ".")
			return ok && strings.Contains(a, library) != strings.Contains(b, library)
		})
	}
	return out
}

// preload is the setting that loads extensions.
const preload = "shared_preload_libraries"

// isSetting tells whether an attribute is the name of a server setting.
func (s *scene) isSetting(name string) bool {
	return s.catalogue != nil && s.catalogue.Has(name) || strings.Contains(name, ".")
}

// differences advises on settings that differ where no rule speaks for them: what the data show, and no more.
func (s *scene) differences(have []report.Recommendation) *report.Recommendation {
	changed, _ := s.lookup("changed", nil).(bool)
	if s.comparison != nil && slices.ContainsFunc(s.comparison.Differs, func(d report.Difference) bool { return strings.HasSuffix(d.Name, "version") }) {
		return nil // another version explains as much as a setting does
	}
	names := s.different()
	if !changed || len(names) == 0 {
		return nil
	}
	if slices.ContainsFunc(have, func(r report.Recommendation) bool {
		spoken := slices.Contains(names, r.Setting) || slices.ContainsFunc(r.Evidence, func(e report.Evidence) bool { return e.Kind == "setting" && slices.Contains(names, e.Ref) })
		return spoken && len(names) == 1 && r.Rule != "setting-differs" || r.Rule == "settings-together"
	}) {
		return nil
	}
	var values []string
	for _, n := range names {
		a, b := s.value(s.better, n), s.value(s.worse, n)
		values = append(values, fmt.Sprintf("%s (%s in the faster %s, %s in the slower %s)", n, a, s.better.series.Label, b, s.worse.series.Label))
	}
	rec := report.Recommendation{
		Kind: "measurement", Confidence: "weak",
		Evidence: []report.Evidence{s.comparisonEvidence(), {Kind: "setting", Text: strings.Join(values, "; ")}},
	}
	one := s.comparison.Why + " The one setting known to differ is " + values[0] + ". "
	switch why := protects[names[0]]; {
	case len(names) > 1:
		rec.Rule, rec.Title = "settings-together", "Change one setting at a time"
		rec.Advice = "Repeat the sweep with each of the settings changed alone."
		rec.Text = fmt.Sprintf("%s Between the two sides these settings differ at once: %s. The data cannot tell which of them matters; repeat the sweep with each changed alone.",
			s.comparison.Why, strings.Join(values, "; "))
		rec.Falsify = "sweeps in which only one of the settings differs"
	case why != "" && s.protected(names[0]):
		rec.Rule, rec.Title = "setting-protects", "Leave "+names[0]+" as it is: it is there for safety, not for speed"
		rec.Advice = "What is measured here is the price of it: " + why + ". That is nothing to save on; look for where the time goes with a profile of both sides."
		rec.Text = one + rec.Advice
		rec.Falsify = "a machine on which nothing is worth protecting"
	default:
		rec.Rule, rec.Kind, rec.Title = "setting-differs", "server", names[0]+" makes the difference here"
		rec.Setting, rec.From, rec.To = names[0], s.value(s.worse, names[0]), s.value(s.better, names[0])
		rec.Advice = "Confirm it with a profile of both sides before relying on it: no rule of the rule base explains the difference."
		rec.Text = one + "This is consistent with the setting as the cause on this machine and workload; no rule of the rule base explains it, so confirm it with a profile of both sides before relying on it."
		rec.Falsify = "a repeated sweep that changes only this setting and shows no difference"
	}
	return &rec
}

// protects are settings that cost throughput for a reason, and what is lost without them.
var protects = map[string]string{
	"fsync":                   "without it a crash of the machine can corrupt the whole cluster",
	"full_page_writes":        "without it a crash of the machine can leave pages that are half old and half new, which recovery does not repair",
	"data_checksums":          "without them pages that the storage has damaged are not noticed",
	"autovacuum":              "without it tables bloat, statistics go stale, and in the end transaction IDs run out; runs of minutes do not show that",
	"ssl":                     "without it passwords and data can be read on the network",
	"synchronous_commit":      "with less the last commits before a crash, or before a failover, are lost",
	"archive_mode":            "without it there is no recovery to a point in time",
	"wal_log_hints":           "without it pg_rewind needs data checksums",
	"log_checkpoints":         "without it nothing tells when checkpoints come too often",
	"track_counts":            "without it autovacuum does nothing",
	"zero_damaged_pages":      "it destroys data",
	"ignore_checksum_failure": "it hides damaged data",
}

// protected tells whether the slower side is the safe one.
func (s *scene) protected(name string) bool {
	a := strings.ToLower(s.value(s.worse, name))
	unsafe := name == "zero_damaged_pages" || name == "ignore_checksum_failure"
	return (a == "off" || a == "false" || a == "0" || a == "no") == unsafe
}

// gain is how much faster the faster side is, on average.
func (s *scene) gain() float64 {
	for _, ratio := range []string{"mean", "worst"} {
		if v, ok := s.lookup(ratio, nil).(float64); ok && v > 0 {
			return 1 / v
		}
	}
	return 0
}

// value is a setting on a side for a text.
func (s *scene) value(on *side, name string) string {
	if v, ok := s.setting(on, name); ok {
		return plain(v)
	}
	return "not stated"
}
