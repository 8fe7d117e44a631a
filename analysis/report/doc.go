// Package report is the JSON contract: structs only. Every analysis ends in a Report, every chart, text and page starts from one;
// a report saved as JSON can be charted and exported again without its inputs.
//
// Decided here: a fact that is not known is left out (never 0, "" or null); no NaN or Inf; numbers are in the unit their name says.
// Fields beyond CONTRACT.md are additive and marked so. schema_test.go derives the JSON Schema and the TypeScript types from these structs.
package report
