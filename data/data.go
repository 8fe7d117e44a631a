// Package data embeds rules, the settings catalogue and samples, each as a file system of its own, so that a program links only
// what it names.
package data
