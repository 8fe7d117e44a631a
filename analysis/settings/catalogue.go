package settings

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Entry is a row of the catalogue (data/settings): what a range of major versions knows of one setting.
type Entry struct {
	Name    string // in full, as in pg_stat_statements.max
	Since   string // first major version this row holds for; "" from the first one known; a beta that alone has this default
	Until   string // last major version; "" up to the newest
	Default string // the built-in default, in Unit
	Unit    string
	Type    string // bool | integer | real | enum | string
	Min     string
	Max     string
	Values  string // of an enum, separated by |
	Context string // postmaster (restart) | sighup (reload) | superuser, user (session) | …
	Doc     string // page of the documentation
	Source  string // where the row was taken from
}

// Catalogue is what is known of settings, by version.
type Catalogue struct {
	byName map[string][]Entry
}

// columns of the file.
var columns = map[string]func(*Entry) *string{
	"name":    func(e *Entry) *string { return &e.Name },
	"since":   func(e *Entry) *string { return &e.Since },
	"until":   func(e *Entry) *string { return &e.Until },
	"default": func(e *Entry) *string { return &e.Default },
	"unit":    func(e *Entry) *string { return &e.Unit },
	"type":    func(e *Entry) *string { return &e.Type },
	"min":     func(e *Entry) *string { return &e.Min },
	"max":     func(e *Entry) *string { return &e.Max },
	"values":  func(e *Entry) *string { return &e.Values },
	"context": func(e *Entry) *string { return &e.Context },
	"doc":     func(e *Entry) *string { return &e.Doc },
	"source":  func(e *Entry) *string { return &e.Source },
}

// Load reads a catalogue from CSV with a header. It is read before the first file is recognised, so it must be quick: gocsv takes 10 ms
// for what takes 1 here, and six times that in a browser.
func Load(r io.Reader) (*Catalogue, error) {
	rows := csv.NewReader(r)
	header, err := rows.Read()
	if err != nil {
		return nil, err
	}
	for _, name := range header {
		if columns[name] == nil {
			return nil, fmt.Errorf("the catalogue has a column %q", name)
		}
	}
	c := &Catalogue{map[string][]Entry{}}
	rows.ReuseRecord = true
	for {
		row, err := rows.Read()
		if err == io.EOF {
			return c, nil
		}
		if err != nil {
			return nil, err
		}
		var e Entry
		for i, cell := range row {
			*columns[header[i]](&e) = cell
		}
		name := strings.ToLower(e.Name)
		c.byName[name] = append(c.byName[name], e)
	}
}

// Has tells whether there is a setting of this name.
func (c *Catalogue) Has(name string) bool { return len(c.byName[strings.ToLower(name)]) > 0 }

// Full completes a name that lacks its extension (track_planning), where that is unambiguous.
func (c *Catalogue) Full(name string) string {
	name = strings.ToLower(name)
	if c.Has(name) {
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
	return Value{Value: e.Default, Unit: e.Unit, Text: e.Text()}, true
}

// Text is the default as SHOW writes it: 128MB.
func (e Entry) Text() string { return human(e.Default, e.Unit) }

// Rows is all that is known of a setting, by rising version.
func (c *Catalogue) Rows(name string) []Entry { return c.byName[strings.ToLower(name)] }

// Versions says which versions a row holds for: "to 11", "12-14", "18 on", "all".
func (e Entry) Versions() string {
	switch {
	case e.Since == "" && e.Until == "":
		return "all"
	case e.Since == e.Until:
		return e.Since
	case e.Since == "":
		return "to " + e.Until
	case e.Until == "":
		return e.Since + " on"
	}
	return e.Since + "-" + e.Until
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
