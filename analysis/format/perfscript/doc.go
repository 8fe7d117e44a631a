// Package perfscript reads the text of perf script, and what prints the same (simpleperf report-sample).
//
// Decided here: one profile for each event, never merged; weight is the period where the input has one, else samples, and the number
// of samples is kept beside it; the process and thread of a sample are attributes to filter by, not frames. The grammar is that
// of tools/perf/builtin-script.c and tools/perf/util/evsel_fprintf.c in the Linux source.
//
// Speed: a file repeats the same frame texts over and over, so what stands behind the address of a frame line is looked up
// whole; only texts not seen before are taken apart.
package perfscript
