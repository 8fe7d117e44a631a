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

// Prose reads a setting that a line of a text states, and nothing else with it: "max_connections = 10000", "shared_buffers 128MB",
// "- work_mem: 64MB", "SET jit TO off;". Known tells which names are settings. Without a sign between the two, the value must be one
// that the setting can have, so that "autovacuum was slow" says nothing.
func Prose(line []byte, known func(name string) bool) (name string, value settings.Value, ok bool) {
	text := bytes.TrimSpace(line)
	for _, bullet := range []string{"- ", "* ", "• ", "– "} {
		text = bytes.TrimPrefix(text, []byte(bullet))
	}
	text = bytes.Trim(text, "` ")
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
	name = strings.ToLower(string(text[:end]))
	if name == "" || !known(name) {
		return "", value, false
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
		return "", value, false
	}
	text2 := a.value
	if unit := strings.TrimSpace(string(a.rest)); unit != "" { // "128 MB"
		if !settings.IsUnit(unit) {
			return "", value, false
		}
		text2 += unit
	}
	value = settings.Known().Parse(name, strings.TrimRight(text2, "."))
	if !sign && !a.quoted && !plausible(name, value) {
		return "", settings.Value{}, false
	}
	return name, value, true
}

// plausible tells whether a value is of the setting's type.
func plausible(name string, v settings.Value) bool {
	e, found := settings.Known().Latest(name)
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
