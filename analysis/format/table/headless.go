package table

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// profileOf is what the figures of a column without a heading tell.
type profileOf struct {
	numbers, whole, fractions int
	present                   int
	distinct                  []float64 // sorted
	median                    float64
	texts                     int
	epoch                     bool // seconds or more since 1970
}

func look(g *grid, k int) profileOf {
	var p profileOf
	var values []float64
	texts := map[string]bool{}
	epochs := 0
	for _, r := range g.rows {
		t := clean(cellText(r, k))
		if absent(t) {
			continue
		}
		p.present++
		texts[t] = true
		v, ok := fastFloat(t)
		if !ok {
			if isNumeric(t) {
				if qs, _ := scan(t, g.blanksGroup()); len(qs) > 0 {
					v, ok = marks{}.value(qs[0].lit)
					if f, mult := multiplier(qs[0].unit); mult {
						v *= f
					}
				}
			}
			if !ok {
				continue
			}
		}
		p.numbers++
		values = append(values, v)
		if v == math.Trunc(v) {
			p.whole++
		} else {
			p.fractions++
		}
		if v > 9e8 && v < 3e9 && v == math.Trunc(v) || v > 9e11 && v < 3e12 {
			epochs++
		}
	}
	p.texts = len(texts)
	p.epoch = epochs > 0 && epochs*10 >= p.numbers*9
	slices.Sort(values)
	if len(values) > 0 {
		p.median = values[len(values)/2]
	}
	p.distinct = slices.Compact(values)
	return p
}

// counted tells whether the values are 1, 2, … k, or 0, 1, … k.
func (p profileOf) counted() bool {
	n := len(p.distinct)
	return n > 0 && p.distinct[0] <= 1 && p.distinct[n-1]-p.distinct[0] == float64(n-1)
}

// sameFigures tells whether two columns are equal in all rows.
func sameFigures(g *grid, j, k int) bool {
	for _, r := range g.rows {
		if cellText(r, j) != cellText(r, k) {
			return false
		}
	}
	return true
}

