package source

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Peeler takes lines out of what a log, a container or a runner puts around each of them: a prefix, or the quotes of strings in JSON.
type Peeler struct {
	Line    func(l Line, column int) // column: bytes that stood before it
	Strings bool                     // JSON: of Ansible, of Docker, or a field that holds a whole output
	Every   bool                     // a time or a name stands before every line

	common []byte // begins every line, behind the time
	whole  bool   // a string held a whole output: what lists its lines says it again
}

// logged are the names under which loggers that write JSON have the line.
var logged = []string{"log", "msg", "message"}

// Wrapped looks at the beginning of a text. It gives nil when its lines stand bare.
func Wrapped(head []byte) *Peeler {
	lines, prefixed, quoted := 0, 0, 0
	named, columns := map[string]bool{}, 0 // what stands before the first bars, and how many bars a line has, if all have as many
	p := &Peeler{}
	for line := range bytes.Lines(head) {
		if line = bytes.TrimRight(line, "\r\n"); len(line) == 0 {
			continue
		}
		at := prefix(line)
		if at > 0 {
			prefixed++
		}
		rest := line[at:]
		if name, _, ok := bytes.Cut(line, []byte("| ")); ok {
			named[string(name)] = true
		}
		bars := bytes.Count(line, []byte("| "))
		if lines++; lines == 1 {
			p.common, columns = rest, bars
		} else if columns != bars {
			columns = 0
		}
		p.common = p.common[:CommonPrefix(p.common, rest)]
		if quotes(line) {
			quoted++
		}
	}
	p.common = bytes.Clone(p.common[:bytes.LastIndexByte(p.common, ' ')+1])
	switch {
	case lines < 2 && quoted == 0:
		return nil
	case 2*quoted > lines:
		p.Strings = true
	case 10*prefixed >= 9*lines:
		p.Every = prefixed == lines && columns < 2 && len(named) < lines                          // else a table
		if !bytes.HasSuffix(p.common, []byte("- ")) && !bytes.HasSuffix(p.common, []byte("] ")) { // a logger and a level
			p.common = nil
		}
	case len(p.common) > 3 && len(bytes.TrimSpace(p.common)) > 0:
	case quoted > 0:
		p.Strings = true
	case bytes.Contains(head, []byte("[0m")):
	default:
		return nil
	}
	return p
}

// quotes tells whether a line holds others in strings: of JSON, or with their ends written out.
func quotes(line []byte) bool {
	if bytes.Count(line, []byte(`\n`)) > 2 || bytes.Contains(line, []byte(`["`)) {
		return true
	}
	line = bytes.ToLower(bytes.TrimSpace(line))
	return bytes.HasPrefix(line, []byte{'"'}) || bytes.HasPrefix(line, []byte(`{"`)) &&
		slices.ContainsFunc(logged, func(key string) bool { return bytes.Contains(line, []byte(`"`+key+`":`)) })
}

// Peeled gives the bare lines of a whole text.
func (p *Peeler) Peeled(text []byte) []byte {
	var out []byte
	bare := Peeler{Strings: p.Strings, common: p.common, Line: func(l Line, _ int) { out = append(append(out, l.Text...), '\n') }}
	s := Splitter{Max: 1 << 20, Line: bare.Take}
	s.Write(text)
	s.Close()
	return out
}

// Take hands over what a line wraps, which may be several lines or none.
func (p *Peeler) Take(l Line) {
	if p.Strings {
		p.strings(l)
		return
	}
	text := bytes.TrimPrefix(l.Text[prefix(l.Text):], p.common)
	p.Line(Line{uncoloured(text), l.No}, len(l.Text)-len(text))
}

// strings hands over the strings of a line of JSON that can be lines of an output: those that hold line ends, and the items of lists. What
// has line ends written out but is no JSON is cut at them.
func (p *Peeler) strings(l Line) {
	text := string(l.Text)
	list, said, found := false, false, false
	indent := len(text) - len(strings.TrimLeft(text, " \t"))
	give := func(s string, column int) {
		for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
			p.Line(Line{uncoloured([]byte(strings.TrimSuffix(line, "\r"))), l.No}, column)
		}
	}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[', '{':
			list = text[i] == '['
		case '"':
			s, n := Quoted(text[i:])
			ends := strings.Count(s, "\n")
			key := strings.HasPrefix(strings.TrimLeft(text[i+n:], " "), ":")
			item := list || said || i == indent
			said = key && slices.Contains(logged, strings.ToLower(s))
			if !key && (ends > 0 || item && !p.whole) {
				found = true
				p.whole = p.whole || ends > 2
				give(s, i)
			}
			i += n - 1
		}
	}
	if !found && strings.Count(text, `\n`) > 2 {
		give(strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(text), 0)
	}
}

