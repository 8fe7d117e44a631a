package advise

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"pgknee/analysis/report"
	"pgknee/analysis/settings"
)

// facts are the names that may stand in rules, with the number of their arguments. "Worse" and "better" are the two sides of a
// comparison by throughput; without a comparison the worse side is the only series, or the only profile.
var facts = map[string]int{
	"attribution":  0, // of the comparison: uniform, contention, collapse, unexplained
	"verdict":      0, // of the comparison
	"compared":     0, // whether there are two sides
	"changed":      0, // whether the comparison found a change of throughput
	"worst":        0, // smallest ratio of the worse to the better side
	"mean":         0, // mean ratio of the worse to the better side
	"peak":         0, // clients at the worse side's sampled peak
	"fall":         0, // the worse side's throughput at its last count over that at its peak
	"clients":      0, // largest client count of the worse side
	"percore":      0, // clients over cores
	"clientshare":  0, // share of the load generator in the worse side's profile: above 0 it ran on the profiled machine
	"stated":       1, // whether the input itself gives a setting of the worse side
	"mentions":     1, // mentions("pgbouncer"): whether the text around the runs speaks of it
	"nosettings":   0, // whether the input states no server setting at all
	"repeats":      0, // smallest number of runs at a count
	"seconds":      0, // shortest duration of a run
	"threads":      0, // pgbench threads at the largest count
	"scale":        0, // scale factor
	"script":       0, // script of the worse side
	"mode":         0, // query mode of the worse side
	"bettermode":   0, // query mode of the better side
	"version":      0, // server's major version on the worse side, as a number
	"versiontext":  0, // server's version on the worse side, as written
	"varies":       0, // coefficient of variation inside the worse side's runs
	"bettervaries": 0, // the same of the better side's
	"unit":         0, // what the throughput counts
	"capped":       0, // whether all series reach the same ceiling whatever tells them apart

	"lock":          2, // lock("lwlock", "a|b"): share of the class under these callers, worse side
	"lockgain":      2, // its growth from the better to the worse side, in shares
	"symbol":        1, // symbol("a|b"): share of all samples in these functions or what they call, worse side
	"gain":          1, // its growth from the better to the worse side, in shares
	"grew":          1, // like gain, but unknown when two sides are compared and only one has a profile: for functions that are always there
	"waits":         1, // waits("LWLock:WALInsert|IO:WALSync"): share of the sessions in these wait events, worse side; names without their type are found too
	"waitgain":      1, // its growth from the better to the worse side, in shares
	"self":          1, // share in these functions themselves, worse side
	"selfgain":      1, // its growth from the better to the worse side, in shares
	"worse":         1, // worse("name"): value of a setting on the worse side, or the default of its version
	"better":        1, // the same on the better side
	"differs":       1, // whether a setting differs between the sides
	"size":          1, // size("name"): a setting of the worse side in bytes, milliseconds or plain numbers
	"bettersize":    1,
	"loaded":        1, // whether shared_preload_libraries of the worse side names it, or a setting of it is stated
	"betterversion": 0, // server's major version on the better side
	"profiled":      0, // whether the worse side has a profile
	"needed":        0, // runs per side that would settle an inconclusive comparison
	"bracketwidth":  0, // upper over lower end of the bracket of the worse side's peak
	"profilepair":   0, // whether two profiles are compared
	"moved":         0, // largest change of a function's share between them
	"movedlock":     0, // largest growth of the share of a class of locks between them
	"flagged":       1, // flagged("aborted"): how many runs of the worse side carry the flag
	"latencycost":   0, // largest mean latency over that of the runs whose label says "not loaded", minus 1, within one query mode
	"label":         1, // label("pattern"): whether the worse side's label or an attribute of it matches
	"betterlabel":   1,
}

// scene is what a rule is held against: a comparison with what belongs to its sides, or one series or profile alone.
type scene struct {
	r             *report.Report
	catalogue     *settings.Catalogue
	comparison    *report.Comparison // nil when there is nothing to compare
	worse, better *side
	fix           *report.Series // a series that restores the baseline
	ageless       bool           // versions are unknown
	deaf          bool           // facts of the text around the runs are unknown
	lone          bool           // one series out of several, for rules that need no comparison
}

