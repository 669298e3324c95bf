// Package evaluator scores what models answer to CodeLinterEval's tasks: here is
// a program and what flake8 finds in it, fix it.
//
// A [Scorer] judges the answers to one task. It is what a reward function calls:
//
//	scorer, err := evaluator.NewScorer(evaluator.ScorerOptions{K: []int{1}})
//	result, err := scorer.Score(ctx, &task, []string{"```python\nx = 1\n```\n"})
//	result.Samples[0].Official() // true: flake8 finds nothing in the code
//
// [Run] does so for a whole file of samples, on all cores, and sums up.
//
// # The official verdict
//
// The code is extracted from the answer by the rules of package extract. The answer passes
// if flake8 finds nothing in the code, with its default settings or with the task's; the
// benchmark's own tasks have none. Nothing else counts: an empty answer passes, and so does
// code in which "# noqa" hides every fault. The official verdict is neither stricter nor
// kinder than that. Stricter verdicts stand beside it: see [Verdict] and [Judge].
//
// A task may name plugins of flake8, see [task.Plugin]. An answer that they cannot check is
// unknown by all verdicts, for an error.
//
// # Fixed, left, introduced
//
// Findings are compared by code alone, as lines move when code is fixed. With g findings of
// a code in the task's program and a of it in the answer, the answer has fixed max(g-a, 0),
// left min(g, a), and introduced max(a-g, 0). So g is the sum of fixed and left, and a the
// sum of left and introduced.
package evaluator

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"codelinter/evaluator/extract"
	"codelinter/evaluator/task"
	"codelinter/internal/stats"
	"codelinter/lint"
	"codelinter/rule"
	"codelinter/source"
)

// About describes a run, for reports and for files that other tools read.
type About struct {
	Title   string    // what was scored
	Model   string    // "" if unknown
	Created time.Time // when the samples were made, not when files are written, so that the same run gives the same files
	Linter  string    // the name and versions of the linter
	// References name the flake8 and the CPython by which answers were scored, such as
	// "flake8 7.5.0 on CPython 3.15.2"; several if tasks name versions of their own.
	References []string
	// Temperature is the samples' temperature; nil if unknown.
	Temperature *float64
}

// A Result is the score of one task.
type Result struct {
	Task    *task.Task
	Given   Counts  // findings in the task's program
	Scores  []Score // by verdict, the official first
	Samples []Sample
	// NotAsked reports whether the run did not ask the task, which then has no samples.
	NotAsked bool
	// Adequacy is the result of [Options.Adequacy]; nil without it, or if it is unknown.
	Adequacy *task.Adequacy
	// OtherFeedback is the result of [ScorerOptions.Feedback].
	OtherFeedback bool
}

// A Score counts the samples that pass by one verdict.
type Score struct {
	Verdict Verdict
	Passes
	PassAt []Estimate
}

// An Estimate is pass@k for one k: NaN if there are some samples but fewer than
// k, and 0 if there are none.
type Estimate struct {
	K     int
	Value float64
}

// A Sample is the score of one answer.
type Sample struct {
	Judgements []Judgement    // one a verdict, in the order of [Result.Scores]
	Extraction extract.Place  // where in the answer the code is
	Blocks     int            // fenced blocks found, in any language
	Python     int            // those of them that are code
	Bytes      int            // length of the code
	Output     string         // the answer
	Code       string         // the code in it, which is what was linted
	Found      int            // what flake8 finds in the code
	Findings   []rule.Finding // the first of these, up to [MaxFindings]
	After      Counts         // all by code, if there are more than in Findings
	Before     Counts         // those of the task's program, as in [Result.Given]
	Empty      bool           // the code does nothing: comments, pass, a docstring
	Facts      lint.Facts     // findings that a "# noqa" silences, and the coding cookie
	Changes                   // compared with the task's program

	// Saved is not 0 if the answer fails, but passes with a more forgiving extraction. It has
	// the leniencies that this needed, see [extract.Forgiving]. No score depends on it.
	Saved extract.Leniency
}

// Official reports whether the answer passes by the official rules.
func (s *Sample) Official() bool { return s.Judgements[0].Outcome == Pass }

