package compare

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgknee/analysis/bench"
	"pgknee/analysis/report"
)

// A ratio that jumps is no noise, even where seven single runs are too few for the laws and for a permutation test.
func TestStepOfSingleRuns(t *testing.T) {
	n := []int{1, 4, 16, 32, 64, 128, 256}
	old := []float64{8010, 31000, 110900, 196000, 312800, 451900, 575300}
	slower := []float64{7980, 31150, 111800, 194600, 249500, 363000, 458100}
	got := All([]*bench.Curve{series("old", n, old), series("new", n, slower)}, 0)[0]
	if got.Verdict != regression || got.Onset == nil || got.Onset.After != 32 || got.Onset.At != 64 {
		t.Errorf("%s, onset %+v: %s", got.Verdict, got.Onset, got.Why)
	}
	if got.Floor != nil {
		t.Errorf("a floor that was not reached: %g", *got.Floor)
	}
}

// What no law describes, with one run a count: a collapse of the last counts is a finding where it is far beyond what the others scatter, or
// beyond the assumed noise; a fifth less at two of four counts is not.
func TestCollapseOfSingleRuns(t *testing.T) {
	for _, c := range []struct {
		counts       []int
		old, slower  []float64
		verdict      string
		after, onset int
	}{
		{[]int{1, 2, 4, 8, 16, 32}, []float64{907, 1807, 3607, 7207, 14407, 28807}, []float64{897, 1787, 3567, 7127, 7407, 5807}, regression, 8, 16},
		{[]int{8, 32, 128, 512}, []float64{8000, 25000, 40000, 30000}, []float64{8050, 24800, 20000, 15200}, regression, 32, 128},
		{[]int{1, 8, 32, 64, 128}, []float64{1000, 7000, 19500, 28000, 31000}, []float64{1010, 6900, 19600, 27500, 9300}, regression, 64, 128},
		{[]int{8, 32, 128, 512}, []float64{8000, 25000, 40000, 30000}, []float64{8050, 24800, 32000, 24000}, inconclusive, 0, 0},
	} {
		got := All([]*bench.Curve{series("old", c.counts, c.old), series("new", c.counts, c.slower)}, 0)[0]
		var after, onset int
		if got.Onset != nil {
			after, onset = got.Onset.After, got.Onset.At
		}
		if got.Verdict != c.verdict || after != c.after || onset != c.onset {
			t.Errorf("%v: %s, onset after %d at %d: %s", c.slower, got.Verdict, after, onset, got.Why)
		}
	}
}

// Two counts as they were and two a fifth lower are no common factor, though with two repeats no single count stands out against it.
func TestFewCountsAreNoCommonFactor(t *testing.T) {
	n := []int{1, 8, 32, 128}
	got := All([]*bench.Curve{
		series("old", n, []float64{8110, 58700, 197000, 447000}, []float64{7820, 61000, 189000, 460000}),
		series("new", n, []float64{7900, 60300, 154000, 356000}, []float64{8090, 59100, 157500, 369000}),
	}, 0)[0]
	if got.Verdict != regression || got.Attribution != "contention" || got.Onset == nil || got.Onset.At != 32 {
		t.Errorf("%s, %s, onset %+v: %s", got.Verdict, got.Attribution, got.Onset, got.Why)
	}
}

// A first run that is the slowest at every count is told; runs in no order are not.
func TestColdStart(t *testing.T) {
	n := []int{1, 4, 16, 64}
	warm := []float64{8000, 31000, 110000, 310000}
	half := []float64{4000, 15000, 60000, 160000}
	if s := coldStart(series("a", n, half, warm, warm)); !strings.Contains(s, "first run of a is the slowest") {
		t.Errorf("not told: %q", s)
	}
	if s := coldStart(series("a", n, warm, half, warm)); s != "" {
		t.Errorf("told of the second runs: %q", s)
	}
}

// compareTwo simulates two series and compares them.
func compareTwo(repeats int, noise float64, change func(n int) float64) report.Comparison {
	random := rand.New(rand.NewPCG(11, 11))
	same := func(int) float64 { return 1 }
	return All([]*bench.Curve{sweep(random, "old", simulatedN, repeats, noise, same), sweep(random, "new", simulatedN, repeats, noise, change)}, 0)[0]
}

