package zstd

import "math/bits"

// state is what a block leaves to the next one of its frame.
type state struct {
	huffman  huffman
	lengths  [3]table // of literals, offsets, matches
	repeated [3]int   // the last offsets
	literals []byte
}

// decode decompresses a block and appends it to what is before it.
func (s *state) decode(out, block []byte, window int) ([]byte, error) {
	block, err := s.readLiterals(block)
	if err != nil {
		return nil, err
	}
	return s.sequences(out, block, window)
}

// number reads n bytes at the front as one number, the little end first.
func number(b []byte, n int) (uint64, bool) {
	if len(b) < n {
		return 0, false
	}
	v := uint64(0)
	for i := range n {
		v |= uint64(b[i]) << (8 * i)
	}
	return v, true
}

// readLiterals reads the section of literals and returns what comes after it.
func (s *state) readLiterals(b []byte) ([]byte, error) {
	if len(b) == 0 {
		return nil, ErrCorrupt
	}
	kind, form := b[0]&3, b[0]>>2&3
	if kind < 2 {
		head, from := 1, 3
		if form&1 == 1 {
			head, from = 2+int(form>>1), 4
		}
		h, ok := number(b, head)
		n := int(h >> from)
		stored := n
		if kind == 1 {
			stored = 1
		}
		if b = b[min(head, len(b)):]; !ok || n > maxBlock || len(b) < stored {
			return nil, ErrCorrupt
		}
		if s.literals = append(s.literals[:0], b[:stored]...); kind == 1 {
			for len(s.literals) < n {
				s.literals = append(s.literals, b[0])
			}
			s.literals = s.literals[:n]
		}
		return b[stored:], nil
	}
	head, width := []int{3, 3, 4, 5}[form], []int{10, 10, 14, 18}[form]
	h, ok := number(b, head)
	n, packed := int(h>>4&(1<<width-1)), int(h>>(4+width)&(1<<width-1))
	if b = b[min(head, len(b)):]; !ok || n > maxBlock || len(b) < packed {
		return nil, ErrCorrupt
	}
	data, rest := b[:packed], b[packed:]
	if kind == 2 {
		used, err := s.huffman.read(data)
		if err != nil {
			return nil, err
		}
		data = data[used:]
	}
	if s.huffman.log == 0 {
		return nil, ErrCorrupt
	}
	s.literals = s.literals[:0]
	var err error
	if form == 0 {
		s.literals, err = s.huffman.decode(s.literals, data, n)
		return rest, err
	}
	if len(data) < 6 {
		return nil, ErrCorrupt
	}
	quarter := (n + 3) / 4
	sizes := data
	data = data[6:]
	for i := range 4 {
		stream, want := data, n-len(s.literals)
		if i < 3 {
			size := int(sizes[2*i]) | int(sizes[2*i+1])<<8
			if size > len(data) || quarter > want {
				return nil, ErrCorrupt
			}
			stream, data, want = data[:size], data[size:], quarter
		}
		if s.literals, err = s.huffman.decode(s.literals, stream, want); err != nil {
			return nil, err
		}
	}
	return rest, nil
}

// huffman decodes literals: states by the next log bits, each with how many of them are used.
type huffman struct {
	log    int
	states [1 << maxHuffman]struct{ symbol, bits uint8 }
}

const maxHuffman = 11

// read reads the description of the code and says how long it is.
func (h *huffman) read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, ErrCorrupt
	}
	n := int(b[0])
	var weights []uint8
	used := 1
	if n >= 128 {
		n -= 127
		used += (n + 1) / 2
		if used > len(b) {
			return 0, ErrCorrupt
		}
		for i := range n {
			weights = append(weights, b[1+i/2]>>(4*(1-i&1))&15)
		}
	} else {
		used += n
		if used > len(b) {
			return 0, ErrCorrupt
		}
		var err error
		if weights, err = readWeights(b[1:used]); err != nil {
			return 0, err
		}
	}
	sum := 0
	for _, w := range weights {
		if w > maxHuffman {
			return 0, ErrCorrupt
		}
		sum += 1 << w >> 1
	}
	// The last symbol's weight is what is missing to a power of two.
	log := bits.Len(uint(sum))
	left := 1<<log - sum
	if sum == 0 || log > maxHuffman || left&(left-1) != 0 {
		return 0, ErrCorrupt
	}
	weights = append(weights, uint8(bits.Len(uint(left))))
	h.log = log
	at := 0
	for w := uint8(1); int(w) <= log; w++ {
		for symbol, v := range weights {
			if v != w {
				continue
			}
			for range 1 << w >> 1 {
				h.states[at].symbol, h.states[at].bits = uint8(symbol), uint8(log+1)-w
				at++
			}
		}
	}
	return used, nil
}

// readWeights reads weights that two states take turns to decode.
func readWeights(b []byte) ([]uint8, error) {
	t, n, err := readTable(b, 255, 6)
	if err != nil {
		return nil, err
	}
	r, err := newBackward(b[n:])
	if err != nil {
		return nil, err
	}
	now, other := r.take(t.log), r.take(t.log)
	if r.left < 0 {
		return nil, ErrCorrupt
	}
	var weights []uint8
	for {
		e := t.states[now]
		weights = append(weights, e.symbol)
		now = int(e.base) + r.take(int(e.bits))
		if len(weights) > 254 {
			return nil, ErrCorrupt
		}
		if r.left < 0 {
			return append(weights, t.states[other].symbol), nil
		}
		now, other = other, now
	}
}