// Invalid reports whether the code is not Python: flake8 finds E999 or E902.
func (s *Sample) Invalid() bool {
	return len(s.Findings) > 0 && (s.Findings[0].Code == rule.E999 || s.Findings[0].Code == rule.E902)
}

// MaxFindings bounds the findings in a [Sample], so that an answer of megabytes gives no result
// of gigabytes. All findings are counted.
const MaxFindings = 1000

// keptBytes is the length of an answer above which a [Scorer] does not keep its memory.
const keptBytes = 64 << 10

// maxTokens returns the number of tokens that an answer of so many bytes may have. Tokens, tree,
// names and findings take 100 to 300 bytes for each token. So an answer takes at most 64 MB plus 20
// times its size; without the bound, 4 MB of "x;" took 2.6 GB. Ordinary Python has a token in four
// to five bytes and is within the bound up to 690 KB. The densest text, with a token in each byte,
// is within it up to 135 KB.
func maxTokens(bytes int) int { return 1<<17 + bytes/32 }

// maxTexts bounds the bytes of a sample's messages. Further findings are only counted: each may
// name all modules of the answer's star imports.
const maxTexts = 1 << 20

// Codes counts all findings in the code.
func (s *Sample) Codes() Counts {
	if s.After != nil {
		return s.After
	}
	var counts codeCounts
	counts.count(s.Findings)
	return counts.appendTo(nil)
}

// Changes compares the findings in a task's program (given) with those in an answer.
type Changes struct {
	Given, Fixed, Left, Introduced int
}

// NewChanges returns the changes of a code with given findings in the program and after in the
// answer.
func NewChanges(given, after int) Changes {
	return Changes{
		Given:      given,
		Fixed:      max(given-after, 0),
		Left:       min(given, after),
		Introduced: max(after-given, 0),
	}
}

// Add adds the counts of d.
func (c *Changes) Add(d Changes) {
	c.Given += d.Given
	c.Fixed += d.Fixed
	c.Left += d.Left
	c.Introduced += d.Introduced
}

// ScorerOptions configure a [Scorer]. The zero value gives the official verdict.
type ScorerOptions struct {
	K []int // for pass@k
	// Judges make the judges of the other verdicts, in the order in which they judge.
	Judges []func() (Judge, error)
	// MaxAnswer bounds the bytes of an answer; a longer one fails as [TooLarge]. 0 means no
	// bound, as in the benchmark.
	MaxAnswer int
	// CodesOnly omits the messages of findings, as in [lint.Input]. An answer that is not
	// Python then costs no more than another.
	CodesOnly bool
	// NoSaved leaves [Sample.Saved] 0. This spares each failing answer a second extraction, and
	// some a second lint.
	NoSaved bool
	// Release and Target are the flake8 and the CPython for tasks that name neither.
	// [rule.Resolve] replaces zeros.
	Release rule.Release
	Target  source.Version
	// Plugins runs the plugins that tasks name; nil: a task that names some is an error.
	Plugins task.Plugins
	// Feedback sets [Result.OtherFeedback] for each task that names neither versions nor plugins,
	// and whose feedback is not, letter for letter, that of the findings in its program.
	Feedback bool
	// Programs is shared by scorers of the same tasks and versions, so that each program is
	// linted once. nil means the scorer's own.
	Programs *Programs
}

// TooLarge is the reason for which an answer beyond a bound fails by all verdicts. The bounds are
// [ScorerOptions.MaxAnswer], and 131,072 tokens plus one for each 32 bytes of the code. Such an
// answer is not linted, or not to its end. If flake8 would find nothing in it, the official verdict
// differs from the benchmark's.
const TooLarge = "too-large"

// A Scorer scores one task after another and reuses its memory. It is not safe for concurrent
// use.
type Scorer struct {
	linter   *task.Linter
	codes    bool // findings are kept without messages
	noSaved  bool
	feedback bool // is compared
	k        []int
	judges   []Judge
	verdicts []Verdict
	longest  int // bound of an answer's bytes; 0 for none

	result     Result
	code       []byte
	text       []byte // of feedback
	findings   []rule.Finding
	texts      strings.Builder // of findings, in one allocation for each result
	judgements []Judgement
	estimates  []Estimate
	programs   *Programs
	program    program     // of the task
	given      *codeCounts // of the program
	after      codeCounts
	changes    rule.Table[Changes] // sums over the last result's samples
	changed    rule.Set            // codes of the catalogue with changes
	names      resembler
	// scored has the first answer to the task with each code: samples of one prompt repeat.
	scored map[string]*Sample
}

