package table

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quantity is a number as it stands in a cell, with the unit glued to it or following it. What its commas and points mean is not
// decided here but by its column.
type quantity struct {
	lit     string // digits with their marks, as written: "1,234.5"
	at      int    // byte offset in the cell
	unit    string // "ms", "k", "tps", "%", … lower case except for the multipliers
	bracket bool   // stands in brackets
	percent bool
	spread  bool // follows ±
	from    bool // first end of a range written with a dash
	to      bool // second end of it
}

// marks say what comma and point mean in a column.
type marks struct {
	commaDecimal bool // the comma is the decimal mark, the point groups thousands
	pointGroups  bool // the point groups thousands though no decimal comma was seen
}

// clean takes away what people put around a number: emphasis, tags, entities, zero-width characters, footnote marks, and markers
// such as ====> in front of it. The rest keeps its order.
func clean(s string) string {
	if plain(s) || unadorned(s) {
		return s
	}
	if strings.ContainsAny(s, "<&") {
		s = stripTags(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch r {
		case '\ufeff', '\u200b', '\u200c', '\u200d', '\u2060', '`', '†', '‡', '\ufe0f', '\u00ad':
		case '\u2212', '\u2011':
			b.WriteByte('-')
		case '\u3000':
			b.WriteByte(' ')
		case '（':
			b.WriteByte('(')
		case '）':
			b.WriteByte(')')
		case '\u00b5':
			b.WriteString("μ") // micro sign and mu are written alike
		default:
			b.WriteRune(r)
		}
	}
	s, _ = unstruck(strings.TrimSpace(b.String()))
	if i := strings.Index(s, "]("); i > 0 && s[0] == '[' && strings.IndexByte(s[i:], ')') == len(s)-i-1 {
		s = strings.TrimSpace(s[1:i]) // a link shows its text
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "**", ""), "__", "")
	s = strings.TrimSpace(s)
	for {
		before := s
		s = strings.TrimLeft(s, "=-> \t~≈<≤≥*→")
		if neg := len(before) - len(s); neg > 0 && s != "" && s[0] >= '0' && s[0] <= '9' && before[neg-1] == '-' && (neg == 1 || before[neg-2] == ' ') {
			s = "-" + s // a sign, not the tail of an arrow
			return strings.TrimRight(s, "*~ \t")
		}
		if s == before {
			break
		}
	}
	s = strings.TrimRight(s, "*~ \t")
	if i := strings.LastIndexByte(s, '['); i > 0 && strings.HasSuffix(s, "]") && len(s)-i <= 4 && isDigits(s[i+1:len(s)-1]) {
		s = strings.TrimSpace(s[:i]) // a footnote
	}
	return s
}

// plain tells whether nothing has to be cleaned off: digits and points only.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && c != '.' {
			return false
		}
	}
	return true
}

// unadorned tells whether a text begins and ends with a letter or digit and holds nothing between that may have to be cleaned off.
func unadorned(s string) bool {
	alphanumeric := func(c byte) bool { return digit(c) || c|0x20-'a' <= 'z'-'a' }
	if s == "" || !alphanumeric(s[0]) || !alphanumeric(s[len(s)-1]) {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; c {
		case '<', '&', '`', '*', '_', '[', '~':
			return false
		default:
			if c >= utf8.RuneSelf {
				return false
			}
		}
	}
	return true
}

// unstruck takes out what is struck through: ~~1204~~.
func unstruck(s string) (rest string, struck bool) {
	for {
		before, after, ok := strings.Cut(s, "~~")
		_, after, closed := strings.Cut(after, "~~")
		if !ok || !closed {
			return s, struck
		}
		s, struck = strings.TrimSpace(before+" "+strings.TrimSpace(after)), true
	}
}

