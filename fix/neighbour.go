package fix

import (
	"bytes"
	"maps"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"codelinter/ast"
	"codelinter/parser"
	"codelinter/source"
	"codelinter/tokenizer"
)

// This file reads the files of a project: first their words, and if a question may be about a file,
// what it mentions.

// An origin is an imported name with the last part of the name of its module, which is empty if
// that may be any.
type origin struct{ module, name string }

// A neighbour is what a file mentions.
type neighbour struct {
	path    string
	words   map[string]bool // attributes, words of strings, and all names after an import *
	imports map[origin]bool // imported names; whether the file needs them itself
	passes  map[string]bool // names by which it passes arguments; an empty one for **arguments
	pairs   map[origin]bool // what texts have as module.name or module:name, or import
	listed  map[string]bool // last parts of the names of modules whose names it lists, as by dir
	docs    map[string]bool // last parts of the names of modules whose docstrings it may read
	// comparesTypes says that a metaclass may define ==.
	comparesTypes bool
}

// A readFile is a file as it was read. It is parsed when a question may be about it.
type readFile struct {
	time time.Time
	size int64
	// mayHave has two bits for each word of the file, at places that the word's hash gives: a Bloom
	// filter that one in some hundred other words passes. Few files must be parsed.
	mayHave []uint64
	// Others have the words that may name a module, those of import statements, and those of what
	// may be listed.
	mayName, mayImport, mayList []uint64
	lists                       bool // it may have one of the listers
	documents                   bool // it may read docstrings
	// listsImports and documentsImports say that what it lists, or reads the docstrings of, may be
	// what it imports; listsAny that it is not clear what it lists.
	listsImports, documentsImports, listsAny bool
	frames                                   bool // it may read the variables of functions
	isParsed                                 bool
	neighbour
	modules map[string]bool // last and other parts of the names of modules that it mentions
}

// scan notes the words of a file.
func (r *readFile) scan(data []byte) {
	words := max(1, 1<<bits.Len(uint(len(data)/128)))
	few := max(4, words/8)
	r.mayHave, r.mayName, r.mayImport, r.mayList = make([]uint64, words), make([]uint64, words), make([]uint64, few), make([]uint64, few)
	s := wordScan{readFile: r, data: data}
	for i := 0; i < len(data); i++ {
		if isWordByte(data[i]) {
			start, hash := i, uint32(hashSeed)
			for ; i < len(data) && isWordByte(data[i]); i++ {
				hash = (hash ^ uint32(data[i])) * hashFactor
			}
			note(r.mayHave, hash)
			s.word(start, i, hash)
			if i == len(data) {
				break
			}
		}
		if s.imports || s.lists {
			i = s.mark(i)
		}
	}
	if !strings.HasSuffix(r.path, ".py") {
		r.lists, r.documents = false, false
	}
	isImported := func(hash uint32) bool { return word{hash: hash}.isIn(r.mayImport) }
	r.listsImports = slices.ContainsFunc(s.listed, isImported)
	r.documentsImports = r.documentsImports || slices.ContainsFunc(s.documented, isImported)
	r.frames = slices.ContainsFunc(frames, func(name string) bool { return r.may(wordOf(name)) })
}

// A wordScan is the state of scan.
type wordScan struct {
	*readFile
	data               []byte
	lists              bool     // the word is in the argument of one of the listers
	imports            bool     // it is in an import statement
	brackets           bool     // of which the names are in brackets
	listed, documented []uint32 // hashes of what may be listed, and of what docstrings may be read of
}

// word notes what a word of a hash is for.
func (s *wordScan) word(start, end int, hash uint32) {
	if s.imports {
		note(s.mayImport, hash)
	}
	if s.lists {
		note(s.mayList, hash)
		s.listed = append(s.listed, hash)
	}
	if s.imports || isNaming(s.data, start, end) {
		note(s.mayName, hash)
	}
	if end < len(s.data) && s.data[end] == '(' && slices.Contains(listerHashes, hash) {
		s.readFile.lists, s.lists = true, true
	}
	switch hash {
	case dictHash:
		s.dict(start)
	case docHash:
		s.doc(start)
	case getdocHash, getcommentsHash:
		s.documents, s.documentsImports = true, true
	case importHash, fromHash:
		s.imports, s.brackets = true, false
		if mayImportDocModule(s.data[end:]) {
			s.documents, s.documentsImports = true, true // of what it calls their functions with
		}
	}
}

