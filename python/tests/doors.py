"""The same answers through each door: the numbers of a reward must be the same.

    CODELINTER_BINARY=./codelinter python -m tests.doors 2000

prints for each reward how many answers were compared, and how many differ. The doors are a
client with a function of a score, a client with a formula, `codelinter stream`, `codelinter
serve` and `codelinter eval`.
"""

from __future__ import annotations

import http.client
import json
import random
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Sequence, Tuple

import codelinter
from codelinter import rewards as r
from codelinter._adapter import tasks_with_prompts

#: Rewards as formulas, and as functions of a score.
REWARDS: Dict[str, r.Sum] = {
    "graded": r.Sum(r.graded()),
    "graded(E=2, W=0.5, W291=1)": r.Sum(r.graded(codes={"E": 2, "W": 0.5, "W291": 1})),
    "per_finding": r.Sum(r.per_finding()),
    "0.5*per_finding(0.5, F=3)": r.Sum(r.per_finding(0.5, 0.5, {"F": 3})),
    "tests": r.Sum(r.tests()),
    "meaning": r.Sum(r.meaning()),
    "graded*meaning": r.Sum(r.graded() * r.meaning()),
    "0.7*graded*meaning + 0.3*tests": r.Sum(r.graded(0.7) * r.meaning(), r.tests(0.3)),
    "passed + 0.5*fixed(E999=3, W=0.5) + 0.2*introduced + 0.5*invalid + empty, least=-1": r.Sum(
        r.passed(), r.fixed(0.5, {"E999": 3, "W": 0.5}), r.introduced(0.2), r.invalid(0.5), r.empty(), least=-1.0
    ),
    "fixed + 0.1*partial + 0.1*longer(80) + 0.1*edited + empty, least=-1, most=0.9": r.Sum(
        r.fixed(), r.partial(0.1), r.longer(0.1, 80), r.edited(0.1), r.empty(), least=-1.0, most=0.9
    ),
}


class Found(NamedTuple):
    """What a door says of an answer. reward is None where it is masked."""

    reward: Any
    terms: Dict[str, float]


def answers(count: int, seed: int = 1, tasks: int = 1000) -> List[Tuple[Dict[str, Any], str]]:
    """Returns tasks of the open set with answers: mended, half mended, worse, broken, empty, hiding, cut, rewritten."""
    chance = random.Random(seed)
    rows = [json.loads(row["task"]) for row in tasks_with_prompts()]
    rows = chance.sample(rows, min(tasks, len(rows)))
    found = []
    for i in range(count):
        task = rows[i % len(rows)]
        good, code = task["meta"]["canonical_code"], task["inputs"]["code"]
        lines = chance.choice((good, code)).splitlines(keepends=True)
        at = chance.randrange(len(lines) + 1)
        makers = (
            lambda good=good: good,
            lambda code=code: code,
            lambda lines=lines, at=at: "".join([*lines[:at], "import os\n", *lines[at:]]),
            lambda lines=lines, at=at: "".join(lines[:at] + lines[at + 1 :]),
            lambda lines=lines, at=at: "".join(lines[:at]),
            lambda lines=lines, at=at: "".join([*lines[:at], "x = (\n", *lines[at:]]),
            lambda code=code: "".join(f"{line}  # noqa\n" for line in code.splitlines()),
            lambda good=good: good.replace("1", "2"),
            lambda lines=lines: "".join(f"{line.rstrip()} \n" for line in lines),
            lambda good=good: f"{good}while True:\n    pass\n",
            lambda: chance.choice(("", "pass\n", "# nothing\n", "x = 1\n", '"""Nothing."""\n')),
        )
        text = chance.choice(makers)()
        found.append((task, f"```python\n{text}```" if chance.random() < 0.5 else text))
    return found


def by_function(batch: Sequence[Tuple[Dict[str, Any], str]], reward: r.Sum, on_unknown: Any) -> List[Found]:
    """Is the door of a client whose reward is a function."""
    with codelinter.Client(reward=reward, on_unknown=on_unknown, timeout=600) as client:
        return _of_scores(client.score([text for _, text in batch], [task for task, _ in batch]))


def by_formula(batch: Sequence[Tuple[Dict[str, Any], str]], formula: str, on_unknown: Any) -> List[Found]:
    """Is the door of a client whose reward is a formula."""
    with codelinter.Client(reward=formula, on_unknown=on_unknown, timeout=600) as client:
        return _of_scores(client.score([text for _, text in batch], [task for task, _ in batch]))


