package fix

import (
	"bytes"
	"io"
	"io/fs"
	"maps"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"codelinter/ast"
	"codelinter/parser"
	"codelinter/source"
	"codelinter/tokenizer"
)

// A Project knows which names of a file other files use, so that imports for them stay. It reads the
// Python files around a file when the first name is asked for, and keeps what it has read until
// [Project.Refresh]. It is safe for concurrent use.
//
// It is cautious: a file uses a name if it mentions the module, in an import, in a string or before a
// dot, and, anywhere, the name as an attribute, in an import or in a string.
type Project struct {
	mutex   sync.Mutex
	roots   map[string]*neighbours // by the project's folder
	folders map[string]*neighbours // by the folder of a file
	files   map[string]*readFile   // by path
	kept    map[string]string      // words, each once
	effects map[string]bool        // of hasEffects
	buffer  []byte                 // of readAll
	parser  parser.Parser
}

// NewProject returns a Project that has read nothing.
func NewProject() *Project {
	return &Project{roots: map[string]*neighbours{}, folders: map[string]*neighbours{}, files: map[string]*readFile{}, kept: map[string]string{}, effects: map[string]bool{}}
}

// Refresh makes the next question look for files that are new, changed or gone.
func (p *Project) Refresh() {
	p.mutex.Lock()
	clear(p.roots)
	clear(p.folders)
	clear(p.effects)
	p.mutex.Unlock()
}

// Bounds of what is read of a project. A home folder may be one, and have anything below it.
const (
	maxNeighbours     = 20_000  // files
	maxNeighbourBytes = 8 << 20 // of one file; larger ones are data
	maxTextBytes      = 1 << 20 // of one that is no Python
	maxEntries        = 200_000 // files and folders that are looked at
)

// mayConfigure reports whether a file that is no Python may name functions of the project, as the scripts of a
// pyproject.toml do, or use them: a stub, a notebook, an example in a page.
func mayConfigure(name string) bool {
	switch filepath.Ext(name) {
	case ".toml", ".cfg", ".ini", ".conf", ".json", ".yaml", ".yml", ".in", ".service", ".sh", ".zcml", ".pyi", ".pyx", ".pxd", ".ipynb", ".rst", ".md":
		return true
	}
	return name == "Procfile" || name == "Makefile" || strings.HasPrefix(name, "Dockerfile")
}

// neighbours are the files of a project.
type neighbours struct {
	project     *Project
	files       []*readFile
	isInstalled bool // it has a file that says how it is installed
	asking      map[request]bool
	known       map[request]bool // answers of ask, of which a text asks several times
}

// A request asks something about a name of a file.
type request struct{ path, name string }

// An origin is an imported name with the last part of the name of its module, which is empty if that may be any.
type origin struct{ module, name string }

// A neighbour is what a file mentions.
type neighbour struct {
	path    string
	words   map[string]bool // attributes, words of strings, and all names after an import *
	imports map[origin]bool // imported names; whether the file needs them itself
	pairs   map[origin]bool // what texts have as module.name or module:name, or import
	listed  map[string]bool // last parts of the names of modules whose names it lists, as by dir
	docs    map[string]bool // last parts of the names of modules whose docstrings it may read
	// comparesTypes says that a metaclass may define ==.
	comparesTypes bool
}

// uses reports whether another file of the project uses a name of the file at a path.
func (p *Project) uses(path, name string) bool {
	return p.ask(request{path, name}, func(n *neighbours, path string) bool { return n.uses(path, name) })
}

// readsDocs reports whether another file of the project may read the docstrings of the file at a path.
func (p *Project) readsDocs(path string) bool {
	return p.ask(request{path, "__doc__"}, func(n *neighbours, path string) bool {
		module := moduleOf(path)
		return slices.ContainsFunc(n.files, func(file *readFile) bool {
			if file.path == path || !file.documents || !file.may(module) {
				return false
			}
			other := n.project.parsed(file)
			return other.docs[module]
		})
	})
}

// readsFrames reports whether another file of the project, whose module the file at a path mentions, may read the variables
// of functions that call it.
func (p *Project) readsFrames(path string, mentions func(module string) bool) bool {
	return p.ask(request{path, "f_locals"}, func(n *neighbours, path string) bool {
		return slices.ContainsFunc(n.files, func(file *readFile) bool {
			return file.path != path && slices.ContainsFunc(frames, file.may) && mentions(moduleOf(file.path)) && has(p.parsed(file).words, frames)
		})
	})
}

