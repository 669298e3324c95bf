package behaviour

import (
	"context"
	"fmt"
	"strings"

	"codelinter/ast"
	"codelinter/evaluator/task"
	"codelinter/internal/util/lazy"
)

// A program's mutants measure its calls. A mutant is the program with one token changed: an answer with
// that fault. The calls detect it if they tell it from the program, as they tell a change of an answer
// (vouch.go).
//
// Only functions are mutated, as the values of a module's own statements are compared anyway.

// maxMutants bounds the mutants of one program. Of more it takes some, spread over the program.
const maxMutants = 100

// mutantOperators has an operator's text in the place of each operator.
var mutantOperators = lazy.Value[map[any]string]{Make: func() map[any]string {
	return map[any]string{
		ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.And: "or", ast.Or: "and",
		ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.FloorDiv: "*", ast.Div: "*", ast.Mod: "//",
		ast.BitAnd: "|", ast.BitOr: "&", ast.LShift: ">>", ast.RShift: "<<",
	}
}}

// mutantNames has another function or method in the place of each.
var mutantNames = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"append": "extend", "lower": "upper", "upper": "lower", "add": "discard", "startswith": "endswith", "lstrip": "rstrip",
		"appendleft": "append", "popleft": "pop", "keys": "values", "min": "max", "max": "min", "any": "all", "all": "any",
	}
}}

// Adequacy returns the share of mutants that the plan's calls detect. It is nil without
// [Options.Mutants], or if no mutant can be run.
func (p *Plan) Adequacy() *task.Adequacy { return p.adequacy }

// hunt runs the program's mutants. The error is that of the engine.
func (p *Plan) hunt(ctx context.Context) error {
	mutants := p.reference.mutants()
	if len(mutants) == 0 || p.Undecidable() != nil {
		return nil
	}
	p.adequacy = &task.Adequacy{}
	step := (len(mutants) + maxMutants - 1) / maxMutants
	for i := 0; i < len(mutants); i += step {
		p.adequacy.Mutants++
		m := mutants[i]
		told, err := p.tells(ctx, p.sessions, newSubject(change{at: m.at, text: "(" + m.text + ")"}.of(p.reference.module), nil))
		if err != nil {
			return err
		}
		if !told {
			row := p.reference.plain.row(p.reference.line(m.at.Start))
			p.adequacy.Alive = append(p.adequacy.Alive, fmt.Sprintf("line %d: %s for %s", row, clip(m.text), p.reference.textAt(m.at)))
		}
	}
	return nil
}

// mutants returns the changes of one token in the functions of a program. Their texts need parentheses.
func (m *module) mutants() (list []change) {
	other := func(e ast.Expr, format string, a ...any) {
		list = append(list, change{at: e.Bounds(), text: fmt.Sprintf(format, a...)})
	}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.JoinedStr, *ast.TemplateStr, ast.Pattern:
			return false
		case *ast.FunctionDef:
			each(n.Body, visit)
			return false
		case *ast.AsyncFunctionDef:
			each(n.Body, visit)
			return false
		case *ast.AnnAssign:
			if n.Value != nil {
				ast.Inspect(n.Value, visit)
			}
			return false
		case *ast.Return:
			if n.Value != nil && !isNone(n.Value) {
				other(n.Value, "None")
			}
		case *ast.ExprStmt:
			if n.Value.Kind() == ast.KindCall {
				other(n.Value, "None")
			}
			return n.Value.Kind() != ast.KindConstant
		case *ast.If:
			other(n.Test, "not %s", m.operand(n.Test))
		case *ast.While:
			other(n.Test, "not %s", m.operand(n.Test))
		case *ast.IfExp:
			other(n.Test, "not %s", m.operand(n.Test))
		case *ast.Comprehension:
			for _, test := range n.Ifs {
				other(test, "not %s", m.operand(test))
			}
		case *ast.Constant:
			if value, ok := otherConstant(n); ok {
				other(n, "%v", value)
			}
		case *ast.Compare:
			if op := mutantOperators.Get()[n.Ops[0]]; op != "" && len(n.Ops) == 1 {
				other(n, "%s %s %s", m.operand(n.Left), op, m.operand(n.Comparators[0]))
			}
		case *ast.BinOp:
			if op := mutantOperators.Get()[n.Op]; op != "" {
				other(n, "%s %s %s", m.operand(n.Left), op, m.operand(n.Right))
			}
		case *ast.BoolOp:
			var operands []string
			for _, value := range n.Values {
				operands = append(operands, m.operand(value))
			}
			other(n, "%s", strings.Join(operands, " "+mutantOperators.Get()[n.Op]+" "))
		case *ast.Call:
			name := ast.CalledName(n)
			if mutantNames.Get()[name] == "" {
				break
			}
			at := n.Func.Bounds()
			callee, rest := strings.TrimSuffix(m.text[at.Start:at.End], name), m.text[at.End:n.End]
			other(n, "%s%s%s", callee, mutantNames.Get()[name], rest)
			if name == "append" && len(n.Args) == 1 {
				other(n, "%sinsert(0, %s", callee, strings.TrimPrefix(rest, "("))
			}
		}
		return true
	}
	each(m.body, func(n ast.Node) bool {
		switch n.Kind() {
		case ast.KindFunctionDef, ast.KindAsyncFunctionDef:
			return visit(n)
		}
		return n.Kind() == ast.KindModule || n.Kind() == ast.KindClassDef
	})
	return list
}

// operand returns the text of an expression as an operand of any operator.
func (m *module) operand(e ast.Expr) string {
	text := m.text[e.Bounds().Start:e.Bounds().End]
	switch e.Kind() {
	case ast.KindName, ast.KindConstant, ast.KindCall, ast.KindAttribute, ast.KindSubscript, ast.KindList, ast.KindDict, ast.KindSet, ast.KindListComp:
		return text
	}
	return "(" + text + ")"
}
