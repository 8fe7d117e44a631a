// Package export owns texts and tables made from a report: mail, Markdown, CSV, HTML.
package export
