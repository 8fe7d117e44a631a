package model

import (
	"fmt"
	"math"
	"testing"

	"pgknee/analysis/report"
)

// The reference mail: select-only pgbench, three configurations.
var (
	seedN   = []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 768, 1024, 1280, 1536, 1792, 2048}
	seedV12 = []float64{6764, 14978, 31641, 71989, 129056, 231910, 381778, 534661, 636794, 574447, 493912, 484993, 480571, 475030, 472145, 471385}
	seedV13 = []float64{6734, 14961, 32012, 68848, 131157, 226718, 371782, 353944, 248825, 213033, 214801, 222492, 223296, 228137, 229027, 228665}
	seedOff = []float64{6905, 15316, 36961, 69204, 132773, 253316, 385402, 539231, 643631, 555099, 502014, 490716, 483843, 477153, 474423, 470238}
)

func seeds() []*Data {
	return []*Data{fromPoints(seedN, seedV12), fromPoints(seedN, seedV13), fromPoints(seedN, seedOff)}
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
		law  *Law
		rms  [3]float64
		aicc [3]float64
	}{
		{&Gustafson, [3]float64{1.009, .991, 1.010}, [3]float64{8.3, 7.7, 8.3}},
		{&Amdahl, [3]float64{.191, .287, .192}, [3]float64{-45.1, -31.9, -44.9}},
		{&Repairman, [3]float64{.103, .162, .105}, [3]float64{-64.8, -50.3, -64.2}},
		{&USL, [3]float64{.111, .221, .115}, [3]float64{-58.8, -36.7, -57.7}},
		{&LogUSL, [3]float64{.105, .179, .106}, [3]float64{-60.4, -43.5, -60.2}},
		{&AISSL, [3]float64{.075, .160, .079}, [3]float64{-67.0, -42.6, -65.3}},
		{&TicketLock, [3]float64{.087, .127, .091}, [3]float64{-66.5, -54.4, -65.1}},
		{&TicketLockCap, [3]float64{.086, .058, .090}, [3]float64{-62.7, -75.1, -61.1}},
		{&Segments, [3]float64{.035, .020, .043}, [3]float64{-70.9, -89.2, -64.3}},
		{&KneeCollapse, [3]float64{.056, .050, .062}, [3]float64{-71.1, -74.8, -67.7}},
		{&KneeCollapseWake, [3]float64{.032, .023, .032}, [3]float64{-81.8, -92.6, -82.0}},
		{&PlateauUSLH1, [3]float64{.062, .101, .066}, [3]float64{-73.1, -57.4, -70.9}},
		{&PlateauUSLH1Wake, [3]float64{.036, .077, .036}, [3]float64{-85.0, -60.6, -85.5}},
		{&PlateauUSLNoWake, [3]float64{.071, .057, .077}, [3]float64{-68.5, -75.9, -66.2}},
		{&PlateauUSLFree, [3]float64{.0243, .0223, .0253}, [3]float64{-90.9, -93.7, -89.7}},
		{&PlateauUSL, [3]float64{.0243, .0225, .0254}, [3]float64{-97.6, -100.1, -96.2}},
	} {
		for i, d := range seeds() {
			f := c.law.Fit(d, Options{})
			t.Log(c.law.Name, f.P, f.RMSLog, f.AICc)
			near(t, fmt.Sprintf("%s RMS %d", c.law.Name, i), f.RMSLog, c.rms[i], 0.02)
			if math.Abs(f.AICc-c.aicc[i]) > 0.2 {
				t.Errorf("%s AICc %d is %.2f, want %.1f", c.law.Name, i, f.AICc, c.aicc[i])
			}
		}
	}
}

// BenchmarkDescribe is all that a report says of the three reference curves: every law, with intervals and the band.
func BenchmarkDescribe(b *testing.B) {
	for range b.N {
		for _, x := range [][]float64{seedV12, seedV13, seedOff} {
			Describe(&report.Series{}, curveOf(seedN, x), Options{}, func(string) bool { return true })
		}
	}
}

func BenchmarkRank(b *testing.B) {
	for range b.N {
		for _, d := range seeds() {
			rank(d, Laws, Options{})
		}
	}
}

func BenchmarkLaw(b *testing.B) {
	for _, l := range Laws {
		b.Run(l.Name, func(b *testing.B) {
			d := seeds()[1]
			for range b.N {
				l.Fit(d, Options{})
			}
		})
	}
}

// TestSeedJoint holds the joint fits of the three reference curves to the published figures.
func TestSeedJoint(t *testing.T) {
	law := JointLaw(seeds())
	if law != &PlateauUSL {
		t.Fatalf("the curves are compared with %s", law.Name)
	}
	three := law.joint(seeds(), []int{0, 1, 0}, Shape{"collapse", []string{"delta", "K"}}, law.separate(seeds()))
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
	for i, want := range []Change{{"delta", 3.222, Interval{3.02, 3.45}}, {"K", 0.3536, Interval{0.311, 0.403}}} {
		got := three.Changes()[i]
		near(t, "change of "+want.Name, got.Ratio, want.Ratio, 0.001)
		near(t, "its lower end", got.In.Lo, want.In.Lo, 0.01)
		near(t, "its upper end", got.In.Hi, want.In.Hi, 0.01)
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
