// Package all lists every format that is known. Adding one is adding a line here.
package all

import (
	"pgknee/analysis/format"
	"pgknee/analysis/format/benchbase"
	"pgknee/analysis/format/document"
	"pgknee/analysis/format/flamegraph"
	"pgknee/analysis/format/folded"
	"pgknee/analysis/format/hammerdb"
	"pgknee/analysis/format/perfreport"
	"pgknee/analysis/format/perfscript"
	"pgknee/analysis/format/pgbench"
	"pgknee/analysis/format/pgbenchlog"
	"pgknee/analysis/format/pgconf"
	"pgknee/analysis/format/refused"
	"pgknee/analysis/format/sysbench"
	"pgknee/analysis/format/table"
	"pgknee/analysis/format/waits"
)

// Formats in the order of recognition: refusals and structured text first, documents last.
var Formats = []*format.Format{
	refused.PerfData,
	refused.Image,
	refused.Binary,
	refused.Explain,
	refused.PerfStat,
	pgbench.Init,
	pgbench.Output,
	benchbase.Format,
	flamegraph.Format,
	pgbenchlog.Transactions,
	pgbenchlog.Aggregates,
	sysbench.Format,
	hammerdb.Format,
	perfscript.Format,
	pgconf.Conf,
	pgconf.View,
	perfreport.Format,
	folded.Format,
	waits.Format,
	document.New(waits.Block, perfreport.Block, perfreport.Shares, &perfscript.Block, &folded.Block, &pgbenchlog.Block, &sysbench.Block, &hammerdb.Block, &pgconf.Block, &pgbench.Block),
	table.Export,
	table.Format,
}
