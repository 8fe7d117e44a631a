// Package zstd reads Zstandard (RFC 8878). It only reads, without dictionaries, and is a twentieth of what a library that also writes
// adds to the engine. Frames, skippable frames and checksums are what they are in the RFC; a window may have up to 128 MiB. Its tests
// hold it against github.com/klauspost/compress.
package zstd

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const (
	magic          = 0xFD2FB528
	skippableMagic = 0x184D2A50 // to …5F
	maxWindow      = 128 << 20
	maxBlock       = 128 << 10
)

// Errors of input that is no Zstandard, or more than is read here.
var (
	ErrCorrupt    = errors.New("the data are damaged")
	ErrMagic      = errors.New("not compressed by zstd")
	ErrDictionary = errors.New("compressed with a dictionary, which is not in the file")
	ErrWindow     = fmt.Errorf("a window of more than %d MiB", maxWindow>>20)
	ErrChecksum   = errors.New("the checksum is wrong")
)

// Reader decompresses what it reads, frame after frame.
type Reader struct {
	in  *bufio.Reader
	err error

	// The frame that is open.
	open     bool
	window   int
	size     uint64 // that the frame is said to have, if sized
	sized    bool
	made     uint64
	checked  bool
	checksum xxh64

	buf   []byte // what was decompressed last: at least a window, and what is not read yet
	read  int    // up to where buf was handed out
	block []byte

	block0 state
}

// NewReader makes a reader. Nothing is read before the first Read.
func NewReader(r io.Reader) *Reader { return &Reader{in: bufio.NewReaderSize(r, 64<<10)} }

// Read is that of io.Reader. io.ErrUnexpectedEOF says that the input ends too early.
func (z *Reader) Read(p []byte) (int, error) {
	for z.read == len(z.buf) {
		if z.err != nil {
			return 0, z.err
		}
		if !z.open {
			z.err = z.frame()
		} else {
			z.err = z.next()
		}
	}
	n := copy(p, z.buf[z.read:])
	z.read += n
	return n, nil
}

// bytes reads n ≤ 14 bytes as one number, little end first; more than 8 make no sense.
func (z *Reader) bytes(n int) (uint64, error) {
	var b [8]byte
	if _, err := io.ReadFull(z.in, b[:n]); err != nil {
		return 0, early(err)
	}
	return binary.LittleEndian.Uint64(b[:]), nil
}

// early makes the end of the input an error, where more must come.
func early(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// frame reads the head of a frame; io.EOF if there is none.
func (z *Reader) frame() error {
	if _, err := z.in.Peek(1); err != nil {
		return err
	}
	m, err := z.bytes(4)
	switch {
	case err != nil:
		return err
	case m&^0xf == skippableMagic:
		n, err := z.bytes(4)
		if err == nil {
			_, err = io.CopyN(io.Discard, z.in, int64(n))
		}
		return early(err)
	case m != magic:
		return ErrMagic
	}
	head, err := z.bytes(1)
	if err != nil {
		return err
	}
	if head&8 != 0 {
		return ErrCorrupt
	}
	single := head&32 != 0
	window := uint64(0)
	if !single {
		w, err := z.bytes(1)
		if err != nil {
			return err
		}
		base := uint64(1) << (10 + w>>3)
		window = base + base/8*(w&7)
	}
	if d, err := z.bytes([]int{0, 1, 2, 4}[head&3]); err != nil {
		return err
	} else if d != 0 {
		return ErrDictionary
	}
	n := []int{0, 2, 4, 8}[head>>6]
	if single && n == 0 {
		n = 1
	}
	if z.size, err = z.bytes(n); err != nil {
		return err
	}
	if n == 2 {
		z.size += 256
	}
	if single {
		window = z.size
	}
	if window > maxWindow {
		return ErrWindow
	}
	z.sized, z.made, z.window = n > 0, 0, int(window)
	z.checked, z.checksum = head&4 != 0, newXXH64()
	z.block0 = state{repeated: [3]int{1, 4, 8}}
	z.buf, z.read, z.open = z.buf[:0], 0, true
	return nil
}

// next decompresses the next block of the frame.
func (z *Reader) next() error {
	h, err := z.bytes(3)
	if err != nil {
		return err
	}
	last, kind, n := h&1 != 0, h>>1&3, int(h>>3)
	limit := min(z.window, maxBlock)
	// What is handed out already stays as far as the window goes; it is moved to the front once as much again has come.
	if len(z.buf) > 2*z.window+maxBlock {
		kept := copy(z.buf, z.buf[len(z.buf)-z.window:])
		z.buf, z.read = z.buf[:kept], kept
	}
	before := len(z.buf)
	switch kind {
	case 0, 1:
		if n > limit {
			return ErrCorrupt
		}
		z.buf = append(z.buf, make([]byte, n)...)
		fresh := z.buf[before:]
		if kind == 0 {
			if _, err := io.ReadFull(z.in, fresh); err != nil {
				z.buf = z.buf[:before]
				return early(err)
			}
			break
		}
		b, err := z.in.ReadByte()
		if err != nil {
			z.buf = z.buf[:before]
			return early(err)
		}
		for i := range fresh {
			fresh[i] = b
		}
	case 2:
		if n > maxBlock {
			return ErrCorrupt
		}
		if cap(z.block) < n {
			z.block = make([]byte, maxBlock)
		}
		z.block = z.block[:n]
		if _, err := io.ReadFull(z.in, z.block); err != nil {
			return early(err)
		}
		out, err := z.block0.decode(z.buf, z.block, z.window)
		if err != nil {
			return err
		}
		if len(out)-before > maxBlock {
			return ErrCorrupt
		}
		z.buf = out
	default:
		return ErrCorrupt
	}
	z.made += uint64(len(z.buf) - before)
	if z.sized && (z.made > z.size || last && z.made < z.size) {
		z.buf = z.buf[:before]
		return ErrCorrupt
	}
	if z.checked {
		z.checksum.write(z.buf[before:])
	}
	if !last {
		return nil
	}
	z.open = false
	if z.checked {
		want, err := z.bytes(4)
		if err != nil {
			return err
		}
		if uint32(want) != uint32(z.checksum.sum()) {
			return ErrChecksum
		}
	}
	return nil
}
