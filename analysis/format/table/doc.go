// Package table reads tables of results: CSV, TSV, semicolons, runs of blanks, psql, Markdown, box drawing, HTML, and tables that
// stand in a text.
//
// A table is read in three steps that do not know each other's business. A grid is lines cut into cells (grid.go). A plan says what
// the columns are (heading.go: what a heading says; plan.go: what the headings together say; headless.go: what figures alone say).
// An emitter makes runs of the rows (emit.go). Cells are read by number.go. What this program itself exports is
// read by its own headings (export.go): there is nothing to find out.
//
// Decided here: what a comma and a point mean is settled for a column, from all of its cells, never for a cell. A reading that is not
// safe is not made: it becomes a question whose answers --columns takes. A cell that is no number is a problem at its place, an empty
// one is nothing. Ratios, percentages and times are never taken for a throughput. Rows in succession of one concurrency whose time
// runs on are the intervals of one run.
package table
