package report

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestRun holds what is written of a run to what encoding/json writes.
func TestRun(t *testing.T) {
	filled := func(fill func(v reflect.Value)) Run {
		var r Run
		fields := reflect.ValueOf(&r).Elem()
		for i := range fields.NumField() {
			fill(fields.Field(i))
		}
		return r
	}
	numbers := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 1e-6, 1.5e-6, 1e-7, 0.1, 1234.567891, 1.0 / 3, 123456789.123456, 999999999.999999, 1e9, 1e15, 1e20, 1e21, 1e22, 5e-324, math.MaxFloat64, 0.1 + 0.2, 4503599627.370496}
	r := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		numbers = append(numbers, math.Exp(40*r.Float64()-20), math.Round(1e9*r.Float64())/1e6, math.Round(1e6*r.Float64())/1e3)
	}
	runs := []Run{{}, {Progress: &Progress{EndS: numbers, TPS: []float64{}, LatencyMs: numbers}}, {Progress: &Progress{Heat: &Heat{}}}, {Attributes: map[string]string{}, Flags: []string{}}}
	for _, text := range []string{"a", "a\"b\\c\n<é>\u2028", "\xff"} {
		runs = append(runs, filled(func(v reflect.Value) {
			switch v := v.Addr().Interface().(type) {
			case *string:
				*v = text
			case *int:
				*v = 7
			case *bool:
				*v = true
			case **int:
				*v = new(int)
			case **int64:
				*v = new(int64)
			case **float64:
				*v = &numbers[9]
			case *[]string:
				*v = []string{text, ""}
			case *map[string]string:
				*v = map[string]string{"b": text, text: "", "c": "d"}
			case *map[string]float64:
				*v = map[string]float64{"95": 1.5, "5": 2}
			case *[]Statement:
				*v = []Statement{{SQL: text}}
			case *[]Script:
				*v = []Script{{Name: text}}
			case **Progress:
				*v = &Progress{EndS: []float64{1}, TPS: numbers, LatencyMs: numbers, Heat: &Heat{UpToMs: []float64{1}, Counts: [][]int64{{1}}}}
			default:
				t.Fatalf("this test and the encoding know no field of %T", v)
			}
		}))
	}
	for _, r := range runs {
		var got object
		got.run(&r)
		var want bytes.Buffer
		plain := json.NewEncoder(&want)
		plain.SetEscapeHTML(false)
		if err := plain.Encode(r); err != nil {
			t.Fatal(err)
		}
		if got.err != nil || string(got.b)+"\n" != want.String() {
			t.Errorf("%v: %s\nwant\n%s", got.err, got.b, want.String())
		}
	}
	bad := math.NaN()
	if err := (&Report{Runs: []Run{{TPS: &bad}}}).Encode(io.Discard, ""); err == nil {
		t.Error("what is no number is written")
	}
}

// TestEncode holds what is written piece by piece to what encoding/json writes.
func TestEncode(t *testing.T) {
	clients := 8
	for _, r := range []Report{
		{},
		{Schema: Schema, Files: []File{}, Summary: &Summary{Headline: []Span{{Text: "a < b & \"c\""}}}},
		{
			Schema: Schema, Tool: "pgknee", Notes: []string{"one", "two\n"}, Files: []File{{Name: "a"}, {Name: "b", Problems: []Problem{{Message: "<é>"}}}},
			Runs: []Run{{File: "a", Clients: &clients, Progress: &Progress{EndS: []float64{1, 2.5}}}, {}}, Settings: []Settings{{Values: map[string]Setting{"x": {Value: "1"}}}},
		},
	} {
		for _, indent := range []string{"", "  "} {
			var got, want bytes.Buffer
			if err := r.Encode(&got, indent); err != nil {
				t.Fatal(err)
			}
			plain := json.NewEncoder(&want)
			plain.SetEscapeHTML(false)
			plain.SetIndent("", indent)
			if err := plain.Encode(r); err != nil {
				t.Fatal(err)
			}
			if got.String() != want.String() {
				t.Errorf("indent %q:\n%s\nwant\n%s", indent, got.String(), want.String())
			}
		}
	}
}
