package profile

import (
	"cmp"
	"fmt"
	"regexp"
)

// OverlayView asks for a drawing of a difference. The zero value is all of it as a flame graph.
type OverlayView struct {
	Kind     string  `json:"kind,omitempty"`     // flame or icicle; flame by default
	Widths   string  `json:"widths,omitempty"`   // what a frame is as wide as: both (by default), from or to
	Node     int32   `json:"node,omitempty"`     // zoom to it
	Search   string  `json:"search,omitempty"`   // regular expression over function names
	Width    float64 `json:"width,omitempty"`    // in pixels; 1200 by default
	MinWidth float64 `json:"minWidth,omitempty"` // narrower frames are not laid out; half a pixel by default, negative for none
	Self     bool    `json:"self,omitempty"`     // colour by the change of self shares instead of inclusive ones
}

// Overlay is what to draw of a difference. With both sides a frame is as wide as the sum, over all below it, of the larger of the
// two self shares: so changes of opposite sign do not hide each other, and what appeared stands beside what vanished.
type Overlay struct {
	Kind    string        `json:"kind"`
	From    string        `json:"from"` // labels of the sides
	To      string        `json:"to"`
	Partial bool          `json:"partial,omitempty"` // one side is: where it has no self share, none is known
	Width   float64       `json:"width"`
	Rows    int           `json:"rows"`
	Rects   []OverlayRect `json:"rects"` // each before those that stand on it
	Frames  []Label       `json:"frames"`
	Hidden  int           `json:"hidden,omitempty"` // frames that are too narrow, not counting what stands on them
	Largest float64       `json:"largest"`          // change of those laid out: the end of the colour scale
	Notes   []string      `json:"notes,omitempty"`
}

// OverlayRect is one frame, with the shares of both sides and the change that gives it its colour.
type OverlayRect struct {
	X         float64 `json:"x"`
	W         float64 `json:"w"`
	Row       int32   `json:"row"`
	Node      int32   `json:"node"`
	Frame     int32   `json:"frame"`
	SelfFrom  float64 `json:"selfFrom"`
	SelfTo    float64 `json:"selfTo"`
	TotalFrom float64 `json:"totalFrom"`
	TotalTo   float64 `json:"totalTo"`
	Change    float64 `json:"change"`
	Only      string  `json:"only,omitempty"` // from or to, for a frame that vanished or appeared
	Match     bool    `json:"match,omitempty"`
}

// overlayer is an overlay in the making.
type overlayer struct {
	*Overlay
	d        *Difference
	from, to []float64 // inclusive shares
	bySelf   bool
	pattern  *regexp.Regexp
	labels   map[FrameID]int32
}

// Layout lays out a view of a difference.
func (d *Difference) Layout(v OverlayView) (*Overlay, error) {
	width, pattern, err := widthAndSearch(v.Width, v.Search)
	if err != nil {
		return nil, err
	}
	o := &overlayer{
		Overlay: &Overlay{Kind: cmp.Or(v.Kind, Flame), From: d.From, To: d.To, Partial: d.Partial, Width: width, Notes: d.Notes},
		d:       d, bySelf: v.Self, pattern: pattern, labels: map[FrameID]int32{},
	}
	if o.Kind != Flame && o.Kind != Icicle {
		return nil, fmt.Errorf("no kind of view %q for two profiles", v.Kind)
	}
	if v.Node < 0 || int(v.Node) >= len(d.Parent) {
		return nil, fmt.Errorf("no node %d in this view", v.Node)
	}
	o.from, o.to = d.Totals()
	var widths []float64 // of each node, in shares
	switch v.Widths {
	case "", "both":
		larger := make([]float64, len(d.Parent))
		for n := range larger {
			larger[n] = max(d.SelfFrom[n], d.SelfTo[n])
		}
		widths = sums(d.Parent, larger)
	case "from":
		widths = o.from
	case "to":
		widths = o.to
	default:
		return nil, fmt.Errorf("no widths %q: both, from or to", v.Widths)
	}
	o.Hidden = layOut(d.Parent, childrenOf(d.Parent), widths, v.Node, o.Width, cmp.Or(v.MinWidth, leastWidth), byWeight, o.rect)
	return o.Overlay, nil
}

// rect adds a frame.
func (o *overlayer) rect(n, row int32, x, w float64) {
	label := Label{Name: "all"}
	if min(o.from[0], o.to[0]) < 1-leastChange {
		label.Name = "all that is shown" // of partial profiles
	}
	id := FrameID(len(o.d.Frames)) // that of the root
	if n > 0 {
		id = o.d.Frame[n]
		label = Label{Name: o.d.Frames[id].Name, Flags: o.d.Frames[id].Flags.Letters()}
	}
	i, ok := o.labels[id]
	if !ok {
		i = int32(len(o.Frames))
		o.labels[id] = i
		o.Frames = append(o.Frames, label)
	}
	r := OverlayRect{
		X: x, W: w, Row: row, Node: n, Frame: i, Match: n > 0 && o.pattern != nil && o.pattern.MatchString(label.Name),
		SelfFrom: o.d.SelfFrom[n], SelfTo: o.d.SelfTo[n], TotalFrom: o.from[n], TotalTo: o.to[n],
	}
	r.Change = r.TotalTo - r.TotalFrom
	if o.bySelf {
		r.Change = r.SelfTo - r.SelfFrom
	}
	switch {
	case o.from[n] == 0:
		r.Only = "to"
	case o.to[n] == 0:
		r.Only = "from"
	}
	o.Rows = max(o.Rows, int(row)+1)
	o.Largest = max(o.Largest, r.Change, -r.Change)
	o.Rects = append(o.Rects, r)
}