// NewScorer returns a Scorer. Verdicts must have different names.
func NewScorer(o ScorerOptions) (*Scorer, error) {
	linter, err := task.NewLinter(o.Release, o.Target, o.Plugins)
	if err != nil {
		return nil, err
	}
	s := &Scorer{linter: linter, codes: o.CodesOnly, noSaved: o.NoSaved, feedback: o.Feedback, programs: o.Programs, k: slices.Clone(o.K), verdicts: []Verdict{Official}, longest: o.MaxAnswer}
	if s.programs == nil {
		s.programs = new(Programs)
	}
	for _, newJudge := range o.Judges {
		judge, err := newJudge()
		if err != nil {
			return nil, err
		}
		if slices.Contains(s.verdicts, judge.Verdict()) {
			return nil, fmt.Errorf("two judges give the verdict %q", judge.Verdict())
		}
		s.judges = append(s.judges, judge)
		s.verdicts = append(s.verdicts, judge.Verdict())
	}
	return s, nil
}

// Verdicts returns the scorer's verdicts, the official first.
func (s *Scorer) Verdicts() []Verdict { return slices.Clone(s.verdicts) }

// Score scores outputs as answers to t. The result is valid until the next call. An error is that
// of ctx, which is checked before each answer and each verdict, or about the plugins that t names:
// they are not there, or cannot check its program.
func (s *Scorer) Score(ctx context.Context, t *task.Task, outputs []string) (*Result, error) {
	r := &s.result
	*r = Result{Task: t, Given: r.Given[:0], Scores: r.Scores[:0], Samples: r.Samples[:0]}
	s.forgetChanges()
	s.findings, s.judgements, s.estimates = s.findings[:0], s.judgements[:0], s.estimates[:0]
	before := min(s.texts.Len(), keptBytes)
	s.texts.Reset()
	s.texts.Grow(before)
	if err := s.take(ctx, t); err != nil {
		return nil, err
	}
	r.Given = s.given.appendTo(r.Given)
	r.OtherFeedback = s.comparesFeedback(t) && s.given.feedback != strings.TrimSuffix(t.Inputs.Feedback, "\n")
	for _, verdict := range s.verdicts {
		r.Scores = append(r.Scores, Score{Verdict: verdict})
	}
	// All judgements and all estimates are parts of one slice each, which must not grow after
	// this.
	s.judgements = slices.Grow(s.judgements, len(outputs)*len(s.verdicts))
	s.estimates = slices.Grow(s.estimates, len(s.k)*len(s.verdicts))
	// A sample is scored in its final place, as judges take its address: a variable would be
	// allocated for each answer.
	r.Samples = slices.Grow(r.Samples, len(outputs))[:len(outputs)]
	s.scored = forgotten(s.scored)
	for i, output := range outputs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		sample := &r.Samples[i]
		first := s.score(ctx, sample, output)
		sample.Before = r.Given
		for i, judge := range s.judges {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			judgement := sample.Judgements[0]
			switch {
			case judgement.Error: // it holds for all
			case first != nil && !first.Judgements[i+1].Error:
				judgement = first.Judgements[i+1]
			default:
				var err error
				if judgement, err = judge.Judge(ctx, t, sample); err != nil {
					judgement = failed(err)
				}
			}
			s.judgements = append(s.judgements, judgement)
			sample.Judgements = sample.Judgements[:len(sample.Judgements)+1]
		}
		for i := range sample.Judgements {
			r.Scores[i].count(&sample.Judgements[i])
		}
	}
	for i := range r.Scores {
		from := len(s.estimates)
		for _, k := range s.k {
			s.estimates = append(s.estimates, Estimate{k, passAt(len(outputs), r.Scores[i].Passed, k)})
		}
		r.Scores[i].PassAt = s.estimates[from:len(s.estimates):len(s.estimates)]
	}
	return r, ctx.Err()
}

