package report

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"codelinter/evaluator"
	"codelinter/evaluator/extract"
	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/lint"
	"codelinter/rule"
)

// encodeByReflection is [Results.Encode] by way of objects and encoding/json.
func encodeByReflection(o *Results, r *evaluator.Result) []byte {
	line := pyjson.Object{{"id", r.Task.Meta.ID}, {"n", len(r.Samples)}}
	add := func(to *pyjson.Object, is bool, name string, value any) {
		if is {
			*to = append(*to, pyjson.Field{Name: name, Value: value})
		}
	}
	for i, s := range r.Scores {
		object := pyjson.Object{{"c", s.Passed}}
		add(&object, i > 0, "unknown", s.Unknown)
		add(&object, i > 0, "errors", s.Errors)
		for _, e := range s.PassAt {
			value := any(e.Value)
			if math.IsNaN(e.Value) {
				value = nil
			}
			add(&object, true, fmt.Sprint("pass@", e.K), value)
		}
		add(&line, true, string(s.Verdict), object)
	}
	line = append(line, pyjson.Object{{"prompt", r.Task.TemplateName()}, {"lines", evaluator.Lines(r.Task.Inputs.Code)}, {"given", r.Given}}...)
	if r.Adequacy != nil {
		add(&line, true, "adequacy", r.Adequacy.Share())
	}
	add(&line, r.Task.Meta.Options != nil, "options", r.Task.Meta.Options)
	add(&line, o.Texts, "task", pyjson.Object{{"instruction", r.Task.Instruction}, {"code", r.Task.Inputs.Code}, {"feedback", r.Task.Inputs.Feedback}})
	samples := []pyjson.Object{}
	for i := range r.Samples {
		s := &r.Samples[i]
		object := pyjson.Object{{"official", s.Official()}}
		for j, other := range s.Judgements[1:] {
			verdict := string(r.Scores[j+1].Verdict)
			before := ""
			if j > 0 {
				before = verdict + "_"
			}
			add(&object, true, verdict, other.Outcome)
			add(&object, other.Proof != "", before+"proof", other.Proof)
			add(&object, len(other.Reasons) > 0, before+"reasons", other.Reasons)
			add(&object, true, before+"reward", other.Reward)
		}
		object = append(object, pyjson.Object{
			{"extraction", s.Extraction.String()}, {"blocks", s.Blocks}, {"python", s.Python}, {"bytes", s.Bytes},
			{"fixed", s.Fixed}, {"left", s.Left}, {"introduced", s.Introduced},
		}...)
		add(&object, s.Empty, "empty", true)
		add(&object, s.Facts.Silenced, "noqa", true)
		add(&object, s.Facts.Encoding != "", "encoding", s.Facts.Encoding)
		add(&object, s.Saved != 0, "saved", s.Saved.Names())
		add(&object, true, "found", s.Found)
		findings := []pyjson.Object{}
		for _, f := range s.Findings {
			findings = append(findings, pyjson.Object{
				{"code", f.Code.String()}, {"row", f.Row}, {"column", f.Column}, {"start", f.Start}, {"end", f.End}, {"text", f.Message()},
			})
		}
		add(&object, true, "findings", findings)
		add(&object, len(s.After) > 0, "after", s.After)
		add(&object, o.Texts, "output", s.Output)
		samples = append(samples, object)
	}
	add(&line, true, "samples", samples)
	add(&line, len(r.Samples) == 0, "asked", !r.NotAsked)
	add(&line, true, "task_digest", r.Task.Digest())
	if run := newOrigin(o.About); run != nil {
		add(&line, true, "run", run)
	}
	return pyjson.AppendLine(nil, line)
}

