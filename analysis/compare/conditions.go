package compare

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pgknee/analysis/bench"
	"pgknee/analysis/report"
	"pgknee/analysis/stat"
)

// Conditions under which a series was measured, by name: the values its points were taken with, sorted. An unknown one is missing.
type conditions struct {
	values   map[string][]string
	duration float64     // median, s; 0 if unknown
	threads  map[int]int // pgbench threads by client count
	settings []string    // the names that came from attributes
}

// Names of conditions, as printed.
const (
	scale         = "scale"
	workload      = "workload"
	script        = "script"
	unit          = "unit of throughput"
	kind          = "kind of TPS"
	reconnecting  = "connection per transaction (-C)"
	queryMode     = "query mode"
	duration      = "duration"
	threads       = "pgbench threads"
	clientVersion = "client version"
	serverVersion = "server version"
)

// work lists the conditions that make different work or a different measure: no ratio says anything across them.
var work = []string{unit, script, workload, scale, kind, reconnecting}

// stated lists what a report ought to state and a reader would miss.
var stated = []string{scale, script, queryMode, duration}

func conditionsOf(c *bench.Curve) conditions {
	sets := map[string]map[string]bool{}
	add := func(name, value string) {
		if value == "" {
			return
		}
		if sets[name] == nil {
			sets[name] = map[string]bool{}
		}
		sets[name][value] = true
	}
	f := conditions{values: map[string][]string{}, threads: map[int]int{}}
	var durations []float64
	attributes := map[string]int{}
	runs := 0
	for _, p := range c.Points {
		for _, r := range p.Runs {
			runs++
			if r.Scale != nil {
				add(scale, strconv.Itoa(*r.Scale))
			}
			add(script, r.Script)
			add(queryMode, strings.ToLower(r.QueryMode))
			add(clientVersion, r.Version)
			add(serverVersion, r.ServerVersion)
			if r.TPSKind != bench.Reported {
				add(kind, strings.ReplaceAll(r.TPSKind, "-", " "))
			}
			if r.TPSKind == bench.IncludingReconnections || r.Has(bench.FlagReconnect) {
				add(reconnecting, "yes")
			} else if r.TPSKind != bench.Reported && r.TPSKind != "" {
				add(reconnecting, "no")
			}
			if r.DurationS != nil && *r.DurationS > 0 {
				durations = append(durations, *r.DurationS)
			}
			if r.Threads != nil {
				f.threads[p.Clients] = *r.Threads
			}
			for name, value := range r.Attributes {
				attributes[name]++
				add(name, value)
			}
		}
	}
	for name, set := range sets {
		f.values[name] = slices.Sorted(maps.Keys(set))
	}
	for name, n := range attributes {
		// An attribute that is not the same in all runs says nothing about the series.
		if n == runs && len(f.values[name]) == 1 {
			f.settings = append(f.settings, name)
		} else {
			delete(f.values, name)
		}
	}
	slices.Sort(f.settings)
	u := c.Unit
	if u == "" {
		u = "tps"
	}
	f.values[unit] = []string{strings.ToLower(u)}
	if w := workIn(c.Label); w != "" {
		f.values[workload] = []string{w}
	}
	if len(durations) > 0 {
		f.duration = stat.Median(durations)
		f.values[duration] = []string{seconds(f.duration)}
	}
	return f
}

// workIn is the work that a label names: reads only or reads and writes, or a script of sysbench; "" for none.
func workIn(label string) string {
	words := strings.FieldsFunc(strings.ToLower(label), func(r rune) bool { return strings.ContainsRune(" \t,;:()[]{}/", r) })
	for i, w := range words {
		if strings.HasPrefix(w, "oltp_") {
			return w
		}
		if w == "read" && i+1 < len(words) {
			w += words[i+1]
		}
		switch strings.NewReplacer("-", "", "_", "").Replace(w) {
		case "ro", "readonly":
			return "read-only"
		case "rw", "readwrite":
			return "read-write"
		}
	}
	return ""
}

// value of a condition as text; "" if unknown.
func (f conditions) value(name string) string { return strings.Join(f.values[name], ", ") }

// differ tells whether a condition is known on both sides and differs. Scripts are compared by their letters and digits:
// versions of pgbench write the names of the built-in ones differently.
func differ(a, b conditions, name string) bool {
	va, vb := a.value(name), b.value(name)
	if va == "" || vb == "" {
		return false
	}
	if name == script {
		va, vb = scriptName(va), scriptName(vb)
	}
	return va != vb
}

func scriptName(s string) string {
	s = strings.TrimPrefix(strings.Trim(strings.ToLower(s), "<>"), "builtin:")
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 0x80 {
			return r
		}
		return -1
	}, s)
}

// otherWork tells whether the sides did other work or counted something else.
func otherWork(a, b conditions) bool {
	return slices.ContainsFunc(work, func(name string) bool { return differ(a, b, name) })
}

