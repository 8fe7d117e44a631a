package source

import (
	"bytes"
	"math/rand"
	"testing"
)

// TestWords holds the searches in words against the plain ones, on texts of few letters so that every kind of near miss occurs.
func TestWords(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	letters := []byte("\n\r\x0b\x0c\x0e\x09a\x8a\x8d\x00\xff;:")
	for range 20000 {
		a := make([]byte, r.Intn(40))
		for i := range a {
			a[i] = letters[r.Intn(len(letters))]
		}
		if r.Intn(2) == 0 {
			a = bytes.ReplaceAll(bytes.ReplaceAll(a, []byte("\n"), []byte("x")), []byte("\r"), []byte("y"))
		}
		b := bytes.Clone(a)
		if len(b) > 0 && r.Intn(3) > 0 {
			b[r.Intn(len(b))] ^= 1 << r.Intn(8)
		}
		if got, want := indexWords(a, ';'), bytes.IndexByte(a, ';'); got != want {
			t.Fatalf("; in %q at %d, want %d", a, got, want)
		}
		if got, want := printed(a, 1+r.Intn(20)), printed(a, len(a)+1); got != want {
			t.Fatalf("the fingerprint of %q depends on how it is cut", a)
		}
		if bytes.Equal(a, b) != (printed(a, 3) == printed(b, 5)) {
			t.Fatalf("fingerprints of %q and %q", a, b)
		}
		n := 0
		for n < len(a) && a[n] == b[n] {
			n++
		}
		if got := CommonPrefix(a, b); got != n {
			t.Fatalf("common prefix of %q and %q is %d, want %d", a, b, got, n)
		}
		if bytes.Equal(a, b) != (Hash(a) == Hash(b)) {
			t.Fatalf("hashes of %q and %q", a, b)
		}
	}
}

// printed is the fingerprint of b in pieces of a size.
func printed(b []byte, size int) uint64 {
	var f Print
	for ; len(b) > 0; b = b[min(size, len(b)):] {
		f.Write(b[:min(size, len(b))])
	}
	return f.Sum()
}
