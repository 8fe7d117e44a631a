// Package perfscript reads the text of perf script, and what prints the same (simpleperf report-sample).
//
// Decided here: one profile for each event, never merged; weight is the period where the input has one, else samples, and the number
// of samples is kept beside it; the process and thread of a sample are attributes to filter by, not frames. The grammar is that
// of tools/perf/builtin-script.c and tools/perf/util/evsel_fprintf.c in the Linux source.
//
// Held against stackcollapse-perf.pl and inferno-collapse-perf: stacks and weights are theirs, with these differences on purpose.
// Quotes stay in names, and parentheses that are no arguments ((anonymous namespace), lambdas, operator()); a command is whatever
// stands before the process, digits and all; the last sample counts without a blank line behind it, samples without frames count
// for their command, those without call chains are stacks of one frame; a payload behind the event does not hide its period;
// programs of BPF and versioned vmlinux are kernel; no event is dropped or merged into another.
//
// Speed: a file repeats the same frame texts over and over, so what stands behind the address of a frame line is looked up
// whole; only texts not seen before are taken apart.
package perfscript
