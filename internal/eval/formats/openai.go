package formats

import (
	"fmt"
	"strconv"
	"strings"

	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
)

// batchOutput reads the output of OpenAI's batches and of vllm run-batch, a line a
// request, in any order:
//
//	{"custom_id": "7-0", "response": {"status_code": 200, "body": {"choices": [{"message": {"content": "..."}}]}}, "error": null}
//
// A custom_id must be unique, so it is often more than the task's id: it may have a
// prefix that ends in "/", "-", "_" or ":", or the sample's number at its end.
type batchOutput struct {
	choices
	tasks   *task.Set
	failed  int
	example string // a custom_id that is more than an id, with its task
	others  int    // number of such custom_ids
}

func (b *batchOutput) answers(row rows.Row, f func(answer) error) error {
	fields, err := row.Find("custom_id", "response")
	if err != nil {
		return err
	}
	var a answer
	if err = row.ID("custom_id", fields["custom_id"], &a.id); err != nil {
		return err
	}
	response := fields["response"]
	switch {
	case response == nil:
		return row.Missing("response", "an object")
	case response[0] != 'n' && response[0] != '{':
		return row.Errorf("response: expected an object, found %s", pyjson.Kind(response))
	}
	of, _ := pyjson.Find(response, "status_code", "body")
	status, body := of["status_code"], of["body"]
	if task, number := b.meant(a.id); task != a.id {
		if b.others++; b.others == 1 {
			b.example = fmt.Sprintf("%s for task %s", a.id, task)
		}
		a.task, a.order = task, int32(min(number, maxEpoch))*maxChoices
	}
	if !pyjson.Present(response) || !pyjson.Present(body) || status != nil && string(status) != "200" {
		b.failed++
		return f(a)
	}
	choices := pyjson.Get(body, "choices")
	if !pyjson.Present(choices) {
		return row.Missing("response.body.choices", "a list")
	}
	_, err = b.each(row, "response.body.choices", choices, a, f)
	return err
}

// meant returns the task and the sample's number of a custom_id: 7 and 0 for 7-0,
// task-7 and request-7-0. It returns id itself if there is no such task.
func (b *batchOutput) meant(id task.ID) (meant task.ID, number uint64) {
	known := func(id task.ID) (task.ID, bool) {
		for {
			if _, ok := b.tasks.Find(id); ok {
				return id, true
			}
			_, rest, more := cutAny(string(id), strings.IndexAny)
			if !more {
				return "", false
			}
			id = task.ID(rest)
		}
	}
	if _, ok := b.tasks.Find(id); ok {
		return id, 0
	}
	if before, after, ok := cutAny(string(id), strings.LastIndexAny); ok {
		if number, err := strconv.ParseUint(after, 10, 31); err == nil {
			if meant, ok := known(task.ID(before)); ok {
				return meant, number
			}
		}
	}
	if meant, ok := known(id); ok {
		return meant, 0
	}
	return id, 0
}

// cutAny cuts id at a separator that index finds.
func cutAny(id string, index func(string, string) int) (before, after string, ok bool) {
	i := index(id, "/-_:.#")
	if i < 0 {
		return id, "", false
	}
	return id[:i], id[i+1:], true
}

func (b *batchOutput) asked() []task.ID { return nil }

func (b *batchOutput) notes() []string {
	notes := append(numbered("requests that failed and have no answer: %d", b.failed), b.choices.notes()...)
	if b.others > 0 {
		notes = append(notes, fmt.Sprintf("custom ids that are more than a task's id, which is looked for in them: %d, as %s", b.others, b.example))
	}
	return notes
}
