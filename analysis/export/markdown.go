package export

import (
	"fmt"
	"strings"

	"pgknee/analysis/report"
)

// special are the characters that mean something in Markdown or HTML; text from inputs must stay text.
var special = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "|", `\|`, "#", `\#`, "~", `\~`, "&", "&amp;",
)

// markdown writes a document for an issue.
func markdown(d document) string {
	var b strings.Builder
	for i, bl := range d {
		if i > 0 {
			b.WriteByte('\n')
		}
		switch bl := bl.(type) {
		case heading:
			fmt.Fprintf(&b, "## %s\n", special.Replace(string(bl)))
		case lead:
			b.WriteString("**" + special.Replace(string(bl)) + "**\n")
		case paragraph:
			b.WriteString(special.Replace(string(bl)) + "\n")
		case bullets:
			for _, p := range bl {
				if strings.HasPrefix(p, "https://") && !strings.ContainsAny(p, " <>") {
					fmt.Fprintf(&b, "- <%s>\n", p)
				} else {
					b.WriteString("- " + special.Replace(p) + "\n")
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
			b.WriteString(" " + special.Replace(c) + " |")
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
		b.WriteString("\n(" + special.Replace(t.note) + ")\n")
	}
}

// rawRuns is every run, folded away, so that an issue carries its data.
func rawRuns(r *report.Report) string {
	if len(r.Runs) == 0 || len(r.Runs) > 500 {
		return ""
	}
	return "\n<details><summary>All runs</summary>\n\n```csv\n" + csvRuns(r) + "```\n\n</details>\n"
}
