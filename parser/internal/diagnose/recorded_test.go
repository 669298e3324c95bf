package diagnose

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"codelinter/source"
)

// Recorded is a line of testdata/diagnose/errors.jsonl, which record.py there
// writes with CPython 3.14 and 3.15. An error is its type, message and, of a
// SyntaxError, line and offset; nil if the code is valid.
type Recorded struct {
	Code     string
	Error314 []any `json:"3.14"`
	Error315 []any `json:"3.15"`
}

// Errors returns what was recorded of each version.
func (r Recorded) Errors() map[source.Version][]any {
	return map[source.Version][]any{source.Python314: r.Error314, source.Python315: r.Error315}
}

// Want writes what was recorded as Describe writes what was found.
func Want(recorded []any) string {
	switch len(recorded) {
	case 0:
		return "valid"
	case 2:
		return fmt.Sprintf("%s: %s", recorded...)
	}
	return fmt.Sprintf("%v:%v: %s: %s", recorded[2], recorded[3], recorded[0], recorded[1])
}

// Describe writes what was found.
func Describe(e *SyntaxError) string {
	switch {
	case e == nil:
		return "valid"
	case e.Fatal:
		return e.Error()
	}
	return fmt.Sprintf("%d:%d: %s", e.Row, e.Offset, e)
}

// Recordings returns what was recorded.
func Recordings(t testing.TB) []Recorded {
	t.Helper()
	f, err := os.Open("../../../testdata/diagnose/errors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []Recorded
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var r Recorded
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	if len(list) < 1500 {
		t.Fatalf("%d recordings only", len(list))
	}
	return list
}

// Load makes a file of a text as it stands.
func Load(t testing.TB, text string) *source.File {
	t.Helper()
	file := new(source.File)
	if err := file.LoadStdin([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestEveryMessage requires a recording for every message of the grammar.
func TestEveryMessage(t *testing.T) {
	list := Recordings(t)
	for _, target := range []source.Version{source.Python314, source.Python315} {
		everyMessage(t, list, target)
	}
}

func everyMessage(t *testing.T, list []Recorded, target source.Version) {
	t.Helper()
	seen := map[string]bool{}
	for _, r := range list {
		if recorded := r.Errors()[target]; len(recorded) > 1 {
			seen[recorded[1].(string)] = true
		}
	}
	g := pythonGrammar(target)
	for i, reached := range g.reached(g.file) {
		r := g.rules[i]
		if !reached {
			continue
		}
		for _, a := range r.alternatives {
			if a.action.do != raiseError {
				continue
			}
			before, rest, variable := strings.Cut(a.action.text, "<")
			_, after, _ := strings.Cut(rest, ">")
			found := seen[a.action.text]
			for message := range seen {
				found = found || variable && strings.HasPrefix(message, before) && strings.HasSuffix(message, after)
			}
			if !found {
				t.Errorf("%v: %s: nothing recorded for %q", target, r.name, a.action.text)
			}
		}
	}
}
