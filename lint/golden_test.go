package lint

import (
	"bytes"
	"encoding"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codelinter/rule"
)

// goldens is the folder of our own Python files and of what the real flake8
// printed for them; its README says how they are laid out. Nothing here writes
// to it.
const goldens = "../testdata/flake8-golden"

// A section is what flake8 printed for a golden under one set of options.
type section struct {
	options []string
	lines   []string // "1:80: E501 line too long (80 > 79 characters)"
	dies    bool     // flake8 ended with a traceback
}

// A golden is one Python file and its recorded output.
type golden struct {
	name     string // "E501_2", "broken/E999"
	source   []byte
	sections []section                  // of the newest release
	older    map[rule.Release][]section // of the releases that print something else
}

// newest is the release whose output stands in NAME.out.
var newest = rule.Releases()[len(rule.Releases())-1]

// of returns what a release printed.
func (g *golden) of(release rule.Release) []section {
	if sections, differs := g.older[release]; differs {
		return sections
	}
	return g.sections
}

// code returns the code that the golden is named for: E501 for E501_urls_in_docstring.
func (g *golden) code() string {
	code, _, _ := strings.Cut(path.Base(g.name), "_")
	return code
}

// nearMiss reports whether the golden must not give the code of its name.
func (g *golden) nearMiss() bool {
	_, rest, _ := strings.Cut(path.Base(g.name), "_")
	return rest == "ok" || strings.HasPrefix(rest, "ok_")
}

// prints reports whether flake8 printed code in the section.
func (s *section) prints(code string) bool {
	return slices.ContainsFunc(s.lines, func(line string) bool { return codeOf(line) == code })
}

// has reports whether option is given in the section, with or without a value.
func (s *section) has(option string) bool {
	return slices.ContainsFunc(s.options, func(o string) bool { return strings.HasPrefix(o, option) })
}

// codeOf returns the code of a line of output.
func codeOf(line string) string { return strings.Fields(line)[1] }

// readGoldens reads all goldens.
func readGoldens(t testing.TB) []golden {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(goldens, "*", "*.py"))
	if err != nil || len(names) < 100 {
		t.Fatalf("%d goldens in %s: %v", len(names), goldens, err)
	}
	var all []golden
	for _, name := range names {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		output, err := os.ReadFile(strings.TrimSuffix(name, ".py") + ".out")
		if err != nil {
			t.Fatal(err)
		}
		g := golden{
			name:     path.Join(filepath.Base(filepath.Dir(name)), strings.TrimSuffix(filepath.Base(name), ".py")),
			source:   source,
			sections: parseOutput(t, name, string(output)),
			older:    map[rule.Release][]section{},
		}
		for _, release := range rule.Releases() {
			other, err := os.ReadFile(olderOutput(name, release))
			switch {
			case os.IsNotExist(err):
			case err != nil:
				t.Fatal(err)
			case release == newest || string(other) == string(output):
				t.Errorf("%s is not needed: flake8 %v prints what stands in the .out", olderOutput(name, release), release)
			default:
				g.older[release] = parseOutput(t, name, string(other))
			}
		}
		all = append(all, g)
	}
	return all
}

// olderOutput is where what a release prints for a golden stands, if it is not what the
// newest prints.
func olderOutput(name string, release rule.Release) string {
	return strings.TrimSuffix(name, ".py") + "." + release.String() + ".out"
}

// parseOutput reads the sections of an .out file.
func parseOutput(t testing.TB, name, output string) []section {
	t.Helper()
	var sections []section
	for line := range strings.Lines(output) {
		line = strings.TrimSuffix(line, "\n")
		if options, ok := strings.CutPrefix(line, "$ flake8"); ok {
			sections = append(sections, section{options: strings.Fields(options)})
		} else if strings.HasPrefix(line, "[dies] ") && len(sections) > 0 {
			sections[len(sections)-1].dies = true
		} else if line != "" {
			if len(sections) == 0 {
				t.Fatalf("%s: its .out does not begin with options", name)
			}
			last := &sections[len(sections)-1]
			last.lines = append(last.lines, line)
		}
	}
	if len(sections) == 0 {
		t.Fatalf("%s: its .out is empty", name)
	}
	return sections
}

