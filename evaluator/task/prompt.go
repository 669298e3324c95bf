package task

import (
	"strings"

	"codelinter/source/pytext"
)

// What stands for the inputs in an instruction.
const (
	codePlace     = "{code}"
	feedbackPlace = "{feedback}"
)

// Prompt returns what a model is shown of the task: its instruction, with its
// code and feedback in their places, and without blanks at its ends. What the
// inputs contain is not looked at for further places. The benchmark does so by
// Python's
//
//	instruction.format(**inputs).strip()
//
// so "{{" and "}}" in an instruction are single braces. Any other brace, for
// which Python has an error, stands for itself.
func (t *Task) Prompt() string {
	text := strings.NewReplacer("{{", "{", "}}", "}", codePlace, t.Inputs.Code, feedbackPlace, t.Inputs.Feedback).Replace(t.Instruction)
	return pytext.TrimSpace(text)
}

// MissingPlaces returns the places, {code} and {feedback}, that an instruction does not have.
func MissingPlaces(instruction string) (missing []string) {
	prompt := func(inputs Inputs) string {
		task := Task{Instruction: instruction, Inputs: inputs}
		return task.Prompt()
	}
	bare := prompt(Inputs{})
	if prompt(Inputs{Code: "x"}) == bare {
		missing = append(missing, codePlace)
	}
	if prompt(Inputs{Feedback: "x"}) == bare {
		missing = append(missing, feedbackPlace)
	}
	return missing
}
