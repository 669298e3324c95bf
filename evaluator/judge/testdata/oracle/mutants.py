#!/usr/bin/env python3
"""mutants.py TASKS OUT [PER SEED]: makes mutants of programs, and writes those that the programs' own tests kill in native CPython.

TASKS are tasks as `codelinter dataset open` writes them, whose canonical programs are taken, or rows of MBPP. Each first-order mutant (mutate.py)
of each program is made, or PER of each, drawn by SEED. One that the tests kill is a change of logic for certain; the others are left out, and so are those that do not
end. OUT is gzip: a row for each program, with its tests and [class, offset in bytes, old, new] for each mutant.

The golden: python3 mutants.py <(codelinter dataset open) mutants.jsonl.gz 40 1, with CPython 3.14. It shares nothing with the judge, and no test of Go needs it.
"""
import collections
import gzip
import json
import pathlib
import random
import sys
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / 'internal' / 'tools' / 'attack'))
sys.dont_write_bytecode = True
warnings.simplefilter('ignore')  # of the programs

import mutate  # noqa: E402
import native  # noqa: E402


def read(path):
    """Yield (name, program, setup, tests) of each task."""
    with open(path) as rows:
        for row in map(json.loads, rows):
            if 'code' in row:
                code = row['code'].replace('\r\n', '\n').expandtabs(4).rstrip() + '\n'
                yield f'mbpp-{row["task_id"]}', code, row['test_setup_code'], row['test_list'] + row['challenge_test_list']
            else:
                meta = row['meta']
                yield str(meta['id']), meta['canonical_code'], meta.get('test_setup_code', ''), meta.get('test_list', [])


def main(tasks, out, per='1000000', seed='0'):
    rng, count, rows = random.Random(int(seed)), collections.Counter(), []
    for name, program, setup, tests in read(tasks):
        if not tests or native.verdict(program, setup, tests) != 'pass':
            count['programs that fail'] += 1
            continue
        made = mutate.mutants(program)
        rng.shuffle(made)
        data, killed = program.encode(), []
        for m in sorted(made[:int(per)], key=lambda m: (m.start, m.end, m.new)):
            end = native.verdict(mutate.apply(program, [m]), setup, tests)
            count[end] += 1
            if end == 'fail':
                killed.append([m.kind, m.start, data[m.start:m.end].decode(), m.new])
        rows.append({'name': name, 'program': program, 'setup': setup, 'tests': tests, 'mutants': killed})
    text = ''.join(json.dumps(row, ensure_ascii=False) + '\n' for row in rows)
    pathlib.Path(out).write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(len(rows), 'programs;', ', '.join(f'{n} {what}' for what, n in sorted(count.items())))


if __name__ == '__main__':
    main(*sys.argv[1:])