// Quoted reads the string of JSON that a text begins with, and how many bytes it has there. One that is none is taken as it stands.
func Quoted(text string) (s string, n int) {
	for n = 1; n < len(text) && text[n] != '"'; n++ {
		if text[n] == '\\' {
			n++
		}
	}
	n = min(n+1, len(text))
	if json.Unmarshal([]byte(text[:n]), &s) != nil {
		s = strings.Trim(text[:n], `"`)
	}
	return s, n
}

// prefix is the length of what a log writes before a line: times, and behind them the names of a host and a program, or of a stream; the
// name of a container before a bar or in brackets. It is 0 when there is none of these.
func prefix(b []byte) int {
	end, stamped := 0, false
	from := 0
	if job := bytes.IndexByte(b[:min(len(b), 100)], '\t'); job > 0 { // of GitHub, and its step
		if step := bytes.IndexByte(b[job+1:min(len(b), 200)], '\t'); step > 0 && stamp(word(b[job+step+2:])) {
			from = job + step + 2
		}
	}
words:
	for range 8 {
		for from < len(b) && b[from] == ' ' {
			from++
		}
		w := word(b[from:])
		behind := bytes.TrimLeft(b[from+len(w):], " ")
		switch {
		case len(w) == 0:
			break words
		case stamp(w), w[0] == '[' && w[len(w)-1] == ']' && bytes.IndexByte(w, '/') > 0:
			stamped = true
		case from == 0 && bytes.HasPrefix(w, []byte{'>'}) && len(bytes.Trim(w, ">")) == 0: // a quote
			stamped = true
		case end == 0 && bytes.HasPrefix(behind, []byte("| ")):
			stamped = true
			from = len(b) - len(behind)
			w = behind[:1]
		case !stamped && (len(w) == 3 && strings.Contains("JanFebMarAprMayJunJulAugSepOctNovDec", string(w)) || len(w) < 3 && digits(w)):
			from += len(w)
			continue // a day, if a time follows
		case stamped && bytes.HasSuffix(w, []byte("]:")):
		case stamped && bytes.HasSuffix(word(behind), []byte("]:")): // a host, before its program
		case stamped && (string(w) == "stdout" || string(w) == "stderr" || string(w) == "F" || string(w) == "P"):
		case stamped && len(w) == 3 && digits(w[:2]) && (w[2] == 'O' || w[2] == 'E'): // GitLab's stream
		default:
			break words
		}
		from += len(w)
		end = from
	}
	if end > 0 && end < len(b) && b[end] == ' ' {
		end++
	}
	return end
}

// word is what stands before the first blank.
func word(b []byte) []byte {
	if n := bytes.IndexAny(b, " \t"); n >= 0 {
		return b[:n]
	}
	return b
}

func digits(b []byte) bool { return len(bytes.Trim(b, "0123456789")) == 0 }

// stamp tells whether a word is a date, a time, both, or the seconds since 1970 with a fraction.
func stamp(w []byte) bool {
	w = bytes.Trim(w, "[](),:")
	dots, signs, n := 0, 0, 0
	for i, c := range w {
		switch {
		case c >= '0' && c <= '9':
			n++
		case c == ':' || c == '-' || c == '/' && (i == 4 || i == 7):
			signs++
		case c == '.' && i > 9 || c == ',' && i > 7:
			dots++
		case c != 'T' && c != 'Z' && c != '+' && c != '.':
			return false
		}
	}
	return n >= 6 && (signs > 1 || dots == 1)
}

// uncoloured drops what is left of a terminal's control sequences where the escape before them was lost, or is written as ^[.
func uncoloured(b []byte) []byte {
	if bytes.IndexByte(b, '[') < 0 {
		return b
	}
	var out []byte
	from := 0
	for i := range b {
		if b[i] != '[' {
			continue
		}
		end := i + 1
		for end < len(b) && (b[end] == ';' || b[end] >= '0' && b[end] <= '9') {
			end++
		}
		if end < len(b) && (b[end] == 'm' || b[end] == 'K') {
			out = append(out, bytes.TrimRight(bytes.TrimSuffix(b[from:i], []byte("^[")), "\x1b")...)
			from = end + 1
		}
	}
	if from == 0 {
		return b
	}
	return append(out, b[from:]...)
}
