package profile

import (
	"fmt"
	"io"
	"math"
	"slices"
)

// WritePprof writes the protocol buffer of pprof (proto/profile.proto there), which who saves it may pack with gzip: a sample for each stack and thread, with the
// number of samples where it is known and the weight, which comes last since pprof shows the last by default. Weights of pprof are
// integers of 64 bits: percentages are given in parts per million, fractions of small totals in millionths, those of large ones are
// rounded, and what is too large is given in powers of ten.
func WritePprof(w io.Writer, p *Profile) error {
	b := pprofWriter{strings: map[string]uint64{"": 0}, list: []string{""}}
	samples, _ := p.SampleCount()
	factor, unit := pprofScale(p)
	kind := "weight"
	switch {
	case p.Event != "":
		kind = p.Event
	case p.Unit == "samples":
		kind = "samples"
	}
	if samples > 0 {
		b.valueType(1, "samples", "count")
	}
	b.valueType(1, kind, unit)

	used := make([]bool, len(p.Frames))
	for n := 1; n < len(p.Frame); n++ {
		used[p.Frame[n]] = true
	}
	cells := p.Cells
	if len(cells) == 0 {
		for n, self := range p.Self {
			c := Cell{Node: int32(n), Thread: -1, Self: self}
			if p.Samples != nil {
				c.Samples = p.Samples[n]
			}
			cells = append(cells, c)
		}
	}
	var stack, values []uint64
	for _, c := range cells {
		if c.Self == 0 && c.Samples == 0 {
			continue
		}
		stack, values = stack[:0], values[:0]
		for n := c.Node; n > 0; n = p.Parent[n] {
			stack = append(stack, uint64(p.Frame[n])+1)
		}
		if samples > 0 {
			values = append(values, uint64(int64(math.Round(c.Samples))))
		}
		values = append(values, uint64(int64(math.Round(c.Self*factor))))
		var s message
		s.packed(1, stack)
		s.packed(2, values)
		if c.Thread >= 0 {
			t := p.Threads[c.Thread]
			s.label(b.id("command"), 2, b.id(t.Command))
			s.label(b.id("pid"), 3, uint64(int64(t.PID)))
			s.label(b.id("tid"), 3, uint64(int64(t.TID)))
		}
		b.out.bytes(2, s)
	}
	mappings := map[string]uint64{}
	for i, f := range p.Frames {
		if !used[i] {
			continue
		}
		id := uint64(i) + 1
		var line, location, function message
		line.varint(1, id)
		location.varint(1, id)
		if f.Module != "" {
			m, ok := mappings[f.Module]
			if !ok {
				m = uint64(len(mappings)) + 1
				mappings[f.Module] = m
				var mapping message
				mapping.varint(1, m)
				mapping.varint(5, b.id(f.Module))
				mapping.varint(7, 1) // has functions: keeps pprof from looking for symbols
				b.out.bytes(3, mapping)
			}
			location.varint(2, m)
		}
		location.bytes(4, line)
		b.out.bytes(4, location)
		function.varint(1, id)
		function.varint(2, b.id(f.Name))
		function.varint(3, b.id(f.Name))
		b.out.bytes(5, function)
	}
	b.out.varint(13, b.id("pgknee: "+p.Label))
	for _, s := range b.list {
		b.out.bytes(6, message(s))
	}
	_, err := w.Write(b.out)
	return err
}

// pprofScale gives what weights are multiplied by, and the unit that makes of it.
func pprofScale(p *Profile) (factor float64, unit string) {
	if p.Unit == "percent" {
		return 1e4, "ppm"
	}
	fraction := func(self float64) bool { return self != math.Trunc(self) }
	if p.Total < 1e9 && slices.ContainsFunc(p.Self, fraction) {
		return 1e6, "millionths of " + p.Unit
	}
	const most = 1 << 62
	zeros := 0
	for zeros < 300 && p.Total*math.Pow10(-zeros) > most {
		zeros++
	}
	switch {
	case zeros > 0:
		return math.Pow10(-zeros), fmt.Sprintf("1e%d %s", zeros, p.Unit)
	case timeUnit(p.Unit) != "":
		return 1, timeUnit(p.Unit) // which pprof shows as ms or s
	case p.Unit == "samples":
		return 1, "count"
	}
	return 1, p.Unit
}

// pprofWriter is a profile message with its table of strings.
type pprofWriter struct {
	out     message
	strings map[string]uint64
	list    []string
}

func (b *pprofWriter) id(s string) uint64 {
	id, ok := b.strings[s]
	if !ok {
		id = uint64(len(b.list))
		b.strings[s] = id
		b.list = append(b.list, s)
	}
	return id
}

func (b *pprofWriter) valueType(field int, kind, unit string) {
	var m message
	m.varint(1, b.id(kind))
	m.varint(2, b.id(unit))
	b.out.bytes(field, m)
}

// message is an encoded protocol buffer message.
type message []byte

func (m *message) uint(v uint64) {
	for v >= 0x80 {
		*m = append(*m, byte(v)|0x80)
		v >>= 7
	}
	*m = append(*m, byte(v))
}

func (m *message) varint(field int, v uint64) {
	m.uint(uint64(field) << 3)
	m.uint(v)
}

func (m *message) bytes(field int, b message) {
	m.uint(uint64(field)<<3 | 2)
	m.uint(uint64(len(b)))
	*m = append(*m, b...)
}

func (m *message) packed(field int, list []uint64) {
	var p message
	for _, v := range list {
		p.uint(v)
	}
	m.bytes(field, p)
}

// label adds a label: field 2 is a string, field 3 a number.
func (m *message) label(key uint64, field int, v uint64) {
	var l message
	l.varint(1, key)
	l.varint(field, v)
	m.bytes(3, l)
}
