package flake8

import (
	"fmt"
	"slices"
	"strings"

	"codelinter/lint"
	"codelinter/rule"
)

// flake8 takes a configuration that means nothing without a word: keys that no option
// has, as a plugin may have them; codes that do not exist; and names of formats that are
// none, which are templates. What is probably a slip is said here on standard error.
// Nothing else changes.

// advise warns of what is probably not meant.
func (c *Command) advise(s *settings, ignores []FileIgnores) {
	for _, key := range s.unknown {
		if meant := keyMeant(key); meant != "" {
			c.warnf("configuration: there is no option %q; did you mean %s?", key, meant)
		}
	}
	if s.quiet == 0 && !isFormat(s.format) && !strings.Contains(s.format, "%") {
		advice := "a template has parts such as %(path)s"
		if name := nearest(strings.ToLower(s.format), formatNames()); name != "" {
			advice = "did you mean " + name + "?"
		}
		c.warnf("--format: there is no format %q, so this text is printed for each finding; %s", s.format, advice)
	}
	c.warnOfSelected(s.lint.Release, "--select", s.lint.Select)
	c.warnOfSelected(s.lint.Release, "--extend-select", s.lint.ExtendSelect)
	c.warnOfSelected(s.lint.Release, "--enable-extensions", s.extensions)
	c.warnOfIgnored("--ignore", s.lint.Ignore)
	c.warnOfIgnored("--extend-ignore", s.lint.ExtendIgnore)
	for _, files := range ignores {
		c.warnOfIgnored("--per-file-ignores", files.Codes)
	}
}

func (c *Command) warnf(format string, args ...any) {
	fmt.Fprintf(c.Stderr, "%s: warning: %s\n", c.Name, fmt.Sprintf(format, args...))
}

// keyMeant returns the key of a configuration file that was probably meant by one that
// flake8 does not know, "" if there is none.
func keyMeant(key string) string {
	dashed := strings.ReplaceAll(key, "_", "-")
	names := []string{"require-plugins", "enable-extensions"}
	if dashed == names[0] || dashed == names[1] || slices.Contains(pluginKeys, dashed) {
		return ""
	}
	for _, o := range options {
		if o.fromFile != nil {
			names = append(names, o.long())
		}
	}
	return nearest(dashed, names)
}

// pluginKeys are options of plugins that are as near to one of flake8's as a slip.
var pluginKeys = []string{"doctest", "formatter", "include"}

// isFormat reports whether a format has the name.
func isFormat(name string) bool { return isDefault(name) || slices.Contains(formatNames(), name) }

// warnOfSelected warns of selected codes that no finding can have: those of plugins, and
// those that do not exist.
func (c *Command) warnOfSelected(release rule.Release, option string, codes []string) {
	for _, code := range codes {
		switch first, end := rule.Span(code); {
		case release.HasPrefix(code):
		case first < end:
			c.warnf("%s: flake8 %v has no code %s", option, release, code)
		case !lint.IsCodePrefix(code):
			c.warnOfIgnored(option, []string{code})
		case strings.IndexByte("EWF", code[0]) >= 0 && len(strings.TrimRight(code, "0123456789")) == 1:
			c.warnf("%s: there is no code %s", option, code)
		default:
			c.warnf("%s: %s is of %s; codelinter has E, W, F and C90", option, code, pluginName(code))
		}
	}
}

// warnOfIgnored warns of what cannot be a code, whoever has it.
func (c *Command) warnOfIgnored(option string, codes []string) {
	for _, code := range codes {
		if lint.IsCodePrefix(code) {
			continue
		}
		advice := ""
		if meant := codeMeant(code); meant != "" {
			advice = "; did you mean " + meant + "?"
		}
		c.warnf("%s: %s is not a code, nor the beginning of one%s", option, pythonRepr(code), advice)
	}
}

// codeMeant returns the code that was probably meant, with letters that look like digits,
// in small letters or with a colon after it; "" if there is none.
func codeMeant(code string) string {
	code = strings.ToUpper(strings.Trim(code, ":;."))
	letters := strings.TrimLeft(code, "ABCDEFGHJKMNPQRSTUVWXYZ") // all but I, L and O
	meant := code[:len(code)-len(letters)] + strings.NewReplacer("O", "0", "I", "1", "L", "1").Replace(letters)
	if first, end := rule.Span(meant); first == end || meant == "" {
		return ""
	}
	return meant
}

// nearest returns the name that a word is probably a slip of, "" if there is none: it takes
// one change, or two in a long word. A change is a character more or less or another one,
// or two that changed places.
func nearest(word string, names []string) string {
	most := 1
	if len(word) >= 8 {
		most = 2
	}
	best := ""
	for _, name := range names {
		if n := changes(word, name, most); n <= most {
			best, most = name, n-1
		}
	}
	return best
}

// changes returns how many changes turn a into b, or more than most if these are more.
func changes(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	// Rows of the table of what turns a[:i] into b[:j]: this one and the two before.
	var rows [3][]int
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
	}
	for i := 0; i <= len(a); i++ {
		before2, before, row := rows[(i+1)%3], rows[(i+2)%3], rows[i%3]
		for j := 0; j <= len(b); j++ {
			switch {
			case i == 0:
				row[j] = j
			case j == 0:
				row[j] = i
			default:
				change := 1
				if a[i-1] == b[j-1] {
					change = 0
				}
				row[j] = min(before[j]+1, row[j-1]+1, before[j-1]+change)
				if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
					row[j] = min(row[j], before2[j-2]+1)
				}
			}
		}
	}
	return rows[len(a)%3][len(b)]
}
