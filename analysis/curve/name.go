package curve

import (
	"slices"
	"strconv"
	"strings"

	"pgknee/analysis/bench"
)

// name is a text cut at its numbers: words[0] numbers[0] words[1] … words[n].
type name struct {
	words, numbers []string
}

func cut(text string) (n name) {
	start := 0
	for i := 0; i < len(text); {
		if !digit(text[i]) {
			i++
			continue
		}
		j := i
		for j < len(text) && digit(text[j]) {
			j++
		}
		if end := hash(text, i); end > 0 {
			i = end
			continue
		}
		n.words, n.numbers = append(n.words, text[start:i]), append(n.numbers, text[i:j])
		start, i = j, j
	}
	n.words = append(n.words, text[start:])
	return n
}

// hash gives the end of the hash that the number at i is part of, as of a commit: what stands beside a number in it is no word. 0 if it is
// in none.
func hash(text string, i int) int {
	end, letters := i, 0
	for i > 0 && (digit(text[i-1]) || letter(text[i-1])) {
		i--
	}
	for end = i; end < len(text) && (digit(text[end]) || 'a' <= text[end] && text[end] <= 'f'); end++ {
		if !digit(text[end]) {
			letters++
		}
	}
	if end-i < 7 || letters == 0 || letters == end-i || end < len(text) && letter(text[end]) {
		return 0
	}
	return end
}

func (n name) shape() string { return strings.Join(n.words, "\x00") }

func digit(c byte) bool  { return '0' <= c && c <= '9' }
func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// role of a number in the names of a shape.
type role uint8

const (
	kept role = iota
	clientsRole
	repeatRole
	sameRole // says what the content says: threads, scale, duration
	dateRole
	processRole // of pgbench, in the names of its logs
)

