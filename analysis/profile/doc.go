// Package profile is the vocabulary of profiles: interned frames and a tree of stacks with weights.
//
// Decided here: self weight is stored, total is derived (total = self + children); trees are arrays of integers, walked without
// recursion; a function that recurs in a stack counts once in its total.
package profile