// take prepares for answers to a task.
func (s *Scorer) take(ctx context.Context, t *task.Task) (err error) {
	if err := s.linter.Use(ctx, t.Meta.Options); err != nil {
		return of(t, err)
	}
	key := program{t.Inputs.Code, t.Meta.Options}
	if s.given != nil && key == s.program {
		return nil
	}
	s.given, err = s.programs.given(key, func(code string, counts *codeCounts) error {
		compares := s.comparesFeedback(t)
		result, silenced, err := s.lint(ctx, code, lint.Input{CodesOnly: !compares})
		counts.count(result.Findings)
		counts.silence(silenced)
		if compares {
			s.text = task.AppendFeedback(s.text[:0], result.Findings)
			counts.feedback = string(bytes.TrimSuffix(s.text, []byte("\n")))
		}
		return err
	})
	if err != nil {
		s.given = nil
		return of(t, fmt.Errorf("its program: %w", err))
	}
	s.program = key
	s.release(len(key.code))
	return nil
}

// comparesFeedback reports whether a task's feedback is compared with the findings in its program.
func (s *Scorer) comparesFeedback(t *task.Task) bool {
	return s.feedback && !t.Meta.Options.NamesVersions() && len(t.Meta.Options.Plugins()) == 0
}

// of returns an error about a task.
func of(t *task.Task, err error) error {
	if t.Meta.ID == "" { // it came with a request
		return err
	}
	return fmt.Errorf("task %s: %w", t.Meta.ID, err)
}

// forgetChanges resets the changes of the last result.
func (s *Scorer) forgetChanges() {
	for code := range s.changed.All() {
		*s.changes.At(code) = Changes{}
	}
	s.changed = rule.Set{}
	s.changes.ForgetForeign()
}

// failed returns the judgement after an error of ours.
func failed(err error) Judgement {
	return Judgement{Outcome: Unknown, Reasons: []Reason{{Name: errorReason, Text: err.Error()}}, Error: true, Masked: true}
}

// tooLarge sets sample to the score of an answer beyond a bound.
func (s *Scorer) tooLarge(sample *Sample, output string, found extract.Completion, format string, args ...any) {
	*sample = Sample{}
	s.place(sample, output, found, Judgement{Reasons: []Reason{{Name: TooLarge, Text: fmt.Sprintf(format, args...)}}})
}

// score sets sample to an answer's score by the official verdict. It returns the first sample with
// the same code, or nil.
func (s *Scorer) score(ctx context.Context, sample *Sample, output string) (first *Sample) {
	if s.longest > 0 && len(output) > s.longest {
		s.tooLarge(sample, output, extract.Completion{}, "expected an answer of %d bytes at most, found one of %d", s.longest, len(output))
		return nil
	}
	found := extract.Code(output)
	defer s.release(len(output))
	bounds := lint.Bounds{Tokens: maxTokens(len(found.Text)), Findings: MaxFindings}
	if first = s.scored[found.Text]; first != nil {
		*sample = *first
		s.after.countSample(first)
		s.compare()
		s.place(sample, output, found, first.Judgements[0])
	} else if !s.scoreCode(ctx, sample, output, found, bounds) {
		return nil
	}
	if sample.Found > 0 && !s.noSaved {
		sample.Saved = s.saved(ctx, output, bounds)
	}
	return first
}

// place sets what a sample has of its answer besides the score of the code, and the official
// judgement. The judgements have capacity for the others.
func (s *Scorer) place(sample *Sample, output string, found extract.Completion, official Judgement) {
	first := len(s.judgements)
	s.judgements = append(s.judgements, official)
	sample.Judgements = s.judgements[first : first+1 : first+len(s.verdicts)]
	sample.Extraction, sample.Blocks, sample.Python = found.Place, found.Blocks, found.Python
	sample.Bytes, sample.Output, sample.Code = len(found.Text), output, found.Text
}

