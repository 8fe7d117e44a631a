package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"pgknee/analysis"
	"pgknee/analysis/profile"
	"pgknee/analysis/report"
)

// flameViews are the views of profiles. They are laid out in Go and written as they are: thousands of frames take the script that
// draws curves seconds.
var flameViews = []string{profile.Flame, "flame-diff", profile.Icicle}

// drawFlames draws each profile, or each comparison of two, to a picture of its own.
func drawFlames(s *analysis.Session, r *report.Report, view string, width int, dark bool, out string, stdout io.Writer) error {
	look := profile.SVG{Dark: dark}
	type picture struct {
		name string
		draw func(io.Writer) error
	}
	var pictures []picture
	if view == "flame-diff" {
		number := func(label string) int {
			return slices.IndexFunc(r.Profiles, func(p report.Profile) bool { return p.Label == label })
		}
		for _, c := range r.ProfileComparisons {
			pictures = append(pictures, picture{c.Baseline + " to " + c.Candidate, func(w io.Writer) error {
				d, err := s.Difference(number(c.Baseline), number(c.Candidate))
				if err != nil {
					return err
				}
				return profile.WriteOverlaySVG(w, d, profile.OverlayView{Width: float64(width) - 20}, look)
			}})
		}
	} else {
		for i, p := range s.Profiles() {
			pictures = append(pictures, picture{r.Profiles[i].Label, func(w io.Writer) error {
				return profile.WriteSVG(w, p, profile.View{Kind: view, Width: float64(width) - 20}, look)
			}})
		}
	}
	switch {
	case len(pictures) == 0 && view == "flame-diff":
		return fmt.Errorf("no two profiles of one event to compare: give two")
	case len(pictures) == 0:
		return fmt.Errorf("no profile to draw")
	case len(pictures) > 1 && !isFolder(out):
		return fmt.Errorf("there are %d pictures to draw: name a folder with -o FOLDER/", len(pictures))
	}
	for _, p := range pictures {
		var b strings.Builder
		if err := p.draw(&b); err != nil {
			return err
		}
		name := strings.Map(func(c rune) rune {
			if strings.ContainsRune(`/\:*?"<>|`, c) || c < ' ' {
				return '_'
			}
			return c
		}, p.name)
		if len(pictures) == 1 {
			name = view
		}
		if err := write(out, name+".svg", b.String(), stdout); err != nil {
			return err
		}
	}
	return nil
}
