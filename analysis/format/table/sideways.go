package table

import (
	"slices"
	"strings"
)

// resolveAcross reads tables with concurrency in the heading, one series a row.
func resolveAcross(g *grid, p *plan, c context) bool {
	cols := p.columns
	if len(cols) < 3 {
		return false
	}
	var counts []int
	last, first := -1, -1
	named, up := 0, true
	if ofRates := countsOfRates(cols); ofRates != nil {
		for k, n := range ofRates {
			cols[k+1].count, cols[k+1].role = n, clients
		}
	}
	for k := 1; k < len(cols); k++ {
		if cols[k].count < 0 {
			continue
		}
		if first < 0 {
			first = k
		}
		if cols[k].role == clients {
			named++
		}
		up = up && cols[k].count > last
		last = cols[k].count
		counts = append(counts, k)
	}
	if len(counts) < 2 || !up || 2*len(counts) < len(cols)-1 {
		return false
	}
	corner := cols[0].text
	corners := cols[0].role == clients || concurrencyWord(corner)
	if named < len(counts) && corners {
		// The corner names an axis. Whole rising numbers below it: the axis runs down.
		if num, present, whole := figures(g, 0); num >= 2 && num == present && whole == num && rising(g, 0) {
			return false
		}
		if before, after, ok := strings.Cut(corner, "\\"); ok && concurrencyWord(before) && !concurrencyWord(after) {
			return false
		}
	} else if named < len(counts) {
		around := strings.Join(append(append([]string{c.heading}, c.above...), c.below...), " ")
		if !concurrencyWord(around) && !(doubling(cols, counts) && (corner == "" && len(counts) > 3 && rateRows(g) || cols[0].role == latency || cols[0].role == throughput)) && !(cols[0].role == series && cols[0].names && grows(g, cols, counts)) || len(counts) < 3 || fusedColumn(g, cols[:first]) >= 0 {
			return false
		}
	}
	p.shape, p.label, p.sure = across, 0, true
	for k := range cols {
		if slices.Contains(counts, k) {
			cols[k].role = clients
		} else if k >= first {
			cols[k].role = ignored
		} else {
			cols[k].role, cols[k].named = series, true
		}
	}
	// the corner may name what the figures are: "TPS / Latency (µs)"
	if h := readHeading(corner); h.role == latency {
		p.toMs = h.toMs
		if strings.Contains(strings.ToLower(corner), "tps") {
			p.metric = throughput
		} else {
			p.metric = latency
		}
	} else if h.role == throughput {
		p.metric, p.unit = throughput, h.unit
		for _, w := range headingWords(corner) {
			if f := timeUnit(w.low); f > 0 && w.bracket {
				p.toMs = f
			}
		}
	}
	for _, w := range headingWords(corner) {
		if f := timeUnit(w.low); f > 0 && w.bracket {
			p.toMs = f
		}
	}
	if strings.Contains(strings.ToLower(corner), "tps") {
		p.metric = throughput
	}
	return p.metric == throughput || p.metric == latency
}

// countsOfRates gives the clients that each heading but the first states of a throughput: "tps (c=8)", "TPS @ 8 clients". Nil if one
// does not.
func countsOfRates(cols []column) (counts []int) {
	for _, c := range cols[1:] {
		h := readHeading(strings.Trim(c.label, "@ "))
		if c.role != throughput || h.role != clients || h.count < 0 {
			return nil
		}
		counts = append(counts, h.count)
	}
	return counts
}

// doubling tells whether the counts of a heading are powers of two from 1 or 2 on, as the clients of a sweep are.
func doubling(cols []column, counts []int) bool {
	for i, k := range counts {
		if n := cols[k].count; n&(n-1) != 0 || n == 0 || i == 0 && n > 2 {
			return false
		}
	}
	return true
}

