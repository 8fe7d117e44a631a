package curve

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"pgknee/analysis/bench"
	"pgknee/analysis/sorting"
	"pgknee/analysis/source"
)

// item is a run with what tells it apart.
type item struct {
	run   *bench.Run
	label string // the reader's label, without numbers of clients and repeats and without what all share
	words []word // of the file's name, without numbers that have a role
	own   []string
	name  string // what is left of the words when those that all usable runs share are dropped
}

// field is a fact that can tell runs apart.
type field struct {
	name   string
	of     func(*bench.Run) string
	show   func(string) string // in a label
	exact  bool                // a run that does not state it differs from those that do
	figure bool                // of the figure, not of what was measured
}

func plain(s string) string { return s }

// fields in the order in which labels name them.
var fields = []field{
	{name: "version", of: func(r *bench.Run) string {
		if r.ServerVersion != "" {
			return r.ServerVersion
		}
		return r.Version
	}, show: func(s string) string { return "PG " + s }},
	{name: "script", of: func(r *bench.Run) string { return r.Script }, show: func(s string) string { return s[strings.LastIndexByte(s, '/')+1:] }},
	{name: "scale", of: func(r *bench.Run) string { return number(r.Scale) }, show: func(s string) string { return "scale " + s }},
	{name: "queryMode", of: func(r *bench.Run) string { return r.QueryMode }, show: plain},
	{name: "reconnect", of: func(r *bench.Run) string {
		if r.Has(bench.FlagReconnect) {
			return "yes"
		}
		return ""
	}, show: func(string) string { return "connection per transaction" }, exact: true},
	{name: "unit", of: func(r *bench.Run) string { return r.Unit }, show: plain, exact: true, figure: true},
	{name: "tpsKind", of: func(r *bench.Run) string {
		if r.Has(bench.FlagExcludingSpoilt) {
			return bench.ExcludingConnections // see oneKind
		}
		return r.TPSKind
	}, show: func(s string) string { return strings.ReplaceAll(s, "-", " ") }, exact: true, figure: true},
}

func attribute(name string) field {
	return field{name: name, of: func(r *bench.Run) string { return r.Attributes[name] }, exact: true, show: func(v string) string {
		if v == "" {
			return ""
		}
		return name + "=" + v
	}}
}

