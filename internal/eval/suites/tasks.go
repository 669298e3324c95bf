package suites

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"codelinter/internal/python/characters"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/python/pytext"
	"codelinter/internal/rows"
	"codelinter/internal/rows/packed"
	"codelinter/internal/util/lazy"
	"codelinter/source"
	"codelinter/tokenizer"
)

// A Suite is a benchmark whose answers are executed.
type Suite string

// The suites.
const (
	HumanEval Suite = "humaneval"
	MBPP      Suite = "mbpp"
)

// Suites returns all suites.
func Suites() []Suite { return []Suite{HumanEval, MBPP} }

// A Task is a function to write, and inputs to call it with.
type Task struct {
	ID        string
	Prompt    string
	Entry     string // the function's name
	Canonical string // the rest of the correct solution, after the prompt
	Tolerance float64
	Base      []Input // of the original benchmark
	Plus      []Input // added by EvalPlus
}

// solution returns the task's own solution as a whole program.
func (t *Task) solution() string { return t.Prompt + t.Canonical }

// An Input is the arguments of a call, as a Python expression of a list.
type Input string

// A node is a value of an input.
type node struct {
	kind  byte   // n: number, s: string, w: word, [ list, ( tuple, { dict, S set, f float() of items[0], c complex() of items[0]
	text  string // of a number, a word or a string
	keys  []string
	items []node
}

// Read reads the tasks of a suite from EvalPlus' file, HumanEvalPlus.jsonl or
// MbppPlus.jsonl, perhaps in gzip.
func Read(suite Suite, name string, in io.Reader) ([]Task, error) {
	var tasks []Task
	seen := map[string]bool{}
	for row, err := range packed.Rows(name, in) {
		if err != nil {
			return nil, err
		}
		task, err := readTask(suite, row)
		if err != nil {
			return nil, err
		}
		if seen[task.ID] {
			return nil, row.Errorf("task_id: %s is there twice", task.ID)
		}
		seen[task.ID] = true
		tasks = append(tasks, task)
	}
	if len(tasks) == 0 {
		return nil, &rows.Error{File: name, Problem: "expected tasks, found none"}
	}
	return tasks, nil
}

func readTask(suite Suite, row rows.Row) (t Task, err error) {
	fields, err := row.Find("task_id", "prompt", "entry_point", "canonical_solution", "base_input", "plus_input", "atol", "test", "test_list")
	if err != nil {
		return t, err
	}
	r := rows.FieldReader{Row: row}
	text := func(field string) string { return r.Text(field, fields[field], true) }
	t.ID, t.Prompt, t.Entry, t.Canonical = text("task_id"), text("prompt"), text("entry_point"), text("canonical_solution")
	if r.Err != nil {
		return t, r.Err
	}
	if !tokenizer.IsIdentifier(t.Entry, source.Newest) {
		return t, row.Errorf("entry_point: expected a name, found %q", t.Entry)
	}
	if fields["base_input"] == nil {
		return t, row.Errorf("base_input: expected inputs, found none: the tests of this file are programs; EvalPlus' file of the suite has the same ones as inputs")
	}
	if raw := fields["atol"]; raw != nil {
		if t.Tolerance, err = strconv.ParseFloat(string(raw), 64); err != nil {
			return t, row.Errorf("atol: expected a number, found %s", pyjson.Brief(raw))
		}
	}
	number, _ := strconv.Atoi(t.ID[strings.LastIndexByte(t.ID, '/')+1:])
	if t.Base, err = readInputs(suite, number, row, "base_input", fields["base_input"]); err == nil {
		t.Plus, err = readInputs(suite, number, row, "plus_input", fields["plus_input"])
	}
	return t, err
}

// readInputs reads the inputs in a field of a task with a number. They may be missing.
func readInputs(suite Suite, number int, row rows.Row, name string, value []byte) (inputs []Input, err error) {
	if value == nil {
		return nil, nil
	}
	list, err := parse(value, 0)
	if err == nil && list.kind == '{' && len(list.items) == 0 { // EvalPlus' form of no inputs
		return nil, nil
	}
	if err != nil || list.kind != '[' {
		return nil, row.Errorf("%s: expected a list of lists of arguments, found %s", name, pyjson.Brief(value))
	}
	for _, input := range list.items {
		if input.kind != '[' {
			return nil, row.Errorf("%s: expected lists of arguments, found something else", name)
		}
		if suite == MBPP {
			restore(number, &input)
		}
		var b strings.Builder
		input.write(&b)
		inputs = append(inputs, Input(b.String()))
	}
	return inputs, nil
}

var errInput = errors.New("not a value that can be an input")

// maxDepth bounds the nesting of inputs.
const maxDepth = 200

