package bench

// Histogram of latencies with three significant digits, so that a log of any length costs the memory of what is distinct.
type Histogram struct {
	Counts map[int]int64 // bucket → count
}
