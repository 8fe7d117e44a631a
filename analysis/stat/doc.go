// Package stat owns the numbers: medians, noise, intervals, tests, least squares. It knows no file format and no curve.
package stat
