package analysis

import (
	"path"
	"strconv"
	"strings"

	"pgknee/analysis/profile"
	"pgknee/analysis/report"
)

// Profiles gives what was read, each with a label of its own.
func (s *Session) Profiles() []*profile.Profile {
	var list []*profile.Profile
	files, copyOf := s.files()
	for _, f := range files {
		if copyOf[f] == nil {
			list = append(list, f.ctx.Profiles...)
		}
	}
	labelProfiles(list)
	return list
}

// addProfiles puts the profiles into the report. A profile belongs to the series that has its label.
func addProfiles(r *report.Report, profiles []*profile.Profile) {
	for _, p := range profiles {
		out := profile.Summarize(p)
		for _, s := range r.Series {
			if strings.EqualFold(s.Label, p.Label) || strings.EqualFold(s.Label, stem(p.At.File)) {
				out.Series = s.Label
			}
		}
		r.Profiles = append(r.Profiles, out)
	}
}

// labelProfiles labels the profiles that bring no label: by the name of their file, as much of its path as tells it from the
// others, and the event where a file has several.
func labelProfiles(list []*profile.Profile) {
	files := map[string]bool{}
	inFile := map[string]int{}
	for _, p := range list {
		if p.Label == "" {
			files[p.At.File] = true
		}
		inFile[p.At.File]++
	}
	byStem := map[string][]string{}
	for file := range files {
		byStem[stem(file)] = append(byStem[stem(file)], file)
	}
	for _, p := range list {
		if p.Label != "" {
			continue
		}
		name := stem(p.At.File)
		if same := byStem[name]; len(same) > 1 {
			name = distinct(p.At.File, same)
		}
		if inFile[p.At.File] > 1 && p.Event != "" {
			name += " " + p.Event
		}
		if p.Column != "" {
			name += " " + p.Column
		}
		p.Label = name
	}
	seen := map[string]int{}
	for _, p := range list {
		seen[p.Label]++
		if n := seen[p.Label]; n > 1 {
			p.Label += " (" + strconv.Itoa(n) + ")"
		}
	}
}

// stem is the name of a file without its folders and the extensions that say what it holds.
func stem(file string) string {
	name := path.Base(file)
	if i := strings.LastIndexByte(name, '!'); i >= 0 {
		name = path.Base(name[i+1:])
	}
	for range 3 {
		switch ext := path.Ext(name); strings.ToLower(ext) {
		case ".gz", ".zst", ".txt", ".svg", ".folded", ".collapsed", ".perf", ".script", ".report", ".out", ".log", ".md":
			if len(ext) < len(name) {
				name = strings.TrimSuffix(name, ext)
			}
		}
	}
	return name
}

// distinct gives the folders of a path that the others of the list do not all have, and its stem.
func distinct(file string, all []string) string {
	dirs := strings.Split(path.Dir(file), "/")
	var keep []string
	for i, dir := range dirs {
		for _, other := range all {
			if d := strings.Split(path.Dir(other), "/"); i >= len(d) || d[i] != dir {
				keep = append(keep, dir)
				break
			}
		}
	}
	return strings.Join(append(keep, stem(file)), "/")
}
