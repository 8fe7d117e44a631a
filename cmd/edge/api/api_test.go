package api_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"strings"
	"testing"
	"time"

	"pgknee/analysis/report"
	"pgknee/cmd/edge/api"
)

// table is a sweep of two series, of which the second collapses.
const table = "series,clients,tps\nold,1,1000\nold,2,1900\nold,4,3600\nold,8,6500\nold,16,10000\nold,32,12000\nnew,1,990\nnew,2,1880\nnew,4,3500\nnew,8,6400\nnew,16,5000\nnew,32,3000\n"

// drawing stands in for ECharts: what matters here is what it is asked for.
func drawing(option []byte, width, height int, title, description string) (string, error) {
	if !json.Valid(option) {
		return "", errors.New("no JSON")
	}
	return fmt.Sprintf("<svg>%d×%d %s|%s|%t</svg>", width, height, title, description, bytes.Contains(option, []byte("#1a1d23"))), nil
}

var handler = api.New(drawing, api.Default)

func payload(name, text, rest string) string {
	shared, err := json.Marshal([]map[string]string{{"name": name, "text": text}})
	if err != nil {
		panic(err)
	}
	var b bytes.Buffer
	z, _ := flate.NewWriter(&b, 9)
	_, _ = io.WriteString(z, `{"v":1,"files":`+string(shared)+rest+`}`)
	_ = z.Close()
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// ask sends a request; headers are lines.
func ask(h http.Handler, method, path string, body io.Reader, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://host"+path, body)
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestChart(t *testing.T) {
	path := "/chart/" + payload("a.csv", table, "") + ".svg"
	for query, want := range map[string]string{
		"":                                   "1200×675",
		"?w=800&h=400":                       "800×400",
		"?view=ratio":                        "View: ratio.",
		"?theme=dark&view=tps":               "|true<",
		"?theme=light":                       "|false<",
		"?view=residuals&unknown=parameters": "View: residuals.",
	} {
		w := ask(handler, "GET", path+query, nil)
		if w.Code != 200 || !strings.Contains(w.Body.String(), want) || w.Header().Get("Content-Type") != "image/svg+xml" {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
	first := ask(handler, "GET", path, nil)
	tag := first.Header().Get("ETag")
	if tag == "" || !strings.HasPrefix(first.Header().Get("Cache-Control"), "public") {
		t.Errorf("not to be cached: %v", first.Header())
	}
	for _, tags := range []string{tag, `"other", W/` + tag, "*"} {
		if w := ask(handler, "GET", path, nil, "If-None-Match: "+tags); w.Code != 304 || w.Body.Len() != 0 {
			t.Errorf("If-None-Match: %s: %d", tags, w.Code)
		}
	}
	if w := ask(handler, "GET", path, nil, `If-None-Match: "other"`); w.Code != 200 {
		t.Errorf("of another picture: %d", w.Code)
	}
	if w := ask(handler, "HEAD", path, nil); w.Code != 200 || w.Body.Len() != 0 || w.Header().Get("ETag") != tag {
		t.Errorf("HEAD: %d %v", w.Code, w.Header())
	}
}

// TestView makes sure that a picture shows what the page showed.
func TestView(t *testing.T) {
	for view, want := range map[string]string{
		`{"chart":"tps"}`:                         "View: curves.",
		`{"chart":"tps","normalise":"one"}`:       "View: tps.",
		`{"chart":"residuals","normalise":"one"}`: "View: residuals.",
		`{"chart":"progress"}`:                    "View: curves.", // there is none
		`{"chart":"/etc/passwd"}`:                 "View: curves.",
	} {
		if w := ask(handler, "GET", "/chart/"+payload("a.csv", table, `,"view":`+view)+".svg", nil); w.Code != 200 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s", view, w.Code, w.Body)
		}
	}
	folded := payload("a.folded", "postgres;main;exec 10\npostgres;main;s_lock 30\n", "")
	for path, want := range map[string]string{"": "s_lock", "?view=icicle": "s_lock"} {
		if w := ask(handler, "GET", "/chart/"+folded+".svg"+path, nil); w.Code != 200 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("of a profile, %q: %d %.300s", path, w.Code, w.Body)
		}
	}
}

func TestBadCharts(t *testing.T) {
	good := payload("a.csv", table, "")
	for path, status := range map[string]int{
		"/chart/" + good:                        404,
		"/chart/":                               404,
		"/chart/xx.svg":                         400,
		"/chart/" + good + ".svg?view=nothing":  400,
		"/chart/" + good + ".svg?theme=blue":    400,
		"/chart/" + good + ".svg?w=50":          400,
		"/chart/" + good + ".svg?h=1e9":         400,
		"/chart/" + good + ".svg?view=progress": 422,
		"/chart/" + good + ".svg?view=flame":    422,
		"/chart/" + payload("a", "\x01<script>alert(1)</script>", "") + ".svg": 422,
		"/chart/" + strings.Repeat("A", 17<<10) + ".svg":                       414,
		"/chart/" + payload("a", strings.Repeat(" ", 5<<20), "") + ".svg":      413,
		"/embed/xx": 400,
		"/other":    404,
	} {
		w := ask(handler, "GET", path, nil)
		if w.Code != status {
			t.Errorf("%.60s: %d, want %d: %s", path, w.Code, status, w.Body)
		}
		if strings.Contains(w.Body.String(), "<script") || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%.60s: %v %s", path, w.Header(), w.Body)
		}
		if w.Header().Get("Content-Type") == "image/svg+xml" {
			for d := xml.NewDecoder(w.Body); ; {
				if _, err := d.Token(); err == io.EOF {
					break
				} else if err != nil {
					t.Fatalf("%.60s: %v", path, err)
				}
			}
		}
		w = ask(handler, "GET", path, nil, "Accept: image/png, application/problem+json")
		var p struct{ Status int }
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Status != status || w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%.60s: as JSON %s: %v", path, w.Body, err)
		}
	}
}

