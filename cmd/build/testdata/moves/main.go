// Program moves hands the only pointer to things from place to place while garbage is collected again and again: a collector that marks
// while pointers change, with no word of it, loses some of them.
package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

type thing struct {
	number int
	more   *thing
}

func main() {
	debug.SetGCPercent(20)
	shelves := make([]*[1000]*thing, 200)
	for i := range shelves {
		shelves[i] = new([1000]*thing)
		for k := range shelves[i] {
			shelves[i][k] = &thing{number: k, more: &thing{number: -k}}
		}
	}
	lost := 0
	random := uint32(1)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 1_500_000 {
		random = random*1664525 + 1013904223
		from, to, k := int(random>>8)%200, int(random>>16)%200, int(random>>4)%1000
		t := shelves[from][k]
		if t.number != k || t.more.number != -k {
			lost++
		}
		shelves[from][k], shelves[to][k] = shelves[to][k], nil // only t has it
		fresh := &thing{number: k, more: t.more}
		t.more = nil
		shelves[to][k] = fresh
		if shelves[from][k] == nil {
			shelves[from][k] = &thing{number: k, more: &thing{number: -k}}
		}
	}
	runtime.ReadMemStats(&after)
	fmt.Println(lost, after.NumGC-before.NumGC > 5)
}
