package lint

import (
	"sort"
	"strings"

	"codelinter/internal/noqa"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// Sizes are those that flake8 prints for --benchmark.
type Sizes struct {
	LogicalLines, PhysicalLines, Tokens int
}

// PhysicalLine returns what flake8 calls the physical line of a row that has findings:
// its first and last row, and its text. The line begins with the first token after an
// NL or NEWLINE and ends with the next NL or NEWLINE. So a string in triple quotes is
// within one line, and each row between brackets is a line of its own. A row without
// tokens has none, nor has a text that does not tokenize: first is 0.
func (r *Result) PhysicalLine(row int32) (first, last int32, text string) {
	l := r.linter
	if l == nil || row < 1 {
		return 0, 0, ""
	}
	if first, last = l.lineOf(row); first == 0 || first > row {
		return 0, 0, ""
	}
	return first, last, l.file.Text[l.file.LineStart(int(first)):l.file.LineStart(int(last)+1)]
}

// lineOf returns the first and last row of the line that has a row's tokens or, for a row
// without tokens, the line after it. It returns zeros if there is no such line.
func (l *Linter) lineOf(row int32) (first, last int32) {
	if !l.tokenized {
		return 0, 0
	}
	tokens := l.tokens
	end := sort.Search(len(tokens), func(i int) bool { return tokens[i].Row >= row })
	for end < len(tokens) && !endsLine(tokens[end].Kind) {
		end++
	}
	if end == len(tokens) {
		return 0, 0
	}
	start := end
	for start > 0 && !endsLine(tokens[start-1].Kind) {
		start--
	}
	for tokens[start].Kind == tokenizer.DEDENT {
		start++
	}
	return tokens[start].Row, tokens[end].Row
}

// RunsPlugins reports whether flake8 has plugins check the text: it is Python, and no comment
// exempts it.
func (r *Result) RunsPlugins() bool {
	return r.linter != nil && !r.linter.failed && !r.linter.facts.Exempt
}

// Silences reports whether a "# noqa" silences a plugin's findings of a code in a row.
func (r *Result) Silences(row int32, code rule.Code) bool {
	l := r.linter
	if l.comment < 0 { // there is none, or the options disable them
		return false
	}
	first, last := r.NoqaRows(row)
	if first == 0 {
		return false
	}
	line := l.file.Text[l.file.LineStart(int(first)):l.file.LineStart(int(last)+1)]
	letters := letterScan{text: line, lower: -1, upper: -1}
	at := nextNoqa(&letters, 0)
	if at < 0 {
		return false
	}
	codes := noqa.Codes(line[at+len("# noqa"):])
	for prefix := range strings.FieldsFuncSeq(codes, noqa.IsSeparator) {
		if strings.HasPrefix(code.String(), prefix) {
			return true
		}
	}
	return codes == ""
}

// Sizes returns the text's sizes. Of one that a comment exempts or that is not Python they are its
// rows alone, as flake8 has read no tokens. Of one whose tokens end in an error, flake8 counts
// the tokens before it and forgets the logical lines.
func (r *Result) Sizes() Sizes {
	l := r.linter
	rows := int32(l.file.Lines())
	sizes := Sizes{PhysicalLines: int(rows)}
	if l.facts.Exempt || l.unparsed {
		return sizes
	}
	if !l.tokenized {
		sizes.Tokens = len(l.tokens)
		return sizes
	}
	depth, pending := 0, 0 // open brackets, tokens since the last logical line
	for _, token := range l.tokens {
		if token.Row > rows {
			break
		}
		sizes.Tokens++
		pending++
		depth += token.Kind.Nesting()
		switch kind := token.Kind; {
		case depth != 0 || !endsLine(kind):
		case kind == tokenizer.NL && pending == 1: // an empty row
			pending = 0
		default:
			sizes.LogicalLines++
			pending = 0
		}
	}
	if pending > 0 {
		sizes.LogicalLines++
	}
	return sizes
}
