#!/usr/bin/env python3
"""engineers.py OUT SEED NUMBER SOURCE...: edits that engineers make while they mend style, on programs of MBPP, QuixBugs and packages.

A SOURCE is MBPP's file, a folder of QuixBugs, or tasks of `codelinter dataset synth`. NUMBER edits of each are drawn by SEED, each kind in turn. Ruff is beside this
Python. An edit is kept if native CPython sees no difference in the asserts and 250 calls of each function (native.py). OUT gets a JSON object a line: label (the kind), id, program, answer, tests.
"""
import ast
import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import formatters  # which finds native
import honest
import native

BIN = formatters.BIN
RUFF = [BIN / 'ruff', 'check', '-q', '--isolated', '--no-cache', '--target-version=py313', '--fix', '--unsafe-fixes', '--exit-zero', '--select=ALL', '--ignore=T20,ERA,TD,D,FURB152']


def rename_parameters(tree, entry, tests):
    for f in honest.functions(tree):
        if any(isinstance(n, ast.Call) and n.keywords for n in ast.walk(tree)):
            return
        new = {a.arg: honest.fresh(f, a.arg + '_arg') for a in f.args.args if a.arg not in ('self', 'cls')}
        for a in f.args.args:
            a.arg = new.get(a.arg, a.arg)
        for n in ast.walk(f):
            if isinstance(n, ast.Name):
                n.id = new.get(n.id, n.id)


class Values(ast.NodeTransformer):
    def visit_BinOp(self, n):  # '%s and %s' % (a, b)
        self.generic_visit(n)
        if isinstance(n.op, ast.Mod) and isinstance(n.left, ast.Constant) and isinstance(n.left.value, str) and isinstance(n.right, ast.Tuple):
            parts = n.left.value.split('%s')
            if len(parts) == len(n.right.elts) + 1 and '%' not in ''.join(parts):
                return self.joined(parts, n.right.elts)
        return n

    def visit_Call(self, n):  # '{} and {}'.format(a, b)
        self.generic_visit(n)
        match n:
            case ast.Call(ast.Attribute(ast.Constant(str() as text), 'format'), args, []):
                parts = text.split('{}')
                if len(parts) == len(args) + 1 and '{' not in ''.join(parts):
                    return self.joined(parts, args)
        return n

    def joined(self, parts, values):
        out = [ast.Constant(parts[0])] if parts[0] else []
        for value, part in zip(values, parts[1:]):
            out.append(ast.FormattedValue(value, -1))
            if part:
                out.append(ast.Constant(part))
        return ast.JoinedStr(out)


def fstrings(tree, entry, tests):
    Values().visit(tree)


def concatenation(tree, entry, tests):
    """'a' + str(b) becomes f'a{b}'."""
    class Sums(ast.NodeTransformer):
        def visit_BinOp(self, n):
            self.generic_visit(n)
            match n:
                case ast.BinOp(ast.Constant(str() as text), ast.Add(), ast.Call(ast.Name('str'), [value], [])):
                    return ast.JoinedStr([ast.Constant(text), ast.FormattedValue(value, -1)])
                case ast.BinOp(ast.Call(ast.Name('str'), [value], []), ast.Add(), ast.Constant(str() as text)):
                    return ast.JoinedStr([ast.FormattedValue(value, -1), ast.Constant(text)])
            return n
    Sums().visit(tree)


