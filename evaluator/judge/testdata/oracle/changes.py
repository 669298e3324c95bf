#!/usr/bin/env python3
"""changes.py: holds each change of changes.txt and unseen.txt against native CPython, and writes changes.jsonl and unseen.jsonl.

Run it with any CPython from 3.12 on: python3 changes.py. It shares nothing with the judge, and no test of Go needs it. changes.txt is what
the judge was built with; unseen.txt was written later, of other programs.

It writes no file unless each change is told apart from its program by its own call, and passes the tests that its task shows.

    === NAME        a program; with "===!" it is scored with flake8's default settings, else so that it has no findings
    >>> assert ...  a test that the task shows
    --- CLASS :: CODE
    - old           a part of the program that stands there once; "*" is all of it
    + new           what stands there in the answer
CODE tells the two apart: its last statement is an expression whose value, or exception, differs, or what was printed before. It goes on
in further lines if it begins with a backslash. A change may have several pairs of old and new.
"""
import ast
import contextlib
import io
import json
import pathlib
import re
import resource
import signal
import sys

HERE = pathlib.Path(__file__).resolve().parent


def read(text):
    """Yield (name, default settings, program, tests, changes) for each program."""
    for block in re.split(r'(?m)^(?====)', text)[1:]:
        head, _, rest = block.partition('\n')
        parts = re.split(r'(?m)^--- ', rest)
        lines = parts[0].rstrip('\n').split('\n')
        program = '\n'.join(line for line in lines if not line.startswith('>>> ')) + '\n'
        tests = [line.removeprefix('>>> ') for line in lines if line.startswith('>>> ')]
        yield head.lstrip('=! '), head.startswith('===!'), program, tests, [change(part) for part in parts[1:]]


def change(text):
    """Return the class, the code and the pairs of old and new of one change."""
    head, *lines = text.rstrip('\n').split('\n')
    kind, _, code = head.partition(' :: ')
    if code.startswith('\\'):
        code = code.removeprefix('\\')
        while not re.match(r'-( |$)', lines[0]):
            code += '\n' + lines.pop(0)
    pairs, last = [], '+'
    for line in lines:
        sign, rest = line[:1], line[2:]
        if sign not in '-+' or line[1:2] not in ('', ' '):
            sys.exit(f'expected a line that begins with - or +, found {line!r}')
        if sign == '-' and last == '+':
            pairs.append(([], []))
        pairs[-1][sign == '+'].append(rest)
        last = sign
    return kind, code, [('\n'.join(old), '\n'.join(new)) for old, new in pairs]


def edits(program, pairs):
    """Return the changes of a text as [offset in bytes, old, new], in their order."""
    found = []
    for old, new in pairs:
        if old == '*':
            old, new = program, new + '\n'
        if program.count(old) != 1:
            raise SyntaxError(f'{old!r} stands {program.count(old)} times in the program')
        found.append([len(program[:program.index(old)].encode()), old, new])
    return sorted(found)


def apply(program, found):
    data = program.encode()
    for at, old, new in reversed(found):
        data = data[:at] + new.encode() + data[at + len(old.encode()):]
    return data.decode()


def outcome(program, code):
    """Return what the program and then the code do: output, and the last expression's value or the exception."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    names = {'__name__': 'program'}
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        signal.alarm(5)  # ends this script
        try:
            exec(compile(program, 'program', 'exec'), names)
            exec(compile(tree, 'code', 'exec'), names)
            value = eval(compile(ast.Expression(last.value), 'code', 'eval'), names) if last else None
            end = f'{type(value).__name__} {value!r}'
        except Exception as error:
            end = f'raised {type(error).__name__} {error.args!r} from {error.__cause__!r}'
    return re.sub(r' at 0x[0-9a-f]+', '', '\n'.join(filter(None, (out.getvalue(), err.getvalue() and 'on stderr: ' + err.getvalue(), end))))


def hold(path, seen):
    """Return the rows of a file, and what is wrong with it. seen are the answers of files before."""
    faults, rows = [], []
    for name, default, program, tests, changes in read(path.read_text()):
        row = {'name': name, 'default': default, 'program': program, 'tests': tests, 'changes': []}
        for kind, code, pairs in changes:
            try:
                found = edits(program, pairs)
                answer = apply(program, found)
                ast.parse(answer)
            except SyntaxError as error:
                faults.append(f'{name}: {kind}: {error}')
                continue
            was, now = outcome(program, code), outcome(answer, code)
            if was == now:
                faults.append(f'{name}: {kind}: {code}: both give {was}')
            for test in tests:
                if (shown := outcome(answer, test)) != 'NoneType None':
                    faults.append(f'{name}: {kind}: the test {test} gives {shown}')
            if answer in seen:
                faults.append(f'{name}: {kind}: there twice')
            seen.add(answer)
            row['changes'].append({'class': kind, 'edits': found, 'code': code, 'was': was, 'is': now})
        rows.append(row)
    return rows, faults


def main():
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    seen = set()
    for path in HERE / 'changes.txt', HERE / 'unseen.txt':
        rows, faults = hold(path, seen)
        if faults:
            sys.exit('\n'.join(faults))
        path.with_suffix('.jsonl').write_text(''.join(json.dumps(row, ensure_ascii=False) + '\n' for row in rows))
        changes = sum(len(row['changes']) for row in rows)
        print(f'{path.name}: {changes} changes of {len(rows)} programs, told apart by CPython {sys.version.split()[0]}')


if __name__ == '__main__':
    main()
