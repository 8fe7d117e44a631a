package source

import "encoding/binary"

// Print is a fingerprint of bytes that come in pieces of any size. It holds for this process. The zero value is that of no bytes.
type Print struct {
	sum  uint64
	part [8]byte // of the word that is not full yet
	n    int
}

// Write takes the next piece.
func (f *Print) Write(p []byte) {
	if f.n > 0 {
		k := copy(f.part[f.n:], p)
		f.n, p = f.n+k, p[k:]
		if f.n < len(f.part) {
			return
		}
		f.sum = mixed(f.sum, binary.LittleEndian.Uint64(f.part[:]))
	}
	sum := f.sum
	for ; len(p) >= 8; p = p[8:] {
		sum = mixed(sum, binary.LittleEndian.Uint64(p))
	}
	f.sum, f.n = sum, copy(f.part[:], p)
}

// Sum is the fingerprint of all that came.
func (f *Print) Sum() uint64 {
	last := [8]byte{7: byte(f.n)}
	copy(last[:], f.part[:f.n])
	return mixed(mixed(f.sum, binary.LittleEndian.Uint64(last[:])), seed)
}

func mixed(sum, word uint64) uint64 {
	sum = (sum ^ word ^ seed) * 0x9E3779B97F4A7C15
	return sum ^ sum>>29
}
