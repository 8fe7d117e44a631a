package format

import (
	"pgknee/analysis/bench"
	"pgknee/analysis/profile"
	"pgknee/analysis/settings"
	"pgknee/analysis/source"
)

// Confidence of a Sniff.
type Confidence int

// From "certainly not" to "nothing else looks like this".
const (
	No Confidence = iota
	Maybe
	Likely
	Sure
)

// HeadBytes is how much of an input Sniff gets to see, at the most.
const HeadBytes = 64 << 10

// Format is one kind of input. Exactly one of New, NewBytes and Refuse is set.
type Format struct {
	Name, Doc string

	// Sniff looks at the beginning of an input, already decoded to UTF-8 and up to HeadBytes long. It must work with name "".
	Sniff func(name string, head []byte) Confidence

	New      func(*Context) Reader     // for inputs made of lines
	NewBytes func(*Context) ByteReader // for inputs that are not: SVG, JSON, HTML
	Refuse   string                    // for inputs that are recognised only to be refused: what to do instead
}

// Reader is a state machine that is handed one line at a time.
type Reader interface {
	Line(source.Line) // the line's bytes are valid during the call only
	Close()           // end of input: hand over the last block
}

// Leaper is a Reader that can take lines in one go: those that p begins with, as far as it knows them. It gives how many bytes and
// lines it took; the next line is handed to it as usual.
type Leaper interface {
	Ahead(p []byte) (n, lines int)
}

// ByteReader is handed pieces of bytes.
type ByteReader interface {
	Write([]byte)
	Close()
}

// Severity of a problem.
type Severity string

// An error means that something of the input is missing from the report; a warning that it is there but to be read with care.
const (
	Warning Severity = "warning"
	Error   Severity = "error"
)

// Problem is something wrong at a place in an input.
type Problem struct {
	Severity Severity
	At       source.Position
	Message  string // lower case, no final full stop
	Text     string // the line, cut to a sane length
}

// Question is what can't be settled safely from the input alone.
type Question struct {
	Kind       string // columns | log-fields | clients | …
	Line       int
	Message    string
	Candidates []string   // the readings, best first, each an answer that Options takes
	Columns    []string   // headings, for kind columns
	Preview    [][]string // first rows, for kind columns
}

// Options are answers that the user gave beforehand.
type Options struct {
	Columns string // roles of a table's columns: "clients,tps,series,run,-"
	Format  string // skip recognition
}

// Context is where a reader puts what it found in one input.
type Context struct {
	File    string
	Options Options
	Limits  source.Limits

	Runs      []*bench.Run
	Profiles  []*profile.Profile
	Settings  []*settings.Set
	Waits     []*profile.Waits
	Problems  []Problem
	Questions []Question
	Facts     bench.Attributes  // what the text around the results states of the machine and the server: "server cores" → "96"
	Skipped   int               // lines that belonged to nothing known
	Samples   []source.Position // of the first few skipped lines
	dropped   int
	skipped   int // the last line skipped

	shifted, shift int // the line that is being read, and where it begins in that of the input
}

// MaxProblems is how many problems of one input are kept; the rest is counted.
const MaxProblems = 200

// Problem notes a problem.
func (c *Context) Problem(s Severity, line, column int, text []byte, message string) {
	if len(c.Problems) >= MaxProblems {
		c.dropped++
		return
	}
	if len(text) > 200 {
		text = text[:200]
	}
	if column > 0 && line == c.shifted {
		column += c.shift
	}
	c.Problems = append(c.Problems, Problem{s, source.Position{File: c.File, Line: line, Column: column}, message, string(text)})
}

// Shift says that a line was taken out of its input's line, of which so many bytes stood before it.
func (c *Context) Shift(line, bytes int) { c.shifted, c.shift = line, bytes }

// Dropped is the number of problems beyond MaxProblems.
func (c *Context) Dropped() int { return c.dropped }

// Skip notes a line that belongs to nothing known.
func (c *Context) Skip(l source.Line) {
	if l.No != 0 && l.No == c.skipped {
		return // a line of a page may show as several
	}
	c.skipped = l.No
	c.Skipped++
	if len(c.Samples) < 5 {
		c.Samples = append(c.Samples, source.Position{File: c.File, Line: l.No})
	}
}

// Fact notes what the text states beside the results.
func (c *Context) Fact(name, value string) {
	if c.Facts == nil {
		c.Facts = bench.Attributes{}
	}
	c.Facts[name] = value
}
