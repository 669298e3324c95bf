// Package extract extracts the code from a model's completion, exactly by the official rules of
// CodeLinterEval: a fence that those rules miss is missed here too.
//
//	code := extract.Code("Here it is:\n```python\nx = 1\n```\n")
//	code.Text // "\nx = 1\n"
//
// # The rules
//
// If there are closed blocks, they all count. A closed block is between an
// opening fence, which is a line "```LANG", and the next line that begins with
// "```". Otherwise, if there is an opening fence, everything after it counts:
// the model ran into its limit of tokens. If there is no opening fence, the
// whole text is the code. In the first two cases the code is "\n" and then the
// blocks whose LANG is exactly "python", joined with "\n". It is "\n" alone if
// all blocks are in other languages.
//
// # What follows from them
//
// The benchmark searches with two regular expressions in Python. Their edge cases are part of its
// verdict:
//
//   - LANG is one or more of Python's \w (letters and digits of any script, and
//     "_") and "-", and the line ends right after it. A bare "```", "```python "
//     with a blank, "```c++", "````python", an indented fence and a fence before
//     "\r\n" open nothing. A text with "\r\n" has no blocks, so all of it is
//     linted, fences included.
//   - LANG is case-sensitive and has no aliases: "py", "Python" and "python3" are
//     other languages, and their blocks are dropped.
//   - A line begins at the start of the text and after "\n", and nowhere else.
//   - The closing fence need only begin its line: "```", "```python" and "````"
//     all close. The rest of that line is outside and opens nothing. So of two
//     blocks with one fence line between them the second is lost.
//   - The line after the opening fence always belongs to the block, even if it is
//     "```". So an empty block extends to the next fence, and fences do not nest.
//   - Without a closed block, the open block starts at the first opening fence. A
//     second opening fence can only be the line right below it, as a later one
//     would close the first. It is then part of the code.
//   - A block left open after a closed one is dropped.
//
// Python's \w depends on the Unicode version of the Python that runs it; here it
// is CPython 3.14's.
//
// Time is linear in the text's length.
package extract

import (
	"strings"
	"unicode/utf8"

	"codelinter/internal/python/characters"
)

// A Place is the place of the code in a completion.
type Place uint8

const (
	Whole  Place = iota // no opening fence: the whole text
	Closed              // between opening and closing fences
	Open                // after an opening fence that nothing closes
)

// String returns "whole", "closed" or "open".
func (p Place) String() string { return [...]string{Whole: "whole", Closed: "closed", Open: "open"}[p] }

// A Completion is what [Code] found in a completion.
type Completion struct {
	// Text is the code to lint. It shares the completion's memory unless
	// several python blocks had to be joined.
	Text   string
	Place  Place
	Blocks int // blocks in any language; 0 where Place is Whole
	Python int // blocks whose language is exactly "python"
}

const (
	fence  = "```"
	python = "python"
)

// Code returns the code in a completion.
func Code(text string) Completion {
	// The byte before a block is the "\n" of its opening fence, so one block
	// with that byte is the code already. Only a second Python block copies
	// anything.
	var c Completion
	var few [4]string // so that most answers need no allocation
	blocks := few[:0]
	keep := func(lang string, start, end int) {
		c.Blocks++
		if lang == python {
			c.Text = text[start-1 : end]
			blocks = append(blocks, c.Text)
		}
	}

	for at := 0; ; {
		lang, start, ok := opening(text, at)
		if !ok {
			break
		}
		end := fenceLine(text, start+1) // the line at start always belongs to the block
		if end < 0 {
			// Nothing closes this block or a later one.
			if c.Blocks == 0 {
				c.Place = Open
				keep(lang, start, len(text))
			}
			break
		}
		c.Place = Closed
		keep(lang, start, end)
		at = end + len(fence)
	}
	switch c.Python = len(blocks); {
	case c.Blocks == 0:
		c.Text = text
	case c.Python == 0:
		c.Text = "\n"
	case c.Python > 1:
		c.Text = strings.Join(blocks, "")
	}
	return c
}

// opening returns the language of the first opening fence at or after at, and
// the offset of the line below it.
func opening(text string, at int) (lang string, start int, ok bool) {
	for {
		if at = fenceLine(text, at); at < 0 {
			return "", 0, false
		}
		at += len(fence)
		end := at + language(text[at:])
		if end > at && end < len(text) && text[end] == '\n' {
			return text[at:end], end + 1, true
		}
		at = end
	}
}

// fenceLine returns the offset of the first line at or after at that begins with a fence,
// or -1.
func fenceLine(text string, at int) int {
	for at = indexFence(text, at); at > 0 && text[at-1] != '\n'; at = indexFence(text, at+len(fence)) {
	}
	return at
}

// indexFence returns the offset of the first fence at or after at, or -1. It looks for
// backticks, as few programs have any: looking for newlines took three times as long.
func indexFence(text string, at int) int {
	for at < len(text) {
		n := strings.IndexByte(text[at:], fence[0])
		if n < 0 {
			break
		}
		if at += n; strings.HasPrefix(text[at:], fence) {
			return at
		}
		at++
	}
	return -1
}

// language returns the length of a possible language name at the start of text.
func language(text string) int {
	if strings.HasPrefix(text, python+"\n") { // as in most answers
		return len(python)
	}
	for at := 0; at < len(text); {
		r, size := rune(text[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[at:])
		}
		if !characters.IsWord(r) && r != '-' {
			return at
		}
		at += size
	}
	return len(text)
}
