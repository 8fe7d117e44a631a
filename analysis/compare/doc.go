// Package compare owns curve against curve: whether two series may be compared at all, how noisy a ratio of theirs is, where and
// how the ratio departs from 1, what verdict that allows, which part of the model moved; and, inside one run, warm-up, drift,
// stalls and the latency check. It fills the structs of package report.
//
// The methods are those of the project's reference on comparison statistics. Decided here:
//
//   - All works on d = ln(candidate/baseline) at the client counts that both series have. Repeats at one count enter as their median,
//     the number that the curve shows, so a ratio is the ratio of what is seen; that costs some power and resists a stray run.
//   - Noise comes from the most trusted source there is and is always named: repeats, a control series (another pair that is equal
//     on average and in shape), the best joint fit, an assumption. Progress intervals only raise an assumption, never replace repeats.
//   - A count is changed when its d is beyond 5 % and beyond the noise after Holm's correction, or when it adjoins such a count and
//     is beyond 5 % and a one-sided 5 % cut (that finds the onset, it can't make a finding). Changed means changed from the baseline,
//     not from the pair's own common shift.
//   - A verdict needs more than one isolated count. With repeats: two adjacent ones, the last one, or one far beyond chance. Without, the
//     noise is known over the curve and not where the change is, and saturated counts are often noisier: three adjacent ones, or what
//     three times the noise does not explain. Or a common shift of all counts, or a step or ramp that chance does not produce. So
//     on equal pairs a change is claimed in fewer than 5 %, also where the noise is three times as large at the top.
//   - The noise of a joint fit is the scatter of d about the fitted ratio: what the law misses alike in both curves cancels. Where neither a
//     law nor a step or ramp describes the ratio, a departure far beyond what the other counts scatter is no noise either.
//   - No-difference is a statement of equivalence on average: the 90 % interval of the mean d within 5 %, over all counts and
//     over those where another series departs, four of five counts within 5 %, no count changed. Where the aborted runs of
//     one side leave out the top, nothing is said about the whole.
package compare
