package settings_test

import (
	"bytes"
	"testing"

	"pgknee/analysis/settings"
	"pgknee/data"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       settings.Value
	}{
		{"shared_buffers", "1GB", settings.Value{Value: "131072", Unit: "8kB", Text: "1GB"}},
		{"shared_buffers", "16384", settings.Value{Value: "16384", Unit: "8kB", Text: "16384"}},
		{"shared_buffers", "1.5GB", settings.Value{Value: "196608", Unit: "8kB", Text: "1.5GB"}},
		{"checkpoint_timeout", "15min", settings.Value{Value: "900", Unit: "s", Text: "15min"}},
		{"max_connections", "400", settings.Value{Value: "400", Text: "400"}},
		{"jit", "TRUE", settings.Value{Value: "on", Text: "TRUE"}},
		{"fsync", "0", settings.Value{Value: "off", Text: "0"}},
		{"synchronous_commit", "OFF", settings.Value{Value: "off", Text: "OFF"}},
		{"synchronous_commit", "Remote_Apply", settings.Value{Value: "remote_apply", Text: "Remote_Apply"}},
		{"log_autovacuum_min_duration", "-1", settings.Value{Value: "-1", Unit: "ms", Text: "-1"}},
		{"random_page_cost", "1.1", settings.Value{Value: "1.1", Text: "1.1"}},
		{"shared_buffers", "lots", settings.Value{Value: "lots", Text: "lots"}},
		{"shared_buffers", "12 apples", settings.Value{Value: "12 apples", Text: "12 apples"}},
		{"citus.unknown", "On", settings.Value{Value: "on", Text: "On"}},
		{"citus.unknown", "64MB", settings.Value{Value: "64", Unit: "MB", Text: "64MB"}},
		{"cluster_name", "12", settings.Value{Value: "12", Text: "12"}},
	} {
		if got := settings.Embedded().Parse(test.name, test.text); got != test.want {
			t.Errorf("%s = %s is %+v, want %+v", test.name, test.text, got, test.want)
		}
	}
}

func TestFromView(t *testing.T) {
	for _, test := range []struct{ setting, unit, text string }{
		{"131072", "8kB", "1GB"},
		{"131073", "8kB", "1048584kB"},
		{"64", "MB", "64MB"},
		{"300", "s", "5min"},
		{"2", "ms", "2ms"},
		{"-1", "ms", "-1"},
		{"0", "kB", "0"},
	} {
		if got := settings.Embedded().FromView("x", test.setting, test.unit); got.Text != test.text || got.Value != test.setting || got.Unit != test.unit {
			t.Errorf("%s %s is %+v, want the text %s", test.setting, test.unit, got, test.text)
		}
	}
}

// TestCatalogueHolds reads the catalogue that comes with pgknee: its ranges of versions follow on one another, its units and defaults
// are such, and what changed between versions is as the release notes have it.
func TestCatalogueHolds(t *testing.T) {
	c := settings.Embedded()
	for _, name := range c.Names() {
		last := -1.0
		for _, v := range []string{"9.6", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19"} {
			e, found := c.Entry(name, v)
			if !found {
				continue
			}
			major := settings.Major(v)
			if last >= 0 && last < major-1 && !(last == 9.6 && major == 10) {
				t.Errorf("%s is missing between %v and %v", name, last, major)
			}
			last = major
			if e.Source == "" || e.Type == "" {
				t.Errorf("%s of %s has no source or type", name, v)
			}
			if e.Unit != "" && !settings.IsUnit(e.Unit) {
				t.Errorf("%s has the unit %q", name, e.Unit)
			}
			if _, ok := settings.Amount(e.Default, e.Unit); (e.Type == "integer" || e.Type == "real") && e.Default != "" && !ok {
				t.Errorf("the default of %s is %q", name, e.Default)
			}
		}
		if last < 0 {
			t.Errorf("%s holds for no version", name)
		}
	}
	for _, d := range []struct{ name, version, want string }{
		{"jit", "11", "off"},
		{"jit", "18.4", "on"},
		{"jit", "19", "off"},
		{"default_toast_compression", "18", "pglz"},
		{"default_toast_compression", "19", "lz4"},
		{"log_lock_waits", "19", "on"},
		{"checkpoint_completion_target", "13", "0.5"},
		{"checkpoint_completion_target", "14.2", "0.9"},
		{"hash_mem_multiplier", "14", "1"},
		{"hash_mem_multiplier", "15", "2"},
		{"log_checkpoints", "14", "off"},
		{"log_checkpoints", "17", "on"},
		{"effective_io_concurrency", "17", "1"},
		{"effective_io_concurrency", "18", "16"},
		{"max_locks_per_transaction", "18", "64"},
		{"max_locks_per_transaction", "19beta1", "128"},
		{"pg_stat_statements.track_planning", "13.4", "off"},
		{"pg_stat_statements.track_planning", "13beta1", "on"},
		{"io_method", "18", "worker"},
		{"wal_level", "9.6", "minimal"},
		{"wal_level", "10", "replica"},
		{"password_encryption", "13", "md5"},
		{"shared_buffers", "12.3", "16384"},
	} {
		if v, _ := c.Default(d.name, d.version); v.Value != d.want {
			t.Errorf("the default of %s in %s is %q, want %q", d.name, d.version, v.Value, d.want)
		}
	}
	if _, found := c.Entry("io_method", "17"); found {
		t.Error("17 has io_method")
	}
	if _, found := c.Entry("io_workers", "19"); found {
		t.Error("19 has io_workers")
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := settings.Load(bytes.NewReader(data.Settings)); err != nil {
			b.Fatal(err)
		}
	}
}