// moduleOf returns the last part of the name of the module of a file.
func moduleOf(path string) string {
	module := strings.TrimSuffix(filepath.Base(path), ".py")
	if module == "__init__" {
		module = filepath.Base(filepath.Dir(path))
	}
	return module
}

// comparesTypes reports whether a file of the project may have a metaclass that defines ==.
func (p *Project) comparesTypes(path string) bool {
	return p.ask(request{path, "__eq__"}, func(n *neighbours, _ string) bool {
		return slices.ContainsFunc(n.files, func(file *readFile) bool {
			return file.may("__eq__") && (file.isParsed || mayCompareTypes(file.path)) && p.parsed(file).comparesTypes
		})
	})
}

// isAlone reports whether a file is neither of a package nor of a project that is made to be installed, and no
// other file mentions its module and has a word. So nothing else uses what the file calls by the word.
func (p *Project) isAlone(path, word string) bool {
	return p.ask(request{path, "*" + word}, func(n *neighbours, path string) bool {
		module := strings.TrimSuffix(filepath.Base(path), ".py")
		return !n.isInstalled && !slices.ContainsFunc(n.files, func(file *readFile) bool {
			return file.path != path && (filepath.Base(file.path) == "__init__.py" && filepath.Dir(file.path) == filepath.Dir(path) ||
				file.may(word) && file.may(module) && p.parsed(file).modules[module])
		})
	})
}

// ask asks the files around a file of the project. What was asked before is not asked again.
func (p *Project) ask(asked request, question func(n *neighbours, path string) bool) bool {
	path, err := filepath.Abs(asked.path)
	if err != nil {
		return false
	}
	asked.path = path
	p.mutex.Lock()
	defer p.mutex.Unlock()
	folder := filepath.Dir(path)
	around := p.folders[folder]
	if around == nil {
		root, marked := rootOf(folder)
		if around = p.roots[root]; around == nil {
			around = p.around(root, marked)
			around.isInstalled = slices.ContainsFunc(installers, func(name string) bool { return isThere(root, name) })
			p.roots[root] = around
		}
		p.folders[folder] = around
	}
	answer, known := around.known[asked]
	if !known {
		info, err := os.Stat(path)
		answer = err == nil && info.Mode().IsRegular() && question(around, path)
		around.known[asked] = answer
	}
	return answer
}

// isThere reports whether a folder has a file or folder of a name.
func isThere(folder, name string) bool {
	_, err := os.Stat(filepath.Join(folder, name))
	return err == nil
}

// installers are files that say how a project is installed.
var installers = []string{"pyproject.toml", "setup.py", "setup.cfg"}

// markers are files and folders at the root of a project.
var markers = []string{".git", ".hg", "pyproject.toml", "setup.py", "setup.cfg", "tox.ini"}

// rootOf returns the folder of the project that a folder belongs to: the nearest one with a marker,
// or else the one that has the outermost package.
func rootOf(folder string) (root string, marked bool) {
	for isThere(folder, "__init__.py") && filepath.Dir(folder) != folder {
		folder = filepath.Dir(folder)
	}
	for up := folder; filepath.Dir(up) != up; up = filepath.Dir(up) {
		if slices.ContainsFunc(markers, func(name string) bool { return isThere(up, name) }) {
			return up, true
		}
	}
	return folder, false
}

