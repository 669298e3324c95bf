package flake8

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"codelinter/rule"
)

// Template is a format of the user's, which Python's % operator fills in:
//
//	%(path)s:%(row)04d %(code)-6s %(text).40r
//
// with all that goes with it: flags, widths, precisions, conversions, keys that
// do not exist. A template that is wrong is so only when a finding is to be
// rendered, as with flake8.
type Template struct {
	lines
	parts []templatePart
	color bool
	wrong error
}

// A templatePart is literal text, or a field and how to print it.
type templatePart struct {
	literal string
	field   string // "" for a literal
	verb    string // of Go's fmt
	convert byte   // Python's conversion
}

// A colour is a field that holds a terminal code, if there are to be colours.
type colour struct{ name, code string }

var colours = []colour{
	{"bold", "\x1b[1m"}, {"black", "\x1b[30m"}, {"red", "\x1b[31m"}, {"green", "\x1b[32m"}, {"yellow", "\x1b[33m"},
	{"blue", "\x1b[34m"}, {"magenta", "\x1b[35m"}, {"cyan", "\x1b[36m"}, {"white", "\x1b[37m"}, {"reset", "\x1b[m"},
}

// everything is the field that stands for all of them: "%s", without a key, is
// Python's dict.
const everything = "*"

func newTemplate(text string, color bool) *Template {
	t := &Template{color: color}
	for text != "" && t.wrong == nil {
		at := strings.IndexByte(text, '%')
		if at < 0 {
			t.literal(text)
			break
		}
		t.literal(text[:at])
		text = t.field(text[at+1:])
	}
	return t
}

func (t *Template) literal(text string) {
	if n := len(t.parts); n > 0 && t.parts[n-1].field == "" {
		t.parts[n-1].literal += text
	} else if text != "" {
		t.parts = append(t.parts, templatePart{literal: text})
	}
}

func (t *Template) fail(class, format string, args ...any) string {
	t.wrong = fmt.Errorf("--format: "+class+": "+format, args...)
	return ""
}

// field reads what follows a % and returns what is left.
func (t *Template) field(text string) (rest string) {
	key := everything
	if strings.HasPrefix(text, "(") {
		end := closing(text)
		if end < 0 {
			return t.fail("ValueError", "incomplete format key")
		}
		key, text = text[1:end], text[end+1:]
	}
	flags := text[:len(text)-len(strings.TrimLeft(text, "#0- +"))]
	text = text[len(flags):]
	width, text := cutDigits(text)
	precision, hasPrecision := "", false
	if text, hasPrecision = strings.CutPrefix(text, "."); hasPrecision {
		precision, text = cutDigits(text)
	}
	if text != "" && strings.IndexByte("hlL", text[0]) >= 0 {
		text = text[1:]
	}
	switch {
	case text == "":
		return t.fail("ValueError", "incomplete format")
	case len(width) > 4 || len(precision) > 4: // a line for each finding is to be printed
		return t.fail("ValueError", "width too big")
	case text[0] == '*' && key == everything:
		return t.fail("TypeError", "* wants int")
	case text[0] == '*':
		return t.fail("TypeError", "not enough arguments for format string")
	}
	convert, rest := text[0], text[1:]
	if convert == '%' {
		if key != everything && !isField(key) {
			return t.fail("KeyError", "%s", pythonRepr(key))
		}
		t.literal("%")
		return rest
	}
	switch {
	case key != everything && !isField(key):
		return t.fail("KeyError", "%s", pythonRepr(key))
	case key == everything && t.used():
		return t.fail("TypeError", "not enough arguments for format string")
	}
	isNumber := key == "row" || key == "col"
	part := templatePart{field: key, convert: convert}
	if hasPrecision && precision == "" {
		precision = "0"
	}
	if hasPrecision {
		precision = "." + precision
	}
	switch convert {
	case 's', 'r', 'a':
		part.verb = "%" + onlyMinus(flags) + width + precision + "s"
	case 'd', 'i', 'u':
		part.verb = "%" + goFlags(flags, precision) + width + precision + "d"
	case 'o':
		part.verb = "%" + goFlags(flags, precision) + width + precision + "o"
		if strings.Contains(flags, "#") {
			part.verb = strings.ReplaceAll(part.verb[:len(part.verb)-1], "#", "") + "O"
		}
	case 'g', 'G':
		if precision == "" {
			precision = ".6"
		}
		part.verb = "%" + goFlags(flags, "") + width + precision + string(convert)
	case 'x', 'X', 'e', 'E', 'f', 'F':
		part.verb = "%" + goFlags(flags, integral(convert, precision)) + width + precision + string(convert)
	case 'c':
		part.verb = "%" + onlyMinus(flags) + width + "c"
	default:
		return t.fail("ValueError", "unsupported format character %s (0x%x) at index %d",
			pythonQuoted(convert), convert, 0)
	}
	switch {
	case strings.IndexByte("sra", convert) >= 0, isNumber:
	case convert == 'c' && key != everything: // the text is to be named
	case convert == 'c':
		return t.fail("TypeError", "%%c requires an int or a unicode character, not dict")
	case strings.IndexByte("oxX", convert) >= 0:
		return t.fail("TypeError", "%%%c format: an integer is required, not str", convert)
	case strings.IndexByte("diu", convert) >= 0:
		return t.fail("TypeError", "%%%c format: a real number is required, not str", convert)
	default:
		return t.fail("TypeError", "must be real number, not str")
	}
	t.parts = append(t.parts, part)
	return rest
}