func number(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// gather reads the names of all runs.
func gather(runs []*bench.Run) []*item {
	facts := make([]*item, len(runs))
	for i, r := range runs {
		facts[i] = &item{run: r}
	}
	// What is made of a name is made once for the many runs that have it.
	names, words, labels := once(withoutExtension), once(fileWords), once(func(variant string) string {
		return strings.Join(strings.Fields(strings.Trim(variant, " ,;:/-")), " ")
	})
	byShape(facts, func(f *item) string { return names(f.run.At.File) }, true, func(f *item, variant string) { f.words = words(variant) })
	byShape(facts, func(f *item) string { return f.run.Label }, false, func(f *item, variant string) { f.label = labels(variant) })
	spelling := map[string]string{}
	for _, f := range facts { // Master is master
		low := strings.ToLower(f.label)
		if spelling[low] == "" {
			spelling[low] = f.label
		}
		f.label = spelling[low]
	}
	share(facts)
	return facts
}

// once is a function that remembers what it made.
func once[T any](of func(string) T) func(string) T {
	made := map[string]T{}
	return func(s string) T {
		v, known := made[s]
		if !known {
			v = of(s)
			made[s] = v
		}
		return v
	}
}

// byShape finds the roles of the numbers in names, over all names of a shape.
func byShape(facts []*item, text func(*item) string, file bool, put func(*item, string)) {
	type shape struct {
		names []*name // one for all runs of the same text
		facts []*item
	}
	type known struct {
		name  *name
		shape *shape
	}
	texts := map[string]known{} // many runs have the same
	shapes := map[string]*shape{}
	var order []*shape
	for _, f := range facts {
		t := text(f)
		k, seen := texts[t]
		if !seen {
			n := cut(t)
			k.name = &n
			shaped := k.name.shape()
			if k.shape = shapes[shaped]; k.shape == nil {
				k.shape = &shape{}
				shapes[shaped] = k.shape
				order = append(order, k.shape)
			}
			texts[t] = k
		}
		k.shape.names, k.shape.facts = append(k.shape.names, k.name), append(k.shape.facts, f)
	}
	for _, s := range order {
		runs := make([]*bench.Run, len(s.facts))
		for i, f := range s.facts {
			runs[i] = f.run
		}
		roles := roles(s.names, runs, file)
		all := !slices.ContainsFunc(roles, func(r role) bool { return r != kept })
		for i, f := range s.facts {
			for k, role := range roles {
				if role == clientsRole && f.run.Clients == nil {
					if clients, err := strconv.Atoi(s.names[i].numbers[k]); err == nil && clients > 0 {
						f.run.Clients = &clients
						f.run.Unflag(bench.FlagClientsUnknown)
					}
				}
			}
			if all {
				put(f, text(f))
			} else {
				put(f, s.names[i].variant(roles))
			}
		}
	}
}

// share drops what the names of all usable runs share.
func share(facts []*item) {
	in, headings := map[string]int{}, map[string]int{}
	usable := 0
	for _, f := range facts {
		if !f.run.Usable() {
			continue
		}
		usable++
		seen := map[string]bool{}
		for _, w := range f.words {
			if !seen[w.text] {
				seen[w.text] = true
				in[w.text]++
			}
		}
		for _, h := range slices.Compact(strings.Split(f.label, " / ")) {
			headings[h]++
		}
	}
	for _, f := range facts {
		var b strings.Builder
		gap := false
		for _, w := range f.words {
			if in[w.text] >= usable {
				gap = true
				continue
			}
			if b.Len() > 0 {
				if gap {
					b.WriteByte(' ')
				} else {
					b.WriteString(w.sign)
				}
			}
			gap = false
			b.WriteString(w.text)
			f.own = append(f.own, w.text)
		}
		f.name = b.String()
		if parts := strings.Split(f.label, " / "); len(parts) > 1 {
			f.label = strings.Join(slices.DeleteFunc(parts, func(h string) bool { return headings[h] >= usable }), " / ")
		}
	}
}

// partition finds out what tells usable runs apart and forms groups with labels.
func partition(usable []*item) []*group {
	byLabel := func(f *item) string { return f.label }
	byName := func(f *item) string { return f.name }
	groups := split([]*group{{facts: usable}}, byLabel, true, true)
	groups = split(groups, byName, true, true)
	var used []field
	for _, k := range fieldsOf(usable) {
		before := len(groups)
		groups = split(groups, func(f *item) string { return k.of(f.run) }, k.exact, k.counts(usable))
		if len(groups) > before {
			used = append(used, k)
		}
	}
	if threads := splitThreads(groups); len(threads) > len(groups) {
		groups = threads
		used = append(used, field{of: func(r *bench.Run) string { return number(r.Threads) }, show: func(s string) string {
			if s == "1" {
				return "1 thread"
			}
			return s + " threads"
		}})
	}
	position := make(map[*item]int, len(usable))
	for i, f := range usable {
		position[f] = i
	}
	sorting.StableBy(groups, func(a, b *group) int { return position[a.facts[0]] - position[b.facts[0]] })
	labelAll(groups, used)
	return groups
}

// fieldsOf are all facts that can tell runs apart: the fields, and every attribute that one of the runs has.
func fieldsOf(facts []*item) []field {
	names := map[string]bool{}
	for _, f := range facts {
		for name := range f.run.Attributes {
			names[name] = true
		}
	}
	all := slices.Clone(fields)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		all = append(all, attribute(name))
	}
	return all
}

// counts tells whether a fact counts something, as max_connections, the scale and scripts of one name (bench-64.sql) do, so that its
// values may rise with the number of clients. Machines and versions do not: where they differ, they tell runs apart.
func (k field) counts(facts []*item) bool {
	names := map[string]bool{} // without the number of clients
	for _, f := range facts {
		n := cut(k.of(f.run))
		if i := slices.Index(n.numbers, strconv.Itoa(*f.run.Clients)); i >= 0 {
			n.numbers[i] = ""
		}
		names[strings.Join(n.words, "\x00")+strings.Join(n.numbers, "\x00")] = true
	}
	if len(names) == 1 {
		return true
	}
	low := strings.ToLower(k.name)
	return !strings.Contains(low, "version") && !strings.Contains(low, "cpu") && !strings.Contains(low, "cores") && !slices.ContainsFunc(facts, func(f *item) bool { return strings.Trim(k.of(f.run), "0123456789") != "" })
}

