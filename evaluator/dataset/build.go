package dataset

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"

	"codelinter/lint"
	"codelinter/rule"
)

// Instruction is the template of the tasks that [Build] makes.
const Instruction = `Below are a Python program and what flake8, with its default settings, finds in it.
Rewrite the program so that flake8 finds nothing: mend every finding, bring in no new one, and keep what the program does.

Findings:
{feedback}

Program:
{code}

Answer with the whole program in one block, and nothing after it:
` + "```python\n# the program\n```"

// Built counts what [Build] did.
type Built struct {
	Rows     int // rows read
	Tasks    int // rows with a finding: tasks written
	Findings int
}

// Build reads rows of MBPP from r and writes a task for each whose code has a
// finding under flake8's default options. name is r's name in errors.
//
// The code is linted, and kept in inputs.code and meta.canonical_code, exactly as
// it stands in the row, with "\r\n" where it has that: MBPP has no corrected
// programs. A task's id is its row's task_id, so it stays the same whatever the
// linter finds in other rows. The row's text and tests stand in meta.
func Build(name string, r io.Reader, w io.Writer) (built Built, err error) {
	linter, err := lint.New(lint.DefaultOptions())
	if err != nil {
		return built, err
	}
	out := bufio.NewWriterSize(w, 64<<10)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	rows := map[ID]int{} // the line of each task_id
	var code, feedback []byte
	for lines := NewLines(name, r); ; {
		line, err := lines.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return built, err
		}
		program, row, err := parseRow(line)
		if err != nil {
			return built, err
		}
		if first, twice := rows[row.TaskID]; twice {
			return built, line.Errorf("task_id %s is already that of line %d: expected unique ids", row.TaskID, first)
		}
		rows[row.TaskID] = line.Number
		built.Rows++

		code = append(code[:0], program...)
		findings := linter.Lint(code)
		if len(findings) == 0 {
			continue
		}
		built.Tasks++
		built.Findings += len(findings)
		feedback = AppendFeedback(feedback[:0], findings)
		if err := encoder.Encode(Task{
			Instruction: Instruction,
			Inputs:      Inputs{Code: program, Feedback: string(feedback)},
			Outputs:     json.RawMessage(`""`),
			Meta:        Meta{ID: row.TaskID, CanonicalCode: program, Row: &row},
		}); err != nil {
			return built, err
		}
	}
	if built.Rows == 0 {
		return built, &Error{File: name, Problem: "expected at least one row, found none"}
	}
	return built, out.Flush()
}

// AppendFeedback appends the findings to dst in the benchmark's words, a line
// each:
//
//	E225: missing whitespace around operator in 1 line
func AppendFeedback(dst []byte, findings []rule.Finding) []byte {
	for i := range findings {
		if i > 0 {
			dst = append(dst, '\n')
		}
		dst = append(dst, rule.Catalog[findings[i].Code].Code...)
		dst = append(dst, ": "...)
		dst = findings[i].AppendMessage(dst)
		dst = append(dst, " in "...)
		dst = strconv.AppendInt(dst, int64(findings[i].Row), 10)
		dst = append(dst, " line"...)
	}
	return dst
}

// parseRow reads a row of MBPP; the fields about tests may be missing.
func parseRow(line Line) (code string, row Row, err error) {
	var fields struct {
		Code *string `json:"code"`
		Row
	}
	if err := line.Decode(&fields); err != nil {
		return "", row, err
	}
	switch {
	case fields.TaskID == "":
		return "", row, line.Missing("task_id", "an integer or a text")
	case fields.Code == nil:
		return "", row, line.Missing("code", "a text")
	}
	return *fields.Code, fields.Row, nil
}
