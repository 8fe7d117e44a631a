package analysis

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"pgknee/analysis/bench"
	"pgknee/analysis/curve"
	"pgknee/analysis/format"
	"pgknee/analysis/format/all"
	"pgknee/analysis/profile"
	"pgknee/analysis/report"
	"pgknee/analysis/settings"
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
	Exclude   []string          `json:"exclude,omitempty"`   // runs left out of their curves, as file:line, or file:line:2 for the second of a line
	Rename    map[string]string `json:"rename,omitempty"`    // labels of series; two with the same new label become one series
	Order     []string          `json:"order,omitempty"`     // labels of series in the order wanted; others follow
	Attach    map[string]string `json:"attach,omitempty"`    // labels of the series that profiles belong to, by the profile's label; "" for none
	Limits    source.Limits     `json:"-"`
}

// Version of the program, as reports and exports name it.
const Version = "0.1.0"

// Session holds inputs and answers questions about them.
type Session struct {
	Options Options
	Formats []*format.Format

	// Progress, if set, is called between the steps of long work with the number of steps done and of all, and the next. When it returns
	// false the work stops there: the report lacks what was not reached.
	Progress func(done, all int, next string) bool

	inputs []*Input
	begun  *begun // by Curves, for Report to go on with
	unmet  []string
	limit  error

	tree    *profile.Tree // of the view laid out last
	treeOf  *int32        // identifies the profile
	treeKey string
	diff    *profile.Difference // the latest, kept for the views of it
	diffOf  [2]*int32           // identifies its sides
}

// New begins a session without inputs.
func New(o Options) *Session { return &Session{Options: o, Formats: all.Formats} }

// Limit tells which of the limits on wrapped inputs cut one short; nil when none did.
func (s *Session) Limit() error { return s.limit }

// begun is a report on what has been read so far, as it was measured.
type begun struct {
	options Options
	report  *report.Report
	runs    []*bench.Run
	curves  []*bench.Curve
}

// Report analyses what has been read. Where Curves was asked before, and nothing has changed, it goes on with that report.
func (s *Session) Report() *report.Report {
	before := s.begun
	s.begun = nil
	if before == nil || !reflect.DeepEqual(before.options, s.Options) {
		before = s.measured()
	}
	r, runs, curves := before.report, before.runs, before.curves
	s.unmet = s.Options.notMet(runs, curves)
	s.addLaws(r, curves)
	s.addComparisons(r, curves)
	s.addProfileComparisons(r, s.Profiles(), curves)
	round(r)
	addAdvice(r)
	return r
}

// Curves is the part of the report that is there at once: files, runs and the measured curves.
func (s *Session) Curves() *report.Report {
	s.begun = s.measured()
	return s.begun.report
}

// measured is what needs no analysis: files, runs, profiles, and the runs sorted into curves.
func (s *Session) measured() *begun {
	r := &report.Report{Schema: report.Schema, Tool: "pgknee " + Version}
	var runs []*bench.Run
	files, copyOf := s.files()
	files, r.PassedOver = passOver(files)
	for _, f := range files {
		out := f.report()
		if original := copyOf[f]; original != nil {
			out.DuplicateOf, out.Runs, out.Profiles = original.ctx.File, 0, 0
			out.Problems = append(out.Problems, report.Problem{Severity: string(format.Warning), Message: "the same bytes as " + original.ctx.File + ": not counted twice"})
		} else {
			runs = append(runs, f.ctx.Runs...)
		}
		r.Files = append(r.Files, out)
	}
	runs, again := once(runs)
	runs, parts := bench.Gather(runs)
	var sets []*settings.Set
	var waits []*profile.Waits
	for i, f := range files {
		for _, run := range f.ctx.Runs {
			if parts[run] {
				r.Files[i].Runs--
			}
			if first := again[run]; first != nil && copyOf[f] == nil {
				r.Files[i].Runs--
				r.Files[i].Problems = append(r.Files[i].Problems, report.Problem{
					Severity: string(format.Warning), Line: run.At.Line,
					Message: fmt.Sprintf("the same run as in %s, line %d: it counts once", first.At.File, first.At.Line),
				})
			}
		}
		sets = append(sets, f.ctx.Settings...)
		if copyOf[f] == nil {
			waits = append(waits, f.ctx.Waits...)
		}
	}
	s.Options.exclude(runs)
	curves := s.Options.edit(curve.Group(runs, curve.Options{Series: s.Options.Series, Cores: s.Options.Cores, Setting: completeSetting}))
	addRuns(r, runs, curves)
	addSeries(r, runs, curves)
	addSettings(r, sets, curves)
	s.addProfiles(r, s.Profiles(), curves)
	addWaits(r, waits, curves)
	return &begun{s.Options, r, runs, curves}
}

