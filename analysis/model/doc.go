// Package model owns the laws of throughput over concurrency, and how they are fitted and ranked.
//
// Decided here: laws are fitted to residuals of ln throughput, unweighted, with bounds that are reported when they are active; a law is tried
// only on data that are enough for it (Law.Can), and ranked by AICc. Repeats are samples of their own. All intervals are conditional on
// their law. Curves are not extrapolated beyond twice the largest count.
//
// Entry points: NewData makes data of a curve, Rank fits and orders laws, Law.Joint fits several curves that share parameters, JointLaw
// picks the law for that.
package model
