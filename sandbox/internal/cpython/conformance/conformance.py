"""Compares the frozen CPython with a native one of the same version, over programs.

    conformance.py programs MBPP [CASES [TASKS]] >programs.jsonl     makes the programs; CASES and TASKS are optional, gzipped
    conformance.py native PYTHON programs.jsonl >native.jsonl        runs them natively, one process each
    go run . programs.jsonl >guest.jsonl             runs them in the image
    conformance.py compare programs.jsonl native.jsonl guest.jsonl   counts, and prints what differs

A row of programs.jsonl has id, source, and expect: "pass" or "fail" where it is known how the program must end. A row of the others has id, end
("done", "exit N", "raised", "budget", "timeout"), exception (the last line of its traceback), traceback and output (of sys.stdout).
"""

import ast
import collections
import copy
import gzip
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SECONDS = 1
# What a program that was written to attack its judge could do to this machine. Such programs are run in the image alone.
HARMFUL = re.compile(r"\b(os|subprocess|shutil|signal|ctypes|socket|multiprocessing|pathlib|_posixsubprocess|posix|open|__import__|importlib|eval|exec)\b")


def rows(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def values_shown(code, tests):
    """Returns the program that prints what the calls in its tests give."""
    parts = [code]
    for test in tests:
        try:
            statement = ast.parse(test).body[0]
        except SyntaxError:
            continue
        if not isinstance(statement, ast.Assert):
            continue
        shown = statement.test.left if isinstance(statement.test, ast.Compare) else statement.test
        parts.append(f"try:\n    print(repr({ast.unparse(shown)}))\nexcept Exception as error:\n    print(type(error), error)")
    return "\n".join(parts) + "\n"


class Mutator(ast.NodeTransformer):
    """Changes the nth place of a tree that can be changed."""

    SWAPS = {
        ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Div, ast.Div: ast.Mult, ast.Mod: ast.Mult, ast.Lt: ast.LtE,
        ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.And: ast.Or, ast.Or: ast.And, ast.In: ast.NotIn,
        ast.Is: ast.IsNot, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitXor, ast.Pow: ast.Mult,
    }

    def __init__(self, nth):
        self.nth, self.seen = nth, 0

    def hit(self):
        self.seen += 1
        return self.seen - 1 == self.nth

    def generic_visit(self, node):
        super().generic_visit(node)
        for kind, other in self.SWAPS.items():
            if type(node) is kind and self.hit():
                return other()
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, str, float)) and self.hit():
            value = node.value
            return ast.Constant(not value if isinstance(value, bool) else value + 1 if not isinstance(value, str) else value + "x")
        if isinstance(node, ast.Return) and node.value and self.hit():
            return ast.Return(ast.Tuple([node.value], ast.Load()))
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr)) and self.hit():
            return ast.Pass()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and self.hit():
            return ast.Name(node.id + "_", ast.Load())
        if isinstance(node, ast.Call) and node.args and self.hit():
            return ast.Call(node.func, node.args[1:], node.keywords)
        return node


def mutants(code, count, choose):
    """Yields up to count programs with one change each."""
    tree = ast.parse(code)
    counter = Mutator(-1)
    counter.visit(copy.deepcopy(tree))
    for nth in choose.sample(range(counter.seen), min(count, counter.seen)):
        yield ast.unparse(ast.fix_missing_locations(Mutator(nth).visit(copy.deepcopy(tree))))


class Hollow(ast.NodeTransformer):
    """Makes every function return an object that equals nothing."""

    def visit_FunctionDef(self, node):
        node.body = ast.parse("return object()").body
        return node


