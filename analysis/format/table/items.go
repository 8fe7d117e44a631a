package table

import (
	"slices"
	"strconv"
	"strings"

	"pgknee/analysis/source"
)

// item is what a line of a list says of one point: "- 8 clients: 12,000 tps (0.66 ms)", "[c8|j4] tps = 12000", "Running with 8 clients".
type item struct {
	clients, rate, time cell
	name                cell   // what stands before a colon, if no figure does
	shape               string // what else stands on the line: lines of a list have the same
}

// claimItems finds a list that states a point in each of its lines, or the clients in one and the throughput in the next; or a name and
// a throughput in each: "master: tps = 120403.5".
func claimItems(lines []source.Line) (*grid, int) {
	var g *grid
	var first item
	n := 0
	var over cell // the bullet that the items stand below
	indent := -1
	for n < len(lines) {
		if name := bulletOver(lines[n:]); name.text != "" && (g == nil || indent == indentOf(lines[n].Text)) {
			over, indent = name, indentOf(lines[n].Text)
			first.name = over
			n++
		}
		it, ok := readItem(string(lines[n].Text))
		if indent >= 0 && indentOf(lines[n].Text) > indent && it.name.text == "" {
			it.name = over
		}
		if its := points(string(lines[n].Text)); its != nil && (g == nil || its[0].shape == first.shape && (its[0].name.text == "" || first.name.text != "")) {
			if g == nil {
				first = its[0]
				g = itemGrid(lines[n], first)
			}
			for _, it := range its {
				if it.name.text == "" { // the line before goes on
					it.name = first.name
				}
				g.rows = append(g.rows, row{lines[n].No, string(lines[n].Text), []cell{it.name, it.clients, it.rate, it.time}})
				first.name = it.name
			}
			n++
			continue
		}
		if !ok || g != nil && (it.shape != first.shape || (it.name.text == "") != (first.name.text == "") || it.name.text != first.name.text && it.clients.text != first.clients.text) {
			break // the peaks of several things are told in prose, too
		}
		if g == nil {
			first = it
		}
		at := lines[n]
		n++
		for from := n; n < min(len(lines), from+probe) && (it.rate.text == "" || it.time.text == ""); n++ {
			had := it.rate
			if !it.goesOn(string(lines[n].Text)) {
				break
			}
			if it.rate != had {
				at = lines[n]
			}
		}
		if it.rate.text == "" || it.clients.text == "" && it.name.text == "" {
			break
		}
		if g == nil {
			g = itemGrid(lines[0], it)
		}
		g.rows = append(g.rows, row{at.No, string(at.Text), []cell{it.name, it.clients, it.rate, it.time}})
	}
	if g == nil || len(g.rows) < 2 {
		return nil, 0
	}
	settleItems(g, first)
	return g, n
}

// goesOn takes the throughput or the latency that a line below states, and nothing else with it.
func (it *item) goesOn(text string) bool {
	next, ok := readItem(text)
	if !ok || next.clients.text != "" || next.name.text != "" || next.shape != "" || it.rate.text != "" && next.rate.text != "" {
		return false
	}
	if next.time.text != "" {
		it.time = next.time
		it.time.at = 1
	}
	if next.rate.text != "" {
		it.rate = next.rate
		it.clients.at = 1
	}
	return true
}

// settleItems tells names that number repeats from those of series, and takes out the clients where no item states them.
func settleItems(g *grid, first item) {
	if _, n := numbered(first.name.text); n > 0 && !slices.ContainsFunc(g.rows, func(r row) bool { _, n := numbered(r.cells[0].text); return n == 0 }) {
		g.header.cells[0].text = "run"
		for i := range g.rows {
			_, n := numbered(g.rows[i].cells[0].text)
			g.rows[i].cells[0].text = strconv.Itoa(n)
		}
	}
	if first.clients.text == "" { // they may stand in the text around
		g.width--
		g.header.cells = slices.Delete(g.header.cells, 1, 2)
		for i := range g.rows {
			g.rows[i].cells = slices.Delete(g.rows[i].cells, 1, 2)
		}
	}
}