def enumerated(tree, entry, tests):
    """for i in range(len(a)): ... a[i]  becomes  for i, item in enumerate(a): ... item."""
    for f in honest.functions(tree):
        for n in ast.walk(f):
            match n:
                case ast.For(ast.Name(i), ast.Call(ast.Name('range'), [ast.Call(ast.Name('len'), [ast.Name(a)], [])], []), body, []):
                    inner = [m for s in body for m in ast.walk(s)]
                    stored = [m for m in inner if isinstance(m, ast.Name) and isinstance(m.ctx, ast.Store) and m.id in (i, a)]
                    written = [m for m in inner if isinstance(m, ast.Subscript) and not isinstance(m.ctx, ast.Load)]
                    called = [m for m in inner if isinstance(m, ast.Attribute) and isinstance(m.value, ast.Name) and m.value.id == a]
                    if stored or written or called:
                        continue
                    item = honest.fresh(f, 'item')

                    class Items(ast.NodeTransformer):
                        def visit_Subscript(self, m):
                            self.generic_visit(m)
                            match m:
                                case ast.Subscript(ast.Name(x), ast.Name(y), ast.Load()) if x == a and y == i:
                                    return ast.Name(item, ast.Load())
                            return m
                    n.body = [Items().visit(s) for s in body]
                    if any(isinstance(m, ast.Name) and m.id == item for s in n.body for m in ast.walk(s)):
                        n.target = ast.Tuple([n.target, ast.Name(item, ast.Store())], ast.Store())
                        n.iter = ast.Call(ast.Name('enumerate', ast.Load()), [ast.Name(a, ast.Load())], [])
                    return


def early_return(tree, entry, tests):
    """A last if without an else becomes a guard that returns."""
    for f in honest.functions(tree):
        match f.body[-1]:
            case ast.If(test, body, []):
                f.body[-1:] = [ast.If(ast.UnaryOp(ast.Not(), test), [ast.Return()], []), *body]
        for n in ast.walk(f):
            if isinstance(n, ast.For) and n.body:
                match n.body[-1]:
                    case ast.If(test, body, []) if len(body) > 1:
                        n.body[-1:] = [ast.If(ast.UnaryOp(ast.Not(), test), [ast.Continue()], []), *body]


def membership(tree, entry, tests):
    """x == 'a' or x == 'b' becomes x in ('a', 'b')."""
    class Ors(ast.NodeTransformer):
        def visit_BoolOp(self, n):
            self.generic_visit(n)
            if isinstance(n.op, ast.Or):
                names, constants = set(), []
                for v in n.values:
                    match v:
                        case ast.Compare(ast.Name(x), [ast.Eq()], [ast.Constant() as c]):
                            names.add(x)
                            constants.append(c)
                        case _:
                            return n
                if len(names) == 1:
                    return ast.Compare(ast.Name(names.pop(), ast.Load()), [ast.In()], [ast.Tuple(constants, ast.Load())])
            return n
    Ors().visit(tree)


def chained(tree, entry, tests):
    """a <= b and b < c becomes a <= b < c."""
    class Ands(ast.NodeTransformer):
        def visit_BoolOp(self, n):
            self.generic_visit(n)
            match n:
                case ast.BoolOp(ast.And(), [ast.Compare(a, [p], [ast.Name(x) as b]), ast.Compare(ast.Name(y), [q], [c])]) if x == y:
                    return ast.Compare(a, [p, q], [b, c])
            return n
    Ands().visit(tree)


def yoda(tree, entry, tests):
    """0 == x becomes x == 0, and the other way round."""
    turned = {ast.Eq: ast.Eq, ast.NotEq: ast.NotEq, ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}
    for n in ast.walk(tree):
        if isinstance(n, ast.Compare) and len(n.ops) == 1 and type(n.ops[0]) in turned and isinstance(n.left, ast.Constant):
            n.left, n.ops, n.comparators = n.comparators[0], [turned[type(n.ops[0])]()], [n.left]


def any_or_all(tree, entry, tests):
    """for a in b: if c: return True; return False  becomes  return any(c for a in b)."""
    for body in honest.bodies(tree):
        for i in range(len(body) - 1):
            match body[i], body[i + 1]:
                case ast.For(target, source, [ast.If(test, [ast.Return(ast.Constant(bool() as found))], [])], []), ast.Return(ast.Constant(bool() as other)) if found != other:
                    if not found:
                        test = ast.UnaryOp(ast.Not(), test)
                    generator = ast.GeneratorExp(test, [ast.comprehension(target, source, [], 0)])
                    body[i:i + 2] = [ast.Return(ast.Call(ast.Name('any' if found else 'all', ast.Load()), [generator], []))]
                    break


