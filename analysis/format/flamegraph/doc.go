// Package flamegraph reads flame graphs back out of their SVG: those of FlameGraph's flamegraph.pl from 2011 on, of inferno, and our
// own.
//
// Decided here: counts come from the titles, which are exact, never from widths, which are rounded to a tenth of a pixel; a frame's
// place in the tree comes from where its rectangle stands. What a frame has more than its children is its self weight, so frames
// that were too narrow to be drawn only move their weight to their parent. A differential graph is its second side: the first
// is not in the file.
package flamegraph
