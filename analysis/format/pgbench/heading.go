package pgbench

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// heading is what the headings above a run say of it.
type heading struct {
	label  string
	repeat *int
	warmUp bool
}

// headings are those in force: one for each level of Markdown, and one of no level (a line of signs or with a colon at its end).
type headings struct {
	levels [7]string
	loose  string
}

// maxHeading is how long a line may be to be taken for a heading.
const maxHeading = 80

// headingIn gives the text of a heading line and its level: 1 to 6 for Markdown, 0 for others. Lines that only end in a colon say so.
func headingIn(b []byte) (text string, level int, colon bool) {
	if len(b) < 2 || len(b) > maxHeading {
		return "", 0, false
	}
	switch b[0] {
	case '#':
		level := 0
		for level < len(b) && b[level] == '#' {
			level++
		}
		if level <= 6 && level < len(b) && blank(b[level]) {
			return clean(string(b[level:])), level, false
		}
		if level > 6 || b[len(b)-1] == '#' { // a line of signs around the words
			return clean(string(b)), 0, false
		}
		return "", 0, false
	case '=', '-', '*', '+', '~':
		same := 0
		for same < len(b) && b[same] == b[0] {
			same++
		}
		// === RUN 1 ===, ==> c64.log <==, **patched**
		if same >= 2 && same < len(b) && (b[len(b)-1] == b[0] || b[len(b)-1] == ':') {
			return clean(string(b)), 0, false
		}
		return "", 0, false
	}
	if end := len(b) - 1; b[end] == ':' && (letter(b[0]) || b[0]-'0' <= 9) && bytes.Count(b, []byte(" ")) < 9 {
		return clean(string(b)), 0, true
	}
	return "", 0, false
}

func clean(text string) string {
	return strings.TrimSpace(strings.Trim(text, " \t#=*-+~_`:<>\"',;"))
}

func (h *headings) note(text string, level int) {
	if level == 0 {
		h.loose = text
		return
	}
	h.loose = ""
	h.levels[level] = text
	for i := level + 1; i < len(h.levels); i++ {
		h.levels[i] = ""
	}
}

var (
	repeatWords = regexp.MustCompile(`(?i)(?:\b(?:run|rep|repeat|repetition|iteration|iter|round|try|trial|attempt|pass)s?[ _#.:=-]*#?|#)(\d{1,3})(?: *(?:/|of) *\d+)?\b`)
	warmWords   = regexp.MustCompile(`(?i)\bwarm(?:ing)?[ _-]?up\b`)
	plainWords  = regexp.MustCompile(`(?i)^(?:raw|full|the|some|my|complete|console|terminal|example|sample|pgbench|output|outputs|result|results|command|commands|log|logs|test|tests|testing|benchmark|benchmarks|benchmarking|run|runs|running|load|summary|data|details|script|scripts|query|queries|password|for user .*|here (?:are|is) .*|then|and|now|again|also|done|ready|of|from|for|\W)*$`)
)

// heading says what the headings in force say of a run.
func (h *headings) heading() (out heading) {
	var parts []string
	for i, text := range append(h.levels[:], h.loose) {
		if text == "" {
			continue
		}
		if warmWords.MatchString(text) {
			out.warmUp = out.warmUp || i >= 2 // a document's title may speak of warm-ups
			text = warmWords.ReplaceAllString(text, "")
		}
		if m := repeatWords.FindStringSubmatchIndex(text); m != nil {
			n, _ := strconv.Atoi(text[m[2]:m[3]])
			out.repeat = &n
			text = text[:m[0]] + text[m[1]:]
		}
		if text = clean(text); !plainWords.MatchString(text) {
			parts = append(parts, text)
		}
	}
	out.label = strings.Join(parts, " / ")
	return out
}