// side is one series with what belongs to it.
type side struct {
	series      *report.Series
	runs        []*report.Run
	profile     *report.Profile
	waits       *report.Waits
	textVersion string                    // the one version that the text around its runs states
	unowned     bool                      // the input does not say that profile or waits are this side's
	settings    map[string]report.Setting // stated for this side, by full name
	lists       []report.Place            // where its settings stand
	listed      bool                      // a list of settings of its own is there
	own         map[string]bool           // those of them that are this side's own, not the whole input's
}

// mostLone is how many series without a comparison that tells something are looked at: each takes time with the number of runs.
const mostLone = 200

// scenes are all the cases of a report: each comparison, and, where there is none, each series and each profile alone.
//
// A report of very many series gets a note when not all of them were looked at.
func scenes(r *report.Report, c *settings.Catalogue) []*scene {
	var out []*scene
	for i := range r.Comparisons {
		cmp := &r.Comparisons[i]
		if cmp.Restores != "" || cmp.Verdict == "no-difference" || cmp.Verdict == "not-comparable" {
			continue
		}
		s := sides(r, cmp)
		s.catalogue = c
		for j := range r.Comparisons {
			if f := &r.Comparisons[j]; f.Restores != "" && f.Baseline == cmp.Baseline {
				s.fix = seriesOf(r, f.Candidate)
			}
		}
		s.unowned()
		out = append(out, s)
	}
	if len(r.Comparisons) == 0 {
		for i := range r.Series {
			if len(r.Series[i].Points) > 0 {
				s := &scene{r: r, catalogue: c, worse: newSide(r, r.Series[i].Label)}
				if len(r.Series) == 1 {
					s.unowned()
				}
				out = append(out, s)
			}
		}
	}
	lone := 0
	for i := range r.Series {
		label := r.Series[i].Label
		if len(r.Series[i].Points) == 0 || slices.ContainsFunc(out, func(s *scene) bool { return s.worse.is(label) }) {
			continue
		}
		if lone++; lone > mostLone {
			r.Notes = append(r.Notes, fmt.Sprintf("%d series: advice rests on the differences found and on the first %d series without one; the others were not looked at for advice.", len(r.Series), mostLone))
			break
		}
		out = append(out, &scene{r: r, catalogue: c, worse: newSide(r, label), lone: true})
	}
	if len(out) == 0 && len(r.Runs) > 0 {
		s := &scene{r: r, catalogue: c, worse: newSide(r, "")} // runs that form no curve: latencies, throttled or aborted ones
		for i := range r.Runs {
			s.worse.runs = append(s.worse.runs, &r.Runs[i])
		}
		out = append(out, s)
	}
	if len(r.Series) == 0 || !slices.ContainsFunc(r.Series, func(s report.Series) bool { return len(s.Points) > 0 }) {
		out = append(out, profileScenes(r, c)...)
	}
	return out
}

// sides is the case of a comparison.
func sides(r *report.Report, c *report.Comparison) *scene {
	s := &scene{r: r, comparison: c, worse: newSide(r, c.Candidate), better: newSide(r, c.Baseline)}
	if c.Verdict == "improvement" {
		s.worse, s.better = s.better, s.worse
	}
	return s
}

func (s *side) is(label string) bool { return s != nil && s.series != nil && s.series.Label == label }

// unowned gives the worse side the only profile, and the only list of wait events, when the input does not say whose they are: people
// show where the time goes that is missing.
func (s *scene) unowned() {
	if s.worse.profile == nil && (s.better == nil || s.better.profile == nil) && len(s.r.Profiles) == 1 && s.r.Profiles[0].Series == "" {
		s.worse.profile, s.worse.unowned = &s.r.Profiles[0], true
	}
	if s.worse.waits == nil && (s.better == nil || s.better.waits == nil) && len(s.r.Waits) == 1 && s.r.Waits[0].Series == "" {
		s.worse.waits, s.worse.unowned = &s.r.Waits[0], true
	}
}

