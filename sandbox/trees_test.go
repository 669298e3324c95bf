package sandbox

import (
	"context"
	"os"
	"testing"
)

// trees compares the functions of _trees with those of ast and tokenize, whose results they are to
// have, over trees that were parsed, changed or broken.
const trees = `
import ast, bisect, io, re, token, tokenize, _trees

SOURCE = '''
import os, sys as system
from . import (a, b as c)
class A(B, metaclass=C):
    "doc"
    x: int = 1
    def f(self, /, a, *b, c=1, **d) -> None:
        global g
        with open("x") as f, g: pass
        return [i for i in (1, 2.0, 3j, b"x", ..., None, True) if not i]
async def wait(*args):
    try:
        await f"{x!r:>{width}} {y}"
    except* ValueError as e:
        raise e from None
    match x:
        case {"a": [1, *_], **rest} if rest: pass
        case Point(x=0) | None: del x[1:2, ::3]
lambda: (yield)
type Name[T: int, *Ts] = dict[T, Ts]
'''

def told(function, *args):
    """Returns what an iterator gives, and how it ends: at once, and when it is asked once more."""
    found = []
    try:
        iterator = function(*args)
        for item in iterator:
            found.append(item)
        ending = next(iterator, "ended")
    except BaseException as error:
        ending = type(error), str(error), next(iterator, "ended")
    return found, ending

def same(a, b):
    (a, a_end), (b, b_end) = a, b
    if a_end != b_end or len(a) != len(b):
        return False
    return all(x is y or type(x) is type(y) is tuple and x[0] == y[0] and x[1] is y[1] for x, y in zip(a, b))

class Odd(ast.AST):
    _fields = ("a", "missing", "b", "same")
    _attributes = ()

class Rude:
    _fields = ("x",)
    def __getattr__(self, name):
        raise ZeroDivisionError(name)

class Worded:
    _fields = "ab"
    a, b = 1, [ast.Pass(), 2, ast.Pass()]

def odd():
    node = Odd()
    node.a, node.b, node.same = [ast.Pass(), None, [ast.Pass()], 3], ast.Name("x", ast.Load()), (ast.Pass(),)
    return node

def check():
    tree = ast.parse(SOURCE)
    broken = ast.parse(SOURCE)
    del broken.body[0].names, broken.body[2].body
    broken.body[3] = "text"
    nodes = [*ast.walk(tree), broken, odd(), Rude(), Worded(), 3, None, [tree], ast.AST]
    wrong = [node for node in nodes for name in ("iter_fields", "iter_child_nodes", "walk")
             if not same(told(getattr(ast, name), node), told(getattr(_trees, name), node))]
    return len(nodes), wrong, [str(step) for step in lazily(ast) if step not in lazily(_trees)], tokens()

def lazily(module):
    """Returns what a walk meets that changes what it walks over."""
    steps = []
    for name in ("iter_child_nodes", "walk"):
        tree = ast.parse("a\nb\nc\nd\ne")
        for i, node in enumerate(getattr(module, name)(tree)):
            steps.append((name, i, ast.dump(node)))
            if i == 1:
                del tree.body[0]
                tree.body.append(ast.Pass())
                tree.body[1].value = ast.Constant(5)
    call = ast.parse("f(a, b, c)").body[0].value
    for i, node in enumerate(module.iter_fields(call)):
        steps.append(ast.dump(node[1]) if isinstance(node[1], ast.AST) else len(node[1]))
        call.keywords = [1, 2, 3]
    return steps

class Visitors:
    """Classes that visit nodes, and log them: each uses NodeVisitor in another way."""

    def __init__(self, base):
        self.log = log = []

        class Every(base):
            def visit(self, node):
                log.append(type(node).__name__)
                return super().visit(node)

        class Below(base):
            def generic_visit(self, node):
                log.append(type(node).__name__)
                super().generic_visit(node)

        class Some(base):
            def visit_Name(self, node):
                log.append(node.id)
                self.generic_visit(node)
            def visit_FunctionDef(self, node):
                log.append([self.visit(child) for child in node.body])
                return node.name
            def visit_Import(self, node):
                raise KeyError(node.lineno)

        class Constants(base):
            def visit_Constant(self, node):
                log.append(repr(node.value))
                return super().visit_Constant(node)

        class Older(base):
            def visit_Str(self, node):
                log.append(node.value)
            def visit_NameConstant(self, node):
                log.append(node.value)

        class OfInstance(base):
            def __init__(self):
                self.visit_Name = lambda node: log.append(node.id)
                self.visit_Assign, self.visit_Constant = self.generic_visit, self.other
            def other(self, node):
                log.append(type(node))
                base.visit_Constant(self, node)

        class Shadowed(base):
            def __init__(self):
                self.generic_visit = lambda node: log.append(node) or base.generic_visit(self, node)

        class ByName(base):
            def __getattribute__(self, name):
                if name.startswith("visit_"):
                    log.append(name)
                return super().__getattribute__(name)
            @property
            def visit_Attribute(self):
                raise AttributeError

        class Static(base):
            visit_Call = base.generic_visit
            @staticmethod
            def visit_arg(node):
                log.append(node.arg)

        class Changing(base):
            def visit_FunctionDef(self, node):
                node.body = node.body[:1]
                self.generic_visit(node)
            def visit_Name(self, node):
                log.append(node.id)
                node.ctx = ast.Del()
                self.generic_visit(node)
            def visit_Del(self, node):
                log.append("del")

        self.all = [Every, Below, Some, Constants, Older, OfInstance, Shadowed, ByName, Static, Changing]

    def told(self, visitor, tree):
        self.log.clear()
        try:
            ending = visitor().visit(tree)
        except (KeyError, RecursionError) as error:
            ending = type(error), str(error)
        return [*map(str, self.log)], ending

def visitors():
    """Compares NodeVisitor with one that walks in C, and in how deep a tree each of them fails."""
    import sys
    visitors, names = {}, {kind: "visit_" + name for kind, name in ast._const_node_type_names.items()}

    class Quick(ast.NodeVisitor):
        def visit(self, node):
            visitor = getattr(self, "visit_" + node.__class__.__name__, None)
            return visitor(node) if visitor else self.generic_visit(node)
        def generic_visit(self, node):
            _trees.visit_below(self, node)
        def visit_Constant(self, node):
            return ast.NodeVisitor.visit_Constant(self, node)

    class Plain(ast.NodeVisitor):
        pass

    _trees.visitors(Quick.visit, Quick.generic_visit, Quick.visit_Constant, visitors, names)
    plain, quick, wrong, events = Visitors(Plain), Visitors(Quick), [], 0
    for a, b in zip(plain.all, quick.all):
        for text in SOURCE, "import a\n", "(1).a", "f(x)(y)":
            wanted, found = plain.told(a, ast.parse(text)), quick.told(b, ast.parse(text))
            events += len(wanted[0])
            if re.sub("0x[0-9a-f]+", "", str(wanted)) != re.sub("0x[0-9a-f]+", "", str(found)):
                wrong.append((a.__name__, text))
    def deepest(told, visitor):
        return bisect.bisect_left(range(600), True, key=lambda n: bool(told(visitor, ast.parse("+".join("a" * (n + 1))))[1]))
    depths = [(deepest(plain.told, a), deepest(quick.told, b)) for a, b in zip(plain.all[:3], quick.all[:3])]
    return events > 500, wrong, [a == b < 600 for a, b in depths]

def tokens():
    def slow(readline):
        return [tokenize.TokenInfo._make(tuple(t)) for t in tokenize.generate_tokens(readline)]
    def quick(readline):
        return list(_trees.convert(tokenize._tokenize.TokenizerIter(readline, extra_tokens=True), tokenize.TokenInfo))
    a, b = slow(io.StringIO(SOURCE).readline), quick(io.StringIO(SOURCE).readline)
    return a == b and {type(t) for t in b} == {tokenize.TokenInfo} and len(b) > 200 and b[5].exact_type == a[5].exact_type

def many():
    """Makes and drops iterators that are not at their end."""
    tree = ast.parse(SOURCE)
    for i in range(20000):
        for name in ("iter_fields", "iter_child_nodes", "walk"):
            iterator = getattr(_trees, name)(tree)
            next(iterator), next(iterator)
    import gc, sys
    del iterator
    gc.collect()
    return sys.getrefcount(tree), sys.getrefcount(tree.body)
`

