package source

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
)

// File takes the bytes of one file that was found in an input.
type File interface {
	Write(p []byte) // the next piece, valid during the call only
	Fail(err error) // what is wrong with how the file is wrapped; what came before it stands
	Close()         // called once, last
}

// Unwrapper takes the pushed bytes of one input, peels off what they are wrapped in (gzip, zstd, tar, zip, one within the other)
// and hands over each file within under a name of its own: archive!member for members of archives, and else the input's.
//
// The decompressors of the standard library pull. They run as coroutines (iter.Pull) that yield when they have used up what was
// pushed: there is no goroutine, no lock and no copy of the input.
type Unwrapper struct {
	open   func(name string) File
	budget *budget
	depth  int

	name string
	head []byte // what came before the carrier was settled
	to   File   // a plain file

	next func() (struct{}, bool) // runs the decompressor until it needs more
	stop func()
	feed feed
	buf  []byte

	settled bool
	opened  bool  // a file came out
	err     error // what is to be told of the input itself, when no file came out
}

// budget is shared by all layers of one input.
type budget struct {
	limits   Limits
	raw      int64 // bytes of the input itself
	expanded int64 // bytes that came out of all decompressors
	files    int
}

// maxDepth is how many wrappings may lie within one another.
const maxDepth = 6

// sniffed is how many bytes tell a carrier: the mark of tar is the last of them.
const sniffed = 262

// Unwrap begins an input. Open is called for each file found in it; there is at least one, unless all it holds is to be passed
// over silently (what a Mac puts beside its files).
func Unwrap(name string, limits Limits, open func(name string) File) *Unwrapper {
	return &Unwrapper{name: name, open: open, budget: &budget{limits: limits.Or()}}
}

// Write takes the next piece.
func (u *Unwrapper) Write(p []byte) {
	if u.depth == 0 {
		u.budget.raw += int64(len(p))
	}
	if u.settled {
		u.pass(p)
		return
	}
	if len(u.head) == 0 && len(p) >= sniffed {
		u.settle(p)
		u.pass(p)
		return
	}
	u.head = append(u.head, p...)
	if len(u.head) >= sniffed {
		u.flush()
	}
}

// Close ends the input.
func (u *Unwrapper) Close() {
	if !u.settled {
		u.flush()
	}
	switch {
	case u.to != nil:
		u.to.Close()
	case u.next != nil:
		u.feed.ended = true
		u.next()
		u.stop()
	}
	if u.err != nil && !u.opened {
		f := u.open(u.name)
		f.Fail(u.err)
		f.Close()
	}
}

func (u *Unwrapper) flush() {
	head := u.head
	u.head = nil
	u.settle(head)
	u.pass(head)
}

func (u *Unwrapper) pass(p []byte) {
	switch {
	case u.to != nil:
		u.to.Write(p)
	case u.next != nil && len(p) > 0:
		u.feed.rest = p
		if _, more := u.next(); !more {
			u.next = nil
		}
	}
}

// settle tells from the first bytes what the input is wrapped in.
func (u *Unwrapper) settle(head []byte) {
	u.settled = true
	var unpack func(io.Reader) error
	switch {
	case bytes.HasPrefix(head, []byte{0, 5, 0x16, 7}): // AppleDouble: attributes of the file beside it
		return
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		unpack = u.gzip
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}), len(head) >= 4 && head[0]&0xf0 == 0x50 && string(head[1:4]) == "\x2a\x4d\x18":
		unpack = u.zstd
	case len(head) >= sniffed && string(head[257:262]) == "ustar":
		unpack = u.tar
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		unpack = u.zip
	default:
		u.plain(u.name)
		return
	}
	if u.depth == maxDepth {
		u.err = LimitError{fmt.Errorf("archives lie within one another more than %d deep", maxDepth)}
		return
	}
	u.next, u.stop = iter.Pull(func(yield func(struct{}) bool) {
		u.feed.yield = yield
		if err := unpack(&u.feed); err != nil {
			u.err = err
		}
	})
}

func (u *Unwrapper) plain(name string) {
	u.opened = true
	u.budget.files++
	u.to = u.open(name)
}

// feed is what a decompressor reads from.
type feed struct {
	rest  []byte
	ended bool
	yield func(struct{}) bool
}

