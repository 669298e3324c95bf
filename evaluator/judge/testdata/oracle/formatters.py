#!/usr/bin/env python3
"""formatters.py OUT NUMBER SEED TASKS...: has black, ruff, autopep8, yapf and chains of them mend programs, and writes what comes out.

TASKS are files of tasks as `codelinter dataset open` writes them, rows of MBPP, into which faults of style are put, or "stdlib": functions of the
standard library, with such faults. OUT is gzip: a row for each program, and for each output its chain, the edits that make it of the program, [offset in
bytes, old, new], and whether it passes the task's tests in native CPython (true where there are none). NUMBER outputs are drawn by SEED; what a tool leaves as it
was, and what is no Python, is left out.

The golden: python3 formatters.py formatters.jsonl.gz 450 1 <(codelinter dataset open), with CPython 3.14, black 26.10.1, ruff 0.17.6, autopep8 2.3.2 and yapf 0.43.0.
It shares nothing with the judge, and no test of Go needs it.
"""
import ast
import difflib
import functools
import gzip
import inspect
import io
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import tokenize
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / 'internal' / 'tools' / 'attack'))
sys.dont_write_bytecode = True
warnings.simplefilter('ignore')  # of the programs

import native  # noqa: E402

BIN = pathlib.Path(sys.executable).parent
TOOLS = {
    'black': ['black', '-q', '-l', '79'],
    'ruff format': ['ruff', 'format', '-q', '--isolated', '--no-cache', '--line-length=79'],
    'ruff --fix': ['ruff', 'check', '-q', '--isolated', '--no-cache', '--preview', '--fix', '--exit-zero', '--select=E,W,F'],
    'ruff --fix --unsafe-fixes': ['ruff', 'check', '-q', '--isolated', '--no-cache', '--preview', '--fix', '--unsafe-fixes', '--exit-zero', '--select=E,W,F'],
    'autopep8': ['autopep8', '-i', '-r'],
    'autopep8 -a': ['autopep8', '-i', '-r', '-a'],
    'autopep8 -aa': ['autopep8', '-i', '-r', '-a', '-a'],
    'yapf': ['yapf', '-i', '-r', '--style=pep8'],  # it ends at the first file that it cannot read
}
CHAINS = [*([tool] for tool in TOOLS), ['ruff --fix', 'black'], ['ruff --fix --unsafe-fixes', 'ruff format'], ['autopep8 -a', 'black'],
          ['autopep8 -aa', 'yapf'], ['black', 'autopep8 -aa'], ['yapf', 'ruff --fix']]


def programs(source, rng):
    """Yield (name, program, canonical program or "", setup, tests)."""
    if source == 'stdlib':
        import bisect, calendar, colorsys, difflib as d, fnmatch, heapq, posixpath, shlex, statistics, string, textwrap  # noqa: E401
        for module in bisect, calendar, colorsys, d, fnmatch, heapq, posixpath, shlex, statistics, string, textwrap, inspect, tokenize, ast:
            for name, thing in sorted(vars(module).items()):
                if inspect.isfunction(thing) and thing.__module__ == module.__name__:
                    try:
                        text = inspect.getsource(thing)
                    except OSError:  # it was made, not written
                        continue
                    if not text.startswith(' ') and len(text) < 6000:
                        yield f'{module.__name__}.{name}', faulty(text, rng), '', '', []
        return
    with open(source) as rows:
        for row in map(json.loads, rows):
            if 'code' in row:
                code = row['code'].replace('\r\n', '\n').expandtabs(4).rstrip() + '\n'
                yield f'mbpp-{row["task_id"]}', faulty(code, rng), '', row['test_setup_code'], row['test_list']
            else:
                meta = row['meta']
                yield str(meta['id']), row['inputs']['code'], meta['canonical_code'], meta.get('test_setup_code', ''), meta.get('test_list', [])


def faulty(text, rng):
    """Put faults of style into a program: blanks around operators and in brackets, imports and variables that are not used, rows joined."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return text
    rows = text.splitlines(keepends=True)
    for t in reversed(tokens):
        if t.type != tokenize.OP or rng.random() > 0.15 or t.start[0] != t.end[0]:
            continue
        row, (start, end) = rows[t.start[0] - 1], (t.start[1], t.end[1])
        before, after = row[:start], row[end:]
        if t.string in ('=', '==', '+', '<', '>', '+=', '>=', '<='):
            before, after = before.rstrip(' ') or before, after.lstrip(' ')
        elif t.string in '([{':
            after = ' ' + after if after.strip() else after
        elif t.string == ',':
            before, after = (before.rstrip() + ' ', after) if before.strip() else (before, after)
        rows[t.start[0] - 1] = before + t.string + after
    out = ''.join(rows)
    if rng.random() < 0.5:
        out = rng.choice(('import os, sys\n', 'import re\nimport os\n', 'from math import *\n', 'import json, re;import os\n')) + out
    if rng.random() < 0.4:
        out = out.replace('    return ', '    unused = 0 ; again = None\n    return ', 1) if '\n    return ' in out else out
    try:
        ast.parse(out)
    except SyntaxError:
        return text
    return out


def edits(old, new):
    """Return what makes new of old, as [offset in bytes, old, new] of whole rows."""
    a, b = old.splitlines(keepends=True), new.splitlines(keepends=True)
    places = [0]
    for row in a:
        places.append(places[-1] + len(row.encode()))
    return [[places[i], ''.join(a[i:j]), ''.join(b[k:m])] for way, i, j, k, m in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes() if way != 'equal']


def mended(all_programs, chains=CHAINS):
    """Return {(index, chain): text}: what each chain makes of each program."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for chain in chains:
            work = pathlib.Path(folder, 'work')
            work.mkdir()
            for i, (_, program, *_) in enumerate(all_programs):
                (work / f'{i}.py').write_text(program)
            for tool in chain:
                name, *options = TOOLS[tool]
                run = functools.partial(subprocess.run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                before = {path: path.read_text() for path in work.iterdir()}
                if run([BIN / name, *options, work]).returncode and name == 'yapf':
                    for path, text in before.items():
                        path.write_text(text)
                        run([BIN / name, *options, path])
            for i in range(len(all_programs)):
                found[i, ' + '.join(chain)] = (work / f'{i}.py').read_text()
            shutil.rmtree(work)
    return found


def main(out, number, seed, *sources):
    rng, chosen = random.Random(int(seed)), []
    for source in sources:
        made = list(programs(source, rng))
        rng.shuffle(made)
        chosen += made[:max(int(number) // len(sources) // 10, 60)]
    keys, rows, differ = [], {}, 0
    found = mended(chosen)
    for key, text in found.items():
        try:
            ast.parse(text)
        except SyntaxError:
            continue
        if text != chosen[key[0]][1]:
            keys.append(key)
    rng.shuffle(keys)
    for i, chain in sorted(keys[:int(number)]):
        name, program, canonical, setup, tests = chosen[i]
        keeps = not tests or native.verdict(found[i, chain], setup, tests) == 'pass'
        differ += not keeps
        row = rows.setdefault(i, {'name': name, 'program': program, 'canonical': canonical, 'outputs': []})
        row['outputs'].append([chain, edits(program, found[i, chain]), keeps])
    text = ''.join(json.dumps(row, ensure_ascii=False) + '\n' for row in rows.values())
    pathlib.Path(out).write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f'{min(int(number), len(keys))} outputs of {len(rows)} programs; {differ} fail the tests')


if __name__ == '__main__':
    main(*sys.argv[1:])
