package dataset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/semaphore"

	"codelinter/evaluator/task"
	"codelinter/internal/guard"
	"codelinter/internal/rows"
	"codelinter/internal/rows/packed"
	"codelinter/internal/taskrows"
	"codelinter/internal/util/ordered"
	"codelinter/lint"
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
	// ByTree are those of the decided tasks whose canonical code has the program's tree: an answer
	// like it passes by its tree, and nothing was run to find out more.
	ByTree int

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
	// Plugins runs the plugins that tasks name; nil: such a task is a fault.
	Plugins task.Plugins
	// Undecidable, if set, returns the reason why no answer to a task can be judged, or "".
	// It is not asked of a task whose canonical code has the program's tree. An error ends the
	// check. It is called on any goroutine, as Adequacy is.
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
// covers the rows before it. Rows are checked on all cores; the report does not depend on them.
func Check(name string, r io.Reader, o CheckOptions) (*Report, error) {
	c := checker{options: o, report: &Report{}, seen: map[task.ID]rows.Row{}, instructions: map[string]bool{}, codes: map[rule.Code]bool{}}
	if o.Undecidable != nil {
		c.report.Undecidable = map[string]int{}
	}
	if _, err := newFinder(o.Release, o.Target, o.Plugins); err != nil {
		return c.report, err
	}
	reader, format, err := packed.Open(name, r, taskrows.Fields()...)
	if err != nil {
		return c.report, err
	}
	c.report.Format = format
	defer c.count() // also if the rest cannot be read
	flight := semaphore.NewWeighted(flightBytes)
	read := func(yield func(*checkedRow) error) error {
		for line, err := range rows.All(reader) {
			row := &checkedRow{at: line, err: err, weight: int64(min(len(line.Text), flightBytes))}
			flight.Acquire(context.Background(), row.weight)
			if err == nil {
				row.task, row.invalid = taskrows.Parse(line, true)
			}
			row.at.Text = nil // the reader reuses it
			if err := yield(row); err != nil {
				return err
			}
		}
		return nil
	}
	newWorker := func() (func(*checkedRow) *checkedRow, error) {
		w := rowChecker{options: &o}
		var err error
		w.findings, err = newFinder(o.Release, o.Target, o.Plugins)
		return w.check, err
	}
	err = ordered.Do(context.Background(), runtime.GOMAXPROCS(0), read, newWorker, func(row *checkedRow) error {
		defer flight.Release(row.weight)
		return c.add(row)
	})
	if err == nil && c.report.Rows == 0 {
		err = &rows.Error{File: name, Problem: "expected at least one task, found none"}
	}
	return c.report, err
}

// flightBytes bounds the rows that were read and are not in the report yet. A longer row is
// checked alone.
const flightBytes = 64 << 20

// A checkedRow is a row of the file, and what is wrong with it.
type checkedRow struct {
	at      rows.Row
	weight  int64 // of flightBytes
	err     error // the file cannot be read from here on, or the judge could not do its work
	task    task.Task
	invalid error // why the row is no task

	faults    []Fault // without their place
	found     int     // findings in the program
	codes     map[rule.Code]bool
	canonical canonical
	adequacy  *task.Adequacy
	reason    string // why no answer can be judged
}

// canonical is what a task's canonical code is.
type canonical int

const (
	noCanonical canonical = iota
	sameCanonical
	faultyCanonical
	cleanCanonical
	treeCanonical // clean, with the program's tree
)

// A rowChecker checks one row after another, and reuses its memory.
type rowChecker struct {
	options  *CheckOptions
	findings *finder
	guard    guard.Checker
}

func (w *rowChecker) check(row *checkedRow) *checkedRow {
	if row.err != nil || row.invalid != nil {
		return row
	}
	for _, place := range task.MissingPlaces(row.task.Instruction) {
		row.add("instruction", "has no "+place)
	}
	w.program(row)
	w.canonical(row)
	row.err = w.judge(row)
	return row
}

func (row *checkedRow) add(field, problem string) {
	row.faults = append(row.faults, Fault{Field: field, Problem: problem})
}

