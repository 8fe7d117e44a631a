package model

import (
	"math"
	"testing"
)

// The reference mail: select-only pgbench, three configurations.
var (
	seedN   = []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 768, 1024, 1280, 1536, 1792, 2048}
	seedV12 = []float64{6764, 14978, 31641, 71989, 129056, 231910, 381778, 534661, 636794, 574447, 493912, 484993, 480571, 475030, 472145, 471385}
	seedV13 = []float64{6734, 14961, 32012, 68848, 131157, 226718, 371782, 353944, 248825, 213033, 214801, 222492, 223296, 228137, 229027, 228665}
	seedOff = []float64{6905, 15316, 36961, 69204, 132773, 253316, 385402, 539231, 643631, 555099, 502014, 490716, 483843, 477153, 474423, 470238}
)

func seeds() []*Data {
	return []*Data{FromPoints(seedN, seedV12), FromPoints(seedN, seedV13), FromPoints(seedN, seedOff)}
}

// near fails unless got is within the relative tolerance of want.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
		t.Errorf("%s is %.6g, want %.6g within %g", what, got, want, tolerance)
	}
}

func TestSeedLaws(t *testing.T) {
	for _, c := range []struct {
		law *Law
		rms [3]float64
	}{
		{&Amdahl, [3]float64{.191, .287, .192}},
		{&USL, [3]float64{.111, .221, .115}},
		{&PlateauUSL, [3]float64{.0243, .0225, .0254}},
	} {
		for i, d := range seeds() {
			f := c.law.Fit(d, Options{})
			near(t, c.law.Name+" RMS", f.RMSLog, c.rms[i], 0.02)
			t.Log(c.law.Name, f.P, f.RMSLog, f.AICc)
		}
	}
}

// TestSeedJoint holds the joint fits of the three reference curves to the published figures.
func TestSeedJoint(t *testing.T) {
	law := JointLaw(seeds())
	if law != &PlateauUSL {
		t.Fatalf("the curves are compared with %s", law.Name)
	}
	three := law.Joint(seeds(), []int{0, 1, 0}, Shape{"collapse", []string{"delta", "K"}})
	near(t, "AICc", three.AICc, -321.5, 0.001)
	near(t, "RMS", three.RMSLog, 0.0286, 0.01)
	for i, want := range [][]float64{{9662, .00976, .01022, 483.3, .452}, {9662, .00976, .03294, 170.9, .452}} {
		for k, v := range want {
			near(t, law.Parameters[k].Name, three.P[i][k], v, 0.005)
		}
	}
	if three.K != 7 || three.N != 48 {
		t.Errorf("%d parameters, %d samples", three.K, three.N)
	}
	pair := law.Joints(seeds()[:2], []int{0, 1})
	if pair[0].Name != "collapse" {
		t.Errorf("the pair differs by %s", pair[0].Name)
	}
	// The control pair moves as a whole by 2 %, if at all: neither contention nor collapse.
	same := law.Joints([]*Data{seeds()[0], seeds()[2]}, []int{0, 1})
	if best := same[0].Name; best != "equal" && best != "uniform" {
		t.Errorf("the control pair differs by %s", best)
	}
}
