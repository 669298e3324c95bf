package fix

import (
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"codelinter/ast"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// singleton makes comparisons with None, True and False use is. The other value must be of a type
// whose == is known: in a library for tables or queries, User.deleted == False is no truth value.
func singleton(s *sight, finding *rule.Finding, f *Fixer) []Edit {
	c := findNode(s, finding.Start, func(c *ast.Compare) bool {
		return len(c.Ops) == 1 && c.Left.Bounds().End <= finding.Start && finding.Start < c.Comparators[0].Bounds().Start
	})
	if f.runs == 0 && (c == nil || !s.isPlain(c.Left, finding.Code) || !s.isPlain(c.Comparators[0], finding.Code)) {
		return nil
	}
	return s.identity(s.tokenAt(finding.Start))
}

// operator returns the index of the first token of a comparison's first operator.
func (s *sight) operator(c *ast.Compare) int {
	i := s.tokenAt(c.Left.Bounds().End)
	for s.tokens[i].Kind.IsCloser() || s.tokens[i].Kind.IsIgnored() {
		i++
	}
	return i
}

// identity replaces == and != by is and is not.
func (s *sight) identity(i int) []Edit {
	switch s.tokens[i].Kind {
	case tokenizer.EQEQUAL:
		return s.word(i, "is")
	case tokenizer.NOTEQUAL:
		return s.word(i, "is not")
	}
	return nil
}

// word replaces an operator by a word with blanks around it.
func (s *sight) word(i int, text string) []Edit {
	t := &s.tokens[i]
	if i > 0 && s.tokens[i-1].End == t.Start {
		text = " " + text
	}
	if i+1 < len(s.tokens) && s.tokens[i+1].Start == t.End {
		text += " "
	}
	return []Edit{{t.Start, t.End, text}}
}

// literalIdentity makes comparisons with literals use ==. Nothing proves that edit: 1 == True, but 1
// is not True.
func literalIdentity(s *sight, finding *rule.Finding, f *Fixer) []Edit {
	if f.runs == 0 {
		return nil
	}
	c := findNode(s, finding.Start, func(c *ast.Compare) bool {
		return c.Start == finding.Start && len(c.Ops) == 1 && (c.Ops[0] == ast.Is || c.Ops[0] == ast.IsNot)
	})
	if c == nil {
		return nil
	}
	i := s.operator(c)
	if c.Ops[0] == ast.Is {
		return s.word(i, "==")
	}
	if s.tokens[i+1].Keyword != tokenizer.Not {
		return nil // a line end stands between
	}
	edits := s.word(i, "!=")
	edits[0].End = s.tokens[i+1].End
	edits[0].New = strings.TrimRight(edits[0].New, " ")
	return edits
}

// isTired reports whether find has visited so many nodes that it gives up.
func (s *sight) isTired() bool { return s.work > 1<<16+64*len(s.text) }

// find returns the first wanted node in the module's statement at an offset. It skips nodes
// that end before the offset, and gives up after very many nodes.
func (s *sight) find(offset int32, wanted func(ast.Node) bool) ast.Node {
	at := s.statementAt(offset)
	if at == len(s.module.Body) || s.isTired() {
		return nil
	}
	var found ast.Node
	ast.Inspect(s.module.Body[at], func(n ast.Node) bool {
		s.work++
		if found != nil || n.Bounds().End <= offset {
			return false
		}
		if wanted(n) {
			found = n
		}
		return found == nil
	})
	return found
}

// findNode is find for nodes of one type.
func findNode[N ast.Node](s *sight, offset int32, wanted func(N) bool) N {
	found, _ := s.find(offset, func(n ast.Node) bool {
		node, is := n.(N)
		return is && wanted(node)
	}).(N)
	return found
}

// negated moves not into the comparison after it.
//
//	not x in y      x not in y
//
// pycodestyle reports one of a kind in a logical line, so all of the line are edited together.
func negated(s *sight, finding *rule.Finding, f *Fixer) []Edit {
	at := s.lineAt(finding.Start)
	l := &s.lines[at]
	if !f.once(at, rule.E713, "") {
		return nil
	}
	f.mends(s, finding, int(s.tokens[l.first].Row), int(s.tokens[l.last].Row), func(other *rule.Finding) bool {
		return (other.Code == rule.E713 || other.Code == rule.E714) && l.start <= other.Start && other.Start < l.end
	})
	start, end := s.tokens[l.first].Start, s.tokens[l.last].End
	var edits []Edit
	ast.Inspect(s.module.Body[s.statementAt(start)], func(n ast.Node) bool {
		if r := n.Bounds(); r.End <= start || r.Start >= end || s.isTired() {
			return false
		}
		s.work++
		if u, is := n.(*ast.UnaryOp); is && u.Op == ast.Not && u.Start >= start {
			edits = append(edits, s.negate(u)...)
		}
		return true
	})
	return edits
}

// negate moves one not, if its operand is a comparison by in or is without parentheses.
func (s *sight) negate(not *ast.UnaryOp) []Edit {
	c, is := not.Operand.(*ast.Compare)
	if !is || len(c.Ops) != 1 || c.Ops[0] != ast.In && c.Ops[0] != ast.Is {
		return nil
	}
	operator := &s.tokens[s.operator(c)]
	drop := Edit{not.Start, s.tokens[s.tokenAt(not.Start)+1].Start, ""}
	if operator.Keyword == tokenizer.In {
		return []Edit{drop, {operator.Start, operator.Start, "not "}}
	}
	return []Edit{drop, {operator.End, operator.End, " not"}}
}

// compareTypes makes comparisons of types use is. Both sides must be types: array.dtype == type(x)
// asks something else.
func compareTypes(s *sight, finding *rule.Finding, f *Fixer) []Edit {
	l := &s.lines[s.lineAt(finding.Start)]
	if !f.once(int(l.start), rule.E721, "") {
		return nil
	}
	f.mends(s, finding, int(s.tokens[l.first].Row), int(s.tokens[l.last].Row), func(other *rule.Finding) bool {
		return other.Code == rule.E721 && l.start <= other.Start && other.Start < l.end
	})
	var edits []Edit
	ast.Inspect(s.module.Body[s.statementAt(s.tokens[l.first].Start)], func(n ast.Node) bool {
		c, is := n.(*ast.Compare)
		if !is || len(c.Ops) != 1 || c.Ops[0] != ast.Eq && c.Ops[0] != ast.NotEq || c.Start >= s.tokens[l.last].End || c.Start < s.tokens[l.first].Start ||
			!isTypeCall(c.Left) && !isTypeCall(c.Comparators[0]) || f.runs == 0 && !(s.isType(c.Left) && s.isType(c.Comparators[0])) || f.comparesTypes(s) {
			return true
		}
		edits = append(edits, s.identity(s.operator(c))...)
		return true
	})
	return edits
}

func isTypeCall(e ast.Expr) bool {
	call, is := e.(*ast.Call)
	if !is {
		return false
	}
	name, is := call.Func.(*ast.Name)
	return is && name.ID == "type"
}

// bareExcept makes a bare except catch BaseException.
func bareExcept(s *sight, finding *rule.Finding, _ *Fixer) []Edit {
	if s.binds("BaseException") {
		return nil
	}
	return []Edit{{finding.End, finding.End, " BaseException"}}
}

// namedLambda turns a lambda with a name into a def.
//
//	f = lambda x: x + 1      def f(x):
//	                             return x + 1
func namedLambda(s *sight, finding *rule.Finding, f *Fixer) []Edit {
	l := &s.lines[s.lineAt(finding.Start)]
	assign := findNode(s, finding.Start, func(a *ast.Assign) bool { return a.Start == finding.Start })
	if assign == nil || len(assign.Targets) != 1 || assign.End < s.tokens[l.last-1].Start && s.tokens[l.last-1].Kind != tokenizer.COMMENT {
		return nil
	}
	name, is := assign.Targets[0].(*ast.Name)
	lambda, isLambda := assign.Value.(*ast.Lambda)
	if !is || !isLambda || assign.Value.Bounds().End != assign.End || s.isReported(rule.F841, assign.Start) && f.variant == 0 || f.runs == 0 && s.showsName(name, lambda) || f.othersShow(name.ID) {
		return nil
	}
	// The colon is the token before the body and its parentheses.
	colon := -1
	depth := 0
	for i := s.tokenAt(lambda.Start) + 1; i < l.last && s.tokens[i].Start < lambda.Body.Bounds().Start; i++ {
		t := &s.tokens[i]
		depth += t.Kind.Nesting()
		switch {
		case t.Keyword == tokenizer.Lambda && depth == 0:
			return nil // a default has a lambda
		case t.Kind == tokenizer.COLON && depth == 0:
			colon = i
		}
		if colon >= 0 {
			break
		}
	}
	if colon < 0 {
		return nil
	}
	parameters := strings.TrimSpace(s.text[lambda.Start+int32(len("lambda")) : s.tokens[colon].Start])
	if strings.ContainsAny(parameters, "\n#") {
		return nil
	}
	indent := s.indentOf(int(s.tokens[l.first].Row))
	body := s.text[s.tokens[colon+1].Start:assign.End]
	if strings.Contains(body, "\n") && !strings.HasPrefix(body, "(") {
		return nil
	}
	return []Edit{{assign.Start, s.tokens[colon+1].Start, "def " + name.ID + "(" + parameters + "):\n" + indent + strings.Repeat(" ", f.size) + "return "}}
}

// plainString removes the prefix f of a string without fields. One stays that would become a
// docstring, or that is part of an annotation, whose text may be read.
func plainString(s *sight, finding *rule.Finding, _ *Fixer) []Edit {
	if s.isDocPlace(finding.Start) || s.isAnnotation(finding.Start) {
		return nil
	}
	var edits []Edit
	for i := s.tokenAt(finding.Start); i < len(s.tokens) && s.tokens[i].Start < finding.End; i++ {
		switch t := &s.tokens[i]; t.Kind {
		case tokenizer.FSTRING_START:
			text := t.Text(s.text)
			at := strings.IndexAny(text, "fF")
			edits = append(edits, Edit{t.Start + int32(at), t.Start + int32(at) + 1, ""})
		case tokenizer.FSTRING_MIDDLE: // no token has the second brace of a pair
			if end := t.End; end < int32(len(s.text)) && (s.text[end-1] == '{' || s.text[end-1] == '}') && s.text[end] == s.text[end-1] {
				edits = append(edits, Edit{end, end + 1, ""})
			}
		}
	}
	return edits
}

// dropVariable removes a name that is bound and never read. A name stays that holds a new object,
// which may do something when it is freed.
//
//	x = f()                 f()
//	with f() as x:          with f():
//	except E as x:          except E:
func dropVariable(s *sight, finding *rule.Finding, f *Fixer) []Edit {
	if f.runs == 0 && s.showsVariables() {
		return nil
	}
	var edits []Edit
	s.find(finding.Start, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Assign:
			for _, target := range n.Targets {
				if target.Bounds().Start != finding.Start {
					continue
				}
				next := s.valueStart(target.Bounds().End)
				if isIdleValue(n.Value) && !slices.ContainsFunc(n.Targets, func(e ast.Expr) bool { return !s.isReported(rule.F841, e.Bounds().Start) }) {
					if f.once(int(n.Start), rule.F841, "") {
						edits = s.dropStatement(n.Range)
						f.mends(s, finding, int(finding.Row), int(finding.Row), func(other *rule.Finding) bool {
							return other.Code == rule.F841 && n.Start <= other.Start && other.Start < n.End
						})
					}
					return true
				}
				if len(n.Targets) > 1 || f.runs > 0 || !s.mayHold(n.Value) {
					edits = []Edit{{finding.Start, next, ""}}
				}
				return true
			}
		case *ast.AnnAssign:
			if n.Start == finding.Start && n.Value != nil && isIdleValue(n.Value) {
				edits = s.dropStatement(n.Range)
				return true
			}
			if n.Start == finding.Start && n.Value != nil && (f.runs > 0 || !s.mayHold(n.Value)) {
				edits = []Edit{{n.Start, s.valueStart(n.Annotation.Bounds().End), ""}}
				return true
			}
		case *ast.WithItem:
			if n.OptionalVars != nil && n.OptionalVars.Bounds().Start == finding.Start && (f.runs > 0 || !s.tellsLifetimes()) {
				edits = s.dropAs(n.OptionalVars.Bounds())
				return true
			}
		case *ast.MatchAs:
			if n.Name != "" && n.Pattern == nil && n.Start == finding.Start {
				edits = []Edit{{n.Start, n.End, "_"}}
				return true
			}
		case *ast.ExceptHandler:
			if n.Name != "" && n.Start == finding.Start && n.Type != nil {
				for i := s.tokenAt(n.Type.Bounds().End); i+1 < len(s.tokens); i++ {
					if s.tokens[i].Keyword == tokenizer.As {
						edits = s.dropAs(ast.Range{Start: s.tokens[i+1].Start, End: s.tokens[i+1].End})
						return true
					}
				}
			}
		}
		return false
	})
	return edits
}

