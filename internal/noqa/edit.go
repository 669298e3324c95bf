package noqa

import (
	"hash/fnv"
	"io"
	"slices"
	"sort"
	"strings"

	"codelinter/internal/python/pytext"
	"codelinter/source"
	"codelinter/tokenizer"
)

// An Edit replaces a part of a text.
type Edit struct {
	Start, End int32
	New        string
}

// Apply returns the edited text. Edits are sorted and do not overlap.
func Apply(text string, edits []Edit) string {
	var out strings.Builder
	at := int32(0)
	for _, e := range edits {
		out.WriteString(text[at:e.Start])
		out.WriteString(e.New)
		at = e.End
	}
	out.WriteString(text[at:])
	return out.String()
}

// Unused returns the edits that remove what comments have and do not need: comments that silence
// nothing, codes that nothing in their rows begins with, and codes that stand twice. isKnown
// reports whether there is a rule that a code means; other codes may be of a linter that is not
// running, and stay. What else a comment says stays too.
//
//	import os  # noqa: F401,E501            import os  # noqa: F401
//	x = 1  # type: ignore # noqa: E501      x = 1  # type: ignore
//	x = 1  # noqa: E501 - because           x = 1  # because
func Unused(text string, tokens []tokenizer.Token, reports []Report, isKnown func(code string) bool) (edits []Edit) {
	rows := newRows(reports)
	spans := formatted(tokens)
	eachComment(tokens, func(token tokenizer.Token, first int32) {
		c, found := match(text, token)
		if !found || isInside(spans, token.Start) {
			return
		}
		rows.look(first, token.Row)
		kept := map[string]bool{}
		isUnused := func(code string) bool {
			if kept[code] || isKnown(code) && !rows.haveBeginning(code) {
				return true
			}
			kept[code] = true
			return false
		}
		switch codes := c.without(isUnused); {
		case c.codes == "" && len(rows.found) == 0 || c.codes != "" && codes == "":
			edits = append(edits, c.removal(text))
		case codes != c.codes:
			end := c.start + int32(len("#")+len(c.noqa)+len(c.sep))
			edits = append(edits, Edit{end, end + int32(len(c.codes)), codes})
		}
	})
	return edits
}

// NamesOther reports whether the noqa of a comment has a code that is not known, see [Unused].
func NamesOther(said string, isKnown func(code string) bool) bool {
	c, _ := match(said, tokenizer.Token{Kind: tokenizer.COMMENT, End: int32(len(said))})
	return slices.ContainsFunc(c.list(), func(code string) bool { return !isKnown(code) })
}

// A span is a range of offsets.
type span struct{ start, end int32 }

// formatted returns the f- and t-strings with all that is in them, in order. A comment in one can
// be a part of its value, and is an error before CPython 3.12.
//
//	f"{spam =  # noqa
//	}"
func formatted(tokens []tokenizer.Token) (spans []span) {
	depth := 0
	for i := range tokens {
		switch tokens[i].Kind {
		case tokenizer.FSTRING_START, tokenizer.TSTRING_START:
			if depth++; depth == 1 {
				spans = append(spans, span{start: tokens[i].Start})
			}
		case tokenizer.FSTRING_END, tokenizer.TSTRING_END:
			if depth--; depth == 0 {
				spans[len(spans)-1].end = tokens[i].End
			}
		}
	}
	return spans
}

// isInside reports whether an offset is inside one of the spans.
func isInside(spans []span, offset int32) bool {
	i := sort.Search(len(spans), func(i int) bool { return spans[i].end > offset })
	return i < len(spans) && spans[i].start < offset
}

// without returns the codes without some of them, or "" if none remain. The others keep the blanks
// and commas before them.
func (c *comment) without(isUnused func(code string) bool) string {
	var out strings.Builder
	rest, lead := c.codes, ""
	for {
		bare := strings.TrimLeftFunc(rest, IsSeparator)
		before := rest[:len(rest)-len(bare)]
		if out.Len() == 0 && lead == "" {
			lead = before // of the first code, whatever that will be
		}
		if bare == "" {
			if out.Len() > 0 {
				out.WriteString(before)
			}
			return out.String()
		}
		end := strings.IndexFunc(bare, IsSeparator)
		if end < 0 {
			end = len(bare)
		}
		if !isUnused(bare[:end]) {
			if out.Len() == 0 {
				before = lead
			}
			out.WriteString(before + bare[:end])
		}
		rest = bare[end:]
	}
}

// removal returns the edit that removes what the expression matches, and keeps what else the
// comment says. Of a comment that says nothing else, the blanks before it and an empty row go too.
func (c *comment) removal(text string) Edit {
	before := strings.TrimRight(text[c.token.Start:c.start], " \t")
	after := strings.TrimLeft(text[c.end:c.token.End], " \t,;:-")
	hasBefore := strings.Trim(before, "#: \t") != ""
	from := c.start
	if !hasBefore {
		from = c.token.Start
	}
	to := c.token.End - int32(len(after))
	switch {
	case after != "" && after[0] == '#':
		return Edit{from, to, ""}
	case after != "":
		return Edit{from, to, "# "}
	case hasBefore:
		return Edit{c.token.Start + int32(len(before)), to, ""}
	}
	code := strings.TrimRight(text[:from], " \t\f")
	if code == "" || code[len(code)-1] == '\n' {
		end := to
		if strings.HasPrefix(text[to:], "\n") {
			end++
		}
		return Edit{int32(len(code)), end, ""}
	}
	return Edit{int32(len(code)), to, ""}
}

