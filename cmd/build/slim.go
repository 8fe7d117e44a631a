package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// slim makes a linked program smaller to load without changing what it does. Three things in the data that the linker writes are there
// for nobody or cost more than they save:
//
//   - What only tracebacks read: the names of functions and files, their lines and the layouts of arguments. A page shows no traceback
//     of the engine, and the command line, which is the same code, has them all. They become zeros, which cost nothing.
//   - Columns of numbers that count up, which no packer recognizes: where each function begins, and which function is at each address.
//     They are written as differences, and a function that runs before the program adds them up.
//   - The zeros that the linker leaves out: it begins a new segment after every eight of them, and 100,000 offsets and lengths are harder
//     to pack than the zeros were. Only long runs are left out here.
//
// The tables are those of the Go versions whose header says so (runtime/symtab.go); of any other version they stay as they are, and the
// test of the page's size tells.
func slim(program []byte) ([]byte, error) {
	head, rest := program[:8], program[8:]
	var contents [dataSection + 1][]byte
	var ids []byte // of the sections in their order
	for len(rest) > 0 {
		id := rest[0]
		size, n := binary.Uvarint(rest[1:])
		if n <= 0 || uint64(len(rest)-1-n) < size {
			return nil, errors.New("slim: a section has no end")
		}
		content := rest[1+n:][:size]
		rest = rest[1+n+int(size):]
		switch {
		case id == customSection: // names and the like, which nobody reads
			continue
		case id > dataSection || id == startSection:
			return nil, fmt.Errorf("slim: the Go linker writes no section %d", id)
		}
		ids = append(ids, id)
		contents[id] = content
	}
	m, err := memory(contents[dataSection])
	if err != nil {
		return nil, fmt.Errorf("slim: %w", err)
	}
	if t := tablesOf(m); t != nil {
		columns, err := t.strip()
		if err != nil {
			return nil, fmt.Errorf("slim: %w", err)
		}
		for _, c := range columns {
			c.differences(m)
		}
		types, _ := binary.Uvarint(contents[typeSection])
		imports, _ := binary.Uvarint(contents[importSection]) // all are functions
		functions, _ := binary.Uvarint(contents[functionSection])
		contents[typeSection] = appended(contents[typeSection], 0x60, 0, 0) // of no arguments and no results
		contents[functionSection] = appended(contents[functionSection], binary.AppendUvarint(nil, types)...)
		contents[codeSection] = appended(contents[codeSection], sums(columns)...)
		contents[startSection] = binary.AppendUvarint(nil, imports+functions)
		ids = slices.Insert(ids, slices.Index(ids, exportSection)+1, startSection)
	}
	contents[dataSection] = segments(m)
	out := bytes.Clone(head)
	for _, id := range ids {
		out = binary.AppendUvarint(append(out, id), uint64(len(contents[id])))
		out = append(out, contents[id]...)
	}
	return out, nil
}

// Sections of a program in WebAssembly. They come in this order.
const (
	customSection, typeSection, importSection, functionSection = 0, 1, 2, 3
	exportSection, startSection, codeSection, dataSection      = 7, 8, 10, 11
)

// appended is a vector of WebAssembly with one more item.
func appended(vector []byte, item ...byte) []byte {
	count, n := binary.Uvarint(vector)
	return slices.Concat(binary.AppendUvarint(nil, count+1), vector[n:], item)
}

// column is every word of four bytes in memory from first and before end that is step bytes after the one before it.
type column struct{ first, step, end uint64 }

// differences replaces each word but the first by what it is more than the one before it.
func (c column) differences(m []byte) {
	before := uint32(0)
	for at := c.first; at < c.end; at += c.step {
		word := binary.LittleEndian.Uint32(m[at:])
		binary.LittleEndian.PutUint32(m[at:], word-before)
		before = word
	}
}

// sums is the code of a function that undoes differences.
func sums(columns []column) []byte {
	const (
		local0              = 0 // where the loop is
		get, set            = 0x20, 0x21
		load, store         = 0x28, 0x36
		add, less           = 0x6a, 0x49
		loop, empty, branch = 0x03, 0x40, 0x0d
		i32                 = 0x7f
	)
	constant := func(out []byte, v uint64) []byte { return appendSigned(append(out, i32Const), int64(v)) }
	word := []byte{2, 0} // of an alignment of 1<<2, at no offset
	body := []byte{1, 1, i32}
	for _, c := range columns {
		// The loop is at the word before the one that it sets, so that all it needs is that and two offsets.
		body = append(constant(body, c.first), set, local0, loop, empty)
		body = append(constant(append(body, get, local0), c.step), add)       // to where
		body = append(append(append(body, get, local0), load), word...)       // the word before
		body = append(constant(append(body, get, local0), c.step), add, load) // the difference
		body = append(append(append(append(body, word...), add), store), word...)
		body = append(constant(append(body, get, local0), c.step), add, set, local0)
		body = append(constant(append(body, get, local0), c.end-c.step), less, branch, 0, end)
	}
	body = append(body, end)
	return append(binary.AppendUvarint(nil, uint64(len(body))), body...)
}