// dict notes what the attribute __dict__ is of.
func (s *wordScan) dict(start int) {
	s.readFile.lists = true
	switch chain, kind := chainBefore(s.data[:start]); kind {
	case aName:
		last := hashOf(string(chain[bytes.LastIndexByte(chain, '.')+1:]))
		note(s.mayList, last)
		s.listed = append(s.listed, last)
	case unclear:
		s.listsAny = true
	}
}

// doc notes what the attribute __doc__ is of.
func (s *wordScan) doc(start int) {
	if !isAttribute(s.data[:start]) {
		return
	}
	chain, kind := chainBefore(s.data[:start])
	s.documents, s.documentsImports = true, s.documentsImports || kind == unclear
	if kind == aName {
		first, _, _ := bytes.Cut(chain, []byte("."))
		s.documented = append(s.documented, hashOf(string(first)))
	}
}

// mark reads the byte at an index, of an import statement or an argument. It returns the index, or
// that of the last byte of a comment, which may have brackets.
func (s *wordScan) mark(i int) int {
	switch s.data[i] {
	case '(':
		s.brackets = s.imports
	case ')':
		s.lists = false
		s.imports = s.imports && !s.brackets
	case '\n':
		s.imports = s.imports && (s.brackets || endsInBackslash(s.data[:i]))
	case '#':
		if end := bytes.IndexByte(s.data[i:], '\n'); s.imports && end > 0 {
			return i + end - 1
		}
	}
	return i
}

// isNaming reports whether a word may be the name of a module, or a part of one, outside of import
// statements: a quote stands beside it, or a dot behind, or a colon and another word.
func isNaming(data []byte, start, end int) bool {
	if start > 0 && (data[start-1] == '\'' || data[start-1] == '"') {
		return true
	}
	if end+1 < len(data) && (data[end] == '\'' || data[end] == '"' || data[end] == ':' && isWordByte(data[end+1])) {
		return true
	}
	for ; end < len(data); end++ {
		switch data[end] {
		case '.', '#':
			return true
		case ' ', '\t', '\f', '\r', '\n', '\\', ')':
		default:
			return false
		}
	}
	return false
}

// isAttribute reports whether a word may be an attribute, given the text before it: a dot stands
// there, or the row begins.
func isAttribute(before []byte) bool {
	before = bytes.TrimRight(before, " \t\f")
	return len(before) == 0 || strings.IndexByte(".\n\r\\", before[len(before)-1]) >= 0
}

// A chainKind says what an attribute is of: a name with attributes, another expression, or what its
// text does not show.
type chainKind uint8

const (
	unclear chainKind = iota
	aName
	noName
)

// chainBefore returns the chain of names before the dot that a text ends with: a.b of "a.b.".
func chainBefore(text []byte) (chain []byte, kind chainKind) {
	end := len(text) - 1
	for at := end; at >= 0 && text[at] == '.'; {
		end := at
		for at--; at >= 0 && isWordByte(text[at]); at-- {
		}
		switch {
		case at+1 < end && (at < 0 || text[at] != '.'):
			if before := bytes.TrimRight(text[:at+1], " \t\f\r\n\\"); bytes.HasSuffix(before, []byte(".")) {
				return nil, unclear
			}
			return text[at+1 : len(text)-1], aName
		case at+1 < end:
		case at >= 0 && (text[at] == ']' || text[at] == '\'' || text[at] == '"'), at >= 0 && text[at] == ')' && isCall(text[:at]):
			return nil, noName
		default:
			return nil, unclear
		}
	}
	return nil, unclear
}

// isCall reports whether the bracket that would be closed after a text is surely one of a call.
func isCall(text []byte) bool {
	depth := 1
	for at := len(text) - 1; at > 0 && at > len(text)-200; at-- {
		switch text[at] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				return isWordByte(text[at-1]) && !isKeyword(text[:at])
			}
		case '\'', '"', '#':
			return false
		}
	}
	return false
}

