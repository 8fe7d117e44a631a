package source

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"runtime"
)

// In WebAssembly the standard library compares and searches bytes one at a time, and hashes with 128-bit products that take a dozen
// instructions there. What readers do for every line is therefore done here in words of eight bytes. Elsewhere the standard
// library is faster.
const inWords = runtime.GOARCH == "wasm"

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// seed makes hashes differ from process to process, so that no input can be made to collide.
var seed = maphash.Bytes(maphash.MakeSeed(), nil)

// Hash gives a hash of b that holds for this process.
func Hash(b []byte) uint64 {
	h := seed ^ uint64(len(b))
	for ; len(b) >= 8; b = b[8:] {
		h = (h ^ binary.LittleEndian.Uint64(b)) * 0x9E3779B97F4A7C15
		h ^= h >> 29
	}
	var tail uint64
	switch {
	case len(b) >= 4:
		tail = uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[len(b)-4:]))<<32
	case len(b) > 0:
		tail = uint64(b[0]) | uint64(b[len(b)/2])<<8 | uint64(b[len(b)-1])<<16
	}
	h = (h ^ tail) * 0xBF58476D1CE4E5B9
	return h ^ h>>32
}

// Equal tells whether a and b hold the same bytes.
func Equal(a, b []byte) bool {
	if !inWords {
		return bytes.Equal(a, b)
	}
	return len(a) == len(b) && CommonPrefix(a, b) == len(a)
}

// CommonPrefix gives how many bytes a and b begin with together.
func CommonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	a, b = a[:n], b[:n]
	i := 0
	for ; i+8 <= n; i += 8 {
		if x := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); x != 0 {
			return i + bits.TrailingZeros64(x)/8
		}
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

// IndexByte is bytes.IndexByte.
func IndexByte(b []byte, c byte) int {
	if !inWords {
		return bytes.IndexByte(b, c)
	}
	return indexWords(b, c)
}

func indexWords(b []byte, c byte) int {
	i := 0
	for cs := uint64(c) * ones; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:]) ^ cs
		// A zero byte sets the high bit; one above it may set it too, but the lowest is right.
		if m := (x - ones) &^ x & highs; m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for ; i < len(b); i++ {
		if b[i] == c {
			return i
		}
	}
	return -1
}
