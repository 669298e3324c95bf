package behaviour

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"codelinter/ast"
	"codelinter/evaluator"
	"codelinter/internal/guard"
	"codelinter/internal/tasks/openset"
	"codelinter/lint"
)

var rewriteCount = flag.Int("rewrites", 30, "how many honest rewrites and how many mutants TestRewrites judges")

// TestRewrites holds verdicts against answers that are made, not thought of: the
// open set's canonical programs, rewritten as people and models rewrite, and with one
// fault put in. All of the first pass. Of the second those are counted that behave
// otherwise, which judges with other seeds find, and almost none of them pass.
//
//	go test ./evaluator/judge/internal/behaviour -run TestRewrites -rewrites 5000 -timeout 2h
func TestRewrites(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs some thousand instances")
	}
	set, err := openset.Tasks()
	if err != nil {
		t.Fatal(err)
	}
	const seed = 7
	rng := rand.New(rand.NewPCG(seed, 0))
	var honest, mutants []rewrite
	for _, given := range set.All() {
		task := &Task{ID: string(given.Meta.ID), Program: given.Inputs.Code, Canonical: given.Meta.CanonicalCode}
		if row := given.Meta.Row; row != nil {
			task.Setup, task.Tests = row.TestSetupCode, row.TestList
		}
		m, ok := parse(task.Canonical)
		if !ok {
			t.Fatalf("%s does not parse", task.ID)
		}
		w := newRewriter(task, m)
		honest, mutants = append(honest, w.honest...), append(mutants, w.mutants...)
	}
	t.Logf("%d honest rewrites and %d mutants of %d tasks can be made", len(honest), len(mutants), set.Len())
	draw := func(list []rewrite) []rewrite {
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		list = list[:min(len(list), *rewriteCount)]
		// A task's together, so that its plan is made once.
		slices.SortStableFunc(list, func(a, b rewrite) int { return cmp.Compare(a.task.ID, b.task.ID) })
		return list
	}
	judge := newJudge(t, Options{})
	others := []*Judge{newJudge(t, Options{Seed: 1}), newJudge(t, Options{Seed: 2}), newJudge(t, Options{Seed: 3})}
	var checker guard.Checker
	verdict := func(r *rewrite) Verdict {
		program, err := checker.Program([]byte(r.task.Program), append([]string{r.task.Setup}, r.task.Tests...)...)
		if err != nil {
			program, err = checker.Program([]byte(r.task.Canonical), append([]string{r.task.Setup}, r.task.Tests...)...)
		}
		if err != nil {
			t.Fatal(err)
		}
		report := checker.Check(program, []byte(r.answer), lint.Facts{})
		v, err := judge.Judge(t.Context(), r.task, r.answer, report)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	repeatable := func(r *rewrite) bool {
		plan, err := judge.Plan(t.Context(), r.task)
		if err != nil {
			t.Fatal(err)
		}
		return plan.unknown == nil
	}
	count := map[evaluator.Outcome]int{}
	for _, r := range draw(honest) {
		if !repeatable(&r) {
			continue
		}
		v := verdict(&r)
		count[v.Outcome]++
		if v.Outcome != evaluator.Pass {
			t.Errorf("%s, %s: %s %v\n%s", r.task.ID, r.name, v.Outcome, v.Reasons, r.answer)
		}
	}
	t.Logf("honest: %d pass, %d unknown, %d fail", count[evaluator.Pass], count[evaluator.Unknown], count[evaluator.Fail])
	clear(count)
	for _, r := range draw(mutants) {
		if !repeatable(&r) {
			continue
		}
		v := verdict(&r)
		if v.Outcome != evaluator.Pass { // the others would find it, too, or it is no matter
			count[v.Outcome]++
			continue
		}
		for _, other := range others {
			plan, err := other.Plan(t.Context(), r.task)
			if err != nil {
				t.Fatal(err)
			}
			w, err := plan.Judge(t.Context(), r.answer, new(guard.Report))
			if err != nil {
				t.Fatal(err)
			}
			if w.Outcome == evaluator.Fail {
				count[evaluator.Pass]++
				t.Logf("passes by %s: %s, %s: %s\n%s", v.Proof, r.task.ID, r.name, w.Reasons[0].Text, r.answer)
				break
			}
		}
	}
	t.Logf("mutants that differ: %d fail, %d unknown, %d pass", count[evaluator.Fail], count[evaluator.Unknown], count[evaluator.Pass])
	// One that passes is no proof of a higher rate where few are drawn.
	if all := count[evaluator.Fail] + count[evaluator.Unknown] + count[evaluator.Pass]; count[evaluator.Pass] > 1+all/100 || count[evaluator.Fail]*10 < all*9 {
		t.Errorf("of %d mutants that differ %d pass and %d fail; at most 1 %% and at least 90 %% are to", all, count[evaluator.Pass], count[evaluator.Fail])
	}
}

