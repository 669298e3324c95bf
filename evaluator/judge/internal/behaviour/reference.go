package behaviour

import (
	"cmp"
	"strings"

	"codelinter/ast"
	"codelinter/internal/util/lazy"
	"codelinter/sandbox"
	"codelinter/source"
)

// A reference is the program with which answers are compared.
type reference struct {
	*module
	plain  plainText // of the task's program
	file   source.File
	raises []raise
	doubt  string // why it cannot be compared with, such as "random"
}

// A raise is a statement that raises an exception on purpose.
type raise struct {
	first, last int    // rows
	name        string // of the exception, if the statement names it
}

// newReference parses a program. ok is false if it is not valid Python.
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

// lastName returns c for a.b.c, a for a, and "" for other expressions.
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
// statement itself, not in code that the statement evaluates. Other exceptions are
// accidents, and an answer may raise others. A statement such as
//
//	raise NotImplemented
//
// raises a TypeError that nobody intended, so anything may be raised there.
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
			// raise error, with a variable error, may raise anything.
			return true, false
		}
	}
	return false, false
}

func looksLikeClass(name string) bool { return name[0] >= 'A' && name[0] <= 'Z' }

// clocks has the modules whose results differ from run to run: the named functions,
// with blanks around each name, or all functions if none is named.
var clocks = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"time":     " time time_ns perf_counter perf_counter_ns monotonic monotonic_ns process_time process_time_ns thread_time localtime gmtime ctime asctime strftime ",
		"datetime": " now today utcnow ", "os": " urandom getpid environ getenv listdir getcwd stat walk popen system ", "uuid": " uuid1 uuid4 ", "sys": " stdin ",
		"secrets": "", "getpass": "", "socket": "",
	}
}}

// randoms are the commonly used functions of module random.
const randoms = " random randint randrange choice choices shuffle sample uniform gauss seed "

// A doubter searches for reasons why a program's behaviour cannot be compared.
type doubter struct {
	imported map[string]string // name: the module, or module.name
	mine     names             // the program's own names
	found    string
	seeded   bool
}

// doubt returns why a program's behaviour cannot be compared, or "": it reads
// input, a clock, random numbers or the machine.
func doubt(body []ast.Stmt) string {
	d := &doubter{imported: map[string]string{}, mine: names{}}
	for _, look := range []func(ast.Node){d.bind, d.read} {
		var walker ast.Walker
		for _, s := range body {
			walker.Walk(s, func(n ast.Node) bool {
				look(n)
				return true
			})
		}
	}
	if d.found == "random" && d.seeded {
		return ""
	}
	return d.found
}

// bind records the names that a node binds.
func (d *doubter) bind(n ast.Node) {
	switch n := n.(type) {
	case *ast.Arg, *ast.FunctionDef, *ast.Name:
		d.mine[ast.Binds(n)] = true
	case *ast.Import:
		for _, a := range n.Names {
			d.imported[a.Bound()] = a.Name
		}
	case *ast.ImportFrom:
		for _, a := range n.Names {
			if a.Name != "*" {
				d.imported[a.Bound()] = n.Module + "." + a.Name
				continue
			}
			list := clocks.Get()[n.Module]
			if n.Module == "random" {
				list = randoms
			}
			for _, name := range strings.Fields(list) {
				d.imported[name] = n.Module + "." + name
			}
		}
	}
}

// read checks the names that a node reads.
func (d *doubter) read(n ast.Node) {
	switch n := n.(type) {
	case *ast.Name:
		if n.Ctx != ast.Load {
			return
		}
		if (n.ID == "input" || n.ID == "open") && !d.mine[n.ID] {
			d.found = n.ID
		}
		if module, name, is := strings.Cut(d.imported[n.ID], "."); is {
			d.reach(module, name)
		}
	case *ast.Attribute:
		if name := root(n.Value); name != "" && d.imported[name] != "" {
			module, _, _ := strings.Cut(d.imported[name], ".")
			d.reach(module, n.Attr)
		}
	}
}

// reach checks the use of a module's name.
func (d *doubter) reach(module, name string) {
	switch list, known := clocks.Get()[module]; {
	case known && (list == "" || strings.Contains(list, " "+name+" ")):
		d.found = module + "." + name
	case module == "random" && (name == "seed" || name == "Random"):
		d.seeded = true
	case module == "random":
		d.found = cmp.Or(d.found, "random")
	}
}