// split divides each group by a key; a key that may follow the number of clients divides nothing where it does no more than that. Where
// a missing value is no value of its own, a single known value takes in the runs that lack one.
func split(groups []*group, key func(*item) string, exact, mayFollow bool) (out []*group) {
	unknown := func(g *group) bool { return key(g.facts[0]) == "" }
	for _, g := range groups {
		if parts := g.parts(key); !exact && len(parts) == 2 && slices.ContainsFunc(parts, unknown) || mayFollow && follows(parts) {
			out = append(out, g)
		} else {
			out = append(out, parts...)
		}
	}
	return out
}

// parts divides a group by a key, in the order in which its values are met.
func (g *group) parts(key func(*item) string) (parts []*group) {
	byKey := map[string]*group{}
	for _, f := range g.facts {
		k := key(f)
		if byKey[k] == nil {
			byKey[k] = &group{}
			parts = append(parts, byKey[k])
		}
		byKey[k].facts = append(byKey[k].facts, f)
	}
	return parts
}

// follows tells whether parts of a group differ only as their numbers of clients do: three or more parts with one count each, no
// count in two of them; or many parts of a single run each, though there are repeats.
func follows(parts []*group) bool {
	if len(parts) < 3 {
		return false
	}
	single, counts, runs, repeated := true, map[int]bool{}, 0, false
	for _, p := range parts {
		runs += len(p.facts)
		count := *p.facts[0].run.Clients
		repeated = repeated || counts[count]
		counts[count] = true
		single = single && !slices.ContainsFunc(p.facts, func(f *item) bool { return *f.run.Clients != count })
	}
	if !single {
		return false
	}
	return !repeated || runs == len(parts) && len(parts) >= 8 && len(counts) > 1 && len(counts)*2 <= len(parts)
}

// splitThreads divides groups in which one number of clients was driven by different numbers of threads.
func splitThreads(groups []*group) (out []*group) {
	for _, g := range groups {
		threads, differ := map[int]string{}, false
		for _, f := range g.facts {
			t := number(f.run.Threads)
			if known := threads[*f.run.Clients]; t != "" && known != "" && known != t {
				differ = true
			} else if t != "" {
				threads[*f.run.Clients] = t
			}
		}
		if !differ {
			out = append(out, g)
			continue
		}
		out = append(out, split([]*group{g}, func(f *item) string { return number(f.run.Threads) }, false, true)...)
	}
	return out
}

// maxLabel bounds a label, in runes.
const maxLabel = 72

// labelAll gives groups their labels: what differs between them and does not follow from what is named already.
func labelAll(groups []*group, used []field) {
	first := func(g *group) *item { return g.facts[0] }
	column := func(of func(*item) string) []string {
		out := make([]string, len(groups))
		for i, g := range groups {
			out[i] = of(first(g))
		}
		return out
	}
	labels, names := column(func(f *item) string { return f.label }), column(func(f *item) string { return f.name })
	var parts [][]string
	switch l, n := varies(labels), varies(names); {
	case l && n && determines(labels, names):
		parts = append(parts, labels)
	case l && n && determines(names, labels):
		parts = append(parts, names)
	case l && n:
		parts = append(parts, names, labels)
	case l:
		parts = append(parts, labels)
	case n:
		parts = append(parts, names)
	}
	for _, k := range used {
		values := column(func(f *item) string { return k.of(f.run) })
		joined := make([]string, len(groups))
		for i := range groups {
			for _, p := range parts {
				joined[i] += p[i] + "\x00"
			}
		}
		if determines(joined, values) {
			continue
		}
		for i, v := range values {
			if values[i] = ""; v != "" {
				values[i] = k.show(v)
			}
		}
		parts = append(parts, values)
	}
	taken := map[string]bool{}
	for i, g := range groups {
		words := make([]string, len(parts))
		for k, p := range parts {
			words[k] = p[i]
		}
		g.call(words, taken)
	}
}

