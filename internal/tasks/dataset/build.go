package dataset

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
	"codelinter/internal/rows/packed"
	"codelinter/internal/tasks/corpus"
	"codelinter/rule"
	"codelinter/source"
)

// BuildOptions configure [Build]. The zero value is for MBPP.
type BuildOptions struct {
	Fields       corpus.Fields
	Instructions []string // used in turn; nil: those of [Instructions] in English

	// N is the number of tasks in the test split; 0 means all. Shots is the number of
	// tasks in the shots split; these are in no other split. Seed decides which tasks
	// they are.
	N, Shots int
	Seed     uint64

	// Options are the flake8 options that lint the rows and become the tasks' options;
	// nil means the defaults. Release and Target are the flake8 and the CPython if the
	// options name neither. Each task names both, so that it is always scored by the
	// versions that made it.
	Options *task.Options
	Release rule.Release
	Target  source.Version

	// Plugins runs the plugins that Options name; nil: that is an error.
	Plugins task.Plugins

	// Invalid, if set, is called with the error of each invalid row, which is left out.
	// Otherwise the first such error ends [Build].
	Invalid func(error)

	Normalize bool // writes "\n" for "\r\n", and ends the code with a newline
}

// Built counts what [Build] did.
type Built struct {
	Rows     int // rows read, without invalid ones
	Invalid  int // rows left out, see [BuildOptions.Invalid]
	Clean    int // rows without findings, which become no tasks
	Tasks    int // written as test
	Shots    int // written as shots
	Findings int // in both splits
}

// Build reads rows of MBPP, or similar rows, from r. It makes a task of each row whose
// code has a finding under o.Options. It writes the test split to test and the shots
// split to shots, both in the order of the rows. name is r's name in errors.
//
// inputs.code and meta.canonical_code are exactly the row's code, unless o.Normalize is
// set: MBPP has no corrected programs. The task has the row's id, so ids do not depend
// on findings in other rows. The row's text and tests are in meta.
//
// Each split uses the instructions in turn, from the first one on.
//
// For the choice, tasks are ordered by SHA-256("SEED ID"), with SEED in decimal. The
// first ones are the test split, the last ones the shots. So a task that is chosen from
// some rows is also chosen from a part of them.
func Build(name string, r io.Reader, test, shots io.Writer, o BuildOptions) (built Built, err error) {
	if o.Fields == (corpus.Fields{}) {
		o.Fields = corpus.MBPP
	}
	if o.Instructions == nil {
		o.Instructions = Instructions("en")
	}
	tasks, built, err := o.read(name, r)
	if err != nil {
		return built, err
	}
	if need := o.N + o.Shots; need > len(tasks) || o.Shots == len(tasks) && need > 0 {
		return built, &rows.Error{File: name, Problem: fmt.Sprintf(
			"expected at least %d rows with findings, found %d", max(need, o.Shots+1), len(tasks))}
	}
	testTasks, shotTasks := o.split(tasks)
	built.Tasks, built.Shots = len(testTasks), len(shotTasks)
	for _, split := range []struct {
		w     io.Writer
		tasks []candidate
	}{{test, testTasks}, {shots, shotTasks}} {
		for i, candidate := range split.tasks {
			candidate.task.Instruction = o.Instructions[i%len(o.Instructions)]
			built.Findings += candidate.findings
			if _, err := split.w.Write(pyjson.AppendLine(nil, candidate.task)); err != nil {
				return built, err
			}
		}
	}
	return built, nil
}

// A candidate is a task that may be chosen.
type candidate struct {
	task     task.Task
	findings int
	row      int // its place among the candidates, in the order of the rows
	rank     uint64
}

// read makes a candidate of each row that has findings.
func (o *BuildOptions) read(name string, r io.Reader) (tasks []candidate, built Built, err error) {
	options, err := o.Options.Pinned(o.Release, o.Target)
	if err != nil {
		return nil, built, err
	}
	finder, err := newFinder(0, 0, o.Plugins)
	if err == nil {
		err = finder.linter.Use(context.Background(), options)
	}
	if err != nil {
		return nil, built, err
	}
	index := map[task.ID]rows.Row{}
	for line, err := range packed.Rows(name, r, o.Fields.Names()...) {
		if err != nil {
			return nil, built, err
		}
		var findings []rule.Finding
		program, row, err := o.Fields.Parse(line)
		if first, twice := index[row.TaskID]; err == nil && twice {
			err = line.Errorf("%s %s is already that of %s %d: expected unique ids", o.Fields.ID, row.TaskID, first.Unit(), first.Place())
		}
		if o.Normalize {
			program = normalize(program)
		}
		if err == nil {
			if findings, err = finder.of(options, program); err != nil {
				err = line.Errorf("%s: %v", o.Fields.Code, err)
			}
		}
		switch {
		case err != nil && o.Invalid == nil:
			return nil, built, err
		case err != nil:
			built.Invalid++
			o.Invalid(err)
			continue
		}
		line.Text = nil
		index[row.TaskID] = line
		built.Rows++
		if len(findings) == 0 {
			built.Clean++
			continue
		}
		tasks = append(tasks, candidate{
			task: task.Task{
				Inputs:  task.Inputs{Code: program, Feedback: string(task.AppendFeedback(nil, findings))},
				Outputs: json.RawMessage(`""`),
				Meta:    task.Meta{ID: row.TaskID, CanonicalCode: program, Options: options, Row: &row},
			},
			findings: len(findings),
			row:      len(tasks),
			rank:     rank(o.Seed, row.TaskID),
		})
	}
	if built.Rows == 0 {
		return nil, built, &rows.Error{File: name, Problem: "expected at least one row, found none"}
	}
	return tasks, built, nil
}

// rank returns the number by which tasks are ordered for the choice.
func rank(seed uint64, id task.ID) uint64 {
	sum := sha256.Sum256([]byte(strconv.FormatUint(seed, 10) + " " + string(id)))
	return binary.BigEndian.Uint64(sum[:])
}

// split chooses the tasks of both splits and puts each in the order of the rows.
func (o *BuildOptions) split(tasks []candidate) (test, shots []candidate) {
	slices.SortFunc(tasks, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.task.Meta.ID, b.task.Meta.ID))
	})
	rest := len(tasks) - o.Shots
	test, shots = tasks[:rest], tasks[rest:]
	if o.N > 0 {
		test = test[:o.N]
	}
	for _, split := range [][]candidate{test, shots} {
		slices.SortFunc(split, func(a, b candidate) int { return a.row - b.row })
	}
	return test, shots
}

// normalize gives code the usual line ends.
func normalize(code string) string {
	code = strings.ReplaceAll(code, "\r\n", "\n")
	if code != "" && !strings.HasSuffix(code, "\n") {
		code += "\n"
	}
	return code
}
