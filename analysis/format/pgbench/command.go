package pgbench

import (
	"bytes"
	"strconv"
	"strings"

	"pgknee/analysis/bench"
	"pgknee/analysis/format/pgconf"
)

// command is what a pgbench command line states. A nil number is an option that was not given; variable marks one whose value is a
// shell variable and so not known.
type command struct {
	clients, threads, scale, perClient, progress *int
	durationS, rate                              *float64
	limit                                        string // of latency, in ms
	scripts                                      []string
	mode                                         string
	connect, initialise, variable                bool
	defines                                      [][2]string
}

// option letters that take a value. -d is the debug switch up to 16 and takes a database's name from 17 on: either way what follows
// it may be left as a positional argument.
const valued = "cjtTbfMsRLPDhpUF"

var long = map[string]byte{
	"client": 'c', "jobs": 'j', "time": 'T', "transactions": 't', "select-only": 'S', "skip-some-updates": 'N', "builtin": 'b',
	"file": 'f', "protocol": 'M', "scale": 's', "rate": 'R', "latency-limit": 'L', "progress": 'P', "connect": 'C', "define": 'D',
	"initialize": 'i',
}

// maxCommand bounds how far into a line a command is looked for, and so what a long line costs.
const maxCommand = 4096

// findCommand looks for a pgbench command line in b: with a prompt, a path or variables in front. It gives nil if there is none.
func findCommand(b []byte) *command {
	b = b[:min(len(b), maxCommand)]
	for from := 0; ; {
		i := bytes.Index(b[from:], []byte("pgbench"))
		if i < 0 {
			return nil
		}
		i += from
		from = i + len("pgbench")
		rest := b[from:]
		if i > 0 && (letter(b[i-1]) || strings.IndexByte("_-.", b[i-1]) >= 0) {
			continue
		}
		rest = bytes.TrimPrefix(rest, []byte(".exe"))
		rest = bytes.TrimLeft(rest, `"'`)
		if len(rest) == 0 || !blank(rest[0]) {
			continue
		}
		if c := parseCommand(string(rest)); c != nil {
			for _, o := range pgconf.Options(b[:i]) { // PGOPTIONS
				c.defines = append(c.defines, [2]string{o.Name, o.Text})
			}
			return c
		}
	}
}

// parseCommand reads the arguments of pgbench; nil if there is no option among them.
func parseCommand(text string) *command {
	c := &command{}
	options, loose := 0, 0
	words := strings.Fields(text)
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case strings.ContainsAny(w[:1], "|>;&#=<") || strings.HasPrefix(w, "2>") || w == `\`:
			i = len(words)
			continue
		case len(w) < 2 || w[0] != '-':
			if loose++; loose > 1 && options == 0 {
				return nil // prose
			}
			continue
		}
		next := func() string {
			if i+1 < len(words) {
				i++
				return words[i]
			}
			return ""
		}
		if strings.HasPrefix(w, "--") {
			name, value, glued := strings.Cut(w[2:], "=")
			letter, known := long[name]
			if !known {
				options++
				continue
			}
			options++
			if strings.IndexByte(valued, letter) >= 0 {
				if !glued {
					value = next()
				}
				c.set(letter, value)
			} else {
				c.set(letter, "")
			}
			continue
		}
		for k := 1; k < len(w); k++ {
			letter := w[k]
			if !('a' <= letter && letter <= 'z' || 'A' <= letter && letter <= 'Z') {
				break
			}
			options++
			if strings.IndexByte(valued, letter) < 0 {
				c.set(letter, "")
				continue
			}
			value := w[k+1:]
			if value == "" {
				value = next()
			}
			c.set(letter, value)
			break
		}
	}
	if options == 0 {
		return nil
	}
	return c
}

func (c *command) set(option byte, value string) {
	value = strings.Trim(value, "\"'`,;)")
	whole := func(to **int) {
		if n, err := strconv.Atoi(value); err == nil && n >= 0 {
			*to = &n
		} else {
			c.variable = true
		}
	}
	real := func(to **float64) {
		if f, err := strconv.ParseFloat(value, 64); err == nil && f > 0 && f < 1e15 {
			*to = &f
		}
	}
	script := func(name string) { c.scripts = append(c.scripts, name) }
	switch option {
	case 'c':
		whole(&c.clients)
	case 'j':
		whole(&c.threads)
	case 't':
		whole(&c.perClient)
	case 's':
		whole(&c.scale)
	case 'P':
		whole(&c.progress)
	case 'T':
		real(&c.durationS)
	case 'R':
		real(&c.rate)
	case 'L':
		c.limit = value
	case 'M':
		c.mode = value
	case 'S':
		script("select-only")
	case 'N':
		script("simple-update")
	case 'b':
		name, _, _ := strings.Cut(value, "@")
		switch {
		case strings.HasPrefix(name, "se"):
			name = "select-only"
		case strings.HasPrefix(name, "si"):
			name = "simple-update"
		case strings.HasPrefix(name, "t"):
			name = "tpcb-like"
		}
		script(name)
	case 'f':
		name, _, _ := strings.Cut(value, "@")
		script(name)
	case 'C':
		c.connect = true
	case 'i':
		c.initialise = true
	case 'D':
		if name, v, ok := strings.Cut(value, "="); ok && len(c.defines) < 50 {
			c.defines = append(c.defines, [2]string{name, v})
		}
	}
}

// contradicts tells whether a summary states otherwise, so that it can't be of this command.
func (c *command) contradicts(r *bench.Run) bool {
	differ := func(a, b *int) bool { return a != nil && b != nil && *a != *b }
	return differ(c.clients, r.Clients) || differ(c.threads, r.Threads) ||
		c.durationS != nil && r.DurationS != nil && *c.durationS != *r.DurationS ||
		c.mode != "" && r.QueryMode != "" && c.mode != r.QueryMode
}

// complete fills in what the summary of a run does not state.
func (c *command) complete(r *bench.Run) {
	one := 1
	if r.Clients == nil {
		if r.Clients = c.clients; r.Clients == nil && !c.variable {
			r.Clients = &one
		}
	}
	if r.Threads == nil {
		r.Threads = c.threads
	}
	if r.Scale == nil {
		r.Scale = c.scale
	}
	if r.DurationS == nil {
		r.DurationS = c.durationS
	}
	if r.QueryMode == "" {
		r.QueryMode = c.mode
	}
	if len(c.scripts) > 0 && (r.Script == "" || r.Script == customScript) {
		r.Script = strings.Join(c.scripts, ", ")
	}
	if c.rate != nil {
		r.RateLimitTPS = c.rate
		r.Flag(bench.FlagRateLimited)
	}
	if c.limit != "" {
		r.Set(attributeLimit, c.limit+" ms")
	}
	if c.connect {
		r.Flag(bench.FlagReconnect)
	}
	for _, d := range c.defines {
		r.Set(d[0], d[1])
	}
}
