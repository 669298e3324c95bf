package flake8

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"codelinter/internal/python/pytext"
	"codelinter/rule"
)

// template is a format of the user's own, which flake8 fills in with Python's %
// operator and a dict:
//
//	%(path)s:%(row)04d %(code)-6s %(text).40r
//
// # How the template is read
//
// The % operator reads its left side once from the front and converts each conversion at once. So
// the first fault decides which error is raised. A conversion is read in this order:
//
//	%  (key)  flags  width  .precision  h, l or L  type
//
// A conversion converts the current argument. At first this is the dict itself; after a (key) it is
// the key's value, and a missing key fails at once. Each argument can be used once. A (key) sets a
// new argument, so only "%s" without a key can lack one:
//
//	"%s"          the repr of the dict
//	"%s%s"        TypeError: not enough arguments for format string
//	"%(row)s%s"   TypeError: not enough arguments for format string
//
// A * for the width or precision uses the argument too, so the type always lacks one. Every
// template with a * is an error; which error depends on the argument that the * used.
//
// All of this except %c follows from the template alone. So the template is read once. A fault
// becomes its last part, and is raised, as in flake8, only when a finding is rendered.
type template struct {
	lines
	parts []templatePart
	color bool
	wrong error // raised after the parts; nil if the template is right
}

// A templatePart is literal text, or the conversion of an argument.
type templatePart struct {
	literal    string
	field      *field // the argument
	flags      string // what stands between a key and a width: of -+ #0
	width      int    // in characters; 0 if none is given
	precision  int    // -1 if none is given
	conversion byte   // the type, such as 's'; 0 for literal text
}

func (p *templatePart) has(flag byte) bool { return strings.IndexByte(p.flags, flag) >= 0 }

// A field is a value of the dict: a str, an int, or the code of a colour. nil is the dict itself.
type field struct {
	name   string
	text   func(*lintedFile, *rule.Finding) string // of a str
	number func(*rule.Finding) int32               // of an int
	color  string                                  // the code for terminals; the value is "" if there are to be no colours
}

// fields are the values of the dict in flake8's order.
var fields = [...]field{
	{name: "code", text: func(_ *lintedFile, finding *rule.Finding) string { return finding.Code.String() }},
	{name: "text", text: func(_ *lintedFile, finding *rule.Finding) string { return finding.Message() }},
	{name: "path", text: func(file *lintedFile, _ *rule.Finding) string { return file.Name }},
	{name: "row", number: func(finding *rule.Finding) int32 { return finding.Row }},
	{name: "col", number: func(finding *rule.Finding) int32 { return finding.Column }},
	{name: "bold", color: "\x1b[1m"}, {name: "black", color: "\x1b[30m"}, {name: "red", color: "\x1b[31m"},
	{name: "green", color: "\x1b[32m"}, {name: "yellow", color: "\x1b[33m"}, {name: "blue", color: "\x1b[34m"},
	{name: "magenta", color: "\x1b[35m"}, {name: "cyan", color: "\x1b[36m"}, {name: "white", color: "\x1b[37m"},
	{name: "reset", color: "\x1b[m"},
}

func (f *field) isInt() bool { return f != nil && f.number != nil }

// pythonType names the type of the argument as Python's messages do.
func (f *field) pythonType() string {
	switch {
	case f == nil:
		return "dict"
	case f.isInt():
		return "int"
	}
	return "str"
}

// maxTemplateLine is how many bytes a finding may be rendered to. Python fills a
// width of gigabytes if it has the memory; we raise its MemoryError earlier, at the largest width
// that package fmt fills.
const maxTemplateLine = 1e6

// raised is the exception with which the % operator ends.
func raised(class, format string, args ...any) error {
	message := fmt.Sprintf(format, args...)
	if message != "" {
		message = ": " + message
	}
	return fmt.Errorf("--format: %s%s", class, message)
}

// newTemplate returns the format of that text; color fills in the codes for terminals, such as
// %(bold)s. It never fails: a fault in the text is an error of appendFinding.
func newTemplate(text string, color bool) *template {
	t := &template{color: color}
	reader := templateReader{text: text}
	for t.wrong == nil && reader.at < len(text) {
		var part templatePart
		if part, t.wrong = reader.next(); t.wrong == nil {
			t.parts = append(t.parts, part)
		}
	}
	return t
}

// A templateReader reads the parts of a template.
type templateReader struct {
	text     string
	at       int
	argument *field
	used     bool // the argument has served
}

func (r *templateReader) next() (part templatePart, err error) {
	rest := r.text[r.at:]
	switch {
	case strings.HasPrefix(rest, "%%"):
		r.at += 2
		return templatePart{literal: "%"}, nil
	case rest[0] == '%':
		r.at++
		return r.conversion()
	}
	literal, _, _ := strings.Cut(rest, "%")
	r.at += len(literal)
	return templatePart{literal: literal}, nil
}

