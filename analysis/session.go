package analysis

import (
	"encoding/hex"

	"pgknee/analysis/bench"
	"pgknee/analysis/curve"
	"pgknee/analysis/format"
	"pgknee/analysis/format/all"
	"pgknee/analysis/report"
	"pgknee/analysis/source"
)

// Options say how inputs are read and analysed. The zero value is right for most.
type Options struct {
	Baseline  string            `json:"baseline,omitempty"`  // label of the series that the others are compared with
	Series    []string          `json:"series,omitempty"`    // the attributes that tell series apart
	Columns   map[string]string `json:"columns,omitempty"`   // roles of a table's columns by file name; "" for all files
	Format    map[string]string `json:"format,omitempty"`    // format by file name; "" for all files
	Cores     int               `json:"cores,omitempty"`     // hardware threads of the server
	Residuals string            `json:"residuals,omitempty"` // "log" (default) or "linear"
	Exclude   []string          `json:"exclude,omitempty"`   // runs left out of their curves, as file:line
	Rename    map[string]string `json:"rename,omitempty"`    // labels of series; two with the same new label become one series
	Order     []string          `json:"order,omitempty"`     // labels of series in the order wanted; others follow
	Limits    source.Limits     `json:"-"`
}

// Session holds inputs and answers questions about them.
type Session struct {
	Options Options
	Formats []*format.Format

	inputs []*Input
}

// New begins a session without inputs.
func New(o Options) *Session { return &Session{Options: o, Formats: all.Formats} }

// Report analyses what has been read.
func (s *Session) Report() *report.Report {
	return s.Curves()
}

// Curves is the part of the report that is there at once: files, runs and the measured curves.
func (s *Session) Curves() *report.Report {
	r := &report.Report{Schema: report.Schema}
	var runs []*bench.Run
	for _, in := range s.inputs {
		r.Files = append(r.Files, in.file())
		runs = append(runs, in.ctx.Runs...)
	}
	s.Options.exclude(runs)
	curves := s.Options.edit(curve.Group(runs, curve.Options{Series: s.Options.Series, Cores: s.Options.Cores}))
	addRuns(r, runs, curves)
	addSeries(r, runs, curves)
	return r
}

// file tells what became of an input.
func (in *Input) file() report.File {
	c := in.ctx
	f := report.File{
		Name: c.File, Bytes: in.size, Lines: in.lines.Lines(), SHA256: hex.EncodeToString(in.sum.Sum(nil)),
		Runs: len(c.Runs), Profiles: len(c.Profiles), Settings: len(c.Settings), SkippedLines: c.Skipped,
	}
	if in.format != nil {
		f.Format = in.format.Name
	}
	for _, at := range c.Samples {
		f.SkippedAt = append(f.SkippedAt, at.Line)
	}
	for _, p := range c.Problems {
		f.Problems = append(f.Problems, report.Problem{Severity: string(p.Severity), Line: p.At.Line, Column: p.At.Column, Message: p.Message, Text: p.Text})
	}
	for _, q := range c.Questions {
		f.Questions = append(f.Questions, report.Question{Kind: q.Kind, Line: q.Line, Message: q.Message, Candidates: q.Candidates, Columns: q.Columns, Preview: q.Preview})
	}
	return f
}