// Words that tell what the number beside them is, in lower case.
var (
	clientWords = set("c cl client clients conn conns connections connection nclients num_clients n t thr thread threads thds users user vu vus u concurrency conc terminals")
	afterWords  = set("c client clients conn conns connection connections user users vu vus thread threads thr terminals")
	repeatWords = set("r run runs rep repeat repetition iter iteration i round try trial attempt pass loop")
	threadWords = set("j job jobs thread threads thr")
	scaleWords  = set("s sf scale scl")
	timeWords   = set("t time dur duration d")
	// A number behind one of these numbers variants, not repeats.
	variantWords = set("patch v ver version variant config conf set setup case option opt step level scale node host build rev pg postgres postgresql release")
	genericWords = set("run runs result results out output log logs pgbench bench benchmark benchmarks test tests data raw stdout txt tmp c r - stdin clipboard pasted text")
	extensions   = set("txt log out csv tsv md gz zst zip tar tgz res html htm json conf folded script perf svg data report summary dat text markdown rst adoc")
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// beside gives the letters directly before a number, the word before that if only a sign lies between, and the letters behind it.
func (n name) beside(i int) (direct, before, after string) {
	w := n.words[i]
	end := len(w)
	for end > 0 && letter(w[end-1]) {
		end--
	}
	direct = strings.ToLower(w[end:])
	if direct == "" && end > 0 && strings.IndexByte("-_=.: ", w[end-1]) >= 0 {
		stop := len(strings.TrimRight(w[:end], " "))
		if stop > 0 && strings.IndexByte("-_=.:", w[stop-1]) >= 0 {
			stop--
		}
		stop = len(strings.TrimRight(w[:stop], " "))
		start := stop
		for start > 0 && (letter(w[start-1]) || w[start-1] == '_') {
			start--
		}
		before = strings.ToLower(w[start:stop])
		if k := strings.LastIndexByte(before, '_'); k >= 0 && !clientWords[before] {
			before = before[k+1:]
		}
	}
	next := n.words[i+1]
	next = strings.TrimPrefix(next, " ")
	stop := 0
	for stop < len(next) && letter(next[stop]) {
		stop++
	}
	return direct, before, strings.ToLower(next[:stop])
}

// alone tells whether no letter touches the number.
func (n name) alone(i int) bool {
	w, next := n.words[i], n.words[i+1]
	return (w == "" || !letter(w[len(w)-1])) && (next == "" || !letter(next[0]))
}

// apart tells whether the number with the letters that name it stands as a word of its own.
func (n name) apart(i int, direct, after string) bool {
	w, next := n.words[i], n.words[i+1]
	w = w[:len(w)-len(direct)]
	return (w == "" && i == 0 || w != "" && strings.IndexByte(" (,;:/=[-", w[len(w)-1]) >= 0) && (next == "" || !letter(next[0]) && next[0] != '_' || afterWords[after])
}

// process tells whether the number stands where pgbench writes the number of its process, or of its thread behind that: PREFIX.PID.THREAD.
func (n name) process(i int) bool {
	for ; i < len(n.numbers); i++ {
		if !strings.HasSuffix(n.words[i], ".") || n.words[i+1] != "" && n.words[i+1] != "." {
			return false
		}
	}
	return true
}

// segment tells whether the number is a whole folder of a path.
func (n name) segment(i int) bool {
	w := n.words[i]
	return (w == "" || w[len(w)-1] == '/' || w[len(w)-1] == '!') && strings.HasPrefix(n.words[i+1], "/")
}

// roles finds out what the numbers in names of one shape are. File names may hold bare numbers of clients and repeats, labels may not
// hold the latter: columns called 1 and 2 are two series.
func roles(names []*name, runs []*bench.Run, file bool) []role {
	n := *names[0]
	out := make([]role, len(n.numbers))
	values := func(i int) []int {
		v := make([]int, len(names))
		for k := range names {
			number, err := strconv.Atoi(names[k].numbers[i])
			if err != nil {
				number = -1
			}
			v[k] = number
		}
		return v
	}
	// equal tells whether a fact that the runs state equals the number in all of them.
	equal := func(v []int, fact func(*bench.Run) (float64, bool)) bool {
		known := false
		for k, r := range runs {
			if f, ok := fact(r); ok {
				known = true
				if f != float64(v[k]) {
					return false
				}
			}
		}
		return known
	}
	ofInt := func(field func(*bench.Run) *int) func(*bench.Run) (float64, bool) {
		return func(r *bench.Run) (float64, bool) {
			if p := field(r); p != nil {
				return float64(*p), true
			}
			return 0, false
		}
	}
	clients := ofInt(func(r *bench.Run) *int { return r.Clients })
	stated := slices.ContainsFunc(runs, func(r *bench.Run) bool { return r.Clients != nil })
	all := make([][]int, len(n.numbers))
	for i := range n.numbers {
		all[i] = values(i)
	}
	found := -1
	for pass := range 2 { // first numbers with a word beside them, then bare ones
		for i := len(n.numbers) - 1; i >= 0 && found < 0; i-- {
			direct, before, after := n.beside(i)
			if !file && !n.apart(i, direct, after) {
				continue // a number within a word of a label is part of a name
			}
			worded := clientWords[direct] || clientWords[before] || afterWords[after] && direct == ""
			if pass == 0 && !worded || pass == 1 && !n.alone(i) {
				continue
			}
			switch {
			case stated && equal(all[i], clients):
				found = i
			case stated:
			case pass == 0 && slices.Min(all[i]) > 0 && !date(n, i) && (len(direct) != 1 || direct == "c"):
				found = i
			case pass == 1 && file && counts(all[i]):
				found = i
			}
		}
	}
	if found >= 0 {
		out[found] = clientsRole
	}
	for i := range n.numbers {
		if i == found {
			continue
		}
		direct, before, after := n.beside(i)
		if !file && !n.apart(i, direct, after) {
			continue
		}
		switch v := all[i]; {
		case repeatWords[direct] && (len(direct) > 1 || slices.Min(v) <= 1 || !n.goesOn(i)), n.alone(i) && repeatWords[before] && len(before) > 1:
			out[i] = repeatRole
		case found >= 0 && (threadWords[direct] || threadWords[before]) && slices.Equal(v, all[found]), // one thread a client
			(threadWords[direct] || threadWords[before]) && equal(v, ofInt(func(r *bench.Run) *int { return r.Threads })),
			(scaleWords[direct] || scaleWords[before] || file && n.alone(i) && v[0] > 1) && equal(v, ofInt(func(r *bench.Run) *int { return r.Scale })),
			(timeWords[direct] || timeWords[before] || after == "s" || after == "sec") && equal(v, func(r *bench.Run) (float64, bool) {
				if r.DurationS == nil {
					return 0, false
				}
				return *r.DurationS, true
			}):
			out[i] = sameRole
		case file && date(n, i):
			out[i] = dateRole
		case file && runs[0].Log != nil && n.process(i):
			out[i] = processRole
		case file && (i == len(n.numbers)-1 || n.segment(i)) && n.alone(i) && !variantWords[before] && upFromOne(v) && slices.Max(v) > slices.Min(v):
			out[i] = repeatRole
		}
	}
	return out
}

// goesOn tells whether a name goes on directly behind a number, as r6i.large does and r6-c64 does not.
func (n name) goesOn(i int) bool {
	next := strings.TrimPrefix(n.words[i+1], ".")
	return next != "" && letter(next[0])
}

// upFromOne tells whether numbers count up from 1 (or 0) without holes.
func upFromOne(v []int) bool {
	sorted := slices.Compact(slices.Sorted(slices.Values(v)))
	if sorted[0] > 1 || sorted[0] < 0 || len(sorted) > 1000 {
		return false
	}
	return sorted[len(sorted)-1]-sorted[0] == len(sorted)-1
}

// counts tells whether bare numbers look like numbers of clients: several, mostly powers of two or round.
func counts(v []int) bool {
	sorted := slices.Compact(slices.Sorted(slices.Values(v)))
	if len(sorted) < 3 || sorted[0] < 1 || sorted[len(sorted)-1] > 100_000 || upFromOne(v) && len(sorted) < 5 {
		return false
	}
	powers := 0
	for _, n := range sorted {
		if n&(n-1) == 0 || n%10 == 0 || n%8 == 0 {
			powers++
		}
	}
	return powers*4 >= len(sorted)*3
}

// date tells whether a number is part of a date or a time of day in a name: 20250815_130830, 2025-08-15, seconds since 1970.
func date(n name, i int) bool {
	year := func(k int, size int) bool {
		return k >= 0 && k < len(n.numbers) && len(n.numbers[k]) == size && (strings.HasPrefix(n.numbers[k], "20") || strings.HasPrefix(n.numbers[k], "19"))
	}
	joined := func(k int) bool { return k > 0 && k < len(n.words) && (len(n.words[k]) == 1 || n.words[k] == "at") } // a sign between two numbers
	two := func(k int) bool { return k < len(n.numbers) && len(n.numbers[k]) == 2 }
	switch number := n.numbers[i]; len(number) {
	case 14, 12, 8:
		return year(i, len(number))
	case 10:
		return number[0] == '1'
	case 6:
		return i > 0 && joined(i) && year(i-1, 8)
	case 4:
		return year(i, 4) && joined(i+1) && two(i+1) && joined(i+2) && two(i+2) || i > 0 && joined(i) && year(i-1, 8)
	case 2: // months, days, hours, minutes, seconds behind a year
		for k := i - 1; k >= 0 && i-k <= 5; k-- {
			if !joined(k + 1) {
				return false
			}
			if year(k, 4) || year(k, 8) {
				return true
			}
			if !two(k) {
				return false
			}
		}
	}
	return false
}

// word is a piece of a variant with the sign in front of it.
type word struct{ text, sign string }

// variant is what is left of a name without the numbers that have a role.
func (n name) variant(roles []role) string {
	var b strings.Builder
	for i, w := range n.words {
		if i > 0 && roles[i-1] != kept { // what names the number that was dropped goes with it
			_, _, after := n.beside(i - 1)
			switch {
			case roles[i-1] == clientsRole && afterWords[after], roles[i-1] == sameRole && after != "":
				w = strings.TrimPrefix(w, " ")[len(after):]
			}
		}
		if i < len(roles) && roles[i] != kept {
			direct, before, _ := n.beside(i)
			switch names := roles[i] != dateRole; {
			case names && direct != "":
				w = w[:max(len(w)-len(direct), 0)]
			case names && (clientWords[before] && roles[i] == clientsRole || repeatWords[before] && roles[i] == repeatRole || (scaleWords[before] || threadWords[before] || timeWords[before]) && roles[i] == sameRole):
				if k := strings.LastIndex(strings.ToLower(w), before); k >= 0 {
					w = w[:k]
				}
			}
			w = strings.TrimRight(w, "-_.=: ,(#")
			if w != "" && strings.HasSuffix(n.words[i], "/") {
				w += "/"
			}
			b.WriteString(w)
			if i+1 < len(n.words) && n.words[i+1] != "" && letter(n.words[i+1][0]) && !afterWords[strings.ToLower(n.words[i+1])] {
				b.WriteByte('-')
			}
			continue
		}
		b.WriteString(w)
		if i < len(n.numbers) {
			b.WriteString(n.numbers[i])
		}
	}
	return b.String()
}

// fileWords are the words of a file's variant.
func fileWords(variant string) (words []word) {
	sign := ""
	start := -1
	flush := func(end int) {
		if start >= 0 {
			words = append(words, word{strings.Trim(variant[start:end], "_"), sign})
			sign = ""
		}
		start = -1
	}
	for i := 0; i < len(variant); i++ {
		c := variant[i]
		if c == '.' && i > 0 && i+1 < len(variant) && digit(variant[i-1]) && digit(variant[i+1]) {
			continue // 12.3
		}
		if strings.IndexByte("-/!., +~@#()[]", c) >= 0 {
			flush(i)
			if sign == "" || c == '/' {
				sign = string(c)
			}
			continue
		}
		if start < 0 {
			start = i
		}
	}
	flush(len(variant))
	return slices.DeleteFunc(words, func(w word) bool { return w.text == "" || w.text == ".." })
}

// withoutExtension takes the endings off a file's name, and the temporary folder before it, whose name says nothing.
func withoutExtension(path string) string {
	if i := strings.LastIndex(path, "/tmp"); i >= 0 {
		if end := strings.IndexByte(path[i+1:], '/'); end >= 0 {
			path = path[i+1+end+1:]
		}
	}
	for {
		dot := strings.LastIndexByte(path, '.')
		if dot <= 0 || strings.ContainsAny(path[dot:], "/!") || !extensions[strings.ToLower(path[dot+1:])] {
			return path
		}
		path = path[:dot]
	}
}