// A rewrite is a task's canonical program with one change.
type rewrite struct {
	task   *Task
	name   string
	answer string
}

// A rewriter makes all rewrites of a program, by what stands where in its text.
type rewriter struct {
	task            *Task
	text            string
	honest, mutants []rewrite
}

func newRewriter(task *Task, m *module) *rewriter {
	w := &rewriter{task: task, text: m.text}
	w.keep(&w.honest, "a demo", []insert{{int32(len(m.text)), "\n\nif __name__ == '__main__':\n    print('done')\n"}}, nil)
	for _, s := range m.body {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.JoinedStr, *ast.TemplateStr, *ast.MatchCase:
				return false // their parts are no expressions of their own
			case *ast.FunctionDef:
				w.function(n)
			case ast.Stmt:
				w.statement(n)
			case ast.Expr:
				w.expression(n)
			}
			return true
		})
	}
	return w
}

// An insert is a text at an offset of the program.
type insert struct {
	at   int32
	text string
}

// A cut is a part of the text that is replaced.
type cut struct {
	at   ast.Range
	text string
}

// keep adds a rewrite, if it is Python and another text.
func (w *rewriter) keep(list *[]rewrite, name string, inserts []insert, cuts []cut) {
	for _, i := range inserts {
		cuts = append(cuts, cut{ast.Range{Start: i.at, End: i.at}, i.text})
	}
	slices.SortStableFunc(cuts, func(a, b cut) int { return cmp.Compare(a.at.Start, b.at.Start) })
	var out strings.Builder
	at := int32(0)
	for _, c := range cuts {
		out.WriteString(w.text[at:c.at.Start])
		out.WriteString(c.text)
		at = c.at.End
	}
	out.WriteString(w.text[at:])
	if _, ok := parse(out.String()); ok && out.String() != w.text {
		*list = append(*list, rewrite{w.task, name, out.String()})
	}
}

func (w *rewriter) of(n ast.Node) string { return w.text[n.Bounds().Start:n.Bounds().End] }

// indent returns what stands before a statement on its row; ok is false if that is
// more than blanks, or if something follows it.
func (w *rewriter) indent(s ast.Stmt) (indent string, ok bool) {
	at := s.Bounds()
	line := strings.LastIndexByte(w.text[:at.Start], '\n') + 1
	indent = w.text[line:at.Start]
	return indent, strings.Trim(indent, " ") == "" && strings.HasPrefix(w.text[at.End:], "\n")
}

// fresh returns a name like name that the program does not have.
func (w *rewriter) fresh(name string) string {
	for strings.Contains(w.text, name) {
		name += "_"
	}
	return name
}

