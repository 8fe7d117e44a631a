package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"pgknee/analysis/chart"
	"pgknee/analysis/report"
	"pgknee/cmd/edge/link"
)

// problem says why a request cannot be answered, as RFC 9457 has it. It is an error too.
type problem struct {
	Type   string        `json:"type"` // about:blank: the status says it all
	Title  string        `json:"title"`
	Status int           `json:"status"`
	Detail string        `json:"detail"`
	Files  []report.File `json:"files,omitempty"` // what was made of each file, where none could be read
}

func (p problem) Error() string { return p.Detail }

// asProblem is the problem that an error stands for.
func asProblem(err error) problem {
	var p problem
	switch {
	case errors.As(err, &p):
	case errors.Is(err, link.ErrTooLarge):
		p = problem{Status: http.StatusRequestEntityTooLarge, Detail: err.Error()}
	default:
		p = problem{Status: http.StatusInternalServerError, Detail: err.Error()}
	}
	return p
}

func bad(detail string, args ...any) problem {
	return problem{Status: http.StatusBadRequest, Detail: fmt.Sprintf(detail, args...)}
}

// shape is how errors of a route look, for people who do not ask for JSON.
type shape int

const (
	details shape = iota
	picture
	page
)

// fail answers with a problem.
func fail(w http.ResponseWriter, r *http.Request, as shape, p problem) {
	p.Type, p.Title = "about:blank", http.StatusText(p.Status)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Vary", "Accept")
	for _, kind := range list(r, "Accept") {
		if strings.Contains(kind, "json") {
			as = details
		}
	}
	switch as {
	case picture:
		write(w, r, p.Status, svgType, p.svg())
	case page:
		write(w, r, p.Status, htmlType, document(p.Title+" · pgknee", "", "<h1>"+escape(p.Title)+"</h1>\n<p>"+escape(p.Detail)+"</p>\n<p><a href=\"/\">Open pgknee</a></p>\n"))
	default:
		var b bytes.Buffer
		out := json.NewEncoder(&b)
		out.SetEscapeHTML(false)
		if err := out.Encode(p); err != nil {
			panic(err) // it holds no NaN and no cycle
		}
		write(w, r, p.Status, "application/problem+json", b.Bytes())
	}
}

// svg draws the problem, so that who looks at a page with a broken link in it sees what is wrong.
func (p problem) svg() []byte {
	var b strings.Builder
	lines := chart.Fold(p.Detail, 70)
	lines = lines[:min(len(lines), 10)]
	fmt.Fprintf(&b, `<svg role="img" xmlns="http://www.w3.org/2000/svg" width="600" height="%d" viewBox="0 0 600 %[1]d" font-family="sans-serif">`, 70+20*len(lines))
	fmt.Fprintf(&b, "\n<title>pgknee cannot draw this: %s</title>\n<desc>%s</desc>\n", escape(p.Title), escape(p.Detail))
	b.WriteString(`<rect width="100%" height="100%" fill="#ffffff"/>` + "\n")
	fmt.Fprintf(&b, `<text x="20" y="36" font-size="17" fill="#1c1d21">pgknee cannot draw this: %s</text>`+"\n", escape(p.Title))
	for i, line := range lines {
		fmt.Fprintf(&b, `<text x="20" y="%d" font-size="14" fill="#5f6068">%s</text>`+"\n", 64+20*i, escape(line))
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

var entities = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// escape makes text safe in HTML and in XML, which knows no control characters.
func escape(text string) string {
	clean := strings.Map(func(c rune) rune {
		if c < ' ' && c != '\n' && c != '\t' || c == 0xfffe || c == 0xffff {
			return 0xfffd
		}
		return c
	}, strings.ToValidUTF8(text, "\ufffd"))
	return entities.Replace(clean)
}
