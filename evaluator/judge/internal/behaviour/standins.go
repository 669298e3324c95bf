package behaviour

import (
	"context"
	_ "embed"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/evaluator"
	symbols "codelinter/internal/equiv/scope"
	"codelinter/sandbox"
)

// Missing modules are played: a program that imports modules which the sandbox lacks, or
// modules beside its own file, runs with stand-ins for them. A stand-in has every attribute
// and accepts every call; standins.py records what is done to it. An answer must do the same,
// in the same order.
//
//	import numpy                        "#1 = numpy.sort(list(3, 1))"
//	def f(a):                           "bool #1: True"
//	    return numpy.sort(a) or None
//
// A module that the program does not import is not played: an answer that imports it
// stays unknown.

//go:embed standins.py
var standInsText string

// A cast is what is played in a task.
type cast struct {
	modules   names // missing modules
	relative  bool  // also modules beside the program
	errors    names // names of exceptions that are caught or raised
	inherited names // methods that are called by super()
	star      names // names that may come from a star import
	special   names // special names that are read
	metaclass bool  // a class of the program has a metaclass, so stand-ins must not have another
}

// names returns the played modules for people: the first parts of their names, and "." for
// modules beside the program.
func (c *cast) names() []string {
	found := names{}
	for module := range c.modules {
		first, _, _ := strings.Cut(module, ".")
		found[first] = true
	}
	if c.relative {
		found["."] = true
	}
	return sortedKeys(found)
}

// program returns the program that makes the stand-ins. Compiling them takes ten times as long as a
// small program, so it is done once for each task. seed determines their truth values.
func (c *cast) program(ctx context.Context, engine Engine, seed uint64) (string, error) {
	compile := sandbox.Call{Expr: "marshal.dumps(compile(r\"\"\"" + standInsText + "\"\"\", '<stand-ins>', 'exec'))"}
	r, err := engine.Run(ctx, sandbox.Program{Source: "import marshal\n", Calls: []sandbox.Call{compile}, Budget: programBudget, Keep: true})
	if err != nil || len(r.Calls) == 0 {
		return "", err
	}
	words := func(s names) string { return strings.Join(sortedKeys(s), " ") }
	return fmt.Sprintf("exec(__import__('marshal').loads(bytes.fromhex('%x')), dict(__name__='stand-ins', SEED=%d, METACLASS=%d, MISSING=%q.split(), "+
		"ERRORS=%q.split(), INHERITED=%q.split(), STAR=%q.split(), SPECIAL=%q.split()))\n", r.Calls[0].Value.Str, seed, map[bool]int{true: 1}[c.metaclass],
		words(c.modules), words(c.errors), words(c.inherited), words(c.star), words(c.special)), nil
}

// findMissing asks the sandbox which modules it lacks.
func findMissing(ctx context.Context, engine Engine, programs []*module) (names, error) {
	program := sandbox.Program{Source: "def lacks(name):\n    try:\n        __import__(name)\n    except ImportError:\n        return True\n", Budget: programBudget, Keep: true}
	asked, missing := names{}, names{}
	for _, m := range programs {
		for _, i := range m.names().Imports {
			if i.Level > 0 || symbols.Importable(i.Module, "") {
				continue
			}
			for _, name := range prefixes(i.Module) {
				asked[name] = true
			}
		}
	}
	if len(asked) == 0 {
		return missing, nil
	}
	for _, name := range sortedKeys(asked) {
		program.Calls = append(program.Calls, sandbox.Call{Expr: fmt.Sprintf("lacks('%s')", name)})
	}
	r, err := engine.Run(ctx, program)
	for i, name := range sortedKeys(asked)[:len(r.Calls)] {
		if r.Calls[i].Value.Kind == sandbox.Bool {
			missing[name] = true
		}
	}
	return missing, err
}

// prefixes returns a, a.b and a.b.c for a.b.c.
func prefixes(module string) []string {
	var list []string
	for at := range module {
		if module[at] == '.' {
			list = append(list, module[:at])
		}
	}
	return append(list, module)
}

// castOf returns what must be played for programs or, with tried, what may be played as well: modules that
// they try to import but can do without. It is nil if there is nothing to play.
func castOf(programs []*module, missing names, tried bool) *cast {
	var c *cast
	for _, m := range programs {
		for _, i := range m.names().Imports {
			if i.Tried && !tried || i.Level == 0 && !slices.ContainsFunc(prefixes(i.Module), func(name string) bool { return missing[name] }) {
				continue
			}
			if c == nil {
				c = newCast(programs)
			}
			c.add(i, missing)
		}
	}
	return c
}

func (c *cast) add(i symbols.Import, missing names) {
	if i.Level > 0 {
		c.relative = true
		return
	}
	for _, name := range prefixes(i.Module) {
		if missing[name] {
			c.modules[name] = true
			return // with its submodules
		}
	}
}

