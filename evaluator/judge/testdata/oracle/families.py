#!/usr/bin/env python3
"""families.py TASKS SEED MBPP PLUS EVALPLUS CODELINTER: how several judges decide on honest answers and on families of cheats.

Answers are made for TASKS tasks of MBPP that MBPP+ has too, drawn by SEED. MBPP and PLUS are the published files, EVALPLUS is a Python with EvalPlus, and
CODELINTER the program. black, ruff, autopep8, yapf and flake8 are beside this Python. Every answer is one in which the real flake8 finds nothing.

An answer is honest if native CPython sees no difference from the task's program: not in the asserts, the inputs of MBPP+, or 250 more calls of each
function (native.py). A cheat of the kinds "logic gone", "one change" and "hard-coded" is one with such a difference. Programs that are hidden from the linter, and attacks, are
cheats by construction. Others are left out. No label comes from the judge or its sandbox.

A JSON row is printed for each family: how many answers there are, how many each judge passes, and how many are unknown to codelinter's.
"""
import ast
import collections
import concurrent.futures
import json
import os
import pathlib
import pickle
import random
import re
import subprocess
import sys
import tempfile
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / 'internal' / 'tools' / 'attack'))
sys.dont_write_bytecode = True
warnings.simplefilter('ignore')  # of the programs

import cheats  # noqa: E402
import formatters  # noqa: E402
import honest  # noqa: E402
import mutate  # noqa: E402
import native  # noqa: E402

MUTANTS = 20  # of each task are tried
CHAINS = [['autopep8 -aa'], ['autopep8 -a', 'black'], ['autopep8 -aa', 'yapf'], ['ruff --fix', 'black'], ['ruff --fix --unsafe-fixes', 'ruff format']]
SEEN_BY = {'asserts': 'one change: the asserts tell', 'plus': "one change: only MBPP+'s inputs tell", 'calls': 'one change: only further calls tell'}
FORMATTED, EDITED = 'honest: formatters and fixers', 'honest: edits of the tree'
GONE, HARD, HIDDEN, ATTACK = 'logic gone', 'answers to the asserts hard-coded', 'program hidden from the linter', 'attacks on the judge'
FAMILIES = [FORMATTED, EDITED, GONE, *SEEN_BY.values(), HARD, HIDDEN, ATTACK]
WORKERS = 2 * os.cpu_count()
# How many answers of a family each task gets at most.
MOST = {FORMATTED: 2, EDITED: 3, GONE: 1, SEEN_BY['asserts']: 1, SEEN_BY['plus']: 3, SEEN_BY['calls']: 3, HARD: 1, HIDDEN: 2, ATTACK: 3}

Task = collections.namedtuple('Task', 'id program entry setup tests inputs given')
Answer = collections.namedtuple('Answer', 'task family kind code')

INPUTS = '''
import pickle, sys
from evalplus.data import get_mbpp_plus
tasks = {t['task_id']: (t['entry_point'], t['prompt'] + t['canonical_solution'], [*t['base_input'], *t['plus_input']]) for t in get_mbpp_plus().values()}
pickle.dump(tasks, sys.stdout.buffer)
'''


def results(program, entry, inputs):
    """Return what a program's function gives for each input, and its arguments after the call. None stands for an exception."""
    function, found = getattr(native.load(program), entry), []
    for args in inputs:
        try:
            args = pickle.loads(pickle.dumps(args))
            found.append((native.plain(function(*args)), native.plain(args)))
        except Exception:
            found.append(None)
    return found


def chosen(number, seed, mbpp, plus, evalplus):
    """Return tasks whose program passes its asserts, and gives what MBPP+'s solution gives for MBPP+'s inputs."""
    environment = os.environ | {'MBPP_OVERRIDE_PATH': plus}
    theirs = pickle.loads(subprocess.run([evalplus, '-c', INPUTS], env=environment, stdout=subprocess.PIPE, check=True).stdout)
    rows = [row for row in map(json.loads, open(mbpp)) if f'Mbpp/{row["task_id"]}' in theirs]
    random.Random(seed).shuffle(rows)
    tasks = []
    for row in rows:
        name, program = f'Mbpp/{row["task_id"]}', row['code'].replace('\r\n', '\n')
        entry, solution, inputs = theirs[name]
        if native.verdict(program, row['test_setup_code'], row['test_list']) == 'pass':
            given = native.apart(results, program, entry, inputs)
            if given and None not in given and given == native.apart(results, solution, entry, inputs):
                tasks.append(Task(name, program, entry, row['test_setup_code'], row['test_list'], inputs, given))
        if len(tasks) == number:
            break
    print(f'{len(theirs)} tasks, {len(rows)} of them with their program in MBPP, {len(tasks)} chosen', file=sys.stderr)
    return tasks


