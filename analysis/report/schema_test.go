package report

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the JSON Schema and the TypeScript types anew")

// TestTypes derives the JSON Schema and the TypeScript types from the structs, so that the three can't drift.
func TestTypes(t *testing.T) {
	types := structs(reflect.TypeFor[Report](), nil)
	schema := map[string]any{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": Schema, "$ref": "#/$defs/Report"}
	defs := map[string]any{}
	ts := &strings.Builder{}
	fmt.Fprintf(ts, "// The report, as analysis/report writes it. Made by its test: go test ./analysis/report -update\n\nexport const schema: %q;\n", Schema)
	for _, s := range types {
		properties := map[string]any{}
		var required []string
		fmt.Fprintf(ts, "\nexport interface %s {\n", s.Name())
		for f := range s.Fields() {
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			optional := "?"
			if options != "omitempty" {
				optional = ""
				required = append(required, name)
			}
			properties[name] = jsonType(f.Type)
			fmt.Fprintf(ts, "  %s%s: %s;\n", name, optional, tsType(f.Type))
		}
		ts.WriteString("}\n")
		def := map[string]any{"type": "object", "properties": properties}
		if required != nil {
			def["required"] = required
		}
		defs[s.Name()] = def
	}
	schema["$defs"] = defs
	b, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"../../site/report.d.ts": ts.String(), "schema.json": string(b) + "\n"} {
		if *update {
			if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s is not what the structs say: run go test ./analysis/report -update (%v)", path, err)
		}
	}
}

// structs lists the struct types that t is made of, each once, in the order they are met.
func structs(t reflect.Type, seen []reflect.Type) []reflect.Type {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return structs(t.Elem(), seen)
	case reflect.Struct:
		for _, s := range seen {
			if s == t {
				return seen
			}
		}
		seen = append(seen, t)
		for f := range t.Fields() {
			seen = structs(f.Type, seen)
		}
	}
	return seen
}

func tsType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return tsType(t.Elem())
	case reflect.Slice:
		return tsType(t.Elem()) + "[]"
	case reflect.Map:
		return "Record<string, " + tsType(t.Elem()) + ">"
	case reflect.Struct:
		return t.Name()
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int64, reflect.Float64:
		return "number"
	}
	panic("no TypeScript type for " + t.String())
}

func jsonType(t reflect.Type) map[string]any {
	switch t.Kind() {
	case reflect.Pointer:
		return jsonType(t.Elem())
	case reflect.Slice:
		return map[string]any{"type": "array", "items": jsonType(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": jsonType(t.Elem())}
	case reflect.Struct:
		return map[string]any{"$ref": "#/$defs/" + t.Name()}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	}
	return map[string]any{"type": "string"}
}
