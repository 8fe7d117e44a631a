package table

import (
	"bytes"
	"strconv"
	"strings"

	"pgknee/analysis/source"
)

// IsHTML tells whether lines are of a page rather than text with a tag or two: Markdown, too, may begin with one.
func IsHTML(lines []source.Line) bool {
	for _, l := range lines[:min(len(lines), 40)] {
		t := bytes.TrimSpace(l.Text[:min(len(l.Text), 512)])
		if len(t) == 0 {
			continue
		}
		low := bytes.ToLower(t)
		for _, p := range [...]string{"<!doctype html", "<html", "<head>", "<body", "<meta"} {
			if bytes.HasPrefix(low, []byte(p)) {
				return true
			}
		}
		for _, p := range [...]string{"<table", "<div", "<p>", "<p ", "<h1", "<h2", "<h3", "<h4", "<section", "<article", "<pre", "<center", "<ul"} {
			if bytes.HasPrefix(low, []byte(p)) {
				return fragment(lines)
			}
		}
		if !bytes.HasPrefix(t, []byte("<?xml")) && !bytes.HasPrefix(t, []byte("<!--")) {
			return false
		}
	}
	return false
}

// fragment tells whether lines that begin with a tag go on as a page: with a table or preformatted text, and no Markdown.
func fragment(lines []source.Line) bool {
	shows := false
	for _, l := range lines[:min(len(lines), 400)] {
		t := bytes.TrimSpace(l.Text[:min(len(l.Text), 1<<16)])
		if bytes.HasPrefix(t, []byte("```")) || len(t) > 2 && t[0] == '|' && isRule(string(t)) {
			return false
		}
		low := bytes.ToLower(t)
		shows = shows || bytes.Contains(low, []byte("<table")) || bytes.Contains(low, []byte("<pre")) || bytes.Contains(low, []byte("</div>"))
	}
	return shows
}

// HTML turns a page into the lines that it shows. The cells of a table's row stand on one line, with Unit between them; a heading
// gets the marks of a Markdown heading; line numbers are those of the page. Markup that is broken loses layout, never text.
func HTML(lines []source.Line) []source.Line {
	w := &htmlText{}
	for _, l := range lines {
		w.no = l.No
		w.text(string(l.Text))
		if w.pre {
			w.end()
		} else {
			w.blank()
		}
	}
	w.end()
	return w.out
}

type htmlText struct {
	out   []source.Line
	line  strings.Builder
	at    int // line that the text being gathered begins in
	no    int
	pre   bool
	skip  string // the element whose contents are not shown
	cells int
	row   bool
	tag   string // a tag begun on an earlier line
	wide  []int  // how many columns each cell of the row takes
	tall  []int  // and how many rows
	down  []span // cells of rows above that reach into this one, by column
}

// span is a cell that reaches into further rows.
type span struct {
	text string
	rows int
}

// spread gives the cells of a row their places: a cell that takes several columns or rows stands in each of them.
func (w *htmlText) spread(text string) string {
	cells := strings.Split(text, Unit)
	const widest = 200
	var out []string
	from := func() {
		for len(out) < len(w.down) && w.down[len(out)].rows > 0 {
			w.down[len(out)].rows--
			out = append(out, w.down[len(out)].text)
		}
	}
	for i, c := range cells {
		from()
		wide, tall := 1, 1
		if i < len(w.wide) {
			wide, tall = w.wide[i], w.tall[i]
		}
		if len(out) >= widest { // so far right a cell stands in its own place only
			out = append(out, c)
			continue
		}
		for ; wide > 0 && len(out) < widest; wide-- {
			for len(w.down) <= len(out) {
				w.down = append(w.down, span{})
			}
			w.down[len(out)] = span{c, tall - 1}
			out = append(out, c)
		}
	}
	from()
	return strings.Join(out, Unit)
}

// attribute reads a whole number out of a tag; 1 when there is none.
func attribute(tag, name string, most int) int {
	low := strings.ToLower(tag)
	i := strings.Index(low, name)
	if i < 0 {
		return 1
	}
	digits := strings.TrimLeft(low[i+len(name):], " =\"'")
	end := 0
	for end < len(digits) && end < 6 && digit(digits[end]) {
		end++
	}
	n, err := strconv.Atoi(digits[:end])
	if err != nil || n < 1 {
		return 1
	}
	return min(n, most)
}

