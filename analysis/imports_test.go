package analysis_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// allowed says which packages of this module a package may import. A name that ends in / stands for everything below it. Stages are
// packages because the import graph is the only architecture that Go enforces.
var allowed = map[string][]string{
	"analysis/source":   {},
	"analysis/report":   {},
	"analysis/bench":    {"analysis/source"},
	"analysis/profile":  {"analysis/source", "analysis/report", "data"},
	"analysis/settings": {"analysis/source", "data"},
	"analysis/format":   {"analysis/source", "analysis/bench", "analysis/profile", "analysis/settings"},
	"analysis/format/":  {"analysis/source", "analysis/bench", "analysis/profile", "analysis/settings", "analysis/format", "analysis/format/"},
	"analysis/stat":     {},
	"analysis/curve":    {"analysis/bench", "analysis/source"},
	"analysis/model":    {"analysis/bench", "analysis/stat", "analysis/report"},
	"analysis/compare":  {"analysis/bench", "analysis/stat", "analysis/model", "analysis/report"},
	"analysis/advise":   {"analysis/bench", "analysis/stat", "analysis/report", "analysis/settings"},
	"analysis/chart":    {"analysis/report", "analysis/profile"},
	"analysis/export":   {"analysis/report", "analysis/chart"},
	"analysis/sorting":  {}, // may be imported by all
	"data":              {},
}

// TestImports holds the table against the real imports.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "pgknee/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		names := strings.Fields(strings.ReplaceAll(line, "pgknee/", ""))
		pkg, imports := names[0], names[1:]
		may, ok := allowed[pkg]
		if i := strings.LastIndexByte(pkg, '/'); !ok && i >= 0 {
			may, ok = allowed[pkg[:i+1]]
		}
		if !ok {
			continue // the façade and the hosts may import everything
		}
		for _, name := range imports {
			ours := strings.HasPrefix(name, "analysis") || strings.HasPrefix(name, "data")
			if ours && name != "analysis/sorting" && !slices.ContainsFunc(may, func(a string) bool { return a == name || strings.HasSuffix(a, "/") && strings.HasPrefix(name, a) }) {
				t.Errorf("%s must not import %s", pkg, name)
			}
		}
	}
}

// TestSameBitsEverywhere makes sure that fits use the exponentials of package stat: those of the standard library differ in their last
// digit between processors, and the page's report would not be the command line's.
func TestSameBitsEverywhere(t *testing.T) {
	differ := regexp.MustCompile(`\bmath\.(Exp|Log|Log2|Log10|Pow|Hypot|Tanh|Gamma)\(`)
	for _, dir := range []string{"curve", "model", "compare"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(dir, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if at := differ.Find(text); at != nil && !strings.HasSuffix(file, "_test.go") {
				t.Errorf("%s uses %s…): use that of analysis/stat", file, at)
			}
		}
	}
}
