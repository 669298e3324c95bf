package flake8

import (
	"slices"
	"strings"

	"codelinter/internal/python/pytext"
	"codelinter/lint"
)

// A fileIgnores leaves out codes in the files that a pattern matches.
type fileIgnores struct {
	Pattern string
	Codes   []string
}

// parseFileIgnores reads the value of --per-file-ignores: patterns, a colon,
// codes, and so on, separated by commas and blanks. flake8 recognises codes by
// their form, capitals and digits:
//
//	tests/*,docs/*:E501,W605  setup.py:E402
//
// Patterns without codes that are followed by another colon are an error. A
// colon without patterns before it is allowed.
func parseFileIgnores(value string) ([]fileIgnores, error) {
	if strings.TrimFunc(value, pytext.IsSpace) == "" {
		return nil, nil
	}
	var (
		all             []fileIgnores
		patterns, codes []string
		separated       = true
		behindColon     = false
	)
	end := func() {
		if codes != nil {
			for _, pattern := range patterns {
				all = append(all, fileIgnores{pattern, codes})
			}
		}
		patterns, codes, behindColon = nil, nil, false
	}
	for rest := value; rest != ""; {
		kind, token, size := cutFileIgnores(rest)
		rest = rest[size:]
		switch {
		case kind == ',':
			separated = true
			continue
		case kind == ':' && !behindColon:
			behindColon, separated = true, true
			continue
		case !separated || kind == ':':
			return nil, fileIgnoresError(value)
		case kind == 'E' && behindColon:
			codes = append(codes, token)
		case kind == 'f':
			if behindColon {
				end()
			}
			patterns = append(patterns, token)
		default:
			return nil, fileIgnoresError(value)
		}
		separated = false
	}
	if !behindColon {
		return nil, fileIgnoresError(value)
	}
	end()
	return all, nil
}

// cutFileIgnores returns the first token of text: 'E' for a code, 'f' for a
// possible file, ':' for a colon and ',' for a separator, with blanks around.
func cutFileIgnores(text string) (kind byte, token string, size int) {
	if size = strings.IndexFunc(text, func(r rune) bool { return r == ':' || r == ',' || pytext.IsSpace(r) }); size < 0 {
		size = len(text)
	}
	if size > 0 {
		token = text[:size]
		digits := strings.TrimLeft(token, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
		if digits != token && strings.Trim(digits, "0123456789") == "" && !strings.HasPrefix(text[size:], ":") {
			return 'E', token, size
		}
		return 'f', token, size
	}
	rest := strings.TrimLeftFunc(text, pytext.IsSpace)
	kind = ','
	if rest != "" && (rest[0] == ':' || rest[0] == ',') {
		kind = rest[0]
		rest = strings.TrimLeftFunc(rest[1:], pytext.IsSpace)
	}
	return kind, "", len(text) - len(rest)
}

func fileIgnoresError(value string) error {
	lines := strings.SplitAfter(strings.TrimFunc(value, pytext.IsSpace), "\n")
	for i, line := range lines {
		if strings.TrimFunc(line, pytext.IsSpace) != "" {
			lines[i] = "    " + line
		}
	}
	return &executionError{"Expected `per-file-ignores` to be a mapping from file exclude patterns to ignore codes.\n\n" +
		"Configured `per-file-ignores` setting:\n\n" + strings.Join(lines, "")}
}

// A guide lints some of the files: flake8's StyleGuide.
type guide struct {
	pattern patterns // one, or none for all files
	length  int      // of the pattern: the longest that matches counts
	linter  *lint.Linter
}

// newGuides returns the guides for files, the one for any file first.
func newGuides(options lint.Options, all []fileIgnores) ([]guide, error) {
	linter, err := lint.New(options)
	if err != nil {
		return nil, err
	}
	guides := []guide{{linter: linter}}
	same := map[string]*lint.Linter{} // by the codes they ignore: a list may name very many files
	for _, ignores := range all {
		ignored := strings.Join(ignores.Codes, ",")
		if same[ignored] == nil {
			options := options
			options.ExtendIgnore = slices.Concat(options.ExtendIgnore, ignores.Codes)
			if same[ignored], err = lint.New(options); err != nil {
				return nil, err
			}
		}
		pattern := normalizePath(ignores.Pattern, ".")
		guides = append(guides, guide{compile([]string{pattern}), len([]rune(pattern)), same[ignored]})
	}
	return guides, nil
}

// guideFor returns the index of the guide for a file: the one with the longest
// pattern that matches the file's last name or absolute path, the first of
// equally long ones.
func (f *files) guideFor(name string) int {
	if len(f.guides) == 1 {
		return 0
	}
	best := 0
	last, whole := base(name), absoluteFrom(f.folder, name)
	for i := 1; i < len(f.guides); i++ {
		g := &f.guides[i]
		if g.length > f.guides[best].length &&
			(last != "." && last != ".." && g.pattern.match(last) || g.pattern.match(whole)) {
			best = i
		}
	}
	return best
}
