package document

import (
	"strconv"
	"strings"

	"pgknee/analysis/bench"
	"pgknee/analysis/format"
)

// facts are the conditions that prose states, each with all the values that were stated.
type facts struct {
	values map[string][]string
	last   string // the clients of the last command line, until a table follows it
}

func newFacts() *facts { return &facts{values: map[string][]string{}} }

// Names of the facts, as the context takes them.
const (
	factScale    = "scale"
	factThreads  = "threads"
	factDuration = "duration"
	factScript   = "script"
	factMode     = "query mode"
	factCores    = "server cores"
	factClients  = "clients"
	factVersion  = "server version"
	factMentions = "mentions"
)

func (f *facts) note(name, value string) {
	for _, v := range f.values[name] {
		if v == value {
			return
		}
	}
	f.values[name] = append(f.values[name], value)
}

// one gives the value of a fact if the text states one and no other.
func (f *facts) one(name string) (string, bool) {
	if v := f.values[name]; len(v) == 1 {
		return v[0], true
	}
	return "", false
}

// line reads the conditions that a line of prose states, and tells whether it states any.
func (f *facts) line(text string, _ int) bool {
	if len(text) > 1000 {
		return false
	}
	f.mention(text)
	ws := words(text)
	found := false
	title := titled([]byte(text))
	note := func(name, value string) {
		if found = true; title && (name == factScript || name == factMode) {
			return // of what stands below it only
		}
		f.note(name, value)
	}
	if options, ok := command(text); ok {
		f.last = options['c']
		for name, value := range options {
			switch name {
			case 's':
				note(factScale, value)
			case 'T':
				note(factDuration, value)
			case 'M':
				note(factMode, value)
			case 'j':
				note(factThreads, value)
			case 'S':
				note(factScript, "select-only")
			case 'N':
				note(factScript, "simple-update")
			}
		}
		if before, _, ok := strings.Cut(text, "pgbench"); ok && len(words(before)) > 2 {
			f.line(before, 0) // a sentence that ends in a command
		}
		return true
	}
	if introduces := strings.HasSuffix(strings.TrimSpace(text), ":"); introduces || title {
		said := 0
		for i := 1; i < len(ws); i++ {
			who := ws[i].low
			if who == "virtual" || who == "concurrent" {
				who = wordAt(ws, i+1).low
			}
			if n, ok := count(ws[i-1].low); ok && one(who, "clients", "connections", "client", "users", "terminals") {
				f.last = strconv.Itoa(n)
				said++
			}
		}
		if introduces && said > 1 {
			f.last = "" // a sweep
		}
	}
	client := false // the rest of the line is about the machine of the load generator
	for i, w := range ws {
		next := func(k int) string {
			if i+k < len(ws) {
				return ws[i+k].low
			}
			return ""
		}
		n, isNumber := count(w.low)
		switch {
		case w.low == "client" && (i == 0 || next(1) == "machine" || next(1) == "-"), w.low == "generator" && i > 0 && ws[i-1].low == "load":
			client = true
		case w.low == "server":
			client = false
		case (w.low == "scale" || w.low == "scaling" && next(1) == "factor") && !w.after("-"):
			k := 1
			if next(k) == "factor" {
				k++
			}
			if next(k) == "of" || next(k) == "=" {
				k++
			}
			if _, ok := count(next(k)); ok && i+k < len(ws) {
				note(factScale, next(k))
			}
		case w.low == "threads" && i+1 < len(ws) && strings.ContainsAny(ws[i+1].gap, "-:="):
			if _, ok := count(next(1)); ok {
				note(factThreads, next(1))
			}
		case one(w.low, "clients", "connections") && i+1 < len(ws) && strings.ContainsAny(ws[i+1].gap, ":=") && next(2) == "":
			if _, ok := count(next(1)); ok {
				note(factClients, next(1))
			}
		case w.low == "duration" || w.low == "test-duration":
			if s, ok := seconds(next(1), next(2)); ok && i+1 < len(ws) {
				note(factDuration, s)
			}
		case isNumber && n >= 2 && !client && (next(1) == "vcpus" || next(1) == "vcpu" || next(1) == "cores" || next(1) == "cpus" || next(1) == "hardware" && next(2) == "threads" || next(1) == "arm" && next(2) == "cores" || next(1) == "real" && next(2) == "cores" || next(1) == "physical" && next(2) == "cores"):
			if i > 0 && (ws[i-1].low == "than" || ws[i-1].low == "with" && i > 1 && ws[i-2].low == "machines") {
				break // "machines with 64 cores": others than the one measured
			}
			if next(1) == "cpus" && (next(4) == "cores" && sockets(ws, i+3) == n || next(3) == "cores" && sockets(ws, i+2) == n) {
				break // "2 CPUs with 24 cores each": the cores will tell
			}
			if len(f.values[factCores]) == 0 {
				note(factCores, strconv.Itoa(n*sockets(ws, i)*threadsOfCore(ws, i)))
			}
		case isNumber:
			unit := next(1)
			if s, ok := seconds(w.low, unit); ok {
				_, times := count(next(2))
				if times && one(next(3), "runs", "repeats", "repetitions", "times") || i > 1 && ws[i-1].low == "of" && one(ws[i-2].low, "runs", "repeats", "repetitions") {
					note(factDuration, s) // 120 s, 3 runs; 3 runs of 120 s
				}
				switch next(2) {
				case "each", "a", "per", "for", "runs", "run":
					if next(2) == "each" || next(2) == "runs" || next(2) == "run" || one(next(3), "run", "cell", "step", "test", "each", "point", "count", "measurement", "value") {
						note(factDuration, s)
					}
				}
			}
		case one(w.low, "simple", "extended", "prepared") && one(next(1), "protocol", "mode"):
			note(factMode, w.low)
		case w.low == "protocol" && one(next(1), "simple", "extended", "prepared"):
			note(factMode, next(1))
		case w.low == "select-only" || w.low == "select" && next(1) == "only":
			note(factScript, "select-only")
		case w.low == "default" && next(1) == "pgbench" && next(2) == "script" || w.low == "tpc-b" || w.low == "tpcb-like":
			note(factScript, "tpcb-like")
		case w.low == "simple-update":
			note(factScript, "simple-update")
		case w.low == "postgresql" && version(next(1)):
			f.note(factVersion, next(1))
		}
	}
	return found
}

