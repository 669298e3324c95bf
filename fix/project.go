package fix

import (
	"bytes"
	"io"
	"io/fs"
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
	maxEntries        = 200_000 // files and folders that are looked at
)

// neighbours are the files of a project.
type neighbours struct {
	project     *Project
	files       []*readFile
	isInstalled bool // it has a file that says how it is installed
	asking      map[request]bool
	known       map[request]bool // answers of ask, of which a text asks several times
	and         []string         // of usesAnd
}

// A request asks whether others use a name of a file, and have one of some words.
type request struct {
	path, name string
	and        bool
}

// An origin is an imported name with the last part of the name of its module, which is empty if that may be any.
type origin struct{ module, name string }

// A neighbour is what a file mentions.
type neighbour struct {
	path    string
	words   map[string]bool // attributes, words of strings, and all names after an import *
	imports map[origin]bool // imported names; whether the file needs them itself
	// comparesTypes says that a metaclass may define ==.
	comparesTypes bool
}

// uses reports whether another file of the project uses a name of the file at a path.
func (p *Project) uses(path, name string) bool {
	return p.ask(request{path, name, false}, func(n *neighbours, path string) bool { return n.uses(path, name) })
}

// usesAnd reports whether another file of the project uses a name of the file at a path, and has one of
// some words, which are the same ones for all questions.
func (p *Project) usesAnd(path, name string, words []string) bool {
	return p.ask(request{path, name, true}, func(n *neighbours, path string) bool {
		n.and = words
		defer func() { n.and = nil }()
		return n.uses(path, name)
	})
}

// comparesTypes reports whether a file of the project may have a metaclass that defines ==.
func (p *Project) comparesTypes(path string) bool {
	return p.ask(request{path, "__eq__", true}, func(n *neighbours, _ string) bool {
		return slices.ContainsFunc(n.files, func(file *readFile) bool {
			return file.may("__eq__") && (file.isParsed || mayCompareTypes(file.path)) && p.parsed(file).comparesTypes
		})
	})
}

// isAlone reports whether a file is neither of a package nor of a project that is made to be installed, and no
// other file mentions its module and has a word. So nothing else uses what the file calls by the word.
func (p *Project) isAlone(path, word string) bool {
	return p.ask(request{path, "*" + word, false}, func(n *neighbours, path string) bool {
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
		case !strings.HasSuffix(path, ".py") || !entry.Type().IsRegular():
			return nil
		}
		info, err := entry.Info()
		if err != nil || info.Size() > maxNeighbourBytes {
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

// hasEffects reports whether a module's file does something when it is loaded, besides binding names of its own.
// The path has no suffix. It asks each file once.
func (p *Project) hasEffects(path string) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	does, known := p.effects[path]
	if !known {
		for _, name := range [...]string{path + ".py", filepath.Join(path, "__init__.py")} {
			data, err := p.readAll(name, 0)
			if err != nil {
				continue
			}
			does = true
			var file source.File
			if file.Load(data) == nil {
				if module, ok := p.parser.ParseText(file.Text, parser.Options{}); ok {
					does = !onlyDefines(module.Body)
				}
			}
			break
		}
		p.effects[path] = does
	}
	return does
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
	asked := request{path, name, n.and != nil}
	if n.asking[asked] {
		return false // files that import it from each other
	}
	n.asking[asked] = true
	defer delete(n.asking, asked)
	module := strings.TrimSuffix(filepath.Base(path), ".py")
	if module == "__init__" {
		module = filepath.Base(filepath.Dir(path))
	}
	for _, file := range n.files {
		if file.path == path || !file.may(name) || !file.may(module) && filepath.Base(filepath.Dir(file.path)) != module {
			continue
		}
		other := n.project.parsed(file)
		if !other.modules[module] {
			continue
		}
		needs, imported := false, false
		for _, from := range [...]string{module, ""} {
			need, is := other.imports[origin{from, name}]
			needs, imported = needs || need, imported || is
		}
		if (other.words[name] || needs) && (n.and == nil || has(other.words, n.and)) || imported && n.uses(other.path, name) {
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
	mayHave  []uint64
	isParsed bool
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
			hash, inside = hashSeed, false
		}
	}
	r.note(hash)
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
	hash := uint32(hashSeed)
	for i := range len(word) {
		if word[i] >= 0x80 {
			return true // it may be spelled otherwise
		}
		hash = (hash ^ uint32(word[i])) * hashFactor
	}
	a, b := r.places(hash)
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
	var file source.File
	if err := file.Load(data); err != nil {
		return n, nil
	}
	module, ok := p.parser.ParseText(file.Text, parser.Options{})
	if !ok {
		return n, nil
	}
	modules = map[string]bool{}
	n = neighbour{path: path, words: map[string]bool{}, imports: map[origin]bool{}}
	n.comparesTypes = bytes.Contains(data, []byte("__eq__")) && metaCompares(module)
	mention := func(dotted string) {
		for part := range strings.SplitSeq(dotted, ".") {
			modules[p.word(part)] = true
		}
	}
	read := map[string]bool{}    // names that the file uses
	bound := map[string]origin{} // imported names, by the names that they are bound to
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
			}
		case *ast.ImportFrom:
			mention(node.Module)
			if node.Module == "" { // from . import a
				mention(filepath.Base(filepath.Dir(path)))
			}
			for _, alias := range node.Names {
				star = star || alias.Name == "*"
				mention(alias.Name)
				from := originOf(node, alias)
				n.imports[from] = n.imports[from] || firm || alias.AsName == alias.Name
				bound[alias.Bound()] = from
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
		case *ast.Attribute:
			n.words[p.word(node.Attr)] = true
			if module := dotted(node.Value); module != "" { // a variable that is called like the module
				modules[p.word(module[strings.LastIndexByte(module, '.')+1:])] = true
			}
		case *ast.Name:
			read[p.word(node.ID)] = true
		case *ast.Arg:
			read[p.word(node.Arg)] = true // a fixture
		case *ast.Constant:
			if node.Type != ast.Str || len(node.Text) > 200 || !isDotted(node.Text) {
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
	return n, modules
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
