package bench

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// Log is what one or more log files of a run reduce to: sums by second, a histogram, and what tells how to read them. Logs add up:
// in whatever order and pieces a run's files are read, the sum is the same. All times are in microseconds.
type Log struct {
	Run          string  // folder and PREFIX.PID: files of one run have it in common; "" when the name doesn't say
	Files        int     // how many files were added up
	Aggregate    bool    // written with --aggregate-interval
	Fields       int     // of a line
	Interval     int64   // seconds between two lines of an aggregated log; 0 if unknown
	Seventh      string  // what field 7 of 7 is, if that was said: "lag" or "retries"
	SamplingRate float64 // if that was said

	Latency  Histogram
	Cells    map[int64]*Cell // by start in units of Width
	Width    int64           // seconds that a cell stands for: 1, doubled while there are too many
	Untimed  Cell            // transactions without a time
	First    int64           // start of the first transaction, since 1970; 0 for none
	Last     int64           // end of the last
	Clients  []LogClient     // by number
	Extra    Extra           // of field 7
	Heat     map[int64]*[HeatRows]int64
	HeatWide int64 // seconds of a column of Heat

	room []Cell // for the next cells: they are many
}

// Cell is what happened in one interval.
type Cell struct {
	Transactions, Skipped, Failed, Retried, Retries int64

	Sum, Lag Wide // of latencies, of schedule lags
	Squares  Wide // of latencies
	Min, Max int64
}

// LogClient is what a log says of one client.
type LogClient struct{ Rows, From, To int64 } // the lowest and highest transaction number

// Extra is what is known of a seventh field, which is either the lag or the number of retries.
type Extra struct{ Rows, Zero, Max int64 }

// Wide is a sum of 128 bits, so that sums of squares stay exact and can be added in any order.
type Wide struct{ hi, lo uint64 }

func (w *Wide) add(o Wide) {
	var carry uint64
	w.lo, carry = bits.Add64(w.lo, o.lo, 0)
	w.hi, _ = bits.Add64(w.hi, o.hi, carry)
}

func (w Wide) float() float64 { return float64(w.hi)*(1<<64) + float64(w.lo) }

// ParseWide makes a sum of a decimal number; false if it doesn't fit.
func ParseWide(digits []byte) (w Wide, ok bool) {
	for _, c := range digits {
		if c < '0' || c > '9' || w.hi >= 1<<59 {
			return w, false
		}
		hi, lo := bits.Mul64(w.lo, 10)
		w.hi = w.hi*10 + hi
		w.lo = lo
		w.add(Wide{0, uint64(c - '0')})
	}
	return w, len(digits) > 0
}

// WideOf makes a sum of a number.
func WideOf(n int64) Wide { return Wide{0, uint64(n)} }

const (
	maxCells   = 1 << 15 // nine hours of seconds
	maxHeat    = 512     // columns
	maxClients = 1 << 16
	// HeatRows is how many rows of latency a heat map has: four for each doubling from 1 µs on.
	HeatRows = 4 * 38
)

// HeatRow is the row of a latency.
func HeatRow(us int64) int {
	if us < 4 {
		return int(max(us, 0))
	}
	shift := bits.Len64(uint64(us)) - 3
	return min(4*shift+int(us>>shift), HeatRows-1)
}

// HeatUpToMs is the upper bound of a row in milliseconds.
func HeatUpToMs(row int) float64 {
	if row < 4 {
		return float64(row+1) / 1000
	}
	shift := row/4 - 1
	return float64((row-4*shift+1)<<shift) / 1000
}

// Cell gives the cell of a second, which stays valid until the next call.
func (l *Log) Cell(second int64) *Cell {
	if l.Cells == nil {
		l.Cells, l.Width = map[int64]*Cell{}, 1
	}
	for {
		switch c := l.Cells[second/l.Width]; {
		case c != nil:
			return c
		case len(l.Cells) >= maxCells:
			l.widen()
		default:
			if len(l.room) == 0 {
				l.room = make([]Cell, min(len(l.Cells)+1, 256))
			}
			c, l.room = &l.room[0], l.room[1:]
			l.Cells[second/l.Width] = c
			return c
		}
	}
}

// widen doubles the width of the cells. Which width a set of seconds ends with does not depend on their order.
func (l *Log) widen() {
	old := l.Cells
	l.Cells, l.Width = make(map[int64]*Cell, len(old)), 2*l.Width
	for i, c := range old {
		if into := l.Cells[i>>1]; into != nil {
			into.Add(c)
		} else {
			l.Cells[i>>1] = c
		}
	}
}