// sockets gives the number in front of a number of cores that multiplies it: 2 x 8 cores, 2 sockets × 24 cores, 2 sockets with 24 cores
// each. 1 if there is none, or if it counts machines.
func sockets(ws []word, i int) int {
	low := func(k int) string { return wordAt(ws, k).low }
	k, times := i-1, strings.Contains(ws[i].gap, "*")
	if one(low(k), "x", "×") {
		k, times = k-1, true
	}
	end := i + 1
	for end < len(ws) && one(low(end), "physical", "real", "hardware", "arm", "cores", "threads", "vcpus", "vcpu", "cpus") {
		end++
	}
	if one(low(end), "each") || low(end) == "per" && one(low(end+1), "socket", "cpu", "processor") {
		times = true
		if one(low(k), "with", "of", "and") {
			k--
		}
	}
	if one(low(k), "socket", "sockets", "cpu", "cpus", "processors") {
		k--
	}
	n, ok := count(low(k))
	if !times || !ok || n > 16 || one(low(end), "machines", "machine", "vms", "vm", "nodes", "instances", "servers", "hosts", "boxes") {
		return 1
	}
	return n
}

// threadsOfCore gives the threads of each core behind a number of cores: 24 cores x 2 threads, 24 cores, 2 threads per core. 1 if it
// does not say.
func threadsOfCore(ws []word, i int) int {
	low := func(k int) string { return wordAt(ws, k).low }
	k := i + 1
	for one(low(k), "physical", "real", "arm") {
		k++
	}
	if low(k) != "cores" {
		return 1
	}
	k++
	switch {
	case low(k) == "each":
		k++
	case low(k) == "per" && one(low(k+1), "socket", "cpu", "processor"):
		k += 2
	}
	times := strings.Contains(wordAt(ws, k).gap, "*")
	if one(low(k), "x", "×") {
		k, times = k+1, true
	}
	n, ok := count(low(k))
	if !ok || n > 8 || low(k+1) != "threads" || !times && !(low(k+2) == "per" && low(k+3) == "core") {
		return 1
	}
	return n
}

// wordAt is a word without letters outside the text.
func wordAt(ws []word, k int) word {
	if k < 0 || k >= len(ws) {
		return word{}
	}
	return ws[k]
}

// version tells whether a word is a version of PostgreSQL.
func version(w string) bool {
	major, _, _ := strings.Cut(w, ".")
	n, ok := count(major)
	return ok && n >= 9 && n < 40
}

// subjects are what a text may speak of, under one name whatever the word.
var subjects = []struct{ word, name string }{
	{"pgbouncer", "pgbouncer"},
	{"aarch64", "arm"},
	{"arm64", "arm"},
	{"graviton", "arm"},
	{"neoverse", "arm"},
	{"ampere altra", "arm"},
	{" arm ", "arm"},
	{"pg_stat_statements", "pg_stat_statements"},
	{"pg_stat_kcache", "pg_stat_kcache"},
	{"pg_show_plans", "pg_show_plans"},
	{"partition", "partitions"},
	{"savepoint", "savepoints"},
	{"subtransaction", "savepoints"},
	{"synchronous standby", "standby"},
	{"synchronous replication", "standby"},
	{"idle connection", "idle connections"},
}

