// Package advise turns findings into recommendations: which setting, which default, how sure, for whom, and what speaks against it.
//
// Decided here: rules are data (data/rules), one file each, with conditions in a small expression language. A rule looks for three kinds
// of evidence: the signature of the curves, a symbol in a profile or a wait event, a setting that differs or has the risky value.
// Confidence follows from how many of them agree, from a run that restores the baseline, and from caps (finding.confidence); it is never
// written in a rule. What is not known is unknown, neither true nor false: a condition on it is not met, and is named as missing.
//
// What must not convince: a setting that is the same on both sides, defaults of two versions without a symbol, versions alone, and what
// only the text around the runs mentions. A rule about locks in general gives way to one that names who takes them.
//
// Commands to run next are built from the options that the runs show (command.go). The only input is a report, so that advice can be
// given again on a saved one.
package advise
