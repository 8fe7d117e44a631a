package pgbench

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"pgknee/analysis/bench"
	"pgknee/analysis/format"
	"pgknee/analysis/source"
)

// Names of what summaries state beside the fields of a run.
const (
	attributeLimit      = "latency limit"
	attributeTries      = "max tries"
	attributePartitions = "partitions"
	attributeMethod     = "partition method"

	customScript   = "custom query" // all that 9.5 and before say of a script given by -f
	severalScripts = "multiple scripts"
)

// maxValue bounds how far the end of a value is looked for, in a line that may be long.
const maxValue = 1024

// maxIntervals bounds the progress that is kept of a run: twelve days of a line a second.
const maxIntervals = 1 << 20

// block is a run while it is being read.
type block struct {
	run  *bench.Run
	seen uint32 // the labels that the summary has had so far, as bits

	including, excluding, reconnecting, bare number // throughput figures by what their line says
	hasTPS, unsure                           bool
	tpsLine, lastLine                        int
	tpsText                                  string
	lastText                                 []byte

	aborted, lag, colon, full bool
	quoted                    bool // it begins behind a quote mark
	part                      part
	columns                   int // whole numbers between the latency and the text of a statement
	script                    *bench.Script
	command                   *command
}

// part is which part of a block the lines are in.
type part uint8

const (
	inSummary part = iota
	inScripts
	inStatements
)

func (b *block) has(l label) bool { return b.seen>>l&1 != 0 }

func (b *block) summary() bool { return b.seen != 0 }

// last notes the line that was read last of the block, for problems to quote.
func (b *block) last(line int, text []byte) {
	b.lastLine, b.lastText = line, append(b.lastText[:0], text[:min(len(text), 200)]...)
}

func (b *block) begun() bool { return b.seen != 0 || len(b.run.Intervals) > 0 }

// amid tells whether the lines of a summary are still to come: its progress may get between them where two streams end in one text.
func (b *block) amid() bool {
	return b.summary() && !b.hasTPS && (len(b.run.Intervals) > 0 || !b.has(labelProcessed))
}

// afterwards tells whether a block is nothing but the progress of a run whose summary stands above it, as programs print what they
// captured of two streams.
func (b *block) afterwards(r *bench.Run) bool {
	n := len(b.run.Intervals)
	if b.summary() || n == 0 || len(r.Intervals) > 0 || r.DurationS == nil || b.aborted {
		return false
	}
	last := b.run.Intervals[n-1].EndS
	return last >= 0.8**r.DurationS && last <= *r.DurationS+2
}

// value reads what stands behind a label of the summary and gives how much of v it was.
func (b *block) value(l label, v []byte) int {
	i := skipBlanks(v, 0)
	r := b.run
	switch l {
	case labelType, labelMode, labelPartitionMethod:
		end := len(v)
		if l == labelType {
			if next, at, _ := within(v[:min(len(v), maxValue)]); next != none {
				end = at
			}
		} else if n := bytes.IndexAny(v[i:], " \t\",|"); n >= 0 {
			end = i + n
		}
		text := strings.TrimSpace(string(v[i:end]))
		switch l {
		case labelType:
			r.Script = scriptName(text)
		case labelMode:
			if text != "simple" && text != "extended" && text != "prepared" {
				return i
			}
			r.QueryMode = text
		case labelPartitionMethod:
			r.Set(attributeMethod, text)
		}
		b.seen |= 1 << l
		return end
	case labelScale, labelPartitions, labelClients, labelThreads, labelTries, labelPerClient:
		n, size := parseCount(v[i:])
		if size == 0 || n < 0 || n > 1<<31 {
			return i
		}
		b.seen |= 1 << l
		whole := int(n)
		switch l {
		case labelScale:
			r.Scale = &whole
		case labelClients:
			r.Clients = &whole
		case labelThreads:
			r.Threads = &whole
		case labelPartitions:
			r.Set(attributePartitions, fmt.Sprint(n))
		case labelTries:
			if n != 1 {
				r.Set(attributeTries, fmt.Sprint(n))
			}
		}
		return i + size
	case labelDuration:
		n, size := parseNumber(v[i:])
		if size == 0 || !n.known || n.value <= 0 {
			return i
		}
		b.seen |= 1 << l
		r.DurationS = &n.value
		return unit(v, i+size, "s")
	case labelProcessed, labelFailed, labelRetried, labelSkipped, labelAbove, labelDetail:
		n, size := parseCount(v[i:])
		if size == 0 {
			return i
		}
		i += size
		if i < len(v) && v[i] == '/' {
			_, size = parseCount(v[i+1:])
			i += 1 + size
		}
		if l != labelDetail {
			b.seen |= 1 << l
		}
		if n >= 0 {
			switch l {
			case labelProcessed:
				r.Transactions = &n
			case labelFailed:
				r.Failed = &n
			case labelRetried:
				r.Retried = &n
			case labelSkipped:
				r.Skipped = &n
			}
		}
		return brackets(v, i)
	case labelAverage, labelDeviation, labelConnection, labelReconnection:
		n, size := parseNumber(v[i:])
		if size == 0 {
			return i
		}
		b.seen |= 1 << l
		if n.known && n.value >= 0 {
			switch l {
			case labelAverage:
				r.LatencyMs, r.LatencyResolutionMs = &n.value, 1/powers[min(n.decimals, len(powers)-1)]
			case labelDeviation:
				r.LatencyStddevMs = &n.value
			case labelConnection:
				r.InitialConnectionMs = &n.value
			}
		}
		return brackets(v, unit(v, i+size, "ms"))
	case labelLag:
		b.seen |= 1 << l
		b.lag = true
		v = v[:min(len(v), maxValue)]
		if end := bytes.Index(v, []byte(") ms")); end >= 0 {
			return end + 4
		}
		return len(v)
	}
	return 0
}