// isIdleValue reports whether evaluating a value has no effect: it consists of literals, or is a lambda
// with such defaults.
func isIdleValue(e ast.Expr) bool {
	all := func(list []ast.Expr) bool {
		return !slices.ContainsFunc(list, func(e ast.Expr) bool { return e != nil && !isIdleValue(e) })
	}
	isKey := func(e ast.Expr) bool { return e != nil && e.Kind() == ast.KindConstant }
	switch e := e.(type) {
	case *ast.Constant:
		return true
	case *ast.UnaryOp:
		return isNumber(e.Operand) && (e.Op == ast.USub || e.Op == ast.UAdd)
	case *ast.BinOp:
		return isNumber(e.Left) && isNumber(e.Right) && (e.Op == ast.Add || e.Op == ast.Sub || e.Op == ast.Mult)
	case *ast.Tuple:
		return all(e.Elts)
	case *ast.List:
		return all(e.Elts)
	case *ast.Set:
		return !slices.ContainsFunc(e.Elts, func(e ast.Expr) bool { return !isKey(e) })
	case *ast.Dict:
		return !slices.ContainsFunc(e.Keys, func(e ast.Expr) bool { return !isKey(e) }) && all(e.Values)
	case *ast.Lambda:
		return all(e.Args.Defaults) && all(e.Args.KwDefaults)
	}
	return false
}