def returned_condition(tree, entry, tests):
    """if a: return True; else: return False  becomes  return a, or bool(a)."""
    for body in honest.bodies(tree):
        for i, s in enumerate(body):
            match body[i:]:
                case [ast.If(test, [ast.Return(ast.Constant(True))], [ast.Return(ast.Constant(False))]), *_] | [ast.If(test, [ast.Return(ast.Constant(True))], []), ast.Return(ast.Constant(False))]:
                    body[i:] = [ast.Return(test if isinstance(test, ast.Compare) else ast.Call(ast.Name('bool', ast.Load()), [test], []))]
                    break
                case [ast.If(test, [ast.Return(ast.Constant(False))], [ast.Return(ast.Constant(True))]), *_] | [ast.If(test, [ast.Return(ast.Constant(False))], []), ast.Return(ast.Constant(True))]:
                    body[i:] = [ast.Return(ast.UnaryOp(ast.Not(), test))]
                    break


def merged_branches(tree, entry, tests):
    """if a: x elif b: x  becomes  if a or b: x."""
    for n in ast.walk(tree):
        if isinstance(n, ast.If) and len(n.orelse) == 1 and isinstance(n.orelse[0], ast.If):
            other = n.orelse[0]
            if [ast.dump(s) for s in n.body] == [ast.dump(s) for s in other.body]:
                n.test, n.orelse = ast.BoolOp(ast.Or(), [n.test, other.test]), other.orelse


def named_constant(tree, entry, tests):
    """A number of a function becomes a constant of the module."""
    for i, f in enumerate(tree.body):
        if isinstance(f, ast.FunctionDef):
            for n in ast.walk(f):
                for field, value in ast.iter_fields(n):
                    if isinstance(value, ast.Constant) and type(value.value) in (int, float) and value.value not in (0, 1, 2) and not isinstance(n, (ast.arguments, ast.FormattedValue)):
                        setattr(n, field, ast.Name('LIMIT', ast.Load()))
                        tree.body.insert(i, ast.Assign([ast.Name('LIMIT', ast.Store())], value))
                        return


def generator_argument(tree, entry, tests):
    """sum([a for b in c]) becomes sum(a for b in c)."""
    for n in ast.walk(tree):
        match n:
            case ast.Call(ast.Name('sum' | 'set' | 'sorted' | 'min' | 'max' | 'any' | 'all' | 'tuple' | 'list') | ast.Attribute(ast.Constant(), 'join'), [ast.ListComp(elt, generators)], _):
                n.args = [ast.GeneratorExp(elt, generators)]


def extracted_variable(tree, entry, tests):
    """The operand of a return gets a name."""
    for f in honest.functions(tree):
        match f.body[-1]:
            case ast.Return(ast.BinOp(ast.expr() as left, op, right)) if not isinstance(left, (ast.Name, ast.Constant)):
                name = honest.fresh(f, 'first')
                f.body[-1:] = [ast.Assign([ast.Name(name, ast.Store())], left), ast.Return(ast.BinOp(ast.Name(name, ast.Load()), op, right))]
            case ast.Return(ast.Call(_, [ast.expr() as first, *_])) if not isinstance(first, (ast.Name, ast.Constant, ast.Starred, ast.GeneratorExp)):
                name = honest.fresh(f, 'first')
                f.body.insert(-1, ast.Assign([ast.Name(name, ast.Store())], first))
                f.body[-1].value.args[0] = ast.Name(name, ast.Load())


def emptiness(tree, entry, tests):
    """len(a) == 0 becomes not a."""
    class Empty(ast.NodeTransformer):
        def visit_If(self, n):
            self.generic_visit(n)
            match n.test:
                case ast.Compare(ast.Call(ast.Name('len'), [a], []), [ast.Eq()], [ast.Constant(0)]):
                    n.test = ast.UnaryOp(ast.Not(), a)
                case ast.Compare(ast.Call(ast.Name('len'), [a], []), [ast.Gt() | ast.NotEq()], [ast.Constant(0)]):
                    n.test = a
            return n
    Empty().visit(tree)


def modern_hints(tree, entry, tests):
    honest.type_hints(tree, entry, tests)
    honest.docstrings(tree, entry, tests)
    honest.temporary(tree, entry, tests)


