package export

import (
	"strings"
	"unicode/utf8"
)

// plain writes a document with spaces only, no line longer than width where words allow it. A table that is too wide
// is cut into several that share their first column.
func plain(d document, width int) string {
	var b strings.Builder
	for i, bl := range d {
		if i > 0 {
			b.WriteByte('\n')
		}
		switch bl := bl.(type) {
		case heading:
			text := fold(string(bl), width, "")
			b.WriteString(text)
			longest := 0
			for line := range strings.Lines(text) {
				longest = max(longest, utf8.RuneCountInString(strings.TrimSpace(line)))
			}
			b.WriteString(strings.Repeat("-", longest) + "\n")
		case lead:
			b.WriteString(fold(string(bl), width, ""))
		case paragraph:
			b.WriteString(fold(string(bl), width, ""))
		case bullets:
			for _, p := range bl {
				b.WriteString("* " + strings.TrimPrefix(fold(p, width, "  "), "  "))
			}
		case code:
			for _, line := range bl {
				b.WriteString(foldCommand(line, width))
			}
		case table:
			writeTable(&b, bl, width)
		}
	}
	return b.String()
}

// together keeps numbers and their units on one line.
var together = strings.NewReplacer("\u202f", "\u00a0", " %", "\u00a0%", " s a run", "\u00a0s a run", " s long", "\u00a0s long", " ms", "\u00a0ms", " µs", "\u00a0µs", " TPS", "\u00a0TPS")

// breaks tells where a line may end; the blanks of together are none of them.
func breaks(r rune) bool { return r == ' ' || r == '\n' || r == '\t' }

// fold breaks a text into lines of at most width runes, each after the indent.
func fold(text string, width int, indent string) string {
	var b strings.Builder
	line := 0
	for _, word := range strings.FieldsFunc(together.Replace(text), breaks) {
		n := utf8.RuneCountInString(word)
		switch {
		case line == 0:
			b.WriteString(indent)
			line = len(indent)
		case line+1+n > width:
			b.WriteString("\n" + indent)
			line = len(indent)
		default:
			b.WriteByte(' ')
			line++
		}
		b.WriteString(strings.ReplaceAll(word, "\u00a0", " "))
		line += n
	}
	b.WriteByte('\n')
	return b.String()
}

// foldCommand writes a line of a shell, in lines of at most width runes where its blanks allow that. SQL and comments stay whole.
func foldCommand(line string, width int) string {
	const indent = "  "
	if utf8.RuneCountInString(line)+len(indent) <= width || strings.HasPrefix(line, "--") || strings.HasPrefix(line, "#") || strings.HasSuffix(line, ";") {
		return indent + line + "\n"
	}
	text := strings.TrimLeft(line, " ")
	start := indent + line[:len(line)-len(text)]
	parts := strings.Split(text, "'")
	for i := 1; i < len(parts); i += 2 { // what is quoted stays whole
		parts[i] = strings.ReplaceAll(parts[i], " ", "\u00a0")
	}
	lines := strings.Split(strings.TrimSuffix(fold(strings.Join(parts, "'"), width-len(start)-4, ""), "\n"), "\n")
	return start + strings.Join(lines, " \\\n"+start+"  ") + "\n"
}

// writeTable writes a table as psql does, a rule under the head. Long last columns are folded; columns that do not fit go into a further table.
func writeTable(b *strings.Builder, t table, width int) {
	head := headCells(t, headWidth)
	widths := columnWidths(t, head)
	if all := headCells(t, width); len(all) > 1 && total(columnWidths(t, all)) <= width { // titles stay whole where there is room
		head, widths = all, columnWidths(t, all)
	}
	last := len(t.head) - 1
	cols := []int{0}
	used := widths[0] + 2
	for j := 1; j <= last; j++ {
		w := widths[j] + 3
		if used+w > width && j == last && !t.right[j] && width-used-3 >= 16 {
			widths[j] = width - used - 3 // the words of the last column are folded instead
			w = widths[j] + 3
		}
		if used+w > width && len(cols) > 1 {
			writeColumns(b, t, head, widths, cols)
			b.WriteByte('\n')
			cols, used = []int{0}, widths[0]+2
		}
		cols = append(cols, j)
		used += w
	}
	writeColumns(b, t, head, widths, cols)
	if t.note != "" {
		b.WriteString(fold("("+t.note+")", width, ""))
	}
}

