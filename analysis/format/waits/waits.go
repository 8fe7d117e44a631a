// Package waits reads counts of sessions by wait event: what a query over pg_stat_activity or a sampling extension gives as a table, and
// the lists that people write ("LWLock:WALWrite 40 %").
//
// Decided here: a table is one of wait events when a column is headed so or when a column holds known types (LWLock, IO, Client, …);
// every column of numbers is a list of its own, but percentages beside counts are left out; a table without counts holds one session a
// row. A session without a wait event is on the CPU.
package waits

import (
	"bytes"
	"slices"
	"strings"

	"pgknee/analysis/format"
	"pgknee/analysis/profile"
	"pgknee/analysis/source"
)

// types are the classes of wait events of all versions.
var types = map[string]string{
	"lwlock": "LWLock", "lwlocknamed": "LWLock", "lwlocktranche": "LWLock", "lock": "Lock", "bufferpin": "BufferPin", "buffer": "Buffer", "activity": "Activity",
	"extension": "Extension", "client": "Client", "ipc": "IPC", "timeout": "Timeout", "io": "IO", "injectionpoint": "InjectionPoint",
}

// Format is a file of nothing else.
var Format = &format.Format{
	Name: "wait-events", Doc: "counts of sessions by wait event: a table of pg_stat_activity samples or a list",
	Sniff: func(_ string, head []byte) format.Confidence {
		r := &reader{ctx: &format.Context{Limits: source.Limits{}.Or()}}
		s := source.Splitter{Max: 1 << 14, Line: r.Line}
		s.Write(head)
		s.Close()
		r.Close()
		if len(r.ctx.Waits) > 0 && r.ctx.Skipped <= 2 {
			return format.Sure
		}
		return format.No
	},
	New: func(c *format.Context) format.Reader { return &reader{ctx: c} },
}

// maxLines is how much of a table is read: there are some three hundred wait events, and a session a row is seldom more.
const maxLines = 20_000

// reader holds the lines of a file that may have a sentence above its table.
type reader struct {
	ctx   *format.Context
	lines []source.Line
}

// Line keeps a line.
func (r *reader) Line(l source.Line) {
	if len(r.lines) < maxLines {
		r.lines = append(r.lines, source.Line{Text: bytes.Clone(l.Text), No: l.No})
	}
}

// Close reads what was kept.
func (r *reader) Close() {
	for i := 0; i < len(r.lines); {
		n := Block.Claims(r.lines[i:])
		if n == 0 {
			if t := bytes.TrimSpace(r.lines[i].Text); len(t) > 0 && !sql(string(t)) {
				r.ctx.Skip(r.lines[i])
			}
			i++
			continue
		}
		Block.Read(r.ctx, format.Passage{Lines: r.lines[i : i+n]})
		i += n
	}
}

// sql tells whether a line is the query that gave the table.
func sql(text string) bool {
	low := strings.ToLower(text)
	return strings.Contains(low, "wait_event") || strings.Contains(low, "pg_stat_activity") || strings.HasPrefix(low, "group by") || strings.HasPrefix(low, "order by") ||
		strings.HasPrefix(low, "where ") || strings.HasPrefix(low, "#")
}

// Block reads such a table or list out of a document.
var Block = &format.Block{
	Name: "wait-events",
	Claims: func(lines []source.Line) int {
		if t := parseTable(lines); t != nil {
			return t.lines
		}
		n, typed := 0, false
		for n < len(lines) {
			name, _, ok := item(string(lines[n].Text))
			if !ok {
				break
			}
			typed = typed || strings.Contains(name, ":")
			n++
		}
		if n < 2 || !typed {
			return 0
		}
		return n
	},
	Read: func(c *format.Context, p format.Passage) {
		at := source.Position{File: c.File, Line: p.Lines[0].No}
		words := append(slices.Clone(p.Above), p.Heading)
		if t := parseTable(p.Lines); t != nil {
			for _, column := range t.columns {
				w := &profile.Waits{Label: column.label, Words: words, At: at, Unit: column.unit}
				for i, name := range t.names {
					if v := column.values[i]; v > 0 {
						w.Add(name, v)
					}
				}
				give(c, w)
			}
			return
		}
		w := &profile.Waits{Words: words, At: at, Unit: "samples"}
		for _, l := range p.Lines {
			name, v, _ := item(string(l.Text))
			if bytes.IndexByte(l.Text, '%') >= 0 {
				w.Unit = "%"
			}
			w.Add(name, v)
		}
		give(c, w)
	},
}

func give(c *format.Context, w *profile.Waits) {
	if len(w.Events) > 0 {
		c.Waits = append(c.Waits, w)
	}
}
