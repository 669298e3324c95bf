package dataset

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"codelinter/evaluator/task"
	"codelinter/internal/rows"
	"codelinter/internal/rows/packed"
	"codelinter/internal/taskrows"
	"codelinter/rule"
	"codelinter/source"
)

// A Report is the result of [Check].
type Report struct {
	Format packed.Format
	Rows   int
	Tasks  int // valid rows with an id of their own

	Instructions int // number of different ones
	Findings     int // in the tasks' programs
	Codes        int // number of different codes among the findings
	Tests        int // tasks with tests
	// Undecidable counts the tasks that cannot be decided by reason, and Decided the others.
	// Both are zero without CheckOptions.Undecidable.
	Undecidable map[string]int
	Decided     int

	// Adequacies are the adequacies of the tasks' calls, where known.
	Adequacies []Adequacy

	// The numbers of tasks without canonical code, with the program itself (no fault, as MBPP
	// has no other), and with another program without findings.
	NoCanonical, SameCanonical, CleanCanonical int

	Faults []Fault
}

// A Fault is an error in a row.
type Fault struct {
	Line, Row int     // where the row begins, as in [rows.Error]
	ID        task.ID // "" if it is unreadable
	Field     string
	Problem   string
}

// An Adequacy is the adequacy of a task's calls.
type Adequacy struct {
	ID task.ID
	*task.Adequacy
}

// CheckOptions configure [Check]. The zero value has good defaults.
type CheckOptions struct {
	// Release and Target are the flake8 and the CPython for tasks that name neither, see
	// [task.Options.Under].
	Release rule.Release
	Target  source.Version
	// Undecidable, if set, returns the reason why no answer to a task can be judged, or "".
	// An error ends the check.
	Undecidable func(*task.Task) (reason string, err error)
	// Adequacy, if set, returns the adequacy of a task's calls, or nil if no mutant can be
	// run. An error ends the check.
	Adequacy func(*task.Task) (*task.Adequacy, error)
	// Progress, if set, is called with the number of rows after each row.
	Progress func(rows int)
}

// Check reads all tasks in r and reports the faults of each row. Besides the requirements of
// [Read], the instruction must have places for the code and the feedback, the feedback must
// be the linter's findings in the code, and the canonical code must have no findings. If the
// file cannot be read to its end or has no rows, the error is a [*rows.Error], and the report
// covers the rows before it.
func Check(name string, r io.Reader, o CheckOptions) (*Report, error) {
	c := checker{options: o, report: &Report{}, seen: map[task.ID]rows.Row{}, instructions: map[string]bool{}}
	if o.Undecidable != nil {
		c.report.Undecidable = map[string]int{}
	}
	var err error
	if c.findings, err = newFinder(o.Release, o.Target); err != nil {
		return c.report, err
	}
	reader, format, err := packed.Open(name, r, taskrows.Fields()...)
	if err != nil {
		return c.report, err
	}
	c.report.Format = format
	defer c.count() // also if the rest cannot be read
	for line, err := range rows.All(reader) {
		if err == nil {
			err = c.row(line)
		}
		if err != nil {
			return c.report, err
		}
		if o.Progress != nil {
			o.Progress(c.report.Rows)
		}
	}
	if c.report.Rows == 0 {
		return c.report, &rows.Error{File: name, Problem: "expected at least one task, found none"}
	}
	return c.report, nil
}

// A checker checks a file of tasks, row by row.
type checker struct {
	options      CheckOptions
	report       *Report
	findings     *finder
	seen         map[task.ID]rows.Row
	instructions map[string]bool
	codes        [rule.Count]bool
}

// count sets the report's totals.
func (c *checker) count() {
	c.report.Instructions = len(c.instructions)
	for _, given := range c.codes {
		if given {
			c.report.Codes++
		}
	}
}

// row checks a row. An error means that the judge could not do its work.
func (c *checker) row(line rows.Row) error {
	c.report.Rows++
	at := line
	at.Text = nil
	t, err := taskrows.Parse(line, true)
	if err != nil {
		c.report.add(at, "", "", problem(err))
		return nil
	}
	id := t.Meta.ID
	if first, twice := c.seen[id]; twice {
		c.report.add(at, id, "meta.id", fmt.Sprintf("is already the id of %s %d", first.Unit(), first.Place()))
		return nil
	}
	c.seen[id] = at
	c.report.Tasks++
	if t.Meta.Row != nil && len(t.Meta.TestList) > 0 {
		c.report.Tests++
	}
	c.instructions[t.Instruction] = true
	for _, place := range task.MissingPlaces(t.Instruction) {
		c.report.add(at, id, "instruction", "has no "+place)
	}
	c.program(at, &t)
	c.canonical(at, &t)
	return c.judge(&t)
}

