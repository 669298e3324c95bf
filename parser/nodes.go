package parser

import "codelinter/ast"

// nodes is the memory of a tree: a slab for each type of node, a list for each type of
// slice. Types that a file has few of are allocated here too, so that a reused Parser
// allocates nothing at all.
type nodes struct {
	slabs

	stmts          list[ast.Stmt]
	exprs          list[ast.Expr]
	patterns       list[ast.Pattern]
	typeParams     list[ast.TypeParam]
	comprehensions list[*ast.Comprehension]
	handlers       list[*ast.ExceptHandler]
	args           list[*ast.Arg]
	keywords       list[*ast.Keyword]
	aliases        list[*ast.Alias]
	withItems      list[*ast.WithItem]
	cases          list[*ast.MatchCase]
	operators      list[ast.CompareOperator]
	strings        list[string]
	text           list[byte] // the strings that are no part of the parsed text
}

// resettable is a list of any type.
type resettable interface {
	reset()
	drop()
}

// lists returns all lists.
func (n *nodes) lists() [14]resettable {
	return [...]resettable{
		&n.stmts, &n.exprs, &n.patterns, &n.typeParams, &n.comprehensions, &n.handlers, &n.args,
		&n.keywords, &n.aliases, &n.withItems, &n.cases, &n.operators, &n.strings, &n.text,
	}
}

// reset frees all nodes at once.
func (n *nodes) reset() {
	n.slabs.reset()
	for _, list := range n.lists() {
		list.reset()
	}
}

// dropStacks forgets the slices that a refusal left unfinished.
func (n *nodes) dropStacks() {
	for _, list := range n.lists() {
		list.drop()
	}
}