// Column gives the column of the heat map for a second, which stays valid until the next call.
func (l *Log) Column(second int64) *[HeatRows]int64 {
	if l.Heat == nil {
		l.Heat, l.HeatWide = map[int64]*[HeatRows]int64{}, 1
	}
	for {
		switch c := l.Heat[second/l.HeatWide]; {
		case c != nil:
			return c
		case len(l.Heat) >= maxHeat:
			l.widenHeat()
		default:
			c = &[HeatRows]int64{}
			l.Heat[second/l.HeatWide] = c
			return c
		}
	}
}

func (l *Log) widenHeat() {
	old := l.Heat
	l.Heat, l.HeatWide = make(map[int64]*[HeatRows]int64, len(old)), 2*l.HeatWide
	for i, c := range old {
		into := l.Heat[i>>1]
		if into == nil {
			l.Heat[i>>1] = c
			continue
		}
		for row, n := range c {
			into[row] += n
		}
	}
}

// Latency counts a transaction of a cell.
func (c *Cell) Latency(us int64) {
	if c.Transactions == 0 {
		c.Min, c.Max = us, us
	} else {
		c.Min, c.Max = min(c.Min, us), max(c.Max, us)
	}
	c.Transactions++
	c.Sum.add(Wide{0, uint64(us)})
	hi, lo := bits.Mul64(uint64(us), uint64(us))
	c.Squares.add(Wide{hi, lo})
}

// LagOf counts a schedule lag.
func (c *Cell) LagOf(us int64) { c.Lag.add(Wide{0, uint64(us)}) }

// Add adds another cell.
func (c *Cell) Add(o *Cell) {
	switch {
	case o.Transactions == 0:
	case c.Transactions == 0:
		c.Min, c.Max = o.Min, o.Max
	default:
		c.Min, c.Max = min(c.Min, o.Min), max(c.Max, o.Max)
	}
	c.Transactions += o.Transactions
	c.Skipped += o.Skipped
	c.Failed += o.Failed
	c.Retried += o.Retried
	c.Retries += o.Retries
	c.Sum.add(o.Sum)
	c.Lag.add(o.Lag)
	c.Squares.add(o.Squares)
}

func (c *Cell) meanMs() float64 { return c.Sum.float() / float64(c.Transactions) / 1000 }

// stddevMs is exact in the mean of squares; their difference may round below 0.
func (c *Cell) stddevMs() float64 {
	n := float64(c.Transactions)
	mean := c.Sum.float() / n
	return math.Sqrt(max(0, c.Squares.float()/n-mean*mean)) / 1000
}

// Client counts a line of a client; false if there can't be such a client.
func (l *Log) Client(number, transaction int64) bool {
	if uint64(number) >= uint64(len(l.Clients)) {
		if number < 0 || number >= maxClients {
			return false
		}
		l.Clients = append(l.Clients, make([]LogClient, number+1-int64(len(l.Clients)))...)
	}
	c := &l.Clients[number]
	if c.Rows == 0 {
		c.From, c.To = transaction, transaction
	} else {
		c.From, c.To = min(c.From, transaction), max(c.To, transaction)
	}
	c.Rows++
	return true
}

// Merge adds another log of the same run.
func (l *Log) Merge(o *Log) {
	l.Files += o.Files
	l.Fields = max(l.Fields, o.Fields)
	l.Aggregate = l.Aggregate || o.Aggregate
	if o.Interval != 0 && (l.Interval == 0 || o.Interval < l.Interval) {
		l.Interval = o.Interval
	}
	l.Seventh = cmp.Or(l.Seventh, o.Seventh)
	l.SamplingRate = cmp.Or(l.SamplingRate, o.SamplingRate)
	l.Latency.Merge(&o.Latency)
	for l.Cells != nil && l.Width < o.Width {
		l.widen()
	}
	for i, c := range o.Cells {
		l.Cell(i * o.Width).Add(c)
	}
	for l.Cells != nil && l.Width < o.Width {
		l.widen()
	}
	for l.Heat != nil && l.HeatWide < o.HeatWide {
		l.widenHeat()
	}
	for i, c := range o.Heat {
		into := l.Column(i * o.HeatWide)
		for row, n := range c {
			into[row] += n
		}
	}
	for l.Heat != nil && l.HeatWide < o.HeatWide {
		l.widenHeat()
	}
	l.Untimed.Add(&o.Untimed)
	if o.First != 0 && (l.First == 0 || o.First < l.First) {
		l.First = o.First
	}
	l.Last = max(l.Last, o.Last)
	for i, c := range o.Clients {
		if c.Rows == 0 {
			continue
		}
		l.Client(int64(i), c.From)
		l.Client(int64(i), c.To)
		l.Clients[i].Rows += c.Rows - 2
	}
	l.Extra.Rows += o.Extra.Rows
	l.Extra.Zero += o.Extra.Zero
	l.Extra.Max = max(l.Extra.Max, o.Extra.Max)
}

