package bench

import (
	"slices"
	"strings"

	"pgknee/analysis/source"
)

// Kinds of throughput figure: what the time in the denominator includes. Figures of different kinds are not compared.
const (
	ExcludingConnections   = "excluding-connections"   // pgbench: without the time to connect once
	IncludingConnections   = "including-connections"   // pgbench up to 13: with it
	IncludingReconnections = "including-reconnections" // pgbench -C: a connection per transaction
	Reported               = "reported"                // the source says no more than a number
)

// Flags a run can carry: why it may not say what it seems to. Runs with a flag of KeepsOut stay out of capacity curves, visibly.
const (
	FlagAborted          = "aborted"            // the run, or a client of it, ended early
	FlagShort            = "short"              // under 60 s
	FlagRateLimited      = "rate-limited"       // the load was throttled: a rate was chosen, not a capacity measured
	FlagNoTransactions   = "no-transactions"    // nothing was counted
	FlagIntervalGap      = "interval-gap"       // progress lines miss an interval
	FlagClientsUnknown   = "clients-unknown"    // nothing says how many clients there were
	FlagReconnect        = "reconnect"          // -C: a connection per transaction
	FlagExcludingSpoilt  = "excluding-absurd"   // the excluding figure of 9.4 and before is overstated: the including one was taken
	FlagClientsOverScale = "clients-over-scale" // TPC-B-like with more clients than branches
	FlagOneThread        = "one-thread"         // one pgbench thread for more than 16 clients
	FlagUnevenThreads    = "uneven-threads"     // clients are no multiple of threads
	FlagFailures         = "failures"           // transactions failed
	FlagWarmUp           = "warm-up"            // the source calls it a warm-up
	FlagLatencyOnly      = "latency-only"       // a latency was measured, no throughput
	FlagSampled          = "sampled"            // a log of --sampling-rate: latencies stand, counts are a share
	FlagWarmingUp        = "warming-up"         // the throughput inside the run starts clearly below its later level
	FlagDrift            = "drift"              // the throughput rises or falls all through the run
	FlagStalls           = "stalls"             // single intervals far below the others
	FlagSawTooth         = "saw-tooth"          // the throughput swings between two levels, as checkpoints make it
	FlagLatencyMismatch  = "latency-mismatch"   // throughput × latency is not the number of clients
	FlagExcluded         = "excluded"           // the user took it out
	FlagIncomplete       = "incomplete"         // its output ends before the throughput: cut off, or copied while it ran
)

// keepsOut says of the flags that keep a run out of capacity curves why.
var keepsOut = map[string]string{
	FlagAborted: "aborted", FlagRateLimited: "rate-limited: a chosen rate, not a capacity", FlagNoTransactions: "no transaction was counted",
	FlagClientsUnknown: "the number of clients is not known", FlagWarmUp: "a warm-up", FlagLatencyOnly: "a latency, no throughput",
	FlagExcluded: "taken out by hand", FlagIncomplete: "its output ends before the throughput",
}

// KeepsOut tells whether a run with this flag must stay out of capacity curves and fits.
func KeepsOut(flag string) bool { return keepsOut[flag] != "" }

// Why says in words why a run cannot be a point of a capacity curve; "" if it can.
func Why(r *Run) string {
	why := WhyFlags(r.Flags)
	if why == "" && !r.Usable() {
		return "no throughput"
	}
	return why
}

// WhyFlags says in words why a run with these flags cannot be a point of a capacity curve; "" if none of them keeps it out.
func WhyFlags(flags []string) string {
	var why []string
	for _, flag := range flags {
		if words := keepsOut[flag]; words != "" {
			why = append(why, words)
		}
	}
	return strings.Join(why, "; ")
}

// Attributes are whatever else tells runs apart: settings, versions, machine, file name parts. Names of server settings are
// written in full (pg_stat_statements.track_planning).
type Attributes map[string]string

// Run is one benchmark run at one concurrency.
type Run struct {
	At    source.Position // where it stands in its input
	Label string          // the name its source gives to its series: a column heading, a section heading; "" for none

	Clients      *int
	Threads      *int
	Scale        *int
	DurationS    *float64
	Transactions *int64
	TPS          *float64
	TPSKind      string
	IncludingTPS *float64 // the same with the time to connect, where the source prints both
	Unit         string   // what TPS counts when it is not transactions per second as such: qps, nopm, …

	LatencyMs            *float64
	LatencyStddevMs      *float64
	LatencyPercentilesMs map[string]float64 // "95" → ms
	LatencyDerived       bool               // the latency is clients / TPS, no measurement of its own
	LatencyResolutionMs  float64            // one unit of the last printed digit, 0 if unknown

	Failed, Retried, Skipped *int64
	InitialConnectionMs      *float64
	RateLimitTPS             *float64

	Script, QueryMode, Version, ServerVersion string

	Flags      []string // sorted, see the Flag constants
	Intervals  []Interval
	Statements []Statement
	Scripts    []Script
	Attributes Attributes
	Latency    *Histogram // from logs
	Log        *Log       // what log files reduced to, for what else there is of the run
	Notes      []string   // what a reader found worth saying, each a sentence without its full stop
	Cores      *int       // hardware threads of the server, where the source states them
}

// Flag adds a flag once.
func (r *Run) Flag(name string) {
	if i, found := slices.BinarySearch(r.Flags, name); !found {
		r.Flags = slices.Insert(r.Flags, i, name)
	}
}

// Unflag takes a flag away.
func (r *Run) Unflag(name string) {
	if i, found := slices.BinarySearch(r.Flags, name); found {
		r.Flags = slices.Delete(r.Flags, i, i+1)
	}
}

// Has tells whether the run carries the flag.
func (r *Run) Has(name string) bool { return slices.Contains(r.Flags, name) }

// Usable tells whether the run can be a point of a capacity curve.
func (r *Run) Usable() bool {
	return r.TPS != nil && *r.TPS > 0 && r.Clients != nil && !slices.ContainsFunc(r.Flags, KeepsOut)
}

// Set notes an attribute.
func (r *Run) Set(name, value string) {
	if r.Attributes == nil {
		r.Attributes = Attributes{}
	}
	r.Attributes[name] = value
}

// Interval is one progress line or one interval of a log. There are millions of them, so they hold what is shown, and no pointers.
type Interval struct {
	EndS      float64 // seconds since the start of the run, at the interval's end
	TPS       float64
	LatencyMs float64 // 0 where it is not known
}

// Statement is one command of a script with its mean latency.
type Statement struct {
	SQL       string
	LatencyMs float64
	Failures  *int64
	Retries   *int64
}

// Script is one of several weighted scripts of a run.
type Script struct {
	Name   string
	Weight *float64
	TPS    *float64
}

// Point is all that was measured of one series at one concurrency.
type Point struct {
	Clients int
	Runs    []*Run    // those that count
	Samples []float64 // their TPS, in the order of Runs
}

// Curve is one series: throughput over concurrency.
type Curve struct {
	Label      string
	Attributes Attributes
	Points     []Point // by rising Clients
	LeftOut    []*Run  // runs of this series that are no points, with the flags that say why
	Cores      int     // hardware threads of the server; 0 if unknown
	Unit       string  // "" for transactions per second
}
