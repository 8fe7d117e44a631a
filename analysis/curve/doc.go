// Package curve forms series out of runs: what tells runs apart, what is a repeat, which series is the baseline, and which series a
// profile or a list of settings belongs to.
//
// # What tells runs apart
//
// The label that a reader gave (a column, a heading), the name of the file with its folders and archive, and the facts of the run: server
// version, script, query mode, scale, attributes, and whether each transaction had a connection of its own. Runs that measured another
// unit or another kind of throughput are never in one series.
//
// A name is a row of words and numbers. Names that are equal but for their numbers form a shape, and a number's role is found over all
// names of a shape: one that equals the runs' clients everywhere is the number of clients, r1, run-2 and a last number that counts up
// from 1 are repeats, a date in a file's name is when it was made. What is left is the variant, without the words that all runs share: of
// tp_on-c64-r2.txt it is tp_on. Where the content does not state the number of clients, the name's is taken.
//
// # What is decided here
//
//   - A field that changes only together with the number of clients (a time stamp in every name, a scale that grows with the clients)
//     tells no series apart.
//   - A fact that a run does not state agrees with any.
//   - Different numbers of pgbench threads split a series only if they occur at the same number of clients.
//   - Labels are short: fields that follow from others are left out of them, and so is what all series share.
//   - The baseline is the series that was asked for; else the oldest server version, if every series has one and they differ; else one
//     that is called a base (before, old, master, …); else the first that has half as many counts as the longest.
//   - Runs that are no points (rate-limited, aborted, warm-up, …) go with the series they would belong to, as left out.
//   - Of a series in which the figure without connection time had to be given up for one run, all runs take the figure with it.
package curve
