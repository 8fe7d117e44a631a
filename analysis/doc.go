// Package analysis is the façade: a Session takes inputs and answers with a report and with views.
//
// The way of the data, one direction only:
//
//	bytes → lines → runs, profiles, settings → curves → models → comparisons → recommendations → report → charts, texts
//
// The command line, the WebAssembly engine and the edge worker are hosts of this package and have no logic of their own.
package analysis
