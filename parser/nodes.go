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

	// text holds the strings that are no part of the parsed text.
	text texts
}

// reset frees all nodes at once.
func (n *nodes) reset() {
	n.slabs.reset()
	n.stmts.reset()
	n.exprs.reset()
	n.patterns.reset()
	n.typeParams.reset()
	n.comprehensions.reset()
	n.handlers.reset()
	n.args.reset()
	n.keywords.reset()
	n.aliases.reset()
	n.withItems.reset()
	n.cases.reset()
	n.operators.reset()
	n.strings.reset()
	n.text.reset()
}

// dropStacks forgets the slices that a refusal left unfinished.
func (n *nodes) dropStacks() {
	n.stmts.drop()
	n.exprs.drop()
	n.patterns.drop()
	n.typeParams.drop()
	n.comprehensions.drop()
	n.handlers.drop()
	n.args.drop()
	n.keywords.drop()
	n.aliases.drop()
	n.withItems.drop()
	n.cases.drop()
	n.operators.drop()
	n.strings.drop()
}
