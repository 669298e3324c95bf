package tokenizer

import (
	"strings"

	"codelinter/source"
)

// Name returns the name that Python's tokenize gives to the kind: OP for every
// operator.
func (k Kind) Name() string {
	if k.IsOp() {
		return "OP"
	}
	return kindNames[k]
}

var kindNames = [...]string{
	"ENDMARKER", "NAME", "NUMBER", "STRING", "NEWLINE", "INDENT", "DEDENT", "NL", "COMMENT",
	"FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END", "TSTRING_START", "TSTRING_MIDDLE", "TSTRING_END", "ERRORTOKEN",
}

// Info is a token as Python's tokenize.TokenInfo has it. Rows count from 1,
// columns from 0 in characters.
type Info struct {
	Kind              string
	String            string
	Row, Column       int
	EndRow, EndColumn int
	Line              string // the physical lines that hold the token
}

// Describe returns the token as Python's tokenize gives it. The token is of a non-strict stream
// over file's text.
//
// Two positions lie outside the text: an implied newline at the end of the text is one column wide,
// and the tokens after it are in a row of their own.
func Describe(file *source.File, token Token) Info {
	info := Info{Kind: token.Kind.Name(), String: token.Text(file.Text), Row: int(token.Row)}
	// Before 3.12 a last line of blanks alone is the row of what follows it.
	atEnd := (token.Kind == ENDMARKER || token.Kind == DEDENT) && strings.Trim(file.Text[token.Start:], " \t\f") == ""
	if atEnd || info.Row > file.Lines() {
		info.EndRow = info.Row
		return info
	}
	info.Column = file.Column(info.Row, token.Start)
	info.EndRow, info.EndColumn = info.Row, info.Column
	switch {
	case token.Kind == NEWLINE || token.Kind == NL && (info.String != "" || file.Target.Features().PEP701):
		info.EndColumn++
	case token.Kind == ERRORTOKEN && token.Flags&Multiline != 0:
		// A string that broke off: its last line, with the newline, is not in
		// Line.
		text := strings.TrimSuffix(info.String, "\n")
		info.EndRow += strings.Count(text, "\n")
		info.EndColumn = file.Column(info.EndRow, token.Start+int32(len(text))) + len(info.String) - len(text)
		info.Line = file.Text[file.LineStart(info.Row):file.LineStart(info.EndRow)]
		return info
	case token.Flags&Multiline != 0:
		info.EndRow += strings.Count(info.String, "\n")
		info.EndColumn = file.Column(info.EndRow, token.End)
	default:
		info.EndColumn = file.Column(info.Row, token.End)
	}
	if token.Kind == NEWLINE && info.String == "" && !file.Target.Features().PEP701 {
		return info
	}
	info.Line = file.Text[file.LineStart(info.Row):file.LineStart(info.EndRow+1)]
	return info
}