// Settle says what field 7 of 7 is, by what its numbers can be: "lag", "retries", or "" when both are possible. Lags are
// microseconds and hardly ever exactly 0; retries are mostly 0 and below the number of tries.
func (l *Log) Settle() string {
	e := l.Extra
	switch {
	case l.Fields != 7:
		return ""
	case l.Seventh != "":
		return l.Seventh
	case l.total().Skipped > 0, e.Max > 1000: // only -R with -L skips
		return "lag"
	case e.Rows >= 100 && e.Max <= 20, e.Rows >= 100 && e.Max <= 100 && 10*e.Zero >= 9*e.Rows:
		return "retries"
	case e.Rows >= 100 && e.Max > 100 && 10*e.Zero <= e.Rows:
		return "lag"
	}
	return ""
}

// Sampled estimates which share of the transactions a log of --sampling-rate holds, from the gaps between transaction numbers; 1 when
// nothing points to sampling.
func (l *Log) Sampled() float64 {
	rows, span := int64(0), int64(0)
	for _, c := range l.Clients {
		rows += c.Rows
		if c.Rows > 0 {
			span += c.To - c.From + 1
		}
	}
	if rows < 50 || span < 2*rows {
		return 1
	}
	return float64(rows) / float64(span)
}

func (l *Log) total() Cell {
	sum := l.Untimed
	for _, c := range l.Cells {
		sum.Add(c)
	}
	return sum
}

// Fill puts what the log tells into a run. What the run states already of itself stays: a summary is more exact than its log.
func (l *Log) Fill(r *Run) {
	r.Log = l
	sum := l.total()
	switch seventh := l.Settle(); {
	case l.Fields == 7 && seventh == "lag":
		sum.Retried = 0
	case l.Fields == 7 && seventh == "retries":
		sum.Retries, sum.Lag = int64(sum.Lag.lo), Wide{}
	case l.Fields == 7:
		sum.Retried, sum.Lag = 0, Wide{}
	}
	if sum.Lag != (Wide{}) {
		r.Flag(FlagRateLimited)
		r.Notes = append(r.Notes, fmt.Sprintf("mean schedule lag %.3g ms", sum.Lag.float()/float64(max(1, sum.Transactions+sum.Skipped))/1000))
	}
	set(&r.Transactions, sum.Transactions)
	if sum.Transactions == 0 {
		r.Flag(FlagNoTransactions)
	} else {
		set(&r.LatencyMs, sum.meanMs())
		set(&r.LatencyStddevMs, sum.stddevMs())
	}
	for _, count := range []struct {
		to **int64
		n  int64
	}{{&r.Failed, sum.Failed}, {&r.Skipped, sum.Skipped}, {&r.Retried, sum.Retried}} {
		if count.n > 0 {
			set(count.to, count.n)
		}
	}
	if sum.Failed > 0 {
		r.Flag(FlagFailures)
	}
	if l.Latency.N > 0 {
		r.Latency = &l.Latency
		if r.LatencyPercentilesMs == nil {
			r.LatencyPercentilesMs = map[string]float64{}
			for _, p := range []float64{50, 90, 95, 99, 99.9} {
				r.LatencyPercentilesMs[strconv.FormatFloat(p, 'g', -1, 64)] = l.Latency.PercentileMs(p)
			}
		}
	}
	l.clients(r)
	if l.Aggregate {
		l.aggregated(r, sum)
	} else {
		l.transactions(r, sum)
	}
	r.Notes = append(r.Notes, stalls(r.Intervals)...)
}

func set[T any](to **T, v T) {
	if *to == nil {
		*to = &v
	}
}

// clients takes the number of clients from their numbers, if those are complete from 0 on.
func (l *Log) clients(r *Run) {
	if r.Clients != nil {
		return
	}
	if len(l.Clients) > 0 && !slices.ContainsFunc(l.Clients, func(c LogClient) bool { return c.Rows == 0 }) {
		set(&r.Clients, len(l.Clients))
		return
	}
	r.Flag(FlagClientsUnknown)
}