// conversion reads a conversion from the byte after its % on.
func (r *templateReader) conversion() (part templatePart, err error) {
	if err := r.key(); err != nil {
		return part, err
	}
	start := r.at
	for r.accept("-+ #0") {
	}
	part.flags = r.text[start:r.at]
	if part.width, err = r.number(math.MaxInt64, "width too big"); err != nil {
		return part, err
	}
	part.width = max(part.width, 0)
	part.precision = -1
	if r.accept(".") {
		if part.precision, err = r.number(math.MaxInt32, "precision too big"); err != nil {
			return part, err
		}
		part.precision = max(part.precision, 0)
	}
	r.accept("hlL")
	if r.at >= len(r.text) {
		return part, raised("ValueError", "incomplete format")
	}
	if part.field, err = r.take(); err != nil {
		return part, err
	}
	part.conversion = r.text[r.at]
	if err := r.check(part); err != nil {
		return part, err
	}
	r.at++
	return part, nil
}

// key reads a (key), if there is one. Parentheses inside it are balanced.
func (r *templateReader) key() error {
	if !r.accept("(") {
		return nil
	}
	start, depth := r.at, 1
	for depth > 0 {
		if r.at >= len(r.text) {
			return raised("ValueError", "incomplete format key")
		}
		switch r.text[r.at] {
		case '(':
			depth++
		case ')':
			depth--
		}
		r.at++
	}
	key := r.text[start : r.at-1]
	at := slices.IndexFunc(fields[:], func(f field) bool { return f.name == key })
	if at < 0 {
		return raised("KeyError", "%s", pythonRepr(key))
	}
	r.argument, r.used = &fields[at], false
	return nil
}

// number reads a width or precision up to limit, -1 if there is none. For a * any number will do,
// as there is no argument left to supply it.
func (r *templateReader) number(limit int64, tooBig string) (int, error) {
	if r.accept("*") {
		argument, err := r.take()
		if err == nil && !argument.isInt() {
			err = raised("TypeError", "* wants int")
		}
		return -1, err
	}
	start := r.at
	for r.accept("0123456789") {
	}
	if r.at == start {
		return -1, nil
	}
	number, err := strconv.ParseInt(r.text[start:r.at], 10, 64)
	if err != nil || number > limit {
		return -1, raised("ValueError", "%s", tooBig)
	}
	return int(min(number, math.MaxInt32)), nil // an int may have 32 bits; both are more than a line holds
}

// accept skips the next byte if it is one of those.
func (r *templateReader) accept(bytes string) bool {
	if r.at < len(r.text) && strings.IndexByte(bytes, r.text[r.at]) >= 0 {
		r.at++
		return true
	}
	return false
}

// take returns the argument, once.
func (r *templateReader) take() (*field, error) {
	if r.used {
		return nil, raised("TypeError", "not enough arguments for format string")
	}
	r.used = true
	return r.argument, nil
}

// check returns the error that the conversion raises for every finding.
func (r *templateReader) check(part templatePart) error {
	switch part.conversion {
	case 's', 'r', 'a':
	case 'd', 'i', 'u', 'o', 'x', 'X':
		if !part.field.isInt() {
			required := "a real number"
			if strings.IndexByte("oxX", part.conversion) >= 0 {
				required = "an integer"
			}
			return raised("TypeError", "%%%c format: %s is required, not %s", part.conversion, required, part.field.pythonType())
		}
	case 'e', 'E', 'f', 'F', 'g', 'G':
		if !part.field.isInt() {
			return raised("TypeError", "must be real number, not %s", part.field.pythonType())
		}
	case 'c':
		if part.field == nil {
			return raised("TypeError", "%%c requires an int or a unicode character, not dict")
		}
	default:
		number, size := utf8.DecodeRuneInString(r.text[r.at:])
		if number == utf8.RuneError && size == 1 {
			number = 0xdc00 + rune(r.text[r.at]) // as Python reads a byte of the command line that is not UTF-8
		}
		shown := '?'
		if 0x1f <= number && number <= 0x7e {
			shown = number
		}
		return raised("ValueError", "unsupported format character '%c' (0x%x) at index %d",
			shown, number, utf8.RuneCountInString(r.text[:r.at]))
	}
	return nil
}

// appendFinding implements formatter. The error is the exception with which
// Python's % operator ends.
func (t *template) appendFinding(dst []byte, file *lintedFile, i int) ([]byte, error) {
	finding := &file.Findings[i]
	start := len(dst)
	var err error
	for k := range t.parts {
		part := &t.parts[k]
		if part.conversion == 0 {
			dst = append(dst, part.literal...)
		} else if dst, err = t.appendConversion(dst, part, file, finding); err != nil {
			return dst, err
		}
		if len(dst)-start > maxTemplateLine {
			return dst, raised("MemoryError", "")
		}
	}
	if t.wrong != nil || len(dst) == start { // flake8 prints no empty lines
		return dst, t.wrong
	}
	return append(dst, '\n'), nil
}

