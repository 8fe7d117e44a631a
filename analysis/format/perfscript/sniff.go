package perfscript

import (
	"bytes"

	"pgknee/analysis/format"
)

// sniff counts the lines that only perf script prints.
func sniff(_ string, head []byte) format.Confidence {
	var heads, frames, aligned, bare, records, other, comments int
	if len(head) >= format.HeadBytes {
		end := bytes.LastIndexByte(head, '\n') + 1 // the last line may be cut
		if cut := head[end:]; len(cut) > 4096 && isAligned(cut, trimLeft(cut)) {
			frames++
		}
		head = head[:end]
	}
	perfComment, plain := false, false
	for len(head) > 0 {
		line := head
		if end := bytes.IndexAny(head, "\r\n"); end >= 0 {
			line, head = head[:end], head[end+1:]
		} else {
			head = nil
		}
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		text := trimLeft(line)
		above := plain // the line above is a head if this one is a frame
		plain = false
		switch {
		case len(text) == 0:
		case line[0] == '#':
			comments++
			perfComment = perfComment || bytes.HasPrefix(line, []byte("# perf version")) || bytes.HasPrefix(line, []byte("# cmdline : "))
			if bytes.HasPrefix(line, []byte("# Overhead")) || bytes.HasPrefix(line, []byte("# Samples: ")) {
				return format.No // perf report
			}
		case line[0] == ' ' && len(trimRight(text)) < len(text) && isNumber(text):
			plain, other = true, other+1
		case len(text) < len(line) && (looksLikeFrame(text) || isAligned(line, text)):
			frames++
			if isAligned(line, text) {
				aligned++
				if above {
					heads, other = heads+1, other-1
				}
			}
		default:
			h, ok := parseHead(line)
			switch {
			case !ok && line[0] == '\t' && heads > 0:
				bare++
			case !ok && len(text) < len(line) && isSourceLine(text):
			case !ok && line[0] == '|' && frames > 0:
			case !ok:
				if _, _, lone := loneFrame(line); lone {
					frames++
					continue
				}
				other++
				_, plain = plainHead(line)
			case bytes.HasPrefix(h.event, recordPrefix):
				records++
			case payloadFrame(h.payload) != nil && (lastGroup(trimRight(h.payload)) > 0 || addressed(h.payload[1:])):
				heads++
				frames++
			default:
				heads++
			}
		}
	}
	known := heads + frames + records
	switch {
	case heads > 0 && frames > 0 && known >= 10*other, aligned > 3 && aligned == known && other == 0:
		return format.Sure
	case heads > 0 && frames > 0 && known >= 2*other: // a text that holds samples is a document, if it is sure
		return format.Likely
	case heads > 0 && bare > 0 && other == 0:
		return format.Likely
	case heads == 0 && frames > 1 && other == 0, records > 2 && other == 0:
		return format.Likely
	case heads > 0 && frames > 0, heads > 2 && other == 0:
		return format.Maybe
	case known+other == 0 && perfComment && comments > 3:
		return format.Maybe
	}
	return format.No
}

// isNumber tells whether a line that ends in a blank holds a number only: the head that -F period or -F tid prints.
func isNumber(text []byte) bool {
	n, rest := number(text)
	return n >= 0 && len(trimLeft(rest)) == 0
}

// isAligned tells whether the line begins as perf prints a frame, with an address that ends in the column of all addresses: then
// what follows is a symbol, whatever it looks like.
func isAligned(line, text []byte) bool {
	n := 0
	for n < len(text) && isHex(text[n]) {
		n++
	}
	return n > 0 && line[0] == '\t' && len(line)-len(text)+n == 17 && n < len(text) && isBlank(text[n])
}

// looksLikeFrame tells whether the text of an indented line has an address and, mostly, a module.
func looksLikeFrame(text []byte) bool {
	n := 0
	for n < len(text) && isHex(text[n]) {
		n++
	}
	if n == 0 || n == len(text) || !isBlank(text[n]) {
		return false
	}
	rest := bytes.TrimSpace(text[n:])
	return lastGroup(rest) > 0 || n >= 4 && len(rest) > 0 && lastBlank(rest) < 0 && rest[len(rest)-1] != ':'
}
