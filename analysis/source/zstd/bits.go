package zstd

import (
	"encoding/binary"
	"math/bits"
)

// forward reads bits from the front, lowest first.
type forward struct {
	data []byte
	at   int // in bits
}

// take reads n ≤ 16 bits; beyond the end they are zero, which end says.
func (f *forward) take(n int) int {
	v := 0
	for i, at := 0, f.at>>3; i < 4 && at+i < len(f.data); i++ {
		v |= int(f.data[at+i]) << (8 * i)
	}
	v = v >> (f.at & 7) & (1<<n - 1)
	f.at += n
	return v
}

// backward reads bits from the end, highest first. The last byte's highest bit that is set marks the end.
type backward struct {
	data []byte
	left int // bits that are left; below zero more were taken than there are
}

func newBackward(data []byte) (backward, error) {
	if len(data) == 0 || data[len(data)-1] == 0 {
		return backward{}, ErrCorrupt
	}
	return backward{data, 8*(len(data)-1) + bits.Len8(data[len(data)-1]) - 1}, nil
}

// peek has the next n ≤ 32 bits; beyond the end they are zero.
func (b *backward) peek(n int) int {
	from := b.left - n // of the lowest bit
	short := 0
	if from < 0 {
		short = min(-from, n)
		from = max(from, 0)
		if n -= short; n == 0 {
			return 0
		}
	}
	at := from >> 3
	var v uint64
	if at+8 <= len(b.data) {
		v = binary.LittleEndian.Uint64(b.data[at:])
	} else {
		for i := len(b.data) - 1; i >= at; i-- {
			v = v<<8 | uint64(b.data[i])
		}
	}
	return int(v>>(from&7)&(1<<n-1)) << short
}

func (b *backward) take(n int) int {
	v := b.peek(n)
	b.left -= n
	return v
}

// entry is a state of a finite state entropy decoder: what it stands for, and how the next state is found.
type entry struct {
	symbol, bits uint8
	base         uint16
}

// table is a decoder of 1<<log states.
type table struct {
	log    int
	states []entry
}

// readTable reads the description of a table of symbols up to most at the front of data, and says how long it is.
func readTable(data []byte, most, maxLog int) (table, int, error) {
	f := forward{data: data}
	log := f.take(4) + 5
	if log > maxLog {
		return table{}, 0, ErrCorrupt
	}
	var counts []int
	for left := 1 << log; left > 0; {
		if len(counts) > most {
			return table{}, 0, ErrCorrupt
		}
		n := bits.Len(uint(left + 1))
		v := f.take(n)
		low := 1<<(n-1) - 1
		short := 1<<n - 2 - left // values below it take a bit less
		if v&low < short {
			f.at--
			v &= low
		} else if v > low {
			v -= short
		}
		count := v - 1
		counts = append(counts, count)
		left -= max(count, -count)
		if left < 0 {
			return table{}, 0, ErrCorrupt
		}
		for repeat := 3; count == 0 && repeat == 3; {
			repeat = f.take(2)
			for range repeat {
				counts = append(counts, 0)
			}
			if len(counts) > most+1 {
				return table{}, 0, ErrCorrupt
			}
		}
	}
	n := (f.at + 7) / 8
	if n > len(data) || len(counts) > most+1 {
		return table{}, 0, ErrCorrupt
	}
	t, err := newTable(counts, log)
	return t, n, err
}

// newTable spreads symbols over the states, each as often as it counts; -1 is a count of less than one.
func newTable(counts []int, log int) (table, error) {
	size := 1 << log
	t := table{log, make([]entry, size)}
	next := make([]int, len(counts))
	high := size
	for s, n := range counts {
		next[s] = n
		if n == -1 {
			high--
			t.states[high].symbol, next[s] = uint8(s), 1
		}
	}
	at := 0
	for s, n := range counts {
		for range max(n, 0) {
			t.states[at].symbol = uint8(s)
			at = (at + size>>1 + size>>3 + 3) & (size - 1)
			for at >= high {
				at = (at + size>>1 + size>>3 + 3) & (size - 1)
			}
		}
	}
	if at != 0 {
		return table{}, ErrCorrupt
	}
	for i := range t.states {
		e := &t.states[i]
		n := next[e.symbol]
		next[e.symbol]++
		e.bits = uint8(log - bits.Len(uint(n)) + 1)
		e.base = uint16(n<<e.bits - size)
	}
	return t, nil
}
