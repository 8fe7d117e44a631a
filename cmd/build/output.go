package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
)

// output is the folder that the build fills.
type output struct {
	folder string
	names  map[string]string // plain name → name with hash
}

// clean empties the folder but for its README.
func clean(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == "README.md" {
			continue
		}
		if err := os.RemoveAll(filepath.Join(folder, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// hashed writes a file whose name carries a hash of its content, which may be cached for ever.
func (o *output) hashed(name string, content []byte) error {
	sum := sha256.Sum256(content)
	ext := filepath.Ext(name)
	full := name[:len(name)-len(ext)] + "-" + hex.EncodeToString(sum[:5]) + ext
	o.names[name] = full
	return o.plain(full, content)
}

func (o *output) plain(name string, content []byte) error {
	return os.WriteFile(filepath.Join(o.folder, name), content, 0o644)
}
