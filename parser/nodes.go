package parser

import "codelinter/ast"

// nodes is the memory of a tree: a slab for each type of node, a list for each
// type of slice. Types that a file has few of are allocated here too, so that a
// reused Parser allocates nothing at all.
type nodes struct {
	module slab[ast.Module]

	functionDef      slab[ast.FunctionDef]
	asyncFunctionDef slab[ast.AsyncFunctionDef]
	classDef         slab[ast.ClassDef]
	returns          slab[ast.Return]
	deletes          slab[ast.Delete]
	assign           slab[ast.Assign]
	typeAlias        slab[ast.TypeAlias]
	augAssign        slab[ast.AugAssign]
	annAssign        slab[ast.AnnAssign]
	fors             slab[ast.For]
	asyncFor         slab[ast.AsyncFor]
	while            slab[ast.While]
	ifs              slab[ast.If]
	with             slab[ast.With]
	asyncWith        slab[ast.AsyncWith]
	match            slab[ast.Match]
	raise            slab[ast.Raise]
	try              slab[ast.Try]
	tryStar          slab[ast.TryStar]
	assert           slab[ast.Assert]
	imports          slab[ast.Import]
	importFrom       slab[ast.ImportFrom]
	global           slab[ast.Global]
	nonlocal         slab[ast.Nonlocal]
	exprStmt         slab[ast.ExprStmt]
	pass             slab[ast.Pass]
	breaks           slab[ast.Break]
	continues        slab[ast.Continue]

	boolOp         slab[ast.BoolOp]
	namedExpr      slab[ast.NamedExpr]
	binOp          slab[ast.BinOp]
	unaryOp        slab[ast.UnaryOp]
	lambda         slab[ast.Lambda]
	ifExp          slab[ast.IfExp]
	dict           slab[ast.Dict]
	set            slab[ast.Set]
	listComp       slab[ast.ListComp]
	setComp        slab[ast.SetComp]
	dictComp       slab[ast.DictComp]
	generatorExp   slab[ast.GeneratorExp]
	await          slab[ast.Await]
	yield          slab[ast.Yield]
	yieldFrom      slab[ast.YieldFrom]
	compare        slab[ast.Compare]
	call           slab[ast.Call]
	formattedValue slab[ast.FormattedValue]
	interpolation  slab[ast.Interpolation]
	joinedStr      slab[ast.JoinedStr]
	templateStr    slab[ast.TemplateStr]
	constant       slab[ast.Constant]
	attribute      slab[ast.Attribute]
	subscript      slab[ast.Subscript]
	starred        slab[ast.Starred]
	name           slab[ast.Name]
	list           slab[ast.List]
	tuple          slab[ast.Tuple]
	slice          slab[ast.Slice]

	matchValue     slab[ast.MatchValue]
	matchSingleton slab[ast.MatchSingleton]
	matchSequence  slab[ast.MatchSequence]
	matchMapping   slab[ast.MatchMapping]
	matchClass     slab[ast.MatchClass]
	matchStar      slab[ast.MatchStar]
	matchAs        slab[ast.MatchAs]
	matchOr        slab[ast.MatchOr]

	typeVar      slab[ast.TypeVar]
	paramSpec    slab[ast.ParamSpec]
	typeVarTuple slab[ast.TypeVarTuple]

	comprehension slab[ast.Comprehension]
	exceptHandler slab[ast.ExceptHandler]
	arguments     slab[ast.Arguments]
	arg           slab[ast.Arg]
	keyword       slab[ast.Keyword]
	alias         slab[ast.Alias]
	withItem      slab[ast.WithItem]
	matchCase     slab[ast.MatchCase]

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
	n.module.reset()
	n.functionDef.reset()
	n.asyncFunctionDef.reset()
	n.classDef.reset()
	n.returns.reset()
	n.deletes.reset()
	n.assign.reset()
	n.typeAlias.reset()
	n.augAssign.reset()
	n.annAssign.reset()
	n.fors.reset()
	n.asyncFor.reset()
	n.while.reset()
	n.ifs.reset()
	n.with.reset()
	n.asyncWith.reset()
	n.match.reset()
	n.raise.reset()
	n.try.reset()
	n.tryStar.reset()
	n.assert.reset()
	n.imports.reset()
	n.importFrom.reset()
	n.global.reset()
	n.nonlocal.reset()
	n.exprStmt.reset()
	n.pass.reset()
	n.breaks.reset()
	n.continues.reset()
	n.boolOp.reset()
	n.namedExpr.reset()
	n.binOp.reset()
	n.unaryOp.reset()
	n.lambda.reset()
	n.ifExp.reset()
	n.dict.reset()
	n.set.reset()
	n.listComp.reset()
	n.setComp.reset()
	n.dictComp.reset()
	n.generatorExp.reset()
	n.await.reset()
	n.yield.reset()
	n.yieldFrom.reset()
	n.compare.reset()
	n.call.reset()
	n.formattedValue.reset()
	n.interpolation.reset()
	n.joinedStr.reset()
	n.templateStr.reset()
	n.constant.reset()
	n.attribute.reset()
	n.subscript.reset()
	n.starred.reset()
	n.name.reset()
	n.list.reset()
	n.tuple.reset()
	n.slice.reset()
	n.matchValue.reset()
	n.matchSingleton.reset()
	n.matchSequence.reset()
	n.matchMapping.reset()
	n.matchClass.reset()
	n.matchStar.reset()
	n.matchAs.reset()
	n.matchOr.reset()
	n.typeVar.reset()
	n.paramSpec.reset()
	n.typeVarTuple.reset()
	n.comprehension.reset()
	n.exceptHandler.reset()
	n.arguments.reset()
	n.arg.reset()
	n.keyword.reset()
	n.alias.reset()
	n.withItem.reset()
	n.matchCase.reset()
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
