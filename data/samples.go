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

// Sample lists the files of a sample.
func Sample(name string) ([]File, error) {
	dir := path.Join("samples", name)
	entries, err := fs.ReadDir(samples, dir)
	if err != nil {
		return nil, err
	}
	var files []File
	for _, e := range entries {
		text, err := fs.ReadFile(samples, path.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, File{e.Name(), string(text)})
	}
	return files, nil
}
