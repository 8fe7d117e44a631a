// Package refused knows the inputs that people give and that no result can be read from: binary files, images, perf.data, query
// plans, counters. Each is refused with what to do instead; what is merely not a benchmark result is told by what it looks like.
//
// Decided here: refusing is by content, and only when the beginning of the input as a whole is of that kind. A mail that quotes a
// query plan is a mail.
package refused

import (
	"bytes"

	"pgknee/analysis/format"
)

// PerfData is what perf record writes.
var PerfData = &format.Format{
	Name: "perf-data", Doc: "binary samples of perf record",
	Sniff: func(_ string, head []byte) format.Confidence {
		dump := bytes.Contains(head, []byte(". ... raw event: size ")) && bytes.Contains(head, []byte("]: PERF_RECORD_"))
		return sure(dump || hasPrefix(head, "PERFILE2", "2ELIFREP", "PERFFILE"))
	},
	Refuse: "this is perf.data, binary or dumped raw: run \"perf script -i FILE > stacks.txt\" on the machine it was recorded on, and give stacks.txt",
}

// Image is a picture.
var Image = &format.Format{
	Name: "image", Doc: "pictures",
	Sniff: func(_ string, head []byte) format.Confidence {
		riff := len(head) >= 12 && string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP"
		return sure(riff || hasPrefix(head, "\x89PNG", "\xff\xd8\xff", "GIF87a", "GIF89a", "II*\x00", "MM\x00*", "\x00\x00\x01\x00"))
	},
	Refuse: "this is an image: nothing can be read from a picture, give the text or the numbers behind it",
}

// Binary is any other file that isn't text.
var Binary = &format.Format{
	Name: "binary", Doc: "files that are not text",
	Sniff:  sniffBinary,
	Refuse: "this is not text: unpack it (gzip, zstd, tar and zip are opened as they are), or give the tool's text output",
}

// Explain is the output of EXPLAIN.
var Explain = &format.Format{
	Name: "explain", Doc: "query plans",
	Sniff:  sniffExplain,
	Refuse: "this is EXPLAIN output: a plan of one statement has no throughput; a plan viewer reads it, pgknee needs the output of a benchmark",
}

// PerfStat is the output of perf stat.
var PerfStat = &format.Format{
	Name: "perf-stat", Doc: "counters of perf stat",
	Sniff: func(_ string, head []byte) format.Confidence {
		return sure(mostly(head, statLine) && bytes.Contains(head, []byte("Performance counter stats for")))
	},
	Refuse: "these are counters of perf stat: they hold no stacks and no throughput; give perf script output, or the output of the benchmark",
}

func sure(yes bool) format.Confidence {
	if yes {
		return format.Sure
	}
	return format.No
}

func hasPrefix(head []byte, prefixes ...string) bool {
	for _, p := range prefixes {
		if bytes.HasPrefix(head, []byte(p)) {
			return true
		}
	}
	return false
}

// sniffBinary is sure of what it knows by its first bytes, and finds it likely where control characters are too many for a text.
func sniffBinary(_ string, head []byte) format.Confidence {
	if hasPrefix(head, "\x7fELF", "SQLite format 3\x00", "%PDF-", "\xfd7zXZ\x00", "BZh9", "7z\xbc\xaf\x27\x1c", "Rar!", "\x04\x22\x4d\x18", "PAR1", "PGDMP") {
		return format.Sure
	}
	control, other := 0, 0
	for _, c := range head {
		switch {
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\b' && c != 0x1b, c == 0x7f:
			control++
		default:
			other++
		}
	}
	if control*20 > other {
		return format.Likely
	}
	return format.No
}

// mostly tells whether more than half of the lines that aren't blank are of a kind.
func mostly(head []byte, kind func([]byte) bool) bool {
	yes, no := 0, 0
	for line := range bytes.Lines(head) {
		switch line = bytes.TrimSpace(line); {
		case len(line) == 0:
		case kind(line):
			yes++
		default:
			no++
		}
	}
	return yes > no
}

func statLine(line []byte) bool {
	return bytes.HasPrefix(line, []byte("Performance counter stats for")) || bytes.HasPrefix(line, []byte("# started on")) ||
		bytes.HasSuffix(line, []byte("seconds time elapsed")) || bytes.HasSuffix(line, []byte("seconds user")) || bytes.HasSuffix(line, []byte("seconds sys")) ||
		bytes.HasPrefix(line, []byte("<not supported>")) || bytes.HasPrefix(line, []byte("<not counted>")) || counter(line)
}

// counter tells whether a line is a count and the name of what was counted.
func counter(line []byte) bool {
	words := bytes.Fields(line)
	return len(words) >= 2 && digits(words[0]) && !digits(words[1]) && words[1][0] != '('
}

func digits(word []byte) bool {
	for _, c := range word {
		if (c < '0' || c > '9') && c != ',' && c != '.' {
			return false
		}
	}
	return len(word) > 0
}

// sniffExplain looks for plans that the input is made of.
func sniffExplain(_ string, head []byte) format.Confidence {
	has := func(s string) bool { return bytes.Contains(head, []byte(s)) }
	text := has("(cost=") && has(" rows=") && has(" width=") && mostly(head, planLine)
	return sure(text || has(`"Node Type":`) && has(`"Plan":`) || has("Node Type: ") && has("Total Cost: ") || has("<Node-Type>"))
}

// planLine tells a line of a plan, or of the table that psql draws around it.
func planLine(line []byte) bool {
	for _, part := range []string{"(cost=", "->  ", "(actual ", "QUERY PLAN", "-----", " row)", " rows)"} {
		if bytes.Contains(line, []byte(part)) {
			return true
		}
	}
	i := bytes.IndexByte(line, ':') // Sort Key: amount
	return i > 0 && line[0] >= 'A' && line[0] <= 'Z' && len(bytes.Fields(line[:i])) <= 3
}