// around reads the Python files below a folder. If that is not marked as a project's, only its packages
// belong to it: another folder may have anything. What cannot be read or parsed mentions nothing.
func (p *Project) around(root string, marked bool) *neighbours {
	entries := 0
	n := &neighbours{project: p, asking: map[request]bool{}, known: map[request]bool{}}
	_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch entries++; {
		case err != nil:
			return nil
		case len(n.files) == maxNeighbours || entries > maxEntries:
			return fs.SkipAll
		case entry.IsDir():
			name := entry.Name()
			if path != root && !marked {
				if _, err := os.Stat(filepath.Join(path, "__init__.py")); err != nil {
					return fs.SkipDir
				}
			}
			if path != root && (strings.HasPrefix(name, ".") || name == "__pycache__" || name == "node_modules") {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(path, "pyvenv.cfg")); err == nil {
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(path, ".py") && !mayConfigure(entry.Name()) || !entry.Type().IsRegular():
			return nil
		}
		info, err := entry.Info()
		if err != nil || info.Size() > maxNeighbourBytes || info.Size() > maxTextBytes && !strings.HasSuffix(path, ".py") {
			return nil
		}
		file := p.files[path]
		if file == nil || !file.time.Equal(info.ModTime()) || file.size != info.Size() {
			file = &readFile{time: info.ModTime(), size: info.Size()}
			file.path = path
			if data, err := p.readAll(path, info.Size()); err == nil {
				file.scan(data)
			}
			p.files[path] = file
		}
		n.files = append(n.files, file)
		return nil
	})
	return n
}

// readAll reads a file of about a size. The content is valid until the next call.
func (p *Project) readAll(path string, size int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p.buffer = slices.Grow(p.buffer[:0], int(size)+1)
	for {
		n, err := file.Read(p.buffer[len(p.buffer):cap(p.buffer)])
		p.buffer = p.buffer[:len(p.buffer)+n]
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return p.buffer, err
		}
		p.buffer = slices.Grow(p.buffer, 1)
	}
}

// uses reports whether another file uses a name of a file. If it only imports the name, it uses the
// name if it needs the import, or others do.
func (n *neighbours) uses(path, name string) bool {
	asked := request{path, name}
	if n.asking[asked] {
		return false // files that import it from each other
	}
	n.asking[asked] = true
	defer delete(n.asking, asked)
	module := moduleOf(path)
	for _, file := range n.files {
		lists := file.lists && file.may(module)
		if file.path == path || !lists && (!file.may(name) || !file.may(module) && filepath.Base(filepath.Dir(file.path)) != module) {
			continue
		}
		other := n.project.parsed(file)
		if other.pairs[origin{module, name}] || other.listed[module] {
			return true
		}
		if !other.modules[module] {
			continue
		}
		needs, imported := false, false
		for _, from := range [...]string{module, ""} {
			need, is := other.imports[origin{from, name}]
			needs, imported = needs || need, imported || is
		}
		if other.words[name] || needs || imported && n.uses(other.path, name) {
			return true
		}
	}
	return false
}

// A readFile is a file as it was read. It is parsed when a question may be about it.
type readFile struct {
	time time.Time
	size int64
	// mayHave has two bits for each word of the file, at places that the word's hash gives: a Bloom filter
	// that one in fifty other words passes. Few files must be parsed.
	mayHave   []uint64
	lists     bool // it may have one of the listers
	documents bool // it may read docstrings
	isParsed  bool
	neighbour
	modules map[string]bool // last and other parts of the names of modules that it mentions
}

// scan notes the words of a file.
func (r *readFile) scan(data []byte) {
	r.mayHave = make([]uint64, max(1, 1<<bits.Len(uint(len(data)/512))))
	hash, inside := uint32(hashSeed), false
	for _, b := range data {
		if isWordByte(b) {
			hash, inside = (hash^uint32(b))*hashFactor, true
		} else if inside {
			r.note(hash)
			r.lists = r.lists || hash == dictHash || b == '(' && slices.Contains(listerHashes, hash)
			hash, inside = hashSeed, false
		}
	}
	r.note(hash)
	isPython := strings.HasSuffix(r.path, ".py")
	r.lists = r.lists && isPython
	r.documents = isPython && (slices.ContainsFunc(docNames, r.may) || slices.ContainsFunc(docModules, r.may))
}

// listers are functions by which a file may list the names of another one, as it may by its __dict__.
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
func isWordByte(b byte) bool {
	return b == '_' || b >= 0x80 || 'a' <= b|0x20 && b|0x20 <= 'z' || '0' <= b && b <= '9'
}

// places returns the two bits of a word's hash, of which the second one is of other digits of the hash.
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

