package analysis

import (
	"reflect"
	"testing"

	"pgknee/analysis/bench"
	"pgknee/analysis/curve"
	"pgknee/analysis/source"
)

func run(file, label string, clients int, tps float64) *bench.Run {
	return &bench.Run{At: source.Position{File: file, Line: 1}, Label: label, Clients: &clients, TPS: &tps}
}

func TestEdits(t *testing.T) {
	runs := []*bench.Run{run("a1", "a", 1, 10), run("a1", "a", 2, 20), run("b1", "b", 1, 11), run("c1", "c", 1, 12)}
	o := Options{Exclude: []string{"a1:1:2"}, Rename: map[string]string{"c": "a"}, Order: []string{"b"}}
	o.exclude(runs)
	curves := o.edit(curve.Group(runs, curve.Options{}))
	var labels []string
	for _, c := range curves {
		labels = append(labels, c.Label)
	}
	if want := []string{"b", "a"}; !reflect.DeepEqual(labels, want) {
		t.Fatalf("labels %v, want %v", labels, want)
	}
	a := curves[1]
	if len(a.Points) != 1 || !reflect.DeepEqual(a.Points[0].Samples, []float64{10, 12}) || len(a.LeftOut) != 1 {
		t.Errorf("merged curve: %+v", a)
	}
	o.Exclude = nil
	o.exclude(runs)
	if runs[1].Has(bench.FlagExcluded) {
		t.Error("a run that is no longer excluded keeps the flag")
	}
}

func TestReopenKeepsThePlace(t *testing.T) {
	s := New(Options{})
	a, b := s.Open("a"), s.Open("b")
	again := s.Reopen(a)
	if len(s.inputs) != 2 || s.inputs[0] != again || s.inputs[1] != b {
		t.Errorf("inputs after reopening the first: %v", s.inputs)
	}
	s.Remove(b)
	if len(s.inputs) != 1 {
		t.Errorf("%d inputs left after removing one of two", len(s.inputs))
	}
}
