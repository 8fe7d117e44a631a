package export

import (
	"fmt"
	"strings"

	"pgknee/analysis/report"
)

// special are the characters that mean something in Markdown or HTML; text from inputs must stay text.
var special = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "|", `\|`, "#", `\#`, "~", `\~`, "&", "&amp;",
)

// escaped takes the meaning from special characters. A low line within a word, as in the names of settings, has none.
func escaped(s string) string {
	s = special.Replace(s)
	if !strings.Contains(s, "_") {
		return s
	}
	word := func(i int) bool {
		return i >= 0 && i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z')
	}
	var b strings.Builder
	for i := range len(s) {
		if s[i] == '_' && !(word(i-1) && word(i+1)) {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// markdown writes a document for an issue.
func markdown(d document) string {
	var b strings.Builder
	for i, bl := range d {
		if i > 0 {
			b.WriteByte('\n')
		}
		switch bl := bl.(type) {
		case heading:
			fmt.Fprintf(&b, "## %s\n", escaped(string(bl)))
		case lead:
			b.WriteString("**" + escaped(string(bl)) + "**\n")
		case paragraph:
			b.WriteString(escaped(string(bl)) + "\n")
		case bullets:
			for _, p := range bl {
				if strings.HasPrefix(p, "https://") && !strings.ContainsAny(p, " <>") {
					fmt.Fprintf(&b, "- <%s>\n", p)
				} else {
					b.WriteString("- " + escaped(p) + "\n")
				}
			}
		case code:
			b.WriteString("```\n" + strings.Join(bl, "\n") + "\n```\n")
		case table:
			markdownTable(&b, bl)
		}
	}
	return b.String()
}

func markdownTable(b *strings.Builder, t table) {
	row := func(cells []string) {
		b.WriteByte('|')
		for _, c := range cells {
			b.WriteString(" " + escaped(c) + " |")
		}
		b.WriteByte('\n')
	}
	row(t.head)
	b.WriteByte('|')
	for _, right := range t.right {
		b.WriteString(map[bool]string{true: " ---: |", false: " --- |"}[right])
	}
	b.WriteByte('\n')
	for _, r := range t.rows {
		row(r)
	}
	if t.note != "" {
		b.WriteString("\n(" + escaped(t.note) + ")\n")
	}
}

// rawRuns is every run, folded away, so that an issue carries its data.
func rawRuns(r *report.Report) string {
	if len(r.Runs) == 0 || len(r.Runs) > 500 {
		return ""
	}
	return "\n<details><summary>All runs</summary>\n\n```csv\n" + csvRuns(r) + "```\n\n</details>\n"
}
