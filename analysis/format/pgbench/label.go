package pgbench

import "bytes"

// label is what a line of pgbench begins with.
type label uint8

const (
	none label = iota
	labelType
	labelScale
	labelPartitionMethod
	labelPartitions
	labelMode
	labelClients
	labelThreads
	labelTries
	labelPerClient
	labelDuration
	labelProcessed
	labelFailed
	labelRetried
	labelSkipped
	labelAbove
	labelDetail // a counter that is known and not kept
	labelAverage
	labelDeviation
	labelLag
	labelConnection
	labelReconnection
	labelTPS
	lastLabel = labelTPS // those up to here occur once in a block, but for labelDetail and labelTPS

	labelProgress = iota
	labelScript
	labelScriptStatistics
	labelStatements
	labelBanner
	labelVacuum
	labelMessage // pgbench: error: …
	labelAborted // client 3 aborted …
	labelNoise   // known, and says nothing
)

// words are the labels that stand before a colon or an equals sign, by their last byte.
var words = func() (byLast [256][]entry) {
	for text, l := range map[string]label{
		"transaction type": labelType, "scaling factor": labelScale, "partition method": labelPartitionMethod, "partitions": labelPartitions,
		"query mode": labelMode, "number of clients": labelClients, "number of threads": labelThreads, "maximum number of tries": labelTries,
		"number of transactions per client": labelPerClient, "duration": labelDuration,
		"number of transactions actually processed": labelProcessed, "number of processed transactions": labelProcessed,
		"number of failed transactions": labelFailed, "number of serialization failures": labelDetail, "number of deadlock failures": labelDetail,
		"number of other failures": labelDetail, "number of transactions retried": labelRetried, "total number of retries": labelDetail,
		"number of transactions skipped": labelSkipped, "ms latency limit": labelAbove,
		"latency average": labelAverage, "latency stddev": labelDeviation, "rate limit schedule lag": labelLag,
		"initial connection time": labelConnection, "average connection time": labelReconnection, "tps": labelTPS, "progress": labelProgress,
	} {
		last := text[len(text)-1]
		byLast[last] = append(byLast[last], entry{[]byte(text), l})
	}
	return byLast
}()

type entry struct {
	text  []byte
	label label
}

// ending gives the label that b ends with, and where it begins.
func ending(b []byte) (label, int) {
	end := len(b)
	for end > 0 && blank(b[end-1]) {
		end--
	}
	if end < 3 {
		return none, 0
	}
	best, at := none, 0
	for _, w := range words[b[end-1]] {
		i := end - len(w.text)
		if i < 0 || b[i] != w.text[0] || !bytes.Equal(b[i:end], w.text) || i > 0 && (letter(b[i-1]) || b[i-1] == '_' || b[i-1] == '-' && w.label == labelDuration) {
			continue
		}
		if w.label == labelAbove { // number of transactions above the 50.0 ms latency limit
			from := max(i-60, 0)
			k := bytes.LastIndex(b[from:i], []byte("number of transactions above the "))
			if k < 0 {
				continue
			}
			i = from + k
		}
		if best == none || i < at { // "number of transactions retried" is longer than what it ends with
			best, at = w.label, i
		}
	}
	return best, at
}

// leading gives the label that b begins with and where its value begins. It is the way of nearly every line.
func leading(b []byte) (label, int) {
	if len(b) < 4 {
		return none, 0
	}
	switch b[0] {
	case 'p':
		switch {
		case has(b, "progress: "):
			return labelProgress, 10
		case has(b, "pgbench ("):
			return labelBanner, 9
		case has(b, "pgbench: "):
			return labelMessage, 9
		}
	case 's':
		switch {
		case has(b, "starting vacuum"):
			return labelVacuum, 15
		case has(b, "statement latencies in milliseconds"):
			return labelStatements, 35
		case has(b, "script statistics:"):
			return labelScriptStatistics, 18
		case has(b, "scale option ignored"):
			return labelNoise, len(b)
		}
	case 'S':
		switch {
		case has(b, "SQL script "):
			return labelScript, 11
		case has(b, "Scale option ignored"):
			return labelNoise, len(b)
		}
	case 'e':
		if has(b, "end.") {
			return labelNoise, 4
		}
	case 'c', 'C':
		if has(b[1:], "lient ") && bytes.Contains(b, []byte(" aborted")) {
			return labelAborted, len(b)
		}
	case 'z':
		if has(b, "zipfian cache array overflowed") {
			return labelNoise, len(b)
		}
	case 'r':
		if has(b, "run was aborted") || has(b, "run aborted") {
			return labelMessage, 0
		}
	case 'R':
		if has(b, "Run was aborted") {
			return labelMessage, 0
		}
	}
	if !letter(b[0]) || letters[b[0]]&first == 0 {
		return none, 0
	}
	for i, c := range b {
		if c == ':' || c == '=' {
			if l, at := ending(b[:i]); l != none && at == 0 {
				return l, i + 1
			}
			return none, 0
		}
		if letters[c] == 0 {
			return none, 0
		}
	}
	return none, 0
}

// letters are the bytes of labels; those that labels begin with have the bit first.
var letters = func() (set [256]uint8) {
	for _, list := range words {
		for _, w := range list {
			for _, c := range w.text {
				set[c] |= 1
			}
			if w.label == labelAbove {
				set['n'] |= first
				continue
			}
			set[w.text[0]] |= first
		}
	}
	for c := range byte(10) {
		set['0'+c] |= 1 // the limit in "above the 50.0 ms latency limit"
	}
	set['.'] |= 1
	set['b'] |= 1
	set['v'] |= 1
	return set
}()

const first = 2

// within finds the first label in b that has something before it: where it begins and where its value begins.
func within(b []byte) (l label, at, value int) {
	colon, equals := next(b, 0, ':'), next(b, 0, '=')
	for colon < len(b) || equals < len(b) {
		i := min(colon, equals)
		if l, at := ending(b[:i]); l != none {
			return l, at, i + 1
		}
		if i == colon {
			colon = next(b, i+1, ':')
		} else {
			equals = next(b, i+1, '=')
		}
	}
	return none, 0, 0
}

// next gives the index of c in b from i on; the length of b if there is none.
func next(b []byte, i int, c byte) int {
	if k := bytes.IndexByte(b[i:], c); k >= 0 {
		return i + k
	}
	return len(b)
}

func has(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && string(b[:len(prefix)]) == prefix
}