EDITS = {**honest.EDITS, 'parameters renamed': rename_parameters, 'f-string': fstrings, 'f-string for a sum': concatenation, 'enumerate': enumerated, 'early return': early_return,
         'in for ==': membership, 'chained comparison': chained, 'yoda': yoda, 'any or all': any_or_all, 'condition returned': returned_condition,
         'branches merged': merged_branches, 'named constant': named_constant, 'generator for list': generator_argument, 'part named': extracted_variable,
         'len dropped': emptiness, 'hints, docstrings, result': modern_hints}


def ruffed(programs):
    with tempfile.TemporaryDirectory() as folder:
        for i, text in enumerate(programs):
            pathlib.Path(folder, f'{i}.py').write_text(text)
        subprocess.run([*RUFF, folder], stdout=subprocess.DEVNULL, check=True)
        return [pathlib.Path(folder, f'{i}.py').read_text() for i in range(len(programs))]


def programs(source):
    path = pathlib.Path(source)
    if path.is_dir():
        for p in sorted(path.glob('correct_python_programs/*.py')):
            if not p.stem.endswith('_test') and p.stem != 'node':
                yield f'quixbugs/{p.stem}', p.read_text().split('"""')[0].rstrip() + '\n', p.stem, []
        return
    for row in map(json.loads, open(path)):
        if 'code' in row:
            text = row['code'].replace('\r\n', '\n').expandtabs(4).rstrip() + '\n'
            if native.verdict(text, row['test_setup_code'], row['test_list']) == 'pass':
                entry = row['test_list'][0].split('(')[0].split()[-1]
                yield f'mbpp/{row["task_id"]}', text, entry, row['test_list']
        elif 'test' not in row['meta']['origin']['path']:
            yield f"{row['meta']['origin']['path']}:{row['meta']['id']}", row['inputs']['code'], '', []


def main(out, seed, number, *sources):
    rng, rows = random.Random(int(seed)), []
    for source in sources:
        every = list(programs(source)) if not source.endswith('mbpp.jsonl') else None
        if every is None:
            lines = open(source).read().splitlines()
            rng.shuffle(lines)
            with tempfile.NamedTemporaryFile('w', suffix='.jsonl') as part:
                part.write('\n'.join(lines[:220]))
                part.flush()
                every = list(programs(part.name))
        rng.shuffle(every)
        made = collections.defaultdict(list)
        for ident, text, entry, tests in every:
            for kind, edit in EDITS.items():
                if new := applied(text, entry, tests, [edit]):
                    made[kind].append((kind, ident, text, new, tests))
            several = rng.sample(list(EDITS.values()), 5)
            if new := applied(text, entry, tests, several):
                made['several edits'].append(('several edits', ident, text, new, tests))
        for (ident, text, entry, tests), new in zip(every, ruffed([p[1] for p in every])):
            if new != text:
                made['ruff, all rules'].append(('ruff, all rules', ident, text, new, tests))
        for rows_of in made.values():
            rng.shuffle(rows_of)
        kept, seen = [], set()
        while len(kept) < int(number) and any(made.values()):
            for kind in made:
                while made[kind]:
                    kind_, ident, text, new, tests = made[kind].pop()
                    if (ident, new) in seen:
                        continue
                    seen.add((ident, new))
                    if tests and native.verdict(new, '', tests) != 'pass':
                        continue
                    found = native.apart(native.observe, text, new, tests, int(seed))
                    if found is None or found:
                        if found:
                            print('differs', kind, ident, str(found)[:150], file=sys.stderr)
                        continue
                    kept.append({'label': kind, 'id': ident, 'program': text, 'answer': new, 'tests': []})
                    break
                if len(kept) == int(number):
                    break
        rows += kept
    pathlib.Path(out).write_text(''.join(json.dumps(row) + '\n' for row in rows))
    print(len(rows), collections.Counter(r['label'] for r in rows))


def applied(text, entry, tests, several):
    try:
        return honest.applied(text, entry, tests, several)
    except (SyntaxError, RecursionError):
        return ''


if __name__ == '__main__':
    main(*sys.argv[1:])
