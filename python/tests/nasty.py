"""What rewards pay for ten nasty answers, and for two honest ones, as a table of docs/rewards.md.

    CODELINTER_BINARY=./codelinter python -m tests.nasty

prints the table. The public rewards are re-enacted by their formulas, over flake8's findings:
``n`` in the answer and ``base`` in the program. Where these rewards give 1.0 to an answer whose
tool ran out of time, so does the table.
"""

from __future__ import annotations

from typing import Callable, Dict, List, Tuple

import codelinter

PROGRAM = """import os
def total(numbers):
    sum=0
    for number in numbers:
        sum=sum+number
    return sum
"""
GOOD = """def total(numbers):
    sum = 0
    for number in numbers:
        sum = sum + number
    return sum
"""
TASK = {"program": PROGRAM, "canonical": GOOD, "tests": ["assert total([1, 2]) == 3", "assert total([]) == 0"]}

ANSWERS: Dict[str, str] = {
    "mended": GOOD,
    "half mended": PROGRAM.replace("import os\n", ""),
    "empty": "",
    "a comment": "# done\n",
    "broken": "def total(numbers:\n",
    "`# flake8: noqa`": f"# flake8: noqa\n{PROGRAM}",
    "`# noqa` in each line": "".join(f"{line}  # noqa\n" for line in PROGRAM.splitlines()),
    "body deleted": "def total(numbers):\n    return 0\n",
    "unchanged": PROGRAM,
    "another program": GOOD.replace("+", "-"),
    "knows the tests": "def total(numbers):\n    return 3 if numbers else 0\n",
    "never ends": GOOD.replace("sum = 0", "while True:\n        pass"),
}

#: Public shapes: of the numbers of findings in the answer and in the program.
SHAPES: List[Tuple[str, Callable[[int, int], float]]] = [
    ("1 / (1 + max(n - base, 0))", lambda n, base: 1 / (1 + max(n - base, 0))),
    ("max(1 - 0.1 n, 0)", lambda n, base: max(1 - 0.1 * n, 0)),
    ("max(1 - 0.5 n, 0)", lambda n, base: max(1 - 0.5 * n, 0)),
    ("n = 0", lambda n, base: float(n == 0)),
]

PRESETS = [
    "graded",
    "per_finding(0.1)",
    "per_finding(0.5)",
    "graded*tests",
    "graded*meaning",
    "tests",
    "meaning",
    "shaped",
    "binary",
]


def rows() -> List[Tuple[str, List[float]]]:
    """Returns the table's rows: a reward, and what it pays for each answer."""
    texts = list(ANSWERS.values())
    with codelinter.Client(verdict="official") as client:
        found = [score.found for score in client.score(texts, TASK)]
        base = len(client.lint(PROGRAM))
    table = [(f"public: {name}", [value(n, base) for n in found]) for name, value in SHAPES]
    for preset in PRESETS:
        with codelinter.Client(reward=preset, timeout=600) as client:
            table.append((f"`{preset}`", [score.reward for score in client.score(texts, TASK)]))
    return table


def table() -> str:
    """Returns the table in Markdown."""
    head = f"| reward | {' | '.join(ANSWERS)} |\n|{'---|' * (len(ANSWERS) + 1)}\n"
    return head + "".join(f"| {name} | {' | '.join(f'{value:.2g}' for value in paid)} |\n" for name, paid in rows())


if __name__ == "__main__":
    print(table(), end="")
