"""200,000 answers from Parquet to Parquet on two actors: in peace, then with their children and themselves killed.

Both times each id is there once and the verdicts are those of `codelinter eval`. One
child alone scores the same answers first, so that what Ray costs is seen in one run.
What it was for is in docs/scale.md.
"""

from __future__ import annotations

import os
import random
import secrets
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Tuple

#: What tells processes of this run from others of the machine.
os.environ["CODELINTER_RUN"] = RUN = secrets.token_hex(8)

import pyarrow as pa
import pyarrow.parquet as pq
from of_eval import answers_of, open_set, verdicts
from ray_start import start_ray

import codelinter.ray

ROWS = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000


def write_input() -> List[Tuple[str, str]]:
    """Writes in.parquet, in which row i has the id ri, and returns each row's task and answer."""
    chance = random.Random(1)
    tasks = [(row["id"], answers_of(row["task"])) for row in open_set(1000)]
    answers = []
    for i in range(ROWS):
        name, texts = tasks[i % len(tasks)]
        text = chance.choice(texts)
        fence = "```" if text.endswith("```") else ""
        answers.append((name, f"{text.removesuffix(fence)}# {i}\n{fence}"))  # no two are the same program
    rows = [{"id": f"r{i}", "task_id": name, "completion": text} for i, (name, text) in enumerate(answers)]
    pq.write_table(pa.Table.from_pylist(rows), "in.parquet", row_group_size=5000)
    return answers


def children() -> Iterator[Tuple[int, int]]:
    """Yields the process ids of this run's children `codelinter stream`, each with that of the worker it is of."""
    for entry in Path("/proc").iterdir():
        # Processes end while they are looked at.
        with suppress(ValueError, OSError):
            words = (entry / "cmdline").read_bytes().split(b"\0")
            if not words[0].endswith(b"codelinter") or words[1:2] != [b"stream"]:
                continue
            if f"CODELINTER_RUN={RUN}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                stat = (entry / "stat").read_text(encoding="ascii").rpartition(")")[2].split()
                yield int(entry.name), int(stat[1])


def with_kills(out: str, work: Callable[[], Any]) -> Dict[str, int]:
    """Does work while at every second shard that is done a child is killed, every fifth time a worker in its place.

    It goes by shards and not by seconds, as a child that is killed four times before it could answer is an error.
    """
    killed = {"children": 0, "workers": 0}
    done = threading.Event()

    def kill() -> None:
        while not done.wait(0.02):
            if len(list(Path(out).glob("part-*"))) < 2 * sum(killed.values()):
                continue
            kind = "workers" if sum(killed.values()) % 5 == 4 else "children"
            for child, worker in random.sample(found := list(children()), len(found)):
                if worker != os.getpid():
                    with suppress(ProcessLookupError):
                        os.kill(worker if kind == "workers" else child, signal.SIGKILL)
                        killed[kind] += 1
                    break

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        work()
    finally:
        done.set()
        killer.join()
    return killed


def alone() -> None:
    """Scores the input by one child on one core, with nothing written."""
    score = codelinter.ray.Score(verdict="official", processors=1)
    file = pq.ParquetFile("in.parquet")
    for group in range(file.num_row_groups):
        score(file.read_row_group(group))
    score.client.close()


def cpu_of(process: int) -> float:
    """Returns the seconds of cpu that a process has had."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def timed(name: str, work: Callable[[], Any]) -> float:
    """Does work, prints what it took, and returns the microseconds of cpu a row of the children and whose they are.

    Ray starts workers before, so what they have had when their child is first seen is not counted.
    """
    first: Dict[int, float] = {}
    last: Dict[int, float] = {}
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.1):
            for child, worker in children():
                with suppress(OSError):
                    last[child] = cpu_of(child)
                    first.setdefault(worker, cpu_of(worker))
                    last[worker] = cpu_of(worker)

    watcher = threading.Thread(target=watch)
    watcher.start()
    begin = time.monotonic()
    try:
        work()
    finally:
        seconds = time.monotonic() - begin
        done.set()
        watcher.join()
    cost = 1e6 * (sum(last.values()) - sum(first.values())) / ROWS
    print(f"{name}: {ROWS / seconds:.0f} rows/s, {cost:.0f} us of cpu a row", flush=True)
    return cost


def check(out: str, expected: List[bool]) -> None:
    """Requires of an output that each id is there once with its verdict and no error."""
    table = pq.read_table(out)
    ids = table.column("id").to_pylist()
    assert len(ids) == len(set(ids)) == ROWS, (len(ids), len(set(ids)))
    assert set(table.column("error").to_pylist()) == {""}
    found = dict(zip(ids, table.column("official").to_pylist()))
    wrong = [i for i, good in enumerate(expected) if found[f"r{i}"] != good]
    assert not wrong, f"{len(wrong)} verdicts differ, first r{wrong[0]}"
    print(f"{out}: {len(ids)} ids, each once, with the verdict of codelinter eval", flush=True)


def main() -> None:
    answers = write_input()

    def ray(out: str) -> Dict[str, int]:
        return codelinter.ray.score_files("in.parquet", out, actors=2, verdict="official", timeout=120)

    start_ray()
    one = timed("one child alone", alone)
    two = timed("two actors", lambda: ray("out"))
    print(f"a second of cpu in Ray does {one / two:.2f} of what it does alone", flush=True)
    killed: Dict[str, int] = {}
    timed("two actors, killed", lambda: killed.update(with_kills("killed", lambda: ray("killed"))))
    print(f"killed: {killed['children']} children, {killed['workers']} workers", flush=True)
    assert min(killed.values()) > 0, "expected a child and a worker to be killed: give it more rows"
    expected = [verdict.official for verdict in verdicts(answers, guarded=False)]
    check("out", expected)
    check("killed", expected)


if __name__ == "__main__":
    main()
