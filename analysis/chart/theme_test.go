package chart

import (
	"fmt"
	"math"
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

// TestColours holds the series colours to what they are chosen for: readable as text on their paper, and told apart by everyone. The matrices
// simulate the three kinds of colour blindness (Machado, Oliveira and Fernandes 2009, severity 1); the distance is that of CIE Lab.
func TestColours(t *testing.T) {
	sights := map[string][9]float64{
		"all cones":       {1, 0, 0, 0, 1, 0, 0, 0, 1},
		"no long cones":   {.152286, 1.052583, -.204868, .114503, .786281, .099216, -.003882, -.048116, 1.051998},
		"no middle cones": {.367322, .860646, -.227968, .280085, .672501, .047413, -.011820, .042940, .968881},
		"no short cones":  {1.255528, -.076749, -.178779, -.078411, .930809, .147602, .004733, .691367, .303900},
	}
	for name, th := range themes {
		paper := luminance(linear(t, th.paper))
		for i, c := range th.series {
			own := luminance(linear(t, c))
			if k := (max(own, paper) + .05) / (min(own, paper) + .05); k < 4.5 {
				t.Errorf("%s: colour %d has a contrast of %.2f", name, i+1, k)
			}
			for sight, m := range sights {
				least := 10.0
				if i < 4 {
					least = 18
				}
				for j := range i {
					a, b := lab(seen(linear(t, c), m)), lab(seen(linear(t, th.series[j]), m))
					if d := math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2]); d < least {
						t.Errorf("%s: with %s colours %d and %d are %.1f apart", name, sight, j+1, i+1, d)
					}
				}
			}
		}
	}
}

func linear(t *testing.T, hex string) (c [3]float64) {
	var v [3]uint8
	if _, err := fmt.Sscanf(hex, "#%02x%02x%02x", &v[0], &v[1], &v[2]); err != nil {
		t.Fatal(err)
	}
	for i := range c {
		if x := float64(v[i]) / 255; x <= .04045 {
			c[i] = x / 12.92
		} else {
			c[i] = math.Pow((x+.055)/1.055, 2.4)
		}
	}
	return c
}

func luminance(c [3]float64) float64 { return .2126*c[0] + .7152*c[1] + .0722*c[2] }

func seen(c [3]float64, m [9]float64) (out [3]float64) {
	for i := range out {
		out[i] = min(max(m[3*i]*c[0]+m[3*i+1]*c[1]+m[3*i+2]*c[2], 0), 1)
	}
	return out
}

func lab(c [3]float64) [3]float64 {
	f := func(v float64) float64 {
		if v > .008856 {
			return math.Cbrt(v)
		}
		return 7.787*v + 16./116
	}
	x, y, z := f((.4124564*c[0]+.3575761*c[1]+.1804375*c[2])/.95047), f(luminance(c)), f((.0193339*c[0]+.119192*c[1]+.9503041*c[2])/1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}
