package advise

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The expression language of rules.
//
//	expr   = and { "or" and }
//	and    = not { "and" not }
//	not    = "not" not | compare
//	compare = value [ ("==" | "!=" | "<" | "<=" | ">" | ">=" | "matches") value ]
//	value  = number ["%"] | string | name [ "(" [ value { "," value } ] ")" ] | "(" expr ")"
//
// Values are numbers, texts, truths or unknown. Logic is Kleene's: unknown and false is false, unknown or true is true, and
// what remains unknown is not met.

// Expr is a compiled expression.
type Expr struct {
	text string
	root node
}

// String gives the expression as it was written; "" for none.
func (e *Expr) String() string {
	if e == nil {
		return ""
	}
	return e.text
}

// value is nil for unknown, else a float64, a string or a bool.
type value any

// scope answers names and calls; nil means unknown. Names are checked when a rule is compiled.
type scope interface {
	lookup(name string, args []value) value
}

type node interface {
	eval(s scope) value
}

type (
	literal struct{ v value }
	call    struct {
		name string
		args []node
	}
	negation struct{ of node }
	logic    struct {
		or   bool
		a, b node
	}
	comparison struct {
		op   string
		a, b node
		re   *regexp.Regexp // of a literal pattern
	}
)

func (l literal) eval(scope) value { return l.v }

func (c call) eval(s scope) value {
	args := make([]value, len(c.args))
	for i, a := range c.args {
		if args[i] = a.eval(s); args[i] == nil {
			return nil
		}
	}
	return s.lookup(c.name, args)
}

func (n negation) eval(s scope) value {
	if b, ok := n.of.eval(s).(bool); ok {
		return !b
	}
	return nil
}

func (l logic) eval(s scope) value {
	a, aKnown := l.a.eval(s).(bool)
	if aKnown && a == l.or {
		return a
	}
	b, bKnown := l.b.eval(s).(bool)
	if bKnown && b == l.or {
		return b
	}
	if aKnown && bKnown {
		return !l.or
	}
	return nil
}

func (c comparison) eval(s scope) value {
	a, b := c.a.eval(s), c.b.eval(s)
	if a == nil || b == nil {
		return nil
	}
	if c.op == "matches" {
		text, ok := a.(string)
		return ok && c.re.MatchString(text)
	}
	if x, ok := a.(float64); ok {
		y, ok := b.(float64)
		if !ok {
			return c.op == "!="
		}
		switch c.op {
		case "==":
			return x == y
		case "!=":
			return x != y
		case "<":
			return x < y
		case "<=":
			return x <= y
		case ">":
			return x > y
		}
		return x >= y
	}
	switch c.op {
	case "==":
		return equalText(a, b)
	case "!=":
		return !equalText(a, b)
	}
	return nil // texts and truths have no order
}

func equalText(a, b value) bool {
	x, ok1 := a.(string)
	y, ok2 := b.(string)
	if ok1 && ok2 {
		return strings.EqualFold(x, y)
	}
	return a == b
}

// exprError is a mistake in an expression.
type exprError struct {
	offset int // in bytes from the start of the expression
	msg    string
}

func (e *exprError) Error() string { return fmt.Sprintf("at %d: %s", e.offset+1, e.msg) }

// maxDepth bounds the nesting of an expression.
const maxDepth = 50

type parser struct {
	text  string
	at    int
	depth int
	known map[string]int // names and how many arguments they take
}

// compile parses an expression; known gives the names that may stand in it and the number of their arguments.
func compile(text string, known map[string]int) (*Expr, error) {
	p := &parser{text: text, known: known}
	n, err := p.either()
	if err != nil {
		return nil, err
	}
	p.blanks()
	if p.at < len(text) {
		return nil, p.fail("expected the end, found %q", p.rest())
	}
	return &Expr{text, n}, nil
}

func (p *parser) fail(format string, args ...any) error {
	return &exprError{p.at, fmt.Sprintf(format, args...)}
}

func (p *parser) rest() string {
	rest := p.text[p.at:]
	if len(rest) > 20 {
		rest = strings.ToValidUTF8(rest[:20], "") + "…"
	}
	return rest
}

func (p *parser) blanks() {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t' || p.text[p.at] == '\n') {
		p.at++
	}
}

// word takes a keyword that ends where a name would.
func (p *parser) word(w string) bool {
	p.blanks()
	if !strings.HasPrefix(p.text[p.at:], w) {
		return false
	}
	if r, _ := utf8.DecodeRuneInString(p.text[p.at+len(w):]); isName(r) {
		return false
	}
	p.at += len(w)
	return true
}

func isName(r rune) bool { return r == '_' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func (p *parser) either() (node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail("nested too deeply")
	}
	defer func() { p.depth-- }()
	a, err := p.both()
	for err == nil && p.word("or") {
		var b node
		if b, err = p.both(); err == nil {
			a = logic{true, a, b}
		}
	}
	return a, err
}

