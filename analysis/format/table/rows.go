package table

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"pgknee/analysis/bench"
)

// resolveByRow reads tables whose rows are runs: concurrency in a column, throughput in one or several.
func resolveByRow(g *grid, p *plan, c context) bool {
	cols := p.columns
	p.shape = byRow
	// the concurrency
	at, rank := -1, -1
	for k := range cols {
		col := &cols[k]
		if col.role != clients {
			continue
		}
		num, present, whole := figures(g, k)
		if whole == 0 && num == present && num > 0 && col.rank == 3 {
			// fractions of clients: the rows will say that they are none
		} else if 3*whole < 2*num || num == 0 && present > 0 || num*2 < present {
			col.role, col.count = unknown, -1
			if num == 0 {
				col.role, col.names = series, true
			}
			continue
		}
		if col.rank > rank {
			at, rank = k, col.rank
		}
	}
	fused := -1
	if at < 0 {
		fused = fusedColumn(g, cols)
	}
	for k := range cols {
		if cols[k].role == clients && k != at {
			cols[k].role = ignored
			if cols[k].rank == 1 && rank > 1 {
				cols[k].role = threads
			} else if cols[k].rank == 0 {
				cols[k].role, cols[k].names = series, true
			}
		}
	}
	if at < 0 && fused < 0 {
		at = unnamedConcurrency(g, cols, c)
		if at >= 0 {
			cols[at].role, cols[at].rank = clients, 1
		}
	}
	if fused >= 0 {
		cols[fused].role, cols[fused].kind = series, "fused"
		at = fused
	}
	weak := at >= 0 && fused < 0 && cols[at].rank == 0 && cols[at].text != ""
	// the throughput
	var rates []int
	for k := range cols {
		if cols[k].role != throughput {
			continue
		}
		if num, present, _ := figures(g, k); num == 0 && present > 0 && !ratesInside(g, k) {
			cols[k].role = ignored
			continue
		}
		rates = append(rates, k)
	}
	rates = oneMetric(cols, rates)
	if n := len(cols) - 1; at == 0 && n > 1 && len(rates) == 1 && rates[0] == n && cols[n].label != "" && strings.HasSuffix(cols[n].text, ")") {
		// the unit in brackets at the end of the heading is of all columns: master patched (TPS)
		all := rates
		for k := 1; k < n; k++ {
			if num, _, _ := figures(g, k); cols[k].role == unknown && num > 0 {
				all = append(all, k)
			}
		}
		if len(all) == n && likeSizes(g, cols, all) {
			for _, k := range all[1:] {
				cols[k].role, cols[k].unit, cols[k].times, cols[k].label = throughput, cols[n].unit, cols[n].times, cols[k].text
			}
			slices.Sort(all)
			rates = all
		}
	}
	if at >= 0 && !weak && len(rates) == 0 && p.metric != ignored { // "old ms" beside "new ms"
		var times []int
		for k := range cols {
			if cols[k].role == unknown && cols[k].toMs > 0 && cols[k].label != "" {
				times = append(times, k)
			}
		}
		if len(times) > 1 {
			for _, k := range times {
				cols[k].role, cols[k].named = latency, true
			}
		}
	}
	hasLatency := slices.ContainsFunc(cols, func(col column) bool { return col.role == latency })
	said := p.said || !hasLatency && manyRepeats(cols) && strings.Contains(strings.Join(slices.Concat(c.above, c.below), "\n"), "pgbench ")
	if len(rates) == 0 && (!hasLatency || p.said) && (at >= 0 && !weak && p.metric != ignored || at < 0 && said && p.metric == throughput) {
		// no heading names a throughput: the columns of numbers are series
		for k := range cols {
			col := &cols[k]
			if k == at || col.role != unknown && !numberedRepeat(cols, k) && !(col.role == series && !col.names) && !(col.role == series && len(cols) <= 8) && !(col.role == clients) {
				continue
			}
			num, present, _ := figures(g, k)
			if num == 0 || num*2 < present || percentages(g, k) || amounts(g, k) || ofSize(col.text) || col.toMs > 0 && p.metric == throughput {
				continue
			}
			if f := columnTime(g, k); f > 1e3 {
				continue // minutes: how long something went on
			} else if f > 0 {
				col.role, col.toMs = latency, 0
				hasLatency = true
				continue
			}
			rates = append(rates, k)
		}
		if p.metric == throughput && !(p.said && len(rates) == 1) && !likeSizes(g, cols, rates) || !p.said && at >= 0 && ofUsers(cols[at].text) || !p.said && at >= 0 && fused < 0 && scattered(g, at) {
			rates = nil
		}
		for _, k := range rates {
			col := &cols[k]
			col.label = col.text
			col.unit, col.toMs, col.times = p.unit, p.toMs, p.times
			if numberedRepeat(cols, k) {
				col.rep, _ = countOf(strings.TrimLeft(strings.ToLower(col.text), "abcdefghijklmnopqrstuvwxyz #._"), marks{})
				col.label = ""
			}
			col.count = -1
		}
		for _, k := range rates {
			cols[k].role = p.metric
			if p.pct != "" && p.metric == latency {
				cols[k].role, cols[k].pct = percentile, p.pct
			}
			cols[k].named = p.metric == latency && len(rates) > 1 && cols[k].label != ""
		}
		if p.metric == latency {
			return len(rates) > 0 && finishRows(g, p, at)
		}
	}
	if len(rates) == 0 {
		if p.derived = at >= 0 && !weak && transacted(g, cols); p.derived {
			return finishRows(g, p, at)
		}
		if at >= 0 && hasLatency {
			return finishRows(g, p, at)
		}
		p.why = "no column of this table is known to be a throughput"
		p.asks = at >= 0 && p.metric != ignored && slices.ContainsFunc(cols, func(col column) bool { return col.role == unknown || col.role == series })
		return false
	}
	if weak && !slices.ContainsFunc(cols, func(col column) bool { return col.role == throughput && col.text != "" }) {
		p.why = "no column of this table is known to be a number of clients"
		p.asks = true
		return false
	}
	return finishRows(g, p, at)
}

