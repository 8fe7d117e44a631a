package data

import "embed"

// Rules is the rule base, a file each (see analysis/advise).
//
//go:embed rules/*.rule
var Rules embed.FS