def programs(mbpp, cases=None, tasks=None):
    choose = random.Random(1)

    def put(name, source, expect=None):
        print(json.dumps({"id": name, "source": source, "expect": expect}))

    for row in rows(mbpp):
        code, tests = row["code"], row["test_list"]
        with_tests = "\n".join([code, row["test_setup_code"], *tests]) + "\n"
        put(f"mbpp/{row['task_id']}", with_tests, "pass")
        put(f"values/{row['task_id']}", values_shown(code + "\n" + row["test_setup_code"], tests))
        hollow = ast.unparse(ast.fix_missing_locations(Hollow().visit(ast.parse(code))))
        put(f"hollow/{row['task_id']}", "\n".join([hollow, row["test_setup_code"], *tests]) + "\n", "fail")
        for i, mutant in enumerate(mutants(code, 1, choose)):
            shown = values_shown(mutant + "\n" + row["test_setup_code"], tests)
            put(f"mutant/{row['task_id']}/{i}", shown if i % 2 else "\n".join([mutant, row["test_setup_code"], *tests]) + "\n")
    for row in rows(tasks) if tasks else []:
        meta = row["meta"]
        put(f"open/{meta['id']}", "\n".join([meta["canonical_code"], meta.get("test_setup_code") or "", *meta["test_list"]]) + "\n", "pass")
    for row in rows(cases) if cases else []:
        blocks = re.findall(r"```(?:python|py)?[^\n]*\n(.*?)```", row["completion"], re.S)
        code, meta = blocks[-1] if blocks else row["completion"], row["task"]["meta"]
        put(f"case/{row['case']}", "\n".join([code, meta.get("test_setup_code") or "", *meta["test_list"]]) + "\n")
        put(f"casevalues/{row['case']}", values_shown(code + "\n" + (meta.get("test_setup_code") or ""), meta["test_list"]))


def run_native(python, row):
    result = {"id": row["id"], "end": "harmful", "exception": "", "traceback": "", "output": ""}
    if row["id"].startswith("case") and HARMFUL.search(row["source"]):
        return result

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "program.py"), "w", encoding="utf-8", errors="surrogatepass", newline="") as file:
            file.write(row["source"])
        try:
            done = subprocess.run([python, "-W", "ignore::SyntaxWarning", "program.py"], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=60 * SECONDS,
                                  preexec_fn=limit, env={"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "PYTHON_COLORS": "0", "PYTHONDONTWRITEBYTECODE": "1"})
        except subprocess.TimeoutExpired:
            return result | {"end": "timeout"}
    errors = done.stderr.decode("utf-8", "replace")
    output = done.stdout.decode("utf-8", "replace").replace("\r\n", "\n")
    result["output"] = output.replace(f"{folder}/program.py", "/program.py")
    at = errors.find("Traceback (most recent call last):")
    raised = done.returncode == 1 and (at >= 0 or re.search(r"^\w*(Error|Exception)\b", errors, re.M))
    if raised:
        text = errors[at:] if at >= 0 else errors
        text = text.replace(f'"{folder}/program.py"', '"/program.py"').replace('"program.py"', '"/program.py"')
        return result | {"end": "raised", "exception": text.rstrip("\n").rpartition("\n")[2], "traceback": text}
    return result | {"end": "done" if done.returncode == 0 else f"exit {done.returncode}"}


def native(python, path):
    with ThreadPoolExecutor(2) as pool:
        for result in pool.map(lambda row: run_native(python, row), rows(path)):
            print(json.dumps(result))


STOPPED = ("timeout", f"exit {-signal.SIGKILL}", f"exit {-signal.SIGXCPU}")
ADDRESS = re.compile(r"\bat 0x[0-9a-f]+")


def normal(text):
    return ADDRESS.sub("at 0x", text)


def compare(path, natives, guests):
    sources = {row["id"]: row for row in rows(path)}
    ours = {row["id"]: row for row in rows(guests)}
    counts, wrong, tracebacks, different = collections.Counter(), collections.Counter(), 0, []
    for row in rows(natives):
        name, mine = row["id"], ours[row["id"]]
        kind = name.split("/")[0]
        expect = sources[name]["expect"]
        counts[kind] += 1
        if expect and (expect == "pass") != (mine["end"] == "done"):
            wrong[kind] += 1
            print("EXPECTED", expect, name, mine["end"], mine["exception"])
        if row["end"] == "harmful":
            counts["in the image alone"] += 1
            continue
        if row["end"] in STOPPED and mine["end"] == "budget":
            counts["stopped in both"] += 1
            continue
        if any(normal(row[key]) != normal(mine[key]) for key in ("end", "exception", "output")):
            different.append(name)
            print("DIFFERS", name)
            for key in ("end", "exception", "output"):
                if normal(row[key]) != normal(mine[key]):
                    print(f"    {key}: native {row[key][-300:]!r}\n    {key}: image  {mine[key][-300:]!r}")
        elif normal(row["traceback"]) != normal(mine["traceback"]):
            tracebacks += 1
            print("TRACEBACK", name)
    print(dict(counts), "not as expected:", dict(wrong))
    print(sum(counts.values()) - counts["stopped in both"] - 2 * counts["in the image alone"], "compared,", len(different), "differ,", tracebacks, "more in their tracebacks alone")


if __name__ == "__main__":
    {"programs": programs, "native": native, "compare": compare}[sys.argv[1]](*sys.argv[2:])
