package analysis

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"pgknee/analysis/bench"
	"pgknee/analysis/curve"
	"pgknee/analysis/profile"
	"pgknee/analysis/report"
	"pgknee/analysis/source"
)

// Profiles gives what was read, each with a label of its own.
func (s *Session) Profiles() []*profile.Profile {
	var list []*profile.Profile
	files, copyOf := s.files()
	for _, f := range files {
		if copyOf[f] == nil {
			for _, p := range f.ctx.Profiles {
				labelled := *p // what the reader gave stays as it is: labels depend on what else was read
				list = append(list, &labelled)
			}
		}
	}
	labelProfiles(list)
	return list
}

// addProfiles puts the profiles into the report, each with the series that it belongs to.
func (s *Session) addProfiles(r *report.Report, profiles []*profile.Profile, curves []*bench.Curve) {
	for _, p := range profiles {
		out := profile.Summarize(p)
		if c := s.seriesOf(curves, p); c != nil {
			out.Series = c.Label
		}
		r.Profiles = append(r.Profiles, out)
	}
}

// seriesOf gives the series that a profile was attached to, else the one that its name and its place tell; nil for none.
func (s *Session) seriesOf(curves []*bench.Curve, p *profile.Profile) *bench.Curve {
	label, byHand := s.Options.Attach[p.Label]
	if !byHand {
		return curve.Match(curves, p.Label, p.At.File)
	}
	if i := curve.Find(curves, label); i >= 0 && label != "" {
		return curves[i]
	}
	return nil
}

// labelProfiles labels the profiles that bring no label: by the name of their file, as much of its path as tells it from the
// others, and the event where a file has several.
func labelProfiles(list []*profile.Profile) {
	byStem := map[string][]string{} // files whose profiles bring no label
	inFile := map[string]int{}
	for _, p := range list {
		if name := stem(p.At.File); p.Label == "" && !slices.Contains(byStem[name], p.At.File) {
			byStem[name] = append(byStem[name], p.At.File)
		}
		inFile[p.At.File]++
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
	for _, partial := range []bool{false, true} { // of a recording and a report on it, the recording has the plain name
		for _, p := range list {
			if p.Partial != partial {
				continue
			}
			seen[p.Label]++
			if n := seen[p.Label]; n > 1 {
				p.Label += " (" + strconv.Itoa(n) + ")"
			}
		}
	}
}

// stem is the name of a file without its folders and the extensions that say what it holds.
func stem(file string) string {
	_, name := source.Split(file)
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

// Layout lays out a view of one of the profiles, numbered as in the report. Views of the same profile with the same steps follow
// each other quickly: what they share is kept.
func (s *Session) Layout(number int, v profile.View) (*profile.Layout, error) {
	p, err := s.profile(number)
	if err != nil {
		return nil, err
	}
	key := fmt.Sprintf("%d %t %+v", number, v.Samples, v.Steps)
	if s.tree == nil || s.treeOf != &p.Parent[0] || s.treeKey != key {
		t, err := profile.Prepare(p, v)
		if err != nil {
			return nil, err
		}
		s.tree, s.treeOf, s.treeKey = t, &p.Parent[0], key
	}
	return s.tree.Layout(v)
}

// Export writes one of the profiles, after the steps of a view, as folded, pprof, speedscope, markdown, or as the svg of the view.
func (s *Session) Export(w io.Writer, number int, kind string, v profile.View) error {
	p, err := s.profile(number)
	if err != nil {
		return err
	}
	if kind == "svg" {
		return profile.WriteSVG(w, p, v, profile.SVG{})
	}
	t, err := profile.Prepare(p, v)
	if err != nil {
		return err
	}
	switch kind {
	case "folded":
		return profile.WriteFolded(w, t.Profile)
	case "pprof":
		return profile.WritePprof(w, t.Profile)
	case "speedscope":
		return profile.WriteSpeedscope(w, t.Profile)
	case "markdown":
		return profile.WriteMarkdown(w, t.Profile, 40)
	}
	return fmt.Errorf("no export %q of a profile", kind)
}

func (s *Session) profile(number int) (*profile.Profile, error) {
	list := s.Profiles()
	if number < 0 || number >= len(list) {
		return nil, fmt.Errorf("no profile %d", number)
	}
	return list[number], nil
}
