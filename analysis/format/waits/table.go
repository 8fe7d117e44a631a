package waits

import (
	"slices"
	"strconv"
	"strings"

	"pgknee/analysis/source"
)

// table is a table of wait events with its columns of numbers.
type table struct {
	lines   int
	names   []string // of the rows
	columns []column
}

type column struct {
	label, unit string
	values      []float64
}

// headings by what a column of that name holds.
var (
	typeHeadings  = []string{"wait_event_type", "wait event type", "event_type", "event type", "wait type", "wait_type", "wait class", "class", "type"}
	eventHeadings = []string{"wait_event", "wait event", "waitevent", "event", "wait", "waits for", "waiting for", "wait_event_name"}
	countHeadings = []string{
		"count", "samples", "cnt", "n", "num", "sessions", "backends", "waits", "total", "hits", "aas", "avg", "seconds", "time", "number", "count(*)", "total_waits", "calls",
		"?column?", "sum", "processes", "connections", "sample_count", "occurrences",
	}
	shareHeadings = []string{"%", "share", "percent", "pct", "percentage", "ratio", "% of samples", "share of samples"}
)

// parseTable reads a table that begins with the first line; nil if it is none of wait events.
func parseTable(lines []source.Line) *table {
	first := strings.ToLower(string(lines[0].Text[:min(len(lines[0].Text), 400)]))
	if !strings.Contains(first, "wait") && !strings.Contains(first, "event") {
		return nil
	}
	header, delimiter := cells(first)
	if len(header) > 40 {
		return nil
	}
	typeAt, eventAt := -1, -1
	for i, h := range header {
		switch {
		case typeAt < 0 && slices.Contains(typeHeadings, h):
			typeAt = i
		case eventAt < 0 && slices.Contains(eventHeadings, h):
			eventAt = i
		}
	}
	if eventAt < 0 || typeAt < 0 && !strings.Contains(header[eventAt], "wait") && header[eventAt] != "event" {
		return nil
	}
	header, _ = cells(string(lines[0].Text)) // as written
	var rows [][]string
	n := 1
	for ; n < len(lines) && n < maxLines; n++ {
		text := strings.TrimSpace(string(lines[n].Text))
		if text == "" {
			break
		}
		if strings.Trim(text, "-+|: ") == "" {
			continue
		}
		if strings.HasPrefix(text, "(") && strings.Contains(text, " row") {
			n++
			break
		}
		row := split(string(lines[n].Text), delimiter)
		if len(row) != len(header) {
			break
		}
		rows = append(rows, row)
	}
	t := &table{lines: n}
	typed := false
	for _, row := range rows {
		name, ok := eventName(row, typeAt, eventAt)
		typed = typed || ok
		t.names = append(t.names, name)
	}
	if !typed || len(rows) == 0 {
		return nil
	}
	t.read(header, rows, typeAt, eventAt)
	return t
}

// eventName is the name of a row's event, and whether its type is known.
func eventName(row []string, typeAt, eventAt int) (string, bool) {
	event := row[eventAt]
	if typeAt < 0 {
		return known(event)
	}
	kind, ok := types[strings.ToLower(row[typeAt])]
	switch {
	case ok && event != "":
		return kind + ":" + event, true
	case nothing(row[typeAt]):
		return "CPU", false
	}
	return known(event)
}

// nothing tells whether a cell says that a session does not wait.
func nothing(text string) bool {
	switch strings.ToLower(strings.Trim(text, "()*[]<> ")) {
	case "", "null", "cpu", "on cpu", "running", "none", "no wait", "oncpu", "-", "¤", "cpu/unknown", "active":
		return true
	}
	return false
}

// known completes the name of an event that brings its type, with ":", ".", "/" or a blank between, and tells whether it does.
func known(event string) (string, bool) {
	if nothing(event) {
		return "CPU", false
	}
	if i := strings.IndexAny(event, ":./ "); i > 0 {
		if kind, ok := types[strings.ToLower(event[:i])]; ok {
			if rest := strings.Trim(event[i:], ":./ "); rest != "" && !strings.ContainsAny(rest, " \t") {
				return kind + ":" + rest, true
			}
		}
	}
	return event, false
}