// isKeyword reports whether a text ends with a keyword that may stand before a bracket.
func isKeyword(text []byte) bool {
	word := text[bytes.LastIndexFunc(text, func(c rune) bool { return c < 0x80 && !isWordByte(byte(c)) })+1:]
	return tokenizer.LookupKeyword(string(word)) != 0
}

func endsInBackslash(row []byte) bool {
	return bytes.HasSuffix(bytes.TrimRight(row, "\r"), []byte(`\`))
}

// mayImportDocModule reports whether a row, the first of a text, may import one of the docModules.
func mayImportDocModule[T string | []byte](text T) bool {
	start, end := 0, 0
	for ; end < len(text) && text[end] != '\n'; end++ {
		if !isWordByte(text[end]) {
			start = end + 1
		} else if next := end + 1; next == len(text) || !isWordByte(text[next]) {
			if docModules.Get()[string(text[start:next])] {
				return true
			}
		}
	}
	for end > 0 && text[end-1] == '\r' {
		end--
	}
	return end > 0 && text[end-1] == '\\'
}

// listers are functions by which a file may list the names of another one, as it may by its
// __dict__.
var (
	listers      = []string{"dir", "vars", "getmembers", "getmembers_static"}
	listerHashes = []uint32{hashOf("dir"), hashOf("vars"), hashOf("getmembers"), hashOf("getmembers_static")}
	dictHash     = hashOf("__dict__")
)

// The words of what may read docstrings, see scan.
var docHash, getdocHash, getcommentsHash, importHash, fromHash = hashOf("__doc__"), hashOf("getdoc"), hashOf("getcomments"), hashOf("import"), hashOf("from")

// hashOf returns the hash of a word.
func hashOf(word string) uint32 {
	hash := uint32(hashSeed)
	for i := range len(word) {
		hash = (hash ^ uint32(word[i])) * hashFactor
	}
	return hash
}

// The hash of words is FNV-1a.
const (
	hashSeed   = 0x811c9dc5
	hashFactor = 0x01000193
)

// isWordByte reports whether names have a byte.
func isWordByte(b byte) bool { return wordBytes[b>>6]>>(b&63)&1 != 0 }

// wordBytes has a bit for each byte: digits, letters, _, and all above ASCII.
var wordBytes = [4]uint64{0x03ff_0000_0000_0000, 0x07ff_fffe_87ff_fffe, ^uint64(0), ^uint64(0)}

// places returns the two bits of a word's hash in a filter, of which the second one is of other
// digits of the hash.
func places(filter []uint64, hash uint32) (first, second uint32) {
	most := uint32(len(filter)*64 - 1)
	return hash & most, (hash>>16 | hash<<16) * 0x9e3779b1 >> 7 & most
}

func note(filter []uint64, hash uint32) {
	a, b := places(filter, hash)
	filter[a>>6] |= 1 << (a & 63)
	filter[b>>6] |= 1 << (b & 63)
}

// A word is asked of many files.
type word struct {
	hash uint32
	// anyhow says that it has more than ASCII, so that it may be spelled otherwise.
	anyhow bool
}

func wordOf(text string) word {
	return word{hashOf(text), strings.IndexFunc(text, func(c rune) bool { return c >= 0x80 }) >= 0}
}

// may reports whether a file may have a word.
func (r *readFile) may(w word) bool { return w.isIn(r.mayHave) }

// names reports whether a file may mention a module of a name.
func (r *readFile) names(module word) bool { return module.isIn(r.mayName) }

// mayListNames reports whether a file may list the names of a module, which it may call otherwise.
func (r *readFile) mayListNames(module word) bool {
	return r.lists && (r.listsAny || module.isIn(r.mayList) || r.listsImports && module.isIn(r.mayImport))
}

// mayReadDocs reports whether a file may read the docstrings of a module.
func (r *readFile) mayReadDocs(module word) bool {
	return r.documents && (r.documentsImports && module.isIn(r.mayImport) || r.mayListNames(module))
}

// isIn reports whether a filter lets the word pass. A file that could not be read has none.
func (w word) isIn(filter []uint64) bool {
	if len(filter) == 0 || w.anyhow {
		return w.anyhow && len(filter) > 0
	}
	a, b := places(filter, w.hash)
	return filter[a>>6]&(1<<(a&63)) != 0 && filter[b>>6]&(1<<(b&63)) != 0
}

// parsed returns a file with what it mentions.
func (p *Project) parsed(file *readFile) *readFile {
	if !file.isParsed {
		file.isParsed = true
		if data, err := os.ReadFile(file.path); err == nil {
			path := file.path
			file.neighbour, file.modules = p.read(path, data)
			file.path = path
		}
	}
	return file
}

// word returns the one copy of a word, which does not hold the text of its file. Package unique
// would take twice the time of reading the project.
func (p *Project) word(text string) string {
	kept, found := p.kept[text]
	if !found {
		kept = strings.Clone(text)
		p.kept[kept] = kept
	}
	return kept
}

// read returns what a file mentions, and the parts of the names of modules among that.
func (p *Project) read(path string, data []byte) (n neighbour, modules map[string]bool) {
	if !strings.HasSuffix(path, ".py") {
		n.pairs = map[origin]bool{}
		p.findPairs(string(data), n.pairs)
		return n, nil
	}
	var file source.File
	if err := file.Load(data); err != nil {
		return n, nil
	}
	module, ok := p.parser.ParseText(file.Text, parser.Options{})
	if !ok {
		return n, nil
	}
	set := func() map[string]bool { return map[string]bool{} }
	r := reading{
		Project: p, neighbour: neighbour{path: path, words: set(), imports: map[origin]bool{}, passes: set(), pairs: map[origin]bool{}, listed: set(), docs: set()},
		modules: set(), read: set(), lists: set(), documents: set(), given: set(), called: map[string]string{}, bound: map[string]origin{},
	}
	r.neighbour.comparesTypes = bytes.Contains(data, []byte("__eq__")) && metaCompares(module)
	ast.Inspect(module, r.visit)
	r.conclude()
	return r.neighbour, r.modules
}

// A reading collects what a file mentions.
type reading struct {
	*Project
	neighbour
	modules   map[string]bool
	read      map[string]bool   // names that the file uses
	lists     map[string]bool   // what it lists the names of
	documents map[string]bool   // what it reads the docstrings of
	given     map[string]bool   // arguments
	called    map[string]string // last parts of the names of modules, by the names that they are bound to
	bound     map[string]origin // imported names, by the names that they are bound to
	star      bool              // it has an import *
	readers   bool              // it imports one of the docModules
}

// add adds a word to a set.
func (r *reading) add(set map[string]bool, word string) {
	if !set[word] {
		set[r.word(word)] = true
	}
}

func (r *reading) mention(dotted string) {
	for part := range strings.SplitSeq(dotted, ".") {
		r.add(r.modules, part)
	}
}

func (r *reading) originOf(from *ast.ImportFrom, alias *ast.Alias) origin {
	module := from.Module[strings.LastIndexByte(from.Module, '.')+1:]
	if from.Module == "" && from.Level == 1 {
		module = filepath.Base(filepath.Dir(r.path))
	}
	return origin{r.word(module), r.word(alias.Name)}
}

func (r *reading) visit(node ast.Node) bool {
	switch node := node.(type) {
	case *ast.Import:
		for _, alias := range node.Names {
			r.mention(alias.Name)
			r.readers = r.readers || isDocModule(alias.Name)
			r.called[r.word(alias.Bound())] = r.word(alias.Name[strings.LastIndexByte(alias.Name, '.')+1:])
		}
	case *ast.ImportFrom:
		r.visitImport(node)
	case *ast.Try, *ast.TryStar, *ast.With, *ast.AsyncWith: // their imports stay, see mayFail
		ast.Inspect(node, func(node ast.Node) bool {
			if from, is := node.(*ast.ImportFrom); is {
				for _, alias := range from.Names {
					r.imports[r.originOf(from, alias)] = true
				}
			}
			return true
		})
	case *ast.Call:
		r.visitCall(node)
	case *ast.Keyword:
		r.add(r.neighbour.passes, node.Arg)
	case *ast.Attribute:
		switch node.Attr {
		case "__dict__":
			r.add(r.lists, lastName(node.Value))
		case "__doc__":
			r.add(r.documents, firstName(node.Value))
		}
		r.add(r.words, node.Attr)
		if module := lastName(node.Value); module != "" { // a variable that is called like the module
			r.add(r.modules, module)
		}
	case *ast.Name:
		r.add(r.read, node.ID)
	case *ast.Arg:
		r.add(r.read, node.Arg) // a fixture
	case *ast.Constant:
		r.visitText(node)
	}
	return true
}

func (r *reading) visitImport(node *ast.ImportFrom) {
	r.mention(node.Module)
	r.readers = r.readers || isDocModule(node.Module)
	if node.Module == "" { // from . import a
		r.mention(filepath.Base(filepath.Dir(r.path)))
	}
	firm := keepsImports(r.path) // its imports stay
	for _, alias := range node.Names {
		r.star = r.star || alias.Name == "*"
		r.mention(alias.Name)
		from := r.originOf(node, alias)
		r.imports[from] = r.imports[from] || firm || alias.AsName == alias.Name
		r.bound[r.word(alias.Bound())] = from
		r.called[r.word(alias.Bound())] = from.name
	}
}

func (r *reading) visitCall(node *ast.Call) {
	if name := ast.CalledName(node); len(node.Args) > 0 {
		if slices.Contains(listers, name) {
			r.add(r.lists, lastName(node.Args[0]))
		}
		if slices.Contains(docNames, name) {
			r.add(r.documents, firstName(node.Args[0]))
		}
	}
	for _, argument := range node.Args {
		r.add(r.given, firstName(argument))
	}
}

func (r *reading) visitText(node *ast.Constant) {
	switch {
	case node.Type != ast.Str:
	case len(node.Text) > 200 || !isDotted(node.Text):
		r.findPairs(node.Text, r.pairs)
	default:
		r.mention(node.Text) // sys.modules["a"]
		for part := range strings.SplitSeq(node.Text, ".") {
			r.add(r.words, part)
		}
	}
}

// conclude resolves names when all of the file has been read.
func (r *reading) conclude() {
	for name, imported := range r.bound {
		if r.read[name] || r.words[name] {
			r.imports[imported] = true
		}
	}
	if r.star {
		maps.Copy(r.words, r.read)
	}
	if r.readers {
		maps.Copy(r.documents, r.given)
	}
	for name := range r.lists {
		if module, is := r.called[name]; is {
			name = module
		}
		r.listed[name] = true
		r.docs[name] = len(r.documents) > 0
	}
	for name := range r.documents {
		r.docs[r.called[name]], r.docs[r.bound[name].module] = true, true
	}
}

// findPairs notes the names of modules and their parts that a text has as module.name, module:name
// or from module import name.
func (p *Project) findPairs(text string, pairs map[origin]bool) {
	word := func(at int) int {
		for at < len(text) && isWordByte(text[at]) {
			at++
		}
		return at
	}
	module, imports := "", false // after from; after import
	for at := 0; at < len(text); at++ {
		end := word(at)
		if end == at {
			if text[at] == '\n' || text[at] == ';' {
				module, imports = "", false
			}
			continue
		}
		first := text[at:end]
		if end+1 < len(text) && (text[end] == '.' || text[end] == ':') && isWordByte(text[end+1]) {
			pairs[origin{p.word(first), p.word(text[end+1 : word(end+1)])}] = true
		}
		switch {
		case imports:
			pairs[origin{p.word(module), p.word(first)}] = true
		case first == "import":
			imports = module != ""
		default:
			module = first
		}
		at = end - 1
	}
}

// isDotted reports whether a text consists of names with dots between them.
func isDotted(text string) bool {
	for part := range strings.SplitSeq(text, ".") {
		if !tokenizer.IsIdentifier(part, source.Newest) {
			return false
		}
	}
	return true
}

// keepsImports reports whether all imports of a file are for others: those of a package, and those
// of a conftest.py, whose names pytest uses.
func keepsImports(path string) bool {
	return strings.HasSuffix(path, "__init__.py") || filepath.Base(path) == "conftest.py"
}
