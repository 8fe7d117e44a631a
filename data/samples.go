package data

import "embed"

// Samples holds a folder for each sample of the page. README.md in it tells where each comes from.
//
//go:embed samples
var Samples embed.FS
