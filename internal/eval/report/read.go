package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unique"

	"codelinter/evaluator"
	"codelinter/evaluator/extract"
	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
	"codelinter/internal/stats"
	"codelinter/lint"
	"codelinter/rule"
)

// A Run is a run from a file of results.
type Run struct {
	// Summary is the summary of the evaluation that wrote the file, except for samples without a
	// task and the resemblance. Prompts are named by their templates only if the file has texts.
	Summary *evaluator.Summary
	// Texts reports whether all tasks have their texts.
	Texts bool
	// About describes the run, as far as the file does, without a title.
	About evaluator.About

	ids   []task.ID                          // of the tasks that were asked
	rates map[task.ID][]stats.Rate           // by verdict
	given map[task.ID]unique.Handle[program] // of all tasks
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
// digests, numbers of lines, options or, if the same flake8 found them, findings.
func DifferentTasks(a, b *Run) (ids []task.ID) {
	for _, id := range b.ids {
		if given, both := a.given[id]; both && given.Value().differs(b.given[id].Value()) {
			ids = append(ids, id)
		}
	}
	return ids
}

// Other says how the task with t's id in the results differs from t: by its digest or, in results
// without digests, by its number of lines. It returns "" if it does not, or if the results do not
// have the task.
func (run *Run) Other(t *task.Task) (other string) {
	known, has := run.given[t.Meta.ID]
	if !has {
		return ""
	}
	was := known.Value()
	switch digest, lines := t.Digest(), evaluator.Lines(t.Inputs.Code); {
	case was.digest != "" && was.digest != digest:
		return fmt.Sprintf("has the digest %s here, and %s there", digest, was.digest)
	case was.digest == "" && was.lines != lines:
		return fmt.Sprintf("has %s here, and %d there", count(lines, "line"), was.lines)
	}
	return ""
}

// ReadRun reads the output of [Results]. name is the file's name in errors. An error
// in the text is a [*rows.Error].
func ReadRun(name string, r io.Reader) (*Run, error) {
	run := &Run{Summary: &evaluator.Summary{}, Texts: true, rates: map[task.ID][]stats.Rate{}, given: map[task.ID]unique.Handle[program]{}, found: map[task.ID][]codeCount{}}
	var tasks []evaluator.TaskScore
	var verdicts []evaluator.Verdict
	var k []int
	err := readRecords(name, r, func(row rows.Row, r *record) error {
		id := r.line.ID
		if _, twice := run.given[id]; twice {
			return row.Errorf("id %s was on a line before: expected one line a task", id)
		}
		if verdicts == nil {
			for i := range r.Scores {
				verdicts = append(verdicts, r.Scores[i].Verdict)
			}
			for _, estimate := range r.Scores[0].PassAt {
				k = append(k, estimate.K)
			}
			run.About = r.line.about()
		}
		switch {
		case r.NotAsked:
			run.Summary.NotAsked = append(run.Summary.NotAsked, id)
		case len(r.Samples) == 0:
			run.Summary.Missing = append(run.Summary.Missing, id)
		}
		if !r.NotAsked {
			run.ids = append(run.ids, id)
		}
		for i, verdict := range verdicts {
			if i >= len(r.Scores) || r.Scores[i].Verdict != verdict {
				return row.Missing(string(verdict), "an object, as in the lines before")
			}
			if r.NotAsked {
				continue
			}
			run.rates[id] = append(run.rates[id], stats.Rate{C: r.Scores[i].Passed, N: len(r.Samples)})
		}
		if len(r.Scores) > len(verdicts) {
			return row.Errorf("%s: expected no verdict but those of the lines before", r.Scores[len(verdicts)].Verdict)
		}
		t := r.TaskScore()
		t.Lines, t.Adequacy = r.line.Lines, r.line.Adequacy
		if r.bare() {
			t.Prompt, run.Texts = r.line.Prompt, false
		}
		tasks = append(tasks, t)
		run.given[id] = unique.Make(program{r.line.Digest, r.line.Lines, r.line.Options.Unpinned().String(), fmt.Sprint(r.Given), reference(r.line.Options, run.About.References)})
		run.count(r)
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

// about returns what the line says about its run.
func (l *line) about() (about evaluator.About) {
	if l.Run != nil {
		about.Model, about.Linter, about.Temperature = l.Run.Model, l.Run.Linter, l.Run.Temperature
		about.References = l.Run.references()
		if l.Run.Created != nil {
			about.Created = *l.Run.Created
		}
	}
	return about
}

// count adds a task's samples to the sums.
func (run *Run) count(r *record) {
	var found rule.Table[int]
	for i := range r.Samples {
		s := &r.Samples[i]
		evaluator.EachChange(r.Given, s.Codes(), func(code rule.Code, c evaluator.Changes) {
			run.Summary.Codes.At(code).Add(c)
			*found.At(code) += c.Left + c.Introduced
		})
		run.Summary.Extraction.Count(s)
		run.Summary.CountCauses(s.Judgements)
	}
	for code, n := range found.All() {
		if *n > 0 {
			run.found[r.line.ID] = append(run.found[r.line.ID], codeCount{code, *n})
		}
	}
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
		record, err := readRecord(row)
		if err != nil {
			return err
		}
		if err := each(row, record); err != nil {
			return err
		}
	}
}

// readRecord reads a line.
func readRecord(row rows.Row) (*record, error) {
	l := new(line)
	if err := row.Decode(l); err != nil {
		return nil, err
	}
	if l.ID == "" {
		return nil, row.Missing("id", "an integer or a text")
	}
	r := &record{&evaluator.Result{Task: &task.Task{Meta: task.Meta{ID: l.ID, Options: l.Options}}, Given: l.Given}, l}
	r.NotAsked = l.N == 0 && l.Asked != nil && !*l.Asked
	if l.Task != nil {
		r.Task.Instruction, r.Task.Inputs = l.Task.Instruction, task.Inputs{Code: l.Task.Code, Feedback: l.Task.Feedback}
	}
	if pyjson.Get(row.Text, "outputs") != nil && pyjson.Get(row.Text, string(evaluator.Official)) == nil {
		return nil, row.Errorf("expected results of eval, found samples: `codelinter eval --samples %s -o results.jsonl` makes results of them", row.File)
	}
	if err := r.readScores(row); err != nil {
		return nil, err
	}
	if l.Samples == nil {
		return nil, row.Missing("samples", "a list")
	}
	if l.N != len(l.Samples) {
		return nil, row.Errorf("n is %d: expected the number of samples, %d", l.N, len(l.Samples))
	}
	r.Samples = make([]evaluator.Sample, l.N)
	for i := range r.Samples {
		if err := l.Samples[i].read(row, &r.Samples[i]); err != nil {
			return nil, err
		}
	}
	if err := r.readJudgements(row); err != nil {
		return nil, err
	}
	for i := range r.Scores {
		s, passed, unknown := &r.Scores[i], 0, 0
		for j := range r.Samples {
			switch r.Samples[j].Judgements[i].Outcome {
			case evaluator.Pass:
				passed++
			case evaluator.Unknown:
				unknown++
			}
		}
		if s.Passed != passed {
			return nil, row.Errorf("%s.c is %d: expected the number of samples that pass, %d", s.Verdict, s.Passed, passed)
		}
		if s.Unknown != unknown {
			return nil, row.Errorf("%s.unknown is %d: expected the number of samples of which it is not known, %d", s.Verdict, s.Unknown, unknown)
		}
	}
	return r, nil
}

// read sets a sample to what a line says, with the official judgement alone.
func (a *answer) read(row rows.Row, s *evaluator.Sample) error {
	*s = evaluator.Sample{
		Judgements: make([]evaluator.Judgement, 1, 2),
		Blocks:     a.Blocks,
		Python:     a.Python,
		Bytes:      a.Bytes,
		Output:     a.Output,
		Found:      a.Found,
		Findings:   make([]rule.Finding, len(a.Findings)),
		After:      a.After,
		Empty:      a.Empty,
		Facts:      lint.Facts{Silenced: a.Noqa, Encoding: a.Encoding},
		Changes:    evaluator.Changes{Fixed: a.Fixed, Left: a.Left, Introduced: a.Introduced},
	}
	if a.Official {
		s.Judgements[0].Outcome = evaluator.Pass
	}
	for i, f := range a.Findings {
		code, ok := task.ParseCode(f.Code)
		if !ok {
			return row.Errorf("findings: expected codes of flake8 or its plugins, found %q", f.Code)
		}
		s.Findings[i] = rule.Finding{Code: code, Row: f.Row, Column: f.Column}
	}
	places := []extract.Place{extract.Closed, extract.Open, extract.Whole}
	place := slices.IndexFunc(places, func(p extract.Place) bool { return p.String() == a.Extraction })
	if place < 0 {
		return row.Errorf("extraction: expected closed, open or whole, found %q", a.Extraction)
	}
	s.Extraction = places[place]
	for _, name := range a.Saved {
		all := extract.Leniencies()
		i := slices.IndexFunc(all[:], func(l extract.Leniency) bool { return l.String() == name })
		if i < 0 {
			return row.Errorf("saved: expected a leniency such as py, found %q", name)
		}
		s.Saved |= all[i]
	}
	return nil
}

// readScores reads the scores by verdict: the official one, and every other object
// that counts samples.
func (r *record) readScores(row rows.Row) (err error) {
	r.Scores = make([]evaluator.Score, 1)
	pyjson.Fields(row.Text, func(name, value []byte) {
		verdict := evaluator.Verdict(name)
		official := verdict == evaluator.Official
		if err != nil || !official && (pyjson.Kind(pyjson.Get(value, "c")) != "a number" || pyjson.Get(value, "unknown") == nil) {
			return
		}
		score, failed := readScore(verdict, value)
		switch {
		case failed != nil:
			err = row.Errorf("%v", failed)
		case official:
			r.Scores[0] = score
		default:
			r.Scores = append(r.Scores, score)
		}
	})
	if err == nil && r.Scores[0].Verdict == "" {
		return row.Missing(string(evaluator.Official), "an object")
	}
	return err
}

// readScore reads the numbers of samples, and the k from the keys; pass@k follows from the numbers.
func readScore(verdict evaluator.Verdict, data []byte) (s evaluator.Score, err error) {
	s.Verdict = verdict
	if pyjson.Kind(data) != "an object" {
		return s, fmt.Errorf("%s: expected an object", verdict)
	}
	var numbers map[string]*float64
	if json.Unmarshal(data, &numbers) != nil {
		return s, fmt.Errorf("%s: expected numbers and nulls", verdict)
	}
	if numbers["c"] == nil {
		return s, fmt.Errorf("%s.c: expected a number of samples", verdict)
	}
	for name, into := range map[string]*int{"c": &s.Passed, "unknown": &s.Unknown, "errors": &s.Errors} {
		if number := numbers[name]; number != nil {
			*into = int(*number)
		}
	}
	pyjson.Fields(data, func(name, _ []byte) {
		if text, ok := strings.CutPrefix(string(name), "pass@"); ok {
			if k, err := strconv.Atoi(text); err == nil && k > 0 {
				s.PassAt = append(s.PassAt, evaluator.Estimate{K: k})
			}
		}
	})
	return s, nil
}

// readJudgements reads the judgements of each sample besides the official ones.
func (r *record) readJudgements(row rows.Row) error {
	if len(r.Scores) == 1 {
		return nil
	}
	return pyjson.Items(pyjson.Get(row.Text, "samples"), func(at int, item []byte) error {
		for i := range r.Scores[1:] {
			verdict := r.Scores[i+1].Verdict
			prefix := string(detailOf(i, verdict))
			fields, _ := pyjson.Find(item, string(verdict), prefix+"proof", prefix+"stand_ins", prefix+"reasons", prefix+"reward", prefix+"terms")
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
			if terms := fields[prefix+"terms"]; terms != nil {
				problem := error(nil)
				pyjson.Fields(terms, func(name, value []byte) {
					term := evaluator.Term{Name: string(name)}
					problem = cmp.Or(problem, json.Unmarshal(value, &term.Value))
					j.Terms = append(j.Terms, term)
				})
				if problem != nil || terms[0] != '{' {
					return row.Errorf("samples[%d].%sterms: expected numbers by name, found %s", at, prefix, pyjson.Brief(terms))
				}
			}
			r.Samples[at].Judgements = append(r.Samples[at].Judgements, j)
		}
		return nil
	})
}
