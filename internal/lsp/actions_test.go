package lsp

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Actions are what is proven: for each finding of the range, and for the whole document.
func TestCodeActions(t *testing.T) {
	folder := t.TempDir()
	c := start(t, folder, Options{}, nil)
	path := folder + "/spam.py"
	const text = "import os\nx = {'ä':1, 'b' : 2}\ny = len(x) == None\nz = spam\n"
	c.open(path, text)
	ask := func(from, to position, only ...string) map[string]string {
		t.Helper()
		return c.actions(path, text, textRange{from, to}, only...)
	}
	const all = "x = {'ä': 1, 'b': 2}\ny = len(x) is None\nz = spam\n"
	if diff := cmp.Diff(map[string]string{
		"quickfix Fix E231: missing whitespace after ':'": "import os\nx = {'ä': 1, 'b' : 2}\ny = len(x) == None\nz = spam\n",
		"quickfix Fix E203: whitespace before ':'":        "import os\nx = {'ä':1, 'b': 2}\ny = len(x) == None\nz = spam\n",
		"quickfix Silence E231 with a # noqa comment":     "import os\nx = {'ä':1, 'b' : 2}  # noqa: E231\ny = len(x) == None\nz = spam\n",
		"quickfix Silence E203 with a # noqa comment":     "import os\nx = {'ä':1, 'b' : 2}  # noqa: E203\ny = len(x) == None\nz = spam\n",
		"source.fixAll Fix all that codelinter can":       all,
	}, ask(position{1, 0}, position{1, 30})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{
		"quickfix Fix F401: 'os' imported but unused": "x = {'ä':1, 'b' : 2}\ny = len(x) == None\nz = spam\n",
		"quickfix Silence F401 with a # noqa comment": "import os  # noqa: F401\nx = {'ä':1, 'b' : 2}\ny = len(x) == None\nz = spam\n",
	}, ask(position{0, 3}, position{0, 3}, "quickfix")); diff != "" {
		t.Error(diff)
	}
	// An undefined name has no fix.
	if diff := cmp.Diff(map[string]string{
		"quickfix Silence F821 with a # noqa comment": text[:len(text)-1] + "  # noqa: F821\n",
	}, ask(position{3, 0}, position{3, 8}, "quickfix")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"source.fixAll Fix all that codelinter can": all}, ask(position{0, 0}, position{0, 0}, "source")); diff != "" {
		t.Error(diff)
	}
	c.leave()
}

// actions returns the texts that the actions for a range make of a document.
func (c *client) actions(path, text string, within textRange, only ...string) map[string]string {
	c.t.Helper()
	var actions []codeAction
	c.call("textDocument/codeAction", map[string]any{
		"textDocument": textDocument{URI: uri(path)},
		"range":        within,
		"context":      map[string]any{"diagnostics": []any{}, "only": only},
	}, &actions)
	texts := map[string]string{}
	for _, action := range actions {
		edits := action.Edit.Changes[uri(path)]
		if len(edits) != 1 {
			c.t.Fatalf("%s has %d edits", action.Title, len(edits))
		}
		lines := newLines([]byte(text))
		start, end := lines.offset(edits[0].Range.Start, utf16Encoding), lines.offset(edits[0].Range.End, utf16Encoding)
		texts[action.Kind+" "+action.Title] = text[:start] + edits[0].NewText + text[end:]
	}
	return texts
}

// The line ends and the byte order mark of a document stay, and change no actions.
func TestActionsOfAnyText(t *testing.T) {
	folder := t.TempDir()
	c := start(t, folder, Options{}, nil)
	for i, test := range []struct{ name, mark, first, second, third string }{
		{"LF", "", "\n", "\n", "\n"},
		{"CRLF", "", "\r\n", "\r\n", "\r\n"},
		{"CR", "", "\r", "\r", "\r"},
		{"mixed", "", "\n", "\r\n", "\r"},
		{"mixed, CRLF first", "", "\r\n", "\n", "\n"},
		{"mark", "\ufeff", "\n", "\n", "\n"},
		{"mark and CRLF", "\ufeff", "\r\n", "\r\n", "\r\n"},
	} {
		path := filepath.Join(folder, fmt.Sprintf("spam%d.py", i))
		silenced := func(row int, code string) (name, text string) {
			rows := []string{"é=1", "y = f'ö'", "z= [1,2]"}
			rows[row] += "  # noqa: " + code
			return "quickfix Silence " + code + " with a # noqa comment", test.mark + rows[0] + test.first + rows[1] + test.second + rows[2] + test.third
		}
		join := func(rows ...string) string {
			return test.mark + rows[0] + test.first + rows[1] + test.second + rows[2] + test.third
		}
		text := join("é=1", "y = f'ö'", "z= [1,2]")
		c.open(path, text)
		// rows has the texts for a row's quick fixes.
		rows := map[int]map[string]string{
			0: {"quickfix Fix E225: missing whitespace around operator": join("é = 1", "y = f'ö'", "z= [1,2]")},
			1: {"quickfix Fix F541: f-string is missing placeholders": join("é=1", "y = 'ö'", "z= [1,2]")},
			2: {
				"quickfix Fix E225: missing whitespace around operator": join("é=1", "y = f'ö'", "z = [1,2]"),
				"quickfix Fix E231: missing whitespace after ','":       join("é=1", "y = f'ö'", "z= [1, 2]"),
			},
		}
		for row, codes := range [...][]string{{"E225"}, {"F541"}, {"E225", "E231"}} {
			for _, code := range codes {
				name, text := silenced(row, code)
				rows[row][name] = text
			}
		}
		for row, want := range rows {
			if diff := cmp.Diff(want, c.actions(path, text, textRange{position{row, 0}, position{row, 20}}, quickFix)); diff != "" {
				t.Errorf("%s, row %d:\n%s", test.name, row, diff)
			}
		}
		want := map[string]string{"source.fixAll Fix all that codelinter can": join("é = 1", "y = 'ö'", "z = [1, 2]")}
		if diff := cmp.Diff(want, c.actions(path, text, textRange{}, fixAll)); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
	c.leave()
}
