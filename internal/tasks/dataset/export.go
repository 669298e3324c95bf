package dataset

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
)

// A Trainer is the name of a tool for which [Export] writes tasks.
type Trainer string

// The trainers, with the versions for which the files are made.
const (
	TRL       Trainer = "trl"       // 1.16: a prompt in messages, and a column for reward functions
	Verl      Trainer = "verl"      // 0.9.1: the columns of its RLHFDataset
	Verifiers Trainer = "verifiers" // 0.4.0: the data of a v1 task
	NeMoGym   Trainer = "nemo-gym"  // 0.7: the parameters of a response, and what the server verifies by
	OpenRLHF  Trainer = "openrlhf"  // 0.11.2, and slime: a prompt in messages and a label
)

// Trainers returns the names of all trainers.
func Trainers() []Trainer { return []Trainer{TRL, Verl, Verifiers, NeMoGym, OpenRLHF} }

// Export writes a JSONL row for each task to w, in the columns of a trainer: the
// prompt as the model gets it, and the task as JSON, which the trainer's reward
// function needs. The JSON is a string, as Arrow would give every row the fields of
// all rows.
//
//	trl        prompt: [{role, content}], task: text
//	verl       data_source: text, prompt: [{role, content}], ability: text,
//	           reward_model: {style, ground_truth: text}, extra_info: {index, id}
//	verifiers  id: text, prompt: text, task: text
//	nemo-gym   responses_create_params: {input: [{role, content}]}, task: text, agent_ref: {type, name}
//	openrlhf   prompt: [{role, content}], label: text
//
// Chats begin with a system message, unless system is "". The error is w's,
// [ErrSystem], or an unknown trainer's name.
func Export(w io.Writer, tasks *task.Set, trainer Trainer, system string) error {
	switch {
	case !slices.Contains(Trainers(), trainer):
		return fmt.Errorf("expected one of %q, found %q", Trainers(), trainer)
	case trainer == Verifiers && system != "":
		return ErrSystem
	}
	for i, t := range tasks.All() {
		if _, err := w.Write(pyjson.AppendLine(nil, trainer.row(i, t, system))); err != nil {
			return err
		}
	}
	return nil
}

// ErrSystem is the error if a trainer's rows have no system message.
var ErrSystem = errors.New("the rows of verifiers have no system prompt: its environment has one")

// row returns the row of task i.
func (trainer Trainer) row(i int, t *task.Task, system string) pyjson.Object {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	chat := []message{{"user", t.Prompt()}}
	if system != "" {
		chat = []message{{"system", system}, {"user", t.Prompt()}}
	}
	id, text := t.Meta.ID.String(), string(pyjson.Append(nil, t))
	switch trainer {
	case TRL:
		return pyjson.Object{{"prompt", chat}, {"task", text}}
	case Verl:
		return pyjson.Object{
			{"data_source", "codelintereval"}, {"prompt", chat}, {"ability", "code"},
			{"reward_model", pyjson.Object{{"style", "rule"}, {"ground_truth", text}}},
			{"extra_info", pyjson.Object{{"index", i}, {"id", id}}},
		}
	case Verifiers:
		return pyjson.Object{{"id", id}, {"prompt", t.Prompt()}, {"task", text}}
	case NeMoGym:
		agent := pyjson.Object{{"type", "responses_api_agents"}, {"name", "codelinter_simple_agent"}}
		return pyjson.Object{{"responses_create_params", pyjson.Object{{"input", chat}}}, {"task", text}, {"agent_ref", agent}}
	}
	return pyjson.Object{{"prompt", chat}, {"label", text}} // OpenRLHF
}
