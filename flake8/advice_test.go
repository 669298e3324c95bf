package flake8_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codelinter/flake8"
)

// advised runs the command line on a file with one finding, in a folder with a tox.ini, and
// returns what it says on standard error.
func advised(t *testing.T, config string, args ...string) (stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{"tox.ini": config, "a.py": "x=1\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var out, said bytes.Buffer
	code := flake8.Main(context.Background(), flake8.Command{
		Name: "flake8", Args: append(args, "a.py"), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &said,
	})
	if want := flake8.ExitFound; code != want {
		t.Errorf("exit code %d, want %d: %s", code, want, &said)
	}
	return out.String(), said.String()
}

// Slips in configuration are said on standard error, with what was meant, and change
// nothing else.
func TestAdvice(t *testing.T) {
	const found = "a.py:1:2: E225 missing whitespace around operator\n"
	for _, test := range []struct {
		config string
		args   string
		stdout string
		says   string
	}{
		{"max-line-lenght = 2", "", found, `there is no option "max-line-lenght"; did you mean max-line-length?`},
		{"max_line_lengh = 2", "", found, "did you mean max-line-length?"},
		{"max_line-length = 2", "", found, "did you mean max-line-length?"},
		{"Ignores = E225", "", found, "did you mean ignore?"},
		{"extend-slect = E225", "", found, "did you mean extend-select?"},
		{"per-file-ignore = a.py:E225", "", found, "did you mean per-file-ignores?"},
		{"requires-plugins = x", "", found, "did you mean require-plugins?"},
		{"exclud = a.py", "--quiet", "a.py\n", "did you mean exclude?"},
		{"", "--format=jsn", "jsn\n", `there is no format "jsn", so this text is printed for each finding; did you mean json?`},
		{"", "--format=Sarif", "Sarif\n", "did you mean sarif?"},
		{"format = pylnt", "", "pylnt\n", "did you mean pylint?"},
		{"", "--format=checkstyle", "checkstyle\n", "a template has parts such as %(path)s"},
		{"", "--ignore=E5O1", found, "--ignore: 'E5O1' is not a code, nor the beginning of one; did you mean E501?"},
		{"", "--extend-ignore=e2", found, "did you mean E2?"},
		{"", "--select=E225,E50l", found, "did you mean E501?"},
		{"", "--select=E225,F4OI:", found, "did you mean F401?"},
		{"", "--select=E225,E599", found, "--select: there is no code E599"},
	} {
		stdout, stderr := advised(t, "[flake8]\n"+test.config+"\n", strings.Fields(test.args)...)
		if stdout != test.stdout || !strings.Contains(stderr, test.says) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%q, %q: %q, %q", test.config, test.args, stdout, stderr)
		}
	}
}

// Codes of plugins are named in one line, and each warning comes once a run, whatever the number of
// files and workers. --no-warnings prints none, on the command line and as a key.
func TestWarningsOnce(t *testing.T) {
	const found = "a.py:1:2: E225 missing whitespace around operator\n"
	const config = "[flake8]\nselect = E,B,B9,D1,C4\nmax-line-lenght = 3\n"
	stdout, stderr := advised(t, config, "--jobs=4", "a.py", "a.py")
	if want := "flake8: warning: configuration: there is no option \"max-line-lenght\"; did you mean max-line-length?\n" +
		"flake8: warning: --select: codes of plugins: B (flake8-bugbear), B9 (flake8-bugbear), D1 (flake8-docstrings), " +
		"C4 (flake8-comprehensions); codelinter has E, W, F and C90\n"; stderr != want || stdout != strings.Repeat(found, 3) {
		t.Errorf("%q, %q, want %q", stdout, stderr, want)
	}
	for _, quiet := range []struct{ config, arg string }{{config, "--no-warnings"}, {config + "no-warnings = true\n", "-v"}} {
		if _, stderr := advised(t, quiet.config, quiet.arg); strings.Contains(stderr, "warning") {
			t.Errorf("%q: %q", quiet.arg, stderr)
		}
	}
}

