package flamegraph

import (
	"bytes"
	"strconv"
	"strings"
)

// rect is a frame as it is drawn, before its place in the tree is known.
type rect struct {
	x, y, w float64 // in pixels, percent or counts
	n       float64 // weight with all above it
	name    string
	module  string
	flags   string
	samples float64    // inclusive, when the file tells it; else 0
	titled  bool       // name and n are those of the title
	delta   bool       // the title has a difference
	guessed bool       // the title is not FlameGraph's: n is to be had from the width
	title   string     // that title, for a frame whose text is cut
	sides   [2]float64 // weights before and after, of a graph that tells both
}

// maxWeight bounds a weight, so that no sum is infinite.
const maxWeight = 1e300

// drawing is what a scan finds.
type drawing struct {
	rects   []rect
	exact   bool   // x and w are counts (inferno)
	counted bool   // a title has told the unit
	kind    string // of our own graphs, whose frames stand in the file in the order of the tree
	scaled  bool   // titles say other numbers than the counts, by a factor
	title   string
	failed  string // the text of a graph that only says ERROR
	unit    string
	event   string
	label   string
	noName  int // frames that have only a truncated text for a name
	sided   int // frames whose title tells the weights of both sides
}

// tag is one tag with its attributes, as they stand in the file.
type tag struct {
	name  []byte
	attrs []byte
	empty bool // <rect/>
}

// next gives the first attribute of attrs, as it stands in the file, and what follows it.
func next(attrs []byte) (key, value, rest []byte) {
	i := 0
	for i < len(attrs) && attrs[i] <= ' ' {
		i++
	}
	attrs = attrs[i:]
	eq := bytes.IndexByte(attrs, '=')
	if eq < 0 {
		return nil, nil, nil
	}
	key, rest = bytes.TrimRight(attrs[:eq], " \t\r\n"), bytes.TrimLeft(attrs[eq+1:], " \t\r\n")
	if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return nil, nil, nil
	}
	end := bytes.IndexByte(rest[1:], rest[0])
	if end < 0 {
		return nil, nil, nil
	}
	return key, rest[1 : 1+end], rest[end+2:]
}

// attr gives the value of an attribute, unescaped.
func (t tag) attr(name string) (string, bool) {
	for rest := t.attrs; ; {
		var key, value []byte
		if key, value, rest = next(rest); key == nil {
			return "", false
		}
		if string(key) == name {
			return unescape(value), true
		}
	}
}

// scan finds the frames of a flame graph.
func scan(doc []byte) *drawing {
	d := &drawing{unit: "samples"}
	var (
		group   bool   // inside <g> or <a>
		info    string // what the group says of its frame
		hasInfo bool
		open    tag // of the group
		drawn   = -1
	)
	for len(doc) > 0 {
		at := bytes.IndexByte(doc, '<')
		if at < 0 {
			break
		}
		doc = doc[at:]
		if skip := passage(doc); skip > 0 {
			doc = doc[skip:]
			continue
		}
		end := tagEnd(doc)
		if end < 0 {
			break
		}
		t := parseTag(doc[1:end])
		doc = doc[end+1:]
		switch string(t.name) {
		case "svg":
			for attr, to := range map[string]*string{"data-event": &d.event, "data-unit": &d.unit, "data-kind": &d.kind, "data-label": &d.label} {
				if v, ok := t.attr(attr); ok {
					*to = v
				}
			}
		case "g", "a":
			if hasInfo && string(t.name) == "a" {
				break // --nameattr puts a link around a frame, within its group
			}
			group, open, drawn = true, t, -1
			info, hasInfo = handler(t)
		case "/g", "/a":
			group, hasInfo, drawn = false, false, -1
		case "title":
			if title := content(doc); group && !t.empty && (!hasInfo || bytes.HasSuffix(title, []byte("%)"))) { // --nameattr replaces titles
				info, hasInfo = unescape(title), true
			}
		case "rect":
			text, ok := handler(t)
			if !ok {
				text, ok = info, hasInfo
			}
			drawn = d.frame(t, open, text, ok, group)
			hasInfo = false
		case "text":
			if t.empty {
				break
			}
			text := content(doc)
			if id, _ := t.attr("id"); id == "title" && d.title == "" {
				d.title = unescape(text)
			}
			if bytes.HasPrefix(text, []byte("ERROR")) {
				d.failed = unescape(text)
			}
			if drawn >= 0 && !d.rects[drawn].titled {
				d.name(&d.rects[drawn], unescape(bytes.TrimSpace(text)))
			}
		}
	}
	return d
}