func isNumber(e ast.Expr) bool {
	c, is := e.(*ast.Constant)
	return is && (c.Type == ast.Int || c.Type == ast.Float || c.Type == ast.Complex)
}

// isReported reports whether a finding of a code begins at an offset.
func (s *sight) isReported(code rule.Code, offset int32) bool {
	row := s.file.Row(offset)
	i := sort.Search(len(s.findings), func(i int) bool { return int(s.findings[i].Row) >= row })
	for ; i < len(s.findings) && int(s.findings[i].Row) == row; i++ {
		if s.findings[i].Code == code && s.findings[i].Start == offset {
			return true
		}
	}
	return false
}

// holders are functions whose results do something until they are freed, or when they are.
var holders = []string{"memoryview", "open", "connect", "create_task", "ensure_future", "popen", "proxy", "ref", "finalize", "flock", "lock",
	"getframe", "currentframe", "socket", "create_connection", "create_server", "start_server", "socketpair", "accept", "dup", "makefile", "mmap", "scandir", "urlopen",
	"fdopen", "gather", "shield", "call_later", "run_in_executor", "start_new_thread", "inotify", "epoll", "kqueue", "load_library", "set_wakeup_fd", "singleShot"}

// isHolder reports whether a value has a call of a class, going by its name, or of one of the
// holders: a temporary folder is removed when it is freed, a task or a window may end.
func isHolder(e ast.Expr) bool {
	holds := false
	ast.Inspect(e, func(n ast.Node) bool {
		holds = holds || n.Kind() == ast.KindYield // the caller sends it
		if call, is := n.(*ast.Call); is {
			name := strings.TrimLeft(ast.CalledName(call), "_")
			holds = holds || name != "" && 'A' <= name[0] && name[0] <= 'Z' || slices.Contains(holders, name)
		}
		return !holds
	})
	return holds
}

