package profile

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// SVG says how a view is drawn.
type SVG struct{ Dark bool }

// wholeNodes is up to how many nodes a picture holds every frame, so that it can be read back to the same profile. Beyond it frames
// narrower than half a pixel are left out, as in any view.
const wholeNodes = 20_000

const (
	rowHeight = 17.0
	margin    = 10.0
	top       = 52.0 // title and subtitle
	charWidth = 7.25 // of the 12 px monospace font
)

// WriteSVG draws a view as a picture that needs nothing else: opaque, titled, with the exact weight of each frame in its tooltip, in
// the form that FlameGraph's titles have. All but sandwiches can be read back, by our reader to the same profile.
func WriteSVG(w io.Writer, p *Profile, v View, o SVG) error {
	if v.MinWidth == 0 && len(p.Parent) <= wholeNodes {
		v.MinWidth = -1
	}
	t, err := Prepare(p, v)
	if err != nil {
		return err
	}
	l, err := t.Layout(v)
	if err != nil {
		return err
	}
	d := drawer{Writer: bufio.NewWriterSize(w, 1<<16), l: l, p: t.Profile}
	if t.Profile.Samples != nil && !v.Samples && (l.Kind == Flame || l.Kind == Icicle) {
		q := *t.Profile
		q.Self = q.Samples
		d.samples = q.Totals()
	}
	rows := l.Rows + l.Above
	o.open(d.Writer, l.Width, top+float64(max(rows, 1))*rowHeight,
		[][2]string{{"kind", l.Kind}, {"unit", l.Unit}, {"event", d.p.Event}, {"label", d.p.Label}}, "flame graph", "rect.n{stroke:none}", d.p.Label, d.subtitle(v))
	d.WriteString(`<g id="frames">` + "\n")
	for i := range l.Rects {
		r := &l.Rects[i]
		row := int(r.Row) + l.Above
		if l.Kind != Icicle {
			row = rows - 1 - row
		}
		d.rect(r, margin+r.X, top+float64(row)*rowHeight)
	}
	d.WriteString("</g>\n</svg>\n")
	return d.Flush()
}

// open writes what a picture begins with: its size without margins, data about it, its style, its title, and what stands below that.
func (o SVG) open(w *bufio.Writer, width, height float64, data [][2]string, kind, style, title, subtitle string) {
	ink, paper, muted := "#1b1f24", "#ffffff", "#57606a"
	if o.Dark {
		ink, paper, muted = "#e6edf3", "#14181d", "#9aa4ae"
	}
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="0 0 %[1]g %[2]g" role="img"`, width+2*margin, height+margin)
	for _, d := range data {
		if d[1] != "" {
			fmt.Fprintf(w, ` data-%s="%s"`, d[0], xmlText(d[1]))
		}
	}
	fmt.Fprintf(w, ">\n<!-- pgknee %s -->\n<title>%s</title>\n", kind, xmlText(title))
	fmt.Fprintf(w, `<style>text{font:12px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#101418;white-space:pre;pointer-events:none;unicode-bidi:isolate}`+
		`.h{font:600 16px system-ui,sans-serif;fill:%s}.s{font:12px system-ui,sans-serif;fill:%s}rect{rx:2px}g>rect{stroke:%s;stroke-width:.5}%s</style>`+"\n", ink, muted, paper, style)
	fmt.Fprintf(w, `<rect width="100%%" height="100%%" fill="%s"/>`+"\n", paper)
	fmt.Fprintf(w, `<text class="h" id="title" x="%g" y="24">%s</text>`+"\n", margin, xmlText(visible(title, int(width/9))))
	fmt.Fprintf(w, `<text class="s" x="%g" y="42">%s</text>`+"\n", margin, xmlText(visible(subtitle, int(width/6.5))))
}

// drawer is a picture of a layout in the making.
type drawer struct {
	*bufio.Writer
	l       *Layout
	p       *Profile
	samples []float64 // inclusive, by node
}

func (d *drawer) subtitle(v View) string {
	l := d.l
	parts := []string{thousands(l.Shown) + " " + l.Unit}
	if l.Shown != l.Total {
		parts[0] += fmt.Sprintf(" of %s (%.2f%%)", thousands(l.Total), 100*share(l.Shown, l.Total))
	}
	if n, known := d.p.SampleCount(); known && l.Unit != "samples" && l.Kind != Sandwich {
		parts[0] += " in " + thousands(n) + " samples"
	}
	if d.p.Event != "" && d.p.Event != l.Unit {
		parts = append(parts, "event "+d.p.Event)
	}
	switch l.Kind {
	case Inverted:
		parts = append(parts, "callers of each function where time was spent")
	case Sandwich:
		parts[0] = fmt.Sprintf("%s %s of %s (%.2f%%)", thousands(d.function()), l.Unit, thousands(l.Total), 100*share(d.function(), l.Total))
		parts = append(parts, "callers and callees of "+v.Function)
	}
	for _, s := range v.Steps {
		parts = append(parts, strings.TrimSpace(s.Op+" "+s.Function+s.Module+s.Command))
	}
	if v.Search != "" {
		parts = append(parts, fmt.Sprintf("matches of %s: %.2f%%", v.Search, 100*share(l.Matched, l.Total)))
	}
	if l.Hidden > 0 {
		parts = append(parts, thousands(float64(l.Hidden))+" frames too narrow to be drawn")
	}
	return strings.Join(append(parts, "drawn by pgknee"), " · ")
}

