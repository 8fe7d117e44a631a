package analysis
import ("testing";"os";"bytes";"path/filepath";"runtime";"runtime/pprof")
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
func BenchmarkZReport(b *testing.B) {
	name := os.Getenv("IN"); text, _ := os.ReadFile(name)
	for b.Loop() { s := New(Options{}); in := s.Open(filepath.Base(name)); in.Write(text); in.Close(); r := s.Report(); var o bytes.Buffer; r.Encode(&o, ""); hold = r; hold2 = s }
}
var hold, hold2 any
func TestZHeap(t *testing.T) {
	name := os.Getenv("IN"); text, _ := os.ReadFile(name)
	s := New(Options{}); in := s.Open(filepath.Base(name)); in.Write(text); in.Close(); text = nil
	runtime.GC(); var m runtime.MemStats; runtime.ReadMemStats(&m); t.Logf("read: %d MB live, %d runs, %d sys", m.HeapAlloc>>20, len(in.files[0].ctx.Runs), m.Sys>>20)
	f, _ := os.Create("/tmp/speedw/heap1.prof"); pprof.WriteHeapProfile(f); f.Close()
	r := s.Curves(); runtime.GC(); runtime.ReadMemStats(&m); t.Logf("curves: %d MB live, sys %d", m.HeapAlloc>>20, m.Sys>>20)
	f, _ = os.Create("/tmp/speedw/heap2.prof"); pprof.WriteHeapProfile(f); f.Close()
	_ = r
	r = nil; r = s.Report(); runtime.GC(); runtime.ReadMemStats(&m); t.Logf("report: %d MB live, sys %d, total %d", m.HeapAlloc>>20, m.Sys>>20, m.TotalAlloc>>20)
	runtime.KeepAlive(s); runtime.KeepAlive(r)
}
