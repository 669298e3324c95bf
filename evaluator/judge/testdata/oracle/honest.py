"""honest.py: edits of a program's tree that keep what it does, as a person or a model makes them while mending style.

Whether an edit kept the logic of a given program is for native CPython to say (families.py).
"""
import ast
import copy


def edits(program, entry, tests, rng):
    """Yield (kind, text) for each edit that changes the program, and for some edits one after another."""
    for name, edit in EDITS.items():
        if text := applied(program, entry, tests, [edit]):
            yield name, text
    several = rng.sample(list(EDITS.values()), 4)
    if text := applied(program, entry, tests, several):
        yield 'several edits', text


def applied(program, entry, tests, several):
    tree = ast.parse(program)
    before = ast.dump(tree)
    for edit in several:
        edit(tree, entry, tests)
    ast.fix_missing_locations(tree)
    return ast.unparse(tree) + '\n' if ast.dump(tree) != before else ''


def functions(tree):
    """Return the functions that hold no others, by which a local name is one variable."""
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Global, ast.Nonlocal)
    return [f for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) and not any(isinstance(n, inner) for n in ast.walk(f) if n is not f)]


def named(node, kind):
    return [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, kind)]


def parameters(function):
    of = function.args
    return [a.arg for a in (*of.posonlyargs, *of.args, *of.kwonlyargs, *filter(None, (of.vararg, of.kwarg)))]


def bodies(tree):
    """Yield each list of statements."""
    for node in ast.walk(tree):
        for field in 'body', 'orelse', 'finalbody':
            if isinstance(of := getattr(node, field, None), list):
                yield of


def fresh(function, name):
    """Return a name like another that the function does not use."""
    used = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)} | set(parameters(function))
    while name in used:
        name += '_value'
    return name


def rename_locals(tree, entry, tests):
    for f in functions(tree):
        names = sorted(set(named(f, ast.Store)) - set(parameters(f)))
        new = {name: fresh(f, name + '_value') for name in names}
        for n in ast.walk(f):
            if isinstance(n, ast.Name):
                n.id = new.get(n.id, n.id)


def type_hints(tree, entry, tests):
    for f in functions(tree):
        f.returns = f.returns or ast.Name('object', ast.Load())
        for a in f.args.args:
            a.annotation = a.annotation or ast.Name('object', ast.Load())


def docstrings(tree, entry, tests):
    for f in functions(tree):
        if not ast.get_docstring(f):
            f.body.insert(0, ast.Expr(ast.Constant(f'Compute {f.name.replace("_", " ")}.')))


def loop_to_comprehension(tree, entry, tests):
    """x = []; for a in b: x.append(c)  becomes  x = [c for a in b], with an "if" too."""
    for body in bodies(tree):
        for i in range(len(body) - 1):
            first, loop = body[i:i + 2]
            match first, loop:
                case (ast.Assign([ast.Name(x)], ast.List([])), ast.For(target, source, [ast.Expr(ast.Call(ast.Attribute(ast.Name(y), 'append'), [item]))], [])) if x == y:
                    tests_of = []
                case (ast.Assign([ast.Name(x)], ast.List([])),
                      ast.For(target, source, [ast.If(test, [ast.Expr(ast.Call(ast.Attribute(ast.Name(y), 'append'), [item]))], [])], [])) if x == y:
                    tests_of = [test]
                case _:
                    continue
            if x not in named(loop.iter, ast.Load) + named(item, ast.Load):
                first.value = ast.ListComp(item, [ast.comprehension(target, source, tests_of, 0)])
                del body[i + 1]
                break


def comprehension_to_loop(tree, entry, tests):
    """return [c for a in b]  becomes a loop."""
    for f in functions(tree):
        for body in bodies(f):
            if body and isinstance(last := body[-1], ast.Return) and isinstance(last.value, ast.ListComp) and len(last.value.generators) == 1:
                name, of = fresh(f, 'items'), last.value.generators[0]
                inner = [ast.Expr(ast.Call(ast.Attribute(ast.Name(name, ast.Load()), 'append'), [last.value.elt], []))]
                for test in reversed(of.ifs):
                    inner = [ast.If(test, inner, [])]
                body[-1:] = [ast.Assign([ast.Name(name, ast.Store())], ast.List([])), ast.For(of.target, of.iter, inner, []), ast.Return(ast.Name(name, ast.Load()))]


def temporary(tree, entry, tests):
    """return a + b  becomes  result = a + b; return result."""
    for f in functions(tree):
        name = fresh(f, 'result')
        for body in bodies(f):
            if body and isinstance(last := body[-1], ast.Return) and last.value and not isinstance(last.value, (ast.Name, ast.Constant)):
                body[-1:] = [ast.Assign([ast.Name(name, ast.Store())], last.value), ast.Return(ast.Name(name, ast.Load()))]


def no_temporary(tree, entry, tests):
    for f in functions(tree):
        for body in bodies(f):
            match body[-2:]:
                case [ast.Assign([ast.Name(x)], value), ast.Return(ast.Name(y))] if x == y:
                    body[-2:] = [ast.Return(value)]


