package analysis

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgknee/analysis/bench"
	"pgknee/analysis/profile"
)

func TestPairs(t *testing.T) {
	tests := []struct {
		name, baseline string
		labels         []string // label, label@event, or label#host
		want           string
	}{
		{"versions in any order, oldest first", "", []string{"v13Beta1", "v12.3"}, "v12.3>v13Beta1"},
		{"each with the baseline, and with the version before", "", []string{"pg163", "pg17beta1", "pg17beta2"}, "pg163>pg17beta1 pg163>pg17beta2 pg17beta1>pg17beta2"},
		{
			"two machines are not mixed", "",
			[]string{"scan-AB12-pg163", "scan-CD34-pg163", "scan-AB12-pg17beta2", "scan-CD34-pg17beta2"},
			"scan-AB12-pg163>scan-AB12-pg17beta2 scan-CD34-pg163>scan-CD34-pg17beta2",
		},
		{"machines named beside", "", []string{"16.3#A1", "17beta2#A1", "16.3 on B2#B2", "17beta2 on B2#B2"}, "16.3>17beta2 16.3 on B2>17beta2 on B2"},
		{"events are not mixed", "", []string{"a@cycles:P", "b@cache-misses", "c@cycles"}, "a>c"},
		{"settings: as given", "", []string{"perf-on", "perf-off"}, "perf-on>perf-off"},
		{"settings: as asked for", "perf-off", []string{"perf-on", "perf-off"}, "perf-off>perf-on"},
		{"one thing in two shapes", "", []string{"perf-on", "perf-on (2)"}, ""},
		{"versions of different settings", "", []string{"v12", "v13_on"}, "v12>v13_on"},
		{"alone", "", []string{"v12"}, ""},
	}
	for _, test := range tests {
		var list []*profile.Profile
		for _, l := range test.labels {
			label, event, _ := strings.Cut(l, "@")
			label, host, _ := strings.Cut(label, "#")
			p := &profile.Profile{Label: label, Event: event}
			if host != "" {
				p.Attributes = map[string]string{"host": host}
			}
			list = append(list, p)
		}
		s := &Session{Options: Options{Baseline: test.baseline}}
		var got []string
		for _, pair := range s.pairs(list, nil) {
			got = append(got, pair[0].Label+">"+pair[1].Label)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: got %s, want %s", test.name, strings.Join(got, " "), test.want)
		}
	}
}

// With curves the profile of the baseline series is the baseline, whatever its version.
func TestPairsOfSeries(t *testing.T) {
	curves := []*bench.Curve{{Label: "v13_on"}, {Label: "v13_off"}, {Label: "v12"}}
	s := &Session{Options: Options{Baseline: "v13_off"}}
	list := []*profile.Profile{{Label: "v12"}, {Label: "v13_on"}, {Label: "v13_off"}}
	var got []string
	for _, pair := range s.pairs(list, curves) {
		got = append(got, pair[0].Label+">"+pair[1].Label)
	}
	if !slices.Contains(got, "v13_off>v12") || !slices.Contains(got, "v13_off>v13_on") {
		t.Error(got)
	}
}

func TestLabelVersion(t *testing.T) {
	for in, want := range map[string]string{
		"pg-scan-PN53-pg163": "16.3|pg-scan-PN53-", "pg1023": "10.23|", "pg17beta2": "17beta2|", "v13Beta1": "13beta1|", "16.3 on A1": "16.3| on A1",
		"perf-on": "|perf-on", "v13_on": "13|_on", "c64": "|c64", "x.100": "|x.100", "pg905": "9.0.5|", "pg96": "9.6|", "pg17": "17|", "pg555": "|pg555",
	} {
		version, rest := labelVersion(in)
		if got := fmt.Sprintf("%s|%s", version, rest); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

// A recording and a report on it are one thing, whatever their names; another recording of as many samples is not.
func TestRecordingAndReport(t *testing.T) {
	build := func(label string, weights ...float64) *profile.Profile {
		b := profile.NewBuilder()
		for i, w := range weights {
			b.Add([]profile.FrameID{b.Intern(profile.Frame{Name: fmt.Sprint("f", i)})}, w, 1)
		}
		p := b.Profile()
		p.Label, p.Event, p.Total = label, "cycles", 1000
		return p
	}
	report := func(label string, weights ...float64) *profile.Profile {
		p := build(label, weights...)
		p.Partial, p.Stated = true, map[string]profile.Weights{}
		for i, w := range weights {
			p.Stated[fmt.Sprint("f", i)] = profile.Weights{Self: w, Total: profile.NotKnown}
		}
		return p
	}
	recording := build("stacks", 500.4, 300, 150, 49.6)
	if got := (&Session{}).pairs([]*profile.Profile{report("report", 500, 300, 150), recording}, nil); len(got) != 0 {
		t.Errorf("a recording is compared with the report on it")
	}
	if got := (&Session{}).pairs([]*profile.Profile{report("report", 490, 310, 150), recording}, nil); len(got) != 1 {
		t.Errorf("a report on another recording is compared %d times, not once", len(got))
	}
}
