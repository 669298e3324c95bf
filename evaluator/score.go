// Package evaluator scores what models answer to CodeLinterEval's tasks: here is
// a program and what flake8 finds in it, mend it.
//
// A [Scorer] judges the answers to one task. It is what a reward function calls:
//
//	scorer, err := evaluator.NewScorer(1)
//	result := scorer.Score(&task, []string{"```python\nx = 1\n```\n"})
//	result.Samples[0].Official // true: flake8 finds nothing in the code
//
// [Run] does so for a whole file of samples, on all cores, and sums up.
//
// # The official verdict
//
// The code is taken out of the answer by the rules of package extract, and the
// answer passes if flake8 finds nothing in it, with its default settings or with
// those that the task names, which none of the benchmark's does. That
// is all the benchmark asks: an empty answer passes, and so does code in which
// "# noqa" hides every fault. Nothing here is stricter or kinder than that. A
// verdict that is belongs beside this one, in a field of its own.
//
// # Fixed, left, introduced
//
// Findings are compared by code alone, as lines move when code is mended. With
// g findings of a code in the task's program and a of it in the answer, the
// answer has fixed max(g-a, 0), left min(g, a), and introduced max(a-g, 0). So
// fixed and left together are what was given, left and introduced together what
// is found in the answer.
package evaluator

import (
	"math"
	"regexp"
	"strings"
	"time"

	"codelinter/evaluator/extract"
	"codelinter/evaluator/passk"
	"codelinter/evaluator/task"
	"codelinter/lint"
	"codelinter/rule"
)

// About says what a run was of, for reports and for files that other tools read.
type About struct {
	Title   string    // what was scored
	Model   string    // that gave the samples; "" where nobody said
	Created time.Time // of the samples; the files are the same for the same time
}

// A Result is the score of one task.
type Result struct {
	Task     *task.Task
	Given    Counts // findings in the task's program, in the order of the codes
	Official Score
	Samples  []Sample
}

// A Score counts the samples that pass by one kind of verdict.
type Score struct {
	Passed int
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
	Official   bool           // passes by the official rules
	Extraction extract.Place  // where in the answer the code stood
	Blocks     int            // fenced blocks found, in any language
	Python     int            // those of them that are code
	Bytes      int            // length of the code
	Output     string         // the answer
	Code       string         // the code in it, which is what was linted
	Found      int            // what flake8 finds in the code
	Findings   []rule.Finding // the first of that, up to [MaxFindings], in its order
	After      Counts         // all of that by code, where Findings is not all
	Noqa       bool           // the code has what silences flake8, in a comment or in a string
	Changes                   // compared with the task's program

	// Saved is 0 unless the answer fails, but passes if its code is taken out
	// more forgivingly; it is then what had to be let pass. See
	// [extract.Forgiving]. No score depends on it.
	Saved extract.Leniency
}

// noqa finds what silences flake8, in a line or a file. It may also stand in a
// string.
var noqa = regexp.MustCompile(`(?i)#\s*(?:flake8[:=]\s*)?noqa`)

// hasNoqa tells whether code has a match of noqa. Few programs have a q.
func hasNoqa(code string) bool { return strings.ContainsAny(code, "qQ") && noqa.MatchString(code) }

// Invalid tells whether the code is no Python, of which flake8 says nothing else.
func (s *Sample) Invalid() bool {
	return len(s.Findings) > 0 && (s.Findings[0].Code == rule.E999 || s.Findings[0].Code == rule.E902)
}

// MaxFindings is how many findings of an answer a [Sample] has at most, so that an answer
// of megabytes makes no result of gigabytes. All of them are counted.
const MaxFindings = 1000

// keptBytes is the longest answer whose memory a [Scorer] keeps for the next.
const keptBytes = 1 << 20

// maxTexts is how many bytes the texts in a sample's findings may have. Further
// findings are only counted: each may name all modules of the answer's star
// imports.
const maxTexts = 1 << 20

// Changes counts findings of a task's program (given) against those of an
// answer to it.
type Changes struct {
	Given, Fixed, Left, Introduced int
}

func (c *Changes) compare(given, after int) Changes {
	change := Changes{
		Given:      given,
		Fixed:      max(given-after, 0),
		Left:       min(given, after),
		Introduced: max(after-given, 0),
	}
	c.add(change)
	return change
}

