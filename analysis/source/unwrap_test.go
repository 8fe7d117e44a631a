package source

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// found gathers what an Unwrapper hands over, as "name: contents" and "name! error", in order.
type found struct {
	log  []string
	name string
	text strings.Builder
	bad  []string
}

func (f *found) Write(p []byte) { f.text.Write(p) }
func (f *found) Fail(err error) { f.bad = append(f.bad, err.Error()) }
func (f *found) String() string { return f.name + ": " + f.text.String() + strings.Join(f.bad, "!") }
func (f *found) Close()         { f.log = append(f.log, "closed") }

// unwrap gives what comes out of an input pushed in pieces of a size.
func unwrap(t *testing.T, name string, data []byte, piece int, limits Limits) []string {
	t.Helper()
	var files []*found
	u := Unwrap(name, limits, func(name string) File {
		f := &found{name: name}
		files = append(files, f)
		return f
	})
	for ; len(data) > 0; data = data[min(piece, len(data)):] {
		u.Write(bytes.Clone(data[:min(piece, len(data))]))
	}
	u.Close()
	var out []string
	for _, f := range files {
		if len(f.log) != 1 {
			t.Errorf("%s was closed %d times", f.name, len(f.log))
		}
		out = append(out, f.String())
	}
	return out
}

func gz(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func zst(t *testing.T, data []byte) []byte {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(data, nil)
}

func tarOf(t *testing.T, members ...string) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		if err := w.WriteHeader(&tar.Header{Name: members[i], Size: int64(len(members[i+1])), Mode: 0o644, Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(members[i+1]))
	}
	w.Close()
	return b.Bytes()
}

func zipOf(t *testing.T, members ...string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		m, err := w.Create(members[i])
		if err != nil {
			t.Fatal(err)
		}
		m.Write([]byte(members[i+1]))
	}
	w.Close()
	return b.Bytes()
}

func TestUnwrap(t *testing.T) {
	inner := tarOf(t, "b/two.txt", "2")
	deep := []byte("x")
	for range maxDepth + 2 {
		deep = gz(deep)
	}
	for _, test := range []struct {
		name string
		data []byte
		want []string
	}{
		{"plain", []byte("text"), []string{"in: text"}},
		{"empty", nil, []string{"in: "}},
		{"gzip", gz([]byte("text")), []string{"in: text"}},
		{"gzip in two members", append(gz([]byte("one,")), gz([]byte("two"))...), []string{"in: one,two"}},
		{"gzip of gzip", gz(gz([]byte("text"))), []string{"in: text"}},
		{"gzip of nothing", gz(nil), []string{"in: "}},
		{"zstd", zst(t, []byte("text")), []string{"in: text"}},
		{"tar", tarOf(t, "a/one.txt", "1", "two.txt", ""), []string{"in!a/one.txt: 1", "in!two.txt: "}},
		{"tar.gz", gz(tarOf(t, "./one.txt", "1")), []string{"in!one.txt: 1"}},
		{"tar.zst in zip", zipOf(t, "a.tar.zst", string(zst(t, inner)), "c.txt", "3"), []string{"in!a.tar.zst!b/two.txt: 2", "in!c.txt: 3"}},
		{"gzip in tar", tarOf(t, "one.gz", string(gz([]byte("1")))), []string{"in!one.gz: 1"}},
		{"what editors keep", tarOf(t, "a~", "x", "#a#", "x", ".a.swp", "x", "a", "1"), []string{"in!a: 1"}},
		{"what a Mac adds", zipOf(t, "__MACOSX/._a", "x", "d/.DS_Store", "x", "._b", "\x00\x05\x16\x07", "a", "1"), []string{"in!a: 1"}},
		{"AppleDouble alone", []byte("\x00\x05\x16\x07\x00\x02"), nil},
		{"tar of what is hidden", tarOf(t, ".git/config", "x"), []string{"in: the archive holds no files"}},
		{"zip of nothing", zipOf(t), []string{"in: the archive holds no files"}},
		{"an office document", zipOf(t, "[Content_Types].xml", "", "xl/a", ""), []string{"in: this is an office document: save its sheet as CSV, or its text as plain text, and give that"}},
		{"an office document of the other kind", zipOf(t, "mimetype", "application/x", "content.xml", ""), []string{"in: this is an office document: save its sheet as CSV, or its text as plain text, and give that"}},
		{"names of another time", zipOf(t, "r\xe9s\\a.txt", "1"), []string{"in!rés/a.txt: 1"}},
		{"not gzip after all", []byte("\x1f\x8b and so on"), []string{"in: gzip: what follows is not compressed data: what came before is kept"}},
		{"too deep", deep, []string{"in: archives lie within one another more than 6 deep"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, piece := range []int{1, 7, 300, 1 << 20} {
				if got := unwrap(t, "in", test.data, piece, Limits{}); fmt.Sprint(got) != fmt.Sprint(test.want) {
					t.Errorf("in pieces of %d: %.300q, want %q", piece, got, test.want)
				}
			}
		})
	}
}

