package judge

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/util/didyoumean"
	"codelinter/lint"
)

// A Reward is a rule by which answers get rewards; see the package comment. The zero Reward is
// [Binary]. Rewards with the same text are equal if they have a name of their own.
type Reward struct{ rule *formula }

// The rewards with a name of their own.
var (
	Binary = Reward{}
	Shaped = Reward{named("shaped", "shaped")}

	binary = named("binary", "passed")
)

// named returns a formula with a name of its own, which is that of a term.
func named(name, term string) *formula {
	return &formula{
		text: name, products: []product{{term, 1, []factor{{term: termOf(term)}}}},
		least: math.Inf(-1), most: math.Inf(1), named: true,
	}
}

// A formula is a sum of products between two bounds.
type formula struct {
	text        string
	products    []product
	least, most float64
	named       bool // it is binary or shaped, whose only term is the reward
}

// A product is a weight times terms.
type product struct {
	name    string // the terms' names, for logs
	weight  float64
	factors []factor
}

// A factor is a term with its option.
type factor struct {
	term    *term
	number  float64
	weights map[string]float64 // of codes and beginnings of codes, the longest of which holds; 1 for all others
}

func termOf(name string) *term {
	if i := slices.IndexFunc(terms, func(t term) bool { return t.name == name }); i >= 0 {
		return &terms[i]
	}
	return nil
}

// Rewards returns the rewards with a name of their own and the terms, in their order.
func Rewards() []string {
	names := []string{"binary", "shaped"}
	for i := range terms {
		if terms[i].name != "shaped" {
			names = append(names, terms[i].name)
		}
	}
	return names
}

func (r Reward) formula() *formula {
	if r.rule == nil {
		return binary
	}
	return r.rule
}

// String returns "binary", "shaped" or the formula without blanks. Rewards with the same text are
// the same.
func (r Reward) String() string { return r.formula().text }

// Terms returns the names of the formula's products, in its order; none for binary and shaped.
func (r Reward) Terms() []string {
	f := r.formula()
	if f.named {
		return nil
	}
	names := make([]string, len(f.products))
	for i := range f.products {
		names[i] = f.products[i].name
	}
	return names
}

// NeedsGuarded returns a term that the official verdict cannot give; "" if there is none.
func (r Reward) NeedsGuarded() string { return r.find(func(t *term) bool { return t.guarded }) }

// find returns the name of the first term with a trait; "" if there is none.
func (r Reward) find(trait func(t *term) bool) string {
	for _, p := range r.formula().products {
		for _, f := range p.factors {
			if trait(f.term) {
				return f.term.name
			}
		}
	}
	return ""
}

// asks reports whether a term has a trait.
func (r Reward) asks(trait func(t *term) bool) bool { return r.find(trait) != "" }

func asksLogic(t *term) bool { return t.logic }
func asksTests(t *term) bool { return t.tests }

// of returns an answer's reward with the values of its terms. masked reports whether there is none,
// because it is unknown whether the logic is kept or the tests pass and onUnknown asks for that. An
// answer whose reward does not depend on it is not masked.
func (r Reward) of(facts *facts, onUnknown OnUnknown) (reward float64, terms []evaluator.Term, masked bool) {
	reward, terms = r.sum(facts)
	if facts.logic != evaluator.Unknown && facts.tests != evaluator.Unknown || onUnknown == ZeroUnknown {
		return reward, terms, false
	}
	known := *facts
	if known.logic == evaluator.Unknown {
		known.logic = evaluator.Pass
	}
	if known.tests == evaluator.Unknown {
		known.tests = evaluator.Pass
	}
	most, mostTerms := r.sum(&known)
	switch {
	case onUnknown == OfficialUnknown:
		return most, mostTerms, false
	case most == reward:
		return reward, terms, false
	}
	for i := range terms {
		terms[i].Value = 0
	}
	return 0, terms, true
}

// OfficialReward returns the reward of an answer by the official verdict, with the values of its
// terms. A reward that [Reward.NeedsGuarded] has nothing for such terms.
func OfficialReward(r Reward, t *task.Task, sample *evaluator.Sample) (reward float64, terms []evaluator.Term) {
	return r.sum(&facts{sample: sample, program: t.Inputs.Code})
}

// sum computes a formula.
func (r Reward) sum(facts *facts) (sum float64, terms []evaluator.Term) {
	f := r.formula()
	for i := range f.products {
		p := &f.products[i]
		value := p.weight
		for k := range p.factors {
			value *= p.factors[k].term.value(&p.factors[k], facts)
		}
		value += 0 // no -0
		if !f.named {
			terms = append(terms, evaluator.Term{Name: p.name, Value: value})
		}
		sum += value
	}
	return min(max(sum, f.least), f.most), terms
}

// ParseReward returns the reward of a name or a formula:
//
//	graded                                        a term
//	0.5*per_finding(0.2) + tests                  a sum of products
//	graded(E999=3, W=0.5) * meaning               weights of codes and of the beginnings of codes; a gate
//	passed + 0.2*introduced + empty, least=-1     bounds
//
// Blanks do not matter.
func ParseReward(text string) (Reward, error) {
	switch strings.TrimSpace(text) {
	case "binary":
		return Binary, nil
	case "shaped":
		return Shaped, nil
	}
	if len(text) > maxFormula {
		return Reward{}, fmt.Errorf("expected a formula of %d bytes at most, found %d", maxFormula, len(text))
	}
	p := &formulaParser{rest: strings.Join(strings.Fields(text), "")}
	f := &formula{text: p.rest, least: math.Inf(-1), most: math.Inf(1)}
	if err := p.formula(f); err != nil {
		return Reward{}, fmt.Errorf("expected %s, or a formula of terms, found %.200q: %w", strings.Join(Rewards()[:2], ", "), text, err)
	}
	return Reward{f}, nil
}

