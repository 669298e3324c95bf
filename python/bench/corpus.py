"""What filtering a corpus costs: rows a second of cpu, by SwallowCode's way and by others.

    PYTHONPATH=python/src CODELINTER_BINARY=./codelinter PYTHON python/bench/corpus.py [ROWS [PYLINTED]]

PYTHON is one that has pyarrow, pylint and ruff. The ROWS (100,000) are small files of its standard library,
each with changes of its own, so that no two are the same. SwallowCode's filter starts a pylint for each
row, without ten messages, multiplies its score by the share of tokens that are no comments, and keeps a row from a
score of 7 on (rioyokotalab/swallow-code-math, src/code/pretrain_dataset/filtering.py); PYLINTED rows (60) are
filtered so. The cpu is that of this process and its children, so that other load on the machine matters little.
"""

from __future__ import annotations

import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import tokenize
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List

from codelinter.ray import LintShard, _shards

WITHOUT = "E0401,C0114,C0301,C0103,C0116,C0411,R0903,W0511,C0412"
SCORE = 7.0
KEEP = "not E999 and density < 0.05"
BATCH = 2000
ALL = 37_000_000  # the rows that SwallowCode filters


def programs(count: int, seed: int = 1) -> List[str]:
    """Returns programs: files of the standard library, of which some have faults more."""
    chance = random.Random(seed)  # noqa: S311
    parts: List[str] = []
    for file in sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py")):
        if not {"site-packages", "bad"} & {*file.parts} and 200 < file.stat().st_size < 4000:
            parts.append(file.read_text(encoding="utf-8", errors="replace"))
    made: List[str] = []
    for i in range(count):
        lines = f"{chance.choice(parts)}ROW = {i}\n".splitlines(keepends=True)
        for _ in range(chance.choice((0, 0, 1, 2, 6))):
            at = chance.randrange(len(lines))
            lines[at] = chance.choice(
                (lines[at].replace(" = ", "="), lines[at].replace(", ", ","), f"{lines[at].rstrip()} \n")
            )
        if chance.random() < 0.03:
            lines.append("def broken(:\n")
        made.append("".join(lines))
    return made


def cpu() -> float:
    """Returns the seconds of cpu of this process and of the children that have ended."""
    return sum(os.times()[:4])


def measured(name: str, count: int, work: Callable[[], int]) -> float:
    """Prints what a way of filtering costs; returns its seconds of cpu a row."""
    before, began = cpu(), time.monotonic()
    kept = work()
    row = (cpu() - before) / count
    hours = row * ALL / 3600
    cost = f"{hours:.1f} hours" if hours < 48 else f"{hours / 24:,.0f} days"
    share, took = 100 * kept / count, time.monotonic() - began
    print(f"| {name} | {count:,} | {share:.1f} % | {1 / row:,.1f} | {cost} | {took:.0f} s |", flush=True)
    return row


def lint(rows: List[str], folder: Path) -> int:
    """Is the stage of `codelinter.ray lint`: a worker with its child, from Parquet to Parquet."""
    table = _shards.pa.table({"code": rows})
    source, out = folder / "rows.parquet", folder / "kept"
    _shards.pq.write_table(table, source, row_group_size=10_000)
    shards = _shards.Folder(str(source), str(out), 8 << 20, {})
    worker = LintShard(str(out), KEEP, "code", {}, 1)
    kept = sum(worker(shard)["kept"] for shard in shards.missing)
    worker.client.close()
    return kept


def batches(rows: List[str], folder: Path) -> Iterator[Path]:
    """Yields folders with the files of BATCH rows."""
    for first in range(0, len(rows), BATCH):
        batch = folder / "batch"
        batch.mkdir()
        for i, row in enumerate(rows[first : first + BATCH]):
            (batch / f"r{first + i}.py").write_text(row, encoding="utf-8")
        yield batch
        shutil.rmtree(batch)


def ruff(rows: List[str], folder: Path) -> int:
    """Is a ruff process for each batch, with flake8's rules by their names, and the same condition."""
    kept = 0
    command = ["ruff", "check", "--isolated", "--no-cache", "--preview", "--quiet", "--select", "E,W,F"]
    command += ["--line-length", "79", "--exit-zero", "--output-format", "json"]
    for batch in batches(rows, folder):
        done = subprocess.run([*command, str(batch)], stdout=subprocess.PIPE, check=True)
        found: Dict[str, List[Any]] = {}
        for finding in json.loads(done.stdout):
            found.setdefault(finding["filename"], []).append(finding["code"])
        for file in batch.iterdir():
            codes = found.get(str(file), [])
            lines = file.read_text(encoding="utf-8").count("\n")
            kept += "invalid-syntax" not in codes and None not in codes and len(codes) / lines < 0.05
    return kept


def process_each(command: List[str]) -> Callable[[List[str], Path], int]:
    """Returns a way that starts a process for each row; what it exits with 0 for is kept."""

    def run(rows: List[str], folder: Path) -> int:
        file = folder / "row.py"
        kept = 0
        for row in rows:
            file.write_text(row, encoding="utf-8")
            kept += subprocess.run([*command, str(file)], capture_output=True, check=False).returncode == 0
        return kept

    return run


def swallow(rows: List[str], folder: Path) -> int:
    """Is SwallowCode's filter: what compiles, and has a score of SCORE or more."""
    kept = 0
    file = folder / "row.py"
    for row in rows:
        try:
            compile(row, "row.py", "exec")
        except SyntaxError:
            continue
        file.write_text(row, encoding="utf-8")
        command = ["pylint", "--persistent=n", f"--disable={WITHOUT}", str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        rated = re.search(r"rated at (-?[\d.]+)/10", done.stdout)
        kinds = [token.type for token in tokenize.generate_tokens(io.StringIO(row).readline)]
        score = float(rated[1]) * (1 - kinds.count(tokenize.COMMENT) / len(kinds)) if rated else 0.0
        kept += score >= SCORE
    return kept


def main() -> None:
    count, few = (int(argument) for argument in (*sys.argv[1:], "100000", "60")[:2])
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    rows = programs(count)
    print(f"{sum(map(len, rows)) / count:.0f} characters a row")
    print(f"| how | rows | kept | rows a second of cpu | {ALL:,} rows | took |\n|---|--:|--:|--:|--:|--:|")
    binary = os.environ["CODELINTER_BINARY"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours = measured("`codelinter.ray lint`, a worker and its child", count, lambda: lint(rows, folder))
        theirs = measured(f"a `ruff check` process for {BATCH:,} rows", count, lambda: ruff(rows, folder))
        some = rows[: 20 * few]
        measured("a `codelinter check` process a row", len(some), lambda: process_each([binary, "check"])(some, folder))
        measured(
            "a `ruff check` process a row",
            len(some),
            lambda: process_each(["ruff", "check", "-q", "--isolated"])(some, folder),
        )
        pylint = measured("SwallowCode's: a `pylint` process a row", few, lambda: swallow(rows[:few], folder))
    print(f"ruff in batches takes {theirs / ours:.1f} times as long, pylint {pylint / ours:,.0f} times")


if __name__ == "__main__":
    main()