// valueStart returns the offset of the token after the next =.
func (s *sight) valueStart(offset int32) int32 {
	for i := s.tokenAt(offset); i+1 < len(s.tokens); i++ {
		if s.tokens[i].Kind == tokenizer.EQUAL {
			return s.tokens[i+1].Start
		}
	}
	return offset
}

// dropAs removes a name and the as before it.
func (s *sight) dropAs(name ast.Range) []Edit {
	i := s.tokenAt(name.Start)
	if i < 2 || s.tokens[i-1].Keyword != tokenizer.As {
		return nil
	}
	return []Edit{{s.tokens[i-2].End, name.End, ""}}
}

// dropStatement removes a statement, with its row if it has nothing else. The only statement
// of a block becomes pass. A statement above a string stays, as the string would become a
// docstring.
func (s *sight) dropStatement(r ast.Range) []Edit { return s.dropFrom(r.Start, r) }

// dropFrom is dropStatement for a statement with decorators, which begin at start.
func (s *sight) dropFrom(start int32, r ast.Range) []Edit {
	head, foot := &s.lines[s.lineAt(start)], &s.lines[s.lineAt(r.End-1)]
	last := foot.last - 1
	for last > foot.first && s.tokens[last].Kind == tokenizer.COMMENT {
		last--
	}
	if s.tokens[head.first].Start != start || s.tokens[last].End != r.End {
		return nil
	}
	body := s.blockOf(r)
	if len(body) == 1 {
		return []Edit{{start, r.End, "pass"}}
	}
	if body == nil {
		body = s.module.Body
	}
	if text := slices.IndexFunc(body, ast.IsText); text > 0 && r.Start < body[text].Bounds().Start && !slices.ContainsFunc(body[:text], stays) {
		return nil
	}
	return []Edit{{s.file.LineStart(int(s.tokens[head.first].Row)), s.tokens[foot.last].End, ""}}
}

