package profile

import "pgknee/analysis/source"

// Waits are counts of what sessions waited for, by PostgreSQL's wait events. Unlike a profile of the CPU they show who sleeps, so the
// two are never compared or added up.
type Waits struct {
	Label  string          // what the input calls them; "" if nothing
	Words  []string        // other texts that may say whose they are, nearest first
	At     source.Position // of the first row
	Unit   string          // "samples", "sessions", "%", as the input heads them
	Events []WaitEvent     // in the order of the input
}

// WaitEvent is one wait event with its count, or its share in per cent.
type WaitEvent struct {
	Name  string // "LWLock:WALWrite"; "CPU" for sessions that wait for nothing; the type is left out where the input does
	Count float64
}

// maxEvents bounds the events of one list: PostgreSQL has some three hundred, extensions add a few.
const maxEvents = 2000

// Add counts an event; one that was met before adds up.
func (w *Waits) Add(name string, count float64) {
	for i := range w.Events {
		if w.Events[i].Name == name {
			w.Events[i].Count += count
			return
		}
	}
	if len(w.Events) == maxEvents {
		return
	}
	w.Events = append(w.Events, WaitEvent{name, count})
}