// grows tells whether the figures of most rows rise with the counts over them, as throughput does, and the counts are no numbers of
// repeats: 1, 2, 3.
func grows(g *grid, cols []column, counts []int) bool {
	first, last := counts[0], counts[len(counts)-1]
	if cols[last].count-cols[first].count < len(counts) {
		return false
	}
	up := 0
	for _, r := range g.rows {
		low := readRate(cellText(r, first), cols[first].marks, g.blanksGroup())
		for _, k := range counts[1:] {
			if v := readRate(cellText(r, k), cols[k].marks, g.blanksGroup()); len(low.values) > 0 && len(v.values) > 0 && v.values[0] > 1.5*low.values[0] {
				up++
				break
			}
		}
	}
	return 3*up >= 2*len(g.rows) && up > 0
}

// rateRows tells whether the label of every row names a throughput.
func rateRows(g *grid) bool {
	for _, r := range g.rows {
		if readHeading(cellText(r, 0)).role != throughput {
			return false
		}
	}
	return len(g.rows) > 0
}

// headBySweep makes a heading of a first row that lists the numbers of clients: "clients: 1 8 64" over a row for each series, or
// "workload 1 8 64" where the text above says "TPS by clients".
func (g *grid) headBySweep(c context) {
	if g.header != nil || len(g.rows) < 2 || len(g.rows[0].cells) < 3 || isNumeric(cellText(g.rows[0], 0)) || !concurrencyWord(cellText(g.rows[0], 0)) && (isNumeric(cellText(g.rows[1], 0)) || !slices.ContainsFunc(c.above, captions)) {
		return
	}
	last := 0
	for _, c := range g.rows[0].cells[1:] {
		n, ok := countOf(c.text, marks{})
		if !ok || n <= last {
			return
		}
		last = n
	}
	g.header, g.rows = &g.rows[0], g.rows[1:]
}

// captions tells whether a line is the caption of a sweep: TPS by clients, tps per number of connections.
func captions(text string) bool {
	return (strings.Contains(text, " by ") || strings.Contains(text, " per ")) && concurrencyWord(text) && slices.ContainsFunc(headingWords(text), func(w word) bool { return throughputWords[w.low] != "" })
}

// figureRow is what the label of a row says in a table that holds one figure a row.
func figureRow(label string) (heading, string) {
	low := strings.ToLower(strings.Trim(clean(label), " :`"))
	if key := figureLabels[low]; key != "" {
		return heading{text: label, count: -1}, key
	}
	if h, ok := strings.CutPrefix(low, "tps"); ok {
		hd := readHeading(label)
		if hd.role == throughput && strings.Trim(hd.label, "() ") == "" || h == "" {
			return hd, "tps"
		}
	}
	h := readHeading(label)
	if i := strings.IndexByte(h.label, '('); i >= 0 && h.role == throughput {
		if of := readHeading(strings.Trim(h.label[i:], "() ")); of.role == clients && of.count >= 0 {
			h.count, h.label = of.count, "" // TPS (c=20)
		}
	}
	if h.label != "" && h.label != h.text && strings.ContainsAny(h.label, "0123456789") {
		return h, ""
	}
	switch h.role {
	case throughput:
		return h, "tps"
	case latency:
		return h, "latency"
	case percentile:
		return h, "percentile"
	case stddev:
		return h, "stddev"
	case clients:
		if h.rank >= 1 && h.count < 0 && h.label == "" || h.text == h.label {
			return h, "clients"
		}
	case transactions:
		return h, "transactions"
	case failed:
		return h, "failed"
	case connecting:
		return h, "connecting"
	case duration:
		return h, "duration"
	case scale:
		return h, "scale"
	case threads:
		return h, "threads"
	}
	return h, ""
}