func isDigits(s string) bool {
	if s == "" {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// tagText is what is written for a tag within a cell: what is struck through in HTML is so in Markdown as well.
func tagText(tag string) string {
	switch strings.ToLower(strings.TrimPrefix(tag, "/")) {
	case "s", "del", "strike":
		return "~~"
	}
	return " "
}

// stripTags drops HTML tags and resolves the entities that occur in numbers and names.
func stripTags(s string) string {
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 || i+1 >= len(s) {
			break
		}
		j := strings.IndexByte(s[i:], '>')
		if c := s[i+1]; j < 0 || !(c == '/' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			break
		}
		s = s[:i] + tagText(s[i+1:i+j]) + s[i+j+1:]
	}
	if strings.IndexByte(s, '&') >= 0 {
		s = entities.Replace(s)
	}
	return strings.TrimSpace(s)
}

var entities = strings.NewReplacer("&nbsp;", "\u00a0", "&#160;", "\u00a0", "&#xa0;", "\u00a0", "&#xA0;", "\u00a0", "&#8239;", "\u202f", "&rarr;", "→", "&amp;", "&", "&lt;", "<", "&gt;", ">", "&plusmn;", "±", "&micro;", "μ", "&ndash;", "–", "&#39;", "'", "&quot;", `"`, "&thinsp;", "\u2009")

// absent tells whether a cell says that there is no value.
func absent(s string) bool {
	switch strings.ToLower(strings.Trim(s, " \t")) {
	case "", "-", "–", "—", "--", "---", ".", "..", "...", "…", "?", "na", "n/a", "(n/a)", "null", "nan", "-nan", "inf", "-inf", "+inf", "none", "n.a.", "x", "/", "*", "tbd", "todo", "k.a.", "\\n":
		return true
	}
	return false
}

// scan finds the numbers of a cleaned cell and the words that are none. With blanks, a plain blank may group thousands: that is so
// only where something else separates the columns.
func scan(s string, blanks bool) (qs []quantity, words []string) {
	depth, spread, dash := 0, false, false
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '(' || c == '[' || c == '{':
			depth++
			i++
			continue
		case c == ')' || c == ']' || c == '}':
			depth = max(0, depth-1)
			i++
			continue
		case strings.HasPrefix(s[i:], "±"):
			spread = true
			i += len("±")
			continue
		case strings.HasPrefix(s[i:], "+/-"):
			spread = true
			i += 3
			continue
		case strings.HasPrefix(s[i:], "+-"):
			spread = true
			i += 2
			continue
		}
		n := literal(s[i:], blanks)
		if n > 0 {
			q := quantity{lit: s[i : i+n], at: i, bracket: depth > 0, spread: spread, to: dash}
			i += n
			if dash && len(qs) > 0 {
				qs[len(qs)-1].from = true
			}
			spread, dash = false, false
			unit, m := unitAt(s[i:])
			q.unit, q.percent = unit, unit == "%"
			i += m
			if rest := strings.TrimLeft(s[i:], " "); rest != "" && !q.spread {
				for _, d := range [...]string{"-", "–", "..", "—", "~"} {
					if t := strings.TrimLeft(strings.TrimPrefix(rest, d), ". "); strings.HasPrefix(rest, d) && literal(t, blanks) > 0 {
						dash = true
						i = len(s) - len(t)
						break
					}
				}
			}
			qs = append(qs, q)
			continue
		}
		if r, size := utf8.DecodeRuneInString(s[i:]); wordRune(r) {
			j := i + size
			for j < len(s) {
				r, size := utf8.DecodeRuneInString(s[j:])
				if !wordRune(r) && r != '.' && r != '-' && r != ':' {
					break
				}
				j += size
			}
			words = append(words, s[i:j])
			i, dash = j, false
		} else {
			i += size
		}
	}
	return qs, words
}

func wordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// literal gives the length of the number that s begins with; 0 for none. Versions (3.10.101), times and dates are none.
func literal(s string, blanks bool) int {
	i := 0
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	start := i
	if i < len(s) && s[i] == '.' && i+1 < len(s) && digit(s[i+1]) {
		i++
	}
	group, groups, blankGroups := 0, 0, false
	for i < len(s) {
		c := s[i]
		if digit(c) {
			group++
			i++
			continue
		}
		if group == 0 {
			break
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		next := i + size
		switch r {
		case ',', '.', '\'', '’', '_', '٬', '٫':
			if next >= len(s) || !digit(s[next]) {
				goto end
			}
		case ' ', '\u00a0', '\u2009', '\u202f', '\u2007':
			if r == ' ' && !blanks || group > 3 || blankGroups && group != 3 || !threeDigits(s[next:]) || groups > 0 && !blankGroups {
				goto end
			}
			blankGroups = true
		default:
			goto end
		}
		groups++
		group = 0
		i = next
	}
end:
	if i == start || !digit(s[i-1]) {
		return 0
	}
	lit := s[start:i]
	if strings.Count(lit, ".") > 1 && !grouped(lit, '.') {
		return 0
	}
	if i < len(s) {
		switch c := s[i]; {
		case c == ':' && i+1 < len(s) && digit(s[i+1]):
			return 0
		case (c == 'e' || c == 'E') && i+1 < len(s):
			j := i + 1
			if s[j] == '+' || s[j] == '-' {
				j++
			}
			k := j
			for k < len(s) && digit(s[k]) {
				k++
			}
			if k > j && k-j <= 3 {
				i = k
			}
		case c == '-' && isDigits(lit) && dateAt(s[i:]):
			return 0
		case c == '_':
			return 0
		}
	}
	return i
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func threeDigits(s string) bool {
	return len(s) >= 3 && digit(s[0]) && digit(s[1]) && digit(s[2]) && (len(s) == 3 || !digit(s[3]))
}

// dateAt tells whether s goes on as a date does: -10-11.
func dateAt(s string) bool {
	return len(s) >= 5 && s[0] == '-' && digit(s[1]) && (s[2] == '-' && digit(s[3]) || digit(s[2]) && s[3] == '-' && digit(s[4]))
}

// grouped tells whether the mark stands between groups of three digits: 1.234.567. Indian grouping (1,23,456) counts too.
func grouped(lit string, mark byte) bool {
	parts := strings.Split(lit, string(mark))
	last := len(parts) - 1
	if last < 1 || len(parts[last]) != 3 || parts[0] == "" || len(parts[0]) > 3 || parts[0] == "0" {
		return false
	}
	three, two := true, len(parts[0]) <= 2
	for _, p := range parts[1:last] {
		three = three && len(p) == 3
		two = two && len(p) == 2
	}
	return three || two && last > 1 && mark == ','
}

// unitAt reads the unit behind a number and gives its length, blanks before it included.
func unitAt(s string) (string, int) {
	i := 0
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	if i > 2 {
		return "", 0
	}
	for _, sign := range [...]string{"%", "×"} {
		if strings.HasPrefix(s[i:], sign) {
			return sign, i + len(sign)
		}
	}
	j := i
	for j < len(s) {
		r, size := utf8.DecodeRuneInString(s[j:])
		if !unicode.IsLetter(r) && !(r == '/' && j > i) {
			break
		}
		j += size
	}
	if j == i {
		return "", 0
	}
	word := strings.TrimRight(s[i:j], "/")
	if j < len(s) && (digit(s[j]) || s[j] == '_' || s[j] == '=') {
		return "", 0 // c=64, 4x2: a word, no unit
	}
	if _, known := multiplier(word); known || timeUnit(word) > 0 || rateUnit(word) != "" || isRatioUnit(word) || sizeUnit(word) {
		return word, i + len(word)
	}
	if i == 0 {
		return word, len(word) // glued: whatever it is, the number is of it
	}
	return "", 0
}

// multiplier gives the factor that a suffix stands for.
func multiplier(unit string) (float64, bool) {
	switch unit {
	case "k", "K", "thousand", "тыс", "千", "mille", "Tsd":
		return 1e3, true
	case "万", "萬", "만", "万/s", "万/秒", "万tps", "万TPS", "万qps", "万QPS":
		return 1e4, true
	case "M", "million", "millions", "Mio", "mln", "млн", "m tx":
		return 1e6, true
	case "亿", "억":
		return 1e8, true
	case "G", "billion", "Mrd", "B":
		return 1e9, true
	}
	return 1, false
}

// timeUnit gives the milliseconds in a unit of time; 0 if it is none.
func timeUnit(unit string) float64 {
	switch strings.ToLower(unit) {
	case "ms", "msec", "msecs", "millisecond", "milliseconds", "мс", "毫秒", "밀리초", "ミリ秒", "millisekunden", "millisecondes", "milisegundos":
		return 1
	case "us", "μs", "µs", "usec", "usecs", "microsecond", "microseconds", "微秒", "мкс", "マイクロ秒", "마이크로초", "mikrosekunden":
		return 1e-3
	case "ns", "nsec", "nanosecond", "nanoseconds", "纳秒", "нс":
		return 1e-6
	case "s", "sec", "secs", "second", "seconds", "秒", "초", "сек", "с", "sek", "sekunden", "secondes", "segundos":
		return 1e3
	case "min", "mins", "minute", "minutes", "分钟", "分", "мин", "minuten", "minutos":
		return 60e3
	case "h", "hr", "hour", "hours", "小时", "std", "stunden":
		return 3600e3
	}
	return 0
}

// rateUnit gives the metric that a unit of throughput stands for; "" if it is none.
func rateUnit(unit string) string {
	switch strings.TrimPrefix(strings.ToLower(strings.ReplaceAll(unit, ".", "")), "万") {
	case "/s", "/秒", "tps", "txn/s", "txns/s", "txn/sec", "txns/sec", "tx/s", "tx/sec", "trans/s", "trans/sec", "transactions/s", "transactions/sec", "transactions/second", "xact/s", "xacts/s":
		return "tps"
	case "qps", "queries/s", "queries/sec", "queries/second", "q/s":
		return "qps"
	case "rps", "req/s", "reqs/s", "req/sec", "requests/s", "requests/sec", "requests/second":
		return "rps"
	case "ops", "ops/s", "ops/sec", "operations/s", "operations/sec":
		return "ops"
	case "eps", "events/s", "events/sec":
		return "eps"
	case "tpm", "tpmc", "txn/min", "transactions/min", "transactions/minute":
		return "tpm"
	case "nopm":
		return "nopm"
	}
	return ""
}

func isRatioUnit(unit string) bool { return unit == "x" || unit == "X" || unit == "×" }

func sizeUnit(unit string) bool {
	switch strings.ToLower(unit) {
	case "b", "kb", "mb", "gb", "tb", "kib", "mib", "gib", "tib", "bytes", "byte":
		return true
	}
	return false
}

// value gives the number that the literal stands for under the marks of its column, without its unit.
func (m marks) value(lit string) (float64, bool) {
	if strings.Count(lit, ".") > 1 && !grouped(lit, '.') && !m.commaDecimal {
		return 0, false // a version
	}
	if v, ok := fastFloat(lit); ok && !m.commaDecimal && !m.pointGroups {
		return v, true
	}
	var b strings.Builder
	for _, r := range lit {
		switch r {
		case ' ', '\u00a0', '\u2009', '\u202f', '\u2007', '\'', '’', '_', '٬':
		case '٫':
			b.WriteByte('.')
		case ',':
			if m.commaDecimal {
				b.WriteByte('.')
			}
		case '.':
			if !m.commaDecimal && !m.pointGroups {
				b.WriteByte('.')
			}
		default:
			b.WriteRune(r)
		}
	}
	v, err := strconv.ParseFloat(b.String(), 64)
	return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
}

var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// fastFloat reads digits with at most one point, exactly: up to 15 digits and a power of ten within 2^53 divide correctly.
func fastFloat[T string | []byte](s T) (float64, bool) {
	var n uint64
	digits, point := 0, -1
	for i := range len(s) {
		switch c := s[i]; {
		case c-'0' <= 9:
			n = n*10 + uint64(c-'0')
			digits++
		case c == '.' && point < 0:
			point = digits
		default:
			return 0, false
		}
	}
	if digits == 0 || digits > 15 {
		return 0, false
	}
	if point < 0 {
		return float64(n), true
	}
	return float64(n) / tens[digits-point], true
}

// judge settles what comma and point mean in a column, from all of its literals.
type judge struct {
	groups, decimal, either                int // literals whose comma groups, is decimal, could be both
	pointDecimal, pointGroups, pointEither int
	firstGroups, firstDecimal, firstPoint  string
	pointed                                int // literals with commas that have a decimal point besides
	whole                                  int // literals without any mark
	large                                  int // of those, 1000 and more
}

func (j *judge) see(lit string) {
	if i := strings.IndexAny(lit, "eE"); i >= 0 {
		lit = lit[:i]
	}
	lit = strings.TrimLeft(lit, "+-")
	comma, point := strings.Count(lit, ","), strings.Count(lit, ".")
	switch {
	case comma == 0 && point == 0:
		j.whole++
		if len(lit) > 3 {
			j.large++
		}
	case comma > 0 && point > 0:
		if strings.LastIndexByte(lit, ',') > strings.LastIndexByte(lit, '.') {
			j.isDecimal(lit)
		} else {
			j.isGroups(lit)
			j.pointed++
		}
	case comma > 1:
		j.isGroups(lit)
	case comma == 1:
		switch before, after, _ := strings.Cut(lit, ","); {
		case len(after) != 3 || len(before) > 3 || before == "0" || before == "":
			j.isDecimal(lit)
		default:
			if j.either++; j.groups == 0 {
				j.firstGroups = lit
			}
		}
	case point > 1:
		if grouped(lit, '.') {
			j.pointGroups++
		}
	default:
		if before, after, _ := strings.Cut(lit, "."); len(after) != 3 || len(before) > 3 || before == "0" || before == "" {
			j.pointDecimal++
		} else {
			if j.pointEither++; j.pointEither == 1 {
				j.firstPoint = lit
			}
		}
	}
}

func (j *judge) isGroups(lit string) {
	if j.groups == 0 {
		j.firstGroups = lit
	}
	j.groups++
}

func (j *judge) isDecimal(lit string) {
	if j.decimal == 0 {
		j.firstDecimal = lit
	}
	j.decimal++
}

// verdict of a judge.
type verdict int

const (
	settled     verdict = iota
	contradicts         // both readings occur in one column
	eitherWay           // nothing in the column tells
	stray               // commas group thousands, and so does a point
)

// settle decides. Elsewhere tells what other columns of the same table have proved: +1 a decimal comma, -1 a decimal point or grouping
// comma, 0 nothing.
func (j *judge) settle(elsewhere int) (marks, verdict) {
	// Where commas group thousands and no decimal is seen, 19.220 between 12,100 and 21,004 is no 19.22.
	mixed := j.pointEither > 0 && j.pointDecimal+j.pointed+j.decimal == 0 && j.groups+j.either > 0
	switch {
	case mixed && j.pointEither > j.groups+j.either:
		return marks{}, contradicts
	case mixed && (j.groups+j.whole > 0 || elsewhere < 0):
		return marks{pointGroups: true}, stray
	case j.decimal > 0 && (j.groups > 0 || j.pointDecimal > 0):
		return marks{}, contradicts
	case j.decimal > 0:
		return marks{commaDecimal: true}, settled
	case j.groups > 0 || j.either > 0 && j.pointDecimal > 0:
		return marks{}, settled
	case j.either > 0 && elsewhere > 0:
		return marks{commaDecimal: true}, settled
	case j.either > 0 && (elsewhere < 0 || j.whole > 0):
		return marks{}, settled // numbers below 1,000 without a mark beside them: the comma groups
	case j.either > 0:
		return marks{pointGroups: mixed}, eitherWay
	case j.pointGroups > 0 && j.pointDecimal == 0:
		return marks{pointGroups: true}, settled
	case j.pointEither > 0 && j.pointDecimal == 0 && elsewhere > 0:
		return marks{commaDecimal: true}, settled
	case j.pointEither > 1 && j.pointDecimal+j.either+j.large == 0 && j.whole > 0 && elsewhere == 0:
		return marks{pointGroups: true}, settled // 950, 1.204, 8.810: below 1,000 without a point
	case j.pointEither > 1 && j.pointDecimal+j.whole+j.either == 0 && elsewhere == 0,
		j.pointEither > 0 && j.pointDecimal == 0 && j.large == j.whole && j.large >= j.pointEither && elsewhere == 0:
		return marks{}, eitherWay // 3.412, 12.020: nothing below 1,000, nothing but three digits behind the point; 12100, 19.220, 21004
	}
	return marks{}, settled
}

// proves tells what this column says about the table's marks to the other columns.
func (j *judge) proves() int {
	switch {
	case j.decimal > 0 && j.groups == 0 && j.pointDecimal == 0:
		return 1
	case j.decimal == 0 && (j.groups > 0 || j.pointDecimal > 0):
		return -1
	}
	return 0
}
