package judge

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"codelinter/evaluator"
	"codelinter/rule"
)

func TestParseReward(t *testing.T) {
	for text, want := range map[string]string{
		"binary":           "binary []",
		" shaped ":         "shaped []",
		"graded":           "graded [graded]",
		"graded * meaning": "graded*meaning [graded_meaning]",
		"0.5*per_finding(0.2) + 0.5 * tests*meaning": "0.5*per_finding(0.2)+0.5*tests*meaning [per_finding tests_meaning]",
		"graded(E999=3, W=0.5), least = -1, most=1":  "graded(E999=3,W=0.5),least=-1,most=1 [graded]",
		"longer(than=80)": "longer(than=80) [longer]",

		"":                                    "",
		"most":                                `unknown term "most"`,
		"graed":                               `unknown term "graed": did you mean "graded"?`,
		"0.5":                                 "expected a term beside the number",
		"graded + graded":                     "graded is there twice",
		"graded tests":                        `unknown term "gradedtests"`,
		"graded(E7.5=2)":                      "expected = after E7",
		"graded(ABCD=2)":                      `expected a code or the beginning of codes, found "ABCD"`,
		"graded(0.5)":                         "expected codes with their weights, such as E999=3, found =0.5",
		"graded(E=-1)":                        "expected a number above 0, found -1",
		"tests(1)":                            "expected nothing in brackets, found =1",
		"per_finding(rate=1)":                 `per_finding: expected a code or the beginning of codes, found "rate"`,
		"per_finding(slope=1":                 "expected a bracket at its end",
		"longer(0)":                           "expected a number above 0, found 0",
		"graded, worst=1":                     "expected least= or most= after the comma",
		"graded, least=x":                     `expected a number, found "x"`,
		"graded - tests":                      `expected +, * or a comma, found "-tests"`,
		"graded*1e309":                        `expected +, * or a comma, found "e309"`,
		strings.Repeat("9", 400) + "*graded":  "expected a number",
		"graded*" + strings.Repeat("1*", 600): "expected a formula of 1024 bytes at most",
	} {
		reward, err := ParseReward(text)
		switch {
		case err == nil && fmt.Sprint(reward, " ", reward.Terms()) != want:
			t.Errorf("%q: %v %v, want %s", text, reward, reward.Terms(), want)
		case err != nil && (want == "" && !strings.Contains(err.Error(), "unknown term") || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %s", text, err, want)
		}
		if err != nil {
			continue
		}
		if again, err := ParseReward(reward.String()); err != nil || again.String() != reward.String() {
			t.Errorf("%q: %v, %v", reward, again, err)
		}
	}
	for name, reward := range map[string]Reward{"binary": Binary, "shaped": Shaped} {
		if parsed, err := ParseReward(name); err != nil || parsed != reward {
			t.Errorf("%s: %v, %v", name, parsed, err)
		}
	}
	for text, want := range map[string]string{"graded+per_finding": "", "binary": "", "fixed": "", "graded*meaning": "meaning", "tests": "tests", "shaped": "shaped"} {
		if reward, err := ParseReward(text); err != nil || reward.NeedsGuarded() != want {
			t.Errorf("%s: %v, %v", text, reward.NeedsGuarded(), err)
		}
	}
}

func FuzzParseReward(f *testing.F) {
	f.Add("0.5*graded(E999=3)*meaning+tests,least=-1")
	f.Fuzz(func(t *testing.T, text string) {
		reward, err := ParseReward(text)
		if err != nil {
			return
		}
		sum, terms := reward.sum(&facts{sample: sampleOf("E225=2", "W291=1"), guarded: true})
		if len(terms) != len(reward.Terms()) || math.IsNaN(sum) && !strings.Contains(text, "0") {
			t.Errorf("%q: %v, %v", text, sum, terms)
		}
	})
}

// sampleOf returns a sample with the findings of a program and of an answer.
func sampleOf(program, answer string) *evaluator.Sample {
	counts := func(text string) (counts evaluator.Counts) {
		for code := range rule.Codes() {
			for _, word := range strings.Fields(text) {
				if name, n, _ := strings.Cut(word, "="); name == code.String() {
					count := evaluator.Count{Code: code}
					fmt.Sscan(n, &count.N)
					counts = append(counts, count)
				}
			}
		}
		return counts
	}
	sample := &evaluator.Sample{Judgements: []evaluator.Judgement{{}}, Code: "x\n", Before: counts(program), After: counts(answer)}
	if sample.After == nil {
		sample.After = evaluator.Counts{}
		sample.Judgements[0].Outcome = evaluator.Pass
	}
	f := facts{sample: sample}
	f.sample.EachChange(func(code rule.Code, c evaluator.Changes) { sample.Changes.Add(c) })
	for _, count := range sample.After {
		sample.Found += count.N
		if count.Code == rule.E999 {
			sample.Findings = []rule.Finding{{Code: rule.E999}}
		}
	}
	return sample
}

func TestTerms(t *testing.T) {
	const program = "E225=2 F401=1"
	unchanged, clean, broken := sampleOf(program, program), sampleOf(program, ""), sampleOf(program, "E999=1")
	half, worse := sampleOf(program, "E225=1 F401=1"), sampleOf(program, "E225=2 F401=1 W291=3")
	empty, hiding := sampleOf(program, ""), sampleOf(program, "")
	empty.Empty = true
	hiding.Facts.Silenced = true
	for _, test := range []struct {
		reward string
		sample *evaluator.Sample
		logic  evaluator.Outcome
		want   float64
	}{
		{"graded", unchanged, evaluator.Fail, 1},
		{"graded", clean, evaluator.Fail, 1},
		{"graded", worse, evaluator.Fail, 0.25},
		{"graded(W=0.5)", worse, evaluator.Fail, 1 / 2.5},
		{"graded(W=0.5,W291=1)", worse, evaluator.Fail, 0.25},
		{"graded", broken, evaluator.Fail, 0},
		{"graded", empty, evaluator.Fail, 0},
		{"graded", empty, evaluator.Unknown, 0},
		{"graded", empty, evaluator.Pass, 1}, // the program is empty too
		{"graded", hiding, evaluator.Fail, 0},
		{"graded", hiding, evaluator.Pass, 1},
		{"per_finding", unchanged, evaluator.Fail, 0.7},
		{"per_finding(0.5)", unchanged, evaluator.Fail, 0},
		{"per_finding(slope=0.2)", half, evaluator.Fail, 0.6},
		{"per_finding(E=2)", half, evaluator.Fail, 0.7},
		{"per_finding(0.2, E225=0, F=2)", half, evaluator.Fail, 0.6},
		{"per_finding", broken, evaluator.Fail, 0},
		{"graded*meaning", clean, evaluator.Fail, 0},
		{"graded*meaning", clean, evaluator.Pass, 1},
		{"meaning + 0.5*introduced", worse, evaluator.Pass, -0.5},
		{"passed", clean, evaluator.Pass, 1},
		{"passed", clean, evaluator.Fail, 0},
		{"passed", half, evaluator.Pass, 0},
		{"shaped", half, evaluator.Pass, 1. / 3},
		{"shaped", worse, evaluator.Pass, 0},
		{"fixed(F401=4)", half, evaluator.Pass, 1. / 6},
		{"fixed", half, evaluator.Fail, 0},
		{"partial", half, evaluator.Unknown, 1. / 3},
		{"partial", half, evaluator.Pass, 0},
		{"partial", worse, evaluator.Unknown, 0},
		{"0.5*introduced", worse, evaluator.Fail, -1.5},
		{"0.5*introduced, least=-1", worse, evaluator.Fail, -1},
		{"invalid", broken, evaluator.Fail, -1},
		{"empty", empty, evaluator.Fail, -1},
		{"empty", empty, evaluator.Pass, 0},
		{"longer(2)", clean, evaluator.Fail, 0},
		{"longer(1)", clean, evaluator.Fail, -1},
		{"edited", clean, evaluator.Fail, -1},
	} {
		reward, err := ParseReward(test.reward)
		if err != nil {
			t.Fatal(err)
		}
		got, _, masked := reward.of(&facts{sample: test.sample, guarded: true, logic: test.logic}, ZeroUnknown)
		if math.Abs(got-test.want) > 1e-12 || masked {
			t.Errorf("%s of %v, logic %v: %v, want %v", test.reward, test.sample.After, test.logic, got, test.want)
		}
	}
}

// What is unknown decides a reward only if the reward depends on it.
func TestUnknownRewards(t *testing.T) {
	half := sampleOf("E225=2", "E225=1")
	for _, test := range []struct {
		reward    string
		onUnknown OnUnknown
		want      float64
		masked    bool
	}{
		{"graded", MaskUnknown, 1, false},
		{"meaning", ZeroUnknown, 0, false},
		{"meaning", MaskUnknown, 0, true},
		{"meaning", OfficialUnknown, 1, false},
		{"fixed + 0.2*partial", ZeroUnknown, 0.1, false},
		{"fixed + 0.2*partial", OfficialUnknown, 0.5, false},
		{"fixed + 0.2*partial", MaskUnknown, 0, true},
		{"passed", MaskUnknown, 0, false}, // it does not pass officially
		{"tests", MaskUnknown, 0, true},
		{"0.5*graded + 0.5*tests", OfficialUnknown, 1, false},
	} {
		reward, err := ParseReward(test.reward)
		if err != nil {
			t.Fatal(err)
		}
		asked := &facts{sample: half, guarded: true, logic: evaluator.Unknown, tests: evaluator.Unknown}
		got, terms, masked := reward.of(asked, test.onUnknown)
		if math.Abs(got-test.want) > 1e-12 || masked != test.masked || len(terms) != len(reward.Terms()) {
			t.Errorf("%s, %v: %v, %v, %v, want %v, %v", test.reward, test.onUnknown, got, terms, masked, test.want, test.masked)
		}
		if masked && slices.ContainsFunc(terms, func(term evaluator.Term) bool { return term.Value != 0 }) {
			t.Errorf("%s: %v", test.reward, terms)
		}
	}
}

// No preset pays an answer that does nothing, is broken or hides findings more than a try.
func TestNoRewardForNothing(t *testing.T) {
	const program = "E225=2 F401=1"
	try := sampleOf(program, "E225=30 F401=1 W291=9")
	silent := map[string]*evaluator.Sample{"broken": sampleOf(program, "E999=1"), "empty": sampleOf(program, ""), "hiding": sampleOf(program, "")}
	silent["empty"].Empty = true
	silent["hiding"].Facts.Silenced = true
	for _, preset := range []string{"binary", "shaped", "graded", "per_finding", "per_finding(0.5)", "graded*meaning", "graded*tests", "tests", "meaning", "fixed"} {
		reward, err := ParseReward(preset)
		if err != nil {
			t.Fatal(err)
		}
		least, _, _ := reward.of(&facts{sample: try, guarded: true, logic: evaluator.Pass, tests: evaluator.Pass}, ZeroUnknown)
		for name, sample := range silent {
			if got, _, _ := reward.of(&facts{sample: sample, guarded: true}, OfficialUnknown); got > least {
				t.Errorf("%s: %v for an answer that is %s, %v for a try", preset, got, name, least)
			}
		}
	}
}
