package fix_test

import (
	"strings"
	"testing"

	"codelinter/fix"
	"codelinter/lint"
	"codelinter/rule"
)

func TestUnusedNoqa(t *testing.T) {
	fixer, err := fix.New(lint.Options{ReportNoqa: true, Select: []string{"NQA"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range [][2]string{
		{"import os  # noqa: F401,E501\n", "import os  # noqa: F401\n"},
		{"import os  # noqa: E501 , F401,W291,\n", "import os  # noqa: F401,\n"},
		{"import os  # noqa: E501\n", "import os\n"},
		{"import os\t# noqa", "import os\t# noqa"},
		{"x = 1\t # noqa\n", "x = 1\n"},
		{"x=1  # noqa: E225,E225\n", "x=1  # noqa: E225\n"},
		{"x=1  # noqa: E2,E7\n", "x=1  # noqa: E2\n"},      // E2 silences, though flake8-noqa says that it does not
		{"x=1  # noqa E501\n", "x=1  # noqa E501\n"},       // silences all
		{"x=1  # noqa : E501\n", "x=1  # noqa : E501\n"},   // so does this
		{"x = 1  # noqa: S101\n", "x = 1  # noqa: S101\n"}, // perhaps another linter's
		{"x = 1  # noqa: S101,E501\n", "x = 1  # noqa: S101\n"},
		{"x = 1  # noqa: W503\n", "x = 1\n"},
		{"x = (1\n     + 2)  # noqa: W503\n", "x = (1\n     + 2)  # noqa: W503\n"}, // is not selected, but would be found
		{"x = 1  # type: ignore # noqa: E501\n", "x = 1  # type: ignore\n"},
		{"x = 1  # noqa: E501 # type: ignore\n", "x = 1  # type: ignore\n"},
		{"x = 1  # pylint: disable=a # noqa # type: ignore\n", "x = 1  # pylint: disable=a # type: ignore\n"},
		{"x = 1  # noqa: E501 - because of it\n", "x = 1  # because of it\n"},
		{"x = 1  # one # noqa: E501 two\n", "x = 1  # one # two\n"},
		{"x = 1\n# noqa\ny = 1\n", "x = 1\ny = 1\n"},
		{"def f():\n    # noqa: E501\n    pass\n", "def f():\n    pass\n"},
		{"x = [\n    # noqa\n    1,\n]\n", "x = [\n    1,\n]\n"},
		{"# noqa\n", ""},
		{"#!/bin/sh\n\n\n\n# noqa\nx = 1\n", "#!/bin/sh\n\n\n\n# noqa\nx = 1\n"}, // the row after it would have an E303
		{"\xef\xbb\xbfx = 1  # noqa\r\ny = 'é'  # noqa: E501\r\n", "\xef\xbb\xbfx = 1\r\ny = 'é'\r\n"},
		{"x = f'{1 =  # noqa\n}'\n", "x = f'{1 =  # noqa\n}'\n"}, // is a part of the value
		{"x = '''  # noqa\n'''\n", "x = '''  # noqa\n'''\n"},
		{"x = '''\n'''  # noqa\n", "x = '''\n'''\n"},
		{"# flake8: noqa\nx = 1  # noqa\n", "# flake8: noqa\nx = 1  # noqa\n"},
		{"x = (  # noqa\n", "x = (  # noqa\n"},
	} {
		result := fixer.FixFile("spam.py", []byte(test[0]))
		if got := string(result.Text); got != test[1] {
			t.Errorf("%q becomes %q, want %q", test[0], got, test[1])
		}
		if result.Changed() != (test[0] != test[1]) {
			t.Errorf("%q: fixed %v", test[0], result.Fixed)
		}
		if again := fixer.FixFile("spam.py", result.Text); again.Changed() {
			t.Errorf("%q: a second run makes %q", test[0], again.Text)
		}
	}
}

// Other edits come first, and comments that these make unused go too. FixOnly edits one comment.
func TestUnusedNoqaAfterEdits(t *testing.T) {
	fixer, err := fix.New(lint.Options{ReportNoqa: true})
	if err != nil {
		t.Fatal(err)
	}
	const text = "x=1  # noqa: S101\ny = (1,2)  # noqa: E501\nz = 1  # noqa: E501\n"
	result := fixer.FixFile("spam.py", []byte(text))
	if got, want := string(result.Text), "x = 1  # noqa: S101\ny = (1, 2)\nz = 1\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var remaining []string
	for _, r := range result.Remaining {
		remaining = append(remaining, r.Finding.Code.String()+" "+string(r.Reason))
	}
	if got := strings.Join(remaining, "; "); got != "NQA102 "+string(fix.Elsewhere) {
		t.Errorf("remaining: %s", got)
	}
	result = fixer.FixOnly("spam.py", []byte(text), func(f *rule.Finding) bool { return f.Code.String() == "NQA102" && f.Row == 3 })
	if got, want := string(result.Text), strings.Replace(text, "z = 1  # noqa: E501", "z = 1", 1); got != want {
		t.Errorf("only row 3: got %q, want %q", got, want)
	}
}