// name gives a frame without a title of FlameGraph's its name: its text, or the title that stands in the file if the text is cut.
func (d *drawing) name(r *rect, text string) {
	cut := text == "" || strings.HasSuffix(text, "..")
	switch {
	case cut && r.title != "":
		r.name = r.title
	case cut:
		r.name = text
		d.noName++
	default:
		r.name = text
	}
}

// passage gives the length of a comment, a CDATA section, a declaration or a script, none of which holds frames; 0 for a tag.
func passage(doc []byte) int {
	for _, p := range [...]struct{ open, close string }{{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}, {"<script", "</script>"}, {"<style", "</style>"}} {
		if len(doc) >= len(p.open) && string(doc[:len(p.open)]) == p.open {
			if end := bytes.Index(doc, []byte(p.close)); end >= 0 {
				return end + len(p.close)
			}
			return len(doc)
		}
	}
	return 0
}

// tagEnd finds the > that ends a tag: one inside quotes does not.
func tagEnd(doc []byte) int {
	for i := 0; i < len(doc); i++ {
		switch doc[i] {
		case '>':
			return i
		case '"', '\'':
			end := bytes.IndexByte(doc[i+1:], doc[i])
			if end < 0 {
				return -1
			}
			i += end + 1
		}
	}
	return -1
}

func parseTag(b []byte) (t tag) {
	if len(b) > 0 && b[len(b)-1] == '/' {
		b, t.empty = b[:len(b)-1], true
	}
	n := bytes.IndexAny(b, " \t\r\n")
	if n < 0 {
		n = len(b)
	}
	t.name, t.attrs = b[:n], b[n:]
	return t
}

// content is the text up to the next tag.
func content(doc []byte) []byte {
	if end := bytes.IndexByte(doc, '<'); end >= 0 {
		return doc[:end]
	}
	return doc
}

// handler gives what the mouse handler of the old FlameGraph would show: onmouseover="s('NAME (151 samples, 0.04%)')".
func handler(t tag) (string, bool) {
	text, ok := t.attr("onmouseover")
	if !ok || !strings.HasPrefix(text, "s('") {
		return "", false
	}
	text = text[len("s('"):]
	end := strings.LastIndex(text, "')")
	if end < 0 {
		return "", false
	}
	return strings.ReplaceAll(text[:end], `\'`, `'`), true
}

// frame takes a rectangle if it is a frame, and gives its index, or -1.
func (d *drawing) frame(t, group tag, info string, hasInfo, inGroup bool) int {
	var r rect
	var x, y, width, fgx, fgw []byte
	for rest := t.attrs; ; {
		var key, value []byte
		if key, value, rest = next(rest); key == nil {
			break
		}
		switch string(key) {
		case "x":
			x = value
		case "y":
			y = value
		case "width":
			width = value
		case "fg:x":
			fgx = value
		case "fg:w":
			fgw = value
		}
	}
	if hasInfo {
		var unit string
		if r.name, r.n, unit, r.delta, r.titled = parseTitle(info); !r.titled {
			if r.name, r.sides, unit, r.titled = parseSides(info); r.titled {
				r.n = r.sides[1]
				d.sided++
			}
		}
		if r.titled && unit != "" && !d.counted {
			d.unit, d.counted = unit, true
		}
	}
	var ok1, ok2, ok3 bool
	switch {
	case fgx != nil && fgw != nil && inGroup:
		var w float64
		r.x, ok1 = length(fgx)
		if w, ok2 = length(fgw); !ok1 || !ok2 || w < 0 {
			return -1
		}
		if r.titled && d.sided == 0 && r.n != w {
			d.scaled = true
		}
		r.w, r.n, d.exact = w, w, true
		if !r.titled {
			r.title = info
		}
	case r.titled, hasInfo && inGroup && d.kind == "":
		r.guessed = !r.titled
		if r.guessed {
			r.title = info
		}
		r.x, ok1 = length(x)
		if r.w, ok2 = length(width); !ok1 || !ok2 {
			return -1
		}
	default:
		return -1
	}
	if r.y, ok3 = length(y); !ok3 {
		return -1
	}
	if d.kind == "" {
		d.rects = append(d.rects, r)
		return len(d.rects) - 1
	}
	r.module, _ = group.attr("data-module")
	r.flags, _ = group.attr("data-flags")
	if s, ok := group.attr("data-samples"); ok {
		if n, err := strconv.ParseFloat(s, 64); err == nil && n >= 0 && n < 1e18 {
			r.samples = n
		}
	}
	d.rects = append(d.rects, r)
	return len(d.rects) - 1
}

