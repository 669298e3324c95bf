package lsp

import (
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
		var actions []codeAction
		c.call("textDocument/codeAction", map[string]any{
			"textDocument": textDocument{URI: uri(path)},
			"range":        textRange{from, to},
			"context":      map[string]any{"diagnostics": []any{}, "only": only},
		}, &actions)
		texts := map[string]string{}
		for _, action := range actions {
			edits := action.Edit.Changes[uri(path)]
			if len(edits) != 1 {
				t.Fatalf("%s has %d edits", action.Title, len(edits))
			}
			lines := newLines([]byte(text))
			start, end := lines.offset(edits[0].Range.Start, utf16Encoding), lines.offset(edits[0].Range.End, utf16Encoding)
			texts[action.Kind+" "+action.Title] = text[:start] + edits[0].NewText + text[end:]
		}
		return texts
	}
	const all = "x = {'ä': 1, 'b': 2}\ny = len(x) is None\nz = spam\n"
	if diff := cmp.Diff(map[string]string{
		"quickfix Fix E231: missing whitespace after ':'": "import os\nx = {'ä': 1, 'b' : 2}\ny = len(x) == None\nz = spam\n",
		"quickfix Fix E203: whitespace before ':'":        "import os\nx = {'ä':1, 'b': 2}\ny = len(x) == None\nz = spam\n",
		"source.fixAll Fix all that codelinter can":       all,
	}, ask(position{1, 0}, position{1, 30})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{
		"quickfix Fix F401: 'os' imported but unused": "x = {'ä':1, 'b' : 2}\ny = len(x) == None\nz = spam\n",
	}, ask(position{0, 3}, position{0, 3}, "quickfix")); diff != "" {
		t.Error(diff)
	}
	if got := ask(position{3, 0}, position{3, 8}, "quickfix"); len(got) > 0 {
		t.Errorf("expected no action for an undefined name: %v", got)
	}
	if diff := cmp.Diff(map[string]string{"source.fixAll Fix all that codelinter can": all}, ask(position{0, 0}, position{0, 0}, "source")); diff != "" {
		t.Error(diff)
	}
	c.leave()
}
