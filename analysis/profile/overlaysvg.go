package profile

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"unicode/utf8"
)

// Ends of the colour scale of a difference: a pair that colour-blind readers can tell apart, on which dark text is legible.
var (
	moreColour = [3]float64{0xf0, 0x88, 0x3e} // orange: the share grew
	lessColour = [3]float64{0x6c, 0xb6, 0xff} // blue: it shrank
	sameColour = [3]float64{0xe4, 0xe4, 0xe0}
)

// changeColour is the colour of a change on a scale that ends at largest.
func changeColour(change, largest float64) string {
	end := moreColour
	if change < 0 {
		end = lessColour
	}
	at := 0.0
	if largest > 0 {
		at = math.Sqrt(min(math.Abs(change)/largest, 1)) // small changes stay visible beside a large one
	}
	mix := func(i int) int { return int(math.Round(sameColour[i] + at*(end[i]-sameColour[i]))) }
	return fmt.Sprintf("#%02x%02x%02x", mix(0), mix(1), mix(2))
}

// WriteOverlaySVG draws a difference as a picture that needs nothing else. Colour, a sign and the tooltip say how the share of a frame
// changed; frames of one side only have a dashed outline.
func WriteOverlaySVG(w io.Writer, d *Difference, v OverlayView, o SVG) error {
	l, err := d.Layout(v)
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(w, 1<<16)
	const legend = 22.0
	what := "inclusive"
	if v.Self {
		what = "own"
	}
	subtitle := "how the " + what + " share of each function changed, in points of each side's total"
	if l.Hidden > 0 {
		subtitle += " · " + thousands(float64(l.Hidden)) + " frames too narrow to be drawn"
	}
	o.open(b, l.Width, top+legend+float64(max(l.Rows, 1))*rowHeight,
		[][2]string{{"kind", "difference"}}, "difference", "g>.o{stroke:#101418;stroke-width:1;stroke-dasharray:3 2}", d.From+" → "+d.To, subtitle+" · drawn by pgknee")
	x := margin
	for _, key := range []struct {
		change float64
		text   string
	}{
		{-1, "less in " + visible(d.To, 30)},
		{0, "same"},
		{1, "more in " + visible(d.To, 30) + ", full colour at ±" + points(l.Largest)[1:]},
	} {
		fmt.Fprintf(b, `<rect x="%g" y="52" width="14" height="12" fill="%s"/><text class="s" x="%g" y="62">%s</text>`+"\n", x, changeColour(key.change, 1), x+20, xmlText(key.text))
		x += 40 + 6.2*float64(utf8.RuneCountInString(key.text))
	}
	fmt.Fprintf(b, `<g><rect class="o" x="%g" y="52" width="14" height="12" fill="none"/></g><text class="s" x="%g" y="62">in one of them only</text>`+"\n", x, x+20)
	b.WriteString(`<g id="frames">` + "\n")
	for _, r := range l.Rects {
		row := int(r.Row)
		if l.Kind != Icicle {
			row = l.Rows - 1 - row
		}
		overlayRect(b, l, r, margin+r.X, top+legend+float64(row)*rowHeight)
	}
	b.WriteString("</g>\n</svg>\n")
	return b.Flush()
}

func overlayRect(b *bufio.Writer, l *Overlay, r OverlayRect, x, y float64) {
	name := l.Frames[r.Frame].Name
	class := ""
	change := points(r.TotalTo - r.TotalFrom)
	switch r.Only {
	case "from":
		class, change = ` class="o"`, "only in "+l.From
	case "to":
		class, change = ` class="o"`, "only in "+l.To
	}
	if r.W < 6 {
		class = "" // the dashes would hide the colour
	}
	fill := changeColour(r.Change, l.Largest)
	if r.Match {
		fill = "#e9c5f2"
	}
	fmt.Fprintf(b, "<g><title>%s: %s → %s, %s", xmlText(name), inPercent(r.TotalFrom), inPercent(r.TotalTo), xmlText(change))
	if !l.Partial || r.SelfFrom != 0 && r.SelfTo != 0 {
		fmt.Fprintf(b, "; itself %s → %s", inPercent(r.SelfFrom), inPercent(r.SelfTo))
	}
	b.WriteString("</title>")
	b.WriteString(`<rect` + class + ` x="` + pixels(x) + `" y="` + pixels(y) + `" width="` + pixels(r.W) + `" height="16" fill="` + fill + `"/>`)
	if chars := int((r.W - 6) / charWidth); chars >= 3 {
		text := visible(name, chars)
		if sign := " " + points(r.Change); len(text)+len(sign) <= chars && math.Abs(r.Change) >= 0.0005 {
			text += sign
		}
		b.WriteString(`<text x="` + pixels(x+3) + `" y="` + pixels(y+12) + `">` + xmlText(text) + "</text>")
	}
	b.WriteString("</g>\n")
}

// points writes a change of a share in percentage points, with its sign.
func points(change float64) string {
	s := fmt.Sprintf("%+.1f points", 100*change)
	if change < 0 {
		return "−" + s[1:]
	}
	return s
}