func TestVerdicts(t *testing.T) {
	from := func(n int, factor float64) func(int) float64 {
		return func(k int) float64 {
			if k >= n {
				return factor
			}
			return 1
		}
	}
	for _, c := range []struct {
		name        string
		repeats     int
		noise       float64
		change      func(int) float64
		verdict     string
		attribution string // "" for any
		after, at   int    // of the onset; 0 for none
		text        string
	}{
		{"equal", 3, .02, from(1, 1), noDifference, "", 0, 0, "No difference detected"},
		{"equal, too noisy to say", 3, .15, from(1, 1), inconclusive, "", 0, 0, "repeats a side"},
		{"a uniform gain", 3, .02, from(1, 1.12), improvement, "uniform", 0, 0, "by the same factor at all counts"},
		{"a uniform loss of one sweep each", 1, .02, from(1, .85), regression, "uniform", 0, 0, "by the same factor"},
		{"a loss from 64 on", 3, .02, from(64, .8), regression, "", 32, 64, "from 64 clients on"},
		{"at the last count only", 3, .02, from(512, .7), regression, "", 384, 512, "from 512 clients on"},
		{"lower plateau", 3, .01, func(n int) float64 { return 1 / (1 + .004*float64(n-1)/(1+.00975*float64(n-1))) }, regression, "contention", 16, 32, ""},
		{"slow when idle", 5, .02, func(n int) float64 {
			if n <= 4 {
				return .7
			}
			return 1
		}, regression, "unexplained", 0, 0, "at 1 to 4 clients"},
		{"better and worse", 3, .02, func(n int) float64 {
			if n <= 8 {
				return 1.2
			}
			return from(128, .7)(n)
		}, mixed, "unexplained", 0, 0, "faster than old at 1 to 8 clients"},
		{"better and worse, one run per point", 1, .01, func(n int) float64 {
			if n < 32 {
				return 1.15
			}
			return .8
		}, mixed, "unexplained", 0, 0, "scatter about a step"},
		{"one count alone, hardly beyond chance", 3, .02, func(n int) float64 {
			if n == 32 {
				return 1.08
			}
			return 1
		}, inconclusive, "", 0, 0, "measure there again"},
	} {
		got := compareTwo(c.repeats, c.noise, c.change)
		after, at := 0, 0
		if got.Onset != nil {
			after, at = got.Onset.After, got.Onset.At
		}
		if got.Verdict != c.verdict || c.attribution != "" && got.Attribution != c.attribution || after != c.after || at != c.at || !strings.Contains(got.Why, c.text) {
			t.Errorf("%s: %s, %s, onset %d to %d: %s", c.name, got.Verdict, got.Attribution, after, at, got.Why)
		}
		if strings.Count(got.Why, ". ") > 0 || !strings.HasSuffix(got.Why, ".") {
			t.Errorf("%s: not one sentence: %s", c.name, got.Why)
		}
	}
}

// TestAbortedTop: where the runs at the top were aborted, equality below is no equality of the curves, and a loss below stays one.
func TestAbortedTop(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	same := func(int) float64 { return 1 }
	old, other := sweep(random, "old", simulatedN, 3, .02, same), sweep(random, "new", simulatedN, 3, .02, same)
	last := len(other.Points) - 1
	for _, r := range other.Points[last].Runs {
		r.Flag(bench.FlagAborted)
		other.LeftOut = append(other.LeftOut, r)
	}
	other.Points = other.Points[:last]
	c := All([]*bench.Curve{old, other}, 0)[0]
	if c.Verdict != inconclusive || !strings.Contains(c.Why, "at 512 runs were aborted") {
		t.Errorf("%s: %s", c.Verdict, c.Why)
	}
	if s := strings.Join(c.Caveats, "\n"); !strings.Contains(s, "Runs of new at 512 clients are left out (aborted).") {
		t.Error(s)
	}
}