// Read gives what was pushed, and yields to the one who pushes when that is used up.
func (f *feed) Read(p []byte) (int, error) {
	for len(f.rest) == 0 {
		if f.ended {
			return 0, io.EOF
		}
		if !f.yield(struct{}{}) {
			return 0, io.ErrUnexpectedEOF
		}
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// inner begins what lies within this layer.
func (u *Unwrapper) inner(name string) *Unwrapper {
	return &Unwrapper{name: name, open: func(name string) File { u.opened = true; return u.open(name) }, budget: u.budget, depth: u.depth + 1}
}

// LimitError is how an input ends that reaches a limit: nothing more of it is read.
type LimitError struct{ error }

// bombFrom is from how many bytes on the ratio of expanded to compressed is looked at, and bombRatio how large it may be. Logs
// compress by 5 to 20, profiles by up to 100.
const (
	bombFrom  = 64 << 20
	bombRatio = 250
)

// copy hands what r gives to the layer within, and ends it. What is wrong with r is told to the file that was being read.
func (u *Unwrapper) copy(to *Unwrapper, r io.Reader) error {
	if u.buf == nil {
		u.buf = make([]byte, 64<<10)
	}
	var err error
	for err == nil {
		var n int
		n, err = r.Read(u.buf)
		u.budget.expanded += int64(n)
		switch b := u.budget; {
		case b.expanded > b.limits.ExpandedBytes:
			err = LimitError{fmt.Errorf("it expands to more than %d MB: the rest is not read", b.limits.ExpandedBytes>>20)}
		case b.expanded > bombFrom && b.expanded > bombRatio*b.raw:
			err = LimitError{fmt.Errorf("it expands to more than %d times its size: the rest is not read", bombRatio)}
		}
		if n > 0 {
			to.Write(u.buf[:n])
		}
	}
	if err == io.EOF {
		err = nil
	}
	if err != nil {
		to.fail(err)
	}
	to.Close()
	return err
}

// fail tells what is wrong to the file that is being read.
func (u *Unwrapper) fail(err error) {
	if !u.settled {
		u.flush()
	}
	if u.to != nil {
		u.to.Fail(err)
	} else if u.err == nil {
		u.err = err
	}
}

func (u *Unwrapper) gzip(r io.Reader) error {
	g, err := gzip.NewReader(r)
	if err != nil {
		return fmt.Errorf("gzip: %w", explain(err))
	}
	return u.copy(u.inner(u.name), wrapped{g, "gzip"})
}

func (u *Unwrapper) zstd(r io.Reader) error {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(128<<20))
	if err != nil {
		return fmt.Errorf("zstd: %w", explain(err))
	}
	defer z.Close()
	return u.copy(u.inner(u.name), wrapped{z, "zstd"})
}

// wrapped says whose errors they are.
type wrapped struct {
	io.Reader
	name string
}

// Read is the reader's.
func (w wrapped) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%s: %w", w.name, explain(err))
	}
	return n, err
}

func explain(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errors.New("the file ends too early: what came before is kept")
	case errors.Is(err, gzip.ErrHeader):
		return errors.New("what follows is not compressed data: what came before is kept")
	}
	return err
}

var errNoFiles = errors.New("the archive holds no files")

func (u *Unwrapper) tar(r io.Reader) error {
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		switch {
		case err == io.EOF && !u.opened:
			return errNoFiles
		case err == io.EOF:
			return nil
		case err != nil:
			err = fmt.Errorf("tar: %w", explain(err))
			u.told(err)
			return err
		case h.Typeflag != tar.TypeReg && h.Typeflag != tar.TypeGNUSparse, Hidden(h.Name):
			continue
		}
		if err := u.member(h.Name, wrapped{t, "tar"}); err != nil {
			return err
		}
	}
}

// zip needs the directory at the end of the archive, so all of it is held.
func (u *Unwrapper) zip(r io.Reader) error {
	limit := int64(u.budget.limits.DocumentBytes)
	all, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return fmt.Errorf("zip: %w", explain(err))
	}
	if int64(len(all)) > limit {
		return LimitError{fmt.Errorf("zip: the archive is larger than %d MB: unpack it and give the files", limit>>20)}
	}
	z, err := zip.NewReader(bytes.NewReader(all), int64(len(all)))
	if err != nil {
		return errors.New("zip: the archive is damaged or cut: the list of its members, which stands at its end, cannot be read")
	}
	for _, f := range z.File {
		if f.Name == "[Content_Types].xml" || f.Name == "mimetype" {
			return errors.New("this is an office document: save its sheet as CSV, or its text as plain text, and give that")
		}
	}
	for _, f := range z.File {
		if f.FileInfo().IsDir() || Hidden(f.Name) {
			continue
		}
		if f.Flags&1 != 0 {
			err := errors.New("zip: the archive is encrypted: unpack it and give the files")
			u.told(err)
			return err
		}
		m, err := f.Open()
		if err != nil {
			u.told(fmt.Errorf("zip: %s: %w", f.Name, err))
			continue
		}
		err = u.member(f.Name, wrapped{m, "zip"})
		m.Close()
		if errors.As(err, &LimitError{}) {
			return err
		}
	}
	if !u.opened {
		return errNoFiles
	}
	return nil
}

// member hands over one file of an archive.
func (u *Unwrapper) member(name string, r io.Reader) error {
	if u.budget.files >= u.budget.limits.ArchiveFiles {
		err := LimitError{fmt.Errorf("the archive holds more than %d files: the rest is not read", u.budget.limits.ArchiveFiles)}
		u.told(err)
		return err
	}
	if !utf8.ValidString(name) {
		var b []byte
		for _, c := range []byte(name) {
			b = utf8.AppendRune(b, from1252(c))
		}
		name = string(b)
	}
	name = strings.TrimPrefix(path.Clean(strings.ReplaceAll(name, `\`, "/")), "/")
	return u.copy(u.inner(u.name+"!"+name), r)
}

// told reports what is wrong with the archive itself, when files came out of it already.
func (u *Unwrapper) told(err error) {
	if u.opened {
		f := u.open(u.name)
		f.Fail(err)
		f.Close()
	}
}

// Hidden tells whether a file lies under a name that begins with a dot, is what a Mac adds or what an editor keeps of its last version:
// it was not meant to be read.
func Hidden(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") && part != "." && part != ".." || part == "__MACOSX" || strings.HasSuffix(part, "~") || strings.HasSuffix(part, "#") {
			return true
		}
	}
	return false
}
