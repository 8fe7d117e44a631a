package pgbench

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// heading is what the headings above a run say of it.
type heading struct {
	label  string
	repeat bool // it numbers one
	warmUp bool
}

// headings are those in force: one for each level of Markdown, and one of no level (a line of signs, with a colon at its end, or alone
// between blank lines). What only numbers a repeat or calls a warm-up leaves the others in force.
type headings struct {
	levels [7]string
	loose  string
	warmUp bool
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

// statesClients tells whether a line is nothing but a number of clients.
func statesClients(b []byte) bool { return len(b) < 40 && clientsAlone.Match(b) }

var clientsAlone = regexp.MustCompile(`(?i)^\W*(?:(?:num(?:ber)?[ _]?(?:of )?)?(?:clients?|connections?|conns?|concurrency|c)\s*[:=]?\s*\d+|\d+ (?:clients?|connections?))\W*$`)

// resultHeading tells whether a line with a throughput is a heading of Markdown, which repeats what stands below it.
func resultHeading(b []byte) bool {
	_, level, _ := headingIn(b)
	return level > 0 && findCommand(b) == nil
}

func clean(text string) string {
	return strings.TrimSpace(strings.Trim(text, " \t#=*-+~_`:<>\"',;"))
}

func (h *headings) note(text string, level int) {
	found := judge(text)
	if found.repeat || found.warmUp && level != 1 { // a document's title may speak of warm-ups
		h.warmUp = found.warmUp
	} else if found.label != "" || level > 0 {
		h.warmUp = false
	}
	if level == 0 {
		if found.label != "" {
			h.loose = found.label
		}
		return
	}
	h.loose = ""
	h.levels[level] = found.label
	for i := level + 1; i < len(h.levels); i++ {
		h.levels[i] = ""
	}
}

var (
	repeatWords = regexp.MustCompile(`(?i)(?:\b(?:run|rep|repeat|repetition|iteration|iter|round|try|trial|attempt|pass)s?[ _#.:=-]*#?|#)\d{1,3}(?: *(?:/|of) *\d+)?\b`)
	warmWords   = regexp.MustCompile(`(?i)\bwarm(?:ing)?[ _-]?up\b`)
	plainWords  = regexp.MustCompile(`(?i)^(?:raw|full|the|some|my|complete|console|terminal|example|sample|pgbench|output|outputs|result|results|command|commands|log|logs|test|tests|testing|benchmark|benchmarks|benchmarking|run|runs|running|load|summary|data|details|script|scripts|query|queries|password|for user .*|here (?:are|is) .*|then|and|now|again|also|done|ready|of|from|for|\W)*$`)
)

// judge takes the number of a repeat and the word warm-up out of a heading; the label is what is left, if it says anything.
func judge(text string) (out heading) {
	if resultText.MatchString(text) {
		return out // a result, not a name
	}
	if warmWords.MatchString(text) {
		out.warmUp = true
		text = warmWords.ReplaceAllString(text, "")
	}
	if m := repeatWords.FindStringIndex(text); m != nil {
		out.repeat = true
		text = text[:m[0]] + text[m[1]:]
	}
	if text = clean(text); !plainWords.MatchString(text) {
		out.label = text
	}
	return out
}

// heading says what the headings in force say of a run.
func (h *headings) heading() heading {
	var parts []string
	for _, text := range append(h.levels[:], h.loose) {
		if text != "" {
			parts = append(parts, text)
		}
	}
	return heading{label: strings.Join(parts, " / "), warmUp: h.warmUp}
}

// titleIn gives the text of a line that may be a title if it stands alone: short, of words, no sentence, no output of a shell or psql.
func titleIn(b []byte) string {
	if len(b) < 2 || len(b) > maxTitle || strings.IndexByte(".,;!?{([$%@^|<>=\\/", b[0]) >= 0 || strings.IndexByte(".,;!?{}([|>", b[len(b)-1]) >= 0 {
		return ""
	}
	text := string(b)
	if first, _ := utf8.DecodeRune(b); !unicode.IsLetter(first) && first != '`' {
		return ""
	}
	if strings.Count(text, " ") > 7 || strings.ContainsAny(text, "\t|") || strings.Contains(text, "...") || commandTag.MatchString(text) {
		return ""
	}
	return clean(text)
}

const maxTitle = 60

var (
	resultText = regexp.MustCompile(`(?i)\btps\b.*\d`)
	commandTag = regexp.MustCompile(`^(?:CHECKPOINT|VACUUM|ANALYZE|ALTER|CREATE|DROP|SET|SELECT|INSERT|UPDATE|DELETE|TRUNCATE|COPY|REINDEX|BEGIN|COMMIT|GRANT|DO|LOAD|RESET|SHOW|NOTICE|ERROR|FATAL|LOG|DETAIL|HINT|server (?:started|stopped)|waiting for)\b`)
)
