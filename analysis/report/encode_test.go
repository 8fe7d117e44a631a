package report

import (
	"bytes"
	"encoding/json"
	"testing"
)

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
