// Package profile is the vocabulary of profiles (interned frames, a tree of stacks with weights) and what is derived from it alone:
// functions, locks, alignment and differences, views and exports.
//
// Decided here:
//   - Self weight is stored, total is derived (total = self + children). A function that recurs in a stack counts once in its total.
//   - Trees are arrays of integers with parents before children: most passes are one loop, none recurses, and a million nodes cost
//     28 MB. Children are in short lists with the last one found first, since nearly all nodes have one or two.
//   - Weight is what the input counts (periods of an event, milliseconds); samples and threads stand beside it and can be asked for.
//   - A view is data (View), so is its picture (Layout): hosts draw rectangles and nothing else. What a view looks at is changed by
//     steps, each a pass over the tree that makes another profile, so leaving the last one out undoes it.
//   - Functions are told apart by name, not by module: of the formats only perf script has modules.
package profile