// word returns the one copy of a word, which does not hold the text of its file. Package unique would
// take twice the time of reading the project.
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
	modules = map[string]bool{}
	n = neighbour{path: path, words: map[string]bool{}, imports: map[origin]bool{}, pairs: map[origin]bool{}, listed: map[string]bool{}, docs: map[string]bool{}}
	n.comparesTypes = bytes.Contains(data, []byte("__eq__")) && metaCompares(module)
	mention := func(dotted string) {
		for part := range strings.SplitSeq(dotted, ".") {
			modules[p.word(part)] = true
		}
	}
	listed, documented := map[string]bool{}, map[string]bool{} // what it lists the names of, and reads the docstrings of
	given, readers := map[string]bool{}, false                 // arguments; whether it imports one of the docModules
	called := map[string]string{}                              // last parts of the names of modules, by the names that they are bound to
	read := map[string]bool{}                                  // names that the file uses
	bound := map[string]origin{}                               // imported names, by the names that they are bound to
	originOf := func(from *ast.ImportFrom, alias *ast.Alias) origin {
		o := origin{from.Module[strings.LastIndexByte(from.Module, '.')+1:], p.word(alias.Name)}
		if from.Module == "" && from.Level == 1 {
			o.module = filepath.Base(filepath.Dir(path))
		}
		o.module = p.word(o.module)
		return o
	}
	firm := keepsImports(path) // its imports stay
	star := false
	ast.Inspect(module, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.Import:
			for _, alias := range node.Names {
				mention(alias.Name)
				readers = readers || isDocModule(alias.Name)
				called[p.word(alias.Bound())] = p.word(alias.Name[strings.LastIndexByte(alias.Name, '.')+1:])
			}
		case *ast.ImportFrom:
			mention(node.Module)
			readers = readers || isDocModule(node.Module)
			if node.Module == "" { // from . import a
				mention(filepath.Base(filepath.Dir(path)))
			}
			for _, alias := range node.Names {
				star = star || alias.Name == "*"
				mention(alias.Name)
				from := originOf(node, alias)
				n.imports[from] = n.imports[from] || firm || alias.AsName == alias.Name
				bound[alias.Bound()] = from
				called[p.word(alias.Bound())] = from.name
			}
		case *ast.Try, *ast.TryStar, *ast.With, *ast.AsyncWith: // their imports stay, see mayFail
			ast.Inspect(node, func(node ast.Node) bool {
				if from, is := node.(*ast.ImportFrom); is {
					for _, alias := range from.Names {
						n.imports[originOf(from, alias)] = true
					}
				}
				return true
			})
		case *ast.Call:
			if slices.Contains(listers, ast.CalledName(node)) && len(node.Args) > 0 {
				listed[p.word(lastName(node.Args[0]))] = true
			}
			if slices.Contains(docNames, ast.CalledName(node)) && len(node.Args) > 0 {
				documented[p.word(firstName(node.Args[0]))] = true
			}
			for _, argument := range node.Args {
				given[p.word(firstName(argument))] = true
			}
		case *ast.Attribute:
			if node.Attr == "__dict__" {
				listed[p.word(lastName(node.Value))] = true
			}
			if node.Attr == "__doc__" {
				documented[p.word(firstName(node.Value))] = true
			}
			n.words[p.word(node.Attr)] = true
			if module := dotted(node.Value); module != "" { // a variable that is called like the module
				modules[p.word(module[strings.LastIndexByte(module, '.')+1:])] = true
			}
		case *ast.Name:
			read[p.word(node.ID)] = true
		case *ast.Arg:
			read[p.word(node.Arg)] = true // a fixture
		case *ast.Constant:
			if node.Type != ast.Str {
				break
			}
			if len(node.Text) > 200 || !isDotted(node.Text) {
				p.findPairs(node.Text, n.pairs)
				break
			}
			mention(node.Text) // sys.modules["a"]
			for part := range strings.SplitSeq(node.Text, ".") {
				n.words[p.word(part)] = true
			}
		}
		return true
	})
	for name, imported := range bound {
		if read[name] || n.words[name] {
			n.imports[imported] = true
		}
	}
	if star {
		for name := range read {
			n.words[name] = true
		}
	}
	if readers {
		maps.Copy(documented, given)
	}
	for name := range listed {
		if module, is := called[name]; is {
			name = module
		}
		n.listed[name] = true
		n.docs[name] = len(documented) > 0
	}
	for name := range documented {
		n.docs[called[name]], n.docs[bound[name].module] = true, true
	}
	return n, modules
}

// findPairs notes the names of modules and their parts that a text has as module.name, module:name or from module import name.
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
