package profile

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
	"strconv"
)

// WriteSpeedscope writes the JSON of speedscope's file format: one sampled profile, a sample for each stack with weight.
func WriteSpeedscope(w io.Writer, p *Profile) error {
	out := bufio.NewWriterSize(w, 1<<16)
	text := func(s string) {
		b, _ := json.Marshal(s) // a string can always be written
		out.Write(b)
	}
	out.WriteString(`{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"pgknee","name":`)
	text(p.Label)
	out.WriteString(`,"shared":{"frames":[`)
	for i, f := range p.Frames {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(`{"name":`)
		text(f.Name)
		if f.Module != "" {
			out.WriteString(`,"file":`)
			text(f.Module)
		}
		out.WriteByte('}')
	}
	out.WriteString(`]},"profiles":[{"type":"sampled","name":`)
	text(p.Label)
	shown := 0.0
	for _, self := range p.Self {
		shown += self
	}
	out.WriteString(`,"unit":"` + cmp.Or(timeUnit(p.Unit), "none") + `","startValue":0,"endValue":` + number(shown) + `,"samples":[`)
	var (
		stack   []FrameID
		weights []float64
		line    []byte
	)
	sample := func(self float64) {
		line = line[:0]
		if len(weights) > 0 {
			line = append(line, ',')
		}
		line = append(line, '[')
		for i, f := range stack {
			if i > 0 {
				line = append(line, ',')
			}
			line = strconv.AppendUint(line, uint64(f), 10)
		}
		out.Write(append(line, ']'))
		weights = append(weights, self)
	}
	if p.Self[0] != 0 {
		sample(p.Self[0])
	}
	p.visit(p.Totals(), func(n int32, depth int) {
		stack = append(stack[:depth-1], p.Frame[n])
		if p.Self[n] != 0 {
			sample(p.Self[n])
		}
	})
	out.WriteString(`],"weights":[`)
	for i, weight := range weights {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(number(weight))
	}
	out.WriteString("]}]}\n")
	return out.Flush()
}

// timeUnit is a unit of time in the words of speedscope and pprof; empty for any other.
func timeUnit(unit string) string {
	switch unit {
	case "ns", "cpu-clock", "task-clock":
		return "nanoseconds"
	case "us", "µs":
		return "microseconds"
	case "ms":
		return "milliseconds"
	case "s":
		return "seconds"
	}
	return ""
}
