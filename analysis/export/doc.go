// Package export turns a report into texts: for a terminal, a mail, an issue, a release note, a configuration, a spreadsheet, a page.
//
// Decided here: a text is built once as a list of blocks (document.go) and then written in a style (plain.go, markdown.go, html.go), so
// that what is said does not depend on where it is said. The page and the command line call the same functions and give the same bytes.
// Every text names the tool, the inputs and the method. Only CSV is made from the report as it stands, a row for each run.
package export
