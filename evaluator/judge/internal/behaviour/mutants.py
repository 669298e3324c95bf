"""Writes a program with all its mutants, and runs them: (a < b if switch__(3) else a <= b). switch__(3) is false in the third mutant only."""
import ast
import builtins
import copy
import io
import itertools
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Result = tuple[object, str, list[object]]  # of a call: what it gave, what it printed, what it left of the state

OPERATORS: 'dict[type[ast.AST], type[ast.AST]]' = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.And: ast.Or, ast.Or: ast.And,
}
NAMES = dict(
    append='extend', lower='upper', upper='lower', add='discard', startswith='endswith', lstrip='rstrip', appendleft='append',
    popleft='pop', keys='values', min='max', max='min', any='all', all='any',
)


def altered(node: 'Any', **fields: object) -> ast.expr:
    """A copy of an expression with other fields."""
    other: ast.expr = copy.deepcopy(node)
    vars(other).update(fields)
    return other


def others(node: 'Any') -> 'Iterator[ast.expr]':
    """What may stand in the place of an expression."""
    match node:
        case ast.Constant(value=bool(value)):
            yield altered(node, value=not value)
        case ast.Constant(value=int(value)):
            yield altered(node, value=value + 1)
        case ast.Constant(value=float(value)):
            yield altered(node, value=value * 1.5 + 1)
        case ast.Constant(value=str(value)):
            yield altered(node, value=value + 'x')
        case ast.Compare(ops=[op]) if type(op) in OPERATORS:
            yield altered(node, ops=[OPERATORS[type(op)]()])
        case ast.BinOp(op=op) | ast.BoolOp(op=op) if type(op) in OPERATORS:
            yield altered(node, op=OPERATORS[type(op)]())
        case ast.Call(func=ast.Attribute(attr=name)) if name in NAMES:
            yield altered(node, func=altered(node.func, attr=NAMES[name]))
            if name == 'append' and len(node.args) == 1:
                yield altered(node, func=altered(node.func, attr='insert'), args=[ast.Constant(0), *copy.deepcopy(node.args)])
        case ast.Call(func=ast.Name(id=name)) if name in NAMES:
            yield altered(node, func=altered(node.func, id=NAMES[name]))


def changes(node: 'Any') -> 'Iterator[tuple[ast.expr, ast.expr]]':
    """The expressions of a node that may be replaced, each with one in its place, outer ones first."""
    match node:
        case ast.JoinedStr() | ast.pattern() | ast.arguments() | ast.Expr(value=ast.Constant()) | ast.Return(value=ast.Constant(value=None)):
            return
        case ast.Return(value=ast.expr() as value) | ast.Expr(value=ast.Call() as value):
            yield value, ast.Constant(None)
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield test, ast.UnaryOp(ast.Not(), copy.deepcopy(test))
        case ast.comprehension(ifs=tests):
            yield from ((test, ast.UnaryOp(ast.Not(), copy.deepcopy(test))) for test in tests)
    for name, value in ast.iter_fields(node):
        if name not in ('annotation', 'returns', 'decorator_list', 'bases', 'type', 'type_params'):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from ((child, other) for other in others(child))  # type: ignore[misc]
                    yield from changes(child)


class Switcher(ast.NodeTransformer):
    """Puts the switches into a program."""

    def __init__(self, mutants: 'list[tuple[ast.expr, ast.expr]]') -> None:
        self.by_place: 'dict[int, list[tuple[int, ast.expr]]]' = {}
        for number, (expr, other) in enumerate(mutants, 1):
            self.by_place.setdefault(id(expr), []).append((number, other))

    def visit(self, node: 'Any') -> 'Any':
        changed = self.by_place.get(id(node), [])
        node = self.generic_visit(node)
        for number, other in changed:
            node = ast.IfExp(ast.Call(ast.Name('switch__', ast.Load()), [ast.Constant(number)], []), node, other)
        return node


