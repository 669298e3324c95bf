package dataset

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"codelinter/evaluator/task"
	"codelinter/internal/pyjson"
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
	messages := func(t *task.Task) []message {
		if system == "" {
			return []message{{"user", t.Prompt()}}
		}
		return []message{{"system", system}, {"user", t.Prompt()}}
	}
	switch trainer {
	case TRL:
		return export(w, tasks, func(_ int, t *task.Task) trlRow { return trlRow{messages(t), taskText(t)} })
	case Verl:
		return export(w, tasks, func(i int, t *task.Task) verlRow {
			return verlRow{
				DataSource:  "codelintereval",
				Prompt:      messages(t),
				Ability:     "code",
				RewardModel: verlReward{"rule", taskText(t)},
				ExtraInfo:   verlInfo{int64(i), t.Meta.ID.String()},
			}
		})
	case Verifiers:
		if system != "" {
			return ErrSystem
		}
		return export(w, tasks, func(_ int, t *task.Task) verifiersRow {
			return verifiersRow{t.Meta.ID.String(), t.Prompt(), taskText(t)}
		})
	case NeMoGym:
		return export(w, tasks, func(_ int, t *task.Task) nemoGymRow {
			return nemoGymRow{nemoGymParams{messages(t)}, taskText(t), nemoGymAgent{"responses_api_agents", "codelinter_simple_agent"}}
		})
	case OpenRLHF:
		return export(w, tasks, func(_ int, t *task.Task) openRLHFRow { return openRLHFRow{messages(t), taskText(t)} })
	}
	return fmt.Errorf("expected one of %q, found %q", Trainers(), trainer)
}

// A message is one of a chat, as all trainers have it.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type trlRow struct {
	Prompt []message `json:"prompt"`
	Task   string    `json:"task"`
}

type verlRow struct {
	DataSource  string     `json:"data_source"`
	Prompt      []message  `json:"prompt"`
	Ability     string     `json:"ability"`
	RewardModel verlReward `json:"reward_model"`
	ExtraInfo   verlInfo   `json:"extra_info"`
}

type verlReward struct {
	Style       string `json:"style"`
	GroundTruth string `json:"ground_truth"`
}

type verlInfo struct {
	Index int64  `json:"index"`
	ID    string `json:"id"`
}

type verifiersRow struct {
	ID     string `json:"id"`
	Prompt string `json:"prompt"`
	Task   string `json:"task"`
}

type nemoGymRow struct {
	Params nemoGymParams `json:"responses_create_params"`
	Task   string        `json:"task"`
	Agent  nemoGymAgent  `json:"agent_ref"`
}

type nemoGymParams struct {
	Input []message `json:"input"`
}

type nemoGymAgent struct {
	Type string `json:"type"`
	Name string `json:"name"`
}

type openRLHFRow struct {
	Prompt []message `json:"prompt"`
	Label  string    `json:"label"`
}

// ErrSystem is the error if a trainer's rows have no system message.
var ErrSystem = errors.New("the rows of verifiers have no system prompt: its environment has one")

func taskText(t *task.Task) string { return string(pyjson.Append(nil, t)) }

// export writes the rows that row makes of tasks.
func export[Row any](w io.Writer, tasks *task.Set, row func(int, *task.Task) Row) error {
	var line []byte
	for i, t := range tasks.All() {
		line = pyjson.AppendLine(line[:0], row(i, t))
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// IsTrainer reports whether name is that of one of [Trainers].
func IsTrainer(name string) bool { return slices.Contains(Trainers(), Trainer(name)) }
