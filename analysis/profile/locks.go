package profile

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"slices"
	"strings"
	"sync"

	"pgknee/analysis/report"
	"pgknee/analysis/sorting"
	"pgknee/data"
)

// lockClassNames are the classes of lock code, in the order of the report.
var lockClassNames = []string{"spinlock", "lwlock", "heavyweight", "futex", "kernel-spinlock"}

// classes is a set of lock classes: bit i stands for lockClassNames[i].
type classes uint8

type lockRule struct {
	class         classes
	match, symbol string
}

// lockRules reads the table of lock symbols.
var lockRules = sync.OnceValue(func() []lockRule {
	rows := catalogue(data.LockSymbols)
	rules := make([]lockRule, len(rows))
	for i, row := range rows {
		rules[i] = lockRule{1 << slices.Index(lockClassNames, row["class"]), row["match"], row["symbol"]}
	}
	return rules
})

// catalogue reads a small catalogue of the data package: one map for each row, by column. The catalogues are part of the program, a
// broken one is a bug that the tests find.
func catalogue(text []byte) []map[string]string {
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		panic("data: " + err.Error())
	}
	out := make([]map[string]string, 0, len(rows)-1)
	for _, cells := range rows[1:] {
		row := make(map[string]string, len(cells))
		for i, cell := range cells {
			row[rows[0][i]] = cell
		}
		out = append(out, row)
	}
	return out
}

// lockClasses gives the classes that a function belongs to; none for most.
func lockClasses(name string) (c classes) {
	name = unclone(name)
	name = name[strings.LastIndexByte(name, '`')+1:] // DTrace writes module`function
	for _, r := range lockRules() {
		hit := false
		switch r.match {
		case "name":
			hit = name == r.symbol
		case "prefix":
			hit = strings.HasPrefix(name, r.symbol)
		case "contains":
			hit = strings.Contains(name, r.symbol)
		}
		if hit {
			c |= r.class
		}
	}
	return c
}

// unclone takes off a name what the compiler appended when it made a variant of a function (.part.0, .isra.0, .constprop.0, .cold)
// and the marks that folded stacks carry (_[k]).
func unclone(name string) string {
	if i := len(name) - 4; i > 0 && strings.HasPrefix(name[i:], "_[") && name[i+3] == ']' {
		name = name[:i]
	}
	for {
		i := strings.LastIndexByte(name, '.')
		if i <= 0 {
			return name
		}
		tail := name[i+1:]
		digits := tail != "" && strings.Trim(tail, "0123456789") == ""
		if digits {
			if j := strings.LastIndexByte(name[:i], '.'); j > 0 {
				i, tail = j, name[j+1:i]
			} else {
				return name // foo.1: a local symbol, not a variant
			}
		}
		switch tail {
		case "part", "isra", "constprop", "cold", "lto_priv":
			name = name[:i]
		default:
			return name
		}
	}
}

// Locks gives the share of each class of lock code in the profile's total, by falling share, with the functions that called into
// it. A stack counts for a class when it holds a frame of it, so classes overlap: a lightweight lock that sleeps shows in both. The
// caller is that of the outermost lock frame of any class; via are the callers of the caller, the most frequent first. Only time on
// a processor is in a profile of cycles: waiting asleep is not. The second result is the share of stacks with any lock frame.
func (p *Profile) Locks() (locks []report.Lock, share float64) {
	if p.Total <= 0 {
		return nil, 0
	}
	ofFrame := make([]classes, len(p.Frames))
	for i, f := range p.Frames {
		ofFrame[i] = lockClasses(f.Name)
	}
	var (
		found  = make([]lockShare, len(lockClassNames))
		totals = p.Totals()
		seen   = make([]classes, len(p.Parent)) // classes of a node and its ancestors
		outer  = make([]int32, len(p.Parent))   // outermost lock frame at or above a node; 0 for none
	)
	for n := int32(1); int(n) < len(p.Parent); n++ { // parents come before their children
		up, here := p.Parent[n], ofFrame[p.Frame[n]]
		seen[n], outer[n] = seen[up]|here, outer[up]
		if here != 0 && outer[n] == 0 {
			outer[n] = n
			share += totals[n]
		}
		for c := range found {
			if bit := classes(1) << c; here&bit != 0 && seen[up]&bit == 0 {
				found[c].weight += totals[n]
				caller := p.knownAbove(outer[n])
				found[c].add(p, caller, p.knownAbove(caller), totals[n])
			}
		}
	}
	p.statedLocks(found)
	for c := range found {
		if found[c].weight > 0 {
			share = max(share, found[c].weight)
			locks = append(locks, found[c].report(lockClassNames[c], p.Total))
		}
	}
	sorting.StableBy(locks, func(a, b report.Lock) int { return cmp.Compare(b.Share, a.Share) })
	return locks, min(share/p.Total, 1)
}

// statedLocks takes what a report states of whole functions: the class has at least the share of its largest function.
func (p *Profile) statedLocks(found []lockShare) {
	for name, w := range p.Stated {
		here := lockClasses(name)
		for c := range found {
			if here&(1<<c) != 0 {
				found[c].weight = max(found[c].weight, w.Self, w.Total)
			}
		}
	}
}

// knownAbove gives the nearest ancestor of a node that has a symbol; 0 if there is none.
func (p *Profile) knownAbove(n int32) int32 {
	if n == 0 {
		return 0
	}
	for n = p.Parent[n]; n != 0 && p.Frames[p.Frame[n]].Flags&Unknown != 0; n = p.Parent[n] {
	}
	return n
}

// lockShare gathers the weight of a class, by caller.
type lockShare struct {
	weight  float64
	callers map[string]*lockCaller
}

type lockCaller struct {
	weight float64
	via    map[string]float64
}

func (s *lockShare) add(p *Profile, caller, via int32, weight float64) {
	if caller == 0 {
		return
	}
	if s.callers == nil {
		s.callers = map[string]*lockCaller{}
	}
	name := p.Frames[p.Frame[caller]].Name
	c := s.callers[name]
	if c == nil {
		c = &lockCaller{via: map[string]float64{}}
		s.callers[name] = c
	}
	c.weight += weight
	if via != 0 {
		c.via[p.Frames[p.Frame[via]].Name] += weight
	}
}

// maxLockCallers bounds the callers, and the callers of each, that a report names.
const maxLockCallers = 20

func (s *lockShare) report(class string, total float64) report.Lock {
	lock := report.Lock{Class: class, Share: min(s.weight/total, 1)}
	for name, c := range s.callers {
		lock.Callers = append(lock.Callers, report.Caller{Function: name, Share: min(c.weight/total, 1), Via: heaviest(c.via)})
	}
	sorting.By(lock.Callers, func(a, b report.Caller) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), strings.Compare(a.Function, b.Function))
	})
	lock.Callers = lock.Callers[:min(len(lock.Callers), maxLockCallers)]
	return lock
}

// heaviest gives the names by falling weight.
func heaviest(weights map[string]float64) []string {
	var names []string
	for name := range weights {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), strings.Compare(a, b))
	})
	return names[:min(len(names), maxLockCallers)]
}
