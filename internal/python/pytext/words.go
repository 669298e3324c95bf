package pytext

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Words is memory for the texts of one file's messages, which the next file's are
// written over. The zero Words is ready for use.
//
//	var words pytext.Words
//	text := words.Format("unmatched '%c' in line %d", ')', 3)
//	words.Reset() // text must not be read from here on
type Words struct {
	bytes []byte
}

// keptWords bounds the bytes kept for the next file. A message with a name of megabytes must not
// hold its memory for ever.
const keptWords = 1 << 16

// Reset takes the memory of all texts back.
func (w *Words) Reset() {
	if w.bytes = w.bytes[:0]; cap(w.bytes) > keptWords {
		w.bytes = nil
	}
}

// Format returns a text, valid until Reset. format has %s for a string, %d for an int,
// and %c or %04X for a rune or a byte. It is fmt.Sprintf without its allocations: one
// for the text and one for each argument, in a linter that has no others.
func (w *Words) Format(format string, args ...any) string {
	start := len(w.bytes)
	for {
		at := strings.IndexByte(format, '%')
		if at < 0 {
			break
		}
		w.bytes = append(w.bytes, format[:at]...)
		verb := format[at+1]
		if format = format[at+2:]; verb == '0' { // of 04X
			verb, format = 'X', format[len("4X"):]
		}
		w.append(verb, args[0])
		args = args[1:]
	}
	w.bytes = append(w.bytes, format...)
	return View(w.bytes[start:])
}

func (w *Words) append(verb byte, arg any) {
	number := 0
	switch arg := arg.(type) {
	case string:
		w.bytes = append(w.bytes, arg...)
		return
	case int:
		number = arg
	case rune:
		number = int(arg)
	case byte:
		number = int(arg)
	default:
		panic("pytext: a text has an argument of another type")
	}
	switch verb {
	case 'd':
		w.bytes = strconv.AppendInt(w.bytes, int64(number), 10)
	case 'c':
		w.bytes = utf8.AppendRune(w.bytes, rune(number))
	case 'X':
		const digits = "0123456789ABCDEF"
		shift := 12
		for number>>shift > 0xf {
			shift += 4
		}
		for ; shift >= 0; shift -= 4 {
			w.bytes = append(w.bytes, digits[number>>shift&0xf])
		}
	default:
		panic("pytext: a text has another verb")
	}
}
