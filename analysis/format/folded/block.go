package folded

import (
	"pgknee/analysis/format"
	"pgknee/analysis/source"
)

// Block reads folded stacks out of a document: two or more lines, most of them of several frames.
var Block = format.Block{
	Name: "folded",
	Claims: func(lines []source.Line) int {
		n, deep := 0, 0
		for n < len(lines) && len(lines[n].Text) < 1<<16 {
			stack, _, state := count(trim(lines[n]))
			if state != isCount || !hasLetter(stack) {
				break
			}
			if isStack(stack) {
				deep++
			} else if n == 0 {
				return 0
			}
			n++
		}
		if deep < 2 || 2*deep < n {
			return 0
		}
		return n
	},
	Read: func(c *format.Context, p format.Passage) {
		first := len(c.Profiles)
		r := newReader(c)
		p.Feed(r)
		for _, made := range c.Profiles[first:] {
			if made.Label = p.Heading; made.Label != "" && made.Column != "" {
				made.Label += " " + made.Column
			}
		}
	},
}
