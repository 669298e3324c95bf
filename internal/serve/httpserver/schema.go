package httpserver

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// # JSON Schema of Go types
//
// A struct is an object that allows no other fields. A field is required unless its tag has
// omitempty, and its schema follows from its type:
//
//	any        any value
//	*T         T or null
//	null       null alone: as if the field were not there
//	[]T        a list
//	map[..]T   an object with values T
//	a struct   a reference to the schema of its name
//
// The tags doc, enum (values with | between them), min, above, max and pattern say more, and schema
// is the whole schema, in JSON, of what is no type of Go. An embedded struct gives its fields.

type object = map[string]any

// null is the type of a field that may be null alone.
type null struct{}

// reference returns the schema that refers to another one.
func reference(name string) object { return object{"$ref": "#/components/schemas/" + name} }

// structSchema returns the schema of a struct.
func structSchema(t reflect.Type) object {
	properties, required := object{}, []string{}
	for _, field := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous || name == "" {
			continue
		}
		properties[name] = fieldSchema(field)
		if options != "omitempty" {
			required = append(required, name)
		}
	}
	schema := object{"type": "object", "additionalProperties": false, "properties": properties}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// fieldSchema returns the schema of a field.
func fieldSchema(field reflect.StructField) object {
	schema := typeSchema(field.Type)
	if text, has := field.Tag.Lookup("schema"); has {
		if err := json.Unmarshal([]byte(text), &schema); err != nil {
			panic(err) // of a tag, which the tests read
		}
	}
	items := schema // a pattern is one of the items of a list
	if of, is := schema["items"].(object); is {
		items = of
	}
	for tag, to := range map[string]object{"doc": schema, "enum": schema, "min": schema, "above": schema, "max": schema, "pattern": items} {
		value, has := field.Tag.Lookup(tag)
		if !has {
			continue
		}
		switch tag {
		case "doc":
			to["description"] = value
		case "enum":
			to["enum"] = enumOf(value, field.Type.Kind() == reflect.Pointer)
		case "pattern":
			to["pattern"] = value
		default:
			number, err := strconv.ParseFloat(value, 64)
			if err != nil {
				panic(err) // of a tag, which the tests read
			}
			to[map[string]string{"min": "minimum", "above": "exclusiveMinimum", "max": "maximum"}[tag]] = number
		}
	}
	return schema
}

func enumOf(value string, nullable bool) (values []any) {
	for text := range strings.SplitSeq(value, "|") {
		values = append(values, text)
	}
	if nullable {
		values = append(values, nil)
	}
	return values
}

// typeSchema returns the schema of a type.
func typeSchema(t reflect.Type) object {
	switch t.Kind() {
	case reflect.Interface:
		return object{}
	case reflect.Pointer:
		schema := typeSchema(t.Elem())
		kind, is := schema["type"].(string)
		if !is {
			return object{"oneOf": []any{schema, object{"type": "null"}}}
		}
		schema["type"] = []string{kind, "null"}
		return schema
	case reflect.Slice:
		return object{"type": "array", "items": typeSchema(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": typeSchema(t.Elem())}
	case reflect.Struct:
		if t == reflect.TypeFor[null]() {
			return object{"type": "null"}
		}
		return reference(schemaName(t))
	}
	kinds := map[reflect.Kind]string{reflect.String: "string", reflect.Bool: "boolean", reflect.Int: "integer", reflect.Float64: "number"}
	return object{"type": kinds[t.Kind()]}
}

// schemaName returns the name of a type's schema: wireScore is Score.
func schemaName(t reflect.Type) string { return strings.TrimPrefix(t.Name(), "wire") }
