package pyflakes

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"codelinter/ast"
	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
	"codelinter/rule"
)

// A strField is one replacement field of a str.format string: {name!r:spec}.
type strField struct {
	name string // "name", with what attributes and indices follow it
	spec string // "spec"
}

// nextField finds the first replacement field of format at or after at, and its end. end is 0 if
// there is none. fault is the message of Python's ValueError if Python cannot read the field or the
// text before it.
//
// It follows string.Formatter().parse: braces in the name's brackets are ordinary characters, and
// braces in the spec are only counted.
func nextField(format string, at int) (field strField, end int, fault string) {
	for {
		brace := strings.IndexAny(format[at:], "{}")
		if brace < 0 {
			return field, 0, ""
		}
		at += brace + 1
		if at < len(format) && format[at] == format[at-1] {
			at++ // {{ or }}
			continue
		}
		if format[at-1] == '}' {
			return field, 0, "Single '}' encountered in format string"
		}
		if at == len(format) {
			return field, 0, "Single '{' encountered in format string"
		}
		break
	}

	start := at
	var stop byte
	for stop == 0 {
		n := strings.IndexAny(format[at:], "{[}:!")
		if n < 0 {
			return field, 0, "expected '}' before end of string"
		}
		at += n + 1
		switch format[at-1] {
		case '{':
			return field, 0, "unexpected '{' in field name"
		case '[': // to the ], which is looked at again as any character
			if n = strings.IndexByte(format[at:], ']'); n < 0 {
				return field, 0, "expected '}' before end of string"
			}
			at += n
		default:
			stop = format[at-1]
		}
	}
	field.name = format[start : at-1]
	if stop == '}' {
		return field, at, ""
	}

	if stop == '!' {
		if at == len(format) {
			return field, 0, "end of string while looking for conversion specifier"
		}
		r, size := utf8.DecodeRuneInString(format[at:])
		if r == utf8.RuneError && size == 1 {
			size = min(3, len(format)-at) // a surrogate
		}
		at += size
		if at < len(format) {
			at++
			if format[at-1] == '}' {
				return field, at, ""
			}
			if format[at-1] != ':' {
				return field, 0, "expected ':' after conversion specifier"
			}
		}
	}
	if end = specEnd(format, at); end == 0 {
		return field, 0, "unmatched '{' in format spec"
	}
	field.spec = format[at : end-1]
	return field, end, ""
}

// specEnd returns the offset after the brace that closes a field whose spec begins at an offset, 0
// if there is none.
func specEnd(format string, at int) int {
	for open := 1; ; {
		n := strings.IndexAny(format[at:], "{}")
		if n < 0 {
			return 0
		}
		at += n + 1
		if format[at-1] == '{' {
			open++
		} else if open--; open == 0 {
			return at
		}
	}
}

// A fieldCounter gathers what the fields of a str.format string ask for.
type fieldCounter struct {
	automatic bool // {} was seen
	manual    bool // {0} was seen
	next      int  // the number of {} seen, which is the number of the next
}

// checkStrFormat checks a call of a string's format against its visible arguments.
//
//	'{} {}'.format(spam)         # F524
//	'{spam}'.format(egg=egg)     # F522 and F524
func (c *Checker) checkStrFormat(n *ast.Call) {
	method, ok := n.Func.(*ast.Attribute)
	if !ok || method.Attr != "format" {
		return
	}
	constant, ok := method.Value.(*ast.Constant)
	if !ok || constant.Type != ast.Str {
		return
	}
	format := constant.Text
	if !c.isReadable(n, format) {
		return
	}

	var counter fieldCounter
	c.formats.fields = c.formats.fields[:0]
	for at := 0; ; {
		field, end, _ := nextField(format, at)
		if end == 0 {
			break
		}
		at = end
		if !c.addField(n, &counter, field.name) || !c.addNestedFields(n, &counter, field.spec) {
			return
		}
	}
	c.matchFields(n, &counter)
}

// isReadable reports a format of the call that Python cannot read. Then nothing else is reported.
func (c *Checker) isReadable(n *ast.Call, format string) bool {
	for at, end, fault := 0, 1, ""; end > 0; at = end {
		if _, end, fault = nextField(format, at); fault != "" {
			c.report(rule.F521, n, fault)
			return false
		}
	}
	return true
}

