package analysis

import (
	"io/fs"
	"sync"

	"pgknee/analysis/advise"
	"pgknee/analysis/report"
	"pgknee/analysis/settings"
	"pgknee/data"
)

// rules is the rule base, compiled once. That every rule compiles is held by a test of package advise.
var rules = sync.OnceValue(func() []*advise.Rule {
	files, err := fs.Sub(data.Rules, "rules")
	if err != nil {
		panic(err) // the folder is named in the embed directive
	}
	list, err := advise.Load(files)
	if err != nil {
		panic(err)
	}
	return list
})

// Rules is the rule base.
func Rules() []*advise.Rule { return rules() }

// addAdvice ends the report: recommendations, and the answer in words.
func addAdvice(r *report.Report) {
	advise.Advise(r, rules(), settings.Known())
	advise.Summarize(r)
}
