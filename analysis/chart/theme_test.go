package chart

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestThemesAreThePages holds the colours of charts against the tokens of the page.
func TestThemesAreThePages(t *testing.T) {
	css, err := os.ReadFile("../../site/css/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	pairs := map[string][2]string{}
	for _, m := range regexp.MustCompile(`--(\w+): light-dark\((#\w+), (#\w+)\)`).FindAllStringSubmatch(string(css), -1) {
		pairs[m[1]] = [2]string{m[2], m[3]}
	}
	for i, name := range []string{"light", "dark"} {
		th := themes[name]
		want := map[string]string{"card": th.paper, "ink": th.ink, "soft": th.soft, "line": th.line}
		for k, c := range th.series {
			want["s"+string(rune('1'+k))] = c
		}
		for token, c := range want {
			if got := pairs[token][i]; !strings.EqualFold(got, c) {
				t.Errorf("%s: --%s is %s on the page and %s in charts", name, token, got, c)
			}
		}
	}
}