// read takes the columns of numbers.
func (t *table) read(header []string, rows [][]string, typeAt, eventAt int) {
	var shares []column
	for i, h := range header {
		if i == typeAt || i == eventAt {
			continue
		}
		c := column{label: h, unit: "samples"}
		percent, ok := false, true
		for _, row := range rows {
			v, isPercent, isNumber := number(row[i])
			if ok = ok && (isNumber || row[i] == ""); !ok {
				break
			}
			percent = percent || isPercent
			c.values = append(c.values, v)
		}
		if !ok {
			continue
		}
		low := strings.ToLower(h)
		isShare := slices.Contains(shareHeadings, low) || strings.HasSuffix(low, "%")
		if percent || isShare {
			c.unit = "%"
		}
		switch {
		case low == "pid" || low == "" || low == "#" || low == "rank":
		case isShare:
			c.label = ""
			shares = append(shares, c)
		case slices.Contains(countHeadings, low):
			c.label, c.unit = "", low
			if c.unit == "count" || c.unit == "count(*)" || c.unit == "n" || c.unit == "cnt" || c.unit == "?column?" {
				c.unit = "samples"
			}
			t.columns = append(t.columns, c)
		default:
			t.columns = append(t.columns, c)
		}
	}
	if len(t.columns) == 0 {
		t.columns = shares
	}
	if len(t.columns) == 0 { // a session a row
		c := column{unit: "sessions"}
		for range rows {
			c.values = append(c.values, 1)
		}
		t.columns = []column{c}
	}
	// Of several counts of the same thing without a label of their own the first counts.
	first := true
	t.columns = slices.DeleteFunc(t.columns, func(c column) bool {
		again := c.label == "" && !first
		first = first && c.label != ""
		return again
	})
}

// cells splits a line of a table by the delimiter that it has.
func cells(text string) ([]string, byte) {
	for _, d := range []byte("|\t,;") {
		if strings.IndexByte(text, d) >= 0 {
			return split(text, d), d
		}
	}
	return split(text, 0), 0
}

// split cuts a line at a delimiter; 0 stands for two or more blanks.
func split(text string, delimiter byte) []string {
	text = strings.TrimRight(text, " \r")
	var out []string
	switch delimiter {
	case 0:
		for _, c := range strings.Split(strings.ReplaceAll(strings.TrimSpace(text), "\t", "  "), "  ") {
			if c = strings.TrimSpace(c); c != "" {
				out = append(out, c)
			}
		}
		return out
	case '|':
		text = strings.TrimSpace(text)
		if strings.HasPrefix(text, "|") && strings.HasSuffix(text, "|") && len(text) > 1 {
			text = text[1 : len(text)-1]
		}
	}
	for c := range strings.SplitSeq(text, string(delimiter)) {
		out = append(out, strings.Trim(c, " \t\"`*"))
	}
	return out
}

// number reads "10714", "1,234", "40.1 %".
func number(text string) (v float64, percent, ok bool) {
	text = strings.TrimSpace(text)
	if s, found := strings.CutSuffix(text, "%"); found {
		text, percent = strings.TrimSpace(s), true
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	return v, percent, err == nil && v >= 0 && v < 1e15 && text != ""
}

// item reads a line of a list: an event of a known type and a number before or behind it, and no more than marks around them.
func item(text string) (name string, v float64, ok bool) {
	if len(text) > 120 {
		return "", 0, false
	}
	text = strings.Trim(strings.TrimSpace(text), "-*• \t|,;`")
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == '|' || r == '=' })
	if len(fields) == 0 {
		return "", 0, false
	}
	for i := range fields {
		if len(fields[i]) > 1 {
			fields[i] = strings.Trim(fields[i], "`,;()")
		}
	}
	// "%" on its own belongs to the number before it, words like "samples" say what is counted.
	var words []string
	found := false
	for i, f := range fields {
		f = strings.TrimSuffix(f, ":")
		if value, _, isNumber := number(f); isNumber {
			if found && i > 0 { // a second number: the share behind a count
				continue
			}
			v, found = value, true
			continue
		}
		switch strings.ToLower(f) {
		case "%", "samples", "sessions", "backends", "waits", "times", "of", "/", "—", "-", "–", "→", ":", "":
			continue
		}
		words = append(words, f)
	}
	if !found || len(words) == 0 || len(words) > 2 {
		return "", 0, false
	}
	name, typed := known(strings.Join(words, " "))
	if !typed && name != "CPU" {
		return "", 0, false
	}
	return name, v, true
}
