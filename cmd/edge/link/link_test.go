package link_test

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"pgknee/analysis"
	"pgknee/cmd/edge/link"
)

// packed is the payload of a text.
func packed(text string) string {
	var b bytes.Buffer
	z, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		panic(err)
	}
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}

const whole = `{"v":1,"files":[{"name":"a/b.csv","text":"clients,tps\n1,2 – ✓\n"}],"options":{"baseline":"x","cores":8,"rename":{"a":"b"}},` +
	`"colors":{"a":3,"b":9,"c":"red","d":1.5},"marks":[{"clients":8,"text":"here"}],"view":{"chart":"latency","logX":false,"logY":true,"normalise":"one","hidden":["b"]}}`

var opened = &link.Shared{
	Files:   []link.File{{Name: "a/b.csv", Text: "clients,tps\n1,2 – ✓\n"}},
	Options: analysis.Options{Baseline: "x", Cores: 8, Rename: map[string]string{"a": "b"}},
	Colors:  map[string]int{"a": 3},
	View:    link.View{Chart: "latency", LinearX: true, LogY: true, Normalise: "one", Hidden: []string{"b"}},
}

func TestDecode(t *testing.T) {
	got, err := link.Decode(packed(whole))
	if err != nil || !reflect.DeepEqual(got, opened) {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestPage makes sure that both sides of the codec agree: what the page packs is opened, and what it passes over is passed over.
func TestPage(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs node: ", err)
	}
	cmd := exec.Command(node, "--input-type=module", "-e", `import { encode, decode } from '../../../site/link.js';
		const chunks = [];
		for await (const c of process.stdin) chunks.push(c);
		const packed = await encode(JSON.parse(Buffer.concat(chunks).toString()));
		await decode(packed);
		process.stdout.write(packed);`)
	cmd.Stdin = strings.NewReader(whole)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	payload, ok := strings.CutPrefix(string(out), "d=")
	if !ok {
		t.Fatalf("the page's fragment begins with %.10q", out)
	}
	got, err := link.Decode(payload)
	if err != nil || !reflect.DeepEqual(got, opened) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestRefused(t *testing.T) {
	file := `{"name":"a","text":"b"}`
	for name, c := range map[string]struct {
		payload string
		large   bool
	}{
		"nothing":           {"", false},
		"no base64url":      {"a+b/", false},
		"one letter":        {"A", false},
		"nothing packed":    {"____", false},
		"cut":               {packed(whole)[:60], false},
		"no JSON":           {packed("hello"), false},
		"null":              {packed("null"), false},
		"other version":     {packed(`{"v":2,"files":[` + file + `]}`), false},
		"version as text":   {packed(`{"v":"1","files":[` + file + `]}`), false},
		"no files":          {packed(`{"v":1,"files":[]}`), false},
		"files of no shape": {packed(`{"v":1,"files":[1,null,{"name":1,"text":""},{"name":"a"}]}`), false},
		"odd options":       {packed(`{"v":1,"files":[` + file + `],"options":{"cores":"many"}}`), false},
		"deep":              {packed(`{"v":1,"files":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`), false},
		"long":              {strings.Repeat("A", link.MaxText+1), true},
		"bomb":              {packed(strings.Repeat(" ", link.MaxBytes+1)), true},
		"files":             {packed(`{"v":1,"files":[` + strings.Repeat(file+",", link.MaxFiles) + file + `]}`), true},
	} {
		got, err := link.Decode(c.payload)
		if err == nil || errors.Is(err, link.ErrTooLarge) != c.large {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// FuzzDecode holds what every payload must keep: a limit or an answer, and the answer opens again as the same.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{whole, `{"v":1,"files":[{"name":"","text":""}]}`, `{"v":1,"files":[{"name":"a","text":"b"}],"view":[],"colors":null,"options":3}`, strings.Repeat("[", 1000), strings.Repeat(" ", link.MaxBytes+1)} {
		f.Add(packed(text))
	}
	f.Add("AAAA")
	f.Fuzz(func(t *testing.T, payload string) {
		s, err := link.Decode(payload)
		if err != nil {
			return
		}
		if len(s.Files) == 0 || len(s.Files) > link.MaxFiles {
			t.Fatalf("%d files", len(s.Files))
		}
		size := 0
		for _, file := range s.Files {
			size += len(file.Name) + len(file.Text)
		}
		if size > 3*link.MaxBytes { // a byte that is no UTF-8 becomes three
			t.Fatalf("%d bytes", size)
		}
		again, err := json.Marshal(map[string]any{
			"v": 1, "files": files(s), "options": s.Options, "colors": s.Colors,
			"view": map[string]any{"chart": s.View.Chart, "logX": !s.View.LinearX, "logY": s.View.LogY, "normalise": s.View.Normalise, "hidden": s.View.Hidden},
		})
		if err != nil {
			t.Fatal(err)
		}
		p := packed(string(again))
		if len(p) > link.MaxText || len(again) > link.MaxBytes {
			return
		}
		got, err := link.Decode(p)
		if err != nil || !reflect.DeepEqual(got.Files, s.Files) || !reflect.DeepEqual(got.Colors, s.Colors) || got.View.Chart != s.View.Chart {
			t.Fatalf("%+v became %+v: %v", s, got, err)
		}
	})
}

func files(s *link.Shared) []map[string]string {
	var out []map[string]string
	for _, f := range s.Files {
		out = append(out, map[string]string{"name": f.Name, "text": f.Text})
	}
	return out
}
