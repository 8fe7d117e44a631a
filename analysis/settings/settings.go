package settings

import "pgknee/analysis/source"

// Set is one list of settings: a postgresql.conf, the output of SHOW ALL, the settings a mail states.
type Set struct {
	Label  string
	At     source.Position
	Values map[string]Value // by lower-case name
}

// Value of a setting: as a number in the server's unit where it is one, and as its source wrote it.
type Value struct {
	Value string // "131072"
	Unit  string // "8kB"; "" for none
	Text  string // "1GB"
}
