package pyflakes

import (
	"slices"
	"strings"
	"unicode/utf8"

	"codelinter/ast"
	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
	"codelinter/rule"
)

// A percentField is one placeholder of a %-format: %(name)-08.3f.
type percentField struct {
	name       string // "name"
	named      bool   // it has a (name), which may be empty
	stars      int    // how many of its width and precision are *
	conversion string // "f": one character
}

// nextPercent finds the first placeholder of format at or after at, and its end. end is 0 if there
// is none. ok is false if the string's end cuts it off.
//
// It reads more than Python's % does: a name may hold any characters but
// parentheses, and a width any digits of u.
func nextPercent(format string, at int, u characters.Unicode) (field percentField, end int, ok bool) {
	percent := strings.IndexByte(format[at:], '%')
	if percent < 0 {
		return field, 0, true
	}
	at += percent + 1
	if at < len(format) && format[at] == '(' {
		if n := strings.IndexAny(format[at+1:], "()"); n >= 0 && format[at+1+n] == ')' {
			field.name, field.named = format[at+1:at+1+n], true
			at += n + 2
		}
	}
	for at < len(format) && strings.IndexByte("#0+ -", format[at]) >= 0 {
		at++
	}
	size := func() { // of a width or a precision
		if at < len(format) && format[at] == '*' {
			field.stars++
			at++
			return
		}
		for at < len(format) {
			r, width := utf8.DecodeRuneInString(format[at:])
			if pytext.Decimal(r, u) < 0 {
				return
			}
			at += width
		}
	}
	size()
	if at < len(format) && format[at] == '.' {
		at++
		size()
	}
	if at < len(format) && strings.IndexByte("hlL", format[at]) >= 0 {
		at++
	}
	if at == len(format) {
		return field, 0, false
	}
	r, width := utf8.DecodeRuneInString(format[at:])
	if r == utf8.RuneError && width == 1 {
		width = min(3, len(format)-at) // a surrogate
	}
	field.conversion = format[at : at+width]
	return field, at + width, true
}

// checkPercentFormat checks a string on the left of % against the values on the right, if they are
// visible.
//
//	'%s %s' % (spam,)           # F507
//	'%(spam)s' % {'egg': egg}   # F504 and F505
func (c *Checker) checkPercentFormat(n *ast.BinOp) {
	left, ok := n.Left.(*ast.Constant)
	if !ok || left.Type != ast.Str || n.Op != ast.Mod {
		return
	}
	for at, end, ok := 0, 1, true; end > 0; at = end { // after a placeholder that is cut off there is nothing more to report
		if _, end, ok = nextPercent(left.Text, at, characters.Of(c.features.Version)); !ok {
			c.report(rule.F501, n, "incomplete format")
			return
		}
	}
	positional, count, ok := c.readPercents(n, left.Text)
	if !ok {
		return
	}
	switch right := n.Right.(type) {
	case *ast.Tuple:
		c.checkPercentSequence(n, right.Elts, positional, count)
	case *ast.List:
		c.checkPercentSequence(n, right.Elts, positional, count)
	case *ast.Dict:
		c.checkPercentMapping(n, right, positional, count)
	}
}

// readPercents checks the placeholders of a format. It counts the positional ones, and puts the
// names of others into c.formats.fields. The first placeholder decides whether all must be
// positional or named; ok is false if they are not.
func (c *Checker) readPercents(n *ast.BinOp, format string) (positional bool, count int, ok bool) {
	named := false
	names := c.formats.fields[:0]
	for at := 0; ; {
		field, end, _ := nextPercent(format, at, characters.Of(c.features.Version))
		if end == 0 {
			break
		}
		at = end
		if field.conversion == "%" {
			continue
		}
		if !strings.Contains("diouxXeEfFgGcrsa", field.conversion) {
			c.report(rule.F509, n, c.repr(field.conversion))
		}
		if !positional && !named {
			positional, named = !field.named, field.named
		}
		if positional {
			count += field.stars
		} else {
			for range field.stars {
				c.report(rule.F508, n, "")
			}
		}
		if named != field.named {
			c.formats.fields = names
			c.report(rule.F506, n, "")
			return positional, count, false
		}
		if positional {
			count++
		} else {
			names = append(names, field.name)
		}
	}
	c.formats.fields = distinct(names)
	return positional, count, true
}

// checkPercentSequence checks a format that is filled from a tuple or list. It has count positional
// placeholders, or named ones, or none.
func (c *Checker) checkPercentSequence(n *ast.BinOp, values []ast.Expr, positional bool, count int) {
	for _, value := range values {
		if value.Kind() == ast.KindStarred {
			return
		}
	}
	switch {
	case !positional:
		c.report(rule.F502, n, "")
	case count != len(values):
		c.reportAt(rule.F507, c.unit, c.about(c.unit, n), rule.Values{A: int32(count), B: int32(len(values))})
	}
}

// checkPercentMapping checks a format that is filled from a dict with constant keys. The names of
// its placeholders are in c.formats.fields.
func (c *Checker) checkPercentMapping(n *ast.BinOp, values *ast.Dict, positional bool, count int) {
	keys := c.formats.given[:0]
	for _, key := range values.Keys {
		if constant, ok := key.(*ast.Constant); ok && constant.Type == ast.Str {
			keys = append(keys, constant.Text)
		} else {
			c.formats.given = keys
			return
		}
	}
	keys = distinct(keys)
	c.formats.given = keys
	if positional {
		if count > 1 {
			c.report(rule.F503, n, "")
		}
		return
	}
	c.reportDifference(rule.F504, n, keys, c.formats.fields)
	c.reportDifference(rule.F505, n, c.formats.fields, keys)
}

// formats is the memory that the checks of formats reuse.
type formats struct {
	fields []string // the names of a format's placeholders
	given  []string // the names of the arguments
}

// distinct sorts names as Python sorts str, and drops those that are repeated.
func distinct(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// reportDifference reports the names that are not among others, if there are
// any, joined by commas. Both lists are distinct.
func (c *Checker) reportDifference(code rule.Code, at ast.Node, names, others []string) {
	mark := c.mark()
	for _, name := range names {
		for len(others) > 0 && others[0] < name {
			others = others[1:]
		}
		if len(others) > 0 && others[0] == name {
			continue
		}
		c.add(", ", name)
	}
	c.reportListed(code, at, mark)
}

// reportListed reports the list that began at mark, with a comma before each item, unless it is
// empty.
func (c *Checker) reportListed(code rule.Code, at ast.Node, mark int) {
	if len(c.arena) > mark {
		c.report(code, at, c.written(mark)[len(", "):])
	}
}