// TestFewCounts: one run a side at one or two counts is no finding, unless it is far beyond any noise.
func TestFewCounts(t *testing.T) {
	n := []int{8, 16}
	near := All([]*bench.Curve{series("a", n, []float64{100, 200}), series("b", n, []float64{85, 160})}, 0)[0]
	if near.Verdict != inconclusive || near.Noise.Source != assumed {
		t.Errorf("%s: %s", near.Verdict, near.Why)
	}
	far := All([]*bench.Curve{series("a", n, []float64{100, 200}), series("b", n, []float64{20, 30})}, 0)[0]
	if far.Verdict != regression {
		t.Errorf("%s: %s", far.Verdict, far.Why)
	}
}

// TestOneCount: with repeats one count is enough for a verdict, but not for an attribution.
func TestOneCount(t *testing.T) {
	n := []int{32}
	c := All([]*bench.Curve{
		series("old", n, []float64{50000}, []float64{50700}, []float64{49200}, []float64{50100}),
		series("new", n, []float64{44000}, []float64{45100}, []float64{44800}, []float64{44300}),
	}, 0)[0]
	if c.Verdict != regression || c.Attribution != "" || c.Onset != nil || !strings.HasPrefix(c.Why, "new is slower than old at 32 clients, −11.") {
		t.Errorf("%s, %q: %s", c.Verdict, c.Attribution, c.Why)
	}
}

// TestTwoSampleTest: with four or more runs a side the ratio carries the p of a U test, with fewer none.
func TestTwoSampleTest(t *testing.T) {
	for repeats, want := range map[int]bool{3: false, 5: true} {
		c := compareTwo(repeats, .02, func(int) float64 { return .8 })
		if got := c.Points[0].P != nil; got != want {
			t.Errorf("%d repeats: p %v", repeats, c.Points[0].P)
		}
		if c.Points[0].Lo == nil || *c.Points[0].Hi < .8 || *c.Points[0].Lo > .8 {
			t.Errorf("interval %v to %v", c.Points[0].Lo, c.Points[0].Hi)
		}
	}
}

// TestHostile: whatever the numbers, there is an answer that can be written as JSON.
func TestHostile(t *testing.T) {
	values := []float64{0, -1, 1, 1, 1e-300, 1e300, math.MaxFloat64, math.NaN(), math.Inf(1), 5e-324, 12345}
	random := rand.New(rand.NewPCG(9, 9))
	for range 300 {
		var curves []*bench.Curve
		for k := range 2 + random.IntN(3) {
			c := &bench.Curve{Label: string(rune('a' + k))}
			for n := 1; n < 1+random.IntN(14); n++ {
				p := bench.Point{Clients: n * n}
				for range random.IntN(4) {
					v := values[random.IntN(len(values))]
					if random.IntN(2) == 0 {
						v = random.ExpFloat64()
					}
					p.Runs, p.Samples = append(p.Runs, &bench.Run{TPS: &v}), append(p.Samples, v)
				}
				c.Points = append(c.Points, p)
			}
			curves = append(curves, c)
		}
		for _, c := range All(curves, random.IntN(len(curves))) {
			if _, err := json.Marshal(c); err != nil {
				t.Fatal(err)
			}
			if c.Why == "" || strings.Contains(c.Why, "NaN") || strings.Contains(c.Why, "Inf") {
				t.Fatal(c.Why)
			}
		}
	}
}

// TestSameCap: a cap that all series share is said, with one pgbench thread or where only low counts differ.
func TestSameCap(t *testing.T) {
	n := []int{1, 8, 32, 64, 128}
	one := func(r *bench.Run) { r.Threads = new(1) }
	curves := []*bench.Curve{
		with(series("a", n, []float64{9000, 50000, 101000, 100000, 99500}, []float64{9100, 49500, 100000, 101000, 99800}), one),
		with(series("b", n, []float64{13000, 70000, 100000, 99000, 99900}, []float64{13200, 70400, 100500, 99600, 99100}), one),
	}
	says := func(text string) {
		t.Helper()
		c := All(curves, 0)[0]
		if !slices.ContainsFunc(c.Caveats, func(s string) bool { return strings.Contains(s, text) }) {
			t.Error(c.Why, c.Caveats)
		}
	}
	says("pgbench itself may be the limit")
	for _, c := range curves {
		with(c, func(r *bench.Run) { r.Threads = new(8) })
	}
	says("a pooler or the network may be the limit")
}

