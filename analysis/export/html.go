package export

import (
	"fmt"
	"strings"

	"pgknee/analysis/report"
)

// escape makes text safe in HTML, in attributes too.
var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// page is the frame of the self-contained page: no script, no request, light and dark.
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>%s</title>
<style>
:root { color-scheme: light dark; --paper: light-dark(#fbfaf7, #131519); --ink: light-dark(#1c1d21, #e9e8e4); --soft: light-dark(#5f6068, #a2a4ac); --line: light-dark(#e4e1da, #2c3038) }
body { margin: 0 auto; max-width: 1200px; padding: 2rem clamp(1rem, 4vw, 3rem); background: var(--paper); color: var(--ink); font: 1rem/1.5 ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif; font-variant-numeric: tabular-nums }
h1 { font: 500 clamp(1.5rem, 1rem + 2vw, 2.3rem)/1.2 ui-serif, Charter, Georgia, serif; max-width: 30ch; text-wrap: balance }
h2 { font-size: 1.1rem; margin: 2.2rem 0 .6rem } p, li { max-width: 75ch; overflow-wrap: anywhere } figure { margin: 1.5rem 0 } figure svg { width: 100%%; height: auto; border: 1px solid var(--line); border-radius: 10px }
table { border-collapse: collapse; font-size: .92rem; margin: 1rem 0 } th, td { text-align: left; padding: .3rem 1rem .3rem 0; border-bottom: 1px solid var(--line) } th { color: var(--soft); font-weight: 500 } .n { text-align: right; white-space: nowrap }
pre { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; padding: .8rem 1rem; font-size: .88rem } .scroll { overflow-x: auto } small { color: var(--soft) }
@media print { body { background: #fff; color: #000 } h2 { break-after: avoid } figure, table { break-inside: avoid } }
</style>
</head>
<body>
<main>
%s</main>
</body>
</html>
`

// html writes a document as a page.
func html(d document, r *report.Report) string {
	var b strings.Builder
	for _, bl := range d {
		switch bl := bl.(type) {
		case lead:
			fmt.Fprintf(&b, "<h1>%s</h1>\n", escape.Replace(string(bl)))
		case heading:
			fmt.Fprintf(&b, "<h2>%s</h2>\n", escape.Replace(string(bl)))
		case paragraph:
			fmt.Fprintf(&b, "<p>%s</p>\n", escape.Replace(string(bl)))
		case bullets:
			b.WriteString("<ul>\n")
			for _, p := range bl {
				fmt.Fprintf(&b, "<li>%s</li>\n", escape.Replace(p))
			}
			b.WriteString("</ul>\n")
		case code:
			fmt.Fprintf(&b, "<pre>%s</pre>\n", escape.Replace(strings.Join(bl, "\n")))
		case table:
			htmlTable(&b, bl)
		case picture:
			fmt.Fprintf(&b, "<figure>%s</figure>\n", bl.svg)
		}
	}
	title, _ := answer(r)
	return fmt.Sprintf(page, escape.Replace(title), b.String())
}

func htmlTable(b *strings.Builder, t table) {
	row := func(tag string, cells []string) {
		b.WriteString("<tr>")
		for j, c := range cells {
			class := ""
			if t.right[j] {
				class = ` class="n"`
			}
			fmt.Fprintf(b, "<%s%s>%s</%s>", tag, class, escape.Replace(c), tag)
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("<div class=\"scroll\"><table>\n<thead>")
	row("th", t.head)
	b.WriteString("</thead>\n<tbody>\n")
	for _, r := range t.rows {
		row("td", r)
	}
	b.WriteString("</tbody></table></div>\n")
	if t.note != "" {
		fmt.Fprintf(b, "<p><small>%s</small></p>\n", escape.Replace(t.note))
	}
}
