package document

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/quotedprintable"
	"strconv"
	"strings"
	"unicode/utf8"

	"pgknee/analysis/format/table"
	"pgknee/analysis/source"
)

// part is a piece of a mail with the headers that say how it is written.
type part struct {
	kind, charset, encoding, boundary string
	subject                           string
	lines                             []source.Line
}

// decodeMail gives the text of a mail that is still written as it travelled: the plain part of several, decoded. Other texts come
// back as they are. What can't be decoded is named in the second result.
func decodeMail(lines []source.Line) ([]source.Line, []string) {
	if !mailHead(lines) {
		return lines, nil
	}
	var notes []string
	p := readPart(lines)
	body := p.text(0, &notes)
	if p.kind == "text/html" {
		body = table.HTML(body)
	}
	if p.subject != "" {
		body = append([]source.Line{{Text: []byte(p.subject), No: lines[0].No}, {No: lines[0].No}}, body...)
	}
	return body, notes
}

// mailHead tells whether a text begins with the headers of a mail, one of which says how the body is written.
func mailHead(lines []source.Line) bool {
	fields, mime := 0, false
	for i, l := range lines {
		t := l.Text
		if len(t) == 0 {
			break
		}
		if i == 0 && bytes.HasPrefix(t, []byte("From ")) {
			continue
		}
		if t[0] == ' ' || t[0] == '\t' {
			if fields == 0 {
				return false
			}
			continue
		}
		name, _, ok := bytes.Cut(t, []byte(":"))
		if !ok || len(name) == 0 || bytes.IndexByte(name, ' ') >= 0 {
			return false
		}
		fields++
		switch strings.ToLower(string(name)) {
		case "mime-version", "content-type", "content-transfer-encoding":
			mime = true
		}
		if i > 300 {
			break
		}
	}
	return fields >= 2 && mime
}

// readPart splits headers from body.
func readPart(lines []source.Line) part {
	p := part{kind: "text/plain"}
	i := 0
	field := func(name, value string) {
		switch strings.ToLower(name) {
		case "content-type":
			kind, params, err := mime.ParseMediaType(value)
			if err == nil || kind != "" {
				p.kind, p.charset, p.boundary = kind, strings.ToLower(params["charset"]), params["boundary"]
			}
		case "content-transfer-encoding":
			p.encoding = strings.ToLower(strings.TrimSpace(value))
		case "subject":
			if s, err := new(mime.WordDecoder).DecodeHeader(strings.TrimSpace(value)); err == nil {
				p.subject = s
			} else {
				p.subject = strings.TrimSpace(value)
			}
		}
	}
	name, value := "", ""
	for ; i < len(lines); i++ {
		t := string(lines[i].Text)
		if strings.TrimSpace(t) == "" {
			i++
			break
		}
		if t[0] == ' ' || t[0] == '\t' {
			value += " " + strings.TrimSpace(t)
			continue
		}
		field(name, value)
		name, value, _ = strings.Cut(t, ":")
	}
	field(name, strings.TrimSpace(value))
	p.lines = lines[i:]
	return p
}

// text gives the lines of a part that are text.
func (p part) text(depth int, notes *[]string) []source.Line {
	if strings.HasPrefix(p.kind, "multipart/") && p.boundary != "" && depth < 8 {
		var html []source.Line
		var out []source.Line
		for _, sub := range p.parts() {
			q := readPart(sub)
			switch {
			case strings.HasPrefix(q.kind, "multipart/"), q.kind == "text/plain", q.kind == "text/csv", q.kind == "text/markdown", q.kind == "message/rfc822", q.kind == "text/x-log":
				if len(out) > 0 {
					out = append(out, source.Line{No: out[len(out)-1].No})
				}
				out = append(out, q.text(depth+1, notes)...)
			case q.kind == "text/html":
				html = table.HTML(q.text(depth+1, notes))
			default:
				*notes = append(*notes, "a part of the mail is not read: "+strconv.Quote(q.kind))
			}
		}
		if len(bytes.TrimSpace(joined(out))) == 0 {
			return html // layout matters, so the plain part goes before
		}
		return out
	}
	switch p.encoding {
	case "quoted-printable":
		return p.quotedPrintable()
	case "base64":
		var b bytes.Buffer
		for _, l := range p.lines {
			b.Write(bytes.TrimSpace(l.Text))
		}
		raw, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, &b))
		if err != nil && len(raw) == 0 {
			*notes = append(*notes, "a part of the mail in base64 can't be decoded")
			return nil
		}
		no := 1
		if len(p.lines) > 0 {
			no = p.lines[0].No
		}
		last := no
		if len(p.lines) > 0 {
			last = p.lines[len(p.lines)-1].No
		}
		var out []source.Line
		s := source.Splitter{Max: 1 << 20, Line: func(l source.Line) {
			out = append(out, source.Line{Text: p.decode(bytes.Clone(l.Text)), No: min(no+l.No-1, last)})
		}}
		s.Write(raw)
		s.Close()
		return out
	}
	return p.lines
}

func joined(lines []source.Line) []byte {
	var b bytes.Buffer
	for _, l := range lines {
		b.Write(l.Text)
	}
	return b.Bytes()
}

// parts cuts the body of a multipart at its boundary.
func (p part) parts() [][]source.Line {
	var out [][]source.Line
	open := -1
	mark := []byte("--" + p.boundary)
	for i, l := range p.lines {
		if !bytes.HasPrefix(l.Text, mark) {
			continue
		}
		if open >= 0 {
			out = append(out, p.lines[open:i])
		}
		open = i + 1
		if bytes.HasPrefix(l.Text[len(mark):], []byte("--")) {
			return out
		}
	}
	if open >= 0 {
		out = append(out, p.lines[open:])
	}
	return out
}

// quotedPrintable decodes line by line, so that numbers of lines stay; soft breaks join.
func (p part) quotedPrintable() []source.Line {
	var out []source.Line
	var line []byte
	no := 0
	for _, l := range p.lines {
		if no == 0 {
			no = l.No
		}
		t := bytes.TrimRight(l.Text, " \t")
		soft := bytes.HasSuffix(t, []byte("="))
		if soft {
			t = t[:len(t)-1]
		}
		if d, err := io.ReadAll(quotedprintable.NewReader(bytes.NewReader(t))); err == nil {
			t = d
		}
		line = append(line, t...)
		if soft && len(line) < 1<<20 {
			continue
		}
		out = append(out, source.Line{Text: p.decode(line), No: no})
		line, no = nil, 0
	}
	if len(line) > 0 {
		out = append(out, source.Line{Text: p.decode(line), No: no})
	}
	return out
}

// decode brings Latin-1 to UTF-8; other 8-bit character sets keep their ASCII.
func (p part) decode(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	out := make([]byte, 0, len(b)+8)
	for _, c := range b {
		out = utf8.AppendRune(out, rune(c))
	}
	return out
}
