package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"unique"

	"codelinter/evaluator"
	"codelinter/evaluator/extract"
	"codelinter/evaluator/task"
	"codelinter/internal/pyjson"
	"codelinter/internal/rows"
	"codelinter/internal/stats"
	"codelinter/lint"
	"codelinter/rule"
)

// A Run is a run from a file of results.
type Run struct {
	// Summary is the summary of the evaluation that wrote the file, except for samples
	// without a task. Prompts are named by their templates only if the file has texts.
	Summary *evaluator.Summary
	// Texts reports whether all tasks have their texts.
	Texts bool
	// About describes the run, as far as the file does, without a title.
	About evaluator.About

	ids   []task.ID
	rates map[task.ID][]stats.Rate // by verdict
	given map[task.ID]unique.Handle[program]
	ways  ways
	found map[task.ID][]codeCount // in each task's samples
}

// A codeCount counts the findings of a code.
type codeCount struct {
	code  rule.Code
	count int
}

// verdicts returns those of the run.
func (run *Run) verdicts() (verdicts []evaluator.Verdict) {
	for i := range run.Summary.Totals {
		verdicts = append(verdicts, run.Summary.Totals[i].Verdict)
	}
	return verdicts
}

// Rates returns how many samples of each task passed by a verdict. "" means the guarded verdict if
// the run has it. The error names a verdict that the run does not have.
func (run *Run) Rates(verdict evaluator.Verdict) (map[task.ID]stats.Rate, error) {
	verdicts := run.verdicts()
	at := slices.Index(verdicts, verdict)
	if verdict == "" {
		if at = slices.Index(verdicts, evaluator.Guarded); at < 0 {
			at = 0
		}
	}
	if at < 0 {
		return nil, fmt.Errorf("expected one of %q, found %q", verdicts, verdict)
	}
	rates := make(map[task.ID]stats.Rate, len(run.rates))
	for id, all := range run.rates {
		rates[id] = all[at]
	}
	return rates, nil
}

// DifferentTasks returns the ids that have different programs in a and b: different
// numbers of lines, options or, if the same flake8 found them, findings.
func DifferentTasks(a, b *Run) (ids []task.ID) {
	for _, id := range b.ids {
		if given, both := a.given[id]; both && given.Value().differs(b.given[id].Value()) {
			ids = append(ids, id)
		}
	}
	return ids
}