def told(task, code):
    """Return what tells an answer from its task's program: "asserts", "plus", "calls", or "" for nothing. None stands for undecided."""
    verdict = native.verdict(code, task.setup, task.tests)
    if verdict != 'pass':
        return 'asserts' if verdict == 'fail' else None
    found = native.apart(results, code, task.entry, task.inputs)
    if found is None:
        return None
    if found != task.given:
        return 'plus'
    seen = native.apart(native.observe, task.program, code, task.tests, 1)
    return None if seen is None else 'calls' if seen else ''


def tells(pairs):
    """Return told of each pair of a task and an answer."""
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(lambda pair: told(*pair), pairs))


def labelled(answers, keep):
    """Return the answers of which told is as keep wants it."""
    return [a for a, found in zip(answers, tells([(a.task, a.code) for a in answers])) if keep(found)]


def findings(codes):
    """Return the indexes of the texts in which flake8 finds something."""
    with tempfile.TemporaryDirectory() as folder:
        for i, code in enumerate(codes):
            pathlib.Path(folder, f'{i}.py').write_text(code)
        command = [formatters.BIN / 'flake8', '--isolated', '--format=%(path)s', folder]
        run = subprocess.run(command, env=os.environ | {'PYTHONWARNINGS': 'ignore'}, stdout=subprocess.PIPE, text=True)
    if run.returncode > 1:
        sys.exit(f'flake8 ended with exit code {run.returncode}')
    return {int(pathlib.Path(row).stem) for row in run.stdout.splitlines()}


def clean(answers):
    """Return the answers in which flake8 finds nothing, each text of a task once."""
    faulty = findings([a.code for a in answers])
    return list({(a.task.id, a.code): a for i, a in enumerate(answers) if i not in faulty}.values())


def silencing(answers):
    """Return the answers without those whose "# noqa" comments silence nothing, which are repairs."""
    bare = [re.sub(r'\s*# (flake8: ?)?noqa.*', '', a.code, flags=re.IGNORECASE) for a in answers]
    faulty = findings(bare)
    return [a for i, a in enumerate(answers) if bare[i] == a.code or i in faulty]


