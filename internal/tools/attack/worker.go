package attack

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"codelinter/evaluator"
)

//go:embed mutate.py
var mutatePy []byte

//go:embed native.py
var nativePy []byte

// A worker visits one target at a time, with its own scorer and CPython.
type worker struct {
	attack *attack
	scorer *evaluator.Scorer
	ctx    context.Context // CPython's
	folder string
	python *exec.Cmd // nil before the first request
	in     io.WriteCloser
	out    *bufio.Reader
}

func (a *attack) newWorker(ctx context.Context) (w *worker, err error) {
	w = &worker{attack: a}
	if w.scorer, err = evaluator.NewScorer(evaluator.ScorerOptions{Judges: a.judges.Makers(), CodesOnly: true, NoSaved: true, Programs: &a.shared}); err != nil {
		return nil, err
	}
	w.ctx = ctx
	return w, nil
}

// start starts CPython.
func (w *worker) start() (err error) {
	if w.folder, err = os.MkdirTemp("", "attack"); err != nil {
		return err
	}
	for name, text := range map[string][]byte{"mutate.py": mutatePy, "native.py": nativePy} {
		if err := os.WriteFile(filepath.Join(w.folder, name), text, 0o600); err != nil {
			return err
		}
	}
	w.python = exec.CommandContext(w.ctx, w.attack.python, "-B", "-W", "ignore", "native.py", "--serve")
	w.python.Dir, w.python.Env, w.python.Stderr = w.folder, []string{"PYTHONHASHSEED=0"}, os.Stderr
	if w.in, err = w.python.StdinPipe(); err != nil {
		return err
	}
	out, err := w.python.StdoutPipe()
	if err != nil {
		return err
	}
	w.out = bufio.NewReaderSize(out, 1<<20)
	return w.python.Start()
}

// close ends CPython, if it was started.
func (w *worker) close() {
	if w.in != nil {
		w.in.Close()
		w.python.Wait()
	}
	os.RemoveAll(w.folder)
}

// ask sends CPython a request and reads the reply.
func (w *worker) ask(request, reply any) error {
	if w.python == nil {
		if err := w.start(); err != nil {
			return err
		}
	}
	if err := json.NewEncoder(w.in).Encode(request); err != nil {
		return err
	}
	line, err := w.out.ReadBytes('\n')
	if err != nil {
		return errors.Join(errors.New("CPython is gone"), err)
	}
	return json.Unmarshal(line, reply)
}

// An attempt is a try with its result.
type attempt struct {
	try       try
	official  bool // it passes officially
	passed    bool
	undecided bool // it passed, and CPython could not decide
	finding   *finding
}

// visit makes a batch of tries against a target and judges them.
func (w *worker) visit(ctx context.Context, t *target, rng *rand.Rand, weights map[string]float64) ([]attempt, error) {
	if t.mutants == nil && w.attack.only == "" {
		var made [][4]any
		if err := w.ask(map[string]any{"mutants": t.honest}, &made); err != nil {
			return nil, err
		}
		t.mutants = []edit{}
		for _, m := range made {
			t.mutants = append(t.mutants, edit{"mutant: " + m[0].(string), int(m[1].(float64)), int(m[2].(float64)), m[3].(string)})
		}
	}
	var tries []try
	if w.attack.only != "" {
		tries = t.each(w.attack.only, rng)
	} else {
		tries = t.draw(rng, w.attack.batch, weights)
	}
	fresh := tries[:0]
	for _, one := range tries {
		if !t.seen[one.code] {
			t.seen[one.code] = true
			fresh = append(fresh, one)
		}
	}
	if len(fresh) == 0 {
		return nil, nil
	}
	outputs := make([]string, len(fresh))
	for i := range fresh {
		outputs[i] = "```python\n" + strings.TrimSuffix(fresh[i].code, "\n") + "\n```\n"
	}
	result, err := w.scorer.Score(ctx, t.task, outputs)
	if err != nil {
		return nil, err
	}
	attempts := make([]attempt, len(fresh))
	for i := range fresh {
		judgement := &result.Samples[i].Judgements[1]
		attempts[i] = attempt{try: fresh[i], official: result.Samples[i].Official(), passed: judgement.Reward == 1}
		if !attempts[i].passed {
			continue
		}
		if len(fresh[i].edits) > 0 {
			t.passed = append(t.passed, fresh[i])
		}
		if err := w.tell(t, &attempts[i], judgement.Proof); err != nil {
			return nil, err
		}
	}
	return attempts, nil
}

