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
	"codelinter/internal/pyjson"
	"codelinter/lint"
	"codelinter/rule"
)

// encodeByReflection is [Results.Encode] by way of a record and encoding/json. Names of
// verdicts are keys, which no struct can have: what stands before and after them is
// encoded as objects whose braces are then replaced.
func encodeByReflection(o *Results, r *evaluator.Result) []byte {
	record := newRecord(r, o.Texts)
	dst := pyjson.Append(nil, &record.head)
	dst = dst[:len(dst)-1]
	for i, s := range record.scores {
		object := pyjson.Object{{Name: "c", Value: s.Passed}}
		if i > 0 {
			object = append(object, pyjson.Field{Name: "unknown", Value: s.Unknown}, pyjson.Field{Name: "errors", Value: s.Errors})
		}
		for _, e := range s.values {
			value := any(e.value)
			if math.IsNaN(e.value) {
				value = nil
			}
			object = append(object, pyjson.Field{Name: "pass@" + string(pyjson.Append(nil, e.k)), Value: value})
		}
		dst = pyjson.Append(appendKey(dst, s.verdict, ""), object)
	}
	at := len(dst)
	dst = pyjson.Append(dst, &record.rest)
	dst[at] = ','
	dst = append(dst[:len(dst)-1], `,"samples":[`...)
	for i, s := range record.Samples {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = pyjson.Append(append(dst, `{"official":`...), s.Official)
		for j, other := range s.others {
			verdict := record.scores[j+1].verdict
			object := pyjson.Object{{Name: string(verdict), Value: other.Outcome}}
			before := ""
			if j > 0 {
				before = string(verdict) + "_"
			}
			if other.Proof != "" {
				object = append(object, pyjson.Field{Name: before + "proof", Value: other.Proof})
			}
			if len(other.Reasons) > 0 {
				object = append(object, pyjson.Field{Name: before + "reasons", Value: other.Reasons})
			}
			object = append(object, pyjson.Field{Name: before + "reward", Value: other.Reward})
			at := len(dst)
			dst = pyjson.Append(dst, object)
			dst[at] = ','
			dst = dst[:len(dst)-1]
		}
		at := len(dst)
		dst = pyjson.Append(dst, &s.details)
		dst[at] = ','
	}
	dst = append(dst, ']')
	if run := newOrigin(o.About); run != nil {
		dst = pyjson.Append(append(dst, `,"run":`...), run)
	}
	return append(dst, "}\n"...)
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