// TestAttributions: of sweeps made by one kind of change, nine in ten are attributed to it.
func TestAttributions(t *testing.T) {
	usl := func(n, a, b float64) float64 { return 9000 * n / (1 + a*(n-1) + b*n*(n-1)) }
	plateau := func(n, d, k float64) float64 {
		return 9000 * n / (1 + .01*(n-1) + d*(n-1)/(1+math.Exp(3*(math.Log(k)-math.Log(n)))) + .3/n)
	}
	counts := []int{1, 4, 16, 32, 64, 128, 192, 256}
	for _, c := range []struct {
		name string
		a, b func(n float64) float64
		want string
	}{
		{"a tenth less", func(n float64) float64 { return usl(n, .01, 1e-5) }, func(n float64) float64 { return .9 * usl(n, .01, 1e-5) }, "uniform"},
		{"a quarter more", func(n float64) float64 { return plateau(n, .01, 500) }, func(n float64) float64 { return 1.25 * plateau(n, .01, 500) }, "uniform"},
		{"more serial work", func(n float64) float64 { return usl(n, .01, 0) }, func(n float64) float64 { return usl(n, .03, 0) }, "contention"},
		{"a hard limit", func(n float64) float64 { return usl(n, .01, 0) }, func(n float64) float64 { return min(usl(n, .01, 0), 250000) }, "contention"},
		{"dearer coherency", func(n float64) float64 { return usl(n, .01, 1e-5) }, func(n float64) float64 { return usl(n, .01, 1e-4) }, "collapse"},
		{"a storm on a lock", func(n float64) float64 { return plateau(n, .01, 500) }, func(n float64) float64 { return plateau(n, .033, 100) }, "collapse"},
		{"a storm that is gone", func(n float64) float64 { return plateau(n, .033, 100) }, func(n float64) float64 { return plateau(n, .01, 500) }, "collapse"},
		{"slow when idle", func(n float64) float64 { return usl(n, .01, 0) }, func(n float64) float64 { return usl(n, .01, 0) / (1 + .5/n) }, "unexplained"},
	} {
		random := rand.New(rand.NewPCG(21, 21))
		right := 0
		for range 20 {
			measured := func(label string, f func(float64) float64) *bench.Curve {
				rows := make([][]float64, 3)
				for i := range rows {
					for _, n := range counts {
						rows[i] = append(rows[i], f(float64(n))*math.Exp(.02*random.NormFloat64()))
					}
				}
				return series(label, counts, rows...)
			}
			if All([]*bench.Curve{measured("a", c.a), measured("b", c.b)}, 0)[0].Attribution == c.want {
				right++
			}
		}
		if right < 18 {
			t.Errorf("%s: %s in %d of 20", c.name, c.want, right)
		}
	}
}

// TestStrayRun holds that one run of five that went wrong at one count is told, and spoils nothing.
func TestStrayRun(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 1))
	same := func(int) float64 { return 1 }
	old, other := sweep(random, "old", doublings, 5, .02, same), sweep(random, "new", doublings, 5, .02, same)
	at := slices.Index(doublings, 64)
	other.Points[at].Samples[2] *= 0.25
	c := All([]*bench.Curve{old, other}, 0)[0]
	if c.Verdict != noDifference || c.Noise.SigmaLog > 0.03 {
		t.Errorf("%s, noise %g: %s", c.Verdict, c.Noise.SigmaLog, c.Why)
	}
	if !slices.ContainsFunc(c.Caveats, func(s string) bool {
		return strings.HasPrefix(s, "A run of new is far from the others of its count (−7")
	}) {
		t.Errorf("caveats %q", c.Caveats)
	}
}

// TestCrossing holds that curves which cross are mixed, also where a single sweep shows only one count of the one side beyond the noise of all.
func TestCrossing(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 1))
	crossing := func(n int) float64 { return 1.25 * math.Pow(float64(n), -0.1) }
	mixeds := 0
	for range 20 {
		c := All([]*bench.Curve{sweep(random, "old", doublings, 1, .02, func(int) float64 { return 1 }), sweep(random, "new", doublings, 1, .02, crossing)}, 0)[0]
		if c.Verdict == mixed {
			mixeds++
		} else if strings.Contains(c.Why, "fewer no difference shows") && slices.ContainsFunc(c.Points[:3], func(p report.RatioPoint) bool { return p.Changed }) {
			t.Errorf("denies what it shows: %s", c.Why)
		}
	}
	if mixeds < 12 {
		t.Errorf("%d of 20 crossing pairs are called mixed", mixeds)
	}
}

