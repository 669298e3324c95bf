package synth

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"

	"codelinter/evaluator/task"
	"codelinter/fix"
	"codelinter/internal/guard"
	"codelinter/internal/tasks/corpus"
	"codelinter/lint"
	"codelinter/rule"
)

// Options configure a [Maker].
type Options struct {
	// Weights are the relative frequencies of codes; nil means [Usual].
	Weights Weights
	// Min and Max bound the number of faults in a task; 0 means 1 and 8.
	Min, Max int
	// MaxFindings bounds the findings in a task; 0 means 40. One fault may cause several
	// findings: tabs give one in each row.
	MaxFindings int
	// MaxLength bounds the bytes of a program with faults; 0 means no bound.
	MaxLength int
	// Lint are the flake8 options that the tasks name, see [task.Options.Pinned].
	Lint *task.Options
	// Instructions are used in turn.
	Instructions []string
	// Seed is the seed of all random choices.
	Seed uint64
}

// A Program is a clean program for making tasks.
type Program struct {
	corpus.Program
	Hash [sha256.Size]byte // of its text
}

// A Maker makes tasks of clean programs and reuses its memory. It is not safe for concurrent use.
type Maker struct {
	options Options
	linter  *lint.Linter
	finder  finder
	checker guard.Checker

	text    string // the program in the finder
	faults  []fault
	byCode  [rule.Count][]int32
	codes   []rule.Code // codes for which the program has places
	weights []float64   // cumulative weights of codes

	chosen []int32
	edits  []fix.Edit
	faulty []byte
	found  int // findings of the last task
}

// NewMaker returns a Maker. The error is about options that flake8 refuses.
func NewMaker(o Options) (*Maker, error) {
	if o.Weights == nil {
		o.Weights = Usual()
	}
	if o.Min <= 0 {
		o.Min = 1
	}
	if o.Max <= 0 {
		o.Max = 8
	}
	o.Max = max(o.Max, o.Min)
	if o.MaxFindings <= 0 {
		o.MaxFindings = 40
	}
	linter, err := lint.New(o.Lint.Lint())
	if err != nil {
		return nil, err
	}
	m := &Maker{options: o, linter: linter}
	m.finder.Target = o.Lint.Lint().Target
	return m, m.checker.Follow(o.Lint.Lint())
}

// IsClean reports whether tasks can be made of a program: it has no finding, no comment silences
// one, and its tree proves it equal to itself.
func (m *Maker) IsClean(text string) bool {
	result := m.linter.Lint(lint.Input{Data: []byte(text), Facts: true})
	if len(result.Findings) > 0 {
		return false
	}
	facts := result.Facts
	return !facts.Silenced && !facts.Exempt && facts.Encoding == "" && !facts.FellBack
}

func (m *Maker) open(p *Program) bool {
	if m.text == p.Text {
		return len(m.codes) > 0
	}
	m.text = p.Text
	for i := range m.byCode {
		m.byCode[i] = m.byCode[i][:0]
	}
	m.codes = m.codes[:0]
	var ok bool
	if m.faults, ok = m.finder.find([]byte(p.Text)); !ok {
		return false
	}
	for i := range m.faults {
		code := m.faults[i].code
		m.byCode[code] = append(m.byCode[code], int32(i))
	}
	for code := range m.byCode {
		if len(m.byCode[code]) > 0 && m.linter.Enabled(rule.Code(code)) && m.options.Weights[rule.Code(code)] > 0 {
			m.codes = append(m.codes, rule.Code(code))
		}
	}
	m.weigh()
	return len(m.codes) > 0
}

// weigh computes the cumulative weights of the program's codes.
func (m *Maker) weigh() {
	m.weights = m.weights[:0]
	sum := 0.0
	for _, code := range m.codes {
		sum += m.options.Weights[code]
		m.weights = append(m.weights, sum)
	}
}

// draws bounds the draws for one task. Drawn faults may not fit together: two may edit one place,
// or one may cause other findings. The last draws are for fewer faults.
const (
	draws     = 10
	lastDraws = 3
)

