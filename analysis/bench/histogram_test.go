package bench

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

func TestBuckets(t *testing.T) {
	before := -1
	for _, us := range []int64{0, 1, 2047, 2048, 2049, 4095, 4096, 1e6, 1e9, math.MaxInt64} {
		b := bucket(us)
		from, to := bounds(b)
		if to < from { // the last bucket ends beyond int64
			to = math.MaxInt64
		}
		if us < from || us >= to && us != math.MaxInt64 || b < before {
			t.Errorf("%d lies in bucket %d, from %d to %d", us, b, from, to)
		}
		if width := to - from; width > 1 && float64(width) > float64(from)/halfBuckets {
			t.Errorf("the bucket of %d is %d wide", us, width)
		}
		before = b
	}
}

// TestPercentiles holds them against those of the sorted latencies, within three digits.
func TestPercentiles(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var h Histogram
	var all []int64
	for range 20_000 {
		us := int64(200 * math.Exp(3*random.NormFloat64()))
		all = append(all, us)
		h.Add(us, 1)
	}
	slices.Sort(all)
	for _, p := range []float64{0, 10, 50, 90, 99, 99.9, 100} {
		want := float64(all[max(0, int(math.Ceil(p/100*float64(len(all))))-1)]) / 1000
		if got := h.PercentileMs(p); math.Abs(got-want) > want/1000 {
			t.Errorf("percentile %v: %v ms, want %v", p, got, want)
		}
	}
	if h.Min != all[0] || h.Max != all[len(all)-1] || h.N != int64(len(all)) {
		t.Errorf("min, max, n: %d, %d, %d", h.Min, h.Max, h.N)
	}
}

func TestHistogramMerge(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var parts [3]Histogram
	var whole Histogram
	for i := range 3000 {
		us := random.Int64N(1 << uint(1+i%40))
		parts[i%3].Add(us, 1)
		whole.Add(us, 1)
	}
	var sum Histogram
	for _, i := range []int{2, 0, 1} {
		sum.Merge(&parts[i])
	}
	for p := 0.0; p <= 100; p += 0.5 {
		if sum.PercentileMs(p) != whole.PercentileMs(p) {
			t.Fatalf("percentile %v: %v and %v", p, sum.PercentileMs(p), whole.PercentileMs(p))
		}
	}
	if !reflect.DeepEqual([]int64{sum.N, sum.Min, sum.Max}, []int64{whole.N, whole.Min, whole.Max}) {
		t.Errorf("merged %+v, whole %+v", sum, whole)
	}
	if empty := (&Histogram{}); empty.PercentileMs(50) != 0 {
		t.Error("an empty histogram has a median")
	}
}

func TestHeatRows(t *testing.T) {
	for us := int64(0); us < 1<<20; us += 1 + us/50 {
		row := HeatRow(us)
		if up := HeatUpToMs(row) * 1000; float64(us) >= up {
			t.Errorf("%d µs lies in row %d, which goes up to %v µs", us, row, up)
		}
		if row > 0 && float64(us) < HeatUpToMs(row-1)*1000 {
			t.Errorf("%d µs lies in row %d, but the row before goes up to %v µs", us, row, HeatUpToMs(row-1)*1000)
		}
	}
}
