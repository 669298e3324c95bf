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
// A [Rule] has a code, and says how its edit is found. Rules of expressions are pairs of
// templates, in which a and b stand for any expressions. Rules of statements and names
// have an [Edit], with its condition in Needs. [Edits] are the edits that the findings
// of one program ask for, by place.
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
	// Replace: an expression like From becomes one of To.
	Replace Edit = iota
	// DropImport: a name of an import statement is removed.
	DropImport
	// DropRedefined: of two bindings of a name, the earlier, unused one is removed.
	DropRedefined
	// DropRepeated: of two equal imports, the later one is removed.
	DropRepeated
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
	// From is a template of an expression, and To are its replacements. Truth are more
	// replacements if only the truth of the value is used, as by if, while and not.
	From      string
	To, Truth []string
	// Needs is the condition besides the finding, in words.
	Needs string
}

// rules are all rules in the order of their codes.
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

// Edits are those that the findings of one program ask for. It is immutable. nil
// asks for nothing.
type Edits struct {
	places      map[place]bool
	names       map[named]bool
	edits       [Trim + 1]bool
	trimmed     map[*ast.Constant]string
	expressions map[ast.Expr]replacement
}

// A place is the place of an edit.
type place struct {
	edit   Edit
	offset int32
}

// A named is an edit of a name.
type named struct {
	edit Edit
	row  int32 // 0 for DropImport, which has the statement's place
	at   int32
	name string
}

type replacement struct{ to, truth []ast.Expr }
