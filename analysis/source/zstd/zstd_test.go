package zstd

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	peer "github.com/klauspost/compress/zstd"
)

// texts are inputs that reach every kind of block, literals and sequence.
func texts() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 300_000)
	skewed := make([]byte, 200_000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	for i := range skewed {
		skewed[i] = byte(min(r.ExpFloat64()*9, 255))
	}
	var stacks, far bytes.Buffer
	for i := range 30_000 {
		fmt.Fprintf(&stacks, "postgres;main;f%d;g%d;h%d %d\n", r.IntN(20), r.IntN(300), i%7, r.IntN(100_000))
	}
	far.Write(noise)
	far.Write(bytes.Repeat([]byte("x"), 500_000))
	far.Write(noise)
	return map[string][]byte{
		"empty": nil, "byte": {'a'}, "short": []byte("progress: 1.0 s, 1.0 tps\n"), "run": bytes.Repeat([]byte{'z'}, 1<<20), "noise": noise, "skewed": skewed,
		"stacks": stacks.Bytes(), "far": far.Bytes(), "period": bytes.Repeat([]byte("abcde"), 100_000),
	}
}

func pack(t testing.TB, data []byte, level peer.EncoderLevel, options ...peer.EOption) []byte {
	w, err := peer.NewWriter(nil, append(options, peer.WithEncoderLevel(level), peer.WithEncoderConcurrency(1))...)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	return w.EncodeAll(data, nil)
}

func TestRoundTrip(t *testing.T) {
	for name, data := range texts() {
		if testing.Short() {
			data = data[:min(len(data), 50_000)]
		}
		for _, level := range []peer.EncoderLevel{peer.SpeedFastest, peer.SpeedDefault, peer.SpeedBetterCompression, peer.SpeedBestCompression} {
			for _, option := range []peer.EOption{peer.WithEncoderCRC(true), peer.WithEncoderCRC(false), peer.WithSingleSegment(true), peer.WithWindowSize(1 << 10)} {
				got, err := io.ReadAll(NewReader(bytes.NewReader(pack(t, data, level, option))))
				if err != nil || !bytes.Equal(got, data) {
					t.Errorf("%s, %v: %d bytes of %d, %v", name, level, len(got), len(data), err)
				}
			}
		}
	}
}

// TestFrames reads several frames with something to skip between them, as a stream of unknown length.
func TestFrames(t *testing.T) {
	var in bytes.Buffer
	w, _ := peer.NewWriter(&in)
	for i := range 50_000 {
		fmt.Fprintf(w, "line %d\n", i*i)
	}
	w.Close()
	one, _ := io.ReadAll(NewReader(bytes.NewReader(in.Bytes())))
	in.Write([]byte{0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3})
	in.Write(pack(t, []byte("the end"), peer.SpeedDefault))
	got, err := io.ReadAll(NewReader(&in))
	if err != nil || len(one) < 500_000 || string(got) != string(one)+"the end" {
		t.Error(len(one), len(got), err)
	}
}

func TestBroken(t *testing.T) {
	whole := pack(t, texts()["stacks"][:20_000], peer.SpeedDefault)
	for n := 1; n < len(whole); n++ {
		if _, err := io.ReadAll(NewReader(bytes.NewReader(whole[:n]))); err != io.ErrUnexpectedEOF {
			t.Fatalf("cut at %d of %d: %v", n, len(whole), err)
		}
	}
	for name, c := range map[string]struct {
		data []byte
		err  error
	}{
		"text":       {[]byte("tps = 1.0 (without)"), ErrMagic},
		"dictionary": {[]byte{0x28, 0xb5, 0x2f, 0xfd, 0x21, 9, 1, 1, 0, 0, 'a'}, ErrDictionary},
		"window":     {[]byte{0x28, 0xb5, 0x2f, 0xfd, 0, 18 << 3, 1, 0, 0}, ErrWindow},
		"checksum":   {append(bytes.Clone(whole[:len(whole)-4]), 1, 2, 3, 4), ErrChecksum},
	} {
		if _, err := io.ReadAll(NewReader(bytes.NewReader(c.data))); err != c.err {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzReader holds what is read from damaged input against the peer: where both read it, they read the same.
func FuzzReader(f *testing.F) {
	for _, data := range texts() {
		f.Add(pack(f, data[:min(len(data), 3000)], peer.SpeedBestCompression, peer.WithEncoderCRC(false)))
	}
	p, err := peer.NewReader(nil, peer.WithDecoderConcurrency(1), peer.WithDecoderMaxMemory(64<<20))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := io.ReadAll(io.LimitReader(NewReader(bytes.NewReader(data)), 8<<20))
		want, peerErr := p.DecodeAll(data, nil)
		if err == nil && peerErr == nil && len(got) < 8<<20 && !bytes.Equal(got, want) {
			t.Error("reads something else")
		}
	})
}

func BenchmarkReader(b *testing.B) {
	data := bytes.Repeat(texts()["stacks"], 10)
	packed := pack(b, data, peer.SpeedDefault)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if n, err := io.Copy(io.Discard, NewReader(bytes.NewReader(packed))); err != nil || n != int64(len(data)) {
			b.Fatal(n, err)
		}
	}
}
