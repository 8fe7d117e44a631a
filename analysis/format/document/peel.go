package document

import (
	"bytes"
	"strings"

	"pgknee/analysis/source"
)

// peel takes quote marks and fences off, and drops signatures and patches. Every line keeps its number; what is dropped becomes a blank
// line, so that passages stay apart.
func peel(lines []source.Line) []source.Line {
	out := make([]source.Line, 0, len(lines))
	fence, diff := "", false
	patch, signature := false, 0
	for _, l := range lines {
		t := unquote(l.Text)
		trimmed := bytes.TrimSpace(t)
		switch {
		case len(trimmed) >= 3 && (bytes.HasPrefix(trimmed, []byte("```")) || bytes.HasPrefix(trimmed, []byte("~~~"))):
			mark := string(trimmed[:3])
			switch {
			case fence == "":
				fence, diff = mark, bytes.HasPrefix(trimmed[3:], []byte("diff"))
			case mark == fence:
				fence, diff = "", false
			}
			t = nil
		case diff:
			t = patched(t)
		case patch || patchBegins(trimmed):
			if patch = patchBegins(trimmed) || patchGoesOn(t); patch {
				t = nil
			}
		case signature > 0:
			signature--
			if attribution(trimmed) || len(trimmed) > 0 && trimmed[0] == '#' {
				signature = 0
			} else {
				t = nil
			}
		case fence == "" && string(trimmed) == "--":
			signature = 8
			t = nil
		case attribution(trimmed):
			t = nil
		}
		out = append(out, source.Line{Text: t, No: l.No})
	}
	return out
}

// unquote takes the marks of quoting off the beginning of a line: any run of "> ", and "| " where no further bar makes it a table. A
// bar further in is part of a call graph.
func unquote(t []byte) []byte {
	for {
		s := bytes.TrimLeft(t, " ")
		switch {
		case len(s) > 0 && s[0] == '>' && !bytes.HasPrefix(s, []byte(">=")):
			s = s[1:]
			if len(s) > 0 && s[0] == ' ' {
				s = s[1:]
			}
			t = s
		case bytes.HasPrefix(s, []byte("&gt;")):
			t = bytes.TrimPrefix(s[4:], []byte(" "))
		case len(s) > 2 && s[0] == '|' && s[1] == ' ' && len(t)-len(s) < 2 && bytes.IndexByte(s[1:], '|') < 0:
			t = s[2:]
		case len(s) > 2 && s[0] == ':' && s[1] == ' ' && len(s) == len(t):
			t = s[2:]
		default:
			return t
		}
	}
}

// patched gives what a line of a difference says after the change.
func patched(t []byte) []byte {
	if len(t) == 0 {
		return t
	}
	switch t[0] {
	case '+':
		return t[1:]
	case '-':
		return nil
	}
	return t
}

func patchBegins(t []byte) bool {
	return bytes.HasPrefix(t, []byte("diff --git ")) || bytes.HasPrefix(t, []byte("@@ -")) || bytes.HasPrefix(t, []byte("+++ b/")) || bytes.HasPrefix(t, []byte("--- a/"))
}

func patchGoesOn(t []byte) bool {
	if len(t) == 0 {
		return false
	}
	switch t[0] {
	case '+', '-', ' ', '\t', '@', '\\':
		return true
	}
	return bytes.HasPrefix(t, []byte("index ")) || bytes.HasPrefix(t, []byte("new file mode")) || bytes.HasPrefix(t, []byte("similarity index"))
}

// attribution tells whether a line says who wrote what follows: "On Mon, … wrote:", "2020年6月29日 … :", also the second of two lines.
func attribution(t []byte) bool {
	if len(t) == 0 || len(t) > 200 {
		return false
	}
	s := string(t)
	for _, end := range [...]string{" wrote:", " writes:", " schrieb:", " a écrit :", " a écrit:", " escribió:", " ha scritto:", " пишет:", " написал:", " さん:", " 写道：", " 写道:"} {
		if strings.HasSuffix(s, end) {
			return strings.HasPrefix(s, "On ") || strings.HasPrefix(s, "Am ") || strings.HasPrefix(s, "Le ") || strings.HasPrefix(s, "El ") || strings.Contains(s, "@") || strings.HasPrefix(s, "<") || strings.Count(s, " ") < 8
		}
	}
	return false
}
