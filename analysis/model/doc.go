// Package model owns the laws of throughput over concurrency, and how they are fitted and ranked.
//
// Decided here: laws are fitted to residuals of ln throughput, unweighted, with bounds that are reported when they are active; a law is tried
// only on data that are enough for it (Law.Can), and ranked by AICc. Repeats are samples of their own; where they show that a law misses the means,
// its misses and not the repeats' scatter count as noise. What follows a curve without a mechanism comes last, without a weight.
//
// Intervals are profile-likelihood ones with Student's t in place of the normal quantile, of parameters, peaks, floors and the fitted line
// alike: bootstrap percentiles covered too little with few points, and cost more. All are conditional on their law, and TestCoverage shows
// that they hold what they say. Where the search ended in two valleys of much the same depth, a quantity that differs between them gets a wider
// interval (profile.level). The bounds of a law belong to it: an interval that ends at one is one-sided, and holds the truth in 95 % or more.
// Laws far behind (rejected in describe.go) get standard errors. Nothing is claimed beyond twice the largest count.
//
// Entry points: Describe fits, ranks and tells the laws of one curve; NewData makes data of a curve, JointLaw picks the law for several,
// and Law.Joints fits it to them with parameters shared in every way that means something.
package model
