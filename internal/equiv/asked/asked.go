// Package asked has the edits that flake8's findings ask for, as data: the edit of each
// code, and its condition.
//
//	edits := asked.Ask(module, text, findings)
//	for _, to := range edits.Expressions(compare, false) {
//		fmt.Println(to) // a is None, for the a == None of an E711
//	}
//
// # What a finding asks for
//
// A finding also names an edit: "comparison to None should be 'if cond is None:'". The
// edit may change what a program does: a == None and a is None differ if a has its own
// __eq__. As flake8 asked for it, it is no change of logic. Without a finding, the same
// edit is one.
//
// A [Rule] has a code, and says how its edit is found. Rules of comparisons have the operators.
// Rules of statements and names have an [Edit], with its condition in Needs. [Edits] are the
// edits that the findings of one program ask for, by place.
//
// Codes of layout have no rule, as blanks, line breaks, quotes and parentheses are not in
// the tree. E713, E714, F541 and W605 have none, as their edits keep the meaning
// everywhere.
package asked

import (
	"codelinter/ast"
	"codelinter/rule"
)

// An Edit is a kind of edit of a statement or a name.
type Edit uint8

// The edits.
const (
	// Replace: a comparison gets another operator.
	Replace Edit = iota
	// DropImport: a name of an import statement is removed.
	DropImport
	// DropRedefined: of two bindings of a name, the earlier, unused one is removed.
	DropRedefined
	// Move: an import moves to the top of the module.
	Move
	// DropTarget: an assignment becomes its value, or is removed if the value has no
	// effect.
	DropTarget
	// DropAnnotation: an annotation without a value is removed.
	DropAnnotation
	// Catch: a bare except catches Exception or BaseException.
	Catch
	// Define: name = lambda becomes a def.
	Define
	// Rename: a name gets a new name.
	Rename
	// DropArgument: a named value that a format does not use is removed.
	DropArgument
	// Trim: blanks at the ends of a text's lines are removed.
	Trim
)

// A Rule is an edit that a code asks for.
type Rule struct {
	Code rule.Code
	Edit Edit
	// From is the operator of a comparison that becomes To. One of its sides is Constant, if that is
	// not "". Then the sides may also change places; and if only the truth of a == True is used, as
	// by if, while and not, a or not a may take its place.
	From, To ast.CompareOperator
	Constant string
	// Needs is the condition besides the finding, in words.
	Needs string
}

// rules are all rules in the order of their codes.
var rules = []Rule{
	{Code: rule.E402, Edit: Move, Needs: "nothing else binds the name; only what binds names, without a call, stands between, and has not the import's own"},

	{Code: rule.E711, From: ast.Eq, To: ast.Is, Constant: "None"},
	{Code: rule.E711, From: ast.NotEq, To: ast.IsNot, Constant: "None"},
	{Code: rule.E712, From: ast.Eq, To: ast.Is, Constant: "True"},
	{Code: rule.E712, From: ast.NotEq, To: ast.IsNot, Constant: "True"},
	{Code: rule.E712, From: ast.Eq, To: ast.Is, Constant: "False"},
	{Code: rule.E712, From: ast.NotEq, To: ast.IsNot, Constant: "False"},
	{Code: rule.E721, From: ast.Eq, To: ast.Is},
	{Code: rule.E721, From: ast.NotEq, To: ast.IsNot},

	{Code: rule.E722, Edit: Catch},
	{Code: rule.E731, Edit: Define},
	{Code: rule.E741, Edit: Rename, Needs: "no class binds it, no call gives it by keyword, and nothing looks at names"},

	{Code: rule.F401, Edit: DropImport, Needs: "no caller reads the name, nothing binds it but imports, no try or with is around it, and nothing looks at names"},

	{Code: rule.F504, Edit: DropArgument, Needs: "the value is a constant or a name"},
	{Code: rule.F522, Edit: DropArgument, Needs: "the value is a constant or a name"},

	{Code: rule.F632, From: ast.Is, To: ast.Eq},
	{Code: rule.F632, From: ast.IsNot, To: ast.NotEq},

	{Code: rule.F811, Edit: DropRedefined, Needs: "an import, or a def without decorators whose defaults are constants, which nothing reads before it is bound again"},
	{Code: rule.F841, Edit: DropTarget, Needs: "nothing looks at names; of the value may go constants, and variables that are surely bound"},
	{Code: rule.F842, Edit: DropAnnotation, Needs: "nothing looks at names"},

	{Code: rule.W291, Edit: Trim},
	{Code: rule.W293, Edit: Trim},
}

// Edits are those that the findings of one program ask for. It is immutable. nil
// asks for nothing.
type Edits struct {
	places      map[place]bool
	edits       [Trim + 1]bool
	trimmed     map[*ast.Constant]string
	expressions map[ast.Expr]replacement
}

// A place is the place of an edit: the offset of a statement, or the row of a Rename or
// DropRedefined; and the name of which one of several is meant.
type place struct {
	edit Edit
	at   int32
	name string
}

type replacement struct{ to, truth []ast.Expr }
