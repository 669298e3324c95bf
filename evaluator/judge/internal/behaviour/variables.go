package behaviour

import (
	"fmt"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/evaluator"
	"codelinter/sandbox"
)

// The state after the calls is compared too: the variables of the module, whatever
// changed them, and the attributes of its classes and functions. They are read when
// the module has run and again after the calls.
//
//	STOCK = {}
//
//
//	def sell(name, n):
//	    STOCK[name] -= n
//	    return n
//
// A variable that the calls change is state, and an answer must have it. An unchanged
// variable is a constant: an answer may rename or drop it. Other steps compare the
// declarations of classes, and which objects the results of calls share with
// arguments and variables.

// A standing is the kind of an answer's step, which decides how it is compared.
type standing uint8

const (
	ofCall     standing = iota // the result of a call
	ofConstant                 // a variable that the answer may lack
	ofState                    // a variable that the answer must have
	ofClass                    // declarations of a class or a decorated function
	ofSharing                  // the objects that a call's result shares
	ofRaised                   // the contents of an exception
)

// maxVariables bounds the variables and classes that are read.
const maxVariables = 60

// variableSteps returns the steps that read a program's variables and attributes: also those that
// functions bind by global, or set on a function.
func variableSteps(m *module) (steps []step) {
	functions, table := definitions(m.body), m.names()
	found := names{}
	for i := range table.Symbols {
		s := &table.Symbols[i]
		name := table.Names[s.Name].Text
		if s.Scope == 0 && s.Stores > s.Imports && functions[name] == nil && !m.classes[name] && !renamedByFindings(name) && name != "__all__" && name != deferral {
			found[name] = true
		}
	}
	list := sortedKeys(found)
	for _, s := range m.body {
		if class, is := s.(*ast.ClassDef); is && !renamedByFindings(class.Name) {
			list = append(list, fmt.Sprintf(classAttributes, class.Name))
		}
	}
	clear(found)
	for i := range table.Stores {
		root, attribute := table.Names[table.Stores[i].Root].Text, table.Names[table.Stores[i].Attribute].Text
		if functions[root] != nil && !renamedByFindings(attribute) {
			found[root+"."+attribute] = true
		}
	}
	list = append(list, sortedKeys(found)...)
	for _, expr := range list[:min(len(list), maxVariables)] {
		steps = append(steps, step{expr: expr, shown: expr, standing: ofConstant})
	}
	return steps
}

// classAttributes is an expression for a class's attributes without its methods, with
// a place for the class.
const classAttributes = "{k: v for k, v in vars(%s).items() if k[:2] != '__' and k not in 'lOI' and not callable(v) and not isinstance(v, (staticmethod, classmethod, property))}"

// renamedByFindings reports whether E741 forbids the name.
func renamedByFindings(name string) bool { return name == "l" || name == "O" || name == "I" }

// declarationSteps returns steps that read the declarations of each class: its bases,
// the kinds of its methods and its fields. Others read what decorators made of
// functions. No call shows that frozen=True was removed, and few show that @property
// was.
func declarationSteps(m *module) []step {
	var steps []step
	add := func(name, expr string) {
		if !renamedByFindings(name) && len(steps) < maxVariables {
			steps = append(steps, step{expr: expr, shown: name, standing: ofClass})
		}
	}
	for _, s := range m.body {
		switch s := s.(type) {
		case *ast.ClassDef:
			var kinds []string
			for _, inner := range s.Body {
				if f, is := inner.(*ast.FunctionDef); is && !strings.HasPrefix(f.Name, "_") && !renamedByFindings(f.Name) {
					kinds = append(kinds, fmt.Sprintf("%q: type(%s.__dict__.get(%q)).__name__", f.Name, s.Name, f.Name))
				}
			}
			add(s.Name, fmt.Sprintf(classFacts, s.Name, strings.Join(kinds, ", ")))
		case *ast.FunctionDef:
			if len(s.DecoratorList) > 0 {
				add(s.Name, fmt.Sprintf("(type(%[1]s).__name__, getattr(%[1]s, '__name__', ''))", s.Name))
			}
		case *ast.Assign:
			name, is := s.Targets[0].(*ast.Name)
			if call, calls := s.Value.(*ast.Call); is && calls && strings.EqualFold(ast.CalledName(call), "namedtuple") {
				add(name.ID, fmt.Sprintf("(%[1]s._fields, %[1]s._field_defaults)", name.ID))
			}
		}
	}
	return steps
}

