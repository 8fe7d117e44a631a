package pgconf

import (
	"bytes"
	"strings"

	"pgknee/analysis/format"
	"pgknee/analysis/settings"
	"pgknee/analysis/source"
)

// Block reads settings out of a document: two or more lines of prose that state one each, a table of pg_settings, or what SHOW gave. A
// line alone is left, because it may be the heading of what follows ("jit = off"). Lists under the same heading become one.
var Block = format.Block{
	Name: "pg-settings",
	Claims: func(lines []source.Line) int {
		n, count := 0, 0
		for n < len(lines) {
			found := len(Line(lines[n].Text))
			if found == 0 && (n == 0 || !between(lines[n].Text)) {
				break
			}
			if count += found; len(typed(lines[n].Text)) < len(lines[n].Text) {
				count++ // what was typed into psql holds
			}
			n++
		}
		if count >= 2 && !bytes.Contains(lines[0].Text, []byte("pgbench ")) {
			return n
		}
		return shown(lines)
	},
	Read: func(c *format.Context, p format.Passage) {
		set := newSet(c, p.Lines[0].No)
		set.Label = p.Heading
		r := &viewReader{ctx: c, set: set}
		view := len(Line(p.Lines[0].Text)) == 0
		for _, l := range p.Lines {
			if view {
				r.Line(l)
			}
			for _, s := range Line(l.Text) {
				put(c, set, s.Name, s.Value)
			}
		}
		r.endRecord()
		if n := len(c.Settings); n > 0 && c.Settings[n-1].Label == set.Label && agree(c.Settings[n-1], set) {
			for name, v := range set.Values {
				c.Settings[n-1].Values[name] = v
			}
			return
		}
		c.Settings = append(c.Settings, set)
	},
}

// between tells the lines that stand between settings: what the server answers, the option before the next item of a list.
func between(line []byte) bool {
	switch string(bytes.Trim(line, "- \t\"'")) {
	case "c", "ALTER SYSTEM", "ALTER SYSTEM SET", "SET":
		return true
	}
	return false
}

// listed gives the settings of a line that lists several with their signs, and no other figures: "shared_buffers = 8GB, jit = off".
func listed(line []byte) (out []Setting) {
	if bytes.Count(line, []byte("=")) < 2 {
		return nil
	}
	for _, piece := range bytes.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ';' || r == '`' }) {
		if i := bytes.LastIndex(piece, []byte(": ")); i >= 0 && len(out) == 0 {
			piece = piece[i+2:] // "Settings: …"
		}
		if s, ok := prose(piece); ok && bytes.IndexByte(piece, '=') > 0 {
			out = append(out, s)
		} else if bytes.ContainsAny(piece, "0123456789=") {
			return nil
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// Sentences gathers the sizes and numbers that sentences give settings with a sign, "32 cores. shared_buffers = 32GB", and leaves out
// those that get several. A switch in a sentence is rather what the text is about than a condition of all its runs.
type Sentences struct {
	set   *settings.Set
	mixed map[string]bool
}

// Line reads the settings in a line of prose.
func (s *Sentences) Line(c *format.Context, l source.Line) {
	text := l.Text[:min(len(l.Text), 1000)]
	for i, b := range text {
		if b != '=' {
			continue
		}
		end := i
		for end > 0 && (text[end-1] == ' ' || text[end-1] == '`') {
			end--
		}
		from := end
		for from > 0 && nameByte(text[from-1], false) {
			from--
		}
		name := strings.TrimLeft(strings.ToLower(string(text[from:end])), ".")
		value := bytes.TrimLeft(text[i+1:], " `'\"")
		if n := bytes.IndexAny(value, " ,;`'\")"); n >= 0 {
			value = value[:n]
		}
		v := settings.Embedded().Parse(name, strings.TrimRight(string(value), "."))
		if _, number := settings.Amount(v.Value, v.Unit); !number || !known(name) {
			continue
		}
		if s.set == nil {
			s.set, s.mixed = newSet(c, l.No), map[string]bool{}
		}
		if w, seen := s.set.Values[name]; seen && (w.Value != v.Value || w.Unit != v.Unit) {
			s.mixed[name] = true
		}
		put(c, s.set, name, v)
	}
}

// Close hands over what was said once, unless lists of settings say it already.
func (s *Sentences) Close(c *format.Context) {
	if s.set == nil || len(c.Settings) > 0 {
		return
	}
	for name := range s.mixed {
		delete(s.set.Values, name)
	}
	if len(s.set.Values) > 0 {
		c.Settings = append(c.Settings, s.set)
	}
}

// shown tells how many lines are a table of pg_settings, or what a SHOW gave.
func shown(lines []source.Line) int {
	r := &viewReader{ctx: &format.Context{}}
	text := string(bytes.TrimSpace(lines[0].Text))
	if len(text) > 4096 || !r.header(text) && !(r.name(text) && len(lines) > 2 && rule(lines[1].Text)) {
		return 0
	}
	n := 1
	for n < len(lines) && len(bytes.TrimSpace(lines[n].Text)) > 0 && r.take(string(bytes.TrimSpace(lines[n].Text))) {
		n++
	}
	if r.set == nil {
		return 0
	}
	for name := range r.set.Values {
		if known(name) {
			return n
		}
	}
	return 0
}

func rule(line []byte) bool {
	text := bytes.TrimSpace(line)
	return len(text) > 2 && len(bytes.Trim(text, "-")) == 0
}

// agree tells whether two lists say the same wherever both say something.
func agree(a, b *settings.Set) bool {
	for name, v := range b.Values {
		if w, seen := a.Values[name]; seen && (w.Value != v.Value || w.Unit != v.Unit) {
			return false
		}
	}
	return true
}
