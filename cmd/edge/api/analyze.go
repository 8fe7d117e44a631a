package api

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"pgknee/analysis"
	"pgknee/analysis/export"
	"pgknee/analysis/report"
)

// forms are the forms of a report by their media types; the first is given to who takes any.
var forms = []struct{ kind, name string }{
	{"application/json", "json"},
	{"text/plain", "mail"},
	{"text/markdown", "markdown"},
	{"text/csv", "csv"},
}

// analyze answers with a report on what is posted.
func (s *server) analyze(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Vary", "Accept")
	kind, form, err := accepted(list(r, "Accept"))
	if err != nil {
		return err
	}
	query := r.URL.Query()
	options, err := optionsOf(query)
	if err != nil {
		return err
	}
	if r.ContentLength > s.limits.Body {
		return s.tooLarge()
	}
	r.Body = http.MaxBytesReader(w, r.Body, s.limits.Body)
	work := s.begin(r, options)
	if err := s.receive(work, r, query.Get("name")); err != nil {
		return err
	}
	rep, err := work.finish()
	if err != nil {
		return err
	}
	for _, text := range work.session.Unmet() {
		return bad("%s", text) // what was asked cannot be told
	}
	if query.Get("why") == "" {
		rep.NearlyFired = nil // as the command line without --why
	}
	text, err := export.Text(rep, form)
	if err != nil {
		return err
	}
	if kind != forms[0].kind {
		kind += "; charset=utf-8"
	}
	return send(w, r, kind, []byte(text))
}

// accepted is the form of a report that is wanted most.
func accepted(accept []string) (kind, name string, err error) {
	if len(accept) == 0 {
		return forms[0].kind, forms[0].name, nil
	}
	best := 0.0
	for _, f := range forms {
		q, exact := 0.0, -1 // the most exact range that matches counts
		for _, item := range accept {
			media, params, err := mime.ParseMediaType(item)
			if err != nil {
				continue
			}
			group, _, _ := strings.Cut(f.kind, "/")
			rank := map[string]int{"*/*": 0, group + "/*": 1, f.kind: 2}
			at, ok := rank[media]
			if !ok || at <= exact {
				continue
			}
			q, exact = 1, at
			if v, err := strconv.ParseFloat(params["q"], 64); err == nil {
				q = v
			}
		}
		if q > best {
			best, kind, name = q, f.kind, f.name
		}
	}
	if kind == "" {
		return "", "", problem{Status: http.StatusNotAcceptable, Detail: "a report is to be had as application/json, text/plain, text/markdown or text/csv"}
	}
	return kind, name, nil
}

// optionsOf takes the options from parameters that have the names of the command line's flags.
func optionsOf(q url.Values) (analysis.Options, error) {
	o := analysis.Options{Baseline: q.Get("baseline"), Residuals: q.Get("residuals")}
	if v := q.Get("series"); v != "" {
		o.Series = strings.Split(v, ",")
	}
	if v := q.Get("columns"); v != "" {
		o.Columns = map[string]string{"": v}
	}
	if v := q.Get("format"); v != "" {
		o.Format = map[string]string{"": v}
	}
	if v := q.Get("cores"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil {
			return o, bad("cores=%s is no number of hardware threads", v)
		}
		o.Cores = n
	}
	if err := o.Check(); err != nil {
		return o, bad("%v", err)
	}
	return o, nil
}

// receive feeds what is posted. Whatever is not said to be something else is one file: programs say little of what they post, and the
// engine recognises contents.
func (s *server) receive(work *work, r *http.Request, name string) error {
	media, params, err := mime.ParseMediaType(strings.Join(r.Header.Values("Content-Type"), ","))
	if err != nil && len(r.Header.Values("Content-Type")) > 0 {
		return unsupported("the Content-Type cannot be understood")
	}
	switch encoding := strings.ToLower(strings.Join(list(r, "Content-Encoding"), ",")); encoding {
	case "", "identity", "gzip", "x-gzip", "zstd": // the engine unpacks these by what they begin with
	default:
		return unsupported("a body may be encoded as gzip or zstd, not as " + encoding)
	}
	switch group, _, _ := strings.Cut(media, "/"); {
	case media == "multipart/form-data":
		return s.parts(work, multipart.NewReader(r.Body, params["boundary"]))
	case group == "multipart", group == "audio", group == "video", group == "font", group == "image" && media != svgType:
		return unsupported(media + " is no benchmark result: post a file, files as multipart/form-data, or an archive")
	}
	if name == "" {
		name = "-" // what the command line calls its standard input
	}
	return s.read(work, name, r.Body)
}

