package model

import (
	"fmt"

	"pgknee/analysis/bench"
)

// Depth is how much work goes into a series. It depends on how many there are and how many client counts they have together, never on
// time, so that a report is the same everywhere.
type Depth int

// The depths, deepest first.
const (
	AllLaws   Depth = iota
	CoreLaws        // those of Core, without bands
	Unmodeled       // what needs no law: peak and floor
)

// Up to how many series all laws are fitted, and up to how many those of Core; the same for the client counts of all together.
const (
	mostForAll        = 24
	mostForCore       = 200
	mostCountsForAll  = 1_000
	mostCountsForCore = 8_000
)

// Core are the laws of large reports: each says something that no other of them says.
var Core = []*Law{&Linear, &Amdahl, &USL, &Repairman, &PlateauUSL}

// DepthOf is the depth at which each of these series is described.
func DepthOf(curves []*bench.Curve) Depth {
	counts := 0
	for _, c := range curves {
		counts += min(len(c.Points), MostCounts)
	}
	switch series := len(curves); {
	case series <= mostForAll && counts <= mostCountsForAll:
		return AllLaws
	case series <= mostForCore && counts <= mostCountsForCore:
		return CoreLaws
	}
	return Unmodeled
}

// laws to fit at the depth.
func (d Depth) laws() []*Law {
	switch d {
	case AllLaws:
		return Laws
	case CoreLaws:
		return Core
	}
	return nil
}

// Says tells what the depth leaves out for so many series, as a sentence; "" if nothing.
func (d Depth) Says(series int) string {
	switch d {
	case AllLaws:
		return ""
	case CoreLaws:
		names := ""
		for i, l := range Core {
			switch {
			case i == len(Core)-1:
				names += " and "
			case i > 0:
				names += ", "
			}
			names += l.Name
		}
		return fmt.Sprintf("%d series: of the laws only %s were fitted, without bands; with at most %d series and %d client counts all are.", series, names, mostForAll, mostCountsForAll)
	}
	return fmt.Sprintf("%d series: no law was fitted, only peaks and floors were found; with at most %d series and %d client counts the main laws are, with at most %d and %d all.",
		series, mostForCore, mostCountsForCore, mostForAll, mostCountsForAll)
}
