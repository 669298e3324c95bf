// Package extent finds the part of a file that a finding on a node is about. For most nodes it is
// the whole node. For a def, a class or an except it is the head, without the block below.
//
//	about := extent.Of(file.Text, node) // of def spam(eggs): ..., "def spam"
package extent

import (
	"unicode/utf8"

	"codelinter/ast"
)

// Of returns the part of the file's text that a finding on n is about. It begins where n begins.
//
//	def spam(eggs): ...       async def spam
//	class Spam(Eggs): ...     class Spam
//	except Spam as eggs: ...  except Spam as eggs
//	if (spam, eggs): ...      if (spam, eggs)
func Of(text string, n ast.Node) ast.Range {
	at := n.Bounds()
	switch n := n.(type) {
	case *ast.FunctionDef, *ast.AsyncFunctionDef, *ast.ClassDef:
		return Definition(text, at.Start)
	case *ast.If:
		at.End = n.Test.Bounds().End
	case *ast.ExceptHandler:
		at.End = Name(text, at.Start).End
		if n.Type != nil {
			at.End = n.Type.Bounds().End
		}
		if n.Name != "" {
			as := nextWord(text, at.End)
			at.End = nextWord(text, as.End).End
		}
	}
	return at
}

// Definition returns the words of a definition that begins at start, up to its
// name: "def spam", "async def spam", "class Spam".
func Definition(text string, start int32) ast.Range {
	word := Name(text, start)
	if text[word.Start:word.End] == "async" {
		word = nextWord(text, word.End)
	}
	return ast.Range{Start: start, End: nextWord(text, word.End).End}
}

// Name returns the name or keyword that begins at start, or an empty range if there is none.
func Name(text string, start int32) ast.Range {
	end := int(start)
	for end < len(text) && isNameByte(text[end]) {
		end++
	}
	return ast.Range{Start: start, End: int32(end)}
}

// nextWord returns the next name or keyword from an offset in the head of a
// compound statement on. Comments are skipped; there are no strings there.
func nextWord(text string, offset int32) ast.Range {
	at := int(offset)
	for at < len(text) && !isNameByte(text[at]) {
		if text[at] == '#' {
			for at < len(text) && text[at] != '\n' {
				at++
			}
			continue
		}
		at++
	}
	return Name(text, int32(at))
}

// isNameByte reports whether b is part of a name. In a file that Python parses,
// whatever is not ASCII is, outside of strings and comments.
func isNameByte(b byte) bool {
	return b >= utf8.RuneSelf || b == '_' || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}
