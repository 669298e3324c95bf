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
