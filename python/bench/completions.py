"""Microseconds of cpu that an official verdict costs, by batch size, new and seen before, beside flake8's own ways.

    PYTHONPATH=python/src CODELINTER_BINARY=./codelinter PYTHON python/bench/completions.py

PYTHON is one that has flake8. The cpu counted is that of this process and of its
children, the child of the client among them, so that other load on the machine
matters little.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Callable, List

import codelinter
from codelinter._adapter import tasks_with_prompts

TICKS = os.sysconf("SC_CLK_TCK")


def cpu(child: int | None = None) -> float:
    """Returns the seconds of cpu of this process, of children that have ended, and of one that lives."""
    times = os.times()
    seconds = times.user + times.system + times.children_user + times.children_system
    if child is not None:
        fields = Path(f"/proc/{child}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        seconds += (int(fields[11]) + int(fields[12])) / TICKS
    return seconds


def report(name: str, count: int, seconds: float, ours: float | None = None) -> None:
    of_python = "" if ours is None else f", {1e6 * ours / count:.1f} of them Python's"
    print(f"{name:46} {1e6 * seconds / count:10.1f} us of cpu a completion, over {count}{of_python}", flush=True)


def completions(count: int) -> List[str]:
    """Returns answers to the open set, half of them clean, no two the same."""
    programs = []
    for row in tasks_with_prompts():
        task = json.loads(row["task"])
        programs += [task["inputs"]["code"], task["meta"]["canonical_code"]]
    return [f"```python\n{programs[i % len(programs)]}# {i}\n```" for i in range(count)]


def in_batches(answers: List[str], size: int, details: bool = False) -> None:
    with codelinter.Client(verdict="official", processors=1, details=details) as client:
        client.score(answers[-1:])
        for name in ("", ", again"):  # then the child has seen them all
            begin, python = cpu(client.pid), cpu()
            for at in range(0, len(answers), size):
                client.score(answers[at : at + size])
            report(
                f"codelinter.Client, batches of {size}{', details' * details}{name}",
                len(answers),
                cpu(client.pid) - begin,
                cpu() - python,
            )


def timed(name: str, codes: List[str], lint: Callable[[str], object]) -> None:
    begin = cpu()
    for code in codes:
        lint(code)
    report(name, len(codes), cpu() - begin)


def flake8_process(code: str) -> None:
    subprocess.run([sys.executable, "-m", "flake8", "-"], input=code.encode(), stdout=subprocess.DEVNULL, check=False)


def main() -> None:
    answers = completions(16_384)
    print(f"{sum(map(len, answers)) / len(answers):.0f} characters a completion", flush=True)
    for size, count in ((1, 2048), (16, 4096), (256, 16_384), (4096, 16_384)):
        in_batches(answers[:count], size)
    in_batches(answers, 256, details=True)

    codes = [re.sub(r"^```python\n|```$", "", answer) for answer in answers]
    timed("flake8, a process each", codes[:8], flake8_process)

    from flake8.api import legacy

    style = legacy.get_style_guide()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "code.py"

        def by_api(code: str) -> None:
            path.write_text(code, encoding="utf-8")
            with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())):
                style.check_files([str(path)])

        timed("flake8's legacy API", codes[:64], by_api)

    import pycodestyle
    from pyflakes import checker

    quiet = pycodestyle.StyleGuide(quiet=2)

    def in_process(code: str) -> None:
        pycodestyle.Checker(lines=code.splitlines(keepends=True), options=quiet.options).check_all()
        with contextlib.suppress(SyntaxError):
            checker.Checker(ast.parse(code))

    timed("pycodestyle and pyflakes in this process", codes[:256], in_process)


if __name__ == "__main__":
    main()