func (c *Changes) add(d Changes) {
	c.Given += d.Given
	c.Fixed += d.Fixed
	c.Left += d.Left
	c.Introduced += d.Introduced
}

// A Scorer scores one task after another and reuses its memory. It is not for
// concurrent use.
type Scorer struct {
	linter   *lint.Linter
	settings *task.Options // that the linter follows
	k        []int
	result   Result
	code     []byte
	findings []rule.Finding
	given    codeCounts
	after    codeCounts
	changes  [rule.Count]Changes // of the last result's samples together
}

type codeCounts [rule.Count]int

func (c *codeCounts) count(findings []rule.Finding) {
	clear(c[:])
	for i := range findings {
		c[findings[i].Code]++
	}
}

// appendTo appends the counts that are not 0.
func (c *codeCounts) appendTo(dst Counts) Counts {
	for code, n := range c {
		if n != 0 {
			dst = append(dst, Count{rule.Code(code), n})
		}
	}
	return dst
}

// NewScorer returns a Scorer that estimates pass@k for each of k.
func NewScorer(k ...int) (*Scorer, error) {
	linter, err := lint.New(lint.DefaultOptions())
	if err != nil {
		return nil, err
	}
	return &Scorer{linter: linter, k: k}, nil
}

// Score scores outputs as answers to task. The result is valid until the next
// call.
func (s *Scorer) Score(task *task.Task, outputs []string) *Result {
	r := &s.result
	*r = Result{
		Task:     task,
		Given:    r.Given[:0],
		Official: Score{PassAt: r.Official.PassAt[:0]},
		Samples:  r.Samples[:0],
	}
	clear(s.changes[:])
	s.findings = s.findings[:0]
	if settings := task.Meta.Options; settings != s.settings {
		settings.Apply(s.linter)
		s.settings = settings
	}
	s.given.count(s.lint(task.Inputs.Code))
	r.Given = s.given.appendTo(r.Given)
	for _, output := range outputs {
		r.Samples = append(r.Samples, s.sample(output))
		if r.Samples[len(r.Samples)-1].Official {
			r.Official.Passed++
		}
	}
	for _, k := range s.k {
		r.Official.PassAt = append(r.Official.PassAt, Estimate{k, passAt(len(outputs), r.Official.Passed, k)})
	}
	return r
}

func (s *Scorer) sample(output string) Sample {
	found := extract.Code(output)
	findings := s.lint(found.Text)
	sample := Sample{
		Official:   len(findings) == 0,
		Extraction: found.Place,
		Blocks:     found.Blocks,
		Python:     found.Python,
		Bytes:      len(found.Text),
		Output:     output,
		Code:       found.Text,
		Found:      len(findings),
		Noqa:       hasNoqa(found.Text),
	}
	s.after.count(findings)
	for code := range s.after {
		if given, after := s.given[code], s.after[code]; given != 0 || after != 0 {
			sample.Changes.add(s.changes[code].compare(given, after))
		}
	}
	// The linter's findings last until its next call, and so does the text
	// that they point into.
	from := len(s.findings)
	length := 0
	for i := range findings[:min(len(findings), MaxFindings)] {
		if length += findings[i].Length(); length > maxTexts && i > 0 {
			break
		}
		s.findings = append(s.findings, findings[i].Clone())
	}
	sample.Findings = s.findings[from:len(s.findings):len(s.findings)]
	if sample.Found > len(sample.Findings) {
		sample.After = s.after.appendTo(nil)
	}
	if !sample.Official {
		if code, used := extract.Forgiving(output); used != 0 && len(s.lint(code)) == 0 {
			sample.Saved = used
		}
	}
	if len(output) > keptBytes {
		s.linter, s.code = s.linter.Clone(), nil
	}
	return sample
}

// lint lints a copy of code: the linter takes bytes.
func (s *Scorer) lint(code string) []rule.Finding {
	s.code = append(s.code[:0], code...)
	return s.linter.Lint(s.code)
}

// passAt is what we show for pass@k, which is not what the official formula
// gives where samples are too few.
func passAt(n, c, k int) float64 {
	switch {
	case n == 0:
		return 0 // no answer is a failure
	case !passk.Known(n, k):
		return math.NaN()
	}
	return passk.At(n, c, k)
}
