// Package api is what a host of the page answers beside its files: charts and previews by address, and analyses of what is posted.
//
//	GET  /chart/PAYLOAD.svg    a picture of what a link of the page holds; ?view= ?theme=light|dark ?w= ?h= (pixels)
//	GET  /embed/PAYLOAD        a page for link previews, which opens the explorer on that data
//	POST /api/analyze          a file, multipart files or an archive: the report as JSON, mail, Markdown or CSV, by Accept
//	GET  /api/health           {"status":"ok", …}
//
// PAYLOAD is what follows d= in the page's links. The parameters of analyze are the command line's flags: baseline, series, columns,
// format, cores, residuals, why; name is that of a file whose body says none.
//
// Decided here: nothing is stored and nothing outlives a request. The host brings the function that draws, so the same handler runs
// natively and at the edge, and answers with the same bytes. Any origin may ask (CORS), because nothing depends on who asks: there are no
// cookies. Errors are problem details (RFC 9457); those of pictures are drawn and those of pages are pages, unless JSON is asked for,
// so that people see what is wrong where they look. An ETag is a hash of the answer.
//
//	400  not a payload, a parameter or a body that can be understood     413, 414  beyond a limit
//	404  no such address        405  other methods than Allow lists      415       a body of another kind
//	406  none of the forms the report has                                422       understood, but holds nothing to draw or to report
//	500  a defect of ours                                                503       took longer than Limits.Time
package api
