package advise_test

import (
	"io/fs"
	"testing"

	"pgknee/analysis/advise"
	"pgknee/data"
)

func load(t testing.TB) []*advise.Rule {
	t.Helper()
	files, err := fs.Sub(data.Rules, "rules")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := advise.Load(files)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// TestRulesCompile reads every rule of the rule base.
func TestRulesCompile(t *testing.T) {
	if n := len(load(t)); n < 26 {
		t.Errorf("%d rules: rows of the rule base are missing", n)
	}
}
