package synth

import (
	_ "embed"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"codelinter/internal/python/pyjson"
	"codelinter/internal/util/lazy"
	"codelinter/lint"
	"codelinter/rule"
)

// Weights are the relative frequencies of codes among the tasks: a code with weight 2 is in twice
// as many tasks as one with weight 1.
type Weights map[rule.Code]float64

// usual has the weights of published packages: what "codelinter dataset weights --unit program"
// says of 21,752 files, CPython 3.11's library and 160 packages.
//
//go:embed weights.json
var usual []byte

// Usual returns the weights of published code: the number of files in popular packages that have
// each code.
func Usual() Weights { return usualWeights.Get() }

var usualWeights = lazy.Value[Weights]{Make: func() Weights {
	w, err := ReadWeights("weights.json", strings.NewReader(string(usual)))
	if err != nil {
		panic(err)
	}
	return w
}}

// Even returns equal weights for all [Codes].
func Even() Weights {
	w := Weights{}
	for _, code := range Codes() {
		w[code] = 1
	}
	return w
}

// ReadWeights reads a JSON object of codes and numbers. name is the file's name in errors.
func ReadWeights(name string, r io.Reader) (Weights, error) {
	var numbers map[string]float64
	text, err := io.ReadAll(io.LimitReader(r, 1<<20))
	if err == nil {
		err = pyjson.Unmarshal(text, &numbers)
	}
	if err != nil {
		return nil, fmt.Errorf(`%s: expected an object of codes and weights such as {"E225": 3}: %w`, name, err)
	}
	w := Weights{}
	for _, text := range slices.Sorted(maps.Keys(numbers)) {
		code, ok := rule.Find(text)
		if !ok {
			return nil, fmt.Errorf("%s: expected codes of flake8, found %q", name, text)
		}
		if n := numbers[text]; n < 0 || math.IsInf(n, 0) {
			return nil, fmt.Errorf("%s: %s: expected a weight of at least 0, found %v", name, text, n)
		}
		w[code] = numbers[text]
	}
	return w, nil
}

// Write writes the weights as [ReadWeights] reads them, the highest first.
func (w Weights) Write(out io.Writer) error {
	codes := slices.SortedFunc(maps.Keys(w), func(a, b rule.Code) int {
		if w[a] != w[b] {
			return int(math.Copysign(1, w[b]-w[a]))
		}
		return int(a) - int(b)
	})
	text := []byte("{")
	for i, code := range codes {
		if i > 0 {
			text = append(text, ',')
		}
		text = fmt.Appendf(text, "\n  %q: %v", code, w[code])
	}
	_, err := out.Write(append(text, "\n}\n"...))
	return err
}

// Measure counts the programs in which each code occurs. It is not safe for concurrent use.
type Measure struct {
	linter  *lint.Linter
	Weights Weights
	// Programs counts the programs that parse and have a finding.
	Programs int
}

// NewMeasure returns a Measure under options.
func NewMeasure(o lint.Options) (*Measure, error) {
	linter, err := lint.New(o)
	return &Measure{linter: linter, Weights: Weights{}}, err
}

// Add counts the codes of a program.
func (m *Measure) Add(text []byte) {
	var has rule.Set
	findings := m.linter.Lint(lint.Input{Data: text, CodesOnly: true}).Findings
	for i := range findings {
		has.Add(findings[i].Code)
	}
	if len(findings) == 0 || has.Has(rule.E999) || has.Has(rule.E902) {
		return
	}
	m.Programs++
	for code := range has.All() {
		m.Weights[code]++
	}
}

// rounds is the number of corrections in fit.
const rounds = 5

// reach bounds the share of tasks with a code, among the tasks whose program has a place for it. A
// code with a larger share would crowd out others.
const reach = 0.75

// fit returns weights with which the tasks have the codes as often as o.Weights ask. A code for
// which few programs have a place, or whose faults often fail, needs a higher weight. fit makes
// tasks of some programs, counts their codes, and multiplies the weights by the wanted number
// divided by the actual one. Codes without a place are left out.
func fit(o Options, programs []Program, attempts int) (Weights, error) {
	asked := o.Weights
	for range rounds {
		m, err := NewMaker(o)
		if err != nil {
			return nil, err
		}
		got, could := m.count(programs, attempts)
		total, came := 0.0, 0.0
		for code, n := range could {
			if n > 0 {
				total += asked[rule.Code(code)]
				came += got[code]
			}
		}
		if came == 0 {
			return o.Weights, nil
		}
		next := Weights{}
		for i, n := range could {
			if n == 0 {
				continue
			}
			code := rule.Code(i)
			want := min(asked[code]/total*came, reach*n)
			// Half a task is added, as the number may be 0.
			next[code] = o.Weights[code] * min(max((want+0.5)/(got[code]+0.5), 1.0/8), 8)
		}
		o.Weights = next
	}
	return o.Weights, nil
}

// count makes tasks. got counts the tasks that have each code, and could those whose program has a
// place for it.
func (m *Maker) count(programs []Program, attempts int) (got, could [rule.Count]float64) {
	for i := range programs {
		for attempt := range attempts {
			if _, ok := m.Make(&programs[i], attempt); !ok {
				continue
			}
			for _, code := range m.has() {
				got[code]++
			}
			for _, code := range m.codes {
				could[code]++
			}
		}
	}
	return got, could
}

// has returns the codes of the last task's faults.
func (m *Maker) has() (codes []rule.Code) {
	for _, at := range m.chosen {
		if code := m.faults[at].code; !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	return codes
}