// TestTwoNoisyCounts holds that without repeats two counts at the top make no claim that three times the noise explains.
func TestTwoNoisyCounts(t *testing.T) {
	d := []float64{.01, -.012, .008, .011, -.009, .013, -.01, -.002, -.075, -.082}
	var a, b []float64
	for i, n := range doublings {
		a, b = append(a, truth(float64(n))), append(b, truth(float64(n))*math.Exp(d[i]))
	}
	if c := All([]*bench.Curve{series("old", doublings, a), series("new", doublings, b)}, 0)[0]; c.Verdict != inconclusive {
		t.Errorf("%s: %s", c.Verdict, c.Why)
	}
}

// A change that begins at the second count names the one count before it, and one of many times is no percentage.
func TestWords(t *testing.T) {
	n := []int{1, 4, 16, 32, 64, 128, 256}
	old := []float64{8010, 31000, 110900, 196000, 312800, 451900, 575300}
	same := slices.Clone(old)
	for i := range same[1:] {
		same[i+1] *= 12
	}
	got := All([]*bench.Curve{series("old", n, old, old, old), series("new", n, same, same, same)}, 0)[0]
	for _, want := range []string{"12.0 times", "; at 1 client no difference shows"} {
		if !strings.Contains(got.Why, want) {
			t.Errorf("no %q in %q", want, got.Why)
		}
	}
	for ratio, want := range map[float64]string{.1: "−90 %", 1: "0.0 %", 4.9: "+390 %", 10.4: "10.4 times", 250: "250 times"} {
		if s := percent(math.Log(ratio)); s != want {
			t.Errorf("%g: %q, want %q", ratio, s, want)
		}
	}
	for m, want := range map[report.MeanRatio]string{
		{Ratio: 2, Lo: 1.5, Hi: 6}:  "+100 % (90 % interval +50 % to 6.0 times)",
		{Ratio: 8, Lo: 7, Hi: 9}:    "8.0 times (90 % interval 7.0 to 9.0 times)",
		{Ratio: .5, Lo: .4, Hi: .6}: "−50 % (90 % interval −60 to −40 %)",
	} {
		if got := meanText(&m); got != want {
			t.Errorf("%+v: %q, want %q", m, got, want)
		}
	}
}

// TestOneCountAlone: of single runs, one count far off between neighbours that agree is no finding, and no noise of the others.
func TestOneCountAlone(t *testing.T) {
	counts := []int{1, 2, 4, 8, 16, 32, 64, 96, 128, 192}
	a := []float64{8680, 17285, 34684, 66897, 113628, 164378, 189880, 197334, 199839, 204735}
	b := []float64{8802, 17546, 35373, 67751, 118013, 159142, 73726, 194758, 196268, 197441}
	c := All([]*bench.Curve{series("a", counts, a), series("b", counts, b)}, 0)[0]
	if c.Verdict != inconclusive || c.Noise.SigmaLog > 0.05 || !strings.Contains(c.Why, "only −61 % at 64 stands out") {
		t.Errorf("%s, noise %g: %s", c.Verdict, c.Noise.SigmaLog, c.Why)
	}
}

// TestLawThatMissesByFar: what a joint fit misses is no noise where one ratio for all counts misses far less.
func TestLawThatMissesByFar(t *testing.T) {
	a := series("old", []int{1, 2, 4, 8, 16, 32}, []float64{9100, 13000, 21300, 29700, 30000, 31600})
	b := series("new", []int{1, 2, 8, 16, 32}, []float64{3280, 4700, 15000, 15100, 14000})
	if c := All([]*bench.Curve{a, b}, 0)[0]; c.Verdict != regression || c.Noise.SigmaLog > .25 {
		t.Errorf("%s, noise %.2f: %s", c.Verdict, c.Noise.SigmaLog, c.Why)
	}
}
