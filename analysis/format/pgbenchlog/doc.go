// Package pgbenchlog reads what pgbench -l writes: a line for each transaction, or one for each interval with --aggregate-interval.
//
// Decided here: a line is parsed by hand, byte by byte, because these files have gigabytes; a log is reduced as it streams to sums by
// second, a histogram and a heat map (bench.Log), and log files of one run are added up after reading. What a log alone can't tell is
// asked about: whether the seventh of seven fields is the lag or the retries, and at which rate a sampled log was sampled. Where the
// time of a transaction is 0 0 (Windows up to 10) there is no throughput, only latency.
package pgbenchlog
