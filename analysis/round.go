package analysis

import (
	"math"
	"reflect"
	"strconv"

	"pgknee/analysis/report"
)

// digits of computed numbers in the report: more than any measurement here carries, and few enough that processors, whose last
// digits of exponentials differ, give the same report.
const digits = 7

// round cuts the numbers that were computed, not measured, to their digits.
func round(r *report.Report) {
	for i := range r.Series {
		s := &r.Series[i]
		roundIn(reflect.ValueOf(&s.Models))
		roundIn(reflect.ValueOf(&s.Floor))
		roundIn(reflect.ValueOf(&s.PeakRange))
		for j := range s.Points {
			roundIn(reflect.ValueOf(&s.Points[j].Lo))
			roundIn(reflect.ValueOf(&s.Points[j].Hi))
		}
	}
	roundIn(reflect.ValueOf(&r.Comparisons))
}

func roundIn(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			roundIn(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			roundIn(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			roundIn(v.Field(i))
		}
		if residual, ok := v.Addr().Interface().(*report.Residual); ok {
			residual.Log = math.Round(residual.Log*1e7) / 1e7 // next to 0 digits mean nothing
		}
	case reflect.Float64:
		v.SetFloat(significant(v.Float()))
	}
}

// significant keeps the digits of a number.
func significant(x float64) float64 {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return x
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits-1, 64), 64)
	if err != nil {
		return x
	}
	return rounded
}
