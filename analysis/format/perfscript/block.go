package perfscript

import (
	"bytes"

	"pgknee/analysis/format"
	"pgknee/analysis/source"
)

// Block reads samples out of a document: a head and the frames below it, and what follows in the same way.
var Block = format.Block{
	Name: "perf-script",
	Claims: func(lines []source.Line) int {
		if !beginsSample(lines) {
			return 0
		}
		n := 1
		for end := n; end < len(lines); end++ { // blank lines belong to the passage when more of it follows
			text := trimLeft(lines[end].Text)
			switch {
			case len(text) == 0:
				continue
			case len(text) < len(lines[end].Text) && (looksLikeFrame(text) || isSourceLine(text)), beginsSample(lines[end:]):
				n = end + 1
			default:
				return n
			}
		}
		return n
	},
	Read: func(c *format.Context, p format.Passage) {
		first := len(c.Profiles)
		r := newReader(c)
		p.Feed(r)
		for _, made := range c.Profiles[first:] {
			if made.Label = p.Heading; made.Label != "" && len(c.Profiles) > first+1 {
				made.Label += " " + made.Event
			}
		}
	},
}

// beginsSample tells whether the first line is a head with frames below it, or with the one frame on it.
func beginsSample(lines []source.Line) bool {
	line := lines[0].Text
	if len(line) > 4096 || bytes.IndexByte(line, ':') < 0 {
		return false
	}
	h, ok := parseHead(line)
	if !ok {
		return false
	}
	if payloadFrame(h.payload) != nil && lastGroup(trimRight(h.payload)) > 0 {
		return true
	}
	for _, l := range lines[1:min(len(lines), 3)] {
		if text := trimLeft(l.Text); len(text) > 0 {
			return len(text) < len(l.Text) && looksLikeFrame(text)
		}
	}
	return false
}