// throughput reads a tps line. Its kind may also stand before the equals sign: tps (without initial connection time).
func (b *block) throughput(kind, v []byte) int {
	i := skipBlanks(v, 0)
	n, size := parseNumber(v[i:])
	if size == 0 {
		return i
	}
	i += size
	end := brackets(v, i)
	if k := skipBlanks(v, i); k < end {
		kind = v[k:end]
	}
	// The last line of a text may be cut within its figure: what pgbench prints has six decimals and a remark behind it.
	b.unsure = len(kind) == 0 && n.decimals < 6 && b.has(labelType)
	b.hasTPS = true
	if n.comma && n.decimals == 3 && n.value >= 1 { // pgbench prints six decimals: someone rounded and grouped
		n.value, n.decimals = math.Round(n.value*1000), 0
	}
	switch {
	case bytes.Contains(kind, []byte("excluding")), bytes.Contains(kind, []byte("without")):
		b.excluding = n
	case bytes.Contains(kind, []byte("reconnection")):
		b.reconnecting = n
	case bytes.Contains(kind, []byte("including")):
		b.including = n
	default:
		b.bare = n
		return i
	}
	return end
}

// repeats tells whether a tps line of this kind has been seen in the block.
func (b *block) repeats(kind []byte) bool {
	switch {
	case bytes.Contains(kind, []byte("excluding")), bytes.Contains(kind, []byte("without")):
		return b.excluding != number{}
	case bytes.Contains(kind, []byte("reconnection")):
		return b.reconnecting != number{}
	case bytes.Contains(kind, []byte("including")):
		return b.including != number{}
	}
	return b.hasTPS
}

// unit gives the index behind a unit that may follow at i.
func unit(v []byte, i int, name string) int {
	if k := skipBlanks(v, i); has(v[k:], name) {
		return k + len(name)
	}
	return i
}

// brackets gives the index behind a remark in brackets that may follow at i.
func brackets(v []byte, i int) int {
	k := skipBlanks(v, i)
	if k == len(v) || v[k] != '(' {
		return i
	}
	v = v[:min(len(v), k+maxValue)]
	if end := bytes.IndexByte(v[k:], ')'); end >= 0 {
		return k + end + 1
	}
	return len(v)
}

// scriptName gives built-in scripts the name that -b takes.
func scriptName(text string) string {
	switch text {
	case "TPC-B (sort of)", "<builtin: TPC-B (sort of)>":
		return "tpcb-like"
	case "Update only pgbench_accounts", "<builtin: simple update>", "Update only accounts":
		return "simple-update"
	case "SELECT only", "<builtin: select only>":
		return "select-only"
	case "Custom query":
		return customScript
	}
	return text
}

// finish makes the run out of a block and puts it into the context, if it is one.
func (b *block) finish(c *format.Context, heading heading) {
	r := b.run
	warn := func(line int, text []byte, message string) { c.Problem(format.Warning, line, 1, text, message) }
	if b.command != nil && !b.command.contradicts(r) {
		b.command.complete(r)
	}
	if !b.begun() || b.summary() && !b.hasTPS && r.Transactions == nil && len(r.Intervals) == 0 && !(b.has(labelType) && b.has(labelClients)) {
		return
	}
	if b.full {
		warn(r.At.Line, nil, fmt.Sprintf("more than %d progress lines: the rest of them is not kept", maxIntervals))
	}
	b.settle(r, warn)
	b.progress(r)
	switch {
	case r.TPS != nil:
	case r.Transactions != nil && *r.Transactions == 0, b.hasTPS && !b.unsure:
		r.Flag(bench.FlagNoTransactions)
	default:
		r.Flag(bench.FlagIncomplete)
		if b.summary() && !b.unsure {
			warn(b.lastLine, b.lastText, "the summary ends before its throughput: cut off, or copied too early")
		} else if !b.summary() {
			warn(b.lastLine, b.lastText, "progress without a summary: what the run came to is not known")
		}
	}
	if b.aborted {
		r.Flag(bench.FlagAborted)
	}
	if b.lag {
		r.Flag(bench.FlagRateLimited)
	}
	if r.Clients == nil {
		r.Flag(bench.FlagClientsUnknown)
	}
	if r.Failed != nil && *r.Failed > 0 {
		r.Flag(bench.FlagFailures)
	}
	b.lint(r)
	r.LatencyDerived = r.LatencyMs != nil && r.LatencyStddevMs == nil && !b.lag && r.Attributes[attributeLimit] == ""
	if r.Script == severalScripts && len(r.Scripts) > 0 {
		names := make([]string, len(r.Scripts))
		for i, s := range r.Scripts {
			names[i] = s.Name
			if s.Weight != nil {
				names[i] += fmt.Sprintf("@%g", *s.Weight)
			}
		}
		r.Script = strings.Join(names[:min(len(names), 20)], ", ")
	}
	if r.Label == "" {
		r.Label = heading.label
	}
	if heading.warmUp {
		r.Flag(bench.FlagWarmUp)
	}
	c.Runs = append(c.Runs, r)
}

