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

// advise warns of options that probably do not mean what the user intended. The error is one in the
// lists of codes for single files.
func (c *Command) advise(s *settings) error {
	c.adviseOfConfig(s)
	ignores, err := parseFileIgnores(s.perFileIgnores)
	if err != nil {
		return err
	}
	if s.quiet == 0 && !isFormat(s.format) && !slices.Contains(s.pluginFormats, s.format) && !strings.Contains(s.format, "%") {
		advice := "a template has parts such as %(path)s"
		if name := didyoumean.Of(strings.ToLower(s.format), formatNames()...); name != "" {
			advice = "did you mean " + name + "?"
		}
		c.warnf("--format: there is no format %q, so this text is printed for each finding; %s", s.format, advice)
	}
	c.warnOfSelected(s, "--select", s.lint.Select)
	c.warnOfSelected(s, "--extend-select", s.lint.ExtendSelect)
	c.warnOfSelected(s, "--enable-extensions", s.extensions)
	c.warnOfIgnored(s, "--ignore", s.lint.Ignore)
	c.warnOfIgnored(s, "--extend-ignore", s.lint.ExtendIgnore)
	for _, files := range ignores {
		c.warnOfIgnored(s, "--per-file-ignores", files.Codes)
	}
	return nil
}

// adviseOfConfig warns of keys and values in configuration files.
func (c *Command) adviseOfConfig(s *settings) {
	for _, key := range s.unknown {
		if meant := keyMeant(key); meant != "" {
			c.warnf("configuration: there is no option %q; did you mean %s?", key, meant)
		}
	}
	for _, refused := range s.refused {
		c.warnf("configuration: %s is ignored, as flake8 ignores it: %v", refused.key, refused.reason)
	}
	for _, commented := range s.commented {
		c.warnf("configuration: %s: %s", commented.option.long(), aboutComment(commented.comment))
	}
}

// aboutComment explains that a comment is none.
func aboutComment(comment string) string {
	const most = 40
	if runes := []rune(comment); len(runes) > most {
		comment = string(runes[:most-3]) + "..."
	}
	return fmt.Sprintf("%q is a part of the value, as comments need rows of their own; --allow-inline-comments reads it as a comment", comment)
}

func (c *Command) warn(err error) { c.warnf("%v", err) }

// warnf prints a warning, once a run.
func (c *Command) warnf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if c.quiet || c.warned[text] {
		return
	}
	if c.warned == nil {
		c.warned = map[string]bool{}
	}
	c.warned[text] = true
	fmt.Fprintf(c.Stderr, "%s: warning: %s\n", c.Name, text)
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

// warnOfSelected warns of selected codes that no finding can have: codes of plugins, in one line,
// and codes that do not exist.
func (c *Command) warnOfSelected(s *settings, option string, codes []string) {
	var plugins []string // the codes, and whose they are
	for _, code := range codes {
		switch first, end := rule.Span(code); {
		case s.lint.Release.HasPrefix(code) || s.hasPlugin(code):
		case first < end:
			c.warnf("%s: flake8 %v has no code %s", option, s.lint.Release, code)
		case !lint.IsCodePrefix(code):
			c.warnOfIgnored(s, option, []string{code})
		case strings.IndexByte("EWF", code[0]) >= 0 && len(strings.TrimRight(code, "0123456789")) == 1:
			c.warnf("%s: there is no code %s", option, code)
		default:
			if name := pluginName(code); name != "" {
				code += " (" + name + ")"
			}
			plugins = append(plugins, code)
		}
	}
	if plugins != nil {
		c.warnf("%s: codes of plugins: %s; codelinter has E, W, F and C90", option, strings.Join(plugins, ", "))
	}
}

// hasPlugin reports whether a plugin has the code, or codes that begin with it.
func (s *settings) hasPlugin(code string) bool {
	return slices.ContainsFunc(s.lint.Plugins(), func(name string) bool { return strings.HasPrefix(name, code) || strings.HasPrefix(code, name) })
}

// warnOfIgnored warns of ignored texts that cannot be codes of flake8 or of any plugin. A comment
// among the codes has had its warning.
func (c *Command) warnOfIgnored(s *settings, option string, codes []string) {
	if slices.ContainsFunc(s.commented, func(k commentedKey) bool { return k.option.title() == option }) {
		return
	}
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
