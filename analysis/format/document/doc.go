// Package document reads what people paste: a mail, an issue, a page, with tables, runs, call graphs and settings somewhere in it.
//
// It reads nothing itself but the conditions that prose states. It peels quote marks, fences, patches and signatures off the text
// (peel.go), decodes the parts of a mail (mime.go), and offers what is left to the blocks that other readers bring (document.go).
//
// Decided here: an identical passage counts once, at its first place, however often it is quoted. Sentences are prose, also when
// they hold numbers: only tables, blocks, lists under a command and stated conditions are read. A condition is believed where the
// text states one value of it; two values are no condition.
package document