func (w *htmlText) text(s string) {
	if w.tag != "" {
		s = w.tag + " " + s
		w.tag = ""
	}
	for s != "" {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			w.show(s)
			return
		}
		if i+1 >= len(s) || !isTagByte(s[i+1]) {
			w.show(s[:i+1])
			s = s[i+1:]
			continue
		}
		w.show(s[:i])
		j := strings.IndexByte(s[i:], '>')
		if j < 0 {
			if len(s)-i < 10_000 {
				w.tag = s[i:]
			}
			return
		}
		w.element(s[i+1 : i+j])
		s = s[i+j+1:]
	}
}

func isTagByte(c byte) bool { return c == '/' || c == '!' || c == '?' || isLetterByte(c) && c < 0x80 }

func (w *htmlText) show(s string) {
	if w.skip != "" || s == "" {
		return
	}
	if strings.IndexByte(s, '&') >= 0 {
		s = entities.Replace(s)
	}
	if w.line.Len() == 0 {
		w.at = w.no
		if !w.pre && !w.row {
			s = strings.TrimLeft(s, " \t")
		}
	}
	w.line.WriteString(strings.ReplaceAll(s, Unit, " "))
}

func (w *htmlText) blank() {
	if w.line.Len() > 0 && w.skip == "" {
		w.line.WriteByte(' ')
	}
}

// end ends the line being gathered.
func (w *htmlText) end() {
	if w.line.Len() == 0 {
		return
	}
	t := w.line.String()
	if !w.pre {
		if t = strings.TrimRight(t, " \t"); t == "" && w.cells == 0 { // blanks between tags show nothing
			w.line.Reset()
			return
		}
	}
	if w.cells > 0 {
		t = w.spread(t)
		w.cells, w.wide, w.tall = 0, w.wide[:0], w.tall[:0]
	}
	w.out = append(w.out, source.Line{Text: []byte(t), No: max(w.at, 1)})
	w.line.Reset()
}

// gap puts a blank line between blocks.
func (w *htmlText) gap() {
	w.end()
	if n := len(w.out); n > 0 && len(w.out[n-1].Text) > 0 {
		w.out = append(w.out, source.Line{No: max(w.no, 1)})
	}
}

func (w *htmlText) element(tag string) {
	closing := strings.HasPrefix(tag, "/")
	name := strings.ToLower(strings.TrimLeft(tag, "/"))
	if i := strings.IndexAny(name, " \t/>"); i >= 0 {
		name = name[:i]
	}
	if w.skip != "" {
		if closing && name == w.skip {
			w.skip = ""
		}
		return
	}
	switch name {
	case "script", "style", "head", "svg", "template":
		if !closing && !strings.HasSuffix(tag, "/") {
			w.skip = name
		}
	case "tr":
		w.end()
		w.row = !closing
		w.cells, w.wide, w.tall = 0, w.wide[:0], w.tall[:0]
	case "td", "th":
		if closing {
			return
		}
		if w.cells > 0 {
			w.line.WriteString(Unit)
		} else {
			w.end()
			w.at = w.no
		}
		w.cells++
		w.wide, w.tall = append(w.wide, attribute(tag, "colspan", 50)), append(w.tall, attribute(tag, "rowspan", 5000))
	case "br":
		if w.row {
			w.line.WriteByte(' ')
			return
		}
		w.end()
	case "h1", "h2", "h3", "h4", "h5", "h6":
		if w.row {
			return
		}
		w.gap()
		if !closing {
			w.line.WriteString(strings.Repeat("#", int(name[1]-'0')) + " ")
			w.at = w.no
		}
	case "pre", "textarea":
		w.gap()
		w.pre = !closing
	case "table", "p", "div", "ul", "ol", "section", "article", "blockquote", "caption":
		if w.row && name != "table" {
			w.line.WriteByte(' ')
			return
		}
		w.row = false
		w.gap()
		w.down = w.down[:0]
	case "li":
		w.end()
	case "s", "del", "strike":
		w.show("~~")
	}
}