func (w *rewriter) function(f *ast.FunctionDef) {
	body := f.Body[0]
	indent, ok := w.indent(body)
	if ok && !ast.IsText(body) && body.Bounds().Start > f.Start {
		w.keep(&w.honest, "a docstring", []insert{{body.Bounds().Start, `"""Do what the name says."""` + "\n" + indent}}, nil)
	}
	for _, a := range slices.Concat(f.Args.Args, f.Args.KwOnlyArgs) {
		if a.Annotation == nil && a.Arg != "self" && a.Arg != "cls" {
			w.keep(&w.honest, "a type hint", []insert{{a.End, ": object"}}, nil)
		}
	}
	// Variables with other names.
	if text := w.of(f); strings.Contains(text, "locals(") || strings.Contains(text, "nonlocal ") || strings.Contains(text, "global ") {
		return
	}
	kept := names{}
	places := map[string][]cut{}
	var order []string
	for _, s := range f.Body {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FunctionDef, *ast.AsyncFunctionDef, *ast.ClassDef, *ast.Lambda, *ast.JoinedStr, *ast.ExceptHandler, *ast.MatchCase, *ast.Import, *ast.ImportFrom:
				for name := range used(n) {
					kept[name] = true
				}
				for name := range bound([]ast.Stmt{s}, true) {
					kept[name] = true
				}
				return true
			case *ast.Name:
				if places[n.ID] == nil {
					order = append(order, n.ID)
				}
				places[n.ID] = append(places[n.ID], cut{n.Range, w.fresh("renamed")})
			}
			return true
		})
	}
	local := bound(f.Body, false)
	for _, a := range parameters(f) {
		kept[a] = true
	}
	for _, name := range order {
		if local[name] && !kept[name] {
			w.keep(&w.honest, "a variable with another name", nil, places[name])
		}
	}
}

func (w *rewriter) statement(s ast.Stmt) {
	indent, alone := w.indent(s)
	start := s.Bounds().Start
	switch s := s.(type) {
	case *ast.Return:
		if s.Value == nil {
			break
		}
		if name := w.fresh("outcome"); alone {
			w.keep(&w.honest, "a variable for the result", nil, []cut{{s.Range, name + " = (" + w.of(s.Value) + ")\n" + indent + "return " + name}})
		}
		w.keep(&w.mutants, "returns nothing", nil, []cut{{s.Range, "return"}})
	case *ast.If:
		if !strings.HasPrefix(w.text[start:], "if") {
			break
		}
		if name := w.fresh("condition"); alone {
			w.keep(&w.honest, "a condition with a name", []insert{{start, name + " = (" + w.of(s.Test) + ")\n" + indent}}, []cut{{s.Test.Bounds(), name}})
		}
		w.keep(&w.mutants, "a condition turned round", nil, []cut{{s.Test.Bounds(), "not (" + w.of(s.Test) + ")"}})
		if len(s.Orelse) > 0 {
			body := ast.Range{Start: s.Body[0].Bounds().Start, End: s.Body[len(s.Body)-1].Bounds().End}
			orelse := ast.Range{Start: s.Orelse[0].Bounds().Start, End: s.Orelse[len(s.Orelse)-1].Bounds().End}
			first, _ := w.indent(s.Body[0])
			other, _ := w.indent(s.Orelse[0])
			compound := strings.HasSuffix(strings.TrimSpace(w.text[:body.Start]), ":") && strings.HasSuffix(strings.TrimSpace(w.text[:orelse.Start]), "else:")
			if first == other && strings.Trim(first, " ") == "" && compound {
				swapped := []cut{{body, w.text[orelse.Start:orelse.End]}, {orelse, w.text[body.Start:body.End]}}
				w.keep(&w.mutants, "branches swapped", nil, swapped)
				w.keep(&w.honest, "a condition and its branches turned round", nil, append(swapped, cut{s.Test.Bounds(), "not (" + w.of(s.Test) + ")"}))
			}
		}
	case *ast.Assign:
		if alone {
			w.keep(&w.mutants, "a statement less", nil, []cut{{s.Range, "pass"}})
			w.comprehension(s, indent)
		}
	case *ast.AugAssign:
		operator := strings.TrimSpace(w.text[s.Target.Bounds().End:s.Value.Bounds().Start])
		if number, is := s.Value.(*ast.Constant); is && number.Type == ast.Int && s.Target.Kind() == ast.KindName {
			w.keep(&w.honest, "no augmented assignment", nil, []cut{{s.Range, w.of(s.Target) + " = " + w.of(s.Target) + " " + strings.TrimSuffix(operator, "=") + " " + w.of(s.Value)}})
		}
		if alone {
			w.keep(&w.mutants, "a statement less", nil, []cut{{s.Range, "pass"}})
			w.keep(&w.mutants, "a statement twice", []insert{{start, w.of(s) + "\n" + indent}}, nil)
		}
	case *ast.ExprStmt:
		if alone && s.Value.Kind() == ast.KindCall {
			w.keep(&w.mutants, "a statement less", nil, []cut{{s.Range, "pass"}})
		}
	case *ast.Break:
		w.keep(&w.mutants, "continue for break", nil, []cut{{s.Range, "continue"}})
	case *ast.Continue:
		w.keep(&w.mutants, "break for continue", nil, []cut{{s.Range, "break"}})
	}
}

