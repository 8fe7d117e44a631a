package model

import "math"

// chain is the throughput of a closed queueing chain with n customers: each works alone for a time of mean outside, then queues at
// a station whose service takes, with k customers there, a time of mean (service + transfer min(k, spinners) / 2) / min(k, servers).
// All times are exponential.
//
// It walks the stationary distribution over the number of customers outside, from none up, where the weights of a crowded chain rise and
// fall within a few standard deviations, and stops when what is left is less than one rounding error: (j+1) σ(n−j) is concave in j, so once
// it is over outside, and not under it at its end, weights only fall.
func chain(n int, outside, service, transfer, spinners, servers float64) float64 {
	last := (service + transfer*math.Min(1, spinners)/2)
	falls := float64(n)*last >= outside || transfer == 0
	weight, sum, first := 1.0, 1.0, 0.0 // of the state, of all, and Σ j weight
	for j := range n {
		k := float64(n - j)
		s := (service + transfer*math.Min(k, spinners)/2) / math.Min(k, servers)
		idle := float64(j + 1)
		ratio := outside / (idle * s)
		weight *= ratio
		sum += weight
		first += idle * weight
		if weight > 1e200 {
			weight, sum, first = weight*1e-200, sum*1e-200, first*1e-200
		}
		if ratio < 1 && falls && weight < 1e-17*sum {
			break
		}
	}
	return first / sum / outside
}

// closed is chain for any n > 0: between whole numbers of customers on a line in log n, log X; in proportion below 1.
func closed(n, outside, service, transfer, spinners, servers float64) float64 {
	below := math.Floor(n)
	if below < 1 {
		return n * chain(1, outside, service, transfer, spinners, servers)
	}
	x := chain(int(below), outside, service, transfer, spinners, servers)
	if n == below {
		return x
	}
	y := chain(int(below)+1, outside, service, transfer, spinners, servers)
	return x * math.Exp(math.Log(y/x)*math.Log(n/below)/math.Log1p(1/below))
}

func seconds(name, doc string) Parameter { return positive(name, "s", doc, Time, 1e-18, 1e9) }

// crowded tells how many times longer a customer works outside than at the station, from what the data gain over one client.
func crowded(d *Data) float64 {
	_, top := d.peak()
	return math.Max(top/d.gamma(), 1)
}
