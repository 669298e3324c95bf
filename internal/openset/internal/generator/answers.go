package generator

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"codelinter/evaluator/task"
)

// The answers stand in for a model's, so that every part of a report has something
// to show without one. They are drawn from the tasks alone. Between the program with
// faults and the clean one there are some changes: an answer makes all of them, or
// misses the one that is this task's trap, and others by chance. As with a model, some
// introduce a fault of their own, and some are in a fence that the benchmark does not
// read as Python.

// perTask is how many answers each task has, as in the benchmark.
const perTask = 10

// writeAnswers writes a line of samples for each task.
func writeAnswers(w io.Writer, tasks []task.Task) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for i := range tasks {
		samples := struct {
			ID      task.ID  `json:"id"`
			Outputs []string `json:"outputs"`
		}{tasks[i].Meta.ID, answers(&tasks[i])}
		if err := encoder.Encode(samples); err != nil {
			return err
		}
	}
	return nil
}

// answers returns the same answers for the same task.
func answers(t *task.Task) []string {
	seed := fnv.New64a()
	fmt.Fprintf(seed, "%s\x00%s\x00%s", t.Meta.ID, t.Inputs.Code, t.Meta.CanonicalCode)
	random := rand.New(rand.NewPCG(seed.Sum64(), 0))
	changes := splitEdits(udiff.Lines(t.Inputs.Code, t.Meta.CanonicalCode), t.Inputs.Code)
	skill := random.Float64()         // the chance that an answer makes all changes
	trap := random.IntN(len(changes)) // the change that other answers always miss
	outputs := make([]string, perTask)
	for i := range outputs {
		complete := random.Float64() < skill
		var made []udiff.Edit
		for at, change := range changes {
			if complete || at != trap && random.Float64() < 0.9 {
				made = append(made, change)
			}
		}
		code, err := udiff.Apply(t.Inputs.Code, made)
		if err != nil {
			panic(err) // of edits that do not overlap
		}
		outputs[i] = answer(pick(random, slips)(code), random)
	}
	return outputs
}

// splitEdits splits each change that has as many lines as it replaces into changes of
// one line.
func splitEdits(edits []udiff.Edit, text string) (parts []udiff.Edit) {
	for _, edit := range edits {
		before, after := slices.Collect(strings.Lines(text[edit.Start:edit.End])), slices.Collect(strings.Lines(edit.New))
		if len(before) != len(after) {
			parts = append(parts, edit)
			continue
		}
		start := edit.Start
		for i := range before {
			end := start + len(before[i])
			parts = append(parts, udiff.Edit{Start: start, End: end, New: after[i]})
			start = end
		}
	}
	return parts
}

// A choice is a value to pick with a chance in proportion to its weight.
type choice[T any] struct {
	weight int
	value  T
}

func pick[T any](random *rand.Rand, choices []choice[T]) T {
	sum := 0
	for _, c := range choices {
		sum += c.weight
	}
	at := random.IntN(sum)
	for _, c := range choices {
		if at -= c.weight; at < 0 {
			return c.value
		}
	}
	panic("unreachable")
}

// slips are what an answer does to its code last, each with the codes that this
// introduces.
var slips = []choice[func(string) string]{
	{88, func(code string) string { return code }},
	{3, func(code string) string { return code + "\n" }},                                  // W391
	{3, func(code string) string { return code + "print('done') \n" }},                    // W291, and perhaps E305
	{2, func(code string) string { return "import sys\n" + code }},                        // F401
	{2, func(code string) string { return strings.Replace(code, "    ", "\t", 1) }},       // W191, perhaps E101
	{1, func(code string) string { return strings.Replace(code, "\n", "  # noqa\n", 1) }}, // hides what the line has
	{1, func(code string) string { return strings.ReplaceAll(code, "'", "\u2019") }},      // E999
}

// answer puts code into an answer, as models do: with prose and fences, or bare.
func answer(code string, random *rand.Rand) string {
	return pick(random, []choice[string]{
		{50, "```python\n" + code + "```\n"},
		{14, "Here is the corrected program:\n\n```python\n" + code + "```\n"},
		{12, "```python\n" + code + "```\n\nEvery finding is mended; the program does what it did.\n"},
		{6, "The findings are about layout, so the logic stays as it is.\n\n```python\n" + code + "```\n\nNo new finding comes in.\n"},
		{4, code},
		{3, "```python\n" + code}, // cut off after the program
		{2, "```python\n" + code[:len(code)*3/4]},
		{3, "```\n" + code + "```\n"},
		{2, "```py\n" + code + "```\n"},
		{1, "Sure!\n\n" + code},
		{1, "```Python\n" + code + "```\n"},
		{1, strings.ReplaceAll("```python\n"+code+"```\n", "\n", "\r\n")},
		{1, "First the rule:\n\n```text\n" + "PEP 8\n```\n\n```python\n" + code + "```\n"},
	})
}
