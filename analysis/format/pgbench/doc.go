// Package pgbench reads what pgbench prints: summaries and progress of every version from 8 to 19, any number of runs in a text.
//
// Source of the grammar: printResults, printProgressReport and initGenerateData of src/bin/pgbench/pgbench.c (contrib/pgbench up to
// 9.4), as of 9.2, 9.3, 9.4, 9.5, 9.6 and every major version since.
//
// # How a line is understood
//
// Nearly every line of pgbench is a label, a colon or an equals sign, and a value. A line that starts with a label is dispatched on
// its first byte. Otherwise every colon and equals sign is looked at: does a label end here? What stands before that label is a prefix
// (a quote mark, a prompt, a remote runner's or a container's name, a time stamp), which is remembered, so that lines without a label
// lose it too. What remains behind a value is looked at again: that finds the next label where line breaks were lost, and the prompt
// glued to the last line of a block. There are no regular expressions.
//
// # What is decided here
//
//   - One run is one summary with the progress lines before it. A label that the block already has, a heading, a code fence or a
//     command line begins another. The banner is written to standard output and the progress to standard error, so in a redirected
//     file the banner may follow the progress: it begins another run only if no summary follows it.
//   - "Run was aborted" belongs to the summary before it, unless something of the next run (a vacuum, a progress line, a client
//     that gave up) has been seen since.
//   - Progress without a summary is a run without throughput, flagged incomplete; so is a summary that was cut off before its last
//     line. A throughput is never made up from the progress, and a figure whose line is cut off within the number is not taken.
//   - A rate of 0 in a progress line has no latency, though pgbench prints 0.000.
//   - Of the two figures of versions up to 13 the one without connection time is taken, which is comparable with that of 14 and
//     later; unless it is an artefact (a connection per transaction, or the wrong division of 9.4 and before), as the number of
//     transactions over the duration tells. Then the other is taken and a problem says so.
//   - What the summary lacks (clients, threads, mode, script, rate) comes from a pgbench command line above it, if that does not
//     contradict what the summary does state.
//   - The name of a run is made of the headings above it: of Markdown, between signs, with a colon at the end, or a short line that
//     stands alone. Numbers of repeats and the word warm-up are taken out of them; what is left is for package curve to judge.
//   - Summaries turned on their side (labels in the first column) and runs side by side in the cells of a table are read by column.
//   - Built-in scripts have the names that -b takes: tpcb-like, simple-update, select-only.
//   - Output of pgbench -i is noise within other text, and refused with advice when alone.
package pgbench
