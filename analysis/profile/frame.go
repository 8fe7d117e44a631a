package profile

import "bytes"

// Classify tells what a name and a module say of a frame: whether it is kernel code, compiled at run time, or without a symbol.
// Both may be written as in the input.
func Classify(name, module []byte) Flags {
	var f Flags
	switch {
	case len(module) == 0:
	case module[0] == '[':
		switch {
		case bytes.HasPrefix(module, []byte("[JIT")):
			f |= JIT
		case !userAreas[string(module)] && !bytes.HasPrefix(module, []byte("[anon")) && !bytes.HasPrefix(module, []byte("[stack")):
			f |= Kernel
		}
	default:
		base := module[bytes.LastIndexByte(module, '/')+1:]
		switch {
		case bytes.HasPrefix(base, []byte("vmlinux")), bytes.HasSuffix(base, []byte(".ko")), bytes.Contains(base, []byte(".ko.")), bytes.HasPrefix(base, []byte("bpf_prog_")):
			f |= Kernel
		case bytes.HasPrefix(base, []byte("perf-")) && bytes.HasSuffix(base, []byte(".map")), bytes.HasPrefix(base, []byte("jitted-")):
			f |= JIT
		}
	}
	if isUnknown(name) {
		f |= Unknown
	}
	return f
}

// userAreas are mappings in brackets that are not of the kernel.
var userAreas = map[string]bool{"[unknown]": true, "[vdso]": true, "[vsyscall]": true, "[heap]": true, "[uprobes]": true}

// isUnknown recognises what producers write where a symbol is missing: [unknown], [module], ??, an address.
func isUnknown(name []byte) bool {
	switch {
	case len(name) == 0, string(name) == "??", string(name) == "unknown":
		return true
	case name[0] == '[' && name[len(name)-1] == ']':
		return true
	case len(name) > 2 && name[0] == '0' && name[1] == 'x':
		for _, c := range name[2:] {
			if (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
				return false
			}
		}
		return true
	}
	return false
}

// marks are the suffixes that stackcollapse scripts put behind names.
// The letters behind those that we write are async-profiler's: interpreted, and compiled by the first of two compilers.
var marks = [...]mark{{'k', Kernel}, {'i', Inlined}, {'j', JIT}, {'w', 0}, {'0', 0}, {'1', JIT}}

// writtenMarks is how many of the marks we write.
const writtenMarks = 3

type mark struct {
	letter byte
	flag   Flags
}

// CutMarks splits the marks of folded text (_[k] kernel, _[i] inlined, _[j] run time, _[w] waker) from a name.
func CutMarks(name []byte) ([]byte, Flags) {
	var f Flags
	for len(name) > 4 && name[len(name)-1] == ']' && name[len(name)-3] == '[' && name[len(name)-4] == '_' {
		known := false
		for _, m := range marks {
			if name[len(name)-2] == m.letter {
				f, known = f|m.flag, true
			}
		}
		if !known {
			break
		}
		name = name[:len(name)-4]
	}
	return name, f
}

// UnknownShare is the share of the weight whose stack ends in a frame without a symbol.
func UnknownShare(p *Profile) float64 { return p.shareOf(Unknown) }

// shareOf is the share of the weight whose stack ends in a frame with the flag.
func (p *Profile) shareOf(flag Flags) float64 {
	if p.Total <= 0 {
		return 0
	}
	weight := 0.0
	for n := 1; n < len(p.Self); n++ {
		if p.Frames[p.Frame[n]].Flags&flag != 0 {
			weight += p.Self[n]
		}
	}
	return min(weight/p.Total, 1)
}

// flagLetters are the letters of flags in our own exports, in the order of the bits.
const flagLetters = "kijducf"

// Letters gives a letter for each flag.
func (f Flags) Letters() string {
	var out []byte
	for i := range len(flagLetters) {
		if f&(1<<i) != 0 {
			out = append(out, flagLetters[i])
		}
	}
	return string(out)
}

// FlagOf is the flag of a letter of Letters; none for any other.
func FlagOf(letter byte) Flags {
	for i := range len(flagLetters) {
		if flagLetters[i] == letter {
			return 1 << i
		}
	}
	return 0
}