// parseOptions turns flake8's arguments, as options.txt and the pages of
// package rule have them, into Options. The argument "-" sets stdin.
func parseOptions(arguments []string) (options Options, stdin bool, err error) {
	options = DefaultOptions()
	list := func(value string) []string {
		if value == "" {
			return []string{}
		}
		return strings.Split(value, ",")
	}
	for _, argument := range arguments {
		name, value, _ := strings.Cut(argument, "=")
		switch option := optionNamed(&options, name).(type) {
		case *[]string:
			*option = list(value)
		case *int:
			*option, err = strconv.Atoi(value)
		case *bool:
			*option = true
		case encoding.TextUnmarshaler: // of a version
			err = option.UnmarshalText([]byte(value))
		default:
			if stdin = argument == "-"; !stdin {
				err = fmt.Errorf("unknown option %s", argument)
			}
		}
		if err != nil {
			return options, stdin, err
		}
	}
	return options, stdin, nil
}

// optionNamed returns where the option of a name is, or nil.
func optionNamed(o *Options, name string) any {
	return map[string]any{
		"--select": &o.Select, "--ignore": &o.Ignore, "--extend-select": &o.ExtendSelect, "--extend-ignore": &o.ExtendIgnore,
		"--max-line-length": &o.MaxLineLength, "--max-doc-length": &o.MaxDocLength, "--indent-size": &o.IndentSize,
		"--hang-closing": &o.HangClosing, "--max-complexity": &o.MaxComplexity, "--builtins": &o.Builtins,
		"--doctests": &o.Doctests, "--disable-noqa": &o.DisableNoqa, "--flake8-version": &o.Release, "--target-version": &o.Target,
	}[name]
}

// linters hands out one Linter for each set of options, so that the tests see
// Linters that have linted other files before.
type linters map[string]*Linter

// lint returns what we print for a file called name under flake8's arguments.
func (l linters) lint(t testing.TB, arguments []string, name string, source []byte) []string {
	t.Helper()
	options, stdin, err := parseOptions(arguments)
	if err != nil {
		t.Fatal(err)
	}
	key := strings.Join(arguments, " ")
	linter := l[key]
	if linter == nil {
		if linter, err = New(options); err != nil {
			t.Fatal(err)
		}
		l[key] = linter
	}
	var lines []string
	for _, f := range linter.Lint(Input{Name: name, Data: source, Stdin: stdin}).Findings {
		lines = append(lines, fmt.Sprintf("%d:%d: %s %s", f.Row, f.Column, f.Code, f.Message()))
	}
	return lines
}

// sortTies returns the lines with those at one row and column in the order of
// their text, as flake8's own order there follows a hash.
func sortTies(lines []string) []string {
	lines = slices.Clone(lines)
	place := func(line string) string { return line[:strings.Index(line, " ")] }
	for i := 0; i < len(lines); {
		j := i + 1
		for j < len(lines) && place(lines[j]) == place(lines[i]) {
			j++
		}
		slices.Sort(lines[i:j])
		i = j
	}
	return lines
}

// A gap is a group of goldens, or of pages of package rule, that we know not to
// match flake8 yet.
type gap struct {
	pattern string // of path.Match: "broken/*", "rule/E902"
	open    bool   // one that fits the pattern was seen to differ
}