// bulletOver gives the text of a bullet that names what the bullets below it, set further in, state: "* master".
func bulletOver(lines []source.Line) (name cell) {
	text := string(lines[0].Text)
	at := indentOf(lines[0].Text)
	if len(lines) < 2 || len(text) > at+60 || indentOf(lines[1].Text) <= at || len(text) < at+3 || text[at+1] != ' ' || strings.IndexByte("*-+", text[at]) < 0 {
		return name
	}
	if it, ok := readItem(text); ok && (it.clients.text != "" || it.rate.text != "") {
		return name
	}
	if it, ok := readItem(string(lines[1].Text)); !ok || it.clients.text == "" || it.name.text != "" {
		return name
	}
	return cell{strings.Trim(text[at+2:], " *_`:"), at + 3}
}

func itemGrid(l source.Line, it item) *grid {
	return &grid{sep: byUnit, width: 4, header: &row{l.No, string(l.Text), []cell{{"series", it.name.at}, {"clients", it.clients.at}, {"tps", it.rate.at}, {"latency", 1}}}}
}

// points reads a line that states several points alike: "master: 8 clients: 1200 tps, 16 clients: 2300 tps". What stands before the
// first, ended by a colon, is the name of all. Nil if the line is anything else.
func points(text string) (its []item) {
	if strings.Count(text, " ") < 5 || len(text) > 2000 {
		return nil
	}
	from := 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && (i+1 == len(text) || text[i+1] != ' ' || strings.IndexByte(",;.", text[i]) < 0) {
			continue
		}
		it, ok := readItem(text[from:i])
		if !ok || it.clients.text == "" || it.rate.text == "" {
			continue // a part of a point, or no point at all
		}
		for _, c := range [...]*cell{&it.clients, &it.rate, &it.time} {
			c.at += from
		}
		from = min(i+2, len(text))
		it.shape = strings.Join(slices.DeleteFunc(strings.Fields(it.shape), func(w string) bool {
			return strings.Contains(" and at for get got i is it measured reached then wa we with ", " "+w+" ")
		}), " ")
		if its = append(its, it); it.shape != its[0].shape {
			return nil
		}
		its[len(its)-1].name = its[0].name
	}
	if len(its) < 2 || from < len(text) {
		return nil
	}
	return its
}

// claimCounts finds a list of numbers of clients, each with its figure behind a colon or an arrow: "8: 1204". Whether they are that, the
// text above says: see headCounts.
func claimCounts(lines []source.Line) (*grid, int) {
	g := &grid{sep: byUnit, width: 2, counts: true}
	last := 0
	for _, l := range lines {
		text := string(l.Text)
		count, figure, ok := strings.Cut(text, ": ")
		if !ok {
			count, figure, ok = cutArrow(text)
		}
		count, figure = strings.Trim(count, " \t-*•"), strings.Trim(figure, " \t,;.")
		n, err := strconv.Atoi(count)
		if !ok || err != nil || n <= last || !isNumeric(figure) {
			break
		}
		last = n
		g.rows = append(g.rows, row{l.No, text, []cell{{count, strings.Index(text, count) + 1}, {figure, strings.LastIndex(text, figure) + 1}}})
	}
	if len(g.rows) < 3 {
		return nil, 0
	}
	return g, len(g.rows)
}

// headCounts gives a list of claimCounts its headings where the text above speaks of clients and of a throughput.
func (g *grid) headCounts(c context) bool {
	q, _ := context{above: c.above}.quantityOf()
	if q.role != throughput || !slices.ContainsFunc(c.above, concurrencyWord) {
		return false
	}
	g.header = &row{g.rows[0].line, g.rows[0].text, []cell{{"clients", 1}, {q.unit, 1}}}
	return true
}

// perSecond writes the unit of a throughput as one word, without moving what follows.
var perSecond = strings.NewReplacer("transactions per second", "tps                    ", "queries per second", "qps               ", "transactions/second", "tps                ")

