// Package profile is the vocabulary of profiles: interned frames and a tree of stacks with weights, what is known of functions, which
// of them are locks, and two profiles laid over each other.
//
// Decided here: self weight is stored, total is derived (total = self + children); trees are arrays of integers, walked without
// recursion; a function that recurs in a stack counts once in its total.
//
// A partial profile (a pasted report, a list of shares) says what it knows: Stated overrules sums over the tree, and nothing that is
// not known is compared.
//
// Lock code is told by symbol rules, renames between majors by a table: both are data (data/profile). A lock is charged to the caller
// of the outermost lock frame.
//
// Two profiles are aligned before anything is subtracted, and every step of it is said; no step changes a weight. The table by
// function is the answer, the union tree the picture: there a frame is as wide as the larger of its sides, so that what appeared
// stands beside what vanished.
package profile
