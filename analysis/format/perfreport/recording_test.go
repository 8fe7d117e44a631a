package perfreport

import (
	"math"
	"os"
	"testing"

	"pgknee/analysis/format"
	"pgknee/analysis/format/formattest"
	"pgknee/analysis/format/perfscript"
	"pgknee/analysis/profile"
)

// TestRecording holds reports of every style against perf script of the same recording (testdata/pgbench.perf: the server under
// pgbench -S, 13 samples of two backends): all of them say the same of every function.
func TestRecording(t *testing.T) {
	load := func(f *format.Format, name string) *profile.Profile {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		c := formattest.Read(f, name, format.Options{}, data)
		for _, p := range c.Profiles {
			if p.Event == "cpu-clock" {
				return p
			}
		}
		t.Fatalf("%s: no profile of cpu-clock", name)
		return nil
	}
	script := load(perfscript.Format, "pgbench.perf")
	want := map[string]profile.KnownFunction{}
	for _, f := range script.KnownFunctions() {
		want[f.Name] = f
	}
	for _, name := range []string{"flat", "callee", "caller", "folded", "children", "hierarchy", "tree"} {
		p := load(Format, name+".txt")
		if p.Total != script.Total {
			t.Errorf("%s: a total of %g, want %g", name, p.Total, script.Total)
		}
		found := map[string]bool{}
		for _, f := range p.KnownFunctions() {
			found[f.Name] = true
			w := want[f.Name]
			if f.Flags&profile.Unknown != 0 { // chains print addresses without their module
				continue
			}
			if math.Abs(f.Self-w.Self) > 1e-4*p.Total {
				t.Errorf("%s: %s has %g itself, want %g", name, f.Name, f.Self, w.Self)
			}
			inclusive := name == "children" || name == "callee" || name == "caller" || name == "folded" || name == "tree"
			if inclusive && math.Abs(f.Total-w.Total) > 5e-4*p.Total {
				t.Errorf("%s: %s has %g with what it calls, want %g", name, f.Name, f.Total, w.Total)
			}
		}
		for _, f := range want {
			if f.Self > 0 && f.Flags&profile.Unknown == 0 && !found[f.Name] {
				t.Errorf("%s: %s is missing", name, f.Name)
			}
		}
	}
}