// profileScenes are the cases of a report without curves: each pair of profiles, the second against the first, or each one alone.
func profileScenes(r *report.Report, c *settings.Catalogue) []*scene {
	var out []*scene
	alone := func(p *report.Profile) *side {
		s := newSide(r, "")
		s.profile = p
		return s
	}
	if len(r.ProfileComparisons) == 0 {
		for i := range r.Profiles {
			s := &scene{r: r, catalogue: c, worse: alone(&r.Profiles[i])}
			if len(r.Profiles) == 1 {
				s.unowned()
			}
			out = append(out, s)
		}
	}
	if len(r.Profiles) == 0 && len(r.Waits) == 1 {
		s := &scene{r: r, catalogue: c, worse: alone(nil)}
		s.worse.waits = &r.Waits[0]
		out = append(out, s)
	}
	for _, pc := range r.ProfileComparisons {
		find := func(label string) int {
			return slices.IndexFunc(r.Profiles, func(p report.Profile) bool { return p.Label == label })
		}
		if a, b := find(pc.Baseline), find(pc.Candidate); a >= 0 && b >= 0 {
			out = append(out, &scene{r: r, catalogue: c, worse: alone(&r.Profiles[b]), better: alone(&r.Profiles[a])})
		}
	}
	return out
}

func seriesOf(r *report.Report, label string) *report.Series {
	for i := range r.Series {
		if r.Series[i].Label == label {
			return &r.Series[i]
		}
	}
	return nil
}

func newSide(r *report.Report, label string) *side {
	s := &side{series: seriesOf(r, label), settings: map[string]report.Setting{}, own: map[string]bool{}}
	for i := range r.Runs {
		if run := &r.Runs[i]; label != "" && run.Series == label {
			s.runs = append(s.runs, run)
		}
	}
	for _, f := range r.Files {
		if v := f.Stated["server version"]; v != "" && (len(r.Files) == 1 || slices.ContainsFunc(s.runs, func(run *report.Run) bool { return run.File == f.Name })) {
			s.textVersion = v
		}
	}
	for i := range r.Profiles {
		if p := &r.Profiles[i]; label != "" && p.Series == label && s.profile == nil {
			s.profile = p
		}
	}
	for i := range r.Waits {
		if w := &r.Waits[i]; label != "" && w.Series == label && s.waits == nil {
			s.waits = w
		}
	}
	for _, set := range r.Settings {
		if set.Series != "" && set.Series != label {
			continue
		}
		s.lists = append(s.lists, report.Place{File: set.File})
		s.listed = s.listed || set.Series == label && label != ""
		for name, v := range set.Values {
			if _, stated := s.settings[name]; !stated || set.Series == label {
				s.settings[name] = v
				s.own[name] = s.own[name] || set.Series == label && label != ""
			}
		}
	}
	if s.series != nil {
		for name, v := range s.series.Attributes {
			s.settings[name] = report.Setting{Value: v, Text: v}
			s.own[name] = true
		}
	}
	return s
}

// serverVersion is the version of the server of the side's runs, as written; "" if unknown.
func (s *side) serverVersion() string {
	if s == nil {
		return ""
	}
	for _, run := range s.runs {
		if run.ServerVersion != "" {
			return run.ServerVersion
		}
		if run.Version != "" {
			return run.Version
		}
	}
	if s.series != nil {
		for _, name := range []string{"server_version", "version"} {
			if v := s.series.Attributes[name]; v != "" {
				return v
			}
		}
		if m := versionInLabel.FindStringSubmatch(s.series.Label); m != nil && settings.Major(m[1]+m[2]) >= 9 {
			return m[1] + m[2]
		}
	}
	if v, ok := s.settings["server_version"]; ok {
		return v.Value
	}
	return s.textVersion
}

// versionInLabel finds a version that is marked as PostgreSQL's, or a whole one with which the label begins. Kernels and counts are none:
// see serverVersion.
var versionInLabel = regexp.MustCompile(`(?i)(?:\b(?:v|pg|postgres(?:ql)?)[ _-]?(\d{1,2}(?:\.\d+){0,2}(?:beta\d+|rc\d+|devel)?)|^(\d{1,2}(?:(?:\.\d+){1,2}|beta\d+|rc\d+|devel)))\b`)

// setting is the value of a setting on a side as text: what is stated, else the default of the side's version.
func (s *scene) setting(on *side, name string) (report.Setting, bool) {
	if on == nil {
		return report.Setting{}, false
	}
	if v, ok := on.settings[name]; ok && (on.own[name] || s.exists(on, name)) {
		return v, true
	}
	if s.catalogue == nil {
		return report.Setting{}, false
	}
	version := on.serverVersion()
	if version == "" {
		// What a list of settings leaves out has its default, if all versions agree on it.
		rows := s.catalogue.Rows(name)
		if !on.listed || len(rows) == 0 || slices.ContainsFunc(rows, func(e settings.Entry) bool { return e.Default != rows[0].Default || e.Unit != rows[0].Unit }) {
			return report.Setting{}, false
		}
		return report.Setting{Value: rows[0].Default, Unit: rows[0].Unit, Text: rows[0].Text()}, true
	}
	if v, ok := s.catalogue.Default(name, version); ok {
		return report.Setting(v), true
	}
	return report.Setting{}, false
}

