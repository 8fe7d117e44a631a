package profile

import "bytes"

// CutArguments removes a list of arguments that ends a name: foo(int, char*) const. Parentheses inside a name stay: those of
// template arguments, (anonymous namespace), Go's methods of (*T), and operator().
func CutArguments(name []byte) []byte {
	if len(name) == 0 || bytes.IndexByte(name, '(') <= 0 {
		return name
	}
	depth := 0
	for i := 0; i < len(name); i++ {
		switch c := name[i]; c {
		case '<', '[', '{':
			depth++
		case '>', ']', '}':
			if c != '>' || i == 0 || name[i-1] != '-' {
				depth = max(depth-1, 0)
			}
		case 'o':
			if bytes.HasPrefix(name[i:], []byte("operator")) {
				i += len("operator") - 1
				if bytes.HasPrefix(name[i+1:], []byte("()")) {
					i += 2
				}
				for i+1 < len(name) && bytes.IndexByte([]byte("<>=-!+*/%^&|~,[]"), name[i+1]) >= 0 {
					i++
				}
			}
		case '(':
			close := closing(name, i)
			if close < 0 {
				return name
			}
			if depth == 0 && i > 0 && name[i-1] != '.' && name[i-1] != ':' && isTail(name[close+1:]) {
				return bytes.TrimRight(name[:i], " \t")
			}
			i = close
		}
	}
	return name
}

func closing(name []byte, open int) int {
	depth := 0
	for i := open; i < len(name); i++ {
		switch name[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// isTail tells whether the text may follow a list of arguments.
func isTail(b []byte) bool {
	for _, word := range []string{" const", " volatile", " &&", " &", " noexcept"} {
		b = bytes.TrimPrefix(b, []byte(word))
	}
	return len(b) == 0 || bytes.HasPrefix(b, []byte(" [")) || b[0] == '.'
}
