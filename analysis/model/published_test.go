package model

import (
	"math"
	"testing"

	"pgknee/analysis/stat"
)

// published are fits of the USL by other tools, in linear space without weights; digits as printed by them.
var published = []struct {
	name     string
	n, x     []float64
	g, a, b  float64
	sg       float64 // standard errors, 0 where none is printed
	sa, sb   float64
	rse      float64
	digits   float64 // relative tolerance that the printed digits allow
	peak     float64
	predicts map[float64]float64
}{
	{
		name: "V1 specsdm91", n: []float64{1, 18, 36, 72, 108, 144, 216}, x: []float64{64.9, 995.9, 1652.4, 1853.2, 1828.9, 1775.0, 1702.2},
		g: 89.9952330, a: 0.02772848, b: 1.043655e-4, sg: 14.2134894, sa: 0.0091217, sb: 0.0000199, rse: 82.85, digits: 2e-6, peak: 96.51956,
		predicts: map[float64]float64{1: 90, 18: 1078, 36: 1541, 72: 1850, 108: 1879, 144: 1822, 216: 1646},
	},
	{ // The printed parameters are of an early stop; the optimum is within 1e-4 of them.
		name: "V2 specsdm91, whole numbers", n: []float64{1, 18, 36, 72, 108, 144, 216}, x: []float64{65, 996, 1652, 1853, 1829, 1775, 1702},
		g: 89.98715, a: .02772891, b: 1.04348e-4, digits: 2e-6, peak: 96.52,
		predicts: map[float64]float64{10: 714.778987, 50: 1721.000603, 100: 1883.278957, 150: 1808.481681, 200: 1686.571797, 250: 1562.279331, 300: 1447.463805},
	},
	{
		name: "V3 raytracer", n: []float64{1, 4, 8, 12, 16, 20, 24, 28, 32, 48, 64}, x: []float64{20, 78, 130, 170, 190, 200, 210, 230, 260, 280, 310},
		g: 21.848843, a: 0.057771, sg: 2.196165, sa: .013293, sb: .000118, rse: 9.34, digits: 1e-5,
		predicts: map[float64]float64{96: 323.3, 128: 335.5},
	},
	{
		name: "V9", n: []float64{1, 2, 4, 8, 12, 16}, x: []float64{60, 120, 220, 400, 440, 490},
		g: 61.372822, a: .012318, b: .003549, sg: 6.680004, sa: .030875, sb: .001327, rse: 16.39, digits: 2e-4, peak: 16.68,
		predicts: map[float64]float64{16.68: 482.6},
	},
	{
		name: "V10 R tests", n: []float64{1, 2, 4, 6, 8, 10}, x: []float64{1, 1.8868, 3.0769, 3.5294, 3.5398, 3.3557},
		g: 1, a: .02, b: .02, digits: 5e-4, peak: 7,
	},
	{
		name: "V10 book", n: []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, x: []float64{1800, 3303, 4426, 5180, 5625, 5837, 5888, 5830, 5704, 5538},
		g: 1800, a: .05, b: .02, digits: 5e-4, peak: 6.892,
	},
	{ // B. Schwartz, Practical Scalability Analysis with the Universal Scalability Law; also in the tests of usl4j and usl-rs by C. Hale.
		name: "Cisco", n: []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32},
		x: []float64{
			955.16, 1878.91, 2688.01, 3548.68, 4315.54, 5130.43, 5931.37, 6531.08, 7219.8, 7867.61, 8278.71, 8646.7, 9047.84, 9426.55, 9645.37, 9897.24,
			10097.6, 10240.5, 10532.39, 10798.52, 11151.43, 11518.63, 11806, 12089.37, 12075.41, 12177.29, 12211.41, 12158.93, 12155.27, 12118.04, 12140.4, 12074.39,
		},
		g: 995.6486, a: .02671591, b: 7.690945e-4, digits: 2e-7, peak: 35.57,
		predicts: map[float64]float64{35: 12341.7454},
	},
}