def ternary(tree, entry, tests):
    """if a: return b; else: return c  becomes  return b if a else c."""
    for body in bodies(tree):
        for i, s in enumerate(body):
            match s:
                case ast.If(test, [ast.Return(ast.expr() as a)], [ast.Return(ast.expr() as b)]):
                    body[i] = ast.Return(ast.IfExp(test, a, b))


def no_ternary(tree, entry, tests):
    for body in bodies(tree):
        for i, s in enumerate(body):
            match s:
                case ast.Return(ast.IfExp(test, a, b)):
                    body[i] = ast.If(test, [ast.Return(a)], [ast.Return(b)])


def else_dropped(tree, entry, tests):
    """An else after a return is dropped, and its statements follow."""
    for body in bodies(tree):
        for i, s in enumerate(body):
            if isinstance(s, ast.If) and s.orelse and isinstance(s.body[-1], (ast.Return, ast.Raise)):
                rest, s.orelse = s.orelse, []
                body[i + 1:i + 1] = rest
                break


def else_added(tree, entry, tests):
    for f in functions(tree):
        for i, s in enumerate(f.body[:-1]):
            if isinstance(s, ast.If) and not s.orelse and isinstance(s.body[-1], ast.Return):
                s.orelse = f.body[i + 1:]
                del f.body[i + 1:]
                break


def helper(tree, entry, tests):
    """The entry's body moves to a function of its own."""
    for i, f in enumerate(tree.body):
        if isinstance(f, ast.FunctionDef) and f.name == entry and not (f.args.vararg or f.args.kwarg or f.args.kwonlyargs or f.decorator_list):
            inner = copy.deepcopy(f)
            inner.name, inner.args.defaults = '_' + entry, []
            f.body = [ast.Return(ast.Call(ast.Name(inner.name, ast.Load()), [ast.Name(a, ast.Load()) for a in parameters(f)], []))]
            for n in ast.walk(inner):
                if isinstance(n, ast.Name) and n.id == entry:
                    return  # it calls itself
            tree.body.insert(i, inner)
            return


def augmented(tree, entry, tests):
    """n = n + 1  becomes  n += 1, and the other way round."""
    for body in bodies(tree):
        for i, s in enumerate(body):
            match s:
                case ast.Assign([ast.Name(x)], ast.BinOp(ast.Name(y), op, ast.Constant() as value)) if x == y:
                    body[i] = ast.AugAssign(ast.Name(x, ast.Store()), op, value)
                case ast.AugAssign(ast.Name(x), op, ast.Constant() as value):
                    body[i] = ast.Assign([ast.Name(x, ast.Store())], ast.BinOp(ast.Name(x, ast.Load()), op, value))


def for_to_while(tree, entry, tests):
    """for i in range(a, b): ...  becomes a while loop, where i is not assigned and nothing continues."""
    for f in functions(tree):
        for body in bodies(f):
            for i, s in enumerate(body):
                match s:
                    case ast.For(ast.Name(x), ast.Call(ast.Name('range'), [ast.Name() | ast.Constant()] | [ast.Name() | ast.Constant(), ast.Name() | ast.Constant()] as bounds, []), inner, []):
                        changed = [n for part in inner for n in named(part, ast.Store)]
                        end = bounds[-1].id if isinstance(bounds[-1], ast.Name) else ''
                        if x in changed or end in changed or any(isinstance(n, ast.Continue) for part in inner for n in ast.walk(part)):
                            continue
                        start = bounds[0] if len(bounds) == 2 else ast.Constant(0)
                        step = ast.AugAssign(ast.Name(x, ast.Store()), ast.Add(), ast.Constant(1))
                        loop = ast.While(ast.Compare(ast.Name(x, ast.Load()), [ast.Lt()], [bounds[-1]]), [*inner, step], [])
                        body[i:i + 1] = [ast.Assign([ast.Name(x, ast.Store())], start), loop]
                        break


def demo(tree, entry, tests):
    """The program shows one of its calls when it is run as a script."""
    for text in tests:
        match ast.parse(text).body:
            case [ast.Assert(ast.Compare(ast.Call(ast.Name(name)) as call))] if name == entry:
                shown = ast.Expr(ast.Call(ast.Name('print', ast.Load()), [call], []))
                tree.body.append(ast.If(ast.Compare(ast.Name('__name__', ast.Load()), [ast.Eq()], [ast.Constant('__main__')]), [shown], []))
                return


def negated(tree, entry, tests):
    """if a: b else: c  becomes  if not a: c else: b."""
    for body in bodies(tree):
        for s in body:
            if isinstance(s, ast.If) and s.orelse and not isinstance(s.orelse[0], ast.If):
                s.test, s.body, s.orelse = ast.UnaryOp(ast.Not(), s.test), s.orelse, s.body


EDITS = {
    'locals renamed': rename_locals, 'type hints': type_hints, 'docstrings': docstrings, 'loop to comprehension': loop_to_comprehension,
    'comprehension to loop': comprehension_to_loop, 'temporary variable': temporary, 'temporary variable removed': no_temporary, 'if to ternary': ternary,
    'ternary to if': no_ternary, 'else dropped': else_dropped, 'else added': else_added, 'helper': helper, 'augmented assignment': augmented,
    'for to while': for_to_while, 'demo': demo, 'condition negated': negated,
}
