package settings_test

import (
	"encoding/csv"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pgknee/analysis/settings"
)

// perBuild are settings whose default or choices the build, initdb or the running server decides.
var perBuild = []string{
	"data_directory_mode", "default_toast_compression", "dynamic_shared_memory_type", "extension_destdir", "io_method", "krb_server_keyfile", "lc_collate", "lc_ctype",
	"num_os_semaphores", "server_encoding", "server_version", "server_version_num", "shared_buffers", "shared_memory_size", "shared_memory_size_in_huge_pages",
	"ssl_library", "unix_socket_directories", "wal_compression",
}

// TestAgainstServer compares the catalogue with pg_settings of the server that PGKNEE_SERVER names as psql does ("host=/tmp port=5418"):
// each setting of the server is known with its default, unit, range and context, and no setting is believed to be there that is not.
func TestAgainstServer(t *testing.T) {
	server := os.Getenv("PGKNEE_SERVER")
	if server == "" {
		t.Skip("PGKNEE_SERVER names no server")
	}
	ask := func(query string) [][]string {
		out, err := exec.Command("psql", "-X", "-q", "-d", server, "-c", "copy ("+query+") to stdout with csv").Output()
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(string(out))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	version := ask("select current_setting('server_version')")[0][0]
	c, found, loaded := settings.Embedded(), map[string]bool{}, map[string]bool{}
	for _, row := range ask("select name, boot_val, unit, vartype, min_val, max_val, array_to_string(enumvals, '|'), context from pg_settings") {
		name := strings.ToLower(row[0])
		library, _, extension := strings.Cut(name, ".")
		found[name], loaded[library] = true, extension
		if slices.Contains(perBuild, name) || extension && !c.Has(name) {
			continue
		}
		e, _ := c.Entry(name, version)
		if got := []string{e.Default, e.Unit, e.Type, e.Min, e.Max, e.Values, e.Context}; !slices.Equal(got, row[1:]) {
			t.Errorf("%s of %s is %q, in the catalogue %q", name, version, row[1:], got)
		}
	}
	for _, name := range c.Names() {
		library, _, extension := strings.Cut(name, ".")
		if _, ok := c.Entry(name, version); ok && !found[strings.ToLower(name)] && (!extension || loaded[library]) {
			t.Errorf("%s has no %s", version, name)
		}
	}
}
