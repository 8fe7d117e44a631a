package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"pgknee/analysis"
	"pgknee/analysis/chart"
	"pgknee/analysis/profile"
	"pgknee/analysis/report"
	"pgknee/cmd/edge/link"
)

const (
	svgType  = "image/svg+xml"
	htmlType = "text/html; charset=utf-8"
)

// opened is what a link holds, analysed.
type opened struct {
	shared  *link.Shared
	session *analysis.Session
	report  *report.Report
}

// open reads a payload and analyses what is in it.
func (s *server) open(r *http.Request, payload string) (*opened, error) {
	shared, err := link.Decode(payload)
	if errors.Is(err, link.ErrTooLarge) && len(payload) > link.MaxText {
		return nil, problem{Status: http.StatusRequestURITooLong, Detail: err.Error()}
	}
	if errors.Is(err, link.ErrTooLarge) {
		return nil, err
	}
	if err != nil {
		return nil, bad("%v", err)
	}
	work := s.begin(r, shared.Options)
	for _, f := range shared.Files {
		if err := work.feed(f.Name, strings.NewReader(f.Text)); err != nil {
			return nil, err
		}
	}
	rep, err := work.finish()
	if err != nil {
		return nil, err
	}
	return &opened{shared, work.session, rep}, nil
}

// look is what the parameters of an address ask for.
type look struct {
	view, theme   string
	width, height int
}

var flames = []string{profile.Flame, profile.Icicle}

func lookOf(q url.Values) (look, error) {
	l := look{view: q.Get("view"), theme: q.Get("theme"), width: 1200, height: 675}
	if views := slices.Concat(chart.Views(), flames); l.view != "" && !slices.Contains(views, l.view) {
		return l, bad("no view %q: there are %s", l.view, strings.Join(views, ", "))
	}
	if l.theme != "" && l.theme != "light" && l.theme != "dark" {
		return l, bad("no theme %q: there are light and dark", l.theme)
	}
	for name, to := range map[string]*int{"w": &l.width, "h": &l.height} {
		if text := q.Get(name); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 100 || n > 4000 {
				return l, bad("%s=%s: 100 to 4000 pixels", name, text)
			}
			*to = n
		}
	}
	return l, nil
}

// chart answers with a picture.
func (s *server) chart(w http.ResponseWriter, r *http.Request) error {
	payload, ok := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, "/chart/"), ".svg")
	if !ok {
		return problem{Status: http.StatusNotFound, Detail: "addresses of charts end in .svg"}
	}
	l, err := lookOf(r.URL.Query())
	if err != nil {
		return err
	}
	o, err := s.open(r, payload)
	if err != nil {
		return err
	}
	svg, err := s.picture(o, l)
	if errors.As(err, &chart.ErrNothing{}) {
		return problem{Status: http.StatusUnprocessableEntity, Detail: err.Error()}
	}
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Cache-Control", cacheable)
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	return send(w, r, svgType, []byte(svg))
}

// picture draws what is asked for, or else what the page showed, or else the first of what there is.
func (s *server) picture(o *opened, l look) (string, error) {
	wanted := []string{l.view}
	if l.view == "" {
		v := o.shared.View
		if v.Chart == "tps" && v.Normalise == "" {
			v.Chart = "curves" // the page shows both panels of throughput
		}
		wanted = append(slices.DeleteFunc([]string{v.Chart}, func(name string) bool { return !slices.Contains(chart.Views(), name) }), "curves", profile.Flame)
	}
	var svg string
	var err error
	for _, view := range wanted {
		if slices.Contains(flames, view) {
			svg, err = flame(o, view, l)
		} else {
			svg, err = s.curves(o, view, l)
		}
		if !errors.As(err, &chart.ErrNothing{}) {
			break
		}
	}
	return svg, err
}

func (s *server) curves(o *opened, view string, l look) (string, error) {
	v := o.shared.View
	option, err := chart.Option(o.report, view, chart.Options{
		Theme: l.theme, Width: l.width, Height: l.height, Frame: true,
		LinearX: v.LinearX, LogY: v.LogY, Normalise: v.Normalise, Hidden: v.Hidden, Places: o.shared.Colors,
	})
	if err != nil {
		return "", err
	}
	return s.draw(option, l.width, l.height, chart.Headline(o.report), chart.Describe(o.report, view))
}

// flame draws the first profile.
func flame(o *opened, view string, l look) (string, error) {
	profiles := o.session.Profiles()
	if len(profiles) == 0 {
		return "", chart.ErrNothing{View: view}
	}
	var b bytes.Buffer
	err := profile.WriteSVG(&b, profiles[0], profile.View{Kind: view, Width: float64(l.width) - 20}, profile.SVG{Dark: l.theme == "dark"})
	return b.String(), err
}

// embed answers with a page for link previews. A browser goes on to the explorer with the data behind the #.
func (s *server) embed(w http.ResponseWriter, r *http.Request) error {
	payload := strings.TrimPrefix(r.URL.Path, "/embed/")
	if _, err := lookOf(r.URL.Query()); err != nil {
		return err
	}
	o, err := s.open(r, payload)
	if err != nil {
		return err
	}
	title := chart.Headline(o.report)
	if title == "" {
		title = "Benchmark results"
	}
	description := chart.Describe(o.report, "curves")
	if rest, ok := strings.CutPrefix(description, title+" "); ok {
		description = rest
	}
	image := "/chart/" + payload + ".svg"
	if r.URL.RawQuery != "" {
		image += "?" + r.URL.Query().Encode()
	}
	open := "/#d=" + payload
	head := `<meta name="description" content="` + escape(description) + `">
<meta property="og:type" content="website">
<meta property="og:site_name" content="pgknee">
<meta property="og:title" content="` + escape(title) + `">
<meta property="og:description" content="` + escape(description) + `">
<meta property="og:url" content="` + escape(origin(r)+"/embed/"+payload) + `">
<meta property="og:image" content="` + escape(origin(r)+image) + `">
<meta property="og:image:type" content="` + svgType + `">
<meta property="og:image:alt" content="` + escape(title) + `">
<meta name="twitter:card" content="summary_large_image">
<meta http-equiv="refresh" content="0; url=` + escape(open) + `">
`
	body := `<h1>` + escape(title) + `</h1>
<p>` + escape(description) + `</p>
<p><a href="` + escape(open) + `"><img src="` + escape(image) + `" alt="` + escape(title) + `"></a></p>
<p><a href="` + escape(open) + `">Open in pgknee</a></p>
`
	w.Header().Set("Cache-Control", cacheable)
	w.Header().Set("Content-Security-Policy", "default-src 'none'; img-src 'self'; style-src '"+styleHash+"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	return send(w, r, htmlType, document(title, head, body))
}

// origin is where the asker reached this host.
func origin(r *http.Request) string {
	scheme, host := "http", r.Host
	if r.URL.Scheme != "" { // at the edge requests name all of their address
		scheme, host = r.URL.Scheme, r.URL.Host
	} else if r.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + host
}

const style = "body{margin:2rem auto;max-width:75rem;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}img{width:100%;height:auto}"

// styleHash is how the content security policy names the style.
var styleHash = func() string {
	sum := sha256.Sum256([]byte(style))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}()

// document is a small page.
func document(title, head, body string) []byte {
	return []byte("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
		escape(title) + "</title>\n" + head + "<style>" + style + "</style>\n</head>\n<body>\n<main>\n" + body + "</main>\n</body>\n</html>\n")
}
