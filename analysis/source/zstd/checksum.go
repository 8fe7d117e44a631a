package zstd

import (
	"encoding/binary"
	"math/bits"
)

// xxh64 is the checksum XXH64 with seed 0.
type xxh64 struct {
	lanes [4]uint64
	tail  []byte // less than 32 bytes
	n     uint64
}

const (
	prime1 uint64 = 0x9E3779B185EBCA87
	prime2 uint64 = 0xC2B2AE3D27D4EB4F
	prime3 uint64 = 0x165667B19E3779F9
	prime4 uint64 = 0x85EBCA77C2B2AE63
	prime5 uint64 = 0x27D4EB2F165667C5
)

func newXXH64() xxh64 {
	p1, p2 := prime1, prime2 // as variables they may overflow
	return xxh64{lanes: [4]uint64{p1 + p2, p2, 0, -p1}}
}

func round(lane, v uint64) uint64 { return bits.RotateLeft64(lane+v*prime2, 31) * prime1 }

func (x *xxh64) write(b []byte) {
	x.n += uint64(len(b))
	if len(x.tail) > 0 {
		n := min(32-len(x.tail), len(b))
		x.tail, b = append(x.tail, b[:n]...), b[n:]
		if len(x.tail) < 32 {
			return
		}
		x.stripes(x.tail)
		x.tail = x.tail[:0]
	}
	x.tail = append(x.tail, x.stripes(b)...)
}

// stripes takes 32 bytes at a time and returns what is left.
func (x *xxh64) stripes(b []byte) []byte {
	for ; len(b) >= 32; b = b[32:] {
		for i := range x.lanes {
			x.lanes[i] = round(x.lanes[i], binary.LittleEndian.Uint64(b[8*i:]))
		}
	}
	return b
}

func (x *xxh64) sum() uint64 {
	h := prime5
	if x.n >= 32 {
		h = bits.RotateLeft64(x.lanes[0], 1) + bits.RotateLeft64(x.lanes[1], 7) + bits.RotateLeft64(x.lanes[2], 12) + bits.RotateLeft64(x.lanes[3], 18)
		for _, lane := range x.lanes {
			h = (h^round(0, lane))*prime1 + prime4
		}
	}
	h += x.n
	b := x.tail
	for ; len(b) >= 8; b = b[8:] {
		h = bits.RotateLeft64(h^round(0, binary.LittleEndian.Uint64(b)), 27)*prime1 + prime4
	}
	if len(b) >= 4 {
		h = bits.RotateLeft64(h^uint64(binary.LittleEndian.Uint32(b))*prime1, 23)*prime2 + prime3
		b = b[4:]
	}
	for _, c := range b {
		h = bits.RotateLeft64(h^uint64(c)*prime5, 11) * prime1
	}
	h = (h ^ h>>33) * prime2
	h = (h ^ h>>29) * prime3
	return h ^ h>>32
}
