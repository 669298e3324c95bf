package pyflakes

import (
	"codelinter/ast"
	"codelinter/rule"
)

// visitBody visits statements, children of the current node.
func (c *Checker) visitBody(body []ast.Stmt) {
	for _, n := range body {
		c.visitStmt(n)
	}
}

// visitModule visits the statements of a module or an example. A future import
// may follow only others of its kind and strings.
func (c *Checker) visitModule(body []ast.Stmt) {
	for _, n := range body {
		if c.futuresAllowed() && n.Kind() != ast.KindImportFrom && !isString(n) {
			c.scopes[c.scope].futures = false
		}
		c.visitStmt(n)
	}
}

// isString reports whether the statement is nothing but a string.
func isString(n ast.Stmt) bool {
	e, is := n.(*ast.ExprStmt)
	if !is {
		return false
	}
	constant, is := e.Value.(*ast.Constant)
	return is && constant.Type == ast.Str
}

func (c *Checker) visitStmt(n ast.Stmt) {
	c.push(n, n.Kind())
	switch n := n.(type) {
	case *ast.ExprStmt:
		c.visit(n.Value)
	case *ast.Assign:
		c.visit(n.Value)
		c.visitAll(n.Targets)
	case *ast.Return:
		if c.isOutside() {
			c.report(rule.F706, n, "")
		} else {
			c.visitOptional(n.Value)
		}
	case *ast.If:
		c.visitIf(n)
	case *ast.FunctionDef:
		c.visitFunction(n)
	case *ast.AsyncFunctionDef:
		c.visitFunction((*ast.FunctionDef)(n))
	case *ast.ClassDef:
		c.visitClass(n)
	case *ast.Import:
		c.importNames(n)
	case *ast.ImportFrom:
		c.importFrom(n)
	case *ast.AugAssign:
		if name, is := n.Target.(*ast.Name); is {
			c.load(c.names.intern(name.ID), name.Start, c.units[c.unit].raw)
		}
		c.visit(n.Value)
		c.visit(n.Target)
	case *ast.AnnAssign:
		c.visitAnnotated(n)
	case *ast.For:
		c.visitFor(n)
	case *ast.AsyncFor:
		c.visitFor((*ast.For)(n))
	case *ast.While:
		outer := c.conditional
		c.conditional = true
		c.visit(n.Test)
		c.visitLoop(n.Body, n.Orelse)
		c.conditional = outer
	case *ast.With:
		c.visitWith(n)
	case *ast.AsyncWith:
		c.visitWith((*ast.With)(n))
	case *ast.Match:
		c.visitMatch(n)
	case *ast.Raise:
		c.visitRaise(n)
	case *ast.Try:
		c.visitTry(n)
	case *ast.TryStar:
		c.visitTry((*ast.Try)(n))
	case *ast.Assert:
		if isFullTuple(n.Test) {
			c.report(rule.F631, n, "")
		}
		c.visit(n.Test)
		c.visitOptional(n.Msg)
	case *ast.Delete:
		c.visitAll(n.Targets)
	case *ast.Global:
		c.declareGlobal(n.Start, n.Names)
	case *ast.Nonlocal:
		c.declareGlobal(n.Start, n.Names)
	case *ast.TypeAlias:
		c.visitAlias(n)
	case *ast.Break:
		if !c.inLoop {
			c.report(rule.F701, n, "")
		}
	case *ast.Continue:
		if !c.inLoop {
			c.report(rule.F702, n, "")
		}
	}
	c.pop()
}

func (c *Checker) visitIf(n *ast.If) {
	c.checkCondition(n, n.Test)
	outer := c.conditional
	c.conditional = true
	c.visit(n.Test)
	c.inBranch(1)
	c.visitBody(n.Body)
	c.inBranch(0)
	c.visitBody(n.Orelse)
	c.conditional = outer
}

func (c *Checker) visitAnnotated(n *ast.AnnAssign) {
	c.visitAnnotation(n.Annotation)
	switch {
	case n.Value == nil:
	case c.typing && c.typingName(n.Annotation) == "TypeAlias":
		if c.release.DefersAliases {
			c.visitAnnotation(n.Value)
		} else {
			c.visitAs(bareAnnotation, n.Value)
		}
	default:
		c.visit(n.Value)
	}
	c.visit(n.Target)
}

