package dataset

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"codelinter/evaluator/pyjson"
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
// whence "{{" and "}}" in an instruction are single braces. Any other brace, for
// which Python has an error, stands for itself.
func (t *Task) Prompt() string {
	text := strings.NewReplacer("{{", "{", "}}", "}", codePlace, t.Inputs.Code, feedbackPlace, t.Inputs.Feedback).Replace(t.Instruction)
	return strings.TrimFunc(text, isBlank)
}

// isBlank tells whether Python's str.strip takes r away.
func isBlank(r rune) bool { return unicode.IsSpace(r) || '\x1c' <= r && r <= '\x1f' }

// missingPlaces returns the places that an instruction does not have.
func missingPlaces(instruction string) (missing []string) {
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

var (
	//go:embed prompts/en.txt
	englishPrompts string
	//go:embed prompts/ru.txt
	russianPrompts string
)

// Languages are those that [Prompts] knows.
var Languages = []string{"en", "ru"}

// Prompts returns ten instructions of our own in English ("en") or Russian
// ("ru"). They say the same in the same order.
func Prompts(language string) []string {
	if language == "ru" {
		return splitPrompts(russianPrompts)
	}
	return splitPrompts(englishPrompts)
}

// promptEnd is the line between two instructions of a file.
const promptEnd = "%%"

// ReadPrompts reads instructions: a JSON list of texts, or texts with lines of
// "%%" between them. Each must have a place for the code and for the feedback.
func ReadPrompts(name string, r io.Reader) ([]string, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxLine+1))
	if err != nil {
		return nil, &Error{File: name, Err: err}
	}
	fault := func(prompt int, problem string) error {
		return &Error{File: name, Row: prompt, Problem: problem}
	}
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	switch {
	case len(text) > MaxLine:
		return nil, fault(0, "expected prompts of at most 256 MiB")
	case !utf8.Valid(text):
		return nil, fault(0, "expected UTF-8, found other bytes")
	}
	var prompts []string
	if first := bytes.TrimLeft(text, pyjson.Blanks); len(first) > 0 && first[0] == '[' {
		if err := json.Unmarshal(text, &prompts); err != nil {
			return nil, fault(0, "expected a list of texts: "+err.Error())
		}
	} else {
		prompts = splitPrompts(string(text))
	}
	for i, prompt := range prompts {
		if missing := missingPlaces(prompt); missing != nil {
			return nil, fault(i+1, "expected "+missing[0]+" in the prompt, found none")
		}
	}
	if len(prompts) == 0 {
		return nil, fault(0, "expected at least one prompt, found none")
	}
	return prompts, nil
}

// splitPrompts parts a text at lines of "%%". The newline before such a line, and
// that at the end, is not the prompt's.
func splitPrompts(text string) []string {
	var prompts []string
	var lines []string
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		if line = strings.TrimSuffix(line, "\n"); line == promptEnd {
			prompts = append(prompts, strings.Join(lines, "\n"))
			lines = lines[:0]
		} else {
			lines = append(lines, line)
		}
	}
	if len(lines) > 0 {
		prompts = append(prompts, strings.Join(lines, "\n"))
	}
	return prompts
}
