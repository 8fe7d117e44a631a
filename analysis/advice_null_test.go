package analysis_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"testing"
)

var nulls = flag.Int("nulls", 0, "simulate so many inputs without any difference, print what advice they get")

// TestAdviceOnNothing simulates inputs in which nothing differs but noise and what must not matter: no advice may be stronger than weak,
// and at most one input in twenty may get any that is not about measuring. Without -nulls it runs a few.
func TestAdviceOnNothing(t *testing.T) {
	n := *nulls
	if n == 0 {
		n = 30
	}
	shapes := []struct {
		name string
		s    shape
	}{
		{"knee", usl(9000, .004, .000004)}, {"plateau", usl(9000, .06, 0)}, {"collapse", usl(9000, .01, .0001)}, {"capped", usl(9000, .001, 0).cap(120000)},
	}
	type row struct{ inputs, weak, surer, verdicts int }
	table := map[string]*row{}
	rules := map[string]int{}
	advised := 0
	for i := range n {
		random := rand.New(rand.NewSource(int64(1000 + i)))
		shape := shapes[i%len(shapes)]
		b := usual
		if random.Intn(3) == 0 {
			b = tpcb
		}
		b.repeats = []int{1, 3, 5}[random.Intn(3)]
		b.noise = []float64{.005, .015, .04}[random.Intn(3)]
		a, c := side{name: "before", curve: shape.s}, side{name: "after", curve: shape.s}
		switch random.Intn(4) {
		case 0: // a setting that does nothing differs
			a.conf, c.conf = "max_wal_size = 4GB\njit = on\n", "max_wal_size = 32GB\njit = on\n"
		case 1:
			a.conf, c.conf = "shared_buffers = 8GB\n", "shared_buffers = 16GB\n"
		case 2: // a version
			a.version, c.version = "15.8", "16.4"
		}
		if random.Intn(2) == 0 {
			a.folded, c.folded = quiet, quiet
		}
		if random.Intn(3) == 0 {
			a.waits, c.waits = "LWLock WALWrite 800\nIO WALSync 300\nClient ClientRead 500\n", "LWLock WALWrite 780\nIO WALSync 320\nClient ClientRead 510\n"
		}
		files := b.folder(int64(i), a, c)
		if b.repeats == 1 && random.Intn(2) == 0 {
			files = b.mail(int64(i), "PostgreSQL 16.4, 64 cores, scale 300, select-only, 60 s.", "One run for each cell.", a, c)
		}
		r := analyse(files, "before")
		key := fmt.Sprintf("%-9s %d runs, noise %3.1f %%", shape.name, b.repeats, 100*b.noise)
		if table[key] == nil {
			table[key] = &row{}
		}
		table[key].inputs++
		for _, cmp := range r.Comparisons {
			if cmp.Verdict == "regression" || cmp.Verdict == "improvement" || cmp.Verdict == "mixed" {
				table[key].verdicts++
			}
		}
		weak := false
		for _, rec := range r.Recommendations {
			if rec.Kind == "measurement" {
				continue
			}
			rules[rec.Rule+" "+rec.Confidence]++
			weak = true
			if rec.Confidence != "weak" {
				table[key].surer++
				t.Errorf("input %d (%s): %s is %s: %s", i, key, rec.Rule, rec.Confidence, rec.Text)
			}
		}
		if weak {
			table[key].weak++
			advised++
		}
	}
	if limit := max(n/20, 1); advised > limit {
		t.Errorf("%d of %d inputs get advice on nothing; at most %d may", advised, n, limit)
	}
	if *nulls > 0 {
		t.Logf("%-34s %7s %9s %8s %6s", "", "inputs", "verdicts", "advised", "surer")
		for _, key := range slices.Sorted(maps.Keys(table)) {
			r := table[key]
			t.Logf("%-34s %7d %9d %8d %6d", key, r.inputs, r.verdicts, r.weak, r.surer)
		}
		t.Logf("%d of %d inputs advised: %v", advised, n, rules)
	}
}
