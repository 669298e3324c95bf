package fix

import (
	"strings"

	"codelinter/rule"
	"codelinter/tokenizer"
)

// plainString removes the prefix f of a string without fields. One stays that would become a
// docstring, or that is part of an annotation, whose text may be read.
func plainString(s *analysis, finding *rule.Finding, _ *Fixer) []Edit {
	if s.isDocPlace(finding.Start) || s.isAnnotation(finding.Start) {
		return nil
	}
	var edits []Edit
	for i := s.tokenAt(finding.Start); i < len(s.tokens) && s.tokens[i].Start < finding.End; i++ {
		switch t := &s.tokens[i]; t.Kind {
		case tokenizer.FSTRING_START:
			text := t.Text(s.text)
			at := strings.IndexAny(text, "fF")
			edits = append(edits, Edit{t.Start + int32(at), t.Start + int32(at) + 1, ""})
		case tokenizer.FSTRING_MIDDLE: // no token has the second brace of a pair
			if end := t.End; end < int32(len(s.text)) && (s.text[end-1] == '{' || s.text[end-1] == '}') && s.text[end] == s.text[end-1] {
				edits = append(edits, Edit{end, end + 1, ""})
			}
		}
	}
	return edits
}
