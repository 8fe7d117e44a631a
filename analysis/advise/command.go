package advise

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"pgknee/analysis/report"
)

// The commands to run next are made of the options that the runs show, so that what is measured next can be compared with what is there.

// commands are the lines to run next. A line with a fact that is not known is left out, and with it the comments that stand before it.
func (f *finding) commands() []string {
	var out, comments []string
	for _, line := range f.rule.Run {
		if strings.HasPrefix(line, "-- ") || strings.HasPrefix(line, "# ") {
			comments = append(comments, line)
			continue
		}
		if filled := f.fill(line); filled != "" {
			out = append(append(out, comments...), strings.Split(filled, "\n")...)
		}
		comments = nil
	}
	return out
}

// runAt is one run at a client count; "" for none.
func (f *finding) runAt(clients int) string {
	if clients == 0 {
		return ""
	}
	return f.command(strconv.Itoa(clients), strconv.Itoa(f.jobs(clients)))
}

// command is the pgbench command for numbers of clients and threads, which may be shell variables; "" when the runs are not pgbench's.
func (f *finding) command(clients, jobs string) string {
	w := f.worse
	if w.series == nil || !f.byPgbench() {
		return ""
	}
	words := []string{"pgbench", "-n"}
	script, _ := commonText(w.runs, func(r *report.Run) string { return r.Script }).(string)
	switch low := strings.ToLower(script); {
	case script == "":
		words = append(words, "-f", "SCRIPT")
	case strings.Contains(low, "select") && strings.Contains(low, "only"):
		words = append(words, "-S")
	case strings.Contains(low, "simple") && strings.Contains(low, "update"):
		words = append(words, "-N")
	case strings.Contains(low, "tpc") && strings.Contains(low, "b") && !strings.Contains(low, "."):
	case !strings.Contains(script, "."): // a name that is no file's
		words = append(words, "-f", "SCRIPT")
	default:
		words = append(words, "-f", quote(script))
	}
	if mode := f.text("mode"); mode != "" && mode != "simple" {
		words = append(words, "-M", mode)
	}
	return strings.Join(append(words, "-c", clients, "-j", jobs, "-T", strconv.Itoa(f.duration())), " ")
}

// byPgbench tells whether the runs came from pgbench, or could have: tables seldom say.
func (f *finding) byPgbench() bool {
	if unit := f.text("unit"); unit != "" && !strings.EqualFold(unit, "tps") {
		return false
	}
	return !slices.ContainsFunc(f.worse.runs, func(run *report.Run) bool {
		if low := strings.ToLower(run.Script + " " + run.Series); strings.Contains(low, "sysbench") || strings.Contains(low, "oltp_") {
			return true
		}
		i := slices.IndexFunc(f.r.Files, func(file report.File) bool { return file.Name == run.File })
		if i < 0 {
			return false
		}
		switch f.r.Files[i].Format {
		case "sysbench", "hammerdb", "benchbase":
			return true
		}
		return false
	})
}

func (f *finding) text(name string) string {
	t, _ := f.lookup(name, nil).(string)
	return t
}

// duration is how long to run: as long as the runs did, a minute at least.
func (f *finding) duration() int {
	seconds, _ := f.lookup("seconds", nil).(float64)
	return max(int(seconds+.5), 60)
}

// jobs is the number of pgbench threads for a count: a quarter of the clients, no fewer than the runs had.
func (f *finding) jobs(clients int) int {
	threads, _ := f.lookup("threads", nil).(float64)
	n := max(int(threads), clients/4, 1)
	if f.rule.ID != "pgbench-threads" && threads > 1 {
		n = int(threads)
	}
	return min(n, max(clients, 1))
}

// loop runs a command over several counts, repeats and all.
func (f *finding) loop(counts []int, repeats int) string {
	if len(counts) == 0 {
		return ""
	}
	list := make([]string, len(counts))
	for i, n := range counts {
		list[i] = strconv.Itoa(n)
	}
	jobs := f.jobs(slices.Max(counts))
	j := strconv.Itoa(jobs)
	if jobs > slices.Min(counts) {
		j = fmt.Sprintf("$((c < %d ? c : %d))", jobs, jobs)
	}
	one := f.command("$c", j)
	if one == "" {
		return ""
	}
	loop := "for c in " + strings.Join(list, " ") + "; do\n  " + one + "\ndone"
	if len(counts) == 1 {
		loop = f.runAt(counts[0])
	}
	if repeats > 1 {
		return fmt.Sprintf("for run in $(seq %d); do\n  %s\ndone", repeats, strings.ReplaceAll(loop, "\n", "\n  "))
	}
	return loop
}

// largest is the largest client count of the worse side, 0 for none.
func (f *finding) largest() int {
	if n := f.counts(); len(n) > 0 {
		return n[len(n)-1]
	}
	return 0
}

// counts are the client counts of the worse side.
func (f *finding) counts() (out []int) {
	if f.worse.series == nil {
		return nil
	}
	for _, p := range f.worse.series.Points {
		out = append(out, p.Clients)
	}
	return out
}

// quote puts a file name into quotes if a shell would take it apart.
func quote(name string) string {
	name = path.Base(name)
	if strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-@") == "" {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
