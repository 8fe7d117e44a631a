// Package compare owns curve against curve: noise, verdict, onset, attribution, comparability.
package compare
