package ask

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func echo(w http.ResponseWriter, r *request) {
	choose(w, fmt.Sprintf("%s %d", r.prompt(), r.number))
}

// Wherever the journal is cut, the samples before the cut stay, and the others
// are asked for again.
func TestCutAnywhere(t *testing.T) {
	tasks := makeTasks(t, 2)
	url, requests := serve(t, echo)
	dir := t.TempDir()
	o := Options{BaseURL: url, Samples: 1, Settings: Settings{Model: "m", System: "é"}}
	if _, _, err := try(t, dir, tasks, o); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "s.jsonl"+Suffix)
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(whole) + 1 {
		if err := os.WriteFile(name, whole[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		lines := bytes.Count(whole[:cut], []byte("\n"))
		if cut < len(whole) && whole[cut] == '\n' {
			lines++ // all of a line but its newline
		}
		kept := max(lines-2, 0) // after the settings and the number of tasks
		before := requests.Load()
		summary, text, err := try(t, dir, tasks, o)
		if err != nil || summary.Had != kept || summary.Asked != 2-kept || requests.Load()-before != int64(2-kept) {
			t.Fatalf("cut at %d: %+v, %v, want %d kept", cut, summary, err, kept)
		}
		requireWhole(t, text, 2, 1)
		now, err := os.ReadFile(name)
		if err != nil || bytes.Count(now, []byte("\n")) != 4 || !bytes.HasPrefix(now, whole[:bytes.LastIndexByte(whole[:cut], '\n')+1]) {
			t.Fatalf("cut at %d: %s, %v", cut, now, err)
		}
	}
}

// More samples and more tasks are asked for in the same files; nothing is asked
// for when all is there; and the order that samples came in does not show.
func TestGoOn(t *testing.T) {
	tasks := makeTasks(t, 4)
	dir := t.TempDir()
	url, requests := serve(t, echo)
	for _, step := range []struct{ samples, limit, requests int }{{1, 2, 2}, {3, 2, 4}, {3, 0, 6}, {3, 0, 0}, {2, 1, 0}} {
		before := requests.Load()
		summary, _, err := try(t, dir, tasks, Options{BaseURL: url, Samples: step.samples, Limit: step.limit, PerRequest: 1})
		if err != nil || int(requests.Load()-before) != step.requests || summary.Asked != step.requests {
			t.Errorf("%+v: %+v, %v", step, summary, err)
		}
	}
	_, text, err := try(t, dir, tasks, Options{BaseURL: url, Samples: 1})
	if err != nil {
		t.Fatal(err)
	}
	requireWhole(t, text, 4, 3)

	name := filepath.Join(dir, "s.jsonl"+Suffix)
	journal, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(journal), "\n")
	for i, j := 1, len(lines)-2; i < j; i, j = i+1, j-1 {
		lines[i], lines[j] = lines[j], lines[i]
	}
	if err := os.WriteFile(name, []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, again, err := try(t, dir, tasks, Options{BaseURL: url, Samples: 1}); err != nil || again != text {
		t.Errorf("%v\n%s\n%s", err, again, text)
	}
}

func TestRefusedJournals(t *testing.T) {
	const (
		head = `{"journal":1,"model":"m","completions":false,"system":"","temperature":0.6,"max_tokens":9,"seed":null}` + "\n"
		good = `{"id":0,"sample":0,"prompt":"PROMPT","finish":"stop","output":"a"}` + "\n"
	)
	tasks := makeTasks(t, 1)
	settings := Settings{Model: "m", Temperature: 0.6, MaxTokens: 9}
	seed := int64(1)
	for name, test := range map[string]struct {
		text   string
		change func(s *Settings)
		said   string
	}{
		"as it should be": {head + good, nil, ""},
		"no samples yet":  {head, func(s *Settings) { s.Model = "n" }, ""},
		"half a sample":   {head + `{"id":0,"sa`, func(s *Settings) { s.Model = "n" }, ""},
		"empty":           {"", nil, ""},
		"another model":   {head + good, func(s *Settings) { s.Model = "n" }, `:1: its samples were made with model "m", and this run has "n"`},
		"temperature":     {head + good, func(s *Settings) { s.Temperature = 0 }, "temperature 0.6, and this run has 0:"},
		"tokens":          {head + good, func(s *Settings) { s.MaxTokens = 8 }, "max-tokens 9"},
		"seed":            {head + good, func(s *Settings) { s.Seed = &seed }, "seed none, and this run has 1:"},
		"system":          {head + good, func(s *Settings) { s.System = "x" }, `system prompt "", and this run has "x"`},
		"endpoint":        {head + good, func(s *Settings) { s.Completions = true }, "endpoint chat/completions, and this run has completions"},
		"extra": {head + good, func(s *Settings) { s.Extra = map[string]json.RawMessage{"a": json.RawMessage("1")} },
			`extra fields none, and this run has {"a":1}`},
		"the same extra": {strings.Replace(head, "null}", `null,"extra":{"a":[1,2]}}`, 1),
			func(s *Settings) { s.Extra = map[string]json.RawMessage{"a": json.RawMessage("[1, 2]")} }, ""},
		"no header":        {good, nil, ":1: expected the first line of a journal"},
		"another's file":   {"Dear diary", nil, ":1: expected the first line of a journal"},
		"a cut header":     {head[:30], nil, ""},
		"another version":  {`{"journal":2}` + "\n", nil, ":1: expected the first line of a journal"},
		"a list":           {"[]\n", nil, ":1: expected the first line of a journal"},
		"another prompt":   {head + strings.Replace(good, "PROMPT", "0", 1), nil, ":2: id 0 was asked with another prompt"},
		"another task":     {head + strings.Replace(good, `"id":0`, `"id":"x"`, 1), nil, ":2: id x is no task's"},
		"no output":        {head + `{"id":0,"sample":0}` + "\n", nil, ":2: expected a sample with id and output"},
		"null":             {head + strings.Replace(good, `"a"`, "null", 1), nil, ":2: expected a sample with id and output"},
		"a negative":       {head + strings.Replace(good, `e":0`, `e":-1`, 1), nil, ":2: sample: expected 0 to 1048575, found -1"},
		"too many":         {head + strings.Replace(good, `e":0`, `e":1048576`, 1), nil, "found 1048576"},
		"twice":            {head + good + good, nil, ":3: sample 0 of id 0 is already on line 2"},
		"broken, not last": {head + "{\n" + good, nil, ":2: expected a sample: "},
		"broken, at last":  {head + good + "{", nil, ""},
		"zeros at last":    {head + good + "\x00\x00\x00", nil, ""},
		"a long last line": {head + good + `{"id":0,"output":"` + strings.Repeat("x", 200<<10), nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.jsonl")
			text := strings.ReplaceAll(test.text, "PROMPT", digest("Mend task0"))
			if err := os.WriteFile(path+Suffix, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			settings := settings
			if test.change != nil {
				test.change(&settings)
			}
			journal, err := Open(path, tasks, settings)
			if err == nil {
				journal.Close()
			}
			if test.said == "" {
				if err != nil {
					t.Error(err)
				} else if journal, err = Open(path, tasks, settings); err != nil {
					t.Errorf("once more: %v", err)
				} else {
					journal.Close()
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), path+Suffix) || !strings.Contains(err.Error(), test.said) {
				t.Errorf("said %v\nwant %s", err, test.said)
			}
			if now, err := os.ReadFile(path + Suffix); err != nil || string(now) != text {
				t.Errorf("a refused journal was changed: %v", err)
			}
		})
	}
}

func TestFilesInTheWay(t *testing.T) {
	tasks := makeTasks(t, 1)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, tasks, Settings{}); err == nil || !strings.Contains(err.Error(), "has samples and no ") {
		t.Error(err)
	}
	if _, err := os.Stat(path + Suffix); err == nil {
		t.Error("the journal was begun")
	}
	if _, err := Open(t.TempDir(), tasks, Settings{}); err == nil || !strings.Contains(err.Error(), "expected a regular file") {
		t.Error(err)
	}

	path = filepath.Join(t.TempDir(), "s.jsonl")
	first, err := Open(path, tasks, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, tasks, Settings{}); err == nil || !strings.Contains(err.Error(), "another run is writing to it") {
		t.Error(err)
	}
	first.Close()
	second, err := Open(path, tasks, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	second.Close()
}

// A disk that takes no more ends the run.
func TestDiskFull(t *testing.T) {
	tasks := makeTasks(t, 50)
	url, requests := serve(t, echo)
	journal, err := Open(filepath.Join(t.TempDir(), "s.jsonl"), tasks, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	journal.Close()
	summary, err := Ask(t.Context(), tasks, journal, Options{BaseURL: url, Samples: 1, Concurrency: 2})
	if err == nil || !strings.Contains(err.Error(), os.ErrClosed.Error()) || requests.Load() > 4 {
		t.Errorf("%+v, %v, %d requests", summary, err, requests.Load())
	}
	if err := journal.Collect(io.Discard, nil); err != nil {
		t.Error(err)
	}
}
