package settings

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"sync"

	"pgknee/data"
)

// Embedded is the catalogue that comes with pgknee, data/settings.
var Embedded = sync.OnceValue(func() *Catalogue {
	c, err := Load(bytes.NewReader(data.Settings))
	if err != nil {
		panic(err) // a test reads it
	}
	return c
})

// Latest is what the newest version that has a setting knows of it.
func (c *Catalogue) Latest(name string) (Entry, bool) {
	rows := c.byName[strings.ToLower(name)]
	for i := len(rows) - 1; i >= 0; i-- {
		if !preRelease(rows[i]) {
			return rows[i], true
		}
	}
	return Entry{}, false
}

// Parse makes a value of what a file, a SHOW or a text says of a setting ("12GB", "OFF", "400"): the number in the server's unit where
// the catalogue knows it, switches as on and off, names of choices in lower case.
func (c *Catalogue) Parse(name, text string) Value {
	v := Value{Value: text, Text: text}
	e, known := c.Latest(name)
	switch {
	case known && e.Type == "bool", !known && truth(text) != "" && len(text) > 1:
		if t := truth(text); t != "" {
			v.Value = t
		}
		return v
	case known && e.Type == "enum":
		v.Value = strings.ToLower(text)
		if t := truth(text); t != "" && strings.Contains("|"+e.Values+"|", "|"+t+"|") {
			v.Value = t
		}
		return v
	case known && e.Type == "string":
		return v
	}
	number, unit := split(text)
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) || unit != "" && factors[unit] == 0 {
		return v
	}
	v.Value, v.Unit = number, unit
	if e.Unit == "" {
		return v
	}
	if unit == "" {
		v.Unit = e.Unit
		return v
	}
	amount, ok := Amount(number, unit)
	one, whole := Amount("1", e.Unit)
	if ok && whole {
		v.Value, v.Unit = strconv.FormatFloat(amount/one, 'f', -1, 64), e.Unit
	}
	return v
}

// FromView makes a value of a row of pg_settings, which has the number and its unit apart.
func (c *Catalogue) FromView(name, setting, unit string) Value {
	if unit == "" {
		v := c.Parse(name, setting)
		if v.Unit != "" && v.Text == v.Value {
			v.Text = human(v.Value, v.Unit)
		}
		return v
	}
	return Value{Value: setting, Unit: unit, Text: human(setting, unit)}
}

// human writes a value as SHOW does: in the largest unit that leaves a whole number. What is 0 or below has no unit.
func human(setting, unit string) string {
	amount, ok := Amount(setting, unit)
	if _, err := strconv.Atoi(setting); !ok || err != nil || amount <= 0 {
		return setting
	}
	units := []string{"d", "h", "min", "s", "ms", "us"}
	if strings.HasSuffix(unit, "B") {
		units = []string{"TB", "GB", "MB", "kB", "B"}
	}
	for _, u := range units {
		if n := amount / factors[u]; n >= 1 && n == math.Trunc(n) {
			return strconv.FormatFloat(n, 'f', -1, 64) + u
		}
	}
	return setting
}

// truth gives on or off for the words that a switch takes; "" for others.
func truth(text string) string {
	switch strings.ToLower(text) {
	case "on", "true", "yes", "1", "t", "y":
		return "on"
	case "off", "false", "no", "0", "f", "n":
		return "off"
	}
	return ""
}

// IsUnit tells whether a text is a unit as pg_settings writes them: kB, 8kB, ms, …
func IsUnit(text string) bool {
	_, name := split(text)
	return factors[name] != 0
}