// exists tells whether the version of a side has a setting, as far as is known: one list for all sides may name what the older one lacks.
func (s *scene) exists(on *side, name string) bool {
	version := on.serverVersion()
	if s.catalogue == nil || version == "" || !s.catalogue.Has(name) {
		return true
	}
	_, ok := s.catalogue.Entry(name, version)
	return ok || settings.Major(version) == 0
}

// stated tells whether the input itself gives a setting of a side.
func (s *side) stated(name string) bool {
	if s == nil {
		return false
	}
	_, ok := s.settings[name]
	return ok
}

// lookup answers a fact of facts.
func (s *scene) lookup(name string, args []value) value {
	text := func(i int) string {
		t, _ := args[i].(string)
		return t
	}
	on := s.worse
	if strings.HasPrefix(name, "better") {
		on = s.better
	}
	switch name {
	case "compared":
		return s.comparison != nil
	case "attribution", "verdict", "changed", "worst", "mean", "needed":
		return s.ofComparison(name)
	case "lock", "lockgain":
		return grown(name == "lockgain", s.worse, s.better, func(p *report.Profile) float64 {
			if s.mixed() && p == s.better.profile && selfOnly(p) {
				return lockShare(p, text(0), "") // callers are unknown: no more than all of them
			}
			return lockShare(p, text(0), text(1))
		})
	case "symbol":
		return grown(false, s.worse, s.better, func(p *report.Profile) float64 { return functionShare(p, text(0), false) })
	case "gain":
		return grown(true, s.worse, s.better, func(p *report.Profile) float64 { return functionShare(p, text(0), s.mixed()) })
	case "grew":
		if s.better != nil && s.better.profile == nil {
			return nil
		}
		return grown(true, s.worse, s.better, func(p *report.Profile) float64 { return functionShare(p, text(0), s.mixed()) })
	case "waits", "waitgain":
		return waited(name == "waitgain", s.worse, s.better, text(0))
	case "self", "selfgain":
		return grown(name == "selfgain", s.worse, s.better, func(p *report.Profile) float64 { return functionShare(p, text(0), true) })
	case "worse", "better":
		if v, ok := s.setting(on, text(0)); ok {
			return plain(v)
		}
		return nil
	case "size", "bettersize":
		if v, ok := s.setting(on, text(0)); ok {
			if amount, ok := settings.Amount(v.Value, v.Unit); ok {
				return amount
			}
		}
		return nil
	case "differs":
		a, ok1 := s.setting(s.worse, text(0))
		b, ok2 := s.setting(s.better, text(0))
		if !ok1 || !ok2 {
			return nil
		}
		return !sameSetting(a, b)
	case "loaded":
		return s.loaded(text(0))
	case "profiled":
		return s.worse.profile != nil
	case "profilepair":
		return len(s.r.ProfileComparisons) > 0
	case "moved", "movedlock":
		return s.moved(name == "movedlock")
	case "stated":
		return s.worse.stated(text(0))
	case "mentions":
		if s.deaf {
			return nil
		}
		return s.mentions(text(0))
	case "clientshare":
		return clientShare(s.worse.profile)
	case "nosettings":
		return len(s.r.Settings) == 0 && (s.worse.series == nil || len(s.worse.own) == 0)
	case "flagged":
		n := 0.0
		for _, run := range s.worse.runs {
			if slices.Contains(run.Flags, text(0)) {
				n++
			}
		}
		return n
	case "latencycost":
		return latencyCost(s.r)
	case "label", "betterlabel":
		return labelled(on, text(0))
	}
	return s.ofRuns(name)
}

// plain gives a setting as rules write it: the text where the source wrote one, else the bare value.
func plain(v report.Setting) string {
	if v.Text != "" {
		return v.Text
	}
	return v.Value + v.Unit
}

func sameSetting(a, b report.Setting) bool {
	x, ok1 := settings.Amount(a.Value, a.Unit)
	y, ok2 := settings.Amount(b.Value, b.Unit)
	if ok1 && ok2 {
		return x == y
	}
	return strings.EqualFold(a.Value, b.Value)
}

