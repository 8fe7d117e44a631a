package pgbench

import (
	"bytes"
	"strings"

	"pgknee/analysis/bench"
)

// maxParts bounds the scripts and statements that are kept of a run.
const maxParts = 10_000

// scriptHeading reads SQL script 1: NAME, or script statistics:.
func (r *reader) scriptHeading(l label, b []byte, v int) int {
	cur := r.cur
	if cur == nil {
		return len(b)
	}
	cur.part, cur.script = inScripts, nil
	if l == labelScriptStatistics {
		return v + r.flatParts(b[v:])
	}
	_, size := parseCount(b[v:])
	i := v + size
	if size == 0 || at(b, i) != ':' {
		return v
	}
	end := len(b)
	if k := bytes.Index(b[i:min(len(b), i+maxValue)], []byte(" - weight:")); k >= 0 { // line breaks were lost
		end = i + k
	}
	if len(cur.run.Scripts) < maxParts {
		cur.run.Scripts = append(cur.run.Scripts, bench.Script{Name: scriptName(strings.TrimSpace(string(b[i+1 : end])))})
		cur.script = &cur.run.Scripts[len(cur.run.Scripts)-1]
	}
	return end + r.flatParts(b[end:])
}

// flatParts reads the lines of a script's part whose breaks were lost, up to the next script, and gives how much of b they were.
func (r *reader) flatParts(b []byte) int {
	end := len(b)
	if k := bytes.Index(b, []byte(" SQL script ")); k >= 0 {
		end = k
	}
	for i := 0; ; {
		k := bytes.Index(b[i:end], []byte(" - "))
		if k < 0 {
			return end
		}
		i += k + 3
		if l, _ := leading(b[i:end]); l == labelStatements {
			r.subline(b[i:end])
			return end
		}
		next := end
		if k := bytes.Index(b[i:end], []byte(" - ")); k >= 0 {
			next = i + k
		}
		r.subline(b[i:next])
		i = next
	}
}

// subline reads a line of a script's part, without the dash.
func (r *reader) subline(b []byte) bool {
	cur := r.cur
	b = bytes.TrimLeft(b, " ")
	if l, v := leading(b); l == labelStatements {
		r.statementHeading(b, v)
		return true
	} else if l != none {
		// Counters and latencies of a script alone are not kept, but for the figure in " - number of transactions actually
		// processed: N (tps = F)" of 18 and later.
		if l == labelProcessed {
			cur.scriptTPS(b)
		}
		return true
	}
	if has(b, "weight: ") {
		if n, size := parseNumber(b[8:]); size > 0 && n.known && cur.script != nil {
			cur.script.Weight = &n.value
		}
		return true
	}
	if _, size := parseCount(b); size > 0 && has(bytes.TrimLeft(b[size:], " "), "transactions") {
		cur.scriptTPS(b)
		return true
	}
	return false
}

func (b *block) scriptTPS(line []byte) {
	i := bytes.Index(line, []byte("tps = "))
	if i < 0 || b.script == nil {
		return
	}
	if n, size := parseNumber(line[i+6:]); size > 0 && n.known {
		b.script.TPS = &n.value
	}
}

// statementHeading reads statement latencies in milliseconds[ and failures|, failures and retries][, file 1]:.
func (r *reader) statementHeading(b []byte, v int) int {
	if r.cur == nil {
		return len(b)
	}
	r.cur.part, r.cur.columns = inStatements, 0
	end := bytes.IndexByte(b[v:], ':')
	if end < 0 {
		return len(b)
	}
	words := b[v : v+end]
	if bytes.Contains(words, []byte("failures")) {
		r.cur.columns++
	}
	if bytes.Contains(words, []byte("retries")) {
		r.cur.columns++
	}
	if rest := b[v+end+1:]; len(rest) > 0 {
		r.flatStatements(rest)
	}
	return len(b)
}

// statement reads a latency, the counters that the heading announced, and the text of a statement.
func (r *reader) statement(b []byte) bool {
	n, i := parseNumber(b)
	if i == 0 || n.decimals == 0 && n.known || i == len(b) || !blank(b[i]) {
		return false
	}
	s := bench.Statement{LatencyMs: n.value}
	for c := range 2 {
		k := skipBlanks(b, i)
		count, size := parseCount(b[k:])
		if size == 0 || !blank(at(b, k+size)) {
			break
		}
		i = k + size
		if c == 0 {
			s.Failures = &count
		} else {
			s.Retries = &count
		}
	}
	sql := bytes.TrimSpace(b[i:])
	if len(sql) == 0 {
		return false
	}
	var prompt []byte // glued to the last statement
	if k := bytes.Index(sql, []byte("pgbench ")); k > 0 && findCommand(sql[k:]) != nil {
		if k = bytes.LastIndexByte(sql[:k], ';'); k > 0 {
			sql, prompt = sql[:k+1], sql[k+1:]
		}
	}
	s.SQL = string(sql)
	if n.known && len(r.cur.run.Statements) < maxParts {
		r.cur.run.Statements = append(r.cur.run.Statements, s)
	}
	if prompt != nil {
		r.commandLine(prompt)
	}
	return true
}

// flatStatements reads statements whose line breaks were lost: each begins with blanks, a latency with three decimals, and blanks.
func (r *reader) flatStatements(b []byte) {
	for len(b) > 0 {
		b = bytes.TrimLeft(b, " \t")
		end := len(b)
		for i := 1; i+8 < len(b); i++ {
			if b[i] != ' ' || b[i+1]-'0' > 9 {
				continue
			}
			if n, size := parseNumber(b[i+1:]); n.decimals == 3 && at(b, i+1+size) == ' ' && (b[i-1] == ' ' || b[i-1] == ';') {
				end = i
				break
			}
		}
		if !r.statement(b[:end]) {
			return
		}
		b = b[end:]
	}
}
