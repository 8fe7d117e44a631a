package format

import "pgknee/analysis/source"

// Block is a kind of passage that a document can hold: what one reader knows how to read out of a longer text.
//
// A document gathers its lines, peels quote marks and fences off them (a fence becomes a blank line) and offers the rest to its
// blocks in order. Line numbers stay those of the input.
type Block struct {
	Name string

	// Claims tells how many lines, from the first on, form a passage of this kind; 0 when none begins with the first line. It is
	// asked at every line that no block has claimed yet, so it should say no at the first look.
	Claims func(lines []source.Line) int

	// Read reads a claimed passage.
	Read func(*Context, Passage)
}

// Passage is a stretch of a document with what stands around it.
type Passage struct {
	Heading string   // the nearest one above: the label for what brings none of its own
	Above   []string // the paragraph before it and the headings it stands under, nearest first
	Below   []string // the paragraph after it
	Lines   []source.Line
}

// Feed hands all lines to a reader and ends it.
func (p Passage) Feed(r Reader) {
	for _, l := range p.Lines {
		r.Line(l)
	}
	r.Close()
}
