// Package table reads tables of results: CSV, TSV, semicolons, runs of blanks, psql, Markdown, box drawing, HTML, JSON, YAML, and tables
// that stand in a text.
//
// The way of the data. Lines are gathered (reader.go; a page first becomes lines, html.go) and cut into a grid of cells by the first
// claim that fits (grid.go, with a file for each kind: pipe.go, delimited.go, blank.go, pairs.go, records.go, json.go, benchstat.go; all
// cut cells in split.go). A plan says what the columns are (plan.go): what each heading says (heading.go), then what the headings
// together say, where rows are runs (rows.go), where clients stand in the heading or a column is a run (sideways.go), or what figures
// alone say where there are no headings (headless.go); settle.go decides between columns that compete. An emitter makes runs of the rows
// (emit.go; plain rows of long files in fast.go), whose cells are read by number.go and rate.go. What this program itself exports is
// read by its own headings (export.go): there is nothing to find out.
//
// Decided here: what a comma and a point mean is settled for a column, from all of its cells, never for a cell. A reading that is not
// safe is not made: it becomes a question whose answers --columns takes. A cell that is no number is a problem at its place, an empty
// one is nothing; the ends of a range are two samples. Ratios, percentages, sizes and times are never taken for a throughput. Rows in
// succession of one concurrency whose time runs on are the intervals of one run.
package table
