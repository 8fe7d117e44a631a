//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgknee/analysis/report"
)

// cluster is a throw-away PostgreSQL server that listens on a socket in its own folder.
type cluster struct {
	t      *testing.T
	bin    string // folder of the server's programs
	folder string
	as     *syscall.SysProcAttr
}

// newCluster makes a server with a database of scale 1; as root it is run by the user postgres, since PostgreSQL refuses root.
func newCluster(t *testing.T, options string) *cluster {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if path, err := exec.LookPath("initdb"); err == nil {
		found = append(found, path)
	}
	if len(found) == 0 {
		t.Skip("no PostgreSQL is installed: nothing to measure")
	}
	folder, err := os.MkdirTemp("", "pgknee") // not t.TempDir: the path of a socket may take 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{t: t, bin: filepath.Dir(found[0]), folder: folder}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if os.Getuid() == 0 {
		u, err := user.Lookup("postgres")
		if err != nil {
			t.Fatal(err)
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		c.as = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
		if err := os.Chown(folder, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	c.do("initdb", "--no-sync", "--auth=trust", "--username=postgres", "--pgdata=data")
	c.do("pg_ctl", "start", "--wait", "--pgdata=data", "--log=log", "--options=-c fsync=off -c listen_addresses= -c unix_socket_directories="+folder+" "+options)
	t.Cleanup(func() { _, _ = c.run("pg_ctl", "stop", "--mode=immediate", "--pgdata=data") }) // before the folder goes
	c.do("pgbench", "--initialize", "--quiet", "--scale=1")
	return c
}

// run calls a program of PostgreSQL's in the cluster's folder and gives all that it printed.
func (c *cluster) run(program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(c.bin, program), args...)
	cmd.Dir, cmd.SysProcAttr = c.folder, c.as
	cmd.Env = append(os.Environ(), "PGHOST="+c.folder, "PGUSER=postgres", "PGDATABASE=postgres", "LC_ALL=C")
	cmd.WaitDelay = time.Second // a server that pg_ctl started keeps the output open
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// do is run for what has to work.
func (c *cluster) do(program string, args ...string) string {
	c.t.Helper()
	out, err := c.run(program, args...)
	if err != nil && !strings.Contains(err.Error(), "WaitDelay") {
		c.t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
	return out
}

// TestLive reads what pgbench prints about a real server: a sweep of two protocols with progress, its settings, a log, and a run during which
// the server dies.
func TestLive(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 20 s")
	}
	c := newCluster(t, "-c max_connections=40 -c work_mem=12MB -c shared_buffers=64MB")
	sweep := t.TempDir()
	printed := map[string]string{}
	save := func(name, text string) {
		printed[name] = text
		if err := os.WriteFile(filepath.Join(sweep, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	bench := func(seconds int, args ...string) string {
		out, _ := c.run("pgbench", slices.Concat([]string{"-n", "-S", "-P", "1", "-T", strconv.Itoa(seconds)}, args)...)
		return out
	}
	for _, mode := range []string{"simple", "prepared"} {
		for _, clients := range []string{"1", "2", "4"} {
			name := mode + "-c" + clients
			save(name+".txt", bench(2, "-M", mode, "-c", clients, "-j", "1", "-l", "--log-prefix="+name))
			logs, _ := filepath.Glob(filepath.Join(c.folder, name+".*"))
			for _, log := range logs {
				text, err := os.ReadFile(log)
				if err != nil {
					t.Fatal(err)
				}
				save(filepath.Base(log), string(text))
			}
		}
		save(mode+".settings", c.do("psql", "-XAtc", "SHOW ALL"))
	}
	version := strings.TrimSpace(c.do("psql", "-XAtc", "SHOW server_version_num"))
	dies := time.AfterFunc(1500*time.Millisecond, func() { _, _ = c.run("pg_ctl", "stop", "--mode=immediate", "--pgdata=data") })
	defer dies.Stop()
	save("simple-c8.txt", bench(10, "-M", "simple", "-c", "8", "-j", "1"))

	var stdout, stderr bytes.Buffer
	if status := run([]string{"analyze", "-json", sweep}, nil, &stdout, &stderr); status != exitRead {
		t.Errorf("exit status %d: %s", status, &stderr)
	}
	var r report.Report
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Runs) != 7 {
		t.Fatalf("%d runs", len(r.Runs))
	}
	for _, run := range r.Runs {
		name := filepath.Base(run.File)
		mode, _, _ := strings.Cut(name, "-")
		figure := func(pattern string) string {
			if found := regexp.MustCompile(pattern).FindStringSubmatch(printed[name]); found != nil {
				return found[1]
			}
			return "nothing"
		}
		for _, f := range []struct{ what, got, want string }{
			{"clients", fmt.Sprint(*run.Clients), figure(`number of clients: (\d+)`)},
			{"transactions", fmt.Sprint(*run.Transactions), figure(`actually processed: (\d+)`)},
			{"TPS", fmt.Sprintf("%.6f", *run.TPS), figure(`tps = ([\d.]+) \((?:without|excluding)`)},
			{"latency", fmt.Sprintf("%.3f", *run.LatencyMs), figure(`latency average = ([\d.]+) ms`)},
			{"scale", fmt.Sprint(*run.Scale), "1"},
			{"protocol", run.QueryMode, mode},
			{"script", run.Script, "select-only"},
			{"progress", fmt.Sprint(run.Intervals), fmt.Sprint(strings.Count(printed[name], "progress: "))},
		} {
			if f.got != f.want {
				t.Errorf("%s: %s %s, want %s", name, f.what, f.got, f.want)
			}
		}
		if major, _, _ := strings.Cut(run.ServerVersion, "."); !strings.HasPrefix(version, major) || major == "" {
			t.Errorf("%s: server version %q of %s", name, run.ServerVersion, version)
		}
		if died := name == "simple-c8.txt"; died != slices.Contains(run.Flags, "aborted") {
			t.Errorf("%s: flags %v", name, run.Flags)
		} else if !died && len(run.LatencyPercentilesMs) == 0 {
			t.Errorf("%s: its log was not put beside it", name)
		}
	}
	var series []string
	for _, s := range r.Series {
		series = append(series, s.Label)
		var counts []int
		for _, p := range s.Points {
			counts = append(counts, p.Clients)
		}
		if !slices.Equal(counts, []int{1, 2, 4}) {
			t.Errorf("%s has points at %v", s.Label, counts)
		}
	}
	slices.Sort(series)
	if !slices.Equal(series, []string{"prepared", "simple"}) {
		t.Errorf("series %q", series)
	}
	if len(r.Settings) != 2 {
		t.Errorf("%d sets of settings", len(r.Settings))
	}
	for _, s := range r.Settings {
		for name, want := range map[string]string{"max_connections": "40", "work_mem": "12MB", "shared_buffers": "64MB"} {
			if got := s.Values[name].Text; got != want {
				t.Errorf("%s: %s = %s, want %s", s.File, name, got, want)
			}
		}
		if !slices.Contains(series, s.Series) {
			t.Errorf("%s is of the series %q", s.File, s.Series)
		}
	}
}
