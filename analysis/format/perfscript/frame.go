package perfscript

import (
	"bytes"

	"pgknee/analysis/profile"
)

// frame is a frame as a line names it.
type frame struct {
	name, module []byte
	flags        profile.Flags
}

// branchMark stands where the branches of -F +brstack follow a frame: 0x55d0/0x55e0/P/-/-/4.
var branchMark = []byte(") 0x")

// parseFrame takes apart what stands behind the address: sym ["+0x" hex] [" (" dso ")"], or sym " (inlined)".
func parseFrame(text []byte) (f frame) {
	if i := bytes.Index(text, branchMark); i >= 0 {
		text = text[:i+1]
	}
	text = bytes.TrimSpace(text)
	name := text
	if open := lastGroup(text); open >= 0 {
		f.module = text[open+1 : len(text)-1]
		name = trimRight(text[:open])
	}
	if string(f.module) == "inlined" {
		f.module, f.flags = nil, profile.Inlined
	}
	if m, ok := bytes.CutSuffix(f.module, []byte(" (deleted)")); ok {
		f.module, f.flags = m, f.flags|profile.Deleted
	}
	f.name = cutOffset(name)
	f.flags |= profile.Classify(f.name, f.module)
	if string(f.name) == "[unknown]" || len(f.name) == 0 {
		base := f.module[bytes.LastIndexByte(f.module, '/')+1:]
		switch {
		case len(base) == 0 || string(base) == "[unknown]":
			f.name = []byte("[unknown]")
		case base[0] == '[':
			f.name = base
		default:
			f.name = []byte("[" + string(base) + "]")
		}
	} else {
		f.name = profile.CutArguments(f.name)
	}
	if string(f.module) == "[unknown]" {
		f.module = nil
	}
	if bytes.IndexByte(f.name, ';') >= 0 { // would split the frame in folded text
		f.name = bytes.ReplaceAll(cutDescriptor(f.name), []byte{';'}, []byte{':'})
	}
	return f
}

// lastGroup finds the parenthesis that opens the last balanced group, when that ends the text and stands alone; else -1.
func lastGroup(text []byte) int {
	if len(text) == 0 || text[len(text)-1] != ')' {
		return -1
	}
	depth := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				if i == 0 || isBlank(text[i-1]) {
					return i
				}
				return -1
			}
		}
	}
	return -1
}

// cutOffset removes one trailing +0x1a.
func cutOffset(name []byte) []byte {
	i := len(name)
	for i > 0 && isHex(name[i-1]) {
		i--
	}
	if i < len(name) && i >= 3 && name[i-1] == 'x' && name[i-2] == '0' && name[i-3] == '+' {
		return name[:i-3]
	}
	return name
}

// cutDescriptor removes the L that begins a type descriptor of Java: Lorg/mozilla/javascript/Context;::call.
func cutDescriptor(name []byte) []byte {
	semi := bytes.IndexByte(name, ';')
	if name[0] == 'L' && bytes.IndexByte(name[:semi], '/') > 0 && bytes.IndexByte(name[:semi], ' ') < 0 {
		return name[1:]
	}
	return name
}

// digits holds 16 plus the value of each hexadecimal digit; 0 for all other bytes.
var digits = func() (d [256]byte) {
	for i, c := range []byte("0123456789abcdef") {
		d[c] = 16 + byte(i)
	}
	for i, c := range []byte("ABCDEF") {
		d[c] = 26 + byte(i)
	}
	return d
}()

// hexadecimal reads a number, and gives how many digits it has.
func hexadecimal(text []byte) (value uint64, n int) {
	for n < len(text) && digits[text[n]] != 0 {
		value = value<<4 | uint64(digits[text[n]]&15)
		n++
	}
	return value, n
}

func isHex(c byte) bool { return digits[c] != 0 }