// resolveHeadless guesses from figures alone. It is sure only when one column can be the concurrency and throughput follows it;
// else it says what is missing and asks.
func resolveHeadless(g *grid, c context) *plan {
	g.width = max(g.width, commonWidth(g.rows))
	p := &plan{metric: throughput, asks: true, columns: make([]column, g.width)}
	looks := make([]profileOf, g.width)
	for k := range p.columns {
		p.columns[k].count = -1
		p.columns[k].times = 1
		looks[k] = look(g, k)
	}
	settleMarks(g, p.columns)
	p.why = "the columns have no headings, and their figures do not tell which is the number of clients and which the throughput"
	if g.width == 1 {
		p.why = "one column of figures: nothing says with how many clients they were measured"
		return p
	}
	numeric := func(k int) bool { return looks[k].numbers > 0 && looks[k].numbers == looks[k].present }
	epoch := false
	var counts, rates []int
	for k, l := range looks {
		switch {
		case !numeric(k):
		case l.epoch:
			epoch = true
			p.columns[k].role = elapsed
		case l.whole == l.numbers && l.distinct[len(l.distinct)-1] <= 20_000 && l.distinct[0] >= 0:
			counts = append(counts, k)
		}
		if numeric(k) && !l.epoch && l.fractions > 0 {
			rates = append(rates, k)
		}
	}
	if len(rates) == 0 { // whole throughputs: the column with the largest figures
		best := -1
		for k, l := range looks {
			if numeric(k) && !l.epoch && (best < 0 || l.median > looks[best].median) && l.median < 1e8 {
				best = k
			}
		}
		if best >= 0 {
			rates = []int{best}
		}
	}
	counts = slices.DeleteFunc(counts, func(k int) bool { return slices.Contains(rates, k) })
	counts = slices.DeleteFunc(counts, func(k int) bool { // as many threads as clients: whichever is taken says the same
		twin := slices.ContainsFunc(counts, func(j int) bool { return j < k && len(looks[k].distinct) > 1 && sameFigures(g, j, k) })
		if twin {
			p.columns[k].role = threads
		}
		return twin
	})
	if len(rates) == 0 || len(counts) == 0 || epoch {
		if epoch {
			p.why = "a time series without headings: nothing says which column is the throughput, and with how many clients"
		}
		p.guess(looks, counts, rates)
		return p
	}
	rate := rates[0]
	// a time that runs on beside a count that stands still: intervals of runs
	for _, t := range counts {
		for _, n := range counts {
			if n != t && len(g.rows) >= 20 && standsStill(g, n) && timeSeries(g, n, t) && evenSteps(g, t) && (len(looks[n].distinct) > 1 || len(g.rows) > 300) && looks[n].median >= 1 {
				p.columns[t].role, p.columns[n].role, p.columns[rate].role = elapsed, clients, throughput
				p.shape, p.fold, p.sure = byRow, true, true
				p.columns[t].texts = 2
				p.nameRest(g, looks)
				return p
			}
		}
	}
	best, second := -1, -1
	var scores []float64
	for _, k := range counts {
		scores = append(scores, concurrencyScore(g, looks[k], k, rate))
	}
	for i := range counts {
		switch {
		case best < 0 || scores[i] > scores[best]:
			best, second = i, best
		case second < 0 || scores[i] > scores[second]:
			second = i
		}
	}
	at := counts[best]
	p.columns[at].role = clients
	gain := gainOver(g, at, rate)
	// Columns of like size beside the throughput are series of their own; others are reads, writes, latencies.
	wide := len(rates) > 1
	for _, k := range rates {
		if m := looks[k].median / looks[rate].median; m > 3 || m < 1.0/3 {
			wide = false
		}
	}
	for i, k := range rates {
		if i == 0 || wide {
			p.columns[k].role = throughput
		}
		if wide {
			p.columns[k].label = fmt.Sprintf("column %d", k+1)
		}
	}
	for _, k := range counts {
		if k != at && looks[k].counted() && looks[k].distinct[len(looks[k].distinct)-1] <= 100 && len(looks[k].distinct) > 1 || k != at && len(looks[k].distinct) == 1 && looks[k].distinct[0] == 1 {
			if !slices.ContainsFunc(p.columns, func(c column) bool { return c.role == repeat }) && !(k < at && len(looks[k].distinct) == 1 && !onlyCount(counts, at, k)) {
				p.columns[k].role = repeat
			}
		}
	}
	doubtful := scores[best] < 1.2 || !swept(g, looks[at], at) || second >= 0 && scores[second] > 0.8*scores[best] && looks[counts[second]].texts > 1
	flat := gain < 1.2 && len(looks[at].distinct) >= 4
	if looks[at].distinct[0] > looks[rate].median || 2*looks[at].median >= looks[rate].median && len(g.rows) < 4 || len(g.rows) < 2 {
		doubtful = true
	}
	if flat {
		p.why = "the columns have no headings, and the figures hardly follow the first: it may be something else than a number of clients"
	}
	if doubtful || flat {
		return p
	}
	p.shape = byRow
	if !wide {
		for k := range p.columns {
			if p.columns[k].role == unknown && looks[k].fractions > 0 && littlesLaw(g, at, rate, k) {
				p.columns[k].role, p.columns[k].toMs = latency, 1
				break
			}
		}
	}
	p.nameRest(g, looks)
	return p
}

// swept tells whether counts are as people choose them, mostly round or one after the other, and come in rising runs.
func swept(g *grid, l profileOf, k int) bool {
	if !l.counted() && 2*roundOnes(l) < len(l.distinct) {
		return false
	}
	orderly, last := 0, math.Inf(-1)
	for _, r := range g.rows {
		v, _ := fastFloat(clean(cellText(r, k)))
		if v >= last || v == l.distinct[0] {
			orderly++
		}
		last = v
	}
	return 10*orderly >= 8*len(g.rows)
}

// roundOnes counts the different values that are powers of two or multiples of 8, 10 or 12.
func roundOnes(l profileOf) int {
	round := 0
	for _, v := range l.distinct {
		if n := uint(v); n > 0 && (bits.OnesCount(n) == 1 || n%8 == 0 || n%10 == 0 || n%12 == 0) {
			round++
		}
	}
	return round
}

