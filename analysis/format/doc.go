// Package format defines what a reader of one kind of input is, and how the kind is recognised.
//
// Decided here: readers are fed, they do not fetch. "Not mine" (Sniff says No), "mine but broken" (a problem with a position; reading
// goes on) and "can't go on" (a limit) are three different answers. Recognition goes by content; the name only breaks ties.
package format
