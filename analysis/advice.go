package analysis

import (
	"sync"

	"pgknee/analysis/advise"
	"pgknee/analysis/report"
	"pgknee/analysis/settings"
	"pgknee/data"
)

// Rules is the rule base, compiled once. That every rule compiles is held by a test of package advise.
var Rules = sync.OnceValue(func() []*advise.Rule {
	list, err := advise.Load(data.Rules, "rules")
	if err != nil {
		panic(err)
	}
	return list
})

// addAdvice ends the report: recommendations, and the answer in words.
func addAdvice(r *report.Report) {
	advise.Advise(r, Rules(), settings.Embedded())
	advise.Summarize(r)
}
