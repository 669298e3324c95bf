#!/usr/bin/env python3
"""What internal/tools/results measures of programs that are run, in an interpreter that has the tool.

executed.py fork|monty PROGRAMS      runs each program in a fork of this CPython, or in a session of Monty
executed.py http PROGRAMS URL        has a server at URL run each, by SandboxFusion's /run_code
executed.py heavy TASKS LEAST MOST   prints the tasks of EvalPlus' whose expected values take it between so many seconds
executed.py answers TASKS PER        writes answers to tasks of EvalPlus': their own solutions, and PER mutants of each

PROGRAMS is MBPP's or HumanEval's file as it is published: a program is a task's own solution and its asserts. Programs run one after the other, in
ROUNDS rounds, and the least time of each counts. What is printed is JSON: the median and the 99th percentile in seconds, and how many ended well.
"""
import contextlib
import json
import os
import pathlib
import random
import signal
import sys
import time
import urllib.request

ROUNDS = 3
LIMIT = 10  # seconds


def rows(path):
    return [json.loads(row) for row in pathlib.Path(path).read_text().splitlines()]


def program(row):
    if 'entry_point' in row:
        return f'{row["prompt"]}{row["canonical_solution"]}\n{row["test"]}\ncheck({row["entry_point"]})\n'
    return '\n'.join([row['code'], row['test_setup_code'], *row['test_list'], ''])


def measure(run, path):
    programs = [program(row) for row in rows(path)]
    least, ended = [float('inf')] * len(programs), 0
    for _ in range(ROUNDS):
        ended = 0
        for i, source in enumerate(programs):
            began = time.perf_counter()
            ended += run(source)
            least[i] = min(least[i], time.perf_counter() - began)
    least.sort()
    print(json.dumps({'median': least[len(least) // 2], 'p99': least[len(least) * 99 // 100], 'programs': len(programs), 'ended': ended}))


def fork(path):
    null = os.open(os.devnull, os.O_WRONLY)

    def run(source):
        child = os.fork()
        if child == 0:
            os.dup2(null, 1)
            os.dup2(null, 2)
            signal.alarm(LIMIT)
            try:
                exec(compile(source, 'main.py', 'exec'), {'__name__': '__main__'})
            except BaseException:
                os._exit(1)
            os._exit(0)
        return os.waitpid(child, 0)[1] == 0

    measure(run, path)


def monty(path):
    import pydantic_monty

    with pydantic_monty.Monty() as pool:
        def run(source):
            try:
                with pool.checkout(limits={'max_feed_duration_secs': LIMIT}) as session:
                    session.feed_run(source, print_callback=lambda *_: None)
            except pydantic_monty.MontyError:
                return False
            return True

        measure(run, path)


def http(path, url):
    def run(source):
        body = json.dumps({'code': source, 'language': 'python', 'run_timeout': LIMIT}).encode()
        request = urllib.request.Request(url + '/run_code', body, {'Content-Type': 'application/json'})
        with urllib.request.urlopen(request) as reply:
            return json.load(reply)['status'] == 'Success'

    measure(run, path)


def answers(path, per):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'attack'))
    sys.dont_write_bytecode = True
    import mutate

    chance = random.Random(1)
    for row in rows(path):
        solution = row['prompt'] + row['canonical_solution']
        made = mutate.mutants(solution)
        for edits in [[]] + [[m] for m in chance.sample(made, min(int(per), len(made)))]:
            print(json.dumps({'task_id': row['task_id'], 'solution': mutate.apply(solution, edits)}))


def heavy(path, least, most):
    os.environ['HUMANEVAL_OVERRIDE_PATH'] = path
    with contextlib.redirect_stdout(sys.stderr):
        from evalplus.data import get_human_eval_plus, get_human_eval_plus_hash
        from evalplus.evaluate import get_groundtruth

        expected = get_groundtruth(get_human_eval_plus(), get_human_eval_plus_hash(), [])
    for name, of in expected.items():
        if float(least) <= sum(of['base_time']) + sum(of['plus_time']) <= float(most):
            print(name)


if __name__ == '__main__':
    {'fork': fork, 'monty': monty, 'http': http, 'heavy': heavy, 'answers': answers}[sys.argv[1]](*sys.argv[2:])
