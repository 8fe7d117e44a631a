package source

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// Decoder turns the text encodings that files really have into UTF-8: UTF-16 of either order, with a byte order mark or without,
// Windows-1252 where what isn't ASCII can't be UTF-8, and UTF-8 with a byte order mark. NUL bytes in what is text otherwise (holes
// that a crash left) and the sequences that colour a terminal are dropped.
type Decoder struct {
	NULs int // dropped so far

	kind encoding
	text bool // NUL bytes are holes, not contents
	half []byte
	high rune // a UTF-16 surrogate that waits for its other half
	out  []byte
	esc  escape
}

// escape is where in a terminal's control sequence the text is.
type escape uint8

const (
	noEscape  escape = iota
	begun            // behind ESC
	inControl        // ESC [ …, ends with a letter
	inCommand        // ESC ] …, ends with BEL or ESC \
	endsNext         // one more byte, which ends it
)

type encoding int

const (
	asIs encoding = iota
	utf16LE
	utf16BE
	windows1252
)

// Start looks at the beginning of a file to find its encoding, and tells how many bytes of it are a byte order mark, not text.
func (d *Decoder) Start(head []byte) int {
	switch {
	case bytes.HasPrefix(head, []byte{0xef, 0xbb, 0xbf}):
		d.text = looksLikeText(head)
		return 3
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		d.kind = utf16LE
		return 2
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		d.kind = utf16BE
		return 2
	}
	d.kind = d.without(head)
	d.text = d.kind != utf16LE && d.kind != utf16BE && looksLikeText(head)
	if d.kind == windows1252 && !d.text {
		d.kind = asIs
	}
	return 0
}

// without tells the encoding of a file without a byte order mark.
func (d *Decoder) without(head []byte) encoding {
	if len(head) > 0 && (head[0] == 0x89 || head[0] == 0xff) {
		return asIs // images begin so, texts don't
	}
	var zero [2]int
	for i, c := range head {
		if c == 0 {
			zero[i&1]++
		}
	}
	switch half := len(head) / 2; {
	case half >= 8 && head[1] == 0 && zero[0] == 0 && zero[1] > half*3/4:
		return utf16LE
	case half >= 8 && head[0] == 0 && zero[1] == 0 && zero[0] > half*3/4:
		return utf16BE
	}
	if utf8.Valid(head) {
		return asIs
	}
	valid, invalid := 0, 0
	for rest := head; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		switch {
		case r == utf8.RuneError && n == 1 && !utf8.FullRune(rest):
			rest = nil // cut by the end of head
			continue
		case r == utf8.RuneError && n == 1:
			invalid++
		case n > 1:
			valid++
		}
		rest = rest[n:]
	}
	if invalid > valid {
		return windows1252
	}
	return asIs
}

// looksLikeText tells whether control characters other than NUL are as rare as in text.
func looksLikeText(head []byte) bool {
	control, other := 0, 0
	for _, c := range head {
		switch {
		case c == 0:
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\b' && c != 0x1b, c == 0x7f:
			control++
		default:
			other++
		}
	}
	return control*20 <= other && other > 0
}

// Decode gives the UTF-8 of the next piece; the result is valid until the next call.
func (d *Decoder) Decode(p []byte) []byte {
	switch d.kind {
	case utf16LE, utf16BE:
		return d.utf16(p)
	case windows1252:
		d.out = d.out[:0]
		for _, c := range p {
			switch {
			case c >= 0x80:
				d.out = utf8.AppendRune(d.out, from1252(c))
			case c == 0:
				d.NULs++
			default:
				d.out = append(d.out, c)
			}
		}
		return d.out
	}
	if !d.text {
		return p
	}
	if d.esc != noEscape || bytes.IndexByte(p, 0x1b) >= 0 {
		p = d.uncoloured(p)
	}
	if bytes.IndexByte(p, 0) < 0 {
		return p
	}
	if len(p) > 0 && len(d.out) > 0 && &p[0] == &d.out[0] {
		p = bytes.Clone(p)
	}
	d.out = d.out[:0]
	for {
		i := bytes.IndexByte(p, 0)
		if i < 0 {
			d.out = append(d.out, p...)
			return d.out
		}
		d.out = append(d.out, p[:i]...)
		p = p[i+1:]
		d.NULs++
	}
}

// uncoloured drops the control sequences of a terminal. A line end ends one that is broken.
func (d *Decoder) uncoloured(p []byte) []byte {
	d.out = d.out[:0]
	for _, c := range p {
		switch {
		case d.esc == noEscape && c != 0x1b:
			d.out = append(d.out, c)
		case c == 0x1b:
			d.esc = begun
		case c == '\n' || c == '\r':
			d.esc = noEscape
			d.out = append(d.out, c)
		case d.esc == begun && c == '[':
			d.esc = inControl
		case d.esc == begun && c == ']':
			d.esc = inCommand
		case d.esc == begun && (c == '(' || c == ')' || c == '#'):
			d.esc = endsNext
		case d.esc == begun, d.esc == endsNext, d.esc == inControl && c >= 0x40 && c <= 0x7e, d.esc == inCommand && c == 7:
			d.esc = noEscape
		}
	}
	return d.out
}

func (d *Decoder) utf16(p []byte) []byte {
	d.out = d.out[:0]
	for _, c := range p {
		if len(d.half) == 0 {
			d.half = append(d.half, c)
			continue
		}
		unit := rune(d.half[0]) | rune(c)<<8
		if d.kind == utf16BE {
			unit = rune(d.half[0])<<8 | rune(c)
		}
		d.half = d.half[:0]
		switch {
		case d.high != 0 && utf16.IsSurrogate(unit):
			d.out = utf8.AppendRune(d.out, utf16.DecodeRune(d.high, unit))
			d.high = 0
		case utf16.IsSurrogate(unit):
			d.high = unit
		case unit == 0:
			d.NULs++
		default:
			d.high = 0
			d.out = utf8.AppendRune(d.out, unit)
		}
	}
	return d.out
}

// from1252 is the character of a byte from 0x80 on. What Windows-1252 leaves open is read as Latin-1.
func from1252(c byte) rune {
	if c >= 0x80 && c < 0xa0 {
		if r := [32]rune{
			'€', 0, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0, 'Ž', 0,
			0, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0, 'ž', 'Ÿ',
		}[c-0x80]; r != 0 {
			return r
		}
	}
	return rune(c)
}
