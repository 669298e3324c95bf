package rule

import (
	"strconv"
	"strings"
)

// A Finding is one line of flake8's output, as data. Its message is rendered
// late, by [Finding.AppendMessage], from the template of its code.
type Finding struct {
	Row    int32 // from 1; 0 where a file could not be read
	Column int32 // from 1, as flake8 prints it
	Code   Code
	A, B   int32  // numbers for {a} and {b} in the code's template
	Text   string // text for {text} in the code's template

	// Shared is what {shared} stands for, or nil. A tells how many of its own
	// parts belong to the message, B how many of those around it.
	Shared *Shared
}

// Shared is a part of many findings' messages: the modules of a file's star
// imports, which pyflakes lists for each name that may come from one of them.
// Together such messages can be longer than the file by as much as it has lines,
// so what they have in common is kept once.
type Shared struct {
	Parts  []Part  // in the order in which they are shown
	Around *Shared // other parts, to be shown among these; or nil
}

// A Part is one of the texts in a [Shared], which are shown with ", " between
// them.
type Part struct {
	Text string
	At   int32 // in which place it came, from 0
}

// appendTo appends those of the parts that were the first a to come, and the
// first b around them.
func (s *Shared) appendTo(dst []byte, a, b int32) []byte {
	var around []Part
	if s.Around != nil && b > 0 {
		around = s.Around.Parts
	}
	own, first := s.Parts, true
	for {
		for len(own) > 0 && own[0].At >= a {
			own = own[1:]
		}
		for len(around) > 0 && around[0].At >= b {
			around = around[1:]
		}
		from := &own
		switch {
		case len(own) == 0 && len(around) == 0:
			return dst
		case len(own) == 0, len(around) > 0 && around[0].Text < own[0].Text:
			from = &around
		}
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = append(dst, (*from)[0].Text...)
		*from = (*from)[1:]
	}
}

// length returns how many bytes appendTo appends at most.
func (s *Shared) length(a, b int32) int {
	n := 0
	for _, part := range s.Parts {
		if part.At < a {
			n += len(part.Text) + len(", ")
		}
	}
	if s.Around != nil {
		n += s.Around.length(b, 0)
	}
	return n
}

// Clone returns the finding with texts of its own, which stay when whoever made
// the finding goes on to another file.
func (f *Finding) Clone() Finding {
	clone := *f
	clone.Text = strings.Clone(f.Text)
	if f.Shared != nil {
		text := string(f.Shared.appendTo(nil, f.A, f.B))
		clone.Shared, clone.A, clone.B = &Shared{Parts: []Part{{Text: text}}}, 1, 0
	}
	return clone
}

// AppendMessage appends the finding's message, without the code, to dst.
func (f *Finding) AppendMessage(dst []byte) []byte {
	template := Catalog[f.Code].Template
	for i := 0; i < len(template); i++ {
		if template[i] == '{' {
			switch {
			case hasAt(template, i, "{a}"):
				dst = strconv.AppendInt(dst, int64(f.A), 10)
				i += len("{a}") - 1
				continue
			case hasAt(template, i, "{b}"):
				dst = strconv.AppendInt(dst, int64(f.B), 10)
				i += len("{b}") - 1
				continue
			case hasAt(template, i, "{text}"):
				dst = append(dst, f.Text...)
				i += len("{text}") - 1
				continue
			case hasAt(template, i, "{shared}"):
				if f.Shared != nil {
					dst = f.Shared.appendTo(dst, f.A, f.B)
				}
				i += len("{shared}") - 1
				continue
			}
		}
		dst = append(dst, template[i])
	}
	return dst
}

// Length returns how many bytes the finding's texts have in a message.
func (f *Finding) Length() int {
	length := len(f.Text)
	if f.Shared != nil {
		length += f.Shared.length(f.A, f.B)
	}
	return length
}

func hasAt(s string, at int, part string) bool {
	return len(s)-at >= len(part) && s[at:at+len(part)] == part
}

// Message returns the finding's message, without the code.
func (f *Finding) Message() string { return string(f.AppendMessage(nil)) }
