// Package task is the model of CodeLinterEval's tasks: a program with faults,
// what flake8 finds in it, and an instruction to fix it.
//
//	t := &task.Task{
//		Instruction: "Fix this.\n{feedback}\n{code}",
//		Inputs: task.Inputs{
//			Code:     "x=1\n",
//			Feedback: "E225: missing whitespace around operator in 1 line\n",
//		},
//		Meta: task.Meta{ID: "7", CanonicalCode: "x = 1\n"},
//	}
//	t.Prompt() // what a model is shown
//
// The JSON form of a [Task] is the benchmark's own; package dataset reads files of
// tasks and makes them.
package task

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"iter"
	"slices"
	"strings"

	"codelinter/rule"
	"codelinter/source"
)

// A Task is one row of CodeLinterEval, in the benchmark's own fields.
type Task struct {
	// Instruction is the prompt's template: {code} and {feedback} stand for
	// the inputs.
	Instruction string `json:"instruction"`
	Inputs      Inputs `json:"inputs"`
	// Outputs is kept as it was read. The benchmark has text or numbers here
	// and scores without looking at them; package dataset writes "".
	Outputs json.RawMessage `json:"outputs"`
	Meta    Meta            `json:"meta"`
}

// Inputs is what the model is shown.
type Inputs struct {
	Code     string `json:"code"`     // the program with faults
	Feedback string `json:"feedback"` // what flake8 says of it, see [AppendFeedback]
}

// Meta is what the model is not shown.
type Meta struct {
	ID            ID     `json:"id"`
	CanonicalCode string `json:"canonical_code"`
	// Options are nil for a task under flake8's defaults, as all of the
	// benchmark's are.
	Options *Options `json:"options,omitempty"`
	// Logic is [FreeLogic], or "" for a task whose answers keep the logic of its
	// program.
	Logic Logic `json:"logic,omitempty"`
	// Origin is where the program comes from; nil if that is not known.
	Origin *Origin `json:"origin,omitempty"`
	// Difficulty is that of a task whose faults were put in, from 0 to 1; see package synth.
	Difficulty float64 `json:"difficulty,omitempty"`
	// Row is the row the task was made from, without its code; nil if the
	// task has none of its fields.
	*Row
}

// An Origin is where a program comes from.
type Origin struct {
	// Path is that of a file in its folder or archive, or the name of a file of rows.
	Path string `json:"path"`
	// Line is the row in the file where the program begins, from 1, or its row among those of a
	// file of rows; 0 if the program is the whole file.
	Line int `json:"line,omitempty"`
	// Licence is that of the package, as its metadata names it: an SPDX expression, mostly.
	Licence string `json:"licence,omitempty"`
}

// Logic says whether an answer may change what the program does.
type Logic string

// FreeLogic lets an answer change the logic of the program. The tests alone decide.
const FreeLogic Logic = "free"

// A Row is a row of MBPP. To run its tests: the code, TestSetupCode, and then
// each of TestList.
type Row struct {
	TaskID            ID       `json:"task_id,omitzero"`
	Text              string   `json:"text,omitzero"`
	TestSetupCode     string   `json:"test_setup_code"`
	TestList          []string `json:"test_list,omitzero"`
	ChallengeTestList []string `json:"challenge_test_list,omitzero"`
}

// TemplateName names the task's instruction in eight hexadecimal digits, the same
// for the same instruction: its 32-bit FNV-1a hash.
func (t *Task) TemplateName() string {
	hash := fnv.New32a()
	hash.Write([]byte(t.Instruction))
	return fmt.Sprintf("%08x", hash.Sum32())
}

// Digest returns two numbers of eight hexadecimal digits, as in "0b5d1c33-8a0f2e61": they begin the
// SHA-256 of the program, and that of the options and the feedback. Tasks with equal digests are
// the same to those who answer them. The flake8 and the CPython in the options do not count: what
// they find is in the feedback.
func (t *Task) Digest() string {
	program := sha256.Sum256([]byte(t.Inputs.Code))
	rest := sha256.Sum256([]byte(t.Meta.Options.Unpinned().String() + "\x00" + t.Inputs.Feedback))
	return fmt.Sprintf("%x-%x", program[:4], rest[:4])
}

// SameProgram reports whether two digests are of tasks with the same program.
func SameProgram(a, b string) bool {
	program, _, _ := strings.Cut(a, "-")
	return strings.HasPrefix(b, program+"-")
}

// A Set is tasks with unique IDs, in the order of their file. It is immutable.
type Set struct {
	tasks []Task
	index map[ID]int
}

// NewSet returns the set of tasks and keeps the slice. Two tasks with one ID are an
// error.
func NewSet(tasks []Task) (*Set, error) {
	s := &Set{tasks, make(map[ID]int, len(tasks))}
	for i := range tasks {
		id := tasks[i].Meta.ID
		if first, twice := s.index[id]; twice {
			return nil, fmt.Errorf("tasks[%d]: id %s is already that of tasks[%d]: expected unique ids", i, id, first)
		}
		s.index[id] = i
	}
	return s, nil
}

// Len returns the number of tasks.
func (s *Set) Len() int { return len(s.tasks) }

// At returns the task in place i, from 0. It must not be changed.
func (s *Set) At(i int) *Task { return &s.tasks[i] }

// All returns the places and tasks of the set, in its order.
func (s *Set) All() iter.Seq2[int, *Task] {
	return func(yield func(int, *Task) bool) {
		for i := range s.tasks {
			if !yield(i, &s.tasks[i]) {
				return
			}
		}
	}
}

// References returns the flake8s and CPythons that score the tasks, each once, in the order of the
// tasks: see [Options.Reference].
func (s *Set) References(flake8 rule.Release, python source.Version) []string {
	var all []string
	for i := range s.tasks {
		options := s.tasks[i].Meta.Options
		if i > 0 && options == s.tasks[i-1].Meta.Options {
			continue // as for most tasks of a file
		}
		if one := options.Reference(flake8, python); !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

// Find returns the place of the task called id.
func (s *Set) Find(id ID) (at int, ok bool) {
	at, ok = s.index[id]
	return at, ok
}
