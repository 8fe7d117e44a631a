package model

import (
	"fmt"
	"math"

	"pgknee/analysis/stat"
)

// TicketLock is the chain of Boyd-Wickizer and others for a non-scalable spin lock: work outside the lock, a critical section, and a
// release that costs half a transfer of a cache line for everyone who spins on it. Throughput collapses and goes on falling.
// The published closed form has s + i c where this has s + i c/2: the same with the transfer halved.
var TicketLock = Law{
	Name: "ticket-lock", Title: "Ticket lock", Formula: "closed chain: arrivals (N − k)/A, service 1/(s + c k/2)",
	Source:     "S. Boyd-Wickizer, M. F. Kaashoek, R. Morris, N. Zeldovich, Non-scalable locks are dangerous, OLS 2012, https://pdos.csail.mit.edu/papers/linux:lock.pdf",
	Meaning:    "a spin lock whose hand-over costs more the more clients spin on it: throughput collapses and keeps falling",
	Parameters: ticketParameters(),
	MaxClients: chainClients,
	Eval:       func(n float64, p []float64) float64 { return closed(n, p[0], p[1], p[2], math.Inf(1), 1) },
	Starts:     func(d *Data) [][]float64 { return ticketStarts(d) },
	Says: func(f *Fit) string {
		return fmt.Sprintf("%s outside the lock, %s in it, and half a transfer of %s per hand-over for each client that spins", duration(f.P[0]), duration(f.P[1]), duration(f.P[2]))
	},
}

// TicketLockCap is the same with at most so many clients spinning, since the others sleep or find no processor: the collapse ends
// in a plateau at 1/(s + c C/2).
var TicketLockCap = Law{
	Name: "ticket-lock-cap", Title: "Ticket lock, limited spinners", Formula: "closed chain: arrivals (N − k)/A, service 1/(s + c min(k, C)/2); X → 1/(s + c C/2)",
	Source:     "as ticket-lock; the limit: this project",
	Meaning:    "a spin lock on which no more than C clients spin at a time: throughput collapses to a plateau",
	Parameters: append(ticketParameters(), knot("spinners", "largest number of clients that spin at once", 1e6)),
	MaxClients: chainClients,
	Eval:       func(n float64, p []float64) float64 { return closed(n, p[0], p[1], p[2], p[3], 1) },
	Starts: func(d *Data) [][]float64 {
		caps := []float64{50, 150, 400, 1200}
		if d.Cores > 0 {
			caps = append(caps, float64(d.Cores))
		}
		var out [][]float64
		for _, p := range ticketStarts(d) {
			for _, c := range caps {
				out = append(out, append(p[:3:3], c))
			}
		}
		return out
	},
	Limit:      func(p []float64) (float64, bool) { return 1 / (p[1] + p[2]*p[3]/2), true },
	Saturation: func(p []float64) float64 { return p[3] },
	Says: func(f *Fit) string {
		x, _ := f.Law.Limit(f.P)
		return fmt.Sprintf("%s outside the lock, %s in it, %s per hand-over for each of at most %s spinning clients; throughput levels off near %s",
			duration(f.P[0]), duration(f.P[1]), duration(f.P[2]/2), count(f.P[3]), f.rate(x))
	},
}

func ticketParameters() []Parameter {
	return []Parameter{
		seconds("outsideS", "mean time a client works outside the lock"),
		seconds("criticalS", "mean time of the critical section"),
		seconds("transferS", "time of one transfer of a cache line between processors"),
	}
}

func ticketStarts(d *Data) [][]float64 {
	s := 1 / crowded(d)
	var out [][]float64
	for _, f := range []float64{1, 0.1} {
		for _, e := range []float64{-2, -3.5, -5, -7} {
			out = append(out, []float64{1, s * f, s * f * stat.Exp(e)})
		}
	}
	return out
}