// program compares a task's feedback with the findings of its program.
func (w *rowChecker) program(row *checkedRow) {
	t := &row.task
	found, err := w.findings.of(t.Meta.Options, t.Inputs.Code)
	if err != nil {
		row.add("meta.options", err.Error())
		return
	}
	row.found, row.codes = len(found), map[rule.Code]bool{}
	for i := range found {
		row.codes[found[i].Code] = true
	}
	if len(found) == 0 {
		row.add("inputs.code", "has no findings: there is nothing to mend")
	}
	if difference := compareFeedback(found, t.Inputs.Feedback); difference != "" {
		if other := w.findings.other(t); other != 0 {
			difference += "; it is what " + rule.Reference(other, 0) + " says"
		}
		row.add("inputs.feedback", difference)
	}
}

// canonical lints a task's canonical answer.
func (w *rowChecker) canonical(row *checkedRow) {
	t := &row.task
	switch code := t.Meta.CanonicalCode; code {
	case "":
	case t.Inputs.Code:
		row.canonical = sameCanonical
	default:
		found, err := w.findings.of(t.Meta.Options, code)
		if err != nil {
			row.add("meta.canonical_code", err.Error())
			row.canonical = faultyCanonical
			return
		}
		if len(found) > 0 {
			first, _, _ := strings.Cut(string(task.AppendFeedback(nil, found)), "\n")
			row.add("meta.canonical_code", fmt.Sprintf("is not clean: %s%s", first, more(len(found)-1)))
			row.canonical = faultyCanonical
			return
		}
		row.canonical = cleanCanonical
		if w.options.Undecidable == nil {
			return // nobody asks whether the tree decides
		}
		if program, err := w.guard.Program([]byte(t.Inputs.Code)); err == nil && w.guard.Check(program, []byte(code), lint.Facts{}).SameTree {
			row.canonical = treeCanonical
		}
	}
}

// judge calls the judge's functions in the options. If the tree of the canonical code is the
// program's, nothing is run to find out whether an answer can be decided.
func (w *rowChecker) judge(row *checkedRow) (err error) {
	if w.options.Adequacy != nil {
		if row.adequacy, err = w.options.Adequacy(&row.task); err != nil {
			return err
		}
	}
	if w.options.Undecidable != nil && row.canonical != treeCanonical {
		row.reason, err = w.options.Undecidable(&row.task)
	}
	return err
}

// A checker sums up the rows of a file, in their order.
type checker struct {
	options      CheckOptions
	report       *Report
	seen         map[task.ID]rows.Row
	instructions map[string]bool
	codes        map[rule.Code]bool
}

// count sets the report's totals.
func (c *checker) count() {
	c.report.Instructions = len(c.instructions)
	c.report.Codes = len(c.codes)
}

// add adds a row to the report.
func (c *checker) add(row *checkedRow) error {
	if row.err != nil {
		return row.err
	}
	c.report.Rows++
	defer func() {
		if c.options.Progress != nil {
			c.options.Progress(c.report.Rows)
		}
	}()
	t, id := &row.task, row.task.Meta.ID
	if row.invalid != nil {
		c.fault(row, Fault{Problem: problem(row.invalid)})
		return nil
	}
	if first, twice := c.seen[id]; twice {
		c.fault(row, Fault{ID: id, Field: "meta.id", Problem: fmt.Sprintf("is already the id of %s %d", first.Unit(), first.Place())})
		return nil
	}
	c.seen[id] = row.at
	c.report.Tasks++
	if t.Meta.Row != nil && len(t.Meta.TestList) > 0 {
		c.report.Tests++
	}
	c.instructions[t.Instruction] = true
	for _, fault := range row.faults {
		fault.ID = id
		c.fault(row, fault)
	}
	c.report.Findings += row.found
	maps.Copy(c.codes, row.codes)
	if row.adequacy != nil {
		c.report.Adequacies = append(c.report.Adequacies, Adequacy{id, row.adequacy})
	}
	switch row.canonical {
	case noCanonical:
		c.report.NoCanonical++
	case sameCanonical:
		c.report.SameCanonical++
	case cleanCanonical, treeCanonical:
		c.report.CleanCanonical++
	}
	switch {
	case c.options.Undecidable == nil:
	case row.reason != "":
		c.report.Undecidable[row.reason]++
	default:
		c.report.Decided++
		if row.canonical == treeCanonical {
			c.report.ByTree++
		}
	}
	return nil
}

// fault adds a fault at the row's place.
func (c *checker) fault(row *checkedRow, fault Fault) {
	fault.Line, fault.Row = row.at.Line, row.at.Number
	c.report.Faults = append(c.report.Faults, fault)
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
