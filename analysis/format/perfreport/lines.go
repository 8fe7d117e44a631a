package perfreport

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// clean takes off a line what terminals and mail programs put around it: colours, quote marks, scroll bars, blanks that are none.
func clean(text []byte) string {
	s := string(text)
	if strings.ContainsAny(s, "\x1b\t\u00a0") {
		s = plain(s)
	}
	s = strings.TrimRight(s, " \r\u25c6\u2591\u2592\u2593\u2588\u2502\u2503\u2191\u2193")
	if n := len(s) - 1; n > 8 && (s[n] < '0' || s[n] > '9') && strings.HasSuffix(s[:n], "        ") { // a scroll bar again, where the terminal has no signs for it
		s = strings.TrimRight(s[:n], " ")
	}
	for strings.HasPrefix(s, ">") {
		s = strings.TrimPrefix(s[1:], " ")
	}
	return s
}

// unbarred takes the bars off a row of a Markdown table, and empties the line under its heads.
func unbarred(s string) string {
	t := strings.TrimSpace(s)
	if len(t) < 3 || t[0] != '|' || t[len(t)-1] != '|' || strings.Trim(t, "| ") == "" {
		return s
	}
	if strings.Trim(t, "|-: ") == "" {
		return ""
	}
	return strings.ReplaceAll(t, "|", "  ")
}

// plain drops escape sequences, sets tabs out to columns of eight and makes no-break spaces blanks.
func plain(s string) string {
	var b strings.Builder
	column := 0
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == 0x1b:
			i++
			if i < len(s) && s[i] == '[' {
				for i++; i < len(s) && (s[i] < 0x40 || s[i] > 0x7e); i++ {
				}
			}
			i++
		case c == '\t':
			for n := 8 - column%8; n > 0; n-- {
				b.WriteByte(' ')
				column++
			}
			i++
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == '\u00a0' {
				r = ' '
			}
			b.WriteRune(r)
			column++
			i += size
		}
	}
	return b.String()
}

// percent reads "12.34%" or "12,34%" at the beginning of s.
func percent(s string) (value float64, rest string, ok bool) {
	value, n := number(s)
	if n == 0 {
		return 0, s, false
	}
	rest = strings.TrimPrefix(s[n:], " ")
	if !strings.HasPrefix(rest, "%") || value > 100.5 {
		return 0, s, false
	}
	return min(value, 100), rest[1:], true
}

// number reads digits with a decimal point or comma; n is how many bytes they take.
func number(s string) (value float64, n int) {
	point := false
	for n < len(s) && n < 24 && (s[n] >= '0' && s[n] <= '9' || !point && n > 0 && (s[n] == '.' || s[n] == ',')) {
		point = point || s[n] == '.' || s[n] == ','
		n++
	}
	value, err := strconv.ParseFloat(strings.Replace(s[:n], ",", ".", 1), 64)
	if err != nil {
		return 0, 0
	}
	return value, n
}

// cutBlanks takes leading blanks off and says how many.
func cutBlanks(s string) (string, int) {
	t := strings.TrimLeft(s, " ")
	return t, len(s) - len(t)
}

// cutSign takes a fold sign of the terminal browser off: it stands before a blank.
func cutSign(s string) (sign byte, rest string) {
	if len(s) > 1 && (s[0] == '+' || s[0] == '-') && s[1] == ' ' {
		rest, _ = cutBlanks(s[1:])
		return s[0], rest
	}
	return 0, s
}

// mark finds the mark before a symbol, "[.] ", "[k] " and so on, and gives where it begins; -1 if there is none.
func mark(s string) int {
	for i := 0; i+2 < len(s); i++ {
		if s[i] == '[' && s[i+2] == ']' && strings.IndexByte(".kguH?", s[i+1]) >= 0 &&
			(i == 0 || s[i-1] == ' ') && (i+3 == len(s) || s[i+3] == ' ') {
			return i
		}
	}
	return -1
}