// decode appends the n symbols of a stream.
func (h *huffman) decode(out, stream []byte, n int) ([]byte, error) {
	r, err := newBackward(stream)
	if err != nil {
		return nil, err
	}
	for range n {
		e := h.states[r.peek(h.log)]
		out = append(out, e.symbol)
		r.left -= int(e.bits)
	}
	if r.left != 0 {
		return nil, ErrCorrupt
	}
	return out, nil
}

// Of the codes of a sequence: the value at which a code begins, and how many bits are added to it.
var (
	literalBase = [36]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 28, 32, 40, 48, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536}
	literalBits = [36]int{16: 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	matchBase   = [53]int{
		3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34,
		35, 37, 39, 41, 43, 47, 51, 59, 67, 83, 99, 131, 259, 515, 1027, 2051, 4099, 8195, 16387, 32771, 65539,
	}
	matchBits = [53]int{32: 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
)

// kinds are the three codes of a sequence, in the order of their tables: literals, offsets, matches.
var kinds = [3]struct {
	most, maxLog, log int
	counts            []int // of the predefined table
}{
	{35, 9, 6, []int{4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1}},
	{31, 8, 5, []int{1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1}},
	{52, 9, 6, []int{1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1}},
}

// sequences reads the section of sequences and carries them out: so many literals, then so many bytes from so far back.
func (s *state) sequences(out, b []byte, window int) ([]byte, error) {
	if len(b) == 0 {
		return nil, ErrCorrupt
	}
	count := int(b[0])
	head := 1
	switch {
	case count == 255:
		v, ok := number(b[1:], 2)
		if !ok {
			return nil, ErrCorrupt
		}
		count, head = int(v)+0x7f00, 3
	case count >= 128:
		if len(b) < 2 {
			return nil, ErrCorrupt
		}
		count, head = (count-128)<<8+int(b[1]), 2
	}
	b = b[head:]
	if count == 0 {
		if len(b) > 0 {
			return nil, ErrCorrupt
		}
		return append(out, s.literals...), nil
	}
	if len(b) == 0 || b[0]&3 != 0 {
		return nil, ErrCorrupt
	}
	modes := b[0]
	b = b[1:]
	for i, k := range kinds {
		var err error
		switch modes >> (6 - 2*i) & 3 {
		case 0:
			s.lengths[i], err = newTable(k.counts, k.log)
		case 1:
			if len(b) == 0 || int(b[0]) > k.most {
				return nil, ErrCorrupt
			}
			s.lengths[i], b = table{0, []entry{{symbol: b[0]}}}, b[1:]
		case 2:
			var n int
			s.lengths[i], n, err = readTable(b, k.most, k.maxLog)
			b = b[min(n, len(b)):]
		case 3:
			if s.lengths[i].states == nil {
				return nil, ErrCorrupt
			}
		}
		if err != nil {
			return nil, err
		}
	}
	r, err := newBackward(b)
	if err != nil {
		return nil, err
	}
	var at [3]int
	for i := range at {
		at[i] = r.take(s.lengths[i].log)
	}
	begin, literals := len(out), s.literals
	for i := range count {
		l, o, m := s.lengths[0].states[at[0]], s.lengths[1].states[at[1]], s.lengths[2].states[at[2]]
		value := 1<<o.symbol + r.take(int(o.symbol))
		match := matchBase[m.symbol] + r.take(matchBits[m.symbol])
		length := literalBase[l.symbol] + r.take(literalBits[l.symbol])
		if i < count-1 {
			at[0] = int(l.base) + r.take(int(l.bits))
			at[2] = int(m.base) + r.take(int(m.bits))
			at[1] = int(o.base) + r.take(int(o.bits))
		}
		offset := s.offset(value, length)
		if r.left < 0 || length > len(literals) || offset <= 0 {
			return nil, ErrCorrupt
		}
		out, literals = append(out, literals[:length]...), literals[length:]
		if offset > len(out) || offset > window || len(out)+match-begin > maxBlock {
			return nil, ErrCorrupt
		}
		for from := len(out) - offset; match > 0; { // a match may reach into what it makes
			n := min(match, len(out)-from)
			out = append(out, out[from:from+n]...)
			match -= n
		}
	}
	if r.left != 0 {
		return nil, ErrCorrupt
	}
	return append(out, literals...), nil
}

// offset is how far back a match is: up to three, a value names one of the last offsets, which comes to the front.
func (s *state) offset(value, literals int) int {
	last := &s.repeated
	if value > 3 {
		*last = [3]int{value - 3, last[0], last[1]}
		return last[0]
	}
	at := value - 1
	if literals == 0 {
		at++
	}
	switch at {
	case 0:
	case 1:
		*last = [3]int{last[1], last[0], last[2]}
	case 2:
		*last = [3]int{last[2], last[0], last[1]}
	default:
		*last = [3]int{last[0] - 1, last[0], last[1]}
	}
	return last[0]
}