// memory is what a data section puts into a program's memory.
func memory(section []byte) ([]byte, error) {
	in := bytes.NewReader(section)
	count, err := binary.ReadUvarint(in)
	if err != nil {
		return nil, err
	}
	var m []byte
	for range count {
		var code [2]byte
		if _, err := in.Read(code[:]); err != nil || code != [2]byte{0, i32Const} {
			return nil, errors.New("a data segment that is not one of the Go linker's")
		}
		at, err := readSigned(in)
		if err != nil {
			return nil, err
		}
		if c, err := in.ReadByte(); err != nil || c != end {
			return nil, errors.New("a data segment at no constant address")
		}
		size, err := binary.ReadUvarint(in)
		if err != nil || size > uint64(in.Len()) || at < 0 || at > maxMemory {
			return nil, errors.New("a data segment of no valid size")
		}
		if more := int(at) + int(size) - len(m); more > 0 {
			m = append(m, make([]byte, more)...)
		}
		if _, err := io.ReadFull(in, m[at:][:size]); err != nil {
			return nil, err
		}
	}
	return m, nil
}

const (
	i32Const  = 0x41
	end       = 0x0b
	maxMemory = 1 << 28
)

// segments is the data section that puts m into a program's memory.
func segments(m []byte) []byte {
	zeros := make([]byte, 1024) // at least so many between two segments
	var count uint64
	var out []byte
	for at := 0; at < len(m); {
		size := bytes.Index(m[at:], zeros)
		if size < 0 {
			size = len(m) - at
		}
		if size > 0 {
			count++
			out = appendSigned(append(out, 0, i32Const), int64(at))
			out = binary.AppendUvarint(append(out, end), uint64(size))
			out = append(out, m[at:at+size]...)
		}
		at += size
		for at < len(m) && m[at] == 0 {
			at++
		}
	}
	return append(binary.AppendUvarint(nil, count), out...)
}

// readSigned reads a signed LEB128 number, which is not the zigzag of encoding/binary.
func readSigned(in *bytes.Reader) (int64, error) {
	var v int64
	for shift := 0; shift < 64; shift += 7 {
		c, err := in.ReadByte()
		if err != nil {
			return 0, err
		}
		v |= int64(c&0x7f) << shift
		if c < 0x80 {
			return v << (57 - shift) >> (57 - shift), nil
		}
	}
	return 0, errors.New("a number of more than 64 bits")
}

func appendSigned(out []byte, v int64) []byte {
	for v < -64 || v > 63 {
		out = append(out, byte(v)|0x80)
		v >>= 7
	}
	return append(out, byte(v)&0x7f)
}

// tables are the tables about functions in the memory of a program, as package runtime describes them in symtab.go and runtime2.go.
type tables struct {
	names, units, files, values, functions, data []byte

	count       int    // of functions
	functionsAt uint64 // in memory
	finder      column // of the functions at addresses
}

// tablesOf finds the tables, or returns nil where they are not of the known form.
func tablesOf(m []byte) *tables {
	head := bytes.Index(m, []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}) // Go 1.20 and later, addresses of eight bytes
	if head < 0 || len(m) < head+72 {
		return nil
	}
	count := binary.LittleEndian.Uint64(m[head+8:])
	var at [6]uint64 // where the tables begin
	for i := range at[:5] {
		at[i] = uint64(head) + binary.LittleEndian.Uint64(m[head+32+8*i:])
	}
	// The module's data names the same addresses again, and where the last table begins and ends.
	module := bytes.Index(m, binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(head)), at[0]))
	if module < 0 || len(m) < module+42*8 {
		return nil
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(m[module+8*i:]) }
	at[5] = word(40)
	last := word(19)
	if [5]uint64{at[0], at[1], at[2], at[3], at[4]} != [5]uint64{word(1), word(4), word(7), word(10), word(13)} || word(16) != at[4] ||
		word(17) != count+1 || word(13)+word(14) != at[5] || !slices.IsSorted(at[:]) || at[5] > last || last > uint64(len(m)) {
		return nil
	}
	const addresses, bucket = 4096, 20 // of the program and of the table, for each entry of the finder
	finder := column{last, bucket, last + (word(21)-word(20)+addresses-1)/addresses*bucket}
	if finder.end > uint64(len(m)) {
		return nil
	}
	return &tables{m[at[0]:at[1]], m[at[1]:at[2]], m[at[2]:at[3]], m[at[3]:at[4]], m[at[4]:at[5]], m[at[5]:last], int(count), at[4], finder}
}

// The fields of a function (runtime._func) that matter, in words; as many offsets of tables of values and of other data as it says follow.
const (
	funcName, funcSP, funcFile, funcLine, funcTables, funcUnit, funcStart, funcCounts, funcWords = 1, 4, 5, 6, 7, 8, 9, 10, 11
	inlinedName, inlinedStart, inlinedSize                                                       = 1, 3, 16 // of runtime.inlinedCall, the size in bytes
)

// The tables of a function as internal/abi numbers them.
const (
	pcdataUnsafePoint, pcdataInlined, pcdataArgumentsLive     = 0, 2, 3
	funcdataInlined, funcdataArguments, funcdataArgumentsLive = 3, 5, 6
	none                                                      = ^uint32(0)
)