// A Want is a finding to silence. First and Last are the rows of the line that flake8 searches for
// its comment; zeros if there is none.
type Want struct {
	First, Last int32
	Code        string
}

// A Reason says why a comment cannot silence a finding.
type Reason string

// The reasons.
const (
	NoRow    Reason = "in rows in which no comment has an effect"
	IsBlank  Reason = "in blank rows, which a comment would make other rows (fix repairs them)"
	IsHead   Reason = "in a row for the system (#!)"
	InString Reason = "in rows with a string that says # noqa"
	InFormat Reason = "in rows that end within an f-string"
	NoEffect Reason = "in rows with a comment that has no effect on them"
	NotACode Reason = "with a code that a comment cannot name"
)

// Silence returns the edits that silence findings: a comment at the end of each line, or more codes
// in the one that is there. why has a reason for each finding that it leaves, and is "" for the
// others.
//
//	x=1                    x=1  # noqa: E225
//	x=1;  # noqa: E225     x=1;  # noqa: E225,E703
func Silence(file *source.File, tokens []tokenizer.Token, wants []Want) (edits []Edit, why []Reason) {
	why = make([]Reason, len(wants))
	spans := formatted(tokens)
	byLine := map[Want][]int{}
	for i, w := range wants {
		if why[i] = refusal(file, spans, &w); why[i] == "" {
			byLine[Want{w.First, w.Last, ""}] = append(byLine[Want{w.First, w.Last, ""}], i)
		}
	}
	for line, indices := range byLine {
		var codes []string
		for _, i := range indices {
			codes = append(codes, wants[i].Code)
		}
		slices.Sort(codes)
		edit, reason := silence(file, tokens, line, slices.Compact(codes))
		if reason == "" {
			edits = append(edits, edit)
		}
		for _, i := range indices {
			why[i] = reason
		}
	}
	slices.SortFunc(edits, func(a, b Edit) int { return int(a.Start) - int(b.Start) })
	return edits, why
}

// refusal returns the reason why no comment can be at the end of a line, or "".
func refusal(file *source.File, spans []span, w *Want) Reason {
	if w.First < 1 || int(w.Last) > file.Lines() {
		return NoRow
	}
	if isInside(spans, file.LineStart(int(w.Last)+1)-1) {
		return InFormat
	}
	if codes := codesAt(w.Code); codes != w.Code || strings.Trim(codes, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" {
		return NotACode
	}
	switch row := file.Line(int(w.Last)); {
	case pytext.TrimSpace(row) == "":
		return IsBlank
	case w.Last == 1 && strings.HasPrefix(row, "#!"):
		return IsHead
	}
	return ""
}

// silence returns the edit for a line.
func silence(file *source.File, tokens []tokenizer.Token, line Want, codes []string) (Edit, Reason) {
	text := file.Text
	start, end := file.LineStart(int(line.First)), file.LineStart(int(line.Last)+1)
	if at := Index(text[start:end]); at >= 0 {
		at := start + int32(at)
		i := sort.Search(len(tokens), func(i int) bool { return tokens[i].End > at })
		if i == len(tokens) || tokens[i].Kind != tokenizer.COMMENT {
			return Edit{}, InString
		}
		said := text[at+int32(len("# noqa")) : tokens[i].End]
		there := Codes(said)
		if there == "" || slices.ContainsFunc(strings.FieldsFunc(there, IsSeparator), func(code string) bool { return slices.Contains(codes, code) }) {
			return Edit{}, NoEffect
		}
		last := tokens[i].End - int32(len(said)) + int32(strings.Index(said, there)+len(strings.TrimRightFunc(there, IsSeparator)))
		return Edit{last, last, "," + strings.Join(codes, ",")}, ""
	}
	row := strings.TrimSuffix(text[file.LineStart(int(line.Last)):end], "\n")
	blanks := len(row) - len(strings.TrimRight(row, " \t"))
	at := file.LineStart(int(line.Last)) + int32(len(row))
	return Edit{at, at, strings.Repeat(" ", max(0, 2-blanks)) + "# noqa: " + strings.Join(codes, ",")}, ""
}

// Digest returns a hash of what a text says to Python: of its tokens without comments.
func Digest(text string, tokens []tokenizer.Token) uint64 {
	h := fnv.New64a()
	for _, t := range tokens {
		if !t.Kind.IsIgnored() {
			h.Write([]byte{byte(t.Kind)})
			if t.Kind != tokenizer.NEWLINE {
				io.WriteString(h, t.Text(text))
			}
		}
	}
	return h.Sum64()
}
