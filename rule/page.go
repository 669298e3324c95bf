package rule

import (
	"embed"
	"strings"
)

// pages holds one Markdown file a code. A page reads, in this order:
//
//	# E501 overlong-line
//
//	Options: --max-line-length=60
//
//	## What it flags
//	## Why
//	## Bad
//	## Good
//	## Options
//	## Notes
//
// The Options line and the last two headings are left out if they would be
// empty. The Options line is for machines. It holds flake8's options under
// which the bad example gives this code and no other, and the good example
// gives nothing. Every E and W code is selected as well, and every F and C code
// if the page is of one. The option "-" means that the examples are read from
// standard input.
//
// Bad and Good each hold one fenced block. F407 has none, as nothing gives it
// under Python 3.14. In a block fenced as python the lines are used as they
// are. In one fenced as python-escaped these escapes are used for characters
// that cannot be seen, or that an editor would not keep:
//
//	\s a blank   \t a tab   \f a form feed   \r a carriage return
//	\\ a backslash   \z the end of the file, with no newline before it
//
//go:embed pages/*.md
var pages embed.FS

// Documentation is a rule's page, taken apart.
type Documentation struct {
	Title    string   // "E501 overlong-line"
	Options  []string // flake8's options under which the examples hold
	Bad      string   // Python that gives this code and no other
	Good     string   // Python that gives nothing
	Markdown string   // the whole page
}

// Page returns the documentation of a rule, and false if it has none.
func Page(code Code) (Documentation, bool) {
	text, err := pages.ReadFile("pages/" + code.String() + ".md")
	if err != nil {
		return Documentation{}, false
	}
	page := Documentation{Markdown: string(text)}
	heading := ""
	for rest := page.Markdown; rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		fence, fenced := strings.CutPrefix(line, "```")
		switch {
		case strings.HasPrefix(line, "# "):
			page.Title = line[len("# "):]
		case strings.HasPrefix(line, "## "):
			heading = line[len("## "):]
		case strings.HasPrefix(line, "Options: "):
			page.Options = strings.Fields(line[len("Options: "):])
		case fenced:
			var body string
			body, rest, _ = strings.Cut(rest, "```\n")
			if fence == "python-escaped" {
				body = unescape(body)
			}
			switch heading {
			case "Bad":
				page.Bad = body
			case "Good":
				page.Good = body
			}
		}
	}
	return page, true
}

// unescape reads a block fenced as python-escaped.
func unescape(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		switch text[i] {
		case 's':
			b.WriteByte(' ')
		case 't':
			b.WriteByte('\t')
		case 'f':
			b.WriteByte('\f')
		case 'r':
			b.WriteByte('\r')
		case 'z':
			return b.String()
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}
