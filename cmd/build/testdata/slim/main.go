// Program slim does what needs the tables that the build cuts down: it moves stacks, collects garbage in the middle of deep calls, calls
// through reflect, recovers through wrappers, and lets goroutines begin and end.
package main

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
)

type node struct {
	next *node
	text string
}

// deep builds a list on the way down and collects garbage at the bottom, so that the pointers of every frame must be found.
func deep(n int, list *node) int {
	first, second := &node{list, fmt.Sprint(n)}, &node{list, fmt.Sprint("+", n)}
	if n == 0 {
		runtime.GC()
		return 0
	}
	below := deep(n-1, first)
	runtime.KeepAlive(list)
	return below + len(first.text) + len(second.text) + len(first.next.text)
}

type recoverer interface{ rescue(what string) }

type outer struct{ inner }

type inner struct{ log *[]string }

func (i inner) rescue(what string) {
	if p := recover(); p != nil {
		*i.log = append(*i.log, fmt.Sprint(what, " recovered ", p))
	}
}

func fails(r recoverer, kind int, m map[string]int) (err error) {
	defer r.rescue(fmt.Sprint("call ", kind))
	for i := range 2 {
		defer func() {
			if kind == 5 && i == 0 {
				panic("again")
			}
		}()
	}
	switch kind {
	case 0:
		var n *node
		return fmt.Errorf("%s", n.next.text)
	case 1:
		return fmt.Errorf("%d", []int{1}[kind+len(m)])
	case 2:
		m["x"]++
	case 3:
		return fmt.Errorf("%d", kind/len(m))
	case 4:
		return fmt.Errorf("%v", any(r).(fmt.Stringer))
	}
	panic(fmt.Sprint("kind ", kind))
}

func nested() (result any) {
	defer func() { result = recover() }()
	defer func() {
		defer func() { panic(fmt.Sprint("after ", recover())) }()
		panic("second")
	}()
	panic("first")
}

func main() {
	fmt.Println(runtime.NumGoroutine()) // those of the runtime do not count
	fmt.Println(deep(2000, &node{nil, "end"}))

	var log []string
	for kind := range 7 {
		if err := fails(outer{inner{&log}}, kind, nil); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(strings.Join(log, "\n"))
	fmt.Println(nested())

	swap := reflect.MakeFunc(reflect.TypeFor[func(string, *node) (*node, string)](), func(in []reflect.Value) []reflect.Value {
		runtime.GC()
		deep(100, in[1].Interface().(*node))
		return []reflect.Value{in[1], in[0]}
	}).Interface().(func(string, *node) (*node, string))
	n, s := swap("a", &node{nil, "b"})
	method := reflect.ValueOf(outer{inner{&log}}).MethodByName("Say")
	fmt.Println(n.text, s, method.Interface().(func(string) string)("c"))

	results := make(chan int)
	for i := range 50 {
		go func() { results <- deep(10*i, &node{nil, "end"}) }()
	}
	sum := 0
	for range 50 {
		sum += <-results
	}
	fmt.Println(sum)
}

func (i inner) Say(what string) string {
	deep(50, &node{nil, what})
	return what
}