// length reads a number of pixels or of percent.
func length(text []byte) (float64, bool) {
	if n := len(text); n > 0 && text[n-1] == '%' {
		text = text[:n-1]
	}
	if n, ok := decimal(text); ok {
		return n, true
	}
	n, err := strconv.ParseFloat(strings.TrimSuffix(string(text), "px"), 64)
	return n, err == nil && n > -1e18 && n < 1e18
}

// decimal reads what nearly all numbers of a picture look like: a few digits with a point in them.
func decimal(text []byte) (float64, bool) {
	n, scale, point := 0, 1, false
	if len(text) == 0 || len(text) > 15 {
		return 0, false
	}
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9':
			n = n*10 + int(c-'0')
			if point {
				scale *= 10
			}
		case c == '.' && !point:
			point = true
		default:
			return 0, false
		}
	}
	return float64(n) / float64(scale), true
}

// parseTitle takes a title apart:
//
//	NAME (1,234 samples, 5.67%)           NAME (1,234 samples, 5.67%; +0.12%)
//	NAME (4 sample weight, 11 samples, 3.59%)
//
// The count is the last one before the share.
func parseTitle(text string) (name string, n float64, unit string, delta, ok bool) {
	text = strings.TrimSpace(text)
	inner, found := strings.CutSuffix(text, "%)")
	if !found {
		return "", 0, "", false, false
	}
	open := strings.LastIndex(" "+inner, " (") // a frame may have an empty name
	if open < 0 {
		return "", 0, "", false, false
	}
	name, inner = strings.TrimSuffix(inner[:open], " "), inner[open+1:]
	if semi := strings.LastIndex(inner, "%; "); semi >= 0 {
		inner, delta = inner[:semi], true
	}
	comma := strings.LastIndex(inner, ", ")
	if comma < 0 {
		return "", 0, "", false, false
	}
	if _, err := strconv.ParseFloat(inner[comma+2:], 64); err != nil {
		return "", 0, "", false, false
	}
	count := inner[:comma]
	if comma = strings.LastIndex(count, ", "); comma >= 0 {
		count = count[comma+2:]
	}
	number, unit, _ := strings.Cut(count, " ")
	n, err := strconv.ParseFloat(strings.ReplaceAll(number, ",", ""), 64)
	if err != nil || !(n >= 0 && n < maxWeight) {
		return "", 0, "", false, false
	}
	return name, n, unit, delta, true
}

// parseSides takes a title of inferno's differential graphs apart, which tells the weights before and after:
//
//	NAME
//	Self:
//		Before:	(1 samples, 9.09%)
//		…
//	Total:
//		Before:	(1 samples, 9.09%)
//		After:	(10 samples, 90.91%)
func parseSides(text string) (name string, sides [2]float64, unit string, ok bool) {
	name, rest, ok := strings.Cut(text, "\nSelf:")
	if !ok {
		return "", sides, "", false
	}
	_, rest, _ = strings.Cut(rest, "\nTotal:")
	for i, side := range []string{"Before:", "After:"} {
		if _, rest, ok = strings.Cut(rest, side); !ok {
			return "", sides, "", false
		}
		line, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
		if _, sides[i], unit, _, ok = parseTitle("x " + strings.TrimSpace(line)); !ok {
			return "", sides, "", false
		}
	}
	return name, sides, unit, true
}

// unescape replaces the character references of XML.
func unescape(b []byte) string {
	if bytes.IndexByte(b, '&') < 0 {
		return string(b)
	}
	var out strings.Builder
	for len(b) > 0 {
		amp := bytes.IndexByte(b, '&')
		if amp < 0 {
			out.Write(b)
			break
		}
		out.Write(b[:amp])
		b = b[amp:]
		end := bytes.IndexByte(b[:min(len(b), 12)], ';')
		if end < 0 {
			out.WriteByte('&')
			b = b[1:]
			continue
		}
		ref := string(b[1:end])
		b = b[end+1:]
		switch ref {
		case "lt":
			out.WriteByte('<')
		case "gt":
			out.WriteByte('>')
		case "amp":
			out.WriteByte('&')
		case "quot":
			out.WriteByte('"')
		case "apos":
			out.WriteByte('\'')
		default:
			digits, base := ref, 10
			if strings.HasPrefix(ref, "#x") {
				digits, base = ref[2:], 16
			} else if strings.HasPrefix(ref, "#") {
				digits = ref[1:]
			} else {
				digits = "none"
			}
			if c, err := strconv.ParseUint(digits, base, 32); err == nil && c <= 0x10FFFF {
				out.WriteRune(rune(c))
			} else {
				out.WriteString("&" + ref + ";")
			}
		}
	}
	return out.String()
}
