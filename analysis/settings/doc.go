// Package settings is the vocabulary of server settings: names, units, values, and the catalogue of defaults by version.
package settings