// transactions puts the course of a transaction log into a run.
func (l *Log) transactions(r *Run, sum Cell) {
	seconds := float64(l.Last-l.First) / 1e6
	if l.First == 0 || seconds <= 0 {
		return
	}
	own := r.DurationS == nil
	set(&r.DurationS, seconds)
	if seconds < 60 && own {
		r.Flag(FlagShort)
	}
	share := cmp.Or(l.SamplingRate, 1)
	if share == 1 {
		share = l.Sampled()
	}
	switch {
	case l.SamplingRate == 0 && share < 1:
		r.Flag(FlagSampled)
	case sum.Transactions > 1 && r.TPS == nil:
		set(&r.TPS, float64(sum.Transactions)/share/seconds)
		r.TPSKind = Reported
	}
	if len(r.Intervals) > 0 {
		return
	}
	starts := l.starts(r)
	for _, at := range starts {
		c := l.Cells[at/l.Width]
		from, to := max(at*1e6, l.First), min((at+l.Width)*1e6, l.Last)
		if covered := float64(to-from) / 1e6; covered >= float64(l.Width)/2 { // a shorter end of the run says little
			r.Intervals = append(r.Intervals, interval(c, float64(to-l.First)/1e6, covered*share))
		}
	}
}

// aggregated puts the course of an aggregated log into a run. Threads begin their intervals up to a second apart: lines belong
// together by how many intervals after the first they begin.
func (l *Log) aggregated(r *Run, sum Cell) {
	starts := slices.Sorted(maps.Keys(l.Cells))
	width := l.Interval
	for i := 1; l.Interval == 0 && i < len(starts); i++ {
		if d := (starts[i] - starts[i-1]) * l.Width; width == 0 || d < width {
			width = d
		}
	}
	if width == 0 || len(starts) == 0 {
		return
	}
	width = max(width, l.Width)
	first, n := starts[0]*l.Width, (starts[len(starts)-1]-starts[0])*l.Width/width+1
	if n > 2*maxCells {
		r.Flag(FlagIntervalGap)
		return
	}
	cells := make([]Cell, n)
	for at, c := range l.Cells {
		cells[(at*l.Width-first)/width].Add(c)
	}
	own := r.DurationS == nil
	set(&r.DurationS, float64(n*width))
	if own && *r.DurationS < 60 {
		r.Flag(FlagShort)
	}
	counted := sum.Transactions
	if n > 2 { // the first interval began before the run did
		counted, n = counted-cells[0].Transactions, n-1
	}
	if r.TPS == nil && counted > 0 {
		set(&r.TPS, float64(counted)/float64(n*width))
		r.TPSKind = Reported
	}
	if len(r.Intervals) > 0 {
		return
	}
	r.Intervals = make([]Interval, len(cells))
	for i := range cells {
		r.Intervals[i] = interval(&cells[i], float64(int64(i+1)*width), float64(width))
	}
}

// starts gives the starts of all cells in seconds, those in which nothing happened too, unless there would be too many.
func (l *Log) starts(r *Run) []int64 {
	starts := slices.Sorted(maps.Keys(l.Cells))
	for i := range starts {
		starts[i] *= l.Width
	}
	if len(starts) == 0 || (starts[len(starts)-1]-starts[0])/l.Width > 2*maxCells {
		r.Flag(FlagIntervalGap)
		return starts
	}
	var out []int64
	for i, at := range starts {
		if i > 0 {
			for empty := starts[i-1] + l.Width; empty < at; empty += l.Width {
				out = append(out, empty)
			}
		}
		out = append(out, at)
	}
	return out
}

// interval is what a cell says of the seconds that it is of; nil is one in which nothing happened.
func interval(c *Cell, end, seconds float64) Interval {
	if c == nil || c.Transactions == 0 {
		return Interval{EndS: end}
	}
	return Interval{EndS: end, TPS: float64(c.Transactions) / seconds, LatencyMs: c.meanMs()}
}

// stalls tells when throughput all but stopped: under a tenth of the median, within the run.
func stalls(intervals []Interval) (notes []string) {
	if len(intervals) < 5 {
		return nil
	}
	var tps []float64
	for _, i := range intervals {
		tps = append(tps, i.TPS)
	}
	slices.Sort(tps)
	median := tps[len(tps)/2]
	first, count, seconds := 0.0, 0, 0.0
	longest := 0.0
	for i := 1; i < len(intervals); i++ {
		if intervals[i].TPS >= median/10 {
			continue
		}
		from, to := intervals[i-1].EndS, intervals[i].EndS
		for i+1 < len(intervals) && intervals[i+1].TPS < median/10 {
			i++
			to = intervals[i].EndS
		}
		if count == 0 {
			first = from
		}
		count++
		seconds += to - from
		longest = max(longest, to-from)
	}
	if count > 0 {
		notes = append(notes, fmt.Sprintf("throughput all but stopped %d times, %.4g s in all, %.4g s at the longest, the first time after %.4g s", count, seconds, longest, first))
	}
	return notes
}