// completeSetting gives the full name of a setting, and whether there is one.
func completeSetting(name string) (string, bool) {
	full := settings.Embedded().Full(name)
	return full, settings.Embedded().Has(full)
}

// report tells what became of a file.
func (f *file) report() report.File {
	c := f.ctx
	out := report.File{
		Name: c.File, Bytes: f.size, Lines: f.lines.Lines(),
		Runs: len(c.Runs), Profiles: len(c.Profiles), Settings: len(c.Settings), SkippedLines: c.Skipped,
	}
	if len(c.Facts) > 0 {
		out.Stated = c.Facts
	}
	if f.format != nil {
		out.Format = f.format.Name
	}
	for _, at := range c.Samples {
		out.SkippedAt = append(out.SkippedAt, at.Line)
	}
	for _, p := range c.Problems {
		out.Problems = append(out.Problems, report.Problem{Severity: string(p.Severity), Line: p.At.Line, Column: p.At.Column, Message: p.Message, Text: p.Text})
	}
	for _, q := range c.Questions {
		out.Questions = append(out.Questions, report.Question{Kind: q.Kind, Line: q.Line, Message: q.Message, Candidates: q.Candidates, Columns: q.Columns, Preview: q.Preview})
	}
	return out
}

// contents is what tells two files apart.
type contents struct {
	print uint64
	size  int64
}

// once drops runs that another file holds already, of which it is a part or an edited copy: figures to the last of six decimals with the
// same transactions are no two measurements. A folder beside the files holds the copies.
func once(runs []*bench.Run) (kept []*bench.Run, again map[*bench.Run]*bench.Run) {
	type figures struct {
		tps, latency          float64
		transactions, clients int64
		version               string
	}
	key := func(r *bench.Run) (figures, bool) {
		if r.TPS == nil || r.Transactions == nil || r.LatencyMs == nil || r.Clients == nil || *r.TPS*1e4 == math.Trunc(*r.TPS*1e4) {
			return figures{}, false
		}
		return figures{*r.TPS, *r.LatencyMs, *r.Transactions, int64(*r.Clients), r.Version}, true
	}
	first := map[figures]*bench.Run{}
	for _, r := range runs {
		if k, ok := key(r); ok && (first[k] == nil || within(first[k].At.File, r.At.File)) {
			first[k] = r
		}
	}
	again = map[*bench.Run]*bench.Run{}
	for _, r := range runs {
		if k, ok := key(r); ok && first[k].At.File != r.At.File {
			again[r] = first[k]
		} else {
			kept = append(kept, r)
		}
	}
	return kept, again
}

// within tells whether a file lies in a folder beside another of its name: old/c8.txt is the copy, c8.txt the original.
func within(name, other string) bool {
	folder, base := source.Split(name)
	outer, same := source.Split(other)
	return base == same && len(folder) > len(outer) && strings.HasPrefix(folder, outer)
}

// passOver takes the scripts out that lie among results in a folder or an archive.
func passOver(files []*file) (kept []*file, passed []string) {
	if !slices.ContainsFunc(files, func(f *file) bool { return f.format != nil }) {
		return files, nil
	}
	for _, f := range files {
		if f.script && (f.input.Walked || f.ctx.File != f.input.name) {
			passed = append(passed, f.ctx.File)
		} else {
			kept = append(kept, f)
		}
	}
	return kept, passed
}

// files gives all files in the order they were given in, and what each is a copy of. The runs and profiles of a copy count once; its
// settings count, because the same settings beside two series say something of both.
func (s *Session) files() (files []*file, copyOf map[*file]*file) {
	first := map[contents]*file{}
	copyOf = map[*file]*file{}
	for _, in := range s.inputs {
		for _, f := range in.files {
			files = append(files, f)
			c := contents{f.print.Sum(), f.size}
			if original, seen := first[c]; !seen || within(original.ctx.File, f.ctx.File) {
				first[c] = f
			}
		}
	}
	for _, f := range files {
		if original := first[contents{f.print.Sum(), f.size}]; original != f && f.size > 0 && len(f.ctx.Runs)+len(f.ctx.Profiles)+len(f.ctx.Waits) > 0 {
			copyOf[f] = original
		}
	}
	return files, copyOf
}
