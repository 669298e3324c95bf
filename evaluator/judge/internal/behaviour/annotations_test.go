package behaviour

import (
	"slices"
	"strings"
	"testing"

	"codelinter/evaluator"
	"codelinter/sandbox"
)

// Annotations are not evaluated, unless a program reads them. Rows are those of the program.
func TestDeferred(t *testing.T) {
	j := newJudge(t, Options{})
	for _, program := range []string{
		"def f(a: int) -> str:\n    return a\n",
		"def f(a: List[int], *b: c.Later) -> Later | None:\n    return a\n",
		"def f(a: T) -> list[\n        'T']:\n    return a\n",
		"class Node:\n    below: Node\n\n    def add(self, other: Node):\n        def f(a: Node) -> Name:\n            return a\n        return f(other)\n\n\ndef f(a):\n    return Node().add(a)\n",
		"from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a import Later\nelse:\n    Here = int\n\n\ndef f(a: Later, b: Here = 1):\n    return a\n",
		"def f[T](a: T):\n    return a\n\n\nclass C[U]:\n    a: U\n",
		"from __future__ import annotations\n\n\ndef f(a: Later):\n    return a\n",
		"'''Text\n\nof 2.'''\nfrom __future__ import division\n\n\ndef f(a: Later):\n    return a if __doc__ == 'Text\\n\\nof 2.' else None\n",
		"'Text.'\n\n\ndef f(a: int):\n    return f.__annotations__['a'](a)\n",
		"'Text.'; import math\n@(lambda f: f)\ndef f(a: Later = math):\n    return a\n",
	} {
		plain := newPlainText(program).deferred()
		r, err := j.engine.Run(t.Context(), sandbox.Program{Source: plain.text, Calls: []sandbox.Call{{Expr: "f(3)"}}})
		if err != nil || r.End != sandbox.Done || r.Calls[0].End != sandbox.Done || r.Calls[0].Value.Kind != sandbox.Int || r.Calls[0].Value.Int.Int64() != 3 {
			t.Errorf("%s\n%v %+v %+v", plain.text, err, r.Exception, r.Calls)
		}
		rows := strings.Split(plain.text, "\n")
		for i, row := range strings.Split(program, "\n") {
			if strings.HasPrefix(strings.TrimSpace(row), "return ") {
				if at := slices.Index(rows, row); at < 0 || plain.row(at+1) != i+1 {
					t.Errorf("%s\n%q is row %d", plain.text, row, at)
				}
			}
		}
	}
}

// TestAnnotations judges answers whose annotations CPython 3.14 never evaluates.
func TestAnnotations(t *testing.T) {
	j := newJudge(t, Options{})
	task := &Task{ID: "annotations", Program: "def f(a: Tuple[int]) :\n    return a * 2\n", Tests: []string{"assert f(2) == 4"}}
	for answer, want := range map[string]evaluator.Outcome{
		"def f(a: Tuple[int]) -> Later:\n    return 2 * a\n": evaluator.Pass,
		"def f(a: Tuple[int]):\n    return a * 3\n":          evaluator.Fail,
		"def f(a=Tuple[int]):\n    return a * 2\n":           evaluator.Fail,
	} {
		if v := judgeAnswer(t, j, task, answer); v.Outcome != want {
			t.Errorf("%s: %s %v, want %s", answer, v.Outcome, v.Reasons, want)
		}
	}
}
