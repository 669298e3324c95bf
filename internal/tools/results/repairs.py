#!/usr/bin/env python3
"""How well judges tell right repairs from wrong ones, on programs that students and the authors of QuixBugs wrote.

repairs.py REFACTORY QUIXBUGS NUMBER SEED CODELINTER [CROSSHAIR PAIRS]

REFACTORY is the folder of githubhuyang/refactory's data.zip: answers of students to five questions, with tests. QUIXBUGS is a checkout of
jkoppel/QuixBugs: programs with one fault each, beside the correct ones, with tests. NUMBER answers of each kind are drawn by SEED.

Native CPython labels an answer: it keeps what the program does if all calls end alike, the tests' and CALLS more, whose arguments are the tests' with
small changes. Alike means the same value, the same kind of exception, and the same changes to the arguments. A call that does not end within LIMIT
seconds of processor time ends by its limit.

Each judge sees the tests and no more: `tests` runs them, codelinter gives its guarded verdict, and CROSSHAIR, if it is given, is `crosshair
diffbehavior` over PAIRS answers of each kind. What is printed is a JSON object a line: a kind of answer, and how many each judge passes.
"""
import ast
import collections
import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

CALLS = 200
LIMIT = 5
CROSSHAIR_SECONDS = 20


def calls_of(tests):
    """Returns the calls of a question's tests: a function's name and its arguments."""
    for text in tests:
        node = ast.parse(text.strip(), mode='eval').body
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            try:
                yield node.func.id, [ast.literal_eval(argument) for argument in node.args]
            except ValueError:
                continue


def changed(chance, value):
    """Returns a value like another one."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return value + chance.choice((-2, -1, 0, 0, 1, 2))
    if isinstance(value, float):
        return value + chance.choice((-1.0, 0.0, 0.0, 1.0))
    if isinstance(value, str):
        return chance.choice((value, value, value[1:], value + value[:1]))
    if isinstance(value, (list, tuple)):
        items = [changed(chance, item) for item in value]
        if items and chance.random() < 0.3:
            items.pop(chance.randrange(len(items)))
        if items and chance.random() < 0.3:
            items.insert(chance.randrange(len(items) + 1), chance.choice(items))
        return type(value)(items)
    return value


RUN = '''
import copy, json, os, resource, sys
calls = json.load(sys.stdin)
out, sys.stdout = sys.stdout, open(os.devnull, "w")
names = {"__name__": "program"}
exec(compile(open(sys.argv[1]).read(), "program.py", "exec"), names)
sys.setrecursionlimit(2000)
for name, arguments in calls:
    given = eval(arguments)
    try:
        value = names[name](*given)
        end = repr(list(value)) if hasattr(value, "__next__") else repr(value)
    except Exception as error:
        end = "raises " + type(error).__name__
    print(json.dumps([end, repr(given)]), file=out, flush=True)
'''


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


def ends(program, calls):
    """Returns how calls of a program end; the one that does not, and all after it, are missing."""
    with tempfile.NamedTemporaryFile('w', suffix='.py') as file:
        file.write(program)
        file.flush()
        given = json.dumps([[name, repr(arguments)] for name, arguments in calls])
        done = subprocess.run([sys.executable, '-c', RUN, file.name], input=given, capture_output=True, text=True, preexec_fn=limits)
    return [json.loads(line) for line in done.stdout.splitlines()]


class Pair:
    """An answer beside the program whose logic it should keep."""

    def __init__(self, kind, program, answer, calls):
        self.kind, self.program, self.answer, self.calls = kind, program, answer, calls

    def label(self, chance):
        """Returns whether the answer passes the tests, and whether it keeps the logic; None if the program itself does not end."""
        more = list(self.calls)
        for _ in range(CALLS):
            name, arguments = chance.choice(self.calls)
            more.append((name, [changed(chance, argument) for argument in arguments]))
        want = ends(self.program, more)
        if len(want) <= len(self.calls):
            return None
        more = more[:len(want)]
        got = ends(self.answer, more)
        self.want = want[:len(self.calls)]
        values = [end for end, _ in got[:len(self.calls)]] == [end for end, _ in self.want]
        return values, got == want


def students(folder, number, chance):
    """Yields the answers that differ as trees from the reference, the same number of those that a question's authors call correct and wrong."""
    for question in sorted(folder.glob('**/question_*')):
        code = question / 'code'
        head = (code / 'global.py').read_text() + '\n' if (code / 'global.py').exists() else ''
        program = head + (code / 'reference' / 'reference.py').read_text() + '\n'
        calls = list(calls_of(file.read_text() for file in sorted((question / 'ans').glob('input_*.txt'))))
        for kind in ('correct', 'wrong'):
            found = {}
            for file in sorted((code / kind).glob('*.py')):
                try:
                    found.setdefault(ast.dump(ast.parse(file.read_text())), file)
                except (SyntaxError, ValueError):
                    continue
            found.pop(ast.dump(ast.parse((code / 'reference' / 'reference.py').read_text())), None)
            for file in chance.sample(sorted(found.values()), min(number, len(found))):
                yield Pair('students', program, head + file.read_text() + '\n', calls)


