// Package bench is the vocabulary of measurements: runs, what happened inside them, and the curves they form.
// Every reader of benchmark results makes it, every analysis takes it.
//
// Decided here: a fact that an input does not state is a nil pointer or an empty string, never a zero; numbers are in the
// unit their name says (TPS transactions per second, Ms milliseconds, S seconds).
package bench
