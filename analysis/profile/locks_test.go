package profile

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgknee/analysis/report"
)

// stacks builds a profile of lines "root;…;leaf weight".
func stacks(t *testing.T, lines ...string) *Profile {
	t.Helper()
	b := NewBuilder()
	for _, line := range lines {
		i := strings.LastIndexByte(line, ' ')
		var stack []FrameID
		for name := range strings.SplitSeq(line[:i], ";") {
			f := Frame{Name: name}
			if name == "[unknown]" {
				f.Flags = Unknown
			}
			stack = append(stack, b.Intern(f))
		}
		weight := 0.0
		for _, c := range line[i+1:] {
			weight = weight*10 + float64(c-'0')
		}
		b.Add(stack, weight, weight)
	}
	return b.Profile()
}

func TestLocks(t *testing.T) {
	tests := []struct {
		name  string
		lines []string
		share float64
		want  []report.Lock
	}{
		{
			"spinlock, by caller and how it was reached",
			[]string{"main;plan;pgss_planner;pgss_store;s_lock 14", "main;end;pgss_ExecutorEnd;pgss_store;s_lock;perform_spin_delay 13", "main 73"},
			0.27,
			[]report.Lock{{Class: "spinlock", Share: 0.27, Callers: []report.Caller{
				{Function: "pgss_store", Share: 0.27, Via: []string{"pgss_planner", "pgss_ExecutorEnd"}},
			}}},
		},
		{
			"the caller is the one outside all lock code, classes overlap",
			[]string{"main;XLogFlush;LWLockAcquireOrWait;PGSemaphoreLock;do_futex;_raw_spin_lock 20", "main;PinBuffer;LWLockRelease;s_lock 10", "main 70"},
			0.3,
			[]report.Lock{
				{Class: "lwlock", Share: 0.3, Callers: []report.Caller{
					{Function: "XLogFlush", Share: 0.2, Via: []string{"main"}}, {Function: "PinBuffer", Share: 0.1, Via: []string{"main"}},
				}},
				{Class: "futex", Share: 0.2, Callers: []report.Caller{{Function: "XLogFlush", Share: 0.2, Via: []string{"main"}}}},
				{Class: "kernel-spinlock", Share: 0.2, Callers: []report.Caller{{Function: "XLogFlush", Share: 0.2, Via: []string{"main"}}}},
				{Class: "spinlock", Share: 0.1, Callers: []report.Caller{{Function: "PinBuffer", Share: 0.1, Via: []string{"main"}}}},
			},
		},
		{
			"frames without a symbol are passed over",
			[]string{"main;LockRelationOid;[unknown];LockAcquireExtended.part.0 5", "main 5"},
			0.5,
			[]report.Lock{{Class: "heavyweight", Share: 0.5, Callers: []report.Caller{
				{Function: "LockRelationOid", Share: 0.5, Via: []string{"main"}},
			}}},
		},
		{
			"names of DTrace, and of old kernels",
			[]string{"main;pgss_store;postgres`s_lock 10", "main;sys_write;_spin_lock_irqsave 5", "main;_raw_spin_unlock 85"},
			0.15,
			[]report.Lock{
				{Class: "spinlock", Share: 0.1, Callers: []report.Caller{{Function: "pgss_store", Share: 0.1, Via: []string{"main"}}}},
				{Class: "kernel-spinlock", Share: 0.05, Callers: []report.Caller{{Function: "sys_write", Share: 0.05, Via: []string{"main"}}}},
			},
		},
		{"no caller in a list", []string{"s_lock 5", "tasklet_action 5", "stas 10"}, 0.25, []report.Lock{{Class: "spinlock", Share: 0.25}}},
	}
	for _, test := range tests {
		got, share := stacks(t, test.lines...).Locks()
		if !slices.EqualFunc(got, test.want, equalLock) || math.Abs(share-test.share) > 1e-12 {
			t.Errorf("%s:\ngot  %v %+v\nwant %v %+v", test.name, share, got, test.share, test.want)
		}
	}
}

func equalLock(a, b report.Lock) bool {
	return a.Class == b.Class && math.Abs(a.Share-b.Share) < 1e-12 && slices.EqualFunc(a.Callers, b.Callers, func(a, b report.Caller) bool {
		return a.Function == b.Function && math.Abs(a.Share-b.Share) < 1e-12 && slices.Equal(a.Via, b.Via)
	})
}

func TestUnclone(t *testing.T) {
	for name, want := range map[string]string{
		"pg_utf_mblen.part.0": "pg_utf_mblen", "f.isra.0.cold": "f", "f.constprop.12": "f", "s_lock_[k]": "s_lock", "main.mvaCurve.func1": "main.mvaCurve.func1",
		"plain": "plain", "f.1": "f.1", ".part.0": ".part.0", "": "", "a.cold.b": "a.cold.b",
	} {
		if got := unclone(name); got != want {
			t.Errorf("unclone(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestKnownFunctions(t *testing.T) {
	p := stacks(t, "a;b;a;c 3", "a;c 2", "b 5")
	want := []KnownFunction{
		{"b", 5, 8, Exactly, Exactly, 0}, {"c", 5, 5, Exactly, Exactly, 0}, {"a", 0, 5, Exactly, Exactly, 0},
	}
	if got := p.KnownFunctions(); !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	p.Partial = true
	p.Stated = map[string]Weights{"a": {Self: 1, Total: 9}, "d": {Self: NotKnown, Total: 7}}
	want = []KnownFunction{
		{"b", 5, 8, AtLeast, AtLeast, 0}, {"c", 5, 5, AtLeast, AtLeast, 0}, {"a", 1, 9, Exactly, Exactly, 0}, {"d", 0, 7, Nothing, Exactly, 0},
	}
	if got := p.KnownFunctions(); !slices.Equal(got, want) {
		t.Errorf("partial: got %+v, want %+v", got, want)
	}
}

// What calls others in a part of a profile has no self share that is known; in a whole one it has none.
func TestSelfUnknown(t *testing.T) {
	p := stacks(t, "main;store;s_lock 5", "main;plan 3")
	p.Total = 10
	for partial, want := range map[bool]string{
		false: "s_lock 0.5/0.5 plan 0.3/0.3 main 0/0.8 store 0/0.5 ",
		true:  "s_lock 0.5/0.5 plan 0.3/0.3 main self/0.8 store self/0.5 ",
	} {
		p.Partial = partial
		got := ""
		for _, f := range Summarize(p).Top {
			self := f.Unknown
			if f.Self != nil {
				self = strconv.FormatFloat(*f.Self, 'g', -1, 64)
			}
			got += fmt.Sprintf("%s %s/%g ", f.Function, self, f.Total)
		}
		if got != want {
			t.Errorf("partial %v: got %s, want %s", partial, got, want)
		}
	}
}