func TestEncodeIsEncodingJSON(t *testing.T) {
	temperature := 0.7
	all := lint.DefaultOptions()
	all.MaxLineLength, all.Builtins = 100, []string{"<\u2028é>"}
	options, err := task.NewOptions(all)
	if err != nil {
		t.Fatal(err)
	}
	// What encoding/json escapes and what it leaves: all of ASCII, the separators of
	// lines, half a character, other characters.
	var ascii []byte
	for c := range 0x80 {
		ascii = append(ascii, byte(c))
	}
	odd := []string{"", "plain", string(ascii), "<b>&\u2028\u2029\u00e9\U0001f600\ufffd", "\xff\xed\xa0\x80 \xe2\x82"}
	outputs := []string{
		"```python\nx = 1\n```\n", "x=1\n", "", "print 1\n", "```py\nx = 1\n```\n", "# coding: latin-1\nx = 1\n",
		"import os  # noqa\n", "x = '%(\u2028\")s' % {'é': 1}\n", "'''\n" + "x = 1 \n", "from m import *\ny\n" + "a=b\n",
	}
	ids := []task.ID{"7", "-3", "a text", "007", "\u2028\"", "\xff"}
	samples := 0
	for i, text := range odd {
		for _, judges := range [][]func() (evaluator.Judge, error){nil, {judgeAs("guarded", text)}, {judgeAs("guarded", text), judgeAs("third", text)}} {
			scorer, err := evaluator.NewScorer(evaluator.ScorerOptions{K: []int{1, 5}, Judges: judges})
			if err != nil {
				t.Fatal(err)
			}
			for j, id := range ids {
				given := &task.Task{Instruction: text, Inputs: task.Inputs{Code: "x=1\n" + text, Feedback: text}, Meta: task.Meta{ID: id}}
				if j%2 == 1 {
					given.Meta.Options = options
				}
				answers := outputs
				if j == 2 {
					answers = nil
				}
				result, err := scorer.Score(context.Background(), given, append(answers, text))
				if err != nil {
					t.Fatal(err)
				}
				if j%3 == 1 {
					result.Adequacy = &task.Adequacy{Mutants: 3, Alive: odd[:i%4]}
				}
				for s := range result.Samples {
					sample := &result.Samples[s]
					sample.Saved = extract.Leniency(s)
					sample.Facts.Encoding = odd[(i+s)%len(odd)]
					if s%3 == 1 {
						sample.After = evaluator.Counts{{Code: rule.E225, N: 1 << 40}}
					}
					for f := range sample.Findings {
						values := sample.Findings[f].Values()
						values.Text = odd[(i+f)%len(odd)]
						sample.Findings[f] = sample.Findings[f].With(values)
					}
					samples++
				}
				for _, o := range []Results{
					{},
					{Texts: true, About: evaluator.About{Linter: text}},
					{About: evaluator.About{Model: text, Created: time.Unix(1<<30, 5), Linter: "l", Temperature: &temperature}},
					{About: evaluator.About{Model: "m"}},
					{About: evaluator.About{Temperature: &temperature}},
				} {
					got, want := o.Encode([]byte("before"), result), append([]byte("before"), encodeByReflection(&o, result)...)
					if !bytes.Equal(got, want) {
						t.Fatalf("id %q, text %q, %d verdicts:\n%s\nwant\n%s", id, text, len(result.Scores), got, want)
					}
				}
			}
		}
	}
	if samples < 500 {
		t.Errorf("%d samples", samples)
	}
}

// judgeAs returns a judge that gives each outcome, proof and reward in turns.
func judgeAs(verdict evaluator.Verdict, text string) func() (evaluator.Judge, error) {
	return func() (evaluator.Judge, error) { return &turns{verdict: verdict, text: text}, nil }
}

type turns struct {
	verdict evaluator.Verdict
	text    string
	n       int
}

func (j *turns) Verdict() evaluator.Verdict { return j.verdict }

func (j *turns) Judge(context.Context, *task.Task, *evaluator.Sample) (evaluator.Judgement, error) {
	j.n++
	switch j.n % 4 {
	case 0:
		return evaluator.Judgement{Outcome: evaluator.Pass, Proof: "proof" + j.text, Reward: 1}, nil
	case 1:
		return evaluator.Judgement{Outcome: evaluator.Unknown, Error: true, Reasons: []evaluator.Reason{{Name: j.text, Text: j.text}}}, nil
	case 2:
		return evaluator.Judgement{Reasons: []evaluator.Reason{{Name: "a", Line: 3, Text: j.text}, {Name: "b"}}, Reward: 1e-9}, nil
	}
	return evaluator.Judgement{Reward: 0.25}, nil
}

func TestAppendInt(t *testing.T) {
	for _, n := range []int{0, 1, 9, 10, 42, 99, 100, 105, 999, 1000, 123456, math.MaxInt, -1, -10, math.MinInt} {
		if got, want := string(appendInt([]byte("x"), "n ", n)), fmt.Sprint("xn ", n); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
