package sandbox

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"codelinter/sandbox/internal/cpython"
	"codelinter/sandbox/internal/gpython"
	"codelinter/sandbox/internal/reactor"
)

// Tests run gpython also where no other binary has it.
func init() {
	linkedGPython.version = gpython.Version
	linkedGPython.start = func(output int) interpreter { return gpython.Start(output) }
}

// requireGPython skips a test where gpython is refused.
func requireGPython(t *testing.T) {
	if err := available(GPython); err != nil {
		t.Skip(err)
	}
}

func TestGPythonRuns(t *testing.T) {
	requireGPython(t)
	p := newPool(t, Options{Engine: GPython, Workers: 1})
	program := Program{
		Source: "import math\ndef double(x):\n    return x * 2\nprint('hello')\n",
		Calls: []Call{
			{Expr: "double([1, 2.5, None, 'é', 2 ** 70])"},
			{Exec: "given = [1]\nprint('then')", Bind: []Binding{{"x", "given"}, {"y", "double(given)"}}, Expr: "x.append(y)", Return: []string{"x", "y"}},
		},
	}
	for range 2 {
		r := run(t, p, program)
		if r.End != Done || r.Finish.End != Done || r.Engine != GPython || string(r.Output) != "hello\nthen\n" || len(r.Calls) != 2 || r.Used != 0 {
			t.Fatalf("%+v", r)
		}
		if got := fmt.Sprint(r.Calls[0].Value); got != "[1, 2.5, None, 'é', 1180591620717411303424, 1, 2.5, None, 'é', 1180591620717411303424]" {
			t.Error(got)
		}
		if got := fmt.Sprint(r.Calls[1].Value, r.Calls[1].After); got != "None [[1, [1, 1]] <object 2 again>]" {
			t.Error(got)
		}
	}
	if s := p.Stats(); s.Programs != 2 || s.Restarts != 0 {
		t.Errorf("%+v", s)
	}
}

// What does not end as it should is unknown, with the reason, and does nothing
// to the next program.
func TestGPythonHostile(t *testing.T) {
	requireGPython(t)
	t.Parallel()
	p := newPool(t, Options{Engine: GPython, Workers: 1, Time: 250 * time.Millisecond})
	for source, reason := range map[string]string{
		"raise ValueError('no')":                           "ValueError",
		"assert False":                                     "AssertionError",
		"import os\nos.system('true')":                     "No module named",
		"open('/etc/passwd')":                              "open",
		"while True: pass":                                 "processor time",
		"x = [0]\nwhile True: x = x + x":                   "",
		"x = 'a'\nwhile True: x += x":                      "",
		"x = 1 << (1 << 40)":                               "",
		"x = [0] * (1 << 40)":                              "",
		"x = 3\nwhile True: x = x * x":                     "",
		"exec(compile(\"'forged'\", 'f', 'single'))":       "compile",
		"def g():\n    yield from g()\nfor x in g(): pass": "",
		"(" + strings.Repeat("(", 100_000):                 "",
		strings.Repeat("-", 1_000_000) + "1":               "",
	} {
		r := run(t, p, Program{Source: source})
		if r.End != Unknown || r.Reason == "" || !strings.Contains(r.Reason, reason) {
			t.Errorf("%.50q: %v, %v", source, r.End, r.Reason)
		}
	}
	// A recursion without end takes the memory that there is, which takes seconds.
	patient := newPool(t, Options{Engine: GPython, Workers: 1, Time: time.Minute})
	if r := run(t, patient, Program{Source: "def f(): f()\nf()"}); r.End != Unknown || !strings.Contains(r.Reason, "died") {
		t.Errorf("a recursion without end: %v, %v", r.End, r.Reason)
	}
	// A type of the process that a program changed is another's no more.
	for _, source := range []string{"list.append = None", "setattr(list, 'append', None)", "ValueError.x = 1", "import math\nmath.pi = 3", "import builtins\nbuiltins.len = None"} {
		run(t, p, Program{Source: source})
		r := run(t, p, Program{Source: "import math\nx = []\nx.append(len('ab'))\nassert math.pi > 3 and not hasattr(ValueError, 'x')", Calls: []Call{{Expr: "x"}}})
		if r.End != Done || len(r.Calls) != 1 || r.Calls[0].Value.String() != "[2]" {
			t.Errorf("after %q: %+v", source, r)
		}
	}
}

func TestGPythonOptions(t *testing.T) {
	requireGPython(t)
	if _, err := New(t.Context(), Options{Engine: GPython, InProcess: true}); err == nil {
		t.Error("it runs in this process")
	}
	o := Options{Engine: GPython}
	if err := o.complete(); err != nil || o.Time != defaultTimeGPython {
		t.Errorf("%+v, %v", o, err)
	}
	want := GPython
	if cpython.Embedded && reactor.Supported() {
		want = CPython
	}
	if got := Default.chosen(); got != want || Version(Default) != Version(want) || Version(GPython) == "" || Version(99) != "" {
		t.Errorf("%v is the default, where %v should be", got, want)
	}
}

// A binary without gpython says how to get one with it.
func TestGPythonIsNotLinked(t *testing.T) {
	linked := linkedGPython
	defer func() { linkedGPython = linked }()
	linkedGPython.version, linkedGPython.start = "", nil
	if err := available(GPython); err == nil || strconv.IntSize == 64 && !strings.Contains(err.Error(), "(tag gpython)") || Version(GPython) != "" {
		t.Errorf("%v, %q", err, Version(GPython))
	}
	if err := available(Default); (err == nil) != (cpython.Embedded && reactor.Supported()) {
		t.Error(err)
	}
}
