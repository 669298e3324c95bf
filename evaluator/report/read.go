package report

import (
	"fmt"
	"io"
	"slices"

	"codelinter/evaluator"
	"codelinter/evaluator/extract"
	"codelinter/evaluator/rows"
	"codelinter/evaluator/stats"
	"codelinter/evaluator/task"
	"codelinter/rule"
)

// A Run is what a file of results says.
type Run struct {
	// Summary is that of the evaluation which wrote the file, but for samples
	// without a task. Prompts are named by their templates only if the file has
	// texts.
	Summary *evaluator.Summary
	// Texts tells whether all tasks have their texts.
	Texts bool

	ids   []task.ID
	rates map[task.ID]stats.Rate
	given map[task.ID]string // what is known of each task's program
}

// Strangers returns the tasks that are called the same in a and b, but are of
// other programs: those with other lines or findings.
func Strangers(a, b *Run) (ids []task.ID) {
	for _, id := range b.ids {
		if given, both := a.given[id]; both && given != b.given[id] {
			ids = append(ids, id)
		}
	}
	return ids
}

// ReadRun reads results that [AppendResult] or [AppendFullResult] wrote. name is
// the file's name in errors, which are of type [*rows.Error] where the fault
// is in the text.
func ReadRun(name string, r io.Reader) (*Run, error) {
	run := &Run{Summary: &evaluator.Summary{}, Texts: true, rates: map[task.ID]stats.Rate{}, given: map[task.ID]string{}}
	var tasks []evaluator.TaskScore
	var k []int
	err := readRecords(name, r, func(line rows.Row, r *record) error {
		if _, twice := run.rates[r.ID]; twice {
			return line.Errorf("id %s was on a line before: expected one line a task", r.ID)
		}
		run.ids = append(run.ids, r.ID)
		run.rates[r.ID] = stats.Rate{C: r.Official.passed, N: r.N}
		if r.N == 0 {
			run.Summary.Missing = append(run.Summary.Missing, r.ID)
		}
		if k == nil {
			for _, value := range r.Official.values {
				k = append(k, value.k)
			}
		}
		task := evaluator.TaskScore{N: r.N, Passed: r.Official.passed, Prompt: r.Prompt, Lines: r.Lines}
		if r.Task != nil {
			task.Prompt = r.Task.Instruction
		} else {
			run.Texts = false
		}
		var given [rule.Count]int
		for _, count := range r.Given {
			task.Given.Add(count.Code)
			given[count.Code] = count.N
		}
		tasks = append(tasks, task)
		run.given[r.ID] = fmt.Sprint(r.Lines, r.Given)
		for i := range r.Samples {
			if err := run.count(line, &r.Samples[i], &given); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(tasks) == 0 {
		return nil, fmt.Errorf("%s: expected at least one task, found none", name)
	}
	run.Summary.Average(tasks, k)
	return run, nil
}

// count adds a sample to the sums.
func (run *Run) count(line rows.Row, s *sample, given *[rule.Count]int) error {
	var after [rule.Count]int
	if s.After != nil {
		for _, count := range s.After {
			after[count.Code] = count.N
		}
	} else {
		for i := range s.Findings {
			code, ok := rule.Find(s.Findings[i].Code)
			if !ok {
				return line.Errorf("findings: expected codes of flake8, found %q", s.Findings[i].Code)
			}
			after[code]++
		}
	}
	for code, g := range given {
		a := after[code]
		sum := &run.Summary.Codes[code]
		sum.Given += g
		sum.Fixed += max(g-a, 0)
		sum.Left += min(g, a)
		sum.Introduced += max(a-g, 0)
	}
	counted := evaluator.Sample{
		Official: s.Official,
		Blocks:   s.Blocks,
		Python:   s.Python,
		Bytes:    s.Bytes,
		Noqa:     s.Noqa,
		Changes:  evaluator.Changes{Fixed: s.Fixed},
	}
	if len(s.Findings) > 0 {
		code, _ := rule.Find(s.Findings[0].Code)
		counted.Findings = []rule.Finding{{Code: code}}
	}
	switch s.Extraction {
	case extract.Closed.String():
		counted.Extraction = extract.Closed
	case extract.Open.String():
		counted.Extraction = extract.Open
	case extract.Whole.String():
		counted.Extraction = extract.Whole
	default:
		return line.Errorf("extraction: expected closed, open or whole, found %q", s.Extraction)
	}
	for _, name := range s.Saved {
		i := slices.IndexFunc(extract.Leniencies[:], func(l extract.Leniency) bool { return l.String() == name })
		if i < 0 {
			return line.Errorf("saved: expected a leniency such as py, found %q", name)
		}
		counted.Saved |= extract.Leniencies[i]
	}
	run.Summary.Extraction.Count(&counted)
	return nil
}

// ReadPage makes the part of a page that is of tasks out of results.
func ReadPage(name string, r io.Reader, page *Page) error {
	var part []byte
	return readRecords(name, r, func(_ rows.Row, r *record) error {
		part = page.append(part[:0], r)
		_, err := page.Write(part)
		return err
	})
}

// readRecords calls each with every record of a file.
func readRecords(name string, r io.Reader, each func(rows.Row, *record) error) error {
	for lines := rows.NewLines(name, r); ; {
		line, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		record := record{Official: score{passed: -1}}
		if err := line.Decode(&record); err != nil {
			return err
		}
		passed := 0
		for i := range record.Samples {
			if record.Samples[i].Official {
				passed++
			}
		}
		switch {
		case record.ID == "":
			return line.Missing("id", "an integer or a text")
		case record.Official.passed < 0:
			return line.Missing("official", "an object")
		case record.Samples == nil:
			return line.Missing("samples", "a list")
		case record.N != len(record.Samples):
			return line.Errorf("n is %d: expected the number of samples, %d", record.N, len(record.Samples))
		case record.Official.passed != passed:
			return line.Errorf("official.c is %d: expected the number of samples that pass, %d", record.Official.passed, passed)
		}
		if err := each(line, &record); err != nil {
			return err
		}
	}
}