func (s *scene) ofComparison(name string) value {
	c := s.comparison
	if c == nil {
		if name == "changed" {
			return false
		}
		return nil
	}
	turn := func(ratio float64) float64 { // ratios are of the worse to the better side
		if c.Verdict == "improvement" && ratio > 0 {
			return 1 / ratio
		}
		return ratio
	}
	switch name {
	case "verdict":
		return c.Verdict
	case "changed":
		return c.Verdict == "regression" || c.Verdict == "improvement" || c.Verdict == "mixed"
	case "attribution":
		if c.Attribution != "" {
			return c.Attribution
		}
	case "worst":
		if c.Worst != nil {
			return turn(c.Worst.Ratio)
		}
	case "mean":
		if c.Mean != nil {
			return turn(c.Mean.Ratio)
		}
	case "needed":
		if c.RepeatsNeeded > 0 {
			return float64(c.RepeatsNeeded)
		}
	}
	return nil
}

// selfOnly tells whether a profile has the shares of functions themselves only, not of what they call.
func selfOnly(p *report.Profile) bool {
	return len(p.Top) > 0 && !slices.ContainsFunc(p.Top, func(f report.Function) bool { return f.Unknown != "total" })
}

// mixed tells whether one side's profile is flat and the other's is not: then only the shares of functions themselves can be compared.
func (s *scene) mixed() bool {
	return s.better != nil && s.worse.profile != nil && s.better.profile != nil && selfOnly(s.worse.profile) != selfOnly(s.better.profile)
}

// grown is a share on the worse side, or, when asked and known, how much it grew from the better side.
func grown(growth bool, worse, better *side, share func(*report.Profile) float64) value {
	if worse == nil || worse.profile == nil {
		return nil
	}
	v := share(worse.profile)
	if growth && better != nil && better.profile != nil {
		v -= share(better.profile)
	}
	return v
}

// waited is the share of the sessions in the named wait events on the worse side, or how much it grew.
func waited(growth bool, worse, better *side, names string) value {
	if worse == nil || worse.waits == nil {
		return nil
	}
	v := waitShare(worse.waits, names)
	if growth && better != nil && better.waits != nil {
		v -= waitShare(better.waits, names)
	}
	return v
}

// waitShare is the share of the named wait events together.
func waitShare(w *report.Waits, names string) float64 {
	sum := 0.0
	for _, e := range w.Events {
		if isWait(e.Event, names) {
			sum += e.Share
		}
	}
	return sum
}

// isWait tells whether a wait event is one of the names, as any version writes it: WALInsertLock is WALInsert, buffer_mapping
// BufferMapping, and where the input leaves out the type the name decides.
func isWait(event, names string) bool {
	kind, name, typed := strings.Cut(event, ":")
	if !typed {
		name = event
	}
	for n := range strings.SplitSeq(names, "|") {
		k, want, ok := strings.Cut(n, ":")
		if ok && plainWait(name) == plainWait(want) && (!typed || kind == k || k == "LWLock" && kind == "Extension") {
			return true
		}
	}
	return false
}

func plainWait(name string) string {
	return strings.TrimSuffix(strings.ReplaceAll(strings.ToLower(name), "_", ""), "lock")
}

// lockShare is the share of a class of locks under the named callers; "" for all callers.
func lockShare(p *report.Profile, class, callers string) float64 {
	names := strings.Split(callers, "|")
	for _, l := range p.Locks {
		if l.Class != class {
			continue
		}
		if callers == "" {
			return l.Share
		}
		sum := 0.0
		for _, c := range l.Callers {
			if slices.Contains(names, c.Function) {
				sum += c.Share
			}
		}
		return sum
	}
	return 0
}

// named tells whether a function is one of the names. One that ends in * stands for all that begin so.
func named(function, names string) bool {
	for name := range strings.SplitSeq(names, "|") {
		if stem, open := strings.CutSuffix(name, "*"); function == name || open && strings.HasPrefix(function, stem) {
			return true
		}
	}
	return false
}

// functionShare is the largest share of the named functions: of what they call too, or of themselves alone.
func functionShare(p *report.Profile, names string, self bool) float64 {
	most, sum := 0.0, 0.0
	for _, f := range p.Top {
		if named(f.Function, names) {
			most, sum = max(most, f.Total), sum+f.Own()
		}
	}
	if self {
		return sum
	}
	return max(most, sum)
}