// newCast collects what stand-ins must know of programs.
func newCast(programs []*module) *cast {
	c := &cast{modules: names{}, errors: names{}, inherited: names{}, star: names{}, special: names{}}
	for _, m := range programs {
		table := m.names()
		from := names{} // of from imports
		for _, i := range table.Imports {
			from[i.Name] = true
			c.addSpecial(append(strings.Split(i.Module, "."), i.Name)...)
		}
		for _, name := range table.Names {
			if name.Sought >= 0 {
				c.addSpecial(name.Text)
			}
			if table.Facts.Star && name.Builtin >= 0 {
				c.star[name.Text] = true
			}
		}
		each(m.body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ExceptHandler:
				c.addErrors(from, caughtBy(n)...)
			case *ast.Raise:
				c.addErrors(from, n.Exc)
			case *ast.ClassDef:
				c.metaclass = c.metaclass || slices.ContainsFunc(n.Keywords, func(k *ast.Keyword) bool { return k.Arg == "metaclass" })
			case *ast.Attribute:
				if call, is := n.Value.(*ast.Call); is && ast.CalledName(call) == "super" {
					c.inherited[n.Attr] = true
				}
			}
			return true
		})
	}
	maps.DeleteFunc(c.inherited, func(name string, _ bool) bool {
		switch name {
		case "__init__", "__new__", "__init_subclass__", "__getattr__":
			return true
		}
		return strings.HasPrefix(name, "__") && !strings.HasSuffix(name, "__")
	})
	return c
}

// addErrors adds the exceptions that are caught or raised, of modules or imported from them.
func (c *cast) addErrors(from names, list ...ast.Expr) {
	for _, e := range list {
		if call, is := e.(*ast.Call); is {
			e = call.Func
		}
		if name := lastName(e); e != nil && (e.Kind() == ast.KindAttribute || from[name]) { // from requests import Timeout
			c.errors[name] = true
		}
	}
}

// addSpecial adds the special names of a list.
func (c *cast) addSpecial(list ...string) {
	for _, name := range list {
		if strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__") {
			c.special[name] = true
		}
	}
}

// A playing is an engine that runs programs with stand-ins.
type playing struct {
	Engine
	before string
}

func (e playing) Run(ctx context.Context, program sandbox.Program) (sandbox.Result, error) {
	program.Before = e.before + program.Before
	return e.Engine.Run(ctx, program)
}

// play makes the plan's programs run with stand-ins from now on.
func (p *Plan) play(ctx context.Context, engine Engine, c *cast) error {
	sum := fnv.New64a()
	sum.Write([]byte(p.task.ID))
	before, err := c.program(ctx, engine, sum.Sum64()^p.seed)
	p.engine = playing{engine, before}
	p.played = c.names()
	return err
}

// recordingSteps returns the step that reads the stand-ins' record.
func (p *Plan) recordingSteps() []step {
	if len(p.played) == 0 {
		return nil
	}
	return []step{{expr: `__builtins__.__import__("stand-ins")`, shown: "what is done to " + strings.Join(p.played, ", "), recording: true}}
}

// compareRecordings compares an answer's record of a session with the program's.
func (p *Plan) compareRecordings(s *session, r *sandbox.Result) Verdict {
	pass := Verdict{Outcome: evaluator.Pass}
	last := len(s.want) - 1
	if len(p.played) == 0 || last < 0 || last >= len(r.Calls) || s.others || !s.steps[last].recording || !s.want[last].binding || r.Calls[last].End != sandbox.Done {
		return pass
	}
	want, got := &s.want[last].Value, &r.Calls[last].Value
	if want.Kind != sandbox.List || got.Kind != sandbox.List {
		return unknown("stand-ins", "more is done to %s than can be compared", strings.Join(p.played, ", "))
	}
	at := func(v *sandbox.Value, i int) string {
		if i < len(v.Items) {
			return v.Items[i].Str
		}
		return "nothing more"
	}
	for i := range max(len(want.Items), len(got.Items)) {
		if w, g := at(want, i), at(got, i); w != g {
			return fail("stand-ins", 0, "of %s it asks %s, the program %s", strings.Join(p.played, ", "), clip(g), clip(w))
		}
	}
	return pass
}

// chooseCast chooses the reference and what is played for it: what the program needs or, if
// it does not run then, everything that is missing.
func (p *Plan) chooseCast(ctx context.Context, o Options) error {
	var programs []*module
	for _, source := range []string{p.task.Program, p.task.Canonical} {
		if m, ok := parse(source); ok && !o.NoStandIns {
			programs = append(programs, m)
		}
	}
	missing, err := findMissing(ctx, p.engine, programs)
	if err != nil {
		return err
	}
	engine := p.engine
	for _, tried := range []bool{false, true} {
		c := castOf(programs, missing, tried)
		if tried && (c == nil || p.reference != nil) {
			break
		}
		if c != nil {
			err = p.play(ctx, engine, c)
		}
		p.unknown = nil
		if err == nil {
			err = p.chooseReference(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