class Mutants:
    def __init__(self) -> None:
        self.mutant = 0
        self.expected: 'dict[int, tuple[Result, int]]' = {}
        self.reached: 'dict[int, set[int]]' = {}  # by probe, the mutants that differ in what it runs
        self.seen: set[int] = set()
        self.state: 'list[tuple[Any, Any]]' = []
        self.ticks, self.limit = 0, float('inf')

    def begin(self, space: 'dict[str, Any]', program: str, imports: str, probes: list[str], most: int) -> list[tuple[int, str]]:
        """Runs a program with up to so many of its mutants. It returns the row of each, and a text for people."""
        tree = ast.parse(program)
        functions = [inner for s in tree.body for inner in (s.body if isinstance(s, ast.ClassDef) else [s]) if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef))]
        mutants = [change for function in functions for change in changes(function)]
        mutants = mutants[:: max(1, -(-len(mutants) // most))]
        texts = [(expr.lineno, f'{ast.unparse(other)} for {ast.unparse(expr)}') for expr, other in mutants]
        tree = ast.fix_missing_locations(Switcher(mutants).visit(tree))
        exec(compile(tree, 'program', 'exec', dont_inherit=True), space)
        exec(imports, space)
        self.space, self.probes = space, [compile(probe or 'None', 'probe', 'eval') for probe in probes]
        for holder in [space, *(vars(v) for v in space.values() if isinstance(v, type))]:
            for name, value in holder.items():
                if type(value) in (list, dict, set) and len(value) < 200 and not name.startswith('__'):
                    self.state.append((value, clone(value)))
        self.names = {k: v for k, v in space.items() if type(v) in (int, float, str, bool, tuple, type(None), list, dict, set)}
        return texts

    def left(self) -> list[object]:
        """What a call left of the module's variables and its classes' attributes, which are then as before."""
        left: list[object] = [freeze(value) for value, saved in self.state if value != saved]
        for value, saved in self.state:
            if value != saved:
                value.clear()
                (value.extend if type(value) is list else value.update)(clone(saved))
        for name, value in self.names.items():
            if self.space.get(name) is not value:
                left.append((name, freeze(self.space.get(name))))
                self.space[name] = value
        return left

    def switch(self, number: int) -> bool:
        self.ticks += 1
        if self.ticks > self.limit:
            raise Away
        self.seen.add(number)
        return number != self.mutant

    def run(self, number: int, limit: float) -> 'Result':
        self.ticks, self.limit = 0, limit
        streams = sys.stdout, sys.stderr
        sys.stdout = sys.stderr = out = io.StringIO()
        try:
            result: object = freeze(eval(self.probes[number], self.space))
        except BaseException as e:
            result = 'raised', type(e).__name__, str(e)
        finally:
            sys.stdout, sys.stderr = streams
            self.limit = float('inf')
        return result, out.getvalue(), self.left()

    def kill(self, mutant: int) -> bool:
        """Whether one of the probes tells a mutant apart."""
        for number in range(len(self.probes)):
            if number not in self.expected:
                self.seen = self.reached[number] = set()
                result = self.run(number, float('inf'))
                self.expected[number] = result, 10 * self.ticks + 200
            result, limit = self.expected[number]
            if mutant in self.reached[number]:
                self.mutant, self.seen = mutant, set()
                try:
                    got = self.run(number, limit)
                finally:
                    self.mutant = 0
                if got != result:
                    return True
        return False


class Away(BaseException):
    """A loop goes on for much longer than it does in the program."""


def clone(value: 'Any') -> 'Any':
    if type(value) is dict:
        return {k: clone(v) for k, v in value.items()}
    if type(value) is list:
        return [clone(v) for v in value]
    return set(value) if type(value) is set else value


def freeze(value: 'Any', depth: int = 0) -> object:
    """A value that is equal where results are the same, as far as that is cheap."""
    kind = type(value)
    if kind in (int, str, bool, bytes, type(None)):
        return kind.__name__, value
    if kind is float:
        return 'float', '%.9g' % value
    if depth > 12:
        return kind.__name__
    if kind in (list, tuple):
        return kind.__name__, [freeze(v, depth + 1) for v in value]
    if kind in (set, frozenset):
        return kind.__name__, sorted(map(repr, value))
    if isinstance(value, dict):
        return kind.__name__, [(freeze(k, depth + 1), freeze(v, depth + 1)) for k, v in value.items()]
    if hasattr(kind, '__next__'):
        return kind.__name__, [freeze(v, depth + 1) for v in itertools.islice(value, 100)]
    if callable(value):
        return 'callable'
    if hasattr(value, '__dict__'):
        return kind.__name__, freeze(vars(value), depth + 1), isinstance(value, BaseException) and str(value)
    text = repr(value)
    return kind.__name__, '' if ' at 0x' in text else text


builtins.mutants__ = Mutants()  # type: ignore[attr-defined]
builtins.switch__ = builtins.mutants__.switch  # type: ignore[attr-defined]