// program compares a task's feedback with the findings of its program.
func (c *checker) program(at rows.Row, t *task.Task) {
	found := c.findings.of(t.Meta.Options, t.Inputs.Code)
	c.report.Findings += len(found)
	for i := range found {
		c.codes[found[i].Code] = true
	}
	if len(found) == 0 {
		c.report.add(at, t.Meta.ID, "inputs.code", "has no findings: there is nothing to mend")
	}
	if difference := compareFeedback(found, t.Inputs.Feedback); difference != "" {
		if other := c.findings.other(t); other != 0 {
			difference += "; it is what " + rule.Reference(other, 0) + " says"
		}
		c.report.add(at, t.Meta.ID, "inputs.feedback", difference)
	}
}

// canonical lints a task's canonical answer.
func (c *checker) canonical(at rows.Row, t *task.Task) {
	switch canonical := t.Meta.CanonicalCode; canonical {
	case "":
		c.report.NoCanonical++
	case t.Inputs.Code:
		c.report.SameCanonical++
	default:
		found := c.findings.of(t.Meta.Options, canonical)
		if len(found) == 0 {
			c.report.CleanCanonical++
			return
		}
		first, _, _ := strings.Cut(string(task.AppendFeedback(nil, found)), "\n")
		c.report.add(at, t.Meta.ID, "meta.canonical_code", fmt.Sprintf("is not clean: %s%s", first, more(len(found)-1)))
	}
}

// judge calls the judge's functions in the options.
func (c *checker) judge(t *task.Task) error {
	if c.options.Adequacy != nil {
		adequacy, err := c.options.Adequacy(t)
		if err != nil {
			return err
		}
		if adequacy != nil {
			c.report.Adequacies = append(c.report.Adequacies, Adequacy{t.Meta.ID, adequacy})
		}
	}
	if c.options.Undecidable == nil {
		return nil
	}
	reason, err := c.options.Undecidable(t)
	switch {
	case err != nil:
		return err
	case reason == "":
		c.report.Decided++
	default:
		c.report.Undecidable[reason]++
	}
	return nil
}

func (r *Report) add(line rows.Row, id task.ID, field, problem string) {
	r.Faults = append(r.Faults, Fault{line.Line, line.Number, id, field, problem})
}

// problem returns an error's text without its place.
func problem(err error) string {
	var fault *rows.Error
	if errors.As(err, &fault) && fault.Err == nil {
		return fault.Problem
	}
	return err.Error()
}

func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", and %d more", n)
}

// compareFeedback describes the first difference between a task's feedback and the findings,
// or returns "". The last newline may be missing. Findings at one row and column may be in
// any order, as flake8's order there depends on a hash.
func compareFeedback(findings []rule.Finding, got string) string {
	want := strings.TrimSuffix(string(task.AppendFeedback(nil, findings)), "\n")
	got = strings.TrimSuffix(got, "\n")
	if got == want {
		return ""
	}
	wants, gots := strings.Split(want, "\n"), strings.Split(got, "\n")
	lines := len(findings)
	if len(wants) != lines || len(gots) != lines { // a message may span lines
		lines = 0
	}
	for start, end := 0, 0; start < lines; start = end {
		first := &findings[start]
		for end = start; end < lines && findings[end].Row == first.Row && findings[end].Column == first.Column; end++ {
		}
		slices.Sort(wants[start:end])
		slices.Sort(gots[start:end])
	}
	for i := range max(len(wants), len(gots)) {
		switch {
		case i >= len(gots) || got == "":
			return fmt.Sprintf("ends after %d lines, the linter goes on: %q", min(i, len(gots)), wants[i])
		case i >= len(wants) || want == "":
			return fmt.Sprintf("line %d is %.100q, of which the linter says nothing", i+1, gots[i])
		case wants[i] != gots[i]:
			return fmt.Sprintf("line %d is %.100q, the linter says %q", i+1, gots[i], wants[i])
		}
	}
	return ""
}