// differences lists the conditions that differ and, of these, the ones that spoil the comparison: because the work differs, or because
// the load was applied differently and that is not what the series are there to show. It is what they are there to show if their labels
// name it, or if nothing else differs and the labels name nothing.
func differences(a, b *bench.Curve, fa, fb conditions) (all, spoilers []report.Difference) {
	note := func(name string) report.Difference {
		return report.Difference{Name: name, Baseline: fa.value(name), Candidate: fb.value(name)}
	}
	for _, name := range work {
		if differ(fa, fb, name) {
			all = append(all, note(name))
			spoilers = append(spoilers, note(name))
		}
	}
	var loads []report.Difference
	if differ(fa, fb, queryMode) {
		loads = append(loads, note(queryMode))
	}
	if d := threadsDiffer(fa, fb); d != nil {
		loads = append(loads, *d)
	}
	if differ(fa, fb, duration) {
		d := note(duration)
		// 30 s against 60 s hardly matters, 5 s against 60 s does: warm-up, checkpoints.
		if max(fa.duration, fb.duration) >= 3*min(fa.duration, fb.duration) {
			loads = append(loads, d)
		} else {
			all = append(all, d)
		}
	}
	var aside []report.Difference
	if differ(fa, fb, serverVersion) {
		aside = append(aside, note(serverVersion))
	}
	// A pgbench that comes with its server is no difference of its own.
	follows := fa.value(clientVersion) == fa.value(serverVersion) && fb.value(clientVersion) == fb.value(serverVersion)
	if differ(fa, fb, clientVersion) && !follows {
		aside = append(aside, note(clientVersion))
	}
	for _, name := range fa.settings {
		if differ(fa, fb, name) {
			aside = append(aside, note(name))
		}
	}
	for _, d := range loads {
		alone := len(loads) == 1 && len(aside) == 0 && neutral(a.Label, b.Label)
		if !alone && !named(a.Label, b.Label, d) {
			spoilers = append(spoilers, d)
		}
	}
	return slices.Concat(all, loads, aside), spoilers
}

// threadsDiffer compares the number of pgbench threads at the common client counts: half of them must differ by a factor of two.
func threadsDiffer(a, b conditions) *report.Difference {
	common, far := 0, 0
	var at int
	for n, ta := range a.threads {
		tb, ok := b.threads[n]
		if !ok {
			continue
		}
		common++
		if max(ta, tb) >= 2*min(ta, tb) {
			far++
			at = max(at, n)
		}
	}
	if common == 0 || 2*far < common {
		return nil
	}
	on := " at " + plural(at, "client")
	return &report.Difference{Name: threads, Baseline: strconv.Itoa(a.threads[at]) + on, Candidate: strconv.Itoa(b.threads[at]) + on}
}

// named tells whether the labels say that the difference is what is compared: the value, or the beginning of a version, stands in the label
// of its side and not in the other's, perhaps behind some letters (v15, pg15, j8).
func named(a, b string, d report.Difference) bool {
	wa, wb := labelWords(a), labelWords(b)
	has := func(own, other []string, value string) bool {
		value, _, _ = strings.Cut(value, " at ")
		for _, v := range append(labelWords(value), strings.ReplaceAll(strings.ToLower(value), " ", "")) {
			for _, w := range own {
				bare := strings.TrimLeftFunc(w, unicode.IsLetter)
				if !slices.Contains(other, w) && (w == v || bare == v || bare != "" && strings.HasPrefix(v, bare+".")) {
					return true
				}
			}
		}
		return false
	}
	return has(wa, wb, d.Baseline) || has(wb, wa, d.Candidate)
}

// neutral tells whether labels name nothing that could be the thing compared: before and after, one and two.
func neutral(a, b string) bool {
	wa, wb := labelWords(a), labelWords(b)
	only := func(own, other []string) bool {
		for _, w := range own {
			if !slices.Contains(other, w) && !slices.Contains(neutralWords, w) {
				return false
			}
		}
		return true
	}
	return only(wa, wb) && only(wb, wa)
}

var neutralWords = []string{
	"before", "after", "old", "new", "base", "baseline", "cand", "candidate", "control", "test", "a", "b", "c", "x", "y", "one", "two", "three", "first", "second", "third",
	"1", "2", "3", "run", "run1", "run2", "run3", "series", "left", "right", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "today", "yesterday",
}

// notComparable is the answer that names what differs instead of a ratio.
func notComparable(a, b *bench.Curve, differs, spoilers []report.Difference) report.Comparison {
	var parts []string
	for _, d := range spoilers {
		parts = append(parts, fmt.Sprintf("%s (%s against %s)", d.Name, d.Baseline, d.Candidate))
	}
	return report.Comparison{
		Baseline: a.Label, Candidate: b.Label, Verdict: notComparableVerdict, Differs: differs,
		Why: fmt.Sprintf("%s and %s are not comparable: they differ in %s, so a ratio would say nothing about either.", a.Label, b.Label, list(parts)),
	}
}

// unknown lists the stated conditions that neither or only one side states.
func unknown(a, b conditions) (neither, one []string) {
	for _, name := range stated {
		switch va, vb := a.value(name), b.value(name); {
		case va == "" && vb == "":
			neither = append(neither, name)
		case va == "" || vb == "":
			one = append(one, name)
		}
	}
	return neither, one
}
