package evaluator

import (
	"strings"

	"codelinter/tokenizer"
)

// Answers to other tasks are well-formed answers: they get a score, which means nothing. Samples that
// [task.Task.Digest] names cannot be mistaken. For others the names are compared: an answer that
// fixes a program keeps most of its names. Of the built-in answers to the open set all keep a
// [handful]; of programs drawn at random from the open set and MBPP 98 in 100 do not have
// a handful of another program's names.

// A Resemblance counts answers by the names that they share with their tasks' programs. It counts the
// first answer to each task, unless the samples name their tasks' digests. Answers without names, and
// answers to programs without names, are not counted.
type Resemblance struct {
	Answers int
	Foreign int // those that share fewer than a handful of names
}

// handful is the number of its program's names that an answer to a task shares, or half of them if
// they are fewer: a fix may rename variables.
const handful = 5

// fewAnswers is the number of answers below which nothing is said.
const fewAnswers = 3

// OfOthers reports whether most answers look like answers to other tasks.
func (r *Resemblance) OfOthers() bool { return r.Answers >= fewAnswers && 2*r.Foreign > r.Answers }

func (r *Resemblance) add(d Resemblance) {
	r.Answers += d.Answers
	r.Foreign += d.Foreign
}

// resemblance compares an answer's code with a task's program.
func resemblance(program, code string) (r Resemblance) {
	given := namesIn(program, nil)
	shared := 0
	own := namesIn(code, func(name string) {
		if given[name] {
			shared++
		}
	})
	if len(given) == 0 || len(own) == 0 {
		return r
	}
	r.Answers = 1
	if shared < min(handful, (len(given)+1)/2) {
		r.Foreign = 1
	}
	return r
}

// namesIn returns the names in a text outside of comments and string literals, and calls first for each new one. The text
// need not be valid Python.
func namesIn(text string, first func(string)) map[string]bool {
	names := map[string]bool{}
	for text != "" {
		n := 1
		switch c := text[0]; {
		case c == '#':
			n = strings.IndexByte(text, '\n')
		case c == '"' || c == '\'':
			n = literalEnd(text)
		default:
			if n = wordEnd(text, ""); n == 0 {
				n = 1
			} else if word := text[:n]; (c < '0' || c > '9') && !tokenizer.LookupKeyword(word).IsHard() && !names[word] {
				names[word] = true
				if first != nil {
					first(word)
				}
			}
		}
		if n < 0 {
			break
		}
		text = text[n:]
	}
	return names
}
