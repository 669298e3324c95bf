package fix

import (
	"strings"

	"codelinter/ast"
	"codelinter/internal/util/lazy"
	"codelinter/rule"
	"codelinter/tokenizer"
)

// docstringAt returns the docstring's token at an offset, or nil.
func (s *analysis) docstringAt(offset int32) *tokenizer.Token {
	i := s.tokenAt(offset)
	if i == len(s.tokens) || s.tokens[i].Kind != tokenizer.STRING || s.tokens[i].Start > offset {
		return nil
	}
	t := &s.tokens[i]
	if c := s.docstrings()[t.Start]; c == nil || c.End != t.End {
		return nil
	}
	return t
}

// docstrings returns the docstrings by their offsets.
func (s *analysis) docstrings() map[int32]*ast.Constant {
	if s.docs != nil {
		return s.docs
	}
	s.docs, s.ofTests, s.ofFunctions = map[int32]*ast.Constant{}, map[int32]bool{}, map[int32]bool{}
	var visit func(body []ast.Stmt)
	first := func(body []ast.Stmt) {
		if len(body) > 0 && ast.IsText(body[0]) {
			c := body[0].(*ast.ExprStmt).Value.(*ast.Constant)
			s.docs[c.Start] = c
		}
	}
	visit = func(body []ast.Stmt) {
		for _, statement := range body {
			blocks := ast.Blocks(statement)
			switch statement.Kind() {
			case ast.KindFunctionDef, ast.KindAsyncFunctionDef, ast.KindClassDef:
				first(blocks[0])
				start := blocks[0][0].Bounds().Start
				s.ofTests[start] = strings.HasPrefix(ast.Binds(statement), "test")
				s.ofFunctions[start] = statement.Kind() != ast.KindClassDef
			}
			for _, block := range blocks {
				visit(block)
			}
		}
	}
	first(s.module.Body)
	visit(s.module.Body)
	return s.docs
}

// isDocstring reports whether a constant is a docstring.
func (s *analysis) isDocstring(c *ast.Constant) bool { return s.docstrings()[c.Start] == c }

// shortenDocstring breaks a row of a docstring between words. The judge accepts docstrings with
// the same words as equal, unless the program reads them.
//
// It leaves rows that may not be prose: those with more indentation than the docstring's other
// rows, headings, terms with an explanation below, examples, tables, and rows with a word that is
// too long.
func shortenDocstring(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	t := s.docstringAt(finding.Start)
	row := int(finding.Row)
	if t == nil || row != s.file.Row(finding.Start) || !f.once(row, rule.W505, "") {
		return nil // in a string, pycodestyle counts separators of lines that are not Python's
	}
	if f.readsDoc(s, t.Start) || row == int(t.Row) && s.ofTests[t.Start] {
		return f.keep(Documented)
	}
	start := s.file.LineStart(row)
	text := strings.TrimRight(s.file.Line(row), "\n")
	indent := s.margin(t)
	if row < s.file.Row(t.End-1) && isBelow(strings.TrimRight(s.file.Line(row+1), "\n"), indent) {
		return nil
	}
	for above := row; above >= int(t.Row) && !s.isBlankRow(above); above-- {
		if strings.Contains(s.file.Line(above), ">>>") {
			return nil // what an example prints
		}
	}
	if strings.Contains(indent, "\t") || row > int(t.Row) && !strings.HasPrefix(text, indent) {
		return nil
	}
	open := strings.Index(t.Text(s.text), `"""`)
	if open < 0 || open > 1 || strings.ContainsAny(t.Text(s.text)[:open], "rRbB") && strings.HasSuffix(text, "\\") {
		return nil
	}
	first := row == int(t.Row)
	said := strings.TrimPrefix(text, indent)
	if first {
		said = text[len(s.indentOf(row)):]
	}
	if !first && (strings.HasPrefix(said, " ") || strings.HasPrefix(said, "\t")) || strings.HasSuffix(said, "\\") ||
		strings.Contains(strings.TrimSpace(said), "  ") || strings.Contains(said, ">>>") || strings.Contains(said, "::") || strings.ContainsAny(said, "|\t") {
		return nil
	}
	lead := strings.TrimLeft(said, `"`)
	for _, mark := range [...]string{":", ".. ", "@", "#", "...", "==="} {
		if strings.HasPrefix(lead, mark) {
			return nil
		}
	}
	words := strings.Fields(said)
	if len(words) == 0 {
		return nil
	}
	if isItem(words[0]) && !first {
		indent += strings.Repeat(" ", len(words[0])+1)
	}
	rows := fillRows(words, text[:len(text)-len(said)], indent, f.docLimit())
	if len(rows) < 2 {
		return nil
	}
	return []Edit{{start, start + int32(len(text)), strings.Join(rows, "\n")}}
}