func TestTrees(t *testing.T) {
	if Version(CPython) == "" {
		t.Skip("there is no CPython in this binary")
	}
	s, err := Save(context.Background(), Options{}, t.Name(), func() (Program, error) {
		return Program{Source: trees, Machine: &Machine{}}, nil
	})
	if err != nil || s.Result.End != Done {
		t.Fatalf("%v, %+v", err, s)
	}
	t.Cleanup(func() {
		os.RemoveAll(s.entry)
		s.Close()
	})
	p := resume(t, s)
	if got := ask(t, p, "check()", nil); got != "(151, [], [], True)" {
		t.Error(got)
	}
	if got := ask(t, p, "visitors()", nil); got != "(True, [], [True, True, True])" {
		t.Error(got)
	}
	if got := ask(t, p, "many()", nil); got != "(2, 2)" {
		t.Error(got)
	}
}

// No other program has the module, with a machine or without one.
func TestTreesAreHidden(t *testing.T) {
	const source = `
import gc, importlib.util, _imp, sys
found = [name for name in ("_trees",) if name in sys.modules or name in sys.builtin_module_names or importlib.util.find_spec(name) or _imp.is_builtin(name)]
found += [o for o in gc.get_objects() if "_trees" in (getattr(o, "__name__", ""), getattr(o, "__module__", ""))]
found += [c for c in object.__subclasses__() if c.__name__ == "generator" and c is not type(i for i in ())]
for load in __import__, importlib.import_module:
    try:
        found.append(load("_trees"))
    except ModuleNotFoundError:
        pass
if found:
    raise ValueError(found)
`
	p := machinePool(t)
	for _, machine := range []*Machine{nil, {}} {
		if r := run(t, p, Program{Source: source, Machine: machine}); r.End != Done {
			t.Errorf("%+v", r)
		}
	}
}
