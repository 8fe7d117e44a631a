package settings

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/gocarina/gocsv"
)

// Entry is a row of the catalogue (data/settings): what a range of major versions knows of one setting.
type Entry struct {
	Name    string `csv:"name"`    // in full, as in pg_stat_statements.max
	Since   string `csv:"since"`   // first major version this row holds for; "" from the first one known; a beta that alone has this default
	Until   string `csv:"until"`   // last major version; "" up to the newest
	Default string `csv:"default"` // the built-in default, in Unit
	Unit    string `csv:"unit"`
	Type    string `csv:"type"` // bool | integer | real | enum | string
	Min     string `csv:"min"`
	Max     string `csv:"max"`
	Values  string `csv:"values"`  // of an enum, separated by |
	Context string `csv:"context"` // postmaster (restart) | sighup (reload) | superuser, user (session) | …
	Doc     string `csv:"doc"`     // page of the documentation
	Source  string `csv:"source"`  // where the row was taken from
}

// Catalogue is what is known of settings, by version.
type Catalogue struct {
	byName map[string][]Entry
}

// Load reads a catalogue from CSV with a header.
func Load(r io.Reader) (*Catalogue, error) {
	var rows []Entry
	if err := gocsv.Unmarshal(r, &rows); err != nil {
		return nil, err
	}
	c := &Catalogue{map[string][]Entry{}}
	for _, e := range rows {
		c.byName[strings.ToLower(e.Name)] = append(c.byName[strings.ToLower(e.Name)], e)
	}
	return c, nil
}

// Known tells whether there is a setting of this name.
func (c *Catalogue) Known(name string) bool { return len(c.byName[strings.ToLower(name)]) > 0 }

// Full completes a name that lacks its extension (track_planning), where that is unambiguous.
func (c *Catalogue) Full(name string) string {
	name = strings.ToLower(name)
	if c.Known(name) {
		return name
	}
	found := ""
	for full := range c.byName {
		if strings.HasSuffix(full, "."+name) {
			if found != "" {
				return name
			}
			found = full
		}
	}
	return cmp.Or(found, name)
}

// Entry is what is known of a setting in a version ("13.4", "9.6", "17beta1"). A row of a pre-release holds for that alone.
func (c *Catalogue) Entry(name, version string) (Entry, bool) {
	rows := c.byName[strings.ToLower(name)]
	for _, e := range rows {
		if preRelease(e) && strings.EqualFold(e.Since, version) {
			return e, true
		}
	}
	v := Major(version)
	for _, e := range rows {
		if !preRelease(e) && (e.Since == "" || Major(e.Since) <= v) && (e.Until == "" || v <= Major(e.Until)) {
			return e, true
		}
	}
	return Entry{}, false
}

func preRelease(e Entry) bool { return strings.Contains(e.Since, "beta") }

// Default is the built-in default of a setting in a version.
func (c *Catalogue) Default(name, version string) (Value, bool) {
	e, ok := c.Entry(name, version)
	if !ok || Major(version) == 0 {
		return Value{}, false
	}
	return Value{Value: e.Default, Unit: e.Unit, Text: e.Default + e.Unit}, true
}

// Names are all settings of the catalogue, sorted.
func (c *Catalogue) Names() []string {
	out := make([]string, 0, len(c.byName))
	for _, rows := range c.byName {
		out = append(out, rows[0].Name)
	}
	slices.Sort(out)
	return out
}

// Major is the major version as a number: 9.6, 13, 17 for 17beta1; 0 if the text does not begin with a version.
func Major(version string) float64 {
	end := strings.IndexFunc(version, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end >= 0 {
		version = version[:end]
	}
	parts := strings.SplitN(version, ".", 3)
	first, err := strconv.Atoi(parts[0])
	if err != nil {
		return 0
	}
	if first >= 10 || len(parts) == 1 {
		return float64(first)
	}
	v, err := strconv.ParseFloat(parts[0]+"."+parts[1], 64)
	if err != nil {
		return 0
	}
	return v
}
