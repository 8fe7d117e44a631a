package data

import _ "embed"

// LockSymbols says which functions are lock code, and of which class: columns class, match (name, prefix or contains), symbol, source.
//
//go:embed profile/locks.csv
var LockSymbols []byte

// Renames says which function of a later PostgreSQL major does the work of one of an earlier: columns from, to, until (the last
// major that has the old name for this work), since (the first that has the new one), source.
//
//go:embed profile/renames.csv
var Renames []byte
