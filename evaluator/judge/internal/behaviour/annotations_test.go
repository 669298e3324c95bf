package behaviour

import (
	"testing"

	"codelinter/evaluator"
)

func TestDeferred(t *testing.T) {
	for _, test := range []struct{ program, want string }{
		{"def f(a: int) -> str:\n    pass\n", ""},
		{"def f(a: List[int], *b: c.Later) -> Later | None:\n    pass\n", "def f(a: int      , *b: int    ) -> int   | None:\n    pass\n"},
		{"def f(a: T) -> list[\n        'T']:\n    pass\n", "def f(a: 0) -> list[\n        'T']:\n    pass\n"},
		{"class Node:\n    below: Node\n\n    def add(self, other: Node):\n        def f(a: Node) -> Name:\n            pass\n",
			"class Node:\n    below: int \n\n    def add(self, other: int ):\n        def f(a: Node) -> int :\n            pass\n"},
		{"if TYPE_CHECKING:\n    from a import Later\nelse:\n    Here = int\n\n\ndef f(a: Later, b: Here):\n    pass\n",
			"if TYPE_CHECKING:\n    from a import Later\nelse:\n    Here = int\n\n\ndef f(a: int  , b: Here):\n    pass\n"},
		{"def f[T](a: T):\n    pass\n\n\nclass C[U]:\n    a: U\n", ""},
		{"from __future__ import annotations\n\n\ndef f(a: Later):\n    pass\n", ""},
		{"from a import *\n\n\ndef f(a: Later):\n    pass\n", ""},
		{"def f(a: Later):\n    return f.__annotations__\n", ""},
	} {
		if test.want == "" {
			test.want = test.program
		}
		if got := deferred(test.program); got != test.want {
			t.Errorf("%s\n%s want\n%s", test.program, got, test.want)
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
