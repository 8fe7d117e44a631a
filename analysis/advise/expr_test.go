package advise

import (
	"errors"
	"math"
	"testing"
)

// world is a scope of a few facts.
type world map[string]value

func (w world) lookup(name string, args []value) value {
	if len(args) == 1 {
		return w[name+"("+args[0].(string)+")"]
	}
	return w[name]
}

var worldFacts = map[string]int{"clients": 0, "mode": 0, "missing": 0, "yes": 0, "set": 1}

// TestExpressions evaluates the language, unknowns included.
func TestExpressions(t *testing.T) {
	w := world{"clients": 64.0, "mode": "simple", "yes": true, "set(jit)": "on"}
	for text, want := range map[string]value{
		`clients > 16`:                             true,
		`clients >= 50% and mode == "SIMPLE"`:      true,
		`mode != "simple" or clients < 1`:          false,
		`mode matches "^sim"`:                      true,
		`not yes`:                                  false,
		`missing > 1`:                              nil,
		`not missing > 1`:                          nil,
		`missing > 1 and clients < 1`:              false,
		`missing > 1 or clients > 1`:               true,
		`missing > 1 and clients > 1`:              nil,
		`set("jit") == "on"`:                       true,
		`set("x") == "on"`:                         nil,
		`(clients > 1 or missing) and not (false)`: true,
		`mode == 1`:                                false,
		`clients == "64"`:                          false,
		`clients == -1 or clients == 64.0`:         true,
	} {
		e, err := compile(text, worldFacts)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := e.root.eval(w); got != want {
			t.Errorf("%s is %v, want %v", text, got, want)
		}
	}
}

// TestExpressionErrors makes sure that a mistake is shown where it is.
func TestExpressionErrors(t *testing.T) {
	for text, at := range map[string]int{
		`clients >`:         9,
		`clinets > 1`:       0,
		`clients > 1 )`:     12,
		`set > 1`:           0,
		`set("a", "b")`:     0,
		`mode matches mode`: 13,
		`mode matches "("`:  13,
		`mode == "simple`:   8,
		`1 2`:               2,
		``:                  0,
	} {
		_, err := compile(text, worldFacts)
		var bad *exprError
		if !errors.As(err, &bad) || bad.offset != at {
			t.Errorf("%q: %v, want an error at %d", text, err, at+1)
		}
	}
}

// FuzzExpression makes sure that no text crashes the compiler and that every error lies inside the text.
func FuzzExpression(f *testing.F) {
	for _, s := range []string{`clients > 16 and not (mode == "simple" or set("jit") matches "o")`, `((((`, `not not not yes`, `"`, `5%`, `a.b_c(1,2)`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := compile(text, worldFacts)
		var bad *exprError
		if err != nil {
			if !errors.As(err, &bad) || bad.offset < 0 || bad.offset > len(text) {
				t.Fatalf("%q: error outside the text: %v", text, err)
			}
			return
		}
		e.met(world{"clients": 1.0})
	})
}

// TestPercent writes ratios as people say them.
func TestPercent(t *testing.T) {
	for ratio, want := range map[float64]string{.371: "−63 %", 1: "+0.0 %", 1.05: "+5.0 %", 4.9: "+390 %", 5: "5.0 times", 10.37: "10.4 times", math.Pi * 1000: "3140 times"} {
		if got := percent(ratio); got != want {
			t.Errorf("%g: %q, want %q", ratio, got, want)
		}
	}
}