// appendConversion appends an argument as a part converts it.
func (t *template) appendConversion(dst []byte, part *templatePart, file *lintedFile, finding *rule.Finding) ([]byte, error) {
	if part.width > maxTemplateLine {
		return dst, raised("MemoryError", "")
	}
	switch part.conversion {
	case 's', 'r', 'a':
		if part.conversion == 's' && part.field != nil && part.field.name == "text" && part.width == 0 && part.precision < 0 {
			return finding.AppendMessage(dst), nil
		}
		return part.pad(dst, t.text(part, file, finding)), nil
	case 'c':
		return t.appendCharacter(dst, part, file, finding)
	}
	value := int64(part.field.number(finding))
	if part.conversion == 'd' && part.width == 0 && part.precision < 0 && part.flags == "" {
		return strconv.AppendInt(dst, value, 10), nil
	}
	if part.precision > maxTemplateLine {
		if part.precision > math.MaxInt32-3 && strings.IndexByte("diuoxX", part.conversion) >= 0 {
			return dst, raised("OverflowError", "precision too large")
		}
		return dst, raised("MemoryError", "")
	}
	return part.appendNumber(dst, value), nil
}

// text returns str(), repr() or ascii() of the argument, up to the precision.
func (t *template) text(part *templatePart, file *lintedFile, finding *rule.Finding) string {
	text := t.value(part.field, file, finding)
	if part.conversion != 's' && part.field != nil && !part.field.isInt() {
		text = pythonRepr(text)
	}
	if part.conversion == 'a' {
		text = string(pytext.AppendASCII(nil, text))
	}
	if part.precision >= 0 && part.precision < len(text) {
		at := 0
		for n := part.precision; n > 0 && at < len(text); n-- {
			_, size := utf8.DecodeRuneInString(text[at:])
			at += size
		}
		text = text[:at]
	}
	return text
}

// value returns str() of the argument.
func (t *template) value(f *field, file *lintedFile, finding *rule.Finding) string {
	switch {
	case f == nil:
		return t.dict(file, finding)
	case f.isInt():
		return strconv.Itoa(int(f.number(finding)))
	case f.text != nil:
		return f.text(file, finding)
	case t.color:
		return f.color
	}
	return ""
}

func (t *template) dict(file *lintedFile, finding *rule.Finding) string {
	var items []string
	for i := range fields {
		f := &fields[i]
		value := t.value(f, file, finding)
		if !f.isInt() {
			value = pythonRepr(value)
		}
		items = append(items, "'"+f.name+"': "+value)
	}
	return "{" + strings.Join(items, ", ") + "}"
}

// appendCharacter appends the argument as %c does: the character with that number, or a string of
// one character.
func (t *template) appendCharacter(dst []byte, part *templatePart, file *lintedFile, finding *rule.Finding) ([]byte, error) {
	text := t.value(part.field, file, finding)
	if !part.field.isInt() {
		if n := utf8.RuneCountInString(text); n != 1 {
			return dst, raised("TypeError", "%%c requires an int or a unicode character, not a string of length %d", n)
		}
		return part.pad(dst, text), nil
	}
	switch number := part.field.number(finding); {
	case number < 0 || number > utf8.MaxRune:
		return dst, raised("OverflowError", "%%c arg not in range(0x110000)")
	case !utf8.ValidRune(number): // flake8 gets past %c and dies when it writes the line
		return dst, raised("UnicodeEncodeError", `'utf-8' codec can't encode character '\u%x': surrogates not allowed`, number)
	default:
		return part.pad(dst, string(number)), nil
	}
}

// pad appends text in the width of the part. The zero flag is for numbers.
func (p *templatePart) pad(dst []byte, text string) []byte {
	blanks := 0
	if p.width > 0 {
		blanks = p.width - utf8.RuneCountInString(text)
	}
	padding := strings.Repeat(" ", max(blanks, 0))
	if p.has('-') {
		return append(append(dst, text...), padding...)
	}
	return append(append(dst, padding...), text...)
}

// appendNumber appends an int in the width of the part, as package fmt does. That package has
// Python's flags, but an integer with a precision or a prefix is not filled with zeros: they are
// added to its precision here.
func (p *templatePart) appendNumber(dst []byte, value int64) []byte {
	flags, verb, precision := p.flags, p.conversion, p.precision
	switch verb {
	case 'e', 'E', 'f', 'F', 'g', 'G':
		if precision < 0 {
			precision = 6
		}
		return fmt.Appendf(dst, "%"+flags+"*.*"+string(verb), p.width, precision, float64(value))
	case 'i', 'u':
		verb = 'd'
	}
	if p.has('0') && !p.has('-') {
		digits := p.width
		if value < 0 || p.has('+') || p.has(' ') {
			digits--
		}
		if p.has('#') && verb != 'd' {
			digits -= len("0x")
		}
		precision = max(precision, digits)
	}
	if verb == 'o' && p.has('#') { // Python's 0o is another verb in Go
		verb, flags = 'O', strings.ReplaceAll(flags, "#", "")
	}
	return fmt.Appendf(dst, "%"+flags+"*.*"+string(verb), p.width, max(precision, 1), value)
}
