package table

import (
	"bytes"
	"strconv"
	"strings"

	"pgknee/analysis/source"
)

// claimBenchstat finds what benchstat prints: names of files between bars, units below them, and rows of "name value ± spread". Of several
// tables about the same runs the one that counts transactions is taken. The concurrency stands in the name: …/conc=32.
func claimBenchstat(lines []source.Line) (*grid, int) {
	var best *grid
	rank, n, end := 1<<30, 0, 0
	var files []cell // named above the first table only
	for n < len(lines) {
		g, took := benchstatTable(lines[n:], &files)
		if g == nil {
			break
		}
		n += took
		end = n
		if r := benchstatRank(g); r < rank {
			best, rank = g, r
		}
		for n < len(lines) && len(bytes.TrimSpace(lines[n].Text)) == 0 {
			n++
		}
	}
	return best, end
}

// benchstatRank prefers transactions to queries to the rest.
func benchstatRank(g *grid) int {
	switch readHeading(g.header.cells[2].text).unit {
	case "tps":
		return 0
	case "qps":
		return 1
	case "":
		return 9
	}
	return 2
}

func benchstatTable(lines []source.Line, names *[]cell) (*grid, int) {
	n := 0
	if bytes.Contains(lines[0].Text, []byte("│")) && n+1 < len(lines) && bytes.Contains(lines[1].Text, []byte("│")) {
		*names = splitPipe(string(lines[0].Text))
		n++
	}
	if !bytes.Contains(lines[n].Text, []byte("│")) {
		return nil, 0
	}
	if t := bytes.TrimSpace(lines[n].Text); !bytes.HasPrefix(t, []byte("│")) {
		return nil, 0
	}
	cells := splitPipe(string(lines[n].Text))
	g := &grid{sep: byUnit, header: &row{line: lines[0].No, text: string(lines[0].Text), cells: []cell{{"benchmark", 1}, {"clients", 1}}}}
	files := *names
	for i, c := range cells {
		unit, _, _ := strings.Cut(c.text, " ")
		name := ""
		for k := range files {
			if k == i || k == len(files)-1 && k < i {
				name = files[k].text
			}
		}
		if unit != "" {
			g.header.cells = append(g.header.cells, cell{strings.TrimSpace(name + " " + unit), 1})
		}
	}
	n++
	for n < len(lines) && bytes.Contains(lines[n].Text, []byte("±")) {
		text := string(lines[n].Text)
		fields := strings.Fields(text)
		name, clients, ok := unfuse(fields[0])
		r := row{line: lines[n].No, text: text, cells: []cell{{fields[0], 1}, {"", 1}}}
		if ok {
			r.cells[0].text, r.cells[1].text = name, strconv.Itoa(clients)
		}
		for i := 1; i+1 < len(fields); i++ {
			if fields[i+1] == "±" && literal(fields[i], false) > 0 && len(r.cells) < len(g.header.cells) {
				r.cells = append(r.cells, cell{fields[i], 1})
			}
		}
		if fields[0] != "geomean" {
			g.rows = append(g.rows, r)
		}
		n++
	}
	if len(g.rows) == 0 || len(g.header.cells) < 3 {
		return nil, 0
	}
	if n < len(lines) && bytes.HasPrefix(bytes.TrimSpace(lines[n].Text), []byte("geomean")) {
		n++
	}
	g.width = len(g.header.cells)
	return g, n
}
