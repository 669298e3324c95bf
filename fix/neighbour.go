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
	mayHave   []uint64
	lists     bool // it may have one of the listers
	documents bool // it may read docstrings
	isParsed  bool
	neighbour
	modules map[string]bool // last and other parts of the names of modules that it mentions
}

// scan notes the words of a file.
func (r *readFile) scan(data []byte) {
	r.mayHave = make([]uint64, max(1, 1<<bits.Len(uint(len(data)/128))))
	for i := 0; i < len(data); i++ {
		if !isWordByte(data[i]) {
			continue
		}
		hash := uint32(hashSeed)
		for ; i < len(data) && isWordByte(data[i]); i++ {
			hash = (hash ^ uint32(data[i])) * hashFactor
		}
		r.note(hash)
		r.lists = r.lists || i < len(data) && (hash == dictHash || data[i] == '(' && slices.Contains(listerHashes, hash))
	}
	isPython := strings.HasSuffix(r.path, ".py")
	r.lists = r.lists && isPython
	r.documents = isPython && (slices.ContainsFunc(docNames, r.may) || slices.ContainsFunc(docModules, r.may))
}

// listers are functions by which a file may list the names of another one, as it may by its
// __dict__.
var (
	listers      = []string{"dir", "vars", "getmembers", "getmembers_static"}
	listerHashes = []uint32{hashOf("dir"), hashOf("vars"), hashOf("getmembers"), hashOf("getmembers_static")}
	dictHash     = hashOf("__dict__")
)

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

// places returns the two bits of a word's hash, of which the second one is of other digits of the
// hash.
func (r *readFile) places(hash uint32) (first, second uint32) {
	most := uint32(len(r.mayHave)*64 - 1)
	return hash & most, (hash>>16 | hash<<16) * 0x9e3779b1 >> 7 & most
}

func (r *readFile) note(hash uint32) {
	a, b := r.places(hash)
	r.mayHave[a>>6] |= 1 << (a & 63)
	r.mayHave[b>>6] |= 1 << (b & 63)
}

// may reports whether a file may have a word.
func (r *readFile) may(word string) bool {
	if len(r.mayHave) == 0 {
		return false // it could not be read
	}
	if strings.IndexFunc(word, func(c rune) bool { return c >= 0x80 }) >= 0 {
		return true // it may be spelled otherwise
	}
	a, b := r.places(hashOf(word))
	return r.mayHave[a>>6]&(1<<(a&63)) != 0 && r.mayHave[b>>6]&(1<<(b&63)) != 0
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

func (r *reading) mention(dotted string) {
	for part := range strings.SplitSeq(dotted, ".") {
		r.modules[r.word(part)] = true
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
		r.neighbour.passes[r.word(node.Arg)] = true
	case *ast.Attribute:
		switch node.Attr {
		case "__dict__":
			r.lists[r.word(lastName(node.Value))] = true
		case "__doc__":
			r.documents[r.word(firstName(node.Value))] = true
		}
		r.words[r.word(node.Attr)] = true
		if module := lastName(node.Value); module != "" { // a variable that is called like the module
			r.modules[r.word(module)] = true
		}
	case *ast.Name:
		r.read[r.word(node.ID)] = true
	case *ast.Arg:
		r.read[r.word(node.Arg)] = true // a fixture
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
			r.lists[r.word(lastName(node.Args[0]))] = true
		}
		if slices.Contains(docNames, name) {
			r.documents[r.word(firstName(node.Args[0]))] = true
		}
	}
	for _, argument := range node.Args {
		r.given[r.word(firstName(argument))] = true
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
			r.words[r.word(part)] = true
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
