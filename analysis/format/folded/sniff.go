package folded

import (
	"bytes"
	"strings"

	"pgknee/analysis/format"
	"pgknee/analysis/source"
)

// sniff counts the lines that end in a number and have letters before it, and those of them with a ; between frames.
func sniff(name string, head []byte) format.Confidence {
	named := strings.Contains(name, ".folded") || strings.Contains(name, "collapsed")
	if len(head) >= format.HeadBytes {
		end := bytes.LastIndexByte(head, '\n') + 1 // the last line may be cut
		if end == 0 && (named || bytes.Count(head, []byte{';'}) > 100) && bytes.IndexByte(head, '<') != 0 && bytes.IndexByte(head, '{') != 0 {
			return format.Likely // one stack of tens of thousands of frames, or a name as long
		}
		head = head[:end]
	}
	var data, stacks, other, quoted int
	s := source.Splitter{Max: format.HeadBytes, Line: func(l source.Line) {
		line := trim(l)
		if len(line) == 0 || line[0] == '#' || bytes.HasPrefix(line, []byte("//")) {
			return
		}
		stack, _, state := count(line)
		switch {
		case state != isCount || !hasLetter(stack):
			other++
		default:
			data++
			if bytes.HasPrefix(line, []byte("> ")) {
				quoted++
			}
			if isStack(stack) || bytes.HasPrefix(l.Text, []byte("  ")) && bytes.IndexByte(stack, ';') >= 0 {
				stacks++
			}
		}
	}}
	s.Write(head)
	s.Close()
	switch {
	case stacks == 0 && named && data > other:
		return format.Likely
	case stacks == 0 || 2*stacks < data, 2*quoted > data: // of a mail
		return format.No
	case data >= 9*other:
		return format.Sure
	case data > other:
		return format.Likely
	}
	return format.No
}

// isStack tells whether a text has several frames: a ; that no blank follows, as one in a sentence or a statement would have.
func isStack(stack []byte) bool {
	semi := bytes.IndexByte(stack, ';')
	return semi >= 0 && semi+1 < len(stack) && !isBlank(stack[semi+1])
}

func hasLetter(b []byte) bool {
	for _, c := range b {
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 || c == '[' || c == '?' {
			return true
		}
	}
	return false
}