// Make makes a task of a program. The task depends on the program and the attempt alone; attempts
// count from 0. Make returns false if the attempt fails, or if the program has no place for a
// fault with a weight.
func (m *Maker) Make(p *Program, attempt int) (task.Task, bool) {
	if !m.open(p) {
		return task.Task{}, false
	}
	chance := rand.New(rand.NewPCG(m.options.Seed, binary.BigEndian.Uint64(p.Hash[:])+uint64(attempt)))
	n := m.options.Min + chance.IntN(m.options.Max-m.options.Min+1)
	for i := range draws {
		if i == draws-lastDraws {
			n = max(n/2, m.options.Min)
		}
		if m.draw(chance, n) {
			if t, ok := m.task(p, attempt, chance); ok {
				return t, true
			}
		}
	}
	return task.Task{}, false
}

// repeats is the chance that the next fault has the same code as the last. People who omit one
// blank omit others.
const repeats = 0.25

// draw chooses up to n faults that do not touch each other.
func (m *Maker) draw(chance *rand.Rand, n int) bool {
	m.chosen, m.edits = m.chosen[:0], m.edits[:0]
	var code rule.Code
	for tries := 0; len(m.chosen) < n && tries < 4*n; tries++ {
		if len(m.chosen) == 0 || chance.Float64() >= repeats {
			at, _ := slices.BinarySearch(m.weights, chance.Float64()*m.weights[len(m.weights)-1])
			code = m.codes[min(at, len(m.codes)-1)]
		}
		list := m.byCode[code]
		at := list[chance.IntN(len(list))]
		if m.touches(m.faults[at].edits) {
			continue
		}
		m.chosen = append(m.chosen, at)
		m.edits = append(m.edits, m.faults[at].edits...)
	}
	return len(m.chosen) >= m.options.Min
}

// touches reports whether edits touch the edits of chosen faults.
func (m *Maker) touches(edits []fix.Edit) bool {
	for _, e := range edits {
		for _, other := range m.edits {
			if e.Start <= other.End && other.Start <= e.End {
				return true
			}
		}
	}
	return false
}

// task makes the task of the chosen faults. It checks that flake8 finds their codes and no
// others, and that the clean program is proven to do the same.
func (m *Maker) task(p *Program, attempt int, chance *rand.Rand) (t task.Task, ok bool) {
	slices.SortStableFunc(m.edits, func(a, b fix.Edit) int { return int(a.Start) - int(b.Start) })
	m.faulty = fix.Apply(m.faulty[:0], p.Text, m.edits)
	if m.options.MaxLength > 0 && len(m.faulty) > m.options.MaxLength {
		return t, false
	}
	findings := m.linter.Lint(lint.Input{Data: m.faulty}).Findings
	if len(findings) == 0 || len(findings) > m.options.MaxFindings || !m.isAsked(findings) {
		return t, false
	}
	feedback := task.AppendFeedback(nil, findings)
	m.found = len(findings)
	difficulty := Difficulty(findings, m.finder.Lines())
	faulty := string(m.faulty)
	program, err := m.checker.Program(m.faulty)
	if err != nil {
		return t, false
	}
	clean := m.linter.Lint(lint.Input{Data: []byte(p.Text), Facts: true})
	if !m.checker.Check(program, []byte(p.Text), clean.Facts).SameTree {
		return t, false
	}
	instruction := ""
	if len(m.options.Instructions) > 0 {
		instruction = m.options.Instructions[chance.IntN(len(m.options.Instructions))]
	}
	return task.Task{
		Instruction: instruction,
		Inputs:      task.Inputs{Code: faulty, Feedback: string(feedback)},
		Outputs:     json.RawMessage(`""`),
		Meta: task.Meta{
			ID:            task.ID(hex.EncodeToString(p.Hash[:6]) + "-" + strconv.Itoa(attempt)),
			CanonicalCode: p.Text,
			Options:       m.options.Lint,
			Origin:        &p.Origin,
			Difficulty:    difficulty,
			Row:           p.Row,
		},
	}, true
}

// isAsked reports whether the findings have the codes of the chosen faults, at least as often,
// and no others.
func (m *Maker) isAsked(findings []rule.Finding) bool {
	var count [rule.Count]int
	var allowed rule.Set
	for i := range findings {
		count[findings[i].Code]++
	}
	for _, at := range m.chosen {
		f := &m.faults[at]
		if count[f.code]--; count[f.code] < 0 {
			return false
		}
		allowed.Add(f.code)
		for _, code := range f.also {
			allowed.Add(code)
		}
	}
	for i := range findings {
		if !allowed.Has(findings[i].Code) {
			return false
		}
	}
	return true
}