// parse reads a JSON value and keeps the order of fields.
func parse(text []byte, depth int) (n node, err error) {
	text = bytes.TrimSpace(text)
	if depth > maxDepth || len(text) == 0 {
		return n, errInput
	}
	switch c := text[0]; c {
	case '[':
		n.kind = '['
		err = pyjson.Items(text, func(_ int, item []byte) error {
			inner, err := parse(item, depth+1)
			n.items = append(n.items, inner)
			return err
		})
	case '{':
		n.kind = '{'
		pyjson.Fields(text, func(name, value []byte) {
			inner, failed := parse(value, depth+1)
			if failed != nil {
				err = failed
			}
			key, _ := pyjson.Unquote(append(append([]byte{'"'}, name...), '"'))
			n.keys, n.items = append(n.keys, key), append(n.items, inner)
		})
	case '"':
		text, half := pyjson.Unquote(text)
		if half {
			return n, errInput
		}
		n.kind, n.text = 's', text
	default:
		word, known := map[string]string{"true": "True", "false": "False", "null": "None", "NaN": "(1e999-1e999)", "Infinity": "1e999", "-Infinity": "-1e999"}[string(text)]
		n.kind, n.text = 'w', word
		if !known {
			n.kind, n.text = 'n', string(text)
		}
	}
	return n, err
}

// write writes a node as a Python expression, if possible as repr does: such an
// expression need not be compiled.
func (n *node) write(b *strings.Builder) {
	switch n.kind {
	case 'n', 'w':
		b.WriteString(n.text)
		return
	case 's':
		b.Write(pytext.AppendRepr(nil, n.text, characters.Latest))
		return
	}
	around := map[byte][2]string{
		'[': {"[", "]"}, '(': {"(", ")"}, '{': {"{", "}"}, 'S': {"set([", "])"}, 'f': {"float(", ")"}, 'c': {"complex(", ")"},
	}[n.kind]
	if n.kind == '(' && len(n.items) == 1 {
		around[1] = ",)"
	}
	b.WriteString(around[0])
	for i := range n.items {
		if i > 0 {
			b.WriteString(", ")
		}
		if n.kind == '{' {
			b.Write(pytext.AppendRepr(nil, n.keys[i], characters.Latest))
			b.WriteString(": ")
		}
		n.items[i].write(b)
	}
	b.WriteString(around[1])
}

// JSON has no tuples, sets and complex numbers. For MBPP, EvalPlus knows by a task's
// number which values were of these types.

// A shape says which lists of an input become tuples.
type shape uint8

const (
	arguments         shape = iota + 1 // each argument
	itemsOfArguments                   // the items of each argument
	itemsOfFirst                       // the items of the first argument
	firstArgument                      // the first argument alone
	secondArgument                     // the second argument alone
	itemsAndArguments                  // the items of each argument, and the arguments
	allLists                           // at any depth, except the input itself
)

// shapes has the shapes by the numbers of MBPP's tasks.
var shapes = lazy.Value[map[int]shape]{Make: func() map[int]shape {
	table := map[int]shape{}
	for s, numbers := range map[shape][]int{
		arguments:         {2, 116, 132, 143, 222, 261, 273, 394, 399, 421, 424, 429, 470, 560, 579, 596, 616, 630, 726, 740, 744, 809},
		itemsOfArguments:  {63, 64, 70, 94, 120, 237, 272, 299, 400, 409, 417, 438, 473, 614, 780},
		itemsOfFirst:      {75, 413, 444, 753},
		secondArgument:    {106, 750},
		firstArgument:     {250, 307, 405, 446, 617, 720, 763, 808},
		itemsAndArguments: {259, 278, 401, 445},
		allLists:          {580, 615, 791},
	} {
		for _, number := range numbers {
			table[number] = s
		}
	}
	return table
}}

// restore undoes the conversion of an MBPP input to JSON.
func restore(number int, input *node) {
	each := func(n *node, f func(*node)) {
		if n.kind == '[' || n.kind == '(' {
			for i := range n.items {
				f(&n.items[i])
			}
		}
	}
	argument := func(i int) *node {
		if i < len(input.items) {
			return &input.items[i]
		}
		return new(node)
	}
	switch shapes.Get()[number] {
	case arguments:
		each(input, tuple)
	case itemsOfArguments:
		each(input, func(n *node) { each(n, tuple) })
	case itemsOfFirst:
		each(argument(0), tuple)
	case firstArgument:
		tuple(argument(0))
	case secondArgument:
		tuple(argument(1))
	case itemsAndArguments:
		each(input, func(n *node) {
			each(n, tuple)
			tuple(n)
		})
	case allLists:
		var all func(n *node)
		all = func(n *node) {
			each(n, all)
			tuple(n)
		}
		each(input, all)
	}
	switch number {
	case 115:
		each(argument(0), func(n *node) {
			if n.kind == '[' && len(n.items) > 0 {
				n.kind = 'S'
			} else {
				*n = node{kind: '{'}
			}
		})
	case 124:
		*argument(0) = node{kind: 'f', items: []node{*argument(0)}}
		*argument(1) = node{kind: 'c', items: []node{*argument(1)}}
	case 252:
		*argument(0) = node{kind: 'c', items: []node{*argument(0)}}
	case 722:
		if of := argument(0); of.kind == '{' {
			for i := range of.items {
				tuple(&of.items[i])
			}
		}
	}
}

// tuple makes a tuple of a list or a text, as tuple() does.
func tuple(n *node) {
	switch n.kind {
	case '[':
		n.kind = '('
	case 's':
		made := node{kind: '('}
		for _, r := range n.text {
			made.items = append(made.items, node{kind: 's', text: string(r)})
		}
		*n = made
	}
}