func TestEmbed(t *testing.T) {
	hostile := strings.ReplaceAll(table, "new", `"a<5 & ""b"" 'c'"`)
	p := payload("a.csv", hostile, "")
	w := ask(handler, "GET", "/embed/"+p+"?view=ratio&theme=dark", nil)
	body := w.Body.String()
	for _, want := range []string{
		`<meta property="og:image" content="http://host/chart/` + p + `.svg?theme=dark&amp;view=ratio">`, `<meta http-equiv="refresh" content="0; url=/#d=` + p + `">`,
		`<meta property="og:title" content="`, `<meta name="description" content="`, "<title>", "a&lt;5 &amp; ",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("lacks %s:\n%s", want, body)
		}
	}
	if w.Code != 200 || strings.Contains(body, "a<5") || w.Header().Get("ETag") == "" {
		t.Errorf("%d %v\n%s", w.Code, w.Header(), body)
	}
}

// form makes a multipart body of files.
func form(files map[string]string) (io.Reader, string) {
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	for name, text := range files {
		h := textproto.MIMEHeader{"Content-Disposition": {`form-data; name="files"; filename="` + name + `"`}}
		part, _ := m.CreatePart(h)
		_, _ = io.WriteString(part, text)
	}
	_ = m.Close()
	return &b, "Content-Type: " + m.FormDataContentType()
}

func zipped(files map[string]string) io.Reader {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		f, _ := z.Create(name)
		_, _ = io.WriteString(f, text)
	}
	_ = z.Close()
	return &b
}

func gzipped(text string) *bytes.Buffer {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
	return &b
}

func TestAnalyze(t *testing.T) {
	old, rest, _ := strings.Cut(table, "new,1")
	files := map[string]string{"x/old.csv": old, "x/new.csv": "series,clients,tps\nnew,1" + rest}
	multi, kind := form(files)
	for name, c := range map[string]struct {
		body   io.Reader
		kind   string
		query  string
		series int
	}{
		"raw":     {strings.NewReader(table), "", "", 2},
		"as curl": {strings.NewReader(table), "Content-Type: application/x-www-form-urlencoded", "", 2},
		"gzip":    {gzipped(table), "Content-Encoding: gzip", "", 2},
		"form":    {multi, kind, "", 2},
		"zip":     {zipped(files), "Content-Type: application/zip", "", 2},
		"columns": {strings.NewReader("1 1000\n2 1900\n4 3600\n"), "Content-Type: text/plain", "?columns=clients,tps&baseline=", 1},
	} {
		headers := []string{"Accept: application/json;q=0.9, image/png"}
		if c.kind != "" {
			headers = append(headers, c.kind)
		}
		w := ask(handler, "POST", "/api/analyze"+c.query, c.body, headers...)
		var r report.Report
		if err := json.Unmarshal(w.Body.Bytes(), &r); err != nil || w.Code != 200 || len(r.Series) != c.series || r.Schema != report.Schema {
			t.Errorf("%s: %d, %d series, %v: %.300s", name, w.Code, len(r.Series), err, w.Body)
		}
	}
	w := ask(handler, "POST", "/api/analyze?name=dir/my.csv&baseline=new", strings.NewReader(table))
	var r report.Report
	if err := json.Unmarshal(w.Body.Bytes(), &r); err != nil || r.Files[0].Name != "dir/my.csv" || r.Comparisons[0].Baseline != "new" {
		t.Errorf("name and baseline are not taken: %v %.300s", err, w.Body)
	}
	for accept, want := range map[string]string{
		"":                                  "application/json",
		"*/*":                               "application/json",
		"text/plain":                        "text/plain; charset=utf-8",
		"text/markdown":                     "text/markdown; charset=utf-8",
		"text/csv, */*;q=0.1":               "text/csv; charset=utf-8",
		"text/*;q=0.5, text/markdown;q=0.8": "text/markdown; charset=utf-8",
		"application/json;q=0, */*":         "text/plain; charset=utf-8",
		"image/png, text/html":              "406",
	} {
		var headers []string
		if accept != "" {
			headers = []string{"Accept: " + accept}
		}
		w := ask(handler, "POST", "/api/analyze", strings.NewReader(table), headers...)
		if got := w.Header().Get("Content-Type"); w.Code == 200 && got != want || w.Code != 200 && fmt.Sprint(w.Code) != want {
			t.Errorf("Accept: %s: %d %s", accept, w.Code, got)
		}
		if w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("Accept: %s: may be stored", accept)
		}
	}
}

