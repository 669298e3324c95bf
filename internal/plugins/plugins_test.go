package plugins

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codelinter/flake8"
	"codelinter/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.RunChild()
	os.Exit(m.Run())
}

// flake8With runs flake8 with the plugins of testdata/site, as CPython 3.13 does.
func flake8With(t testing.TB, stdin string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	if sandbox.Version(sandbox.CPython) == "" || testing.Short() {
		t.Skip("there is no CPython in this binary, or no time to start it")
	}
	if args[0] != "--plugins" {
		args = append([]string{"--plugins", "../site"}, args...)
	}
	var out, errs bytes.Buffer
	code = flake8.Main(context.Background(), flake8.Command{
		Name: "flake8", Args: args,
		Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Plugins: Load,
	})
	return out.String(), errs.String(), code
}

// Each command of testdata/cases prints what the real flake8 printed, which
// testdata/record has recorded.
func TestFlake8(t *testing.T) {
	commands, err := os.ReadFile("testdata/cases")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(commands)), "\n")
	recorded, err := filepath.Glob("testdata/want/*")
	if err != nil || len(recorded) != len(lines) {
		t.Fatalf("%d commands, and the output of %d (%v)", len(lines), len(recorded), err)
	}
	t.Chdir("testdata/work")
	for i, line := range lines {
		want, err := os.ReadFile(fmt.Sprint("../want/", i+1))
		if err != nil {
			t.Fatal(err)
		}
		out, errs, code := flake8With(t, "", strings.Fields(line)...)
		if got := fmt.Sprintf("%sexit %d\n", out, code); got != string(want) {
			t.Errorf("%s\n%s\nwant\n%s\nstderr\n%s", line, got, want, errs)
		}
	}
}

