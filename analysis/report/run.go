package report

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// object is the JSON of a run on its way. A report has hundreds of thousands of runs, and encoding/json takes five times as long to
// write one: so what most of them have is written here, byte for byte as it would be there, and the rest there.
type object struct {
	b   []byte
	err error
}

// run writes a run.
func (o *object) run(r *Run) {
	o.b = o.string(append(o.b, `{"file":`...), r.File)
	whole(o, "line", r.Line)
	o.text("series", r.Series)
	count(o, "clients", r.Clients)
	count(o, "threads", r.Threads)
	count(o, "scale", r.Scale)
	o.number("durationS", r.DurationS)
	count(o, "transactions", r.Transactions)
	o.number("tps", r.TPS)
	o.text("tpsKind", r.TPSKind)
	o.text("unit", r.Unit)
	o.number("latencyMs", r.LatencyMs)
	if r.LatencyDerived {
		o.other("latencyDerived", true)
	}
	o.number("latencyStddevMs", r.LatencyStddevMs)
	if len(r.LatencyPercentilesMs) > 0 {
		o.other("latencyPercentilesMs", r.LatencyPercentilesMs)
	}
	count(o, "failed", r.Failed)
	count(o, "retried", r.Retried)
	count(o, "skipped", r.Skipped)
	o.number("initialConnectionMs", r.InitialConnectionMs)
	o.text("script", r.Script)
	o.text("queryMode", r.QueryMode)
	o.text("version", r.Version)
	o.text("serverVersion", r.ServerVersion)
	o.number("rateLimitTps", r.RateLimitTPS)
	o.texts("flags", r.Flags)
	whole(o, "intervals", r.Intervals)
	if len(r.Statements) > 0 {
		o.other("statements", r.Statements)
	}
	if len(r.Scripts) > 0 {
		o.other("scripts", r.Scripts)
	}
	if len(r.Attributes) > 0 {
		o.name("attributes")
		for i, k := range slices.Sorted(maps.Keys(r.Attributes)) {
			o.b = append(o.string(append(o.b, separator(i, "{")...), k), ':')
			o.b = o.string(o.b, r.Attributes[k])
		}
		o.b = append(o.b, '}')
	}
	if p := r.Progress; p != nil {
		o.name("progress")
		o.b = o.numbers(append(o.b, `{"endS":`...), p.EndS)
		o.b = o.numbers(append(o.b, `,"tps":`...), p.TPS)
		if len(p.LatencyMs) > 0 {
			o.b = o.numbers(append(o.b, `,"latencyMs":`...), p.LatencyMs)
		}
		if p.Heat != nil {
			o.other("heat", p.Heat)
		}
		o.b = append(o.b, '}')
	}
	o.texts("notes", r.Notes)
	o.b = append(o.b, '}')
}

// name begins a field that is not the first.
func (o *object) name(name string) {
	o.b = append(append(append(o.b, `,"`...), name...), `":`...)
}

func (o *object) text(name, v string) {
	if v != "" {
		o.name(name)
		o.b = o.string(o.b, v)
	}
}

func (o *object) texts(name string, list []string) {
	if len(list) == 0 {
		return
	}
	o.name(name)
	for i, v := range list {
		o.b = o.string(append(o.b, separator(i, "[")...), v)
	}
	o.b = append(o.b, ']')
}

func (o *object) number(name string, v *float64) {
	if v != nil {
		o.name(name)
		o.b = o.float(o.b, *v)
	}
}

func whole(o *object, name string, v int) {
	if v != 0 {
		count(o, name, &v)
	}
}

func count[T int | int64](o *object, name string, v *T) {
	if v != nil {
		o.name(name)
		o.b = strconv.AppendInt(o.b, int64(*v), 10)
	}
}

// numbers appends a list of numbers.
func (o *object) numbers(b []byte, list []float64) []byte {
	if len(list) == 0 {
		return o.value(b, list)
	}
	for i, v := range list {
		b = o.float(append(b, separator(i, "[")...), v)
	}
	return append(b, ']')
}

// float appends a number. What was measured has few decimals: where six tell it apart from all others, they are its digits.
func (o *object) float(b []byte, v float64) []byte {
	const decimals, most = 1e6, 1e15
	if v > 0 && v < most/decimals {
		if n := int64(v*decimals + 0.5); float64(n)/decimals == v {
			b = strconv.AppendInt(b, n/decimals, 10)
			if rest := n % decimals; rest > 0 {
				b = append(b, '.')
				for unit := int64(decimals / 10); rest > 0; unit /= 10 {
					b = append(b, '0'+byte(rest/unit))
					rest %= unit
				}
			}
			return b
		}
	}
	if v == math.Trunc(v) && math.Abs(v) < most && (v != 0 || !math.Signbit(v)) {
		return strconv.AppendInt(b, int64(v), 10)
	}
	return o.value(b, v)
}

// string appends a string.
func (o *object) string(b []byte, v string) []byte {
	plain := true
	for i := range len(v) {
		c := v[i]
		if c < ' ' || c == '"' || c == '\\' {
			return o.value(b, v)
		}
		plain = plain && c < utf8.RuneSelf
	}
	if !plain && (!utf8.ValidString(v) || strings.ContainsAny(v, "\u2028\u2029")) {
		return o.value(b, v)
	}
	return append(append(append(b, '"'), v...), '"')
}

func (o *object) other(name string, v any) {
	o.name(name)
	o.b = o.value(o.b, v)
}

// value appends anything as encoding/json has it.
func (o *object) value(b []byte, v any) []byte {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		o.err = err
	}
	return append(b, bytes.TrimSuffix(text.Bytes(), []byte("\n"))...)
}