func (c *Checker) visitRaise(n *ast.Raise) {
	c.visitOptional(n.Exc)
	c.visitOptional(n.Cause)
	raised := n.Exc
	if call, is := raised.(*ast.Call); is {
		raised = call.Func
	}
	if name, is := raised.(*ast.Name); is && name.ID == "NotImplemented" {
		c.report(rule.F901, n, "")
	}
}

func (c *Checker) visitAlias(n *ast.TypeAlias) {
	if c.release.AliasBeforeParameters {
		c.visit(n.Name)
	}
	c.enterTypeScope(n.TypeParams)
	c.postpone(postponedAnnotation, n.Value)
	c.leaveTypeScope()
	if !c.release.AliasBeforeParameters {
		c.visit(n.Name)
	}
}

// isOutside reports whether there is no function to return or yield from. The scope of a
// comprehension counts as a function.
func (c *Checker) isOutside() bool {
	kind := c.scopes[c.scope].kind
	return kind == classScope || kind.ofModule()
}

// checkCondition reports if (spam, eggs):
func (c *Checker) checkCondition(n ast.Node, test ast.Expr) {
	if isFullTuple(test) {
		c.report(rule.F634, n, "")
	}
}

func isFullTuple(n ast.Expr) bool {
	tuple, is := n.(*ast.Tuple)
	return is && len(tuple.Elts) > 0
}

func (c *Checker) visitFor(n *ast.For) {
	c.visit(n.Iter)
	c.visit(n.Target)
	c.visitLoop(n.Body, n.Orelse)
}

func (c *Checker) visitLoop(body, orelse []ast.Stmt) {
	outer := c.inLoop
	c.inLoop = true
	c.visitBody(body)
	c.inLoop = outer
	c.visitBody(orelse)
}

func (c *Checker) visitWith(n *ast.With) {
	for _, item := range n.Items {
		c.push(item, ast.KindWithItem)
		c.visit(item.ContextExpr)
		c.visitOptional(item.OptionalVars)
		c.pop()
	}
	c.visitBody(n.Body)
}

// The branches of a try that are alternatives of each other.
const (
	tryBody    = 1 // and its else
	tryHandler = 2 // and on
)

func (c *Checker) visitTry(n *ast.Try) {
	catches := false
	for i, handler := range n.Handlers {
		switch t := handler.Type.(type) {
		case nil:
			if i < len(n.Handlers)-1 {
				c.reportUnvisited(rule.F707, handler, "")
			}
		case *ast.Tuple:
			for _, e := range t.Elts {
				catches = catches || isNameError(e)
			}
		default:
			catches = catches || isNameError(t)
		}
	}
	outer := c.nameErrorCaught
	c.nameErrorCaught = catches
	c.inBranch(tryBody)
	c.visitBody(n.Body)
	c.nameErrorCaught = outer

	for i, handler := range n.Handlers {
		c.inBranch(tryHandler + int32(i))
		c.push(handler, ast.KindExceptHandler)
		c.visitHandler(handler)
		c.pop()
	}
	c.inBranch(tryBody)
	c.visitBody(n.Orelse)
	c.inBranch(0)
	c.visitBody(n.FinalBody)
}

func isNameError(n ast.Expr) bool {
	name, is := n.(*ast.Name)
	return is && name.ID == "NameError"
}

// visitHandler visits the current node, an except clause. Its name is bound within the clause only;
// the earlier binding is restored afterwards.
func (c *Checker) visitHandler(n *ast.ExceptHandler) {
	if n.Name == "" {
		c.visitOptional(n.Type)
		c.visitBody(n.Body)
		return
	}
	id := c.names.intern(n.Name)
	if c.lookup(c.scope, id) != none {
		c.store(id)
	}
	before := bindingID(none)
	if at := c.find(c.scope, id); at != none && c.slots[at].binding != none {
		before = c.slots[at].binding
		c.unset(c.scope, at)
	}

	c.store(id)
	c.visitOptional(n.Type)
	c.visitBody(n.Body)

	if at := c.find(c.scope, id); at != none && c.slots[at].binding != none {
		b := c.slots[at].binding
		c.unset(c.scope, at)
		if !c.bindings[b].used() {
			c.reportName(rule.F841, c.unit, c.about(c.unit, n), id)
		}
	}
	if before != none {
		c.set(c.scope, id, before)
	}
}

