// Package all lists every format that is known. Adding one is adding a line here.
package all

import (
	"pgknee/analysis/format"
	"pgknee/analysis/format/flamegraph"
	"pgknee/analysis/format/folded"
	"pgknee/analysis/format/perfscript"
	"pgknee/analysis/format/pgbench"
)

// Formats in the order of recognition: refusals and structured text first, documents last.
var Formats = []*format.Format{
	pgbench.Init,
	pgbench.Output,
	flamegraph.Format,
	perfscript.Format,
	folded.Format,
}
