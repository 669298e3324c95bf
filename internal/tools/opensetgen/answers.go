package opensetgen

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

// The answers take the place of a model's, so that every part of a report has
// something to show. They are made from the tasks alone. The program with faults and
// the clean one differ in some changes. An answer makes all changes, or omits the one
// that is this task's trap, and others by chance. As with a model, some answers
// introduce a fault, and some are in a fence that the benchmark does not accept.

// perTask is the number of answers to each task, as in the benchmark.
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

// answers returns the answers to a task, which depend on the task alone.
func answers(t *task.Task) []string {
	seed := fnv.New64a()
	fmt.Fprintf(seed, "%s\x00%s\x00%s", t.Meta.ID, t.Inputs.Code, t.Meta.CanonicalCode)
	random := rand.New(rand.NewPCG(seed.Sum64(), 0))
	changes := splitEdits(udiff.Lines(t.Inputs.Code, t.Meta.CanonicalCode), t.Inputs.Code)
	skill := random.Float64()         // the chance that an answer makes all changes
	trap := random.IntN(len(changes)) // the change that the other answers omit
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
			panic(err) // impossible, as the edits do not overlap
		}
		outputs[i] = answer(pick(random, slips)(code), random)
	}
	return outputs
}

// splitEdits splits each change of several lines into changes of one line, if it
// keeps their number.
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

// A choice is a value with the weight by which it is picked.
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

// slips are last changes to an answer's code, with the codes that they introduce.
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
