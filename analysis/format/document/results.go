package document

import (
	"bytes"
	"strconv"
	"strings"

	"pgknee/analysis/bench"
	"pgknee/analysis/format"
	"pgknee/analysis/source"
)

// results reads what people write below a command line instead of its output: a list of "label: 0.026 ms", each a run of that command
// under another condition; and lists of repeats in braces: "master: 107523 TPS {102540, 107523, 108100}".
var results = &format.Block{
	Name:   "results",
	Claims: claimResults,
	Read:   readResults,
}

func claimResults(lines []source.Line) int {
	if n := stated(lines); n > 0 {
		return n
	}
	if _, ok := command(string(lines[0].Text)); ok {
		n := 1
		for n < len(lines) && n < 6 { // a sentence may stand between
			t := string(lines[n].Text)
			if _, _, ok := timing(t); ok {
				break
			}
			if strings.TrimSpace(t) != "" && (n > 4 || len(t) > 80) {
				return 0
			}
			n++
		}
		first := n
		for n < len(lines) {
			if _, _, ok := timing(string(lines[n].Text)); !ok {
				break
			}
			n++
		}
		if n-first < 2 {
			return 0
		}
		return n
	}
	n := 0
	for n < len(lines) {
		if _, _, ok := braces(string(lines[n].Text)); !ok {
			break
		}
		n++
	}
	return n
}

// stated counts the command lines at the beginning of lines that bring their throughput with them: "pgbench -n -S -c64 => tps = 52725".
func stated(lines []source.Line) int {
	n := 0
	for n < len(lines) {
		if _, _, ok := commandResult(string(lines[n].Text)); !ok {
			break
		}
		n++
	}
	return n
}

// commandResult splits a line into a command and the throughput that it states behind an arrow.
func commandResult(text string) (options map[byte]string, tps float64, ok bool) {
	for _, arrow := range [...]string{"=>", "->", "→", "# ", ": tps", "==>"} {
		i := strings.LastIndex(text, arrow)
		if i < 0 {
			continue
		}
		options, isCommand := command(text[:i])
		rest := strings.ToLower(strings.TrimLeft(text[i:], "=->→#: "))
		if !isCommand || !strings.Contains(rest, "tps") {
			continue
		}
		number := strings.Trim(strings.Replace(rest, "tps", "", 1), " =:~")
		if j := strings.IndexAny(number, " (,;"); j > 0 && number[j] != ',' {
			number = number[:j]
		}
		v, err := strconv.ParseFloat(strings.ReplaceAll(number, ",", ""), 64)
		if err == nil && v > 0 && v < 1e12 {
			return options, v, true
		}
	}
	return nil, 0, false
}

// conditions are what the options of a command say of its run, the defaults of pgbench included.
func conditions(options map[byte]string) bench.Run {
	r := bench.Run{QueryMode: "simple"}
	number := func(name byte, to **int, other int) {
		n, ok := count(options[name])
		if !ok {
			n = other
		}
		*to = &n
	}
	number('c', &r.Clients, 1)
	number('j', &r.Threads, 1)
	if m := options['M']; m != "" {
		r.QueryMode = m
	}
	if n, ok := count(options['T']); ok {
		s := float64(n)
		r.DurationS = &s
	}
	if n, ok := count(options['s']); ok {
		r.Scale = &n
	}
	_, s := options['S']
	_, n := options['N']
	switch {
	case options['f'] != "":
		r.Script = options['f']
	case s:
		r.Script = "select-only"
	case n:
		r.Script = "simple-update"
	default:
		r.Script = "tpcb-like"
	}
	if v, ok := count(options['R']); ok {
		rate := float64(v)
		r.RateLimitTPS = &rate
		r.Flag(bench.FlagRateLimited)
	}
	if _, ok := options['C']; ok {
		r.Flag(bench.FlagReconnect)
	}
	return r
}

func readResults(ctx *format.Context, p format.Passage) {
	if stated(p.Lines) > 0 {
		for _, l := range p.Lines {
			options, tps, ok := commandResult(string(l.Text))
			if !ok {
				continue
			}
			run := conditions(options)
			run.At = source.Position{File: ctx.File, Line: l.No, Column: 1}
			run.TPS, run.TPSKind = &tps, bench.Reported
			ctx.Runs = append(ctx.Runs, &run)
		}
		return
	}
	base := bench.Run{}
	clients, isCommand := 0, false
	if options, ok := command(string(p.Lines[0].Text)); ok {
		base, isCommand = conditions(options), true
		clients = *base.Clients
	}
	for _, l := range p.Lines {
		text := string(l.Text)
		if label, values, ok := timing(text); ok && isCommand {
			for _, v := range values {
				run := base
				n := clients
				run.Clients = &n
				run.At = source.Position{File: ctx.File, Line: l.No, Column: 1}
				run.Label = label
				ms := v.ms
				run.LatencyMs, run.LatencyResolutionMs = &ms, v.resolution
				run.Flag(bench.FlagLatencyOnly)
				ctx.Runs = append(ctx.Runs, &run)
			}
		}
		if label, values, ok := braces(text); ok && !isCommand {
			for _, v := range values {
				run := bench.Run{At: source.Position{File: ctx.File, Line: l.No, Column: 1}, Label: label, TPSKind: bench.Reported}
				tps := v
				run.TPS = &tps
				run.Flag(bench.FlagClientsUnknown)
				ctx.Runs = append(ctx.Runs, &run)
			}
		}
	}
}