// maxFormula bounds a formula, which each request may bring, in bytes.
const maxFormula = 1024

// A formulaParser reads a formula.
type formulaParser struct{ rest string }

func (p *formulaParser) take(sign string) bool {
	rest, found := strings.CutPrefix(p.rest, sign)
	p.rest = rest
	return found
}

// formula reads PRODUCT {"+" PRODUCT} {"," BOUND}.
func (p *formulaParser) formula(f *formula) error {
	for again := true; again; again = p.take("+") {
		made, err := p.product()
		if err != nil {
			return err
		}
		if slices.ContainsFunc(f.products, func(other product) bool { return other.name == made.name }) {
			return fmt.Errorf("%s is there twice", made.name)
		}
		f.products = append(f.products, made)
	}
	for p.take(",") {
		bound := &f.least
		switch {
		case p.take("least="):
		case p.take("most="):
			bound = &f.most
		default:
			return fmt.Errorf("expected least= or most= after the comma, found %.40q", p.rest)
		}
		var err error
		if *bound, err = p.number(); err != nil {
			return err
		}
	}
	if p.rest != "" {
		return fmt.Errorf("expected +, * or a comma, found %.40q", p.rest)
	}
	return nil
}

// product reads FACTOR {"*" FACTOR}, where a factor is a number or a term.
func (p *formulaParser) product() (made product, err error) {
	made.weight = 1
	var names []string
	for again := true; again; again = p.take("*") {
		if p.rest != "" && strings.Contains(inNumbers, p.rest[:1]) {
			weight, err := p.number()
			if err != nil {
				return made, err
			}
			made.weight *= weight
			continue
		}
		factor, err := p.factor()
		if err != nil {
			return made, err
		}
		made.factors = append(made.factors, factor)
		names = append(names, factor.term.name)
	}
	if len(names) == 0 {
		return made, fmt.Errorf("expected a term beside the number")
	}
	made.name = strings.Join(names, "_")
	return made, nil
}

// factor reads NAME ["(" OPTION {"," OPTION} ")"].
func (p *formulaParser) factor() (f factor, err error) {
	name := p.word()
	if f.term = termOf(name); f.term == nil {
		if meant := didyoumean.Option(name, Rewards()...); meant != "" {
			return f, fmt.Errorf("unknown term %q: did you mean %q?", name, meant)
		}
		return f, fmt.Errorf("unknown term %q: expected one of %s", name, strings.Join(Rewards()[2:], ", "))
	}
	f.number, f.weights = f.term.standard, map[string]float64{}
	if !p.take("(") {
		return f, nil
	}
	for again := true; again; again = p.take(",") {
		if err := p.option(&f); err != nil {
			return f, fmt.Errorf("%s: %w", name, err)
		}
	}
	if !p.take(")") {
		return f, fmt.Errorf("%s: expected a bracket at its end, found %.40q", name, p.rest)
	}
	return f, nil
}

// option reads CODE "=" NUMBER, or [NAME "="] NUMBER.
func (p *formulaParser) option(f *factor) error {
	name := p.word()
	if name != "" && !p.take("=") {
		return fmt.Errorf("expected = after %s", name)
	}
	value, err := p.number()
	switch {
	case err != nil:
		return err
	case value < 0 || value == 0 && f.term.option == "than":
		return fmt.Errorf("expected a number above 0, found %v", value)
	case f.term.option != "" && (name == "" || name == f.term.option):
		f.number = value
		return nil
	case f.term.codes && name != "":
		if !lint.IsCodePrefix(name) {
			return fmt.Errorf("expected a code or the beginning of codes, found %q", name)
		}
		f.weights[name] = value
		return nil
	}
	return fmt.Errorf("expected %s, found %s=%v", f.term.options(), name, value)
}

// options says what the brackets of a term may hold.
func (t *term) options() string {
	var names []string
	if t.option != "" {
		names = append(names, t.option+"="+strconv.FormatFloat(t.standard, 'f', -1, 64))
	}
	if t.codes {
		names = append(names, "codes with their weights, such as E999=3")
	}
	return cmp.Or(strings.Join(names, " and "), "nothing in brackets")
}

// word reads a name or a code: letters, digits and underscores.
func (p *formulaParser) word() string {
	if p.rest != "" && p.rest[0] <= '9' {
		return "" // a number
	}
	return p.span("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
}

// inNumbers are the characters of a number such as -0.5.
const inNumbers = "-.0123456789"

// number reads a number.
func (p *formulaParser) number() (float64, error) {
	begin := p.rest
	value, err := strconv.ParseFloat(p.span(inNumbers), 64)
	if err != nil {
		return 0, fmt.Errorf("expected a number, found %.40q", begin)
	}
	return value, nil
}

// span reads what consists of some characters.
func (p *formulaParser) span(characters string) string {
	begin := p.rest
	p.rest = strings.TrimLeft(begin, characters)
	return begin[:len(begin)-len(p.rest)]
}
