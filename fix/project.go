package fix

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"codelinter/parser"
)

// A Project knows which names of a file other files use, so that imports for them stay. It reads
// the Python files around a file when the first name is asked for, and keeps what it has read until
// [Project.Refresh]. It is safe for concurrent use.
//
// It is cautious: a file uses a name if it mentions the module, in an import, in a string or before
// a dot, and, anywhere, the name as an attribute, in an import or in a string.
type Project struct {
	mutex   sync.Mutex
	roots   map[string]*neighbours // by the project's folder
	folders map[string]*neighbours // by the folder of a file
	files   map[string]*readFile   // by path
	kept    map[string]string      // words, each once
	effects map[string]bool        // of hasEffects
	there   sync.Map               // of isThere: paths with whether they exist
	rooted  sync.Map               // of rootOf: folders with their roots
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
	p.there.Clear()
	p.rooted.Clear()
	p.mutex.Unlock()
}

// Bounds of what is read of a project. A home folder may be one, and have anything below it.
const (
	maxNeighbours     = 20_000  // files
	maxNeighbourBytes = 8 << 20 // of one file; larger ones are data
	maxTextBytes      = 1 << 20 // of one that is no Python
	maxEntries        = 200_000 // files and folders that are looked at
)

// mayConfigure reports whether a file that is no Python may name functions of the project, as the
// scripts of a pyproject.toml do, or use them: a stub, a notebook, an example in a page.
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

// uses reports whether another file of the project uses a name of the file at a path.
func (p *Project) uses(path, name string) bool {
	return p.ask(request{path, name}, func(n *neighbours, path string) bool { return n.uses(path, name) })
}

// readsDocs reports whether another file of the project may read the docstrings of the file at a
// path.
func (p *Project) readsDocs(path string) bool {
	return p.ask(request{path, "__doc__"}, func(n *neighbours, path string) bool {
		module := moduleOf(path)
		named := wordOf(module)
		return slices.ContainsFunc(n.files, func(file *readFile) bool {
			if file.path == path || !file.mayReadDocs(named) {
				return false
			}
			other := n.project.parsed(file)
			return other.docs[module]
		})
	})
}

// readsFrames reports whether another file of the project, whose module the file at a path
// mentions, may read the variables of functions that call it.
func (p *Project) readsFrames(path string, mentions func(module string) bool) bool {
	return p.ask(request{path, "f_locals"}, func(n *neighbours, path string) bool {
		return slices.ContainsFunc(n.files, func(file *readFile) bool {
			return file.path != path && file.frames && mentions(moduleOf(file.path)) && has(p.parsed(file).words, frames)
		})
	})
}

// passes reports whether another file of the project, which mentions the module of the file at a
// path, may pass an argument by a name.
func (p *Project) passes(path, name string) bool {
	return p.ask(request{path, name + "="}, func(n *neighbours, path string) bool {
		module := moduleOf(path)
		named := wordOf(module)
		return slices.ContainsFunc(n.files, func(file *readFile) bool {
			if file.path == path || !file.names(named) {
				return false
			}
			other := p.parsed(file)
			return other.modules[module] && (other.neighbour.passes[name] || other.neighbour.passes[""])
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
		equality := wordOf("__eq__")
		return slices.ContainsFunc(n.files, func(file *readFile) bool {
			return file.may(equality) && (file.isParsed || mayCompareTypes(file.path)) && p.parsed(file).comparesTypes
		})
	})
}

// isAlone reports whether a file is neither of a package nor of a project that is made to be
// installed, and no other file mentions its module and has a word. So nothing else uses what the
// file calls by the word.
func (p *Project) isAlone(path, word string) bool {
	return p.ask(request{path, "*" + word}, func(n *neighbours, path string) bool {
		module := strings.TrimSuffix(filepath.Base(path), ".py")
		named, asked := wordOf(module), wordOf(word)
		return !n.isInstalled && !slices.ContainsFunc(n.files, func(file *readFile) bool {
			return file.path != path && (filepath.Base(file.path) == "__init__.py" && filepath.Dir(file.path) == filepath.Dir(path) ||
				file.may(asked) && file.names(named) && p.parsed(file).modules[module])
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
		root, marked := p.rootOf(folder)
		if around = p.roots[root]; around == nil {
			around = p.around(root, marked)
			around.isInstalled = slices.ContainsFunc(installers, func(name string) bool { return p.isThere(root, name) })
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
func (p *Project) isThere(folder, name string) bool {
	path := filepath.Join(folder, name)
	is, known := p.there.Load(path)
	if !known {
		_, err := os.Stat(path)
		is = err == nil
		p.there.Store(path, is)
	}
	return is.(bool)
}

// installers are files that say how a project is installed.
var installers = []string{"pyproject.toml", "setup.py", "setup.cfg"}

// markers are files and folders at the root of a project.
var markers = []string{".git", ".hg", "pyproject.toml", "setup.py", "setup.cfg", "tox.ini"}

// A root is the folder of a project. It is marked if it has one of the markers.
type root struct {
	folder string
	marked bool
}

// rootOf returns the folder of the project that a folder belongs to: the nearest one with a marker,
// or else the one that has the outermost package.
func (p *Project) rootOf(folder string) (path string, marked bool) {
	known, is := p.rooted.Load(folder)
	if !is {
		known = p.findRoot(folder)
		p.rooted.Store(folder, known)
	}
	return known.(root).folder, known.(root).marked
}

func (p *Project) findRoot(folder string) root {
	for p.isThere(folder, "__init__.py") && filepath.Dir(folder) != folder {
		folder = filepath.Dir(folder)
	}
	for up := folder; filepath.Dir(up) != up; up = filepath.Dir(up) {
		if slices.ContainsFunc(markers, func(name string) bool { return p.isThere(up, name) }) {
			return root{up, true}
		}
	}
	return root{folder, false}
}

// around reads the Python files below a folder. If that is not marked as a project's, only its
// packages belong to it: another folder may have anything. What cannot be read or parsed mentions
// nothing.
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
				if !p.isThere(path, "__init__.py") {
					return fs.SkipDir
				}
			}
			if path != root && (strings.HasPrefix(name, ".") || name == "__pycache__" || name == "node_modules") {
				return fs.SkipDir
			}
			if p.isThere(path, "pyvenv.cfg") {
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
	ofModule, ofName := wordOf(module), wordOf(name)
	for _, file := range n.files {
		lists := file.mayListNames(ofModule)
		if file.path == path || !lists && (!file.may(ofName) || !file.names(ofModule) && filepath.Base(filepath.Dir(file.path)) != module) {
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
