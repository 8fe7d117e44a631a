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
	samples float64 // inclusive, when the file tells it; else 0
	delta   bool    // the title has a difference
}

// drawing is what a scan finds.
type drawing struct {
	rects  []rect
	exact  bool   // x and w are counts (inferno)
	kind   string // of our own graphs, whose frames stand in the file in the order of the tree
	scaled bool   // titles say other numbers than the counts, by a factor
	title  string
	failed string // the text of a graph that only says ERROR
	unit   string
	event  string
	label  string
	noName int // frames that have only a truncated text for a name
}

// tag is one tag with its attributes, as they stand in the file.
type tag struct {
	name  []byte
	attrs []byte
	empty bool // <rect/>
}

// attr gives the value of an attribute, unescaped only if need be.
func (t tag) attr(name string) (string, bool) {
	rest := t.attrs
	for {
		rest = bytes.TrimLeft(rest, " \t\r\n")
		eq := bytes.IndexByte(rest, '=')
		if eq < 0 {
			return "", false
		}
		key := bytes.TrimSpace(rest[:eq])
		rest = bytes.TrimLeft(rest[eq+1:], " \t\r\n")
		if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
			return "", false
		}
		end := bytes.IndexByte(rest[1:], rest[0])
		if end < 0 {
			return "", false
		}
		if string(key) == name {
			return unescape(rest[1 : 1+end]), true
		}
		rest = rest[end+2:]
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
			group, open, drawn = true, t, -1
			info, hasInfo = handler(t)
		case "/g", "/a":
			group, hasInfo, drawn = false, false, -1
		case "title":
			if group && !t.empty {
				info, hasInfo = unescape(content(doc)), true
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
			if drawn >= 0 && d.rects[drawn].name == "" {
				if d.rects[drawn].name = unescape(bytes.TrimSpace(text)); strings.HasSuffix(d.rects[drawn].name, "..") || d.rects[drawn].name == "" {
					d.noName++
				}
			}
		}
	}
	return d
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
	fgx, hasX := t.attr("fg:x")
	fgw, hasW := t.attr("fg:w")
	titled := false
	if hasInfo {
		var unit string
		if r.name, r.n, unit, r.delta, titled = parseTitle(info); titled && unit != "" && len(d.rects) == 0 {
			d.unit = unit
		}
	}
	switch {
	case hasX && hasW && inGroup:
		x, err1 := strconv.ParseFloat(fgx, 64)
		w, err2 := strconv.ParseFloat(fgw, 64)
		if err1 != nil || err2 != nil || !(w >= 0 && w < 1e18) || !(x >= 0 && x < 1e18) {
			return -1
		}
		if titled && r.n != w {
			d.scaled = true
		}
		r.x, r.w, r.n, d.exact = x, w, w, true
		if !titled {
			r.name = info
		}
	case titled:
		var ok1, ok2 bool
		r.x, ok1 = length(t, "x")
		r.w, ok2 = length(t, "width")
		if !ok1 || !ok2 {
			return -1
		}
	default:
		return -1
	}
	y, ok := length(t, "y")
	if !ok {
		return -1
	}
	r.y = y
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
func length(t tag, name string) (float64, bool) {
	text, _ := t.attr(name)
	n, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSuffix(text, "%"), "px"), 64)
	return n, err == nil && n > -1e9 && n < 1e9
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
	open := strings.LastIndex(inner, " (")
	if open < 0 {
		return "", 0, "", false, false
	}
	name, inner = inner[:open], inner[open+2:]
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
	if err != nil || !(n >= 0 && n < 1e18) {
		return "", 0, "", false, false
	}
	return name, n, unit, delta, true
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
