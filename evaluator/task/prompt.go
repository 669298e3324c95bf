package task

import (
	"strings"

	"codelinter/internal/python/pytext"
)

// The places of the inputs in an instruction.
const (
	codePlace     = "{code}"
	feedbackPlace = "{feedback}"
)

// Prompt returns the prompt of the task: its instruction with the code and the feedback inserted,
// without blanks at its ends. Braces in the code and the feedback are not replaced. The benchmark
// does this by Python's
//
//	instruction.format(**inputs).strip()
//
// so "{{" and "}}" in an instruction are single braces. Any other brace, which is an
// error in Python, is kept.
func (t *Task) Prompt() string {
	text := strings.NewReplacer("{{", "{", "}}", "}", codePlace, t.Inputs.Code, feedbackPlace, t.Inputs.Feedback).Replace(t.Instruction)
	return pytext.TrimSpace(text)
}

// MissingPlaces returns the places, of {code} and {feedback}, that an instruction lacks.
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