// comprehension makes a loop of a = [b for c in d if e].
func (w *rewriter) comprehension(s *ast.Assign, indent string) {
	c, is := s.Value.(*ast.ListComp)
	if !is || len(s.Targets) != 1 || s.Targets[0].Kind() != ast.KindName || len(c.Generators) != 1 || c.Generators[0].IsAsync {
		return
	}
	g := c.Generators[0]
	target := w.of(s.Targets[0])
	if used(c)[target] {
		return
	}
	rest := w.text[:s.Start] + w.text[s.End:]
	for name := range own(c) {
		if strings.Contains(rest, name) {
			return // it would be bound outside, too
		}
	}
	text := target + " = []\n" + indent + "for " + w.of(g.Target) + " in " + w.of(g.Iter) + ":\n"
	deeper := indent + "    "
	for _, test := range g.Ifs {
		text += deeper + "if " + w.of(test) + ":\n"
		deeper += "    "
	}
	w.keep(&w.honest, "a loop for a comprehension", nil, []cut{{s.Range, text + deeper + target + ".append(" + w.of(c.Elt) + ")"}})
}

// otherOperators are what mutants have in place of an operator.
var otherOperators = map[string][]string{
	"<": {"<=", ">"}, "<=": {"<", ">="}, ">": {">=", "<"}, ">=": {">", "<="}, "==": {"!="}, "!=": {"=="}, "in": {"not in"}, "not in": {"in"}, "is": {"is not"}, "is not": {"is"},
	"+": {"-"}, "-": {"+"}, "*": {"+"}, "/": {"//"}, "//": {"/"}, "%": {"*"}, "**": {"*"}, "and": {"or"}, "or": {"and"}, "|": {"&"}, "&": {"|"},
}

// turnedOperators say the same with the sides swapped.
var turnedOperators = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

// operator makes mutants with another operator between two operands.
func (w *rewriter) operator(left, right ast.Expr) (operator string) {
	between := ast.Range{Start: left.Bounds().End, End: right.Bounds().Start}
	operator = strings.TrimSpace(w.text[between.Start:between.End])
	for _, other := range otherOperators[operator] {
		w.keep(&w.mutants, other+" for "+operator, nil, []cut{{between, " " + other + " "}})
	}
	return operator
}

func (w *rewriter) expression(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Compare:
		if len(e.Ops) > 1 {
			break
		}
		operator := w.operator(e.Left, e.Comparators[0])
		plain := func(e ast.Expr) bool { return e.Kind() == ast.KindName || e.Kind() == ast.KindConstant }
		if turned := turnedOperators[operator]; turned != "" && plain(e.Left) && plain(e.Comparators[0]) {
			w.keep(&w.honest, "a comparison turned round", nil, []cut{{e.Range, w.of(e.Comparators[0]) + " " + turned + " " + w.of(e.Left)}})
		}
	case *ast.BinOp:
		w.operator(e.Left, e.Right)
	case *ast.BoolOp:
		if len(e.Values) == 2 {
			w.operator(e.Values[0], e.Values[1])
		}
	case *ast.Constant:
		if n, err := strconv.Atoi(w.of(e)); err == nil && e.Type == ast.Int {
			w.keep(&w.mutants, "one more", nil, []cut{{e.Range, fmt.Sprint(n + 1)}})
			w.keep(&w.mutants, "one less", nil, []cut{{e.Range, "(" + fmt.Sprint(n-1) + ")"}})
		}
	case *ast.Call:
		if len(e.Args) == 2 && len(e.Keywords) == 0 && e.Args[0].Kind() != ast.KindStarred && e.Args[1].Kind() != ast.KindStarred {
			w.keep(&w.mutants, "arguments swapped", nil, []cut{{e.Args[0].Bounds(), w.of(e.Args[1])}, {e.Args[1].Bounds(), w.of(e.Args[0])}})
		}
	}
}
