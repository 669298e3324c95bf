package same

import (
	"slices"
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
// and subscripts of fields are not parsed. An empty spec is none.
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
		head, spec, _ := strings.Cut(text[at+1:at+1+length], ":")
		name, conversion, hasConversion := strings.Cut(head, "!")
		if hasConversion && conversion != "s" && conversion != "r" && conversion != "a" || strings.ContainsAny(name, ".[") {
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

// percentFields is fieldsOf for a format of %, with %s and %r.
func percentFields(text string) (fields []field, after string, ok bool) {
	for at := 0; at < len(text); at++ {
		if text[at] != '%' {
			after += text[at : at+1]
			continue
		}
		at++
		switch {
		case strings.HasPrefix(text[at:], "%"):
			after += "%"
		case strings.HasPrefix(text[at:], "s"):
			fields, after = append(fields, field{before: after, conversion: -1}), ""
		case strings.HasPrefix(text[at:], "r"):
			fields, after = append(fields, field{before: after, conversion: 'r'}), ""
		default:
			return nil, "", false
		}
	}
	return fields, after, true
}

// formatted returns the f-string for a call of a text's format, or nil, and for ordinary values that
// for a text % a tuple. An f-string evaluates and formats one value after the other, format evaluates
// all first. So all values but the first must be without effect, and no formatting of another may
// change them.
func (w *writer) formatted(in int32, e ast.Expr) ast.Expr {
	var format, values ast.Expr
	parse := fieldsOf
	call, _ := e.(*ast.Call)
	switch e := e.(type) {
	case *ast.Call:
		if method, is := e.Func.(*ast.Attribute); is && method.Attr == "format" {
			format = method.Value
		}
		values = &ast.Tuple{Elts: e.Args}
	case *ast.BinOp:
		if e.Op == ast.Mod {
			format, parse = e.Left, percentFields
		}
		if values = e.Right; isText(values) {
			values = &ast.Tuple{Elts: []ast.Expr{values}}
		}
	}
	text, is := format.(*ast.Constant)
	args, isTuple := values.(*ast.Tuple)
	if !is || !isTuple || text.Type != ast.Str {
		return nil
	}
	fields, after, ok := parse(text.Text)
	if !ok {
		return nil
	}
	list := args.Elts
	isNumbered := len(fields) > 0 && fields[0].name == "0"
	for i := range list {
		if i >= len(fields) || list[i].Kind() == ast.KindStarred || isNumbered && fields[i].name != strconv.Itoa(i) || !isNumbered && fields[i].name != "" {
			return nil
		}
	}
	if call != nil {
		for _, k := range call.Keywords {
			if len(list) >= len(fields) || k.Arg == "" || k.Arg != fields[len(list)].name {
				return nil
			}
			list = append(slices.Clip(list), k.Value)
		}
	}
	if len(list) != len(fields) {
		return nil
	}
	f := &ast.JoinedStr{}
	constant := func(text string) {
		if text != "" {
			f.Values = append(f.Values, &ast.Constant{Type: ast.Str, Text: text})
		}
	}
	for i, field := range fields {
		if i > 0 && !w.pure(in, list[i]) && !(w.alike && CallsNothing(list[i])) {
			return nil
		}
		constant(field.before)
		v := &ast.FormattedValue{Value: list[i], Conversion: field.conversion}
		if field.spec != "" {
			v.FormatSpec = &ast.JoinedStr{Values: []ast.Expr{&ast.Constant{Type: ast.Str, Text: field.spec}}}
		}
		f.Values = append(f.Values, v)
	}
	constant(after)
	return f
}

// isText reports whether an expression is no tuple.
func isText(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Constant, *ast.JoinedStr:
		return true
	case *ast.Attribute:
		return e.Attr == "__name__"
	case *ast.Call:
		if method, is := e.Func.(*ast.Attribute); is {
			return method.Attr == "join" && method.Value.Kind() == ast.KindConstant
		}
		return ast.CalledName(e) == "str" || ast.CalledName(e) == "repr" || ast.CalledName(e) == "len"
	}
	return false
}
