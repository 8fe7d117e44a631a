package pgconf

import (
	"bytes"
	"slices"
	"strings"

	"pgknee/analysis/format"
	"pgknee/analysis/format/table"
	"pgknee/analysis/settings"
	"pgknee/analysis/source"
)

// View is what SHOW and pg_settings give.
var View = &format.Format{
	Name: "pg-settings", Doc: "SHOW, SHOW ALL and pg_settings, as psql prints them, as CSV or as JSON",
	Sniff: func(_ string, head []byte) format.Confidence {
		r := &viewReader{ctx: &format.Context{Limits: source.Limits{}.Or()}}
		s := source.Splitter{Max: 1 << 16, Line: r.Line}
		s.Write(head)
		s.Close()
		r.Close()
		known := 0
		for _, set := range r.ctx.Settings {
			for name := range set.Values {
				if settings.Embedded().Has(name) {
					known++
				}
			}
		}
		switch strange := r.ctx.Skipped + r.strange; {
		case known == 0, r.rows < 2 && 4*r.strange > known: // an object that holds something else beside settings
			return format.No
		case known >= 2 && 4*strange <= known, strange == 0:
			return format.Sure
		case strange <= known:
			return format.Likely
		}
		return format.No
	},
	New: func(c *format.Context) format.Reader { return &viewReader{ctx: c} },
}

// viewReader reads such output, in any of its shapes, line by line.
type viewReader struct {
	ctx  *format.Context
	set  *settings.Set
	line int

	delimiter byte     // of the table that is passing by; 0 outside of one
	columns   []string // its header; nil when it has none
	show      string   // a setting whose value follows: its name stood alone on a line
	rule      bool     // the rule below that name was seen
	record    map[string]string
	rows      int // records of a setting each
	strange   int // pairs of JSON that are no setting
}

// Line takes a line.
func (r *viewReader) Line(l source.Line) {
	r.line = l.No
	text := strings.TrimSpace(boxes.Replace(string(l.Text)))
	if !r.take(text) {
		r.ctx.Skip(l)
	}
}

// boxes writes the bars and rules that psql draws with a line style as those of the plain one.
var boxes = strings.NewReplacer("│", "|", "║", "|", "─", "-", "═", "-", "┼", "+", "╪", "+", "╬", "+")

func (r *viewReader) take(text string) bool {
	switch {
	case text == "":
		r.endRecord()
		r.show, r.columns, r.delimiter = "", nil, 0
		return true
	case strings.HasPrefix(text, "(") && (strings.HasSuffix(text, " rows)") || strings.HasSuffix(text, " row)")):
		r.show, r.columns, r.delimiter = "", nil, 0
		return true
	case strings.HasPrefix(text, "-[ RECORD"):
		r.endRecord()
		r.record = map[string]string{}
		return true
	case strings.Trim(text, "-+|: ┌┐└┘├┤┬┴╔╗╚╝╠╣╦╩") == "":
		r.rule = r.show != ""
		return true
	case strings.Contains(text, `":`) || strings.Contains(text, `" :`) || strings.Trim(text, "{}[],+ ") == "":
		r.pairs(text)
		return true
	case r.show != "" && r.rule:
		name := r.show
		r.show, r.rule = "", false
		r.put(name, settings.Embedded().Parse(name, text))
		return true
	case r.record != nil:
		return r.field(text)
	case statement(text) || text == "version":
		return true
	case strings.HasPrefix(text, "PostgreSQL ") && strings.Contains(text, " on "): // what select version() gives
		version, _, _ := strings.Cut(text[len("PostgreSQL "):], " ")
		r.put("server_version", settings.Embedded().Parse("server_version", version))
		return true
	case r.columns != nil:
		return r.row(text)
	}
	if name, value, _ := strings.Cut(text, "|"); strings.TrimSpace(name) == "name" && known(strings.TrimSpace(value)) {
		r.record = map[string]string{}
		return r.field(text) // expanded and unaligned
	}
	return r.header(text) || r.bare(text) || r.name(text)
}

// pairs takes the JSON of a line: objects that are rows of pg_settings, or hold values by the names of settings.
func (r *viewReader) pairs(text string) {
	for i := 0; i < len(text); i++ {
		if text[i] == '}' {
			r.endRecord()
		}
		if text[i] != '"' {
			continue
		}
		key, rest := scalar(text[i:])
		i = len(text) - len(rest) - 1
		rest, found := strings.CutPrefix(strings.TrimLeft(rest, " "), ":")
		if !found {
			continue
		}
		value, rest := scalar(strings.TrimLeft(rest, " "))
		i = len(text) - len(rest) - 1
		column := strings.TrimPrefix(strings.ToLower(key), "parameter") // and as the console of a cloud has them
		switch {
		case value == "" && known(key) && strings.HasPrefix(rest, "{"):
			r.record = map[string]string{"name": key}
		case value == "" && strings.Trim(rest, "{[") != rest, value == "null":
		case column == "name", column == "value", column == "setting", column == "unit":
			if r.record == nil {
				r.record = map[string]string{}
			}
			r.record[column] = value
		case known(key):
			r.put(key, settings.Embedded().Parse(key, value))
		case r.record["name"] == "":
			r.strange++
		}
	}
}

