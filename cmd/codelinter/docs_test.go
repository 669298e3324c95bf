package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// documentedCommand is a command that a page shows: indented, or after a prompt.
var documentedCommand = regexp.MustCompile(`(?m)^(?:    |\$ )codelinter (.*)$`)

// Every command of the pages on the benchmark works as it stands there, one after
// the other, in a folder with nothing but the files that the pages say one has.
func TestDocumentedCommands(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ N int }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.URL.Path != "/v1/chat/completions" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		choice := map[string]any{"message": map[string]any{"role": "assistant", "content": "```python\nx = 1\n```"}, "finish_reason": "stop"}
		choices := make([]any, max(in.N, 1))
		for i := range choices {
			choices[i] = choice
		}
		json.NewEncoder(w).Encode(map[string]any{"choices": choices})
	}))
	t.Cleanup(server.Close) // not deferred: the scripts run when this function has returned

	for _, test := range []struct {
		name  string
		pages []string
		least int
	}{
		{"evaluation", []string{"docs/evaluation.md", "docs/generating.md", "docs/reports.md"}, 17},
		{"README", []string{"README.md"}, 4},
	} {
		var script, text strings.Builder
		for _, page := range test.pages {
			content, err := os.ReadFile(filepath.Join("../..", page))
			if err != nil {
				t.Fatal(err)
			}
			text.Write(content)
		}
		commands := documentedCommand.FindAllStringSubmatch(text.String(), -1)
		run := map[string]bool{}
		for _, command := range commands {
			if run[command[1]] { // two pages show it
				continue
			}
			run[command[1]] = true
			exec := "exec"
			if strings.HasPrefix(command[1], "check ") { // the programs that it checks have findings
				exec = "! exec"
			}
			script.WriteString(exec + " codelinter " + strings.Replace(command[1], "http://localhost:8000", server.URL, 1) + "\n")
		}
		if len(commands) < test.least {
			t.Errorf("%s: %d commands, want at least %d", test.name, len(commands), test.least)
		}
		script.WriteString(documentedFiles + "-- mbpp.jsonl --\n")
		for id := range 120 {
			fmt.Fprintf(&script, `{"task_id": %d, "text": "Double.", "code": "def double(x):\r\n  return %[1]d*x", "test_setup_code": "", "test_list": ["assert double(0) == 0"]}`+"\n", id)
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, test.name+".txtar"), []byte(script.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		testscript.Run(t, testscript.Params{Dir: dir, RequireExplicitExec: true, Setup: keepCache(t)})
	}
}

// documentedFiles are what the pages take for granted.
const documentedFiles = `
-- programs.json --
[{"meta": {"id": "a/1"}, "solution": "import os\n", "test": "assert True"}]
-- prompts.txt --
Mend this:
{code}
flake8 --max-complexity=8 says:
{feedback}
-- app.py --
import os
-- tests/test_app.py --
import sys
`