// isItem reports whether a word begins an item of a list, whose other rows hang: -, *, +, 1., 1),
// (1), #.
func isItem(word string) bool {
	switch word {
	case "-", "*", "+", "#.":
		return true
	}
	number := strings.TrimPrefix(word, "(")
	end := strings.TrimLeft(number, "0123456789")
	if end == number && len(number) > 1 && (number[1] == '.' || number[1] == ')') { // a letter
		end = number[1:]
	}
	return len(number) > len(end) && len(number)-len(end) <= 3 && (end == "." && number == word || end == ")")
}

// margin returns the indentation of a docstring's rows below the first: the least one, as for
// inspect.cleandoc. Without such rows it is that of the first.
func (s *analysis) margin(t *tokenizer.Token) string {
	if margin, known := s.margins[t.Start]; known {
		return margin
	}
	margin, found := s.indentOf(int(t.Row)), false
	for row, last := int(t.Row)+1, s.file.Row(t.End-1); row <= last; row++ {
		indent := s.indentOf(row)
		if said := strings.TrimSpace(s.file.Line(row)); said == "" || said == `"""` {
			continue
		}
		if !found || len(indent) < len(margin) {
			margin, found = indent, true
		}
	}
	if s.margins == nil {
		s.margins = map[int32]string{}
	}
	s.margins[t.Start] = margin
	return margin
}

// isBelow reports whether a row of a docstring belongs to the one above: it explains it, with more
// indentation, or underlines it.
func isBelow(text, indent string) bool {
	said := strings.TrimPrefix(text, indent)
	return strings.HasPrefix(said, " ") || strings.HasPrefix(said, "\t") || isDashes(said)
}

// trim removes the blanks at the end of a docstring's row. In other strings they may matter.
func trim(s *analysis, finding *rule.Finding, f *Fixer) []Edit {
	t := s.docstringAt(finding.Start)
	if t != nil && f.readsDoc(s, t.Start) {
		return f.keep(Documented)
	}
	if t == nil || finding.End >= t.End || strings.Contains(t.Text(s.text), ">>>") {
		return nil
	}
	return []Edit{{finding.Start, finding.End, ""}}
}

// What reads docstrings: names, and modules.
var (
	docNames   = []string{"__doc__", "getdoc", "getcomments", "co_consts", "help()"}
	docModules = lazy.Value[map[string]bool]{Make: func() map[string]bool {
		set := map[string]bool{}
		for _, name := range []string{"doctest", "pydoc", "cmd", "xmlrpc", "docopt", "click", "typer", "fire", "plac", "argh", "ply", "cyclopts", "invoke", "fabric", "defopt", "clize", "tyro",
			"jsonargparse", "simple_parsing", "begins", "cliff", "cleo", "doit", "dagster", "prefect", "luigi", "robot", "behave", "pytest_bdd", "fastapi", "starlette", "flasgger", "flask_restx",
			"flask_restplus", "flask_smorest", "apispec", "connexion", "spyne", "hug", "rest_framework", "drf_yasg", "ninja", "graphene", "strawberry", "ariadne", "mcp", "fastmcp", "langchain",
			"langchain_core", "langgraph", "llama_index", "smolagents", "agents", "pydantic_ai", "autogen", "crewai", "dspy", "instructor", "discord", "nextcord", "disnake", "telegram", "traitlets"} {
			set[name] = true
		}
		return set
	}}
)