// strip leaves of the tables what the runtime needs to unwind stacks, to collect garbage and to recover from panics. Of names that is the
// beginning of its own, by which it knows its goroutines, and two by which it knows frames of reflect. Where a goroutine may not be
// preempted at any instruction goes too, since in WebAssembly none is, and what is inlined where, since a function that recovers never
// is. What is left is written anew without gaps, but functions at equal distances. It returns the columns of numbers that count up.
func (t *tables) strip() ([]column, error) {
	const system = 1
	names := "\x00runtime.\x00"
	name := func(at uint32) uint32 {
		text, _, _ := strings.Cut(string(t.names[at:]), "\x00")
		switch {
		case text == "reflect.makeFuncStub", text == "reflect.methodValueCall":
			names += text + "\x00"
			return uint32(len(names) - len(text) - 1)
		case strings.HasPrefix(text, "runtime."):
			return system
		}
		return 0
	}
	values := []byte{0} // at 0 there is no table
	moved := map[string]uint32{}
	move := func(at uint32) uint32 {
		if at == 0 {
			return 0
		}
		table := string(t.values[at:][:t.length(at)])
		to, ok := moved[table]
		if !ok {
			to = uint32(len(values))
			values = append(values, table...)
			moved[table] = to
		}
		return to
	}
	needed := map[uint32]bool{}         // where other data is
	const usualTables, usualData = 2, 3 // most functions have no more
	const distance = 4 * (funcWords + usualTables + usualData)
	functions := slices.Clone(t.functions[:8*t.count+4])
	first := len(functions) // where the first function is
	for i := range t.count {
		at := 8*i + 4 // where the function is, among functions
		from := words(t.functions[binary.LittleEndian.Uint32(t.functions[at:]):])
		binary.LittleEndian.PutUint32(functions[at:], uint32(len(functions)))
		tables := from[4*funcWords:][:4*from.get(funcTables)]
		data := from[4*funcWords+len(tables):][:4*(from.get(funcCounts)>>24)]
		f := slices.Clone(from[:4*funcWords])
		f.set(funcName, name(f.get(funcName)))
		f.set(funcSP, move(f.get(funcSP)))
		for _, field := range []int{funcFile, funcLine, funcUnit, funcStart} {
			f.set(field, 0)
		}
		for k := range len(tables) / 4 {
			if k == pcdataUnsafePoint || k == pcdataInlined || k == pcdataArgumentsLive {
				tables.set(k, 0)
			}
			tables.set(k, move(tables.get(k)))
		}
		tables = slices.Clone(tables.without(0))
		for len(tables) < 4*usualTables {
			tables = append(tables, 0, 0, 0, 0)
		}
		for k := range len(data) / 4 {
			at := data.get(k)
			forTracebacks := k == funcdataInlined || k == funcdataArguments || k == funcdataArgumentsLive
			if at != none {
				needed[at] = needed[at] || !forTracebacks
			}
			if forTracebacks {
				data.set(k, none)
			}
		}
		data = data.without(none)
		f.set(funcTables, uint32(len(tables)/4))
		f.set(funcCounts, f.get(funcCounts)&0xffffff|uint32(len(data)/4)<<24)
		functions = append(append(append(functions, f...), tables...), data...)
		if more := (len(functions) - first) % distance; more > 0 {
			functions = append(functions, make([]byte, distance-more)...)
		}
	}
	if len(functions) > len(t.functions) {
		return nil, errors.New("the functions at equal distances need more room than the linker gave them")
	}
	places := append(slices.Sorted(maps.Keys(needed)), uint32(len(t.data)))
	for i, at := range places[:len(places)-1] {
		if !needed[at] {
			clear(t.data[at:places[i+1]])
		}
	}
	clear(t.units)
	clear(t.files)
	for table, text := range map[*[]byte]string{&t.names: names, &t.values: string(values), &t.functions: string(functions)} {
		clear(*table)
		copy(*table, text)
	}
	at, end := t.functionsAt, t.functionsAt+uint64(len(functions))
	index := at + 8*uint64(t.count)
	return []column{{at, 8, index + 4}, {at + 4, 8, index}, {at + uint64(first), distance, end}, t.finder}, nil
}

// length is the size of a table of values: pairs of steps, of the value and to where it holds, up to a value that takes no step.
func (t *tables) length(at uint32) int {
	table := t.values[at:]
	for n := 0; ; {
		step, size := binary.Uvarint(table[n:])
		if n += size; step == 0 && n > size {
			return n
		}
		_, size = binary.Uvarint(table[n:])
		n += size
	}
}

// words are little-endian words of four bytes.
type words []byte

func (w words) get(i int) uint32    { return binary.LittleEndian.Uint32(w[4*i:]) }
func (w words) set(i int, v uint32) { binary.LittleEndian.PutUint32(w[4*i:], v) }

// without is w without those at the end that are v.
func (w words) without(v uint32) words {
	for len(w) > 0 && w.get(len(w)/4-1) == v {
		w = w[:len(w)-4]
	}
	return w
}
