package perfreport

import (
	"strings"

	"pgknee/analysis/format"
	"pgknee/analysis/profile"
	"pgknee/analysis/source"
)

// Format is the text of perf report.
var Format = &format.Format{
	Name:  "perf-report",
	Doc:   "perf report --stdio, flat or with call graphs, and what is pasted from its terminal browser",
	Sniff: sniff,
	New:   func(c *format.Context) format.Reader { return &reader{ctx: c} },
}

// Block is a report inside a document.
var Block = &format.Block{
	Name:   "perf-report",
	Claims: claims,
	Read: func(c *format.Context, p format.Passage) {
		r := &reader{ctx: c, heading: p.Heading}
		if len(p.Above) > 0 {
			r.above = p.Above[0]
			if caption(r.above) != "" {
				r.heading = r.above
			}
		}
		p.Feed(r)
	},
}

// sniff is sure of a file that perf wrote, and takes one that holds little else. A report in the midst of other text is a document.
func sniff(_ string, head []byte) format.Confidence {
	var s scanner
	lines, taken, no, comments := 0, 0, 0, false
	for line := range strings.Lines(string(head)) {
		no++
		t := strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(t) == "" {
			continue
		}
		if lines++; lines > 400 {
			break
		}
		if len(s.lists) == 0 && !starts([]byte(t)) || !s.line([]byte(t), no) {
			continue
		}
		taken++
		comments = comments || strings.HasPrefix(t, "# ") && (strings.Contains(t, " of event") || strings.HasPrefix(t, "# To display the perf.data header"))
	}
	rows := 0
	for _, l := range s.lists {
		rows += len(l.entries)
	}
	switch {
	case rows == 0:
		return format.No
	case comments && taken*20 >= lines*19:
		return format.Sure
	case taken*10 >= lines*9:
		return format.Likely
	}
	return format.No
}

// claims gives how many lines from the first on are one report, or several that follow each other.
func claims(lines []source.Line) int {
	if len(lines) == 0 || !starts(lines[0].Text) {
		return 0
	}
	var s scanner
	last := 0
	for i, l := range lines {
		if !s.line(l.Text, l.No) {
			break
		}
		if strings.TrimSpace(clean(l.Text)) != "" {
			last = i + 1
		}
	}
	for _, l := range s.lists {
		if len(l.entries) > 0 {
			return last
		}
	}
	return 0
}

// reader reads a file, or a passage, line by line.
type reader struct {
	ctx     *format.Context
	scan    *scanner
	heading string // the nearest line above that is not part of a report
	above   string // the line above a passage, whatever it is
}

func (r *reader) Line(l source.Line) {
	if r.scan != nil {
		if r.scan.line(l.Text, l.No) {
			return
		}
		r.flush()
	}
	if starts(l.Text) {
		r.scan = &scanner{}
		r.scan.line(l.Text, l.No)
		return
	}
	if t := strings.TrimSpace(clean(l.Text)); t != "" {
		if !strings.HasPrefix(t, "```") {
			r.heading = t
		}
		r.ctx.Skip(l)
	}
}

// Close hands over what was read.
func (r *reader) Close() {
	if r.scan != nil {
		r.flush()
	}
	resolve(r.ctx.Profiles)
}

func (r *reader) flush() {
	label, clients := heading(r.heading)
	var lists []*list
	var labels []string
	add := func(s *scanner, label string) {
		for _, l := range s.lists {
			for _, l := range l.grouped() {
				lists, labels = append(lists, l), append(labels, label)
			}
		}
	}
	if r.scan.beside == nil {
		add(r.scan, label)
	} else {
		left, right := "left", "right"
		for _, line := range []string{r.heading, r.above} {
			if names := splitWide(line); len(names) == 2 {
				left, _ = heading(names[0])
				right, _ = heading(names[1])
				break
			}
		}
		add(r.scan, left)
		add(r.scan.beside, right)
	}
	for i, l := range lists {
		label := labels[i]
		if len(l.entries) == 0 {
			continue
		}
		if l.entries[len(l.entries)-1].wantsSymbol {
			r.ctx.Problem(format.Warning, l.entries[len(l.entries)-1].line, 0, nil, "a row without a symbol: the input ends here")
			l.entries = l.entries[:len(l.entries)-1]
		}
		p, complete := l.build(r.ctx.File, label)
		if !complete {
			r.ctx.Problem(format.Warning, l.line, 0, nil, "the call graphs of this report are too large: only a part of them was read")
		}
		if clients != "" {
			p.Attributes = map[string]string{"clients": clients}
		}
		if len(p.Stated) > 0 || len(p.Parent) > 1 {
			r.ctx.Profiles = append(r.ctx.Profiles, p)
		}
	}
	r.scan, r.heading = nil, ""
}