func TestPublished(t *testing.T) {
	for _, c := range published {
		t.Run(c.name, func(t *testing.T) {
			f := USL.Fit(fromPoints(c.n, c.x), Options{Linear: true})
			if f == nil {
				t.Fatal("not fitted")
			}
			near(t, "gamma", f.P[0], c.g, c.digits)
			near(t, "alpha", f.P[1], c.a, 10*c.digits)
			near(t, "beta", f.P[2], c.b, 5*c.digits)
			if c.sg > 0 {
				cov := f.problem.solver.Covariance(f.u)
				// gamma is searched as its logarithm.
				near(t, "standard error of gamma", f.sigma*math.Sqrt(cov[0])*f.P[0], c.sg, 1e-4)
				near(t, "standard error of alpha", f.sigma*math.Sqrt(cov[4]), c.sa, 1e-3)
				near(t, "standard error of beta", f.sigma*math.Sqrt(cov[8]), c.sb, 5e-3)
				near(t, "residual standard error", f.Sigma, c.rse, 1e-3)
				// The intervals of R's usl, labelled 95 %, are two-sided 90 % ones with n−1 degrees of freedom.
				if c.name == "V3 raytracer" {
					h := stat.StudentQuantile(0.05, float64(len(c.n)-1))
					near(t, "R's lower end of alpha", f.P[1]-h*f.sigma*math.Sqrt(cov[4]), .0336773, 1e-3)
					near(t, "R's upper end of alpha", f.P[1]+h*f.sigma*math.Sqrt(cov[4]), .0818642, 1e-3)
					near(t, "R's lower end of gamma", f.P[0]*(1-h*f.sigma*math.Sqrt(cov[0])), 17.8683796, 1e-4)
				}
			}
			if n, ok := f.PeakClients(); c.peak > 0 {
				near(t, "peak", n, c.peak, math.Max(2e-4, c.digits))
			} else if ok {
				t.Errorf("a peak at %g, though beta is 0", n)
			}
			for n, x := range c.predicts {
				near(t, "prediction", f.At(n), x, 6e-4)
			}
		})
	}
}

// TestPublishedPrefix holds what the book on the USL predicts from the first ten rows of the Cisco set: the peak, and the response time at
// 20 threads. Ten rows don't bear a peak at 47, and the report must say so.
func TestPublishedPrefix(t *testing.T) {
	c := published[len(published)-1]
	f := USL.Fit(fromPoints(c.n[:10], c.x[:10]), Options{Linear: true})
	n, _ := USL.Peak(f.P)
	near(t, "peak", math.Floor(n), 46, 1e-9)
	near(t, "throughput there", f.At(46), 16049, 1e-4)
	near(t, "throughput at 20", f.At(20), 12572, 1e-4)
	near(t, "response time at 20", 20/f.At(20), 0.00159, 2e-3)
	if _, ok := f.PeakClients(); ok {
		t.Error("a peak so far beyond the data is claimed")
	}
}

// TestActiveBound holds the warning of a bounded fit, with what it hides.
func TestActiveBound(t *testing.T) {
	c := published[2]
	f := USL.Fit(fromPoints(c.n, c.x), Options{Linear: true})
	near(t, "bounded sum of squares", f.RSS, 697.2, 1e-3)
	m := f.report(f.Intervals(), true)
	if len(m.Warnings) < 2 || m.Warnings[0] != "beta is 0: the data show no retrograde term" ||
		m.Warnings[1] != "unbounded, beta would be -0.000201: negative, which has no meaning, so the law misses something here" {
		t.Errorf("warnings %q", m.Warnings)
	}
	// The first six rows turn, and the whole does not.
	six := USL.Fit(fromPoints(c.n[:6], c.x[:6]), Options{Linear: true})
	near(t, "alpha of six rows", six.P[1], .02444, 3e-3)
	near(t, "beta of six rows", six.P[2], .00163, 3e-3)
	near(t, "gamma of six rows", six.P[0], 20.85605, 1e-5)
}
