// Package fix repairs findings of the linter by edits that are proven to keep the program's
// meaning.
//
//	fixer, err := fix.New(lint.Options{})
//	if err != nil {
//		return err
//	}
//	result := fixer.FixFile("spam.py", data)
//	os.Stdout.Write(result.Text)
//	for _, left := range result.Remaining {
//		fmt.Println(left.Finding.Row, left.Finding.Code, left.Reason)
//	}
//
// # When an edit is kept
//
// Each code has a generator, which makes edits from a finding, the tokens and the tree. An
// edit is kept only if all of these hold:
//
//   - The new text parses. For an edit of layout, its tree is the same, and its comments are
//     the same but for blanks and hashes. For other edits, the judge proves that the program is
//     the same, or another only in what the finding asks for (see packages guard and same).
//   - The finding is gone, and no code has more findings than before.
//
// So a generator may be wrong. With [Fixer.Unsafe], further passes also keep edits that a run
// does not refute.
//
// # Passes
//
// A pass makes all edits of layout at once, and proves them once, for the whole text. Then it
// does the same with the edits that a rule must prove. Findings that edits cause, such as
// rows that no longer line up, are repaired before findings are counted. If a proof fails, it
// names lines, and the proposals there are halved until the bad ones are alone, see try.go.
// Passes are repeated until one changes nothing, so a second run changes nothing.
//
// A text is linted once, and one that edits made only in the lines that they may change, see
// lint.Edited. If an edit of layout keeps the tokens, the tree is the same, and its findings have
// only moved: the new text is parsed only if a later edit needs the tree. The judge compares the
// trees that the linter has parsed. It is asked before the rules run, so a refused edit costs no
// lint.
//
// The text that is linted and proven is bounded by 200 times the text's length. Few files
// come near this bound. For such a file the fix is incomplete, and a second run may continue
// it.
package fix