// heading makes a label of the line above a report, "3) perf - v13Beta1" or "Profile of master at 1536 clients:", and finds the
// number of clients in it.
func heading(line string) (label, clients string) {
	s := strings.Trim(line, "#*=_:. \t")
	for i, f := range strings.Fields(s) {
		if words := strings.Fields(s); i > 0 && (strings.HasPrefix(f, "client") || strings.HasPrefix(f, "connection") || strings.HasPrefix(f, "user")) &&
			strings.Trim(words[i-1], "0123456789(") == "" {
			clients = strings.TrimLeft(words[i-1], "(")
		}
	}
	if name := caption(line); name != "" {
		return name, clients
	}
	if i := strings.IndexAny(s, ")."); i > 0 && i < 4 && strings.Trim(s[:i], "0123456789(") == "" {
		s = strings.TrimSpace(s[i+1:]) // a list number
	}
	if i := strings.LastIndex(s, " - "); i >= 0 {
		return strings.TrimSpace(s[i+3:]), clients
	}
	for _, before := range []string{"rofile of ", "rofile for ", "rofile from ", "report of ", "report for ", "perf for ", "perf of ", "perf on "} {
		if _, rest, ok := strings.Cut(s, before); ok {
			for _, after := range []string{" at ", " with ", " while ", " during ", " on ", ",", ":"} {
				if name, _, ok := strings.Cut(rest, after); ok {
					rest = name
				}
			}
			return strings.TrimPrefix(strings.TrimSpace(rest), "the "), clients
		}
	}
	if strings.Count(s, " ") > 3 || len(s) > 60 {
		return "", clients // a sentence
	}
	return s, clients
}

// caption gives the name in a line that is nothing but what is shown, of what, and with how many clients: "perf report, 13beta1, 256 clients".
func caption(line string) (name string) {
	parts := strings.FieldsFunc(strings.Trim(line, "#*=_:. \t"), func(r rune) bool { return r == ',' || r == ';' || r == '(' || r == ')' })
	for i, part := range parts {
		words := strings.Fields(part)
		switch {
		case i == 0:
			switch strings.ToLower(strings.Join(words, " ")) {
			case "perf", "perf report", "perf profile", "perf top", "perf record", "profile", "cpu profile", "flat profile":
			default:
				return ""
			}
		case len(words) == 0, len(words) == 2 && strings.Trim(words[0], "0123456789") == "":
		case name != "" || len(words) > 3 || len(part) > 40:
			return ""
		default:
			name = strings.Join(words, " ")
		}
	}
	return name
}

// resolve settles rows that fit in several places by the place that the same function has, without doubt, in another report of the
// same input.
func resolve(profiles []*profile.Profile) {
	for _, p := range profiles {
		kept := p.Doubts[:0]
		for _, d := range p.Doubts {
			if to, ok := agreed(profiles, p, d); !ok || !move(p, d.Node, to) {
				kept = append(kept, d)
			}
		}
		p.Doubts = kept
	}
}

// agreed finds the one place of a doubtful node that other profiles name as well.
func agreed(profiles []*profile.Profile, p *profile.Profile, d profile.Doubt) (to int32, ok bool) {
	name := p.Frames[p.Frame[d.Node]].Name
	callers := map[string]bool{}
	for _, other := range profiles {
		if other == p {
			continue
		}
		for n := 1; n < len(other.Parent); n++ {
			f := other.Frames[other.Frame[n]]
			if up := other.Parent[n]; f.Name == name && f.Flags&profile.Inferred == 0 && up != 0 {
				callers[other.Frames[other.Frame[up]].Name] = true
			}
		}
	}
	for _, at := range append([]int32{p.Parent[d.Node]}, d.Parents...) {
		if callers[p.Frames[p.Frame[at]].Name] {
			if ok {
				return 0, false
			}
			to, ok = at, true
		}
	}
	return to, ok
}

// move puts a node under another parent, if what is below the limit there makes room: inclusive weights stay what the input states.
func move(p *profile.Profile, n, to int32) bool {
	weight := p.Totals()[n]
	from := p.Parent[n]
	if from != to {
		there := belowLimit(p, to)
		if there < 0 || p.Self[there] < weight-0.0002*p.Total { // shares are rounded to 0.01 %
			return false
		}
		weight = min(weight, p.Self[there])
		p.Self[there] -= weight
		here := belowLimit(p, from)
		if here < 0 {
			here = int32(len(p.Parent))
			p.Parent = append(p.Parent, from)
			p.Frame = append(p.Frame, intern(p, profile.Frame{Name: profile.BelowLimit, Flags: profile.Collapsed}))
			p.Self = append(p.Self, 0)
		}
		p.Self[here] += weight
	}
	p.Parent[n] = to
	f := p.Frames[p.Frame[n]]
	f.Flags &^= profile.Inferred
	p.Frame[n] = intern(p, f)
	return true
}

// belowLimit gives the node of what lies below the limit under another, or -1.
func belowLimit(p *profile.Profile, parent int32) int32 {
	for n := range p.Parent {
		if n > 0 && p.Parent[n] == parent && p.Frames[p.Frame[n]].Name == profile.BelowLimit {
			return int32(n)
		}
	}
	return -1
}

func intern(p *profile.Profile, f profile.Frame) profile.FrameID {
	for i, have := range p.Frames {
		if have == f {
			return profile.FrameID(i)
		}
	}
	p.Frames = append(p.Frames, f)
	return profile.FrameID(len(p.Frames) - 1)
}
