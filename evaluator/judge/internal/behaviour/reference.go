package behaviour

import (
	"cmp"
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

// clocks are the modules of which something gives another result each time: these functions, with
// blanks around each, or all if there are none.
var clocks = map[string]string{
	"time":     " time time_ns perf_counter perf_counter_ns monotonic monotonic_ns process_time process_time_ns thread_time localtime gmtime ctime asctime strftime ",
	"datetime": " now today utcnow ", "os": " urandom getpid environ getenv listdir getcwd stat walk popen system ", "uuid": " uuid1 uuid4 ", "sys": " stdin ",
	"secrets": "", "getpass": "", "socket": "",
}

// randoms are the functions of module random that people import.
const randoms = " random randint randrange choice choices shuffle sample uniform gauss seed "

// A doubter looks for what makes a program's behaviour one that cannot be compared.
type doubter struct {
	imported map[string]string // name: the module, or module.name
	mine     names             // what the program itself calls so
	found    string
	seeded   bool
}

// doubt returns why what a program does cannot be compared: it asks a person, a
// clock, chance or the machine. "" if it does not.
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

// bind takes what a node binds.
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
			list := clocks[n.Module]
			if n.Module == "random" {
				list = randoms
			}
			for _, name := range strings.Fields(list) {
				d.imported[name] = n.Module + "." + name
			}
		}
	}
}

// read takes what a node reads.
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

// reach takes that something of a module is used.
func (d *doubter) reach(module, name string) {
	switch list, known := clocks[module]; {
	case known && (list == "" || strings.Contains(list, " "+name+" ")):
		d.found = module + "." + name
	case module == "random" && (name == "seed" || name == "Random"):
		d.seeded = true
	case module == "random":
		d.found = cmp.Or(d.found, "random")
	}
}