func (s *scene) loaded(library string) value {
	for name := range s.worse.settings {
		if strings.HasPrefix(name, library+".") {
			return true
		}
	}
	if v, ok := s.worse.settings[preload]; ok {
		return strings.Contains(v.Value, library)
	}
	return nil
}

// labelled tells whether the label of a side, or an attribute of it, matches a pattern.
func labelled(on *side, pattern string) value {
	if on == nil || on.series == nil {
		return nil
	}
	re, err := regexp.Compile("(?i)" + pattern)
	if err != nil {
		return nil
	}
	if re.MatchString(on.series.Label) {
		return true
	}
	for k, v := range on.series.Attributes {
		if re.MatchString(k + "=" + v) {
			return true
		}
	}
	return false
}

// ofRuns answers facts of the runs and curves of the worse side.
func (s *scene) ofRuns(name string) value {
	w := s.worse
	version := w.serverVersion()
	switch name {
	case "versiontext":
		if version != "" {
			return version
		}
		return nil
	case "version":
		if m := settings.Major(version); m > 0 && !s.ageless {
			return m
		}
		return nil
	case "betterversion":
		if m := settings.Major(s.better.serverVersion()); m > 0 && !s.ageless {
			return m
		}
		return nil
	case "bettermode":
		if s.better == nil {
			return nil
		}
		return commonText(s.better.runs, func(r *report.Run) string { return r.QueryMode })
	case "mode":
		return commonText(w.runs, func(r *report.Run) string { return r.QueryMode })
	case "script":
		return commonText(w.runs, func(r *report.Run) string { return r.Script })
	case "varies":
		return variation(w.runs)
	case "bettervaries":
		if s.better == nil {
			return nil
		}
		return variation(s.better.runs)
	case "capped":
		return capped(s.r)
	}
	if w.series == nil || len(w.series.Points) == 0 {
		return nil
	}
	points := w.series.Points
	last := points[len(points)-1]
	switch name {
	case "unit":
		return w.series.Unit
	case "clients":
		return float64(last.Clients)
	case "percore":
		if w.series.Cores > 0 {
			return float64(last.Clients) / float64(w.series.Cores)
		}
	case "peak":
		if w.series.Peak != nil {
			return float64(w.series.Peak.Clients)
		}
	case "bracketwidth":
		if pk := w.series.Peak; pk != nil && len(pk.BracketClients) == 2 && pk.BracketClients[0] > 0 {
			return float64(pk.BracketClients[1]) / float64(pk.BracketClients[0])
		}
	case "fall":
		if w.series.Peak != nil && w.series.Peak.TPS > 0 {
			return last.TPS / w.series.Peak.TPS
		}
	case "repeats":
		n := last.N
		for _, p := range points {
			n = min(n, p.N)
		}
		return float64(n)
	case "seconds":
		runs := w.runs
		if s.better != nil {
			runs = slices.Concat(runs, s.better.runs)
		}
		return least(runs, func(r *report.Run) *float64 { return r.DurationS })
	case "scale":
		return least(w.runs, func(r *report.Run) *float64 { return number(r.Scale) })
	case "threads":
		for _, run := range w.runs {
			if run.Clients != nil && *run.Clients == last.Clients && run.Threads != nil {
				return float64(*run.Threads)
			}
		}
	}
	return nil
}

func number(n *int) *float64 {
	if n == nil {
		return nil
	}
	return new(float64(*n))
}

// least is the smallest stated value.
func least(runs []*report.Run, of func(*report.Run) *float64) value {
	var out *float64
	for _, r := range runs {
		if v := of(r); v != nil && (out == nil || *v < *out) {
			out = v
		}
	}
	if out == nil {
		return nil
	}
	return *out
}

// commonText is a text that all runs share, where stated; unknown otherwise.
func commonText(runs []*report.Run, of func(*report.Run) string) value {
	found := ""
	for _, r := range runs {
		if t := of(r); t != "" {
			if found != "" && found != t {
				return nil
			}
			found = t
		}
	}
	if found == "" {
		return nil
	}
	return found
}