// transacted tells whether columns hold the transactions of each run and how long it took: a throughput can be made of them.
func transacted(g *grid, cols []column) bool {
	counts, timed := 0, -1
	for k, c := range cols {
		num, present, _ := figures(g, k)
		if num == 0 || num < present {
			continue
		}
		switch low := strings.ToLower(c.text); {
		case c.role == transactions && !strings.Contains(low, "per") && !strings.Contains(low, "/") && !strings.Contains(low, "client"):
			counts++
		case c.role == duration, c.role == elapsed && cellText(g.rows[0], k) == cellText(g.rows[len(g.rows)-1], k):
			timed = k
		}
	}
	if counts != 1 || timed < 0 {
		return false
	}
	cols[timed].role = duration
	return true
}

// manyRepeats tells whether several columns number repeats.
func manyRepeats(cols []column) bool {
	n := 0
	for _, c := range cols {
		if c.role == repeat && strings.ContainsAny(c.text, "123456789") {
			n++
		}
	}
	return n > 1
}

// numberedRepeat tells whether a heading numbers a repeat, and is not the only one: "Run 1", "Run 2".
func numberedRepeat(cols []column, k int) bool {
	return cols[k].role == repeat && strings.ContainsAny(cols[k].text, "123456789") && manyRepeats(cols)
}

// likeSizes tells whether columns can be series of one throughput: figures of like size, and not of pods, errors or the like.
func likeSizes(g *grid, cols []column, columns []int) bool {
	lo, hi := math.Inf(1), 0.0
	for _, k := range columns {
		var values []float64
		for _, r := range g.rows {
			values = append(values, readRate(cellText(r, k), cols[k].marks, g.blanksGroup()).values...)
		}
		if len(values) == 0 {
			return false
		}
		slices.Sort(values)
		m := values[len(values)/2]
		lo, hi = min(lo, m), max(hi, m)
	}
	return len(columns) > 0 && lo > 0 && hi <= 100*lo && hi > 20 // below that they may be ratios, seconds, anything
}

