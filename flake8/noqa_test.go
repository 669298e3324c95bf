package flake8_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"codelinter/flake8"
)

func addNoqa(t *testing.T, text string, args ...string) (after, stdout, stderr string, code int) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("spam.py", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (string, string, int) {
		var out, errs bytes.Buffer
		code := flake8.Main(context.Background(), flake8.Command{Name: "flake8", Args: append(args, "--isolated", "spam.py"), Stdout: &out, Stderr: &errs})
		return out.String(), errs.String(), code
	}
	stdout, stderr, code = run(append(args, "--add-noqa")...)
	data, err := os.ReadFile("spam.py")
	if err != nil {
		t.Fatal(err)
	}
	if again, _, _ := run(args...); again != stdout {
		t.Errorf("%q: check finds\n%s, --add-noqa said\n%s", data, again, stdout)
	}
	run(append(args, "--add-noqa")...)
	if again, _ := os.ReadFile("spam.py"); string(again) != string(data) {
		t.Errorf("%q: a second run makes %q", data, again)
	}
	return string(data), stdout, stderr, code
}

func TestAddNoqa(t *testing.T) {
	long := "x = '" + strings.Repeat("a", 70) + "'"
	for _, test := range []struct{ before, after, left string }{
		{"x=1\n", "x=1  # noqa: E225\n", ""},
		{"x=1;", "x=1;  # noqa: E225,E703,W292", ""},
		{"x=1 \n", "x=1  # noqa: E225,W291\n", ""},
		{"x=1  # spam\n", "x=1  # spam  # noqa: E225\n", ""},
		{"x=1; #spam\n", "x=1; #spam  # noqa: E225,E261,E262,E703\n", ""},
		{"x=1;  # noqa: E225 since it is\n", "x=1;  # noqa: E225,E703 since it is\n", ""},
		{"x=1;  # type: ignore # NOQA:E225\n", "x=1;  # type: ignore # NOQA:E225,E703\n", ""},
		{"x=1;  #noqa\n", "x=1;  #noqa  # noqa: E225,E262,E703\n", ""},
		{"x = '''\na \n'''\n", "x = '''\na \n'''  # noqa: W291\n", ""},
		{"x = 1 + \\\n  y\n", "x = 1 + \\\n  y  # noqa: F821\n", ""},
		{"x = [y,\n  z]\n", "x = [y,  # noqa: F821\n  z]  # noqa: E128,F821\n", ""},
		{"from os import (\n    path\n)\n", "from os import (  # noqa: F401\n    path\n)\n", ""},
		{long + ";\n", long + ";  # noqa: E703,E501\n", ""}, // E501 comes with the comment
		{"é='é'\r\n", "é='é'  # noqa: E225\r\n", ""},
		{"\xef\xbb\xbfx=1\n", "\xef\xbb\xbfx=1  # noqa: E225\n", ""},
		{"# coding: latin-1\nx=1\n", "# coding: latin-1\nx=1  # noqa: E225\n", ""},
		{"# coding: latin-1\nx='\xe9'\n", "# coding: latin-1\nx='\xe9'\n", "1 in files that are not UTF-8"},
		{"x = 1\n  \ny=1\n", "x = 1\n  \ny=1  # noqa: E225\n", "1 in blank rows, which a comment would make other rows (fix repairs them)"},
		{"x=(\n", "x=(\n", "1 in files that are not Python"},
		{"x='# noqa: F401'\n", "x='# noqa: F401'\n", "1 in rows with a string that says # noqa"},
		{"#!python \nx = 1\n", "#!python \nx = 1\n", "1 in a row for the system (#!)"},
		{"x = f'''{y\n}'''\n", "x = f'''{y\n}'''  # noqa: E124\n", "1 in rows that end within an f-string"},
	} {
		after, stdout, stderr, code := addNoqa(t, test.before)
		if after != test.after {
			t.Errorf("%q becomes %q, want %q", test.before, after, test.after)
		}
		_, left, _ := strings.Cut(strings.TrimSpace(stderr), "; left: ")
		if left != test.left || (stdout == "") != (left == "") || (code == flake8.ExitClean) != (left == "") {
			t.Errorf("%q: exit code %d, stdout %q, stderr %q, want %q left", test.before, code, stdout, stderr, test.left)
		}
	}
}

func TestAddNoqaOptions(t *testing.T) {
	if after, _, stderr, _ := addNoqa(t, "x=1;\nimport os\n", "--select=E7"); after != "x=1;  # noqa: E703\nimport os\n" || stderr != "flake8: wrote 1 comments in 1 files\n" {
		t.Errorf("--select: %q, %q", after, stderr)
	}
	if after, stdout, _, _ := addNoqa(t, "x=1\n", "--report-unused-noqa", "--noqa-require-code"); after != "x=1  # noqa: E225\n" || stdout != "" {
		t.Errorf("--report-unused-noqa: %q, %q", after, stdout)
	}
	for args, want := range map[string]string{
		"--add-noqa --disable-noqa spam.py":     "argument --add-noqa: not allowed with argument --disable-noqa",
		"--add-noqa -":                          "argument --add-noqa: expected files, found standard input",
		"--add-noqa --write-baseline=b spam.py": "argument --add-noqa: not allowed with argument --write-baseline",
	} {
		var out, errs bytes.Buffer
		code := flake8.Main(context.Background(), flake8.Command{Name: "flake8", Args: strings.Fields(args), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs})
		if code != flake8.ExitMisuse || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: exit code %d, %q, want %q", args, code, errs.String(), want)
		}
	}
}

// A file that may not be written is reported, and its findings stay.
func TestAddNoqaReadOnly(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("spam.py", []byte("x=1\n"), 0o444); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	code := flake8.Main(context.Background(), flake8.Command{Name: "flake8", Args: []string{"--isolated", "--add-noqa", "spam.py"}, Stdout: &out, Stderr: &errs})
	if code != flake8.ExitFound || out.String() != "spam.py:1:2: E225 missing whitespace around operator\n" ||
		!strings.Contains(errs.String(), "spam.py: the file is read-only") || !strings.Contains(errs.String(), "1 in files that could not be written") {
		t.Errorf("exit code %d, %q, %q", code, out.String(), errs.String())
	}
}
