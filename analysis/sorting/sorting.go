// Package sorting sorts lists of structs by a comparison. It does what slices.SortFunc and slices.SortStableFunc do; those are compiled
// anew for every type, 20 KB of engine each, and these are not. What is sorted in a hot place, or is no struct, is sorted by slices.
package sorting

import "sort"

// By sorts a list.
func By[T any](list []T, compare func(a, b T) int) {
	sort.Slice(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}

// StableBy sorts a list and keeps the order of what is equal.
func StableBy[T any](list []T, compare func(a, b T) int) {
	sort.SliceStable(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}
