#!/usr/bin/env python3
"""Whether tests that a task shows make the judge see less, on programs that students wrote.

students.py REFACTORY QUIXBUGS NUMBER SEED CODELINTER [SHOWN ...]

The programs, and the labels by native CPython, are those of internal/tools/results/repairs.py, which says what the first
four arguments are. Each wrong answer is judged with the first SHOWN tests of its question (0, 1, 3 and all, if none is
given). What is printed is a JSON object a line: the kind of answers, the number of tests, and how many pass; then those
that pass with more tests and not with fewer.
"""
import collections
import importlib.util
import json
import pathlib
import random
import sys

PLACE = pathlib.Path(__file__).resolve().parents[4] / 'internal' / 'tools' / 'results' / 'repairs.py'
SPEC = importlib.util.spec_from_file_location('repairs', PLACE)
repairs = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(repairs)


def main(refactory, quix, number, seed, binary, *shown):
    chance = random.Random(int(seed))
    drawn = [*repairs.students(pathlib.Path(refactory), int(number), chance), *repairs.quixbugs(pathlib.Path(quix))]
    kinds = collections.defaultdict(list)
    for pair in drawn:
        label = pair.label(chance)
        if label is not None and not label[1]:
            kinds[pair.kind, 'differ only in further calls' if label[0] else 'the tests tell'].append(pair)
    for (kind, what), pairs in sorted(kinds.items()):
        passed = {}
        for most in shown or ('0', '1', '3', 'all'):
            verdicts = repairs.guarded(binary, pairs, None if most == 'all' else int(most))
            passed[most] = {i for i, verdict in enumerate(verdicts) if verdict == 'pass'}
            print(json.dumps({'programs': kind, 'what': what, 'number': len(pairs), 'shown': most, **collections.Counter(verdicts)}), flush=True)
        counts = list(passed)
        more = [[few, many, pairs[i].answer] for few, many in zip(counts, counts[1:]) for i in sorted(passed[many] - passed[few])]
        print(json.dumps({'programs': kind, 'what': what, 'pass only with more tests': more}), flush=True)


if __name__ == '__main__':
    main(*sys.argv[1:])
