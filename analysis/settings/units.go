package settings

import (
	"strconv"
	"strings"
)

// Factors of the units of settings, in bytes and in milliseconds; units are case-sensitive
// (https://www.postgresql.org/docs/current/config-setting.html).
var factors = map[string]float64{
	"B": 1, "kB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40,
	"us": .001, "ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000, "d": 86_400_000,
}

// Amount is a setting as a number: bytes for sizes, milliseconds for times, the bare number without a unit. The unit may hold a number
// of its own, as pg_settings has it ("8kB"), or stand in the value ("1GB").
func Amount(value, unit string) (float64, bool) {
	number, suffix := split(value)
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0, false
	}
	if suffix != "" {
		unit = suffix
	}
	if unit == "" {
		return v, true
	}
	count, name := split(unit)
	f, ok := factors[name]
	if !ok {
		return 0, false
	}
	if count != "" {
		n, err := strconv.ParseFloat(count, 64)
		if err != nil {
			return 0, false
		}
		f *= n
	}
	return v * f, true
}

// split cuts a number from the unit behind it.
func split(s string) (number, unit string) {
	s = strings.TrimSpace(s)
	end := strings.IndexFunc(s, func(r rune) bool { return r != '-' && r != '+' && r != '.' && (r < '0' || r > '9') })
	if end < 0 {
		return s, ""
	}
	return s[:end], strings.TrimSpace(s[end:])
}