func TestBadBodies(t *testing.T) {
	small := api.Default
	small.Series = 3
	small.Body, small.Session.ExpandedBytes, small.Session.ArchiveFiles = 4<<10, 1<<20, 3
	cut, kind := form(map[string]string{"a": table})
	half := io.LimitReader(cut, 80)
	four, kindFour := form(map[string]string{"a": "1", "b": "2", "c": "3", "d": "4"})
	none, kindNone := form(nil)
	for name, c := range map[string]struct {
		body   io.Reader
		kind   string
		path   string
		status int
	}{
		"empty":             {strings.NewReader(""), "", "", 422},
		"nothing known":     {strings.NewReader("The quick brown fox.\n"), "", "", 422},
		"picture":           {strings.NewReader("\x89PNG\r\n\x1a\n0000"), "Content-Type: image/png", "", 415},
		"picture unnamed":   {strings.NewReader("\x89PNG\r\n\x1a\n0000"), "", "", 422},
		"no such encoding":  {strings.NewReader(table), "Content-Encoding: br", "", 415},
		"multipart/mixed":   {strings.NewReader(table), "Content-Type: multipart/mixed; boundary=x", "", 415},
		"no type":           {strings.NewReader(table), "Content-Type: ;;;", "", 415},
		"form without end":  {half, kind, "", 400},
		"form of nothing":   {none, kindNone, "", 400},
		"no boundary":       {strings.NewReader(table), "Content-Type: multipart/form-data", "", 400},
		"oversize":          {strings.NewReader(strings.Repeat(table, 40)), "", "", 413},
		"oversize, chunked": {io.MultiReader(strings.NewReader(strings.Repeat(table, 40))), "", "", 413},
		"bomb":              {gzipped(strings.Repeat(table, 10_000)), "", "", 413},
		"too many parts":    {four, kindFour, "", 413},
		"too many members":  {zipped(map[string]string{"a": table, "b": table + "\n", "c": table + "\n\n", "d": table + "\n\n\n"}), "", "", 413},
		"too many series":   {strings.NewReader(strings.ReplaceAll(table, "new", "1") + strings.ReplaceAll(table, "new", "2")[19:] + strings.ReplaceAll(table, "new", "3")[19:]), "", "", 413},
		"damaged gzip":      {bytes.NewReader(gzipped(strings.Repeat("x", 100)).Bytes()[:12]), "", "", 422},
		"cores":             {strings.NewReader(table), "", "?cores=x", 400},
		"residuals":         {strings.NewReader(table), "", "?residuals=x", 400},
		"format":            {strings.NewReader(table), "", "?format=x", 400},
		"baseline":          {strings.NewReader(table), "", "?baseline=x", 400},
	} {
		var headers []string
		if c.kind != "" {
			headers = []string{c.kind}
		}
		w := ask(api.New(drawing, small), "POST", "/api/analyze"+c.path, c.body, headers...)
		var p struct {
			Status        int
			Title, Detail string
		}
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != c.status || p.Status != c.status || p.Title == "" || p.Detail == "" {
			t.Errorf("%s: %d, want %d: %.300s (%v)", name, w.Code, c.status, w.Body, err)
		}
	}
	late := api.Default
	late.Time = time.Nanosecond
	if w := ask(api.New(drawing, late), "POST", "/api/analyze", strings.NewReader(table)); w.Code != 503 {
		t.Errorf("no time: %d", w.Code)
	}
}

func TestMethods(t *testing.T) {
	for _, c := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"POST", "/chart/x.svg", 405, "GET, HEAD, OPTIONS"},
		{"GET", "/api/analyze", 405, "POST, OPTIONS"},
		{"ET", "/api/health", 405, "GET, HEAD, OPTIONS"},
		{"OPTIONS", "/api/analyze", 204, "POST, OPTIONS"},
		{"OPTIONS", "/embed/x", 204, "GET, HEAD, OPTIONS"},
		{"GET", "/api/health", 200, ""},
		{"GET", "/api/healthy", 404, ""},
	} {
		w := ask(handler, c.method, c.path, nil)
		if w.Code != c.status || w.Header().Get("Allow") != c.allow || w.Header().Get("Access-Control-Allow-Origin") != "*" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %s: %d %v", c.method, c.path, w.Code, w.Header())
		}
	}
}

// TestDefects makes sure that a defect is an answer, and told to nobody.
func TestDefects(t *testing.T) {
	broken := api.New(func([]byte, int, int, string, string) (string, error) { panic("secret") }, api.Default)
	w := ask(broken, "GET", "/chart/"+payload("a.csv", table, "")+".svg", nil)
	if w.Code != 500 || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