// stays reports whether no edit removes a statement as a whole.
func stays(n ast.Stmt) bool {
	switch n.Kind() {
	case ast.KindImport, ast.KindImportFrom, ast.KindGlobal, ast.KindNonlocal, ast.KindAssign, ast.KindAnnAssign, ast.KindFunctionDef, ast.KindAsyncFunctionDef:
		return false
	}
	return true
}

// blockOf returns the block of a statement, if that is not the module's.
func (s *sight) blockOf(r ast.Range) (block []ast.Stmt) {
	s.find(r.Start, func(n ast.Node) bool {
		statement, is := n.(ast.Stmt)
		if !is {
			return false
		}
		for _, body := range ast.Blocks(statement) {
			for _, statement := range body {
				if statement.Bounds() == r {
					block = body
					return true
				}
			}
		}
		return false
	})
	return block
}

// mayFail reports whether an offset is in a try or with statement.
func (s *sight) mayFail(offset int32) bool {
	around := s.find(offset, func(n ast.Node) bool {
		switch n.Kind() {
		case ast.KindTry, ast.KindTryStar, ast.KindWith, ast.KindAsyncWith:
			return n.Bounds().Start <= offset
		}
		return false
	})
	return around != nil || s.isTired()
}

// isExcused reports whether a row has a comment that says why an import is there: noqa, another
// linter's word for it, or what it is good for.
func (s *sight) isExcused(row int) bool {
	i := s.tokenAt(s.file.LineStart(row+1)-1) - 1
	for ; i >= 0 && int(s.tokens[i].Row) == row; i-- {
		t := &s.tokens[i]
		if t.Kind != tokenizer.COMMENT {
			continue
		}
		comment := strings.ToLower(t.Text(s.text))
		if slices.ContainsFunc(excuses, func(word string) bool { return strings.Contains(comment, word) }) {
			return true
		}
	}
	return false
}

// excuses are words of comments for imports that are not used by name.
var excuses = []string{"noqa", "unused", "w0611", "nopycln", "noinspection", "side effect", "side-effect", "export"}