// resolveRowsOfFigures reads tables that stand on their side: a row for each figure, a column for each run.
func resolveRowsOfFigures(g *grid, p *plan, header *row) bool {
	if g.width < 2 || len(g.rows) == 0 {
		return false
	}
	if header != nil {
		stats := 0
		for _, c := range header.cells {
			if _, stat := statistic(c.text); stat != "" || summarises(column{heading: heading{text: c.text}}) {
				stats++
			}
			switch strings.ToLower(c.text) {
			case "default", "description", "meaning", "说明", "описание", "beschreibung":
				return false // options of a program
			}
		}
		if stats > 1 {
			return false // statistics of one run, of whatever made them
		}
	}
	rates, figs := 0, 0
	none := map[string]bool{} // labels that name no figure: a long table has a few names, again and again
	for _, r := range g.rows {
		if len(r.cells) < 2 || none[r.cells[0].text] || isNumeric(r.cells[0].text) {
			continue
		}
		h, key := figureRow(r.cells[0].text)
		if key == "" {
			none[r.cells[0].text] = true
			continue
		}
		figs++
		values := 0
		for k := 1; k < len(r.cells); k++ {
			if isNumeric(r.cells[k].text) {
				values++
			} else if _, ok := rateAt(r.cells[k].text, marks{}); ok {
				values++
			}
		}
		if key == "tps" && h.label == "" && values > 0 || key == "tps" && h.stat != "" && values > 0 {
			rates++
		}
	}
	if rates != 1 || figs < 2 && len(g.rows) < 3 {
		return false
	}
	if header != nil {
		for k := 1; k < len(p.columns); k++ {
			if p.columns[k].role == throughput || p.columns[k].role == latency {
				return false // headings name the figures: rows are runs
			}
		}
	}
	p.shape, p.sure = byColumn, true
	if header == nil {
		p.columns = make([]column, g.width)
		for k := range p.columns {
			p.columns[k].count = -1
		}
		settleMarks(g, p.columns)
	}
	return true
}

// pivot turns a table of entities, attributes and values into one with a column for each attribute; nil if it is none.
func pivot(g *grid, cols []column) *grid {
	name, value := -1, -1
	for k := range cols {
		switch cols[k].role {
		case metricName:
			name = k
		case metricValue:
			value = k
		}
	}
	if name < 0 { // {"name": "8 clients", "unit": "tps", "value": 1204}
		name = slices.IndexFunc(cols, func(c column) bool { return strings.EqualFold(c.text, "unit") })
	}
	if name < 0 || value < 0 {
		return nil
	}
	rates := false
	var attributes []string
	for _, r := range g.rows {
		t := cellText(r, name)
		if !slices.Contains(attributes, t) {
			attributes = append(attributes, t)
			rates = rates || readHeading(t).role == throughput
		}
	}
	if !rates || len(attributes) > 50 {
		return nil
	}
	out := &grid{sep: g.sep}
	head := row{line: g.header.line, text: g.header.text}
	var keep []int
	for k := range cols {
		if k != name && k != value && !strings.EqualFold(cols[k].text, "range") {
			keep = append(keep, k)
			head.cells = append(head.cells, g.header.cells[k])
		}
	}
	for _, a := range attributes {
		head.cells = append(head.cells, cell{a, 1})
	}
	index := map[string]int{}
	for _, r := range g.rows {
		var key []string
		for _, k := range keep {
			key = append(key, cellText(r, k))
		}
		id := strings.Join(key, Unit)
		i, ok := index[id]
		if ok {
			if j := len(keep) + slices.Index(attributes, cellText(r, name)); out.rows[i].cells[j].text != "" {
				ok = false // the attribute again: another row of the same entity
			}
		}
		if !ok {
			i = len(out.rows)
			index[id] = i
			n := row{line: r.line, text: r.text, cells: make([]cell, len(head.cells))}
			for j, k := range keep {
				n.cells[j] = cell{cellText(r, k), 1}
			}
			out.rows = append(out.rows, n)
		}
		if value < len(r.cells) {
			c := r.cells[value]
			if r.line != out.rows[i].line {
				c.at = 1
			}
			out.rows[i].cells[len(keep)+slices.Index(attributes, cellText(r, name))] = c
		}
	}
	out.header = &head
	out.width = len(head.cells)
	return out
}
