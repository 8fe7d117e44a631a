// Package curve forms series out of runs: what tells runs apart, what is a repeat, which series is the baseline.
package curve