// function is the weight of the function of a sandwich, which is its first frame.
func (d *drawer) function() float64 { return d.l.Rects[0].Total }

func (d *drawer) rect(r *Rect, x, y float64) {
	f := d.l.Frames[r.Frame]
	d.WriteString("<g")
	if f.Module != "" {
		d.WriteString(` data-module="` + xmlText(f.Module) + `"`)
	}
	if f.Flags != "" {
		d.WriteString(` data-flags="` + f.Flags + `"`)
	}
	if d.samples != nil && r.Node >= 0 {
		d.WriteString(` data-samples="` + number(d.samples[r.Node]) + `"`)
	}
	total := percentOf(r.Total, d.l.Total)
	d.WriteString("><title>" + xmlText(f.Name) + " (" + thousands(r.Total) + " " + xmlText(d.l.Unit) + ", " + total + "%)</title>")
	d.WriteString(`<rect x="` + pixels(x) + `" y="` + pixels(y) + `" width="` + pixels(r.W) + `" height="16" fill="` + d.fill(f, r) + `"`)
	if r.W < 2 {
		d.WriteString(` class="n"`)
	}
	d.WriteString("/>")
	if chars := int((r.W - 6) / charWidth); chars >= 3 {
		ink := ""
		if r.Match {
			ink = ` style="fill:#ffffff"`
		}
		d.WriteString(`<text x="` + pixels(x+3) + `" y="` + pixels(y+12) + `"` + ink + `>` + xmlText(visible(f.Name, chars)) + "</text>")
	}
	d.WriteString("</g>\n")
}

// fill is the colour of a frame: by what it is, varied by its name so that neighbours can be told apart. Dark text is legible on all
// but that of matches.
func (d *drawer) fill(f Label, r *Rect) string {
	h := fnv.New32a()
	h.Write([]byte(f.Name))
	vary := float64(h.Sum32()%1000) / 1000
	flags := Flags(0)
	for i := range len(f.Flags) {
		flags |= FlagOf(f.Flags[i])
	}
	switch {
	case r.Match:
		return "#a21caf"
	case r.Node == 0: // everything
		return "#d0d7de"
	case flags&Unknown != 0:
		return hsl(210, 0.06, 0.70+0.10*vary)
	case flags&Kernel != 0:
		return hsl(205+15*vary, 0.60, 0.66+0.10*vary)
	case flags&JIT != 0:
		return hsl(140+20*vary, 0.40, 0.62+0.12*vary)
	}
	return hsl(18+30*vary, 0.85, 0.64+0.10*vary)
}

func hsl(h, s, l float64) string {
	c := func(n float64) int {
		k := math.Mod(n+h/30, 12)
		return int(math.Round(255 * (l - s*min(l, 1-l)*max(-1, min(k-3, 9-k, 1)))))
	}
	return fmt.Sprintf("#%02x%02x%02x", c(0), c(8), c(4))
}

func percentOf(part, total float64) string {
	if part >= total {
		return "100"
	}
	return strconv.FormatFloat(100*part/total, 'f', 2, 64)
}

// pixels writes a length with as many digits as a frame needs to be found in the one below when the picture is read.
func pixels(x float64) string {
	s := strconv.FormatFloat(x, 'f', 4, 64)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// visible cuts a text to a number of characters, and takes out what would change the direction of the text around it.
func visible(s string, chars int) string {
	if len(s) > 4*chars { // no need to look at all of a very long name
		s = s[:4*chars]
	}
	s = strings.Map(func(c rune) rune {
		if isBidi(c) {
			return '·'
		}
		return c
	}, s)
	if utf8.RuneCountInString(s) <= chars {
		return s
	}
	runes := []rune(s)
	return string(runes[:max(chars-1, 0)]) + "…"
}

// xmlText escapes a text for content and attributes; what XML can't hold becomes U+FFFD, and line ends become blanks.
func xmlText(s string) string {
	plain := true
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '<' || c == '>' || c == '&' || c == '"' || c == '\'' {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	var b strings.Builder
	for _, c := range s {
		switch {
		case c == '<':
			b.WriteString("&lt;")
		case c == '>':
			b.WriteString("&gt;")
		case c == '&':
			b.WriteString("&amp;")
		case c == '"':
			b.WriteString("&quot;")
		case c == '\'':
			b.WriteString("&#39;")
		case c == '\t', c == '\n', c == '\r':
			b.WriteByte(' ')
		case c < ' ', c == 0xFFFE, c == 0xFFFF:
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}
