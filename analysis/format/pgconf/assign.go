package pgconf

import (
	"bytes"
	"strings"

	"pgknee/analysis/settings"
)

// assignment is "name [=] value [# comment]", the grammar of a line of postgresql.conf.
type assignment struct {
	name, value string
	equals      bool // there was an equals sign
	quoted      bool
	column      int    // of the value, from 1
	rest        []byte // what stands behind the value and its comment
}

// parse reads a line. What is wrong is said with the column it is wrong at; an empty name means that there is no assignment.
func parse(line []byte) (a assignment, wrong string) {
	i := skip(line, 0)
	start := i
	for i < len(line) && nameByte(line[i], i == start) {
		i++
	}
	if i == start || i < len(line) && line[i] != ' ' && line[i] != '\t' && line[i] != '=' {
		return a, "this is no setting"
	}
	name := strings.ToLower(string(line[start:i]))
	i = skip(line, i)
	if i < len(line) && line[i] == '=' {
		a.equals = true
		i = skip(line, i+1)
	}
	a.column = i + 1
	if i == len(line) || line[i] == '#' {
		return a, "the value is missing"
	}
	if line[i] == '\'' {
		value, end, closed := quoted(line, i)
		if !closed {
			return a, "the quote is not closed"
		}
		a.value, a.quoted, i = value, true, end
	} else {
		begin := i
		for i < len(line) && line[i] != ' ' && line[i] != '\t' && line[i] != '#' && line[i] != '\'' {
			i++
		}
		a.value = string(line[begin:i])
	}
	a.name = name
	if i = skip(line, i); i < len(line) && line[i] != '#' {
		a.rest = line[i:]
	}
	return a, ""
}

// quoted reads a value in single quotes, in which a quote is doubled or has a backslash before it.
func quoted(line []byte, i int) (value string, end int, closed bool) {
	var b []byte
	for i++; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'' && i+1 < len(line) && line[i+1] == '\'':
			b = append(b, '\'')
			i++
		case c == '\'':
			return string(b), i + 1, true
		case c == '\\' && i+1 < len(line):
			i++
			b = append(b, line[i])
		default:
			b = append(b, c)
		}
	}
	return "", i, false
}

func skip(line []byte, i int) int {
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	return i
}

func nameByte(c byte, first bool) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80 || !first && (c >= '0' && c <= '9' || c == '.' || c == '$')
}

// Setting is one that a text states.
type Setting struct {
	Name string
	settings.Value
}

// Line gives the settings that a line states, and nothing else with them: one of a text (see prose), several between commas
// ("shared_buffers = 8GB, jit = off"), or those of the command that starts a server, each behind its option.
func Line(line []byte) []Setting {
	if len(line) > 4000 {
		return nil
	}
	if out := Options(line); out != nil {
		return out
	}
	if s, ok := prose(line); ok {
		return []Setting{s}
	}
	return listed(line)
}

// Options gives the settings in a command line, each behind an option: -c work_mem=64MB, -c 'jit = off', --jit=off, "-c", "jit=off".
// What stands before pgbench in PGOPTIONS is that command's.
func Options(line []byte) (out []Setting) {
	if bytes.IndexByte(line, '=') < 0 {
		return nil
	}
	for i := range line {
		if line[i] != '-' || i+3 > len(line) || i > 0 && strings.IndexByte(" \t\"'`=[(,", line[i-1]) < 0 {
			continue
		}
		text, end := line[i+2:], " \"'`"
		switch line[i+1] {
		case 'c':
			text = bytes.TrimLeft(text, " \t\"',")
			if before := line[len(line)-len(text)-1]; before == '"' || before == '\'' {
				end = string(before)
			}
		case '-':
		default:
			continue
		}
		if n := bytes.IndexAny(text, end); n >= 0 {
			text = text[:n]
		}
		if s, ok := prose(text); ok && bytes.IndexByte(text, '=') > 0 {
			out = append(out, s)
		}
	}
	return out
}

// prose reads a setting that a line of a text states, and nothing else with it: "max_connections = 10000", "shared_buffers 128MB",
// "- work_mem: 64MB", "SET jit TO off;". Without a sign between the two, the value must be one that the setting can have, so that
// "autovacuum was slow" says nothing.
func prose(line []byte) (s Setting, ok bool) {
	text := bytes.TrimSpace(line)
	for _, bullet := range []string{"- ", "* ", "• ", "– "} {
		text = bytes.TrimPrefix(text, []byte(bullet))
	}
	if n := len(text) - 1; n > 0 && (text[0] == '"' || text[0] == '\'') && text[n] == text[0] {
		text = text[1:n]
	}
	text = bytes.Trim(typed(text), "` ")
	text = bytes.TrimSpace(bytes.TrimRight(text, ";,"))
	sign := false
	for _, command := range []string{"alter system set ", "set session ", "set local ", "set "} {
		if len(text) > len(command) && strings.EqualFold(string(text[:len(command)]), command) {
			text = text[len(command):]
			break
		}
	}
	end := 0
	for end < len(text) && nameByte(text[end], end == 0) {
		end++
	}
	name := strings.ToLower(string(text[:end]))
	if name == "" || !known(name) {
		return s, false
	}
	rest := bytes.TrimSpace(bytes.TrimLeft(text[end:], "`"))
	for _, s := range []string{"=", ":", "- ", "– ", "to ", "TO "} {
		if after, found := bytes.CutPrefix(rest, []byte(s)); found {
			rest, sign = bytes.TrimSpace(after), true
			break
		}
	}
	a, wrong := parse(append([]byte("x = "), rest...))
	if wrong != "" || a.value == "" && !a.quoted {
		return s, false
	}
	text2 := a.value
	if unit := strings.TrimSpace(string(a.rest)); unit != "" { // "128 MB"
		if !settings.IsUnit(unit) {
			return s, false
		}
		text2 += unit
	}
	s = Setting{name, settings.Embedded().Parse(name, strings.TrimRight(text2, "."))}
	return s, sign || a.quoted || plausible(name, s.Value)
}

// typed gives what stands behind the prompt of psql.
func typed(text []byte) []byte {
	for _, prompt := range []string{"=# ", "=> "} {
		if i := bytes.Index(text, []byte(prompt)); i > 0 && i < 64 {
			return text[i+len(prompt):]
		}
	}
	return text
}

// plausible tells whether a value is of the setting's type.
func plausible(name string, v settings.Value) bool {
	e, found := settings.Embedded().Latest(name)
	_, number := settings.Amount(v.Value, v.Unit)
	switch {
	case !found:
		return number || v.Value == "on" || v.Value == "off"
	case e.Type == "bool":
		return v.Value == "on" || v.Value == "off"
	case e.Type == "enum":
		return strings.Contains("|"+e.Values+"|", "|"+v.Value+"|")
	case e.Type == "string":
		return false
	}
	return number
}
