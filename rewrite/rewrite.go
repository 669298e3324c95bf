// Package rewrite has the rewrites that flake8's findings ask for, as data: what a
// code asks for, and under which condition.
//
//	asked := rewrite.Ask(module, findings)
//	for _, to := range asked.Expressions(compare, false) {
//		fmt.Println(to) // a is None, for the a == None of an E711
//	}
//
// # What a finding asks for
//
// A finding says more than that something is wrong: "comparison to None should be
// 'if cond is None:'" names the edit. That edit may change what a program does, as
// a == None and a is None differ for an a with an __eq__ of its own. It is the edit
// that was asked for all the same, so it is no change of logic. The same edit at a place
// without a finding is one.
//
// A [Rule] names a code, and how that code's edit is found. Rules of expressions are
// pairs of templates, in which a and b stand for any expressions. Those of statements
// and names have an [Edit], whose condition is in the rule's Needs. An [Asked] is what the
// findings of one program ask for, by place.
//
// Codes of pure layout have no rule: blanks, line breaks, quotes and parentheses are not
// in the tree. Neither have E713, E714, F541 and W605: their edits mean the same wherever
// they are made.
package rewrite

import (
	"codelinter/ast"
	"codelinter/rule"
)

// An Edit is what is done to a statement or a name.
type Edit uint8

// The edits.
const (
	// Replace: an expression of the form From becomes one of To.
	Replace Edit = iota
	// DropImport: a name of an import statement goes.
	DropImport
	// DropRedefined: of two bindings of a name the earlier goes, which nothing uses.
	DropRedefined
	// DropRepeated: of two imports that are the same the later goes.
	DropRepeated
	// Move: an import goes to the top of the module.
	Move
	// DropTarget: an assignment becomes its value alone. A value without effect goes too.
	DropTarget
	// DropAnnotation: an annotation without a value goes.
	DropAnnotation
	// Catch: a bare except catches Exception or BaseException.
	Catch
	// Define: name = lambda becomes a def.
	Define
	// Rename: a name becomes another that the program does not have.
	Rename
	// DropArgument: a named value goes that a format does not use.
	DropArgument
	// Trim: blanks at the ends of a text's lines go.
	Trim
)

// A Rule is one rewrite that a code asks for.
type Rule struct {
	Code rule.Code
	Edit Edit
	// From is a template of the expression, and To are those that may replace it. Truth are
	// more of these, for where only the truth of the value counts: if, while, not.
	From      string
	To, Truth []string
	// Needs is the condition, beside the finding, in words.
	Needs string
}

// Rules returns all rules in the order of their codes.
func Rules() []Rule { return rules }

var rules = []Rule{
	{Code: rule.E402, Edit: Move, Needs: "only what binds names, without a call, stands between, and has not the import's own"},

	{Code: rule.E711, From: "a == None", To: []string{"a is None"}},
	{Code: rule.E711, From: "a != None", To: []string{"a is not None"}},
	{Code: rule.E711, From: "None == a", To: []string{"a is None", "None is a"}},
	{Code: rule.E711, From: "None != a", To: []string{"a is not None", "None is not a"}},

	{Code: rule.E712, From: "a == True", To: []string{"a is True"}, Truth: []string{"a"}},
	{Code: rule.E712, From: "a != True", To: []string{"a is not True"}, Truth: []string{"not a"}},
	{Code: rule.E712, From: "a == False", To: []string{"a is False"}, Truth: []string{"not a"}},
	{Code: rule.E712, From: "a != False", To: []string{"a is not False"}, Truth: []string{"a"}},
	{Code: rule.E712, From: "True == a", To: []string{"a is True", "True is a"}, Truth: []string{"a"}},
	{Code: rule.E712, From: "True != a", To: []string{"a is not True", "True is not a"}, Truth: []string{"not a"}},
	{Code: rule.E712, From: "False == a", To: []string{"a is False", "False is a"}, Truth: []string{"not a"}},
	{Code: rule.E712, From: "False != a", To: []string{"a is not False", "False is not a"}, Truth: []string{"a"}},

	{Code: rule.E721, From: "a == b", To: []string{"a is b"}},
	{Code: rule.E721, From: "a != b", To: []string{"a is not b"}},

	{Code: rule.E722, Edit: Catch},
	{Code: rule.E731, Edit: Define},
	{Code: rule.E741, Edit: Rename, Needs: "no class binds it, no call gives it by keyword, and nothing looks at names"},

	{Code: rule.F401, Edit: DropImport, Needs: "no caller reads the name, nothing binds it but imports, no try or with is around it, and nothing looks at names"},

	{Code: rule.F504, Edit: DropArgument, Needs: "the value is a constant or a name"},
	{Code: rule.F522, Edit: DropArgument, Needs: "the value is a constant or a name"},

	{Code: rule.F632, From: "a is b", To: []string{"a == b"}},
	{Code: rule.F632, From: "a is not b", To: []string{"a != b"}},

	{Code: rule.F811, Edit: DropRedefined, Needs: "an import, or a def without decorators whose defaults are constants, which nothing reads before it is bound again"},
	{Code: rule.F811, Edit: DropRepeated, Needs: "nothing else binds the name, and no try or with is around it"},
	{Code: rule.F841, Edit: DropTarget, Needs: "nothing looks at names; of the value may go what is made of constants, names and attributes, outside of try and with"},
	{Code: rule.F842, Edit: DropAnnotation, Needs: "nothing looks at names"},

	{Code: rule.W291, Edit: Trim},
	{Code: rule.W293, Edit: Trim},
}

// An Asked is what the findings of one program ask for. It is not changed once it is
// made. The nil Asked asks for nothing.
type Asked struct {
	places      map[place]bool
	names       map[named]bool
	edits       [Trim + 1]bool
	trimmed     map[*ast.Constant]string
	expressions map[ast.Expr]replacement
}

// A place is where an edit is asked for.
type place struct {
	edit   Edit
	offset int32
}

// A named is an edit that is asked for of a name.
type named struct {
	edit Edit
	row  int32 // 0 for DropImport, whose place is the statement's
	at   int32
	name string
}

type replacement struct{ to, truth []ast.Expr }
