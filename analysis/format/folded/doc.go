// Package folded reads folded stacks: one stack a line, frames from the root to the leaf with ; between them, then a count; two
// counts when the file is a difference.
//
// Decided here: one or two columns is settled for the whole file, by its first megabytes; a file of two columns gives two profiles. A ;
// inside brackets ([u8; 8]) does not split a frame. Negative counts, frameless lines and lines without a count are reported.
//
// Speed: neighbouring lines of a sorted file share most of their stack, so a line is compared with the one before, and only what
// differs is looked up.
package folded