// row is a line of the list, as it stands.
type row struct {
	sign     byte
	column   int // of the sign, or of the first digit
	percents []float64
	before   string // between the percentages and the mark
	marked   byte   // what stands in the mark; 0 for none
	symbol   string
	beforeAt int // where before begins in the line
}

// parseRow reads a line of the list: a fold sign perhaps, percentages, and a marked symbol. Without a mark ok is false although
// percents may be set.
func parseRow(s string) (r row, ok bool) {
	t, column := cutBlanks(s)
	r.column = column
	r.sign, t = cutSign(t)
	for {
		v, rest, ok := percent(t)
		if !ok {
			break
		}
		r.percents = append(r.percents, v)
		t, _ = cutBlanks(rest)
		if rest != "" && rest[0] != ' ' {
			return r, false
		}
	}
	if len(r.percents) == 0 || len(r.percents) > 6 {
		return r, false
	}
	if len(t) > 1 && (t[0] == '+' || t[0] == '-') {
		if _, n := number(t[1:]); strings.HasPrefix(t[1+n:], "%") {
			return row{}, false // perf diff: a share and by how much it changed
		}
	}
	r.beforeAt = len(s) - len(t)
	i := mark(t)
	if i < 0 {
		r.before = t
		return r, false
	}
	r.before, r.marked, r.symbol = strings.TrimRight(t[:i], " "), t[i+1], strings.TrimSpace(t[i+3:])
	return r, true
}

// branch is a line of a call graph.
type branch struct {
	column int     // where the dashes, the sign or the name begin
	value  float64 // -1 when the line has none
	count  bool    // value is a count or period, no percentage
	sign   byte    // of the terminal browser
	dashes bool    // as --stdio draws it
	name   string
}

// parseDrawn reads a line that --stdio draws: bars and blanks, then dashes with or without a value, then a name. A line of bars
// only has no name and no dashes.
func parseDrawn(s string) branch {
	b := branch{value: -1}
	b.column = len(s) - len(strings.TrimLeft(s, " |"))
	t := s[b.column:]
	if !strings.HasPrefix(t, "--") {
		b.name = strings.TrimSpace(t)
		return b
	}
	b.dashes = true
	t = strings.TrimLeft(t, "-")
	if v, rest, ok := percent(t); ok {
		b.value, t = v, strings.TrimPrefix(rest, "--")
	} else if v, n := number(t); n > 0 && strings.HasPrefix(t[n:], "--") {
		b.value, b.count, t = v, true, t[n+2:]
	}
	b.name = strings.TrimSpace(t)
	return b
}

// parseScreen reads a line of a call graph as the terminal browser shows it: a fold sign, a percentage, a name.
func parseScreen(s string) branch {
	b := branch{value: -1}
	t, column := cutBlanks(s)
	b.column = column
	if b.sign, t = cutSign(t); b.sign == 0 {
		b.column -= 2 // the place where the sign would stand
	}
	if v, rest, ok := percent(t); ok {
		b.value, t = v, rest
	}
	b.name = strings.TrimSpace(t)
	return b
}

// symbolLike tells whether text can be the name of a function: one word, or several as C++ and Rust write them.
func symbolLike(s string) bool {
	s = strings.TrimSuffix(s, " (inlined)")
	if s == "" || s[0] == ',' || s[0] == '%' || s[0] == '-' || strings.Trim(s, ".:;,!?") == "" {
		return false
	}
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '<', '(', '[', '{':
			depth++
		case '>', ')', ']', '}':
			depth--
		case ' ':
			if depth <= 0 && !strings.HasSuffix(s[:i], "operator") && !strings.HasSuffix(s[:i], ",") && !strings.HasPrefix(s[i:], " const") &&
				!strings.Contains(s, "::") {
				return false
			}
		}
	}
	return depth > 0 || !strings.HasSuffix(s, ",") // cut at the edge of the window
}
