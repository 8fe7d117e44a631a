// Package report is the JSON that other programs may rely on: structs only. Every analysis ends in a Report, every chart, text and page starts from one;
// a report saved as JSON can be charted and exported again without its inputs.
//
// Decided here: a fact that is not known is left out (never 0, "" or null); no NaN or Inf; numbers are in the unit their name says.
// A field that is renamed or gets another type raises the version in Schema; those marked additive came after the version was set.
// schema_test.go derives the JSON Schema and the TypeScript types from these structs.
package report
