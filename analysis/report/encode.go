package report

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"reflect"
	"strings"
)

// Encode writes the report as JSON on one line, or with so much indent on many. Lists are written item by item: the runs of a report can
// be millions, and encoding/json holds all that it writes.
func (r *Report) Encode(w io.Writer, indent string) error {
	out := bufio.NewWriter(w)
	var item bytes.Buffer
	encoder := json.NewEncoder(&item)
	encoder.SetEscapeHTML(false)
	line := func(depth int) {
		if indent != "" {
			out.WriteString("\n" + strings.Repeat(indent, depth))
		}
	}
	var runs object
	value := func(v reflect.Value, depth int) error {
		item.Reset()
		if r, ok := v.Addr().Interface().(*Run); ok {
			runs.b = runs.b[:0]
			runs.run(r)
			if indent == "" {
				out.Write(runs.b)
				return runs.err
			}
			err := json.Indent(&item, runs.b, strings.Repeat(indent, depth), indent)
			out.Write(item.Bytes())
			return cmp.Or(runs.err, err)
		}
		encoder.SetIndent(strings.Repeat(indent, depth), indent)
		err := encoder.Encode(v.Addr().Interface())
		out.Write(bytes.TrimSuffix(item.Bytes(), []byte("\n")))
		return err
	}
	list := func(v reflect.Value) error {
		for i := range v.Len() {
			out.WriteString(separator(i, "["))
			line(2)
			if err := value(v.Index(i), 2); err != nil {
				return err
			}
		}
		line(1)
		return out.WriteByte(']')
	}
	fields := reflect.ValueOf(r).Elem()
	written := 0
	for i := range fields.NumField() {
		v := fields.Field(i)
		name, omit, _ := strings.Cut(fields.Type().Field(i).Tag.Get("json"), ",")
		items := v.Kind() == reflect.Slice && v.Len() > 0
		if omit != "" && !items && (v.Kind() == reflect.Slice || v.IsZero()) {
			continue
		}
		out.WriteString(separator(written, "{"))
		written++
		line(1)
		out.WriteString(`"` + name + `":`)
		if indent != "" {
			out.WriteByte(' ')
		}
		var err error
		if items {
			err = list(v)
		} else {
			err = value(v, 1)
		}
		if err != nil {
			return err
		}
	}
	line(0)
	out.WriteString("}\n")
	return out.Flush()
}

// separator stands before the item of a list.
func separator(i int, first string) string {
	if i == 0 {
		return first
	}
	return ","
}