func unsupported(detail string) error {
	return problem{Status: http.StatusUnsupportedMediaType, Detail: detail}
}

// parts feeds the files of a form.
func (s *server) parts(work *work, form *multipart.Reader) error {
	for n := 0; ; n++ {
		part, err := form.NextRawPart()
		switch {
		case err == io.EOF && n == 0:
			return bad("the form holds no files")
		case err == io.EOF:
			return nil
		case errors.As(err, new(*http.MaxBytesError)):
			return s.tooLarge()
		case err != nil:
			return bad("the form is cut or malformed: %v", err)
		case n == s.limits.Session.ArchiveFiles:
			return problem{Status: http.StatusRequestEntityTooLarge, Detail: fmt.Sprintf("more than %d files: post an archive, or fewer", n)}
		}
		name := part.FormName()
		if _, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition")); err == nil && params["filename"] != "" {
			name = params["filename"] // with its folders, which tell series apart
		}
		if err := s.read(work, name, part); err != nil {
			return err
		}
	}
}

// read feeds a file of the body.
func (s *server) read(work *work, name string, r io.Reader) error {
	err := work.feed(name, r)
	switch {
	case err == nil, errors.As(err, new(problem)):
		return err
	case errors.As(err, new(*http.MaxBytesError)):
		return s.tooLarge()
	}
	return bad("the body is cut or malformed: %v", err)
}

func (s *server) tooLarge() error {
	return problem{Status: http.StatusRequestEntityTooLarge, Detail: fmt.Sprintf("a body may have %d MB: the page and the command line have no such limit", s.limits.Body>>20)}
}

// work is the analysis of one request.
type work struct {
	session *analysis.Session
	request *http.Request
	start   time.Time
	limits  Limits
	late    bool
}

func (s *server) begin(r *http.Request, o analysis.Options) *work {
	o.Limits = s.limits.Session
	w := &work{session: analysis.New(o), request: r, start: time.Now(), limits: s.limits}
	w.session.Progress = func(int, int, string) bool { return w.inTime() }
	return w
}

// inTime tells whether there is time left, and someone who waits.
func (w *work) inTime() bool {
	w.late = w.late || time.Since(w.start) > w.limits.Time || w.request.Context().Err() != nil
	return !w.late
}

func (w *work) tooLate() error {
	return problem{Status: http.StatusServiceUnavailable, Detail: fmt.Sprintf("this took longer than %v: the page and the command line have no such limit", w.limits.Time)}
}

// feed reads one input.
func (w *work) feed(name string, r io.Reader) error {
	in := w.session.Open(name)
	defer in.Close()
	buf := make([]byte, 64<<10)
	for {
		n, err := r.Read(buf)
		in.Write(buf[:n])
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case !w.inTime():
			return w.tooLate()
		}
	}
}

// finish gives the report, if there is anything to report.
func (w *work) finish() (*report.Report, error) {
	if err := w.session.Limit(); err != nil {
		return nil, problem{Status: http.StatusRequestEntityTooLarge, Detail: err.Error()}
	}
	if r := w.session.Curves(); len(r.Runs) > w.limits.Runs || len(r.Series) > w.limits.Series {
		return nil, problem{Status: http.StatusRequestEntityTooLarge, Detail: fmt.Sprintf("%d runs in %d series, of at most %d in %d: the page and the command line have no such limit", len(r.Runs), len(r.Series), w.limits.Runs, w.limits.Series)}
	}
	r := w.session.Report()
	if w.late {
		return nil, w.tooLate()
	}
	for _, f := range r.Files {
		if f.Runs+f.Profiles+f.Settings > 0 {
			return r, nil
		}
	}
	detail := "nothing in it can be read as benchmark results, profiles or settings"
	for _, f := range r.Files {
		for _, p := range f.Problems {
			return nil, problem{Status: http.StatusUnprocessableEntity, Detail: fmt.Sprintf("%s: %s:%d:%d: %s", detail, f.Name, max(p.Line, 1), max(p.Column, 1), p.Message), Files: r.Files}
		}
	}
	return nil, problem{Status: http.StatusUnprocessableEntity, Detail: detail, Files: r.Files}
}
