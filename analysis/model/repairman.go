package model

import (
	"fmt"
	"math"
)

// Repairman is the machine repairman M/M/1//N: clients that work on their own for a mean time think, then queue for one server for a
// mean time service. Throughput rises to 1/service and stays there.
var Repairman = Law{
	Name: "repairman", Title: "Machine repairman M/M/1//N", Formula: "closed chain: arrivals (N − k)/Z, service 1/S; X → 1/S",
	Source:     "queueing theory; as the physics under the USL: N. Gunther, https://arxiv.org/abs/0808.1431",
	Meaning:    "one server that every client must pass: throughput levels off at 1/S and never falls",
	Parameters: []Parameter{seconds("thinkS", "mean time a client works without the shared server"), seconds("serviceS", "mean time at the shared server")},
	MaxClients: chainClients,
	Eval:       func(n float64, p []float64) float64 { return closed(n, p[0], p[1], 0, 0, 1) },
	Starts: func(d *Data) [][]float64 {
		r := crowded(d)
		return [][]float64{{1, 1 / r}, {1, 0.5 / r}, {1, 2 / r}, {1, 1}, {1, 1e-6}}
	},
	Limit: func(p []float64) (float64, bool) { return 1 / p[1], true },
	Says: func(f *Fit) string {
		return fmt.Sprintf("a client works %s on its own and %s at one server that all must pass, which caps throughput near %s",
			duration(f.P[0]), duration(f.P[1]), f.rate(1/f.P[1]))
	},
}

// RepairmanM is the same with several servers, M/M/m//N. Servers need not be a whole number: it is an effective one.
var RepairmanM = Law{
	Name: "repairman-m", Title: "Machine repairman M/M/m//N", Formula: "closed chain: arrivals (N − k)/Z, service min(k, m)/S; X → m/S",
	Source:  "queueing theory, as for repairman",
	Meaning: "m servers, such as processors, that clients queue for: throughput levels off at m/S and never falls",
	Parameters: []Parameter{
		seconds("thinkS", "mean time a client works without the servers"), seconds("serviceS", "mean time at a server"),
		positive("servers", "servers", "how many clients are served at once", Plain, 1, 1e5),
	},
	MaxClients: chainClients,
	Eval:       func(n float64, p []float64) float64 { return closed(n, p[0], p[1], 0, 0, p[2]) },
	Starts: func(d *Data) [][]float64 {
		r := crowded(d)
		servers := []float64{2, math.Sqrt(r) + 1, r + 1}
		if d.Cores > 0 {
			servers = append(servers, float64(d.Cores))
		}
		var out [][]float64
		for _, m := range servers {
			out = append(out, []float64{1, m / r, m}, []float64{1, 0.1 * m / r, m}, []float64{1, 10 * m / r, m})
		}
		return out
	},
	Limit: func(p []float64) (float64, bool) { return p[2] / p[1], true },
	Says: func(f *Fit) string {
		says := fmt.Sprintf("as if %s served clients at once, %s each: throughput is capped at %s", servers(f.P[2]), duration(f.P[1]), f.rate(f.P[2]/f.P[1]))
		if f.Data.Cores > 0 {
			says += fmt.Sprintf(" (the server has %d hardware threads)", f.Data.Cores)
		}
		return says
	},
}

func servers(m float64) string {
	if m == 1 {
		return "1 server"
	}
	return count(m) + " servers"
}