// variation is the median over the runs of the coefficient of variation of throughput between a run's intervals, the first tenth
// left out as warm-up; unknown with fewer than ten intervals.
func variation(runs []*report.Run) value {
	var all []float64
	for _, r := range runs {
		if r.Progress == nil || len(r.Progress.TPS) < 10 {
			continue
		}
		steady := r.Progress.TPS[len(r.Progress.TPS)/10:]
		sum, squares := 0.0, 0.0
		for _, v := range steady {
			sum += v
			squares += v * v
		}
		n := float64(len(steady))
		if mean := sum / n; mean > 0 {
			all = append(all, math.Sqrt(max(squares/n-mean*mean, 0))/mean)
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// capped tells whether several series that differ below reach the same ceiling and stay there: the sign of a limit outside the server.
func capped(r *report.Report) value {
	var tops []float64
	for i := range r.Series {
		points := r.Series[i].Points
		if len(points) < 4 {
			continue
		}
		a, b := points[len(points)-2].TPS, points[len(points)-1].TPS
		if math.Abs(a/b-1) > .03 {
			return false
		}
		tops = append(tops, b)
	}
	if len(tops) < 2 {
		return nil
	}
	return slices.Max(tops)/slices.Min(tops) < 1.03
}

// mentions tells whether the text around the worse side's runs speaks of a subject.
func (s *scene) mentions(subject string) bool {
	return slices.ContainsFunc(s.r.Files, func(f report.File) bool {
		if !slices.Contains(strings.Split(f.Stated["mentions"], ", "), subject) {
			return false
		}
		return len(s.r.Files) == 1 || f.Runs == 0 || slices.ContainsFunc(s.worse.runs, func(r *report.Run) bool { return r.File == f.Name })
	})
}

// generators are the programs that make the load.
var generators = []string{"pgbench", "sysbench", "wish", "tclsh", "hammerdbcli", "ycsb"}

// clientShare is the share of the load generator in a profile; unknown where the profile does not tell programs apart.
func clientShare(p *report.Profile) value {
	if p == nil {
		return nil
	}
	share, server := 0.0, false
	for _, c := range p.Commands {
		server = server || strings.HasPrefix(c.Command, "postgres")
		if slices.Contains(generators, c.Command) {
			share += c.Share
		}
	}
	for _, f := range p.Top {
		server = server || f.Function == "postgres" || f.Function == "PostgresMain"
		if len(p.Commands) == 0 && slices.Contains(generators, f.Function) {
			share = max(share, f.Total)
		}
	}
	if !server {
		return nil
	}
	return share
}

// moved is the largest change of a share between two compared profiles: of any function, or of a class of locks.
func (s *scene) moved(lock bool) value {
	if s.worse.profile == nil || s.better == nil || s.better.profile == nil {
		return nil
	}
	most := 0.0
	if lock {
		for _, l := range s.worse.profile.Locks {
			most = max(most, l.Share-lockShare(s.better.profile, l.Class, ""))
		}
		return most
	}
	for _, pc := range s.r.ProfileComparisons {
		if pc.Baseline == s.better.profile.Label && pc.Candidate == s.worse.profile.Label {
			for _, c := range pc.Changes {
				most = max(most, math.Abs(c.TotalTo-c.TotalFrom), math.Abs(c.SelfTo-c.SelfFrom))
			}
		}
	}
	return most
}

// notLoaded tells whether a label says that what others load is not loaded.
func notLoaded(label string) bool { return strings.Contains(strings.ToLower(label), "not loaded") }

// latencyCost compares lists of latencies: how much higher the highest mean is than the mean without what the others load, within one
// query mode.
func latencyCost(r *report.Report) value {
	type group struct{ sum, n float64 }
	base, others := map[string]*group{}, map[[2]string]*group{}
	add := func(g *group, v float64) *group {
		if g == nil {
			g = &group{}
		}
		g.sum += v
		g.n++
		return g
	}
	for i := range r.Runs {
		run := &r.Runs[i]
		if run.LatencyMs == nil || run.TPS != nil {
			continue
		}
		if notLoaded(run.Series) {
			base[run.QueryMode] = add(base[run.QueryMode], *run.LatencyMs)
		} else {
			others[[2]string{run.QueryMode, run.Series}] = add(others[[2]string{run.QueryMode, run.Series}], *run.LatencyMs)
		}
	}
	most, found := 0.0, false
	for key, g := range others {
		if b := base[key[0]]; b != nil && b.sum > 0 {
			found = true
			most = max(most, g.sum/g.n/(b.sum/b.n)-1)
		}
	}
	if !found {
		return nil
	}
	return most
}
