package advise

import (
	"embed"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Rule is one row of the rule base. data/rules holds one file each, of lines "key value"; a line that begins with a blank goes on with
// the value before it, a line that begins with # is a comment.
type Rule struct {
	ID       string // the file's name without its ending
	Title    string // what is advised, in a few words
	Cause    string // what is held responsible, as words that go on "consistent with"; "" for rules that only ask to measure
	Kind     string // default | server | client | measurement
	Mark     string // V: the source was read; K: known, verified from documentation only, never strong
	Verified string // how its claims were checked
	Setting  string // "" when there is no setting for it
	From     string // the risky value, for the text, where the input does not state it
	To       string // the advised value or direction; "" when it depends

	When      *Expr  // what must be known to hold for the rule to be thought of; nil for always
	Unless    *Expr  // what rules it out if it is known to hold; nil for nothing
	Signature *Expr  // the curves look like it
	Symbol    *Expr  // a profile shows it
	Risk      *Expr  // a setting differs, or has the risky value on the worse side
	Alone     bool   // all of its conditions make it fire (measurement rules); otherwise two kinds of evidence are needed
	Open      bool   // the faster side's value is not the advice by itself
	General   bool   // gives way to any rule that names who calls and has its symbol
	Most      string // the highest confidence it may have; "" for no limit of its own

	Advice  string   // what to do and why, one paragraph; {name} stands for a fact of the case
	Caveats []string // what speaks against it, for whom it does not matter
	Falsify string   // what would change the advice
	Run     []string // commands to run or settings to write next
	Sources []string
}

// Load compiles every rule of a folder, by name. An error begins with file:line:column.
func Load(files embed.FS, folder string) ([]*Rule, error) {
	list, err := files.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var rules []*Rule
	for _, f := range list {
		text, err := files.ReadFile(path.Join(folder, f.Name()))
		if err != nil {
			return nil, err
		}
		r, err := parseRule(f.Name(), string(text))
		if err != nil {
			return nil, err
		}
		rules = append(rules, r)
	}
	return rules, nil
}

// entry is one key of a rule file with its value and where the value begins.
type entry struct {
	key, value   string
	line, column int
}

func entries(text string) []entry {
	var list []entry
	no := 0
	for line := range strings.Lines(text) {
		no++
		line = strings.TrimRight(line, " \t\r\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == ' ' || line[0] == '\t':
			if len(list) > 0 {
				list[len(list)-1].value += " " + strings.TrimSpace(line)
			}
		default:
			key, rest, _ := strings.Cut(line, " ")
			value := strings.TrimLeft(rest, " ")
			list = append(list, entry{key, value, no, len(line) - len(value) + 1})
		}
	}
	return list
}

func parseRule(name, text string) (*Rule, error) {
	r := &Rule{ID: strings.TrimSuffix(path.Base(name), ".rule")}
	texts := map[string]*string{
		"title": &r.Title, "cause": &r.Cause, "kind": &r.Kind, "mark": &r.Mark, "verified": &r.Verified, "setting": &r.Setting, "from": &r.From, "to": &r.To, "advice": &r.Advice, "falsify": &r.Falsify, "most": &r.Most,
	}
	lists := map[string]*[]string{"caveat": &r.Caveats, "source": &r.Sources, "run": &r.Run}
	conditions := map[string]**Expr{"when": &r.When, "unless": &r.Unless, "signature": &r.Signature, "symbol": &r.Symbol, "risk": &r.Risk}
	marks := map[string]*bool{"alone": &r.Alone, "open": &r.Open, "general": &r.General}
	for _, e := range entries(text) {
		fail := func(column int, format string, args ...any) error {
			return fmt.Errorf("%s:%d:%d: %s", name, e.line, e.column+column, fmt.Sprintf(format, args...))
		}
		if t, ok := texts[e.key]; ok {
			if *t != "" {
				return nil, fail(0, "%s stands twice", e.key)
			}
			*t = e.value
		} else if l, ok := lists[e.key]; ok {
			*l = append(*l, e.value)
		} else if c, ok := conditions[e.key]; ok {
			var err error
			if *c, err = compile(e.value, facts); err != nil {
				var bad *exprError
				errors.As(err, &bad)
				return nil, fail(bad.offset, "%s", bad.msg)
			}
		} else if m, ok := marks[e.key]; ok {
			*m = true
		} else {
			return nil, fail(0, "no key %q", e.key)
		}
	}
	return r, r.check(name)
}

// check makes sure that the rule can be used and defended.
func (r *Rule) check(name string) error {
	fail := func(msg string) error { return fmt.Errorf("%s:1:1: %s", name, msg) }
	switch {
	case !slices.Contains([]string{"default", "server", "client", "measurement"}, r.Kind):
		return fail("kind must be default, server, client or measurement")
	case r.Mark != "V" && r.Mark != "K":
		return fail("mark must be V or K")
	case r.Verified == "":
		return fail("a rule says how it was verified")
	case r.Most != "" && level(r.Most) < 0:
		return fail("most must be weak, moderate or strong")
	case r.Title == "" || r.Advice == "":
		return fail("title and advice must be there")
	case !r.Alone && r.Cause == "":
		return fail("cause must be there")
	case len(r.Sources) == 0:
		return fail("a rule needs a source")
	case r.Signature == nil && r.Symbol == nil && r.Risk == nil:
		return fail("a rule needs a signature, a symbol or a risk")
	}
	return nil
}
