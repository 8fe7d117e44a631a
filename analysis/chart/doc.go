// Package chart owns charts as pure ECharts options, made from a report or from a view of a profile.
package chart
