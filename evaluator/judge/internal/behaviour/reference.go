package behaviour

import (
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/sandbox"
	"codelinter/source"
)

// A reference is the program whose behaviour is the measure.
type reference struct {
	*module
	file   source.File
	raises []raise
	doubt  string // why its behaviour cannot be the measure, such as "random"
}

// A raise is a statement that raises an exception on purpose.
type raise struct {
	first, last int    // rows
	name        string // of the exception, where the statement names it
}

// newReference parses program; ok is false if it is no Python.
func newReference(program string) (m *reference, ok bool) {
	parsed, ok := parse(program)
	if !ok {
		return nil, false
	}
	m = &reference{module: parsed}
	m.file.Load([]byte(program))
	file := &m.file
	var walker ast.Walker
	for _, s := range m.body {
		walker.Walk(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Raise:
				r := raise{first: file.Row(n.Start), last: file.Row(n.End)}
				switch e := n.Exc.(type) {
				case *ast.Call:
					r.name = lastName(e.Func)
				case nil:
				default:
					r.name = lastName(e)
				}
				m.raises = append(m.raises, r)
			case *ast.Assert:
				m.raises = append(m.raises, raise{file.Row(n.Start), file.Row(n.End), "AssertionError"})
			}
			return true
		})
	}
	m.doubt = doubt(m.body)
	return m, true
}

// lastName returns c of a.b.c, and "" of what is no such thing.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Name:
		return e.ID
	case *ast.Attribute:
		return e.Attr
	}
	return ""
}

// says reports whether the program raises e on purpose: by a raise or assert
// statement, and not in the course of one. Other exceptions are accidents of how
// the program goes about its work, and an answer may have others. A statement such
// as
//
//	raise NotImplemented
//
// raises a TypeError that nobody meant: anything may be raised there.
func (m *reference) says(e *sandbox.Exception) (purpose, anything bool) {
	if e == nil {
		return false, false
	}
	name := e.Type[strings.LastIndexByte(e.Type, '.')+1:]
	for _, r := range m.raises {
		switch {
		case e.Line < r.first || e.Line > r.last:
		case name == "TypeError" && strings.HasPrefix(e.Text, "exceptions must derive from"):
			return true, true
		case r.name == "" || r.name == name || !looksLikeClass(r.name):
			// raise error, where error is a variable, may raise anything.
			return true, false
		}
	}
	return false, false
}

func looksLikeClass(name string) bool { return name[0] >= 'A' && name[0] <= 'Z' }

// clocks returns what of a module gives another result each time; a nil list is all of it.
func clocks(module string) (names []string, known bool) {
	switch module {
	case "time":
		return []string{"time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "process_time",
			"process_time_ns", "thread_time", "localtime", "gmtime", "ctime", "asctime", "strftime"}, true
	case "datetime":
		return []string{"now", "today", "utcnow"}, true
	case "os":
		return []string{"urandom", "getpid", "environ", "getenv", "listdir", "getcwd", "stat", "walk", "popen", "system"}, true
	case "uuid":
		return []string{"uuid1", "uuid4"}, true
	case "secrets", "getpass", "socket":
		return nil, true
	}
	return nil, false
}

// doubt returns why what a program does cannot be compared: it asks a person, a
// clock, chance or the machine. "" if it does not.
func doubt(body []ast.Stmt) string {
	imported := map[string]string{} // name: the module, or module.name
	mine := names{}                 // what the program itself calls so
	found := ""
	seeded := false
	var walker ast.Walker
	for _, s := range body {
		walker.Walk(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Arg:
				mine[n.Arg] = true
			case *ast.FunctionDef:
				mine[n.Name] = true
			case *ast.Name:
				if n.Ctx == ast.Store {
					mine[n.ID] = true
				}
			case *ast.Import:
				for _, a := range n.Names {
					imported[a.Bound()] = a.Name
				}
			case *ast.ImportFrom:
				for _, a := range n.Names {
					if a.Name == "*" {
						list, _ := clocks(n.Module)
						for _, name := range slices.Concat(list, randoms) {
							if n.Module == "random" || slices.Contains(list, name) {
								imported[name] = n.Module + "." + name
							}
						}
						continue
					}
					imported[a.Bound()] = n.Module + "." + a.Name
				}
			}
			return true
		})
	}
	reaches := func(module, name string) {
		switch list, known := clocks(module); {
		case known && (list == nil || slices.Contains(list, name)):
			found = module + "." + name
		case module == "random" && (name == "seed" || name == "Random"):
			seeded = true
		case module == "random":
			if found == "" {
				found = "random"
			}
		case module == "sys" && name == "stdin":
			found = "sys.stdin"
		}
	}
	for _, s := range body {
		walker.Walk(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Name:
				if n.Ctx != ast.Load {
					break
				}
				if (n.ID == "input" || n.ID == "open") && !mine[n.ID] {
					found = n.ID
				}
				if module, name, is := strings.Cut(imported[n.ID], "."); is {
					reaches(module, name)
				}
			case *ast.Attribute:
				if name := root(n.Value); name != "" && imported[name] != "" {
					module, _, _ := strings.Cut(imported[name], ".")
					reaches(module, n.Attr)
				}
			}
			return true
		})
	}
	if found == "random" && seeded {
		return ""
	}
	return found
}

// randoms are the functions of module random that people import.
var randoms = []string{"random", "randint", "randrange", "choice", "choices", "shuffle", "sample", "uniform", "gauss", "seed"}
