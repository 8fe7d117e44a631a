package waits

import (
	"fmt"
	"strings"
	"testing"

	"pgknee/analysis/format"
	"pgknee/analysis/format/formattest"
)

// found writes the lists of an input as lines "label unit: event count, …".
func found(ctx *format.Context) string {
	var out []string
	for _, w := range ctx.Waits {
		var parts []string
		for _, e := range w.Events {
			parts = append(parts, fmt.Sprintf("%s %g", e.Name, e.Count))
		}
		out = append(out, fmt.Sprintf("%s %s: %s", w.Label, w.Unit, strings.Join(parts, ", ")))
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

var cases = []struct{ name, text, want string }{
	{"psql", " wait_event_type |  wait_event   | samples \n-----------------+---------------+---------\n LWLock          | WALWrite      |   10714 \n                 |               |      60\n Client          | ClientRead    |     622 \n(3 rows)\n", "samples: LWLock:WALWrite 10714, CPU 60, Client:ClientRead 622"},
	{"one column of names", "wait_event | count | %\n-----------+-----+---\nLWLock:WALInsert | 90 | 90.0\nIO:DataFileRead | 10 | 10.0\n", "samples: LWLock:WALInsert 90, IO:DataFileRead 10"},
	{"CSV with two sides", "wait_event_type,wait_event,before,after\nLWLock,BufferMapping,300,2\nIO,DataFileRead,1200,5\n", "before samples: LWLock:BufferMapping 300, IO:DataFileRead 1200\nafter samples: LWLock:BufferMapping 2, IO:DataFileRead 5"},
	{"Markdown", "| wait event | share |\n|---|---:|\n| LWLock:LockManager | 61 % |\n| CPU | 30 % |\n", "%: LWLock:LockManager 61, CPU 30"},
	{"list", "LWLock:WALWrite   40 %\nIO:WALSync  22.5%\nCPU 12 %\n", "%: LWLock:WALWrite 40, IO:WALSync 22.5, CPU 12"},
	{"list, counts first", "  1320  IPC:SyncRep\n   210 Client:ClientRead\n", "samples: IPC:SyncRep 1320, Client:ClientRead 210"},
	{"items", "- LWLock / ProcArrayLock: 55%\n- Lock.transactionid: 12%\n", "%: LWLock:ProcArrayLock 55, Lock:transactionid 12"},
	{"sessions", " pid | wait_event_type | wait_event | state\n-----+---+---+---\n 11 | LWLock | WALInsert | active\n 12 | LWLock | WALInsert | active\n 13 | | | active\n", "sessions: LWLock:WALInsert 2, CPU 1"},
	{"query above", "select wait_event_type, wait_event, count(*) from pg_stat_activity group by 1, 2;\nwait_event_type,wait_event,count\nLWLock,WALInsert,7\n", "samples: LWLock:WALInsert 7"},
}

// TestWaits reads each shape, as a file and as part of a document.
func TestWaits(t *testing.T) {
	for _, c := range cases {
		if got := found(formattest.Read(Format, "", format.Options{}, []byte(c.text))); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
		formattest.Check(t, Format, c.name, []byte(c.text))
	}
}

// TestOthers leaves what is no list of wait events.
func TestOthers(t *testing.T) {
	for _, text := range []string{
		"clients | tps\n1 | 1000\n2 | 2000\n", "name | setting\nio_method | worker\n", "a;b;c 12\nio;x 4\n", "event | count\nbirthday | 4\n",
		"CPU 12\nCPU 14\n", "wait_event_type | wait_event | samples\n", "IO wait was 40 %\nand the CPU idle\n",
	} {
		if ctx := formattest.Read(Format, "", format.Options{}, []byte(text)); Format.Sniff("", []byte(text)) != format.No || len(ctx.Waits) > 0 {
			t.Errorf("%q: taken for wait events: %s", text, found(ctx))
		}
	}
}

// FuzzWaits holds any input against what every reader must keep.
func FuzzWaits(f *testing.F) {
	for _, c := range cases {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, data []byte) { formattest.Fuzz(t, Format, data) })
}