// ratesInside tells whether cells of a column hold a throughput after words: "peak 44,310 tps @ 50 clients".
func ratesInside(g *grid, k int) bool {
	for _, r := range g.rows {
		if _, ok := rateAt(cellText(r, k), marks{}); ok {
			return true
		}
	}
	return false
}

func percentages(g *grid, k int) bool {
	for _, r := range g.rows {
		if qs, _ := scan(clean(cellText(r, k)), g.blanksGroup()); len(qs) > 0 {
			return qs[0].percent || isRatioUnit(qs[0].unit)
		}
	}
	return false
}

// amounts tells whether the numbers of a column are sizes, or sizes a second.
func amounts(g *grid, k int) bool {
	for _, r := range g.rows {
		if qs, words := scan(clean(cellText(r, k)), g.blanksGroup()); len(qs) > 0 {
			return sizeUnit(qs[0].unit) || len(words) > 0 && sizeUnit(words[0])
		}
	}
	return false
}

// ofSize tells whether a heading names a unit of size: index size (MB).
func ofSize(text string) bool {
	return slices.ContainsFunc(headingWords(text), func(w word) bool { return w.bracket && sizeUnit(w.low) })
}

// columnTime gives the milliseconds in the unit of time that the numbers of a column carry; 0 for none.
func columnTime(g *grid, k int) float64 {
	for _, r := range g.rows {
		if qs, _ := scan(clean(cellText(r, k)), g.blanksGroup()); len(qs) > 0 {
			return timeUnit(qs[0].unit)
		}
	}
	return 0
}

// ofUsers tells whether a heading counts users, as tables of anything do.
func ofUsers(text string) bool {
	for _, w := range headingWords(text) {
		switch w.low {
		case "user", "users", "benutzer", "nutzer", "utilisateurs", "usuarios", "usuários", "utenti", "gebruikers", "użytkownicy", "пользователи", "пользователей":
			return true
		}
	}
	return strings.Contains(text, "用户") || strings.Contains(text, "사용자") || strings.Contains(text, "ユーザ")
}

// scattered tells whether the counts of a column are all different and in no order: no sweep is written down so.
func scattered(g *grid, k int) bool {
	seen := map[int]bool{}
	last, up, down := -1, true, true
	for _, r := range g.rows {
		n, ok := countOf(cellText(r, k), marks{})
		if !ok {
			continue
		}
		if seen[n] {
			return false
		}
		seen[n] = true
		if last >= 0 {
			up, down = up && n > last, down && n < last
		}
		last = n
	}
	return len(seen) > 2 && !up && !down
}

