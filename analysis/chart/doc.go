// Package chart makes charts as pure ECharts options, from a report or from a view of a profile. It draws nothing.
//
// Decided here: one definition, three hosts. The page, the edge worker and the command line hand the same JSON to the same ECharts
// with the same named series and formatters (site/render.js). An option holds no code: a string under the key formatter that begins with @
// is the name of a function of render.js, renderItem names a series registered there, and only this package writes those keys, so that text
// from inputs can never become code or markup. go-echarts gives the frame (Validate and JSON; its templates are never used, they
// name an external host); what it lacks (log bases, custom label values, end labels) is added to its map.
//
// A new chart is a file with a function of the type view and a line in views.
package chart
