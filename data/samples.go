package data

import (
	"embed"
	"io/fs"
	"path"
)

// samples holds a folder for each sample of the page. README.md in it tells where each comes from.
//
//go:embed samples
var samples embed.FS

// File is a file of a sample.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Samples lists the files of every sample, by the sample's name. They are a file of the page beside the engine, which would be a
// twentieth larger with them.
func Samples() (map[string][]File, error) {
	all := map[string][]File{}
	err := fs.WalkDir(samples, "samples", func(name string, d fs.DirEntry, err error) error {
		if dir := path.Dir(name); err == nil && !d.IsDir() && dir != "samples" {
			var text []byte
			text, err = fs.ReadFile(samples, name)
			all[path.Base(dir)] = append(all[path.Base(dir)], File{d.Name(), string(text)})
		}
		return err
	})
	return all, err
}
