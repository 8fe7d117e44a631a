package settings_test

import (
	"strings"
	"testing"

	"pgknee/analysis/settings"
)

func TestAmount(t *testing.T) {
	for _, c := range []struct {
		value, unit string
		want        float64
		ok          bool
	}{
		{"131072", "8kB", 1 << 30, true},
		{"1GB", "", 1 << 30, true},
		{"16 MB", "8kB", 16 << 20, true},
		{"5min", "s", 300_000, true},
		{"1.5", "", 1.5, true},
		{"-1", "8kB", -8192, true},
		{"on", "", 0, false},
		{"1GiB", "", 0, false},
		{"", "8kB", 0, false},
	} {
		if got, ok := settings.Amount(c.value, c.unit); got != c.want || ok != c.ok {
			t.Errorf("Amount(%q, %q) = %v, %v; want %v, %v", c.value, c.unit, got, ok, c.want, c.ok)
		}
	}
}

func TestCatalogue(t *testing.T) {
	c, err := settings.Load(strings.NewReader("name,since,until,default,unit\njit,11,11,off,\njit,12,,on,\nx.track_planning,13,,off,\nshared_buffers,,,16384,8kB\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []struct{ version, want string }{{"11.2", "off"}, {"12", "on"}, {"17beta1", "on"}} {
		if v, _ := c.Default("jit", w.version); v.Value != w.want {
			t.Errorf("jit of %s is %q, want %q", w.version, v.Value, w.want)
		}
	}
	if _, ok := c.Default("jit", "10.3"); ok {
		t.Error("10 has no jit")
	}
	if got := c.Full("track_planning"); got != "x.track_planning" {
		t.Errorf("track_planning is completed to %q", got)
	}
}

func TestMajor(t *testing.T) {
	for text, want := range map[string]float64{"9.6.4": 9.6, "13beta1": 13, "15.4 (Ubuntu 15.4-1)": 15, "19devel": 19, "abc": 0, "": 0, "8": 8} {
		if got := settings.Major(text); got != want {
			t.Errorf("Major(%q) = %v, want %v", text, got, want)
		}
	}
}
