package analysis
import ("testing";"os";"bytes";"path/filepath")
func benchFile(b *testing.B, curves bool) {
	name := os.Getenv("IN"); text, err := os.ReadFile(name); if err != nil { b.Fatal(err) }
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s := New(Options{}); in := s.Open(filepath.Base(name))
		for p := text; len(p) > 0; { n := min(len(p), 1<<20); in.Write(p[:n]); p = p[n:] }
		in.Close()
		if curves { r := s.Curves(); var o bytes.Buffer; r.Encode(&o, "") }
	}
}
func BenchmarkZFeed(b *testing.B) { benchFile(b, false) }
func BenchmarkZCurves(b *testing.B) { benchFile(b, true) }
