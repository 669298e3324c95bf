package same

import (
	"strconv"
	"strings"

	"codelinter/ast"
)

// This file writes formats as f-strings.

// A field is a field of a format: {name!conversion:spec}.
type field struct {
	before     string // the text before it
	name, spec string
	conversion int8
}

// fieldsOf parses a format, and returns the text after its last field. Fields in fields, attributes
// and subscripts of fields are not parsed, and neither is an empty spec.
func fieldsOf(text string) (fields []field, after string, ok bool) {
	var before strings.Builder
	for at := 0; at < len(text); {
		c := text[at]
		if c != '{' && c != '}' {
			before.WriteByte(c)
			at++
			continue
		}
		if at+1 < len(text) && text[at+1] == c {
			before.WriteByte(c)
			at += 2
			continue
		}
		length := strings.IndexAny(text[at+1:], "{}")
		if c == '}' || length < 0 || text[at+1+length] == '{' {
			return nil, "", false
		}
		f := field{before: before.String(), conversion: -1}
		head, spec, hasSpec := strings.Cut(text[at+1:at+1+length], ":")
		name, conversion, hasConversion := strings.Cut(head, "!")
		if hasSpec && spec == "" || hasConversion && conversion != "s" && conversion != "r" && conversion != "a" || strings.ContainsAny(name, ".[") {
			return nil, "", false
		}
		if f.name, f.spec = name, spec; hasConversion {
			f.conversion = int8(conversion[0])
		}
		fields = append(fields, f)
		before.Reset()
		at += 1 + length + 1
	}
	return fields, before.String(), true
}

// formatted returns the f-string for a call of a text's format, or nil. An f-string evaluates and
// formats one value after the other, format evaluates all first. So all values but the first must
// be without effect, and no formatting of another may change them.
func (w *writer) formatted(in int32, e *ast.Call) ast.Expr {
	method, is := e.Func.(*ast.Attribute)
	if !is || method.Attr != "format" {
		return nil
	}
	text, is := method.Value.(*ast.Constant)
	if !is || text.Type != ast.Str {
		return nil
	}
	fields, after, ok := fieldsOf(text.Text)
	if !ok || len(fields) != len(e.Args)+len(e.Keywords) {
		return nil
	}
	f := &ast.JoinedStr{}
	constant := func(text string) {
		if text != "" {
			f.Values = append(f.Values, &ast.Constant{Type: ast.Str, Text: text})
		}
	}
	isNumbered := len(fields) > 0 && fields[0].name == "0"
	for i, field := range fields {
		value := argument(e, i, field.name, isNumbered)
		if value == nil || i > 0 && !w.pure(in, value) {
			return nil
		}
		constant(field.before)
		v := &ast.FormattedValue{Value: value, Conversion: field.conversion}
		if field.spec != "" {
			v.FormatSpec = &ast.JoinedStr{Values: []ast.Expr{&ast.Constant{Type: ast.Str, Text: field.spec}}}
		}
		f.Values = append(f.Values, v)
	}
	constant(after)
	return f
}

// argument returns the i-th argument of a call, if the i-th field formats it, or nil.
func argument(e *ast.Call, i int, name string, isNumbered bool) ast.Expr {
	if i >= len(e.Args) {
		if k := e.Keywords[i-len(e.Args)]; k.Arg != "" && k.Arg == name {
			return k.Value
		}
		return nil
	}
	if isNumbered && name != strconv.Itoa(i) || !isNumbered && name != "" || e.Args[i].Kind() == ast.KindStarred {
		return nil
	}
	return e.Args[i]
}
