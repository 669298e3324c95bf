package same

import (
	"regexp"
	"strconv"
	"strings"

	"codelinter/ast"
	"codelinter/internal/util/lazy"
)

// This file writes formats as f-strings.

// A style is a way to write formats.
type style struct {
	// pattern has a text without fields, and the field after it: its name, conversion and spec. Fields in
	// fields, attributes and subscripts of fields have none.
	pattern *regexp.Regexp
	plain   *strings.Replacer // of what is written twice in that text
}

// styles are that of format and that of %, with %s and %r.
var styles = lazy.Value[[2]style]{Make: func() [2]style {
	return [...]style{
		{regexp.MustCompile(`((?:[^{}]|{{|}})*)({([^{}!:.[]*)(?:!([sra]))?(?::([^{}]*))?})?`), strings.NewReplacer("{{", "{", "}}", "}")},
		{regexp.MustCompile(`((?:[^%]|%%)*)(%()([sr])())?`), strings.NewReplacer("%%", "%")},
	}
}}

// A field is a field of a format: {name!conversion:spec}. An empty spec is none, and so is a conversion
// of -1.
type field struct {
	before     string // the text before it
	name, spec string
	conversion int8
}

// fieldsOf parses a format, and returns the text after its last field.
func (s style) fieldsOf(text string) (fields []field, after string, ok bool) {
	size := 0
	for _, m := range s.pattern.FindAllStringSubmatch(text, -1) {
		size += len(m[0])
		if after = s.plain.Replace(m[1]); m[2] == "" {
			continue
		}
		f := field{before: after, name: m[3], conversion: -1, spec: m[5]}
		if m[4] != "" {
			f.conversion = int8(m[4][0])
		}
		fields, after = append(fields, f), ""
	}
	return fields, after, size == len(text)
}

// formatted returns the f-string for a call of a text's format, or nil, and for ordinary values that
// for a text % a tuple. An f-string evaluates and formats one value after the other, format evaluates
// all first. So all values but the first must be without effect, and no formatting of another may
// change them.
func (w *writer) formatted(in int32, e ast.Expr) ast.Expr {
	var format ast.Expr
	var args []ast.Expr
	var keywords []*ast.Keyword
	style := styles.Get()[0]
	switch e := e.(type) {
	case *ast.Call:
		if method, is := e.Func.(*ast.Attribute); is && method.Attr == "format" {
			format, args, keywords = method.Value, e.Args, e.Keywords
		}
	case *ast.BinOp:
		if tuple, is := e.Right.(*ast.Tuple); is && e.Op == ast.Mod {
			format, args = e.Left, tuple.Elts
		} else if isText(e.Right) && e.Op == ast.Mod {
			format, args = e.Left, []ast.Expr{e.Right}
		}
		style = styles.Get()[1]
	}
	text, is := format.(*ast.Constant)
	if !is || text.Type != ast.Str {
		return nil
	}
	fields, after, ok := style.fieldsOf(text.Text)
	if !ok || len(fields) != len(args)+len(keywords) {
		return nil
	}
	f := &ast.JoinedStr{}
	constant := func(text string) {
		if text != "" {
			f.Values = append(f.Values, &ast.Constant{Type: ast.Str, Text: text})
		}
	}
	for i, field := range fields {
		var value ast.Expr
		name := ""
		if i >= len(args) {
			value, name = keywords[i-len(args)].Value, keywords[i-len(args)].Arg
		} else if value = args[i]; fields[0].name == "0" {
			name = strconv.Itoa(i)
		}
		if field.name != name || i >= len(args) && name == "" || value.Kind() == ast.KindStarred ||
			i > 0 && !w.pure(in, value) && !(w.alike && CallsNothing(value)) {
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
