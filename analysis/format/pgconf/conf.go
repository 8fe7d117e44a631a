// Package pgconf reads the settings of a server: postgresql.conf and postgresql.auto.conf, and what SHOW and pg_settings give, as psql
// draws it (aligned, unaligned, expanded, with or without a header) or as CSV.
//
// Decided here: a list of settings is recognised by the names in it, all of which pgknee knows (data/settings). The last of several
// lines for one setting wins, as in the server. Includes are not followed, and that is said. A line of prose states a setting only if it
// holds nothing else.
package pgconf

import (
	"bytes"
	"fmt"
	"strings"

	"pgknee/analysis/format"
	"pgknee/analysis/settings"
	"pgknee/analysis/source"
)

// Conf is a configuration file.
var Conf = &format.Format{
	Name: "postgresql-conf", Doc: "postgresql.conf, postgresql.auto.conf, and parts of them",
	Sniff: sniffConf,
	New:   func(c *format.Context) format.Reader { return &confReader{ctx: c} },
}

// sniffConf counts the lines that set something known, or would if they were no comment.
func sniffConf(_ string, head []byte) format.Confidence {
	set, comments, strange := 0, 0, 0
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		text := bytes.TrimSpace(line)
		switch {
		case len(text) == 0:
		case text[0] == '#':
			if a, wrong := parse(text[1:]); wrong == "" && a.equals && settings.Embedded().Has(a.name) {
				comments++
			}
		case directive(text) != "":
			set++
		default:
			a, wrong := parse(line)
			switch {
			case wrong == "" && a.rest == nil && (settings.Embedded().Has(a.name) || a.equals && strings.Contains(a.name, ".")):
				set++
			default:
				strange++
			}
		}
	}
	switch {
	case set >= 2 && strange == 0, set >= 5 && 10*strange <= set:
		return format.Sure
	case set >= 1 && 3*strange <= set, comments >= 5 && strange == 0:
		return format.Likely
	}
	return format.No
}

// directive gives the name of an include directive; "" for any other line.
func directive(text []byte) string {
	for _, name := range []string{"include_if_exists", "include_dir", "include"} {
		if rest, found := bytes.CutPrefix(text, []byte(name)); found && len(rest) > 1 && bytes.ContainsAny(rest[:1], " \t=") && bytes.IndexByte(rest, '\'') >= 0 {
			return name
		}
	}
	return ""
}

type confReader struct {
	ctx *format.Context
	set *settings.Set
}

// Line takes a line.
func (r *confReader) Line(l source.Line) {
	text := bytes.TrimSpace(l.Text)
	if len(text) == 0 || text[0] == '#' {
		return
	}
	if name := directive(text); name != "" {
		r.ctx.Problem(format.Warning, l.No, 1, l.Text, name+" is not followed: give the file it names too, if it matters")
		return
	}
	a, wrong := parse(l.Text)
	switch {
	case wrong != "":
		r.ctx.Skip(l)
		r.ctx.Problem(format.Warning, l.No, max(1, a.column), l.Text, wrong)
		return
	case a.rest != nil:
		r.ctx.Problem(format.Warning, l.No, len(l.Text)-len(a.rest)+1, l.Text, "this stands behind the value: the server would not start with it")
	}
	if r.set == nil {
		r.set = newSet(r.ctx, l.No)
	}
	put(r.ctx, r.set, a.name, settings.Embedded().Parse(a.name, a.value))
}

// Close hands over the settings.
func (r *confReader) Close() {
	if r.set == nil {
		r.ctx.Problem(format.Warning, 0, 0, nil, "no setting is set in this file: all are comments")
		return
	}
	r.ctx.Settings = append(r.ctx.Settings, r.set)
}

// maxSettings is far above what a server has.
const maxSettings = 20_000

func newSet(c *format.Context, line int) *settings.Set {
	_, label := source.Split(c.File)
	if c.File == "" {
		label = ""
	}
	return &settings.Set{Label: label, At: source.Position{File: c.File, Line: line}, Values: map[string]settings.Value{}}
}

func put(c *format.Context, s *settings.Set, name string, v settings.Value) {
	if _, seen := s.Values[name]; !seen && len(s.Values) >= maxSettings {
		if len(s.Values) == maxSettings {
			c.Problem(format.Warning, 0, 0, nil, fmt.Sprintf("more than %d settings: the rest is left out", maxSettings))
			s.Values[""] = settings.Value{} // said once
		}
		return
	}
	s.Values[name] = v
}