func (c *Checker) visitMatch(n *ast.Match) {
	c.visit(n.Subject)
	match := len(c.stack) - 1
	for i, clause := range n.Cases {
		c.inBranch(0)
		c.push(clause, ast.KindMatchCase)
		c.visitPattern(clause.Pattern)
		c.visitOptional(clause.Guard)
		// Only with its body does a case become an alternative.
		branch := int32(i) + 1
		c.stack[match].branch = branch
		if r := c.stack[match+1].record; r != none {
			c.records[r].branch = branch
		}
		c.visitBody(clause.Body)
		c.pop()
	}
}

func (c *Checker) visitPattern(n ast.Pattern) {
	c.push(n, n.Kind())
	switch n := n.(type) {
	case *ast.MatchValue:
		c.visit(n.Value)
	case *ast.MatchSequence:
		c.visitPatterns(n.Patterns)
	case *ast.MatchMapping:
		c.storeCapture(n.Rest)
		c.visitAll(n.Keys)
		c.visitPatterns(n.Patterns)
	case *ast.MatchClass:
		c.visit(n.Cls)
		c.visitPatterns(n.Patterns)
		c.visitPatterns(n.KwdPatterns)
	case *ast.MatchStar:
		c.storeCapture(n.Name)
	case *ast.MatchAs:
		c.storeCapture(n.Name)
		if n.Pattern != nil {
			c.visitPattern(n.Pattern)
		}
	case *ast.MatchOr:
		c.visitPatterns(n.Patterns)
	}
	c.pop()
}

func (c *Checker) visitPatterns(patterns []ast.Pattern) {
	for _, n := range patterns {
		c.visitPattern(n)
	}
}

// storeCapture binds a pattern's name, if it has one.
func (c *Checker) storeCapture(name string) {
	if name != "" {
		c.store(c.names.intern(name))
	}
}

// declareGlobal handles the names of the current node, a global or nonlocal
// statement at start. They become known to the module, if they were not, and to every
// scope from there to here; that they were not known before is forgiven.
func (c *Checker) declareGlobal(start int32, names []string) {
	outermost := c.scopes[c.scope].global
	if c.scope == outermost {
		return
	}
	statement := c.current()
	for _, text := range names {
		id := c.names.intern(text)
		c.forgive(id)
		b := c.newBinding(binding{kind: assignment, name: id, source: statement})
		if c.lookup(outermost, id) == none {
			c.set(outermost, id, b)
		}
		c.bindings[b].use = use{outermost, c.unit, start}
		for s := c.scope; s != outermost; s = c.scopes[s].parent {
			c.set(s, id, b)
		}
		c.addGlobal(c.find(c.scope, id), statement)
	}
}

func (c *Checker) visitFunction(n *ast.FunctionDef) {
	c.visitAll(n.DecoratorList)
	c.enterTypeScope(n.TypeParams)
	c.visitSignature(n.Args, n.Returns)
	c.postpone(postponedBody, nil)
	c.leaveTypeScope()

	source := c.current()
	c.bind(binding{kind: functionDefinition, name: c.names.intern(n.Name), source: source})
	if c.options.Doctests && !c.inDoctest() && c.scopes[c.scope].kind != functionScope {
		c.postpone(postponedDoctest, nil)
	}
}

// visitSignature handles the current node, a def or a lambda, without its body: annotations,
// defaults, and repeated parameters.
func (c *Checker) visitSignature(args *ast.Arguments, returns ast.Expr) {
	c.functions++
	c.checkDuplicates(args.PosOnlyArgs)
	c.checkDuplicates(args.Args)
	c.checkDuplicates(args.KwOnlyArgs)
	c.checkDuplicate(args.VarArg)
	c.checkDuplicate(args.KwArg)

	c.visitAnnotations(args.PosOnlyArgs)
	c.visitAnnotations(args.Args)
	c.visitAnnotations(args.KwOnlyArgs)
	if args.VarArg != nil {
		c.visitAnnotation(args.VarArg.Annotation)
	}
	if args.KwArg != nil {
		c.visitAnnotation(args.KwArg.Annotation)
	}
	c.visitAnnotation(returns)

	c.visitAll(args.Defaults)
	for _, value := range args.KwDefaults {
		c.visitOptional(value)
	}
}