// measured is a time with the size of its last printed digit.
type measured struct{ ms, resolution float64 }

// timing reads "label: 0.026 ms" and "label: 0.026/0.027 ms", and nothing else on the line.
func timing(text string) (string, []measured, bool) {
	label, rest, ok := strings.Cut(strings.TrimSpace(text), ":")
	label = strings.Trim(label, " -*•")
	if !ok || label == "" || len(label) > 60 || strings.ContainsAny(label, ".;?!") {
		return "", nil, false
	}
	rest = strings.TrimSpace(rest)
	i := strings.LastIndexAny(rest, "0123456789")
	if i < 0 {
		return "", nil, false
	}
	factor := 0.0
	switch strings.TrimSpace(rest[i+1:]) {
	case "ms", "msec":
		factor = 1
	case "us", "µs", "μs", "usec":
		factor = 1e-3
	case "s", "sec":
		factor = 1e3
	default:
		return "", nil, false
	}
	var out []measured
	for _, n := range strings.Split(rest[:i+1], "/") {
		n = strings.TrimSpace(n)
		v, err := strconv.ParseFloat(n, 64)
		if err != nil || v < 0 || v > 1e9 || len(n) > 20 {
			return "", nil, false
		}
		unit := 1.0
		if _, after, ok := strings.Cut(n, "."); ok {
			for range after {
				unit /= 10
			}
		}
		out = append(out, measured{v * factor, unit * factor})
	}
	return label, out, len(out) > 0
}

// braces reads "label: 107523 TPS (baseline) {102540, 107523, …}": the figures in braces are repeats, the one before them sums up.
func braces(text string) (string, []float64, bool) {
	i, j := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if i < 0 || j < i {
		return "", nil, false
	}
	label, rest, ok := strings.Cut(text[:i], ":")
	low := strings.ToLower(rest)
	if !ok || !strings.Contains(low, "tps") && !strings.Contains(low, "transactions per second") {
		return "", nil, false
	}
	var out []float64
	for _, n := range strings.FieldsFunc(text[i+1:j], func(r rune) bool { return strings.ContainsRune(", ;/", r) }) {
		if n == "…" || n == "..." {
			continue
		}
		v, err := strconv.ParseFloat(n, 64)
		if err != nil || v <= 0 || v > 1e12 {
			return "", nil, false
		}
		out = append(out, v)
	}
	return strings.Trim(label, " *-•`"), out, len(out) > 0
}

// command reads the options of a pgbench command line, under whatever prompt. Options without a value map to "".
func command(text string) (map[byte]string, bool) {
	i := strings.Index(text, "pgbench ")
	if i < 0 || i > 0 && !strings.ContainsAny(text[i-1:i], " />$#`\t") {
		return nil, false
	}
	args := strings.Fields(strings.Trim(text[i+len("pgbench "):], "`'\""))
	if len(args) == 0 || args[0][0] != '-' || len(args[0]) < 2 {
		return nil, false
	}
	out := map[byte]string{}
	long := map[string]byte{"client": 'c', "jobs": 'j', "time": 'T', "transactions": 't', "select-only": 'S', "skip-some-updates": 'N', "file": 'f', "protocol": 'M', "scale": 's', "rate": 'R', "connect": 'C', "builtin": 'b'}
	for k := 0; k < len(args); k++ {
		a := args[k]
		if len(a) < 2 || a[0] != '-' {
			if strings.ContainsAny(a, "><|;&") {
				break
			}
			continue
		}
		name, value, glued := byte(0), "", false
		if a[1] == '-' {
			n, v, eq := strings.Cut(a[2:], "=")
			name, value, glued = long[n], v, eq
			if name == 0 {
				continue
			}
		} else {
			name, value = a[1], a[2:]
			glued = value != ""
		}
		if bytes.IndexByte([]byte("cjTtfMsRbPhpUDL"), name) >= 0 {
			if !glued && k+1 < len(args) {
				k++
				value = args[k]
			}
			out[name] = strings.Trim(value, "`'\",;")
			continue
		}
		for _, c := range []byte(a[1:]) { // flags may be glued: -nS
			out[c] = ""
		}
	}
	return out, true
}