def _of_scores(scores: List[codelinter.Score]) -> List[Found]:
    return [Found(None if score.masked else score.reward, score.terms) for score in scores]


def _items(batch: Sequence[Tuple[Dict[str, Any], str]]) -> List[Dict[str, Any]]:
    return [{"task": task, "completion": text} for task, text in batch]


def _of_reply(reply: Any) -> List[Found]:
    assert "scores" in reply, reply
    found = []
    for (score,) in reply["scores"]:
        assert score["error"] == "", score
        found.append(Found(None if score["masked"] else score["reward"], score["terms"]))
    return found


def by_stream(batch: Sequence[Tuple[Dict[str, Any], str]], formula: str, on_unknown: str) -> List[Found]:
    """Is the door of `codelinter stream`, with the reward as an option."""
    command = [codelinter.find_binary(), "stream", "--reward", formula, "--on-unknown", on_unknown]
    request = json.dumps({"items": _items(batch)}) + "\n"
    done = subprocess.run(command, input=request, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return _of_reply(json.loads(done.stdout))


def by_server(batch: Sequence[Tuple[Dict[str, Any], str]], formula: str, on_unknown: str) -> List[Found]:
    """Is the door of `codelinter serve`, with the reward in the request."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/s"
        with subprocess.Popen(
            [codelinter.find_binary(), "serve", "--listen", f"unix:{path}", "--deadline", "600s"],
            stderr=subprocess.DEVNULL,
        ) as server:
            try:
                connection = http.client.HTTPConnection("localhost", timeout=3600)
                connection.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                while connection.sock.connect_ex(path) != 0:
                    assert server.poll() is None, "the server ended"
                    time.sleep(0.05)
                status = 503
                while status == 503:  # the sandbox starts
                    connection.request("GET", "/readyz")
                    response = connection.getresponse()
                    status = response.status
                    response.read()
                body = {"items": _items(batch), "reward": formula, "on_unknown": on_unknown, "deadline_ms": 3e6}
                connection.request("POST", "/v1/score", json.dumps(body))
                return _of_reply(json.loads(connection.getresponse().read()))
            finally:
                server.terminate()


def by_eval(batch: Sequence[Tuple[Dict[str, Any], str]], formula: str, on_unknown: str) -> List[Found]:
    """Is the door of `codelinter eval`."""
    places: Dict[str, List[int]] = {}
    for i, (task, _) in enumerate(batch):
        places.setdefault(str(task["meta"]["id"]), []).append(i)
    with tempfile.TemporaryDirectory() as folder:
        samples, results = Path(folder, "samples.jsonl"), Path(folder, "results.jsonl")
        rows = [{"id": name, "outputs": [batch[i][1] for i in of_task]} for name, of_task in places.items()]
        samples.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        command = [codelinter.find_binary(), "eval", "--samples", str(samples), "-o", str(results), "--k", "1"]
        command += ["--reward", formula, "--on-unknown", on_unknown]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        found: Dict[int, Found] = {}
        for line in results.read_text(encoding="utf-8").splitlines():
            result = json.loads(line)
            for place, sample in zip(places.get(str(result.get("id")), ()), result.get("samples", ())):
                found[place] = Found(sample["reward"], sample["terms"])
    return [found[i] for i in range(len(batch))]


DOORS = {"formula": by_formula, "stream": by_stream, "serve": by_server, "eval": by_eval}


def differences(batch: Sequence[Tuple[Dict[str, Any], str]], formula: str, on_unknown: str) -> List[str]:
    """Returns where a door says otherwise than a client whose reward is a function."""
    expected = by_function(batch, REWARDS[formula], on_unknown)
    found = []
    for name, door in DOORS.items():
        for i, (want, got) in enumerate(zip(expected, door(batch, formula, on_unknown))):
            if want != got:
                found.append(f"{formula}, {on_unknown}: {name}: {got}, want {want}, for {batch[i][1]!r:.300}")
    return found


def main() -> None:
    batch = answers(int(sys.argv[1]))
    for i, formula in enumerate(REWARDS):
        on_unknown = ("zero", "mask", "official")[i % 3]
        found = differences(batch, formula, on_unknown)
        print(f"{formula} ({on_unknown}): {len(batch)} answers, {1 + len(DOORS)} doors, {len(found)} differ")
        print("".join(f"  {difference}\n" for difference in found[:3]), end="", flush=True)


if __name__ == "__main__":
    main()