// addNestedFields adds the fields within a field's spec: '{:{width}}'. It
// returns false if a fault ends the check.
func (c *Checker) addNestedFields(n *ast.Call, counter *fieldCounter, spec string) bool {
	if !c.isReadable(n, spec) {
		return false
	}
	for at := 0; ; {
		field, end, _ := nextField(spec, at)
		if end == 0 {
			return true
		}
		at = end
		if strings.IndexByte(field.spec, '{') >= 0 {
			c.report(rule.F521, n, "Max string recursion exceeded")
			return false
		}
		if !c.addField(n, counter, field.name) {
			return false
		}
	}
}

// addField records the argument that a field asks for. A name, or a number as Python prints it,
// goes to c.formats.fields; an empty name takes the next number of counter. It returns false if a
// format has both kinds of numbers.
func (c *Checker) addField(n *ast.Call, counter *fieldCounter, name string) bool {
	if end := strings.IndexAny(name, ".["); end >= 0 {
		name = name[:end]
	}
	if name == "" {
		counter.automatic = true
		counter.next++
	} else {
		number, ok := c.parseInt(name)
		if ok {
			counter.manual = true
			name = number
		}
		c.formats.fields = append(c.formats.fields, name)
	}
	if counter.automatic && counter.manual {
		c.report(rule.F525, n, "")
		return false
	}
	return true
}

// matchFields reports arguments without a field and fields without an argument.
func (c *Checker) matchFields(n *ast.Call, counter *fieldCounter) {
	for _, argument := range n.Args {
		if argument.Kind() == ast.KindStarred {
			return
		}
	}
	given := c.formats.given[:0]
	for _, keyword := range n.Keywords {
		if keyword.Arg == "" {
			return
		}
		given = append(given, keyword.Arg)
	}
	given = distinct(given)
	c.formats.given = given

	// Automatic numbers that have an argument are omitted from the lists, so few formats need the
	// lists at all.
	fields := c.formats.fields
	for number := len(n.Args); number < counter.next; number++ {
		mark := c.mark()
		c.arena = strconv.AppendInt(c.arena, int64(number), 10)
		fields = append(fields, c.written(mark))
	}
	fields = distinct(fields)
	c.formats.fields = fields

	mark := c.mark()
	for number := range numbersAsText(len(n.Args)) {
		var digits [20]byte
		text := strconv.AppendInt(digits[:0], int64(number), 10)
		for len(fields) > 0 && fields[0] < string(text) {
			fields = fields[1:]
		}
		if number >= counter.next && (len(fields) == 0 || fields[0] != string(text)) {
			c.add(", ", string(text))
		}
	}
	c.reportListed(rule.F523, n, mark)
	fields = c.formats.fields
	c.reportDifference(rule.F522, n, given, fields)

	missing := fields[:0]
	for _, field := range fields {
		if number := position(field); number < 0 || number >= len(n.Args) {
			missing = append(missing, field)
		}
	}
	c.formats.fields = missing
	c.reportDifference(rule.F524, n, missing, given)
}

// position returns the number in a field's text, or -1 if it is a name or cannot be the position of
// an argument.
func position(field string) int {
	if len(field) > 9 {
		return -1
	}
	number := 0
	for i := range len(field) {
		if field[i] < '0' || field[i] > '9' {
			return -1
		}
		number = 10*number + int(field[i]-'0')
	}
	return number
}

// numbersAsText yields 0 to n-1 in the order of their texts: 0, 1, 10, 11, 2.
func numbersAsText(n int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		if n <= 0 || !yield(0) {
			return
		}
		for number := 1; number < n; {
			if !yield(number) {
				return
			}
			if number*10 < n {
				number *= 10
				continue
			}
			for number%10 == 9 || number+1 >= n {
				if number /= 10; number == 0 {
					return
				}
			}
			number++
		}
	}
}

// parseInt reads text as Python's int does, and returns what str gives for it.
func (c *Checker) parseInt(text string) (number string, ok bool) {
	if len(text) == 1 {
		return text, '0' <= text[0] && text[0] <= '9'
	}
	mark := c.mark()
	c.arena, ok = pytext.AppendInt(c.arena, text, characters.Of(c.features.Version))
	return c.written(mark), ok
}