// oneMetric keeps the throughput columns of one metric and one statistic: TPS before queries a second, the median before the mean before the best;
// figures without connection time before those with it.
func oneMetric(cols []column, rates []int) []int {
	if len(rates) < 2 {
		return rates
	}
	better := func(rank func(column) int) {
		best := 1 << 30
		for _, k := range rates {
			best = min(best, rank(cols[k]))
		}
		rates = slices.DeleteFunc(rates, func(k int) bool {
			if rank(cols[k]) == best {
				return false
			}
			cols[k].role = ignored
			return true
		})
	}
	better(func(c column) int {
		return slices.Index([]string{"tps", "nopm", "tpm", "qps", "rps", "ops", "eps", ""}, c.unit)
	})
	groups := map[string]bool{}
	for _, k := range rates {
		groups[cols[k].label+strconv.Itoa(cols[k].rep)] = true
	}
	if len(groups) < len(rates) { // several columns of one series: statistics, kinds, or names of one and the same
		byLabel := map[string][]int{}
		var order []string
		for _, k := range rates {
			l := cols[k].label + strconv.Itoa(cols[k].rep)
			if byLabel[l] == nil {
				order = append(order, l)
			}
			byLabel[l] = append(byLabel[l], k)
		}
		rates = rates[:0]
		for _, l := range order {
			best, bestRank := -1, 1<<30
			for _, k := range byLabel[l] {
				r := slices.Index([]string{"median", "", "mean", "max", "min"}, cols[k].stat)
				if cols[k].kind == bench.IncludingConnections {
					r += 10
				}
				if r < bestRank {
					best, bestRank = k, r
				}
			}
			for _, k := range byLabel[l] {
				if k != best {
					cols[k].role = ignored
				}
			}
			rates = append(rates, best)
		}
	} else if slices.ContainsFunc(rates, func(k int) bool { return cols[k].stat == "" }) {
		// "tps" beside "tps_min"
		better(func(c column) int {
			if c.stat == "min" || c.stat == "max" {
				return 1
			}
			return 0
		})
	}
	slices.Sort(rates)
	return rates
}

// unnamedConcurrency finds a column of counts that no heading names: rising whole numbers at the left of named series.
func unnamedConcurrency(g *grid, cols []column, c context) int {
	for k := range min(len(cols), 3) {
		col := cols[k]
		if col.text != "" && !axis(col.text) && col.role != unknown {
			continue
		}
		if col.text != "" && !axis(col.text) && !(strings.EqualFold(col.text, "n") && concurrencyWord(strings.Join(append(c.above, c.below...), " "))) {
			continue
		}
		if len(g.rows) < 3 || !rising(g, k) {
			continue
		}
		rest := 0
		for j := k + 1; j < len(cols); j++ {
			if n, _, _ := figures(g, j); n > 0 && cols[j].text != "" {
				rest++
			}
		}
		if rest == 0 {
			continue
		}
		if indexColumn(g, k) {
			continue // 0, 1, 2, … of a data frame
		}
		return k
	}
	return -1
}

// axis tells whether a heading names two axes with concurrency down the rows: "clients \ mode".
func axis(text string) bool {
	for _, sep := range []string{"\\", "/", "|", "↓", "vs"} {
		if before, after, ok := strings.Cut(text, sep); ok && strings.TrimSpace(after) != "" && concurrencyWord(before) && !concurrencyWord(after) {
			return true
		}
	}
	return false
}

// rising tells whether the counts of a column rise from row to row, or from block to block.
func rising(g *grid, k int) bool {
	last, up := -1, 0
	for _, r := range g.rows {
		n, ok := countOf(clean(cellText(r, k)), marks{})
		if !ok {
			return false
		}
		if n > last && last >= 0 {
			up++
		} else if n < last {
			return false
		}
		last = n
	}
	return up > 0
}

// indexColumn tells whether a column counts the rows: 0, 1, 2, … or 1, 2, 3, … from the first to the last.
func indexColumn(g *grid, k int) bool {
	seen := map[int]bool{}
	lo, hi := 1<<30, -1
	for _, r := range g.rows {
		n, ok := countOf(clean(cellText(r, k)), marks{})
		if !ok || seen[n] {
			return false
		}
		seen[n] = true
		lo, hi = min(lo, n), max(hi, n)
	}
	return lo <= 1 && hi-lo == len(g.rows)-1 && len(g.rows) > 1
}