// classFacts is an expression for the declarations of a class, with places for the
// class and the kinds of its methods.
const classFacts = "([base.__name__ for base in %[1]s.__mro__[1:]], {%[2]s}, %[1]s.__hash__ is None, '__slots__' in %[1]s.__dict__, " +
	"sorted(getattr(%[1]s, '__abstractmethods__', ())), [*getattr(%[1]s, '__members__', ())], getattr(%[1]s, '_fields', 0), getattr(%[1]s, '_field_defaults', 0), " +
	"str(getattr(%[1]s, '__dataclass_params__', 0)), [(f.init, f.repr, f.hash, f.compare, f.kw_only) for f in getattr(%[1]s, '__dataclass_fields__', {}).values()])"

// sharedCalls bounds the calls of one function whose sharing is compared.
const sharedCalls = 2

// sharingSteps returns steps that make a call twice and report which objects the two
// results share with each other, with the arguments and with the variables that after
// reads:
//
//	def base():
//	    return list(BASE)
func sharingSteps(chosen []*probe, after []step) []step {
	var held []string
	for _, s := range after {
		if s.standing == ofConstant && !strings.ContainsAny(s.expr, "{.") {
			held = append(held, s.expr)
		}
	}
	var steps []step
	made := map[string]int{}
	for _, p := range chosen {
		if len(p.parts) != 1 || !p.parts[0].call || p.parts[0].receiver != nil || made[p.callee] == sharedCalls {
			continue
		}
		made[p.callee]++
		s := p.steps()[0]
		what := slices.Clone(held)
		for _, b := range s.bind {
			what = append(what, b.Name)
		}
		s.expr = fmt.Sprintf("(lambda first, second, *held: (first, second, held, [first is one and isinstance(first, (list, dict, set, bytearray)) for one in (second, *held)]))(%s, %s)",
			s.expr, strings.Join(append([]string{s.expr}, what...), ", "))
		s.given, s.bind = slices.Concat(s.given, s.bind), nil
		s.standing = ofSharing
		steps = append(steps, s)
	}
	return steps
}

// raisedCalls bounds the exceptions with the same text that are compared in depth.
const raisedCalls = 2

// raisedSteps returns steps that read the exceptions raised on purpose: their
// arguments, attributes and causes.
func (s *session) raisedSteps() []step {
	var steps []step
	made := map[string]int{}
	for i := range s.want {
		want, of := &s.want[i], &s.steps[i]
		if want.End != sandbox.Raised || !want.binding || want.anything || of.standing != ofCall || of.exec != "" || made[want.Exception.Type] == raisedCalls {
			continue
		}
		made[want.Exception.Type]++
		steps = append(steps, step{
			exec: "try:\n    __raised__ = (" + of.shown + ")\n" +
				"except BaseException as __error__:\n" +
				"    __raised__ = (__error__.args, {k: v for k, v in vars(__error__).items() if k not in 'lOI'}, type(__error__.__cause__).__name__, __error__.__suppress_context__)\n",
			expr: "__raised__", shown: of.shown, standing: ofRaised, odd: of.odd, unlike: of.unlike, strange: of.strange,
		})
	}
	return steps
}

// findState marks the variables that the calls of the first session change as state,
// there and in other steps. The session reads each before the calls and after them.
func (s *session) findState(others []step) {
	first, changed := map[string]*expectation{}, names{}
	for i := range s.want {
		want, of := &s.want[i], &s.steps[i]
		switch was := first[of.expr]; {
		case of.standing != ofConstant:
		case was == nil:
			first[of.expr] = want
		case want.End == sandbox.Done && (was.End == sandbox.Raised || was.End == sandbox.Done && !same(&was.Value, &want.Value, nil)):
			changed[of.expr] = true
		}
	}
	for _, list := range [][]step{s.steps, others} {
		for i := range list {
			if list[i].standing == ofConstant && changed[list[i].expr] {
				list[i].standing = ofState
			}
		}
	}
}

// forgives returns the verdict for a step with a difference: v, or another if the
// answer may lack what the step reads, or has other hints in its variables.
func (s *step) forgives(v Verdict, want, got *sandbox.Outcome, renamed *renaming) Verdict {
	lacks := got.End == sandbox.Raised && (got.Exception.Type == "NameError" || got.Exception.Type == "AttributeError")
	switch s.standing {
	case ofConstant, ofSharing:
		if lacks || want.End == got.End && sameButHints(&want.Value, &got.Value, renamed) {
			return Verdict{Outcome: evaluator.Pass}
		}
	case ofState:
		if lacks {
			return unknown("state", "the program's calls change %s, and the answer has no such variable", s.shown)
		}
	case ofRaised:
		v.Reasons[0].Name = "exception"
	case ofClass:
		return fail("declaration", 0, "%s is declared otherwise", s.shown)
	}
	return v
}
