package export

// A document is a list of blocks.
type document []block

type block interface{ isBlock() }

type (
	// lead is the answer, which stands out where the style can show it.
	lead      string
	heading   string
	paragraph string
	// bullets are short points.
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

func (lead) isBlock()      {}
func (heading) isBlock()   {}
func (paragraph) isBlock() {}
func (bullets) isBlock()   {}
func (code) isBlock()      {}
func (table) isBlock()     {}
func (picture) isBlock()   {}

// with gives the document with every text changed by f.
func (d document) with(f func(string) string) document {
	all := func(list []string) []string {
		out := make([]string, len(list))
		for i, s := range list {
			out[i] = f(s)
		}
		return out
	}
	out := make(document, len(d))
	for i, b := range d {
		switch b := b.(type) {
		case lead:
			out[i] = lead(f(string(b)))
		case heading:
			out[i] = heading(f(string(b)))
		case paragraph:
			out[i] = paragraph(f(string(b)))
		case bullets:
			out[i] = bullets(all(b))
		case code:
			out[i] = code(all(b))
		case table:
			t := table{head: all(b.head), right: b.right, note: f(b.note)}
			for _, row := range b.rows {
				t.rows = append(t.rows, all(row))
			}
			out[i] = t
		default:
			out[i] = b
		}
	}
	return out
}

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