// finishRows settles the roles of the columns that are neither concurrency nor throughput.
func finishRows(g *grid, p *plan, at int) bool {
	cols := p.columns
	p.sure = true
	counts := map[string]int{}
	for _, r := range g.rows {
		if at >= 0 {
			counts[cellText(r, at)]++
		}
	}
	repeats := false
	for _, n := range counts {
		repeats = repeats || n > 1
	}
	var latencies, repeatsAt, times []int
	for k := range cols {
		col := &cols[k]
		distinct := map[string]bool{}
		for _, r := range g.rows {
			if t := cellText(r, k); t != "" {
				distinct[t] = true
			}
		}
		col.texts = len(distinct)
		num, present, _ := figures(g, k)
		if num == 0 && col.role == ignored && strings.EqualFold(col.text, "cpu") {
			col.role, col.names = series, true // which one, not how busy
		}
		switch col.role {
		case latency:
			latencies = append(latencies, k)
		case repeat:
			if num < present || num == 0 {
				col.role, col.names, col.key, col.named = series, true, col.text, col.texts > 1
				if col.texts == len(g.rows) && at >= 0 && !repeats {
					col.role = ignored // the id of each run
				}
			} else {
				repeatsAt = append(repeatsAt, k)
			}
		case elapsed:
			times = append(times, k)
		case duration, failed, transactions, scale, threads, connecting, limit:
			if num == 0 {
				col.role = ignored
			}
		case unknown, series:
			col.key = col.text
			switch {
			case col.role == series && num == present && col.texts == len(g.rows) && len(g.rows) > 2 && !ofThing(col.text):
				col.role = ignored // the number of a test
			case k == at && col.kind == "fused":
			case col.texts == 0:
				col.role = ignored
			case col.role == unknown && num == present && at < 0 && k == 0 && col.texts > 1 && col.text != "":
				col.role, col.bare = series, true // a sweep of something else than clients
			case col.role == unknown && num == present && col.text != "" && !versionLike(g, k):
				col.role = ignored // numbers of unknown meaning
				for _, w := range headingWords(col.text) {
					if k < at && col.texts > 1 && slices.Contains([]string{"vcpu", "vcpus", "cpus", "cores", "nodes"}, w.low) {
						col.role, col.bare, col.named = series, true, true // machines of several sizes
					}
				}
				if col.role == series {
					continue
				}
			case col.role == unknown && num == present && col.text == "":
				col.role = ignored // an index column
			case col.role == unknown && col.texts*2 > len(g.rows) && len(g.rows) > 1 && !(k == 0 && (repeats || at < 0)):
				col.role = ignored // a note to each row
				col.apart = k < at && col.text != "" && col.texts == len(g.rows) && len(g.rows) > 2
			default:
				col.role = series
			}
			if col.role == series {
				// A name of its own in every row tells nothing apart when the client counts differ anyway: a test has a name.
				// What was measured on another machine is no point of the same curve.
				if col.texts == len(g.rows) && len(g.rows) > 1 && at >= 0 && !repeats && (cols[at].kind == "fused" || !ofThing(col.text)) {
					col.role = ignored
				}
				col.named = col.role == series && col.texts > 1
			}
		}
	}
	for i, k := range repeatsAt {
		if i > 0 {
			cols[k].role = ignored
		}
	}
	settleDesign(g, cols, at)
	// several latencies without the name of a series: the average, not the one of another script
	slices.SortStableFunc(latencies, func(a, b int) int { return latencyRank(cols[a]) - latencyRank(cols[b]) })
	rates := rateLabels(cols)
	seen := map[string]bool{}
	// without throughput each name is a series: "old latency", "new latency"
	named := len(latencies) > 0 && !p.derived && !slices.ContainsFunc(cols, func(c column) bool { return c.role == throughput }) && !slices.ContainsFunc(latencies, func(k int) bool {
		return !namesOther(cols[k].label) || cols[k].label == cols[k].text || cols[k].stat != cols[latencies[0]].stat
	})
	for i, k := range latencies {
		l := cols[k].label
		if !slices.Contains(rates, l) && i > 0 && !named || seen[l] {
			if p.metric != latency {
				cols[k].role = ignored
			}
		}
		seen[l] = true
	}
	settleTimes(g, p, at, times)
	settlePoints(g, cols, at, latencies)
	return true
}

