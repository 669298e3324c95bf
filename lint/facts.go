package lint

// Facts are what a Linter knows about a file beside its findings.
type Facts struct {
	// Silenced reports whether a "# noqa" or "# flake8: noqa" took a finding
	// away: whether flake8 would print more with --disable-noqa. A comment that
	// silences nothing does not count.
	Silenced bool
	// Exempt reports whether a "# flake8: noqa" exempts the whole file, even if there
	// is nothing to silence.
	Exempt bool
	// NoqaLine is the line, from 1, of the comment that exempts the file, else of
	// the first that took a finding away; 0 where none did either. For standard
	// input that does not tokenize it is a line of what was saved, see
	// [Linter.LintStdin].
	NoqaLine int
	// Encoding is the encoding of the file's coding cookie, as it is spelt there,
	// whether Python knows it or not; "" for UTF-8 and for a file without a cookie. It is valid as long as the
	// file's bytes are unchanged.
	Encoding string
	// FellBack reports whether the file's bytes are not in the encoding that
	// its cookie or byte order mark says, or that is not known, so that flake8
	// reads the bytes as latin-1.
	FellBack bool
}

// Facts returns what is known of the file that was last linted. The findings
// stay valid.
//
// A file that a comment exempts as a whole is not checked until Facts asks what
// the comment has silenced: for such a file the call takes as long as the lint of
// any other, and needs the file's bytes unchanged.
func (l *Linter) Facts() Facts {
	if l.unchecked {
		l.unchecked = false
		l.check(l.name, false)
		l.silenced = len(l.findings) > 0 || l.dropped > 0
		l.findings = l.findings[:0]
		l.forget()
	}
	return Facts{Silenced: l.silenced, Exempt: l.exempt, NoqaLine: l.noqaLine, Encoding: l.file.Encoding, FellBack: l.file.FellBack}
}