// call gives a group a label of its own, of words that may be empty.
func (g *group) call(words []string, taken map[string]bool) {
	label := strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
	if label == "" {
		label = fallback(g.facts[0])
	}
	if utf8.RuneCountInString(label) > maxLabel {
		label = string([]rune(label)[:maxLabel-1]) + "…"
	}
	g.label = label
	for n := 2; taken[g.label]; n++ {
		g.label = fmt.Sprintf("%s #%d", label, n)
	}
	taken[g.label] = true
}

func varies(v []string) bool { return slices.ContainsFunc(v, func(s string) bool { return s != v[0] }) }

// determines tells whether equal values of a have equal values of b.
func determines(a, b []string) bool {
	of := map[string]string{}
	for i := range a {
		if known, ok := of[a[i]]; ok && known != b[i] {
			return false
		}
		of[a[i]] = b[i]
	}
	return true
}

// fallback is the label of a series that nothing tells from others: the reader's label, the words of its file, what was run.
func fallback(f *item) string {
	if f.label != "" {
		return f.label
	}
	var b strings.Builder
	for _, w := range f.words {
		if w.sign == "/" || w.sign == "!" {
			b.Reset() // folders are too far away
		}
		if genericWords[strings.ToLower(w.text)] {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(w.sign)
		}
		b.WriteString(w.text)
	}
	if strings.ContainsFunc(b.String(), unicode.IsLetter) {
		return b.String()
	}
	for _, k := range []field{fields[1], fields[0]} {
		if v := k.of(f.run); v != "" {
			return k.show(v)
		}
	}
	return "runs"
}

// byKeys groups by the fields that the user named.
func byKeys(usable []*item, keys []string) []*group {
	groups := []*group{{facts: usable}}
	var used []func(*item) string
	for _, key := range keys {
		of := keyed(usable, strings.TrimSpace(key))
		used = append(used, of)
		var out []*group
		for _, g := range groups {
			out = append(out, g.parts(of)...)
		}
		groups = out
	}
	for _, k := range fields {
		if k.figure {
			groups = split(groups, func(f *item) string { return k.of(f.run) }, true, false)
		}
	}
	taken := map[string]bool{}
	for _, g := range groups {
		words := make([]string, len(used))
		for i, of := range used {
			words[i] = of(g.facts[0])
		}
		g.call(words, taken)
	}
	return groups
}

// Unknown gives those of the names that Options.Series takes which no run has a value for.
func Unknown(runs []*bench.Run, keys []string) (unknown []string) {
	if len(keys) == 0 {
		return nil
	}
	facts := gather(runs)
	for _, key := range keys {
		of := keyed(facts, strings.TrimSpace(key))
		if !slices.ContainsFunc(facts, func(f *item) bool { return of(f) != "" }) {
			unknown = append(unknown, key)
		}
	}
	return unknown
}

// keyed finds the field that the user means.
func keyed(usable []*item, key string) func(*item) string {
	lower := strings.ToLower(key)
	switch lower {
	case "label", "series":
		return func(f *item) string { return f.label }
	case "name", "variant":
		return func(f *item) string { return f.name }
	case "file":
		return func(f *item) string { return f.run.At.File }
	case "folder", "dir", "directory", "archive":
		return func(f *item) string {
			folder, _ := source.Split(f.run.At.File)
			return strings.TrimRight(folder, "/!")
		}
	case "mode", "protocol":
		lower = "querymode"
	case "server", "serverversion", "pg", "postgres":
		lower = "version"
	case "threads", "jobs":
		return func(f *item) string { return number(f.run.Threads) }
	}
	for _, k := range fields {
		if strings.ToLower(k.name) == lower {
			return func(f *item) string { return k.of(f.run) }
		}
	}
	for _, f := range usable { // in full, then by the part behind the dot
		for name := range f.run.Attributes {
			if strings.EqualFold(name, key) {
				return func(f *item) string { return f.run.Attributes[name] }
			}
		}
	}
	var names []string
	for _, f := range usable {
		for name := range f.run.Attributes {
			if strings.HasSuffix(strings.ToLower(name), "."+lower) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return func(f *item) string {
		for _, name := range names {
			if v := f.run.Attributes[name]; v != "" {
				return v
			}
		}
		return ""
	}
}