// columnWidths are the runes that each column takes, without the blanks around it.
func columnWidths(t table, head [][]string) []int {
	widths := make([]int, len(t.head))
	for j := range t.head {
		for _, line := range head[j] {
			widths[j] = max(widths[j], utf8.RuneCountInString(line))
		}
		for _, row := range t.rows {
			widths[j] = max(widths[j], utf8.RuneCountInString(row[j]))
		}
	}
	return widths
}

// total is the width of a table with such columns.
func total(widths []int) int {
	sum := -1
	for _, w := range widths {
		sum += w + 3
	}
	return sum
}

var breakable = strings.NewReplacer("_", "_\u200b", "=", "=\u200b", ",", ",\u200b", "/", "/\u200b")

// narrow breaks a name at its zero-width blanks until it fits.
func narrow(line string, width int) []string {
	out := []string{""}
	for _, part := range strings.Split(line, "\u200b") {
		last := len(out) - 1
		if out[last] != "" && utf8.RuneCountInString(out[last]+part) > width {
			out = append(out, part)
		} else {
			out[last] += part
		}
	}
	return out
}

// headWidth is where the titles of columns are broken that do not all fit as they are.
const headWidth = 14 // runes

// headCells breaks the titles of columns of numbers into lines of at most width runes.
func headCells(t table, width int) [][]string {
	out := make([][]string, len(t.head))
	for j, h := range t.head {
		if !t.right[j] {
			out[j] = []string{h}
			continue
		}
		parts := breakable.Replace(h) // a zero-width blank after what a name may be broken at
		for _, line := range strings.Split(strings.TrimSuffix(fold(parts, width, ""), "\n"), "\n") {
			out[j] = append(out[j], narrow(line, width)...)
		}
	}
	return out
}

func writeColumns(b *strings.Builder, t table, head [][]string, widths, cols []int) {
	rows := 0
	for _, j := range cols {
		rows = max(rows, len(head[j]))
	}
	line := func(cell func(j int) string) {
		var l strings.Builder
		for i, j := range cols {
			if i > 0 {
				l.WriteString(" |")
			}
			text := cell(j)
			pad := strings.Repeat(" ", max(widths[j]-utf8.RuneCountInString(text), 0))
			if t.right[j] {
				l.WriteString(" " + pad + text)
			} else {
				l.WriteString(" " + text + pad)
			}
		}
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	for i := range rows {
		line(func(j int) string {
			if k := i - (rows - len(head[j])); k >= 0 {
				return head[j][k]
			}
			return ""
		})
	}
	for i, j := range cols {
		if i > 0 {
			b.WriteByte('+')
		}
		b.WriteString(strings.Repeat("-", widths[j]+2))
	}
	b.WriteByte('\n')
	for _, row := range t.rows {
		lines := 1
		folded := map[int][]string{}
		for _, j := range cols {
			if !t.right[j] {
				folded[j] = strings.Split(strings.TrimSuffix(fold(row[j], widths[j], ""), "\n"), "\n")
				lines = max(lines, len(folded[j]))
			}
		}
		for i := range lines {
			line(func(j int) string {
				if f, ok := folded[j]; ok {
					if i < len(f) {
						return f[i]
					}
					return ""
				}
				if i == 0 {
					return row[j]
				}
				return ""
			})
		}
	}
}

var ascii = strings.NewReplacer(
	"−", "-", "–", "-", "—", "-", "±", "+/-", "×", "x", "→", "->", "÷", "/", "≤", "<=", "≥", ">=", "≈", "~", "·", "-", "…", "...",
	"\u00a0", " ", "\u202f", " ", "“", `"`, "”", `"`, "‘", "'", "’", "'", "µ", "u", "₂", "2", "γ", "gamma", "α", "alpha", "β", "beta", "δ", "delta",
)

// toASCII writes what has a common spelling in ASCII so, and everything else as ?.
func toASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if r > 126 {
			return '?'
		}
		return r
	}, ascii.Replace(text))
}
