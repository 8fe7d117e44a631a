package chart

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"pgknee/analysis/report"
)

// Options say how a chart is to look. The zero value is a light chart of 1200 × 675 without a frame.
type Options struct {
	Theme     string            `json:"theme,omitempty"` // light (default) or dark
	Width     int               `json:"width,omitempty"` // in CSS pixels
	Height    int               `json:"height,omitempty"`
	Frame     bool              `json:"frame,omitempty"`     // with title, conditions and source line, for exports
	LinearX   bool              `json:"linearX,omitempty"`   // x is log2 otherwise
	LogY      bool              `json:"logY,omitempty"`      // y starts at 0 otherwise
	Normalise string            `json:"normalise,omitempty"` // "one": relative to one client's throughput; "clients": per client; "cores": per core
	Hidden    []string          `json:"hidden,omitempty"`    // labels of series that are not drawn
	Colors    map[string]string `json:"colors,omitempty"`    // by series label
	Places    map[string]int    `json:"places,omitempty"`    // colours by series label, as places in the theme's palette from 1
	Runs      []int             `json:"runs,omitempty"`      // for progress and heatmap: indexes into Report.Runs; empty for the most telling
}

// A view draws one kind of chart of a report onto a plot; ok is false when the report has nothing to draw.
type view func(p *plot, r *report.Report) (ok bool)

var views = map[string]view{
	"curves":      curves,
	"tps":         tps,
	"ratio":       ratio,
	"latency":     latency,
	"percentiles": percentiles,
	"residuals":   residuals,
	"progress":    progress,
	"heatmap":     heatmap,
}

// Views are the names that Option takes, sorted.
func Views() []string { return slices.Sorted(maps.Keys(views)) }

// ErrNothing says that the report holds nothing for a view.
type ErrNothing struct{ View string }

func (e ErrNothing) Error() string { return "nothing in this report to draw as " + e.View }

// Option gives the ECharts option of a view as JSON.
func Option(r *report.Report, name string, o Options) ([]byte, error) {
	draw, ok := views[name]
	if !ok {
		return nil, fmt.Errorf("no view %q: there are %v", name, Views())
	}
	p := newPlot(r, o)
	if !draw(p, r) {
		return nil, ErrNothing{name}
	}
	return json.Marshal(p.option(r))
}