func (p *parser) both() (node, error) {
	a, err := p.not()
	for err == nil && p.word("and") {
		var b node
		if b, err = p.not(); err == nil {
			a = logic{false, a, b}
		}
	}
	return a, err
}

func (p *parser) not() (node, error) {
	if !p.word("not") {
		return p.compare()
	}
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail("nested too deeply")
	}
	defer func() { p.depth-- }()
	n, err := p.not()
	return negation{n}, err
}

func (p *parser) compare() (node, error) {
	a, err := p.value()
	if err != nil {
		return nil, err
	}
	p.blanks()
	op := ""
	for _, o := range []string{"==", "!=", "<=", ">=", "<", ">"} {
		if strings.HasPrefix(p.text[p.at:], o) {
			op = o
			p.at += len(o)
			break
		}
	}
	if op == "" {
		if !p.word("matches") {
			return a, nil
		}
		op = "matches"
	}
	p.blanks()
	start := p.at
	b, err := p.value()
	if err != nil {
		return nil, err
	}
	c := comparison{op: op, a: a, b: b}
	if op == "matches" {
		l, ok := b.(literal)
		pattern, isText := l.v.(string)
		if !ok || !isText {
			p.at = start
			return nil, p.fail("matches takes a text in quotes")
		}
		if c.re, err = regexp.Compile("(?i)" + pattern); err != nil {
			p.at = start
			return nil, p.fail("%v", err)
		}
	}
	return c, nil
}

func (p *parser) value() (node, error) {
	p.blanks()
	if p.at == len(p.text) {
		return nil, p.fail("expected a value, found the end")
	}
	switch c := p.text[p.at]; {
	case c == '(':
		p.at++
		n, err := p.either()
		if err != nil {
			return nil, err
		}
		p.blanks()
		if p.at == len(p.text) || p.text[p.at] != ')' {
			return nil, p.fail("expected )")
		}
		p.at++
		return n, nil
	case c == '"':
		end := strings.IndexByte(p.text[p.at+1:], '"')
		if end < 0 {
			return nil, p.fail("a text without its closing quote")
		}
		text := p.text[p.at+1 : p.at+1+end]
		p.at += end + 2
		return literal{text}, nil
	case c >= '0' && c <= '9' || c == '-' || c == '.':
		return p.number()
	}
	return p.name()
}

func (p *parser) number() (node, error) {
	start := p.at
	p.at++
	for p.at < len(p.text) && (p.text[p.at] >= '0' && p.text[p.at] <= '9' || p.text[p.at] == '.') {
		p.at++
	}
	v, err := strconv.ParseFloat(p.text[start:p.at], 64)
	if err != nil {
		p.at = start
		return nil, p.fail("%q is no number", p.rest())
	}
	if p.at < len(p.text) && p.text[p.at] == '%' {
		p.at++
		v /= 100
	}
	return literal{v}, nil
}

func (p *parser) name() (node, error) {
	start := p.at
	for p.at < len(p.text) {
		r, n := utf8.DecodeRuneInString(p.text[p.at:])
		if !isName(r) {
			break
		}
		p.at += n
	}
	name := p.text[start:p.at]
	switch name {
	case "":
		return nil, p.fail("expected a value, found %q", p.rest())
	case "true", "false":
		return literal{name == "true"}, nil
	case "and", "or", "not", "matches":
		p.at = start
		return nil, p.fail("expected a value, found %q", name)
	}
	c := call{name: name}
	if p.at < len(p.text) && p.text[p.at] == '(' {
		p.at++
		if p.depth++; p.depth > maxDepth {
			return nil, p.fail("nested too deeply")
		}
		defer func() { p.depth-- }()
		for {
			p.blanks()
			if p.at < len(p.text) && p.text[p.at] == ')' && len(c.args) == 0 {
				break
			}
			arg, err := p.value()
			if err != nil {
				return nil, err
			}
			c.args = append(c.args, arg)
			p.blanks()
			if p.at == len(p.text) || p.text[p.at] != ',' && p.text[p.at] != ')' {
				return nil, p.fail("expected , or )")
			}
			if p.text[p.at] == ')' {
				break
			}
			p.at++
		}
		p.at++
	}
	want, ok := p.known[name]
	if !ok || want != len(c.args) {
		at := p.at
		p.at = start
		defer func() { p.at = at }()
		if !ok {
			return nil, p.fail("no fact named %q", name)
		}
		return nil, p.fail("%s takes %d arguments, not %d", name, want, len(c.args))
	}
	return c, nil
}

// met tells whether the expression is true, and whether that could not be known.
func (e *Expr) met(s scope) (yes, unknown bool) {
	if e == nil {
		return false, false
	}
	v := e.root.eval(s)
	yes, _ = v.(bool)
	return yes, v == nil
}
