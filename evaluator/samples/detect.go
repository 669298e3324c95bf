package samples

import (
	"bytes"
	"encoding/json"
)

// A shape is what the start of a file looks like: a format, or Auto if none, and
// whether the rows are the items of a list and not lines.
type shape struct {
	format Format
	list   bool
}

// detect tells the shape of a file from its head, by the names of the first
// object's fields. sure is false if more of the file might say otherwise.
func detect(head []byte) (s shape, sure bool) {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), blanks)
	if len(head) == 0 {
		return shape{format: JSONL}, false // no samples at all
	}
	s.format = Auto
	if head[0] == '[' {
		s.list = true
		head = bytes.TrimLeft(head[1:], blanks)
		if len(head) == 0 {
			return shape{BigCode, true}, false
		}
		if head[0] == '[' || head[0] == ']' {
			return shape{BigCode, true}, true
		}
	}
	if head[0] != '{' {
		return s, true
	}
	s.format = JSONL // which then says what is missing
	whole := eachField(head, func(key string, _ []byte) bool {
		switch key {
		case "outputs":
			s.format, sure = JSONL, true
		case "doc", "doc_id", "resps", "filtered_resps":
			s.format, sure = LMEval, true
		case "data":
			s.format, sure = Submission, true
		case "solution":
			s.format, sure = EvalPlus, true
		case "task_id", "completion": // a solution may follow
			s.format = HumanEval
		}
		return !sure
	})
	return s, sure || whole
}

const blanks = " \t\r\n"

// eachField calls f for the fields of the object that text begins with, until it
// returns false. The value is nil if the text ends within it. whole tells whether
// the object was read to its end; only brackets and quotes are looked at.
func eachField(text []byte, f func(key string, value []byte) bool) (whole bool) {
	if len(text) == 0 || text[0] != '{' {
		return false
	}
	at := 1
	for first := true; ; first = false {
		at = skipBlanks(text, at)
		switch {
		case at == len(text):
			return false
		case text[at] == '}':
			return true
		case !first:
			if text[at] != ',' {
				return false
			}
			at = skipBlanks(text, at+1)
		}
		if at == len(text) || text[at] != '"' {
			return false
		}
		end := valueEnd(text, at)
		if end < 0 {
			return false
		}
		raw := text[at:end]
		key := string(raw[1 : len(raw)-1])
		if bytes.IndexByte(raw, '\\') >= 0 && json.Unmarshal(raw, &key) != nil {
			return false
		}
		at = skipBlanks(text, end)
		if at == len(text) || text[at] != ':' {
			return false
		}
		at = skipBlanks(text, at+1)
		end = valueEnd(text, at)
		if end < 0 {
			f(key, nil)
			return false
		}
		if !f(key, text[at:end]) {
			return false
		}
		at = end
	}
}

func skipBlanks(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t') {
		at++
	}
	return at
}

// valueEnd returns the end of the JSON value that begins at text[at], or -1 if
// the text ends before it.
func valueEnd(text []byte, at int) int {
	depth := 0
	for ; at < len(text); at++ {
		switch text[at] {
		case '"':
			for at++; ; at++ {
				next := bytes.IndexAny(text[min(at, len(text)):], `"\`)
				if next < 0 {
					return -1
				}
				if at += next; text[at] == '"' {
					break
				}
				at++ // what is escaped
			}
			if depth == 0 {
				return at + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return at
			}
			if depth--; depth == 0 {
				return at + 1
			}
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return at
			}
		}
	}
	return -1
}
