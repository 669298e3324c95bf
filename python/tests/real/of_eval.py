"""What the real runs share: answers to tasks of the open set, and what `codelinter eval` says of answers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Dict, Iterable, List, NamedTuple, Sequence, Tuple

from codelinter._adapter import tasks_with_prompts

#: How many tasks are answered, twelve times each.
TASKS = 26


class Verdict(NamedTuple):
    """What eval says of one answer."""

    official: bool
    #: "" where only the official verdict was asked for.
    guarded: str


def answers_of(task: str) -> List[str]:
    """Returns twelve answers to a task: clean, unicode, broken, empty, gamed, and with other blanks around them.

    Most have no fence, so that blanks around them are the program's.
    """
    row = json.loads(task)
    good, code = row["meta"]["canonical_code"], row["inputs"]["code"]
    bare = [
        good,
        good.rstrip("\n"),
        f"\n{good}",
        f"{good}\n",
        f"{good}# \u00e9\u4f60\n",
        code,
        f"# flake8: noqa\n{code}",
    ]
    return [f"```python\n{good}```", f"Here:\n```python\n{good}", *bare, "def f(:\n", "", "x = 1\n"]


def asked() -> List[Tuple[Dict[str, str], str]]:
    """Returns 312 answers, each behind the row of its task: id, prompt, and the task as JSON."""
    return [(row, answer) for row in open_set(TASKS) for answer in answers_of(row["task"])]


def open_set(count: int) -> List[Dict[str, str]]:
    """Returns the first tasks of the open set: id, prompt, and the task as JSON."""
    return tasks_with_prompts()[:count]


def write_answers(path: str, tasks: int = TASKS) -> None:
    """Writes what the model stub answers to tasks: the twelve of each and null, each time from another on."""
    rows = []
    for i, row in enumerate(open_set(tasks)):
        answers = [*answers_of(row["task"]), None]
        rows.append([row["prompt"], answers[i % len(answers) :] + answers[: i % len(answers)]])
    Path(path).write_text(json.dumps(rows), encoding="utf-8")


def verdicts(answers: Iterable[Tuple[str, str]], guarded: bool = True) -> List[Verdict]:
    """Returns what eval says of each answer, given as the id of its task and its text, in their order."""
    places: Dict[str, List[int]] = {}
    outputs: Dict[str, List[str]] = {}
    count = 0
    for name, answer in answers:
        places.setdefault(str(name), []).append(count)
        outputs.setdefault(str(name), []).append(answer)
        count += 1
    with open("samples.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps({"id": name, "outputs": texts}) + "\n" for name, texts in outputs.items())
    command = ["codelinter", "eval", "--samples", "samples.jsonl", "-o", "results.jsonl", "--k", "1"]
    subprocess.run([*command, *([] if guarded else ["--no-guard"])], check=True, stdout=subprocess.DEVNULL)
    found: Dict[int, Verdict] = {}
    for line in open("results.jsonl", encoding="utf-8"):
        result = json.loads(line)
        samples = result.get("samples", [])
        if samples:
            assert len(samples) == len(places[str(result["id"])]), result["id"]
            for place, sample in zip(places[str(result["id"])], samples):
                found[place] = Verdict(sample["official"], sample.get("guarded", ""))
    assert sorted(found) == list(range(count)), f"{len(found)} verdicts of {count} answers"
    return [found[place] for place in range(count)]


def counting_binary(path: str) -> str:
    """Returns a `codelinter` that adds a line to a file for each child, `codelinter stream`, that is started."""
    binary = os.environ.get("CODELINTER_BINARY") or shutil.which("codelinter")
    shim = Path(f"{path}.binary").absolute()
    shim.write_text(
        f'#!/bin/sh\n[ "$1" != stream ] || echo $$ >>{Path(path).absolute()}\nexec {binary} "$@"\n', encoding="utf-8"
    )
    shim.chmod(0o755)
    return str(shim)


def rewards_are(rewards: Sequence[float], expected: Sequence[bool], what: str) -> None:
    """Requires of rewards that they are 1.0 and 0.0 as expected, and that there are both, and says how many."""
    assert len(rewards) == len(expected), f"{what}: {len(rewards)} rewards for {len(expected)} answers"
    wrong = [i for i, (reward, good) in enumerate(zip(rewards, expected)) if reward != float(good)]
    assert not wrong, f"{what}: {len(wrong)} rewards differ, first {rewards[wrong[0]]} at {wrong[0]}"
    assert len(set(expected)) == 2, f"{what}: all answers have the same verdict, which shows nothing"
    print(f"{what}: {len(rewards)} rewards as codelinter eval has them, {sum(expected)} of them 1.0", flush=True)
