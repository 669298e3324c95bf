"""native.py: runs programs in this CPython, each in a process of its own with little memory, little time and no files.

It shares nothing with the judge: what it calls, and what it compares, is thought of anew here. With --serve it reads requests, a JSON object a row, and
answers each with a row:
    {"mutants": TEXT}                                         [[kind, start, end, new], ...]
    {"program": TEXT, "answer": TEXT, "tests": [...], "seed": 1, "with": ["1, 'a'"]}    [calls, what the program does, what the answer does], [] or null
[] is for two that no call tells apart, and null for what was not decided: the process was killed, or the program does not run.
"""
import ast
import contextlib
import inspect
import io
import itertools
import json
import math
import os
import pickle
import random
import resource
import signal
import sys
import types

import mutate

CALLS = 250     # how many calls of each function are tried
SECONDS = 6     # of the processor that a process may take
BYTES = 1 << 30


def apart(work, *args, seconds=SECONDS):
    """Return what work returns in a process of its own, or None if that was killed."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        value = None
        try:
            resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            signal.alarm(10 * seconds)  # for what waits: a busy machine ends nothing that computes
            null = os.open(os.devnull, os.O_RDWR)
            for stream in 0, 1, 2:
                os.dup2(null, stream)
            value = work(*args)
        except BaseException:
            value = None
        with contextlib.suppress(BaseException), open(write, 'wb') as out:
            pickle.dump(value, out)
        os._exit(0)
    os.close(write)
    with open(read, 'rb') as pipe:
        data = pipe.read()
    os.waitpid(pid, 0)
    return pickle.loads(data) if data else None


def load(program):
    """Run a program as a module and return the module."""
    module = types.ModuleType('program')
    sys.modules['program'] = module
    exec(compile(program, 'program', 'exec'), module.__dict__)
    return module


# What came of a call, in plain values that can be compared.

class Stop(BaseException):
    pass


def plain(value, depth=6, seen=()):
    """Return a value as nested tuples: types, parts and attributes, without addresses."""
    if depth == 0 or id(value) in seen:
        return '...'
    seen = (*seen, id(value))
    kind = type(value)

    def parts(values):
        return tuple(plain(v, depth - 1, seen) for v in itertools.islice(values, 200))

    if value is None or kind in (bool, int, str, bytes, range, complex):
        return kind.__name__, value if kind is not complex else repr(value)
    if kind is float:
        return 'float', 'nan' if math.isnan(value) else value if math.isinf(value) else float(f'{value:.8e}')
    if isinstance(value, BaseException):
        return kind.__name__, parts(value.args)
    if isinstance(value, dict):
        return kind.__name__, tuple((plain(k, depth - 1, seen), plain(v, depth - 1, seen)) for k, v in itertools.islice(value.items(), 200))
    if isinstance(value, (set, frozenset)):
        return kind.__name__, tuple(sorted(map(repr, parts(value))))
    if isinstance(value, type):
        return 'class', value.__name__
    if isinstance(value, types.ModuleType):
        return 'module', value.__name__
    if kind in (types.FunctionType, types.BuiltinFunctionType, types.MethodType) or kind.__name__ in ('partial', '_lru_cache_wrapper'):
        return 'function'
    inside = ()
    with contextlib.suppress(Exception):
        inside = tuple(sorted((k, plain(v, depth - 1, seen)) for k, v in vars(value).items()))
    if isinstance(value, (list, tuple, bytearray)) or kind.__name__ == 'deque':
        return kind.__name__, parts(list(value)), inside
    if hasattr(value, '__next__'):
        return 'iterator', parts(value)
    for name in getattr(kind, '__slots__', ()):
        if isinstance(name, str) and hasattr(value, name) and not name.startswith('__'):
            inside += (name, plain(getattr(value, name), depth - 1, seen)),
    if kind.__module__ != 'program' and not inside:
        text = repr(value)
        return kind.__name__, '' if ' at 0x' in text else text
    return kind.__name__, inside


def meant(error, program):
    """Report whether the program raised an exception on purpose: by a raise or an assert."""
    trace = error.__traceback__
    while trace.tb_next:
        trace = trace.tb_next
    if trace.tb_frame.f_code.co_filename != 'program':
        return False
    lines = program.split('\n')
    text = lines[trace.tb_lineno - 1].strip() if trace.tb_lineno <= len(lines) else ''
    return text.startswith(('raise', 'assert')) or ': raise ' in text


def doing(module, program, steps):
    """Make the calls of one sequence. Return what came of each, with None in the place of an exception that was not raised on purpose."""
    random.seed(0)
    found, things = [], []
    for name, args, kwargs in steps:
        out = io.StringIO()
        args, kwargs = pickle.loads(pickle.dumps((args, kwargs)))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            try:
                target = module
                if name.startswith('.'):
                    target, name = things[0], name[1:]
                value = getattr(target, name)
                value = value(*args, **kwargs) if callable(value) else value
                if inspect.iscoroutine(value):
                    value.close()
                    return found
                things.append(value)
                ending = 'gave', plain(value)
            except Exception as error:
                if program is not None and not meant(error, program):
                    return [*found, None]
                ending = 'raised', plain(error)
        state = plain({k: v for k, v in vars(module).items() if not k.startswith('__') and not callable(v) and not isinstance(v, types.ModuleType)})
        classes = plain([{k: v for k, v in vars(c).items() if not k.startswith('_') and not callable(v) and not hasattr(v, '__get__')}
                         for c in vars(module).values() if isinstance(c, type) and c.__module__ == 'program'])
        found.append((ending, plain(args), plain(kwargs), out.getvalue(), plain(things[:1]), state, classes))
        if ending[0] == 'raised' or not things:
            break
    return found


# Values, and which of them a function takes.

class Values:
    def __init__(self, rng, program, tests):
        self.rng = rng
        self.known = {'int': [0, 1, 2, 3, -1, 10], 'str': ['', 'a', 'ab', 'A b', '12'], 'float': [0.5, -1.5], 'bool': [True, False], 'None': [None]}
        for text in program, *tests:
            with contextlib.suppress(SyntaxError):
                for node in ast.walk(ast.parse(text)):
                    with contextlib.suppress(ValueError, TypeError, SyntaxError, MemoryError):
                        self.keep(ast.literal_eval(node))

    def keep(self, value, depth=0):
        if isinstance(value, (int, str, float)):
            self.known.setdefault(type(value).__name__, []).append(value)
        elif isinstance(value, (list, tuple, set, frozenset, dict)) and depth < 5:
            self.known.setdefault(type(value).__name__, []).append(value)

    KINDS = ['int', 'str', 'list int', 'list str', 'float', 'list list', 'tuple', 'dict', 'bool', 'set', 'mixed', 'None', 'known', 'function', 'pairs', 'rows']

    def of(self, kind):
        rng = self.rng
        if kind == 'int':
            return rng.choice([rng.choice(self.known['int']), rng.randint(-3, 12), rng.choice(self.known['int']) + rng.choice((-1, 1)), rng.randint(-200, 2000)])
        if kind == 'float':
            return rng.choice([rng.choice(self.known['float']), rng.uniform(-10, 10), float(rng.randint(-3, 9)), rng.choice(self.known['int']) + 0.5])
        if kind == 'str':
            return rng.choice([rng.choice(self.known['str']), self.word(), self.word() + rng.choice(' ,-._\t\n') + self.word(), self.turned(rng.choice(self.known['str']))])
        if kind in ('bool', 'None'):
            return rng.choice(self.known[kind])
        size = rng.choice((0, 1, 2, 3, 3, 4, 6))
        if kind == 'list int':
            return self.mixed_up([self.of('int') for _ in range(size)])
        if kind == 'list str':
            return self.mixed_up([self.of('str') for _ in range(size)])
        if kind == 'list list':
            inner = rng.choice(('list int', 'list str'))
            return [self.of(inner) for _ in range(size)]
        if kind == 'rows':
            width = rng.randint(1, 4)
            return [[self.of('int') for _ in range(width)] for _ in range(rng.randint(1, 4))]
        if kind == 'pairs':
            return [(self.of('str'), self.of('int')) for _ in range(size)]
        if kind == 'tuple':
            return tuple(self.of(rng.choice(('list int', 'list str'))))
        if kind == 'set':
            return set(self.of(rng.choice(('list int', 'list str'))))
        if kind == 'dict':
            inner = rng.choice(('int', 'str', 'list int'))
            return {self.of('str') if rng.random() < 0.8 else self.of('int'): self.of(inner) for _ in range(size)}
        if kind == 'mixed':
            return [self.of(rng.choice(('int', 'str', 'float', 'bool', 'list int'))) for _ in range(size)]
        if kind == 'function':
            return rng.choice((len, abs, str, bool, int))
        containers = [v for k in ('list', 'tuple', 'dict', 'set') for v in self.known.get(k, ())]
        return self.near(rng.choice(containers)) if containers else self.of('int')

    def word(self):
        rng = self.rng
        letters = ''.join(self.known['str'][-20:]) + 'abcXYZ019'
        return ''.join(rng.choice(letters) for _ in range(rng.choice((0, 1, 2, 3, 5, 9))))

    def turned(self, text):
        letters = list(text)
        self.rng.shuffle(letters)
        return ''.join(letters)

    def mixed_up(self, items):
        rng = self.rng
        way = rng.randrange(5)
        if way == 0 and items:
            return items + items[:rng.randint(1, len(items))]
        if way == 1:
            with contextlib.suppress(TypeError):
                return sorted(items)
        return items

    def near(self, value):
        """Return a value like another, with some parts changed."""
        rng = self.rng
        if rng.random() < 0.3:
            return value
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return value + rng.choice((-2, -1, 0, 1, 2, 10))
        if isinstance(value, float):
            return value + rng.choice((-1.0, 0.0, 0.25, 2.0))
        if isinstance(value, str):
            way = rng.randrange(4)
            return [value, self.turned(value), value + self.of('str')[:3], value[:rng.randint(0, len(value))]][way]
        if isinstance(value, dict):
            return {(k if rng.random() < 0.9 else self.near(k)): self.near(v) for k, v in value.items() if rng.random() < 0.85}
        if isinstance(value, (list, tuple, set, frozenset)):
            items = [self.near(v) for v in value if rng.random() < 0.85]
            if rng.random() < 0.3:
                rng.shuffle(items)
            if rng.random() < 0.2:
                items += items[:1]
            with contextlib.suppress(TypeError):
                return type(value)(items)
        return value


def literals(tests):
    """Return (name, args, kwargs) of the calls with literal arguments that tests make."""
    found = []
    for text in tests:
        with contextlib.suppress(SyntaxError):
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
                    with contextlib.suppress(ValueError, TypeError):
                        name = node.func.id if isinstance(node.func, ast.Name) else '.' + node.func.attr
                        found.append((name, tuple(map(ast.literal_eval, node.args)), {k.arg: ast.literal_eval(k.value) for k in node.keywords if k.arg}))
    return found


class Sequences:
    """Sequences are the calls that are made of a program. Which arguments it takes is learned by making calls."""

    def __init__(self, program, tests, seed, given=()):
        self.rng = random.Random(seed)
        self.values = Values(self.rng, program, tests)
        self.known = {}
        for name, args, kwargs in literals(tests):
            self.known.setdefault(name, []).append((args, kwargs))
        self.given = [v for text in given or () for v in eval(f'({text},)')]  # values that may tell the two apart
        self.liked = {}  # of each parameter, the kinds of values with which calls came to an end

    def arguments(self, name, function, skip):
        rng = self.rng
        if name in self.known and rng.random() < 0.5:
            args, kwargs = rng.choice(self.known[name])
            args = [self.special(self.values.near(a)) for a in args]
            return tuple(args), {k: self.special(self.values.near(v)) for k, v in kwargs.items()}, []
        args, kwargs, used = [], {}, []
        try:
            parameters = list(inspect.signature(function).parameters.values())[skip:]
        except (TypeError, ValueError):
            parameters = []
        for p in parameters:
            key = name, p.name
            liked = self.liked.get(key)
            kind = rng.choice(liked) if liked and rng.random() < 0.8 else rng.choice(Values.KINDS)
            if p.kind is p.VAR_POSITIONAL:
                args += [self.special(self.values.of(kind)) for _ in range(rng.randint(0, 3))]
            elif p.kind is p.VAR_KEYWORD:
                kwargs |= {k: self.special(self.values.of(kind)) for k in rng.sample(('a', 'key', 'size', 'name'), rng.randint(0, 2))}
            elif p.kind is p.KEYWORD_ONLY:
                if p.default is p.empty or rng.random() < 0.5:
                    kwargs[p.name] = self.special(self.values.of(kind))
            elif p.default is p.empty or rng.random() < 0.5:
                args.append(self.special(self.values.of(kind)))
            else:
                break
            used.append((key, kind))
        return tuple(args), kwargs, used

    def special(self, value):
        return self.rng.choice(self.given) if self.given and self.rng.random() < 0.3 else value

    def make(self, module, name):
        """Return one sequence that begins with a call of a function or class, and the kinds of its arguments."""
        thing = getattr(module, name)
        args, kwargs, used = self.arguments(name, thing, 0)
        steps = [(name, args, kwargs)]
        if isinstance(thing, type):
            methods = [m for m in dir(thing) if callable(getattr(thing, m, None)) and (not m.startswith('_') or m in DUNDERS and m in vars(thing))]
            for m in self.rng.choices(methods, k=self.rng.randint(1, 5)) if methods else ():
                args, kwargs, more = self.arguments('.' + m, getattr(thing, m), 0 if inspect.ismethod(getattr(thing, m)) else 1)
                steps.append(('.' + m, args, kwargs))
                used += more
        return steps, used

    def learn(self, used):
        for key, kind in used:
            self.liked.setdefault(key, []).append(kind)


DUNDERS = {'__len__', '__str__', '__repr__', '__bool__', '__iter__', '__contains__', '__getitem__', '__setitem__', '__delitem__', '__call__', '__enter__', '__add__', '__mul__'}


def observe(program, answer, tests, seed, given=()):
    """Return the first sequence of calls after which the two are not alike."""
    module = load(program)
    try:
        other = load(answer)
    except Exception as error:
        return 'to load it', 'nothing', repr(error)
    sequences = Sequences(program, tests, seed, given)
    names = [n for n, v in vars(module).items() if getattr(v, '__module__', '') == 'program' and callable(v)]
    for turn in range(CALLS):
        for name in names:
            if not hasattr(other, name):
                return name, 'is there', 'is not there'
            steps, used = sequences.make(module, name)
            with contextlib.suppress(pickle.PicklingError, AttributeError, TypeError, RecursionError):
                pickle.dumps(steps)
                was = doing(module, program, steps)
                now = doing(other, None, steps)
                if was and was[0]:
                    sequences.learn(used)
                if None in was:
                    was.pop()
                    now = now[:len(was)]
                if was != now:
                    return repr(steps)[:400], repr(was[-1:])[:400], repr(now[-1:])[:400]
        if turn % 20 == 19:
            module, other = load(program), load(answer)
    return ()


def verdict(program, setup, tests):
    """Return "pass" or "fail", as a program's tests do, or "killed"."""
    def work():
        names = {'__name__': 'program'}
        try:
            for text in (program, setup, *tests):
                exec(compile(text, 'program', 'exec'), names)
        except BaseException:
            return 'fail'
        return 'pass'
    return apart(work, seconds=2) or 'killed'


def serve():
    for row in sys.stdin:
        request = json.loads(row)
        if 'mutants' in request:
            try:
                reply = mutate.mutants(request['mutants'])
            except (SyntaxError, ValueError):
                reply = []
        else:
            reply = apart(observe, request['program'], request['answer'], request['tests'], request['seed'], request['with'])
        print(json.dumps(reply), flush=True)


if __name__ == '__main__':
    serve()
