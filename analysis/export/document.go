package export

// A document is a list of blocks.
type document []block

type block interface{ isBlock() }

type (
	heading   string
	paragraph string
	// bullets are short points; a mark other than "" stands in front instead of the list's own.
	bullets []string
	// code is a list of lines to run or to paste.
	code []string
	// table has a head, and columns that are aligned right where right says so.
	table struct {
		head  []string
		right []bool
		rows  [][]string
		note  string
	}
	// picture is a drawn chart.
	picture struct{ title, svg string }
)

func (heading) isBlock()   {}
func (paragraph) isBlock() {}
func (bullets) isBlock()   {}
func (code) isBlock()      {}
func (table) isBlock()     {}
func (picture) isBlock()   {}

func (d *document) heading(text string) { *d = append(*d, heading(text)) }

func (d *document) say(text string) {
	if text != "" {
		*d = append(*d, paragraph(text))
	}
}

func (d *document) list(points ...string) {
	if len(points) > 0 {
		*d = append(*d, bullets(points))
	}
}
