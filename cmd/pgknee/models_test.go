package main

import (
	"bytes"
	"strings"
	"testing"

	"pgknee/analysis/model"
)

func TestModels(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run([]string{"models"}, nil, &out, &errs); code != exitRead || errs.Len() > 0 {
		t.Fatalf("exit %d, %s", code, &errs)
	}
	for _, l := range model.Laws {
		for _, text := range []string{l.Name + ": ", l.Formula, l.Meaning, "Source: " + l.Source} {
			if text == "" || !strings.Contains(out.String(), text) {
				t.Errorf("%s: %q is missing", l.Name, text)
			}
		}
		for _, p := range l.Parameters {
			if p.Doc == "" || !strings.Contains(out.String(), p.Name) {
				t.Errorf("%s: parameter %s is not explained", l.Name, p.Name)
			}
		}
	}
	if code := run([]string{"models", "x"}, nil, &out, &errs); code != exitUsage {
		t.Errorf("exit %d with an argument", code)
	}
}