// dropImport removes the unused names of an import statement. A name imported as itself is
// for other files, and so are all imports of an __init__.py or conftest.py, and those that other
// files use:
//
//	from a import b as b
func dropImport(s *sight, finding *rule.Finding, f *Fixer) []Edit {
	if keepsImports(f.name) {
		return nil
	}
	var names []*ast.Alias
	module := ""
	var from *ast.ImportFrom
	n := s.find(finding.Start, func(n ast.Node) bool {
		names = imported(n)
		var is bool
		if from, is = n.(*ast.ImportFrom); is {
			module = strings.Repeat(".", int(from.Level)) + from.Module
		}
		return names != nil && n.Bounds().Start == finding.Start
	})
	if n == nil {
		return nil
	}
	if module != "" && !strings.HasSuffix(module, ".") {
		module += "."
	}
	called := func(alias *ast.Alias) string { // the name in the finding's message
		if alias.AsName != "" && alias.AsName != alias.Name {
			return module + alias.Name + " as " + alias.AsName
		}
		return module + alias.Name
	}
	kept := map[string]bool{}
	for _, alias := range names {
		if alias.AsName == alias.Name {
			kept[called(alias)] = true
		}
	}
	unused := map[string]bool{}
	isUnused := func(finding *rule.Finding) bool {
		parts := strings.Split(finding.Message(), "'")
		if len(parts) != 3 || kept[parts[1]] {
			return false
		}
		unused[parts[1]] = true
		return true
	}
	if !isUnused(finding) || !f.once(s.lineAt(finding.Start), rule.F401, "") {
		return nil
	}
	f.mends(s, finding, int(finding.Row), int(finding.Row), func(other *rule.Finding) bool {
		return other.Code == rule.F401 && other.Start == finding.Start && isUnused(other)
	})
	inside := s.isInFunction(finding.Start)
	return s.dropNames(n.Bounds(), names, func(alias *ast.Alias) bool {
		return unused[called(alias)] && !s.isFoundByName(alias.Bound()) && !s.isSearched(alias.Bound()) && !f.isLoaded(s, from, alias) &&
			(inside || !(isTestFile(f.name) && isTestName(alias.Bound())) && !(f.name != "" && f.project.uses(f.name, alias.Bound())))
	})
}

func (s *sight) isInFunction(offset int32) bool {
	return s.find(offset, func(n ast.Node) bool {
		return (n.Kind() == ast.KindFunctionDef || n.Kind() == ast.KindAsyncFunctionDef) && n.Bounds().Start <= offset
	}) != nil
}

// isFoundByName reports whether code that pyflakes does not follow may use a name: an example in a
// docstring, or pytest for a parameter.
func (s *sight) isFoundByName(name string) bool {
	if s.found == nil {
		s.found = map[string]bool{}
		ast.Inspect(s.module, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Arg:
				s.found[n.Arg] = true
			case *ast.Constant:
				if n.Type == ast.Str && strings.Contains(n.Text, ">>>") {
					for _, word := range strings.FieldsFunc(n.Text, func(c rune) bool { return c < 0x80 && !isName("_"+string(c)) }) {
						s.found[word] = true
					}
				}
			}
			return true
		})
	}
	return s.found[name]
}

// isTestFile reports whether a test runner may look for tests in a file.
func isTestFile(name string) bool {
	base := strings.TrimSuffix(strings.ToLower(filepath.Base(name)), ".py")
	return strings.HasPrefix(base, "test") || strings.HasSuffix(base, "test") || strings.HasSuffix(base, "tests")
}

// isTestName reports whether a test runner may run an imported name, or obey it.
func isTestName(name string) bool {
	lower := strings.ToLower(name)
	return strings.Contains(lower, "test") || strings.HasPrefix(lower, "setup") || strings.HasPrefix(lower, "teardown")
}

// imported returns the names of an import statement, or nil.
func imported(n ast.Node) []*ast.Alias {
	switch n := n.(type) {
	case *ast.Import:
		return n.Names
	case *ast.ImportFrom:
		return n.Names
	}
	return nil
}

// dropNames removes some names of an import statement, or all of it. Names stay that a comment in
// their row excuses, and all if that is the statement's first or last row. So do all in a try or
// with statement, which may catch that the import fails.
func (s *sight) dropNames(r ast.Range, names []*ast.Alias, unused func(*ast.Alias) bool) []Edit {
	if s.mayFail(r.Start) || s.isExcused(s.file.Row(r.Start)) || s.isExcused(s.file.Row(r.End-1)) {
		return nil
	}
	drop := make([]bool, len(names))
	kept := -1
	for i, alias := range names {
		if drop[i] = unused(alias) && !s.isExcused(s.file.Row(alias.Start)); !drop[i] {
			kept = i
		}
	}
	if !slices.Contains(drop, true) {
		return nil
	}
	if kept < 0 {
		return s.dropStatement(r)
	}
	var edits []Edit
	for i, alias := range names {
		switch {
		case !drop[i]:
		case i < kept: // up to the next name
			edits = append(edits, Edit{alias.Start, names[i+1].Start, ""})
		default: // from the kept name before
			edits = append(edits, Edit{names[i-1].End, alias.End, ""})
		}
	}
	return edits
}