// readGaps reads the list of known gaps, which may only shrink.
func readGaps(t testing.TB) []gap {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(goldens, "gaps.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var gaps []gap
	for line := range strings.Lines(string(text)) {
		if pattern := strings.Fields(line)[0]; pattern != "#" {
			gaps = append(gaps, gap{pattern: pattern})
		}
	}
	return gaps
}

// excuse reports whether the golden or page called name, which differs from
// flake8, may do so.
func excuse(gaps []gap, name string) bool {
	for i := range gaps {
		if fits, _ := path.Match(gaps[i].pattern, name); fits {
			gaps[i].open = true
			return true
		}
	}
	return false
}

// We print what each release of flake8 prints on the newest CPython of its time, for every
// golden under all of its options.
func TestGoldens(t *testing.T) {
	linters, gaps := linters{}, readGaps(t)
	for _, golden := range readGoldens(t) {
		t.Run(golden.name, func(t *testing.T) {
			source := bytes.Clone(golden.source)
			for _, release := range rule.Releases() {
				version := "--flake8-version=" + release.String()
				for _, section := range golden.of(release) {
					if section.dies {
						continue // where flake8 has no answer, ours are its findings but for the fault: docs/compatibility.md
					}
					got := linters.lint(t, append([]string{version}, section.options...), path.Base(golden.name)+".py", source)
					diff := cmp.Diff(sortTies(section.lines), sortTies(got))
					if diff != "" && !excuse(gaps, golden.name) {
						t.Errorf("%s %s\n(-flake8 +ours)\n%s", version, strings.Join(section.options, " "), diff)
					}
				}
			}
			if !bytes.Equal(source, golden.source) {
				t.Error("linting changed the file's bytes")
			}
		})
	}
	for _, gap := range gaps {
		if !gap.open && !strings.HasPrefix(gap.pattern, "rule/") {
			t.Errorf("gaps.txt: %s is no gap any more, take it out", gap.pattern)
		}
	}
}

// Each .py of the goldens has its .out and the reverse, and each pattern of
// options.txt and the recorded options belong together.
func TestNoOrphanGolden(t *testing.T) {
	table, err := os.ReadFile(filepath.Join(goldens, "options.txt"))
	if err != nil {
		t.Fatal(err)
	}
	outputs, err := filepath.Glob(filepath.Join(goldens, "*", "*.out"))
	if err != nil {
		t.Fatal(err)
	}
	for _, output := range outputs {
		name := strings.TrimSuffix(output, ".out")
		for _, release := range rule.Releases() {
			name = strings.TrimSuffix(name, "."+release.String())
		}
		if _, err := os.Stat(name + ".py"); err != nil {
			t.Errorf("%s has no Python file", output)
		}
	}
	for _, golden := range readGoldens(t) { // fails where the .out is missing
		var want, got []string
		for line := range strings.Lines(string(table)) {
			fields := strings.Fields(line)
			if fields[0] == "#" {
				continue
			}
			fits, err := path.Match(fields[0], path.Base(golden.name)+".py")
			if err != nil {
				t.Fatal(err)
			}
			if fits {
				want = append(want, strings.Join(fields[1:], " "))
			}
		}
		for _, release := range rule.Releases() {
			got = got[:0]
			for _, section := range golden.of(release) {
				got = append(got, strings.Join(section.options, " "))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: its .out of flake8 %v and options.txt differ, record it again\n(-options.txt +.out)\n%s", golden.name, release, diff)
			}
		}
	}
}

// Every code is printed for some golden that is named for it, and has a near
// miss that does not give it although it is on.
func TestGoldensCoverEveryCode(t *testing.T) {
	all := readGoldens(t)
	for described := range rule.Codes() {
		if !rule.Release(0).Has(described) {
			continue // the goldens are those of the default release
		}
		code, option := described.String(), described.Rule().Option
		// Where F407 would be given, Python 3.14 has a SyntaxError: E999.
		printed, missed := described == rule.F407, false
		for _, golden := range all {
			if golden.code() != code {
				continue
			}
			if !golden.nearMiss() {
				printed = printed || slices.ContainsFunc(golden.sections, func(s section) bool { return s.prints(code) })
				continue
			}
			// The code is on in the first section, which is the same for all
			// goldens named for codes of that letter, or else where its option
			// is given.
			for at, section := range golden.sections {
				on := at == 0
				if option != "" && !golden.sections[0].has(option) {
					on = section.has(option)
				}
				if on && section.prints(code) {
					t.Errorf("%s is a near miss but gives its code", golden.name)
				}
				missed = missed || on
			}
		}
		if !printed {
			t.Errorf("no golden named for %s gives it", code)
		}
		if !missed {
			t.Errorf("%s has no near miss", code)
		}
	}
}