// mention notes what a line of prose speaks of.
func (f *facts) mention(text string) {
	low := strings.ToLower(text)
	for _, s := range subjects {
		if strings.Contains(low, s.word) {
			f.note(factMentions, s.name)
		}
	}
}

func one(s string, of ...string) bool {
	for _, o := range of {
		if s == o {
			return true
		}
	}
	return false
}

// word of prose, with what stands between it and the word before.
type word struct{ low, gap string }

func (w word) after(mark string) bool { return w.gap == mark }

func words(text string) []word {
	var out []word
	low := strings.ToLower(text)
	isWord := func(c byte) bool {
		return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
	}
	for i := 0; i < len(low); {
		from := i
		for i < len(low) && !isWord(low[i]) {
			i++
		}
		gap := low[from:i]
		at := i
		for i < len(low) && (isWord(low[i]) || (low[i] == '-' || low[i] == '.' || low[i] == ',') && i+1 < len(low) && isWord(low[i+1]) && i > at && (low[i] == '-' || low[i-1] >= '0' && low[i-1] <= '9' && low[i+1] >= '0' && low[i+1] <= '9')) {
			i++
		}
		if i > at {
			// a unit glued to its number is a word of its own: 30s
			j := at
			for j < i && low[j] >= '0' && low[j] <= '9' {
				j++
			}
			if j > at && j+1 < i && low[j] == 'x' && low[j+1] >= '0' && low[j+1] <= '9' { // 2x24
				out = append(out, word{low[at:j], gap}, word{"x", ""}, word{low[j+1 : i], ""})
			} else if j > at && j < i && low[j] != '.' && low[j] != ',' && low[j] != '-' {
				out = append(out, word{low[at:j], gap}, word{low[j:i], ""})
			} else {
				out = append(out, word{low[at:i], gap})
			}
		}
	}
	return out
}

func count(s string) (int, bool) {
	n, err := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
	return n, err == nil && n > 0 && n < 1e7
}

// seconds reads a duration of two words: "30", "s".
func seconds(n, unit string) (string, bool) {
	v, ok := count(n)
	if !ok {
		return "", false
	}
	switch unit {
	case "s", "sec", "secs", "second", "seconds":
	case "min", "minute", "minutes", "mins":
		v *= 60
	case "h", "hour", "hours":
		v *= 3600
	default:
		return "", false
	}
	return strconv.Itoa(v), true
}

// concurrency gives the runs of a table that states none the clients of the command line above it.
func (f *facts) concurrency(runs []*bench.Run) {
	if n, ok := count(f.last); ok {
		for _, r := range runs {
			setClients(r, n)
		}
	}
	f.last = ""
}

func setClients(r *bench.Run, n int) {
	if r.Clients == nil {
		r.Clients = &n
		r.Unflag(bench.FlagClientsUnknown)
	}
}

// contradicts tells whether a label that names reads or writes rules out the script that the text names once.
func contradicts(label, script string) bool {
	for _, w := range words(label) {
		if one(w.low, "ro", "readonly", "read-only") && script != "select-only" || one(w.low, "rw", "readwrite", "read-write") && script == "select-only" {
			return true
		}
	}
	return false
}

// apply gives the conditions to the runs that state none of their own.
func (f *facts) apply(ctx *format.Context, runs []*bench.Run) {
	if v, ok := f.one(factCores); ok {
		ctx.Fact(factCores, v)
	}
	if v := f.values[factMentions]; len(v) > 0 {
		ctx.Fact(factMentions, strings.Join(v, ", "))
	}
	if v, ok := f.one(factVersion); ok {
		ctx.Fact(factVersion, v)
	}
	for _, r := range runs {
		number := func(name string, to **int) {
			if v, ok := f.one(name); ok && *to == nil {
				if n, ok := count(v); ok {
					*to = &n
				}
			}
		}
		if v, ok := f.one(factClients); ok {
			if n, ok := count(v); ok {
				setClients(r, n)
			}
		}
		number(factScale, &r.Scale)
		number(factThreads, &r.Threads)
		number(factCores, &r.Cores)
		if v, ok := f.one(factDuration); ok && r.DurationS == nil {
			if n, ok := count(v); ok {
				s := float64(n)
				r.DurationS = &s
			}
		}
		if v, ok := f.one(factScript); ok && r.Script == "" && !contradicts(r.Label, v) {
			r.Script = v
		}
		if v, ok := f.one(factMode); ok && r.QueryMode == "" && one(v, "simple", "extended", "prepared") {
			r.QueryMode = v
		}
	}
}