// littlesLaw tells whether a column is the latency in milliseconds that belongs to the throughput: clients / tps.
func littlesLaw(g *grid, at, rate, k int) bool {
	fit, all := 0, 0
	for _, r := range g.rows {
		n, ok := fastFloat(clean(cellText(r, at)))
		tps, ok2 := fastFloat(clean(cellText(r, rate)))
		ms, ok3 := fastFloat(clean(cellText(r, k)))
		if ok && ok2 && ok3 && tps > 0 && ms > 0 && n > 0 {
			all++
			if q := ms * tps / n / 1000; q > 0.9 && q < 1.1 {
				fit++
			}
		}
	}
	return all > 1 && 10*fit >= 8*all
}

// onlyCount tells whether no other count but at and k is left.
func onlyCount(counts []int, at, k int) bool {
	for _, n := range counts {
		if n != at && n != k {
			return false
		}
	}
	return true
}

// guess marks what is likeliest, as a first candidate of the question.
func (p *plan) guess(looks []profileOf, counts, rates []int) {
	if len(counts) > 0 {
		p.columns[counts[0]].role = clients
	}
	if len(rates) > 0 {
		p.columns[rates[0]].role = throughput
	}
	for k, l := range looks {
		if p.columns[k].role == unknown && l.numbers == 0 {
			p.columns[k].role = series
		}
	}
}

// nameRest makes series of what is left and tells rows apart.
func (p *plan) nameRest(g *grid, looks []profileOf) {
	for k := range p.columns {
		col := &p.columns[k]
		col.texts = looks[k].texts
		if col.role != unknown {
			continue
		}
		l := looks[k]
		few := l.texts > 1 && l.texts*2 <= len(g.rows)
		switch {
		case l.numbers < l.present && (few || l.texts == 1):
			col.role, col.named = series, few
		case l.whole == l.numbers && few && !p.fold:
			col.role, col.named = series, true
		default:
			col.role = ignored
		}
	}
}

// evenSteps tells whether a column rises by the same step nearly everywhere, as a clock does.
func evenSteps(g *grid, k int) bool {
	steps := map[float64]int{}
	last := 0.0
	for i, r := range g.rows {
		v, _ := fastFloat(clean(cellText(r, k)))
		if i > 0 {
			steps[v-last]++
		}
		last = v
	}
	for _, n := range steps {
		if 10*n >= 8*(len(g.rows)-1) {
			return true
		}
	}
	return false
}

// standsStill tells whether a column keeps its value over most rows.
func standsStill(g *grid, k int) bool {
	same := 0
	for i := 1; i < len(g.rows); i++ {
		if cellText(g.rows[i], k) == cellText(g.rows[i-1], k) {
			same++
		}
	}
	return 10*same >= 8*(len(g.rows)-1)
}

// concurrencyScore says how much a column of whole numbers looks like client counts: powers of two and round numbers, beginning at one,
// with a throughput that rises with them. Repeats count 1, 2, 3 and change nothing.
func concurrencyScore(g *grid, l profileOf, k, rate int) float64 {
	score := float64(roundOnes(l)) / float64(len(l.distinct))
	if l.distinct[0] == 1 {
		score += 0.5
	}
	if l.counted() && len(l.distinct) <= 10 {
		score -= 0.5
	}
	if len(l.distinct) < 2 {
		score -= 1
	}
	if gain := gainOver(g, k, rate); gain > 1 {
		score += min(math.Log2(gain), 4) / 2
	}
	return score
}

// gainOver tells how much the mean throughput rises from the smallest value of a column to its best.
func gainOver(g *grid, k, rate int) float64 {
	sum, n := map[float64]float64{}, map[float64]float64{}
	low := math.Inf(1)
	for _, r := range g.rows {
		x, ok := fastFloat(clean(cellText(r, k)))
		y, ok2 := fastFloat(clean(cellText(r, rate)))
		if ok && ok2 {
			sum[x] += y
			n[x]++
			low = min(low, x)
		}
	}
	if len(sum) == 0 || sum[low] == 0 {
		return 1
	}
	best := 0.0
	for x := range sum {
		best = max(best, sum[x]/n[x])
	}
	return best / (sum[low] / n[low])
}
