package source

import (
	"testing"
	"unicode/utf16"
)

func inUTF16(s string, big, mark bool) []byte {
	units := utf16.Encode([]rune(s))
	if mark {
		units = append([]uint16{0xfeff}, units...)
	}
	var out []byte
	for _, u := range units {
		if big {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return out
}

func TestDecode(t *testing.T) {
	const text = "tps = 12 €\n𝄞 number of clients: 8"
	for _, test := range []struct {
		name string
		data []byte
		want string
		nuls int
	}{
		{"UTF-8", []byte(text), text, 0},
		{"UTF-8 with mark", []byte("\ufeff" + text), text, 0},
		{"UTF-16 LE", inUTF16(text, false, true), text, 0},
		{"UTF-16 BE", inUTF16(text, true, true), text, 0},
		{"UTF-16 LE without mark", inUTF16("tps = 12\nnumber of clients: 8", false, false), "tps = 12\nnumber of clients: 8", 0},
		{"UTF-16 BE without mark", inUTF16("tps = 12\nnumber of clients: 8", true, false), "tps = 12\nnumber of clients: 8", 0},
		{"Windows-1252", []byte("d\xe9bit;381\xa0778\x80"), "débit;381\u00a0778€", 0},
		{"a hole", []byte("one\x00\x00\x00two"), "onetwo", 3},
		{"colours", []byte("\x1b[1;32mtps\x1b[0m = 12\x1b]0;title\x07 \x1b(Bof\x1b[broken\nnext\x1b]0;title\nlast"), "tps = 12 ofroken\nnext\nlast", 0},
		{"binary", []byte("\x7fELF\x02\x01\x01\x00\x00\x01"), "\x7fELF\x02\x01\x01\x00\x00\x01", 0},
		{"damaged UTF-8", []byte("säule öl ß \xff"), "säule öl ß \xff", 0},
	} {
		for _, piece := range []int{1, 5, 1000} {
			var d Decoder
			rest := test.data[d.Start(test.data):]
			var got []byte
			for ; len(rest) > 0; rest = rest[min(piece, len(rest)):] {
				got = append(got, d.Decode(rest[:min(piece, len(rest))])...)
			}
			if string(got) != test.want || d.NULs != test.nuls {
				t.Errorf("%s in pieces of %d: %q with %d NUL bytes, want %q with %d", test.name, piece, got, d.NULs, test.want, test.nuls)
			}
		}
	}
}
