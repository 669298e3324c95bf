package pep8

import (
	"codelinter/rule"
	"codelinter/source"
	"codelinter/tokenizer"
)

// A Span is some tokens of a text that edits have made of some tokens of an earlier text. Both
// begin where a logical line begins, after the end of the one before, and end where one ends.
type Span struct {
	OldFirst, OldEnd int // indexes of the first token, and after the last
	First, End       int
}

// Rows are some rows of a text, both included.
type Rows struct{ First, Last int }

// A place is the end of a logical line, and what the rules know there of the lines before. With it
// a check can begin in the middle of a file.
type place struct {
	begins                  int32 // index of the next token
	blankLines, blankBefore int32
	previousIndent          int32
	reach                   int32 // rows below the line that its findings depend on
	previous                summary
	unindentedDef           bool
	seenDocstring           bool
	seenNonImport           bool
}

func (c *Checker) place() place {
	return place{
		begins: int32(c.begins), blankLines: int32(c.blankLines), blankBefore: int32(c.blankBefore), previousIndent: int32(c.previousIndent), reach: c.reach,
		previous: c.previous, unindentedDef: c.unindentedDef, seenDocstring: c.seenDocstring, seenNonImport: c.seenNonImport,
	}
}

// resume continues at a place of the text before whose tokens have moved by shift.
func (c *Checker) resume(p place, shift int) {
	c.begins, c.blankLines, c.blankBefore, c.previousIndent = int(p.begins)+shift, int(p.blankLines), int(p.blankBefore), int(p.previousIndent)
	c.previous, c.unindentedDef, c.seenDocstring, c.seenNonImport = p.previous, p.unindentedDef, p.seenDocstring, p.seenNonImport
}

// Recheck is Check for a text that edits have made of another, which before has checked with the
// same options. tokens are old but for the spans, moved. It checks the lines of the spans, and
// those around them whose findings may depend on them: one line before, and the lines after until
// the rules know the same of the lines before as they did in the old text. It returns the findings
// there, and the rows of the old text in whose place they are. All other findings have only moved,
// if neither text has tabs, in whose place more of a file counts, or a E301 or E306 below a span,
// which depend on rows far above.
func (c *Checker) Recheck(file *source.File, tokens []tokenizer.Token, o Options, enabled *rule.Set, before *Checker, old []tokenizer.Token, spans []Span, findings []rule.Finding) ([]rule.Finding, []Rows) {
	c.reset(file, o, enabled, findings)
	c.setTokens(tokens)
	var checked []Rows
	r := recheck{Checker: c, places: before.places, old: old, spans: spans}
	for i := range r.places {
		if r.places[i].reach > 0 {
			r.far = append(r.far, i)
		}
	}
	for len(r.spans) > 0 {
		checked = append(checked, r.checkSpans())
	}
	r.keep(len(r.places))
	return c.finish(), checked
}

// A recheck is the state of Recheck.
type recheck struct {
	*Checker
	places []place // of the old text
	old    []tokenizer.Token
	spans  []Span // those left
	far    []int  // indexes of places whose lines have a reach
	kept   int    // places that are passed
	shift  int    // of tokens after the last span that is passed
}

// keep notes that the old places up to an index are places of the new text, moved.
func (r *recheck) keep(end int) {
	for ; r.kept < end; r.kept++ {
		p := r.places[r.kept]
		p.begins += int32(r.shift)
		r.Checker.places = append(r.Checker.places, p)
	}
}

// start returns how many places stand before the first line to check for a span: one line before
// it, or an earlier one whose findings depend on its rows.
func (r *recheck) start(span Span) int {
	n := r.kept
	for n < len(r.places) && int(r.places[n].begins) <= span.OldFirst {
		n++
	}
	n = max(n-1, 0)
	row := r.old[span.OldFirst].Row
	for _, i := range r.far {
		if i >= n {
			break
		}
		if i >= r.kept && r.old[r.places[i].begins-1].Row+r.places[i].reach >= row {
			return i
		}
	}
	return n
}

// checkSpans checks the next span, and those whose lines are reached before the rules know the same
// as in the old text.
func (r *recheck) checkSpans() (checked Rows) {
	start := max(r.start(r.spans[0]), r.kept)
	r.keep(start)
	from := place{}
	if start > 0 {
		from = r.places[start-1]
	}
	r.resume(from, r.shift)
	checked.First = int(r.old[from.begins].Row)
	for passed := false; r.begins < len(r.all); {
		lines := len(r.Checker.places)
		r.checkNext()
		for len(r.spans) > 0 && r.begins > r.spans[0].End {
			r.shift = r.spans[0].End - r.spans[0].OldEnd
			r.spans, passed = r.spans[1:], true
		}
		if passed && len(r.Checker.places) > lines && r.isSame() {
			checked.Last = int(r.old[r.places[r.kept-1].begins].Row) - 1
			return checked
		}
	}
	r.spans, r.kept = nil, len(r.places)
	checked.Last = int(r.old[len(r.old)-1].Row)
	return checked
}

// isSame reports whether the rules know the same of the lines before as at this place of the old
// text, and the next span is not near. Then that place is passed.
func (r *recheck) isSame() bool {
	at := int32(r.begins - r.shift)
	for r.kept < len(r.places) && r.places[r.kept].begins < at {
		r.kept++
	}
	now := r.place()
	now.begins = at
	if r.kept == len(r.places) || r.places[r.kept] != now || len(r.spans) > 0 && r.start(r.spans[0]) <= r.kept {
		return false
	}
	r.kept++
	return true
}
