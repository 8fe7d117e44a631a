package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"pgknee/site/policy"
)

// edgeOut is where the worker is put: worker.mjs and app.wasm, the files of the page under assets, and what runs both under workerd.
const edgeOut = "cmd/edge/out"

// notServed are files in site/out that no page loads.
var notServed = []string{"README.md", "svg.js"}

// edge makes the edge worker.
func edge() error {
	assets := filepath.Join(edgeOut, "assets")
	if err := os.MkdirAll(assets, 0o755); err != nil {
		return err
	}
	if err := compile("./cmd/edge", filepath.Join(edgeOut, "app.wasm")); err != nil {
		return err
	}
	library := exec.Command("go", "tool", "workers-assets-gen", "-mode=go", "-o", filepath.Join(edgeOut, "library"))
	if out, err := library.CombinedOutput(); err != nil {
		return fmt.Errorf("workers-assets-gen: %w\n%s", err, out)
	}
	worker, err := bundle("cmd/edge/worker.mjs", api.ES2022, api.FormatESModule, nil)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(edgeOut, "worker.mjs"), worker, 0o644); err != nil {
		return err
	}
	for _, name := range []string{"cache.mjs", "config.capnp"} {
		if err := copyFile(filepath.Join(edgeOut, name), filepath.Join("cmd/edge", name), nil); err != nil {
			return err
		}
	}
	names, err := fileNames("site/out")
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(notServed, name) })
	for _, name := range names {
		change := func(content []byte) []byte { return content }
		if name == "index.html" {
			change = policy.Announce
		}
		if err := copyFile(filepath.Join(assets, name), filepath.Join("site/out", name), change); err != nil {
			return err
		}
		if strings.HasPrefix(name, "engine-") {
			names = append(names, name+".br")
			if err := pack(filepath.Join(assets, name)); err != nil {
				return err
			}
		}
	}
	if err := removeOthers(assets, append(names, "_headers")); err != nil {
		return err
	}
	headers := headersFile(names)
	if err := os.WriteFile(filepath.Join(assets, "_headers"), []byte(headers), 0o644); err != nil {
		return err
	}
	config, err := json.Marshal(map[string]any{"headers": headers, "run_worker_first": []string{"/engine-*"}})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(edgeOut, "assets.json"), config, 0o644)
}

func fileNames(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

func copyFile(to, from string, change func([]byte) []byte) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if change != nil {
		content = change(content)
	}
	return os.WriteFile(to, content, 0o644)
}

// removeOthers removes what an earlier build has left.
func removeOthers(folder string, keep []string) error {
	names, err := fileNames(folder)
	for _, name := range names {
		if !slices.Contains(keep, name) {
			err = errors.Join(err, os.Remove(filepath.Join(folder, name)))
		}
	}
	return err
}

// pack writes a file again as brotli packs it best, which takes long, unless that is there: the name of the file stands for its content.
func pack(file string) error {
	if _, err := os.Stat(file + ".br"); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	cmd := exec.Command("node", "cmd/edge/pack.mjs", file)
	cmd.Stderr = os.Stderr
	return cmd.Run()
}

// headersFile is the _headers of the host: what package policy says, as rules by address.
func headersFile(names []string) string {
	var b strings.Builder
	rule := func(path string, h map[string][]string) {
		fmt.Fprintf(&b, "%s\n", path)
		var keys []string
		for key := range h {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
			fmt.Fprintf(&b, "  %s: %s\n", key, h[key][0])
		}
	}
	rule("/*", policy.Common())
	for _, name := range names {
		h := map[string][]string{"Cache-Control": policy.Headers(name)["Cache-Control"]}
		if strings.Contains(name, ".wasm") {
			h["Content-Type"] = []string{"application/wasm"}
		}
		rule("/"+name, h)
	}
	rule("/", map[string][]string{"Cache-Control": policy.Headers("index.html")["Cache-Control"]})
	return b.String()
}