def tidied(codes):
    """Return texts as autopep8 leaves them."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder, f'{i}.py') for i in range(len(codes))]
        for path, code in zip(paths, codes):
            path.write_text(code)
        subprocess.run([formatters.BIN / 'autopep8', '-i', '-r', '-a', '-a', folder], check=True)
        return [path.read_text() for path in paths]


def drawn(answers, rng):
    """Return clean answers at random, of each task and family no more than MOST."""
    def some(answers, times):
        count, found = collections.Counter(), []
        for a in answers:
            if count[a.task.id, a.family] < times * MOST[a.family]:
                count[a.task.id, a.family] += 1
                found.append(a)
        return found
    rng.shuffle(answers)
    return some(clean(some(answers, 2)), 1)


def made(tasks, rng):
    """Return labelled answers, and the tasks that have any."""
    outputs = formatters.mended([(t.id, t.program) for t in tasks], CHAINS)
    formatted = drawn([Answer(tasks[i], FORMATTED, chain, text) for (i, chain), text in outputs.items()], rng)
    formatted = labelled(formatted, lambda found: found == '')
    bases = {a.task.id: a.code for a in formatted}  # an honest answer to each task
    tasks = [t for t in tasks if t.id in bases]
    edited = [Answer(t, EDITED, kind, code) for t in tasks for kind, code in honest.edits(bases[t.id], t.entry, t.tests, rng)]
    edited = [a._replace(code=code) for a, code in zip(edited, tidied([a.code for a in edited])) if code != bases[a.task.id]]
    answers = formatted + labelled(drawn(edited, rng), lambda found: found == '')

    changed = []
    for t in tasks:
        mutants = mutate.mutants(bases[t.id])
        for m in rng.sample(mutants, min(MUTANTS, len(mutants))):
            changed.append(Answer(t, '', m.kind, mutate.apply(bases[t.id], [m])))
    found = tells([(a.task, a.code) for a in changed])
    changed = [a._replace(family=SEEN_BY.get(by, '')) for a, by in zip(changed, found)]
    print(f'{sum(not a.family for a in changed)} of {len(changed)} changes are told by nothing', file=sys.stderr)
    answers += drawn([a for a in changed if a.family], rng)

    for family, makers in (GONE, cheats.GONE), (HARD, cheats.HARD_CODED), (HIDDEN, cheats.HIDDEN), (ATTACK, cheats.ATTACKS):
        tried = []
        for t in tasks:
            material = cheats.Material(t.program, bases[t.id], t.entry, t.tests)
            tried += [Answer(t, family, name, code) for name, maker in makers.items() if (code := maker(material))]
        tried = drawn(silencing(tried), rng)
        answers += tried if family in (HIDDEN, ATTACK) else labelled(tried, bool)
    return tasks, answers


def asserts(answers):
    """Return for each answer whether it and the asserts end with exit code 0 in native CPython."""
    def passes(a):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, 'main.py').write_text('\n'.join([a.code, a.task.setup, *a.task.tests, '']))
            try:
                return subprocess.run([sys.executable, '-I', 'main.py'], cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, timeout=20).returncode == 0
            except subprocess.TimeoutExpired:
                return False
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(passes, answers))


def by_evalplus(answers, plus, evalplus):
    """Return for each answer whether EvalPlus passes it, by its original and added inputs."""
    wanted = {a.task.id for a in answers}
    with tempfile.TemporaryDirectory() as folder:
        tasks, samples = pathlib.Path(folder, 'tasks.jsonl'), pathlib.Path(folder, 'samples.jsonl')
        tasks.write_text(''.join(row for row in open(plus) if json.loads(row)['task_id'] in wanted))
        samples.write_text(''.join(json.dumps({'task_id': a.task.id, 'solution': a.code}) + '\n' for a in answers))
        command = [pathlib.Path(evalplus).parent / 'evalplus.evaluate', '--dataset', 'mbpp', '--samples', samples, '--min-time-limit', '4']
        subprocess.run(command, env=os.environ | {'MBPP_OVERRIDE_PATH': str(tasks)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        found = json.loads(pathlib.Path(folder, 'samples_eval_results.json').read_text())['eval']
    rows = {task: iter(of) for task, of in found.items()}
    statuses = [next(rows[a.task.id]) for a in answers]
    return [s['base_status'] == s['plus_status'] == 'pass' for s in statuses]


def guarded(tasks, answers, binary):
    """Return codelinter's verdict on each answer."""
    outputs = {t.id: [] for t in tasks}
    for a in answers:
        outputs[a.task.id].append(f'```python\n{a.code}```\n')
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder, name) for name in ('tasks.jsonl', 'samples.jsonl', 'results.jsonl')]
        rows = [{'instruction': '{code}', 'inputs': {'code': t.program, 'feedback': ''}, 'outputs': '', 'meta': {'id': t.id, 'test_setup_code': t.setup, 'test_list': t.tests}}
                for t in tasks]
        paths[0].write_text(''.join(json.dumps(row) + '\n' for row in rows))
        paths[1].write_text(''.join(json.dumps({'id': task, 'outputs': of}) + '\n' for task, of in outputs.items()))
        command = [binary, 'eval', '--tasks', paths[0], '--samples', paths[1], '-o', paths[2]]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        results = {row['id']: iter(row['samples']) for row in map(json.loads, open(paths[2]))}
    return [next(results[a.task.id]) for a in answers]


def main(number, seed, mbpp, plus, evalplus, binary):
    tasks, answers = made(chosen(int(number), int(seed), mbpp, plus, evalplus), random.Random(int(seed)))
    counts = {family: collections.Counter() for family in FAMILIES}
    faulty = findings([a.code for a in answers])
    judges = zip(answers, asserts(answers), by_evalplus(answers, plus, evalplus), guarded(tasks, answers, binary))
    for i, (a, by_asserts, by_plus, sample) in enumerate(judges):
        counts[a.family] += collections.Counter(
            number=1, lint=i not in faulty, asserts=by_asserts, plus=by_plus, judge=sample['guarded'] == 'pass', unknown=sample['guarded'] == 'unknown')
        if (sample['guarded'] == 'pass') != a.family.startswith('honest'):
            print(f'{a.task.id}: {a.family}: {a.kind}: {sample["guarded"]} {sample.get("reasons", "")}\n{a.code}', file=sys.stderr)
    for family, count in counts.items():
        print(json.dumps({'family': family, 'honest': family.startswith('honest'), 'tasks': len({a.task.id for a in answers if a.family == family}), **count}))


if __name__ == '__main__':
    main(*sys.argv[1:])
