package synth

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"slices"

	"codelinter/evaluator/task"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/rows"
	"codelinter/internal/util/ordered"
	"codelinter/rule"
)

// A Made is a task in the form in which it is written.
type Made struct {
	Line []byte // JSON and a newline
	Test bool   // it belongs to the test split
	// Next is the place after it, see [Run].
	Next Place
}

// A Place is the progress of a run. The zero Place is its beginning.
type Place struct {
	Pass    int `json:"pass"`
	Program int `json:"program"`
	Tasks   int `json:"tasks"` // made so far
}

// Report counts what a run made.
type Report struct {
	Tasks, Test int
	Programs    int // of which tasks were made
	Findings    int
	Failed      int                // attempts without a task
	Has         [rule.Count]int    // tasks that have each code
	Share       map[string]float64 // of each code among the tasks
	Asked       map[string]float64 // the share by the weights
	Could       [rule.Count]int    // tasks of programs that have a place for each code
}

// A Shortfall is a code that less than half as many tasks have as was asked for.
type Shortfall struct {
	Code         string
	Share, Asked float64
	// Could counts the tasks of programs that have a place for the code.
	Could int
}

// seldom is the share that is asked for below which nothing is called a shortfall.
const seldom = 0.01

// Shortfalls returns the codes that fell short, in their order.
func (r *Report) Shortfalls() (short []Shortfall) {
	for code := range r.Has {
		name := rule.Code(code).String()
		if asked := r.Asked[name]; asked >= seldom && 2*r.Share[name] < asked {
			short = append(short, Shortfall{name, r.Share[name], asked, r.Could[code]})
		}
	}
	return short
}

// RunOptions configure [Run].
type RunOptions struct {
	Options
	N       int     // tasks
	Test    float64 // the share of programs whose tasks are the test split
	Workers int
	// Fit is the number of programs to fit the weights on; 0 means 2,000, a negative number
	// none.
	Fit int
	// From is the place where an earlier run ended. Seen has the programs of its tasks.
	From Place
	Seen *Seen
}

// Seen remembers programs with faults, so that no two tasks have the same.
type Seen struct {
	seed maphash.Seed
	has  map[uint64]struct{}
}

// NewSeen returns an empty Seen.
func NewSeen() *Seen { return &Seen{maphash.MakeSeed(), map[uint64]struct{}{}} }

// Again reports whether a program was seen before, and remembers it.
func (s *Seen) Again(program string) bool {
	h := maphash.String(s.seed, program)
	_, has := s.has[h]
	s.has[h] = struct{}{}
	return has
}

// perPass bounds the attempts at a program in one pass.
const perPass = 64

// Run makes tasks of programs and passes them to emit. The same programs and options give the
// same bytes, whatever the number of workers. Run makes several passes. In each pass every
// program gets some attempts, so that all have about as many tasks. If N cannot be reached, the
// run ends with a pass that makes no task.
func Run(ctx context.Context, programs []Program, o RunOptions, emit func(Made) error) (r Report, err error) {
	if o.Weights == nil {
		o.Weights = Usual()
	}
	asked := o.Weights
	if o.Fit >= 0 && len(programs) > 0 {
		sample := o.Fit
		if sample == 0 {
			sample = 2000
		}
		if o.Weights, err = fit(o.Options, programs[:min(sample, len(programs))], max(1, min(4, sample/len(programs)))); err != nil {
			return r, err
		}
	}
	if o.Seen == nil {
		o.Seen = NewSeen()
	}
	t := &taker{RunOptions: o, programs: programs, emit: emit, made: o.From.Tasks}
	attempts := min(max((o.N+len(programs)-1)/max(len(programs), 1), 1), perPass)
	for pass := o.From.Pass; t.made < o.N && len(programs) > 0; pass++ {
		from := 0
		if pass == o.From.Pass {
			from = o.From.Program
		}
		before := t.made
		newWorker := func() (func(int) attempted, error) {
			m, err := NewMaker(o.Options)
			if err != nil {
				return nil, err
			}
			return func(i int) attempted { return m.attempt(&programs[i], i, pass*attempts, attempts) }, nil
		}
		err := ordered.Do(ctx, o.Workers, ordered.Numbers(from, len(programs)), newWorker, func(a attempted) error { return t.take(pass, a) })
		if err != nil && err != errEnough {
			return t.report, err
		}
		if t.made == before && from == 0 {
			break
		}
	}
	t.report.Asked, t.report.Share = shares(asked, &t.report.Has)
	return t.report, nil
}

