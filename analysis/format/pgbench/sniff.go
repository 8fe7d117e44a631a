package pgbench

import (
	"bytes"
	"slices"

	"pgknee/analysis/format"
	"pgknee/analysis/format/pgconf"
	"pgknee/analysis/source"
)

// Looks tells whether a line, by itself, is of pgbench's output: a label of a summary, a progress line, a banner, a command line.
// Quote marks, prompts and prefixes may stand before it.
func Looks(line []byte) bool {
	k := kindOf(bytes.TrimSpace(line))
	return k != foreign && k != initialising && k != inside
}

// kind of a line, for recognition.
type kind uint8

const (
	foreign kind = iota
	summaryLine
	processed // of these a text needs one
	progressLine
	tpsLine
	around // a banner, a vacuum, a message, a command
	inside // a line that belongs to a block only if one is open: a statement, a script's line
	turned // a row with a label in its first cell
	initialising
	trouble
)

func kindOf(b []byte) kind {
	if len(b) < 3 {
		return foreign
	}
	l, v := leading(b)
	if l == none {
		var at int
		if l, at, v = within(b); l != none && !plausible(b[:at]) {
			l = none
		}
	}
	switch l {
	case none:
	case labelProgress:
		if isProgress(b[v:]) {
			return progressLine
		}
		return foreign
	case labelTPS:
		i := tpsEnd(b, v)
		if brackets(b, i) > i && !resultHeading(b) {
			return tpsLine
		}
		return foreign
	case labelProcessed:
		return processed
	case labelDuration:
		if i := tpsEnd(b, v); unit(b, i, "s") == i {
			return foreign
		}
		return summaryLine
	case labelBanner, labelVacuum, labelNoise, labelScript, labelScriptStatistics:
		return around
	case labelMessage, labelAborted:
		if bytes.Contains(b, []byte("error: ")) || bytes.Contains(b, []byte("fatal: ")) {
			return trouble
		}
		return around
	case labelStatements:
		return around
	default:
		return summaryLine
	}
	switch {
	case initLine(b):
		return initialising
	case b[0] == '|' || bytes.IndexByte(b, '\t') > 0:
		row := cells(b)
		if l, _ := cellLabel(row[0]); l != none && len(row) > 1 && usable(l, row[1:]) {
			return turned
		}
	case b[0] == '-' && b[1] == ' ':
		if l, _ := leading(b[2:]); l != none || has(b[2:], "weight: ") || bytes.Contains(b, []byte(" transactions (")) {
			return inside
		}
	case b[0]-'0' <= 9:
		if n, size := parseNumber(b); n.decimals >= 3 && blank(at(b, size)) && skipBlanks(b, size) < len(b) {
			return inside
		}
	}
	if bytes.Contains(b, []byte("pgbench")) {
		if findCommand(b) != nil || bytes.Contains(b, []byte("pgbench (")) {
			return around
		}
	}
	return foreign
}

// sniff counts the lines that are of pgbench.
func sniff(_ string, head []byte) format.Confidence {
	var counts [trouble + 1]int
	lines, clients := 0, false
	each(head, func(b []byte) {
		lines++
		k := kindOf(b)
		counts[k]++
		if k == summaryLine && bytes.Contains(b, []byte("number of clients")) {
			clients = true
		}
		if k != foreign && flattened(b) {
			counts[tpsLine]++
		}
	})
	own := lines - counts[foreign]
	if own > 0 && isPage(head) {
		return format.Maybe // whose markup and headings a document knows
	}
	strong := counts[tpsLine] > 0 || counts[progressLine] > 0 || counts[processed] > 0 || counts[turned] > 2 || clients && counts[summaryLine] > 1
	switch {
	case strong && own*5 >= lines*2:
		return format.Sure
	case strong && counts[tpsLine]+counts[processed]+counts[turned] > 0:
		return format.Likely
	case strong: // some progress lines in something else
		return format.Maybe
	case counts[trouble] > 0 && own*2 >= lines:
		return format.Maybe
	}
	return format.No
}

