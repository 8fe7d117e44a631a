package pgbench

import (
	"math"
	"strconv"
	"strings"
)

// number is a value as printed. A text such as nan or inf is a number that is not known.
type number struct {
	value    float64
	decimals int
	comma    bool // the decimal mark is one: a locale's, or it groups thousands
	known    bool
}

var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// parseNumber reads the number that b begins with and gives its length; 0 if there is none.
func parseNumber(b []byte) (number, int) {
	if n, size := plainNumber(b); size > 0 {
		return n, size
	}
	i := 0
	if i < len(b) && b[i] == '-' {
		i++
	}
	first := i
	mantissa, exact := uint64(0), true
	digits := func(most int) (n int) {
		for ; n < most && i < len(b) && b[i]-'0' <= 9; i++ {
			exact = exact && mantissa < 1<<53/10
			mantissa = mantissa*10 + uint64(b[i]-'0')
			n++
		}
		return n
	}
	if digits(len(b)) == 0 {
		if n := special(b[first:]); n > 0 {
			return number{}, first + n
		}
		return number{}, 0
	}
	for grouped(b[i:]) {
		i++
		digits(3)
	}
	decimals, comma := 0, false
	if i+1 < len(b) && (b[i] == '.' || b[i] == ',') && b[i+1]-'0' <= 9 {
		comma = b[i] == ','
		i++
		decimals = digits(len(b))
	}
	if i < len(b) && b[i] == '.' && i+1 < len(b) && b[i+1] == '#' { // 1.#QNAN, -1.#IND of old C libraries
		for i < len(b) && (b[i] == '.' || b[i] == '#' || b[i]-'A' <= 'Z'-'A') {
			i++
		}
		return number{}, i
	}
	n := number{decimals: decimals, comma: comma, known: true}
	if exact && decimals < len(powers) {
		n.value = float64(mantissa) / powers[decimals] // both exact, so the quotient is rounded once
		if first > 0 {
			n.value = -n.value
		}
		return n, i
	}
	text := string(b[:i])
	if comma {
		text = strings.Replace(text, ",", ".", 1)
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	if err != nil || math.IsInf(v, 0) {
		return number{}, i
	}
	n.value = v
	return n, i
}

// plainNumber reads what most numbers are: digits with a point among them.
func plainNumber(b []byte) (n number, size int) {
	i, mantissa := 0, uint64(0)
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		mantissa = mantissa*10 + uint64(b[i]-'0')
	}
	point := i
	if point == 0 || point == len(b) || b[point] != '.' {
		return n, 0
	}
	for i++; i < len(b) && b[i]-'0' <= 9; i++ {
		mantissa = mantissa*10 + uint64(b[i]-'0')
	}
	n.decimals = i - point - 1
	if n.decimals == 0 || i > 16 || i < len(b) && b[i] == '.' { // up to 15 digits are exact
		return n, 0
	}
	n.value, n.known = float64(mantissa)/powers[n.decimals], true
	return n, i
}

// grouped tells whether b begins with a comma and three digits that are thousands for sure: more of the like or a point follows.
func grouped(b []byte) bool {
	if len(b) < 5 || b[0] != ',' || b[4] != ',' && b[4] != '.' {
		return false
	}
	return b[1]-'0' <= 9 && b[2]-'0' <= 9 && b[3]-'0' <= 9
}

// special gives the length of a leading nan or inf.
func special(b []byte) int {
	if len(b) < 3 || len(b) > 3 && letter(b[3]) {
		return 0
	}
	switch string(b[:3]) {
	case "nan", "NaN", "inf", "Inf":
		return 3
	}
	return 0
}

// parseCount reads a whole number, signed, and gives its length.
func parseCount(b []byte) (int64, int) {
	i := 0
	if i < len(b) && b[i] == '-' {
		i++
	}
	first := i
	var n int64
	for i < len(b) && i-first < 18 {
		if b[i] == ',' && i > first && i+3 < len(b) && b[i+1]-'0' <= 9 && b[i+2]-'0' <= 9 && b[i+3]-'0' <= 9 {
			i++ // someone grouped the thousands
		}
		if b[i]-'0' > 9 {
			break
		}
		n = n*10 + int64(b[i]-'0')
		i++
	}
	if i == first || i < len(b) && b[i]-'0' <= 9 {
		return 0, 0
	}
	if first > 0 {
		n = -n
	}
	return n, i
}

func letter(c byte) bool { return c|0x20-'a' <= 'z'-'a' }

func blank(c byte) bool { return c == ' ' || c == '\t' }

// skipBlanks gives the index of the first byte of b from i on that is no blank.
func skipBlanks(b []byte, i int) int {
	for i < len(b) && blank(b[i]) {
		i++
	}
	return i
}
