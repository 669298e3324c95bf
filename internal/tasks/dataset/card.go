package dataset

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"codelinter/evaluator/task"
	"codelinter/internal/rows"
	"codelinter/rule"
)

// Card describes the tasks in r for readers of a data set, in Markdown: their number, lengths and
// difficulty, their codes, the programs' sources and licences, and three examples. name is r's in
// errors and, with title, in the text.
func Card(title, name string, r io.Reader, w io.Writer) error {
	c := card{licences: map[string]int{}, sources: map[string]int{}, options: map[string]int{}, programs: map[string]bool{}}
	err := eachTask(name, r, func(_ rows.Row, t task.Task) error {
		c.add(&t)
		return nil
	})
	if err != nil {
		return err
	}
	if c.tasks == 0 {
		return &rows.Error{File: name, Problem: "expected at least one task, found none"}
	}
	out := bufio.NewWriter(w)
	c.write(out, title)
	return out.Flush()
}

type card struct {
	tasks, findings            int
	has, count                 rule.Table[int]
	lengths, numbers           []float64
	difficulties               []float64
	licences, sources, options map[string]int
	programs                   map[string]bool
	examples                   [3]*task.Task // the easiest, one in the middle, the hardest
	clean, tests               int
}

// maxExample bounds the lines of an example's program.
const maxExample = 30

func (c *card) add(t *task.Task) {
	c.tasks++
	has := map[rule.Code]bool{}
	n := 0
	for code := range feedbackCodes(t.Inputs.Feedback) {
		n++
		*c.count.At(code)++
		if !has[code] {
			has[code] = true
			*c.has.At(code)++
		}
	}
	c.findings += n
	c.lengths = append(c.lengths, float64(len(t.Inputs.Code)))
	c.numbers = append(c.numbers, float64(n))
	c.difficulties = append(c.difficulties, t.Meta.Difficulty)
	if t.Meta.CanonicalCode != "" && t.Meta.CanonicalCode != t.Inputs.Code {
		c.clean++
	}
	if t.Meta.Row != nil && len(t.Meta.TestList) > 0 {
		c.tests++
	}
	c.options[t.Meta.Options.String()]++
	if o := t.Meta.Origin; o != nil {
		top, _, _ := strings.Cut(o.Path, "/")
		c.sources[top]++
		c.licences[cmp.Or(o.Licence, "not known")]++
		c.programs[t.Meta.CanonicalCode] = true
	}
	if strings.Count(t.Inputs.Code, "\n") > maxExample || n == 0 {
		return
	}
	one := *t
	if c.examples[0] == nil || t.Meta.Difficulty < c.examples[0].Meta.Difficulty {
		c.examples[0] = &one
	}
	if c.examples[1] == nil || distance(t, 0.5) < distance(c.examples[1], 0.5) {
		c.examples[1] = &one
	}
	if c.examples[2] == nil || t.Meta.Difficulty > c.examples[2].Meta.Difficulty {
		c.examples[2] = &one
	}
}

func distance(t *task.Task, to float64) float64 {
	return max(t.Meta.Difficulty-to, to-t.Meta.Difficulty)
}

func (c *card) write(out io.Writer, title string) {
	fmt.Fprintf(out, "# %s\n\n", title)
	fmt.Fprintf(out, "%d tasks of CodeLinterEval: a Python program with faults of style, what flake8 finds in it, and an instruction to fix it.\n", c.tasks)
	fmt.Fprintf(out, "%d of them have a corrected program, %d have tests.", c.clean, c.tests)
	if len(c.programs) > 0 {
		fmt.Fprintf(out, " They are made of %d programs.", len(c.programs))
	}
	fmt.Fprint(out, "\n\n| of a task | least | quarter | median | three quarters | 99 % | most |\n|---|--:|--:|--:|--:|--:|--:|\n")
	quantiles(out, "bytes of the program", "%.0f", c.lengths)
	quantiles(out, "findings", "%.0f", c.numbers)
	if slices.Max(c.difficulties) > 0 {
		quantiles(out, "difficulty", "%.2f", c.difficulties)
	}
	fmt.Fprint(out, "\n## Codes\n\n| code | tasks with it | of all | findings | name |\n|---|--:|--:|--:|---|\n")
	var codes []rule.Code
	for code, n := range c.has.All() {
		if *n > 0 {
			codes = append(codes, code)
		}
	}
	slices.SortStableFunc(codes, func(a, b rule.Code) int { return c.has.Of(b) - c.has.Of(a) })
	for _, code := range codes {
		fmt.Fprintf(out, "| %s | %d | %.1f %% | %d | %s |\n", code, c.has.Of(code), 100*float64(c.has.Of(code))/float64(c.tasks), c.count.Of(code), code.Rule().Name)
	}
	top(out, "Options of flake8", c.options, c.tasks, 10)
	top(out, "Licences", c.licences, c.tasks, 30)
	top(out, "Sources", c.sources, c.tasks, 20)
	fmt.Fprint(out, "\n## Examples\n")
	for i, t := range c.examples {
		if t == nil || i > 0 && c.examples[i-1] != nil && c.examples[i-1].Meta.ID == t.Meta.ID {
			continue
		}
		fmt.Fprintf(out, "\n### %s\n\nDifficulty %.2f. What flake8 finds:\n\n```\n%s```\n\n```python\n%s```\n", t.Meta.ID, t.Meta.Difficulty, endLine(t.Inputs.Feedback), endLine(t.Inputs.Code))
		if t.Meta.CanonicalCode != "" && t.Meta.CanonicalCode != t.Inputs.Code {
			fmt.Fprintf(out, "\nCorrected:\n\n```python\n%s```\n", endLine(t.Meta.CanonicalCode))
		}
	}
}

func endLine(text string) string { return strings.TrimSuffix(text, "\n") + "\n" }

func quantiles(out io.Writer, name, format string, values []float64) {
	slices.Sort(values)
	fmt.Fprintf(out, "| %s |", name)
	for _, q := range [...]float64{0, 0.25, 0.5, 0.75, 0.99, 1} {
		fmt.Fprintf(out, " "+format+" |", values[int(q*float64(len(values)-1))])
	}
	fmt.Fprintln(out)
}

// top writes a section with the most frequent keys, unless the only key is "".
func top(out io.Writer, title string, counts map[string]int, all, most int) {
	if len(counts) == 0 || len(counts) == 1 && counts[""] > 0 {
		return
	}
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
	fmt.Fprintf(out, "\n## %s\n\n| | tasks | of all |\n|---|--:|--:|\n", title)
	rest := 0
	for i, key := range keys {
		if i >= most {
			rest += counts[key]
			continue
		}
		fmt.Fprintf(out, "| %s | %d | %.1f %% |\n", strings.NewReplacer("|", "\\|", "\n", " ").Replace(cmp.Or(key, "defaults")), counts[key], 100*float64(counts[key])/float64(all))
	}
	if rest > 0 {
		fmt.Fprintf(out, "| %d others | %d | %.1f %% |\n", len(keys)-most, rest, 100*float64(rest)/float64(all))
	}
}
