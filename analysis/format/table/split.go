package table

import "strings"

// split cuts a line into cells.
func split(text string, sep separator) []cell {
	switch sep {
	case byBlank:
		return splitBlank(text, 1)
	case byBlanks:
		return splitBlank(text, 2)
	case byPipe:
		return splitPipe(text)
	case byUnit:
		return splitAt(text, Unit[0])
	}
	if strings.IndexByte(text, '"') < 0 {
		return splitAt(text, byte(sep))
	}
	return splitQuoted(text, byte(sep))
}

func splitAt(text string, sep byte) []cell {
	cells := make([]cell, 0, 8)
	for at := 0; ; {
		i := strings.IndexByte(text[at:], sep)
		if i < 0 {
			return append(cells, trimmed(text, at, len(text)))
		}
		cells = append(cells, trimmed(text, at, at+i))
		at += i + 1
	}
}

func trimmed(text string, from, to int) cell {
	for from < to && (text[from] == ' ' || text[from] == '\t') {
		from++
	}
	for to > from && (text[to-1] == ' ' || text[to-1] == '\t') {
		to--
	}
	return cell{text[from:to], from + 1}
}

// splitQuoted cuts as RFC 4180 says: a quote within quotes is doubled. A quote that is never closed takes the rest of the line.
func splitQuoted(text string, sep byte) []cell {
	var cells []cell
	for i := 0; ; {
		for i < len(text) && text[i] == ' ' {
			i++
		}
		if i < len(text) && text[i] == '"' {
			var b strings.Builder
			at := i + 1
			i++
			for i < len(text) {
				if text[i] != '"' {
					b.WriteByte(text[i])
				} else if i+1 < len(text) && text[i+1] == '"' {
					b.WriteByte('"')
					i++
				} else {
					i++
					break
				}
				i++
			}
			cells = append(cells, cell{strings.TrimSpace(b.String()), at + 1})
			for i < len(text) && text[i] != sep {
				i++
			}
		} else {
			j := i
			for j < len(text) && text[j] != sep {
				j++
			}
			cells = append(cells, trimmed(text, i, j))
			i = j
		}
		if i >= len(text) {
			return cells
		}
		i++
	}
}

// splitPipe cuts at bars, also those of box drawing. An escaped bar is none; a leading and a last bar frame the row.
func splitPipe(text string) []cell {
	if strings.ContainsAny(text, "│┃┆") {
		text = strings.NewReplacer("│", "|", "┃", "|", "┆", "|").Replace(text)
	}
	var cells []cell
	at, end := 0, len(text)
	for at < end && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	if at < end && text[at] == '|' {
		at++
	}
	code := false
	for i := at; i < end; i++ {
		switch text[i] {
		case '`':
			code = !code && strings.IndexByte(text[i+1:], '`') >= 0
		case '|':
			if code || i > 0 && text[i-1] == '\\' {
				continue
			}
			cells = append(cells, trimmed(text, at, i))
			at = i + 1
		}
	}
	if c := trimmed(text, at, end); c.text != "" || at == 0 || len(cells) == 0 {
		cells = append(cells, c)
	}
	return cells
}

// splitBlank cuts at runs of at least n blanks. A unit belongs to the number before it; percentages in brackets, and a percentage
// between asterisks, are comments of the number before them; arrows are markers.
func splitBlank(text string, n int) []cell {
	var cells []cell
	for i := 0; i < len(text); {
		for i < len(text) && blankAt(text[i]) {
			i++
		}
		if i == len(text) {
			break
		}
		j := i
		for j < len(text) {
			if blankAt(text[j]) {
				k := j
				for k < len(text) && blankAt(text[k]) {
					k++
				}
				if k-j >= n || text[j] == '\t' || k == len(text) {
					break
				}
				j = k
				continue
			}
			j++
		}
		t := text[i:j]
		i, j = j, i
		if marker(t) {
			continue
		}
		if len(cells) > 0 {
			last := &cells[len(cells)-1]
			if comment(t) {
				continue
			}
			if n == 1 && joins(last.text, t) {
				last.text = text[last.at-1 : i]
				continue
			}
		}
		cells = append(cells, cell{t, j + 1})
	}
	return cells
}

func blankAt(c byte) bool { return c == ' ' || c == '\t' }

// marker tells whether a word only points at the number that follows: ====>, -->, *.
func marker(t string) bool {
	return t != "" && t != "-" && t != "--" && strings.Trim(t, "=-><*~→!^") == ""
}

// comment tells whether a word comments the number before it: (0.95%), ( , 0.95%), 1.16%).
func comment(t string) bool {
	if t == "(" || t == "*" || strings.HasPrefix(t, "(p=") || strings.HasPrefix(t, "n=") && strings.HasSuffix(t, ")") {
		return true
	}
	return strings.HasSuffix(strings.TrimRight(t, "*)"), "%") && (strings.HasPrefix(t, "(") || strings.HasSuffix(t, ")") || strings.HasSuffix(t, "*"))
}

// joins tells whether the word t goes on the cell before it: a unit behind a number, or the parts of "a ± b".
func joins(before, t string) bool {
	if t == "±" || t == "+/-" || strings.HasSuffix(before, "±") || strings.HasSuffix(before, "+/-") || strings.HasPrefix(t, "±") {
		return true
	}
	if before == "" || !digit(before[len(before)-1]) || literal(clean(before), false) == 0 {
		return false
	}
	low := strings.Trim(t, "(),;")
	_, mult := multiplier(low)
	if isDigits(before) && len(low) > 4 && concurrencyWords[low] > 0 {
		return true // 16 clients
	}
	return timeUnit(low) > 0 && len(low) > 1 || low == "s" || rateUnit(low) != "" || sizeUnit(low) && len(low) > 1 || mult && len(low) > 1
}