def quixbugs(folder):
    """Yields the faulty programs beside the correct ones, where both take plain values."""
    for file in sorted((folder / 'json_testcases').glob('*.json')):
        right, wrong = folder / 'correct_python_programs' / f'{file.stem}.py', folder / 'python_programs' / f'{file.stem}.py'
        if not right.exists() or not wrong.exists():
            continue
        calls = []
        for line in filter(str.strip, file.read_text().splitlines()):
            arguments = json.loads(line)[0]
            calls.append((file.stem, arguments if isinstance(arguments, list) else [arguments]))
        yield Pair('QuixBugs', right.read_text() + '\n', wrong.read_text() + '\n', calls)


def asserts(pair):
    """Returns the tests as asserts, those in which the program returns a value."""
    for (name, arguments), (end, _) in zip(pair.calls, pair.want):
        if not end.startswith('raises '):
            call = f'{name}({", ".join(map(repr, arguments))})'
            try:
                ast.literal_eval(end)
            except (ValueError, SyntaxError):
                continue
            yield f'assert {call} == {end}' if not end.startswith('[') else f'assert list({call}) == {end}'


def guarded(binary, pairs, most=None):
    """Returns codelinter's guarded verdict on each pair, with at most so many tests. Only what does not parse counts as a finding, so the logic decides."""
    request = {'items': [{
        'task': {'program': pair.program, 'tests': list(asserts(pair))[:most], 'options': {'select': ['E9']}},
        'completion': f'```python\n{pair.answer}```\n',
    } for pair in pairs]}
    done = subprocess.run([binary, 'stream'], input=json.dumps(request) + '\n', stdout=subprocess.PIPE, text=True, check=True)
    found = []
    for (score,) in json.loads(done.stdout)['scores']:
        if score['error']:
            sys.exit(f'codelinter: {score["error"]}')
        found.append(score['guarded'])
    return found


def crosshair(command, pair):
    """Returns "pass" if CrossHair finds no difference, else "fail", or "unknown" if it cannot compare."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (('a', pair.program), ('b', pair.answer)):
            pathlib.Path(folder, f'{name}.py').write_text(text)
        name = pair.calls[0][0]
        try:
            done = subprocess.run(
                [command, 'diffbehavior', f'a.{name}', f'b.{name}', '--per_condition_timeout', str(CROSSHAIR_SECONDS)],
                cwd=folder, capture_output=True, text=True, timeout=4 * CROSSHAIR_SECONDS, env={**os.environ, 'PYTHONPATH': folder})
        except subprocess.TimeoutExpired:
            return 'unknown'
    return {0: 'pass', 1: 'fail'}.get(done.returncode, 'unknown')


def main(refactory, quix, number, seed, binary, command=None, most=0):
    chance = random.Random(int(seed))
    drawn = [*students(pathlib.Path(refactory), int(number), chance), *quixbugs(pathlib.Path(quix))]
    kinds = collections.defaultdict(list)
    for pair in drawn:
        label = pair.label(chance)
        if label is None:
            continue
        passes, keeps = label
        pair.passes = passes
        what = 'the same in all calls' if keeps else 'differ only in further calls, or in what they do to arguments' if passes else 'the tests tell'
        kinds[pair.kind, what, keeps].append(pair)
    for (kind, what, keeps), pairs in sorted(kinds.items()):
        verdicts = collections.Counter(guarded(binary, pairs))
        row = {'programs': kind, 'what': what, 'keeps': keeps, 'number': len(pairs), 'tests': sum(pair.passes for pair in pairs),
               'pass': verdicts['pass'], 'fail': verdicts['fail'], 'unknown': verdicts['unknown']}
        if command:
            looked = chance.sample(pairs, min(int(most), len(pairs)))
            row['crosshair'] = dict(collections.Counter(crosshair(command, pair) for pair in looked))
        print(json.dumps(row), flush=True)


if __name__ == '__main__':
    main(*sys.argv[1:])