// settle chooses between the figures of throughput.
func (b *block) settle(r *bench.Run, warn func(int, []byte, string)) {
	take := func(n number, kind string) {
		if n.known && n.value > 0 {
			r.TPS, r.TPSKind = &n.value, kind
		}
	}
	if b.including.known && b.including.value > 0 {
		r.IncludingTPS = &b.including.value
	}
	switch {
	case b.unsure:
		warn(b.tpsLine, []byte(b.tpsText), "the line ends within its figure or behind it: the throughput is not taken")
	case b.reconnecting.known:
		take(b.reconnecting, bench.IncludingReconnections)
		r.Flag(bench.FlagReconnect)
	case b.excluding.known && b.including.known && b.including.value > 0:
		// Without the time to connect the rate must be higher, though hardly: more than a tenth is the wrong division of 9.4 and
		// before, or a connection per transaction. The words of 9.6 and later are right unless they are far off.
		ratio, limit := b.excluding.value/b.including.value, 1.5
		if b.colon || !b.has(labelAverage) {
			limit = 1.1
		}
		measured := 0.0
		if r.Transactions != nil && r.DurationS != nil {
			measured = float64(*r.Transactions) / *r.DurationS
		}
		absurd := ratio > limit && (measured == 0 || measured < b.excluding.value/limit)
		if absurd {
			r.Flag(bench.FlagExcludingSpoilt)
			warn(b.tpsLine, []byte(b.tpsText), "the figure without connection time is an artefact, transactions over duration contradicts it: the one with connection time is taken")
		}
		if absurd || r.Has(bench.FlagReconnect) {
			take(b.including, bench.IncludingConnections)
		} else {
			take(b.excluding, bench.ExcludingConnections)
		}
	case b.excluding.known:
		take(b.excluding, bench.ExcludingConnections)
	case b.including.known:
		take(b.including, bench.IncludingConnections)
	case b.bare.known:
		take(b.bare, bench.Reported)
	}
}

// progress sets the times of the intervals right and looks for missing ones.
func (b *block) progress(r *bench.Run) {
	v := r.Intervals
	if len(v) == 0 {
		return
	}
	steps := make([]float64, 0, len(v)-1)
	for i := 1; i < len(v); i++ {
		steps = append(steps, v[i].EndS-v[i-1].EndS)
	}
	step := 0.0
	if len(steps) > 0 {
		sorted := slices.Clone(steps)
		slices.Sort(sorted)
		step = sorted[len(sorted)/2]
		if len(sorted) == 2 {
			step = sorted[0]
		}
	}
	if b.command != nil && b.command.progress != nil && *b.command.progress > 0 {
		step = float64(*b.command.progress)
	}
	if v[0].EndS > 1e9 { // --progress-timestamp: seconds since 1970
		start := v[0].EndS - step
		for i := range v {
			v[i].EndS -= start
		}
	}
	late := step*1.5 + 0.2
	if step > 0 && (v[0].EndS > late || slices.ContainsFunc(steps, func(s float64) bool { return s > late })) {
		r.Flag(bench.FlagIntervalGap)
	}
}

// lint flags what makes a run say less than it seems to.
func (b *block) lint(r *bench.Run) {
	seconds := 0.0
	switch {
	case r.DurationS != nil:
		seconds = *r.DurationS
	case r.TPS != nil && r.Transactions != nil:
		seconds = float64(*r.Transactions) / *r.TPS
	}
	if seconds > 0 && seconds < 60 {
		r.Flag(bench.FlagShort)
	}
	if r.Clients == nil {
		return
	}
	clients := *r.Clients
	if r.Threads != nil && *r.Threads == 1 && clients > 16 {
		r.Flag(bench.FlagOneThread)
	}
	if r.Threads != nil && *r.Threads > 1 && clients%*r.Threads != 0 {
		r.Flag(bench.FlagUnevenThreads)
	}
	if r.Script == "tpcb-like" && r.Scale != nil && clients > *r.Scale {
		r.Flag(bench.FlagClientsOverScale)
	}
}

// newBlock begins a run at a line.
func (r *reader) newBlock(line int) *block {
	b := &block{run: &bench.Run{At: source.Position{File: r.ctx.File, Line: line}, Intervals: r.intervals}}
	r.intervals = nil
	return b
}