// TestCut holds that what came out of a compressed file before its cut is kept, and the cut is told.
func TestCut(t *testing.T) {
	text := strings.Repeat("a line of text that compresses well enough\n", 400)
	for name, data := range map[string][]byte{"gzip": gz([]byte(text)), "zstd": zst(t, []byte(text)), "tar": tarOf(t, "m", text), "zip": zipOf(t, "m", text)} {
		for cut := 5; cut < len(data)-30; cut += max(1, len(data)/40) {
			got := unwrap(t, "in", data[:cut], 100, Limits{})
			switch all := strings.Join(got, ""); {
			case len(got) == 0:
				t.Fatalf("%s cut at %d: nothing comes out", name, cut)
			case name == "tar" && (cut < 512 || cut > 512+len(text)): // no tar yet; or the end of the archive is missing, not of the file
			case !strings.Contains(all, "ends too early") && !strings.Contains(all, "damaged or cut"):
				t.Errorf("%s cut at %d: not told: %.200s", name, cut, all)
			}
		}
	}
	if got := unwrap(t, "in", tarOf(t, "m", text)[:5000], 512, Limits{}); len(got) != 1 || !strings.HasPrefix(got[0], "in!m: a line of") {
		t.Errorf("the first member of a cut tar is lost: %.100q", got)
	}
}

func TestLimits(t *testing.T) {
	bomb := gz(gz(make([]byte, 200<<20)))
	if got := unwrap(t, "in", bomb, 1000, Limits{}); len(got) != 1 || !strings.Contains(got[0], "times its size") || len(got[0]) > 80<<20 {
		t.Errorf("a bomb gives %d files, the first of %d bytes", len(got), len(got[0]))
	}
	if got := unwrap(t, "in", gz([]byte(strings.Repeat("x", 5000))), 100, Limits{ExpandedBytes: 1000}); !strings.Contains(got[0], "expands to more than") {
		t.Errorf("over ExpandedBytes: %q", got)
	}
	many := tarOf(t, "a", "1", "b", "2", "c", "3")
	if got := unwrap(t, "in", many, 100, Limits{ArchiveFiles: 2}); fmt.Sprint(got) != "[in!a: 1 in!b: 2 in: the archive holds more than 2 files: the rest is not read]" {
		t.Errorf("over ArchiveFiles: %q", got)
	}
	if got := unwrap(t, "in", zipOf(t, "a", "1"), 100, Limits{DocumentBytes: 10}); !strings.Contains(got[0], "unpack it") {
		t.Errorf("zip over DocumentBytes: %q", got)
	}
}

func FuzzUnwrap(f *testing.F) {
	f.Add(gz([]byte("text")))
	f.Add([]byte("PK\x03\x04"))
	f.Add([]byte("\x28\xb5\x2f\xfd\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		limits := Limits{ExpandedBytes: 1 << 20, ArchiveFiles: 10}
		whole := unwrap(t, "in", data, len(data)+1, limits)
		if pieces := unwrap(t, "in", data, 3, limits); fmt.Sprint(whole) != fmt.Sprint(pieces) {
			t.Errorf("whole %q, in pieces %q", whole, pieces)
		}
	})
}