// ReadRun reads the output of [Results]. name is the file's name in errors. An error
// in the text is a [*rows.Error].
func ReadRun(name string, r io.Reader) (*Run, error) {
	run := &Run{Summary: &evaluator.Summary{}, Texts: true, rates: map[task.ID][]stats.Rate{}, given: map[task.ID]unique.Handle[program]{}, found: map[task.ID][]codeCount{}}
	var tasks []evaluator.TaskScore
	var verdicts []evaluator.Verdict
	var k []int
	err := readRecords(name, r, func(row rows.Row, r *record) error {
		if _, twice := run.rates[r.ID]; twice {
			return row.Errorf("id %s was on a line before: expected one line a task", r.ID)
		}
		if verdicts == nil {
			for i := range r.scores {
				verdicts = append(verdicts, r.scores[i].verdict)
			}
			for _, value := range r.scores[0].values {
				k = append(k, value.k)
			}
			run.About = r.about()
		}
		run.ids = append(run.ids, r.ID)
		if r.N == 0 {
			run.Summary.Missing = append(run.Summary.Missing, r.ID)
		}
		t := evaluator.TaskScore{N: r.N, Prompt: r.Prompt, Lines: r.Lines, Adequacy: r.Adequacy}
		for i := range r.Samples {
			for k := range r.Samples[i].others {
				t.Undecided = cmp.Or(t.Undecided, r.Samples[i].others[k].Undecided())
			}
		}
		for i, verdict := range verdicts {
			if i >= len(r.scores) || r.scores[i].verdict != verdict {
				return row.Missing(string(verdict), "an object, as in the lines before")
			}
			t.Passes = append(t.Passes, r.scores[i].Passes)
			run.rates[r.ID] = append(run.rates[r.ID], stats.Rate{C: r.scores[i].Passed, N: r.N})
		}
		if len(r.scores) > len(verdicts) {
			return row.Errorf("%s: expected no verdict but those of the lines before", r.scores[len(verdicts)].verdict)
		}
		if r.Task != nil {
			t.Prompt = r.Task.Instruction
		} else {
			run.Texts = false
		}
		for _, count := range r.Given {
			t.Given.Add(count.Code)
		}
		given := r.givenByCode()
		tasks = append(tasks, t)
		run.given[r.ID] = unique.Make(program{r.Lines, r.Options.Unpinned().String(), fmt.Sprint(r.Given), reference(r.Options, run.About.References)})
		var found [rule.Count]int
		for i := range r.Samples {
			if err := run.count(row, &r.Samples[i], &given); err != nil {
				return err
			}
			for code, n := range r.Samples[i].after() {
				found[code] += n
			}
		}
		for code, n := range found {
			if n > 0 {
				run.found[r.ID] = append(run.found[r.ID], codeCount{rule.Code(code), n})
			}
		}
		run.ways.add(r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(tasks) == 0 {
		return nil, fmt.Errorf("%s: expected at least one task, found none", name)
	}
	run.Summary.SetScores(verdicts, tasks, k)
	return run, nil
}

// about returns what the record says about its run.
func (r *record) about() (about evaluator.About) {
	if r.Run != nil {
		about.Model, about.Linter, about.Temperature = r.Run.Model, r.Run.Linter, r.Run.Temperature
		about.References = r.Run.references()
		if r.Run.Created != nil {
			about.Created = *r.Run.Created
		}
	}
	return about
}

// count adds a sample to the sums.
func (run *Run) count(row rows.Row, s *sample, given *[rule.Count]int) error {
	for i := range s.Findings {
		if _, ok := rule.Find(s.Findings[i].Code); !ok {
			return row.Errorf("findings: expected codes of flake8, found %q", s.Findings[i].Code)
		}
	}
	after := s.after()
	for code, g := range given {
		run.Summary.Codes[code].Add(evaluator.NewChanges(g, after[code]))
	}
	counted := evaluator.Sample{
		Judgements: append([]evaluator.Judgement{{}}, s.others...),
		Blocks:     s.Blocks,
		Python:     s.Python,
		Bytes:      s.Bytes,
		Empty:      s.Empty,
		Facts:      lint.Facts{Silenced: s.Noqa, Encoding: s.Encoding},
		Changes:    evaluator.Changes{Fixed: s.Fixed},
	}
	if s.Official {
		counted.Judgements[0].Outcome = evaluator.Pass
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
		return row.Errorf("extraction: expected closed, open or whole, found %q", s.Extraction)
	}
	for _, name := range s.Saved {
		all := extract.Leniencies()
		i := slices.IndexFunc(all[:], func(l extract.Leniency) bool { return l.String() == name })
		if i < 0 {
			return row.Errorf("saved: expected a leniency such as py, found %q", name)
		}
		counted.Saved |= all[i]
	}
	run.Summary.Extraction.Count(&counted)
	run.Summary.CountCauses(counted.Judgements)
	return nil
}

// ReadPage makes the tasks of a page from results.
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
		row, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var record record
		if err := row.Decode(&record); err != nil {
			return err
		}
		if record.ID == "" {
			return row.Missing("id", "an integer or a text")
		}
		if err := record.readScores(row); err != nil {
			return err
		}
		if record.Samples == nil {
			return row.Missing("samples", "a list")
		}
		if err := record.readJudgements(row); err != nil {
			return err
		}
		if record.N != len(record.Samples) {
			return row.Errorf("n is %d: expected the number of samples, %d", record.N, len(record.Samples))
		}
		for i := range record.scores {
			s := &record.scores[i]
			if passed := record.passes(i).Passed; s.Passed != passed {
				return row.Errorf("%s.c is %d: expected the number of samples that pass, %d", s.verdict, s.Passed, passed)
			}
			if unknown := record.passes(i).Unknown; s.Unknown != unknown {
				return row.Errorf("%s.unknown is %d: expected the number of samples of which it is not known, %d", s.verdict, s.Unknown, unknown)
			}
		}
		if err := each(row, &record); err != nil {
			return err
		}
	}
}

// passes counts the samples by the verdict with index v.
func (r *record) passes(v int) (p evaluator.Passes) {
	for i := range r.Samples {
		switch r.Samples[i].outcome(v) {
		case evaluator.Pass:
			p.Passed++
		case evaluator.Unknown:
			p.Unknown++
		}
	}
	return p
}

// outcome returns the outcome of the verdict with index v.
func (s *sample) outcome(v int) evaluator.Outcome {
	switch {
	case v > 0:
		return s.others[v-1].Outcome
	case s.Official:
		return evaluator.Pass
	}
	return evaluator.Fail
}

// readScores reads the scores by verdict: the official one, and every other object
// that counts samples.
func (r *record) readScores(row rows.Row) (err error) {
	r.scores = make([]score, 1)
	pyjson.Fields(row.Text, func(name, value []byte) {
		s := score{verdict: evaluator.Verdict(name)}
		switch {
		case err != nil:
		case s.verdict == evaluator.Official:
			if e := s.read(value); e != nil {
				err = row.Errorf("%v", e)
			}
			r.scores[0] = s
		case pyjson.Kind(pyjson.Get(value, "c")) == "a number" && pyjson.Get(value, "unknown") != nil:
			if e := s.read(value); e != nil {
				err = row.Errorf("%v", e)
			}
			r.scores = append(r.scores, s)
		}
	})
	if err == nil && r.scores[0].verdict == "" {
		return row.Missing(string(evaluator.Official), "an object")
	}
	return err
}

// readJudgements reads the judgements of each sample besides the official ones.
func (r *record) readJudgements(row rows.Row) error {
	if len(r.scores) == 1 {
		return nil
	}
	return pyjson.Items(pyjson.Get(row.Text, "samples"), func(at int, item []byte) error {
		for i := range r.scores[1:] {
			verdict := r.scores[i+1].verdict
			prefix := string(detailOf(i, verdict))
			fields, _ := pyjson.Find(item, string(verdict), prefix+"proof", prefix+"stand_ins", prefix+"reasons", prefix+"reward")
			var j evaluator.Judgement
			switch outcome := string(fields[string(verdict)]); outcome {
			case `"pass"`:
				j.Outcome = evaluator.Pass
			case `"fail"`:
			case `"unknown"`:
				j.Outcome = evaluator.Unknown
			default:
				return row.Errorf(`samples[%d].%s: expected "pass", "fail" or "unknown", found %.40s`, at, verdict, outcome)
			}
			for field, into := range map[string]any{"proof": &j.Proof, "stand_ins": &j.StandIns, "reasons": &j.Reasons, "reward": &j.Reward} {
				if value := fields[prefix+field]; value != nil && json.Unmarshal(value, into) != nil {
					return row.Errorf("samples[%d].%s: expected what results have there, found %s", at, prefix+field, pyjson.Brief(value))
				}
			}
			j.Masked = string(fields[prefix+"reward"]) == "null"
			r.Samples[at].others = append(r.Samples[at].others, j)
		}
		return nil
	})
}
