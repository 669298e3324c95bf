// Package fix mends what the linter finds in a program, by edits that are proven to keep its
// meaning.
//
//	fixer, err := fix.New(lint.DefaultOptions())
//	if err != nil {
//		return err
//	}
//	result := fixer.FixFile("spam.py", data)
//	os.Stdout.Write(result.Text)
//	for _, left := range result.Left {
//		fmt.Println(left.Finding.Row, left.Finding.Code, left.Why)
//	}
//
// # What stands
//
// A code has a generator, which makes edits from a finding, the tokens and the tree. An edit
// stands only if all of these hold:
//
//   - The text after it parses. Its tree is the same, and its comments are the same but for
//     blanks and hashes (an edit of layout); or the judge knows it for the same program, by
//     its normal form or by what the finding asks for (see packages guard and rewrite).
//   - The finding is gone, and no code has more findings than before.
//
// So nothing depends on a generator being right. It may propose what it likes. With
// [Fixer.Unsafe], passes follow in which an edit stands too if a run does not refute it.
//
// # Passes
//
// A pass makes all edits of layout at once, and proves them once, for the whole text. Then it
// does the same with those that a rule has to prove. What they bring about, such as rows
// that do not line up any more, is mended before the findings are counted. Where a proof
// fails, it names lines, and the proposals there are halved until the bad ones are alone, see
// try.go. Passes go on until one changes nothing. So a second run changes nothing.
//
// The work is bounded by what is linted and proven: 200 times the text's length. Few files come near that;
// one that does is fixed as far as that goes, and a second run may go on.
package fix
