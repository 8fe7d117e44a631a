// Package perfreport reads the text of perf report: as --stdio writes it (flat, or with call graphs of any style), as it is pasted
// from the terminal browser, with its indentation or without, and lists of shares in prose.
//
// Decided here: what is read is a partial profile, since percentages are rounded and chains below a limit are left out. The columns
// Overhead, Self and Children are what the report states of whole functions; call graphs become a tree. A remainder that no callee
// accounts for is self weight only as far as the report states so, the rest is below the limit. Where indentation is lost the tree
// follows from the numbers; a row that fits in several places keeps the deepest and is marked.
package perfreport
