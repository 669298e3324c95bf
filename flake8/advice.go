package flake8

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"codelinter/internal/util/didyoumean"
	"codelinter/lint"
	"codelinter/rule"
)

// flake8 accepts some misspellings silently: unknown keys, which could belong to a plugin; codes
// that do not exist; and unknown formats, which it takes for templates. This file warns of probable
// misspellings on standard error. Nothing else changes.

// advise warns of options that probably do not mean what the user intended.
func (c *Command) advise(s *settings, ignores []fileIgnores) {
	for _, key := range s.unknown {
		if meant := keyMeant(key); meant != "" {
			c.warnf("configuration: there is no option %q; did you mean %s?", key, meant)
		}
	}
	if s.quiet == 0 && !isFormat(s.format) && !strings.Contains(s.format, "%") {
		advice := "a template has parts such as %(path)s"
		if name := didyoumean.Of(strings.ToLower(s.format), formatNames()...); name != "" {
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

func (c *Command) warn(err error) { c.warnf("%v", err) }

func (c *Command) warnf(format string, args ...any) {
	fmt.Fprintf(c.Stderr, "%s: warning: %s\n", c.Name, fmt.Sprintf(format, args...))
}

// synonyms are other linters' names for options.
var synonyms = map[string]string{
	"--config-file": "--config", "--output-format": "--format", "--stats": "--statistics", "-V": "--version", "-o": "--output-file",
}

// adviseUnknown warns of arguments that no option has but that probably mean one.
func (c *Command) adviseUnknown(arguments []string) {
	var names []string
	for _, o := range options {
		names = append(names, o.long())
	}
	for _, meant := range c.Meant {
		if own, is := strings.CutPrefix(meant, "--"); is {
			names = append(names, own)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for _, argument := range arguments {
		given, _, _ := strings.Cut(argument, "=")
		meant := cmp.Or(c.Meant[given], synonyms[given])
		if name, long := strings.CutPrefix(given, "--"); long && meant == "" {
			if option := didyoumean.Option(name, names...); option != "" {
				meant = "--" + option
			}
		}
		if meant != "" {
			c.warnf("there is no option %s; did you mean %s?", given, meant)
		}
	}
}

// keyMeant returns the key that was probably meant by an unknown key of a configuration file, or
// "".
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
	return didyoumean.Of(dashed, names...)
}

// pluginKeys are options of plugins that are as near to one of flake8's as a slip.
var pluginKeys = []string{"doctest", "formatter", "include"}

func isFormat(name string) bool { return isDefault(name) || slices.Contains(formatNames(), name) }

// warnOfSelected warns of selected codes that no finding can have: codes of plugins, and codes
// that do not exist.
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

// warnOfIgnored warns of ignored texts that cannot be codes of flake8 or of any plugin.
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

// codeMeant returns the code that was probably meant by a text with letters that look like digits,
// with small letters, or with a colon after it. It returns "" if there is none.
func codeMeant(code string) string {
	code = strings.ToUpper(strings.Trim(code, ":;."))
	letters := strings.TrimLeft(code, "ABCDEFGHJKMNPQRSTUVWXYZ") // all but I, L and O
	meant := code[:len(code)-len(letters)] + strings.NewReplacer("O", "0", "I", "1", "L", "1").Replace(letters)
	if first, end := rule.Span(meant); first == end || meant == "" {
		return ""
	}
	return meant
}