// A comment behind a value is a part of it, as in flake8. The message about the value says so.
// --allow-inline-comments reads it as a comment, on the command line and as a key.
func TestInlineComments(t *testing.T) {
	const found = "a.py:1:2: E225 missing whitespace around operator\n"
	const about = " is a part of the value, as comments need rows of their own; --allow-inline-comments reads it as a comment\n"
	for _, test := range []struct {
		config string
		stdout string
		stderr string
	}{
		{"ignore = W2, # blanks", "", `flake8: error: Error code '#' supplied to 'ignore' option does not match '^[A-Z]{1,3}[0-9]{0,3}$'; "# blanks"` + about},
		{"ignore =\n    W2,  # blanks\n    # of their own\n    W3\n", "", `flake8: error: Error code '#' supplied to 'ignore' option does not match '^[A-Z]{1,3}[0-9]{0,3}$'; "# blanks"` + about},
		{"max-line-length = 100 ; wide", "", `flake8: error: invalid literal for int() with base 10: '100 ; wide'; "; wide"` + about},
		{"select = E  # errors", found, `flake8: warning: configuration: select: "# errors"` + about},
		{"extend-exclude = b.py #c.py", found, `flake8: warning: configuration: extend-exclude: "#c.py"` + about},
		{"target-version = 3.12  # ours", found, `flake8: warning: configuration: target-version is ignored, as flake8 ignores it: target version "3.12  # ours": ` +
			`expected 3.10, 3.11, 3.12, 3.13, 3.14, 3.15; "# ours"` + about},
		{"extend-exclude = b#.py,a;b", found, ""},
		{"plugins-key = a # b", found, ""},
		{"format = %(path)s # %(code)s", "a.py # E225\n", ""},
	} {
		stdout, stderr := advised(t, "[flake8]\n"+test.config+"\n")
		if stdout != test.stdout || stderr != test.stderr {
			t.Errorf("%q: %q, %q, want %q, %q", test.config, stdout, stderr, test.stdout, test.stderr)
		}
		if strings.HasPrefix(test.config, "format") {
			continue
		}
		for _, allowed := range []struct{ config, arg string }{{test.config, "--allow-inline-comments"}, {test.config + "\nallow-inline-comments = yes", "-q"}} {
			stdout, stderr := advised(t, "[flake8]\n"+allowed.config+"\n", allowed.arg)
			if stdout != found && stdout != "a.py\n" || stderr != "" {
				t.Errorf("%q, %s: %q, %q", allowed.config, allowed.arg, stdout, stderr)
			}
		}
	}
}

// Keys that plugins have, and what flake8 knows, are no slips.
func TestNoAdvice(t *testing.T) {
	for _, key := range strings.Fields(`
		application-import-names application-package-names ban-relative-imports banned-modules builtins-ignorelist
		classmethod-decorators copyright-check copyright-regexp coroutines-allowed dictionaries docstring-convention
		docstring-quotes doctest eradicate-aggressive exclude-from-doctest extend-immutable-calls filename_check
		force-check ignore-decorators ignore-names ignore-names-in-class import-order-style
		import-restrictions include include-in-doctest inline-quotes isort-show-traceback known-modules
		mypy-init-return max-annotations-complexity max-base-classes max-cognitive-complexity max-decorators
		max-expression-complexity max-function-length max-imports max-local-variables
		max-lines-in-finally max-methods max-module-members max-name-length max-parameters-amount
		max-returns max-returns-amount max-string-length max-string-usages max-try-body-length min-name-length
		min-python-version multiline-quotes nested-classes-whitelist no-accept-encodings parametrize-names-type
		pytest-fixture-no-parentheses rst-directives rst-roles spellcheck-targets staticmethod-decorators
		strictness style suppress-none-returning tab-width type-checking-strict verbose
		anything`) {
		if _, stderr := advised(t, "[flake8]\n"+key+" = x\n"); stderr != "" {
			t.Errorf("%s: %q", key, stderr)
		}
	}
	for _, args := range []string{"--format=%(path)s", "--format=default", "--format=DEFAULT", "-q --format=jsn", "--ignore=D100,B008,WPS4,E999", "--extend-ignore=C"} {
		if _, stderr := advised(t, "", strings.Fields(args)...); stderr != "" {
			t.Errorf("%s: %q", args, stderr)
		}
	}
}

// A configuration that is larger than any is an error, and no part of it counts.
func TestLargeConfig(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{"a.py": "x=1\n", "tox.ini": "[flake8]\nignore = E225\n" + strings.Repeat("# comment\n", 5<<20/10)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var out, said bytes.Buffer
	code := flake8.Main(context.Background(), flake8.Command{
		Name: "flake8", Args: []string{"a.py"}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &said,
	})
	if code != flake8.ExitFound || out.Len() > 0 || !strings.Contains(said.String(), "expected a configuration file of 4 MiB at most, found a larger one") {
		t.Errorf("%d: %q, %q", code, &out, &said)
	}
}