// isPage tells whether a text is HTML.
func isPage(head []byte) bool {
	t := bytes.TrimLeft(head, " \t\r\n")
	return len(t) > 1 && t[0] == '<' && (letter(t[1]) || t[1] == '!') && (bytes.Contains(t, []byte("<pre")) || bytes.Contains(t, []byte("<html")))
}

// flattened tells whether a line holds a whole summary.
func flattened(b []byte) bool {
	return len(b) > 200 && bytes.Contains(b, []byte("number of clients: ")) && bytes.Contains(b, []byte("tps = "))
}

func sniffInit(_ string, head []byte) format.Confidence {
	own, lines := 0, 0
	each(head, func(b []byte) {
		lines++
		switch kindOf(b) {
		case initialising:
			own++
		case progressLine, tpsLine, processed, summaryLine:
			lines += 1 << 20
		}
	})
	if own > 1 && own*2 >= lines {
		return format.Sure
	}
	return format.No
}

// each gives the lines of a head that are not blank.
func each(head []byte, do func([]byte)) {
	s := source.Splitter{Max: 4096, Line: func(l source.Line) {
		if b := unnumbered(bytes.TrimSpace(l.Text), l.No); len(b) > 0 {
			do(b)
		}
	}}
	s.Write(plainBlanks(head))
	s.Close()
}

// initLine tells whether a line is of pgbench -i.
func initLine(b []byte) bool {
	switch b[0] {
	case 'd':
		return has(b, "dropping old tables") || has(b, "done in ") && bytes.Contains(b, []byte(" s")) || string(b) == "done."
	case 'c':
		return has(b, "creating tables") || has(b, "creating primary keys") || has(b, "creating foreign keys") ||
			has(b, "creating ") && bytes.HasSuffix(b, []byte(" partitions..."))
	case 'g':
		return has(b, "generating data")
	case 'v':
		return has(b, "vacuum...") || has(b, "vacuuming...")
	case 's':
		return has(b, "set primary key")
	case 'N':
		return has(b, "NOTICE:") && bytes.Contains(b, []byte("does not exist, skipping"))
	}
	if b[0]-'0' <= 9 {
		_, size := parseCount(b)
		rest := bytes.TrimLeft(b[size:], " ")
		return size > 0 && (has(rest, "tuples done") || has(rest, "of ") && bytes.Contains(rest, []byte(" tuples (")))
	}
	return false
}

// noise tells whether a line is known to say nothing about results.
func noise(b []byte) bool {
	return initLine(b) || has(b, "Password") || string(b) == "..." || string(b) == "(...)" || string(b) == "[...]" || has(b, "WARNING:")
}

// Block lets a document hold pgbench output.
var Block = format.Block{
	Name: "pgbench",
	Claims: func(lines []source.Line) int {
		if len(lines) == 0 || !Looks(lines[0].Text) {
			return 0
		}
		// The passage goes on over lines that stand between those of pgbench, and ends with the last that is.
		strong, last, gap, labels := false, 0, 0, 0
		for i, l := range lines {
			b := bytes.TrimSpace(l.Text)
			k := foreign
			if len(b) > 0 {
				k = kindOf(b)
			}
			if k == foreign || !strong && i > 400 {
				if gap++; gap > 6 || i > 400 && !strong || len(pgconf.Line(b)) > 0 {
					break
				}
				continue
			}
			gap, last = 0, i+1
			if k == turned {
				labels++
			}
			strong = strong || k == tpsLine || k == progressLine || k == processed || labels > 2
		}
		if !strong {
			return 0
		}
		return last
	},
	Read: func(c *format.Context, p format.Passage) {
		r := newReader(c)
		r.headings.note(clean(p.Heading), 0)
		if i := slices.Index(p.Above, p.Heading); i >= 0 { // one that states a result or says "results" names nothing: what is it under?
			for _, h := range p.Above[i+1:] {
				if r.headings.loose == "" {
					r.headings.note(clean(h), 0)
				}
			}
		}
		p.Feed(r)
	},
}