// scalar takes a string, or the word up to the next comma or bracket, off the beginning of JSON.
func scalar(text string) (value, rest string) {
	if strings.HasPrefix(text, `"`) {
		value, n := source.Quoted(text)
		return value, text[n:]
	}
	end := strings.IndexAny(text, ",{}[] ")
	if end < 0 {
		end = len(text)
	}
	return text[:end], text[end:]
}

// statement tells what was typed into psql: a prompt, a SHOW, a SELECT from pg_settings, a switch.
func statement(text string) bool {
	lower := strings.ToLower(text)
	return strings.Contains(text, "=# ") || strings.Contains(text, "=> ") || strings.HasPrefix(lower, "show ") || strings.HasPrefix(lower, `\`) ||
		strings.HasPrefix(lower, "expanded display is") || strings.HasPrefix(lower, "output format is") || strings.HasPrefix(lower, "pager usage is") ||
		strings.Contains(lower, "from pg_settings") || strings.HasPrefix(lower, "select version()")
}

// delimiters of cells: the last one stands between those of a page's table.
const delimiters = "|,\t;" + table.Unit

// header takes the header of a table that has a column for names and one for values.
func (r *viewReader) header(text string) bool {
	for _, delimiter := range []byte(delimiters) {
		cells := cells(text, delimiter)
		for i := range cells {
			cells[i] = strings.ToLower(cells[i])
		}
		if slices.Contains(cells, "name") && (slices.Contains(cells, "setting") || slices.Contains(cells, "value") || slices.Contains(cells, "current_setting")) {
			r.columns, r.delimiter = cells, delimiter
			return true
		}
	}
	return false
}

// row takes a row of a table with a header.
func (r *viewReader) row(text string) bool {
	cells := cells(text, r.delimiter)
	get := func(column string) string {
		if i := slices.Index(r.columns, column); i >= 0 && i < len(cells) {
			return cells[i]
		}
		return ""
	}
	name := get("name")
	if len(cells) < 2 {
		return false
	}
	if name == "" {
		return true // the rest of a cell that was broken over lines
	}
	setting := get("setting")
	for _, column := range []string{"value", "current_setting"} {
		if !slices.Contains(r.columns, "setting") {
			setting += get(column)
		}
	}
	r.put(name, settings.Embedded().FromView(name, setting, get("unit")))
	return true
}

// bare takes a row of a table without a header: a known name, a value, a unit or not.
func (r *viewReader) bare(text string) bool {
	for _, delimiter := range []byte(delimiters) {
		cells := cells(text, delimiter)
		if len(cells) < 2 || !known(cells[0]) {
			continue
		}
		unit := ""
		if len(cells) > 2 && settings.IsUnit(cells[2]) {
			unit = cells[2]
		}
		r.put(cells[0], settings.Embedded().FromView(cells[0], cells[1], unit))
		return true
	}
	return false
}

// name takes a setting's name that stands alone: the header of what SHOW gives.
func (r *viewReader) name(text string) bool {
	if !known(text) {
		return false
	}
	r.show, r.rule = text, false
	return true
}

// field takes a line of expanded output.
func (r *viewReader) field(text string) bool {
	name, value, found := strings.Cut(text, "|")
	if !found {
		return false
	}
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if known(name) && len(r.record) == 0 {
		r.put(name, settings.Embedded().Parse(name, value))
		return true
	}
	r.record[strings.ToLower(name)] = value
	return true
}

func (r *viewReader) endRecord() {
	name := r.record["name"]
	setting, found := r.record["setting"]
	if !found && known(name) {
		setting, found = r.record["value"]
	}
	switch {
	case found && name != "":
		r.rows++
		r.put(name, settings.Embedded().FromView(name, setting, r.record["unit"]))
	case len(r.record) > 0:
		r.strange++
	}
	r.record = nil
}

func known(name string) bool {
	return len(name) < 64 && settings.Embedded().Has(name)
}

// put notes a setting.
func (r *viewReader) put(name string, v settings.Value) {
	if r.set == nil {
		r.set = newSet(r.ctx, r.line)
	}
	put(r.ctx, r.set, strings.ToLower(name), v)
}

// Close hands over the settings.
func (r *viewReader) Close() {
	r.endRecord()
	if r.set == nil {
		r.ctx.Problem(format.Error, 0, 0, nil, "there is no setting in this")
		return
	}
	r.ctx.Settings = append(r.ctx.Settings, r.set)
}

// cells cuts a row. In rows of commas a cell may be quoted, with quotes doubled in it; what exporters forget to quote stays as it is.
func cells(text string, delimiter byte) []string {
	if delimiter != ',' && delimiter != ';' || !strings.Contains(text, `"`) {
		out := strings.Split(text, string(delimiter))
		for i := range out {
			out[i] = strings.Trim(out[i], " `*")
		}
		return out
	}
	var out []string
	var cell []byte
	inside := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"' && inside && i+1 < len(text) && text[i+1] == '"':
			cell = append(cell, '"')
			i++
		case c == '"' && (inside || len(bytes.TrimSpace(cell)) == 0):
			inside = !inside
		case c == delimiter && !inside:
			out = append(out, string(bytes.TrimSpace(cell)))
			cell = cell[:0]
		default:
			cell = append(cell, c)
		}
	}
	return append(out, string(bytes.TrimSpace(cell)))
}