func (c *Checker) visitAnnotations(args []*ast.Arg) {
	for _, arg := range args {
		c.visitAnnotation(arg.Annotation)
	}
}

func (c *Checker) checkDuplicates(args []*ast.Arg) {
	for _, arg := range args {
		c.checkDuplicate(arg)
	}
}

// checkDuplicate reports a parameter of the current node whose name another one
// had before.
func (c *Checker) checkDuplicate(arg *ast.Arg) {
	if arg == nil {
		return
	}
	info := &c.names.list[c.names.intern(arg.Arg)]
	if info.stamp == c.functions {
		c.reportName(rule.F831, c.unit, c.about(c.unit, c.top().node.(ast.Node)), c.names.intern(arg.Arg))
	}
	info.stamp = c.functions
}

// visitBodyOf visits the body of the current node, a def or a lambda, in a
// scope of its own.
func (c *Checker) visitBodyOf(args *ast.Arguments, body []ast.Stmt, value ast.Expr) {
	c.enterScope(functionScope)
	c.bindParameters(args)
	c.visitBody(body)
	c.visitOptional(value)
	c.leaveScope()
}

// bindParameters binds the parameters of the current node.
func (c *Checker) bindParameters(args *ast.Arguments) {
	function := c.current()
	c.push(args, ast.KindArguments)
	c.bindArgs(args.PosOnlyArgs, function)
	c.bindArgs(args.Args, function)
	c.bindArg(args.VarArg, function)
	c.bindArgs(args.KwOnlyArgs, function)
	c.bindArg(args.KwArg, function)
	c.pop()
}

func (c *Checker) bindArgs(args []*ast.Arg, function recordID) {
	for _, arg := range args {
		c.bindArg(arg, function)
	}
}

func (c *Checker) bindArg(arg *ast.Arg, function recordID) {
	if arg == nil {
		return
	}
	c.push(arg, ast.KindArg)
	source := function
	if !c.release.ParametersOfFunction {
		source = c.current()
	}
	c.bind(binding{kind: argument, name: c.names.intern(arg.Arg), source: source})
	c.pop()
}

// visitClass visits the current node, a class.
func (c *Checker) visitClass(n *ast.ClassDef) {
	c.visitAll(n.DecoratorList)
	c.enterTypeScope(n.TypeParams)
	c.visitAll(n.Bases)
	c.visitKeywords(n.Keywords)

	c.enterScope(classScope)
	if c.options.Doctests && !c.inDoctest() {
		c.postpone(postponedDoctest, nil)
	}
	loop := c.inLoop
	c.inLoop = false
	c.visitBody(n.Body)
	c.inLoop = loop
	c.leaveScope()
	c.leaveTypeScope()

	source := c.current()
	c.bind(binding{kind: classDefinition, name: c.names.intern(n.Name), source: source})
}

// enterTypeScope binds type parameters in a scope of their own. Since 3.12 Python has such a scope
// around everything that can have type parameters. It is made even if there are none, as a global
// statement in the function binds its names in it too.
func (c *Checker) enterTypeScope(params []ast.TypeParam) {
	if !c.features.TypeParameters {
		return
	}
	c.enterScope(typeScope)
	for _, param := range params {
		c.push(param, param.Kind())
		switch param := param.(type) {
		case *ast.TypeVar:
			c.store(c.names.intern(param.Name))
			if param.Bound != nil {
				c.postpone(postponedAnnotation, param.Bound)
			}
		case *ast.ParamSpec:
			c.store(c.names.intern(param.Name))
		case *ast.TypeVarTuple:
			c.store(c.names.intern(param.Name))
		}
		c.pop()
	}
}

func (c *Checker) leaveTypeScope() {
	if c.features.TypeParameters {
		c.leaveScope()
	}
}