// What a plugin does to a file is said, and the next file is checked as ever.
func TestMisbehaving(t *testing.T) {
	t.Chdir("testdata/work")
	dir := t.TempDir()
	write := func(name, what string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("# "+what+"\nimport os\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	clean := write("z.py", "nothing")
	for _, test := range []struct {
		what, out, errs string
		code            int
	}{
		{"loop", "F401", "the plugins did not check it: they used their ", 1},
		{"memory", "failed during execution due to MemoryError()", "", 1},
		{"exit", "F401", `"house-plugins[H9]" ended the interpreter: SystemExit(3)`, 1},
		{"interrupt", "failed during execution due to KeyboardInterrupt()", "", 1},
		{"fork", "failed during execution due to AttributeError(", "", 1},
		{"process", "failed during execution due to OSError(", "", 1},
		{"wrong", "failed during execution due to ", "", 1},
		{"empty", "failed during execution due to TypeError(", "", 1},
		{"die", "F401", "the plugins did not check it: the interpreter ended with 4", 1},
		{"print", "a plugin prints\n", "plugins wrote: and complains", 1},
		{"raise", `"house-plugins[H9]" failed during execution due to ValueError('nothing doing')` + "\nRun flake8 with greater verbosity to see more details\n", "", 1},
		{"tree", "H900 tree", "", 1},
		{"modules", "H900 modules", "", 1},
		{"file", "H901 FileNotFoundError", "", 1},
		{"access", "H903 False True", "", 1},
		{"network", "H902 gaierror", "", 1},
		{"chdir", "H900 chdir", "", 1},
		{"patch", "failed during execution due to ZeroDivisionError(", "", 1},
		{"deep", "failed during execution due to RecursionError(", "", 1},
		{"nested", "H900 nested", "", 1},
		{"forever", "F401", "the plugins did not check it: ", 1},
		{"codes", "F401", "expected findings of 500 codes at most, found ", 1},
		{"flood", "xxxxxxxxxx", "", 1},
		{"thread", "H900 thread", "", 1},
		{"types", "H905 a text", "", 1},
		{"surrogate", "H906", "", 1},
	} {
		t.Run(test.what, func(t *testing.T) {
			if test.what == "loop" || test.what == "forever" {
				defer func(n int64) { fileBudget = n }(fileBudget)
				fileBudget = 10_000_000 // the next file needs less than 2 million
			}
			bad := write(test.what+".py", test.what)
			out, errs, code := flake8With(t, "", "--isolated", "-j1", "--enable-extensions=H9", "--select=F,H9", bad, clean)
			if code != test.code || !strings.Contains(out, test.out) || !strings.Contains(errs, test.errs) || (errs == "") != (test.errs == "") {
				t.Errorf("exit code %d\n%s%s", code, out, errs)
			}
			if want := clean + ":1:1: H900 nothing\n" + clean + ":2:1: F401 'os' imported but unused\n"; !strings.HasSuffix(out, want) {
				t.Errorf("the next file: %s", out)
			}
		})
	}
}

// onePlugin makes a package of one plugin, ZZ, of a text. It changes to the folder that holds it, and a file a.py.
func onePlugin(t *testing.T, plugin, file string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"a.py":                             file,
		"site/spam-1.0.dist-info/METADATA": fmt.Sprintf(metadataOf, "spam", "1.0"),
		"site/spam-1.0.dist-info/entry_points.txt": "[flake8.extension]\nZZ = spam:P\n",
		"site/spam.py": plugin,
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// The tokens of a file are made once, and given again as the tokenizer would give them: when lines
// are read, how a text ends, and where another text differs. The value of a literal is a new one
// each time, if it can change.
func TestTokensAreMadeOnce(t *testing.T) {
	const plugin = `
import ast, itertools, random, tokenize

def plain(readline):
    try:
        for token in tokenize._tokenize.TokenizerIter(readline, extra_tokens=True):
            yield tokenize.TokenInfo._make(token)
    except SyntaxError as error:
        if type(error) is not SyntaxError:
            raise error from None
        raise tokenize.TokenError(tokenize._transform_msg(error.msg), (error.lineno, error.offset)) from None

def told(tokens, lines, stops):
    """Returns which lines are read and which tokens come, in their order, and how it ends."""
    events, lines = [], iter(lines)
    def readline():
        try:
            events.append(next(lines))
        except StopIteration:
            events.append("end")
            if stops:
                raise
            return ""
        if events[-1] is None:
            raise KeyError
        return events[-1]
    try:
        for token in tokens(readline):
            events.append((type(token), *token))
    except BaseException as error:
        events.append((type(error), error.args))
    return events

class P:
    def __init__(self, tree, lines):
        self.lines = lines

    def run(self):
        chance, texts, count, wrong = random.Random(1), [self.lines, self.lines, self.lines[:1], []], 0, 0
        for other in ["x = (\n", '"""\n', None, "y = 1", "\tz\n", "$\n", b"a\n", 3] * 4:
            at = chance.randrange(len(self.lines))
            texts += [[*self.lines[:at], other, *self.lines[at + 1:]], self.lines[:at], self.lines]
        for text, stops in itertools.product(texts, (True, False)):
            wanted = told(plain, text, stops)
            count += len(wanted)
            wrong += wanted != told(tokenize.generate_tokens, text, stops)
        first, second = (next(tokenize.generate_tokens(iter(self.lines).__next__)) for _ in range(2))
        same = first is second, ast.literal_eval("[1]") is ast.literal_eval("[1]"), ast.literal_eval("'a b'") == "a b"
        yield 1, 0, f"ZZ1 {count > 5000} {wrong} {same}", None
`
	onePlugin(t, plugin, "\ufeff# é\nimport os\n\n\ndef f(a,\n      b):\n    \"\"\"Do\n    it.\"\"\"\n    if a:\n\n        # b\n        return f'{a!r:>{b}} x'\n    return \\\n        b\n")
	out, errs, code := flake8With(t, "", "--plugins", "site", "--isolated", "--select=ZZ", "a.py")
	if want := "a.py:1:1: ZZ1 True 0 (True, False, True)\n"; out != want || code != 1 {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// Plugins put values of other kinds into the options of flake8, as Flake8-pyproject does.
func TestKindsOfOptions(t *testing.T) {
	const plugin = `
class P:
    def __init__(self, tree): pass
    def run(self): yield from ((1, 0, "ZZ%d here" % i, None) for i in range(4))
    @staticmethod
    def parse_options(options):
        options.per_file_ignores = ["b.py:ZZ2", "a.py: ZZ1"]
        options.extended_default_ignore = ("ZZ3",)
        options.filename = {"*.py"}
`
	onePlugin(t, plugin, "x = 1\n")
	out, errs, code := flake8With(t, "", "--plugins", "site", "--isolated", "a.py")
	if want := "a.py:1:1: ZZ0 here\na.py:1:1: ZZ2 here\n"; out != want || code != 1 {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// A plugin that cannot be imported is named, with the reason. What it prints is shown.
func TestImports(t *testing.T) {
	const plugin = "class P:\n    def __init__(self, tree): pass\n    def run(self): yield 1, 0, 'ZZ1 here', None\n"
	onePlugin(t, plugin, "x = 1\n")
	for _, test := range []struct{ first, out, errs string }{
		{"print('at import')", "at import\na.py:1:1: ZZ1 here\n", ""},
		{"import sys; sys.exit(3)", "", `failed to load plugin "spam" due to SystemExit(3).`},
		{"raise KeyboardInterrupt", "", `failed to load plugin "spam" due to KeyboardInterrupt().`},
		{"raise MemoryError", "", `failed to load plugin "spam" due to MemoryError().`},
		{"import os; os._exit(7)", "", "spam could not be imported: the interpreter ended with 7"},
		{"import os; os.fork()", "", `failed to load plugin "spam" due to module 'os' has no attribute 'fork'.`},
		{"import missing", "", `failed to load plugin "spam" due to No module named 'missing'.`},
		{"import threading; threading.Thread(target=threading.Event().wait, daemon=True).start()", "", "the plugins could not be imported: "},
	} {
		if err := os.WriteFile("site/spam.py", []byte(test.first+"\n"+plugin), 0o600); err != nil {
			t.Fatal(err)
		}
		out, errs, code := flake8With(t, "", "--plugins", "site", "--isolated", "a.py")
		if out != test.out || !strings.Contains(errs, test.errs) || code != 1 {
			t.Errorf("%s: exit code %d\n%s%s", test.first, code, out, errs)
		}
	}
}

func TestCommandLine(t *testing.T) {
	t.Chdir("testdata/work")
	contains := func(text string, wanted ...string) {
		t.Helper()
		for _, want := range wanted {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in\n%s", want, text)
			}
		}
	}
	out, _, code := flake8With(t, "", "--isolated", "--version")
	contains(strings.ReplaceAll(out, "\n", " "), "house-plugins: 1.0", "mccabe: 0.7.0", "CPython 3.13")
	if code != 0 {
		t.Error(code)
	}
	out, _, _ = flake8With(t, "", "--isolated", "--help")
	contains(out, "\nhouse-plugins:\n", "--name-limit NAME_LIMIT", "fewest letters of a name (default: 3)", "--name-style {long,short}", "--max-complexity")
	_, errs, code := flake8With(t, "", "--isolated", "--name-style", "wide", "a.py")
	contains(errs, "flake8: error: argument --name-style: invalid choice: 'wide' (choose from long, short)")
	if code != 2 {
		t.Error(code)
	}
	_, errs, code = flake8With(t, "", "--isolated", "--name-limt", "4", "a.py")
	contains(errs, "unrecognized arguments: --name-limt")
	if code != 2 {
		t.Error(code)
	}
	_, errs, code = flake8With(t, "", "--isolated", "--flake8-version=7.3.0", "a.py")
	contains(errs, "plugins run by flake8 7.5.0 only")
	if code != 2 {
		t.Error(code)
	}
	out, errs, code = flake8With(t, "", "--isolated", "--old=a.py", "a.py") // a plugin's findings are compared, too
	if out != "" || errs != "" || code != 0 {
		t.Error(out, errs, code)
	}
	out, errs, code = flake8With(t, "match x:\n    case 1:\n        pass\nprint(t'{x}')\n", "--isolated", "--target-version=3.14", "-")
	contains(errs, "stdin: the plugins did not check it: CPython 3.13, which runs them, cannot read it")
	contains(out, "F821 undefined name 'x'")
	if code != 1 {
		t.Error(code)
	}
	out, errs, _ = flake8With(t, "def f(): pass\n", "--isolated", "--stdin-display-name=b.py", "--extend-select=H102", "-")
	contains(out, "b.py:1:1: H100", "b.py:1:10: H102 pass in b.py")
	if errs != "" {
		t.Error(errs)
	}
	out, errs, _ = flake8With(t, "", "--isolated", "--format=sarif", "--select=H1", "a.py")
	contains(out+errs, `"ruleId":"H103"`)
}
