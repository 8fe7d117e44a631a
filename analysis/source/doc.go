// Package source turns bytes into lines. It owns positions, text encodings, carriers (compression and
// archives), what logs and runners put around each line, and limits.
//
// Decided here: input is pushed, never pulled. The host owns the loop and hands over slices of bytes of any size; nothing
// in this package blocks, spawns or waits, so that the same code runs in the command line, in a browser's worker and at the edge.
package source