// errEnough ends a pass when there are enough tasks.
var errEnough = errors.New("enough")

// A taker counts what the attempts of a run made, and passes it on.
type taker struct {
	RunOptions
	programs []Program
	emit     func(Made) error
	report   Report
	made     int // tasks, those of an earlier run included
}

// take passes on the tasks of one program.
func (t *taker) take(pass int, a attempted) error {
	any := false
	isTest := inTest(&t.programs[a.program], t.Test)
	for i := range a.made {
		one := &a.made[i]
		if t.Seen.Again(one.task.Inputs.Code) {
			t.report.Failed++
			continue
		}
		if t.made == t.N {
			return errEnough
		}
		t.made++
		if !any && pass == 0 {
			t.report.Programs++
		}
		any = true
		t.report.Tasks++
		if isTest {
			t.report.Test++
		}
		t.report.Findings += one.findings
		for _, code := range one.codes {
			t.report.Has[code]++
		}
		for _, code := range one.could {
			t.report.Could[code]++
		}
		m := Made{Line: pyjson.AppendLine(nil, &one.task), Test: isTest, Next: Place{pass, a.program, t.made}}
		if i == len(a.made)-1 {
			m.Next.Program++
		}
		if err := t.emit(m); err != nil {
			return err
		}
	}
	t.report.Failed += a.failed
	return nil
}

// attempted is the result of some attempts at one program.
type attempted struct {
	program int
	made    []madeTask
	failed  int
}

type madeTask struct {
	task     task.Task
	codes    []rule.Code
	could    []rule.Code // that the program has a place for
	findings int
}

func (m *Maker) attempt(p *Program, at, first, count int) attempted {
	a := attempted{program: at}
	for i := range count {
		t, ok := m.Make(p, first+i)
		if !ok {
			a.failed++
			continue
		}
		a.made = append(a.made, madeTask{t, m.has(), slices.Clone(m.codes), m.found})
	}
	return a
}

// inTest reports whether a program's tasks belong to the test split. Its hash decides, so no
// program is in both splits, whatever else is in the corpus.
func inTest(p *Program, share float64) bool {
	h := sha256.Sum256(append([]byte("test "), p.Hash[:]...))
	return float64(binary.BigEndian.Uint64(h[:])>>11)/(1<<53) < share
}

// shares returns the share of each code among all codes in tasks, as asked for and as made.
func shares(asked Weights, has *[rule.Count]int) (want, got map[string]float64) {
	want, got = map[string]float64{}, map[string]float64{}
	total, came := 0.0, 0.0
	for code, n := range has {
		if n > 0 {
			total += asked[rule.Code(code)]
			came += float64(n)
		}
	}
	for code, n := range has {
		if n > 0 {
			want[rule.Code(code).String()] = asked[rule.Code(code)] / total
			got[rule.Code(code).String()] = float64(n) / came
		}
	}
	return want, got
}

// Remember reads the tasks of an earlier run, so that this run makes none of them again. name is
// the file's name in errors.
func (s *Seen) Remember(name string, r io.Reader) error {
	for row, err := range rows.All(rows.NewLines(name, r)) {
		var t struct{ Inputs struct{ Code string } }
		if err == nil {
			err = row.Decode(&t)
		}
		if err != nil {
			return fmt.Errorf("%w (expected tasks that an earlier run wrote)", err)
		}
		s.Again(t.Inputs.Code)
	}
	return nil
}
