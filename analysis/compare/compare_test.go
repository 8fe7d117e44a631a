package compare

import (
	"math"
	"slices"
	"testing"

	"pgknee/analysis/bench"
	"pgknee/analysis/report"
)

// The reference mail: select-only pgbench, three configurations.
var (
	seedN   = []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 768, 1024, 1280, 1536, 1792, 2048}
	seedV12 = []float64{6764, 14978, 31641, 71989, 129056, 231910, 381778, 534661, 636794, 574447, 493912, 484993, 480571, 475030, 472145, 471385}
	seedV13 = []float64{6734, 14961, 32012, 68848, 131157, 226718, 371782, 353944, 248825, 213033, 214801, 222492, 223296, 228137, 229027, 228665}
	seedOff = []float64{6905, 15316, 36961, 69204, 132773, 253316, 385402, 539231, 643631, 555099, 502014, 490716, 483843, 477153, 474423, 470238}
)

// series makes a curve of one run per count; more rows of tps are repeats.
func series(label string, n []int, rows ...[]float64) *bench.Curve {
	c := &bench.Curve{Label: label}
	for i := range n {
		p := bench.Point{Clients: n[i]}
		for _, row := range rows {
			p.Runs = append(p.Runs, &bench.Run{Clients: &n[i], TPS: &row[i]})
			p.Samples = append(p.Samples, row[i])
		}
		c.Points = append(c.Points, p)
	}
	return c
}

// with changes every run of a curve.
func with(c *bench.Curve, change func(*bench.Run)) *bench.Curve {
	for _, p := range c.Points {
		for _, r := range p.Runs {
			change(r)
		}
	}
	return c
}

func show(t *testing.T, all []report.Comparison) {
	t.Helper()
	for _, c := range all {
		t.Logf("%s → %s: %s %s %s\n  %s", c.Baseline, c.Candidate, c.Verdict, c.Attribution, c.Restores, c.Why)
		if c.Noise != nil {
			t.Logf("  noise %+v onset %+v worst %+v p %v", *c.Noise, c.Onset, c.Worst, c.Permutation)
		}
		for _, f := range c.JointFits {
			t.Logf("  %s %s k %d rms %.4f aicc %.1f", f.Law, f.Name, f.Parameters, f.RMSLog, f.AICc)
		}
		for _, s := range c.Caveats {
			t.Log("  -", s)
		}
	}
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %v, want %v ± %v", what, got, want, tol)
	}
}

func changedAt(c report.Comparison) []int {
	var out []int
	for _, p := range c.Points {
		if p.Changed {
			out = append(out, p.Clients)
		}
	}
	return out
}

// TestReferenceMail holds the comparisons to the published figures (models.md 11.7).
func TestReferenceMail(t *testing.T) {
	all := All([]*bench.Curve{
		series("v12.3", seedN, seedV12), series("v13Beta1", seedN, seedV13), series("v13Beta1 (track_planning=off)", seedN, seedOff),
	}, 0)
	show(t, all)
	if len(all) != 2 {
		t.Fatalf("%d comparisons", len(all))
	}
	on, off := all[0], all[1]
	if on.Verdict != regression || on.Attribution != "collapse" || on.Noise.Source != fromControl || on.Noise.Control != off.Candidate {
		t.Errorf("%s, %s, %+v", on.Verdict, on.Attribution, on.Noise)
	}
	near(t, "noise", on.Noise.SigmaLog, .0455, .0005)
	if on.Onset == nil || on.Onset.After != 64 || on.Onset.At != 128 {
		t.Errorf("onset %+v", on.Onset)
	}
	if on.Worst.Clients != 512 {
		t.Errorf("worst %+v", on.Worst)
	}
	near(t, "worst", on.Worst.Ratio, .371, .0005)
	near(t, "floor ratio", *on.Floor, .468, .01)
	near(t, "band", on.Band.Lo, 1-.148, .002)
	if got := changedAt(on); !slices.Equal(got, seedN[7:]) {
		t.Errorf("changed at %v", got)
	}
	if off.Verdict != noDifference || off.Restores != "v12.3" || off.Noise.Source != fromJoint || len(changedAt(off)) != 0 {
		t.Errorf("%s, restores %q, %+v, changed at %v", off.Verdict, off.Restores, off.Noise, changedAt(off))
	}
	near(t, "mean", math.Log(off.Mean.Ratio), .0195, .0002)
	near(t, "mean, low", math.Log(off.Mean.Lo), -.0005, .0002)
	near(t, "mean, high", math.Log(off.Mean.Hi), .0394, .0002)
	near(t, "mean from 128 on", math.Log(off.MeanWhere.Ratio), .0030, .0002)
	near(t, "the same, low", math.Log(off.MeanWhere.Lo), -.0063, .0002)
	near(t, "the same, high", math.Log(off.MeanWhere.Hi), .0122, .0002)
	near(t, "ratio at 4", off.Points[2].Ratio, 1.168, .0005)
	near(t, "ratio at 32", off.Points[5].Ratio, 1.092, .0005)
}

// TestWithoutTheThirdColumn: the same regression, with the noise of the joint fit.
func TestWithoutTheThirdColumn(t *testing.T) {
	all := All([]*bench.Curve{series("v12.3", seedN, seedV12), series("v13Beta1", seedN, seedV13)}, 0)
	show(t, all)
	c := all[0]
	if c.Verdict != regression || c.Attribution != "collapse" || c.Noise.Source != fromJoint || c.Onset == nil || c.Onset.At != 128 {
		t.Errorf("%s, %s, %+v, %+v", c.Verdict, c.Attribution, c.Noise, c.Onset)
	}
}
