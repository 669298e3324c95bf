package behaviour

import (
	"cmp"
	"strings"

	"codelinter/ast"
	symbols "codelinter/internal/equiv/scope"
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
	each(m.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Raise:
			r := raise{first: file.Row(n.Start), last: file.Row(n.End)}
			switch e := n.Exc.(type) {
			case *ast.Call:
				r.name = ast.LastName(e.Func)
			case nil:
			default:
				r.name = ast.LastName(e)
			}
			m.raises = append(m.raises, r)
		case *ast.Assert:
			m.raises = append(m.raises, raise{file.Row(n.Start), file.Row(n.End), "AssertionError"})
		}
		return true
	})
	m.doubt = doubt(m.names())
	return m, true
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
		"random": " random randint randrange choice choices shuffle sample uniform gauss seed ",
	}
}}

// doubt returns why a program's behaviour cannot be compared, or "": it reads
// input, a clock, random numbers or the machine.
func doubt(table *symbols.Table) string {
	imports := map[int32][]*symbols.Import{} // by symbol; of all names at -1
	for i := range table.Imports {
		if imported := &table.Imports[i]; imported.Symbol >= 0 || imported.Name == "*" {
			imports[imported.Symbol] = append(imports[imported.Symbol], imported)
		}
	}
	found, seeded := "", false
	reach := func(module, name string) {
		module = symbols.ModuleRoot(module)
		switch list, known := clocks.Get()[module]; {
		case module == "random" && (name == "seed" || name == "Random"):
			seeded = true
		case module == "random":
			found = cmp.Or(found, module)
		case known && (list == "" || strings.Contains(list, " "+name+" ")):
			found = module + "." + name
		}
	}
	for i := range table.Uses {
		u := &table.Uses[i]
		at, text := table.Resolve(u.Scope, u.Name), table.Names[u.Name].Text
		if at < 0 && (text == "input" || text == "open") {
			found = text
		}
		for _, imported := range imports[at] {
			if imported.Name != "" && imported.Name != "*" {
				reach(imported.Module, imported.Name)
			} else if imported.Name == "*" && strings.Contains(clocks.Get()[imported.Module], " "+text+" ") {
				reach(imported.Module, text)
			}
		}
	}
	for i := range table.Reads {
		read := &table.Reads[i]
		for _, imported := range imports[table.Resolve(read.Scope, read.Root)] {
			reach(imported.Module, table.Names[read.Attribute].Text)
			if read.Next >= 0 {
				reach(imported.Module, table.Names[read.Next].Text)
			}
		}
	}
	if found == "random" && seeded {
		return ""
	}
	return found
}
