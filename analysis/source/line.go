package source

import "strings"

// Position is a place in an input, as problems and evidence name it.
type Position struct {
	File   string
	Line   int // from 1; 0 when the whole file is meant
	Column int // in bytes, from 1; 0 when the whole line is meant
}

// Split cuts the name of a file behind its last folder or archive.
func Split(name string) (folder, base string) {
	i := strings.LastIndexAny(name, "/!") + 1
	return name[:i], name[i:]
}

// Line is one line of an input, without its end.
type Line struct {
	Text []byte // valid during the call it is handed to only
	No   int    // from 1
}

// Limits bound what one input may cost. A zero field means the default.
type Limits struct {
	LineBytes     int   // a longer line is cut here and reported; default 1 MiB
	DocumentBytes int   // inputs that are not made of lines (SVG, JSON, HTML) are refused beyond this; default 256 MiB
	ArchiveFiles  int   // members of one archive; default 20,000
	ExpandedBytes int64 // bytes that one compressed input may expand to; default 16 GiB
}

// Or fills the fields of l that are zero with the defaults.
func (l Limits) Or() Limits {
	if l.LineBytes == 0 {
		l.LineBytes = 1 << 20
	}
	if l.DocumentBytes == 0 {
		l.DocumentBytes = 256 << 20
	}
	if l.ArchiveFiles == 0 {
		l.ArchiveFiles = 20_000
	}
	if l.ExpandedBytes == 0 {
		l.ExpandedBytes = 16 << 30
	}
	return l
}

// Splitter cuts pushed bytes into lines. LF, CRLF and a lone CR end a line.
type Splitter struct {
	Line func(Line)
	Long func(line int) // called once for each line that was cut at max
	Max  int            // bytes a line may have

	// Ahead, if set, is asked at the beginning of a line how many of the bytes that follow, whole lines, were taken at once.
	Ahead func(p []byte) (n, lines int)

	part []byte // the line begun in earlier pieces
	no   int
	cr   bool // the piece before ended in CR: an LF that follows belongs to it
	cut  bool // the current line is over Max, the rest of it is dropped
}

// Write takes the next piece of the input.
func (s *Splitter) Write(p []byte) {
	if s.cr && len(p) > 0 {
		s.cr = false
		if p[0] == '\n' {
			p = p[1:]
		}
	}
	lf, cr := -1, -1 // the next of each: looked for anew only when it is passed, or a piece without one would be searched for every line
	for at := 0; at < len(p); {
		if s.Ahead != nil && len(s.part) == 0 {
			if n, lines := s.Ahead(p[at:]); n > 0 {
				at += n
				s.no += lines
				continue
			}
		}
		if lf < at {
			lf = at + next(p[at:], '\n')
		}
		if cr < at {
			cr = at + next(p[at:], '\r')
		}
		end := min(lf, cr)
		if end == len(p) {
			s.keep(p[at:])
			return
		}
		s.emit(p[at:end])
		at = end + 1
		if end == cr {
			s.cr = at == len(p)
			if lf == at {
				at++
			}
		}
	}
}

// next gives the index of c in b; the length of b if it is not there.
func next(b []byte, c byte) int {
	if i := IndexByte(b, c); i >= 0 {
		return i
	}
	return len(b)
}

// Close hands over a last line that has no end.
func (s *Splitter) Close() {
	if len(s.part) > 0 {
		s.emit(nil)
	}
}

// Lines is the number of lines handed over so far.
func (s *Splitter) Lines() int { return s.no }

func (s *Splitter) keep(p []byte) {
	if room := s.Max - len(s.part); len(p) > room {
		p, s.cut = p[:room], true
	}
	s.part = append(s.part, p...)
}

func (s *Splitter) emit(p []byte) {
	s.no++
	text := p
	if len(s.part) > 0 || len(p) > s.Max {
		s.keep(p)
		text = s.part
	}
	s.Line(Line{Text: text, No: s.no})
	if s.cut && s.Long != nil {
		s.Long(s.no)
	}
	s.part, s.cut = s.part[:0], false
}
