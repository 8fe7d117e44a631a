package analysis

import (
	"testing"

	"pgknee/analysis/report"
)

func TestRound(t *testing.T) {
	lo, tps := 9754.340904510007, 534661.123456789
	r := &report.Report{
		Series: []report.Series{{
			Points: []report.Point{{TPS: tps, Lo: &lo, Samples: []float64{tps}}},
			Models: []report.Model{{RMSLog: 0.022512345678, Residuals: []report.Residual{{Log: 1.23e-12}}}},
		}},
		Comparisons: []report.Comparison{{Points: []report.RatioPoint{{Ratio: 0.6620012345678}}}},
	}
	round(r)
	s := r.Series[0]
	if s.Points[0].TPS != tps || s.Points[0].Samples[0] != tps {
		t.Error("a measured number was rounded")
	}
	if *s.Points[0].Lo != 9754.341 || s.Models[0].RMSLog != 0.02251235 || s.Models[0].Residuals[0].Log != 0 || r.Comparisons[0].Points[0].Ratio != 0.6620012 {
		t.Errorf("computed numbers: %v %+v %+v", *s.Points[0].Lo, s.Models[0], r.Comparisons[0].Points)
	}
}
