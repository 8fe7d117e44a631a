package model

import (
	"math"

	"pgknee/analysis/stat"
)

// chain is the throughput of a closed queueing chain with n customers: each works alone for a time of mean outside, then queues at
// a station whose service takes, with k customers there, a time of mean σ(k) = (service + transfer min(k, spinners) / 2) / min(k, servers).
// All times are exponential.
//
// The weight of k customers at the station is to that of k−1 as (n−k+1) σ(k) to outside. The walk over the weights begins at the end that is nearer to
// their bulk, rescales, and stops when what is left is about a rounding error. It may stop where ratios only fall from there on: always
// without transfers; with them (n−k+1) σ(k) is a concave parabola in k, so from the crowded end where it is over outside at k = 1,
// and from the empty end where it is nowhere over outside. Between these cases, where a crowded and an empty system are both likely, the
// walk goes all the way.
func chain(n int, outside, service, transfer, spinners, servers float64) float64 {
	all, half := float64(n), transfer/2
	lone := service + half*min(1, spinners)
	top := all * lone // the parabola's largest value
	if k := (all + 1 - 2*service/transfer) / 2; transfer > 0 && k > 1 {
		top = (all - k + 1) * (service + half*k)
	}
	crowded, stops := true, true
	switch {
	case transfer == 0:
		crowded = all*service/(outside+service) > min(all, 2*servers)/2
	case all*lone < outside:
		crowded, stops = false, top <= outside
	}
	weight, sum, first := 1.0, 1.0, 0.0 // of the state, of all, and Σ (customers outside) weight
	if !crowded {
		first = all
	}
	for i := range n {
		k := float64(i + 1) // the customers at the station that come in or, from the crowded end, go out
		if crowded {
			k = float64(n - i)
		}
		idle := all - k + 1 // outside without the k-th at the station
		in, out := idle*(service+half*min(k, spinners)), min(k, servers)*outside
		var ratio float64
		if crowded {
			ratio = out / in
		} else {
			ratio = in / out
			idle--
		}
		weight *= ratio
		sum += weight
		first += idle * weight
		if weight > 1e200 {
			weight, sum, first = weight*1e-200, sum*1e-200, first*1e-200
		}
		if stops && ratio < 1 && weight < 1e-15*sum {
			break
		}
	}
	return first / sum / outside
}

// closed is chain for any n ≥ 1: between whole numbers of customers by the cubic through the four nearest, in log n and log X, so that
// peaks between them are smooth.
func closed(n, outside, service, transfer, spinners, servers float64) float64 {
	below := math.Floor(n)
	if n == below {
		return chain(int(n), outside, service, transfer, spinners, servers)
	}
	var at, log [4]float64
	for i := range at {
		k := max(below-1, 1) + float64(i)
		at[i], log[i] = stat.Log(k), stat.Log(chain(int(k), outside, service, transfer, spinners, servers))
	}
	x, sum := stat.Log(n), 0.0
	for i := range at {
		term := log[i]
		for j := range at {
			if j != i {
				term *= (x - at[j]) / (at[i] - at[j])
			}
		}
		sum += term
	}
	return stat.Exp(sum)
}

// chainClients is the largest count that a chain is walked for.
const chainClients = 10_000

func seconds(name, doc string) Parameter { return positive(name, "s", doc, Time, 1e-100, 1e100) }

// crowded tells how many times longer a customer works outside than at the station, from what the data gain over one client.
func crowded(d *Data) float64 {
	_, top := d.peak()
	return math.Max(top/d.gamma(), 1)
}
