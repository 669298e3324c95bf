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
	return slices.Sorted(maps.Keys(found))
}

// compiledStandIns returns an expression for the compiled code of the stand-ins. Compiling
// takes ten times as long as a small program, so it is done once for each task.
func compiledStandIns(ctx context.Context, engine Engine) (string, error) {
	const compiled = "compile(r\"\"\"%s\"\"\", '<stand-ins>', 'exec')"
	text := fmt.Sprintf(compiled, standInsText)
	r, err := engine.Run(ctx, sandbox.Program{Source: "import marshal\n", Calls: []sandbox.Call{{Expr: "marshal.dumps(" + text + ")"}}, Budget: programBudget, Keep: true})
	if err != nil {
		return "", err
	}
	if len(r.Calls) == 1 && r.Calls[0].End == sandbox.Done && r.Calls[0].Value.Kind == sandbox.Bytes {
		text = fmt.Sprintf("__import__('marshal').loads(bytes.fromhex('%x'))", r.Calls[0].Value.Str)
	}
	return text, nil
}

// program returns the program that makes the stand-ins from their code. seed determines their
// truth values.
func (c *cast) program(code string, seed uint64) string {
	set := func(s names) string {
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(s)) {
			fmt.Fprintf(&b, "'%s', ", name) // of letters and dots
		}
		return "(" + b.String() + ")"
	}
	return fmt.Sprintf("exec(%s, {'__name__': 'stand-ins', 'SEED': %d, 'MISSING': %s, 'ERRORS': %s, 'INHERITED': %s, 'STAR': %s, 'SPECIAL': %s, 'METACLASS': %s})\n",
		code, seed, set(c.modules), set(c.errors), set(c.inherited), set(c.star), set(c.special), map[bool]string{true: "True", false: "False"}[c.metaclass])
}

// findMissing asks the sandbox which modules it lacks.
func findMissing(ctx context.Context, engine Engine, list []symbols.Import) (names, error) {
	var asked []string
	for _, i := range list {
		if i.Level > 0 || symbols.Importable(i.Module, "") {
			continue
		}
		for _, name := range prefixes(i.Module) {
			if !slices.Contains(asked, name) {
				asked = append(asked, name)
			}
		}
	}
	missing := names{}
	if len(asked) == 0 {
		return missing, nil
	}
	program := sandbox.Program{Source: "import importlib\n\n\ndef lacks(name):\n    try:\n        importlib.import_module(name)\n    except ImportError:\n        return True\n    return False\n",
		Budget: programBudget, Keep: true}
	for _, name := range asked {
		program.Calls = append(program.Calls, sandbox.Call{Expr: fmt.Sprintf("lacks('%s')", name)})
	}
	r, err := engine.Run(ctx, program)
	if err != nil {
		return nil, err
	}
	for i := range r.Calls {
		if v := &r.Calls[i].Value; r.Calls[i].End == sandbox.Done && v.Kind == sandbox.Bool && v.Int.Sign() > 0 {
			missing[asked[i]] = true
		}
	}
	return missing, nil
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

// castOf returns what must be played for programs, and also what may be played: modules that
// they try to import but can do without. Both are nil if there is nothing to play.
func castOf(ctx context.Context, engine Engine, programs []*module) (needed, all *cast, err error) {
	var list []symbols.Import
	for _, m := range programs {
		list = append(list, m.names().Imports...)
	}
	missing, err := findMissing(ctx, engine, list)
	if err != nil {
		return nil, nil, err
	}
	for _, i := range list {
		if i.Level == 0 && !slices.ContainsFunc(prefixes(i.Module), func(name string) bool { return missing[name] }) {
			continue
		}
		if all == nil {
			all = newCast(programs)
		}
		all.add(i, missing)
		if i.Tried {
			continue
		}
		if needed == nil {
			needed = newCast(programs)
		}
		needed.add(i, missing)
	}
	return needed, all, nil
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
	code, err := compiledStandIns(ctx, engine)
	if err != nil {
		return err
	}
	sum := fnv.New64a()
	sum.Write([]byte(p.task.ID))
	p.engine = playing{engine, c.program(code, sum.Sum64()^p.seed)}
	p.played = c.names()
	return nil
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
		if m, ok := parse(source); ok {
			programs = append(programs, m)
		}
	}
	var needed, all *cast
	if !o.NoStandIns {
		var err error
		if needed, all, err = castOf(ctx, p.engine, programs); err != nil {
			return err
		}
	}
	engine := p.engine
	if needed != nil {
		if err := p.play(ctx, engine, needed); err != nil {
			return err
		}
	}
	if err := p.chooseReference(ctx); err != nil || p.reference != nil || all == nil {
		return err
	}
	p.unknown = nil
	if err := p.play(ctx, engine, all); err != nil {
		return err
	}
	return p.chooseReference(ctx)
}
