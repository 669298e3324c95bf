package dataset

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"io"
	"strings"
	"unicode/utf8"

	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
)

var (
	//go:embed instructions/en.txt
	english string
	//go:embed instructions/ru.txt
	russian string
)

// Languages returns the languages that [Instructions] has.
func Languages() []string { return []string{"en", "ru"} }

// Instructions returns ten instructions of our own in English ("en") or Russian
// ("ru"). They say the same in the same order.
func Instructions(language string) []string {
	if language == "ru" {
		return splitInstructions(russian)
	}
	return splitInstructions(english)
}

// instructionEnd is the line between two instructions in a file.
const instructionEnd = "%%"

// ReadInstructions reads instructions: a JSON list of texts, or texts with lines of
// "%%" between them. Each must have a place for the code and for the feedback.
func ReadInstructions(name string, r io.Reader) ([]string, error) {
	text, err := io.ReadAll(io.LimitReader(r, rows.MaxLength+1))
	if err != nil {
		return nil, &rows.Error{File: name, Err: err}
	}
	fault := func(prompt int, problem string) error {
		return &rows.Error{File: name, Row: prompt, Problem: problem}
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	switch {
	case len(text) > rows.MaxLength:
		return nil, fault(0, "expected prompts of at most 256 MiB")
	case !utf8.Valid(text):
		return nil, fault(0, "expected UTF-8, found other bytes")
	}
	var instructions []string
	if first := bytes.TrimLeft(text, pyjson.Blanks); len(first) > 0 && first[0] == '[' {
		if err := json.Unmarshal(text, &instructions); err != nil {
			return nil, fault(0, "expected a list of texts: "+err.Error())
		}
	} else {
		instructions = splitInstructions(string(text))
	}
	for i, prompt := range instructions {
		if missing := task.MissingPlaces(prompt); missing != nil {
			return nil, fault(i+1, "expected "+missing[0]+" in the prompt, found none")
		}
	}
	if len(instructions) == 0 {
		return nil, fault(0, "expected at least one prompt, found none")
	}
	return instructions, nil
}

// splitInstructions splits a text at lines of "%%". Newlines before such a line and
// at the end are dropped.
func splitInstructions(text string) []string {
	var instructions []string
	var lines []string
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		if line = strings.TrimSuffix(line, "\n"); line == instructionEnd {
			instructions = append(instructions, strings.Join(lines, "\n"))
			lines = lines[:0]
		} else {
			lines = append(lines, line)
		}
	}
	if len(lines) > 0 {
		instructions = append(instructions, strings.Join(lines, "\n"))
	}
	return instructions
}