// isDocModule reports whether a module, or the package around it, is one of the docModules.
func isDocModule(module string) bool {
	top, _, _ := strings.Cut(module, ".")
	return docModules.Get()[top]
}

// readsDoc reports whether something may read the docstring at an offset: the program, or another
// file of the project. The name __doc__ alone is that of the module or of a class.
func (f *Fixer) readsDoc(s *analysis, offset int32) bool {
	if s.docsRead == unknown {
		s.docsRead = f.readsDocs(s)
	}
	return s.isDocRead(offset)
}

func (f *Fixer) readsDocs(s *analysis) answer {
	own := mayReadDocs(s.text)
	switch {
	case own && (s.mentions().hasAttribute(docNames) || hasDocModule(s.mentions().modules)), f.name != "" && f.project.readsDocs(f.name):
		return yes
	case own && s.hasName("__doc__"):
		return partly
	}
	return no
}

// isDocRead reports whether something may read the docstring at an offset, by what readsDoc has
// found out.
func (s *analysis) isDocRead(offset int32) bool {
	return s.docsRead != no && !(s.docsRead == partly && s.ofFunctions[offset])
}

func hasDocModule(modules map[string]bool) bool {
	for name := range modules {
		if docModules.Get()[name] {
			return true
		}
	}
	return false
}

// mayReadDocs reports whether a text has one of the words of readsDocs, modules in a row with an
// import. Few texts do, and looking for words takes a tenth of the time of mentions.
func mayReadDocs(text string) bool {
	for _, name := range docNames {
		if word, called := strings.CutSuffix(name, "()"); hasWord(text, word, called) {
			return true
		}
	}
	for rest := text; ; {
		at := strings.Index(rest, "import")
		if at < 0 {
			return false
		}
		row := rest[strings.LastIndexByte(rest[:at], '\n')+1:]
		if mayImportDocModule(row) {
			return true
		}
		_, rest, _ = strings.Cut(row, "\n")
	}
}

// hasWord reports whether a text has a word. One that is called has no = behind it, as the name of
// an argument may have.
func hasWord(text, word string, called bool) bool {
	for {
		at := strings.Index(text, word)
		if at < 0 {
			return false
		}
		rest := text[at+len(word):]
		starts := at == 0 || !isWordByte(text[at-1])
		if starts && (rest == "" || !isWordByte(rest[0]) && !(called && rest[0] == '=')) {
			return true
		}
		text = rest
	}
}

// isDocPlace reports whether the expression at an offset is the first statement of a module, class
// or function, where a string is a docstring.
func (s *analysis) isDocPlace(offset int32) bool {
	first := func(body []ast.Stmt) bool {
		if len(body) == 0 || offset < body[0].Bounds().Start || offset >= body[0].Bounds().End {
			return false
		}
		e, is := body[0].(*ast.ExprStmt)
		return is && e.Value.Kind() == ast.KindJoinedStr
	}
	return first(s.module.Body) || s.find(offset, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FunctionDef:
			return first(n.Body)
		case *ast.AsyncFunctionDef:
			return first(n.Body)
		case *ast.ClassDef:
			return first(n.Body)
		}
		return false
	}) != nil
}

// isAnnotation reports whether an offset is in an annotation, whose text may be kept.
func (s *analysis) isAnnotation(offset int32) bool {
	in := func(e ast.Expr) bool { return e != nil && e.Bounds().Start <= offset && offset < e.Bounds().End }
	return s.find(offset, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AnnAssign:
			return in(n.Annotation)
		case *ast.Arg:
			return in(n.Annotation)
		case *ast.FunctionDef:
			return in(n.Returns)
		case *ast.AsyncFunctionDef:
			return in(n.Returns)
		}
		return false
	}) != nil
}