// ofThing tells whether a heading names what is measured or where, and not the single measurement.
func ofThing(text string) bool {
	for _, w := range headingWords(text) {
		switch w.low {
		case "test", "testtype", "name", "label", "case", "benchmark", "tag", "group", "set", "type", "series", "lauf", "scenario", "profile", "场景":
		default:
			if w.low == "cpu" || seriesWords[w.low] || containsAny(w.low, seriesParts) {
				return true
			}
		}
	}
	return false
}

func latencyRank(c column) int {
	if c.stat == "mean" || strings.Contains(strings.ToLower(c.text), "av") || strings.Contains(strings.ToLower(c.text), "mean") {
		return 0
	}
	return 1
}

func rateLabels(cols []column) []string {
	var out []string
	for _, c := range cols {
		if c.role == throughput {
			out = append(out, c.label)
		}
	}
	return out
}

// versionLike tells whether a column of numbers rather holds versions: 13.2, 14.1.
func versionLike(g *grid, k int) bool {
	for _, r := range g.rows {
		if t := clean(cellText(r, k)); strings.Count(t, ".") > 1 || strings.HasPrefix(t, "v") {
			return true
		}
	}
	return false
}

// fusedColumn finds a column whose cells hold a series and a concurrency in one word: head_256_clients.
func fusedColumn(g *grid, cols []column) int {
	for k := range cols {
		fused, present := 0, 0
		for _, r := range g.rows {
			t := clean(cellText(r, k))
			if absent(t) {
				continue
			}
			present++
			if _, _, ok := unfuse(t); ok {
				fused++
			}
		}
		if fused > 0 && fused*3 >= present*2 {
			return k
		}
	}
	return -1
}

func isFused(t string) bool {
	_, _, ok := unfuse(t)
	return ok
}

// unfuse splits a word into the concurrency that stands next to a concurrency word and the rest.
func unfuse(t string) (name string, n int, ok bool) {
	if words := strings.Fields(t); len(words) > 0 && (words[0] == "pgbench" || words[0] == "c" || strings.HasPrefix(words[0], "-")) {
		if words[0] == "c" {
			words[0] = "-c" // the mark was taken for a bullet
		}
		var rest []string
		for k := 0; k < len(words); k++ { // the options of pgbench
			w := words[k]
			if len(w) == 2 && w[0] == '-' && k+1 < len(words) && isDigits(words[k+1]) {
				w += words[k+1]
				k++
			}
			if digits, c := strings.CutPrefix(w, "-c"); c && isDigits(digits) {
				n, _ = strconv.Atoi(digits[:min(len(digits), 7)])
				ok = true
			} else if !strings.HasPrefix(w, "-j") && w != "pgbench" {
				rest = append(rest, w)
			}
		}
		if ok {
			return strings.Join(rest, " "), n, ok
		}
	}
	parts := strings.FieldsFunc(t, func(r rune) bool { return strings.ContainsRune("_-/ ,;:()", r) })
	if len(parts) < 2 {
		return "", 0, false
	}
	for i, w := range parts {
		low := strings.ToLower(w)
		var digits string
		from, to := i, i+1
		if _, word := concurrencyWords[low]; word && len(low) > 1 {
			if i > 0 && isDigits(parts[i-1]) {
				digits, from = parts[i-1], i-1
			} else if i+1 < len(parts) && isDigits(parts[i+1]) {
				digits, to = parts[i+1], i+2
			}
		} else if key, value, eq := strings.Cut(low, "="); eq && isDigits(value) {
			if _, word := concurrencyWords[key]; word {
				digits = value
			}
		} else if d := strings.TrimRight(strings.TrimLeft(low, "c"), "c"); len(low) > 1 && len(d) == len(low)-1 && isDigits(d) {
			digits = d
		}
		if digits == "" || len(digits) > 6 {
			continue
		}
		n, _ := strconv.Atoi(digits)
		rest := append(append([]string(nil), parts[:from]...), parts[to:]...)
		return strings.Join(rest, "_"), n, true
	}
	return "", 0, false
}