// readItem reads a line as far as it states clients, a throughput and a latency, each once.
func readItem(text string) (it item, ok bool) {
	if len(text) > 120 || !strings.ContainsAny(text, "0123456789") {
		return it, false
	}
	low := strings.ToLower(text)
	if len(low) != len(text) || strings.Contains(low, "pgbench ") {
		return it, false
	}
	if strings.Contains(low, "second") {
		low = perSecond.Replace(low)
	}
	colon := strings.Index(low+" ", ": ") + 1
	var name, rest []string
	say := func(w cell) {
		if w.at < colon {
			name = append(name, text[w.at-1:][:len(w.text)])
		} else {
			rest = append(rest, strings.TrimSuffix(w.text, "s"))
		}
	}
	ws := itemWords(low)
	rates, counts := 0, 0
	before := "" // the name that waits for its number
	for i := 0; i < len(ws); i++ {
		if len(rest) > 7 {
			return it, false // prose
		}
		w := ws[i]
		number := cell{text[w.at-1:][:len(w.text)], w.at}
		lit := literal(w.text, false)
		if lit == 0 {
			switch letters := strings.TrimRight(w.text, "0123456789"); {
			case letters == "c" && letters != w.text:
				it.clients, counts = cell{number.text[1:], w.at + 1}, counts+1
			case letters == "j" && letters != w.text:
			case throughputWords[w.text] != "", counted(w.text), w.text == "c", w.text == "-c", w.text == "j", w.text == "-j", w.text == "avg", latencyWords[w.text], timeUnit(w.text) == 1:
				if throughputWords[before] == "" {
					before = w.text
				}
			default:
				if throughputWords[before] == "" {
					before = ""
				}
				say(w)
			}
			continue
		}
		unit, next := w.text[lit:], ""
		if i+1 < len(ws) && strings.TrimSpace(low[w.at-1+len(w.text):ws[i+1].at-1]) == "" {
			next = ws[i+1].text
		}
		if _, mult := multiplier(number.text[lit:]); unit == "" || mult {
			unit = next
		}
		switch {
		case unit == "%":
		case counted(unit), unit == "c":
			it.clients, counts = cell{w.text[:lit], w.at}, counts+1
			if unit == next {
				i++
			}
			continue // the name may wait for another: tps with 8 clients: 1204
		case rateUnit(unit) != "", throughputWords[before] != "":
			it.rate, rates = number, rates+1
			if unit == next && rateUnit(unit) != "" {
				i++
			}
		case timeUnit(unit) == 1 && (rates == 1 || latencyWords[before]):
			if it.time.text == "" {
				it.time = cell{w.text[:lit] + " ms", w.at}
			}
		case counted(before), before == "c", before == "-c":
			it.clients, counts = cell{w.text[:lit], w.at}, counts+1
		case i == 0 && strings.HasPrefix(low[w.at-1+lit:], ". "), before == "j", before == "-j": // the number of the item, or of threads
		default:
			say(w)
		}
		before = ""
	}
	if it.name = (cell{strings.Join(name, " "), 1}); counts > 0 && it.clients.at < colon || rates > 0 && it.rate.at < colon {
		it.name.text, rest = "", append(name, rest...)
	}
	it.shape = strings.Join(rest, " ")
	return it, rates < 2 && counts < 2 && (rates+counts > 0 || it.time.text != "") && len(rest) < 8 && (counts == 0 || isDigits(it.clients.text))
}

// counted tells whether a word of a sentence counts clients.
func counted(w string) bool { return len(w) > 1 && concurrencyWords[w] > 0 }

// itemWords cuts a line into words, without the marks that stand around and between them.
func itemWords(text string) []cell {
	var ws []cell
	from := 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && !strings.ContainsRune(" \t=:;()[]|>*~@<`", rune(text[i])) {
			continue
		}
		switch w := strings.TrimRight(text[from:i], ",."); w {
		case "", "-", "–", "—", "→", "•":
		default:
			ws = append(ws, cell{w, from + 1})
		}
		from = i + 1
	}
	return ws
}
