package lint

import (
	"sort"

	"codelinter/tokenizer"
)

// Counts are the sizes of a file as flake8 counts them for its --benchmark.
type Counts struct {
	LogicalLines, PhysicalLines, Tokens int
}

// PhysicalLine returns what flake8 calls the physical line of a row of the file
// that was last linted and that has findings: the rows from first to last, and
// their text. They are all rows from the first token after an NL or NEWLINE up
// to the next NL or NEWLINE. A string in triple quotes is within one such line;
// each row between brackets is one of its own. Rows without tokens have none,
// nor have those of a text that does not tokenize: first is 0.
func (l *Linter) PhysicalLine(row int32) (first, last int32, text string) {
	if !l.tokenized || row < 1 {
		return 0, 0, ""
	}
	tokens := l.tokens
	end := sort.Search(len(tokens), func(i int) bool { return tokens[i].Row >= row })
	for end < len(tokens) && !endsLine(tokens[end].Kind) {
		end++
	}
	if end == len(tokens) {
		return 0, 0, ""
	}
	start := end
	for start > 0 && !endsLine(tokens[start-1].Kind) {
		start--
	}
	for tokens[start].Kind == tokenizer.DEDENT {
		start++
	}
	if tokens[start].Row > row {
		return 0, 0, ""
	}
	first, last = tokens[start].Row, tokens[end].Row
	return first, last, l.file.Text[l.file.LineStart(int(first)):l.file.LineStart(int(last)+1)]
}

// Counts returns the sizes of the file that was last linted. One that a comment
// exempts as a whole is its rows alone.
func (l *Linter) Counts() Counts {
	rows := int32(l.file.Lines())
	counts := Counts{PhysicalLines: int(rows)}
	if exempt, _ := findNoqa(l.file.Text); exempt && !l.options.DisableNoqa || !l.tokenized {
		return counts
	}
	depth, pending := 0, 0 // open brackets, tokens since the last logical line
	for _, token := range l.tokens {
		if token.Row > rows {
			break
		}
		counts.Tokens++
		pending++
		switch kind := token.Kind; {
		case kind.IsOpener():
			depth++
		case kind.IsCloser():
			depth--
		case depth != 0 || !endsLine(kind):
		case kind == tokenizer.NL && pending == 1: // an empty row
			pending = 0
		default:
			counts.LogicalLines++
			pending = 0
		}
	}
	if pending > 0 {
		counts.LogicalLines++
	}
	return counts
}
