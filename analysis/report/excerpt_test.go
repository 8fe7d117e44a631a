package report

import (
	"reflect"
	"testing"
)

// TestExcerpt holds that an excerpt has runs of every point, whole lines, and indexes that lead to the same runs.
func TestExcerpt(t *testing.T) {
	r := &Report{Series: []Series{{Label: "a"}, {Label: "b"}}}
	point := map[[2]int]int{}
	for i := range 3000 {
		tps := float64(i)
		series, clients := i%2, i/500
		r.Runs = append(r.Runs, Run{File: "f", Line: i/2 + 1, TPS: &tps, Clients: &clients})
		s := &r.Series[series]
		if clients == 5 {
			s.LeftOut = append(s.LeftOut, LeftOut{Run: i, TPS: &tps})
			continue
		}
		key := [2]int{series, clients}
		if _, ok := point[key]; !ok {
			point[key] = len(s.Points)
			s.Points = append(s.Points, Point{Clients: clients})
		}
		p := &s.Points[point[key]]
		p.N++
		p.Runs, p.Samples = append(p.Runs, i), append(p.Samples, tps)
	}
	if e, where := r.Excerpt(3000); e != r || where != nil {
		t.Error("what is small enough is not its own excerpt")
	}
	e, where := r.Excerpt(201)
	if len(e.Runs) != 200 || e.RunsInAll != 3000 || len(where) != 200 || len(r.Runs) != 3000 || len(r.Series[0].Points[0].Runs) != 250 {
		t.Fatalf("%d of %d runs, %d places", len(e.Runs), e.RunsInAll, len(where))
	}
	for i, run := range e.Runs {
		if !reflect.DeepEqual(run, r.Runs[where[i]]) {
			t.Errorf("run %d is not run %d", i, where[i])
		}
		if i%2 == 0 && e.Runs[i+1].Line != run.Line {
			t.Errorf("line %d is cut", run.Line)
		}
	}
	if got := where.Of([]int{3, -1, 200}); !reflect.DeepEqual(got, []int{where[3]}) || !reflect.DeepEqual(Places(nil).Of([]int{3}), []int{3}) {
		t.Errorf("run 3 is in place %v, not %d", got, where[3])
	}
	for _, s := range e.Series {
		for _, p := range s.Points {
			if len(p.Runs) < 10 || len(p.Runs) != len(p.Samples) || p.N != 250 {
				t.Errorf("%s at %d: %d runs, %d samples of %d", s.Label, p.Clients, len(p.Runs), len(p.Samples), p.N)
			}
			for n, i := range p.Runs {
				if *e.Runs[i].TPS != p.Samples[n] || *e.Runs[i].Clients != p.Clients {
					t.Errorf("%s at %d: run %d is another", s.Label, p.Clients, i)
				}
			}
		}
		for _, l := range s.LeftOut {
			if e.Runs[l.Run].TPS != l.TPS {
				t.Errorf("%s: left out is another run", s.Label)
			}
		}
	}
}