// used tells whether a field without a key may not follow: one is enough.
func (t *Template) used() bool {
	for i := range t.parts {
		if t.parts[i].field == everything {
			return true
		}
	}
	return false
}

func pythonQuoted(c byte) string { return pythonRepr(string(rune(c))) }

// closing returns where the bracket at the start of text is closed.
func closing(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func cutDigits(text string) (digits, rest string) {
	rest = strings.TrimLeft(text, "0123456789")
	return text[:len(text)-len(rest)], rest
}

// onlyMinus returns the flag that counts for texts.
func onlyMinus(flags string) string {
	if strings.Contains(flags, "-") {
		return "-"
	}
	return ""
}

// goFlags drops the 0 where Go would not pad with zeros and Python does, or the
// other way round.
func goFlags(flags, precision string) string {
	if strings.Contains(flags, "-") || precision != "" {
		return strings.ReplaceAll(flags, "0", "")
	}
	return flags
}

// integral returns the precision if it is that of a number without a fraction.
func integral(convert byte, precision string) string {
	if convert == 'x' || convert == 'X' {
		return precision
	}
	return ""
}

func isField(key string) bool {
	switch key {
	case "code", "text", "path", "row", "col":
		return true
	}
	return slices.ContainsFunc(colours, func(c colour) bool { return c.name == key })
}

// AppendFinding implements [Formatter].
func (t *Template) AppendFinding(dst []byte, file *File, i int) ([]byte, error) {
	if t.wrong != nil {
		return dst, t.wrong
	}
	finding := &file.Findings[i]
	start := len(dst)
	for k := range t.parts {
		part := &t.parts[k]
		if part.field == "" {
			dst = append(dst, part.literal...)
			continue
		}
		number, text, isNumber := t.value(part.field, file, finding)
		switch part.convert {
		case 's':
			if isNumber {
				text = strconv.Itoa(number)
			}
		case 'r', 'a':
			if isNumber {
				text = strconv.Itoa(number)
			} else if part.field != everything {
				text = pythonRepr(text)
			}
			if part.convert == 'a' {
				text = pythonASCII(text)
			}
		case 'c':
			if !isNumber {
				return dst, fmt.Errorf("--format: TypeError: %%c requires an int or a unicode character, not a string of length %d",
					utf8.RuneCountInString(text))
			}
			dst = fmt.Appendf(dst, part.verb, number)
			continue
		case 'e', 'E', 'f', 'F', 'g', 'G':
			dst = fmt.Appendf(dst, part.verb, float64(number))
			continue
		default:
			dst = fmt.Appendf(dst, part.verb, number)
			continue
		}
		if part.verb == "%s" {
			dst = append(dst, text...)
		} else {
			dst = fmt.Appendf(dst, part.verb, text)
		}
	}
	if len(dst) == start { // flake8 prints no empty lines
		return dst, nil
	}
	return append(dst, '\n'), nil
}

// value returns the value of a field.
func (t *Template) value(field string, file *File, finding *rule.Finding) (number int, text string, isNumber bool) {
	switch field {
	case "path":
		return 0, file.Name, false
	case "row":
		return int(finding.Row), "", true
	case "col":
		return int(finding.Column), "", true
	case "code":
		return 0, finding.Code.String(), false
	case "text":
		return 0, finding.Message(), false
	case everything:
		return 0, t.dict(file, finding), false
	}
	for i := range colours {
		if t.color && colours[i].name == field {
			return 0, colours[i].code, false
		}
	}
	return 0, "", false
}

// dict returns the repr of all fields.
func (t *Template) dict(file *File, finding *rule.Finding) string {
	dict := fmt.Appendf(nil, "{'code': %s, 'text': %s, 'path': %s, 'row': %d, 'col': %d",
		pythonRepr(finding.Code.String()), pythonRepr(finding.Message()), pythonRepr(file.Name), finding.Row, finding.Column)
	for i := range colours {
		_, code, _ := t.value(colours[i].name, file, finding)
		dict = fmt.Appendf(dict, ", '%s': %s", colours[i].name, pythonRepr(code))
	}
	return string(append(dict, '}'))
}

// pythonASCII escapes what is not ASCII in a repr.
func pythonASCII(repr string) string {
	var ascii []byte
	for _, r := range repr {
		switch {
		case r < 0x80:
			ascii = append(ascii, byte(r))
		case r < 0x100:
			ascii = fmt.Appendf(ascii, `\x%02x`, r)
		case r < 0x10000:
			ascii = fmt.Appendf(ascii, `\u%04x`, r)
		default:
			ascii = fmt.Appendf(ascii, `\U%08x`, r)
		}
	}
	return string(ascii)
}
