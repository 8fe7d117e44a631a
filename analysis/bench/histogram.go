package bench

import (
	"math"
	"math/bits"
)

// Histogram of latencies with three significant digits, so that a log of any length costs the memory of what is distinct. The buckets
// are those of HdrHistogram: up to 2,047 µs one for each microsecond, from there on 1,024 for each doubling. The zero value is empty.
type Histogram struct {
	First  int     // the bucket that Counts[0] counts
	Counts []int64 // by bucket
	N      int64
	Min    int64 // µs, exact; of an empty histogram 0
	Max    int64 // µs, exact
}

const halfBuckets = 1024 // buckets of one doubling

// bucket of a latency in microseconds.
func bucket(us int64) int {
	if us < 2*halfBuckets {
		return int(max(us, 0))
	}
	shift := bits.Len64(uint64(us)) - 11
	return shift*halfBuckets + int(us>>shift)
}

// bounds of a bucket: the lowest latency in it and the first above, in microseconds.
func bounds(b int) (from, to int64) {
	if b < 2*halfBuckets {
		return int64(b), int64(b) + 1
	}
	shift := b/halfBuckets - 1
	from = int64(b-shift*halfBuckets) << shift
	return from, from + 1<<shift
}

// Add counts n latencies.
func (h *Histogram) Add(us, n int64) {
	if h.N == 0 {
		h.Min, h.Max = us, us
	} else {
		h.Min, h.Max = min(h.Min, us), max(h.Max, us)
	}
	h.N += n
	i := bucket(us) - h.First
	if uint(i) >= uint(len(h.Counts)) {
		i = h.reach(i)
	}
	h.Counts[i] += n
}

// reach makes room for an index outside of Counts and gives the index it then has.
func (h *Histogram) reach(i int) int {
	const step = 64 // room is made in steps, on either side
	b := i + h.First
	if len(h.Counts) == 0 {
		h.First = b / step * step
		h.Counts = make([]int64, step)
		return b - h.First
	}
	from, to := min(h.First, b/step*step), max(h.First+len(h.Counts), b/step*step+step)
	counts := make([]int64, to-from, (to-from)+(to-from)/4)
	copy(counts[h.First-from:], h.Counts)
	h.First, h.Counts = from, counts
	return b - from
}

// Merge adds another histogram.
func (h *Histogram) Merge(o *Histogram) {
	if o.N == 0 {
		return
	}
	if h.N == 0 {
		h.Min, h.Max = o.Min, o.Max
	}
	h.Min, h.Max = min(h.Min, o.Min), max(h.Max, o.Max)
	h.N += o.N
	for j, n := range o.Counts {
		if n == 0 {
			continue
		}
		i := o.First + j - h.First
		if uint(i) >= uint(len(h.Counts)) {
			i = h.reach(i)
		}
		h.Counts[i] += n
	}
}

// PercentileMs is the latency in milliseconds that p percent of all do not exceed: the middle of its bucket, within 0.05 %.
func (h *Histogram) PercentileMs(p float64) float64 {
	if h.N == 0 {
		return 0
	}
	rank := max(1, int64(math.Ceil(p/100*float64(h.N))))
	seen := int64(0)
	for i, n := range h.Counts {
		if seen += n; seen >= rank {
			from, to := bounds(h.First + i)
			middle := float64(from+to-1) / 2
			return min(max(middle, float64(h.Min)), float64(h.Max)) / 1000
		}
	}
	return float64(h.Max) / 1000
}
