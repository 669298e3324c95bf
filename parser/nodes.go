package parser

import "codelinter/ast"

// nodes is the memory of a tree: a slab for each type of node, a list for each type of
// slice. Types that a file has few of are allocated here too, so that a reused Parser
// allocates nothing at all.
type nodes struct {
	slabs
	parsed int // bytes of text since the last reset

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

// reset frees all nodes at once. A snippet uses few of the slabs and lists, so a reset does little
// for each of them: with a bound on each slab's pages and a loop over the lists, the lint of a
// snippet takes 1 % more instructions.
func (n *nodes) reset() {
	if n.parsed > keptText {
		n.slabs = slabs{}
	}
	n.parsed = 0
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
	for _, list := range []interface{ drop() }{
		&n.stmts, &n.exprs, &n.patterns, &n.typeParams, &n.comprehensions, &n.handlers, &n.args,
		&n.keywords, &n.aliases, &n.withItems, &n.cases, &n.operators, &n.strings, &n.text,
	} {
		list.drop()
	}
}