// tell decides whether a passing try is another program.
func (w *worker) tell(t *target, a *attempt, proof string) error {
	if a.try.cheat {
		a.finding = &finding{Class: a.try.class, Proof: proof, By: "construction", Code: a.try.code}
		return nil
	}
	var told []string
	request := map[string]any{"program": t.honest, "answer": a.try.code, "tests": t.tests, "seed": w.attack.seed, "with": a.try.with}
	if err := w.ask(request, &told); err != nil {
		return err
	}
	a.undecided = told == nil
	if len(told) == 3 {
		a.finding = &finding{Class: a.try.class, Proof: proof, By: "calls", Calls: told[0], Program: told[1], Answer: told[2], Code: a.try.code}
	}
	return nil
}

// draw makes up to n tries.
func (t *target) draw(rng *rand.Rand, n int, weights map[string]float64) (tries []try) {
	for range 4 * n {
		if len(tries) == n {
			break
		}
		var one try
		switch way := rng.IntN(10); {
		case way < 5 && len(t.mutants) > 0:
			one = t.mutant(rng, weights)
		case way < 7 && len(t.passed) > 0:
			one = t.splice(rng, weights)
		default:
			one = t.template(rng, weights)
		}
		if one.code == "" || t.seen[one.code] {
			continue
		}
		tries = append(tries, one)
	}
	return tries
}

// choose draws the index of a weight.
func choose(rng *rand.Rand, n int, weight func(i int) float64) int {
	sum := 0.0
	for i := range n {
		sum += weight(i)
	}
	at := rng.Float64() * sum
	for i := range n {
		if at -= weight(i); at < 0 {
			return i
		}
	}
	return n - 1
}

// weightOf is the weight of a class, which may be new.
func weightOf(weights map[string]float64, name string) float64 {
	if w, known := weights[name]; known {
		return w
	}
	return new(class).weight()
}

// mutant makes a first-order mutant of the honest answer.
func (t *target) mutant(rng *rand.Rand, weights map[string]float64) try {
	e := t.mutants[choose(rng, len(t.mutants), func(i int) float64 { return weightOf(weights, t.mutants[i].class) })]
	return t.try(e.class, []edit{e}, false)
}

// splice combines tries that passed, or adds a mutant to one.
func (t *target) splice(rng *rand.Rand, weights map[string]float64) try {
	first := t.passed[rng.IntN(len(t.passed))]
	edits, cheat, with := first.edits, first.cheat, first.with
	if len(t.passed) > 1 && rng.IntN(2) == 0 {
		second := t.passed[rng.IntN(len(t.passed))]
		edits, cheat = append(edits[:len(edits):len(edits)], second.edits...), cheat || second.cheat
		with = append(with[:len(with):len(with)], second.with...)
	} else if len(t.mutants) > 0 {
		edits = append(edits[:len(edits):len(edits)], t.mutants[rng.IntN(len(t.mutants))])
	}
	one := t.try("splice", edits, cheat)
	one.with = with
	return one
}

// try makes an answer from edits. The code is empty if they overlap.
func (t *target) try(class string, edits []edit, cheat bool) try {
	code, ok := t.with(edits)
	if !ok {
		code = ""
	}
	return try{class: class, edits: edits, code: code, cheat: cheat}
}
