package formats

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"codelinter/internal/python/pyjson"
)

// A shape is the format of a file, as its start shows it.
type shape struct {
	format Format // Auto if unknown
	list   bool   // the rows are items of a list, not lines
	bare   bool   // of a submission: the rows are not in an object
	seen   string // a description for the user, if format is Auto
}

// marks are fields that identify a format; the first match decides. A row of
// lm-evaluation-harness may have any other field, as it has one for each metric.
var marks = []struct {
	format Format
	fields []string // all must be present
}{
	{LMEval, []string{"resps"}},
	{LMEval, []string{"filtered_resps"}},
	{LMEval, []string{"doc_id"}},
	{OpenAI, []string{"custom_id"}},
	{Inspect, []string{"version", "eval"}},
	{JSONL, []string{"outputs"}},
	{EvalPlus, []string{"solution"}},
	{HumanEval, []string{"completion"}},
	{HumanEval, []string{"task_id"}},
	{Submission, []string{"data"}},
	{JSONL, []string{"id"}},
}

// detect returns the shape of a file from its head: from the fields of the first
// object. sure is false if more of the file could change the result.
func detect(head []byte) (s shape, sure bool) {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), pyjson.Blanks)
	if len(head) == 0 {
		return shape{format: JSONL}, false // no samples at all
	}
	s = shape{format: Auto, seen: fmt.Sprintf("%.40q", head)}
	if head[0] == '[' {
		s.list = true
		head = bytes.TrimLeft(head[1:], pyjson.Blanks)
		if len(head) == 0 {
			return shape{format: BigCode, list: true}, false
		}
		if head[0] == '[' || head[0] == ']' {
			return shape{format: BigCode, list: true}, true
		}
	}
	if head[0] != '{' {
		return s, true
	}
	var names []string
	present := map[string]bool{}
	end := pyjson.Fields(head, func(key, _ []byte) {
		if name := string(key); !present[name] {
			present[name] = true
			names = append(names, name)
		}
	})
	sure = end != ^len(head)
	has := func(fields ...string) bool {
		return !slices.ContainsFunc(fields, func(field string) bool { return !present[field] })
	}
	for _, mark := range marks {
		if has(mark.fields...) {
			s.format = mark.format
			break
		}
	}
	s.bare = s.format == JSONL && has("outputs") && !has("id") && (has("meta") || has("instruction"))
	switch {
	case s.bare:
		s.format = Submission
	case s.format == JSONL && has("outputs") && (has("completion") || has("solution")):
		s.format, s.seen = Auto, "an object that has outputs, and a completion or solution as well"
	case s.format == JSONL && has("id", "official") && !has("outputs"):
		s.format, s.seen = Auto, "results of eval, which `codelinter report` shows"
	case s.format == Auto && len(names) > 0:
		s.seen = "an object with " + quoted(names)
	case s.format == Auto:
		s.format = JSONL // its reader reports the fault
	}
	return s, sure
}

func quoted(names []string) string {
	const most = 5
	var list []string
	for _, name := range names[:min(len(names), most)] {
		list = append(list, fmt.Sprintf("%.80q", name))
	}
	if len(names) > most {
		list = append(list, fmt.Sprintf("%d more", len(names)-most))
	}
	return strings.Join(list, ", ")
}

// spread reports whether the first row spans several lines, as jq writes it.
func spread(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), pyjson.Blanks)
	line, rest, _ := bytes.Cut(head, []byte("\n"))
	line = bytes.TrimRight(line, pyjson.Blanks)
	if len(bytes.TrimLeft(rest, pyjson.Blanks)) == 0 || len(line) == 0 || line[0] != '{' {
		return false
	}
	nothing := func(_, _ []byte) {}
	end := pyjson.Fields(head, nothing)
	return pyjson.Fields(line, nothing) == ^len(line) && (end > 0 || end == ^len(head))
}