// scoreCode sets sample to the score of an answer whose code was not scored yet. It returns false if
// the code is beyond the bounds.
func (s *Scorer) scoreCode(ctx context.Context, sample *Sample, output string, found extract.Completion, bounds lint.Bounds) bool {
	result, silenced, err := s.lint(ctx, found.Text, lint.Input{CodesOnly: s.codes, Facts: true, Bounds: bounds})
	findings := result.Findings
	if result.TooLarge {
		s.tooLarge(sample, output, found, "expected %d tokens at most in code of %d bytes, found more", bounds.Tokens, len(found.Text))
		return false
	}
	official := Judgement{}
	switch {
	case err != nil:
		official = failed(err)
	case len(findings) == 0:
		official = Judgement{Outcome: Pass, Reward: 1}
	}
	*sample = Sample{Found: len(findings) + result.Omitted, Empty: !hasCode(found.Text)}
	s.place(sample, output, found, official)
	s.after.count(findings)
	s.after.silence(silenced)
	if result.Omitted > 0 {
		for code := range rule.Codes() {
			if n := result.OmittedOf(code); n > 0 {
				s.after.add(code, n)
			}
		}
	}
	sample.Changes = s.compare()
	sample.Findings = s.keep(findings[:min(len(findings), MaxFindings)])
	if sample.Found > len(sample.Findings) {
		sample.After = s.after.appendTo(nil)
	}
	sample.Facts = result.Facts
	sample.Facts.Encoding = strings.Clone(sample.Facts.Encoding)
	if s.after.silencesMore(s.given) {
		sample.Facts.Silenced, sample.Facts.SilencedForeign = true, true
	}
	if err == nil && len(s.result.Samples) > 1 {
		s.scored[found.Text] = sample
	}
	return true
}

// forgotten returns an empty map, whose memory is that of a map of few texts.
func forgotten(scored map[string]*Sample) map[string]*Sample {
	const few = 1 << 10
	if scored == nil || len(scored) > few {
		return map[string]*Sample{}
	}
	clear(scored)
	return scored
}

// saved returns the leniencies by which an answer passes.
func (s *Scorer) saved(ctx context.Context, output string, bounds lint.Bounds) extract.Leniency {
	code, used := extract.Forgiving(output)
	if used == 0 {
		return 0
	}
	forgiven, _, err := s.lint(ctx, code, lint.Input{CodesOnly: true, Bounds: bounds})
	if err != nil || len(forgiven.Findings) > 0 || forgiven.TooLarge {
		return 0
	}
	return used
}

// compare compares the findings in an answer with those in the task's program.
func (s *Scorer) compare() (changes Changes) {
	codes := s.given.codes.Union(&s.after.codes)
	s.changed = s.changed.Union(&codes)
	for code := range codes.All() {
		change := NewChanges(int(s.given.of[code]), int(s.after.of[code]))
		s.changes.At(code).Add(change)
		changes.Add(change)
	}
	EachChange(s.given.foreign, s.after.foreign, func(code rule.Code, change Changes) {
		s.changes.At(code).Add(change)
		changes.Add(change)
	})
	return changes
}

// keep copies findings, because they and their texts are valid only until the linter's next
// call.
func (s *Scorer) keep(findings []rule.Finding) []rule.Finding {
	from := len(s.findings)
	if s.codes {
		s.findings = append(s.findings, findings...)
		for i, f := range s.findings[from:] {
			s.findings[from+i] = f.Bare()
		}
		findings = nil
	}
	length := 0
	for i := range findings {
		f := &findings[i] // not Clone, which would allocate each one
		if length += f.Length(); length > maxTexts && i > 0 {
			break
		}
		values := f.Values()
		if values.Shared != nil {
			s.findings = append(s.findings, f.Clone())
			continue
		}
		if values.Text != "" {
			at := s.texts.Len()
			s.texts.WriteString(values.Text)
			values.Text = s.texts.String()[at:]
		}
		s.findings = append(s.findings, f.With(values))
	}
	return s.findings[from:len(s.findings):len(s.findings)]
}

// release frees memory after a long text.
func (s *Scorer) release(bytes int) {
	if bytes > keptBytes {
		s.linter.Forget()
		s.code = nil
	}
}

// lint lints a copy of code. input has the other settings.
func (s *Scorer) lint(ctx context.Context, code string, input lint.Input) (lint.Result, []lint.Foreign, error) {
	s.code = append(s.code[:0], code...)
	input.Data = s.code
	return s.linter.Lint(ctx, input)
}

// passAt returns the pass@k to show. It differs from the official formula for 0 < n < k.
func passAt(n, c, k int) float64 {
	switch {
	case n == 0:
		return 0 // no answer is a failure
	case !stats.PassAtKKnown(n, k):
		return math.NaN()
	}
	return stats.PassAtK(n, c, k)
}
